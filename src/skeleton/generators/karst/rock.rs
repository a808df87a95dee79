//! The rock before there is a cave in it: places through which water may go, and what it costs
//! to get from one to the next.
//!
//! Source: Paris et al. 2021: Poisson-disk samples (Bridson 2007, "Fast Poisson disk sampling
//! in arbitrary dimensions"), joined to their nearest neighbours, with anisotropic costs.

use super::character::Character;
use crate::config::Config;
use crate::rng::{Domain, noise_key, stream};
use crate::skeleton::elevation::{Elevation, grade_limit, gradient_noise};
use glam::DVec2;
use rand::RngExt as _;

/// Neighbours of a sample.
const NEIGHBOURS: usize = 14;

/// The longest step over the distance of samples, at least: with less, samples have no neighbours.
const LEAST_STEP: f64 = 1.75;

/// Candidates in the square around a sample before it counts as surrounded; six of ten lie in
/// the ring (Bridson's k is 14 so).
const CANDIDATES: usize = 24;

/// Weight of the permeability of a patch beside that of a sample.
const PATCHES: f64 = 0.7;

/// Wavelength of the permeability over the distance of samples.
const PERMEABILITY_WAVELENGTH: f64 = 7.0;

/// A step from one sample to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Sample at its end.
    pub(super) to: u32,
    /// What it costs. Short, as searches are bound by memory.
    pub(super) cost: f32,
    /// Length, metres.
    pub(super) length_m: f32,
}

/// Edge of the tiles by which samples are ordered, in spacings.
const TILE: f64 = 16.0;

/// Orders places tile by tile, so that neighbours lie near each other in memory: searches wait
/// for memory more than for anything else.
fn sort_by_place(points: &mut [DVec2], tile_m: f64) {
    let tile = |p: &DVec2| ((p.y / tile_m).floor() as i64, (p.x / tile_m).floor() as i64);
    points.sort_unstable_by(|a, b| {
        let inside = a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x));
        tile(a).cmp(&tile(b)).then(inside)
    });
}

/// Samples and the steps between them.
pub(super) struct Rock {
    points: Vec<DVec2>,
    /// Of each sample in `steps`, and one past the last.
    first: Vec<usize>,
    steps: Vec<Step>,
    lookup: Lookup,
    spacing_m: f64,
    reach_m: f64,
}

impl Rock {
    /// Samples of an ellipse around the origin with an uneven edge, the long axis along x.
    pub(super) fn new(config: &Config, character: &Character) -> Self {
        let spacing_m = config.skeleton.radius_min_m;
        let half = character.half_axes_m;
        let key = noise_key(config.seed, Domain::Skeleton, super::EDGE);
        let inside = |p: DVec2| {
            let uneven = gradient_noise(key, p * (2.5 / half.x) + 0.41);
            (p / half).length_squared() <= 1.0 + 0.5 * uneven
        };
        let mut lookup = Lookup::new(half * 1.3, spacing_m);
        let mut rng = stream(config.seed, Domain::Skeleton, super::SAMPLES);
        let mut points = vec![DVec2::ZERO];
        lookup.put(DVec2::ZERO, 0);
        let mut living = vec![0usize];
        while !living.is_empty() {
            let at = rng.random_range(0..living.len());
            let from = points[living[at]];
            let found = (0..CANDIDATES).find_map(|_| {
                let offset = DVec2::new(rng.random_range(-2.0..2.0), rng.random_range(-2.0..2.0));
                // A hair over the spacing, so that rounding keeps the distance.
                let ring = 1.000_001..4.0;
                if !ring.contains(&offset.length_squared()) {
                    return None;
                }
                let p = from + offset * spacing_m;
                let free = inside(p)
                    && lookup
                        .near(p, spacing_m)
                        .all(|(_, q)| q.distance(p) >= spacing_m);
                free.then_some(p)
            });
            match found {
                Some(p) => {
                    living.push(points.len());
                    lookup.put(p, points.len() as u32);
                    points.push(p);
                }
                None => {
                    living.swap_remove(at);
                }
            }
        }
        sort_by_place(&mut points, TILE * spacing_m);
        let mut lookup = Lookup::new(half * 1.3, spacing_m);
        for (index, &p) in points.iter().enumerate() {
            lookup.put(p, index as u32);
        }
        let mut rock = Self {
            points,
            first: vec![0],
            steps: Vec::new(),
            lookup,
            spacing_m,
            reach_m: config.skeleton.radius_max_m.max(LEAST_STEP * spacing_m),
        };
        rock.join(config, character);
        rock
    }

    /// Joins every sample to its nearest neighbours.
    fn join(&mut self, config: &Config, character: &Character) {
        let reach_m = self.reach_m;
        let costs = Costs::new(config, character, &self.points);
        let mut near: Vec<(f64, u32)> = Vec::new();
        for (index, &p) in self.points.iter().enumerate() {
            near.clear();
            let others = self
                .lookup
                .near(p, reach_m)
                .filter(|&(other, _)| other as usize != index)
                .map(|(other, q)| (p.distance(q), other));
            near.extend(others.filter(|&(distance, _)| distance <= reach_m));
            near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for &(length_m, to) in near.iter().take(NEIGHBOURS) {
                let cost = costs.of(index, to as usize, &self.points) as f32;
                let length_m = length_m as f32;
                self.steps.push(Step { to, cost, length_m });
            }
            self.first.push(self.steps.len());
        }
    }

    /// The sample where `height` of its place is largest.
    pub(super) fn extreme(&self, height: impl Fn(DVec2) -> f64) -> u32 {
        let best = (0..self.points.len())
            .max_by(|&a, &b| height(self.points[a]).total_cmp(&height(self.points[b])));
        best.unwrap_or(0) as u32
    }

    /// Least distance of two samples, metres.
    pub(super) fn spacing_m(&self) -> f64 {
        self.spacing_m
    }

    /// Most length of a step, metres.
    pub(super) fn reach_m(&self) -> f64 {
        self.reach_m
    }

    /// Number of samples.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// Place of a sample, metres.
    pub(super) fn point(&self, sample: u32) -> DVec2 {
        self.points[sample as usize]
    }

    /// Steps that leave a sample.
    pub(super) fn steps(&self, sample: u32) -> &[Step] {
        let sample = sample as usize;
        &self.steps[self.first[sample]..self.first[sample + 1]]
    }

    /// Samples within `reach_m` of the box around two places, and some beyond.
    pub(super) fn around(
        &self,
        a: DVec2,
        b: DVec2,
        reach_m: f64,
    ) -> impl Iterator<Item = (u32, DVec2)> {
        self.lookup.within(a.min(b) - reach_m, a.max(b) + reach_m)
    }
}

/// What a step costs: `(length / spacing)^γ`, times how far it is from the fractures, how tight
/// the rock is and how steep the bed (Paris et al. 2021: distance, fractures, permeability,
/// inception horizons).
struct Costs<'a> {
    character: &'a Character,
    spacing_m: f64,
    tightness: Vec<f64>,
    height_m: Vec<f64>,
    max_grade: f64,
}

impl<'a> Costs<'a> {
    fn new(config: &Config, character: &'a Character, points: &[DVec2]) -> Self {
        let s = &config.skeleton;
        let bed = Elevation::new(s, config.seed);
        let key = noise_key(config.seed, Domain::Skeleton, super::PERMEABILITY);
        let mut rng = stream(config.seed, Domain::Skeleton, super::TIGHTNESS);
        let scale = 2.0 / (PERMEABILITY_WAVELENGTH * s.radius_min_m);
        let tightness = points.iter().map(|&p| {
            let own: f64 = rng.random_range(-1.0..1.0);
            let patch = gradient_noise(key, p * scale + 0.23);
            libm::exp(character.roughness * (own + PATCHES * patch))
        });
        Self {
            character,
            spacing_m: s.radius_min_m,
            tightness: tightness.collect(),
            height_m: points.iter().map(|&p| bed.at(p)).collect(),
            max_grade: grade_limit(s).max(1e-3),
        }
    }

    fn of(&self, a: usize, b: usize, points: &[DVec2]) -> f64 {
        let way = points[b] - points[a];
        let run = way.length();
        let length = self.character.gamma * libm::log(run / self.spacing_m);
        let tight = (self.tightness[a] * self.tightness[b]).sqrt();
        let climb = (self.height_m[a] - self.height_m[b]).abs() / run / self.max_grade;
        let horizon = 1.0 + self.character.horizon * climb.min(3.0);
        tight * horizon * libm::exp(length + self.across(way / run))
    }

    /// Logarithm of what it costs not to follow a fracture: 0 along one of them.
    fn across(&self, way: DVec2) -> f64 {
        let along = self.character.fractures.iter().map(|f| way.dot(*f).abs());
        let best = along.fold(0.0, f64::max);
        self.character.fracture_strength * (1.0 - best * best * best * best)
    }
}

/// Samples by grid cell; cells are so small that each holds one.
struct Lookup {
    corner: DVec2,
    cell_m: f64,
    wide: usize,
    high: usize,
    cells: Vec<Option<(u32, DVec2)>>,
}

impl Lookup {
    fn new(half: DVec2, spacing_m: f64) -> Self {
        // The diagonal is a hair under the distance of samples.
        let cell_m = spacing_m * 0.7;
        let size = (half * 2.0 / cell_m).ceil();
        let (wide, high) = (size.x as usize + 1, size.y as usize + 1);
        Self {
            corner: -half,
            cell_m,
            wide,
            high,
            cells: vec![None; wide * high],
        }
    }

    fn cell(&self, p: DVec2) -> (usize, usize) {
        let at = ((p - self.corner) / self.cell_m).max(DVec2::ZERO);
        (
            (at.x as usize).min(self.wide - 1),
            (at.y as usize).min(self.high - 1),
        )
    }

    fn put(&mut self, p: DVec2, sample: u32) {
        let (x, y) = self.cell(p);
        self.cells[y * self.wide + x] = Some((sample, p));
    }

    fn near(&self, p: DVec2, reach_m: f64) -> impl Iterator<Item = (u32, DVec2)> {
        self.within(p - reach_m, p + reach_m)
    }

    fn within(&self, low: DVec2, high: DVec2) -> impl Iterator<Item = (u32, DVec2)> {
        let ((x0, y0), (x1, y1)) = (self.cell(low), self.cell(high));
        (y0..=y1).flat_map(move |y| {
            self.cells[y * self.wide + x0..=y * self.wide + x1]
                .iter()
                .flatten()
                .copied()
        })
    }
}

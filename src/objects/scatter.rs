//! Cells, and the order in which they are filled.

use super::body::{Body, Bounds};
use super::ground::{self, Place};
use super::law::SizeLaw;
use super::lines::Lines;
use super::shape::{Shape, shapes};
use super::{Objects, drips, stones};
use crate::config::{Config, RockMode};
use crate::field::{CaveField, OpeningKind};
use crate::rng::{Domain, stream};
use crate::skeleton::Skeleton;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Nothing stands nearer to the entrance, metres in plan.
const ENTRANCE_M: f64 = 2.5;
/// Nothing stands nearer to the rim of an opening, metres in plan.
const OPENING_M: f64 = 1.0;
/// Least half width of the band along the skeleton's line that stays free, metres.
const BAND_M: f64 = 0.5;
/// Least diameter of a rock that is part of the surface, voxels.
const LEAST_VOXELS: f64 = 4.0;
/// Least diameter of a rock that is a body of its own, metres.
const LEAST_M: f64 = 0.15;
/// Most rocks that are bodies of their own: each is a collision of the model.
const SEPARATE_MAX: f64 = 1500.0;
/// Greatest diameter of a rock, half widths of the passage.
const GREATEST: f64 = 0.6;

/// What both kinds of objects need to know.
pub(super) struct Site<'a> {
    pub field: &'a CaveField,
    pub lines: Lines,
    pub shapes: Vec<Shape>,
    pub law: SizeLaw,
    /// Least diameter of a rock, metres.
    pub least_m: f64,
    pub merged: bool,
    /// Share of rocks that are slabs.
    pub slabs: f64,
    /// Dripstones on a square metre.
    pub drips_m2: f64,
    /// Half width of the band that stays free, metres.
    pub band_m: f64,
    pub voxel_m: f64,
    pub step_m: f64,
    /// Discs in plan in which nothing stands: middle and radius, metres.
    free: Vec<([f64; 2], f64)>,
}

/// The objects that stand so far, as cylinders.
pub(super) struct Taken(Vec<Bounds>);

impl Taken {
    /// Whether a body with these bounds and `gap_m` of air around it touches another.
    pub fn clashes(&self, b: &Bounds, gap_m: f32) -> bool {
        self.0.iter().any(|o| {
            let (x, y) = (o.at[0] - b.at[0], o.at[1] - b.at[1]);
            let near = o.radius + b.radius + gap_m;
            x * x + y * y < near * near
                && o.heights[0] < b.heights[1] + gap_m
                && b.heights[0] < o.heights[1] + gap_m
        })
    }

    pub fn push(&mut self, bounds: Bounds) {
        self.0.push(bounds);
    }
}

impl Site<'_> {
    /// Whether a body of this radius keeps off the driving line, the entrance and the openings.
    pub fn keeps_off(&self, [x, y]: [f64; 2], z: f64, radius_m: f64) -> bool {
        self.is_open([x, y], radius_m) && self.lines.distance([x, y, z]) > self.band_m + radius_m
    }

    fn is_open(&self, [x, y]: [f64; 2], radius_m: f64) -> bool {
        self.free.iter().all(|(at, free)| {
            let (dx, dy, near) = (x - at[0], y - at[1], free + radius_m);
            dx * dx + dy * dy > near * near
        })
    }

    /// Greatest diameter of a rock in a passage, metres.
    pub fn greatest_m(&self, passage_m: f64) -> f64 {
        GREATEST * passage_m
    }

    /// Whether rocks are meant to lie at a place.
    pub fn takes_rocks(&self, place: &Place) -> bool {
        self.is_open(place.at, 0.5 * self.least_m)
            && place.line_m > self.band_m + 0.5 * self.least_m
    }
}

/// Scatters rocks and dripstones over a cave whose field has none yet.
pub fn scatter(field: &CaveField, skeleton: &Skeleton, config: &Config) -> Objects {
    let keys = &config.objects;
    if keys.rock_share <= 0.0 && keys.speleothems <= 0.0 {
        return Objects::default();
    }
    let widths = || skeleton.nodes.iter().map(|n| n.passage_m);
    let widest = widths().fold(0.0, f64::max);
    let narrowest = widths().fold(f64::INFINITY, f64::min);
    let step_m = (0.5 * narrowest).clamp(0.3, 20.0);
    // Wider than any two objects reach: cells of a round do not touch the same neighbour's rock.
    let cell_m = (2.5 * widest).max(6.0 * step_m);
    let places = ground::places(field, skeleton, step_m);
    let voxel_m = field.voxel_m();
    let entrance = skeleton.nodes[skeleton.entrance].position;
    let mut free = vec![([entrance.x, entrance.y], ENTRANCE_M)];
    free.extend(field.openings().iter().map(|o| {
        let half = 0.5 * o.width_m.max(o.height_m);
        ([o.centre[0], o.centre[1]], half + OPENING_M)
    }));
    let portals = field.openings().iter();
    let ways_out = portals
        .filter(|o| o.kind == OpeningKind::Portal)
        .map(|o| [entrance.to_array(), o.centre]);
    let merged = keys.rocks == RockMode::Merged;
    let mut site = Site {
        field,
        lines: Lines::new(skeleton, ways_out, cell_m),
        shapes: shapes(config.seed),
        law: SizeLaw::new(keys.rock_share),
        least_m: if merged {
            LEAST_VOXELS * voxel_m
        } else {
            LEAST_M
        },
        merged,
        slabs: config.field.strata,
        drips_m2: keys.speleothems,
        band_m: BAND_M.max(0.5 * config.field.min_clearance_m),
        voxel_m,
        step_m,
        free,
    };
    let area = |site: &Site| {
        let count = places.iter().filter(|p| site.takes_rocks(p)).count();
        count as f64 * step_m * step_m
    };
    let mut rock_area_m2 = area(&site);
    if !merged {
        let greatest = site.greatest_m(widest);
        while site.law.between(site.least_m, greatest).per_m2() * rock_area_m2 > SEPARATE_MAX {
            site.least_m *= 1.05;
        }
        rock_area_m2 = area(&site);
    }
    let bodies = fill(&site, &places, config.seed, cell_m);
    Objects::new(site.shapes, &bodies, keys.rocks, rock_area_m2, voxel_m)
}

/// All objects, by cell.
fn fill(site: &Site, places: &[Place], seed: u64, cell_m: f64) -> Vec<Body> {
    let mut cells: BTreeMap<[i32; 3], Vec<Place>> = BTreeMap::new();
    for place in places {
        let p = [place.at[0], place.at[1], place.floor];
        let cell = p.map(|c| (c / cell_m).floor() as i32);
        cells.entry(cell).or_default().push(*place);
    }
    let mut bodies: BTreeMap<[i32; 3], Vec<Body>> = BTreeMap::new();
    for round in 0..8 {
        let of_round =
            |cell: &[i32; 3]| (0..3).fold(0, |r, k| r | cell[k].rem_euclid(2) << k) == round;
        let turn: Vec<(&[i32; 3], &Vec<Place>)> =
            cells.iter().filter(|(cell, _)| of_round(cell)).collect();
        let made: Vec<([i32; 3], Vec<Body>)> = turn
            .into_par_iter()
            .map(|(cell, places)| (*cell, furnish(site, *cell, places, &bodies, seed)))
            .collect();
        bodies.extend(made);
    }
    bodies.into_values().flatten().collect()
}

fn furnish(
    site: &Site,
    cell: [i32; 3],
    places: &[Place],
    others: &BTreeMap<[i32; 3], Vec<Body>>,
    seed: u64,
) -> Vec<Body> {
    let mut taken = Taken(Vec::new());
    for x in -1..=1 {
        for y in -1..=1 {
            for z in -1..=1 {
                let beside = [cell[0] + x, cell[1] + y, cell[2] + z];
                let theirs = others.get(&beside).map_or(&[][..], Vec::as_slice);
                theirs
                    .iter()
                    .for_each(|b| taken.push(b.bounds(&site.shapes)));
            }
        }
    }
    // 21 bits an axis.
    let entity = cell.iter().fold(0u64, |all, &c| {
        all << 21 | u64::from((c + (1 << 20)) as u32 & 0x1F_FFFF)
    });
    let mut rng = stream(seed, Domain::Objects, entity);
    let mut out = stones::place(site, places, &mut taken, &mut rng);
    out.extend(drips::place(site, places, &mut taken, &mut rng));
    out
}

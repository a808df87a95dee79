//! A lava tube (pyroduct): one trunk that winds downslope, with braids, halls, chokes, a few side
//! branches and skylights.
//!
//! Sources: Sauro et al. 2020 for sizes and forms (see [`Body`]); Langbein & Leopold 1966,
//! "River meanders: theory of minimum variance" (USGS Prof. Paper 422-H), for the sine-generated
//! curve of the trunk; Leopold & Wolman 1960 (GSA Bulletin 71) for a wavelength of some 11 widths,
//! measured on rivers.
//!
//! Exactly `nodes` nodes come out: the trunk grows node by node, and what hangs on it is added as
//! long as nodes are left, [`LEAD`] nodes behind its tip. A braid or branch that would come too
//! near to another passage is left out; a trunk that would is straightened. Sizes follow from the
//! width of the tube: `skeleton.radius_*`, `passage.scale`, `passage.min_m` and `passage.max_m`
//! are not read. Heights follow the slope, with `skeleton.elevation_*` on top, within
//! `max_grade_deg`. Levels are tubes of the same body and slope, each with a course of its own.

mod body;
mod keys;

pub use body::Body;
pub use keys::LavaTubeConfig;

use super::{Generator, Promises};
use crate::config::Config;
use crate::progress::{Cancelled, Job};
use crate::rng::{ChaCha8Rng, Domain, noise_key, stream};
use crate::skeleton::draft::{self, CHAIN_SPREAD_DEG, connect, extend, toward};
use crate::skeleton::elevation::{Elevation, grade_limit, gradient_noise};
use crate::skeleton::growth::{Growth, PASSAGE_REACH, Sprout};
use crate::skeleton::{ENTRANCE_PASSAGE_M, Error, NodeKind, Skeleton};
use glam::DVec2;
use rand::RngExt as _;
use std::f64::consts::TAU;

/// Widths between two nodes of the trunk.
const STEP_WIDTHS: f64 = 1.2;
/// Widths of a meander's wavelength, lowest and highest.
const MEANDER_WIDTHS: [f64; 2] = [9.0, 14.0];
/// Nodes that the trunk is ahead of what hangs on it; more than a braid is long.
const LEAD: usize = 8;
/// Nodes of the trunk from the start to the end of a braid, fewest and most.
const BRAID_STEPS: [usize; 2] = [4, 7];
/// Angle between a braid and the trunk where they part, degrees.
const BRAID_DEG: f64 = 60.0;
/// Size of a braid over the trunk's.
const BRAID_SIZE: f64 = 0.6;
/// Size of a side branch over the trunk's.
const SIDE_SIZE: f64 = 0.5;
/// Nodes of a side branch, fewest and most.
const SIDE_NODES: [usize; 2] = [2, 4];
/// Sizes of halls and chokes over the trunk's, lowest and highest.
const HALL_SIZE: [f64; 2] = [1.4, 1.8];
const CHOKE_SIZE: [f64; 2] = [0.42, 0.6];
/// Largest size over the mean: a hall where the tube is wide.
const WIDEST: f64 = HALL_SIZE[1] * (1.0 + SWELL);
/// Share by which the width swells and shrinks along the tube.
const SWELL: f64 = 0.15;
/// Probability that a node of the trunk is a hall.
const HALL_PROBABILITY: f64 = 0.06;
/// Largest skylight over the width of the tube.
const SKYLIGHT_SHARE: f64 = 0.6;
/// Streams of draws that belong to no node, of what hangs on a node, and of skylights.
const TUBE: u64 = u64::MAX >> 1;
const FEATURE: u64 = 1 << 40;
const SKYLIGHT: u64 = 2 << 40;

/// A pyroduct.
pub struct LavaTube;

impl Generator for LavaTube {
    fn promises(&self) -> Promises {
        Promises::ALL
    }

    fn layout(&self, config: &Config, level: u32, job: &Job) -> Result<Skeleton, Error> {
        keys::check(&config.generators.lava_tube)?;
        let mut tube = Tube::new(config);
        if level > 0 {
            // Rock and another tube lie over it.
            tube.skylight_due_m = f64::INFINITY;
        }
        Ok(tube.lay(job)?)
    }
}

/// A tube that is being laid.
struct Tube<'a> {
    config: &'a Config,
    keys: &'a LavaTubeConfig,
    nodes: usize,
    /// Mean half width of the trunk, metres.
    half_m: f64,
    slope_deg: f64,
    /// Amplitude of the heading about the axis of the tube, radians.
    swing: f64,
    swell_key: u32,
    /// Place on the meander, radians, and its growth a node.
    phase: f64,
    pace: f64,
    /// Indices of the trunk's nodes.
    trunk: Vec<usize>,
    halls: Vec<usize>,
    /// Skylights: the node at the surface, the one in the tube, and the height between, metres.
    skylights: Vec<(usize, usize, f64)>,
    /// The trunk has its common width up to this node of it.
    calm_until: usize,
    /// The trunk is braided as far as this node of it.
    braided: usize,
    /// Where along the trunk the next skylight is due, metres.
    skylight_due_m: f64,
}

impl<'a> Tube<'a> {
    fn new(config: &'a Config) -> Self {
        let keys = &config.generators.lava_tube;
        let mut rng = stream(config.seed, Domain::Skeleton, TUBE);
        let [narrow, wide] = keys.body.sizes().width_m;
        // Even on the scale of ratios: the range of Earth spans a factor of six.
        let drawn = narrow * libm::pow(wide / narrow, rng.random());
        let width_m = keys.width_m.value().unwrap_or(drawn);
        let drawn = rng.random_range(body::SLOPE_DEG[0]..=body::SLOPE_DEG[1]);
        let slope_deg = keys.slope_deg.value().unwrap_or(drawn);
        let mut tube = Self {
            config,
            keys,
            nodes: config.skeleton.nodes as usize,
            half_m: width_m / 2.0,
            slope_deg,
            swing: swing(keys.sinuosity),
            swell_key: noise_key(config.seed, Domain::Skeleton, TUBE),
            phase: rng.random_range(0.0..TAU),
            pace: 0.0,
            trunk: Vec::new(),
            halls: Vec::new(),
            skylights: Vec::new(),
            calm_until: 3,
            braided: 0,
            skylight_due_m: 0.0,
        };
        tube.pace = tube.draw_pace(&mut rng);
        tube.skylight_due_m = 0.6 * tube.draw_skylight_gap(&mut rng);
        tube
    }

    fn step_m(&self) -> f64 {
        STEP_WIDTHS * 2.0 * self.half_m
    }

    fn draw_pace(&self, rng: &mut ChaCha8Rng) -> f64 {
        let [short, long] = MEANDER_WIDTHS;
        TAU * STEP_WIDTHS / rng.random_range(short..=long)
    }

    fn draw_skylight_gap(&self, rng: &mut ChaCha8Rng) -> f64 {
        let mean = self.keys.body.skylight_spacing_m(2.0 * self.half_m);
        let mean = self.keys.skylight_spacing_m.value().unwrap_or(mean);
        mean * rng.random_range(0.7..=1.3)
    }

    fn lay(mut self, job: &Job) -> Result<Skeleton, Cancelled> {
        let mut growth = self.entrance();
        while growth.nodes().len() < self.nodes {
            if !self.advance(&mut growth) {
                job.note(
                    "skeleton: no room found for braids and branches with passages this wide; \
                     laid out as the trunk alone instead",
                );
                growth = self.plain(job)?;
                break;
            }
            if let Some(at) = (self.trunk.len() - 1).checked_sub(LEAD) {
                self.hang(&mut growth, at);
            }
            draft::report(job, growth.nodes().len(), self.nodes)?;
        }
        Ok(self.finish(growth))
    }

    fn entrance(&mut self) -> Growth {
        self.trunk = vec![0];
        let passage_m = self.half_m.max(ENTRANCE_PASSAGE_M);
        let entrance = self.sprout(DVec2::ZERO, 0.0, passage_m, None);
        let widest_m = (self.half_m * WIDEST).max(ENTRANCE_PASSAGE_M);
        Growth::new(self.config, entrance, widest_m)
    }

    fn sprout(&self, plan: DVec2, heading: f64, passage_m: f64, parent: Option<usize>) -> Sprout {
        Sprout {
            plan,
            z: 0.0,
            radius_m: self.step_m(),
            passage_m,
            heading,
            parent,
            active: true,
        }
    }

    /// The trunk's next node: heading and half width, from the stream of its place.
    fn next(&mut self) -> (f64, f64) {
        let index = self.trunk.len();
        let mut rng = stream(self.config.seed, Domain::Skeleton, index as u64);
        let half_wave = libm::floor(2.0 * self.phase / TAU);
        self.phase += self.pace;
        if libm::floor(2.0 * self.phase / TAU) > half_wave {
            self.pace = self.draw_pace(&mut rng);
        }
        let heading = self.swing * libm::sin(self.phase);
        let place = DVec2::new(0.31 * index as f64 + 0.37, 0.61);
        let swell = 1.0 + SWELL * gradient_noise(self.swell_key, place);
        let (hall, choke): (f64, f64) = (rng.random(), rng.random());
        let range = if index < self.calm_until {
            [1.0; 2]
        } else if hall < HALL_PROBABILITY {
            HALL_SIZE
        } else if choke < self.keys.choke_probability {
            CHOKE_SIZE
        } else {
            [1.0; 2]
        };
        if range[0] != range[1] {
            // Halls and chokes do not follow on each other.
            self.calm_until = index + 2;
        }
        let size = range[0] + (range[1] - range[0]) * rng.random::<f64>();
        (heading, self.half_m * swell * size)
    }

    /// Grows the trunk by a node, straightened where it would come too near to something; false
    /// when it cannot go on.
    fn advance(&mut self, growth: &mut Growth) -> bool {
        let (heading, passage_m) = self.next();
        let Some(&tip) = self.trunk.last() else {
            return false;
        };
        let from = growth.nodes()[tip].plan;
        for straighter in [1.0, 0.8, 0.6, 0.4, 0.2, 0.0] {
            let heading = heading * straighter;
            let plan = from + toward(heading) * self.step_m();
            let child = self.sprout(plan, heading, passage_m, Some(tip));
            if let Some(node) = extend(growth, tip, child) {
                self.trunk.push(node);
                if passage_m > 1.25 * self.half_m {
                    self.halls.push(node);
                }
                return true;
            }
        }
        false
    }

    /// The trunk alone, straight enough to fit whatever the clearance.
    fn plain(&mut self, job: &Job) -> Result<Growth, Cancelled> {
        self.halls.clear();
        self.skylights.clear();
        self.calm_until = 3;
        self.swing = self.swing.min(CHAIN_SPREAD_DEG.to_radians());
        let growth = self.entrance();
        draft::chain(growth, self.nodes, job, |_| {
            let (heading, passage_m) = self.next();
            self.trunk.push(self.trunk.len());
            (heading, self.sprout(DVec2::ZERO, 0.0, passage_m, None))
        })
    }

    /// Adds what hangs on the trunk at its node `at`: a braid, a branch or a skylight.
    fn hang(&mut self, growth: &mut Growth, at: usize) {
        if at == 0 {
            return;
        }
        let entity = FEATURE | at as u64;
        let mut rng = stream(self.config.seed, Domain::Skeleton, entity);
        let (braid, branch): (f64, f64) = (rng.random(), rng.random());
        if at >= self.braided && braid < self.keys.braid_probability {
            let steps = rng.random_range(BRAID_STEPS[0]..=BRAID_STEPS[1]);
            let left = rng.random_bool(0.5);
            if self.braid(growth, at, steps, left) || self.braid(growth, at, steps, !left) {
                self.braided = at + steps + 1;
            }
        } else if branch < self.keys.branch_probability {
            self.branch(growth, at, &mut rng);
        }
        if at as f64 * self.step_m() >= self.skylight_due_m {
            self.skylight(growth, at);
        }
    }

    /// A second strand from node `at` of the trunk to the node `steps` farther, if it fits.
    fn braid(&mut self, growth: &mut Growth, at: usize, steps: usize, left: bool) -> bool {
        let before = growth.nodes().len();
        // The strand itself, and the trunk's end beyond it.
        if before + steps > self.nodes {
            return false;
        }
        let trunk: Vec<DVec2> = self.trunk[at..=at + steps]
            .iter()
            .map(|&node| growth.nodes()[node].plan)
            .collect();
        let widest_m = self.trunk[at..=at + steps]
            .iter()
            .map(|&node| growth.nodes()[node].passage_m)
            .fold(0.0, f64::max);
        let passage_m = BRAID_SIZE * self.half_m;
        let clearance_m = self.config.skeleton.clearance_m;
        let aside_m = PASSAGE_REACH * (widest_m + passage_m) + clearance_m + 0.3 * self.half_m;
        let side = if left { 1.0 } else { -1.0 };
        let turn = side * BRAID_DEG.to_radians();
        let slant_m = aside_m / libm::sin(BRAID_DEG.to_radians());
        let out = draft::heading(trunk[0], trunk[1]) + turn;
        let back = draft::heading(trunk[steps], trunk[steps - 1]) - turn;
        let mut points = vec![trunk[0] + toward(out) * slant_m];
        points.extend((2..steps - 1).map(|k| {
            let along = (trunk[k + 1] - trunk[k - 1]).normalize_or_zero();
            trunk[k] + along.perp() * side * aside_m
        }));
        points.push(trunk[steps] + toward(back) * slant_m);
        let mut tip = self.trunk[at];
        for plan in points {
            let heading = draft::heading(growth.nodes()[tip].plan, plan);
            let child = self.sprout(plan, heading, passage_m, Some(tip));
            match extend(growth, tip, child) {
                Some(node) => tip = node,
                None => {
                    growth.rewind(before);
                    return false;
                }
            }
        }
        let joined = connect(growth, tip, self.trunk[at + steps]);
        if !joined {
            growth.rewind(before);
        }
        joined
    }

    /// A dead-end branch, as far as it fits.
    fn branch(&self, growth: &mut Growth, at: usize, rng: &mut ChaCha8Rng) {
        let mut tip = self.trunk[at];
        let along = growth.nodes()[self.trunk[at + 1]].plan - growth.nodes()[tip].plan;
        let side = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        let aside = side * rng.random_range(55f64..=85.0).to_radians();
        let mut heading = libm::atan2(along.y, along.x) + aside;
        let nodes = rng.random_range(SIDE_NODES[0]..=SIDE_NODES[1]);
        for _ in 0..nodes.min(self.nodes - growth.nodes().len()) {
            let step = toward(heading) * 0.8 * self.step_m();
            let plan = growth.nodes()[tip].plan + step;
            let passage_m = SIDE_SIZE * self.half_m;
            let child = self.sprout(plan, heading, passage_m, Some(tip));
            match extend(growth, tip, child) {
                Some(node) => tip = node,
                None => return,
            }
            heading += rng.random_range(-25f64..=25.0).to_radians();
        }
    }

    /// A shaft to the surface over node `at` of the trunk, where nothing else leaves it.
    fn skylight(&mut self, growth: &mut Growth, at: usize) {
        let below = self.trunk[at];
        let tube_m = growth.nodes()[below].passage_m;
        let narrow = tube_m < 0.8 * self.half_m;
        if narrow || growth.degree(below) != 2 || growth.nodes().len() >= self.nodes {
            return;
        }
        let entity = SKYLIGHT | at as u64;
        let mut rng = stream(self.config.seed, Domain::Skeleton, entity);
        let sizes = self.keys.body.sizes();
        let wide_m = rng.random_range(sizes.skylight_m[0]..=sizes.skylight_m[1]);
        let passage_m = (wide_m / 2.0).min(SKYLIGHT_SHARE * tube_m);
        let roof_m = rng.random_range(sizes.roof_m[0]..=sizes.roof_m[1]);
        let rise_m = self.config.passage.half_height_m(tube_m) + roof_m;
        let plan = growth.nodes()[below].plan;
        let child = self.sprout(plan, 0.0, passage_m, Some(below));
        if growth.is_free(below, &child) {
            let top = growth.push(below, child);
            self.skylights.push((top, below, rise_m));
            self.skylight_due_m = at as f64 * self.step_m() + self.draw_skylight_gap(&mut rng);
        }
    }

    /// Heights and kinds.
    fn finish(self, growth: Growth) -> Skeleton {
        let s = &self.config.skeleton;
        let elevation = Elevation::new(s, self.config.seed);
        let fall = libm::tan(self.slope_deg.to_radians());
        let target_m: Vec<f64> = growth
            .nodes()
            .iter()
            .map(|node| elevation.at(node.plan) - fall * node.plan.x)
            .collect();
        let mut skeleton = growth.into_skeleton();
        draft::ease_heights(&mut skeleton, &target_m, grade_limit(s));
        for hall in self.halls {
            skeleton.nodes[hall].kind = NodeKind::Room;
        }
        for (top, below, rise_m) in self.skylights {
            skeleton.nodes[top].position.z = skeleton.nodes[below].position.z + rise_m;
            skeleton.nodes[top].kind = NodeKind::Entrance;
            skeleton.nodes[below].kind = NodeKind::Shaft;
        }
        skeleton
    }
}

/// Amplitude of the heading of a sine-generated curve of this sinuosity, radians: its length over
/// the straight distance is `1 / J₀(amplitude)`.
fn swing(sinuosity: f64) -> f64 {
    // J₀ falls from 1 to 0.51 over 0–1.5.
    let (mut low, mut high) = (0.0, 1.5);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if libm::j0(middle) * sinuosity > 1.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_swing_makes_the_sinuosity() {
        for sinuosity in [1.0, 1.1, 1.19, 1.3] {
            let swing = swing(sinuosity);
            let steps = 10_000;
            let along: f64 = (0..steps)
                .map(|i| libm::cos(swing * libm::sin(TAU * f64::from(i) / f64::from(steps))))
                .sum();
            assert!(
                (f64::from(steps) / along - sinuosity).abs() < 1e-4,
                "{sinuosity}"
            );
        }
    }
}

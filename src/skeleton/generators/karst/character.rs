//! What one cave is like: drawn once from the seed, so that caves differ as surveyed caves do.
//!
//! The figures that are no keys were set so that the caves of `karst_cave` spread over the
//! measures of Collon et al. 2017 as surveyed caves do; see `docs/statistics.md`.

use crate::config::Config;
use crate::rng::{ChaCha8Rng, Domain, stream};
use crate::skeleton::PASSAGE_REACH;
use glam::DVec2;
use rand::RngExt as _;

/// Mean length of a passage between two nodes over the distance of samples: what cheapest paths
/// come to.
const MEAN_STEP: f64 = 1.3;

/// Exponent that moves the middle of a symmetric distribution outwards: a cave is rather a maze
/// or a branchwork than something in between.
const DECIDED: f64 = 0.7;

/// Share of loops that the sparsest caves have over that of the densest.
const FEWEST_LOOPS: f64 = 0.04;

/// Exponent by which loops gather in mazes.
const LOOPS_OF_MAZES: f64 = 1.4;

/// What is drawn for a cave.
#[derive(Clone, Debug)]
pub(super) struct Character {
    /// Half axes of the rock that dissolves, metres; the long one along x.
    pub(super) half_axes_m: DVec2,
    /// Exponent of the length of a step.
    pub(super) gamma: f64,
    /// How uneven the permeability is: amplitude of the logarithm.
    pub(super) roughness: f64,
    /// How dear it is to leave the bed: added cost of a bed at the steepest grade.
    pub(super) horizon: f64,
    /// Directions of the fracture families, unit vectors.
    pub(super) fractures: Vec<DVec2>,
    /// How dear it is to go across all fractures: logarithm of the added factor.
    pub(super) fracture_strength: f64,
    /// Nodes from which on the drainage gets no more conduits; the rest is amplification.
    pub(super) drainage: usize,
    /// Conduits of the drainage, at most.
    pub(super) key_points: usize,
    /// Conduits of the whole cave, about.
    pub(super) conduits: usize,
    /// Loops among them.
    pub(super) loops: usize,
    /// Share of dead ends that leave from a junction.
    pub(super) hubs: f64,
    /// How much conduits gather: the best of so many places starts one.
    pub(super) gather: usize,
    /// Spread of the lengths of dead ends: standard deviation of the logarithm.
    pub(super) spread: f64,
}

impl Character {
    /// Draws the character of a seed.
    pub(super) fn draw(config: &Config) -> Self {
        let (s, keys) = (&config.skeleton, &config.generators.karst);
        let mut rng = stream(config.seed, Domain::Skeleton, super::CHARACTER);
        let nodes = f64::from(s.nodes);
        let length_m = nodes * MEAN_STEP * s.radius_min_m;
        // From 0, few long branches, to 1, a maze.
        let side = 2.0 * rng.random::<f64>() - 1.0;
        let maze = 0.5 + 0.5 * side.signum() * libm::pow(side.abs(), DECIDED);
        let branch_m = keys.branch_max_m * libm::pow(keys.branch_min_m / keys.branch_max_m, maze);
        // Each conduit that is added cuts another branch in two.
        let conduits = (length_m / branch_m / 2.0).round().max(1.0);
        let dense = 0.7 * maze + 0.3 * rng.random::<f64>();
        let few = FEWEST_LOOPS;
        let loop_share = keys.loop_share_max
            * (few + (1.0 - few) * libm::pow(dense, LOOPS_OF_MAZES))
            * s.loop_probability;
        let fewest = if s.loop_probability > 0.0 { 2.0 } else { 0.0 };
        let need_m = 2.0 * PASSAGE_REACH * config.passage.min_m + s.clearance_m;
        let apart_m = between(&mut rng, [6.6, 9.9]) * need_m.max(1.2 * s.radius_min_m);
        let elongation = between(&mut rng, [1.0, 3.2]);
        let short_m = (length_m * apart_m / elongation / std::f64::consts::PI).sqrt();
        let half_axes_m = DVec2::new(short_m * elongation, short_m);
        Self {
            half_axes_m: half_axes_m.max(DVec2::splat(6.0 * s.radius_min_m)),
            gamma: between(&mut rng, [keys.gamma_min, keys.gamma_max]),
            roughness: between(&mut rng, [keys.roughness_min, keys.roughness_max])
                * (1.0 + 0.6 * (maze - 0.5)),
            horizon: between(&mut rng, [0.0, 1.0]),
            fractures: fractures(&mut rng),
            fracture_strength: between(&mut rng, [0.1, 1.0]) * keys.fracture_max,
            drainage: (nodes * between(&mut rng, [0.15, 0.45])) as usize,
            key_points: 2 + (conduits * between(&mut rng, [0.02, 0.08])) as usize,
            conduits: conduits as usize,
            loops: (2.0 * conduits * loop_share).round().max(fewest) as usize,
            hubs: between(&mut rng, [0.4, 0.75]) + 0.3 * (maze - 0.5),
            gather: rng.random_range(2..=4),
            spread: between(&mut rng, [1.5, 2.0]),
        }
    }
}

/// One to three families of fractures; the second lies across the first.
fn fractures(rng: &mut ChaCha8Rng) -> Vec<DVec2> {
    let first = rng.random_range(0.0..std::f64::consts::PI);
    let count = rng.random_range(1..=3);
    let turns_deg = [
        0.0,
        between(rng, [55.0, 90.0]),
        between(rng, [-50.0, -30.0]),
    ];
    let unit = |turn_deg: f64| {
        let angle = first + turn_deg.to_radians();
        DVec2::new(libm::cos(angle), libm::sin(angle))
    };
    turns_deg.into_iter().take(count).map(unit).collect()
}

/// Uniform between two bounds, which may be equal.
fn between(rng: &mut ChaCha8Rng, [low, high]: [f64; 2]) -> f64 {
    low + (high - low) * rng.random::<f64>()
}

//! A turtle on an L-system: passages by rules of rewriting, from the configuration.
//!
//! Sources: Prusinkiewicz & Lindenmayer 1990, "The Algorithmic Beauty of Plants" (turtle, brackets,
//! stochastic rules); Mark et al. 2015, "Procedural generation of 3D caves for games on the GPU"
//! (FDG), who lay out caves with L-systems.
//!
//! Exactly `nodes` nodes come out. The string is rewritten until it holds twice as many moves as
//! nodes are asked for, and drawn from the start outward. A move is a passage as long as the
//! spacing circle of its start (`skeleton.radius_*`). One that would come too near to another
//! passage is turned aside, joined as a loop with `loop_probability`, or given up with all that
//! follows it. When all moves are drawn and nodes are left, the axiom is planted anew at the oldest
//! node with a free direction; when there is none, or the work exceeds a budget proportional to
//! `nodes`, the cave is laid out anew as one winding passage.

mod grammar;

use super::{Generator, Promises};
use crate::config::Config;
use crate::progress::{Cancelled, Job};
use crate::rng::{ChaCha8Rng, Domain, stream};
use crate::skeleton::draft::{self, extend, toward};
use crate::skeleton::elevation::Elevation;
use crate::skeleton::grow::number;
use crate::skeleton::growth::{Growth, LoopRules, Sprout};
use crate::skeleton::{Error, Skeleton, assemble};
use glam::DVec2;
use grammar::{Grammar, Move};
use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Moves that are derived for each node.
const MOVES_PER_NODE: usize = 2;
/// Largest angle by which a move is turned aside to find room, degrees.
const ASIDE_DEG: f64 = 60.0;
/// Directions that are tried at a node before it counts as having none free.
const SWEEP: u32 = 24;
/// Comparisons of passages a node and a draw may cost on average before the last resort.
const WORK_PER_DRAW: u64 = 300;
/// Comparisons that are allowed however small, and however large, the cave is.
const WORK: [u64; 2] = [2_000_000, 1_000_000_000];
/// Streams of the derivation, of the start and of planting.
const DERIVE: u64 = u64::MAX >> 1;
const START: u64 = DERIVE - 1;
const PLANT: u64 = 1 << 40;

/// Keys of `l_system`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LSystemConfig {
    /// What the turtle starts with: F forward, + left, - right, [ ] a branch, other letters A to Z nothing.
    pub axiom: String,
    /// Rules that rewrite letters, separated by semicolons: letter=successor:weight; the weight is 1 when left out.
    pub rules: String,
    /// Angle of a turn.
    #[schemars(range(min = 1.0, max = 160.0), extend("x-unit" = "deg"))]
    pub angle_deg: f64,
    /// Largest deviation of a passage from the turtle's heading.
    #[schemars(range(min = 0.0, max = 60.0), extend("x-unit" = "deg"))]
    pub jitter_deg: f64,
}

impl Default for LSystemConfig {
    fn default() -> Self {
        Self {
            axiom: "F".to_owned(),
            rules: "F=FF[+F]F:0.3; F=FF[-F]F:0.3; F=FF:0.4".to_owned(),
            angle_deg: 60.0,
            jitter_deg: 18.0,
        }
    }
}

/// A turtle on an L-system.
pub struct LSystem;

impl Generator for LSystem {
    fn promises(&self) -> Promises {
        Promises::ALL
    }

    fn layout(&self, config: &Config, _level: u32, job: &Job) -> Result<Skeleton, Error> {
        let keys = &config.generators.l_system;
        number("generators.l_system.angle_deg", keys.angle_deg, 1.0, 160.0)?;
        number("generators.l_system.jitter_deg", keys.jitter_deg, 0.0, 60.0)?;
        let grammar = Grammar::parse(&keys.axiom, &keys.rules)?;
        let mut rng = stream(config.seed, Domain::Skeleton, DERIVE);
        let moves = grammar.grow(MOVES_PER_NODE * config.skeleton.nodes as usize, &mut rng);
        Ok(Turtle::new(config, &moves).draw(job)?)
    }
}

/// A cave that is being drawn.
struct Turtle<'a> {
    config: &'a Config,
    nodes: usize,
    moves: &'a [Move],
    /// Moves that go on from each move, and from the start.
    onward: Vec<Vec<usize>>,
    start: Vec<usize>,
    elevation: Elevation,
    loops: LoopRules,
    growth: Growth,
}

impl<'a> Turtle<'a> {
    fn new(config: &'a Config, moves: &'a [Move]) -> Self {
        let s = &config.skeleton;
        let mut onward = vec![Vec::new(); moves.len()];
        let mut start = Vec::new();
        for (index, step) in moves.iter().enumerate() {
            match step.after {
                Some(before) => onward[before].push(index),
                None => start.push(index),
            }
        }
        let elevation = Elevation::new(s, config.seed);
        Self {
            config,
            nodes: s.nodes as usize,
            moves,
            onward,
            start,
            growth: entrance(config, &elevation),
            elevation,
            loops: LoopRules::new(s),
        }
    }

    fn draw(mut self, job: &Job) -> Result<Skeleton, Cancelled> {
        // One passage leaves the entrance, whatever the axiom says.
        let mut rng = stream(self.config.seed, Domain::Skeleton, START);
        let first = self.child(0, 0.0, &mut rng);
        self.growth.push(0, first);
        self.follow(1, job)?;
        let mut oldest = 1;
        while self.growth.nodes().len() < self.nodes {
            match self.plant(oldest) {
                _ if self.is_spent() => return self.single_passage(job),
                Some(node) => self.follow(node, job)?,
                None if oldest + 1 < self.growth.nodes().len() => oldest += 1,
                None => return self.single_passage(job),
            }
        }
        draft::report(job, self.nodes, self.nodes)?;
        Ok(self.growth.into_skeleton())
    }

    fn is_full(&self) -> bool {
        self.growth.nodes().len() >= self.nodes
    }

    fn is_spent(&self) -> bool {
        let draws = self.nodes as u64 * u64::from(self.config.skeleton.retries + SWEEP);
        self.growth.work() > WORK[0] + (WORK_PER_DRAW * draws).min(WORK[1])
    }

    /// Draws all moves from `node`, those nearest to it first.
    fn follow(&mut self, node: usize, job: &Job) -> Result<(), Cancelled> {
        let mut open: VecDeque<(usize, usize)> =
            self.start.iter().map(|&step| (step, node)).collect();
        while let Some((step, from)) = open.pop_front() {
            job.check()?;
            if self.is_full() || self.is_spent() {
                break;
            }
            if let Some(to) = self.step(step, from) {
                open.extend(self.onward[step].iter().map(|&next| (next, to)));
                draft::report(job, self.growth.nodes().len(), self.nodes)?;
            }
        }
        Ok(())
    }

    /// Draws one move; none when it became a loop or was given up.
    fn step(&mut self, step: usize, from: usize) -> Option<usize> {
        let (s, keys) = (&self.config.skeleton, &self.config.generators.l_system);
        // A node has few moves, and each sees another number of passages or another move.
        let entity = (step as u64) << 24 ^ (from as u64) << 3 ^ self.growth.degree(from) as u64;
        let mut rng = stream(self.config.seed, Domain::Skeleton, entity);
        if self.growth.degree(from) >= self.loops.max_degree {
            return None;
        }
        let straight = self.moves[step].turns * keys.angle_deg
            + rng.random_range(-1.0..=1.0) * keys.jitter_deg;
        let mut may_join = true;
        for attempt in 0..s.retries {
            let share = f64::from(attempt) / f64::from(s.retries);
            let aside = share * ASIDE_DEG * rng.random_range(-1.0..=1.0);
            let child = self.child(from, straight + aside, &mut rng);
            if let Some(node) = extend(&mut self.growth, from, child) {
                return Some(node);
            }
            // Once a move, however often it is drawn again: the probability is of the move.
            if std::mem::take(&mut may_join)
                && rng.random_bool(s.loop_probability)
                && self.growth.close_loop(from, &self.loops).is_some()
            {
                return None;
            }
        }
        self.growth.set_active(from, false);
        None
    }

    /// Grows a node in a free direction at `node`; none when there is none.
    fn plant(&mut self, node: usize) -> Option<usize> {
        if self.growth.degree(node) >= self.loops.max_degree {
            return None;
        }
        let entity = PLANT | node as u64;
        let mut rng = stream(self.config.seed, Domain::Skeleton, entity);
        let turn = rng.random_range(0.0..360.0);
        (0..SWEEP).find_map(|k| {
            // Seven is prime to the number of directions: neighbours are not tried in a row.
            let offset = turn + 360.0 * f64::from(7 * k % SWEEP) / f64::from(SWEEP);
            let child = self.child(node, offset, &mut rng);
            extend(&mut self.growth, node, child)
        })
    }

    /// A child on the circle of `parent`, `offset_deg` to the left of the direction of travel.
    fn child(&self, parent: usize, offset_deg: f64, rng: &mut ChaCha8Rng) -> Sprout {
        let from = &self.growth.nodes()[parent];
        let heading = from.heading + offset_deg.to_radians();
        let plan = from.plan + toward(heading) * from.radius_m;
        Sprout {
            plan,
            z: self.elevation.walk(from.plan, from.z, plan),
            heading,
            parent: Some(parent),
            ..sized(self.config, rng)
        }
    }

    /// The last resort: one winding passage.
    fn single_passage(self, job: &Job) -> Result<Skeleton, Cancelled> {
        job.note(&format!(
            "skeleton: no room found for {} nodes with passages this wide and these rules; drawn \
             as one winding passage instead",
            self.nodes
        ));
        let mut rng = stream(self.config.seed, Domain::Skeleton, START);
        let jitter = self.config.generators.l_system.jitter_deg.to_radians();
        let growth = entrance(self.config, &self.elevation);
        let growth = draft::chain(growth, self.nodes, job, |from| {
            let turn = rng.random_range(-1.0..=1.0) * jitter;
            (from.heading + turn, sized(self.config, &mut rng))
        })?;
        let heights = growth
            .nodes()
            .iter()
            .map(|node| self.elevation.at(node.plan));
        let target_m: Vec<f64> = heights.collect();
        let mut skeleton = growth.into_skeleton();
        draft::ease_heights(&mut skeleton, &target_m, self.loops.max_grade);
        Ok(skeleton)
    }
}

/// A node of a drawn size, not placed yet.
fn sized(config: &Config, rng: &mut ChaCha8Rng) -> Sprout {
    let s = &config.skeleton;
    let radius_m = rng.random_range(s.radius_min_m..=s.radius_max_m);
    Sprout {
        plan: DVec2::ZERO,
        z: 0.0,
        radius_m,
        passage_m: assemble::passage_m(radius_m, false, &config.passage),
        heading: 0.0,
        parent: None,
        active: true,
    }
}

/// A cave that is only its entrance.
fn entrance(config: &Config, elevation: &Elevation) -> Growth {
    let mut rng = stream(config.seed, Domain::Skeleton, 0);
    let node = sized(config, &mut rng);
    let entrance = Sprout {
        z: elevation.at(DVec2::ZERO),
        passage_m: assemble::passage_m(node.radius_m, true, &config.passage),
        ..node
    };
    let widest_m = assemble::passage_m(config.skeleton.radius_max_m, true, &config.passage);
    Growth::new(config, entrance, widest_m)
}

//! PLUME's native growth: children on the circle of their parent, drawn from a distribution of
//! 360 directions with a forbidden sector around the way back.
//!
//! Source: the PLUME paper (node parameters, circle with forbidden zone, Gaussian, Perlin and
//! hybrid placement), with rock kept between passages and loops closed by geometry.
//!
//! Exactly `nodes` nodes come out, for every configuration in range, and it ends:
//!
//! 1. Living tips grow in the order in which they came. When none is left, the oldest node with
//!    a free direction is revived.
//! 2. When no node has a free direction, the youngest nodes are taken back and grown anew: one,
//!    then more and more of them, until the cave is larger than it ever was.
//! 3. When all has been taken back, or the work exceeds a budget proportional to `nodes`, one
//!    passage is grown whose every leg lies within 40° of the first. It can always go on: straight
//!    ahead is never forbidden, and since cos 40° is more than [`NEIGHBOUR_SHARE`] two legs are
//!    always farther apart than the clearance rule asks for.
//!
//! [`NEIGHBOUR_SHARE`]: crate::skeleton::NEIGHBOUR_SHARE

use super::{Generator, Promises};
use crate::config::Config;
use crate::progress::Job;
use crate::rng::{ChaCha8Rng, Domain, noise_key, stream};
use crate::skeleton::angles::{Bins, Directions};
use crate::skeleton::elevation::Elevation;
use crate::skeleton::growth::{BRANCH_SEPARATION_DEG, Growth, LoopRules, Sprout};
use crate::skeleton::{Error, Skeleton, assemble};
use glam::DVec2;
use rand::RngExt as _;
use std::collections::VecDeque;

/// Largest angle from the first passage in the last resort, degrees.
const CHAIN_SPREAD_DEG: f64 = 40.0;

/// Directions that are tried at a node before it counts as having none free.
const SWEEP: usize = 24;

/// Comparisons of passages a node may cost on average before the last resort, and as many more
/// for each draw that it may make. Sane caves need a tenth.
const WORK_PER_NODE: u64 = 5_000;

/// Comparisons of passages that each possible draw may cost on average.
const WORK_PER_DRAW: u64 = 60;

/// Comparisons that no cave may exceed, whatever its size; about ten seconds.
const WORK_MOST: u64 = 1_000_000_000;

/// Comparisons that are allowed however small the cave is.
const WORK_BASE: u64 = 2_000_000;

/// Stream of the draws that belong to no node.
const REVIVAL: u64 = u64::MAX >> 1;

/// Stream of the first passage, and of all in the last resort.
const FIRST: u64 = REVIVAL - 1;

/// Nodes between two reports.
const REPORT: usize = 64;

/// PLUME's native growth.
pub struct GaussianPerlin;

impl Generator for GaussianPerlin {
    fn promises(&self) -> Promises {
        Promises::ALL
    }

    fn layout(&self, config: &Config, _level: u32, job: &Job) -> Result<Skeleton, Error> {
        Ok(Grower::new(config, job).run()?)
    }
}

struct Grower<'a> {
    config: &'a Config,
    job: &'a Job<'a>,
    nodes: usize,
    directions: Directions,
    elevation: Elevation,
    loops: LoopRules,
    growth: Growth,
    tips: VecDeque<usize>,
    /// Every older node has no free direction left.
    oldest: usize,
    revival: ChaCha8Rng,
    attempt: u64,
    largest: usize,
    take_back: usize,
}

type Step<T> = Result<T, crate::progress::Cancelled>;

impl<'a> Grower<'a> {
    fn new(config: &'a Config, job: &'a Job<'a>) -> Self {
        let s = &config.skeleton;
        let elevation = Elevation::new(s, config.seed);
        Self {
            config,
            job,
            nodes: s.nodes as usize,
            directions: Directions::new(s),
            growth: Self::entrance(config, &elevation),
            elevation,
            loops: LoopRules::new(s),
            tips: VecDeque::from([0]),
            oldest: 1,
            revival: stream(config.seed, Domain::Skeleton, REVIVAL),
            attempt: 0,
            largest: 0,
            take_back: 1,
        }
    }

    /// A cave that is only its entrance.
    fn entrance(config: &Config, elevation: &Elevation) -> Growth {
        let s = &config.skeleton;
        let mut rng = stream(config.seed, Domain::Skeleton, 0);
        let radius_m = rng.random_range(s.radius_min_m..=s.radius_max_m);
        let entrance = Sprout {
            plan: DVec2::ZERO,
            z: elevation.at(DVec2::ZERO),
            radius_m,
            passage_m: assemble::passage_m(radius_m, true, &config.passage),
            heading: 0.0,
            parent: None,
            active: true,
        };
        let widest_m = assemble::passage_m(s.radius_max_m, true, &config.passage);
        Growth::new(config, entrance, widest_m)
    }

    fn run(mut self) -> Step<Skeleton> {
        let s = &self.config.skeleton;
        let draws = u64::from(s.children_max) * u64::from(s.retries);
        let per_node = WORK_PER_NODE + WORK_PER_DRAW * draws;
        let budget = WORK_BASE + (per_node * self.nodes as u64).min(WORK_MOST);
        while !self.is_full() {
            if self.growth.work() > budget {
                self.chain()?;
            } else if let Some(tip) = self.tips.pop_front() {
                self.sprout(tip)?;
            } else if !self.revive()? && !self.unwind() {
                self.chain()?;
            }
            let done = self.growth.nodes().len();
            if done.is_multiple_of(REPORT) || self.is_full() {
                self.job.step(done as u64, self.nodes as u64)?;
            }
        }
        Ok(self.growth.into_skeleton())
    }

    fn is_full(&self) -> bool {
        self.growth.nodes().len() >= self.nodes
    }

    /// The directions in which a passage may leave `node`.
    fn around(&self, node: usize) -> Bins {
        let key = noise_key(self.config.seed, Domain::Skeleton, node as u64);
        let mut bins = self.directions.around(key);
        for taken in self.growth.taken_deg(node) {
            bins.forbid(taken, BRANCH_SEPARATION_DEG);
        }
        bins
    }

    /// Grows the children of a tip.
    fn sprout(&mut self, node: usize) -> Step<()> {
        if node == 0 {
            let mut rng = stream(self.config.seed, Domain::Skeleton, FIRST);
            let child = self.child(0, 0.0, &mut rng);
            let tip = self.growth.push(0, child);
            self.tips.push_back(tip);
            return Ok(());
        }
        let s = &self.config.skeleton;
        let entity = self.attempt << 32 | node as u64;
        let mut rng = stream(self.config.seed, Domain::Skeleton, entity);
        if rng.random_bool(s.death_probability) {
            self.growth.set_active(node, false);
            return Ok(());
        }
        let more = (s.children_min..s.children_max)
            .filter(|_| rng.random_bool(s.branch_probability))
            .count();
        let children = s.children_min as usize + more;
        let mut bins = self.around(node);
        let mut grown = 0;
        for _ in 0..children {
            if self.is_full() || self.growth.degree(node) >= self.loops.max_degree {
                break;
            }
            grown += usize::from(self.place(node, &mut bins, &mut rng)?);
        }
        self.growth.set_active(node, grown > 0 || self.is_full());
        Ok(())
    }

    /// Places one child or closes one loop; false when nothing fits.
    fn place(&mut self, node: usize, bins: &mut Bins, rng: &mut ChaCha8Rng) -> Step<bool> {
        let s = &self.config.skeleton;
        let mut may_join = true;
        for _ in 0..s.retries {
            self.job.check()?;
            let Some(offset) = bins.draw(rng) else { break };
            let child = self.child(node, offset, rng);
            if self.growth.is_free(node, &child) {
                let tip = self.growth.push(node, child);
                self.tips.push_back(tip);
                bins.forbid(offset, BRANCH_SEPARATION_DEG);
                return Ok(true);
            }
            // Once a child, however often it is drawn again: the probability is of the child.
            if std::mem::take(&mut may_join)
                && rng.random_bool(s.loop_probability)
                && let Some(other) = self.growth.close_loop(node, &self.loops)
            {
                bins.forbid(self.growth.offset_deg(node, other), BRANCH_SEPARATION_DEG);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A child on the circle of `parent`, `offset` degrees from the direction of travel.
    fn child(&self, parent: usize, offset_deg: f64, rng: &mut ChaCha8Rng) -> Sprout {
        let s = &self.config.skeleton;
        let from = &self.growth.nodes()[parent];
        let heading = from.heading + offset_deg.to_radians();
        let plan = from.plan + DVec2::new(libm::cos(heading), libm::sin(heading)) * from.radius_m;
        let radius_m = rng.random_range(s.radius_min_m..=s.radius_max_m);
        Sprout {
            plan,
            z: self.elevation.walk(from.plan, from.z, plan),
            radius_m,
            passage_m: assemble::passage_m(radius_m, false, &self.config.passage),
            heading,
            parent: Some(parent),
            active: true,
        }
    }

    /// Grows a child from the oldest node with a free direction; false when there is none.
    fn revive(&mut self) -> Step<bool> {
        while self.oldest < self.growth.nodes().len() {
            self.job.check()?;
            let node = self.oldest;
            if self.growth.degree(node) < self.loops.max_degree {
                let mut rng = self.revival.clone();
                let offsets = self.around(node).sweep(SWEEP, &mut rng);
                for offset in offsets {
                    let child = self.child(node, offset, &mut rng);
                    if self.growth.is_free(node, &child) {
                        let tip = self.growth.push(node, child);
                        self.tips.push_back(tip);
                        self.growth.set_active(node, true);
                        self.revival = rng;
                        return Ok(true);
                    }
                }
                self.revival = rng;
            }
            self.oldest += 1;
        }
        Ok(false)
    }

    /// Takes the youngest nodes back; false when nothing but the entrance would be left.
    fn unwind(&mut self) -> bool {
        let len = self.growth.nodes().len();
        // Geometric, so that all is taken back after a number of tries that is logarithmic.
        let more = self.take_back + self.take_back / 4 + 1;
        self.take_back = if len > self.largest { 1 } else { more };
        self.largest = self.largest.max(len);
        let keep = len.saturating_sub(self.take_back);
        if keep < 2 {
            return false;
        }
        self.growth.rewind(keep);
        self.attempt += 1;
        self.oldest = 1;
        self.tips = (1..keep)
            .filter(|&node| self.growth.degree(node) == 1)
            .collect();
        true
    }

    /// The last resort: one winding passage.
    fn chain(&mut self) -> Step<()> {
        self.job.note(&format!(
            "skeleton: no room found for {} nodes with passages this wide and directions this \
             restricted; grown as one winding passage instead",
            self.nodes
        ));
        self.growth = Self::entrance(self.config, &self.elevation);
        self.tips.clear();
        let mut rng = stream(self.config.seed, Domain::Skeleton, FIRST);
        let first = self.child(0, 0.0, &mut rng);
        let mut tip = self.growth.push(0, first);
        while !self.is_full() {
            let mut bins = self.around(tip);
            let heading = self.growth.nodes()[tip].heading.to_degrees();
            bins.retain(|low, high| {
                heading + low >= -CHAIN_SPREAD_DEG && heading + high <= CHAIN_SPREAD_DEG
            });
            let offset = bins.draw(&mut rng).unwrap_or(0.0);
            let child = self.child(tip, offset, &mut rng);
            tip = self.growth.push(tip, child);
            if tip.is_multiple_of(REPORT) {
                self.job.step(tip as u64, self.nodes as u64)?;
            }
        }
        Ok(())
    }
}

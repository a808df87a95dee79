//! Which conduits there are, and in which order they come.
//!
//! Source: Paris et al. 2021: key points are joined by cheapest paths, which merge with those
//! that are there; then the network is amplified by secondary paths.

use super::character::Character;
use super::network::Network;
use super::rock::Rock;
use super::search::{Goal, Search};
use crate::config::Config;
use crate::progress::{Cancelled, Job};
use crate::rng::{ChaCha8Rng, Domain, noise_key, stream};
use crate::skeleton::Skeleton;
use crate::skeleton::elevation::gradient_noise;
use rand::RngExt as _;

/// Searches for one conduit before it is given up.
const TRIES: usize = 8;

/// Conduits given up in a row before dead ends are continued instead.
const PATIENCE: usize = 60;

/// Conduits given up in a row before the cave is.
const DESPAIR: usize = 6 * PATIENCE;

/// Places that are tried for the next sink; the one farthest from the cave wins.
const SINKS: usize = 4;

/// Fewest steps of a secondary path: shorter, and it is a niche in the wall of another.
const LEAST_STEPS: usize = 3;

/// Share of the nodes that one secondary path may take.
const LONGEST: f64 = 0.15;

/// And so many times the nodes there are for one conduit on average.
const LONGEST_USUAL: f64 = 20.0;

/// A loop comes down again sooner than a dead end ends: its length over that of a dead end.
const LOOP_LENGTH: f64 = 0.7;

/// How little the order of dead ends follows their lengths, short ones first: deviations.
const DISORDER: f64 = 3.0;

/// The normal distribution is near the logistic one with this scale, whose inverse is closed.
const LOGISTIC: f64 = 1.702;

/// A cave of exactly `skeleton.nodes` nodes, all at height 0 and as narrow as they may be; none
/// where no more conduit fits.
pub(super) fn dissolve(
    config: &Config,
    character: &Character,
    rock: &Rock,
    job: &Job,
) -> Result<Option<Skeleton>, Cancelled> {
    let mut dissolver = Dissolver::new(config, character, rock, job);
    let added = dissolver.drain()?;
    dissolver.amplify(added)?;
    Ok((dissolver.left() == 0).then(|| dissolver.cave.into_skeleton()))
}

struct Dissolver<'a> {
    character: &'a Character,
    rock: &'a Rock,
    job: &'a Job<'a>,
    cave: Network<'a>,
    search: Search<'a>,
    rng: ChaCha8Rng,
    heat: u32,
    heat_m: f64,
    nodes: usize,
}

impl<'a> Dissolver<'a> {
    fn new(config: &Config, character: &'a Character, rock: &'a Rock, job: &'a Job) -> Self {
        // The spring at the lower end of the rock, near its axis.
        let entrance = rock.extreme(|p| -p.x - 0.5 * p.y.abs());
        Self {
            character,
            rock,
            job,
            cave: Network::new(config, rock, entrance),
            search: Search::new(rock),
            rng: stream(config.seed, Domain::Skeleton, super::CONDUITS),
            heat: noise_key(config.seed, Domain::Skeleton, super::HEAT),
            heat_m: 1.2 * character.half_axes_m.y,
            nodes: config.skeleton.nodes as usize,
        }
    }

    /// Nodes that are still to come.
    fn left(&self) -> usize {
        self.nodes - self.cave.len()
    }

    /// The trunk, and the sinks and springs that drain to it; tells how many conduits came.
    fn drain(&mut self) -> Result<usize, Cancelled> {
        let axis_y = self.rng.random_range(-0.6..0.6) * self.character.half_axes_m.y;
        let far = self.rock.extreme(|p| p.x - (p.y - axis_y).abs());
        let entrance = self.cave.sample(0);
        // Where the far end cannot be reached, into the rock as far as may be.
        let depth = self.character.drainage.max(1) as u32;
        for goal in [Goal::Sample(far), Goal::Depth(depth)] {
            if self.cave.len() == 1 {
                self.conduit(entrance, goal);
            }
        }
        let mut added = 1;
        for _ in 0..SINKS * self.character.key_points {
            self.job.check()?;
            if added >= self.character.key_points || self.cave.len() >= self.character.drainage {
                break;
            }
            if let Some(sink) = self.sink() {
                added += usize::from(self.conduit(sink, Goal::Cave) > 0);
            }
        }
        Ok(added)
    }

    /// A sample away from the cave.
    fn sink(&mut self) -> Option<u32> {
        let mut best = (0.0, None);
        for _ in 0..SINKS {
            let sample = self.rng.random_range(0..self.rock.len() as u32);
            if self.cave.is_shore(sample) || self.cave.node(sample).is_some() {
                continue;
            }
            let p = self.rock.point(sample);
            let away = (0..self.cave.len())
                .map(|node| self.rock.point(self.cave.sample(node)).distance_squared(p))
                .fold(f64::INFINITY, f64::min);
            if away > best.0 {
                best = (away, Some(sample));
            }
        }
        best.1
    }

    /// Adds dead ends and loops until the cave has its nodes, or none fits.
    fn amplify(&mut self, added: usize) -> Result<(), Cancelled> {
        let mut loops = self.character.loops;
        let dead_ends = self.character.conduits.saturating_sub(added + loops);
        let mut weights = self.weights(dead_ends.max(3));
        let usual = (self.nodes / self.character.conduits).max(2);
        let mut failed = 0;
        while self.left() > 0 && failed <= DESPAIR {
            self.job.step(self.cave.len() as u64, self.nodes as u64)?;
            if weights.is_empty() {
                weights = self.weights(1 + self.left() / (3 * usual));
            }
            let share = loops as f64 / (loops + weights.len()) as f64;
            let wants_loop = failed < PATIENCE && self.rng.random_bool(share);
            let start = if failed < PATIENCE {
                self.start(wants_loop)
            } else {
                self.dead_end()
            };
            let goal = if wants_loop {
                let like = self.rng.random_range(0..weights.len());
                let least = (LOOP_LENGTH * self.share(&weights, like) as f64) as usize;
                let least = least.min(self.left() / 2).max(LEAST_STEPS) as u32;
                let most = (3 * least + 8).min(self.left() as u32);
                Goal::Loop { least, most }
            } else {
                Goal::Depth(self.share(&weights, 0) as u32)
            };
            let grown = start.map_or(0, |node| self.conduit(self.cave.sample(node), goal));
            if grown == 0 {
                failed += 1;
            } else {
                failed = 0;
                if wants_loop {
                    loops -= 1;
                } else {
                    weights.remove(0);
                }
            }
        }
        Ok(())
    }

    /// Relative lengths of dead ends, one from each quantile of a log-normal distribution so that
    /// each cave has long and short ones; rather the short ones first, so that the long ones are
    /// not cut in pieces.
    fn weights(&mut self, dead_ends: usize) -> Vec<f64> {
        let mut weights: Vec<(f64, f64)> = (0..dead_ends)
            .map(|i| {
                let u = (i as f64 + self.rng.random_range(0.05..0.95)) / dead_ends as f64;
                let z = libm::log(u / (1.0 - u)) / LOGISTIC;
                let turn = z + DISORDER * self.rng.random_range(-1.0..1.0);
                (turn, libm::exp(self.character.spread * z))
            })
            .collect();
        weights.sort_by(|a, b| a.0.total_cmp(&b.0));
        weights.into_iter().map(|(_, weight)| weight).collect()
    }

    /// Nodes of one dead end, of those that are left for all.
    fn share(&self, weights: &[f64], index: usize) -> usize {
        let left = self.left();
        let total: f64 = weights.iter().sum();
        let usual = (LONGEST_USUAL * self.nodes as f64 / self.character.conduits as f64) as usize;
        let longest = ((LONGEST * self.nodes as f64) as usize).min(usual) + LEAST_STEPS;
        let share = (left as f64 * weights[index] / total).round() as usize;
        let share = share.clamp(LEAST_STEPS, longest).min(left);
        // A single node would be left for a niche.
        if left - share == 1 { left } else { share }
    }

    /// A node to start a secondary path from: a junction, or a passage away from any.
    fn start(&mut self, is_loop: bool) -> Option<usize> {
        let hub = !is_loop && self.rng.random_bool(self.character.hubs.clamp(0.0, 1.0));
        let mut best = (f64::NEG_INFINITY, None);
        for _ in 0..self.character.gather {
            let found = (0..20).find_map(|_| {
                let node = self.rng.random_range(0..self.cave.len());
                let fits = match self.cave.degree(node) {
                    2 => !hub && !self.is_beside_junction(node),
                    3 | 4 => hub,
                    _ => false,
                };
                (node != 0 && fits).then_some(node)
            });
            if let Some(node) = found {
                let p = self.rock.point(self.cave.sample(node));
                let heat = gradient_noise(self.heat, p / self.heat_m);
                if heat > best.0 {
                    best = (heat, Some(node));
                }
            }
        }
        best.1
    }

    fn is_beside_junction(&self, node: usize) -> bool {
        self.cave
            .neighbours(node)
            .any(|other| other == 0 || self.cave.degree(other) != 2)
    }

    /// A dead end that can be continued.
    fn dead_end(&mut self) -> Option<usize> {
        (0..50).find_map(|_| {
            let node = self.rng.random_range(0..self.cave.len());
            let ends = node != 0 && self.cave.degree(node) == 1;
            ends.then_some(node)
        })
    }

    /// Adds the conduit from a sample to a goal, or as much of it as there are nodes left; tells
    /// how many nodes came.
    fn conduit(&mut self, from: u32, goal: Goal) -> usize {
        let most = self.left();
        self.search.open();
        for _ in 0..TRIES {
            let ends = self.search.run(&mut self.cave, from, goal);
            if ends.is_empty() {
                return 0;
            }
            let end = ends[self.rng.random_range(0..ends.len())];
            let mut path = self.search.path(end);
            match goal {
                Goal::Loop { .. } if path.len() > most + 2 => return 0,
                Goal::Cave => path.reverse(),
                _ => {}
            }
            if !matches!(goal, Goal::Loop { .. }) {
                path.truncate(most + 1);
            }
            if path.len() < LEAST_STEPS.min(most + 1) {
                return 0;
            }
            let before = self.cave.len();
            match self.cave.add(&path) {
                Ok(()) => return self.cave.len() - before,
                Err(step) => self.search.close(path[step], path[step + 1]),
            }
        }
        0
    }
}

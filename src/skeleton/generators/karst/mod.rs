//! Caves that water dissolves: cheapest paths through bedded and fractured rock, from sinks to
//! springs.
//!
//! In: a [`Config`]. Out: a level of a cave that spreads like a surveyed one: a trunk from the
//! entrance, tributaries, mazes and loops, wider where more water comes through.
//!
//! Source: A. Paris, E. Guérin, A. Peytavie, P. Collon, E. Galin, "Synthesizing Geologically
//! Coherent Cave Networks", Computer Graphics Forum 40 (2021): samples of the rock, anisotropic
//! costs, sinks and springs joined by cheapest paths, amplification by secondary paths. Where
//! this differs: every level is a bed seen from above; the one outlet is the entrance, and other
//! springs are key points like the sinks; loops come from secondary paths, as many as the cave's
//! character asks for, not from pruning pairs of key points by γ. The ranges of `character` were
//! chosen so that caves spread over the measures of Collon et al. 2017 as surveyed ones do.
//!
//! 1. `character` draws what the cave is like: its extent, fractures, unevenness, how dense its
//!    conduits are and how many close loops. Caves of different seeds differ in kind.
//! 2. `rock` scatters samples and says what a step between them costs.
//! 3. `dissolve` joins key points to the cave by the paths that `search` finds, and then adds
//!    secondary paths, dead ends and loops, until the cave has its nodes. Each path is kept only
//!    if `network` finds rock between it and the others.
//! 4. `heights` lays the passages on the bed, `flow` gives them their widths.
//!
//! Guaranteed: exactly `skeleton.nodes` nodes, in range of every promise. A path that does not
//! fit is not added; where no path fits any more, all nodes are in one winding passage
//! (`chain`), which always fits, and a note says so.
//!
//! `skeleton.radius_min_m` is the distance of samples and so the shortest way between two nodes,
//! `radius_max_m` the longest (or 1.75 times the shortest, if that is more). `loop_probability`
//! scales the number of loops. The keys of directions and children mean nothing here: the rock
//! decides.

mod chain;
mod character;
mod dissolve;
mod flow;
mod heights;
mod network;
mod rock;
mod search;

use super::{Generator, Promises};
use crate::config::Config;
use crate::progress::Job;
use crate::skeleton::{Error, Skeleton};
use character::Character;
use rock::Rock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Entities of the random streams and noise keys, out of the way of node numbers.
const CHARACTER: u64 = u64::MAX - 1;
const SAMPLES: u64 = u64::MAX - 2;
const EDGE: u64 = u64::MAX - 3;
const PERMEABILITY: u64 = u64::MAX - 4;
const TIGHTNESS: u64 = u64::MAX - 5;
const CONDUITS: u64 = u64::MAX - 6;
const HEAT: u64 = u64::MAX - 7;
const CHAIN: u64 = u64::MAX - 8;

/// Keys of `karst`; each cave draws its own values within them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct KarstConfig {
    /// Mean length of a branch, about, in the densest mazes.
    #[schemars(range(min = 2.0, max = 10_000.0), extend("x-unit" = "m"))]
    pub branch_min_m: f64,
    /// Mean length of a branch, about, in the sparsest caves.
    #[schemars(range(min = 2.0, max = 10_000.0), extend("x-unit" = "m"))]
    pub branch_max_m: f64,
    /// Loops over branches in the densest mazes, where `loop_probability` is 1; a few in the
    /// sparsest caves.
    #[schemars(range(min = 0.0, max = 0.4), extend("x-unit" = "1"))]
    pub loop_share_max: f64,
    /// Smallest exponent of the length of a step: higher, and water goes by many short steps.
    #[schemars(range(min = 0.5, max = 5.0), extend("x-unit" = "1"))]
    pub gamma_min: f64,
    /// Largest exponent of the length of a step.
    #[schemars(range(min = 0.5, max = 5.0), extend("x-unit" = "1"))]
    pub gamma_max: f64,
    /// Smallest unevenness of the permeability (of its logarithm): higher, and passages wind more.
    #[schemars(range(min = 0.0, max = 12.0), extend("x-unit" = "1"))]
    pub roughness_min: f64,
    /// Largest unevenness of the permeability.
    #[schemars(range(min = 0.0, max = 12.0), extend("x-unit" = "1"))]
    pub roughness_max: f64,
    /// Strength of the fractures at most (logarithm of the cost across them); a tenth at least.
    #[schemars(range(min = 0.0, max = 12.0), extend("x-unit" = "1"))]
    pub fracture_max: f64,
}

impl Default for KarstConfig {
    fn default() -> Self {
        Self {
            branch_min_m: 17.5,
            branch_max_m: 75.0,
            loop_share_max: 0.22,
            gamma_min: 1.2,
            gamma_max: 2.5,
            roughness_min: 3.5,
            roughness_max: 7.0,
            fracture_max: 5.5,
        }
    }
}

impl KarstConfig {
    /// Ranges that are none.
    fn check(&self) -> Result<(), Error> {
        let ranges = [
            (
                "generators.karst.branch_max_m",
                "branch_min_m",
                self.branch_min_m,
                self.branch_max_m,
            ),
            (
                "generators.karst.gamma_max",
                "gamma_min",
                self.gamma_min,
                self.gamma_max,
            ),
            (
                "generators.karst.roughness_max",
                "roughness_min",
                self.roughness_min,
                self.roughness_max,
            ),
        ];
        for (key, other, low, high) in ranges {
            if high < low {
                return Err(Error::Config {
                    key,
                    value: high.to_string(),
                    allowed: format!("at least `generators.karst.{other}`, {low}"),
                });
            }
        }
        Ok(())
    }
}

/// Cheapest paths from sinks to springs.
pub struct Karst;

impl Generator for Karst {
    fn promises(&self) -> Promises {
        Promises::ALL
    }

    fn layout(&self, config: &Config, _level: u32, job: &Job) -> Result<Skeleton, Error> {
        config.generators.karst.check()?;
        job.check()?;
        let character = Character::draw(config);
        let rock = Rock::new(config, &character);
        job.check()?;
        let mut skeleton = match dissolve::dissolve(config, &character, &rock, job)? {
            Some(skeleton) => skeleton,
            None => {
                job.note(&format!(
                    "skeleton: no room found for {} nodes with passages this wide; dissolved as \
                     one winding passage instead",
                    config.skeleton.nodes
                ));
                chain::chain(config)
            }
        };
        heights::follow_bed(&mut skeleton, config);
        flow::widen(&mut skeleton, config);
        Ok(skeleton)
    }
}

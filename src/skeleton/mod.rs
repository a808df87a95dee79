//! Stage 1: the graph of passages.
//!
//! In: a [`Config`](crate::config::Config), or a graph file. Out: a [`Skeleton`]: nodes with a
//! position on the centre line, a spacing radius and the half width of the void, and undirected
//! edges, in frame `map`: the floor at the entrance is the origin, its first passage heads
//! along +x.
//!
//! ```
//! use plume::{config::Config, progress, skeleton};
//!
//! let config = Config { seed: 7, ..Config::default() };
//! let job = progress::Job::new(&progress::Unobserved, progress::Stage::Skeleton);
//! let cave = skeleton::grow(&config, &job)?;
//! assert_eq!(cave.nodes.len(), config.skeleton.nodes as usize);
//! assert!(skeleton::write_json(&cave).contains("\"coordinates\""));
//! # Ok::<(), skeleton::Error>(())
//! ```
//!
//! Sources: each generator names its own; Perlin 2002 for the noise; Collon et al. 2017 for
//! [`stats`].
//!
//! Guaranteed for grown graphs, as far as the generator's [`Promises`] go: exactly `nodes` nodes a
//! level and those of the ramps, connected, one passage at the entrance, no passage steeper than
//! `max_grade_deg` but for ramps (`max_connection_deg`) and shafts, at least
//! [`BRANCH_SEPARATION_DEG`] between passages of a level at a node, and rock between passages that
//! share no node ([`PASSAGE_REACH`], [`NEIGHBOUR_SHARE`]), measured between straight edges: beside
//! each other in plan, or over each other.
//! Guaranteed for imported graphs: two nodes or more, connected, finite, no edge without length.
//! Not guaranteed: that imported graphs keep clearance or grade, or that the smooth curves of the
//! field keep to the straight edges.
//!
//! To follow it: [`grow()`] chooses one of the [`generators`], which lays out each level, most of them
//! as a cave in the making (`growth`, on the grid of `clearance`) with heights from `elevation`;
//! `levels` stacks them and joins them; `assemble` gives every graph its sizes, kinds and frame; [`json`] and [`survey`]
//! are the way in and out of files, and [`import()`] knows which is which.

mod angles;
mod assemble;
mod clearance;
mod draft;
mod elevation;
mod error;
pub mod generators;
mod graph;
mod grow;
mod growth;
mod import;
pub mod json;
mod levels;
pub mod stats;
pub mod survey;
mod walk;

pub use assemble::ENTRANCE_PASSAGE_M;
pub use clearance::{RELIEF_REACH, floor_reach_m, roof_reach_m};
pub use error::{Error, Fault};
pub use generators::{Generator, Promises, generator};
pub use graph::*;
pub use grow::grow;
pub use growth::{BRANCH_SEPARATION_DEG, NEIGHBOUR_SHARE, PASSAGE_REACH};
pub use import::import;
pub use json::{read_plume, write_json};
pub use survey::{read_survex, read_tables, read_yaml};
pub(crate) use walk::{Link, Walk};

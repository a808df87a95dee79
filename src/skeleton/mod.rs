//! Stage 1: the graph of passages.
//!
//! In: a [`Config`](crate::config::Config), or a graph file. Out: a [`Skeleton`]: nodes with a position on the centre line,
//! a spacing radius and the half width of the void, and undirected edges, in frame `map`.

mod angles;
mod assemble;
mod clearance;
mod elevation;
mod error;
mod gaussian_perlin;
mod generator;
mod graph;
mod growth;
mod import;
pub mod json;

pub use assemble::ENTRANCE_PASSAGE_M;
pub use error::{Error, Fault};
pub use gaussian_perlin::GaussianPerlin;
pub use generator::{Generator, generator, grow};
pub use graph::*;
pub use growth::{BRANCH_SEPARATION_DEG, NEIGHBOUR_SHARE, PASSAGE_REACH};
pub use import::import;
pub use json::{read_plume, write_json};

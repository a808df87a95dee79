//! Stage 1: the graph of passages.
//!
//! In: a [`Config`](crate::config::Config), or a graph file. Out: a [`Skeleton`]: nodes with a position on the centre line,
//! a spacing radius and the half width of the void, and undirected edges.

mod graph;

pub use graph::*;

//! Levels: single layers laid one below another and joined by ramps.
//!
//! In: one graph a level, each in the same frame. Out: one graph, level 0 on top.
//!
//! 1. `stack` lowers each level as little as leaves `gap_m` of rock under every passage over it.
//! 2. `join` looks for `connections` ramps between each pair of neighbours: from a node of the
//!    upper level to one of the lower, on a square lattice between them, falling evenly at no more
//!    than `max_connection_deg`. A walk that is as short as the distance is a straight ramp; one
//!    that must be longer turns back (a switchback) or goes round (a helix), whichever the rock
//!    leaves room for. Where the angle allows the straight way down, that is a shaft.
//! 3. Where no such ramp fits, `bypass` leads one around the outside of both levels, where there
//!    is always room.
//!
//! Guaranteed: rock of `clearance_m` between a ramp and every passage that it does not join, beside
//! it or over it, measured as the rest of the graph measures it; no ramp over
//! `max_connection_deg`; a way from the entrance to every level. Not guaranteed: the shortest ramp.
//!
//! No paper: the lattice walk is a depth-first search for a self-avoiding walk of given length.

mod bypass;
mod join;
mod space;
mod stack;
mod walk;

pub(super) use join::join;
pub(super) use stack::stack;

use crate::config::Config;

/// Rock that blending needs between passages, metres: the field melts what is nearer.
fn least_rock_m(config: &Config) -> f64 {
    1.25 * config.field.blend_m.max(0.64) + 0.5
}

/// Rock between a ramp and what it does not join, metres.
fn clearance_m(config: &Config) -> f64 {
    config.skeleton.clearance_m.max(least_rock_m(config))
}

/// Rock between levels, metres.
fn gap_m(config: &Config) -> f64 {
    config.skeleton.gap_m.max(least_rock_m(config))
}

//! Underground worlds for robots.
//!
//! One call grows a cave from a seed and writes a Gazebo model with the truth that a robotics
//! test needs beside it: graph, terrain layers with friction, walkable floor and drivable routes.
//! Data flows one way, see [`pipeline`].

mod bvh;
pub mod config;
pub mod export;
pub mod field;
pub mod model;
pub mod noise;
pub mod objects;
pub mod pipeline;
pub mod preview;
pub mod progress;
pub mod quality;
pub mod rng;
#[cfg(feature = "ros")]
pub mod ros;
mod sets;
pub mod skeleton;
pub mod surface;
pub mod terrain;
pub mod texture;
pub mod traverse;

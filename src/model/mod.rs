//! The model on disk.
//!
//! In: every product of the earlier stages. Out: a folder that Gazebo loads, whole or not at all.

mod summary;

pub use summary::*;

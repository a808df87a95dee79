//! The walkable floor and routes on it.
//!
//! In: the collision meshes and a robot profile. Out: a [`Floor`] (columns of spans) and [`Route`]s over it.

mod robot;
mod route;

pub use robot::Robot;
pub use route::*;

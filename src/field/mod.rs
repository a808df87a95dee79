//! Stage 2a: the signed distance to the rock wall.

mod cave;

pub use cave::CaveField;

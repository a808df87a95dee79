//! Stage 2b: polygons.
//!
//! In: a [`CaveField`](crate::field::CaveField). Out: a [`Surface`]: chunks, each with the dense shell and the
//! simplified, unwrapped visual mesh.

mod mesh;

pub use mesh::*;

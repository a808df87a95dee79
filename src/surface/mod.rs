//! Stage 2b: polygons.
//!
//! In: a [`CaveField`](crate::field::CaveField). Out: a [`Surface`]: chunks, each with the dense shell and the
//! simplified, unwrapped visual mesh.
//!
//! Marching cubes runs only in blocks that the field's index says may hold the wall; blocks are dealt
//! out to chunks, welded by lattice keys, simplified with their borders locked, cut into charts and packed.
//!
//! *Guaranteed*, or an error: the welded shell is a closed, oriented manifold of one piece, front faces
//! toward the void; vertices on a chunk border have the same bits in both neighbours, as have their normals;
//! no triangle is degenerate. *Not guaranteed*: that simplification never lets two sheets of rock nearer than
//! its error pass through each other.
//!
//! Sources: Lorensen & Cline 1987; Nielson & Hamann 1991; Garland & Heckbert 1997; Baker, Coffman & Rivest 1980 (packing).

mod block;
mod cases;
mod chunks;
mod compact;
pub(crate) mod deviation;
mod extract;
pub mod intersect;
mod mesh;
mod shell;
mod simplify;
pub mod topology;
mod unwrap;

pub use block::LATTICE_REACH;
pub use chunks::AUTO_VOXELS;
pub use compact::compact;
pub use extract::{Error, extract};
pub use mesh::*;
pub use simplify::{Dense, Simplified, simplify};

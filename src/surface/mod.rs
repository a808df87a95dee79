//! Stage 2b: polygons.
//!
//! In: a [`CaveField`](crate::field::CaveField). Out: a [`Surface`]: chunks, each with the dense shell and the
//! simplified, unwrapped visual mesh.
//!
//! `chunks` plans the chunks from samples of the field. Each is then made by itself: marching cubes
//! (`block`) in the blocks that the field's index says may hold the wall, welded by lattice keys (`shell`),
//! simplified box by box with borders locked (`simplify`), cut into charts and packed (`unwrap`), and
//! simplified further into coarser levels of detail for the same textures (`lod`). `extract` makes all
//! chunks and checks the whole; [`extract_one`] makes one without the others, equal to the bit.
//!
//! *Guaranteed*, or an error: the welded shell is a closed, oriented manifold of one piece, front faces
//! toward the void; vertices on a chunk border have the same bits in both neighbours and in every level of
//! detail, as have their normals; no triangle is degenerate; triangles stay in their chunk's boxes.
//! *Not guaranteed*: that simplification never lets two sheets of rock nearer than its error pass through
//! each other within a box; that loose pieces larger than two blocks are left out of a chunk made alone.
//!
//! Sources: Lorensen & Cline 1987; Nielson & Hamann 1991; Garland & Heckbert 1997; Cohen-Steiner et al.
//! 2004 and Liu et al. 2008 (charts); Baker, Coffman & Rivest 1980 (packing).

mod block;
mod cases;
mod chunks;
mod compact;
pub(crate) mod deviation;
mod extract;
pub mod intersect;
mod linked;
mod lod;
mod mesh;
mod shell;
mod simplify;
pub mod topology;
mod unwrap;

pub use block::LATTICE_REACH;
pub use chunks::{AUTO_VOXELS, ChunkPlan, PlannedChunk, plan};
pub use compact::compact;
pub use extract::{Error, extract, extract_one, extract_planned};
pub use mesh::*;
pub use simplify::{Dense, Simplified, simplify};

//! Caves for other programs: Blender, Unreal, Isaac Sim, MeshLab.
//!
//! In: the folder of a model, as [`model::finish`](crate::model::finish) left it. Out: its visuals
//! in any of [`Format::ALL`], as one scene or a file a chunk, with textures where a format has them.
//!
//! ```text
//! model.sdf, *.glb ─▶ Scene ─▶ Format::write, one mesh in memory at a time ─▶ hidden folder
//!                                                                               │
//!                       <out>/<name>.<ending>, <out>/textures/*.png  ◀─ renames ┘
//! ```
//!
//! Each format has its own axes. Where a format says which way is up, files say z; glTF is y up by
//! its specification (§3.4) and OBJ by custom, so there the cave is turned: x stays, y goes to −z,
//! z to y. STL and PLY say nothing and stay z up.
//!
//! Guaranteed: positions of the same place have equal bits in all chunks, as in the model; faces
//! look into the void; the same model gives the same bytes; one mesh is in memory at a time; a file
//! is in the output folder whole or not at all, and after a failure nothing is left; no path outside
//! the output folder is in any file.
//!
//! Not guaranteed: that all files of one export are replaced in one step.
//!
//! ```
//! use plume::export::{self, Error, Format, Request, Split};
//! use plume::progress::{Job, Stage, Unobserved};
//!
//! let empty = tempfile::tempdir()?;
//! let request = Request {
//!     model: empty.path().to_owned(),
//!     out: empty.path().join("out"),
//!     formats: vec![Format::named("glb")?],
//!     split: Split::Whole,
//!     force: false,
//! };
//! let refused = export::run(&request, &Job::new(&Unobserved, Stage::Export));
//! assert!(matches!(refused, Err(Error::NotAModel { .. })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dae;
mod error;
mod fbx;
mod folder;
mod format;
mod glb;
mod image;
mod obj;
mod ply;
mod read_glb;
mod run;
mod scene;
mod sdf;
mod stl;
mod transform;
mod usd;

pub use error::Error;
pub use format::Format;
pub use image::Image;
pub use run::{Exported, Request, Split, run};
pub use scene::{Material, Mesh, Part, Scene, Texture};

/// Folder of textures beside the exported files.
pub const TEXTURES: &str = "textures";

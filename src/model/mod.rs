//! The model on disk.
//!
//! In: meshes and textures as the earlier stages finish them, and a [`ModelDescription`] of what
//! they are. Out: a folder that Gazebo loads, whole or not at all.
//!
//! ```text
//! Staging::begin ─▶ write, write_hashed … (any thread) ─▶ finish ─▶ <root>/<name>/
//!      │                                                    │
//!      └ checks, clean-up, one run a name                   └ SDF, world, manifest, one rename
//! ```
//!
//! What Gazebo reads, ignores, caches and crashes on decides every format here. Sources: SDFormat
//! 1.9 (<http://sdformat.org/spec>), glTF 2.0 (Khronos), and measurements on a Harmonic server,
//! named where they matter.
//!
//! Guaranteed: the old model stays untouched until the new one is on the disk in full; no run,
//! failed or killed, leaves anything that the next one does not remove; no path leaves the output
//! root; only plume's own models are replaced; equal configuration and seed give equal files, but
//! for `plume/times.json`; every mesh has triangles, and a normal a vertex; mesh and texture names
//! change with their content and are unique to the model.
//!
//! Not guaranteed: that two runs on two machines which share a network file system without locks
//! see each other; that SDF sent as a string finds its meshes; friction on meshes in DART.
//!
//! ```
//! use plume::model::Staging;
//! use plume::progress::{Job, Stage, Unobserved};
//!
//! let root = tempfile::tempdir()?;
//! let staging = Staging::begin(root.path(), "cave")?;
//! let file = staging.write("plume/routes.json", b"[]")?;
//! assert_eq!((file.path.as_str(), file.bytes), ("plume/routes.json", 2));
//! assert!(!root.path().join("cave").exists());
//! let place = staging.commit(&Job::new(&Unobserved, Stage::Model))?;
//! assert!(place.join("plume/routes.json").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod description;
mod error;
mod finish;
pub mod glb;
mod lamps;
mod manifest;
mod mesh;
mod name;
mod partial;
mod root;
pub mod sdf;
mod staging;
pub mod stl;
mod summary;
#[cfg(test)]
mod testing;
mod verify;

pub use description::{ChunkFiles, CollisionFile, ModelDescription, RockFile, RockFiles};
pub use error::Error;
pub use finish::{finish, finish_early, world_file};
pub use lamps::{LAMP_SPACING_M, LAMPS_MAX, lamps};
pub use manifest::{FileEntry, MANIFEST_FORMAT, Manifest};
pub use name::{NAME_MAX_BYTES, check_name};
pub use partial::clean_stale;
pub use root::check_root;
pub use staging::Staging;
pub use summary::*;
pub use verify::{VerifyReport, verify};

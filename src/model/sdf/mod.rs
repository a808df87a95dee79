//! SDFormat 1.9 files, which libsdformat 12 (Fortress) to 15 read without a warning.
//!
//! In: a [`ModelDescription`](super::ModelDescription). Out: the text of `model.sdf`,
//! `model.config` and `<name>.world.sdf`. URIs are relative to the file: they resolve beside it
//! from any current directory, with no resource path set, but not in SDF sent as a string.
//!
//! Not guaranteed: friction. Gazebo's default engine ignores it on meshes; see
//! [`model_sdf`].

mod model;
mod rocks;
mod world;
pub(crate) mod xml;

pub use model::{model_config, model_sdf};
pub use world::{base_world_sdf, world_sdf};

/// The SDFormat version written.
pub const SDF_VERSION: &str = "1.9";

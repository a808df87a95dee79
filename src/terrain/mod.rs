//! Terrain layers: what the ground is made of.
//!
//! In: the [`Surface`](crate::surface::Surface) and the field. Out: a [`LayerSet`] with physics, a [`TerrainMap`] that
//! knows the layer of every place on the surface, and one [`CollisionMesh`] per chunk and layer.
//!
//! The surface is seen in cells of `terrain.cell_m`, each with moisture, temperature, slope and roughness;
//! patches grow over them from scattered seeds. *Guaranteed*: every triangle has one layer; a patch is
//! connected when it is grown; collision meshes of neighbours meet bit for bit. *Not guaranteed*: a given share
//! of each layer.
//!
//! Sources: TrailblA* (which layer suits a place), world-synth (growth by cost).

mod cells;
mod collision;
mod layers;
mod map;
mod regions;

pub use collision::{CollisionMesh, collide};
pub use layers::*;
pub use map::{TerrainMap, TerrainWindow, classify};

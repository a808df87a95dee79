//! Terrain layers: what the ground is made of.
//!
//! In: the [`Surface`](crate::surface::Surface) and the field. Out: a [`LayerSet`] with physics, a [`TerrainMap`] that
//! knows the layer of every place on the surface, and one [`CollisionMesh`] per chunk and layer.

mod layers;
mod map;

pub use layers::*;
pub use map::*;

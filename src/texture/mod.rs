//! Stage 3: baked textures.
//!
//! In: a chunk's visual mesh, its [`TerrainWindow`](crate::terrain::TerrainWindow) and the relief
//! that the mesh no longer has ([`ReliefGradient`]). Out: three images ([`BakedChunk`]).
//!
//! The mesh is drawn in texture space (`raster`), each texel's place in the world gets layer
//! weights (`blend`) and a look from those layers' recipes (`material`), and all of it becomes
//! colour, normal and roughness (`bake`); what no chart covers is filled (`pad`).
//! Tangents follow Mikkelsen 2008, "Simulation of wrinkled surfaces revisited".
//!
//! Guaranteed: a place in the world looks the same in whatever chunk or chart it is baked (within
//! rounding), the same bytes at any thread count and on any processor, normals of unit length
//! that never point behind the surface. Not guaranteed: detail finer than two texels.

mod bake;
mod blend;
mod encode;
mod material;
mod pad;
mod raster;
mod relief;
mod vector;

use crate::noise::F8;

pub use bake::bake;
pub use encode::{EncodeError, Pixels, encode_png};

/// The relief that a chunk's base normals leave out.
pub trait ReliefGradient: Sync {
    /// What the relief adds to the unit base normals `base_n` at the places `p` (metres, frame
    /// `map`) before they are normalised again: minus the gradient of the height of the relief
    /// toward the void, a slope (m/m). Its part along `base_n` is ignored.
    ///
    /// Called once for eight texels; depends on nothing but `p` and `base_n`.
    fn gradient(&self, p: [F8; 3], base_n: [F8; 3]) -> [F8; 3];
}

/// No relief: the normal map shows the material alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRelief;

impl ReliefGradient for NoRelief {
    fn gradient(&self, _: [F8; 3], _: [F8; 3]) -> [F8; 3] {
        [F8::ZERO; 3]
    }
}

/// Images of one chunk, row by row from the top, 8 bits a channel.
pub struct BakedChunk {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Colour, sRGB, 3 bytes a pixel, no alpha.
    pub albedo: Vec<u8>,
    /// Tangent-space normal (OpenGL, +y up), 3 bytes a pixel.
    pub normal: Vec<u8>,
    /// Roughness, 1 byte a pixel.
    pub roughness: Vec<u8>,
}

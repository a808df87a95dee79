//! Stage 3: baked textures.
//!
//! In: a chunk's visual mesh and its [`TerrainWindow`](crate::terrain::TerrainWindow). Out: three images.

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

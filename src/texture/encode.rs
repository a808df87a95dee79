//! PNG files.

use super::BakedChunk;

/// An image that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("PNG of {width} × {height} pixels, {channels} bytes each, from {bytes} bytes: {source}")]
pub struct EncodeError {
    width: u32,
    height: u32,
    channels: u8,
    bytes: usize,
    source: png::EncodingError,
}

/// What the bytes of a pixel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// Three bytes, colour in sRGB.
    Srgb,
    /// Three bytes, any vector; not a colour.
    Vector,
    /// One byte.
    Gray,
}

/// An 8-bit PNG of `data`, row by row from the top, compressed for speed.
///
/// The same input gives the same bytes.
///
/// # Errors
/// When `data` is not `width · height` pixels or a side is 0.
pub fn encode_png(
    width: u32,
    height: u32,
    pixels: Pixels,
    data: &[u8],
) -> Result<Vec<u8>, EncodeError> {
    let channels = if pixels == Pixels::Gray { 1 } else { 3 };
    write(width, height, pixels, data).map_err(|source| EncodeError {
        width,
        height,
        channels,
        bytes: data.len(),
        source,
    })
}

fn write(
    width: u32,
    height: u32,
    pixels: Pixels,
    data: &[u8],
) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::with_capacity(data.len() / 2 + 1024);
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(match pixels {
        Pixels::Gray => png::ColorType::Grayscale,
        Pixels::Srgb | Pixels::Vector => png::ColorType::Rgb,
    });
    encoder.set_depth(png::BitDepth::Eight);
    if pixels == Pixels::Srgb {
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    }
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(data)?;
    writer.finish()?;
    Ok(out)
}

impl BakedChunk {
    /// The colour as PNG; see [`encode_png`].
    pub fn albedo_png(&self) -> Result<Vec<u8>, EncodeError> {
        encode_png(self.width, self.height, Pixels::Srgb, &self.albedo)
    }

    /// The normals as PNG; see [`encode_png`].
    pub fn normal_png(&self) -> Result<Vec<u8>, EncodeError> {
        encode_png(self.width, self.height, Pixels::Vector, &self.normal)
    }

    /// The roughness as PNG; see [`encode_png`].
    pub fn roughness_png(&self) -> Result<Vec<u8>, EncodeError> {
        encode_png(self.width, self.height, Pixels::Gray, &self.roughness)
    }
}

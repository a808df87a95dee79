//! Pixels of textures.

use crate::texture::{EncodeError, Pixels, encode_png};
use png::{Decoder, Transformations};
use std::io::Cursor;

/// An image of eight bits a channel, rows from the top.
#[derive(Clone, Debug)]
pub struct Image {
    width: u32,
    height: u32,
    channels: usize,
    data: Vec<u8>,
}

impl Image {
    /// Reads a PNG file; the error says what is wrong with it.
    pub fn decode(png: &[u8]) -> Result<Self, String> {
        let bad = |e: png::DecodingError| format!("is not a PNG file: {e}");
        let mut decoder = Decoder::new(Cursor::new(png));
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(bad)?;
        let size = reader.output_buffer_size().ok_or("is too large")?;
        let mut data = vec![0; size];
        let info = reader.next_frame(&mut data).map_err(bad)?;
        data.truncate(info.buffer_size());
        Ok(Self {
            width: info.width,
            height: info.height,
            channels: info.color_type.samples(),
            data,
        })
    }

    /// Red, green and blue at (u, v), (0, 0) being the upper left corner: linear between the
    /// middles of texels, clamped at the edges.
    pub fn at(&self, [u, v]: [f32; 2]) -> [u8; 3] {
        let axis = |t: f32, size: u32| {
            let x = (t * size as f32 - 0.5).clamp(0.0, (size - 1) as f32);
            let low = x as u32;
            (low, (low + 1).min(size - 1), x - low as f32)
        };
        let ((left, right, a), (top, bottom, b)) = (axis(u, self.width), axis(v, self.height));
        let mix = |p: u8, q: u8, t: f32| f32::from(p) * (1.0 - t) + f32::from(q) * t;
        std::array::from_fn(|c| {
            let upper = [self.texel(left, top, c), self.texel(right, top, c)];
            let lower = [self.texel(left, bottom, c), self.texel(right, bottom, c)];
            let (upper, lower) = (mix(upper[0], upper[1], a), mix(lower[0], lower[1], a));
            (upper * (1.0 - b) + lower * b + 0.5) as u8
        })
    }

    fn texel(&self, x: u32, y: u32, channel: usize) -> u8 {
        let place = y as usize * self.width as usize + x as usize;
        // Grey has its one channel thrice.
        let channel = if self.channels < 3 { 0 } else { channel };
        self.data[place * self.channels + channel]
    }

    /// This roughness as glTF 2.0 (§3.9.2) takes it: green is roughness, blue metalness, here none.
    ///
    /// Red is full, because the same image may serve as occlusion.
    pub fn metallic_roughness_png(&self) -> Result<Vec<u8>, EncodeError> {
        let texels = self.data.chunks_exact(self.channels);
        let data: Vec<u8> = texels.flat_map(|texel| [255, texel[0], 0]).collect();
        encode_png(self.width, self.height, Pixels::Vector, &data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_between_texels() {
        let data = [0, 0, 0, 200, 100, 50, 0, 0, 0, 200, 100, 50];
        let png = encode_png(2, 2, Pixels::Srgb, &data).unwrap();
        let image = Image::decode(&png).unwrap();
        assert_eq!(image.at([0.5, 0.5]), [100, 50, 25]);
        assert_eq!(image.at([0.75, 0.1]), [200, 100, 50]);
        assert_eq!(image.at([-3.0, 9.0]), [0, 0, 0]);
        assert_eq!(image.at([f32::NAN, 0.0]), [0, 0, 0]);
    }

    #[test]
    fn roughness_goes_to_green() {
        let png = encode_png(2, 1, Pixels::Gray, &[7, 250]).unwrap();
        let gray = Image::decode(&png).unwrap();
        assert_eq!(gray.at([0.25, 0.5]), [7, 7, 7]);
        let packed = Image::decode(&gray.metallic_roughness_png().unwrap()).unwrap();
        assert_eq!(packed.data, [255, 7, 0, 255, 250, 0]);
    }

    #[test]
    fn broken_files_are_told() {
        assert!(Image::decode(b"GIF89a").is_err());
    }
}

//! A picture to draw on: thin layer over the rasteriser.

use super::Error;
use super::lettering::{Align, Lettering, Weight};
use super::palette::Rgb;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

/// Shortest line that is drawn, pixels.
const SHORTEST: f32 = 0.05;

/// A place in the picture, pixels from the upper left corner.
pub(super) type Px = (f32, f32);

/// A picture in the making.
pub(super) struct Canvas {
    pixmap: Pixmap,
    lettering: Lettering,
}

impl Canvas {
    /// A picture in one colour.
    pub(super) fn new(width: u32, height: u32, paper: Rgb) -> Result<Self, Error> {
        let reason = || "too large or of no size".to_owned();
        let mut pixmap = Pixmap::new(width, height).ok_or_else(|| Error::Picture {
            width,
            height,
            reason: reason(),
        })?;
        pixmap.fill(Color::from_rgba8(paper[0], paper[1], paper[2], 255));
        Ok(Self {
            pixmap,
            lettering: Lettering::new(),
        })
    }

    /// Width, pixels.
    pub(super) fn width(&self) -> u32 {
        self.pixmap.width()
    }

    /// Fills a rectangle.
    pub(super) fn rect(&mut self, x: f32, y: f32, width: f32, height: f32, color: Rgb) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.fill(&PathBuilder::from_rect(rect), color, 255);
        }
    }

    /// Fills a polygon.
    pub(super) fn polygon(&mut self, corners: &[Px], color: Rgb) {
        let mut builder = polyline(corners);
        builder.close();
        if let Some(path) = builder.finish() {
            self.fill(&path, color, 255);
        }
    }

    /// A disc with a rim.
    pub(super) fn disc(&mut self, (x, y): Px, radius: f32, color: Rgb, rim: f32, rim_color: Rgb) {
        if let Some(path) = PathBuilder::from_circle(x, y, radius + rim) {
            self.fill(&path, rim_color, 255);
        }
        if let Some(path) = PathBuilder::from_circle(x, y, radius) {
            self.fill(&path, color, 255);
        }
    }

    /// A line through points, with round joins and ends.
    pub(super) fn line(&mut self, points: &[Px], width: f32, color: Rgb, alpha: u8) {
        self.stroke(points, width, LineCap::Round, color, alpha);
    }

    fn stroke(&mut self, points: &[Px], width: f32, line_cap: LineCap, color: Rgb, alpha: u8) {
        // The painter warns about a line without length, such as a shaft seen from above.
        let far = |&(x, y): &Px| {
            let apart = |p: &Px| (p.0 - x).abs().max((p.1 - y).abs());
            points.iter().any(|p| apart(p) > SHORTEST)
        };
        if !points.first().is_some_and(far) {
            return;
        }
        let Some(path) = polyline(points).finish() else {
            return;
        };
        let stroke = Stroke {
            width,
            line_cap,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        self.pixmap.stroke_path(
            &path,
            &paint(color, alpha),
            &stroke,
            Transform::identity(),
            None,
        );
    }

    /// A line of text, its baseline at the anchor.
    pub(super) fn text(&mut self, text: &str, at: Px, size: f32, color: Rgb, align: Align) {
        self.write(text, at, size, Weight::Regular, color, align);
    }

    /// A line of bold text cut to `width` pixels.
    pub(super) fn heading(&mut self, text: &str, at: Px, size: f32, color: Rgb, width: f32) {
        let line = self.lettering.fit(text, size, Weight::Bold, width);
        self.write(&line, at, size, Weight::Bold, color, Align::Left);
    }

    /// The text, cut to `width` pixels.
    pub(super) fn fit(&self, text: &str, size: f32, width: f32) -> String {
        self.lettering.fit(text, size, Weight::Regular, width)
    }

    fn write(&mut self, text: &str, at: Px, size: f32, weight: Weight, color: Rgb, align: Align) {
        if let Some(path) = self.lettering.outline(text, at, size, weight, align) {
            self.fill(&path, color, 255);
        }
    }

    /// Blends a colour into one pixel by a share of 0…1; outside the picture nothing happens.
    pub(super) fn blend(&mut self, x: u32, y: u32, color: Rgb, share: f32) {
        let (width, height) = (self.pixmap.width(), self.pixmap.height());
        if x >= width || y >= height {
            return;
        }
        let at = 4 * (y as usize * width as usize + x as usize);
        // Every pixel is opaque, so colours are not premultiplied by anything but 1.
        for (old, new) in self.pixmap.data_mut()[at..at + 3].iter_mut().zip(color) {
            let (from, to) = (f32::from(*old), f32::from(new));
            *old = (from + (to - from) * share + 0.5) as u8;
        }
    }

    fn fill(&mut self, path: &Path, color: Rgb, alpha: u8) {
        let paint = paint(color, alpha);
        self.pixmap
            .fill_path(path, &paint, FillRule::Winding, Transform::identity(), None);
    }

    /// The picture as a PNG without transparency.
    pub(super) fn png(&self) -> Result<Vec<u8>, Error> {
        let (width, height) = (self.pixmap.width(), self.pixmap.height());
        let rgb: Vec<u8> = self
            .pixmap
            .data()
            .chunks_exact(4)
            .flat_map(|p| [p[0], p[1], p[2]])
            .collect();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // Drawings have large even areas: little is left to gain by searching longer.
        encoder.set_compression(png::Compression::Fast);
        encoder
            .write_header()
            .and_then(|mut writer| {
                writer.write_image_data(&rgb)?;
                writer.finish()
            })
            .map_err(|error| Error::Picture {
                width,
                height,
                reason: error.to_string(),
            })?;
        Ok(bytes)
    }
}

fn polyline(points: &[Px]) -> PathBuilder {
    let mut builder = PathBuilder::new();
    for (index, &(x, y)) in points.iter().enumerate() {
        if index == 0 {
            builder.move_to(x, y)
        } else {
            builder.line_to(x, y)
        }
    }
    builder
}

fn paint(color: Rgb, alpha: u8) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color_rgba8(color[0], color[1], color[2], alpha);
    paint
}

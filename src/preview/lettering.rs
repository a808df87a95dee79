//! Text as filled outlines.

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, OutlineBuilder};

/// Where a line of text stands relative to its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Centre,
    Right,
}

/// Weight of a typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// DejaVu Sans in both weights.
pub(super) struct Lettering {
    faces: Option<[Face<'static>; 2]>,
}

impl Lettering {
    /// The typefaces that are part of this program.
    pub(super) fn new() -> Self {
        let face = |data| Face::parse(data, 0).ok();
        let regular = face(dejavu::sans::regular());
        let bold = face(dejavu::sans::bold());
        Self {
            faces: regular.zip(bold).map(|(regular, bold)| [regular, bold]),
        }
    }

    fn face(&self, weight: Weight) -> Option<&Face<'static>> {
        self.faces
            .as_ref()
            .map(|faces| &faces[usize::from(weight == Weight::Bold)])
    }

    /// Width of a line of text, pixels.
    pub(super) fn width(&self, text: &str, size: f32, weight: Weight) -> f32 {
        let Some(face) = self.face(weight) else {
            return 0.0;
        };
        text.chars().map(|c| advance(face, c)).sum::<f32>() * scale(face, size)
    }

    /// The text, or as much of its start as fits into `width` pixels, with an ellipsis.
    pub(super) fn fit(&self, text: &str, size: f32, weight: Weight, width: f32) -> String {
        let clean: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        if self.width(&clean, size, weight) <= width {
            return clean;
        }
        let mut kept: Vec<char> = clean.chars().take(500).collect();
        loop {
            let line: String = kept.iter().chain(&['…']).collect();
            if kept.is_empty() || self.width(&line, size, weight) <= width {
                return line;
            }
            kept.pop();
        }
    }

    /// Outline of a line of text whose baseline is at `y`; none for blank text.
    pub(super) fn outline(
        &self,
        text: &str,
        (x, y): (f32, f32),
        size: f32,
        weight: Weight,
        align: Align,
    ) -> Option<Path> {
        let face = self.face(weight)?;
        let shift = match align {
            Align::Left => 0.0,
            Align::Centre => 0.5,
            Align::Right => 1.0,
        };
        let start = x - shift * self.width(text, size, weight);
        let mut pen = Pen {
            path: PathBuilder::new(),
            x: start,
            y,
            scale: scale(face, size),
        };
        for character in text.chars() {
            if let Some(glyph) = face.glyph_index(character) {
                face.outline_glyph(glyph, &mut pen);
            }
            pen.x += advance(face, character) * pen.scale;
        }
        pen.path.finish()
    }
}

fn scale(face: &Face, size: f32) -> f32 {
    size / f32::from(face.units_per_em())
}

fn advance(face: &Face, character: char) -> f32 {
    face.glyph_index(character)
        .and_then(|glyph| face.glyph_hor_advance(glyph))
        .map_or(0.0, f32::from)
}

/// Draws glyphs at a place of the picture; y goes down there and up in a font.
struct Pen {
    path: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_a_size_and_is_cut_to_fit() {
        let type_ = Lettering::new();
        let width = type_.width("plume", 20.0, Weight::Regular);
        assert!(width > 40.0 && width < 80.0, "{width}");
        assert!(type_.width("plume", 20.0, Weight::Bold) > width);
        let cut = type_.fit(&"long ".repeat(1000), 20.0, Weight::Bold, 200.0);
        assert!(cut.ends_with('…') && type_.width(&cut, 20.0, Weight::Bold) <= 200.0);
        let outline = type_.outline("Ag", (10.0, 50.0), 20.0, Weight::Regular, Align::Left);
        let bounds = outline.unwrap().bounds();
        assert!(bounds.top() > 30.0 && bounds.bottom() > 50.0 && bounds.left() >= 10.0);
        assert!(
            type_
                .outline(" ", (0.0, 0.0), 20.0, Weight::Bold, Align::Right)
                .is_none()
        );
    }
}

//! What both pictures share: title, map area, grid, scale bar, axes and legend column.

use super::Error;
use super::canvas::{Canvas, Px};
use super::lettering::Align;
use super::palette::{GRID, INK, MUTED, PAPER, ROCK};
use glam::DVec2;

/// Width of a picture, pixels.
const WIDTH: u32 = 1040;
/// Free space at the border, pixels.
const MARGIN: f64 = 28.0;
/// Space for title and subtitle, pixels.
const HEAD: f64 = 92.0;
/// Space for the scale bar, pixels.
const FOOT: f64 = 62.0;
/// Width of the legend column, pixels.
const SIDE: f64 = 196.0;
/// Space between the map's border and the cave, pixels.
const INSET: f64 = 26.0;
/// Lowest and highest map area, pixels.
const MAP_HEIGHT: [f64; 2] = [430.0, 980.0];

/// The part of the plane that a picture must show, metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) low: DVec2,
    pub(super) high: DVec2,
}

impl Extent {
    /// The smallest that holds all discs `(centre, radius)`; none when there are none.
    pub(super) fn of(discs: impl Iterator<Item = (DVec2, f64)>) -> Option<Self> {
        discs
            .map(|(centre, radius)| Extent {
                low: centre - radius,
                high: centre + radius,
            })
            .reduce(|a, b| Extent {
                low: a.low.min(b.low),
                high: a.high.max(b.high),
            })
    }
}

/// A framed map, ready to be drawn into.
pub(super) struct Frame {
    pub(super) canvas: Canvas,
    /// Pixels a metre.
    pub(super) scale: f64,
    centre: DVec2,
    middle: DVec2,
    size: DVec2,
}

impl Frame {
    /// An empty map of `extent` under a title and a subtitle.
    pub(super) fn new(title: &str, subtitle: &str, extent: Extent) -> Result<Self, Error> {
        let span = (extent.high - extent.low).max(DVec2::splat(1e-3));
        let width = f64::from(WIDTH) - 2.0 * MARGIN - SIDE;
        let free_width = width - 2.0 * INSET;
        let wanted = free_width * span.y / span.x + 2.0 * INSET;
        let height = wanted.clamp(MAP_HEIGHT[0], MAP_HEIGHT[1]).round();
        let scale = (free_width / span.x).min((height - 2.0 * INSET) / span.y);
        let mut canvas = Canvas::new(WIDTH, (HEAD + height + FOOT) as u32, PAPER)?;
        canvas.rect(
            MARGIN as f32,
            HEAD as f32,
            width as f32,
            height as f32,
            ROCK,
        );
        let mut frame = Self {
            canvas,
            scale,
            centre: (extent.low + extent.high) / 2.0,
            middle: DVec2::new(MARGIN + width / 2.0, HEAD + height / 2.0),
            size: DVec2::new(width, height),
        };
        frame.grid();
        frame.scale_bar();
        let room = WIDTH as f32 - 2.0 * MARGIN as f32;
        frame
            .canvas
            .heading(title, (MARGIN as f32, 44.0), 23.0, INK, room);
        let line = frame.canvas.fit(subtitle, 14.5, room);
        frame
            .canvas
            .text(&line, (MARGIN as f32, 71.0), 14.5, MUTED, Align::Left);
        Ok(frame)
    }

    /// Where a place of the plane lies in the picture.
    pub(super) fn px(&self, p: DVec2) -> Px {
        let d = (p - self.centre) * self.scale;
        ((self.middle.x + d.x) as f32, (self.middle.y - d.y) as f32)
    }

    /// A length in the picture, pixels.
    pub(super) fn length(&self, metres: f64) -> f32 {
        (metres * self.scale) as f32
    }

    /// Left end and top of the legend column, pixels.
    pub(super) fn legend(&self) -> Px {
        (
            (f64::from(self.canvas.width()) - SIDE - MARGIN + 22.0) as f32,
            HEAD as f32,
        )
    }

    /// Width of the legend column, pixels.
    pub(super) fn legend_width(&self) -> f32 {
        (SIDE - 22.0) as f32
    }

    fn unit(&self) -> f64 {
        nice_at_most(self.size.x / self.scale / 5.0)
    }

    fn grid(&mut self) {
        let step = self.unit();
        let half = self.size / 2.0 / self.scale;
        let (low, high) = (self.centre - half, self.centre + half);
        let ticks = |a: f64, b: f64| {
            let first = (a / step).ceil() as i64;
            let last = (b / step).floor() as i64;
            (first..=last).map(move |k| k as f64 * step)
        };
        for x in ticks(low.x, high.x) {
            let ends = [
                self.px(DVec2::new(x, low.y)),
                self.px(DVec2::new(x, high.y)),
            ];
            self.canvas.line(&ends, 1.0, GRID, 255);
        }
        for y in ticks(low.y, high.y) {
            let ends = [
                self.px(DVec2::new(low.x, y)),
                self.px(DVec2::new(high.x, y)),
            ];
            self.canvas.line(&ends, 1.0, GRID, 255);
        }
    }

    fn scale_bar(&mut self) {
        let metres = self.unit();
        let (x, y) = (MARGIN as f32, (HEAD + self.size.y + 24.0) as f32);
        let quarter = self.length(metres) / 4.0;
        self.canvas
            .rect(x - 1.0, y - 1.0, 4.0 * quarter + 2.0, 9.0, INK);
        for part in [1.0, 3.0] {
            self.canvas.rect(x + part * quarter, y, quarter, 7.0, PAPER);
        }
        self.canvas.text("0", (x, y + 25.0), 13.5, INK, Align::Left);
        let label = format!("{} m", plain(metres));
        self.canvas.text(
            &label,
            (x + 4.0 * quarter, y + 25.0),
            13.5,
            INK,
            Align::Centre,
        );
        let note = format!("grid {} m · x to the right, y up, frame map", plain(metres));
        let right = (MARGIN + self.size.x) as f32;
        self.canvas
            .text(&note, (right, y + 8.0), 12.5, MUTED, Align::Right);
    }
}

/// The largest of 1, 2, 5 · 10ⁿ that is at most `value`.
pub(super) fn nice_at_most(value: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(value)));
    [5.0, 2.0, 1.0]
        .into_iter()
        .map(|m| m * power)
        .find(|&n| n <= value)
        .unwrap_or(power)
}

/// A number without superfluous zeros.
pub(super) fn plain(value: f64) -> String {
    if value >= 1.0 {
        format!("{value:.0}")
    } else {
        format!("{}", (value * 1e6).round() / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scale_bars_are_round() {
        for (value, nice) in [
            (1.0, 1.0),
            (1.99, 1.0),
            (2.3, 2.0),
            (7.0, 5.0),
            (48.0, 20.0),
        ] {
            assert_eq!(nice_at_most(value), nice);
        }
        assert_eq!(
            (plain(200.0), plain(0.2)),
            ("200".to_owned(), "0.2".to_owned())
        );
    }

    proptest! {
        #[test]
        fn everything_lies_inside_the_map(
            low in prop::array::uniform2(-1e4f64..1e4),
            span in prop::array::uniform2(0.0f64..1e4),
        ) {
            let low = DVec2::from_array(low);
            let extent = Extent { low, high: low + DVec2::from_array(span) };
            let frame = Frame::new("t", "s", extent).unwrap();
            for p in [extent.low, extent.high] {
                let (x, y) = frame.px(p);
                let (right, top) = frame.legend();
                prop_assert!(x >= MARGIN as f32 && x < right);
                prop_assert!(y >= top && f64::from(y) <= HEAD + frame.size.y);
            }
        }
    }
}

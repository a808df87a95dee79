//! A rectangle of the picture that shows a part of a plane, with grid and scale bar.

use super::canvas::{Canvas, Px};
use super::lettering::Align;
use super::palette::{GRID, INK, MUTED, PAPER, ROCK};
use glam::DVec2;

/// Space between a panel's border and the cave, pixels.
pub(super) const INSET: f64 = 26.0;
/// Lowest and highest map, pixels.
const MAP_HEIGHT: [f64; 2] = [430.0, 980.0];
/// Lowest and highest section, pixels.
const SECTION_HEIGHT: [f64; 2] = [120.0, 460.0];
/// A section whose cave would be lower than this gets its heights exaggerated, pixels.
const LEGIBLE: f64 = 56.0;
/// How much heights may be exaggerated.
const EXAGGERATIONS: [f64; 8] = [1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 50.0];

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

    fn span(&self) -> DVec2 {
        (self.high - self.low).max(DVec2::splat(1e-3))
    }
}

/// A rectangle that shows a part of a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    /// Pixels a metre, to the right and upward.
    pub(super) scale: DVec2,
    /// Upper left corner, pixels.
    pub(super) corner: DVec2,
    /// Width and height, pixels.
    pub(super) size: DVec2,
    centre: DVec2,
}

impl Panel {
    /// A map in one scale, `width` pixels wide and as high as it needs.
    pub(super) fn map(extent: Extent, corner: DVec2, width: f64) -> Self {
        let span = extent.span();
        let free_width = width - 2.0 * INSET;
        let wanted = free_width * span.y / span.x + 2.0 * INSET;
        let height = wanted.clamp(MAP_HEIGHT[0], MAP_HEIGHT[1]).round();
        let scale = (free_width / span.x).min((height - 2.0 * INSET) / span.y);
        Self {
            scale: DVec2::splat(scale),
            corner,
            size: DVec2::new(width, height),
            centre: (extent.low + extent.high) / 2.0,
        }
    }

    /// A section, at most in `scale`, with heights exaggerated where they would not be seen.
    pub(super) fn section(extent: Extent, corner: DVec2, width: f64, scale: f64) -> Self {
        let span = extent.span();
        let room = SECTION_HEIGHT[1] - 2.0 * INSET;
        let flat = scale.min((width - 2.0 * INSET) / span.x).min(room / span.y);
        let drawn = |factor: &&f64| span.y * flat * **factor;
        let factor = EXAGGERATIONS
            .iter()
            .find(|factor| drawn(factor) >= LEGIBLE)
            .or_else(|| EXAGGERATIONS.last())
            .filter(|factor| drawn(factor) <= room)
            .unwrap_or(&1.0);
        let scale = DVec2::new(flat, flat * factor);
        let height = (span.y * scale.y + 2.0 * INSET).clamp(SECTION_HEIGHT[0], SECTION_HEIGHT[1]);
        Self {
            scale,
            corner,
            size: DVec2::new(width, height.round()),
            centre: (extent.low + extent.high) / 2.0,
        }
    }

    /// How many times larger heights are drawn than lengths.
    pub(super) fn exaggeration(&self) -> f64 {
        self.scale.y / self.scale.x
    }

    /// Where a place of the plane lies in the picture.
    pub(super) fn px(&self, p: DVec2) -> Px {
        let d = (p - self.centre) * self.scale;
        let middle = self.corner + self.size / 2.0;
        ((middle.x + d.x) as f32, (middle.y - d.y) as f32)
    }

    /// Distance between lines of the grid, metres.
    pub(super) fn grid_m(&self) -> DVec2 {
        let along = nice_at_most(self.size.x / self.scale.x / 5.0);
        // In a high panel both steps fit; a low one would have no line.
        let high = self.size.y / self.scale.y >= 2.0 * along;
        let up = if high {
            along
        } else {
            nice_at_most(self.size.y / self.scale.y / 2.0)
        };
        DVec2::new(along, up)
    }

    /// Rock with a grid.
    pub(super) fn draw_paper(&self, canvas: &mut Canvas) {
        let (corner, size) = (self.corner.as_vec2(), self.size.as_vec2());
        canvas.rect(corner.x, corner.y, size.x, size.y, ROCK);
        let right = corner.x + size.x;
        for x in self.lines(0) {
            let (x, _) = self.px(DVec2::new(x, 0.0));
            canvas.line(&[(x, corner.y), (x, corner.y + size.y)], 1.0, GRID, 255);
        }
        for y in self.lines(1) {
            let (_, y) = self.px(DVec2::new(0.0, y));
            canvas.line(&[(corner.x, y), (right, y)], 1.0, GRID, 255);
        }
    }

    /// Heights of the grid's lines, right of the panel.
    pub(super) fn label_heights(&self, canvas: &mut Canvas) {
        for z in self.lines(1) {
            let (_, y) = self.px(DVec2::new(0.0, z));
            let top = self.corner.y as f32;
            if y - 5.0 < top || y + 5.0 > top + self.size.y as f32 {
                continue;
            }
            let label = format!("{} m", plain(z));
            let left = (self.corner.x + self.size.x) as f32 + 6.0;
            canvas.text(&label, (left, y + 4.0), 12.0, MUTED, Align::Left);
        }
    }

    /// A scale bar and a note below the panel.
    pub(super) fn draw_scale(&self, canvas: &mut Canvas, note: &str) {
        let metres = self.grid_m().x;
        let (x, y) = (
            self.corner.x as f32,
            (self.corner.y + self.size.y + 14.0) as f32,
        );
        let quarter = (metres * self.scale.x) as f32 / 4.0;
        canvas.rect(x - 1.0, y - 1.0, 4.0 * quarter + 2.0, 9.0, INK);
        for part in [1.0, 3.0] {
            canvas.rect(x + part * quarter, y, quarter, 7.0, PAPER);
        }
        canvas.text("0", (x, y + 25.0), 13.5, INK, Align::Left);
        let label = format!("{} m", plain(metres));
        canvas.text(
            &label,
            (x + 4.0 * quarter, y + 25.0),
            13.5,
            INK,
            Align::Centre,
        );
        let right = (self.corner.x + self.size.x) as f32;
        canvas.text(note, (right, y + 8.0), 12.5, MUTED, Align::Right);
    }

    /// Multiples of the grid's step inside the panel, along one axis.
    fn lines(&self, axis: usize) -> impl Iterator<Item = f64> {
        let step = self.grid_m()[axis];
        let half = self.size[axis] / 2.0 / self.scale[axis];
        let first = ((self.centre[axis] - half) / step).ceil() as i64;
        let last = ((self.centre[axis] + half) / step).floor() as i64;
        (first..=last).map(move |k| k as f64 * step)
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
    if value.abs() >= 1.0 {
        format!("{value:.0}")
    } else {
        format!("{}", (value * 1e6).round() / 1e6 + 0.0)
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
        let shown = [200.0, 0.2, -0.0, -20.0].map(plain);
        assert_eq!(shown, ["200", "0.2", "0", "-20"]);
    }

    proptest! {
        #[test]
        fn everything_lies_inside_the_panel(
            low in prop::array::uniform2(-1e4f64..1e4),
            span in prop::array::uniform2(0.0f64..1e4),
            scale in 0.01f64..50.0,
        ) {
            let low = DVec2::from_array(low);
            let extent = Extent { low, high: low + DVec2::from_array(span) };
            let corner = DVec2::new(28.0, 92.0);
            for panel in [
                Panel::map(extent, corner, 788.0),
                Panel::section(extent, corner, 788.0, scale),
            ] {
                prop_assert!(panel.size.y <= MAP_HEIGHT[1] && panel.exaggeration() >= 1.0);
                for p in [extent.low, extent.high] {
                    let (x, y) = panel.px(p);
                    let d = DVec2::new(f64::from(x), f64::from(y)) - corner;
                    prop_assert!(d.min_element() >= 0.0 && (panel.size - d).min_element() >= 0.0);
                }
            }
        }
    }
}

//! Packing charts into one image, cell by cell.
//!
//! Image and charts are bit masks of square cells, the charts widened by half the padding. Largest
//! first, each goes to the lowest, then leftmost place where none of its cells is taken, in the
//! best of four turns: holes in and between charts are filled ("bottom-left" on exact outlines,
//! Baker, Coffman & Rivest 1980). A few widths of the image and orders of charts are tried.

use super::flatten::Chart;
use super::mask::{Mask, Search};
use glam::Vec2;

/// Cells along the longest edge of an image.
const CELLS: u32 = 512;
/// Widths tried, over the edge of a square of the charts' own area.
const WIDTHS: [f64; 7] = [1.07, 1.12, 1.02, 1.17, 1.23, 1.095, 1.045];
/// Nothing more is tried once this share of the image is covered.
const GOOD_FILL: f32 = 0.68;
/// Space between charts and the image's edge, pixels; the rest of the margin hangs over.
const EDGE_PX: f32 = 2.0;

/// Where a chart lies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Quarter turns counter-clockwise.
    pub turns: u8,
    /// Size of the chart with its margin before turning, pixels.
    pub size: Vec2,
    /// Offset of the chart inside its margin before turning, pixels.
    pub margin: Vec2,
    /// Offset of the turned chart with its margin, pixels.
    pub offset: Vec2,
}

impl Place {
    /// The pixel at which a point of the chart, in pixels from the chart's corner, lies.
    pub fn apply(&self, p: Vec2) -> Vec2 {
        let (p, size) = (p + self.margin, self.size);
        self.offset
            + match self.turns % 4 {
                0 => p,
                1 => Vec2::new(size.y - p.y, p.x),
                2 => size - p,
                _ => Vec2::new(p.y, size.x - p.x),
            }
    }
}

/// All charts of a chunk on one image.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// One place per chart.
    pub places: Vec<Place>,
}

/// The smallest layout found in which no edge is longer than `largest` pixels; none if there is
/// no such layout.
pub fn pack(charts: &[Chart], texels_per_m: f32, padding: u32, largest: u32) -> Option<Layout> {
    let cell = (largest / CELLS).max(1) as f32;
    let masks: Vec<[Mask; 4]> = charts
        .iter()
        .map(|c| Mask::of(c, texels_per_m, padding, cell).turns())
        .collect();
    let covered: f32 = charts.iter().map(|c| c.area()).sum::<f32>() * texels_per_m * texels_per_m;
    let taken: u32 = masks.iter().map(|m| m[0].count()).sum();
    let hang = ((0.5 * padding as f32 - EDGE_PX).max(0.0) / cell) as u32;
    let most = largest / cell as u32 + 2 * hang;
    let narrowest = masks
        .iter()
        .map(|m| m[0].width().min(m[1].width()))
        .max()
        .unwrap_or(1);
    let orders = orders(&masks);
    let mut widths: Vec<u32> = WIDTHS
        .iter()
        .map(|s| (f64::from(taken).sqrt() * s) as u32)
        .chain([most])
        .map(|w| w.clamp(narrowest.min(most), most))
        .collect();
    widths.dedup();
    let pixels = |l: &Layout| l.width as f32 * l.height as f32;
    let mut best: Option<Layout> = None;
    for (i, &width) in widths.iter().enumerate() {
        if best.is_some() && i + 1 == widths.len() {
            break;
        }
        for order in &orders {
            let Some(layout) = fill(&masks, order, width, most, cell, hang) else {
                continue;
            };
            if covered >= GOOD_FILL * pixels(&layout) {
                return Some(layout);
            }
            if best.as_ref().is_none_or(|b| pixels(&layout) < pixels(b)) {
                best = Some(layout);
            }
        }
    }
    best
}

/// Charts by falling area, longest side and half perimeter.
fn orders(masks: &[[Mask; 4]]) -> [Vec<usize>; 3] {
    let by = |size: fn(&Mask) -> u32| {
        let mut order: Vec<usize> = (0..masks.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(size(&masks[i][0])), i));
        order
    };
    [
        by(Mask::count),
        by(|m| m.width().max(m.height())),
        by(|m| m.width() + m.height()),
    ]
}

fn fill(
    masks: &[[Mask; 4]],
    order: &[usize],
    width: u32,
    tallest: u32,
    cell: f32,
    hang: u32,
) -> Option<Layout> {
    let mut image = Search::new(width, tallest);
    let mut places = vec![Place::default(); masks.len()];
    let mut top = 1;
    for &i in order {
        let mut best: Option<(u32, u32, u8)> = None;
        for turns in 0..4u8 {
            let mask = &masks[i][turns as usize];
            // Nothing above the best place so far can be better.
            let highest = best.map_or(tallest, |b| b.0);
            let Some((x, y)) = image.lowest(mask, highest) else {
                continue;
            };
            let score = (y + mask.height(), x);
            if best.is_none_or(|b| score < (b.0, b.1)) {
                best = Some((score.0, x, turns));
            }
        }
        let (high, x, turns) = best?;
        let mask = &masks[i][turns as usize];
        let y = high - mask.height();
        image.take(mask, x, y);
        top = top.max(high);
        let plain = &masks[i][0];
        places[i] = Place {
            turns,
            size: Vec2::new(plain.width() as f32, plain.height() as f32) * cell,
            margin: plain.margin(),
            offset: (Vec2::new(x as f32, y as f32) - hang as f32) * cell,
        };
    }
    let inner = |cells: u32| cells.saturating_sub(2 * hang).max(1) * cell as u32;
    let pixels = |cells: u32| inner(cells).next_multiple_of(4);
    Some(Layout {
        width: pixels(width),
        height: pixels(top),
        places,
    })
}

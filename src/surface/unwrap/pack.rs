//! Packing charts into one image, cell by cell.
//!
//! Image and charts are bit masks of square cells, the charts widened by half the padding. Largest
//! first, each goes to the lowest, then leftmost place where none of its cells is taken, in the
//! best of four turns: holes in and between charts are filled ("bottom-left" on exact outlines,
//! Baker, Coffman & Rivest 1980).

use super::charts::Chart;
use glam::Vec2;

/// Cells along the longest edge of an image.
const CELLS: u32 = 256;

/// Where a chart lies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Quarter turns counter-clockwise.
    pub turns: u8,
    /// Offset of the turned chart's lower corner, pixels.
    pub offset: Vec2,
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

/// The point of a chart of size `size` after quarter turns, still in the positive quadrant.
pub fn turned(p: Vec2, size: Vec2, turns: u8) -> Vec2 {
    match turns % 4 {
        0 => p,
        1 => Vec2::new(size.y - p.y, p.x),
        2 => size - p,
        _ => Vec2::new(p.y, size.x - p.x),
    }
}

/// The smallest layout found in which no edge is longer than `largest` pixels; none if there is
/// no such layout.
pub fn pack(charts: &[Chart], texels_per_m: f32, padding: u32, largest: u32) -> Option<Layout> {
    let cell = (largest / CELLS).max(2) as f32;
    let masks: Vec<[Mask; 4]> = charts
        .iter()
        .map(|c| [0, 1, 2, 3].map(|turns| Mask::of(c, texels_per_m, turns, padding, cell)))
        .collect();
    let mut order: Vec<usize> = (0..masks.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(masks[i][0].long()), i));
    let covered: u32 = masks.iter().map(|m| m[0].count()).sum();
    let most = largest / cell as u32;
    let narrowest = masks
        .iter()
        .map(|m| m[0].width.min(m[1].width))
        .max()
        .unwrap_or(1);
    let mut best: Option<Layout> = None;
    for stretch in [1.04, 1.12] {
        let width = ((f64::from(covered).sqrt() * stretch) as u32).clamp(narrowest, most.max(1));
        if let Some(layout) = fill(&masks, &order, width, most, cell) {
            let area = |l: &Layout| u64::from(l.width) * u64::from(l.height);
            if best.as_ref().is_none_or(|b| area(&layout) < area(b)) {
                best = Some(layout);
            }
        }
    }
    best.or_else(|| fill(&masks, &order, most, most, cell))
}

/// Rows of bits, 64 cells a word, one spare word a row.
struct Mask {
    width: u32,
    height: u32,
    words: usize,
    bits: Vec<u64>,
    /// Offset of the chart inside its mask, pixels.
    inset: Vec2,
}

impl Mask {
    fn empty(width: u32, height: u32) -> Self {
        let words = width as usize / 64 + 2;
        let bits = vec![0; words * height as usize];
        Self {
            width,
            height,
            words,
            bits,
            inset: Vec2::ZERO,
        }
    }

    fn of(chart: &Chart, texels_per_m: f32, turns: u8, padding: u32, cell: f32) -> Self {
        let size = chart.size();
        let across = if turns.is_multiple_of(2) {
            size
        } else {
            Vec2::new(size.y, size.x)
        } * texels_per_m;
        let margin = 0.5 * padding as f32;
        let cells = ((across + 2.0 * margin) / cell).ceil();
        let mut mask = Self::empty(cells.x as u32 + 1, cells.y as u32 + 1);
        mask.inset = Vec2::splat(margin);
        // A cell is taken when its middle is within this of the chart.
        let reach = margin + 0.71 * cell;
        for corners in &chart.corners {
            let p = corners.map(|c| turned(c, size, turns) * texels_per_m + margin);
            let low = ((p[0].min(p[1]).min(p[2]) - reach) / cell - 0.5)
                .ceil()
                .max(Vec2::ZERO);
            let high = ((p[0].max(p[1]).max(p[2]) + reach) / cell - 0.5).floor();
            let out = [0, 1, 2].map(|i| {
                let e = p[(i + 1) % 3] - p[i];
                (p[i], Vec2::new(e.y, -e.x).normalize_or_zero())
            });
            for y in low.y as u32..=(high.y as u32).min(mask.height - 1) {
                for x in low.x as u32..=(high.x as u32).min(mask.width - 1) {
                    let q = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * cell;
                    if out.iter().all(|&(a, n)| (q - a).dot(n) <= reach) {
                        mask.bits[y as usize * mask.words + x as usize / 64] |= 1 << (x % 64);
                    }
                }
            }
        }
        mask
    }

    fn count(&self) -> u32 {
        self.bits.iter().map(|w| w.count_ones()).sum()
    }

    fn long(&self) -> u32 {
        self.width.max(self.height)
    }

    fn row(&self, y: u32) -> &[u64] {
        &self.bits[y as usize * self.words..][..self.words]
    }

    /// Whether `other` can lie with its corner at `(x, y)`.
    fn has_room(&self, other: &Mask, x: u32, y: u32) -> bool {
        let (word, shift) = ((x / 64) as usize, x % 64);
        (0..other.height).all(|r| {
            let under = &self.row(y + r)[word..];
            let mut carry = 0;
            other.row(r).iter().zip(under).all(|(&m, &taken)| {
                let bits = m << shift | carry;
                carry = if shift == 0 { 0 } else { m >> (64 - shift) };
                bits & taken == 0
            })
        })
    }

    fn take(&mut self, other: &Mask, x: u32, y: u32) {
        let (word, shift) = ((x / 64) as usize, x % 64);
        for r in 0..other.height {
            let start = (y + r) as usize * self.words + word;
            let end = (y + r + 1) as usize * self.words;
            let mut carry = 0;
            for (&m, taken) in other.row(r).iter().zip(&mut self.bits[start..end]) {
                *taken |= m << shift | carry;
                carry = if shift == 0 { 0 } else { m >> (64 - shift) };
            }
        }
    }
}

fn fill(
    masks: &[[Mask; 4]],
    order: &[usize],
    width: u32,
    tallest: u32,
    cell: f32,
) -> Option<Layout> {
    let mut image = Mask::empty(width, tallest);
    let mut places = vec![Place::default(); masks.len()];
    let mut top = 1;
    for &i in order {
        let mut best: Option<(u32, u32, u8)> = None;
        for turns in 0..4u8 {
            let mask = &masks[i][turns as usize];
            if mask.width > width || mask.height > tallest {
                continue;
            }
            // Nothing above the best place so far can be better.
            let last = (tallest - mask.height)
                .min(best.map_or(u32::MAX, |b| b.0.saturating_sub(mask.height)));
            let found = (0..=last)
                .flat_map(|y| (0..=width - mask.width).map(move |x| (x, y)))
                .find(|&(x, y)| image.has_room(mask, x, y));
            if let Some((x, y)) = found {
                let score = (y + mask.height, x);
                if best.is_none_or(|b| score < (b.0, b.1)) {
                    best = Some((score.0, x, turns));
                }
            }
        }
        let (high, x, turns) = best?;
        let mask = &masks[i][turns as usize];
        let y = high - mask.height;
        image.take(mask, x, y);
        top = top.max(high);
        places[i] = Place {
            turns,
            offset: Vec2::new(x as f32, y as f32) * cell + mask.inset,
        };
    }
    let pixels = |cells: u32| (cells * cell as u32).next_multiple_of(4);
    Some(Layout {
        width: pixels(width),
        height: pixels(top),
        places,
    })
}

//! Outlines as bit masks, and where one fits among others.

use super::flatten::Chart;
use super::raster;
use glam::Vec2;

/// Rows of bits, 64 cells a word, one spare word a row.
pub struct Mask {
    width: u32,
    height: u32,
    words: usize,
    bits: Vec<u64>,
    /// Offset of the chart inside its mask, pixels.
    margin: Vec2,
    /// Longest run of taken cells in each row.
    longest: Vec<u32>,
}

impl Mask {
    fn empty(width: u32, height: u32) -> Self {
        let words = width as usize / 64 + 2;
        Self {
            width,
            height,
            words,
            bits: vec![0; words * height as usize],
            margin: Vec2::ZERO,
            longest: Vec::new(),
        }
    }

    /// The cells that come nearer to the chart than half of `padding` pixels.
    pub fn of(chart: &Chart, texels_per_m: f32, padding: u32, cell: f32) -> Self {
        let size = chart.size() * texels_per_m;
        let margin = 0.5 * padding as f32;
        let cells = ((size + 2.0 * margin) / cell).ceil();
        let mut mask = Self::empty(cells.x as u32, cells.y as u32);
        // Slack from rounding up to whole cells is shared by both sides.
        mask.margin = 0.5 * (cells * cell - size);
        let (w, h) = (mask.width as usize, mask.height as usize);
        // A cell whose middle is farther away cannot touch the widened chart.
        let reach = margin + 0.708 * cell;
        let at = |p: Vec2| p * texels_per_m + mask.margin;
        for corners in &chart.corners {
            let words = mask.words;
            let bits = &mut mask.bits;
            raster::centres(&corners.map(at), cell, w, h, |x, y| {
                bits[y * words + x / 64] |= 1 << (x % 64);
            });
        }
        for &[a, b] in &chart.rim {
            let words = mask.words;
            let bits = &mut mask.bits;
            raster::capsule(at(a), at(b), reach, cell, w, h, |x, y| {
                bits[y * words + x / 64] |= 1 << (x % 64);
            });
        }
        mask
    }

    /// The mask after 0 to 3 quarter turns counter-clockwise.
    pub fn turns(self) -> [Mask; 4] {
        let turn = |m: &Mask| {
            let mut out = Self::empty(m.height, m.width);
            m.cells(|x, y| out.set(m.height - 1 - y, x));
            out
        };
        let one = turn(&self);
        let two = turn(&one);
        let three = turn(&two);
        [self, one, two, three].map(|mut m| {
            m.longest = (0..m.height).map(|y| m.longest_run(y, u64::MAX)).collect();
            m
        })
    }

    /// Width, cells.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height, cells.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Offset of the chart inside the mask before turning, pixels.
    pub fn margin(&self) -> Vec2 {
        self.margin
    }

    /// Cells taken.
    pub fn count(&self) -> u32 {
        self.bits.iter().map(|w| w.count_ones()).sum()
    }

    fn set(&mut self, x: u32, y: u32) {
        self.bits[y as usize * self.words + x as usize / 64] |= 1 << (x % 64);
    }

    fn cells(&self, mut each: impl FnMut(u32, u32)) {
        for (i, &word) in self.bits.iter().enumerate() {
            let (y, first) = ((i / self.words) as u32, (i % self.words * 64) as u32);
            let mut left = word;
            while left != 0 {
                each(first + left.trailing_zeros(), y);
                left &= left - 1;
            }
        }
    }

    fn row(&self, y: u32) -> &[u64] {
        &self.bits[y as usize * self.words..][..self.words]
    }

    /// Longest run in row `y` of cells whose bit is that of `kind` (all ones or all zeros).
    fn longest_run(&self, y: u32, kind: u64) -> u32 {
        let (mut longest, mut run) = (0, 0);
        let mut x = 0;
        for &word in self.row(y) {
            let mut bits = word ^ !kind;
            let mut left = 64.min(self.width - x);
            x += left;
            while left > 0 {
                let ones = bits.trailing_ones().min(left);
                run += ones;
                longest = longest.max(run);
                left -= ones;
                if left == 0 {
                    break;
                }
                run = 0;
                bits = bits.checked_shr(ones).unwrap_or(0);
                let zeros = bits.trailing_zeros().min(left);
                left -= zeros;
                bits = bits.checked_shr(zeros).unwrap_or(0);
            }
        }
        longest
    }

    /// First cell of the run of taken cells in row `y` that `x` is in.
    fn run_start(&self, x: u32, y: u32) -> u32 {
        let row = self.row(y);
        let mut word = (x / 64) as usize;
        // Bits of this word up to x, moved to the top.
        let mut ones = (row[word] << (63 - x % 64)).leading_ones();
        let mut start = x + 1 - ones.min(x % 64 + 1);
        while start.is_multiple_of(64) && word > 0 {
            word -= 1;
            ones = row[word].leading_ones();
            start -= ones;
            if ones < 64 {
                break;
            }
        }
        start
    }
}

/// An image that charts are put into.
pub struct Search {
    image: Mask,
    /// Longest run of free cells in each row.
    free: Vec<u32>,
}

impl Search {
    /// An empty image.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            image: Mask::empty(width, height),
            free: vec![width; height as usize],
        }
    }

    /// The lowest, then leftmost place of `mask` whose top is not above row `highest`.
    pub fn lowest(&self, mask: &Mask, highest: u32) -> Option<(u32, u32)> {
        if mask.width > self.image.width {
            return None;
        }
        let last_y = highest.min(self.image.height).checked_sub(mask.height)?;
        // The row that was in the way last is likely in the way again.
        let mut suspect = 0;
        for y in 0..=last_y {
            let free = &self.free[y as usize..];
            if mask.longest.iter().zip(free).any(|(l, f)| l > f) {
                continue;
            }
            let mut x = 0;
            while x <= self.image.width - mask.width {
                let hit = (suspect..mask.height)
                    .chain(0..suspect)
                    .find_map(|r| self.hit(mask, r, x, y).map(|next| (r, next)));
                match hit {
                    None => return Some((x, y)),
                    Some((r, next)) => (suspect, x) = (r, next),
                }
            }
        }
        None
    }

    /// None when row `r` of the mask is free with the mask at `(x, y)`; else the next `x` at which
    /// it is not stopped by the same cell.
    fn hit(&self, mask: &Mask, r: u32, x: u32, y: u32) -> Option<u32> {
        let (word, shift) = ((x / 64) as usize, x % 64);
        let under = &self.image.row(y + r)[word..];
        let mut carry = 0;
        for (i, (&m, &taken)) in mask.row(r).iter().zip(under).enumerate() {
            let both = (m << shift | carry) & taken;
            carry = if shift == 0 { 0 } else { m >> (64 - shift) };
            if both != 0 {
                let p = ((word + i) * 64) as u32 + 63 - both.leading_zeros();
                return Some(p - mask.run_start(p - x, r) + 1);
            }
        }
        None
    }

    /// Puts the mask at `(x, y)`.
    pub fn take(&mut self, mask: &Mask, x: u32, y: u32) {
        mask.cells(|h, v| self.image.set(x + h, y + v));
        for row in y..y + mask.height {
            self.free[row as usize] = self.image.longest_run(row, 0);
        }
    }
}

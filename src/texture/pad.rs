//! Filling what no chart covers, so that filtering and mip maps find no seam.

use super::BakedChunk;
use crate::progress::{Cancelled, Job};

/// Which texels hold something.
pub(super) struct Coverage {
    width: usize,
    /// 1 where covered, row by row.
    pub texels: Vec<u8>,
}

impl Coverage {
    pub(super) fn new(width: u32, height: u32) -> Self {
        Self {
            width: width as usize,
            texels: vec![0; width as usize * height as usize],
        }
    }
}

/// Grows the charts by `radius` texels (eight neighbours, rows first: a fixed order) and fills
/// the rest with the mean of the charts.
pub(super) fn pad(
    image: &mut BakedChunk,
    coverage: &Coverage,
    radius: u32,
    job: &Job,
) -> Result<(), Cancelled> {
    let (mean, any) = mean(image, coverage);
    let width = coverage.width;
    let mut filled = coverage.texels.clone();
    // The first ring: empty texels beside covered ones; each next ring lies around the last.
    let mut ring = Vec::new();
    for i in (0..filled.len()).filter(|&i| filled[i] == 0) {
        if let Some(from) = neighbours(i, width, filled.len()).find(|&n| coverage.texels[n] != 0) {
            ring.push((i, from));
        }
    }
    for _ in 0..radius {
        job.check()?;
        for &(to, from) in &ring {
            image.copy(to, from);
            filled[to] = 1;
        }
        let mut next = Vec::new();
        for &(near, _) in &ring {
            for i in neighbours(near, width, filled.len()) {
                if filled[i] == 0 {
                    filled[i] = 2;
                    next.push((i, near));
                }
            }
        }
        ring = next;
    }
    for &(to, _) in &ring {
        filled[to] = 0;
    }
    job.check()?;
    let Some(mean) = any.then_some(mean) else {
        image.fill_flat();
        return Ok(());
    };
    for (i, _) in filled.iter().enumerate().filter(|(_, f)| **f == 0) {
        image.albedo[3 * i..3 * i + 3].copy_from_slice(&mean.0);
        image.normal[3 * i..3 * i + 3].copy_from_slice(&[128, 128, 255]);
        image.roughness[i] = mean.1;
    }
    Ok(())
}

/// Mean colour and roughness of the covered texels, and whether there are any.
fn mean(image: &BakedChunk, coverage: &Coverage) -> (([u8; 3], u8), bool) {
    let mut sum = [0u64; 4];
    let mut count = 0u64;
    let texels = image
        .albedo
        .chunks_exact(3)
        .zip(&image.roughness)
        .zip(&coverage.texels);
    for ((a, &r), &covered) in texels {
        let covered = u64::from(covered);
        count += covered;
        for (sum, v) in sum.iter_mut().zip([a[0], a[1], a[2], r]) {
            *sum += covered * u64::from(v);
        }
    }
    let [r, g, b, rough] = sum.map(|s| ((s + count / 2) / count.max(1)) as u8);
    (([r, g, b], rough), count > 0)
}

/// The texels around `i`, those that share an edge first.
fn neighbours(i: usize, width: usize, len: usize) -> impl Iterator<Item = usize> {
    let x = i % width;
    let (left, right) = (x > 0, x + 1 < width);
    let (above, below) = (i >= width, i + width < len);
    [
        (above, i.wrapping_sub(width)),
        (left, i.wrapping_sub(1)),
        (right, i + 1),
        (below, i + width),
        (above && left, i.wrapping_sub(width + 1)),
        (above && right, i.wrapping_sub(width).wrapping_add(1)),
        (below && left, (i + width).wrapping_sub(1)),
        (below && right, i + width + 1),
    ]
    .into_iter()
    .filter_map(|(there, n)| there.then_some(n))
}

impl BakedChunk {
    fn copy(&mut self, to: usize, from: usize) {
        self.albedo.copy_within(3 * from..3 * from + 3, 3 * to);
        self.normal.copy_within(3 * from..3 * from + 3, 3 * to);
        self.roughness[to] = self.roughness[from];
    }

    /// No chart at all: plain grey.
    fn fill_flat(&mut self) {
        self.albedo.fill(102);
        self.roughness.fill(204);
        for n in self.normal.chunks_exact_mut(3) {
            n.copy_from_slice(&[128, 128, 255]);
        }
    }
}

//! Which layers a place shows, and how moist it is.

use super::vector::{V8, add, times};
use crate::noise::{F8, I8, perlin_grad_call};
use crate::terrain::{LayerId, TerrainWindow};

/// Weights of all layers at eight places.
pub(super) struct Blend<'a> {
    window: &'a TerrainWindow,
    layers: usize,
    /// Cell edge over blending width: how much steeper than trilinear.
    sharpness: f32,
    key: u32,
    /// The window's cells as they are looked up.
    cells: Vec<Cell>,
}

/// A cell in one place in memory.
#[derive(Clone, Copy)]
struct Cell {
    /// Layer; `NONE` also for one that the set does not have.
    layer: LayerId,
    moisture: u8,
    /// The one layer of the 4 × 4 × 4 cells around, or `MIXED`.
    near: LayerId,
}

/// Beyond the window.
const NOWHERE: Cell = Cell {
    layer: TerrainWindow::NONE,
    moisture: 0,
    near: MIXED,
};

/// More than one layer, or none.
const MIXED: LayerId = TerrainWindow::NONE;

/// The farthest that places are looked up beside themselves, cells: within `near`.
const ASIDE: f32 = 0.95;

/// The eight cells around each of eight places.
struct Corners {
    /// `Cell::near` of the lowest corner.
    near: [LayerId; 8],
    cells: [[LayerId; 8]; 8],
    moisture: [[u8; 8]; 8],
    weight: [F8; 8],
}

impl<'a> Blend<'a> {
    pub(super) fn new(window: &'a TerrainWindow, layers: usize, blend_m: f32, key: u32) -> Self {
        let sharpness = (window.cell_m / blend_m.max(1e-3)).max(1.0);
        Self {
            window,
            layers,
            sharpness,
            key,
            cells: cells(window, layers),
        }
    }

    /// Writes a weight per layer (sum 1) and returns the moisture, 0–1.
    ///
    /// Layers are looked up a little beside `p`, so that borders do not follow the cells.
    #[inline(always)]
    pub(super) fn at(&self, p: V8, weights: &mut [F8]) -> F8 {
        weights.fill(F8::ZERO);
        let corners = self.corners(p);
        let moisture = corners.moisture();
        let near = corners.near;
        if near.iter().all(|&l| l == near[0]) && usize::from(near[0]) < self.layers {
            weights[usize::from(near[0])] = F8::ONE;
            return moisture;
        }
        let cell = self.window.cell_m;
        let (_, coarse) = self.wander(0, p, 0.7 / cell);
        let (_, fine) = self.wander(1, p, 2.7 / cell);
        let aside = add(times(coarse, 0.24 * cell), times(fine, 0.07 * cell))
            .map(|d| d.clamp(-ASIDE * cell, ASIDE * cell));
        let corners = self.corners(add(p, aside));
        for (c, cells) in corners.cells.iter().enumerate() {
            for (lane, &layer) in cells.iter().enumerate() {
                if let Some(w) = weights.get_mut(usize::from(layer)) {
                    w.0[lane] += corners.weight[c].0[lane];
                }
            }
        }
        let mut most = F8::ZERO;
        for w in weights.iter() {
            most = most.max(*w);
        }
        self.fill_unknown(p, most, weights);
        let mut sum = F8::ZERO;
        for w in weights.iter_mut() {
            let known = w.gt(F8::ZERO);
            *w = known
                .select((*w - most) * self.sharpness + 1.0, F8::ZERO)
                .max(F8::ZERO);
            sum = sum + *w;
        }
        let share = F8::ONE / sum.max(F8::splat(1e-6));
        for w in weights.iter_mut() {
            *w = *w * share;
        }
        moisture
    }

    #[inline(always)]
    fn wander(&self, i: u32, p: V8, frequency: f32) -> (F8, V8) {
        perlin_grad_call(self.key.wrapping_add(i), &times(p, frequency))
    }

    #[inline(always)]
    fn corners(&self, p: V8) -> Corners {
        let window = self.window;
        let inverse = 1.0 / window.cell_m;
        let mut low = [I8::splat(0); 3];
        let mut part = [F8::ZERO; 3];
        for axis in 0..3 {
            let last = window.size[axis].max(1) as f32 - 1.0;
            let at = ((p[axis] - window.origin[axis]) * inverse).clamp(0.0, last);
            let (_, int) = at.min(F8::splat((last - 0.5).max(0.0))).floor_int();
            low[axis] = int;
            part[axis] = at - int.to_f();
        }
        let strides = [1, window.size[0], window.size[0] * window.size[1]];
        let step: [usize; 3] = std::array::from_fn(|axis| {
            if window.size[axis] > 1 {
                strides[axis]
            } else {
                0
            }
        });
        let offsets: [usize; 8] = std::array::from_fn(|c| {
            (c & 1) * step[0] + (c >> 1 & 1) * step[1] + (c >> 2) * step[2]
        });
        let mut corners = Corners {
            near: [MIXED; 8],
            cells: [[TerrainWindow::NONE; 8]; 8],
            moisture: [[0; 8]; 8],
            weight: [F8::ZERO; 8],
        };
        for lane in 0..8 {
            let at = |axis: usize| low[axis].0[lane] as usize * strides[axis];
            let base = at(0) + at(1) + at(2);
            for (c, offset) in offsets.iter().enumerate() {
                let cell = self.cells.get(base + offset).copied().unwrap_or(NOWHERE);
                corners.cells[c][lane] = cell.layer;
                corners.moisture[c][lane] = cell.moisture;
                if c == 0 {
                    corners.near[lane] = cell.near;
                }
            }
        }
        for c in 0..8 {
            let side = |axis: usize| {
                if c >> axis & 1 == 1 {
                    part[axis]
                } else {
                    F8::ONE - part[axis]
                }
            };
            let mut there = F8::ZERO;
            for (t, &layer) in there.0.iter_mut().zip(&corners.cells[c]) {
                *t = if layer == TerrainWindow::NONE {
                    0.0
                } else {
                    1.0
                };
            }
            corners.weight[c] = side(0) * side(1) * side(2) * there;
        }
        corners
    }

    /// Where all eight cells are unknown: the nearest known cell, or the first layer.
    fn fill_unknown(&self, p: V8, most: F8, weights: &mut [F8]) {
        for lane in 0..8 {
            if most.0[lane] <= 0.0 {
                let layer = self.nearest([p[0].0[lane], p[1].0[lane], p[2].0[lane]]);
                if let Some(w) = weights.get_mut(usize::from(layer)) {
                    w.0[lane] = 1.0;
                }
            }
        }
    }

    /// Layer of the nearest known cell within two cells of `p`; 0 if there is none.
    fn nearest(&self, p: [f32; 3]) -> LayerId {
        let window = self.window;
        let at: [f32; 3] = std::array::from_fn(|i| (p[i] - window.origin[i]) / window.cell_m);
        let mut best = (f32::MAX, 0);
        let range = |axis: usize| -> std::ops::Range<i64> {
            let middle = at[axis].round() as i64;
            middle.saturating_sub(2).max(0)..middle.saturating_add(3).min(window.size[axis] as i64)
        };
        for z in range(2) {
            for y in range(1) {
                for x in range(0) {
                    let i =
                        x as usize + window.size[0] * (y as usize + window.size[1] * z as usize);
                    let layer = window.cells.get(i).copied().unwrap_or(TerrainWindow::NONE);
                    let d = [x as f32 - at[0], y as f32 - at[1], z as f32 - at[2]];
                    let square = d.iter().map(|d| d * d).sum();
                    if usize::from(layer) < self.layers && square < best.0 {
                        best = (square, layer);
                    }
                }
            }
        }
        best.1
    }
}

/// The layer of the 4 × 4 × 4 cells from one below to two above each cell, if it is only one;
/// unknown cells do not count.
fn near(window: &TerrainWindow) -> Vec<LayerId> {
    let mut near = window.cells.clone();
    let [nx, ny, nz] = window.size;
    if near.len() != nx * ny * nz {
        return Vec::new();
    }
    // One axis after the other. Unknown is `NONE`; `CLASH` marks two layers until the end.
    const CLASH: LayerId = LayerId::MAX - 1;
    for (stride, count) in [(1, nx), (nx, ny), (nx * ny, nz)] {
        let before = near.clone();
        for (i, cell) in near.iter_mut().enumerate() {
            let at = i / stride % count;
            for j in at.saturating_sub(1)..(at + 3).min(count) {
                let other = before[i + j * stride - at * stride];
                *cell = match (*cell, other) {
                    (a, TerrainWindow::NONE) => a,
                    (TerrainWindow::NONE, b) => b,
                    (a, b) if a == b => a,
                    _ => CLASH,
                };
            }
        }
    }
    for cell in near.iter_mut().filter(|c| **c == CLASH) {
        *cell = MIXED;
    }
    near
}

/// The cells of a window that is as large as it says; none of any other.
fn cells(window: &TerrainWindow, layers: usize) -> Vec<Cell> {
    let near = near(window);
    let known = |l: LayerId| {
        if usize::from(l) < layers {
            l
        } else {
            TerrainWindow::NONE
        }
    };
    near.iter()
        .zip(&window.cells)
        .zip(&window.moisture)
        .map(|((&near, &layer), &moisture)| Cell {
            layer: known(layer),
            moisture,
            near,
        })
        .collect()
}

impl Corners {
    /// Weighted mean of the moisture, 0–1; 0 where all corners are unknown.
    #[inline(always)]
    fn moisture(&self) -> F8 {
        let (mut total, mut weight) = (F8::ZERO, F8::ZERO);
        for c in 0..8 {
            let mut moisture = F8::ZERO;
            for (to, &from) in moisture.0.iter_mut().zip(&self.moisture[c]) {
                *to = f32::from(from);
            }
            total = total + moisture * self.weight[c];
            weight = weight + self.weight[c];
        }
        total / (weight.max(F8::splat(1e-6)) * 255.0)
    }
}

//! Which block belongs to which chunk, told from the field without polygons.
//!
//! A grid of boxes of whole blocks lies over the cave. A box that holds little of the wall joins
//! the neighbour it shares most wall with, rather than get textures of its own. Wall areas are
//! estimated from few samples of the smooth field (a smeared delta function: the area is the
//! integral of δ(d) where |∇d| = 1; Engquist, Tornberg & Tsai 2005, §2), so that a chunk
//! can be made without the rest of the cave. The outermost boxes reach on without end.

use super::block::polygonise;
use super::topology;
use crate::config::{Config, SurfaceConfig};
use crate::field::{BLOCK, CaveField, Detail};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A box with less than this share of the mean wall joins a neighbour.
const SLIVER: f64 = 0.25;
/// Edge of a chunk when it is chosen by plume, voxels.
pub const AUTO_VOXELS: f64 = 96.0;
/// Samples along the edge of a block.
const SAMPLES: usize = 2;
/// Blocks polygonised to learn how much wall relief adds to the estimate.
const PROBES: usize = 96;
/// Share of the fullest image that the estimated wall would cover without padding; packing reaches
/// more.
const EXPECTED_FILL: f64 = 0.66;
/// Edge of a chart that is about as large as charts are, as a share of the image's edge.
const CHART_SHARE: f64 = 0.13;

/// How a cave is cut into chunks.
#[derive(Clone, Debug)]
pub struct ChunkPlan {
    /// Chunks, ordered by index.
    pub chunks: Vec<PlannedChunk>,
    /// Pixels per metre of the textures of all chunks.
    pub texels_per_m: f32,
}

/// One chunk before it is made.
#[derive(Clone, Debug)]
pub struct PlannedChunk {
    /// Index of its first box along x, y, z, from 0.
    pub index: [i32; 3],
    /// Blocks that may hold its wall, ascending, box by box.
    pub boxes: Vec<Vec<[i32; 3]>>,
    /// Estimated wall, square metres.
    pub area_m2: f64,
}

/// Plans the chunks of a cave of `levels` levels.
pub fn plan(field: &CaveField, levels: u32, config: &Config) -> ChunkPlan {
    let blocks: Vec<[i32; 3]> = field.blocks().collect();
    let areas: Vec<f64> = blocks.par_iter().map(|&b| wall_area(field, b)).collect();
    let walls = || (0..blocks.len()).filter(|&i| areas[i] > 0.0);
    let Some(first) = walls().next() else {
        return ChunkPlan {
            chunks: Vec::new(),
            texels_per_m: 1.0,
        };
    };
    let mut grid = Grid {
        low: blocks[first],
        high: blocks[first],
        size: [1; 3],
    };
    for i in walls() {
        grid.low = std::array::from_fn(|a| grid.low[a].min(blocks[i][a]));
        grid.high = std::array::from_fn(|a| grid.high[a].max(blocks[i][a]));
    }
    grid.size = grid.box_blocks(field.voxel_m(), levels, &config.surface);

    let mut boxes: BTreeMap<[i32; 3], Vec<usize>> = BTreeMap::new();
    for (i, &block) in blocks.iter().enumerate() {
        boxes.entry(grid.cell(block)).or_default().push(i);
    }
    let homes = merge_slivers(&boxes, &blocks, &areas, &grid);
    let mut chunks: BTreeMap<[i32; 3], PlannedChunk> = BTreeMap::new();
    for (cell, list) in boxes {
        let mut own: Vec<[i32; 3]> = list.iter().map(|&i| blocks[i]).collect();
        own.sort_unstable();
        let index = homes[&cell];
        let chunk = chunks.entry(index).or_insert_with(|| PlannedChunk {
            index,
            boxes: Vec::new(),
            area_m2: 0.0,
        });
        chunk.boxes.push(own);
        chunk.area_m2 += list.iter().map(|&i| areas[i]).sum::<f64>();
    }
    let probes: Vec<usize> = walls().collect();
    let share = relief_share(field, &blocks, &areas, &probes);
    let mut chunks: Vec<PlannedChunk> = chunks.into_values().collect();
    chunks.iter_mut().for_each(|c| c.area_m2 *= share);
    let largest = chunks.iter().map(|c| c.area_m2).fold(1e-6, f64::max);
    let size_px = f64::from(config.texture.size_px);
    let chart_px = CHART_SHARE * size_px;
    let padded = chart_px / (chart_px + f64::from(config.texture.padding_px) + 2.0);
    let texels_per_m = size_px * padded * (EXPECTED_FILL / largest).sqrt();
    ChunkPlan {
        chunks,
        texels_per_m: texels_per_m as f32,
    }
}

/// Wall of the smooth field in a block, by estimate, square metres.
fn wall_area(field: &CaveField, block: [i32; 3]) -> f64 {
    const N: usize = SAMPLES * SAMPLES * SAMPLES;
    let step = field.voxel_m() * (BLOCK / SAMPLES) as f64;
    let at = |axis: usize, i: usize| {
        let low = f64::from(block[axis]) * BLOCK as f64 * field.voxel_m();
        (low + (i as f64 + 0.5) * step) as f32
    };
    let (mut x, mut y, mut z, mut d) = ([0.0; N], [0.0; N], [0.0; N], [0.0; N]);
    for i in 0..N {
        x[i] = at(0, i % SAMPLES);
        y[i] = at(1, i / SAMPLES % SAMPLES);
        z[i] = at(2, i / (SAMPLES * SAMPLES));
    }
    field.fill(block, &x, &y, &z, Detail::Smooth, &mut d);
    // A hat of width `step` on either side, times the volume of a sample.
    let hat = |d: f32| (1.0 - (f64::from(d) / step).abs()).max(0.0);
    d.iter().map(|&d| hat(d)).sum::<f64>() * step * step
}

/// True wall over estimated wall, from blocks spread evenly over the cave.
fn relief_share(field: &CaveField, blocks: &[[i32; 3]], areas: &[f64], walls: &[usize]) -> f64 {
    let count = PROBES.min(walls.len());
    let pairs: Vec<(f64, f64)> = (0..count)
        .into_par_iter()
        .map(|n| {
            let i = walls[n * walls.len() / count];
            let area = polygonise(field, blocks[i]).map_or(0.0, |mesh| {
                mesh.triangles
                    .iter()
                    .map(|&t| topology::area(&mesh.positions, t))
                    .sum()
            });
            (area, areas[i])
        })
        .collect();
    let (found, told) = pairs
        .iter()
        .fold((0.0, 0.0), |(a, b), p| (a + p.0, b + p.1));
    if found > 0.0 { found / told } else { 1.0 }
}

/// The boxes over a cave.
struct Grid {
    /// Lowest block that holds wall.
    low: [i32; 3],
    /// Highest.
    high: [i32; 3],
    /// Blocks in a box.
    size: [i32; 3],
}

impl Grid {
    fn box_blocks(&self, voxel_m: f64, levels: u32, config: &SurfaceConfig) -> [i32; 3] {
        let extent: [i32; 3] = std::array::from_fn(|a| self.high[a] - self.low[a] + 1);
        let divide = |blocks: i32, parts: i32| (blocks + parts - 1) / parts.max(1);
        if config.divisions > 0 {
            let n = config.divisions as i32;
            let up = if levels > 1 { n } else { 1 };
            return [
                divide(extent[0], n),
                divide(extent[1], n),
                divide(extent[2], up),
            ];
        }
        let block_m = voxel_m * BLOCK as f64;
        let wanted = config.chunk_m.value().unwrap_or(AUTO_VOXELS * voxel_m) / block_m;
        extent.map(|e| {
            // Equal parts, as near to the wanted size as whole blocks allow.
            let parts = (f64::from(e) / wanted).round().max(1.0) as i32;
            divide(e, parts).max(1)
        })
    }

    /// The box of a block.
    fn cell(&self, block: [i32; 3]) -> [i32; 3] {
        std::array::from_fn(|a| {
            (block[a].clamp(self.low[a], self.high[a]) - self.low[a]) / self.size[a]
        })
    }
}

/// For each box, the one whose chunk it is part of.
fn merge_slivers(
    boxes: &BTreeMap<[i32; 3], Vec<usize>>,
    blocks: &[[i32; 3]],
    areas: &[f64],
    grid: &Grid,
) -> BTreeMap<[i32; 3], [i32; 3]> {
    let at: BTreeMap<[i32; 3], usize> = blocks.iter().enumerate().map(|(i, &b)| (b, i)).collect();
    let mut wall: BTreeMap<[i32; 3], f64> = boxes
        .iter()
        .map(|(&cell, list)| (cell, list.iter().map(|&i| areas[i]).sum()))
        .collect();
    // Wall along the borders between chunks, both ways; boxes without wall share next to none.
    let mut shared: BTreeMap<[i32; 3], BTreeMap<[i32; 3], f64>> = BTreeMap::new();
    for (i, &block) in blocks.iter().enumerate() {
        for axis in 0..3 {
            let mut beside = block;
            beside[axis] += 1;
            let Some(&j) = at.get(&beside) else { continue };
            let (a, b) = (grid.cell(block), grid.cell(beside));
            if a != b {
                let border = areas[i].min(areas[j]) + 1e-9;
                *shared.entry(a).or_default().entry(b).or_default() += border;
                *shared.entry(b).or_default().entry(a).or_default() += border;
            }
        }
    }
    let filled = wall.values().filter(|&&a| a > 0.0).count();
    let least = SLIVER * wall.values().sum::<f64>() / filled.max(1) as f64;
    let mut home: BTreeMap<[i32; 3], [i32; 3]> = boxes.keys().map(|&k| (k, k)).collect();
    while let Some((&small, _)) = wall
        .iter()
        .filter(|(cell, area)| **area < least && shared.get(*cell).is_some_and(|s| !s.is_empty()))
        .min_by(|a, b| a.1.total_cmp(b.1))
    {
        let borders = shared.remove(&small).unwrap_or_default();
        let Some((&into, _)) = borders.iter().max_by(|a, b| a.1.total_cmp(b.1)) else {
            break;
        };
        let area = wall.remove(&small).unwrap_or_default();
        *wall.entry(into).or_default() += area;
        for (other, border) in borders {
            if let Some(list) = shared.get_mut(&other) {
                list.remove(&small);
            }
            if other != into {
                *shared.entry(into).or_default().entry(other).or_default() += border;
                *shared.entry(other).or_default().entry(into).or_default() += border;
            }
        }
        for target in home.values_mut().filter(|t| **t == small) {
            *target = into;
        }
    }
    home
}

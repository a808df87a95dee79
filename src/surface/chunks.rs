//! Which block belongs to which chunk.
//!
//! Chunks are boxes of whole blocks. One that holds little of the surface joins the neighbour it
//! shares most of its border with, rather than get textures of its own.

use super::block::BlockMesh;
use crate::config::SurfaceConfig;
use crate::field::BLOCK;
use std::collections::BTreeMap;

/// A chunk with less than this share of the mean surface joins a neighbour.
const SLIVER: f64 = 0.25;
/// Edge of a chunk when it is chosen by plume, voxels.
pub const AUTO_VOXELS: f64 = 96.0;

/// Blocks of one chunk, by index into the list of blocks.
pub struct ChunkPlan {
    /// Grid index, counted from the lowest chunk of the cave.
    pub index: [i32; 3],
    /// Its blocks, ascending.
    pub blocks: Vec<usize>,
}

/// Deals the blocks out to chunks, ordered by index.
pub fn plan(
    blocks: &[BlockMesh],
    voxel_m: f64,
    levels: u32,
    config: &SurfaceConfig,
) -> Vec<ChunkPlan> {
    let Some((low, high)) = bounds(blocks) else {
        return Vec::new();
    };
    let size = chunk_blocks(low, high, voxel_m, levels, config);
    let mut by_index: BTreeMap<[i32; 3], Vec<usize>> = BTreeMap::new();
    let cell =
        |block: [i32; 3]| -> [i32; 3] { std::array::from_fn(|a| (block[a] - low[a]) / size[a]) };
    for (i, b) in blocks.iter().enumerate() {
        by_index.entry(cell(b.block)).or_default().push(i);
    }
    merge_slivers(&mut by_index, blocks, &cell);
    by_index
        .into_iter()
        .map(|(index, mut blocks)| {
            blocks.sort_unstable();
            ChunkPlan { index, blocks }
        })
        .collect()
}

fn bounds(blocks: &[BlockMesh]) -> Option<([i32; 3], [i32; 3])> {
    let first = blocks.first()?.block;
    Some(blocks.iter().fold((first, first), |(low, high), b| {
        (
            std::array::from_fn(|a| low[a].min(b.block[a])),
            std::array::from_fn(|a| high[a].max(b.block[a])),
        )
    }))
}

fn chunk_blocks(
    low: [i32; 3],
    high: [i32; 3],
    voxel_m: f64,
    levels: u32,
    config: &SurfaceConfig,
) -> [i32; 3] {
    let extent: [i32; 3] = std::array::from_fn(|a| high[a] - low[a] + 1);
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

fn merge_slivers(
    by_index: &mut BTreeMap<[i32; 3], Vec<usize>>,
    blocks: &[BlockMesh],
    cell: &impl Fn([i32; 3]) -> [i32; 3],
) {
    let triangles: usize = blocks.iter().map(|b| b.triangles.len()).sum();
    let least = SLIVER * triangles as f64 / by_index.len() as f64;
    let at: BTreeMap<[i32; 3], usize> = blocks
        .iter()
        .enumerate()
        .map(|(i, b)| (b.block, i))
        .collect();
    // Where a grid cell's blocks went, for cells that were merged.
    let mut home: BTreeMap<[i32; 3], [i32; 3]> = by_index.keys().map(|&k| (k, k)).collect();
    let weight = |list: &[usize]| {
        list.iter()
            .map(|&i| blocks[i].triangles.len())
            .sum::<usize>()
    };
    loop {
        let Some((&small, _)) = by_index
            .iter()
            .filter(|(_, list)| (weight(list) as f64) < least)
            .min_by_key(|(_, list)| weight(list))
        else {
            return;
        };
        let mut shared: BTreeMap<[i32; 3], usize> = BTreeMap::new();
        for &i in &by_index[&small] {
            for (axis, step) in [(0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (2, 1)] {
                let mut beside = blocks[i].block;
                beside[axis] += step;
                let Some(&j) = at.get(&beside) else { continue };
                let other = home[&cell(beside)];
                if other != small {
                    let border = blocks[i].triangles.len().min(blocks[j].triangles.len());
                    *shared.entry(other).or_default() += border;
                }
            }
        }
        let Some((&into, _)) = shared.iter().max_by_key(|&(_, n)| n) else {
            return;
        };
        let moved = by_index.remove(&small).unwrap_or_default();
        by_index.entry(into).or_default().extend(moved);
        for target in home.values_mut() {
            if *target == small {
                *target = into;
            }
        }
    }
}

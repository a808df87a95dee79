//! The dense surface of one chunk: its blocks welded, loose crumbs taken out.
//!
//! A crumb is a closed piece of surface within two blocks along each axis. That is asked of the
//! piece alone: every chunk that holds a part of it finds the whole of it within a block around,
//! and so decides alike without the rest of the cave.

use super::block::{BlockMesh, polygonise};
use super::chunks::PlannedChunk;
use super::mesh::TriMesh;
use super::topology;
use crate::field::CaveField;
use crate::sets::Sets;
use rayon::prelude::*;
use std::ops::Range;

/// Blocks along an axis that a crumb may touch.
const CRUMB_BLOCKS: i32 = 2;

/// The dense surface of one chunk.
pub struct Shell {
    /// Key of each vertex; the same point has the same key in every chunk.
    pub keys: Vec<u64>,
    /// The mesh.
    pub mesh: TriMesh,
    /// Triangles of each of the chunk's boxes.
    pub boxes: Vec<Range<usize>>,
    /// For each vertex, a vertex that stands for its connected piece.
    pub pieces: Vec<u32>,
    /// Crumbs left out.
    pub crumbs: usize,
}

/// Makes the shell of a chunk.
pub fn shell(field: &CaveField, chunk: &PlannedChunk) -> Shell {
    let meshes: Vec<Vec<BlockMesh>> = chunk
        .boxes
        .par_iter()
        .map(|blocks| {
            blocks
                .par_iter()
                .flat_map_iter(|&b| polygonise(field, b))
                .collect()
        })
        .collect();
    let mut ends = vec![0];
    for list in &meshes {
        let count: usize = list.iter().map(|b| b.triangles.len()).sum();
        ends.push(ends[ends.len() - 1] + count);
    }
    let all: Vec<&BlockMesh> = meshes.iter().flatten().collect();
    let welded = Welded::of(&all);
    let crumbs = welded.crumbs(|low, high| {
        let mut around = Vec::new();
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    around.extend(polygonise(field, [x, y, z]));
                }
            }
        }
        around
    });
    let boxes = ends.windows(2).map(|w| w[0]..w[1]).collect();
    let mut shell = Shell {
        keys: welded.keys,
        mesh: welded.mesh,
        boxes,
        pieces: welded.pieces,
        crumbs: crumbs.len(),
    };
    shell.drop_pieces(&crumbs);
    shell
}

impl Shell {
    /// Removes pieces, given by the vertices that stand for them, ascending.
    pub fn drop_pieces(&mut self, pieces: &[u32]) {
        if pieces.is_empty() {
            return;
        }
        let gone = |i: u32| pieces.binary_search(&self.pieces[i as usize]).is_ok();
        let mut kept = Vec::with_capacity(self.mesh.triangles.len());
        let mut boxes = Vec::with_capacity(self.boxes.len());
        for range in &self.boxes {
            let start = kept.len();
            let all = self.mesh.triangles[range.clone()].iter();
            kept.extend(all.filter(|t| !gone(t[0])).copied());
            boxes.push(start..kept.len());
        }
        self.mesh.triangles = kept;
        self.boxes = boxes;
        let used = super::compact::compact(&mut self.mesh);
        let new = |old: u32| used.binary_search(&old).unwrap_or_default() as u32;
        self.pieces = used.iter().map(|&i| new(self.pieces[i as usize])).collect();
        self.keys = used.iter().map(|&i| self.keys[i as usize]).collect();
    }
}

/// Blocks with common vertices.
struct Welded {
    keys: Vec<u64>,
    mesh: TriMesh,
    /// Lowest vertex of each vertex's piece.
    pieces: Vec<u32>,
    /// Block of each triangle.
    blocks: Vec<[i32; 3]>,
}

impl Welded {
    fn of(blocks: &[&BlockMesh]) -> Self {
        let mut vertices: Vec<(u64, [f32; 3])> = blocks
            .iter()
            .flat_map(|b| b.keys.iter().copied().zip(b.positions.iter().copied()))
            .collect();
        vertices.par_sort_unstable_by_key(|v| v.0);
        vertices.dedup_by_key(|v| v.0);
        let keys: Vec<u64> = vertices.iter().map(|v| v.0).collect();
        let triangles: Vec<[u32; 3]> = blocks
            .par_iter()
            .flat_map_iter(|b| {
                let local: Vec<u32> = b
                    .keys
                    .iter()
                    .map(|k| keys.binary_search(k).unwrap_or_default() as u32)
                    .collect();
                b.triangles
                    .iter()
                    .map(move |t| t.map(|i| local[i as usize]))
            })
            .collect();
        let mut sets = Sets::new(keys.len());
        for t in &triangles {
            sets.join(t[0] as usize, t[1] as usize);
            sets.join(t[0] as usize, t[2] as usize);
        }
        let pieces = (0..keys.len()).map(|i| sets.find(i) as u32).collect();
        Self {
            keys,
            mesh: TriMesh {
                positions: vertices.into_iter().map(|v| v.1).collect(),
                triangles,
            },
            pieces,
            blocks: blocks
                .iter()
                .flat_map(|b| std::iter::repeat_n(b.block, b.triangles.len()))
                .collect(),
        }
    }

    /// Lowest and highest block of each piece, by piece; pieces ascend.
    fn extents(&self) -> Vec<(u32, [i32; 3], [i32; 3])> {
        let mut roots: Vec<u32> = self.pieces.clone();
        roots.sort_unstable();
        roots.dedup();
        let mut extents: Vec<_> = roots
            .iter()
            .map(|&r| (r, [i32::MAX; 3], [i32::MIN; 3]))
            .collect();
        for (t, block) in self.mesh.triangles.iter().zip(&self.blocks) {
            let piece = self.pieces[t[0] as usize];
            let i = roots.binary_search(&piece).unwrap_or_default();
            let (_, low, high) = &mut extents[i];
            *low = std::array::from_fn(|a| low[a].min(block[a]));
            *high = std::array::from_fn(|a| high[a].max(block[a]));
        }
        extents
    }

    /// Pieces that reach the border of these blocks, ascending.
    fn open(&self) -> Vec<u32> {
        let border = topology::border(&self.mesh.triangles).unwrap_or_default();
        let mut open: Vec<u32> = border.iter().map(|e| self.pieces[e[0] as usize]).collect();
        open.sort_unstable();
        open.dedup();
        open
    }

    /// The crumbs among the pieces, ascending; `around(low, high)` polygonises a box of blocks.
    fn crumbs(&self, around: impl Fn([i32; 3], [i32; 3]) -> Vec<BlockMesh>) -> Vec<u32> {
        let small =
            |low: &[i32; 3], high: &[i32; 3]| (0..3).all(|a| high[a] - low[a] < CRUMB_BLOCKS);
        let mut suspects = self.extents();
        suspects.retain(|(_, low, high)| small(low, high));
        if suspects.is_empty() {
            return Vec::new();
        }
        let open = self.open();
        suspects.retain(|&(piece, low, high)| {
            if open.binary_search(&piece).is_err() {
                return true;
            }
            let spare: [i32; 3] = std::array::from_fn(|a| CRUMB_BLOCKS - 1 - (high[a] - low[a]));
            let from = std::array::from_fn(|a| low[a] - spare[a]);
            let to = std::array::from_fn(|a| high[a] + spare[a]);
            let near = around(from, to);
            let near = Welded::of(&near.iter().collect::<Vec<_>>());
            let key = self.keys[piece as usize];
            let Ok(i) = near.keys.binary_search(&key) else {
                return false;
            };
            let whole = near.pieces[i];
            let extent = near.extents().into_iter().find(|e| e.0 == whole);
            near.open().binary_search(&whole).is_err()
                && extent.is_some_and(|(_, low, high)| small(&low, &high))
        });
        suspects.into_iter().map(|s| s.0).collect()
    }
}

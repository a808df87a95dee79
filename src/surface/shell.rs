//! Blocks welded into chunk shells, and loose crumbs taken out.

use super::block::BlockMesh;
use super::chunks::ChunkPlan;
use super::mesh::TriMesh;
use rayon::prelude::*;

/// The dense surface of one chunk.
pub struct Shell {
    /// Key of each vertex; the same point has the same key in every chunk.
    pub keys: Vec<u64>,
    /// The mesh.
    pub mesh: TriMesh,
}

/// Welds the blocks of every chunk, keeps the piece of surface with the most triangles and
/// returns how many other pieces were dropped.
pub fn weld(blocks: &[BlockMesh], plans: &[ChunkPlan]) -> (Vec<Shell>, usize) {
    let shells: Vec<Shell> = plans
        .par_iter()
        .map(|plan| weld_chunk(blocks, plan))
        .collect();
    keep_largest(shells)
}

fn weld_chunk(blocks: &[BlockMesh], plan: &ChunkPlan) -> Shell {
    let mut vertices: Vec<(u64, [f32; 3])> = plan
        .blocks
        .iter()
        .flat_map(|&b| {
            blocks[b]
                .keys
                .iter()
                .copied()
                .zip(blocks[b].positions.iter().copied())
        })
        .collect();
    vertices.sort_unstable_by_key(|v| v.0);
    vertices.dedup_by_key(|v| v.0);
    let keys: Vec<u64> = vertices.iter().map(|v| v.0).collect();
    let mut triangles = Vec::new();
    for &b in &plan.blocks {
        let local: Vec<u32> = blocks[b]
            .keys
            .iter()
            .map(|k| keys.binary_search(k).unwrap_or_default() as u32)
            .collect();
        triangles.extend(
            blocks[b]
                .triangles
                .iter()
                .map(|t| t.map(|i| local[i as usize])),
        );
    }
    let positions = vertices.into_iter().map(|v| v.1).collect();
    Shell {
        keys,
        mesh: TriMesh {
            positions,
            triangles,
        },
    }
}

fn keep_largest(mut shells: Vec<Shell>) -> (Vec<Shell>, usize) {
    // Global vertex ids: the same key in two chunks is one vertex.
    let mut keys: Vec<u64> = shells.iter().flat_map(|s| s.keys.iter().copied()).collect();
    keys.par_sort_unstable();
    keys.dedup();
    let global: Vec<Vec<u32>> = shells
        .par_iter()
        .map(|s| {
            s.keys
                .iter()
                .map(|k| keys.binary_search(k).unwrap_or_default() as u32)
                .collect()
        })
        .collect();
    let mut pieces = Pieces::new(keys.len());
    for (shell, ids) in shells.iter().zip(&global) {
        for t in &shell.mesh.triangles {
            let [a, b, c] = t.map(|i| ids[i as usize]);
            pieces.join(a, b);
            pieces.join(a, c);
        }
    }
    let mut count = vec![0usize; keys.len()];
    for (shell, ids) in shells.iter().zip(&global) {
        for t in &shell.mesh.triangles {
            count[pieces.root(ids[t[0] as usize]) as usize] += 1;
        }
    }
    let largest = (0..count.len())
        .max_by_key(|&i| (count[i], usize::MAX - i))
        .unwrap_or(0) as u32;
    let dropped = count.iter().filter(|&&n| n > 0).count().saturating_sub(1);
    if dropped > 0 {
        for (shell, ids) in shells.iter_mut().zip(&global) {
            let keep = |t: &[u32; 3]| pieces.find(ids[t[0] as usize]) == largest;
            shell.mesh.triangles.retain(|t| keep(t));
            let used = super::compact::compact(&mut shell.mesh);
            shell.keys = used.iter().map(|&i| shell.keys[i as usize]).collect();
        }
    }
    (shells, dropped)
}

/// Union–find over vertices.
struct Pieces(Vec<u32>);

impl Pieces {
    fn new(n: usize) -> Self {
        Self((0..n as u32).collect())
    }

    fn root(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            self.0[i as usize] = self.0[self.0[i as usize] as usize];
            i = self.0[i as usize];
        }
        i
    }

    fn find(&self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            i = self.0[i as usize];
        }
        i
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

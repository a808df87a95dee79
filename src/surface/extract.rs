//! From the field to finished chunks.

use super::block::{BlockMesh, polygonise};
use super::chunks::{self, ChunkPlan};
use super::mesh::{Chunk, Surface};
use super::shell::{self, Shell};
use super::simplify::{Dense, simplify};
use super::topology;
use super::unwrap::{self, Bare};
use crate::config::Config;
use crate::field::{CaveField, Detail};
use crate::progress::{Cancelled, Job};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Why there is no surface.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// Stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The field has no wall anywhere, or a wall that cannot be closed.
    #[error("the surface is not closed: {0}")]
    NotClosed(String),
}

/// Polygonises the whole wall, cuts it into chunks, simplifies and unwraps them.
pub fn extract(
    field: &CaveField,
    levels: u32,
    config: &Config,
    job: &Job,
) -> Result<Surface, Error> {
    let ids: Vec<[i32; 3]> = field.blocks().collect();
    let done = AtomicU64::new(0);
    // Chunks are simplified and unwrapped after the blocks: count them as a quarter of the work.
    let total = ids.len() as u64 * 5 / 4;
    let blocks: Vec<BlockMesh> = ids
        .par_iter()
        .map(|&id| {
            let n = done.fetch_add(1, Ordering::Relaxed);
            if n.is_multiple_of(64) {
                job.step(n, total)?;
            }
            Ok(polygonise(field, id))
        })
        .collect::<Result<Vec<_>, Cancelled>>()?
        .into_iter()
        .flatten()
        .collect();
    if blocks.is_empty() {
        return Err(Error::NotClosed("no wall was found".to_owned()));
    }
    let plans = chunks::plan(&blocks, field.voxel_m(), levels, &config.surface);
    let (shells, crumbs) = shell::weld(&blocks, &plans);
    if crumbs > 0 {
        job.note(&format!(
            "{crumbs} loose pieces of rock or void were left out of the surface"
        ));
    }
    drop(blocks);
    closed(&shells)?;

    let bare: Vec<Bare> = shells
        .par_iter()
        .map(|s| {
            job.check()?;
            Ok(bare(field, s, config.surface.visual_error_m))
        })
        .collect::<Result<_, Cancelled>>()?;
    job.step(total - 1, total)?;
    let unwrapped = unwrap::unwrap(&bare, config.texture.size_px, config.texture.padding_px);
    job.step(total, total)?;
    let chunks = plans
        .into_iter()
        .zip(shells)
        .zip(unwrapped)
        .filter(|((_, shell), _)| !shell.mesh.triangles.is_empty())
        .map(
            |((ChunkPlan { index, .. }, shell), (visual, atlas))| Chunk {
                index,
                name: format!("{}_{}_{}", index[0], index[1], index[2]),
                shell: shell.mesh,
                visual,
                atlas,
            },
        )
        .collect();
    Ok(Surface {
        voxel_m: field.voxel_m(),
        chunks,
    })
}

/// Every border edge of a chunk must be met by the same edge, the other way round, of another.
fn closed(shells: &[Shell]) -> Result<(), Error> {
    let mut open: Vec<[u64; 2]> = Vec::new();
    for shell in shells {
        let border = topology::border(&shell.mesh.triangles)
            .ok_or_else(|| Error::NotClosed("a chunk is not a manifold".to_owned()))?;
        open.extend(border.iter().map(|e| e.map(|i| shell.keys[i as usize])));
    }
    open.sort_unstable();
    let unmet = open
        .iter()
        .filter(|e| open.binary_search(&[e[1], e[0]]).is_err())
        .count();
    match unmet {
        0 => Ok(()),
        n => Err(Error::NotClosed(format!("{n} open edges"))),
    }
}

fn bare(field: &CaveField, shell: &Shell, error_m: f64) -> Bare {
    let full = normals(field, shell, Detail::Full);
    let base = normals(field, shell, Detail::Smooth);
    let dense = Dense {
        mesh: &shell.mesh,
        normals: &full,
        labels: &[],
    };
    let simple = simplify(&dense, error_m);
    let (normals, base_normals) = (simple.directions(&full), simple.directions(&base));
    Bare {
        mesh: simple.mesh,
        normals,
        base_normals,
    }
}

/// Unit normals toward the void at the vertices of a shell, asked for block by block.
fn normals(field: &CaveField, shell: &Shell, detail: Detail) -> Vec<[f32; 3]> {
    let mut order: Vec<([i32; 3], u32)> = shell
        .keys
        .iter()
        .enumerate()
        .map(|(i, &key)| (super::block::block_of(key), i as u32))
        .collect();
    order.sort_unstable();
    let step = 0.5 * field.voxel_m() as f32;
    let mut out = vec![[0.0; 3]; shell.keys.len()];
    for group in order.chunk_by(|a, b| a.0 == b.0) {
        let points: Vec<[f32; 3]> = group
            .iter()
            .map(|g| shell.mesh.positions[g.1 as usize])
            .collect();
        for (g, n) in group
            .iter()
            .zip(field.normals(group[0].0, &points, step, detail))
        {
            out[g.1 as usize] = n;
        }
    }
    out
}

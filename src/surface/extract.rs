//! From the field to finished chunks.

use super::chunks::{self, ChunkPlan};
use super::lod;
use super::mesh::{Chunk, Surface, TriMesh, VisualMesh};
use super::shell::{self, Shell};
use super::simplify::{Dense, Simplified, simplify};
use super::topology;
use super::unwrap::{self, Bare};
use crate::config::Config;
use crate::field::{CaveField, Detail, Opening};
use crate::progress::{Cancelled, Job};
use crate::sets::Sets;
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
    /// A chunk that the plan does not have.
    #[error(
        "there is no chunk {0} {1} {2}: the cave has {count} chunks, the nearest is {3} {4} {5}",
        asked[0], asked[1], asked[2], nearest[0], nearest[1], nearest[2]
    )]
    NoChunk {
        /// Index asked for.
        asked: [i32; 3],
        /// How many chunks there are.
        count: usize,
        /// Index of the nearest.
        nearest: [i32; 3],
    },
}

/// Cuts the cave into chunks, and makes, simplifies and unwraps each by itself.
pub fn extract(
    field: &CaveField,
    levels: u32,
    config: &Config,
    job: &Job,
) -> Result<Surface, Error> {
    let plan = chunks::plan(field, levels, config);
    let done = AtomicU64::new(0);
    let total = 2 * plan.chunks.len() as u64;
    let step = || job.step(done.fetch_add(1, Ordering::Relaxed), total);
    let mut shells: Vec<Shell> = plan
        .chunks
        .par_iter()
        .map(|chunk| {
            step()?;
            Ok(shell::shell(field, chunk))
        })
        .collect::<Result<_, Cancelled>>()?;
    let crumbs = shells.iter().map(|s| s.crumbs).sum::<usize>() + join(&mut shells, field)?;
    if crumbs > 0 {
        job.note(&format!(
            "{crumbs} loose pieces of rock or void were left out of the surface"
        ));
    }
    let chunks = plan
        .chunks
        .par_iter()
        .zip(shells)
        .filter(|(_, shell)| !shell.mesh.triangles.is_empty())
        .map(|(planned, shell)| {
            step()?;
            Ok(finish(field, &plan, planned.index, shell, config))
        })
        .collect::<Result<_, Cancelled>>()?;
    job.step(total, total)?;
    Ok(Surface {
        voxel_m: field.voxel_m(),
        chunks,
    })
}

/// Makes one chunk without the others: the same as that of [`extract`], to the bit, unless the
/// whole has a loose piece too large to be told from a part of the cave.
///
/// # Errors
/// [`Error::NoChunk`] when there is none of that index, [`Error::NotClosed`] when it has no wall.
pub fn extract_one(
    field: &CaveField,
    levels: u32,
    config: &Config,
    index: [i32; 3],
) -> Result<Chunk, Error> {
    let plan = chunks::plan(field, levels, config);
    extract_planned(field, &plan, config, index)
}

/// The same from a plan made before.
///
/// # Errors
/// As for [`extract_one`].
pub fn extract_planned(
    field: &CaveField,
    plan: &ChunkPlan,
    config: &Config,
    index: [i32; 3],
) -> Result<Chunk, Error> {
    let Some(planned) = plan.chunks.iter().find(|c| c.index == index) else {
        let far = |c: &[i32; 3]| -> i64 {
            let apart = |a: usize| i64::from(c[a]) - i64::from(index[a]);
            (0..3)
                .map(|a| apart(a).saturating_mul(apart(a)))
                .fold(0, i64::saturating_add)
        };
        let nearest = plan.chunks.iter().map(|c| c.index).min_by_key(far);
        return Err(match nearest {
            Some(nearest) => Error::NoChunk {
                asked: index,
                count: plan.chunks.len(),
                nearest,
            },
            None => Error::NotClosed("no wall was found".to_owned()),
        });
    };
    let shell = shell::shell(field, planned);
    if shell.mesh.triangles.is_empty() {
        let [x, y, z] = index;
        return Err(Error::NotClosed(format!("chunk {x} {y} {z} has no wall")));
    }
    Ok(finish(field, plan, index, shell, config))
}

/// Checks that the shells together are closed and of one piece, and drops smaller pieces; returns
/// how many.
///
/// Every border edge must be met by the same edge, the other way round, of another chunk, or lie
/// on an opening; and each opening has such edges.
fn join(shells: &mut [Shell], field: &CaveField) -> Result<usize, Error> {
    let openings: &[Opening] = field.openings();
    let borders: Vec<Vec<[u32; 2]>> = shells
        .par_iter()
        .map(|s| topology::border(&s.mesh.triangles))
        .collect::<Option<_>>()
        .ok_or_else(|| Error::NotClosed("a chunk is not a manifold".to_owned()))?;
    let mut open: Vec<[u64; 2]> = Vec::new();
    let mut found = vec![false; openings.len()];
    for (shell, border) in shells.iter().zip(&borders) {
        for edge in border {
            let ends = edge.map(|i| shell.mesh.positions[i as usize]);
            match openings
                .iter()
                .position(|o| ends.iter().all(|&p| o.holds(p)))
            {
                Some(i) => found[i] = true,
                None => open.push(edge.map(|i| shell.keys[i as usize])),
            }
        }
    }
    if shells.iter().all(|s| s.mesh.triangles.is_empty()) {
        return Err(Error::NotClosed("no wall was found".to_owned()));
    }
    if let Some(i) = found.iter().position(|f| !f) {
        let [x, y, z] = openings[i].centre;
        return Err(Error::NotClosed(format!(
            "the opening at {x:.1} {y:.1} {z:.1} is closed"
        )));
    }
    open.par_sort_unstable();
    let unmet = open
        .iter()
        .filter(|e| open.binary_search(&[e[1], e[0]]).is_err())
        .count();
    if unmet > 0 {
        return Err(Error::NotClosed(format!("{unmet} open edges")));
    }
    Ok(keep_largest(shells, &borders))
}

/// Drops all pieces but the one with the most triangles.
fn keep_largest(shells: &mut [Shell], borders: &[Vec<[u32; 2]>]) -> usize {
    let counted: Vec<Vec<(u32, usize)>> = shells.par_iter().map(count).collect();
    let starts: Vec<usize> = counted
        .iter()
        .scan(0, |sum, c| Some(std::mem::replace(sum, *sum + c.len())))
        .collect();
    let id = |shell: usize, piece: u32| {
        let at = counted[shell].binary_search_by_key(&piece, |c| c.0);
        starts[shell] + at.unwrap_or_default()
    };
    let total = counted.iter().map(Vec::len).sum();
    let mut sets = Sets::new(total);
    let mut meeting: Vec<(u64, usize)> = Vec::new();
    for (s, border) in borders.iter().enumerate() {
        for [v, _] in border {
            let piece = shells[s].pieces[*v as usize];
            meeting.push((shells[s].keys[*v as usize], id(s, piece)));
        }
    }
    meeting.par_sort_unstable();
    for pair in meeting.windows(2).filter(|w| w[0].0 == w[1].0) {
        sets.join(pair[0].1, pair[1].1);
    }
    let mut sizes = vec![0; total];
    for (i, (_, n)) in counted.iter().flatten().enumerate() {
        sizes[sets.find(i)] += n;
    }
    let largest = (0..total)
        .max_by_key(|&i| (sizes[i], std::cmp::Reverse(i)))
        .unwrap_or(0);
    let dropped = sizes.iter().filter(|&&n| n > 0).count().saturating_sub(1);
    if dropped > 0 {
        for (s, shell) in shells.iter_mut().enumerate() {
            let gone: Vec<u32> = counted[s]
                .iter()
                .enumerate()
                .filter(|(i, _)| sets.find(starts[s] + i) != largest)
                .map(|(_, c)| c.0)
                .collect();
            shell.drop_pieces(&gone);
        }
    }
    dropped
}

/// Pieces of a shell, ascending, and their triangles.
fn count(shell: &Shell) -> Vec<(u32, usize)> {
    let mut sizes = vec![0; shell.keys.len()];
    for t in &shell.mesh.triangles {
        sizes[shell.pieces[t[0] as usize] as usize] += 1;
    }
    let pieces = sizes.into_iter().enumerate().filter(|s| s.1 > 0);
    pieces.map(|(piece, n)| (piece as u32, n)).collect()
}

fn finish(
    field: &CaveField,
    plan: &ChunkPlan,
    index: [i32; 3],
    shell: Shell,
    config: &Config,
) -> Chunk {
    let error_m = config.surface.visual_error_m;
    let bare = bare(field, &shell, error_m);
    let texture = &config.texture;
    let (visual, atlas) = unwrap::unwrap(
        &bare,
        plan.texels_per_m,
        texture.size_px,
        texture.padding_px,
    );
    let mut coarser: Vec<VisualMesh> = lod::ERRORS[1..]
        .par_iter()
        .map(|times| lod::coarsen(&visual, &atlas, times * error_m))
        .collect();
    // A level whose error had to be made smaller may have more triangles than the one before.
    for level in 1..coarser.len() {
        if coarser[level].triangles.len() > coarser[level - 1].triangles.len() {
            coarser[level] = coarser[level - 1].clone();
        }
    }
    Chunk {
        index,
        name: format!("{}_{}_{}", index[0], index[1], index[2]),
        shell: shell.mesh,
        visual,
        coarser,
        atlas,
    }
}

fn unlabelled<'a>(mesh: &'a TriMesh, normals: &'a [[f32; 3]]) -> Dense<'a> {
    Dense {
        mesh,
        normals,
        labels: &[],
    }
}

/// Simplifies a shell box by box: a triangle with its corners in a box stays in it, so that the
/// surface cannot pass through itself where a chunk is no box.
fn bare(field: &CaveField, shell: &Shell, error_m: f64) -> Bare {
    let all: Vec<u32> = (0..shell.keys.len() as u32).collect();
    let full = normals(field, shell, &all, Detail::Full);
    let parts: Vec<Simplified> = shell
        .boxes
        .par_iter()
        .filter(|range| !range.is_empty())
        .map(|range| {
            if range.len() == shell.mesh.triangles.len() {
                return simplify(&unlabelled(&shell.mesh, &full), error_m);
            }
            let mut part = TriMesh {
                positions: shell.mesh.positions.clone(),
                triangles: shell.mesh.triangles[range.clone()].to_vec(),
            };
            let used = super::compact::compact(&mut part);
            let own: Vec<[f32; 3]> = used.iter().map(|&i| full[i as usize]).collect();
            let mut simple = simplify(&unlabelled(&part, &own), error_m);
            for parents in &mut simple.from {
                *parents = parents.map(|i| used[i as usize]);
            }
            simple
        })
        .collect();
    let simple = weld_boxes(parts, shell.keys.len());
    let mut wanted: Vec<u32> = simple.from.iter().flatten().copied().collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut base = vec![[0.0; 3]; shell.keys.len()];
    for (&i, n) in wanted
        .iter()
        .zip(normals(field, shell, &wanted, Detail::Smooth))
    {
        base[i as usize] = n;
    }
    let (normals, base_normals) = (simple.directions(&full), simple.directions(&base));
    Bare {
        mesh: simple.mesh,
        normals,
        base_normals,
    }
}

/// Joins meshes at the vertices that were kept from the shell, of `vertices` vertices.
fn weld_boxes(mut parts: Vec<Simplified>, vertices: usize) -> Simplified {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let mut out = Simplified {
        mesh: TriMesh::default(),
        labels: Vec::new(),
        from: Vec::new(),
    };
    let mut known = vec![u32::MAX; vertices];
    for part in &parts {
        let ids: Vec<u32> = part
            .from
            .iter()
            .zip(&part.mesh.positions)
            .map(|(&from, &p)| {
                let kept = from[0] == from[1];
                let before = known[from[0] as usize];
                if kept && before != u32::MAX {
                    return before;
                }
                let id = out.from.len() as u32;
                out.from.push(from);
                out.mesh.positions.push(p);
                if kept {
                    known[from[0] as usize] = id;
                }
                id
            })
            .collect();
        let triangles = part.mesh.triangles.iter();
        out.mesh
            .triangles
            .extend(triangles.map(|t| t.map(|i| ids[i as usize])));
    }
    out
}

/// Unit normals toward the void at some vertices of a shell, asked for block by block.
fn normals(field: &CaveField, shell: &Shell, vertices: &[u32], detail: Detail) -> Vec<[f32; 3]> {
    let mut order: Vec<([i32; 3], u32)> = vertices
        .iter()
        .enumerate()
        .map(|(i, &v)| (super::block::block_of(shell.keys[v as usize]), i as u32))
        .collect();
    order.par_sort_unstable();
    let step = 0.5 * field.voxel_m() as f32;
    let groups: Vec<_> = order.chunk_by(|a, b| a.0 == b.0).collect();
    let found: Vec<Vec<[f32; 3]>> = groups
        .par_iter()
        .map(|group| {
            let points: Vec<[f32; 3]> = group
                .iter()
                .map(|g| shell.mesh.positions[vertices[g.1 as usize] as usize])
                .collect();
            field.normals(group[0].0, &points, step, detail)
        })
        .collect();
    let mut out = vec![[0.0; 3]; vertices.len()];
    for (g, n) in groups.into_iter().flatten().zip(found.iter().flatten()) {
        out[g.1 as usize] = *n;
    }
    out
}

//! Coarser levels of detail of a chunk, for the same textures.
//!
//! Each is simplified from the finest, unwrapped mesh by collapsing edges with normals and texture
//! coordinates as attributes (Garland & Heckbert 1997; Hoppe 1999). Vertices are kept or dropped but
//! never moved, and seams of the texture stay seams. The chunk's border and the vertices beside it
//! stay to the bit: so levels of different detail meet, and no new edge joins two border vertices,
//! which both neighbours could come to have.

use super::mesh::{Atlas, TriMesh, VisualMesh};
use super::topology;
use meshopt::SimplifyOptions;
use std::collections::{BTreeMap, BTreeSet};

/// Errors of the levels over that of the finest: 1, 4 and 12 cm by default.
pub const ERRORS: [f64; 3] = [1.0, 4.0, 12.0];
/// Weight of a unit change of the normal, metres of error.
const NORMAL_WEIGHT: f32 = 0.03;
/// Weight of a metre's shift on the texture, metres of error.
const SHIFT_WEIGHT: f32 = 0.5;
/// How often more vertices are locked, or a smaller error is tried, when a result has faults.
const TRIES: usize = 8;
/// Tries with locks before the error is halved.
const LOCKING: usize = 5;

/// A mesh of at most about `error_m` more error than `fine`; `fine` itself where no coarser one is
/// sound.
pub fn coarsen(fine: &VisualMesh, atlas: &Atlas, error_m: f64) -> VisualMesh {
    let whole = Joined::of(fine);
    let Some(border) = topology::border(&whole.triangles(&fine.triangles)) else {
        return fine.clone();
    };
    let metres = [atlas.width, atlas.height].map(|px| px as f32 / atlas.texels_per_m);
    let attributes: Vec<f32> = fine
        .normals
        .iter()
        .zip(&fine.uvs)
        .flat_map(|(n, uv)| [n[0], n[1], n[2], uv[0] * metres[0], uv[1] * metres[1]])
        .collect();
    let weights = [
        NORMAL_WEIGHT,
        NORMAL_WEIGHT,
        NORMAL_WEIGHT,
        SHIFT_WEIGHT,
        SHIFT_WEIGHT,
    ];
    let indices: Vec<u32> = fine.triangles.iter().flatten().copied().collect();
    let mut locks = whole.beside(&border, &fine.triangles);
    let old: BTreeSet<[u32; 3]> = fine
        .triangles
        .iter()
        .filter(|&&t| is_fault(fine, t))
        .map(|&t| sorted(t))
        .collect();
    let mut error = error_m as f32;
    for attempt in 0..TRIES {
        let out = meshopt::simplify_with_attributes_and_locks_decoder(
            &indices,
            &fine.positions,
            &attributes,
            &weights,
            4 * weights.len(),
            &locks,
            0,
            error,
            SimplifyOptions::LockBorder | SimplifyOptions::ErrorAbsolute,
            None,
        );
        let triangles: Vec<[u32; 3]> = out.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        let faults: Vec<usize> = (0..triangles.len())
            .filter(|&i| is_fault(fine, triangles[i]) && !old.contains(&sorted(triangles[i])))
            .collect();
        let same_border =
            topology::border(&whole.triangles(&triangles)).is_some_and(|b| b == border);
        if faults.is_empty() && same_border {
            return pick(fine, triangles);
        }
        if attempt >= LOCKING || faults.is_empty() {
            error *= 0.5;
        }
        let mut bad: Vec<u32> = faults.iter().flat_map(|&i| triangles[i]).collect();
        bad.sort_unstable();
        bad.dedup();
        whole.lock_around(&bad, &fine.triangles, &mut locks);
    }
    fine.clone()
}

fn sorted(mut t: [u32; 3]) -> [u32; 3] {
    t.sort_unstable();
    t
}

/// Whether a triangle has no area, looks against its vertices' normals or is turned over on the
/// texture.
fn is_fault(mesh: &VisualMesh, t: [u32; 3]) -> bool {
    let n = topology::cross(&mesh.positions, t);
    let area = 0.5 * n.iter().map(|c| c * c).sum::<f64>().sqrt();
    let facing: f64 = t
        .iter()
        .flat_map(|&i| (0..3).map(move |k| (i, k)))
        .map(|(i, k)| n[k] * f64::from(mesh.normals[i as usize][k]))
        .sum();
    let [a, b, c] = t.map(|i| mesh.uvs[i as usize].map(f64::from));
    // Counter-clockwise is negative: v runs down.
    let turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    area <= topology::MIN_AREA_M2 || facing <= 0.2 * area || turn >= 0.0
}

/// The triangles with the vertices they use.
fn pick(fine: &VisualMesh, triangles: Vec<[u32; 3]>) -> VisualMesh {
    let mut mesh = TriMesh {
        positions: fine.positions.clone(),
        triangles,
    };
    let kept = super::compact::compact(&mut mesh);
    let rows = |all: &[[f32; 3]]| kept.iter().map(|&i| all[i as usize]).collect();
    VisualMesh {
        positions: mesh.positions,
        normals: rows(&fine.normals),
        base_normals: rows(&fine.base_normals),
        uvs: kept.iter().map(|&i| fine.uvs[i as usize]).collect(),
        triangles: mesh.triangles,
    }
}

/// Which vertices are one point.
struct Joined(Vec<u32>);

impl Joined {
    fn of(mesh: &VisualMesh) -> Self {
        let mut first = BTreeMap::new();
        let points = mesh.positions.iter().zip(0u32..);
        Self(
            points
                .map(|(p, i)| *first.entry(p.map(f32::to_bits)).or_insert(i))
                .collect(),
        )
    }

    fn triangles(&self, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
        triangles
            .iter()
            .map(|t| t.map(|i| self.0[i as usize]))
            .collect()
    }

    /// Marks the border and every vertex of its triangles.
    fn beside(&self, border: &[[u32; 2]], triangles: &[[u32; 3]]) -> Vec<bool> {
        let mut locks = vec![false; self.0.len()];
        let ends: Vec<u32> = border.iter().flatten().copied().collect();
        self.lock_around(&ends, triangles, &mut locks);
        locks
    }

    /// Marks every vertex of the triangles at some vertices.
    fn lock_around(&self, vertices: &[u32], triangles: &[[u32; 3]], locks: &mut [bool]) {
        let mut near = vec![false; self.0.len()];
        for &v in vertices {
            near[self.0[v as usize] as usize] = true;
        }
        let mut points = vec![false; self.0.len()];
        for t in triangles {
            if t.iter().any(|&i| near[self.0[i as usize] as usize]) {
                t.iter()
                    .for_each(|&i| points[self.0[i as usize] as usize] = true);
            }
        }
        for (lock, &point) in locks.iter_mut().zip(&self.0) {
            *lock |= points[point as usize];
        }
    }
}

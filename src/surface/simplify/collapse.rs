//! Edges collapsed by meshoptimizer, and what that leaves mended.

use super::bridges::bend_bridges;
use super::{Dense, Simplified, place};
use crate::surface::linked::Linked;
use crate::surface::mesh::TriMesh;
use crate::surface::{compact, topology};
use glam::DVec3;
use meshopt::SimplifyOptions;

/// Weight of a unit change of the normal, metres of error.
const NORMAL_WEIGHT: f32 = 0.015;
/// Share of the allowed error to collapse with: what it estimates is often less than what is
/// measured, and a vertex that must come back afterwards costs more triangles.
const START: f64 = 0.85;
/// How often a smaller error is tried when a result is not a manifold.
const TRIES: u32 = 4;

/// A mesh to collapse, with vertices that must stay.
pub(super) struct Collapse<'a> {
    dense: &'a Dense<'a>,
    border: Vec<[u32; 2]>,
    wedges: Wedges,
    /// Vertices that stay where they are.
    locks: Vec<bool>,
    limit_m: f64,
}

impl<'a> Collapse<'a> {
    pub(super) fn new(dense: &'a Dense<'a>, limit_m: f64) -> Self {
        Self {
            dense,
            border: topology::border(&dense.mesh.triangles).unwrap_or_default(),
            wedges: Wedges::split(dense),
            locks: vec![false; dense.mesh.positions.len()],
            limit_m,
        }
    }

    /// Collapses edges under an error of at most about the limit, but for locked vertices; none
    /// where no sound mesh comes out.
    pub(super) fn run(&self) -> Option<Simplified> {
        let Dense { mesh, normals, .. } = *self.dense;
        let options = SimplifyOptions::LockBorder | SimplifyOptions::ErrorAbsolute;
        let wedges = &self.wedges;
        let attributes: Vec<f32> = match normals.is_empty() {
            true => Vec::new(),
            false => (wedges.vertex.iter().flat_map(|&v| normals[v as usize])).collect(),
        };
        let weights = if normals.is_empty() {
            &[][..]
        } else {
            &[NORMAL_WEIGHT; 3]
        };
        let positions: Vec<[f32; 3]> = wedges
            .vertex
            .iter()
            .map(|&v| mesh.positions[v as usize])
            .collect();
        let locks: Vec<bool> = wedges
            .vertex
            .iter()
            .map(|&v| self.locks[v as usize])
            .collect();
        let mut error = (START * self.limit_m) as f32;
        for _ in 0..TRIES {
            let out = meshopt::simplify_with_attributes_and_locks_decoder(
                &wedges.indices,
                &positions,
                &attributes,
                weights,
                12,
                &locks,
                0,
                error,
                options,
                None,
            );
            if let Some(made) = self.finish(&out) {
                return Some(made);
            }
            error *= 0.5;
        }
        None
    }

    /// Mends what collapsing left; none when the result is not sound.
    fn finish(&self, wedges: &[u32]) -> Option<Simplified> {
        let mesh = self.dense.mesh;
        let corners = wedges.chunks_exact(3).map(|t| [t[0], t[1], t[2]]);
        let labels = match self.dense.labels.is_empty() {
            true => Vec::new(),
            false => (corners.clone().map(|t| self.wedges.label[t[0] as usize])).collect(),
        };
        let triangles = corners.map(|t| t.map(|w| self.wedges.vertex[w as usize]));
        let triangles: Vec<[u32; 3]> = triangles.collect();
        // Flips walk around vertices, which on other meshes need not end.
        if !self.keeps_border(&triangles) {
            return None;
        }
        let mut linked = Linked::new(mesh.positions.clone(), triangles, labels);
        linked.flip_slivers();
        let mut labels = linked.labels;
        let mut fewer = TriMesh {
            positions: linked.positions,
            triangles: linked.triangles,
        };
        let added = bend_bridges(&mut fewer, &mut labels, &self.border);
        let sound = self.keeps_border(&fewer.triangles)
            && topology::smallest_area(&fewer.positions, &fewer.triangles) > topology::MIN_AREA_M2;
        if !sound {
            return None;
        }
        let old = mesh.positions.len() as u32;
        let parents = |i: u32| {
            if i < old {
                [i, i]
            } else {
                added[(i - old) as usize]
            }
        };
        let kept = compact(&mut fewer);
        Some(Simplified {
            mesh: fewer,
            labels,
            from: kept.into_iter().map(parents).collect(),
        })
    }

    /// Whether triangles are an oriented manifold with the dense mesh's border.
    fn keeps_border(&self, triangles: &[[u32; 3]]) -> bool {
        topology::border(triangles).is_some_and(|b| b == self.border)
    }

    /// Locks the vertices within `reach_m` of any of the places; where all are, those farther
    /// around.
    pub(super) fn lock_around(&mut self, places: &[DVec3], mut reach_m: f64) {
        while !places.is_empty() && !self.lock_within(places, reach_m) {
            if self.locks.iter().all(|l| *l) {
                return;
            }
            reach_m *= 2.0;
        }
    }

    /// Locks the vertices within `reach_m` of any of the places; whether there were such.
    fn lock_within(&mut self, places: &[DVec3], reach_m: f64) -> bool {
        let mut places = places.to_vec();
        places.sort_by(|a, b| a.x.total_cmp(&b.x));
        let mut any = false;
        for (q, lock) in self.dense.mesh.positions.iter().zip(&mut self.locks) {
            if *lock {
                continue;
            }
            let q = place(*q);
            let first = places.partition_point(|p| p.x < q.x - reach_m);
            let mut beside = places[first..].iter().take_while(|p| p.x <= q.x + reach_m);
            if beside.any(|p| q.distance_squared(*p) <= reach_m * reach_m) {
                (*lock, any) = (true, true);
            }
        }
        any
    }
}

/// A mesh whose vertices are split where labels meet: so meshoptimizer sees a seam, and moves its
/// vertices along it only, both sides together.
struct Wedges {
    indices: Vec<u32>,
    vertex: Vec<u32>,
    label: Vec<u8>,
}

impl Wedges {
    fn split(dense: &Dense) -> Self {
        let triangles = &dense.mesh.triangles;
        let label = |face: usize| dense.labels.get(face).copied().unwrap_or(0);
        let mut wedges: Vec<(u32, u8)> = triangles
            .iter()
            .enumerate()
            .flat_map(|(f, t)| t.map(|v| (v, label(f))))
            .collect();
        wedges.sort_unstable();
        wedges.dedup();
        let index = |w: (u32, u8)| wedges.binary_search(&w).unwrap_or(0) as u32;
        Self {
            indices: (triangles.iter().enumerate())
                .flat_map(|(f, t)| t.map(|v| index((v, label(f)))))
                .collect(),
            vertex: wedges.iter().map(|w| w.0).collect(),
            label: wedges.iter().map(|w| w.1).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A needle on the closed fan of vertex 0, which leads around without ever coming back to it.
    #[test]
    fn what_is_no_manifold_is_refused() {
        let mesh = TriMesh {
            positions: vec![
                [0.0, 0.001, 0.0],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1.0],
                [-1.0, 0.0, 0.0],
                [0.0, -1.0, 0.0],
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [0, 4, 1], [1, 4, 5]],
        };
        let dense = Dense {
            mesh: &mesh,
            normals: &[],
            labels: &[],
        };
        let collapse = Collapse::new(&dense, 0.01);
        assert!(collapse.finish(&collapse.wedges.indices).is_none());
    }
}

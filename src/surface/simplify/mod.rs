//! Fewer triangles under a stated error.
//!
//! Edge collapse by quadric error with normals as attributes (Garland & Heckbert 1997; Hoppe 1999),
//! as meshoptimizer implements it (`collapse`). The open border of a chunk stays as it is, to the bit,
//! so that neighbours still meet (`bridges`). Lines between labels, such as terrain layers, move only
//! along themselves.
//!
//! A quadric is an estimate of the error, and knows nothing of other triangles. So the result is
//! measured, both ways, and gets vertices of the dense mesh back where it is too far off (`refine`);
//! and its triangles are tested against each other. Where they cross, or a vertex cannot come back,
//! vertices are locked, and all is collapsed again.

mod bridges;
mod collapse;
mod refine;

use super::intersect;
use super::mesh::TriMesh;
use collapse::Collapse;
use glam::DVec3;
use refine::{Old, Refine};

/// How often vertices are locked before the mesh is left as it was.
const ROUNDS: u32 = 16;
/// Deviations below this share of an edge are rounding.
const ROUNDING: f64 = 1e-3;

/// A mesh with fewer triangles.
pub struct Simplified {
    /// The mesh.
    pub mesh: TriMesh,
    /// A label for each triangle, when the old mesh had any.
    pub labels: Vec<u8>,
    /// For each vertex, the two original ones whose attributes it averages; twice the same for a
    /// vertex that was kept.
    pub from: Vec<[u32; 2]>,
}

impl Simplified {
    /// Unit vectors of the original vertices, for the vertices that are left.
    pub fn directions(&self, original: &[[f32; 3]]) -> Vec<[f32; 3]> {
        let average = |[a, b]: [u32; 2]| {
            let (a, b) = (original[a as usize], original[b as usize]);
            let sum: [f32; 3] = std::array::from_fn(|k| a[k] + b[k]);
            let length = sum.iter().map(|c| c * c).sum::<f32>().sqrt().max(1e-12);
            sum.map(|c| c / length)
        };
        self.from
            .iter()
            .map(|&[a, b]| {
                if a == b {
                    original[a as usize]
                } else {
                    average([a, b])
                }
            })
            .collect()
    }
}

/// What to simplify.
#[derive(Clone, Copy)]
pub struct Dense<'a> {
    /// The mesh.
    pub mesh: &'a TriMesh,
    /// Unit normals at its vertices that count as part of the shape; may be empty.
    pub normals: &'a [[f32; 3]],
    /// A label for each triangle, which those of the result inherit; may be empty.
    pub labels: &'a [u8],
}

/// Simplifies a mesh.
///
/// No vertex of the old mesh and no middle of an edge is farther than `error_m` metres from the new
/// one, and no place on the new one, at samples an edge apart, from the old. The result is an
/// oriented manifold with the same border, without triangles under
/// [`topology::MIN_AREA_M2`](super::topology::MIN_AREA_M2) and without any that cross; where collapsing cannot give one, the mesh is returned as it was.
pub fn simplify(dense: &Dense, error_m: f64) -> Simplified {
    let old = Old::new(dense.mesh);
    let limit_m = error_m.max(ROUNDING * old.edge_m);
    let mut collapse = Collapse::new(dense, limit_m);
    for round in 0..ROUNDS {
        let Some(made) = collapse.run() else { break };
        let (made, mut stuck) = Refine::new(&old, limit_m, made).run();
        if stuck.is_empty() {
            stuck = crossings(&made.mesh);
        }
        if stuck.is_empty() {
            return made;
        }
        collapse.lock_around(&stuck, old.edge_m * f64::from(1 + round));
    }
    untouched(dense)
}

/// Where triangles cross, metres.
fn crossings(mesh: &TriMesh) -> Vec<DVec3> {
    let at = |[f, g]: [u32; 2]| {
        let [s, t] = [f, g].map(|f| mesh.triangles[f as usize]);
        DVec3::from_array(intersect::place(&mesh.positions, s, t))
    };
    let pairs = intersect::crossings(&mesh.positions, &mesh.triangles);
    pairs.into_iter().map(at).collect()
}

fn untouched(dense: &Dense) -> Simplified {
    Simplified {
        mesh: dense.mesh.clone(),
        labels: dense.labels.to_vec(),
        from: (0..dense.mesh.positions.len() as u32)
            .map(|i| [i, i])
            .collect(),
    }
}

/// A place of a mesh, metres.
fn place(p: [f32; 3]) -> DVec3 {
    glam::Vec3::from_array(p).as_dvec3()
}

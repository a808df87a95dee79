//! Fewer triangles under a stated error.
//!
//! Edge collapse by quadric error with normals as attributes (Garland & Heckbert 1997; Hoppe 1999),
//! as meshoptimizer implements it. The open border of a chunk stays as it is, to the bit, so that
//! neighbours still meet.

use super::mesh::TriMesh;
use super::topology;
use meshopt::SimplifyOptions;

/// Weight of a unit change of the normal, metres of error.
const NORMAL_WEIGHT: f32 = 0.015;
/// How often a smaller error is tried when a result is not a manifold.
const TRIES: u32 = 4;

/// The mesh with fewer triangles, and for each of its vertices the index of the original one.
///
/// `normals` are unit normals at the vertices, or empty to look at positions only. The error is at
/// most about `error_m` metres. The result is an oriented manifold with the same border, without
/// triangles under [`topology::MIN_AREA_M2`]; where collapsing cannot give one, the mesh is
/// returned as it was.
pub fn simplify(mesh: &TriMesh, normals: &[[f32; 3]], error_m: f64) -> (TriMesh, Vec<u32>) {
    let border = topology::border(&mesh.triangles).unwrap_or_default();
    let indices: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
    let options = SimplifyOptions::LockBorder | SimplifyOptions::ErrorAbsolute;
    let (attributes, weights): (Vec<f32>, &[f32]) = if normals.is_empty() {
        (Vec::new(), &[])
    } else {
        (
            normals.iter().flatten().copied().collect(),
            &[NORMAL_WEIGHT; 3],
        )
    };
    let locks = vec![false; mesh.positions.len()];
    let mut error = error_m as f32;
    for _ in 0..TRIES {
        let out = meshopt::simplify_with_attributes_and_locks_decoder(
            &indices,
            &mesh.positions,
            &attributes,
            weights,
            12,
            &locks,
            0,
            error,
            options,
            None,
        );
        let mut triangles: Vec<[u32; 3]> =
            out.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        topology::flip_slivers(&mesh.positions, &mut triangles);
        let sound = topology::border(&triangles).is_some_and(|b| b == border)
            && topology::smallest_area(&mesh.positions, &triangles) > topology::MIN_AREA_M2;
        if sound {
            let mut fewer = TriMesh {
                positions: mesh.positions.clone(),
                triangles,
            };
            let kept = super::compact::compact(&mut fewer);
            return (fewer, kept);
        }
        error *= 0.5;
    }
    (mesh.clone(), (0..mesh.positions.len() as u32).collect())
}

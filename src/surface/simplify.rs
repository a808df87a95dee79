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

/// A mesh with fewer triangles.
pub struct Simplified {
    /// The mesh.
    pub mesh: TriMesh,
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

/// Simplifies a mesh.
///
/// `normals` are unit normals at the vertices, or empty to look at positions only. The error is at
/// most about `error_m` metres. The result is an oriented manifold with the same border, without
/// triangles under [`topology::MIN_AREA_M2`]; where collapsing cannot give one, the mesh is
/// returned as it was.
pub fn simplify(mesh: &TriMesh, normals: &[[f32; 3]], error_m: f64) -> Simplified {
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
        let mut fewer = TriMesh {
            positions: mesh.positions.clone(),
            triangles,
        };
        let added = bend_bridges(&mut fewer, &border);
        let sound = topology::border(&fewer.triangles).is_some_and(|b| b == border)
            && topology::smallest_area(&fewer.positions, &fewer.triangles) > topology::MIN_AREA_M2;
        if sound {
            let old = mesh.positions.len() as u32;
            let parents = |i: u32| {
                if i < old {
                    [i, i]
                } else {
                    added[(i - old) as usize]
                }
            };
            let kept = super::compact::compact(&mut fewer);
            return Simplified {
                mesh: fewer,
                from: kept.into_iter().map(parents).collect(),
            };
        }
        error *= 0.5;
    }
    let from = (0..mesh.positions.len() as u32).map(|i| [i, i]).collect();
    Simplified {
        mesh: mesh.clone(),
        from,
    }
}

/// Gives every inner edge between two border vertices a vertex of its own.
///
/// Both neighbours of a border could otherwise get the same such edge, and the joined surface an
/// edge with four faces. The new vertex leans towards the chunk's own side, so it differs from the
/// neighbour's. Returns the two ends of the edge of each added vertex.
fn bend_bridges(mesh: &mut TriMesh, border: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut added = Vec::new();
    let mut flat_too = false;
    loop {
        let round = bend_round(mesh, border, flat_too);
        if !round.left {
            added.extend(round.added);
            return added;
        }
        // Only where nothing leads to the chunk's own side.
        flat_too = round.added.is_empty();
        added.extend(round.added);
    }
}

/// One pass of [`bend_bridges`].
struct Round {
    /// Ends of the edge of each added vertex.
    added: Vec<[u32; 2]>,
    /// Whether there are edges for another pass.
    left: bool,
}

/// Splits a triangle at most once: bridges beside each other wait for the next round. So do, unless
/// `flat_too`, those between two triangles of border vertices only: the middle of such four may lie
/// in the plane between the chunks, where the neighbour would find it too. A bridge around them has
/// a vertex off that plane, and brings it to them.
fn bend_round(mesh: &mut TriMesh, border: &[[u32; 2]], flat_too: bool) -> Round {
    let mut on_border = vec![false; mesh.positions.len()];
    border
        .iter()
        .flatten()
        .for_each(|&i| on_border[i as usize] = true);
    let beside = topology::neighbours(&mesh.triangles);
    let mut touched = vec![false; mesh.triangles.len()];
    let mut round = Round {
        added: Vec::new(),
        left: false,
    };
    for f in 0..touched.len() {
        for i in 0..3 {
            let t = mesh.triangles[f];
            let (a, b, c) = (t[i], t[(i + 1) % 3], t[(i + 2) % 3]);
            let g = beside[f][i];
            if g == u32::MAX || !on_border[a as usize] || !on_border[b as usize] {
                continue;
            }
            if touched[f] || touched[g as usize] {
                round.left = true;
                continue;
            }
            let other = mesh.triangles[g as usize];
            let Some(&d) = other.iter().find(|&&v| v != a && v != b) else {
                continue;
            };
            if !flat_too && on_border[c as usize] && on_border[d as usize] {
                round.left = true;
                continue;
            }
            let [pa, pb, pc, pd] = [a, b, c, d].map(|v| mesh.positions[v as usize]);
            let new = mesh.positions.len() as u32;
            mesh.positions.push(std::array::from_fn(|k| {
                0.375 * (pa[k] + pb[k]) + 0.125 * (pc[k] + pd[k])
            }));
            round.added.push([a, b]);
            on_border.push(false);
            mesh.triangles[f] = [a, new, c];
            mesh.triangles[g as usize] = [b, new, d];
            mesh.triangles.push([new, b, c]);
            mesh.triangles.push([new, a, d]);
            (touched[f], touched[g as usize]) = (true, true);
        }
    }
    round
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bridges_leave_the_plane_between_chunks() {
        // Below the bridge 0-1 a sheet in the plane y = 0, above it one face that leaves it.
        let mut mesh = TriMesh {
            positions: vec![
                [0.0, 0.0, 0.0],
                [3.0, 0.0, 0.0],
                [2.9, 0.0, -1.0],
                [0.1, 0.0, -1.0],
                [1.5, 1.0, 0.5],
            ],
            triangles: vec![[1, 3, 2], [3, 1, 0], [0, 1, 4]],
        };
        let border = [[0, 3], [3, 2], [2, 1]];
        let added = bend_bridges(&mut mesh, &border);
        assert_eq!(added.len(), 2);
        let new = &mesh.positions[5..];
        assert!(new.iter().all(|p| p[1] > 0.0), "{new:?}");
        // A sheet alone is split as well, and the work ends.
        let mut sheet = TriMesh {
            positions: mesh.positions[..4].to_vec(),
            triangles: vec![[1, 3, 2], [3, 1, 0]],
        };
        assert_eq!(bend_bridges(&mut sheet, &border).len(), 1);
        assert_eq!(sheet.triangles.len(), 4);
    }
}

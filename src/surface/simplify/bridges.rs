//! Edges that both neighbours of a chunk's border could come to have.

use crate::surface::mesh::TriMesh;
use crate::surface::topology;

/// Share of each end of a bridge in the vertex that bends it: near enough to the middle not to be
/// off the surface by much, far enough to be the chunk's own.
const BRIDGE: f32 = 0.46875;

/// Gives every inner edge between two border vertices a vertex of its own.
///
/// Both neighbours of a border could otherwise get the same such edge, and the joined surface an
/// edge with four faces. The new vertex leans towards the chunk's own side, so it differs from the
/// neighbour's. Returns the two ends of the edge of each added vertex.
pub(super) fn bend_bridges(
    mesh: &mut TriMesh,
    labels: &mut Vec<u8>,
    border: &[[u32; 2]],
) -> Vec<[u32; 2]> {
    let mut added = Vec::new();
    let mut flat_too = false;
    loop {
        let round = bend_round(mesh, labels, border, flat_too);
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
fn bend_round(
    mesh: &mut TriMesh,
    labels: &mut Vec<u8>,
    border: &[[u32; 2]],
    flat_too: bool,
) -> Round {
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
                BRIDGE * (pa[k] + pb[k]) + (0.5 - BRIDGE) * (pc[k] + pd[k])
            }));
            round.added.push([a, b]);
            on_border.push(false);
            mesh.triangles[f] = [a, new, c];
            mesh.triangles[g as usize] = [b, new, d];
            mesh.triangles.push([new, b, c]);
            mesh.triangles.push([new, a, d]);
            if let (Some(&one), Some(&other)) = (labels.get(f), labels.get(g as usize)) {
                labels.extend([one, other]);
            }
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
        let added = bend_bridges(&mut mesh, &mut Vec::new(), &border);
        assert_eq!(added.len(), 2);
        let new = &mesh.positions[5..];
        assert!(new.iter().all(|p| p[1] > 0.0), "{new:?}");
        // A sheet alone is split as well, and the work ends.
        let mut sheet = TriMesh {
            positions: mesh.positions[..4].to_vec(),
            triangles: vec![[1, 3, 2], [3, 1, 0]],
        };
        assert_eq!(bend_bridges(&mut sheet, &mut Vec::new(), &border).len(), 1);
        assert_eq!(sheet.triangles.len(), 4);
    }
}

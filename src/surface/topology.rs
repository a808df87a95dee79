//! Checks and small mends of triangle meshes.

/// A triangle of at most this area is degenerate, square metres.
pub const MIN_AREA_M2: f64 = 1e-8;
/// Triangles flatter than this (height over longest edge) are flipped away where possible.
const SLIVER: f64 = 0.02;

/// The directed edges without a partner, sorted. None when the mesh is not an oriented manifold:
/// an edge used twice in one direction, or a triangle with a repeated vertex.
pub fn border(triangles: &[[u32; 3]]) -> Option<Vec<[u32; 2]>> {
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for t in triangles {
        if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
            return None;
        }
        edges.extend([[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]);
    }
    edges.sort_unstable();
    if edges.windows(2).any(|w| w[0] == w[1]) {
        return None;
    }
    let open = edges
        .iter()
        .filter(|e| edges.binary_search(&[e[1], e[0]]).is_err());
    Some(open.copied().collect())
}

/// Area of a triangle, square metres.
pub fn area(positions: &[[f32; 3]], t: [u32; 3]) -> f64 {
    0.5 * cross(positions, t)
        .map(|c| c * c)
        .iter()
        .sum::<f64>()
        .sqrt()
}

/// Twice the area vector of a triangle.
pub fn cross(positions: &[[f32; 3]], t: [u32; 3]) -> [f64; 3] {
    let [a, b, c] = t.map(|i| positions[i as usize].map(f64::from));
    let u: [f64; 3] = std::array::from_fn(|i| b[i] - a[i]);
    let v: [f64; 3] = std::array::from_fn(|i| c[i] - a[i]);
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

/// Area of the smallest triangle, square metres.
pub fn smallest_area(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> f64 {
    triangles
        .iter()
        .map(|&t| area(positions, t))
        .fold(f64::INFINITY, f64::min)
}

/// Neighbour across each edge `(t[i], t[i + 1])` of each triangle, `u32::MAX` at the border.
pub fn neighbours(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut edges: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * triangles.len());
    for (f, t) in triangles.iter().enumerate() {
        for i in 0..3 {
            edges.push(([t[i], t[(i + 1) % 3]], (3 * f + i) as u32));
        }
    }
    edges.sort_unstable();
    let find = |a: u32, b: u32| {
        edges
            .binary_search_by_key(&[a, b], |e| e.0)
            .map_or(u32::MAX, |i| edges[i].1 / 3)
    };
    triangles
        .iter()
        .map(|t| std::array::from_fn(|i| find(t[(i + 1) % 3], t[i])))
        .collect()
}

/// Flips the longest edge of needle-flat triangles when that makes both triangles rounder and
/// neither turns over. Edges between triangles of different `labels` stay; there may be none.
pub fn flip_slivers(positions: &[[f32; 3]], triangles: &mut [[u32; 3]], labels: &[u8]) {
    for _ in 0..3 {
        let beside = neighbours(triangles);
        let mut touched = vec![false; triangles.len()];
        let mut flips = 0;
        for f in 0..triangles.len() {
            let t = triangles[f];
            if touched[f] || flatness(positions, t) >= SLIVER {
                continue;
            }
            let longest = (0..3)
                .max_by(|&i, &j| edge2(positions, t, i).total_cmp(&edge2(positions, t, j)))
                .unwrap_or(0);
            let g = beside[f][longest];
            if g == u32::MAX || touched[g as usize] || labels.get(f) != labels.get(g as usize) {
                continue;
            }
            let (a, b, tip) = (t[longest], t[(longest + 1) % 3], t[(longest + 2) % 3]);
            let other = triangles[g as usize];
            let Some(&far) = other.iter().find(|&&v| v != a && v != b) else {
                continue;
            };
            // The new edge must not exist yet.
            let exists = beside[f].iter().chain(&beside[g as usize]).any(|&h| {
                h != u32::MAX && {
                    let t = triangles[h as usize];
                    t.contains(&tip) && t.contains(&far)
                }
            });
            let (one, two) = ([tip, a, far], [tip, far, b]);
            let normal = cross(positions, other);
            let upright = |t| {
                let n = cross(positions, t);
                n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2] > 0.0
            };
            let worst = flatness(positions, one).min(flatness(positions, two));
            let before = flatness(positions, t).min(flatness(positions, other));
            if exists || !upright(one) || !upright(two) || worst <= before {
                continue;
            }
            triangles[f] = one;
            triangles[g as usize] = two;
            // Neighbours' entries are stale now; leave them for the next round.
            for h in beside[f]
                .iter()
                .chain(&beside[g as usize])
                .chain([&(f as u32), &g])
            {
                if *h != u32::MAX {
                    touched[*h as usize] = true;
                }
            }
            flips += 1;
        }
        if flips == 0 {
            return;
        }
    }
}

fn edge2(positions: &[[f32; 3]], t: [u32; 3], i: usize) -> f64 {
    let (a, b) = (positions[t[i] as usize], positions[t[(i + 1) % 3] as usize]);
    (0..3)
        .map(|k| f64::from(a[k] - b[k]) * f64::from(a[k] - b[k]))
        .sum()
}

/// Height over longest edge.
fn flatness(positions: &[[f32; 3]], t: [u32; 3]) -> f64 {
    let longest2 = (0..3).map(|i| edge2(positions, t, i)).fold(0.0, f64::max);
    2.0 * area(positions, t) / longest2.max(1e-30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tetrahedron_is_closed_and_a_missing_face_is_seen() {
        let whole = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        assert_eq!(border(&whole), Some(vec![]));
        assert_eq!(border(&whole[1..]).map(|b| b.len()), Some(3));
        assert_eq!(border(&[[0, 1, 2], [0, 1, 3]]), None);
    }

    #[test]
    fn a_sliver_is_flipped() {
        let p = [
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [1.0, 0.001, 0.0],
            [1.0, -1.0, 0.0],
        ];
        let mut t = [[0, 1, 2], [1, 0, 3]];
        flip_slivers(&p, &mut t, &[]);
        assert!(smallest_area(&p, &t) > 0.1);
    }
}

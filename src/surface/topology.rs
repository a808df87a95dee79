//! What triangle meshes are made of, and checks of it.

/// A triangle of at most this area is degenerate, square metres.
pub const MIN_AREA_M2: f64 = 1e-8;

/// The directed edges of triangles, by the vertex they leave.
struct Edges {
    /// Where the edges of a vertex begin; one more at the end.
    starts: Vec<u32>,
    /// Vertex an edge leads to and its number, `3 · face + corner`; ascending for each vertex.
    ends: Vec<(u32, u32)>,
}

impl Edges {
    fn of(triangles: &[[u32; 3]]) -> Self {
        let vertices = triangles
            .iter()
            .flatten()
            .max()
            .map_or(0, |&v| v as usize + 1);
        let mut starts = vec![0u32; vertices + 1];
        for &v in triangles.iter().flatten() {
            starts[v as usize + 1] += 1;
        }
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut ends = vec![(0, 0); 3 * triangles.len()];
        for (f, t) in triangles.iter().enumerate() {
            for i in 0..3 {
                let slot = &mut next[t[i] as usize];
                ends[*slot as usize] = (t[(i + 1) % 3], (3 * f + i) as u32);
                *slot += 1;
            }
        }
        for w in starts.windows(2) {
            ends[w[0] as usize..w[1] as usize].sort_unstable();
        }
        Self { starts, ends }
    }

    /// Of a vertex.
    fn leaving(&self, v: u32) -> &[(u32, u32)] {
        &self.ends[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }

    /// The number of the edge from `a` to `b`, the lowest when there are several.
    fn find(&self, a: u32, b: u32) -> Option<u32> {
        let edge = self.leaving(a).iter().find(|e| e.0 == b);
        edge.map(|e| e.1)
    }
}

/// The directed edges without a partner, sorted. None when the mesh is not an oriented manifold:
/// an edge used twice in one direction, or a triangle with a repeated vertex.
pub fn border(triangles: &[[u32; 3]]) -> Option<Vec<[u32; 2]>> {
    if triangles
        .iter()
        .any(|t| t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
    {
        return None;
    }
    let edges = Edges::of(triangles);
    let mut open = Vec::new();
    for v in 0..edges.starts.len() as u32 - 1 {
        let leaving = edges.leaving(v);
        if leaving.windows(2).any(|w| w[0].0 == w[1].0) {
            return None;
        }
        let alone = leaving.iter().filter(|e| edges.find(e.0, v).is_none());
        open.extend(alone.map(|e| [v, e.0]));
    }
    Some(open)
}

/// The edges of a triangle, each as it runs around it.
#[inline]
pub fn sides<T: Copy>([a, b, c]: [T; 3]) -> [[T; 2]; 3] {
    [[a, b], [b, c], [c, a]]
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
    let edges = Edges::of(triangles);
    let across = |a: u32, b: u32| edges.find(b, a).map_or(u32::MAX, |edge| edge / 3);
    triangles
        .iter()
        .map(|t| std::array::from_fn(|i| across(t[i], t[(i + 1) % 3])))
        .collect()
}

/// Square of the length of edge `(t[i], t[i + 1])`, square metres.
pub fn edge2(positions: &[[f32; 3]], t: [u32; 3], i: usize) -> f64 {
    let (a, b) = (positions[t[i] as usize], positions[t[(i + 1) % 3] as usize]);
    (0..3)
        .map(|k| f64::from(a[k] - b[k]) * f64::from(a[k] - b[k]))
        .sum()
}

/// Height over longest edge.
pub fn flatness(positions: &[[f32; 3]], t: [u32; 3]) -> f64 {
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
}

//! The 256 cases of marching cubes, derived rather than tabled.
//!
//! On every face of a cube the crossings are joined so that each void corner is cut off by itself.
//! The rule looks at the face's four signs alone, so both cubes at a face agree and the surface is
//! closed (the ambiguity of Lorensen & Cline 1987, settled as in Nielson & Hamann 1991, §2, with
//! one fixed choice). No diagonal of a polygon lies in a face of its cube, so no edge is ever used
//! by more than two triangles.

use std::sync::LazyLock;

/// An edge of a cube: its low corner and its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubeEdge {
    /// Corner with the lower coordinates.
    pub corner: u8,
    /// 0, 1, 2 for x, y, z.
    pub axis: u8,
}

/// A polygon of the surface inside a cube, counter-clockwise seen from the void.
#[derive(Clone, Debug)]
pub struct Polygon {
    /// Cube edges it passes through.
    pub edges: Vec<u8>,
    /// Ways to cut it into triangles; empty when it needs a vertex in its middle.
    pub cuts: Vec<Vec<[u8; 3]>>,
}

/// The edges of a cube, four along each axis.
pub const EDGES: [CubeEdge; 12] = {
    let mut edges = [CubeEdge { corner: 0, axis: 0 }; 12];
    let (mut n, mut axis) = (0, 0u8);
    while axis < 3 {
        let mut corner = 0u8;
        while corner < 8 {
            if corner >> axis & 1 == 0 {
                edges[n] = CubeEdge { corner, axis };
                n += 1;
            }
            corner += 1;
        }
        axis += 1;
    }
    edges
};

/// Polygons by the mask of void corners.
pub static CASES: LazyLock<Vec<Vec<Polygon>>> =
    LazyLock::new(|| (0..256).map(|mask| polygons(mask as u8)).collect());

/// Corners of each face, counter-clockwise seen from outside the cube.
const FACES: [[u8; 4]; 6] = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
];

fn edge_between(a: u8, b: u8) -> u8 {
    let (low, axis) = (a & b, (a ^ b).trailing_zeros() as u8);
    EDGES
        .iter()
        .position(|e| e.corner == low && e.axis == axis)
        .unwrap_or(0) as u8
}

fn polygons(mask: u8) -> Vec<Polygon> {
    let void = |c: u8| mask >> c & 1 == 1;
    let mut next = [None; 12];
    for face in FACES {
        // Walking around the face: each run of void corners is entered and left once. With four
        // crossings both runs are one corner long, so each void corner is cut off by itself.
        for i in 0..4 {
            let (before, here) = (face[(i + 3) % 4], face[i]);
            if void(before) || !void(here) {
                continue;
            }
            let mut j = i;
            while void(face[(j + 1) % 4]) {
                j += 1;
            }
            let enter = edge_between(before, here);
            let leave = edge_between(face[j % 4], face[(j + 1) % 4]);
            next[leave as usize] = Some(enter);
        }
    }
    let mut loops = Vec::new();
    for start in 0..12u8 {
        let mut edges = Vec::new();
        let mut at = start;
        while let Some(to) = next[at as usize].take() {
            edges.push(at);
            at = to;
        }
        if !edges.is_empty() {
            let cuts = if edges.len() <= 6 {
                cuts(&edges)
            } else {
                Vec::new()
            };
            loops.push(Polygon { edges, cuts });
        }
    }
    loops
}

/// All triangulations without a diagonal in a face of the cube.
fn cuts(edges: &[u8]) -> Vec<Vec<[u8; 3]>> {
    fn cut(edges: &[u8], ring: &[u8]) -> Vec<Vec<[u8; 3]>> {
        if ring.len() < 3 {
            return vec![Vec::new()];
        }
        // The triangle on the side (first, last) has its tip at any other corner.
        let (first, last) = (ring[0], ring[ring.len() - 1]);
        let mut all = Vec::new();
        for tip in 1..ring.len() - 1 {
            let inner = |from: usize, to: usize| {
                to - from == 1 || !share_face(edges[ring[from] as usize], edges[ring[to] as usize])
            };
            if !inner(0, tip) || !inner(tip, ring.len() - 1) {
                continue;
            }
            for left in cut(edges, &ring[..=tip]) {
                for right in cut(edges, &ring[tip..]) {
                    let mut triangles = vec![[first, ring[tip], last]];
                    triangles.extend(left.iter().chain(&right));
                    all.push(triangles);
                }
            }
        }
        all
    }
    let ring: Vec<u8> = (0..edges.len() as u8).collect();
    cut(edges, &ring)
}

fn share_face(a: u8, b: u8) -> bool {
    let on = |e: u8, face: &[u8; 4]| {
        let CubeEdge { corner, axis } = EDGES[e as usize];
        face.contains(&corner) && face.contains(&(corner | 1 << axis))
    };
    FACES.iter().any(|f| on(a, f) && on(b, f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crossing_is_used_once() {
        for mask in 0..=255u8 {
            let crossed = EDGES
                .iter()
                .filter(|e| (mask >> e.corner & 1) != (mask >> (e.corner | 1 << e.axis) & 1))
                .count();
            let used: usize = CASES[mask as usize].iter().map(|p| p.edges.len()).sum();
            assert_eq!(crossed, used, "case {mask}");
        }
    }

    #[test]
    fn one_void_corner_is_faced() {
        let polygon = &CASES[1][0];
        let at = |i: usize| {
            let e = EDGES[polygon.edges[i] as usize];
            let mut p = glam::Vec3::ZERO;
            p[e.axis as usize] = 0.5;
            p
        };
        let [a, b, c] = polygon.cuts[0][0].map(|i| at(i as usize));
        let normal = (b - a).cross(c - a);
        assert!(normal.dot(-a) > 0.0, "faces away from the void corner");
    }
}

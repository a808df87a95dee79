//! Which triangles of a mesh pass through each other, decided exactly.
//!
//! Signs of determinants come from adaptive arithmetic (Shewchuk 1997), so that neither rounding
//! nor tolerance is involved: triangles that only touch intersect as well. Two triangles meet
//! exactly where an edge of one meets the other (Möller 1997, "A fast triangle-triangle
//! intersection test"; here with the closed edges, which covers the coplanar case too).

use super::topology::sides;
use crate::bvh::{Aabb, Bvh};
use rayon::prelude::*;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// A point, metres.
type Point = [f32; 3];

/// Pairs of triangles `[lower, higher]` that have more in common than the vertices they share,
/// ascending.
///
/// Vertices are the same when their indices are: weld first. Triangles without area are left out.
pub fn crossings(positions: &[Point], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let boxes: Vec<Aabb> = triangles
        .par_iter()
        .map(|t| Aabb::around(&t.map(|i| positions[i as usize])))
        .collect();
    let tree = Bvh::build(&boxes);
    let mut pairs: Vec<[u32; 2]> = (0..triangles.len() as u32)
        .into_par_iter()
        .flat_map_iter(|f| {
            let mut found = Vec::new();
            tree.near(&boxes[f as usize], |g| {
                if g > f && cross(positions, triangles[f as usize], triangles[g as usize]) {
                    found.push([f, g]);
                }
            });
            found
        })
        .collect();
    pairs.par_sort_unstable();
    pairs
}

/// Whether two triangles, given by vertex indices, have more in common than their common vertices.
///
/// Three common vertices, or two and a fold of exactly 180°, are an intersection.
pub fn cross(positions: &[Point], s: [u32; 3], t: [u32; 3]) -> bool {
    let at = |i: u32| positions[i as usize];
    let [a, b] = [s, t].map(|t| t.map(at));
    let common = s.iter().filter(|i| t.contains(i)).count();
    match common {
        0 => apart_cross(a, b),
        1 => {
            let [p, q] = [turned(s, &t), turned(t, &s)];
            meets(p.map(at), b) || meets(q.map(at), a)
        }
        2 => {
            let ([p, q], Some(&tip)) = (turned_away(s, &t), t.iter().find(|i| !s.contains(i)))
            else {
                return false;
            };
            let Some(&own) = s.iter().find(|i| !t.contains(i)) else {
                return false;
            };
            folded(at(p), at(q), at(own), at(tip))
        }
        _ => true,
    }
}

/// A place where two triangles that [`cross`] do so, about: the mean of the points where edges
/// of one pass the plane of the other inside it; where there are none, between their centres.
pub fn place(positions: &[Point], s: [u32; 3], t: [u32; 3]) -> [f64; 3] {
    let corners = |t: [u32; 3]| t.map(|i| glam::Vec3::from_array(positions[i as usize]).as_dvec3());
    let (mut sum, mut count) = (glam::DVec3::ZERO, 0.0);
    for (own, other) in [(s, t), (t, s)] {
        let plane = other.map(|i| positions[i as usize]);
        for i in 0..3 {
            let edge = [own[i], own[(i + 1) % 3]];
            let ends = edge.map(|i| positions[i as usize]);
            if edge.iter().any(|v| other.contains(v)) || !meets(ends, plane) {
                continue;
            }
            let [p, q] = ends.map(|p| glam::Vec3::from_array(p).as_dvec3());
            let (a, b) = (side(plane, ends[0]), side(plane, ends[1]));
            let share = if a == b { 0.5 } else { a / (a - b) };
            (sum, count) = (sum + p + (q - p) * share, count + 1.0);
        }
    }
    if count > 0.0 {
        return (sum / count).to_array();
    }
    let all = corners(s).into_iter().chain(corners(t));
    (all.sum::<glam::DVec3>() / 6.0).to_array()
}

/// The edge of `s` opposite its one vertex in `t`.
fn turned(s: [u32; 3], t: &[u32; 3]) -> [u32; 2] {
    let i = (0..3).find(|&i| t.contains(&s[i])).unwrap_or(0);
    [s[(i + 1) % 3], s[(i + 2) % 3]]
}

/// The edge of `s` opposite its one vertex not in `t`.
fn turned_away(s: [u32; 3], t: &[u32; 3]) -> [u32; 2] {
    let i = (0..3).find(|&i| !t.contains(&s[i])).unwrap_or(0);
    [s[(i + 1) % 3], s[(i + 2) % 3]]
}

/// Triangles without a common vertex.
fn apart_cross(a: [Point; 3], b: [Point; 3]) -> bool {
    let one_side = |t: [Point; 3], other: [Point; 3]| {
        let s = other.map(|p| side(t, p));
        s.iter().all(|&v| v > 0.0) || s.iter().all(|&v| v < 0.0)
    };
    if one_side(a, b) || one_side(b, a) {
        return false;
    }
    sides(a).into_iter().any(|e| meets(e, b)) || sides(b).into_iter().any(|e| meets(e, a))
}

/// Triangles `p q own` and `p q tip` over one another: coplanar, tips on one side of `p q`.
fn folded(p: Point, q: Point, own: Point, tip: Point) -> bool {
    if side([p, q, own], tip) != 0.0 {
        return false;
    }
    let Some(axis) = seen_from([p, q, own]) else {
        return false;
    };
    let turn = |c: Point| flat(axis, p, q, c);
    turn(own) * turn(tip) > 0.0
}

/// Whether a closed segment and a closed triangle have a point in common.
fn meets([p, q]: [Point; 2], t: [Point; 3]) -> bool {
    let (sp, sq) = (side(t, p), side(t, q));
    if sp > 0.0 && sq > 0.0 || sp < 0.0 && sq < 0.0 {
        return false;
    }
    if sp == 0.0 && sq == 0.0 {
        return meets_flat([p, q], t);
    }
    let [a, b, c] = t;
    let turns = [side([p, q, a], b), side([p, q, b], c), side([p, q, c], a)];
    turns.iter().all(|&v| v >= 0.0) || turns.iter().all(|&v| v <= 0.0)
}

/// The same in the plane of the triangle; false when it has no area.
fn meets_flat([p, q]: [Point; 2], t: [Point; 3]) -> bool {
    let Some(axis) = seen_from(t) else {
        return false;
    };
    let turn = |a: Point, b: Point, c: Point| flat(axis, a, b, c);
    let edges = sides(t);
    let inside = |p: Point| {
        let s = edges.map(|[a, b]| turn(a, b, p));
        s.iter().all(|&v| v >= 0.0) || s.iter().all(|&v| v <= 0.0)
    };
    let split = |a: Point, b: Point, c: Point, d: Point| {
        let (s, t) = (turn(a, b, c), turn(a, b, d));
        s >= 0.0 && t <= 0.0 || s <= 0.0 && t >= 0.0
    };
    // An edge in line with the segment splits it; then an end of one lies on the other, and the
    // two edges beside it, or `inside`, tell.
    inside(p) || inside(q) || {
        edges.into_iter().any(|[a, b]| {
            (turn(p, q, a) != 0.0 || turn(p, q, b) != 0.0) && split(a, b, p, q) && split(p, q, a, b)
        })
    }
}

/// An axis along which the triangle has area to be seen.
fn seen_from([a, b, c]: [Point; 3]) -> Option<usize> {
    (0..3).find(|&axis| flat(axis, a, b, c) != 0.0)
}

/// Sign: which way `a b c` turns, seen along `axis`.
fn flat(axis: usize, a: Point, b: Point, c: Point) -> f64 {
    let [a, b, c] = [a, b, c].map(|p| Coord {
        x: f64::from(p[(axis + 1) % 3]),
        y: f64::from(p[(axis + 2) % 3]),
    });
    orient2d(a, b, c)
}

/// Sign: which side of the plane of a triangle a point is on.
fn side(t: [Point; 3], p: Point) -> f64 {
    let [a, b, c, d] = [t[0], t[1], t[2], p].map(|p| Coord3D {
        x: f64::from(p[0]),
        y: f64::from(p[1]),
        z: f64::from(p[2]),
    });
    orient3d(a, b, c, d)
}

//! Shapes of rocks: convex polyhedra, flat below.
//!
//! A shape is what half-spaces about an ellipsoid leave of it. Its sides lean inward or stand
//! upright, so that it is widest at its foot: nothing can be driven under, and a union with the
//! floor leaves no wedge of air.

use crate::rng::{Domain, stream};
use rand::{Rng, RngExt as _};
use std::f64::consts::{FRAC_PI_4, TAU};

/// Different shapes; each is used at any size and turn.
pub const SHAPES: usize = 16;
/// The last of them are slabs, the others boulders.
pub const SLABS: usize = 6;

/// A half-space `normal · p <= offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal, out of the rock.
    pub normal: [f32; 3],
    /// Distance of the plane from the origin.
    pub offset: f32,
}

/// A rock of diameter 1: at z = 0, where the floor is, it covers the area π/4.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Faces but the bottom.
    pub planes: Vec<Plane>,
    /// Height over the floor.
    pub height: f32,
    /// Depth of the flat bottom under the floor: 15–35 % of the whole height.
    pub depth: f32,
    /// Largest distance of a corner from the vertical axis.
    pub radius: f32,
    /// Corners.
    pub corners: Vec<[f32; 3]>,
    /// Triangles over the corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The shapes of a seed: boulders, then [`SLABS`] slabs.
pub fn shapes(seed: u64) -> Vec<Shape> {
    (0..SHAPES)
        .map(|i| {
            let mut rng = stream(seed, Domain::Objects, u64::MAX - i as u64);
            shape(i >= SHAPES - SLABS, &mut rng)
        })
        .collect()
}

fn shape(slab: bool, rng: &mut impl Rng) -> Shape {
    // Breakdown parts along beds: slabs have a level top and upright sides.
    let (height, lean, bevels) = if slab {
        (rng.random_range(0.22..0.36), 0.2, rng.random_range(2..=3))
    } else {
        (rng.random_range(0.45..0.75), 0.45, rng.random_range(2..=3))
    };
    let axes = [0.5, 0.5 * rng.random_range(0.62..0.95), height];
    let sides = rng.random_range(4..=6);
    let mut planes = Vec::new();
    for i in 0..sides {
        let turn = (f64::from(i) + rng.random_range(0.25..0.75)) / f64::from(sides);
        let rise = rng.random_range(0.0..lean);
        planes.push(tangent(axes, turn, rise, rng.random_range(0.75..1.0)));
    }
    for i in 0..bevels {
        let turn = (f64::from(i) + rng.random_range(0.1..0.9)) / f64::from(bevels);
        let rise = rng.random_range(0.55..0.9);
        planes.push(tangent(axes, turn, rise, rng.random_range(0.7..1.0)));
    }
    let rise = if slab {
        rng.random_range(0.97..0.999)
    } else {
        rng.random_range(0.9..0.995)
    };
    planes.push(tangent(axes, rng.random(), rise, 0.9));
    finish(planes, rng.random_range(0.15..0.35))
}

/// A plane and what it is moved inward from: its normal and its distance from the origin.
type Cut = ([f64; 3], f64);

/// The tangent plane of an ellipsoid whose normal has the azimuth `turn` (turns) and the upward
/// part `rise`, moved to the share `keep` of its distance.
fn tangent(axes: [f64; 3], turn: f64, rise: f64, keep: f64) -> Cut {
    let level = (1.0 - rise * rise).sqrt();
    let angle = turn * TAU;
    let n = [libm::cos(angle) * level, libm::sin(angle) * level, rise];
    let support = (0..3).map(|k| (n[k] * axes[k]) * (n[k] * axes[k]));
    (n, support.sum::<f64>().sqrt() * keep)
}

/// Scales to the area π/4 on the floor, and cuts the bottom off so deep that the share `sunk` of
/// the height is below the floor.
fn finish(mut planes: Vec<Cut>, sunk: f64) -> Shape {
    let scale = (FRAC_PI_4 / area_on_floor(&planes)).sqrt();
    for plane in &mut planes {
        plane.1 *= scale;
    }
    let top = |planes: &[Cut]| {
        let (corners, _) = hull(planes);
        corners.iter().map(|c| c[2]).fold(0.0, f64::max)
    };
    planes.push(([0.0, 0.0, -1.0], 0.5));
    let height = top(&planes);
    let depth = sunk / (1.0 - sunk) * height;
    planes.pop();
    planes.push(([0.0, 0.0, -1.0], depth));
    let (corners, triangles) = hull(&planes);
    let radius = corners.iter().map(|c| (c[0] * c[0] + c[1] * c[1]).sqrt());
    planes.pop();
    Shape {
        height: height as f32,
        depth: depth as f32,
        radius: radius.fold(0.0, f64::max) as f32,
        corners: corners.iter().map(|c| c.map(|v| v as f32)).collect(),
        triangles,
        planes: planes
            .iter()
            .map(|(n, offset)| Plane {
                normal: n.map(|v| v as f32),
                offset: *offset as f32,
            })
            .collect(),
    }
}

/// Area of the cut at z = 0: a large square, clipped by each plane (Sutherland & Hodgman 1974).
fn area_on_floor(planes: &[Cut]) -> f64 {
    let mut ring = vec![[-4.0, -4.0], [4.0, -4.0], [4.0, 4.0], [-4.0, 4.0]];
    for (n, offset) in planes {
        let over = |p: [f64; 2]| n[0] * p[0] + n[1] * p[1] - offset;
        let mut kept = Vec::new();
        for (i, &a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            let (da, db) = (over(a), over(b));
            if da <= 0.0 {
                kept.push(a);
            }
            if (da <= 0.0) != (db <= 0.0) {
                let t = da / (da - db);
                kept.push([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]);
            }
        }
        ring = kept;
    }
    let cross = |i: usize| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        a[0] * b[1] - a[1] * b[0]
    };
    0.5 * (0..ring.len()).map(cross).sum::<f64>()
}

/// Corners and faces of a bounded intersection of half-spaces: every three planes meet in a
/// point, which is a corner when no other plane cuts it off.
fn hull(planes: &[Cut]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let n = planes.len();
    let mut corners: Vec<[f64; 3]> = Vec::new();
    let mut of_plane: Vec<Vec<u32>> = vec![Vec::new(); n];
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                let Some(p) = meet(planes[i], planes[j], planes[k]) else {
                    continue;
                };
                let outside =
                    |m: usize| m != i && m != j && m != k && dot(planes[m].0, p) > planes[m].1;
                if !(0..n).any(outside) {
                    for m in [i, j, k] {
                        of_plane[m].push(corners.len() as u32);
                    }
                    corners.push(p);
                }
            }
        }
    }
    let mut triangles = Vec::new();
    for (plane, ring) in planes.iter().zip(&mut of_plane) {
        order(plane.0, ring, &corners);
        for w in 1..ring.len().saturating_sub(1) {
            triangles.push([ring[0], ring[w], ring[w + 1]]);
        }
    }
    (corners, triangles)
}

/// Sorts the corners of a face counter-clockwise about its normal.
fn order(normal: [f64; 3], ring: &mut [u32], corners: &[[f64; 3]]) {
    let count = ring.len().max(1) as f64;
    let middle: [f64; 3] =
        std::array::from_fn(|a| ring.iter().map(|&i| corners[i as usize][a]).sum::<f64>() / count);
    let aside = if normal[2].abs() > 0.7 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    };
    let u = cross(aside, normal);
    let v = cross(normal, u);
    let angle = |i: u32| {
        let p = corners[i as usize];
        let q: [f64; 3] = std::array::from_fn(|a| p[a] - middle[a]);
        // Both axes have one length, so it does not matter.
        libm::atan2(dot(q, v), dot(q, u))
    };
    ring.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
}

/// The point of three planes; none when they are nearly parallel to a line.
fn meet(a: Cut, b: Cut, c: Cut) -> Option<[f64; 3]> {
    let (bc, ca, ab) = (cross(b.0, c.0), cross(c.0, a.0), cross(a.0, b.0));
    let volume = dot(a.0, bc);
    (volume.abs() > 1e-9)
        .then(|| std::array::from_fn(|k| (a.1 * bc[k] + b.1 * ca[k] + c.1 * ab[k]) / volume))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::topology;

    #[test]
    fn shapes_are_closed_convex_and_of_unit_size() {
        for seed in 0..50 {
            for (i, s) in shapes(seed).iter().enumerate() {
                let cuts: Vec<Cut> = s
                    .planes
                    .iter()
                    .map(|p| (p.normal.map(f64::from), f64::from(p.offset)))
                    .collect();
                assert!((area_on_floor(&cuts) - FRAC_PI_4).abs() < 1e-5);
                let place = format!("shape {i} of seed {seed}");
                assert_eq!(topology::border(&s.triangles), Some(vec![]), "{place}");
                let (v, f) = (s.corners.len() as i64, s.triangles.len() as i64);
                assert_eq!(v - f / 2, 2, "{place}: not a ball");
                assert!((8..=14).contains(&(s.planes.len() + 1)), "{place}");
                for p in &s.corners {
                    for plane in &s.planes {
                        let d: f32 = (0..3).map(|k| plane.normal[k] * p[k]).sum();
                        assert!(d < plane.offset + 1e-5, "{place}");
                    }
                }
                let sunk = s.depth / (s.depth + s.height);
                assert!((0.15..=0.35).contains(&sunk), "{place}: sunk {sunk}");
                assert!((0.45..2.0).contains(&s.radius), "{place}: {}", s.radius);
                assert!((0.1..1.0).contains(&s.height), "{place}: {}", s.height);
                // Signed volume: faces look outward.
                let volume: f64 = s
                    .triangles
                    .iter()
                    .map(|&t| {
                        let n = topology::cross(&s.corners, t);
                        let p = s.corners[t[0] as usize].map(f64::from);
                        dot(n, p)
                    })
                    .sum();
                assert!(volume > 0.0, "{place}");
            }
        }
    }

    #[test]
    fn a_clipped_square_has_its_area() {
        let wall = |x: f64, y: f64| ([x, y, 0.0], 0.5);
        let square = [
            wall(1.0, 0.0),
            wall(-1.0, 0.0),
            wall(0.0, 1.0),
            wall(0.0, -1.0),
        ];
        assert!((area_on_floor(&square) - 1.0).abs() < 1e-12);
    }
}

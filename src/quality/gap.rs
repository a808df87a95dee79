//! How far apart are two meshes?

use super::report::Place;
use super::whole::Whole;
use glam::DVec3;
use rayon::prelude::*;

/// The largest distance from a point of either mesh to the other, metres, and where: the sampled
/// Hausdorff distance (Cignoni, Rocchini & Scopigno 1998, "Metro").
///
/// Sampled are the vertices, and places on the triangles at most about `step_m` apart.
pub(super) fn between(a: &Whole, b: &Whole, step_m: f64) -> Option<(f64, Place)> {
    let there = one_way(a, b, step_m);
    let back = one_way(b, a, step_m);
    match (there, back) {
        (Some(there), Some(back)) => Some(if back.0 > there.0 { back } else { there }),
        _ => None,
    }
}

fn one_way(from: &Whole, to: &Whole, step_m: f64) -> Option<(f64, Place)> {
    if to.own == 0 {
        return None;
    }
    let (worst2, face, point) = (0..from.own)
        .into_par_iter()
        .map(|face| {
            let mut hint = 0;
            let mut worst = (0.0, face, DVec3::ZERO);
            samples(from.corners(face).map(DVec3::from_array), step_m, |p| {
                let (near, d2) = nearest(to, p, hint);
                hint = near;
                if d2 > worst.0 {
                    worst = (d2, face, p);
                }
            });
            worst
        })
        .max_by(|x, y| x.0.total_cmp(&y.0).then(y.1.cmp(&x.1)))?;
    Some((worst2.sqrt(), from.at(face, point.to_array())))
}

/// Distance from a point to a mesh, metres; infinite when there is none.
pub(super) fn distance(to: &Whole, p: [f64; 3]) -> f64 {
    match to.own {
        0 => f64::INFINITY,
        _ => nearest(to, DVec3::from_array(p), 0).1.sqrt(),
    }
}

/// The nearest triangle, and the square of its distance; `hint` is one that may be near.
fn nearest(to: &Whole, p: DVec3, hint: u32) -> (u32, f64) {
    // The caps of openings are no surface.
    let d2 = |face: u32| match (face as usize) < to.own {
        true => distance2(to.corners(face as usize).map(DVec3::from_array), p),
        false => f64::INFINITY,
    };
    let within = d2(hint);
    to.tree
        .nearest(p.to_array(), within, d2)
        .unwrap_or((hint, within))
}

/// Corners of a triangle and places on it, on a triangular grid.
fn samples([a, b, c]: [DVec3; 3], step_m: f64, mut visit: impl FnMut(DVec3)) {
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let n = (longest / step_m).ceil().clamp(1.0, 1000.0) as u32;
    for i in 0..=n {
        for j in 0..=n - i {
            let (s, t) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            visit(a + (b - a) * s + (c - a) * t);
        }
    }
}

/// Square of the distance from a point to a triangle (Ericson 2005, "Real-Time Collision
/// Detection", §5.1.5).
fn distance2([a, b, c]: [DVec3; 3], p: DVec3) -> f64 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return ap.length_squared();
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return bp.length_squared();
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (ap - ab * (d1 / (d1 - d3))).length_squared();
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return cp.length_squared();
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (ap - ac * (d2 / (d2 - d6))).length_squared();
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (bp - (c - b) * t).length_squared();
    }
    let sum = va + vb + vc;
    (ap - ab * (vb / sum) - ac * (vc / sum)).length_squared()
}

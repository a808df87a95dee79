//! How far apart are two meshes?

use super::report::Place;
use super::whole::Whole;
use crate::surface::deviation::{Target, samples};
use glam::DVec3;
use rayon::prelude::*;

/// A place, and the square of its distance to the other mesh.
#[derive(Clone, Copy)]
struct Far {
    d2: f64,
    face: usize,
    point: DVec3,
}

/// The largest distance from a point of either mesh to the other, metres, and where: the sampled
/// Hausdorff distance (Cignoni, Rocchini & Scopigno 1998, "Metro").
///
/// Sampled are the vertices, and places on the triangles at most about `step_m` apart.
pub(super) fn between(a: &Whole, b: &Whole, step_m: f64) -> Option<(f64, Place)> {
    let there = one_way(a, b, step_m)?;
    let back = one_way(b, a, step_m)?;
    let (from, far) = if back.d2 > there.d2 {
        (b, back)
    } else {
        (a, there)
    };
    Some((far.d2.sqrt(), from.at(far.face, far.point.to_array())))
}

fn one_way(from: &Whole, to: &Whole, step_m: f64) -> Option<Far> {
    if to.own == 0 {
        return None;
    }
    let target = Target::new(&to.positions, to.faces());
    let none = Far {
        d2: 0.0,
        face: usize::MAX,
        point: DVec3::ZERO,
    };
    let farther = |a: Far, b: Far| match b.d2.total_cmp(&a.d2).then(a.face.cmp(&b.face)) {
        std::cmp::Ordering::Greater => b,
        _ => a,
    };
    // Only what is farther than all before it needs its exact distance.
    let far = (0..from.own)
        .into_par_iter()
        .fold(
            || (none, 0),
            |(mut worst, mut hint), face| {
                samples(from.corners(face).map(DVec3::from_array), step_m, |point| {
                    let d2 = target.distance2(point, worst.d2, &mut hint);
                    worst = farther(worst, Far { d2, face, point });
                });
                (worst, hint)
            },
        )
        .map(|(worst, _)| worst)
        .reduce(|| none, farther);
    (far.face != usize::MAX).then_some(far)
}

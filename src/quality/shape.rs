//! Triangles by themselves and against each other.

use super::report::{Check, Rule};
use super::whole::Whole;
use crate::surface::{intersect, topology};
use rayon::prelude::*;

/// No two triangles cross.
pub(super) fn crossings(name: &'static str, whole: &Whole) -> Check {
    let pairs = intersect::crossings(&whole.positions, whole.faces());
    let place = pairs.first().map(|p| whole.place(p[0] as usize));
    let check = Check::none_of(name, pairs.len(), place);
    let Some(&[f, g]) = pairs.first() else {
        return check;
    };
    let mut chunks: Vec<String> = [f, g]
        .iter()
        .filter_map(|&f| whole.place(f as usize).chunk)
        .collect();
    chunks.dedup();
    check.with_note(format!("the first pair in {}", chunks.join(" and ")))
}

/// No triangle is degenerate.
pub(super) fn smallest(name: &'static str, whole: &Whole) -> Check {
    let area = |f: usize| topology::area(&whole.positions, whole.triangles[f]);
    let check = Check::new(name, "m2", Rule::MoreThan, topology::MIN_AREA_M2);
    let Some((worst, face)) = (0..whole.own)
        .into_par_iter()
        .map(|f| (area(f), f))
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
    else {
        return check;
    };
    let angle = (0..whole.own)
        .into_par_iter()
        .map(|f| angle_deg(whole.corners(f)))
        .min_by(f64::total_cmp)
        .unwrap_or(0.0);
    check
        .found(worst, Some(whole.place(face)))
        .with_note(format!("smallest angle {angle:.3}\u{b0}"))
}

/// Smallest angle of a triangle, degrees.
fn angle_deg(corners: [[f64; 3]; 3]) -> f64 {
    let [a, b, c] = corners.map(glam::DVec3::from_array);
    [(a, b, c), (b, c, a), (c, a, b)]
        .map(|(p, q, r)| {
            let (u, v) = (q - p, r - p);
            libm::atan2(u.cross(v).length(), u.dot(v)).to_degrees()
        })
        .into_iter()
        .fold(f64::INFINITY, f64::min)
}

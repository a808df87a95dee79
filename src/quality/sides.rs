//! Do triangles look into the void?

use super::column::crossings;
use super::report::Check;
use super::whole::Whole;
use crate::surface::topology;
use rayon::prelude::*;

/// Counts triangles that look into the rock: a line from such a triangle's centre to its front
/// passes an even number of others.
pub(super) fn toward_void(whole: &Whole) -> Check {
    let wrong: Vec<usize> = (0..whole.own)
        .into_par_iter()
        .filter(|&f| looks_into_rock(whole, f))
        .collect();
    let place = wrong.first().map(|&f| whole.place(f));
    Check::none_of("faces toward the void", wrong.len(), place)
}

fn looks_into_rock(whole: &Whole, face: usize) -> bool {
    let n = topology::cross(&whole.positions, whole.triangles[face]);
    let axis = (0..3)
        .max_by(|&a, &b| n[a].abs().total_cmp(&n[b].abs()))
        .unwrap_or(2);
    let all = crossings(whole, axis, whole.place(face).point);
    let Some(own) = all.iter().position(|c| c.1 == face as u32) else {
        // Too thin to be met at its own centre; the check of areas tells of it.
        return false;
    };
    let before_it = if n[axis] > 0.0 {
        all.len() - own - 1
    } else {
        own
    };
    before_it % 2 == 0
}

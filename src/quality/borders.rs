//! Do chunks meet to the bit?

use super::openings::Holes;
use super::report::{Check, Place, Rule};
use super::whole::{Whole, bits};
use crate::surface::topology;
use rayon::prelude::*;
use std::collections::BTreeSet;

type Edge = [[u32; 3]; 2];

/// Each border edge of a piece is met by the same edge, the other way round, of another; and is
/// the edge that it was before simplification.
pub(super) fn positions(whole: &Whole, holes: &Holes) -> Check {
    let borders: Vec<Vec<Edge>> = whole
        .pieces
        .par_iter()
        .map(|piece| {
            let ids = welded(&piece.positions);
            let joined: Vec<[u32; 3]> = piece
                .triangles
                .iter()
                .map(|t| t.map(|i| ids[i as usize]))
                .collect();
            let at = |i: u32| bits(piece.positions[i as usize]);
            let edges = topology::border(&joined).unwrap_or_default();
            let mut edges: Vec<Edge> = edges.into_iter().map(|e| e.map(at)).collect();
            edges.sort_unstable();
            edges
        })
        .collect();
    let mut all: Vec<Edge> = borders.iter().flatten().copied().collect();
    all.par_sort_unstable();
    // Holes that are allowed are closed by the first two corners of each cap.
    let caps: BTreeSet<Edge> = holes
        .caps
        .iter()
        .map(|&[to, from, _]| [from, to].map(|i| bits(whole.positions[i as usize])))
        .collect();
    let mut wrong: Vec<(usize, Edge)> = Vec::new();
    for (i, edges) in borders.iter().enumerate() {
        let met = |e: &Edge| all.binary_search(&[e[1], e[0]]).is_ok() || caps.contains(e);
        wrong.extend(edges.iter().filter(|e| !met(e)).map(|&e| (i, e)));
        if let Some(before) = &whole.pieces[i].border_before {
            let mut before: Vec<Edge> = before.iter().map(|e| e.map(bits)).collect();
            before.sort_unstable();
            let moved = before.iter().filter(|e| edges.binary_search(e).is_err());
            let added = edges.iter().filter(|e| before.binary_search(e).is_err());
            wrong.extend(moved.chain(added).map(|&e| (i, e)));
        }
    }
    let place = wrong.first().map(|&(i, [a, _])| Place {
        point: a.map(|c| f64::from(f32::from_bits(c))),
        chunk: Some(whole.pieces[i].chunk.clone()),
    });
    let before = whole.pieces.iter().all(|p| p.border_before.is_some());
    let note = format!(
        "{} border edges{}",
        all.len(),
        if before {
            ", compared with those before simplification"
        } else {
            ""
        }
    );
    Check::none_of("chunk borders, positions", wrong.len(), place).with_note(note)
}

/// For each vertex, the first at the same place.
fn welded(positions: &[[f32; 3]]) -> Vec<u32> {
    let mut order: Vec<([u32; 3], u32)> = positions
        .iter()
        .enumerate()
        .map(|(i, &p)| (bits(p), i as u32))
        .collect();
    order.sort_unstable();
    let mut first = vec![0; positions.len()];
    for group in order.chunk_by(|a, b| a.0 == b.0) {
        for &(_, i) in group {
            first[i as usize] = group[0].1;
        }
    }
    first
}

/// At places that several pieces share, all normals are the same bits.
pub(super) fn normals(whole: &Whole) -> Check {
    let check = Check::new("chunk borders, normals", "deg", Rule::AtMost, 0.0);
    let mut all: Vec<([u32; 3], usize, [f32; 3])> = Vec::new();
    for (i, piece) in whole.pieces.iter().enumerate() {
        let at = piece.positions.iter().zip(&piece.normals);
        all.extend(at.map(|(&p, &n)| (bits(p), i, n)));
    }
    all.par_sort_unstable_by_key(|v| (v.0, v.1, bits(v.2)));
    let (mut worst, mut differ, mut shared, mut place) = (0.0, 0usize, 0usize, None);
    for group in all.chunk_by(|a, b| a.0 == b.0) {
        if group.first().map(|v| v.1) == group.last().map(|v| v.1) {
            continue;
        }
        shared += 1;
        let (_, _, first) = group[0];
        let Some(angle) = group
            .iter()
            .filter(|v| bits(v.2) != bits(first))
            .map(|v| angle_deg(first, v.2))
            .max_by(f64::total_cmp)
        else {
            continue;
        };
        differ += 1;
        // Even where rounding makes the angle nothing, the bits differ.
        let angle = f64::max(angle, f64::MIN_POSITIVE);
        if angle > worst {
            worst = angle;
            place = Some(Place {
                point: group[0].0.map(|c| f64::from(f32::from_bits(c))),
                chunk: Some(whole.pieces[group[0].1].chunk.clone()),
            });
        }
    }
    let note = format!("{differ} of {shared} shared vertices differ");
    check.found(worst, place).with_note(note)
}

fn angle_deg(a: [f32; 3], b: [f32; 3]) -> f64 {
    let [a, b] = [a, b].map(|n| glam::Vec3::from_array(n).as_dvec3());
    libm::atan2(a.cross(b).length(), a.dot(b)).to_degrees()
}

//! Holes that are allowed.

use super::report::{Check, Place};
use super::whole::{Use, Whole};
use crate::field::Opening;

/// How far a hole's edge may be from the plane of its opening, voxels: it is cut along the
/// lattice, and rounded to a 512th of a voxel.
const OFF_PLANE: f64 = 0.02;
/// How far it may reach beyond the stated extent, voxels.
const BEYOND: f64 = 1.0;

/// What became of the border of a mesh.
#[derive(Default)]
pub(super) struct Holes {
    /// Openings without a hole, or with more than one.
    pub(super) unmet: Vec<usize>,
    /// Edges of holes that no opening allows: `[from, to]` and the triangle.
    pub(super) open: Vec<([u32; 2], u32)>,
    /// A middle for each hole that is allowed.
    pub(super) centres: Vec<[f32; 3]>,
    /// Triangles from its edge to that middle.
    pub(super) caps: Vec<[u32; 3]>,
}

/// Finds the holes of a mesh and those that `openings` allow.
pub(super) fn holes(whole: &Whole, uses: &[Use], openings: &[Opening], voxel_m: f64) -> Holes {
    let mut open: Vec<([u32; 2], u32)> = uses
        .chunk_by(|a, b| a.edge == b.edge)
        .filter(|group| group.len() == 1)
        .map(|group| {
            let [a, b] = group[0].edge;
            let edge = if group[0].back { [b, a] } else { [a, b] };
            (edge, group[0].face)
        })
        .collect();
    open.sort_unstable();
    let mut out = Holes::default();
    let mut met = vec![0usize; openings.len()];
    for ring in rings(&open) {
        let inside = |opening: &Opening| {
            ring.iter().all(|&i| {
                let [from, _] = open[i].0;
                within(opening, whole.positions[from as usize], voxel_m)
            })
        };
        let Some(which) = openings.iter().position(inside) else {
            out.open.extend(ring.iter().map(|&i| open[i]));
            continue;
        };
        met[which] += 1;
        let hub = (whole.positions.len() + out.centres.len()) as u32;
        let mut middle = [0.0f64; 3];
        for &i in &ring {
            let [from, to] = open[i].0;
            let p = whole.positions[from as usize];
            middle = std::array::from_fn(|k| middle[k] + f64::from(p[k]) / ring.len() as f64);
            out.caps.push([to, from, hub]);
        }
        out.centres.push(middle.map(|c| c as f32));
    }
    out.open.sort_unstable();
    out.unmet = (0..openings.len()).filter(|&i| met[i] != 1).collect();
    out
}

/// Border edges, sorted, in rings: indices of edges, each of which starts where the last ends.
fn rings(open: &[([u32; 2], u32)]) -> Vec<Vec<usize>> {
    let mut used = vec![false; open.len()];
    let mut rings = Vec::new();
    for start in 0..open.len() {
        if used[start] {
            continue;
        }
        let mut ring = Vec::new();
        let mut next = Some(start);
        while let Some(i) = next {
            used[i] = true;
            ring.push(i);
            let to = open[i].0[1];
            let first = open.partition_point(|e| e.0[0] < to);
            next = (first..open.len())
                .take_while(|&j| open[j].0[0] == to)
                .find(|&j| !used[j]);
        }
        rings.push(ring);
    }
    rings
}

fn within(opening: &Opening, p: [f32; 3], voxel_m: f64) -> bool {
    let off: [f64; 3] = std::array::from_fn(|k| f64::from(p[k]) - opening.centre[k]);
    let n = opening.normal;
    let (half_w, half_h) = (0.5 * opening.width_m, 0.5 * opening.height_m);
    let level = n[2].abs() > 0.5;
    (0..3).all(|k| {
        let reach = match (n[k].abs() > 0.5, level, k) {
            (true, _, _) => OFF_PLANE * voxel_m,
            (false, true, _) => half_w.max(half_h) + BEYOND * voxel_m,
            (false, false, 2) => half_h + BEYOND * voxel_m,
            (false, false, _) => half_w + BEYOND * voxel_m,
        };
        off[k].abs() <= reach
    })
}

/// Each opening is one hole.
pub(super) fn check(holes: &Holes, openings: &[Opening]) -> Check {
    let place = holes.unmet.first().map(|&i| Place {
        point: openings[i].centre,
        chunk: None,
    });
    let note = format!("{} declared", openings.len());
    Check::none_of("openings without their hole", holes.unmet.len(), place).with_note(note)
}

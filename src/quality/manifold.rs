//! Is it one closed surface, and how many handles has it?

use super::openings::Holes;
use super::report::{Check, Rule};
use super::whole::{Use, Whole};
use crate::sets::Sets;

/// Every edge has two triangles, one each way; holes only where openings allow them.
pub(super) fn closed(name: &'static str, whole: &Whole, uses: &[Use], holes: &Holes) -> Check {
    let crowded: Vec<u32> = uses
        .chunk_by(|a, b| a.edge == b.edge)
        .filter(|group| group.len() > 1 && !paired(group))
        .map(|group| group[0].face)
        .collect();
    let first = holes.open.first().map(|o| o.1);
    let face = crowded.first().copied().or(first);
    let count = crowded.len() + holes.open.len();
    Check::none_of(name, count, face.map(|f| whole.place(f as usize))).with_note(format!(
        "edges: {} open, {} with more than two faces or turned against each other",
        holes.open.len(),
        crowded.len()
    ))
}

fn paired(group: &[Use]) -> bool {
    matches!(group, [a, b] if a.back != b.back)
}

/// One connected surface.
pub(super) fn pieces(name: &'static str, whole: &Whole) -> Check {
    let (count, face, triangles) = whole.islands();
    let place = (count > 1).then(|| whole.place(face));
    let check = Check::new(name, "", Rule::AtMost, 1.0).found(count as f64, place);
    match count {
        0 | 1 => check,
        _ => check.with_note(format!("the smallest has {triangles} triangles")),
    }
}

/// The triangles around each vertex are one fan.
///
/// The count of all fans is that of the vertices, for Euler's formula, when pinched ones are torn
/// apart.
pub(super) fn fans(name: &'static str, whole: &Whole, uses: &[Use]) -> (Check, usize) {
    let mut corners = Sets::new(3 * whole.triangles.len());
    let corner = |face: u32, vertex: u32| {
        let t = whole.triangles[face as usize];
        3 * face as usize + t.iter().position(|&v| v == vertex).unwrap_or(0)
    };
    for group in uses.chunk_by(|a, b| a.edge == b.edge) {
        if let [a, b] = group {
            for v in a.edge {
                corners.join(corner(a.face, v), corner(b.face, v));
            }
        }
    }
    let mut fan = vec![u32::MAX; whole.positions.len()];
    let (mut fans, mut pinched) = (0, Vec::new());
    for (i, &v) in whole.triangles.iter().flatten().enumerate() {
        if corners.find(i) != i {
            continue;
        }
        fans += 1;
        if fan[v as usize] != u32::MAX {
            pinched.push(v);
        }
        fan[v as usize] = i as u32 / 3;
    }
    pinched.sort_unstable();
    pinched.dedup();
    let place = pinched.first().map(|&v| {
        let point = whole.positions[v as usize].map(f64::from);
        whole.at(fan[v as usize] as usize, point)
    });
    (Check::none_of(name, pinched.len(), place), fans)
}

/// Handles of the closed surface, from Euler's formula `V − E + F = 2 (pieces − handles)`, against
/// the loops of the graph.
pub(super) fn genus(whole: &Whole, uses: &[Use], fans: usize, expected: usize) -> Check {
    let edges = uses.chunk_by(|a, b| a.edge == b.edge).count() as i64;
    let euler = fans as i64 - edges + whole.triangles.len() as i64;
    let islands = whole.islands().0 as i64;
    let handles = islands as f64 - euler as f64 / 2.0;
    let off = (handles - expected as f64).abs();
    let check = Check::new("genus is the graph's", "", Rule::AtMost, 0.0);
    check
        .found(off, None)
        .with_note(format!("{handles} handles, {expected} loops and columns"))
}

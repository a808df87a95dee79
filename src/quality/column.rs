//! Lines along an axis through a closed surface.

use super::whole::Whole;
use robust::{Coord, orient2d};

/// Where the line through `p` along `axis` meets the surface: coordinate along the axis and
/// triangle, ascending.
///
/// On the projection along the axis, triangles are half-open (a point on a shared edge belongs to
/// one of the two, decided exactly), so a line passes a closed surface an even number of times.
pub(super) fn crossings(whole: &Whole, axis: usize, p: [f64; 3]) -> Vec<(f64, u32)> {
    let mut found = Vec::new();
    whole.tree.line(axis, p, |face| {
        if let Some(at) = crossing(whole.corners(face as usize), axis, p) {
            found.push((at, face));
        }
    });
    found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found
}

/// Whether a point is in the void inside a closed surface.
pub(super) fn is_inside(whole: &Whole, p: [f64; 3]) -> bool {
    let above = crossings(whole, 2, p).iter().filter(|c| c.0 > p[2]).count();
    above % 2 == 1
}

fn crossing(corners: [[f64; 3]; 3], axis: usize, p: [f64; 3]) -> Option<f64> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let inside = [0, 1, 2]
        .into_iter()
        .filter(|&i| passes(corners[i], corners[(i + 1) % 3], u, v, p))
        .count()
        % 2
        == 1;
    if !inside {
        return None;
    }
    // A triangle on edge has no inside, so `turn` of the whole is not 0.
    let turn = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
        (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u])
    };
    let [a, b, c] = corners;
    let share = [turn(b, c, p), turn(c, a, p), turn(a, b, p)];
    let sum: f64 = share.iter().sum();
    Some((share[0] * a[axis] + share[1] * b[axis] + share[2] * c[axis]) / sum)
}

/// Whether the half-line from `p` in the direction of rising `u` passes the edge (Shimrat 1962).
fn passes(a: [f64; 3], b: [f64; 3], u: usize, v: usize, p: [f64; 3]) -> bool {
    if (a[v] > p[v]) == (b[v] > p[v]) {
        return false;
    }
    // From low to high, so that both triangles of an edge ask the same.
    let (low, high) = if a[v] < b[v] { (a, b) } else { (b, a) };
    let flat = |q: [f64; 3]| Coord { x: q[u], y: q[v] };
    orient2d(flat(low), flat(high), flat(p)) > 0.0
}

//! How far places are from a mesh.

use crate::bvh::{Aabb, Bvh};
use glam::DVec3;
use rayon::prelude::*;

/// Triangles to measure distances to.
pub(crate) struct Target {
    corners: Vec<[DVec3; 3]>,
    tree: Bvh,
}

impl Target {
    /// Indexes a mesh.
    pub(crate) fn new(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Self {
        let corner = |i: u32| glam::Vec3::from_array(positions[i as usize]).as_dvec3();
        let boxes: Vec<Aabb> = (triangles.par_iter())
            .map(|t| {
                let [a, b, c] = t.map(|i| &positions[i as usize]);
                Aabb::around([a, b, c])
            })
            .collect();
        Self {
            corners: (triangles.iter())
                .map(|&[a, b, c]| [corner(a), corner(b), corner(c)])
                .collect(),
            tree: Bvh::build(&boxes),
        }
    }

    /// Square of the distance from a point to the mesh, or some upper bound of it below
    /// `enough2`; infinite when the mesh is empty.
    ///
    /// `hint` is a triangle that may be near, and becomes the nearest one.
    pub(crate) fn distance2(&self, p: DVec3, enough2: f64, hint: &mut u32) -> f64 {
        let d2 = |face: u32| distance2(&self.corners[face as usize], p);
        if self.corners.is_empty() {
            return f64::INFINITY;
        }
        let within = d2(*hint);
        if within < enough2 {
            return within;
        }
        let (near, found) = self
            .tree
            .nearest(p.to_array(), within, enough2, d2)
            .unwrap_or((*hint, within));
        *hint = near;
        found
    }
}

/// Corners of a triangle and places on it, on a triangular grid of at most about `step_m`.
pub(crate) fn samples([a, b, c]: [DVec3; 3], step_m: f64, mut visit: impl FnMut(DVec3)) {
    let n = intervals([a, b, c], step_m);
    for i in 0..=n {
        for j in 0..=n - i {
            let (s, t) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            visit(a + (b - a) * s + (c - a) * t);
        }
    }
}

/// The same places but for the corners and those on edges `(t[i], t[i + 1])` that are not asked
/// for.
pub(crate) fn inner_samples(
    [a, b, c]: [DVec3; 3],
    step_m: f64,
    edges: [bool; 3],
    mut visit: impl FnMut(DVec3),
) {
    let n = intervals([a, b, c], step_m);
    for i in 0..=n {
        for j in 0..=n - i {
            let k = n - i - j;
            let on = [j == 0, k == 0, i == 0];
            let corner = on.iter().filter(|o| **o).count() > 1;
            if corner || (0..3).any(|e| on[e] && !edges[e]) {
                continue;
            }
            let (s, t) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            visit(a + (b - a) * s + (c - a) * t);
        }
    }
}

/// Steps of at most `step_m` along the longest edge.
fn intervals([a, b, c]: [DVec3; 3], step_m: f64) -> u32 {
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    (longest / step_m).ceil().clamp(1.0, 1000.0) as u32
}

/// Square of the distance from a point to a triangle (Ericson 2005, "Real-Time Collision
/// Detection", §5.1.5).
fn distance2(&[a, b, c]: &[DVec3; 3], p: DVec3) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = [f32; 3]> {
        prop::array::uniform3(-4.0f32..4.0)
    }

    proptest! {
        #[test]
        fn no_place_of_a_triangle_is_nearer(corners in prop::array::uniform3(point()), p in point()) {
            let target = Target::new(&corners, &[[0, 1, 2]]);
            let p = glam::Vec3::from_array(p).as_dvec3();
            let d = target.distance2(p, 0.0, &mut 0).sqrt();
            let mut nearest = f64::INFINITY;
            samples(target.corners[0], 0.05, |q| nearest = nearest.min(p.distance(q)));
            prop_assert!(d <= nearest + 1e-9 && nearest <= d + 0.05, "{d} {nearest}");
        }
    }

    #[test]
    fn inner_samples_are_the_others() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let count = |edges: [bool; 3]| {
            let mut places = Vec::new();
            inner_samples(corners, 0.3, edges, |p| places.push(p));
            places
        };
        // Five steps: 21 places, 3 corners, 4 inside each edge.
        assert_eq!(count([true; 3]).len(), 18);
        assert_eq!(count([false; 3]).len(), 6);
        assert!(
            count([true, false, false])
                .iter()
                .filter(|p| p.y == 0.0)
                .count()
                == 4
        );
        assert!(
            count([false, true, false])
                .iter()
                .filter(|p| p.x + p.y > 1.0 - 1e-9)
                .count()
                == 4
        );
        assert!(
            count([false, false, true])
                .iter()
                .filter(|p| p.x == 0.0)
                .count()
                == 4
        );
    }
}

//! The skeleton's lines, by place.

use crate::skeleton::Skeleton;
use std::collections::BTreeMap;

/// Edges under a uniform grid.
pub struct Lines {
    cell_m: f64,
    ends: Vec<[[f64; 3]; 2]>,
    near: BTreeMap<[i32; 3], Vec<u32>>,
}

impl Lines {
    /// Every edge, and every other line, is known in the cells of `cell_m` within that distance
    /// of it.
    pub fn new(
        skeleton: &Skeleton,
        others: impl Iterator<Item = [[f64; 3]; 2]>,
        cell_m: f64,
    ) -> Self {
        let ends: Vec<[[f64; 3]; 2]> = skeleton
            .edges
            .iter()
            .map(|e| [e.a, e.b].map(|i| skeleton.nodes[i].position.to_array()))
            .chain(others)
            .collect();
        let mut near: BTreeMap<[i32; 3], Vec<u32>> = BTreeMap::new();
        for (i, [a, b]) in ends.iter().enumerate() {
            let cell = |c: f64| (c / cell_m).floor() as i32;
            let range = |k: usize| cell(a[k].min(b[k]) - cell_m)..=cell(a[k].max(b[k]) + cell_m);
            for x in range(0) {
                for y in range(1) {
                    for z in range(2) {
                        near.entry([x, y, z]).or_default().push(i as u32);
                    }
                }
            }
        }
        Self { cell_m, ends, near }
    }

    /// Distance in plan from a point to the nearest line that is known where the point is,
    /// metres; at most the edge of a cell.
    pub fn distance(&self, p: [f64; 3]) -> f64 {
        let cell = p.map(|c| (c / self.cell_m).floor() as i32);
        let known = self.near.get(&cell).map_or(&[][..], Vec::as_slice);
        known
            .iter()
            .map(|&i| Self::nearest(self.ends[i as usize], [p[0], p[1]]).1)
            .fold(self.cell_m, f64::min)
    }

    /// Where along a line, 0–1, it is nearest to a point in plan, and how near, metres.
    pub fn nearest([a, b]: [[f64; 3]; 2], at: [f64; 2]) -> (f64, f64) {
        let way = [b[0] - a[0], b[1] - a[1]];
        let from = [at[0] - a[0], at[1] - a[1]];
        let length2 = way[0] * way[0] + way[1] * way[1];
        let t = (from[0] * way[0] + from[1] * way[1]) / length2.max(1e-12);
        let t = t.clamp(0.0, 1.0);
        let off = [from[0] - t * way[0], from[1] - t * way[1]];
        (t, (off[0] * off[0] + off[1] * off[1]).sqrt())
    }
}

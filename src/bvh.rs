//! Boxes in a tree: which are near a place, a box or a line.

use std::ops::Range;

/// Boxes of a leaf, at most.
const LEAF: usize = 4;

/// An axis-aligned box, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb {
    /// Lowest corner.
    pub(crate) low: [f32; 3],
    /// Highest corner.
    pub(crate) high: [f32; 3],
}

impl Aabb {
    const NOTHING: Self = Self {
        low: [f32::INFINITY; 3],
        high: [f32::NEG_INFINITY; 3],
    };

    /// The smallest box around points.
    pub(crate) fn around<'a>(points: impl IntoIterator<Item = &'a [f32; 3]>) -> Self {
        points
            .into_iter()
            .fold(Self::NOTHING, |all, &p| all.join(&Self { low: p, high: p }))
    }

    fn join(&self, other: &Self) -> Self {
        Self {
            low: std::array::from_fn(|k| self.low[k].min(other.low[k])),
            high: std::array::from_fn(|k| self.high[k].max(other.high[k])),
        }
    }

    fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// Square of the distance to a point, square metres; 0 inside.
    #[inline]
    fn distance2(&self, [x, y, z]: [f64; 3]) -> f64 {
        let beyond = |k: usize, c: f64| {
            let (low, high) = (f64::from(self.low[k]), f64::from(self.high[k]));
            (low - c).max(c - high).max(0.0)
        };
        let (x, y, z) = (beyond(0, x), beyond(1, y), beyond(2, z));
        x * x + y * y + z * z
    }
}

struct Node {
    bounds: Aabb,
    /// Of a leaf: its boxes, as a range of `order`. Of a branch: empty, and `second` is a node.
    leaf: Range<u32>,
    /// Second child of a branch; the first is the next node.
    second: u32,
}

/// A bounding volume hierarchy, split at the median (Ericson 2005, "Real-Time Collision
/// Detection", §6.2). The same boxes give the same tree.
pub(crate) struct Bvh {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Bvh {
    /// A tree of boxes, which are known by their index from here on.
    pub(crate) fn build(boxes: &[Aabb]) -> Self {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = Vec::with_capacity(boxes.len());
        if !boxes.is_empty() {
            split(boxes, &mut order, 0, &mut nodes);
        }
        Self { nodes, order }
    }

    /// Visits every leaf's boxes under the nodes that `enter` lets in.
    fn walk(&self, enter: impl Fn(&Aabb) -> bool, mut visit: impl FnMut(u32)) {
        let mut stack = Vec::with_capacity(64);
        stack.extend((!self.nodes.is_empty()).then_some(0u32));
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            if !enter(&node.bounds) {
                continue;
            }
            if node.leaf.is_empty() {
                stack.extend([node.second, at + 1]);
            } else {
                let range = node.leaf.start as usize..node.leaf.end as usize;
                self.order[range].iter().copied().for_each(&mut visit);
            }
        }
    }

    /// Visits all boxes that may meet `target`, and some others.
    pub(crate) fn near(&self, target: &Aabb, visit: impl FnMut(u32)) {
        self.walk(|bounds| bounds.meets(target), visit);
    }

    /// Visits all boxes that the line parallel to `axis` through `p` may meet, and some others.
    pub(crate) fn line(&self, axis: usize, p: [f64; 3], visit: impl FnMut(u32)) {
        let inside =
            |b: &Aabb, k: usize| f64::from(b.low[k]) <= p[k] && p[k] <= f64::from(b.high[k]);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        self.walk(|bounds| inside(bounds, u) && inside(bounds, v), visit);
    }

    /// Visits all boxes that the segment from `p` to `q` may meet, and some others.
    pub(crate) fn segment(&self, p: [f64; 3], q: [f64; 3], visit: impl FnMut(u32)) {
        let slope: [f64; 3] = std::array::from_fn(|k| 1.0 / (q[k] - p[k]));
        let enter = |bounds: &Aabb| {
            let (mut from, mut to) = (0.0f64, 1.0f64);
            for k in 0..3 {
                let (low, high) = (f64::from(bounds.low[k]), f64::from(bounds.high[k]));
                if slope[k].is_infinite() {
                    if p[k] < low || p[k] > high {
                        return false;
                    }
                    continue;
                }
                let (a, b) = ((low - p[k]) * slope[k], (high - p[k]) * slope[k]);
                from = from.max(a.min(b));
                to = to.min(a.max(b));
            }
            // Rounding may not lose a box that is only touched.
            from <= to + 1e-9
        };
        self.walk(enter, visit);
    }

    /// The nearest of the boxes' contents to a point, by square of distance; none when all are
    /// farther than `within2`, any of those nearer than `enough2` when there are such.
    /// `distance2` gives that of the content of a box.
    pub(crate) fn nearest(
        &self,
        p: [f64; 3],
        within2: f64,
        enough2: f64,
        distance2: impl Fn(u32) -> f64,
    ) -> Option<(u32, f64)> {
        let mut best: Option<(u32, f64)> = None;
        let mut limit = within2;
        let mut stack = Vec::with_capacity(64);
        if let Some(root) = self.nodes.first() {
            stack.push((root.bounds.distance2(p), 0u32));
        }
        while let Some((far2, at)) = stack.pop() {
            if far2 > limit {
                continue;
            }
            let node = &self.nodes[at as usize];
            if node.leaf.is_empty() {
                let [a, b] =
                    [at + 1, node.second].map(|n| (self.nodes[n as usize].bounds.distance2(p), n));
                stack.extend(if a.0 < b.0 { [b, a] } else { [a, b] });
                continue;
            }
            for &i in &self.order[node.leaf.start as usize..node.leaf.end as usize] {
                let d2 = distance2(i);
                if d2 < limit || best.is_none() && d2 <= limit {
                    (best, limit) = (Some((i, d2)), d2);
                    if d2 < enough2 {
                        return best;
                    }
                }
            }
        }
        best
    }
}

/// Makes the node over `order`, whose boxes start at `first` of the whole; returns its index.
fn split(boxes: &[Aabb], order: &mut [u32], first: u32, nodes: &mut Vec<Node>) -> u32 {
    let bounds = order
        .iter()
        .fold(Aabb::NOTHING, |all, &i| all.join(&boxes[i as usize]));
    let index = nodes.len() as u32;
    let small = order.len() <= LEAF;
    let end = if small {
        first + order.len() as u32
    } else {
        first
    };
    nodes.push(Node {
        bounds,
        leaf: first..end,
        second: 0,
    });
    if small {
        return index;
    }
    let middle = |i: u32, k: usize| boxes[i as usize].low[k] + boxes[i as usize].high[k];
    let spread = |k: usize| {
        let (low, high) = order
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &i| {
                (low.min(middle(i, k)), high.max(middle(i, k)))
            });
        high - low
    };
    let spreads = [0, 1, 2].map(spread);
    let axis = (0..3)
        .max_by(|&a, &b| spreads[a].total_cmp(&spreads[b]))
        .unwrap_or(0);
    let half = order.len() / 2;
    order.select_nth_unstable_by(half, |&a, &b| {
        middle(a, axis).total_cmp(&middle(b, axis)).then(a.cmp(&b))
    });
    let (low, high) = order.split_at_mut(half);
    split(boxes, low, first, nodes);
    let second = split(boxes, high, first + half as u32, nodes);
    nodes[index as usize].second = second;
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn boxes() -> impl Strategy<Value = Vec<Aabb>> {
        let corner = || prop::array::uniform3(-10.0f32..10.0);
        let one = (corner(), prop::array::uniform3(0.0f32..3.0)).prop_map(|(low, size)| Aabb {
            low,
            high: std::array::from_fn(|k| low[k] + size[k]),
        });
        prop::collection::vec(one, 0..60)
    }

    proptest! {
        #[test]
        fn nothing_near_is_missed(boxes in boxes(), p in prop::array::uniform3(-10.0f64..10.0), q in prop::array::uniform3(-10.0f64..10.0)) {
            let tree = Bvh::build(&boxes);
            let target = Aabb::around(&[p.map(|c| c as f32), q.map(|c| c as f32)]);
            let mut seen = vec![0; boxes.len()];
            tree.near(&target, |i| seen[i as usize] += 1);
            for (i, b) in boxes.iter().enumerate() {
                prop_assert!(seen[i] <= 1 && (seen[i] == 1 || !b.meets(&target)));
            }
            let mut on_line = vec![false; boxes.len()];
            tree.line(2, p, |i| on_line[i as usize] = true);
            let mut on_segment = vec![false; boxes.len()];
            tree.segment(p, q, |i| on_segment[i as usize] = true);
            for (i, b) in boxes.iter().enumerate() {
                for step in 0..=64 {
                    let t = f64::from(step) / 64.0;
                    let at = std::array::from_fn(|k| p[k] + t * (q[k] - p[k]));
                    prop_assert!(on_segment[i] || b.distance2(at) > 0.0);
                    let over = [p[0], p[1], at[2]];
                    prop_assert!(on_line[i] || b.distance2(over) > 0.0);
                }
            }
            let nearest = tree.nearest(p, f64::INFINITY, 0.0, |i| boxes[i as usize].distance2(p));
            let slow = boxes.iter().map(|b| b.distance2(p)).min_by(f64::total_cmp);
            prop_assert_eq!(nearest.map(|n| n.1), slow);
        }
    }
}

//! How far apart two places are when walking through the cave.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A passage seen from one of its nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// Node at its other end.
    pub(crate) to: usize,
    /// Its length, metres; in plan while a skeleton grows.
    pub(crate) length_m: f64,
    /// Index of the passage.
    pub(crate) edge: usize,
}

/// Shortest ways through the cave from a place, as far as a limit (Dijkstra).
#[derive(Default)]
pub(crate) struct Walk {
    /// By node; infinite where the limit was not enough.
    way_m: Vec<f64>,
    touched: Vec<usize>,
    /// Lengths as bits: for numbers that are not negative their order is the same.
    queue: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Walk {
    /// Walks from both `ends`; returns the number of nodes it came through.
    pub(crate) fn run(&mut self, links: &[Vec<Link>], ends: [usize; 2], limit_m: f64) -> u64 {
        for node in self.touched.drain(..) {
            if let Some(way) = self.way_m.get_mut(node) {
                *way = f64::INFINITY;
            }
        }
        self.way_m.resize(links.len(), f64::INFINITY);
        for end in ends {
            self.reach(end, 0.0);
        }
        let mut visited = 0;
        while let Some(Reverse((bits, node))) = self.queue.pop() {
            let way = f64::from_bits(bits);
            if way > self.way_m[node] {
                continue;
            }
            visited += 1;
            for link in &links[node] {
                let next = way + link.length_m;
                if next <= limit_m && next < self.way_m[link.to] {
                    self.reach(link.to, next);
                }
            }
        }
        visited
    }

    fn reach(&mut self, node: usize, way: f64) {
        self.way_m[node] = way;
        self.touched.push(node);
        self.queue.push(Reverse((way.to_bits(), node)));
    }

    /// Length of the way to a node, metres; infinite beyond the limit.
    pub(crate) fn to(&self, node: usize) -> f64 {
        self.way_m[node]
    }
}

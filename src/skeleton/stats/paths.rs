//! Shortest ways between all nodes of the reduced graph, counted in edges.

use super::reduce::Reduced;
use rayon::prelude::*;

/// Parts that the sources are shared among, and whose sums are added in order: the result must
/// not depend on the number of threads.
const PARTS: usize = 32;
/// Numbers of ways are scaled down above this; there may be 2^1000 of them.
const MANY: f64 = (1u128 << 100) as f64;

/// What shortest ways say of a graph.
pub(super) struct Ways {
    /// Mean over all nodes of the mean distance to the nodes that they reach, edges.
    pub(super) mean_distance: Option<f64>,
    /// Share of the shortest ways between two other nodes that pass each node, 0…1; 0 in graphs
    /// of less than three nodes.
    pub(super) betweenness: Vec<f64>,
}

/// Distances and betweenness by one search from every node (Brandes 2001, "A faster algorithm
/// for betweenness centrality", algorithm 1).
pub(super) fn ways(graph: &Reduced) -> Ways {
    let nodes = graph.nodes();
    let parts: Vec<(f64, Vec<f64>)> = (0..PARTS)
        .into_par_iter()
        .map(|part| {
            let mut search = Search::new(graph);
            let sources = part * nodes / PARTS..(part + 1) * nodes / PARTS;
            let distances = sources.map(|source| search.run(source)).sum();
            (distances, search.betweenness)
        })
        .collect();
    let mut betweenness = vec![0.0; nodes];
    let mut distances = 0.0;
    for (part_distances, part) in &parts {
        distances += part_distances;
        for (sum, share) in betweenness.iter_mut().zip(part) {
            *sum += share;
        }
    }
    let pairs = nodes.saturating_sub(1) * nodes.saturating_sub(2);
    if pairs > 0 {
        betweenness.iter_mut().for_each(|b| *b /= pairs as f64);
    }
    Ways {
        mean_distance: (nodes > 1).then(|| distances / nodes as f64),
        betweenness,
    }
}

/// A node as seen from the source; together, as they are read together.
#[derive(Clone, Copy)]
struct Seen {
    distance: u32,
    /// Number of shortest ways from the source, in the scale of the distance.
    ways: f64,
    /// Ways from the source that pass this node, over all ways to the same goal, summed.
    dependency: f64,
}

impl Seen {
    const NOT: Self = Self {
        distance: u32::MAX,
        ways: 0.0,
        dependency: 0.0,
    };
}

/// Working memory of searches over one graph.
struct Search<'a> {
    graph: &'a Reduced,
    betweenness: Vec<f64>,
    nodes: Vec<Seen>,
    order: Vec<u32>,
    /// Edges on shortest ways, from near to far; walked back, they need no test.
    steps: Vec<(u32, u32)>,
    /// Scale of each distance over that of the distance before.
    scale: Vec<f64>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Reduced) -> Self {
        let nodes = graph.nodes();
        Self {
            graph,
            betweenness: vec![0.0; nodes],
            nodes: vec![Seen::NOT; nodes],
            order: Vec::with_capacity(nodes),
            steps: Vec::with_capacity(nodes),
            scale: Vec::new(),
        }
    }

    /// Adds the ways from `source`; returns the mean distance from it.
    fn run(&mut self, source: usize) -> f64 {
        self.nodes.fill(Seen::NOT);
        self.order.clear();
        self.steps.clear();
        self.scale.clear();
        self.nodes[source].distance = 0;
        self.nodes[source].ways = 1.0;
        self.order.push(source as u32);
        self.scale.push(1.0);
        let (mut from, mut sum) = (0, 0u64);
        while from < self.order.len() {
            let to = self.order.len();
            self.expand(from..to);
            let reached = self.scale.len() as u64;
            sum += reached * (self.order.len() - to) as u64;
            self.rescale(to);
            from = to;
        }
        self.gather();
        let others = self.order.len() - 1;
        if others == 0 {
            0.0
        } else {
            sum as f64 / others as f64
        }
    }

    /// Reaches the nodes next to those of one distance.
    fn expand(&mut self, ring: std::ops::Range<usize>) {
        let next = self.scale.len() as u32;
        for k in ring {
            let node = self.order[k] as usize;
            let ways = self.nodes[node].ways;
            for &neighbour in self.graph.neighbours(node) {
                let seen = &mut self.nodes[neighbour as usize];
                if seen.distance == u32::MAX {
                    seen.distance = next;
                    self.order.push(neighbour);
                }
                if seen.distance == next {
                    seen.ways += ways;
                    self.steps.push((node as u32, neighbour));
                }
            }
        }
    }

    /// Keeps the numbers of ways to the nodes from `first` on in range.
    fn rescale(&mut self, first: usize) {
        let ring = &self.order[first..];
        let most = ring
            .iter()
            .map(|&n| self.nodes[n as usize].ways)
            .fold(0.0, f64::max);
        let scale = if most > MANY { 1.0 / MANY } else { 1.0 };
        if most > MANY {
            for &n in ring {
                let ways = &mut self.nodes[n as usize].ways;
                *ways = (*ways * scale).max(f64::MIN_POSITIVE);
            }
        }
        self.scale.push(scale);
    }

    /// Adds how much of the ways from the source each node carries, farthest first.
    fn gather(&mut self) {
        for &(near, far) in self.steps.iter().rev() {
            let seen = self.nodes[far as usize];
            let scale = self.scale[seen.distance as usize];
            let near = &mut self.nodes[near as usize];
            near.dependency += near.ways * (1.0 + seen.dependency) * scale / seen.ways;
        }
        // The source is no place between.
        for &node in &self.order[1..] {
            self.betweenness[node as usize] += self.nodes[node as usize].dependency;
        }
    }
}

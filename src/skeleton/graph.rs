//! The graph itself.

use crate::config::PassageConfig;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// What a node is, from its place in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// Where a robot starts.
    Entrance,
    /// Degree two.
    Passage,
    /// Degree three or more.
    Junction,
    /// A widened place.
    Room,
    /// Degree one.
    DeadEnd,
    /// End of an edge too steep to drive.
    Shaft,
}

/// A place on the centre line.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Identity in files; not the index.
    pub id: i64,
    /// Index of the node it grew from.
    pub parent: Option<usize>,
    /// Position on the centre line in frame `map`, metres.
    pub position: DVec3,
    /// Spacing circle on which children are placed, metres.
    pub radius_m: f64,
    /// Half width of the void here, metres.
    pub passage_m: f64,
    /// Level, 0 at the entrance.
    pub level: u32,
    /// What the node is.
    pub kind: NodeKind,
    /// Whether the branch still grew here (PLUME's flag).
    pub active: bool,
}

impl Node {
    /// The place on the floor under the node, metres, in the frame of its position.
    pub fn floor(&self, passage: &PassageConfig) -> [f64; 3] {
        let [x, y, z] = self.position.to_array();
        [x, y, z - passage.floor_drop_m(self.passage_m)]
    }
}

/// A passage between two nodes, by index; `a < b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// First node.
    pub a: usize,
    /// Second node.
    pub b: usize,
}

impl Edge {
    /// The passage between two nodes, in either order.
    pub fn new(a: usize, b: usize) -> Self {
        Self {
            a: a.min(b),
            b: a.max(b),
        }
    }
}

/// Rotation about z, then translation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RigidTransform {
    /// Rotation about +z, radians.
    pub yaw: f64,
    /// Translation after rotation, metres.
    pub translation: DVec3,
}

impl RigidTransform {
    /// No change.
    pub const IDENTITY: Self = Self {
        yaw: 0.0,
        translation: DVec3::ZERO,
    };

    /// Maps a point.
    pub fn apply(&self, p: DVec3) -> DVec3 {
        let (s, c) = (libm::sin(self.yaw), libm::cos(self.yaw));
        DMat3::from_cols(DVec3::new(c, s, 0.0), DVec3::new(-s, c, 0.0), DVec3::Z) * p
            + self.translation
    }
}

/// The graph of passages.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    /// Nodes; indices are stable.
    pub nodes: Vec<Node>,
    /// Undirected edges, sorted, no duplicates, no self-loops.
    pub edges: Vec<Edge>,
    /// Index of the entrance node.
    pub entrance: usize,
    /// From the graph's own frame to `map`.
    pub world_from_graph: RigidTransform,
    /// Unknown top-level keys of an imported file, kept for writing.
    pub extra: serde_json::Map<String, serde_json::Value>,
}

impl Skeleton {
    /// A graph in a frame of its own whose entrance is its first node; sorts the edges and drops
    /// doubles.
    pub fn new(nodes: Vec<Node>, mut edges: Vec<Edge>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        Self {
            nodes,
            edges,
            entrance: 0,
            world_from_graph: RigidTransform::IDENTITY,
            extra: serde_json::Map::new(),
        }
    }

    /// Neighbours of every node, ascending.
    pub fn adjacency(&self) -> Vec<Vec<usize>> {
        let mut adjacent = vec![Vec::new(); self.nodes.len()];
        for e in &self.edges {
            adjacent[e.a].push(e.b);
            adjacent[e.b].push(e.a);
        }
        for list in &mut adjacent {
            list.sort_unstable();
        }
        adjacent
    }

    /// Angle between an edge and the horizontal, degrees.
    pub fn grade_deg(&self, edge: Edge) -> f64 {
        let way = self.nodes[edge.b].position - self.nodes[edge.a].position;
        libm::atan2(way.z.abs(), way.truncate().length()).to_degrees()
    }

    /// Sum of the straight lengths of all edges, metres.
    pub fn length_m(&self) -> f64 {
        self.edges
            .iter()
            .map(|e| self.nodes[e.a].position.distance(self.nodes[e.b].position))
            .sum()
    }
}

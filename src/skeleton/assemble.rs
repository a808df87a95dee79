//! What every graph gets, however it was made: passage sizes, kinds and the frame `map`.

use super::{Node, NodeKind, RigidTransform, Skeleton};
use crate::config::{Config, PassageConfig};
use glam::DVec3;

/// Smallest half width at the entrance, metres: room for a robot to be dropped into.
pub const ENTRANCE_PASSAGE_M: f64 = 2.4;

/// A graph this near to its place is there; metres and radians.
///
/// Keeps files that were written in frame `map` bit-identical when they are read again.
const IN_PLACE: f64 = 1e-6;

/// Half width of the void at a node with this spacing circle, metres.
pub(super) fn passage_m(radius_m: f64, entrance: bool, config: &PassageConfig) -> f64 {
    let passage = (radius_m * config.scale)
        .min(config.max_m)
        .max(config.min_m);
    if entrance {
        passage.max(ENTRANCE_PASSAGE_M)
    } else {
        passage
    }
}

/// Sets the kinds that follow from the number of passages; keeps rooms, shafts and entrances
/// beside the first.
pub(super) fn set_kinds(skeleton: &mut Skeleton) {
    let mut degree = vec![0usize; skeleton.nodes.len()];
    for edge in &skeleton.edges {
        degree[edge.a] += 1;
        degree[edge.b] += 1;
    }
    for (index, node) in skeleton.nodes.iter_mut().enumerate() {
        node.kind = match (node.kind, degree[index]) {
            _ if index == skeleton.entrance => NodeKind::Entrance,
            (NodeKind::Room | NodeKind::Shaft | NodeKind::Entrance, _) => node.kind,
            (_, 0 | 1) => NodeKind::DeadEnd,
            (_, 2) => NodeKind::Passage,
            _ => NodeKind::Junction,
        };
    }
}

impl Skeleton {
    /// Marks the ends of every edge steeper than `climb_deg`, what a robot can climb, as
    /// [`NodeKind::Shaft`]; entrances stay entrances. Returns how many edges are that steep.
    pub fn mark_shafts(&mut self, climb_deg: f64) -> usize {
        let mut steep = 0;
        for edge in &self.edges {
            if self.grade_deg(*edge) <= climb_deg {
                continue;
            }
            steep += 1;
            for end in [edge.a, edge.b] {
                if self.nodes[end].kind != NodeKind::Entrance {
                    self.nodes[end].kind = NodeKind::Shaft;
                }
            }
        }
        steep
    }
}

/// Moves the graph so that the floor at the entrance is the origin and the entrance's passage
/// (to its first neighbour) heads along +x; adds the move to `world_from_graph`.
pub(super) fn move_to_map(skeleton: &mut Skeleton, config: &Config) {
    let entrance = &skeleton.nodes[skeleton.entrance];
    let start = entrance.position;
    let drop = config.passage.floor_drop_m(entrance.passage_m);
    let first = first_neighbour(skeleton);
    let way = first.map_or(DVec3::X, |n| skeleton.nodes[n].position - start);
    let yaw = if way.truncate().length() > IN_PLACE {
        -libm::atan2(way.y, way.x)
    } else {
        0.0
    };
    let goal = DVec3::new(0.0, 0.0, drop);
    if yaw.abs() <= IN_PLACE && (start - goal).abs().max_element() <= IN_PLACE {
        return;
    }
    let turn = RigidTransform {
        yaw,
        translation: DVec3::ZERO,
    };
    let step = RigidTransform {
        yaw,
        translation: goal - turn.apply(start),
    };
    for node in &mut skeleton.nodes {
        // Relative to the entrance first: far-away survey coordinates keep their precision.
        node.position = turn.apply(node.position - start) + goal;
    }
    let old = skeleton.world_from_graph;
    skeleton.world_from_graph = RigidTransform {
        yaw: old.yaw + step.yaw,
        translation: step.apply(old.translation),
    };
}

fn first_neighbour(skeleton: &Skeleton) -> Option<usize> {
    let at = skeleton.entrance;
    let other = |e: &super::Edge| match (e.a == at, e.b == at) {
        (true, _) => Some(e.b),
        (_, true) => Some(e.a),
        _ => None,
    };
    skeleton.edges.iter().filter_map(other).min()
}

/// A node as it is before its kind is known.
pub(super) fn node(id: i64, parent: Option<usize>, position: DVec3, radius_m: f64) -> Node {
    Node {
        id,
        parent,
        position,
        radius_m,
        passage_m: 0.0,
        level: 0,
        kind: NodeKind::Passage,
        active: true,
    }
}

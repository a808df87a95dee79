//! Where lamps hang.

use crate::config::PassageConfig;
use crate::skeleton::Skeleton;
use glam::DVec3;

/// Distance between lamps, metres: each lights about this far.
pub const LAMP_SPACING_M: f64 = 10.0;

/// Most lamps: a renderer pays for each one, and 64 keep every forward renderer in its limits.
pub const LAMPS_MAX: usize = 64;

/// Places for lamps along the passages, the entrance's first; metres, frame `map`.
///
/// Nodes are taken in their order where no lamp hangs within the spacing, which is doubled until
/// no more than [`LAMPS_MAX`] are left. A lamp hangs halfway between centre line and roof: above a
/// rover's lidar ring, below the rock's relief. Lamps have no body, so nothing can hit them.
pub fn lamps(skeleton: &Skeleton, passage: &PassageConfig) -> Vec<[f64; 3]> {
    let Some(entrance) = skeleton.nodes.get(skeleton.entrance) else {
        return Vec::new();
    };
    let mut spacing = LAMP_SPACING_M;
    loop {
        let mut chosen = vec![entrance];
        for node in &skeleton.nodes {
            let free = |c: &&crate::skeleton::Node| c.position.distance(node.position) >= spacing;
            if chosen.iter().all(free) {
                chosen.push(node);
            }
        }
        if chosen.len() <= LAMPS_MAX {
            return chosen
                .iter()
                .map(|n| {
                    let up = 0.5 * passage.half_height_m(n.passage_m);
                    (n.position + up * DVec3::Z).to_array()
                })
                .collect();
        }
        spacing *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::{Node, NodeKind, RigidTransform};

    fn line(n: usize) -> Skeleton {
        let node = |i: usize| Node {
            id: i as i64,
            parent: i.checked_sub(1),
            position: DVec3::new(4.0 * i as f64, 0.0, 1.0),
            radius_m: 5.0,
            passage_m: 2.0,
            level: 0,
            kind: NodeKind::Passage,
            active: true,
        };
        Skeleton {
            nodes: (0..n).map(node).collect(),
            edges: Vec::new(),
            entrance: 0,
            world_from_graph: RigidTransform::IDENTITY,
            extra: Default::default(),
        }
    }

    #[test]
    fn spaced_and_few() {
        let passage = PassageConfig {
            aspect: 1.0,
            ..Default::default()
        };
        let few = lamps(&line(7), &passage);
        assert_eq!(few, [[0., 0., 2.], [12., 0., 2.], [24., 0., 2.]]);
        let many = lamps(&line(5000), &passage);
        assert!(
            (LAMPS_MAX / 2..=LAMPS_MAX).contains(&many.len()),
            "{}",
            many.len()
        );
        assert!(lamps(&line(0), &passage).is_empty());
    }
}

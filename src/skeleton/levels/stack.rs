//! How deep each level lies.

use super::gap_m;
use super::space::{Space, Tube};
use crate::config::Config;
use crate::progress::{Cancelled, Job};
use crate::skeleton::clearance::{floor_reach_m, roof_reach_m};
use crate::skeleton::{Edge, Skeleton};
use glam::DVec3;

/// Edges between two looks at the job.
const CHECK: usize = 256;

/// Puts `levels`, the upper first, under each other in one graph of several pieces. Each lies as
/// high as `gap_m` of rock under every passage over it allows.
pub(in crate::skeleton) fn stack(
    levels: Vec<Skeleton>,
    config: &Config,
    job: &Job,
) -> Result<Skeleton, Cancelled> {
    let gap_m = gap_m(config);
    let widest_m = levels
        .iter()
        .flat_map(|level| &level.nodes)
        .map(|node| node.passage_m)
        .fold(0.0, f64::max);
    let least_m = gap_m
        + roof_reach_m(config.passage.min_m, config)
        + floor_reach_m(config.passage.min_m, config);
    let mut space = Space::new(widest_m, gap_m);
    let mut whole = Skeleton::new(Vec::new(), Vec::new());
    let mut depth_m = 0.0;
    for (k, mut level) in levels.into_iter().enumerate() {
        if k == 0 {
            whole.entrance = level.entrance;
            whole.extra = std::mem::take(&mut level.extra);
        } else {
            depth_m += least_m;
            for (i, &edge) in level.edges.iter().enumerate() {
                if i.is_multiple_of(CHECK) {
                    job.check()?;
                }
                let tube = Tube::of(&level, edge);
                space.is_clear(&tube, gap_m, |upper, _, _| {
                    depth_m = f64::max(depth_m, gap_m + tube.top(config) - upper.bottom(config));
                    true
                });
            }
        }
        let first = whole.nodes.len();
        for mut node in level.nodes {
            node.id = whole.nodes.len() as i64;
            node.parent = node.parent.map(|parent| parent + first);
            node.position -= DVec3::Z * depth_m;
            node.level = k as u32;
            whole.nodes.push(node);
        }
        for edge in level.edges {
            let edge = Edge::new(edge.a + first, edge.b + first);
            space.push(Tube::of(&whole, edge), edge);
            whole.edges.push(edge);
        }
    }
    Ok(whole)
}

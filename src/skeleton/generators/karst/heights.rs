//! Heights: the inception horizon, as far as the grade allows.

use crate::config::Config;
use crate::skeleton::Skeleton;
use crate::skeleton::elevation::{Elevation, grade_limit};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Gives every node the height of the bed, smoothed so that no passage is steeper than
/// `max_grade_deg`, loops included.
///
/// The highest surface under the bed and the lowest over it that keep the grade along every
/// passage are both found by letting heights spread through the cave; their mean keeps it too.
pub(super) fn follow_bed(skeleton: &mut Skeleton, config: &Config) {
    let bed = Elevation::new(&config.skeleton, config.seed);
    let grade = grade_limit(&config.skeleton);
    let wish: Vec<f64> = skeleton
        .nodes
        .iter()
        .map(|node| bed.at(node.position.truncate()))
        .collect();
    let adjacency = skeleton.adjacency();
    let climb = |a: usize, b: usize| {
        let plan = |n: usize| skeleton.nodes[n].position.truncate();
        grade * plan(a).distance(plan(b))
    };
    let under = spread(&wish, &adjacency, climb);
    let turned: Vec<f64> = wish.iter().map(|z| -z).collect();
    let over = spread(&turned, &adjacency, climb);
    for (node, (low, high)) in skeleton.nodes.iter_mut().zip(under.iter().zip(&over)) {
        node.position.z = (low - high) / 2.0;
    }
}

/// For every node the least of `wish[other] + climb along the way to it`.
fn spread(wish: &[f64], adjacency: &[Vec<usize>], climb: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    // Over the lowest wish, so that the bits of a height order as heights do.
    let floor = wish.iter().copied().fold(f64::INFINITY, f64::min);
    let mut height: Vec<f64> = wish.iter().map(|z| z - floor).collect();
    let mut queue: BinaryHeap<Reverse<(u64, usize)>> = height
        .iter()
        .enumerate()
        .map(|(node, z)| Reverse((z.to_bits(), node)))
        .collect();
    while let Some(Reverse((bits, node))) = queue.pop() {
        if height[node].to_bits() != bits {
            continue;
        }
        for &next in &adjacency[node] {
            let z = height[node] + climb(node, next);
            if z < height[next] {
                height[next] = z;
                queue.push(Reverse((z.to_bits(), next)));
            }
        }
    }
    height.iter().map(|z| z + floor).collect()
}

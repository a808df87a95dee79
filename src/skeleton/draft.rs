//! Steps of a cave that is laid out by a plan: passages that are taken only where the rules of
//! growth allow them, a last resort that always fits, and heights for a plan that is finished.

use super::Skeleton;
use super::angles::wrap_deg;
use super::growth::{BRANCH_SEPARATION_DEG, Growth, Sprout};
use crate::progress::{Cancelled, Job};
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Largest angle between a passage and the first one at which every chain keeps its clearance,
/// degrees: its cosine is more than [`NEIGHBOUR_SHARE`](super::NEIGHBOUR_SHARE), so two legs are
/// always farther apart than the rule asks for.
pub(super) const CHAIN_SPREAD_DEG: f64 = 40.0;

/// Nodes between two reports.
const REPORT: usize = 64;

/// The unit vector of a heading in radians.
pub(super) fn toward(heading: f64) -> DVec2 {
    DVec2::new(libm::cos(heading), libm::sin(heading))
}

/// The direction from one place to another, radians.
pub(super) fn heading(from: DVec2, to: DVec2) -> f64 {
    libm::atan2(to.y - from.y, to.x - from.x)
}

/// Grows `child` from `parent` if that is clear of every other passage and far enough from the
/// others at `parent`; tells its index.
pub(super) fn extend(growth: &mut Growth, parent: usize, child: Sprout) -> Option<usize> {
    let free = is_apart(growth, parent, child.plan) && growth.is_free(parent, &child);
    free.then(|| growth.push(parent, child))
}

/// Joins two nodes if that is clear of every other passage and far enough from the others at
/// both; tells whether it did.
pub(super) fn connect(growth: &mut Growth, a: usize, b: usize) -> bool {
    let (at_a, at_b) = (growth.nodes()[a].plan, growth.nodes()[b].plan);
    let free = is_apart(growth, a, at_b) && is_apart(growth, b, at_a) && growth.is_joint_free(a, b);
    if free {
        growth.join(a, b);
    }
    free
}

/// Whether a passage from `node` to a place keeps its angle to the others at `node`.
fn is_apart(growth: &Growth, node: usize, place: DVec2) -> bool {
    let at = &growth.nodes()[node];
    let offset = (heading(at.plan, place) - at.heading).to_degrees();
    growth
        .taken_deg(node)
        .all(|taken| wrap_deg(taken - offset).abs() >= BRANCH_SEPARATION_DEG)
}

/// The last resort of a plan that does not fit: one winding passage of `nodes` nodes from the
/// last node of `growth`, whose every leg lies within [`CHAIN_SPREAD_DEG`] of the heading there.
/// `turn` draws the heading of each leg, radians, and makes its node from it.
pub(super) fn chain(
    mut growth: Growth,
    nodes: usize,
    job: &Job,
    mut turn: impl FnMut(&Sprout) -> (f64, Sprout),
) -> Result<Growth, Cancelled> {
    let mut tip = growth.nodes().len() - 1;
    let straight = growth.nodes()[tip].heading;
    let spread = CHAIN_SPREAD_DEG.to_radians();
    while growth.nodes().len() < nodes {
        let from = growth.nodes()[tip].clone();
        let (heading, mut child) = turn(&from);
        child.heading = heading.clamp(straight - spread, straight + spread);
        child.plan = from.plan + toward(child.heading) * from.radius_m;
        child.parent = Some(tip);
        tip = growth.push(tip, child);
        report(job, tip + 1, nodes)?;
    }
    Ok(growth)
}

/// Reports progress now and then; stops on request.
pub(super) fn report(job: &Job, done: usize, of: usize) -> Result<(), Cancelled> {
    if done.is_multiple_of(REPORT) || done >= of {
        job.step(done.min(of) as u64, of as u64)?;
    }
    Ok(())
}

/// Gives every node the greatest height that is at most its target and from which no passage is
/// steeper than `max_grade` (rise over run): `zᵢ = min over j of (targetⱼ + max_grade · wayᵢⱼ)`,
/// with ways through the cave in plan. Passages without length in plan are left alone.
pub(super) fn ease_heights(skeleton: &mut Skeleton, target_m: &[f64], max_grade: f64) {
    let mut links = vec![Vec::new(); skeleton.nodes.len()];
    for edge in &skeleton.edges {
        let plan = |n: usize| skeleton.nodes[n].position.truncate();
        let climb = max_grade * plan(edge.a).distance(plan(edge.b));
        if plan(edge.a) != plan(edge.b) {
            links[edge.a].push((edge.b, climb));
            links[edge.b].push((edge.a, climb));
        }
    }
    let lowest = target_m.iter().copied().fold(f64::INFINITY, f64::min);
    let mut z: Vec<f64> = target_m.iter().map(|t| t - lowest).collect();
    // Heights over the lowest as bits: for numbers that are not negative their order is the same.
    let mut queue: BinaryHeap<Reverse<(u64, usize)>> = z
        .iter()
        .enumerate()
        .map(|(node, z)| Reverse((z.to_bits(), node)))
        .collect();
    while let Some(Reverse((bits, node))) = queue.pop() {
        if f64::from_bits(bits) > z[node] {
            continue;
        }
        for &(other, climb) in &links[node] {
            let high = z[node] + climb;
            if high < z[other] {
                z[other] = high;
                queue.push(Reverse((high.to_bits(), other)));
            }
        }
    }
    for (node, z) in skeleton.nodes.iter_mut().zip(z) {
        node.position.z = z + lowest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::{Edge, assemble};
    use glam::DVec3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn eased_heights_keep_the_grade_and_never_rise(
            targets in prop::collection::vec(-30.0f64..30.0, 12),
            shortcuts in prop::collection::vec((0usize..12, 0usize..12), 6),
            grade in 0.0f64..0.5,
        ) {
            let nodes = (0..12).map(|i| {
                let turn = 0.4 * f64::from(i);
                let place = toward(turn) * (5.0 + turn);
                assemble::node(i.into(), None, place.extend(0.0), 1.0)
            });
            let mut edges: Vec<Edge> = (1..12).map(|i| Edge::new(i - 1, i)).collect();
            edges.extend(shortcuts.iter().filter(|(a, b)| a != b).map(|&(a, b)| Edge::new(a, b)));
            let mut cave = Skeleton::new(nodes.collect(), edges);
            ease_heights(&mut cave, &targets, grade);
            for edge in &cave.edges {
                let way: DVec3 = cave.nodes[edge.a].position - cave.nodes[edge.b].position;
                prop_assert!(way.z.abs() <= grade * way.truncate().length() + 1e-9);
            }
            let low = targets.iter().copied().fold(f64::INFINITY, f64::min);
            for (node, target) in cave.nodes.iter().zip(&targets) {
                prop_assert!(node.position.z <= target + 1e-9);
                prop_assert!(node.position.z >= low - 1e-9);
            }
        }
    }
}

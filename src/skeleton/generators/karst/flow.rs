//! Widths: the more water comes through, the wider the passage.
//!
//! Every dead end is a sink that drains to the entrance by the shortest way; the flow of a passage
//! is the number of sinks above it. Widths grow with the square root of the flow, as those of
//! rivers do (Leopold & Maddock 1953, "The hydraulic geometry of stream channels": w ∝ Q^0.5),
//! as far as rock is left between passages.

use crate::config::Config;
use crate::skeleton::clearance::{Segment, SegmentGrid};
use crate::skeleton::growth::{NEIGHBOUR_SHARE, PASSAGE_REACH};
use crate::skeleton::walk::{Link, Walk};
use crate::skeleton::{ENTRANCE_PASSAGE_M, NodeKind, Skeleton};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A junction is a room when its flow is at least this share of all, and at least two of its
/// passages bring a quarter of it.
const ROOM_SHARE: f64 = 0.15;

/// How much wider a room is than its passages.
const ROOM_WIDENING: f64 = 1.5;

/// Sets the half widths from the flow, within `passage.min_m` to `passage.max_m`, and marks rooms.
///
/// A passage with the mean flow gets what its spacing circle gives it elsewhere,
/// `passage.scale · radius`.
pub(super) fn widen(skeleton: &mut Skeleton, config: &Config) {
    let p = &config.passage;
    let links = links(skeleton);
    let (flow, inflows) = drain(&links);
    let mean = flow.iter().sum::<f64>() / flow.len() as f64;
    let radius = skeleton.nodes.iter().map(|n| n.radius_m).sum::<f64>() / flow.len() as f64;
    let all = flow[0];
    let mut wish: Vec<f64> = flow
        .iter()
        .map(|flow| (p.scale * radius * (flow / mean).sqrt()).clamp(p.min_m, p.max_m))
        .collect();
    for (node, inflows) in inflows.iter().enumerate().skip(1) {
        let strong = inflows.iter().filter(|&&f| f >= flow[node] / 4.0).count();
        if strong >= 2 && flow[node] >= ROOM_SHARE * all {
            skeleton.nodes[node].kind = NodeKind::Room;
            wish[node] = (ROOM_WIDENING * wish[node]).min(p.max_m);
        }
    }
    wish[0] = wish[0].max(ENTRANCE_PASSAGE_M);
    let room = limits(skeleton, &links, &wish, config);
    for (node, (wish, room)) in skeleton.nodes.iter_mut().zip(wish.iter().zip(&room)) {
        node.passage_m = wish.min(*room).max(node.passage_m);
    }
}

/// Passages seen from their nodes.
fn links(skeleton: &Skeleton) -> Vec<Vec<Link>> {
    let mut links = vec![Vec::new(); skeleton.nodes.len()];
    for (edge, e) in skeleton.edges.iter().enumerate() {
        let plan = |n: usize| skeleton.nodes[n].position.truncate();
        let length_m = plan(e.a).distance(plan(e.b));
        for (at, to) in [(e.a, e.b), (e.b, e.a)] {
            links[at].push(Link { to, length_m, edge });
        }
    }
    links
}

/// Sinks above each node, at least 1, and what its passages bring.
fn drain(links: &[Vec<Link>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut way = vec![f64::INFINITY; links.len()];
    let mut down = vec![0usize; links.len()];
    let mut order = Vec::with_capacity(links.len());
    let mut queue = BinaryHeap::from([Reverse((0u64, 0usize))]);
    way[0] = 0.0;
    while let Some(Reverse((bits, node))) = queue.pop() {
        if way[node].to_bits() != bits {
            continue;
        }
        order.push(node);
        for link in &links[node] {
            let next = way[node] + link.length_m;
            if next < way[link.to] {
                way[link.to] = next;
                down[link.to] = node;
                queue.push(Reverse((next.to_bits(), link.to)));
            }
        }
    }
    let mut flow: Vec<f64> = links
        .iter()
        .map(|l| f64::from(u8::from(l.len() == 1)))
        .collect();
    let mut inflows = vec![Vec::new(); links.len()];
    flow[0] = 0.0;
    for &node in order.iter().skip(1).rev() {
        // The divide of a loop is nobody's outlet, yet water made it.
        flow[node] = flow[node].max(1.0);
        let below = down[node];
        flow[below] += flow[node];
        inflows[below].push(flow[node]);
    }
    flow[0] = flow[0].max(1.0);
    (flow, inflows)
}

/// Largest half width at each node that leaves rock between passages that share no node: what
/// lies between two passages is shared as their wishes are.
fn limits(skeleton: &Skeleton, links: &[Vec<Link>], wish: &[f64], config: &Config) -> Vec<f64> {
    let clearance_m = config.skeleton.clearance_m;
    let least = |e: usize| {
        let e = skeleton.edges[e];
        skeleton.nodes[e.a]
            .passage_m
            .max(skeleton.nodes[e.b].passage_m)
    };
    let wished = |e: usize| {
        let e = skeleton.edges[e];
        wish[e.a].max(wish[e.b])
    };
    let widest = wish.iter().copied().fold(0.0, f64::max);
    let reach_m = 2.0 * PASSAGE_REACH * widest + clearance_m;
    let mut grid = SegmentGrid::new(reach_m);
    for e in &skeleton.edges {
        let plan = |n: usize| skeleton.nodes[n].position.truncate();
        grid.push(Segment {
            a: plan(e.a),
            b: plan(e.b),
        });
    }
    let mut limit = vec![f64::INFINITY; skeleton.nodes.len()];
    let (mut walk, mut found) = (Walk::default(), Vec::new());
    for (i, e) in skeleton.edges.iter().enumerate() {
        let segment = grid.segment(i);
        grid.near(segment, reach_m, &mut found);
        let mut walked = false;
        for &j in &found {
            let (j, f) = (j as usize, skeleton.edges[j as usize]);
            if j <= i || [f.a, f.b].iter().any(|n| [e.a, e.b].contains(n)) {
                continue;
            }
            let distance = segment.distance(grid.segment(j));
            // Both half widths together, a hair less so that rounding keeps the rock.
            let both = (distance - clearance_m) / PASSAGE_REACH * (1.0 - 1e-9);
            let (wish_i, wish_j) = (wished(i), wished(j));
            if wish_i + wish_j <= both {
                continue;
            }
            if !std::mem::replace(&mut walked, true) {
                walk.run(links, [e.a, e.b], reach_m / NEIGHBOUR_SHARE);
            }
            if distance >= NEIGHBOUR_SHARE * walk.to(f.a).min(walk.to(f.b)) {
                continue;
            }
            let (least_i, least_j) = (least(i), least(j));
            let share = (both * wish_i / (wish_i + wish_j))
                .min(both - least_j)
                .max(least_i);
            for (nodes, most) in [([e.a, e.b], share), ([f.a, f.b], both - share)] {
                for node in nodes {
                    limit[node] = limit[node].min(most);
                }
            }
        }
    }
    limit
}

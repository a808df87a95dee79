//! What a grown graph promises, checked the slow and simple way.

use glam::DVec2;
use plume::config::Config;
use plume::skeleton::{
    BRANCH_SEPARATION_DEG, ENTRANCE_PASSAGE_M, NEIGHBOUR_SHARE, NodeKind, PASSAGE_REACH, Skeleton,
};

/// Checks everything.
pub fn assert_promises(config: &Config, skeleton: &Skeleton) {
    let s = &config.skeleton;
    assert_eq!(skeleton.nodes.len(), s.nodes as usize);
    assert_frame(config, skeleton);
    let adjacent = skeleton.adjacency();
    assert_eq!(
        adjacent[skeleton.entrance].len(),
        1,
        "one passage leaves the entrance"
    );
    assert_connected(skeleton);
    let plan: Vec<DVec2> = skeleton
        .nodes
        .iter()
        .map(|n| n.position.truncate())
        .collect();
    let steepest = libm::tan(s.max_grade_deg.to_radians());
    for edge in &skeleton.edges {
        assert!(edge.a < edge.b);
        let run = plan[edge.a].distance(plan[edge.b]);
        let rise = (skeleton.nodes[edge.a].position.z - skeleton.nodes[edge.b].position.z).abs();
        assert!(
            rise <= steepest * run + 1e-9,
            "{edge:?} rises {rise} over {run}"
        );
        if let Some(parent) = skeleton.nodes[edge.b].parent.filter(|&p| p == edge.a) {
            assert!(
                (run - skeleton.nodes[parent].radius_m).abs() < 1e-6,
                "on the circle"
            );
        }
    }
    for (at, others) in adjacent.iter().enumerate() {
        assert!(others.len() <= s.children_max as usize + 1);
        for (i, &a) in others.iter().enumerate() {
            for &b in &others[i + 1..] {
                let angle = (plan[a] - plan[at])
                    .angle_to(plan[b] - plan[at])
                    .to_degrees()
                    .abs();
                assert!(
                    angle >= BRANCH_SEPARATION_DEG - 1e-6,
                    "{angle}° between passages at {at}"
                );
            }
        }
        // The way back from `at` is its parent; nothing else may lie in the sector around it.
        if let Some(parent) = skeleton.nodes[at].parent {
            for &other in others.iter().filter(|&&o| o != parent) {
                let back = (plan[parent] - plan[at]).angle_to(plan[other] - plan[at]);
                let from_back = back.to_degrees().abs();
                assert!(
                    from_back >= s.forbidden_sector_deg / 2.0 - 1e-6,
                    "{from_back}° at {at}"
                );
            }
        }
    }
    assert_clearance(config, skeleton);
}

/// The entrance is in its place.
pub fn assert_frame(config: &Config, skeleton: &Skeleton) {
    let entrance = &skeleton.nodes[skeleton.entrance];
    let drop = config.passage.floor_drop_m(entrance.passage_m);
    assert!(entrance.passage_m >= ENTRANCE_PASSAGE_M);
    assert!(entrance.position.distance(glam::DVec3::new(0.0, 0.0, drop)) < 1e-9);
    let first = skeleton.adjacency()[skeleton.entrance][0];
    let way = skeleton.nodes[first].position;
    assert!(
        way.x > 0.0 && way.y.abs() < 1e-9,
        "first passage heads to {way}"
    );
    assert_eq!(entrance.kind, NodeKind::Entrance);
}

/// Every node can be reached.
pub fn assert_connected(skeleton: &Skeleton) {
    let way = ways(skeleton, 0);
    assert!(way.iter().all(|w| w.is_finite()), "every node is reached");
}

/// Lengths of the shortest ways from a node, in plan.
fn ways(skeleton: &Skeleton, from: usize) -> Vec<f64> {
    let adjacent = skeleton.adjacency();
    let mut way = vec![f64::INFINITY; skeleton.nodes.len()];
    let mut open = vec![from];
    way[from] = 0.0;
    while let Some(node) = open.pop() {
        for &next in &adjacent[node] {
            let (p, q) = (skeleton.nodes[node].position, skeleton.nodes[next].position);
            let length = way[node] + p.truncate().distance(q.truncate());
            if length < way[next] {
                way[next] = length;
                open.push(next);
            }
        }
    }
    way
}

fn assert_clearance(config: &Config, skeleton: &Skeleton) {
    let node = |i: usize| &skeleton.nodes[i];
    let all: Vec<Vec<f64>> = (0..skeleton.nodes.len())
        .map(|n| ways(skeleton, n))
        .collect();
    for (i, e) in skeleton.edges.iter().enumerate() {
        for f in &skeleton.edges[i + 1..] {
            if [f.a, f.b].iter().any(|n| [e.a, e.b].contains(n)) {
                continue;
            }
            let wide = |a: usize, b: usize| node(a).passage_m.max(node(b).passage_m);
            let rock =
                PASSAGE_REACH * (wide(e.a, e.b) + wide(f.a, f.b)) + config.skeleton.clearance_m;
            let way = [(e.a, f.a), (e.a, f.b), (e.b, f.a), (e.b, f.b)]
                .map(|(p, q)| all[p][q])
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            let need = rock.min(NEIGHBOUR_SHARE * way);
            let p = |n: usize| node(n).position.truncate();
            let distance = segments(p(e.a), p(e.b), p(f.a), p(f.b));
            assert!(
                distance >= need - 1e-6,
                "{e:?} and {f:?}: {distance} m, need {need} m"
            );
        }
    }
}

/// Distance of two segments: ends against the other segment, or 0 where they cross.
fn segments(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> f64 {
    let to = |p: DVec2, a: DVec2, b: DVec2| {
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance(a.lerp(b, t))
    };
    let side = |a: DVec2, b: DVec2, p: DVec2| (b - a).perp_dot(p - a);
    if side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0 {
        return 0.0;
    }
    [to(a, c, d), to(b, c, d), to(c, a, b), to(d, a, b)]
        .into_iter()
        .fold(f64::INFINITY, f64::min)
}

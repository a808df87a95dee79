//! What a grown graph promises, checked the slow and simple way.

use glam::DVec2;
use plume::config::Config;
use plume::skeleton::{
    BRANCH_SEPARATION_DEG, ENTRANCE_PASSAGE_M, NEIGHBOUR_SHARE, NodeKind, PASSAGE_REACH, Skeleton,
    floor_reach_m, generator, roof_reach_m,
};

/// Least angle between two passages that leave one node, degrees: no turn is over 160°.
const LEAST_ANGLE_DEG: f64 = 20.0;

/// What every generator promises, as far as it says so.
pub fn assert_promises(config: &Config, skeleton: &Skeleton) {
    let s = &config.skeleton;
    let promises = generator(s.algorithm).promises();
    if promises.exact_nodes && s.levels == 1 {
        assert_eq!(skeleton.nodes.len(), s.nodes as usize);
    }
    assert_frame(config, skeleton);
    assert_connected(skeleton);
    for node in &skeleton.nodes {
        assert!(node.position.is_finite() && node.passage_m > 0.0 && node.level < s.levels);
    }
    for level in 0..s.levels {
        assert!(
            skeleton.nodes.iter().any(|n| n.level == level),
            "level {level} is empty"
        );
    }
    for upper in 1..s.levels {
        let joins = skeleton.edges.iter().filter(|e| {
            let [a, b] = [e.a, e.b].map(|n| skeleton.nodes[n].level);
            (a.min(b), a.max(b)) == (upper - 1, upper)
        });
        assert!(
            joins.count() >= s.connections as usize,
            "ramps from level {}",
            upper - 1
        );
    }
    if promises.keeps_rules {
        assert_eq!(
            skeleton.adjacency()[skeleton.entrance].len(),
            1,
            "one passage leaves the entrance"
        );
        assert_grades(config, skeleton);
        assert_turns(skeleton);
        assert_clearance(config, skeleton);
    }
}

/// No edge is steeper than its limit unless both its ends are marked.
fn assert_grades(config: &Config, skeleton: &Skeleton) {
    let s = &config.skeleton;
    let limit = if s.levels > 1 {
        s.max_grade_deg.max(s.max_connection_deg)
    } else {
        s.max_grade_deg
    };
    let marked = |n: usize| matches!(skeleton.nodes[n].kind, NodeKind::Shaft | NodeKind::Entrance);
    for &edge in &skeleton.edges {
        assert!(edge.a < edge.b);
        let grade = skeleton.grade_deg(edge);
        assert!(
            grade <= limit + 1e-6 || marked(edge.a) && marked(edge.b),
            "{edge:?} climbs {grade}°"
        );
    }
}

/// Passages at a node keep apart; shafts, which have no direction in plan, in space.
fn assert_turns(skeleton: &Skeleton) {
    let p = |n: usize| skeleton.nodes[n].position;
    for (at, others) in skeleton.adjacency().iter().enumerate() {
        for (i, &a) in others.iter().enumerate() {
            for &b in &others[i + 1..] {
                let angle = (p(a) - p(at)).angle_between(p(b) - p(at)).to_degrees();
                assert!(
                    angle >= LEAST_ANGLE_DEG,
                    "{angle}° between passages at {at}"
                );
            }
        }
    }
}

/// What PLUME's growth promises beside.
pub fn assert_growth(config: &Config, skeleton: &Skeleton) {
    assert_promises(config, skeleton);
    let s = &config.skeleton;
    let adjacent = skeleton.adjacency();
    let plan: Vec<DVec2> = skeleton
        .nodes
        .iter()
        .map(|n| n.position.truncate())
        .collect();
    for edge in &skeleton.edges {
        let run = plan[edge.a].distance(plan[edge.b]);
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
    let way = ways(skeleton, &[0]);
    assert!(way.iter().all(|w| w.is_finite()), "every node is reached");
}

/// Lengths of the shortest ways from the nearest of some nodes, in plan, where shafts count with
/// their height.
fn ways(skeleton: &Skeleton, from: &[usize]) -> Vec<f64> {
    let adjacent = skeleton.adjacency();
    let mut way = vec![f64::INFINITY; skeleton.nodes.len()];
    let mut open = std::collections::VecDeque::new();
    for &node in from {
        way[node] = 0.0;
        open.push_back(node);
    }
    while let Some(node) = open.pop_front() {
        for &next in &adjacent[node] {
            let (p, q) = (skeleton.nodes[node].position, skeleton.nodes[next].position);
            let run = p.truncate().distance(q.truncate());
            let length = way[node] + run.max((p.z - q.z).abs());
            if length < way[next] {
                way[next] = length;
                open.push_back(next);
            }
        }
    }
    way
}

/// Rock between passages that share no node: beside each other, or over each other, or as far as
/// the way between them allows.
fn assert_clearance(config: &Config, skeleton: &Skeleton) {
    let node = |i: usize| &skeleton.nodes[i];
    let wide = |a: usize, b: usize| node(a).passage_m.max(node(b).passage_m);
    for (i, e) in skeleton.edges.iter().enumerate() {
        let mut far = None;
        for f in &skeleton.edges[i + 1..] {
            if [f.a, f.b].iter().any(|n| [e.a, e.b].contains(n)) {
                continue;
            }
            let (wide_e, wide_f) = (wide(e.a, e.b), wide(f.a, f.b));
            let rock = PASSAGE_REACH * (wide_e + wide_f) + config.skeleton.clearance_m;
            let p = |n: usize| node(n).position.truncate();
            let distance = segments(p(e.a), p(e.b), p(f.a), p(f.b));
            if distance >= rock - 1e-6 {
                continue;
            }
            let heights = |a: usize, b: usize| {
                let (p, q) = (node(a).position.z, node(b).position.z);
                (p.min(q), p.max(q))
            };
            let ((low_e, high_e), (low_f, high_f)) = (heights(e.a, e.b), heights(f.a, f.b));
            let over = |low: f64, wide_over: f64, high: f64, wide_under: f64| {
                low - floor_reach_m(wide_over, config) - (high + roof_reach_m(wide_under, config))
            };
            let above =
                over(low_e, wide_e, high_f, wide_f).max(over(low_f, wide_f, high_e, wide_e));
            if above >= config.skeleton.clearance_m - 1e-6 {
                continue;
            }
            let far = far.get_or_insert_with(|| ways(skeleton, &[e.a, e.b]));
            let need = NEIGHBOUR_SHARE * far[f.a].min(far[f.b]);
            assert!(
                distance >= need - 1e-6,
                "{e:?} and {f:?}: {distance} m beside, {above} m over each other, need {} m",
                need.min(rock)
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

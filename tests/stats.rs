//! Statistics against hand-made graphs, an independent implementation and a surveyed cave.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use glam::DVec3;
use plume::config::{Config, SkeletonConfig};
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton::stats::Statistics;
use plume::skeleton::{Edge, Node, NodeKind, RigidTransform, Skeleton, grow};
use proptest::prelude::*;
use std::path::Path;

fn graph(places: &[[f64; 3]], edges: &[(usize, usize)]) -> Skeleton {
    let nodes = places.iter().enumerate().map(|(id, &place)| Node {
        id: id as i64,
        parent: None,
        position: DVec3::from_array(place),
        radius_m: 3.0,
        passage_m: 1.0,
        level: 0,
        kind: NodeKind::Passage,
        active: true,
    });
    let edges = edges.iter().map(|&(a, b)| Edge::new(a, b)).collect();
    Skeleton::new(nodes.collect(), edges)
}

fn grown(nodes: u32, seed: u64) -> Skeleton {
    let config = Config {
        seed,
        skeleton: SkeletonConfig {
            nodes,
            ..SkeletonConfig::default()
        },
        ..Config::default()
    };
    grow(&config, &Job::new(&Unobserved, Stage::Skeleton)).unwrap()
}

/// Values in the order of the keys, NaN where a measure is undefined.
fn values(skeleton: &Skeleton) -> [f64; 11] {
    let stats = Statistics::of(skeleton);
    stats.measures().map(|(_, m)| m.value.unwrap_or(f64::NAN))
}

#[track_caller]
fn assert_values(skeleton: &Skeleton, expected: [f64; 11]) {
    let stats = Statistics::of(skeleton);
    for ((key, measure), want) in stats.measures().into_iter().zip(expected) {
        match measure.value {
            None => assert!(want.is_nan(), "{key} is undefined, expected {want}"),
            Some(value) => assert!((value - want).abs() < 1e-12, "{key}: {value}, not {want}"),
        }
    }
}

const NAN: f64 = f64::NAN;

#[test]
fn a_star_by_hand() {
    let star = graph(
        &[[0., 0., 0.], [0., 10., 0.], [30., 0., 0.], [0., -6., 8.]],
        &[(0, 1), (0, 2), (0, 3)],
    );
    // Lengths 10, 30, 10: mean 50/3, deviation 20/√3; strikes 0° twice (10 and 6 m), 90° (30 m).
    let (p, q) = (16.0f64 / 46.0, 30.0f64 / 46.0);
    let strikes = -(p * p.ln() + q * q.ln()) / 18f64.ln();
    let (a, b) = (2.0f64 / 3.0, 1.0f64 / 3.0);
    let lengths = -(a * a.ln() + b * b.ln()) / 10f64.ln();
    let cv = (4.0 / 3.0f64).sqrt() * 10.0 / (50.0 / 3.0);
    assert_values(
        &star,
        [
            1.5,
            2.0 / 3.0,
            -1.0,
            0.0,
            50.0 / 3.0,
            cv,
            1.0,
            1.5,
            1.0,
            lengths,
            strikes,
        ],
    );
}

#[test]
fn graphs_without_much_to_measure() {
    let one = graph(&[[0., 0., 0.], [3., 0., 4.]], &[(0, 1)]);
    assert_values(&one, [1., 0., NAN, 0., 5., NAN, 1., 1., NAN, 0., 0.]);
    let bent = graph(
        &[[0., 0., 0.], [3., 0., 0.], [3., 4., 0.]],
        &[(0, 1), (1, 2)],
    );
    let strikes = -(3.0 / 7.0 * (3.0f64 / 7.0).ln() + 4.0 / 7.0 * (4.0f64 / 7.0).ln());
    let strikes = strikes / 18f64.ln();
    assert_values(&bent, [1., 0., NAN, 0., 7., NAN, 1.4, 1., NAN, 0., strikes]);
    let shaft = graph(&[[0., 0., 0.], [0., 0., -9.]], &[(0, 1)]);
    assert_values(&shaft, [1., 0., NAN, 0., 9., NAN, 1., 1., NAN, 0., NAN]);
    let ring = graph(
        &[[0., 0., 0.], [5., 0., 0.], [5., 5., 0.], [0., 5., 0.]],
        &[(0, 1), (1, 2), (2, 3), (0, 3)],
    );
    let halves = 2f64.ln() / 18f64.ln();
    assert_values(&ring, [2., 0., NAN, 1., 20., NAN, NAN, 1., 0., 0., halves]);
    let (nothing, point) = (graph(&[], &[]), graph(&[[0.; 3]], &[]));
    for empty in [nothing, point] {
        let expected = [NAN, NAN, NAN, 0., NAN, NAN, NAN, NAN, NAN, NAN, NAN];
        assert_values(&empty, expected);
    }
}

/// A stalk with a loop at its end, three ways between two junctions, one of them direct.
#[test]
fn loops_and_parallel_branches_keep_their_nodes() {
    let lasso = graph(
        &[
            [0., 0., 0.],
            [9., 0., 0.],
            [12., 4., 0.],
            [15., 0., 0.],
            [12., -4., 0.],
        ],
        &[(0, 1), (1, 2), (2, 3), (3, 4), (1, 4)],
    );
    let stats = Statistics::of(&lasso);
    // The loop counts as a triangle: degrees 1, 3, 2, 2.
    assert_eq!(stats.graph.branches, 2);
    assert_eq!(stats.mean_degree.value, Some(2.0));
    assert_eq!(stats.loops.value, Some(1.0));
    assert_eq!(stats.tortuosity.value, Some(1.0));
    assert_eq!(stats.branch_mean_m.value, Some(14.5));

    let theta = graph(
        &[
            [0., 0., 0.],
            [8., 0., 0.],
            [4., 3., 0.],
            [4., -3., 0.],
            [4., -4., 0.],
        ],
        &[(0, 1), (0, 2), (1, 2), (0, 3), (3, 4), (1, 4)],
    );
    let stats = Statistics::of(&theta);
    // Two middle nodes are kept: degrees 3, 3, 2, 2.
    assert_eq!(stats.graph.branches, 3);
    assert_eq!(stats.mean_degree.value, Some(2.5));
    assert_eq!(stats.loops.value, Some(2.0));
}

/// Made by karstnet 1.2.5 for the same file.
#[test]
fn an_independent_implementation_agrees() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/skeleton/plume_small.json");
    let job = Job::new(&Unobserved, Stage::Skeleton);
    let cave = plume::skeleton::import(&file, &Config::default(), &job).unwrap();
    assert_values(&cave, KARSTNET_SMALL);
    let maze = maze();
    assert_values(&maze, KARSTNET_MAZE);
}

fn maze() -> Skeleton {
    let place = |k: usize| {
        let (x, y) = ((k % 6) as f64, (k / 6) as f64);
        [7.0 * x + 0.37 * y * y, 5.0 * y - 0.21 * x * x, 0.1 * x * y]
    };
    let places: Vec<_> = (0..36).map(place).collect();
    let right = (0..36)
        .filter(|k| k % 6 < 5 && k % 7 != 3)
        .map(|k| (k, k + 1));
    let up = (0..30)
        .filter(|k| k % 4 != 1 || k % 6 == 0)
        .map(|k| (k, k + 6));
    graph(&places, &right.chain(up).collect::<Vec<_>>())
}

/// The surveyed cave Sakany: values of the published table.
#[test]
fn sakany_has_its_published_values() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/karst");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let (Some(nodes), Some(links)) = (read("sakany_nodes.dat"), read("sakany_links.dat")) else {
        eprintln!(
            "skipped: the survey of Sakany is not in {}",
            folder.display()
        );
        return;
    };
    let rows = |text: &str| -> Vec<Vec<f64>> {
        let row = |line: &str| {
            line.split_whitespace()
                .map(|x| x.parse().unwrap())
                .collect()
        };
        text.lines().map(row).collect()
    };
    let places: Vec<[f64; 3]> = rows(&nodes).iter().map(|r| [r[0], r[1], r[2]]).collect();
    let link = |row: &Vec<f64>| (row[0] as usize - 1, row[1] as usize - 1);
    let edges: Vec<_> = rows(&links).iter().map(link).collect();
    let stats = Statistics::of(&graph(&places, &edges));
    let published = [
        2.3953488372093,
        0.470807322486853,
        -0.168030463093938,
        69.0,
        20.7059143082688,
        0.91491869803329,
        1.40093917251555,
        12.6189063665333,
        0.267674074994476,
        0.377037192946913,
        0.992400449477028,
    ];
    assert_values(&graph(&places, &edges), published);
    assert_eq!(
        (stats.graph.nodes, stats.graph.edges, stats.graph.branches),
        (1716, 1784, 361)
    );
    let inside: Vec<_> = stats.measures().map(|(_, m)| m.inside().unwrap()).into();
    let expected = [
        false, true, false, true, false, false, true, true, true, true, true,
    ];
    assert_eq!(inside, expected);
}

#[test]
fn ranges_are_distributions() {
    for (key, measure) in Statistics::of(&maze()).measures() {
        let r = measure.real;
        let points = [r.low, r.lower_quartile, r.median, r.upper_quartile, r.high];
        assert!(points.is_sorted(), "{key}: {points:?}");
        let share = r.interquartile() / (r.high - r.low);
        assert!((0.2..0.8).contains(&share), "{key}: {share}");
    }
}

#[test]
fn json_has_the_keys_of_the_measures() {
    let json = serde_json::to_value(Statistics::of(&grown(250, 3))).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    let expected = [
        "graph",
        "mean_degree",
        "cv_degree",
        "degree_correlation",
        "loops",
        "branch_mean_m",
        "branch_cv",
        "tortuosity",
        "shortest_path",
        "central_point_dominance",
        "length_entropy",
        "orientation_entropy",
    ];
    assert_eq!(keys, expected);
    for (key, measure) in json.as_object().unwrap().iter().skip(1) {
        let keys: Vec<&String> = measure.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["value", "low", "high", "inside"], "{key}");
        let number = |k: &str| measure[k].as_f64().unwrap();
        let inside = number("low") <= number("value") && number("value") <= number("high");
        assert_eq!(measure["inside"], inside, "{key}");
    }
    for (key, (named, _)) in expected[1..].iter().zip(Statistics::of(&maze()).measures()) {
        assert_eq!(*key, named);
    }
    let one = graph(&[[0., 0., 0.], [3., 0., 4.]], &[(0, 1)]);
    let json = serde_json::to_value(Statistics::of(&one)).unwrap();
    assert!(json["branch_cv"]["value"].is_null() && json["branch_cv"]["inside"].is_null());
}

#[test]
fn shafts_and_levels_are_counted() {
    let mut cave = graph(
        &[
            [0., 0., 0.],
            [9., 0., 0.],
            [9., 0., -9.],
            [9., 0., -18.],
            [20., 0., -18.],
            [20., 0., 0.],
        ],
        &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)],
    );
    for (node, level) in cave.nodes.iter_mut().zip([0, 0, 1, 2, 2, 0]) {
        node.level = level;
    }
    assert_eq!(cave.mark_shafts(60.0), 3);
    let counted = Statistics::of(&cave).graph;
    assert_eq!(
        (counted.levels, counted.dead_ends, counted.junctions),
        (3, 2, 0)
    );
    // Both shafts are joined end to end at node 3.
    assert_eq!(counted.shafts, 1);
    cave.nodes[3].kind = NodeKind::Passage;
    assert_eq!(Statistics::of(&cave).graph.shafts, 2);
}

/// A chain of 2000 rings has 2^2000 shortest ways from end to end.
#[test]
fn many_shortest_ways_stay_finite() {
    let rings = 2000;
    let (mut places, mut edges) = (vec![[0.0; 3]], Vec::new());
    for ring in 0..rings {
        let (x, at) = (20.0 * ring as f64, 3 * ring);
        places.extend([
            [x + 5.0, 5.0, 0.0],
            [x + 5.0, -5.0, 0.0],
            [x + 20.0, 0.0, 0.0],
        ]);
        edges.extend([
            (at, at + 1),
            (at, at + 2),
            (at + 1, at + 3),
            (at + 2, at + 3),
        ]);
    }
    let stats = Statistics::of(&graph(&places, &edges));
    assert_eq!(stats.loops.value, Some(rings as f64));
    // The middle of the chain carries about half of all pairs, each place on the way its share:
    // betweenness of place t is near 2 t (1 - t), and half of it for both halves of a ring.
    let dominance = stats.central_point_dominance.value.unwrap();
    let mean = (1.0 / 3.0 + 2.0 * (1.0 / 3.0) / 2.0) / 3.0;
    assert!((dominance - (0.5 - mean)).abs() < 0.01, "{dominance}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Turned, moved and renumbered, and with every passage cut in two, a cave is the same cave.
    #[test]
    fn the_cave_counts_not_how_it_is_written(
        seed in any::<u64>(), nodes in 2u32..120, yaw in -3.0f64..3.0, stride in 1usize..50,
    ) {
        let cave = grown(nodes, seed);
        let turn = RigidTransform { yaw, translation: DVec3::new(3e3, -50.0, 7.0) };
        let count = cave.nodes.len();
        let step = (stride..).find(|&s| gcd(s, count) == 1).unwrap();
        let renumber = |k: usize| k * step % count;
        let mut written = cave.clone();
        for (k, node) in cave.nodes.iter().enumerate() {
            written.nodes[renumber(k)] = node.clone();
            written.nodes[renumber(k)].position = turn.apply(node.position);
        }
        written.edges.clear();
        for edge in &cave.edges {
            let (a, b) = (renumber(edge.a), renumber(edge.b));
            let middle = written.nodes.len();
            let mut node = written.nodes[a].clone();
            node.position = (node.position + written.nodes[b].position) / 2.0;
            written.nodes.push(node);
            written.edges.extend([Edge::new(a, middle), Edge::new(middle, b)]);
        }
        written.edges.sort();
        written.world_from_graph.yaw += yaw;
        for ((x, y), key) in values(&cave).into_iter().zip(values(&written)).zip(0..) {
            // Cutting the direct one of two parallel branches keeps one node more.
            let topology = matches!(key, 0..=2 | 7 | 8);
            if topology && Statistics::of(&cave).loops.value != Some(0.0) {
                continue;
            }
            let same = x.is_nan() && y.is_nan() || (x - y).abs() < 1e-6 * x.abs().max(1.0);
            prop_assert!(same, "measure {}: {} and {}", key, x, y);
        }
    }

    /// No graph makes it panic or gives a value that is no number.
    #[test]
    fn any_graph_has_statistics(
        places in prop::collection::vec(prop::array::uniform3(-50.0f64..50.0), 1..25),
        links in prop::collection::vec((0usize..25, 0usize..25), 0..60),
    ) {
        let count = places.len();
        let inside = |&(a, b): &(usize, usize)| (a % count, b % count);
        let edges: Vec<_> = links.iter().map(inside).filter(|(a, b)| a != b).collect();
        let cave = graph(&places, &edges);
        let stats = Statistics::of(&cave);
        for (key, measure) in stats.measures() {
            prop_assert!(measure.value.is_none_or(f64::is_finite), "{}", key);
        }
        for share in [stats.central_point_dominance, stats.length_entropy, stats.orientation_entropy] {
            prop_assert!(share.value.is_none_or(|v| (-1e-12..1.0 + 1e-12).contains(&v)));
        }
        prop_assert!(stats.tortuosity.value.is_none_or(|v| v > 1.0 - 1e-12));
        prop_assert!(stats.degree_correlation.value.is_none_or(|v| v.abs() < 1.0 + 1e-12));
        prop_assert_eq!(stats, Statistics::of(&cave));
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

const KARSTNET_SMALL: [f64; 11] = [
    2.0,
    0.408248290463863,
    -0.7142857142857143,
    1.0,
    13.158081118328163,
    0.3168517439899372,
    1.1295611166904882,
    1.3333333333333333,
    0.6666666666666666,
    0.30102999566398114,
    0.45390156439796375,
];

const KARSTNET_MAZE: [f64; 11] = [
    2.923076923076923,
    0.33411726838113426,
    -0.05422446406052961,
    13.0,
    8.220167444193846,
    0.491157671740402,
    1.1213117053393518,
    3.3723076923076922,
    0.15127915343915338,
    0.5523426150952514,
    0.5512207869740142,
];

//! Stage 1 from outside: what every generator promises, and graphs from files.

use glam::DVec2;
use plume::config::{Config, Distribution, PassageConfig, SkeletonConfig};
use plume::progress::{Cancelled, Job, Observer, Stage, Unobserved};
use plume::skeleton::{
    BRANCH_SEPARATION_DEG, ENTRANCE_PASSAGE_M, Error, Fault, NEIGHBOUR_SHARE, NodeKind,
    PASSAGE_REACH, Skeleton, grow, import, read_plume, write_json,
};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

fn job() -> Job<'static> {
    Job::new(&Unobserved, Stage::Skeleton)
}

fn config(seed: u64, skeleton: SkeletonConfig) -> Config {
    Config {
        seed,
        skeleton,
        ..Config::default()
    }
}

fn grown(config: &Config) -> Skeleton {
    grow(config, &job()).unwrap()
}

/// Everything a grown graph promises, checked the slow and simple way.
fn assert_promises(config: &Config, skeleton: &Skeleton) {
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

fn assert_frame(config: &Config, skeleton: &Skeleton) {
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

fn assert_connected(skeleton: &Skeleton) {
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

#[test]
fn every_seed_keeps_every_promise() {
    for seed in 0..60 {
        let distribution = [
            Distribution::Gaussian,
            Distribution::Perlin,
            Distribution::Hybrid,
        ][seed as usize % 3];
        let nodes = [2, 3, 50, 120][seed as usize % 4];
        let config = config(
            seed,
            SkeletonConfig {
                nodes,
                distribution,
                ..Default::default()
            },
        );
        assert_promises(&config, &grown(&config));
    }
}

#[test]
fn caves_of_every_seed_have_branches_and_most_have_loops() {
    let mut with_loops = 0;
    for seed in 0..20 {
        let config = config(
            seed,
            SkeletonConfig {
                nodes: 250,
                ..Default::default()
            },
        );
        let skeleton = grown(&config);
        let count = |kind| skeleton.nodes.iter().filter(|n| n.kind == kind).count();
        assert!(count(NodeKind::Junction) > 10 && count(NodeKind::DeadEnd) > 10);
        with_loops += usize::from(skeleton.edges.len() >= skeleton.nodes.len());
    }
    assert!(with_loops >= 15, "{with_loops} of 20");
    let config = config(
        1,
        SkeletonConfig {
            nodes: 250,
            loop_probability: 0.0,
            ..Default::default()
        },
    );
    assert_eq!(grown(&config).edges.len(), 249);
}

#[test]
fn no_turn_goes_back() {
    let (mut turns, mut back) = (0, 0);
    for seed in 0..30 {
        let skeleton = grown(&config(
            seed,
            SkeletonConfig {
                nodes: 150,
                ..Default::default()
            },
        ));
        for (at, others) in skeleton.adjacency().iter().enumerate() {
            let p = |n: usize| skeleton.nodes[n].position.truncate();
            for (i, &a) in others.iter().enumerate() {
                for &b in &others[i + 1..] {
                    turns += 1;
                    let turn = (p(at) - p(a)).angle_to(p(b) - p(at)).to_degrees().abs();
                    back += usize::from(turn > 160.0);
                }
            }
        }
    }
    assert!(turns > 4000);
    assert_eq!(back, 0);
}

#[test]
fn seeds_reproduce_and_differ() {
    let make = |seed| write_json(&grown(&config(seed, SkeletonConfig::default())));
    assert_eq!(make(7), make(7));
    assert_ne!(make(7), make(8));
}

#[test]
fn a_known_cave_stays_as_it_is() {
    let skeleton = grown(&config(
        7,
        SkeletonConfig {
            nodes: 8,
            ..Default::default()
        },
    ));
    insta::assert_snapshot!(write_json(&skeleton));
}

#[test]
fn the_hardest_configurations_still_give_every_node() {
    let d = SkeletonConfig::default;
    let hard = [
        SkeletonConfig {
            children_max: 1,
            sigma_deg: 180.0,
            nodes: 600,
            ..d()
        },
        SkeletonConfig {
            forbidden_sector_deg: 340.0,
            nodes: 400,
            ..d()
        },
        SkeletonConfig {
            radius_min_m: 0.5,
            radius_max_m: 0.5,
            clearance_m: 100.0,
            nodes: 300,
            ..d()
        },
        SkeletonConfig {
            death_probability: 1.0,
            nodes: 300,
            ..d()
        },
        SkeletonConfig {
            max_grade_deg: 0.0,
            elevation_m: 1000.0,
            nodes: 100,
            ..d()
        },
    ];
    for skeleton in hard {
        let config = config(3, skeleton);
        assert_promises(&config, &grown(&config));
    }
}

#[test]
fn impossible_configurations_are_refused() {
    let d = SkeletonConfig::default;
    let bad = [
        (SkeletonConfig { nodes: 0, ..d() }, "skeleton.nodes"),
        (
            SkeletonConfig {
                nodes: 1_000_000_000,
                ..d()
            },
            "skeleton.nodes",
        ),
        (
            SkeletonConfig {
                radius_min_m: 9.0,
                ..d()
            },
            "skeleton.radius_max_m",
        ),
        (
            SkeletonConfig {
                sigma_deg: f64::NAN,
                ..d()
            },
            "skeleton.sigma_deg",
        ),
        (
            SkeletonConfig {
                children_min: 4,
                ..d()
            },
            "skeleton.children_max",
        ),
    ];
    for (skeleton, wrong) in bad {
        match grow(&config(1, skeleton), &job()) {
            Err(Error::Config { key, .. }) => assert_eq!(key, wrong),
            other => panic!("{other:?}"),
        }
    }
    let passage = PassageConfig {
        min_m: 3.0,
        max_m: 2.0,
        ..PassageConfig::default()
    };
    let config = Config {
        passage,
        ..Config::default()
    };
    let message = grow(&config, &job()).unwrap_err().to_string();
    assert_eq!(
        message,
        "`passage.max_m` is 2; allowed is at least `passage.min_m`, 3"
    );
}

struct Stopped;

impl Observer for Stopped {
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn growing_and_reading_stop_on_request() {
    let job = Job::new(&Stopped, Stage::Skeleton);
    let stopped = |r: Result<Skeleton, Error>| matches!(r, Err(Error::Cancelled(Cancelled)));
    assert!(stopped(grow(&Config::default(), &job)));
    assert!(stopped(read_plume(&small(), &Config::default(), &job)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn exactly_the_asked_number_of_nodes(
        seed: u64,
        nodes in 2u32..70,
        radius in (0.5f64..30.0, 0.0f64..20.0),
        angles in (0.0f64..=340.0, 1.0f64..=180.0, 0.25f64..=32.0),
        children in (1u32..=6, 0u32..=5),
        chances in prop::array::uniform3(0.0f64..=1.0),
        retries in 1u32..40,
        grade in (0.0f64..=45.0, 0.0f64..50.0, 1.0f64..500.0),
        clearance_m in 0.0f64..=100.0,
        which in 0usize..3,
    ) {
        let skeleton = SkeletonConfig {
            nodes,
            distribution: [Distribution::Gaussian, Distribution::Perlin, Distribution::Hybrid][which],
            radius_min_m: radius.0,
            radius_max_m: radius.0 + radius.1,
            forbidden_sector_deg: angles.0,
            sigma_deg: angles.1,
            perlin_frequency: angles.2,
            children_min: children.0,
            children_max: (children.0 + children.1).min(6),
            branch_probability: chances[0],
            death_probability: chances[1],
            loop_probability: chances[2],
            retries,
            max_grade_deg: grade.0,
            elevation_m: grade.1,
            elevation_wavelength_m: grade.2,
            clearance_m,
            ..SkeletonConfig::default()
        };
        let config = config(seed, skeleton);
        assert_promises(&config, &grown(&config));
    }
}

// Graphs from files.

fn small() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/skeleton/plume_small.json")
}

/// Reads `text` as a graph file.
fn read(text: &str) -> Result<Skeleton, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.json");
    std::fs::write(&path, text).unwrap();
    import(&path, &Config::default(), &job())
}

fn fault(text: &str) -> Fault {
    match read(text) {
        Err(Error::Graph { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

/// The small file with one piece of text replaced.
fn small_with(old: &str, new: &str) -> String {
    let text = std::fs::read_to_string(small()).unwrap();
    assert!(text.contains(old), "{old}");
    text.replacen(old, new, 1)
}

#[test]
fn a_plume_file_becomes_a_cave_in_frame_map() {
    let config = Config::default();
    let skeleton = import(&small(), &config, &job()).unwrap();
    assert_frame(&config, &skeleton);
    assert_eq!((skeleton.nodes.len(), skeleton.edges.len()), (5, 5));
    assert_eq!(skeleton.nodes[1].passage_m, 6.25 * config.passage.scale);
    assert_eq!(
        skeleton.nodes[4].kind,
        NodeKind::Passage,
        "the edge only node 4 lists counts"
    );
    assert_eq!(skeleton.nodes[1].kind, NodeKind::DeadEnd);
    assert_eq!(skeleton.nodes[2].kind, NodeKind::Junction);
    assert!(!skeleton.nodes[4].active);
    let moved = skeleton
        .world_from_graph
        .apply(glam::DVec3::new(-6.4, 1.9, 1.0));
    assert!(moved.distance(skeleton.nodes[3].position) < 1e-9);
    let keys: Vec<&str> = skeleton.extra.keys().map(String::as_str).collect();
    assert_eq!(keys[..2], ["generation_name", "generation_size"]);
}

#[test]
fn what_was_written_reads_back_to_the_same_bits() {
    let mut caves = vec![import(&small(), &Config::default(), &job()).unwrap()];
    caves.extend((0..20).map(|seed| grown(&config(seed, SkeletonConfig::default()))));
    for skeleton in caves {
        let text = write_json(&skeleton);
        let again = read(&text).unwrap();
        assert_eq!(again, skeleton);
        for (a, b) in again.nodes.iter().zip(&skeleton.nodes) {
            assert_eq!(
                a.position.to_array().map(f64::to_bits),
                b.position.to_array().map(f64::to_bits)
            );
        }
        assert_eq!(write_json(&again), text);
    }
}

#[test]
fn an_edited_cave_is_the_edited_cave() {
    let mut skeleton = grown(&config(5, SkeletonConfig::default()));
    skeleton.nodes[9].position.z += 0.25;
    skeleton.nodes[9].passage_m = 3.5;
    assert_eq!(read(&write_json(&skeleton)).unwrap(), skeleton);
    // Moved as a whole, it is moved back.
    let mut moved = skeleton.clone();
    moved.nodes.iter_mut().for_each(|n| n.position.x += 100.0);
    let back = read(&write_json(&moved)).unwrap();
    assert_frame(&Config::default(), &back);
    assert!(back.nodes[9].position.distance(skeleton.nodes[9].position) < 1e-9);
}

#[test]
fn every_fault_is_named_with_its_place() {
    let number = |text: &str| match fault(text) {
        Fault::Number {
            id, field, value, ..
        } => (id, field, value),
        other => panic!("{other}"),
    };
    assert_eq!(fault(" \n"), Fault::Empty);
    assert_eq!(fault(r#"{"nodes": {}}"#), Fault::NoNodes);
    assert_eq!(
        number(&small_with("\"x\": -6.4", "\"x\": null")),
        (3, "coordinates.x", "null".into())
    );
    assert_eq!(
        number(&small_with("\"radius\": 5.5", "\"radius\": -1")),
        (2, "radius", "-1".into())
    );
    assert_eq!(
        number(&small_with("\"radius\": 5.5", "\"radius\": 0")),
        (2, "radius", "0".into())
    );
    let cyclic = small_with("\"parent\": null", "\"parent\": 4");
    assert!(matches!(fault(&cyclic), Fault::ParentCycle { .. }));
    let missing = small_with("\"parent\": 3", "\"parent\": 33");
    assert_eq!(
        fault(&missing),
        Fault::MissingNode {
            id: 4,
            missing: 33,
            field: "parent"
        }
    );
    let missing = small_with("    2,\n    4\n", "    2,\n    77\n");
    assert_eq!(
        fault(&missing),
        Fault::MissingNode {
            id: 3,
            missing: 77,
            field: "edges"
        }
    );
    let itself = small_with("    2,\n    4\n", "    2,\n    3\n");
    assert_eq!(fault(&itself), Fault::SelfLoop { id: 3 });
    let mismatch = small_with("\"id\": 3", "\"id\": 8");
    assert_eq!(
        fault(&mismatch),
        Fault::IdMismatch {
            key: "3".into(),
            id: 8
        }
    );
    let same = small_with("\"y\": 9.1", "\"y\": 4.0");
    assert_eq!(fault(&same), Fault::ZeroLength { a: 0, b: 1 });
    let alone = small_with("    1,\n    2\n", "    2\n").replacen("    0\n   ],", "   ],", 1);
    match fault(&alone) {
        Fault::Components { count, sizes, .. } => assert_eq!((count, sizes), (2, vec![4, 1])),
        other => panic!("{other}"),
    }
    let one = r#"{"nodes": {"5": {"id": 5, "parent": null, "edges": [],
        "coordinates": {"x": 0, "y": 0, "z": 0}, "radius": 1, "active": true}}}"#;
    assert_eq!(fault(one), Fault::OneNode { id: 5 });
    let twice = small_with("\"1\": {\n   \"id\": 1", "\"0\": {\n   \"id\": 0");
    assert_eq!(fault(&twice), Fault::DuplicateNode { id: 0 });
}

#[test]
fn faults_in_the_text_have_line_and_column() {
    let message = |text: &str| {
        let text = fault(text).to_string();
        assert!(text.contains("line ") && text.contains("column "), "{text}");
        text
    };
    let whole = std::fs::read_to_string(small()).unwrap();
    let cut = message(&whole[..whole.len() / 2]);
    assert!(cut.contains("ends too early"), "{cut}");
    let broken = message(&small_with("\"edges\": [", "\"edges\" ["));
    assert!(
        broken.contains("node \"0\"") && broken.contains("not JSON"),
        "{broken}"
    );
    let other = message(r#"{"type": "FeatureCollection", "features": []}"#);
    assert!(other.contains("missing field `nodes`"), "{other}");
    for word in ["NaN", "Infinity", "-Infinity"] {
        let python = message(&small_with("\"x\": -6.4", &format!("\"x\": {word}")));
        assert!(
            python.contains(&format!("{word} is not a finite number")),
            "{python}"
        );
        assert!(python.contains("node \"3\""), "{python}");
    }
    let wrong = message(&small_with("\"radius\": 5.5", "\"radius\": \"wide\""));
    assert!(
        wrong.contains("not PLUME's layout") && wrong.contains("node \"2\""),
        "{wrong}"
    );
    message("[1, 2]");
}

#[test]
fn other_kinds_of_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path| import(path, &Config::default(), &job());
    let is = |result: Result<Skeleton, Error>, fault: &Fault| match result {
        Err(Error::Graph { fault: found, .. }) => assert_eq!(&found, fault),
        other => panic!("{other:?}"),
    };
    is(open(folder.path()), &Fault::NotAFile);
    assert!(matches!(
        open(&folder.path().join("none.json")),
        Err(Error::Read { .. })
    ));
    let table = folder.path().join("cave_nodes.dat");
    std::fs::write(&table, "1 2 3\n").unwrap();
    is(open(&table), &Fault::UnknownKind);
    let unnamed = folder.path().join("graph");
    std::fs::copy(small(), &unnamed).unwrap();
    assert!(open(&unnamed).is_ok(), "known by its content");
    let large = folder.path().join("large.json");
    std::fs::File::create(&large)
        .unwrap()
        .set_len(200_000_001)
        .unwrap();
    let limit = 200_000_000;
    is(
        open(&large),
        &Fault::TooLarge {
            bytes: 200_000_001,
            limit,
        },
    );
}

#[test]
fn too_many_nodes_are_refused() {
    let node = |i: u32| {
        format!(
            r#""{i}":{{"id":{i},"parent":null,"edges":[],"coordinates":{{"x":{i},"y":0,"z":0}},"radius":1}}"#
        )
    };
    let nodes: Vec<String> = (0..=100_000).map(node).collect();
    let text = format!("{{\"nodes\":{{{}}}}}", nodes.join(","));
    assert_eq!(fault(&text), Fault::TooManyNodes { limit: 100_000 });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mutated_files_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0usize..12), 1..6),
    ) {
        let mut text = std::fs::read(small()).unwrap();
        for (at, byte, cut) in edits {
            if text.is_empty() {
                break;
            }
            let at = at.index(text.len());
            match cut {
                0 => text.truncate(at),
                1..=4 => drop(text.drain(at..(at + cut).min(text.len()))),
                5..=7 => text.insert(at, b"{}[]\",:0-e9."[usize::from(byte) % 12]),
                8 => text[at] = byte,
                _ => text[at] = b"0123456789"[usize::from(byte) % 10],
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mutated.json");
        std::fs::write(&path, &text).unwrap();
        if let Ok(skeleton) = read_plume(&path, &Config::default(), &job()) {
            prop_assert!(skeleton.nodes.iter().all(|n| n.position.is_finite()));
            prop_assert!(skeleton.nodes.len() >= 2 && skeleton.edges.len() + 1 >= skeleton.nodes.len());
        }
    }
}

#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {
    fn note(&self, line: &str) {
        self.0.lock().unwrap().push(line.to_owned());
    }
}

#[test]
fn real_plume_graphs_become_caves() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = std::env::var_os("PLUME_SHARED").map_or(beside, PathBuf::from);
    let folder = shared.join("data/plume_graphs");
    if !folder.is_dir() {
        eprintln!(
            "skipped real_plume_graphs_become_caves: no {}",
            folder.display()
        );
        return;
    }
    for (name, nodes) in [("single_50.json", 50), ("single_250.json", 250)] {
        let notes = Notes::default();
        let job = Job::new(&notes, Stage::Skeleton);
        let config = Config::default();
        let skeleton = import(&folder.join(name), &config, &job).unwrap();
        assert_eq!(skeleton.nodes.len(), nodes);
        assert_frame(&config, &skeleton);
        assert_connected(&skeleton);
        assert!(notes.0.lock().unwrap()[0].contains("passages meet at the entrance"));
        assert_eq!(read(&write_json(&skeleton)).unwrap(), skeleton);
    }
}

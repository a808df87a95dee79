//! Graphs from files.

use crate::promises::{assert_connected, assert_frame};
use crate::{config, grown, job, small};
use plume::config::{Config, SkeletonConfig};
use plume::progress::{Job, Observer, Stage};
use plume::skeleton::{Error, Fault, NodeKind, Skeleton, import, read_plume, write_json};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

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
    // A passage more, from the entrance's neighbour to a node that it was not joined with.
    let adjacent = skeleton.adjacency();
    let far = (2..skeleton.nodes.len())
        .find(|n| !adjacent[1].contains(n))
        .unwrap();
    skeleton.edges.push(plume::skeleton::Edge::new(1, far));
    skeleton.edges.sort_unstable();
    let joined = read(&write_json(&skeleton)).unwrap();
    assert_eq!(joined.edges, skeleton.edges);
    assert_eq!(joined.adjacency()[1].len(), adjacent[1].len() + 1);
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
    assert_eq!(
        number(&small_with(
            "\"radius\": 5.5",
            "\"radius\": 5.5, \"level\": 16"
        )),
        (2, "level", "16".into())
    );
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
    let picture = folder.path().join("cave.png");
    std::fs::write(&picture, "1 2 3\n").unwrap();
    is(open(&picture), &Fault::UnknownKind);
    let table = folder.path().join("cave_nodes.dat");
    std::fs::write(&table, "1 2 3\n").unwrap();
    let missing = folder.path().join("cave_links.dat");
    is(open(&table), &Fault::NoPartner { missing });
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

/// What the reader said.
#[derive(Default)]
pub struct Notes(Mutex<Vec<String>>);

impl Notes {
    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

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

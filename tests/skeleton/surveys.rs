//! Surveys and hand-made graphs: what each format means, and what is said about wrong ones.

use crate::files::Notes;
use crate::promises::{assert_connected, assert_frame};
use crate::{grown, job};
use glam::DVec3;
use plume::config::{Algorithm, Config};
use plume::progress::{Cancelled, Job, Stage};
use plume::skeleton::{Error, NodeKind, Skeleton, import, read_survex, read_tables, read_yaml};
use std::path::{Path, PathBuf};

pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/skeleton")
        .join(name)
}

pub fn svx(text: &str) -> Result<Skeleton, Error> {
    read_survex(Path::new("c.svx"), text, &Config::default(), &job())
}

pub fn yaml(text: &str) -> Result<Skeleton, Error> {
    read_yaml(Path::new("c.yaml"), text, &Config::default(), &job())
}

pub fn tables(nodes: &str, links: &str) -> Result<Skeleton, Error> {
    let labels = [Path::new("c_nodes.dat"), Path::new("c_links.dat")];
    read_tables(labels, [nodes, links], &Config::default(), &job())
}

/// The node that the file calls so.
pub fn at(cave: &Skeleton, station: &str) -> usize {
    let names = cave.extra["stations"].as_object().unwrap();
    let id = names.iter().find(|(_, name)| *name == station).unwrap().0;
    let node = |n: &plume::skeleton::Node| n.id.to_string() == *id;
    cave.nodes.iter().position(node).unwrap()
}

pub fn assert_at(cave: &Skeleton, station: &str, place: [f64; 3]) {
    let found = cave.nodes[at(cave, station)].position;
    assert!(
        found.distance(DVec3::from(place)) < 1e-6,
        "{station}: {found}, not {place:?}"
    );
}

/// Each of these is refused with exactly this message.
pub fn assert_refused(read: impl Fn(&str) -> Result<Skeleton, Error>, cases: &[(&str, &str)]) {
    for (text, message) in cases {
        match read(text) {
            Err(error) => assert_eq!(error.to_string(), *message, "for {text:?}"),
            Ok(_) => panic!("read without fault: {text:?}"),
        }
    }
}

#[test]
fn tables_are_found_by_either_name() {
    let config = Config::default();
    for name in ["small_nodes.dat", "small_links.dat"] {
        let notes = Notes::default();
        let job = Job::new(&notes, Stage::Skeleton);
        let cave = import(&data(name), &config, &job).unwrap();
        assert_frame(&config, &cave);
        assert_connected(&cave);
        assert_eq!(
            (cave.nodes.len(), cave.edges.len()),
            (5, 5),
            "one link is given twice"
        );
        assert_eq!(
            cave.nodes[0].id, 1,
            "the highest dead end; numbers are those of the table"
        );
        let branch = cave.nodes.iter().position(|n| n.id == 4).unwrap();
        let back = cave.nodes[branch].position - cave.nodes[0].position;
        assert!((back.length() - DVec3::new(20.0, 10.0, -2.0).length()).abs() < 1e-9);
        assert_eq!(
            notes.lines()[0],
            "skeleton: the survey has 2 separate pieces (of 5, 2 nodes); the largest is kept, 2 \
             nodes are left out"
        );
    }
}

#[test]
fn joined_nodes_in_one_place_are_one() {
    let cave = tables("0 0 0\n5 0 0\n5 0 0.0005\n9 0 0\n", "1 2\n2 3\n3 4\n").unwrap();
    let ids: Vec<i64> = cave.nodes.iter().map(|n| n.id).collect();
    assert_eq!((ids, cave.edges.len()), (vec![1, 2, 4], 2));
    // Not joined, they are two passages that pass through one place.
    let cave = tables("0 0 0\n5 0 0\n9 0 1\n5 0 0\n", "1 2\n3 4\n1 3\n").unwrap();
    assert_eq!(cave.nodes.len(), 4);
}

#[test]
fn wrong_tables_are_named_with_their_place() {
    let nodes = |text: &str| tables(text, "1 2");
    let links = |text: &str| tables("0 0 0\n1e1 0 0\n", text);
    let of = "the position of a node, `x y z`";
    let metres = "a finite number of metres, at most 1e8 from 0";
    for (text, message) in [
        (
            "0 0",
            format!("line 1, column 1: found 2 columns; expected {of}"),
        ),
        (
            "0 0 0\n\n1 2 3 4",
            format!("line 3, column 7: found 4 columns; expected {of}"),
        ),
        (
            "0 0 0\n1,,3",
            format!("line 2, column 3: found nothing; expected y of a node, {metres}"),
        ),
        (
            "x y z",
            format!("line 1, column 1: found `x`; expected x of a node, {metres}"),
        ),
        (
            "0 0 NaN",
            format!("line 1, column 5: found `NaN`; expected z of a node, {metres}"),
        ),
        (
            "0 1e9 0",
            format!("line 1, column 3: found `1e9`; expected y of a node, {metres}"),
        ),
    ] {
        assert_refused(
            nodes,
            &[(text, &format!("graph file c_nodes.dat: {message}"))],
        );
    }
    for (text, message) in [
        (
            "1",
            "line 1, column 1: found 1 column; expected a link, two node numbers",
        ),
        (
            "# none\n1 2 3",
            "line 2, column 5: found 3 columns; expected a link, two node numbers",
        ),
        (
            "1 3",
            "line 1, column 3: found `3`; expected a node, a whole number from 1 to 2",
        ),
        (
            "0 1",
            "line 1, column 1: found `0`; expected a node, a whole number from 1 to 2",
        ),
        (
            "1 1.5",
            "line 1, column 3: found `1.5`; expected a node, a whole number from 1 to 2",
        ),
        (
            "2 2",
            "line 1, column 3: found `2`; expected another node than the one it starts at",
        ),
    ] {
        assert_refused(
            links,
            &[(text, &format!("graph file c_links.dat: {message}"))],
        );
    }
    assert_refused(
        |text| tables(text, ""),
        &[
            (
                "# none",
                "graph file c_nodes.dat: has no nodes; a cave needs at least 2",
            ),
            (
                "0 0 0\n1 1 1",
                "graph file c_nodes.dat: has no edge with a length; a cave needs at least 2 nodes, joined by an edge",
            ),
        ],
    );
    let many = "0 0 0\n".repeat(100_001);
    let said = tables(&many, "").unwrap_err().to_string();
    assert_eq!(
        said,
        "graph file c_nodes.dat: has more than 100000 nodes; at most 100000 are allowed"
    );
}

#[test]
fn a_hand_made_graph_is_taken_as_written() {
    let config = Config::default();
    let cave = import(&data("hand.yaml"), &config, &job()).unwrap();
    assert_frame(&config, &cave);
    assert_eq!((cave.nodes.len(), cave.edges.len()), (4, 4));
    let node = |id: i64| cave.nodes.iter().find(|n| n.id == id).unwrap();
    assert_eq!(
        (node(3).kind, node(3).passage_m, node(3).radius_m),
        (NodeKind::Room, 4.5, 14.0)
    );
    assert_eq!((node(2).kind, node(2).passage_m), (NodeKind::Junction, 2.0));
    assert_eq!((node(7).level, node(1).kind), (1, NodeKind::Entrance));
    assert!((node(7).position - node(3).position).length() - 18.0 < 0.01);
}

#[test]
fn wrong_yaml_is_named_with_its_place() {
    let two = "nodes:\n- {id: 1, position: [0, 0, 0]}\n- {id: 2, position: [9, 0, 0]}\n";
    let broken = |old: &str, new: &str| {
        let whole = format!("{two}edges:\n- [1, 2]\n");
        assert!(whole.contains(old), "{old}");
        yaml(&whole.replacen(old, new, 1)).unwrap_err().to_string()
    };
    let line = |line: u32, column: u32, rest: &str| {
        format!("graph file c.yaml: line {line}, column {column}: found {rest}")
    };
    assert_eq!(
        broken("[1, 2]", "[1, 5]"),
        line(5, 3, "`5`; expected the id of a node under `nodes`")
    );
    assert_eq!(
        broken("[1, 2]", "[2, 2]"),
        line(5, 3, "[2, 2]; expected two different nodes")
    );
    assert_eq!(
        broken("id: 2", "id: 1"),
        line(3, 8, "`1`; expected an id that no other node has")
    );
    assert_eq!(
        broken("[9, 0, 0]", "[.nan, 0, 0]"),
        line(
            3,
            21,
            "`NaN`; expected finite numbers of metres, at most 1e8 from 0"
        )
    );
    assert_eq!(
        broken("[9, 0, 0]", "[9, 0, 0], passage_m: 0"),
        line(
            3,
            43,
            "`0`; expected a finite number of metres over 0, at most 1e5"
        )
    );
    assert_eq!(
        broken("[9, 0, 0]", "[9, 0, 0], level: 16"),
        line(3, 39, "`16`; expected a level from 0 to 15")
    );
    for (old, new, place) in [
        ("[9, 0, 0]", "[9, 0]", "line 3, column "),
        ("[9, 0, 0]", "[9, 0, 0], width: 3", "line 3, column "),
        ("[9, 0, 0]", "[9, 0, 0", "line 3, column "),
        ("id: 2", "id: two", "line 3, column 8"),
        ("edges:", "links:", "line 4, column 1"),
    ] {
        let said = broken(old, new);
        assert!(
            said.starts_with(&format!("graph file c.yaml: {place}")),
            "{said}"
        );
        assert!(
            said.ends_with(
                "expected `nodes` with `id` and `position`, and `edges` of two ids each"
            ),
            "{said}"
        );
    }
    assert_refused(
        yaml,
        &[
            (
                "nodes: []\nedges: []",
                "graph file c.yaml: has no nodes; a cave needs at least 2",
            ),
            (
                "nodes: [{id: 1, position: [0, 0, 0]}]\nedges: []",
                "graph file c.yaml: has no edge with a length; a cave needs at least 2 nodes, joined by an edge",
            ),
            (
                "entrance: 4\nnodes: [{id: 1, position: [0, 0, 0]}]\nedges: []",
                "graph file c.yaml: line 1, column 11: found `4`; expected the id of a node under `nodes`",
            ),
        ],
    );
}

#[test]
fn the_generator_reads_a_name_or_a_path() {
    let mut config = Config::default();
    config.skeleton.algorithm = Algorithm::Survey;
    config.passage.max_m = 3.0;
    let sakany = grown(&config);
    assert_eq!((sakany.nodes.len(), sakany.edges.len()), (1716, 1784));
    assert!(
        (sakany.length_m() - 7474.8).abs() < 0.1,
        "{}",
        sakany.length_m()
    );
    assert_eq!(
        sakany.nodes[sakany.entrance].id, 178,
        "the highest dead end"
    );
    config.generators.survey.entrance = "937".to_owned();
    let low = grown(&config);
    assert_eq!(low.nodes[low.entrance].id, 937);
    assert_frame(&config, &low);

    let path = |name: &str| data(name).to_str().unwrap().to_owned();
    let keys = &mut config.generators.survey;
    (keys.file, keys.entrance) = (path("small.svx"), "small.lower.3".to_owned());
    let cave = grown(&config);
    assert_eq!(at(&cave, "small.lower.3"), cave.entrance);
    assert_frame(&config, &cave);
    config.generators.survey.file = path("plume_small.json");
    config.generators.survey.entrance = "4".to_owned();
    let cave = grown(&config);
    assert_eq!(cave.nodes[cave.entrance].id, 4);
    assert_frame(&config, &cave);

    let refused = |file: &str, entrance: &str| {
        let mut config = config.clone();
        config.generators.survey.file = file.to_owned();
        config.generators.survey.entrance = entrance.to_owned();
        plume::skeleton::grow(&config, &job())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused("nowhere.svx", ""),
        "`generators.survey.file` is nowhere.svx; allowed is the path of a graph file, or one of: sakany"
    );
    // Node 7 is in the piece that is left out.
    for (file, entrance) in [
        ("small_nodes.dat", "7"),
        ("small.svx", "x"),
        ("plume_small.json", "x"),
    ] {
        assert_eq!(
            refused(&path(file), entrance),
            format!(
                "`generators.survey.entrance` is {entrance}; allowed is the id or the name of a \
                 station in the largest piece of the survey"
            )
        );
    }
    assert!(refused("/dev/zero.svx", "").contains("generators.survey.file"));
    assert!(refused("/dev", "").contains("is not a regular file"));
}

#[test]
fn reading_stops_on_request() {
    let job = Job::new(&crate::Stopped, Stage::Skeleton);
    for name in ["small.svx", "hand.yaml", "small_nodes.dat"] {
        let stopped = import(&data(name), &Config::default(), &job);
        assert!(
            matches!(stopped, Err(Error::Cancelled(Cancelled))),
            "{name}"
        );
    }
}

#[test]
fn endless_lines_end_in_errors() {
    // Quadratic work on such a line would not come back.
    let long = "1 ".repeat(2_000_000);
    let said = svx(&long).unwrap_err().to_string();
    assert!(
        said.contains("expected a line of less than 10000 fields"),
        "{said}"
    );
    let said = tables(&long, "").unwrap_err().to_string();
    assert!(said.contains("found 10000 columns"), "{said}");
    let word = "x".repeat(4_000_000);
    assert!(svx(&format!("{word} b 1 0 0")).is_err());
    assert!(yaml(&format!("nodes: [{}", "[".repeat(1_000_000))).is_err());
}

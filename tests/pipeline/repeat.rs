//! The same input gives the same model.

use crate::{config, files, make, manifest, names, request, small_graph};
use plume::config::Config;
use plume::model::verify;
use plume::pipeline::{Request, Until};
use std::collections::BTreeSet;
use std::fs;

#[test]
fn any_number_of_threads_gives_the_same_model() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = None;
    for threads in [Some(1), Some(2), Some(3), None] {
        let out = folder.path().join(format!("{threads:?}"));
        let made = make(&Request {
            threads,
            ..request(&out)
        });
        let manifest = manifest(&made.unwrap().summary.model_path);
        assert_eq!(
            &manifest,
            first.get_or_insert_with(|| manifest.clone()),
            "{threads:?}"
        );
    }
}

#[test]
fn equal_manifests_are_equal_files() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b"].map(|place| {
        make(&request(&folder.path().join(place))).unwrap();
        files(&folder.path().join(place).join("cave"))
    });
    let differing: Vec<_> = a
        .keys()
        .filter(|path| a.get(*path) != b.get(*path))
        .collect();
    // Times may happen to be equal.
    assert!(
        differing.iter().all(|path| *path == "plume/times.json"),
        "{differing:?}"
    );
    assert_eq!(a.len(), b.len());
}

#[test]
fn a_model_made_again_from_its_own_files_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let original = make(&request(&folder.path().join("original"))).unwrap();
    let model = original.summary.model_path;
    let config = Config::load(&model.join("plume/config.yaml")).unwrap();
    for graph in [None, Some(model.join("plume/skeleton.json"))] {
        let out = folder.path().join(format!("again_{}", graph.is_some()));
        let again = make(&Request {
            config: config.clone(),
            graph,
            ..request(&out)
        });
        let again = again.unwrap().summary.model_path;
        assert_eq!(manifest(&again), manifest(&model));
    }
}

#[test]
fn an_imported_graph_made_again_from_its_own_files_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let original = make(&Request {
        graph: Some(small_graph()),
        ..request(&folder.path().join("original"))
    });
    let model = original.unwrap().summary.model_path;
    assert_eq!(verify(&model).unwrap().problems, [""; 0]);
    let again = make(&Request {
        config: Config::load(&model.join("plume/config.yaml")).unwrap(),
        graph: Some(model.join("plume/skeleton.json")),
        ..request(&folder.path().join("again"))
    });
    assert_eq!(
        manifest(&again.unwrap().summary.model_path),
        manifest(&model)
    );
}

#[test]
fn an_edited_graph_makes_the_edited_cave() {
    let folder = tempfile::tempdir().unwrap();
    let surface = |graph, place: &str| {
        let made = make(&Request {
            graph,
            until: Until::Surface,
            ..request(&folder.path().join(place))
        });
        made.unwrap()
    };
    let before = surface(None, "before");
    let path = before.summary.model_path.join("plume/skeleton.json");
    let mut graph: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    // Node 9 moves up by 1.5 m, and a new dead end grows 9 m beyond it.
    let nine = graph["nodes"]["9"].clone();
    let at = |axis: &str| nine["coordinates"][axis].as_f64().unwrap();
    let parent = &before.skeleton.nodes[before.skeleton.nodes[9].parent.unwrap()];
    let way = (before.skeleton.nodes[9].position - parent.position).truncate();
    let beyond = way.normalize() * 9.0;
    graph["nodes"]["9"]["coordinates"]["z"] = (at("z") + 1.5).into();
    let mut edges = nine["edges"].as_array().unwrap().clone();
    edges.push(10.into());
    graph["nodes"]["9"]["edges"] = edges.into();
    graph["nodes"]["10"] = serde_json::json!({
        "id": 10, "parent": 9, "edges": [9], "radius": 6.0, "active": true,
        "coordinates": {"x": at("x") + beyond.x, "y": at("y") + beyond.y, "z": at("z") + 1.5},
    });
    let edited = folder.path().join("edited.json");
    fs::write(&edited, graph.to_string()).unwrap();

    let after = surface(Some(edited), "after");
    let (old, new) = (&before.skeleton, &after.skeleton);
    assert_eq!((old.nodes.len(), new.nodes.len()), (10, 11));
    assert_eq!(new.edges.len(), old.edges.len() + 1);
    assert_eq!(
        new.nodes[..9]
            .iter()
            .map(|n| n.position)
            .collect::<Vec<_>>(),
        old.nodes[..9]
            .iter()
            .map(|n| n.position)
            .collect::<Vec<_>>()
    );
    assert_eq!(new.nodes[9].position.z, old.nodes[9].position.z + 1.5);
    let more_m2 = after.summary.area_m2 - before.summary.area_m2;
    assert!(
        more_m2 > 9.0 * 2.0,
        "9 m of passage more, {more_m2} m2 of rock more"
    );
}

#[test]
fn another_seed_is_another_cave() {
    let folder = tempfile::tempdir().unwrap();
    let graphs: BTreeSet<Vec<u8>> = (0..4)
        .map(|seed| {
            let made = make(&Request {
                config: config(seed),
                until: Until::Skeleton,
                ..request(&folder.path().join(seed.to_string()))
            });
            let model = made.unwrap().summary.model_path;
            fs::read(model.join("plume/skeleton.json")).unwrap()
        })
        .collect();
    assert_eq!(graphs.len(), 4);
    let meshes: BTreeSet<Vec<String>> = (0..2)
        .map(|seed| {
            let made = make(&Request {
                config: config(seed),
                graph: Some(small_graph()),
                ..request(&folder.path().join(format!("graph_{seed}")))
            });
            names(&made.unwrap().summary.model_path.join("meshes/visual"))
        })
        .collect();
    assert_eq!(meshes.len(), 2, "the rock differs on the same graph");
}

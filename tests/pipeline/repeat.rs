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

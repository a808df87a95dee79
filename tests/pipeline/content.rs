//! What is in a model: files that refer to each other, layers, floor and route.

use crate::{files, make, request, small_graph};
use plume::model::{Manifest, verify};
use plume::pipeline::{Cave, Request};
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton;
use plume::terrain::LayerSet;
use plume::traverse::{Floor, Route};
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A model and its run.
fn made(out: &Path) -> Cave {
    make(&request(out)).unwrap()
}

/// The text of every element of an XML file, with the path of names that leads to it; a link is
/// named by its `name`.
fn elements(path: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).unwrap();
    let mut reader = Reader::from_str(&text);
    let (mut open, mut found) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                let mut name = start.name().as_ref().to_owned();
                if name == "link" {
                    let attribute = start.try_get_attribute("name").unwrap().unwrap();
                    name = attribute.value.into_owned();
                }
                open.push(name);
            }
            Event::Text(text) => found.push((open.join("/"), text.trim().to_owned())),
            Event::End(_) => drop(open.pop()),
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn sdf_files_and_model_config_refer_to_files_that_exist_and_to_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let cave = made(folder.path());
    let model = &cave.summary.model_path;
    let drawn: BTreeSet<String> = files(model)
        .into_keys()
        .filter(|path| path.starts_with("meshes/") || path.starts_with("materials/"))
        // The SDF shows one level of detail.
        .filter(|path| !path.contains("_lod"))
        .collect();
    for sdf in [model.join("model.sdf"), cave.summary.world_path.clone()] {
        let referred: BTreeSet<String> = elements(&sdf)
            .into_iter()
            .filter(|(path, _)| path.ends_with("/uri") || path.ends_with("_map"))
            .map(|(_, file)| file)
            .collect();
        assert_eq!(referred, drawn, "{}", sdf.display());
    }
    let config = elements(&model.join("model.config"));
    assert!(config.contains(&("model/sdf".into(), "model.sdf".into())));
    assert!(config.contains(&("model/name".into(), "cave".into())));
}

#[test]
fn the_manifest_lists_every_file_with_the_figures_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let cave = made(folder.path());
    let model = &cave.summary.model_path;
    let manifest = Manifest::read(model).unwrap();
    let listed: BTreeSet<String> = manifest.files.into_iter().map(|f| f.path).collect();
    let mut there: BTreeSet<String> = files(model).into_keys().collect();
    for unlisted in ["plume/manifest.json", "plume/times.json"] {
        assert!(there.remove(unlisted), "{unlisted}");
    }
    assert_eq!(listed, there);
    assert_eq!((manifest.seed, manifest.name.as_str()), (7, "cave"));
    let figure = |key: &str| manifest.figures[key].as_u64().unwrap() as usize;
    assert_eq!(figure("nodes"), 10);
    assert_eq!(figure("edges"), cave.skeleton.edges.len());
    assert_eq!(
        figure("collision_triangles"),
        cave.summary.collision_triangles
    );
    assert_eq!(figure("visual_triangles"), cave.summary.visual_triangles);
}

#[test]
fn a_changed_byte_of_any_kind_of_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let model = made(folder.path()).summary.model_path;
    let report = verify(&model).unwrap();
    assert_eq!(report.problems, [""; 0]);
    let mut kinds = BTreeMap::new();
    for (path, bytes) in files(&model) {
        let kind = path.rsplit('.').next().unwrap().to_owned();
        if !["plume/times.json", "plume/manifest.json"].contains(&path.as_str()) {
            kinds.insert(kind, (path, bytes));
        }
    }
    for kind in [
        "glb", "stl", "png", "sdf", "json", "yaml", "bin", "pgm", "config",
    ] {
        let (path, good) = &kinds[kind];
        let mut bad = good.clone();
        *bad.last_mut().unwrap() ^= 1;
        fs::write(model.join(path), bad).unwrap();
        let problems = verify(&model).unwrap().problems;
        assert!(problems.iter().any(|p| p.contains(path)), "{problems:?}");
        fs::write(model.join(path), good).unwrap();
    }
    assert_eq!(verify(&model).unwrap(), report);
}

#[test]
fn every_layer_is_a_link_with_its_friction() {
    let folder = tempfile::tempdir().unwrap();
    let cave = made(folder.path());
    let model = &cave.summary.model_path;
    let sdf = elements(&model.join("model.sdf"));
    let layers = LayerSet::load(&request(folder.path()).config.terrain.layers).unwrap();
    assert_eq!(cave.layers, layers);
    let ids: BTreeSet<u8> = layers.layers.iter().map(|l| l.semantic_id).collect();
    assert_eq!(ids.len(), layers.layers.len(), "semantic ids are unique");
    let mut with_collisions = 0;
    for layer in &layers.layers {
        let link = format!("sdf/model/layer_{}/collision", layer.name);
        let of_link: Vec<_> = sdf
            .iter()
            .filter(|(path, _)| path.starts_with(&link))
            .collect();
        let values = |end: &str| -> Vec<&str> {
            let at_end = of_link.iter().filter(|(path, _)| path.ends_with(end));
            at_end.map(|(_, value)| value.as_str()).collect()
        };
        for mesh in values("/mesh/uri") {
            assert!(mesh.contains(&format!("_{}_", layer.name)), "{mesh}");
            with_collisions += 1;
        }
        for mu in values("/ode/mu") {
            assert_eq!(mu.parse::<f32>().unwrap(), layer.mu, "{}", layer.name);
        }
        assert_eq!(values("/ode/mu").len(), values("/mesh/uri").len());
    }
    let meshes = files(&model.join("meshes/collision")).len();
    assert_eq!(with_collisions, meshes);
    let areas: f64 = cave.summary.layers.iter().map(|l| l.area_m2).sum();
    assert!((areas / cave.summary.area_m2 - 1.0).abs() < 1e-3, "{areas}");
    assert!(
        cave.summary
            .layers
            .iter()
            .filter(|l| l.area_m2 > 0.0)
            .count()
            > 1
    );
}

/// Every pose is over a walkable cell, at its height, and the next pose is near.
fn on_floor(floor: &Floor, route: &Route) {
    let close = 1.5 * floor.cell_m();
    let cells: Vec<_> = floor.cells().filter(|c| c.walkable).collect();
    for pose in &route.poses {
        let [x, y, z] = pose.position;
        let under = cells.iter().find(|c| {
            let [cx, cy, cz] = c.position;
            (cx - x).hypot(cy - y) < close && (cz - z).abs() < 0.15
        });
        assert!(under.is_some(), "{pose:?}");
    }
    for pair in route.poses.windows(2) {
        let [a, b] = [0, 1].map(|i| glam::DVec3::from_array(pair[i].position));
        let step = b - a;
        assert!(step.length() < 1.0, "{pair:?}");
        let off = (pair[0].yaw - step.y.atan2(step.x)).sin_cos();
        assert!(off.1 > 0.7, "the robot looks elsewhere: {pair:?}");
    }
}

#[test]
fn the_route_leads_over_the_floor_from_the_entrance() {
    let folder = tempfile::tempdir().unwrap();
    let cave = made(folder.path());
    let model = &cave.summary.model_path;
    let job = Job::new(&Unobserved, Stage::Floor);
    let floor = Floor::load(&model.join("plume/floor.bin"), &job).unwrap();
    let route = cave.route.unwrap();
    on_floor(&floor, &route);
    let start = glam::DVec3::from_array(route.poses[0].position);
    assert!(start.length() < 0.5, "{start}");
    // A dozen nodes in passages without a barrier: most of the way can be driven.
    assert!(route.stats.distance_m > 0.3 * cave.summary.length_m);
    let share: f64 = route.stats.layers.iter().map(|(_, share)| share).sum();
    assert!((share - 1.0).abs() < 1e-6, "{share}");
    let text = fs::read_to_string(model.join("plume/routes.json")).unwrap();
    let saved: serde_json::Value = serde_json::from_str(&text).unwrap();
    let saved: Route = serde_json::from_value(saved["routes"][0].clone()).unwrap();
    assert_eq!(saved, route);
    assert_eq!(cave.maps.len() as u32, cave.summary.levels);
    for level in 0..cave.maps.len() {
        for ending in ["pgm", "yaml"] {
            assert!(model.join(format!("maps/level_{level}.{ending}")).is_file());
        }
    }
}

#[test]
fn an_imported_graph_keeps_its_nodes_and_where_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let cave = make(&Request {
        graph: Some(small_graph()),
        ..request(folder.path())
    });
    let cave = cave.unwrap();
    let model = &cave.summary.model_path;
    let job = Job::new(&Unobserved, Stage::Skeleton);
    let path = model.join("plume/skeleton.json");
    let read = skeleton::import(&path, &request(folder.path()).config, &job).unwrap();
    assert_eq!(read, cave.skeleton);
    assert_eq!((read.nodes.len(), read.edges.len()), (5, 5));
    let extra = Manifest::read(model).unwrap().extra;
    let translation = serde_json::json!(read.world_from_graph.translation.to_array());
    assert_eq!(extra["world_from_graph"]["translation"], translation);
}

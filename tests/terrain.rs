//! Terrain layers on a small cave.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use plume::config::Config;
use plume::field::CaveField;
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton;
use plume::surface::{Surface, extract, topology};
use plume::terrain::{CollisionMesh, LayerError, LayerSet, TerrainMap, classify, collide};
use std::collections::BTreeMap;

struct Made {
    surface: Surface,
    layers: LayerSet,
    map: TerrainMap,
    collision: Vec<CollisionMesh>,
}

fn make(seed: u64) -> Made {
    let mut config = Config {
        seed,
        ..Config::default()
    };
    config.skeleton.nodes = 12;
    config.surface.voxel_m = plume::config::Auto::Value(0.25);
    config.surface.chunk_m = plume::config::Auto::Value(15.0);
    let job = Job::new(&Unobserved, Stage::Terrain);
    let cave = skeleton::grow(&config, &job).unwrap();
    let field = CaveField::carve(&cave, &config);
    let surface = extract(&field, 1, &config, &job).unwrap();
    let layers = LayerSet::load("earth_cave").unwrap();
    let map = classify(&surface, &field, &layers, &config, &job).unwrap();
    let collision = collide(&surface, &map, 0.03, &job).unwrap();
    Made {
        surface,
        layers,
        map,
        collision,
    }
}

#[test]
fn collision_is_closed_over_chunks_and_layers_and_near_the_shell() {
    let made = make(3);
    let mut ids = BTreeMap::new();
    let mut triangles = Vec::new();
    for part in &made.collision {
        assert!(!part.triangles.is_empty());
        assert_eq!(part.normals.len(), part.positions.len());
        for t in &part.triangles {
            triangles.push(t.map(|i| {
                let n = ids.len() as u32;
                *ids.entry(part.positions[i as usize].map(f32::to_bits))
                    .or_insert(n)
            }));
        }
    }
    assert_eq!(topology::border(&triangles), Some(vec![]));
    let shell: usize = made
        .surface
        .chunks
        .iter()
        .map(|c| c.shell.triangles.len())
        .sum();
    assert!(
        triangles.len() * 2 < shell,
        "{} of {shell}",
        triangles.len()
    );
}

#[test]
fn layers_come_in_patches_where_their_slope_allows() {
    let made = make(4);
    let layers = &made.layers.layers;
    let (mut same, mut pairs, mut steep) = (0, 0, 0);
    for part in &made.collision {
        let layer = &layers[usize::from(part.layer)];
        for t in &part.triangles {
            let n = topology::cross(&part.positions, *t);
            let length = n.iter().map(|c| c * c).sum::<f64>().sqrt();
            let slope = (n[2] / length).acos().to_degrees();
            // A cell's slope is an average: single triangles may be steeper.
            if slope > f64::from(layer.slope_deg[1]) + 40.0 {
                steep += 1;
            }
        }
        for p in &part.positions {
            for step in [[0.4, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.4]] {
                let q = std::array::from_fn(|k| p[k] + step[k]);
                if let (Some(a), Some(b)) = (made.map.layer_at(*p), made.map.layer_at(q)) {
                    pairs += 1;
                    same += usize::from(a == b);
                }
            }
        }
    }
    assert!(
        same * 10 > pairs * 8,
        "pepper and salt: {same} of {pairs} neighbours are alike"
    );
    let all: usize = made.collision.iter().map(|c| c.triangles.len()).sum();
    assert!(
        steep * 100 < all,
        "{steep} of {all} triangles are far too steep for their layer"
    );
}

#[test]
fn every_layer_of_the_set_is_met() {
    for seed in 1..=4 {
        let made = make(seed);
        assert!(
            made.map.area_m2.iter().all(|&a| a > 0.0),
            "seed {seed}: {:?}",
            made.map.area_m2
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_layers() {
    let (a, b, c) = (make(5), make(5), make(6));
    assert_eq!(a.collision, b.collision);
    assert_ne!(a.map.area_m2, c.map.area_m2);
}

#[test]
fn windows_agree_with_the_map() {
    let made = make(7);
    let chunk = &made.surface.chunks[0];
    let p = chunk.shell.positions[0];
    let window = made.map.window(p, p);
    let at = |k: usize| ((p[k] - window.origin[k]) / window.cell_m).round() as usize;
    let i = at(0) + window.size[0] * (at(1) + window.size[1] * at(2));
    assert_eq!(Some(window.cells[i]), made.map.layer_at(p));
}

#[test]
fn bad_sets_are_refused_with_layer_key_and_range() {
    let unknown = LayerSet::load("no_such_set").unwrap_err().to_string();
    assert!(
        unknown.contains("no_such_set") && unknown.contains("earth_cave"),
        "{unknown}"
    );
    let endless = LayerSet::load("/dev/zero").unwrap_err().to_string();
    assert!(endless.contains("regular file"), "{endless}");
    let text = include_str!("../config/layers/earth_cave.yaml").replacen("mu: 0.8", "mu: -1", 1);
    let error = LayerSet::parse(&text, "mine.yaml").unwrap_err();
    assert!(matches!(error, LayerError::Range { .. }));
    let error = error.to_string();
    assert!(
        error.contains("mine.yaml") && error.contains("dry_rock.mu: -1"),
        "{error}"
    );
}

//! Portals and skylights: flat holes in an otherwise closed wall.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use plume::config::{Config, Entrance, resolve};
use plume::field::{CaveField, Opening, OpeningKind, check_openings};
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton::{Skeleton, grow};
use plume::surface::{Surface, extract, topology};
use std::collections::BTreeMap;

fn config(preset: &str, entrance: Entrance, seed: u64) -> Config {
    let sets = ["skeleton.nodes=14", "surface.chunk_m=14"].map(str::to_owned);
    let mut config = resolve(Some(preset), None, None, &sets).unwrap();
    config.openings.entrance = entrance;
    config.seed = seed;
    config
}

fn make(config: &Config) -> (Skeleton, CaveField, Surface) {
    let job = Job::new(&Unobserved, Stage::Surface);
    let cave = grow(config, &job).unwrap();
    check_openings(&cave, config).unwrap();
    let field = CaveField::carve(&cave, config);
    let surface = extract(&field, 1, config, &job).unwrap();
    (cave, field, surface)
}

/// Welded vertices and triangles of the visual meshes.
fn weld(surface: &Surface) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let mut ids = BTreeMap::new();
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for chunk in &surface.chunks {
        for t in &chunk.visual.triangles {
            triangles.push(t.map(|i| {
                let p = chunk.visual.positions[i as usize];
                *ids.entry(p.map(f32::to_bits)).or_insert_with(|| {
                    positions.push(p);
                    positions.len() as u32 - 1
                })
            }));
        }
    }
    (positions, triangles)
}

/// Closed rings of border edges; each vertex of a border has one edge in and one out.
fn rings(border: &[[u32; 2]]) -> Vec<Vec<u32>> {
    let mut next: BTreeMap<u32, u32> = border.iter().map(|e| (e[0], e[1])).collect();
    assert_eq!(next.len(), border.len(), "two rings touch");
    let mut rings = Vec::new();
    while let Some((&start, _)) = next.iter().next() {
        let mut ring = Vec::new();
        let mut at = start;
        while let Some(to) = next.remove(&at) {
            ring.push(at);
            at = to;
        }
        assert_eq!(at, start, "a ring does not close");
        rings.push(ring);
    }
    rings
}

/// Every hole is a declared opening, a single ring in its plane, and there is no other.
fn assert_holes(surface: &Surface, openings: &[Opening], loops: i64) {
    let (positions, triangles) = weld(surface);
    let border = topology::border(&triangles).unwrap();
    let rings = rings(&border);
    assert_eq!(rings.len(), openings.len());
    for opening in openings {
        let inside = |ring: &&Vec<u32>| ring.iter().all(|&v| opening.holds(positions[v as usize]));
        assert_eq!(rings.iter().filter(inside).count(), 1, "{opening:?}");
    }
    let edges = (3 * triangles.len() as i64 + border.len() as i64) / 2;
    let euler = positions.len() as i64 - edges + triangles.len() as i64;
    // A disc in each hole makes the surface closed.
    assert_eq!(euler + rings.len() as i64, 2 - 2 * loops);
}

/// Loops of the graph, and columns.
fn handles(cave: &Skeleton, field: &CaveField) -> i64 {
    cave.edges.len() as i64 + 1 - cave.nodes.len() as i64 + field.objects().handles() as i64
}

#[test]
fn a_portal_is_one_flat_hole_behind_the_entrance() {
    for seed in 0..2 {
        for preset in ["leo_cave", "drift_mine", "lava_tube", "l_system_cave"] {
            let mut config = config(preset, Entrance::Portal, seed);
            config.openings.skylights = false;
            let (cave, field, surface) = make(&config);
            let [portal] = field.openings() else {
                panic!("{:?}", field.openings())
            };
            assert_eq!(portal.kind, OpeningKind::Portal);
            assert_eq!(portal.normal, [-1.0, 0.0, 0.0]);
            assert!(portal.centre[0] < -2.5, "room for a robot: {portal:?}");
            assert_holes(&surface, field.openings(), handles(&cave, &field));
            // A robot can leave along the floor: the way out is free up to the plane.
            let steps = 40;
            for i in 0..=steps {
                let x = portal.centre[0] * f64::from(i) / f64::from(steps);
                for (y, z) in [(0.0, 0.4), (0.3, 0.4), (-0.3, 0.4), (0.0, 1.0)] {
                    let d = field.distance([x as f32, y, z]);
                    assert!(d < 0.0, "{preset} {seed}: rock at {x} {y} {z}");
                }
            }
        }
    }
}

#[test]
fn a_skylight_opens_over_the_entrance() {
    for seed in 0..2 {
        for preset in ["leo_cave", "room_and_pillar"] {
            let config = config(preset, Entrance::Skylight, seed);
            let (cave, field, surface) = make(&config);
            assert_eq!(field.openings()[0].kind, OpeningKind::Skylight);
            assert_holes(&surface, field.openings(), handles(&cave, &field));
            let top = field.openings()[0].centre[2];
            assert!(top > 3.0);
            for i in 0..=50 {
                let z = 0.3 + (top - 0.3) * f64::from(i) / 50.0;
                assert!(field.distance([0.0, 0.0, z as f32]) < 0.0, "rock at {z}");
            }
        }
    }
}

#[test]
fn skylights_of_lava_tubes_are_open_unless_closed() {
    let mut seen = 0;
    for seed in 0..3 {
        let mut config = config("lava_tube", Entrance::Closed, seed);
        config.skeleton.nodes = 30;
        let (cave, field, surface) = make(&config);
        seen += field.openings().len();
        assert_holes(&surface, field.openings(), handles(&cave, &field));
        config.openings.skylights = false;
        let (_, field, surface) = make(&config);
        assert!(field.openings().is_empty());
        assert_holes(&surface, &[], handles(&cave, &field));
    }
    assert!(seen > 1, "{seen} skylights on 3 seeds");
}

#[test]
fn a_portal_that_would_cut_a_passage_is_refused() {
    // The entrance in the middle of a passage: there is no rock behind it.
    let mut config = config("leo_cave", Entrance::Portal, 1);
    let job = Job::new(&Unobserved, Stage::Skeleton);
    let mut cave = grow(&config, &job).unwrap();
    let last = cave.nodes.len();
    let mut node = cave.nodes[cave.entrance].clone();
    node.position.x -= 6.0;
    node.id = last as i64;
    cave.nodes.push(node);
    cave.edges
        .push(plume::skeleton::Edge::new(cave.entrance, last));
    let error = check_openings(&cave, &config).unwrap_err().to_string();
    assert!(
        error.starts_with("openings.entrance is portal, but the rock behind the entrance"),
        "{error}"
    );
    config.openings.entrance = Entrance::Closed;
    assert!(check_openings(&cave, &config).is_ok());
}

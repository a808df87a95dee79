//! Field and surface on small hand-made graphs.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use glam::DVec3;
use plume::config::{Config, Entrance, OpeningsConfig, Profile, resolve};
use plume::field::{BLOCK, CaveField, Detail};
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton::{Edge, Node, NodeKind, RigidTransform, Skeleton, grow};
use plume::surface::{Surface, extract, topology};
use std::collections::BTreeMap;

fn skeleton(points: &[[f64; 3]], edges: &[(usize, usize)]) -> Skeleton {
    let nodes = points
        .iter()
        .enumerate()
        .map(|(i, &p)| Node {
            id: i as i64,
            parent: None,
            position: DVec3::from_array(p),
            radius_m: 6.0,
            passage_m: if i == 0 { 2.4 } else { 1.6 },
            level: 0,
            kind: if i == 0 {
                NodeKind::Entrance
            } else {
                NodeKind::Passage
            },
            active: true,
        })
        .collect();
    Skeleton {
        nodes,
        edges: edges.iter().map(|&(a, b)| Edge { a, b }).collect(),
        entrance: 0,
        world_from_graph: RigidTransform::IDENTITY,
        extra: Default::default(),
    }
}

/// A passage with a loop and a side passage.
fn loop_cave() -> Skeleton {
    skeleton(
        &[
            [0.0, 0.0, 1.3],
            [7.0, 0.0, 1.5],
            [13.0, 5.0, 1.9],
            [20.0, 3.0, 1.5],
            [19.0, -5.0, 1.2],
            [12.0, -7.0, 1.0],
            [27.0, 6.0, 2.0],
        ],
        &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (1, 5), (3, 6)],
    )
}

/// Many passages crossing each other without rock between them, as in PLUME's own graphs.
fn tangled_cave() -> Skeleton {
    let points: Vec<[f64; 3]> = (0..24)
        .map(|i| {
            let t = f64::from(i);
            [
                9.0 * (1.7 * t).sin() + 0.2 * t,
                9.0 * (2.3 * t).cos() - 9.0,
                1.3 + 0.3 * (1.1 * t).sin(),
            ]
        })
        .collect();
    let edges: Vec<(usize, usize)> = (1..24).map(|i| (i - 1, i)).collect();
    skeleton(&points, &edges)
}

/// The defaults with each cross-section.
fn profiles() -> [Config; 6] {
    use Profile::{Canyon, Drift, Keyhole, Lava, Tube};
    let pairs = [
        (Tube, 0.0),
        (Drift, 0.0),
        (Canyon, 0.0),
        (Keyhole, 0.0),
        (Lava, 0.0),
        (Tube, 0.5),
    ];
    pairs.map(|(profile, share)| {
        let mut config = Config::default();
        config.passage.profile = profile;
        config.passage.second_profile = Keyhole;
        config.passage.second_share = share;
        config
    })
}

/// The graph with the floor of its entrance at the origin.
fn settle(skeleton: &Skeleton, config: &Config) -> Skeleton {
    let mut settled = skeleton.clone();
    let floor = settled.nodes[settled.entrance].floor(&config.passage)[2];
    settled.nodes.iter_mut().for_each(|n| n.position.z -= floor);
    settled
}

fn make(skeleton: &Skeleton, config: &Config) -> (CaveField, Surface) {
    let field = CaveField::carve(&settle(skeleton, config), config);
    let job = Job::new(&Unobserved, Stage::Surface);
    let surface = extract(&field, 1, config, &job).unwrap();
    (field, surface)
}

/// Triangles over vertices with equal bits.
fn weld(
    surface: &Surface,
    pick: impl Fn(usize) -> (Vec<[f32; 3]>, Vec<[u32; 3]>),
) -> Vec<[u32; 3]> {
    let mut ids = BTreeMap::new();
    let mut out = Vec::new();
    for c in 0..surface.chunks.len() {
        let (positions, triangles) = pick(c);
        for t in triangles {
            out.push(t.map(|i| {
                let n = ids.len() as u32;
                *ids.entry(positions[i as usize].map(f32::to_bits))
                    .or_insert(n)
            }));
        }
    }
    out
}

fn euler(triangles: &[[u32; 3]]) -> i64 {
    let vertices = triangles.iter().flatten().max().unwrap() + 1;
    i64::from(vertices) - triangles.len() as i64 / 2
}

#[test]
fn shell_and_visual_are_closed_and_have_one_handle() {
    for mut config in profiles() {
        config.surface.chunk_m = plume::config::Auto::Value(10.0);
        let (_, surface) = make(&loop_cave(), &config);
        assert!(surface.chunks.len() > 2);
        let shell = weld(&surface, |c| {
            let m = &surface.chunks[c].shell;
            (m.positions.clone(), m.triangles.clone())
        });
        let visual = weld(&surface, |c| {
            let m = &surface.chunks[c].visual;
            (m.positions.clone(), m.triangles.clone())
        });
        assert_eq!(topology::border(&shell), Some(vec![]));
        assert_eq!(topology::border(&visual), Some(vec![]));
        assert_eq!(euler(&shell), 0, "one loop, one handle");
        assert_eq!(euler(&visual), 0);
        for chunk in &surface.chunks {
            let v = &chunk.visual;
            assert!(topology::smallest_area(&v.positions, &v.triangles) > topology::MIN_AREA_M2);
            println!(
                "{} shell {} visual {} charts {} fill {:.2} {}x{} {:.1} px/m",
                chunk.name,
                chunk.shell.triangles.len(),
                v.triangles.len(),
                chunk.atlas.charts,
                chunk.atlas.fill,
                chunk.atlas.width,
                chunk.atlas.height,
                chunk.atlas.texels_per_m
            );
        }
    }
}

#[test]
fn overlapping_passages_in_small_chunks_are_closed_too() {
    for mut config in profiles() {
        config.surface.chunk_m = plume::config::Auto::Value(4.0);
        let (_, surface) = make(&tangled_cave(), &config);
        assert!(surface.chunks.len() > 8);
        let visual = weld(&surface, |c| {
            let m = &surface.chunks[c].visual;
            (m.positions.clone(), m.triangles.clone())
        });
        assert_eq!(
            topology::border(&visual),
            Some(vec![]),
            "an edge has one or more than two faces"
        );
    }
}

#[test]
fn the_entrance_floor_lies_at_the_origin_under_free_space() {
    for config in profiles() {
        let field = CaveField::carve(&settle(&loop_cave(), &config), &config);
        for k in 0..12 {
            let (s, c) = (f64::from(k) * std::f64::consts::FRAC_PI_6).sin_cos();
            for r in [0.0, 0.7, 1.45] {
                let (x, y) = ((r * c) as f32, (r * s) as f32);
                for z in [0.35, 1.0, 1.65, 2.15] {
                    assert!(field.distance([x, y, z]) < 0.0, "rock at {x} {y} {z}");
                }
            }
        }
        assert!(field.distance([0.0, 0.0, 0.06]) < 0.0);
        assert!(field.distance([0.0, 0.0, -0.06]) > 0.0);
    }
}

#[test]
fn faces_look_into_the_void_and_edges_lie_in_it() {
    let cave = loop_cave();
    for config in profiles() {
        let (field, surface) = make(&cave, &config);
        let cave = settle(&cave, &config);
        for e in &cave.edges {
            for i in 0..=20 {
                let p = cave.nodes[e.a]
                    .position
                    .lerp(cave.nodes[e.b].position, f64::from(i) / 20.0);
                assert!(
                    field.distance(p.as_vec3().to_array()) < 0.0,
                    "edge {e:?} leaves the void"
                );
            }
        }
        // Which side is the void is checked exactly in tests/quality.rs. Here normals may differ
        // from small faces where the rock has an edge, but from hardly any of the wall.
        let (mut against, mut all) = (0.0, 0.0);
        for chunk in &surface.chunks {
            for t in &chunk.visual.triangles {
                let n = topology::cross(&chunk.visual.positions, *t);
                let normals = t.map(|i| chunk.visual.normals[i as usize]);
                let sum: f64 = (0..3)
                    .map(|k| n[k] * normals.iter().map(|n| f64::from(n[k])).sum::<f64>())
                    .sum();
                let area = n.iter().map(|c| c * c).sum::<f64>().sqrt() / 2.0;
                all += area;
                if sum <= 0.0 {
                    assert!(area < 0.02, "a face of {area} m2 looks against its normals");
                    against += area;
                }
            }
        }
        assert!(
            against < 5e-4 * all,
            "{against} of {all} m2 look against their normals"
        );
    }
}

#[test]
fn a_value_depends_on_the_point_alone() {
    for config in profiles() {
        let field = CaveField::carve(&settle(&tangled_cave(), &config), &config);
        let block_m = field.voxel_m() * BLOCK as f64;
        let mut compared = 0;
        for block in field.blocks() {
            // The face shared with the next block, as both blocks see it.
            let beside = [block[0] + 1, block[1], block[2]];
            let x = (f64::from(beside[0]) * block_m) as f32;
            let (mut xs, mut ys, mut zs) = (vec![], vec![], vec![]);
            for j in 0..=BLOCK {
                for k in 0..=BLOCK {
                    xs.push(x);
                    ys.push((f64::from(block[1]) * block_m + j as f64 * field.voxel_m()) as f32);
                    zs.push((f64::from(block[2]) * block_m + k as f64 * field.voxel_m()) as f32);
                }
            }
            let (mut one, mut two) = (vec![0.0; xs.len()], vec![0.0; xs.len()]);
            field.fill(block, &xs, &ys, &zs, Detail::Full, &mut one);
            field.fill(beside, &xs, &ys, &zs, Detail::Full, &mut two);
            for (a, b) in one.iter().zip(&two) {
                assert_eq!(*a < 0.0, *b < 0.0);
                if a.abs() < 2.0 * field.voxel_m() as f32 {
                    assert_eq!(a.to_bits(), b.to_bits());
                    compared += 1;
                }
            }
        }
        assert!(compared > 1000);
    }
}

#[test]
fn avx2_and_baseline_make_the_same_surface() {
    for config in [0, 1, 5].map(|i| profiles()[i].clone()) {
        let (_, fast) = make(&loop_cave(), &config);
        plume::noise::force_baseline(true);
        let (_, slow) = make(&loop_cave(), &config);
        plume::noise::force_baseline(false);
        for (a, b) in fast.chunks.iter().zip(&slow.chunks) {
            assert_eq!(a.shell, b.shell);
            assert_eq!(a.visual, b.visual);
        }
    }
}

#[test]
fn a_drift_has_vertical_walls_and_a_flat_roof_a_metre_apart_from_its_floor() {
    let mut config = Config::default();
    config.passage.profile = Profile::Drift;
    config.passage.second_share = 0.0;
    config.passage.variation = 0.0;
    config.field.relief_m = 0.0;
    config.field.floor_roughness_m = 0.0;
    config.objects.rock_share = 0.0;
    let points: Vec<[f64; 3]> = (0..5).map(|i| [8.0 * f64::from(i), 0.0, 1.3]).collect();
    let drift = skeleton(&points, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
    let field = CaveField::carve(&drift, &config);
    let half = 1.6f32;
    let floor = 1.3 - config.passage.floor_drop_m(1.6) as f32;
    let roof = floor + 1.6 * config.passage.half_height_m(1.6) as f32;
    // In the rock and in the void the distance is metric.
    for off in [-0.3f32, -0.1, 0.0, 0.1, 0.3] {
        for up in [0.2f32, 0.5, 0.8] {
            let z = floor + up * (roof - floor);
            if (z - floor).min(roof - z) < 0.75 {
                continue;
            }
            let d = field.distance([20.0, half + off, z]);
            assert!((d - off).abs() < 0.01, "wall: {d} for {off} at {z}");
        }
        for across in [0.0f32, 0.5, -0.9] {
            let d = field.distance([20.0, across, roof + off]);
            assert!((d - off).abs() < 0.01, "roof: {d} for {off} at {across}");
            let d = field.distance([20.0, across, floor - off]);
            let talus = config.field.talus_m as f32;
            if half - across.abs() > 0.3 + talus {
                assert!((d - off).abs() < 0.01, "floor: {d} for {off} at {across}");
            }
        }
    }
}

#[test]
fn tubes_mines_and_l_systems_are_closed_on_6_seeds() {
    let coarse = [
        "skeleton.nodes=16",
        "surface.voxel_m=0.6",
        "surface.chunk_m=24",
    ];
    for preset in [
        "lava_tube",
        "room_and_pillar",
        "drift_mine",
        "l_system_cave",
    ] {
        let sets = coarse.map(str::to_owned);
        let mut config = resolve(Some(preset), None, None, &sets).unwrap();
        config.openings = OpeningsConfig {
            entrance: Entrance::Closed,
            skylights: false,
        };
        for seed in 0..6 {
            config.seed = seed;
            let cave = grow(&config, &Job::new(&Unobserved, Stage::Skeleton)).unwrap();
            let loops = cave.edges.len() as i64 + 1 - cave.nodes.len() as i64;
            let (field, surface) = make(&cave, &config);
            let visual = weld(&surface, |c| {
                let m = &surface.chunks[c].visual;
                (m.positions.clone(), m.triangles.clone())
            });
            let place = format!("{preset}, seed {seed}");
            assert_eq!(topology::border(&visual), Some(vec![]), "{place}");
            let handles = loops + field.objects().handles() as i64;
            assert_eq!(
                euler(&visual),
                2 - 2 * handles,
                "{place}: a handle a loop and column"
            );
        }
    }
}

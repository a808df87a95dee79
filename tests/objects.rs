//! Rocks and dripstones in whole caves.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use glam::DVec3;
use plume::config::{Auto, Config, RockMode, resolve};
use plume::field::{BLOCK, CaveField, Detail};
use plume::model::{glb, stl};
use plume::objects::{Bounds, DripKind, Objects, SizeLaw};
use plume::pipeline::{self, Request, Until};
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton::{Edge, Node, NodeKind, Skeleton, grow};
use plume::surface::{Surface, extract};
use plume::terrain::CollisionMesh;
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_4;

fn config(preset: &str, seed: u64, sets: &[&str]) -> Config {
    let sets: Vec<String> = sets.iter().map(|s| (*s).to_owned()).collect();
    let mut config = resolve(Some(preset), None, None, &sets).unwrap();
    config.seed = seed;
    config
}

fn cave(config: &Config) -> (Skeleton, CaveField) {
    let skeleton = grow(config, &Job::new(&Unobserved, Stage::Skeleton)).unwrap();
    let field = CaveField::carve(&skeleton, config);
    (skeleton, field)
}

fn surface(field: &CaveField, config: &Config) -> Surface {
    extract(field, 1, config, &Job::new(&Unobserved, Stage::Surface)).unwrap()
}

/// Vertices less half the triangles of the shell, welded: 2 less twice the handles.
fn euler(surface: &Surface) -> i64 {
    let mut ids = BTreeMap::new();
    let mut triangles: i64 = 0;
    for chunk in &surface.chunks {
        for p in &chunk.shell.positions {
            let n = ids.len();
            ids.entry(p.map(f32::to_bits)).or_insert(n);
        }
        triangles += chunk.shell.triangles.len() as i64;
    }
    ids.len() as i64 - triangles / 2
}

/// A straight passage of nodes 8 m apart.
fn straight(nodes: i64, passage_m: f64) -> Skeleton {
    let node = |i: i64| Node {
        id: i,
        parent: None,
        position: DVec3::new(8.0 * i as f64, 0.0, 0.6 * passage_m),
        radius_m: 8.0,
        passage_m,
        level: 0,
        kind: if i == 0 {
            NodeKind::Entrance
        } else {
            NodeKind::Passage
        },
        active: true,
    };
    let edge = |i: i64| Edge::new(i as usize - 1, i as usize);
    Skeleton::new(
        (0..nodes).map(node).collect(),
        (1..nodes).map(edge).collect(),
    )
}

/// The same cave without rocks and dripstones.
fn bare(skeleton: &Skeleton, config: &Config) -> CaveField {
    let mut without = config.clone();
    without.objects.rock_share = 0.0;
    without.objects.speleothems = 0.0;
    CaveField::carve(skeleton, &without)
}

fn all_bounds(objects: &Objects) -> Vec<Bounds> {
    let rock = |r: &plume::objects::Rock| r.bounds(&objects.shapes[usize::from(r.shape)]);
    let rocks = objects.rocks.iter().map(rock);
    rocks
        .chain(objects.drips.iter().map(|d| d.bounds()))
        .collect()
}

/// Small caves with much in them, in both modes.
fn furnished(seed: u64, mode: RockMode) -> (Config, Skeleton, CaveField) {
    let mut config = config(
        "small_cave",
        seed,
        &["objects.rock_share=0.3", "objects.speleothems=0.3"],
    );
    config.objects.rocks = mode;
    let (skeleton, field) = cave(&config);
    (config, skeleton, field)
}

#[test]
fn rocks_cover_the_floor_as_the_law_says() {
    for (share, mode) in [
        (0.05, RockMode::Separate),
        (0.2, RockMode::Merged),
        (0.3, RockMode::Merged),
    ] {
        let (mut area, mut sizes) = (0.0, Vec::new());
        for seed in 0..2 {
            let mut config = config("leo_cave", seed, &[]);
            config.objects.rock_share = share;
            config.objects.rocks = mode;
            config.surface.voxel_m = Auto::Value(0.085);
            let field = CaveField::carve(&straight(10, 6.0), &config);
            area += field.objects().rock_area_m2;
            let diameters = field
                .objects()
                .rocks
                .iter()
                .map(|r| f64::from(r.diameter_m));
            sizes.extend(diameters);
        }
        let law = SizeLaw::new(share);
        let greatest = 0.6 * 6.0;
        for from in [0.35, 0.5, 0.7, 1.0] {
            let disc = |d: &f64| FRAC_PI_4 * d * d;
            let of_size = || sizes.iter().filter(|&&d| d >= from);
            let measured = of_size().map(disc).sum::<f64>() / area;
            let wanted = law.covered(from) - law.covered(greatest);
            // Of a sum of a Poisson number of discs.
            let error = (wanted * disc(&(1.4 * from)) / area).sqrt();
            // Where rocks are dense, some find no place.
            let crowded = 0.1 * wanted * (share / 0.25);
            assert!(
                (-crowded - 3.5 * error..3.5 * error).contains(&(measured - wanted)),
                "k {share}, D {from}: {measured} against {wanted} +- {error}"
            );
        }
    }
}

#[test]
fn objects_stand_apart_and_keep_off_the_line_and_the_entrance() {
    for mode in [RockMode::Merged, RockMode::Separate] {
        let mut rocks = 0;
        for seed in 0..6 {
            let (config, skeleton, field) = furnished(seed, mode);
            let objects = field.objects();
            rocks += objects.rocks.len();
            let bounds = all_bounds(objects);
            for (i, a) in bounds.iter().enumerate() {
                for b in &bounds[..i] {
                    let (x, y) = (a.at[0] - b.at[0], a.at[1] - b.at[1]);
                    let over = a.heights[0] > b.heights[1] || b.heights[0] > a.heights[1];
                    let apart = (x * x + y * y).sqrt() - a.radius - b.radius;
                    assert!(over || apart > 0.0, "seed {seed}: {a:?} and {b:?}");
                }
                let off = (a.at[0] * a.at[0] + a.at[1] * a.at[1]).sqrt() - a.radius;
                assert!(off > 2.49, "seed {seed}: {off} m from the entrance");
            }
            // The line keeps the height it is promised, and half a metre to each side.
            let empty = bare(&skeleton, &config);
            for e in &skeleton.edges {
                let [a, b] = [e.a, e.b].map(|i| skeleton.nodes[i].position);
                let aside = (b - a).cross(DVec3::Z).normalize_or_zero();
                for i in 0..=40 {
                    for side in [-0.45, 0.0, 0.45] {
                        for up in [-0.3, 0.0, 0.3, 0.6] {
                            let p = a.lerp(b, f64::from(i) / 40.0) + side * aside + up * DVec3::Z;
                            let p = p.as_vec3().to_array();
                            let (with, without) = (field.distance(p), empty.distance(p));
                            assert_eq!(with < 0.0, without < 0.0, "seed {seed} at {p:?}");
                        }
                    }
                }
            }
        }
        assert!(rocks > 30, "{rocks} rocks");
    }
}

#[test]
fn rocks_rest_on_the_floor_with_all_of_their_bottom() {
    for mode in [RockMode::Merged, RockMode::Separate] {
        for seed in 0..6 {
            let (config, skeleton, field) = furnished(seed, mode);
            let empty = bare(&skeleton, &config);
            for rock in &field.objects().rocks {
                let shape = &field.objects().shapes[usize::from(rock.shape)];
                for corner in &shape.corners {
                    let p = rock.place(*corner);
                    if corner[2] < -0.9 * shape.depth {
                        let d = empty.distance(p);
                        assert!(d > -0.02, "seed {seed}: a corner hangs {d} m in the air");
                    }
                }
                let upper = rock.place([0.0, 0.0, 0.65 * shape.height]);
                assert!(empty.distance(upper) < 0.0, "seed {seed}: a rock is buried");
                let lower = rock.place([0.0, 0.0, 0.3 * shape.height]);
                let solid = field.distance(lower) > 0.0;
                assert!(
                    solid || mode == RockMode::Separate,
                    "seed {seed}: a rock is hollow"
                );
            }
        }
    }
}

#[test]
fn the_surface_gains_a_handle_a_column_and_nothing_else() {
    let mut columns = 0;
    for seed in 0..5 {
        let mut config = config(
            "small_cave",
            seed,
            &[
                "objects.rock_share=0.3",
                "objects.speleothems=0.8",
                "skeleton.nodes=6",
                "passage.min_m=1.8",
            ],
        );
        config.surface.voxel_m = Auto::Value(0.2);
        let (skeleton, field) = cave(&config);
        let loops = skeleton.edges.len() as i64 + 1 - skeleton.nodes.len() as i64;
        let handles = field.objects().handles();
        columns += handles;
        println!(
            "seed {seed}: {} rocks, {} stalactites, {} stalagmites, {handles} columns",
            field.objects().rocks.len(),
            field.objects().count(DripKind::Stalactite),
            field.objects().count(DripKind::Stalagmite),
        );
        let made = surface(&field, &config);
        assert_eq!(
            euler(&made),
            2 - 2 * (loops + handles as i64),
            "seed {seed}"
        );
    }
    assert!(columns > 0);
}

#[test]
fn objects_do_not_depend_on_threads() {
    let make = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| furnished(3, RockMode::Merged).2)
    };
    let (one, four) = (make(1), make(4));
    assert!(!one.objects().rocks.is_empty() && !one.objects().drips.is_empty());
    assert_eq!(one.objects().rocks, four.objects().rocks);
    assert_eq!(one.objects().drips, four.objects().drips);
}

#[test]
fn objects_do_not_depend_on_far_parts_of_the_cave() {
    let mut config = config(
        "leo_cave",
        5,
        &["objects.rock_share=0.3", "objects.speleothems=0.3"],
    );
    config.surface.voxel_m = Auto::Value(0.15);
    let [short, long] = [14, 20].map(|n| CaveField::carve(&straight(n, 2.0), &config));
    let near = |f: &CaveField| {
        let mut all = all_bounds(f.objects());
        all.retain(|b| b.at[0] < 60.0);
        all
    };
    assert!(near(&short).len() > 10);
    assert_eq!(near(&short), near(&long));
}

#[test]
fn all_blocks_agree_about_objects() {
    let (_, _, field) = furnished(2, RockMode::Merged);
    let voxel = field.voxel_m();
    let block_m = voxel * BLOCK as f64;
    let mut compared = 0;
    for block in field.blocks().filter(|b| field.objects().touches(*b)) {
        for axis in 0..3 {
            let mut beside = block;
            beside[axis] += 1;
            let mut points = [vec![], vec![], vec![]];
            for j in 0..=BLOCK {
                for k in 0..=BLOCK {
                    for (a, steps) in [(axis, BLOCK), ((axis + 1) % 3, j), ((axis + 2) % 3, k)] {
                        let at = f64::from(block[a]) * block_m + steps as f64 * voxel;
                        points[a].push(at as f32);
                    }
                }
            }
            let [x, y, z] = &points;
            let (mut one, mut two) = (vec![0.0; x.len()], vec![0.0; x.len()]);
            field.fill(block, x, y, z, Detail::Full, &mut one);
            field.fill(beside, x, y, z, Detail::Full, &mut two);
            for (a, b) in one.iter().zip(&two) {
                assert_eq!(*a < 0.0, *b < 0.0);
                if a.abs() < 2.0 * voxel as f32 {
                    assert_eq!(a.to_bits(), b.to_bits());
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000);
}

#[test]
fn rocks_of_their_own_can_be_hit_where_they_are_seen() {
    let out = tempfile::tempdir().unwrap();
    let mut config = config("small_cave", 4, &["objects.rock_share=0.3"]);
    config.skeleton.nodes = 8;
    config.texture.size_px = 256;
    config.surface.voxel_m = Auto::Value(0.25);
    config.objects.rocks = RockMode::Separate;
    let request = Request {
        name: "stones".into(),
        config: config.clone(),
        out: out.path().to_owned(),
        graph: None,
        until: Until::Model,
        threads: Some(2),
    };
    let made = pipeline::run(&request, &Unobserved).unwrap();
    let model = &made.summary.model_path;
    let sdf = std::fs::read_to_string(model.join("model.sdf")).unwrap();
    let (_, field) = cave(&config);
    let rocks = field.objects().rocks.len();
    assert!(rocks > 50, "{rocks} rocks");
    assert_eq!(sdf.matches("<visual name=\"visual_rock_").count(), rocks);
    assert_eq!(
        sdf.matches("<collision name=\"collision_rock_").count(),
        rocks
    );

    let mut shapes = 0;
    for entry in std::fs::read_dir(model.join("meshes/rocks")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "glb") {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let (name, _) = stem.rsplit_once('_').unwrap();
            let hit = std::fs::read_dir(model.join("meshes/rocks"))
                .unwrap()
                .map(|e| e.unwrap().path())
                .find(|p| {
                    let file = p.file_name().unwrap().to_str().unwrap();
                    file.starts_with(&format!("{name}_")) && file.ends_with(".stl")
                })
                .unwrap();
            let seen = glb::read(&std::fs::read(&path).unwrap()).unwrap();
            let hit = stl::read(&std::fs::read(hit).unwrap()).unwrap();
            assert_eq!(
                corners(&seen.positions, &seen.triangles),
                corners(&hit.positions, &hit.triangles)
            );
            shapes += 1;
        }
    }
    assert!((5..=16).contains(&shapes), "{shapes} shapes");
}

fn corners(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<[[u32; 3]; 3]> {
    let at = |i: u32| positions[i as usize].map(|c| (c + 0.0).to_bits());
    triangles.iter().map(|t| t.map(at)).collect()
}

#[test]
fn the_floor_knows_rocks_of_their_own() {
    let (_, _, field) = furnished(1, RockMode::Separate);
    let hulls: CollisionMesh = field.objects().hulls(0).unwrap();
    let faces: usize = field
        .objects()
        .rocks
        .iter()
        .map(|r| field.objects().shapes[usize::from(r.shape)].triangles.len())
        .sum();
    assert_eq!(hulls.triangles.len(), faces);
    assert_eq!(hulls.positions.len(), hulls.normals.len());
    for (rock, b) in field
        .objects()
        .rocks
        .iter()
        .zip(all_bounds(field.objects()))
    {
        let inside =
            |p: &&[f32; 3]| (p[0] - rock.at[0]).hypot(p[1] - rock.at[1]) <= b.radius + 1e-4;
        assert!(hulls.positions.iter().filter(inside).count() >= 12);
    }
    let (_, _, merged) = furnished(1, RockMode::Merged);
    assert!(merged.objects().hulls(0).is_none());
}

//! Chunks made alone, levels of detail and texture space, on small caves of several presets.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use glam::{DVec2, DVec3};
use plume::config::{Config, resolve};
use plume::field::CaveField;
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton::grow;
use plume::surface::{self, Atlas, Chunk, Surface, VisualMesh, extract, topology};
use std::collections::{BTreeMap, BTreeSet};

fn config(preset: &str, sets: &[&str]) -> Config {
    let sets: Vec<String> = sets.iter().map(|&s| s.to_owned()).collect();
    let mut config = resolve(Some(preset), None, None, &sets).unwrap();
    config.seed = 3;
    config
}

fn levels(config: &Config) -> u32 {
    config.skeleton.levels
}

fn field(config: &Config) -> CaveField {
    let cave = grow(config, &Job::new(&Unobserved, Stage::Skeleton)).unwrap();
    CaveField::carve(&cave, config)
}

fn whole(field: &CaveField, config: &Config) -> Surface {
    let job = Job::new(&Unobserved, Stage::Surface);
    extract(field, levels(config), config, &job).unwrap()
}

fn same(a: &Chunk, b: &Chunk) -> bool {
    a.shell == b.shell && a.visual == b.visual && a.coarser == b.coarser && a.atlas == b.atlas
}

#[test]
fn a_chunk_alone_is_that_of_the_whole() {
    let caves = [
        ("small_cave", vec!["skeleton.nodes=8", "surface.chunk_m=9"]),
        ("leo_cave", vec!["skeleton.nodes=10", "surface.divisions=3"]),
        (
            "lava_tube",
            vec![
                "skeleton.nodes=8",
                "surface.voxel_m=0.5",
                "surface.chunk_m=20",
            ],
        ),
        (
            "room_and_pillar",
            vec![
                "skeleton.nodes=9",
                "surface.voxel_m=0.5",
                "surface.chunk_m=13",
            ],
        ),
        (
            "small_cave",
            vec![
                "skeleton.nodes=12",
                "skeleton.levels=2",
                "surface.voxel_m=0.25",
                "surface.divisions=2",
            ],
        ),
    ];
    let mut merged = 0;
    for (preset, sets) in caves {
        let config = config(preset, &sets);
        let field = field(&config);
        let surface = whole(&field, &config);
        let plan = surface::plan(&field, levels(&config), &config);
        let walled =
            |c: &&surface::PlannedChunk| surface.chunks.iter().any(|made| made.index == c.index);
        assert_eq!(
            plan.chunks.iter().filter(walled).count(),
            surface.chunks.len()
        );
        merged += plan.chunks.iter().filter(|c| c.boxes.len() > 1).count();
        for chunk in &surface.chunks {
            let alone =
                surface::extract_one(&field, levels(&config), &config, chunk.index).unwrap();
            assert!(
                same(&alone, chunk),
                "{preset} {sets:?}: chunk {}",
                chunk.name
            );
        }
    }
    assert!(
        merged > 2,
        "no sliver was merged into a neighbour: {merged}"
    );
}

#[test]
fn an_unknown_chunk_is_told_with_the_nearest() {
    let config = config("small_cave", &["skeleton.nodes=4"]);
    let field = field(&config);
    let surface = whole(&field, &config);
    let error = surface::extract_one(&field, 1, &config, [-3, 9, 0]).unwrap_err();
    let surface::Error::NoChunk { count, nearest, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(*count, surface.chunks.len());
    assert!(surface.chunks.iter().any(|c| c.index == *nearest));
    let text = error.to_string();
    assert!(
        text.contains("-3 9 0") && text.contains(&format!("{count} chunks")),
        "{text}"
    );
}

/// Triangles over points with equal bits.
fn weld<'a>(meshes: impl Iterator<Item = &'a VisualMesh>) -> Vec<[u32; 3]> {
    let mut ids = BTreeMap::new();
    let mut out = Vec::new();
    for mesh in meshes {
        for t in &mesh.triangles {
            out.push(t.map(|i| {
                let n = ids.len() as u32;
                *ids.entry(mesh.positions[i as usize].map(f32::to_bits))
                    .or_insert(n)
            }));
        }
    }
    out
}

#[test]
fn levels_of_detail_meet_in_any_mix_and_get_coarser() {
    let config = config(
        "small_cave",
        &[
            "skeleton.nodes=10",
            "surface.chunk_m=9",
            "openings.entrance=closed",
        ],
    );
    let surface = whole(&field(&config), &config);
    assert!(surface.chunks.len() > 2);
    let euler = |t: &[[u32; 3]]| {
        let vertices: BTreeSet<u32> = t.iter().flatten().copied().collect();
        vertices.len() as i64 - t.len() as i64 / 2
    };
    let mut seen = BTreeSet::new();
    for mix in [[0, 0, 0], [1, 1, 1], [2, 2, 2], [0, 1, 2], [2, 0, 1]] {
        let meshes = surface
            .chunks
            .iter()
            .enumerate()
            .map(|(i, c)| c.levels().nth(mix[i % 3]).unwrap());
        let welded = weld(meshes);
        assert_eq!(topology::border(&welded), Some(vec![]), "{mix:?}");
        seen.insert(euler(&welded));
    }
    assert_eq!(seen.len(), 1, "every level has the same handles: {seen:?}");
    let count = |level: usize| -> usize {
        let meshes = surface
            .chunks
            .iter()
            .map(|c| c.levels().nth(level).unwrap());
        meshes.map(|m| m.triangles.len()).sum()
    };
    let counts = [0, 1, 2].map(count);
    println!("triangles by level {counts:?}");
    assert!(
        10 * counts[1] < 8 * counts[0] && counts[2] < counts[1],
        "{counts:?}"
    );
}

#[test]
fn coarser_levels_keep_the_texture_and_do_not_fold() {
    let config = config("leo_cave", &["skeleton.nodes=8"]);
    let surface = whole(&field(&config), &config);
    for chunk in &surface.chunks {
        let fine: BTreeSet<_> = rows(&chunk.visual).collect();
        for mesh in &chunk.coarser {
            assert!(
                rows(mesh).all(|row| fine.contains(&row)),
                "a vertex was moved"
            );
            let mut bad = 0.0;
            let mut all = 0.0;
            for &t in &mesh.triangles {
                let n = DVec3::from_array(topology::cross(&mesh.positions, t));
                let facing = t.iter().all(|&i| {
                    n.dot(DVec3::from_array(mesh.normals[i as usize].map(f64::from))) > 0.0
                });
                all += n.length();
                bad += if facing { 0.0 } else { n.length() };
                assert!(
                    turn(&uvs(mesh, &chunk.atlas, t)) > 0.0,
                    "turned over on the texture"
                );
            }
            assert!(bad < 0.02 * all, "{} of {all}", bad);
            assert!(
                topology::smallest_area(&mesh.positions, &mesh.triangles) > topology::MIN_AREA_M2
            );
        }
    }
}

/// Everything of each vertex, as bits.
fn rows(mesh: &VisualMesh) -> impl Iterator<Item = Vec<u32>> + '_ {
    (0..mesh.positions.len()).map(|i| {
        let parts = [
            &mesh.positions[i][..],
            &mesh.normals[i],
            &mesh.base_normals[i],
            &mesh.uvs[i],
        ];
        parts.concat().iter().map(|c| c.to_bits()).collect()
    })
}

/// Corners on the image, pixels, y up.
fn uvs(mesh: &VisualMesh, atlas: &Atlas, t: [u32; 3]) -> [DVec2; 3] {
    t.map(|i| {
        let [u, v] = mesh.uvs[i as usize].map(f64::from);
        DVec2::new(
            u * f64::from(atlas.width),
            (1.0 - v) * f64::from(atlas.height),
        )
    })
}

fn turn([a, b, c]: &[DVec2; 3]) -> f64 {
    (*b - *a).perp_dot(*c - *a)
}

#[test]
fn texels_are_spread_evenly_over_the_cave() {
    for (preset, sets) in [
        ("leo_cave", vec!["skeleton.nodes=14"]),
        ("karst_cave", vec!["skeleton.nodes=12"]),
        ("room_and_pillar", vec!["skeleton.nodes=9"]),
        ("lava_tube", vec!["skeleton.nodes=8", "surface.voxel_m=0.4"]),
    ] {
        let config = config(preset, &sets);
        let surface = whole(&field(&config), &config);
        let density = surface.chunks[0].atlas.texels_per_m;
        let (mut off, mut area, mut pixels, mut covered) = (0.0, 0.0, 0.0, 0.0);
        let mut worst: f64 = 1.0;
        let mut charts = 0;
        for chunk in &surface.chunks {
            let atlas = &chunk.atlas;
            assert_eq!(atlas.texels_per_m, density, "{preset}: {}", chunk.name);
            assert!(atlas.width.max(atlas.height) <= config.texture.size_px);
            assert_eq!((atlas.width % 4, atlas.height % 4), (0, 0));
            let size = f64::from(atlas.width) * f64::from(atlas.height);
            pixels += size;
            covered += size * f64::from(atlas.fill);
            charts += atlas.charts;
            for &t in &chunk.visual.triangles {
                let own = topology::area(&chunk.visual.positions, t);
                let texels = 0.5 * turn(&uvs(&chunk.visual, atlas, t));
                assert!(texels > 0.0, "{preset}: turned over");
                let ratio = (texels / own).sqrt() / f64::from(density);
                area += own;
                off += if (0.9..=1.1).contains(&ratio) {
                    0.0
                } else {
                    own
                };
                worst = if ratio.ln().abs() > worst.ln().abs() {
                    ratio
                } else {
                    worst
                };
            }
        }
        let (fill, off) = (covered / pixels, off / area);
        println!(
            "{preset}: {} chunks, {charts} charts, fill {fill:.3}, {:.2} % beyond 10 %, worst {worst:.2}",
            surface.chunks.len(),
            100.0 * off
        );
        assert!(
            off < 0.01,
            "{preset}: {off} of the area is off by more than 10 %"
        );
        assert!((0.4..2.5).contains(&worst), "{preset}: {worst}");
        // A guard against getting worse: the aim is 0.65, which docs/limits.md says is missed.
        assert!(fill >= 0.62, "{preset}: fill {fill}");
    }
}

#[test]
fn charts_neither_overlap_nor_come_nearer_than_the_padding() {
    for size in [256u32, 1024, 4096] {
        let size_key = format!("texture.size_px={size}");
        let config = config("small_cave", &["skeleton.nodes=4", &size_key]);
        let surface = whole(&field(&config), &config);
        for chunk in surface.chunks.iter().take(2) {
            check_image(chunk, i64::from(config.texture.padding_px));
        }
    }
}

/// Draws the charts and looks around each drawn texel beside an empty one.
fn check_image(chunk: &Chunk, padding: i64) {
    let (w, h) = (chunk.atlas.width as usize, chunk.atlas.height as usize);
    let charts = charts(&chunk.visual);
    let mut image = vec![0u32; w * h];
    for &t in &chunk.visual.triangles {
        let [a, b, c] = uvs(&chunk.visual, &chunk.atlas, t);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        assert!(low.min_element() >= 0.0 && high.x <= w as f64 && high.y <= h as f64);
        for y in low.y as usize..(high.y.ceil() as usize).min(h) {
            for x in low.x as usize..(high.x.ceil() as usize).min(w) {
                let p = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                let within = |a: DVec2, b: DVec2| (b - a).perp_dot(p - a) > 1e-3 * (b - a).length();
                if within(a, b) && within(b, c) && within(c, a) {
                    let cell = &mut image[y * w + x];
                    assert_eq!(*cell, 0, "two faces over each other in {}", chunk.name);
                    *cell = charts[t[0] as usize];
                }
            }
        }
    }
    let at = |x: i64, y: i64| -> u32 {
        let inside = (0..w as i64).contains(&x) && (0..h as i64).contains(&y);
        if inside {
            image[y as usize * w + x as usize]
        } else {
            0
        }
    };
    for y in 0..h as i64 {
        for x in 0..w as i64 {
            let own = at(x, y);
            if own == 0
                || [(1, 0), (-1, 0), (0, 1), (0, -1)]
                    .iter()
                    .all(|d| at(x + d.0, y + d.1) == own)
            {
                continue;
            }
            for dy in -padding..=padding {
                for dx in -padding..=padding {
                    let other = at(x + dx, y + dy);
                    let near = dx * dx + dy * dy < padding * padding;
                    assert!(
                        !near || other == 0 || other == own,
                        "{w}x{h}: charts at {x} {y}"
                    );
                }
            }
        }
    }
}

/// For each vertex the number of its chart, from 1: charts share no vertices.
fn charts(mesh: &VisualMesh) -> Vec<u32> {
    let mut chart: Vec<u32> = (1..=mesh.positions.len() as u32).collect();
    loop {
        let mut changed = false;
        for t in &mesh.triangles {
            let lowest = t.iter().map(|&i| chart[i as usize]).min().unwrap();
            for &i in t {
                changed |= std::mem::replace(&mut chart[i as usize], lowest) != lowest;
            }
        }
        if !changed {
            return chart;
        }
    }
}

//! Rocks and dripstones in whole caves.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use plume::config::{Config, resolve};
use plume::field::CaveField;
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton::{Skeleton, grow};
use plume::surface::{Surface, extract, topology};
use std::collections::BTreeMap;

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

#[test]
#[ignore = "figures"]
fn figures() {
    let only = std::env::var("P").unwrap_or("leo_cave".into());
    let set = std::env::var("S").unwrap_or_default();
    let sets: Vec<&str> = set.split_whitespace().collect();
    for seed in 0..std::env::var("N").map_or(3, |n| n.parse().unwrap()) {
        let config = config(&only, seed, &sets);
        let skeleton = grow(&config, &Job::new(&Unobserved, Stage::Skeleton)).unwrap();
        let mut bare = config.clone();
        bare.objects.rock_share = 0.0;
        bare.objects.speleothems = 0.0;
        let t = std::time::Instant::now();
        let empty = CaveField::carve(&skeleton, &bare);
        let t0 = t.elapsed();
        let t = std::time::Instant::now();
        let field = CaveField::carve(&skeleton, &config);
        let t1 = t.elapsed();
        let t = std::time::Instant::now();
        let e0 = euler(&surface(&empty, &bare));
        let t2 = t.elapsed();
        let t = std::time::Instant::now();
        let e = euler(&surface(&field, &config));
        let t3 = t.elapsed();
        let o = field.objects();
        println!(
            "{only} {seed}: voxel {:.3} area {:.0} rocks {} drips {} columns {} | euler {e0} -> {e} off {} | carve {t0:.2?} {t1:.2?} surface {t2:.2?} {t3:.2?}",
            field.voxel_m(), o.rock_area_m2, o.rocks.len(), o.drips.len(), o.handles(),
            e + 2 * o.handles() as i64 - e0,
        );
    }
}

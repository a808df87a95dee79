//! A whole cave, and its stages: 50 nodes at 1K textures (preset `leo_cave`, seed 7).
//!
//! `cargo bench --no-default-features --bench pipeline`; one thread against two by
//! `RAYON_NUM_THREADS`.

#![allow(clippy::expect_used, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use plume::config::{self, Config};
use plume::field::CaveField;
use plume::pipeline::{Request, Until, run};
use plume::progress::{Job, Stage, Unobserved};
use plume::terrain::{LayerSet, classify, collide};
use plume::{skeleton, surface, texture};
use std::hint::black_box;

fn leo_cave() -> Config {
    let mut config = config::resolve(Some("leo_cave"), None, None, &[]).expect("preset");
    config.seed = 7;
    config
}

fn stages(c: &mut Criterion) {
    let config = leo_cave();
    let job = Job::new(&Unobserved, Stage::Surface);
    let cave = skeleton::grow(&config, &job).expect("skeleton");
    let field = CaveField::carve(&cave, &config);
    let layers = LayerSet::load(&config.terrain.layers).expect("layers");
    let made = surface::extract(&field, 1, &config, &job).expect("surface");
    let map = classify(&made, &field, &layers, &config, &job).expect("layers of the surface");
    let chunk = &made.chunks[0];
    let (low, high) = chunk.bounds();
    let window = map.window(low, high);

    let mut group = c.benchmark_group("leo_cave");
    group.sample_size(10);
    group.bench_function("skeleton", |b| b.iter(|| skeleton::grow(&config, &job)));
    group.bench_function("field", |b| b.iter(|| CaveField::carve(&cave, &config)));
    group.bench_function("surface", |b| {
        b.iter(|| surface::extract(&field, 1, &config, &job).map(|s| s.chunks.len()))
    });
    group.bench_function("terrain", |b| {
        b.iter(|| {
            let map = classify(&made, &field, &layers, &config, &job)?;
            collide(&made, &map, config.surface.collision_error_m, &job).map(|c| c.len())
        })
    });
    group.bench_function("textures_of_a_chunk", |b| {
        b.iter(|| texture::bake(chunk, &window, &layers, &field, &config, 7, &job).map(black_box))
    });
    group.finish();
}

fn whole(c: &mut Criterion) {
    let out = tempfile::tempdir().expect("folder");
    let request = Request {
        name: "bench".to_owned(),
        config: leo_cave(),
        out: out.path().to_owned(),
        graph: None,
        until: Until::Model,
        threads: None,
    };
    let mut group = c.benchmark_group("leo_cave");
    group.sample_size(10);
    group.bench_function("whole", |b| {
        b.iter(|| run(&request, &Unobserved).map(|c| c.summary.visual_triangles))
    });
    group.finish();
}

criterion_group!(benches, stages, whole);
criterion_main!(benches);

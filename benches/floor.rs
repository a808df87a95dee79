//! The floor of a large cave, and routes on it.
//!
//! The hall is 80 m square with pillars every 8 m: about the floor of a 250-node cave (6400 m², 205 000 triangles).

#[path = "../tests/scenes/mod.rs"]
mod scenes;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use plume::traverse::{Floor, PlanOptions};
use scenes::{Scene, job, layers, leo};
use std::hint::black_box;

fn floor(c: &mut Criterion) {
    let scene = Scene::hall([80.0, 80.0], 0.25);
    let set = layers(&[("rock", 1.0)]);
    let mut group = c.benchmark_group("floor");
    group.sample_size(10);
    let build = || Floor::build(&scene.meshes, &set, &leo(), 0.1, &job());
    let Ok(floor) = build() else { return };
    group.throughput(Throughput::Elements(floor.span_count() as u64));
    group.bench_function("build", |b| b.iter(|| black_box(build())));

    let options = PlanOptions::default();
    let (from, to) = ([1.0, 1.0, 0.0], [79.0, 79.0, 0.0]);
    let Ok(costs) = floor.distances_from(from, &options, &job()) else {
        return;
    };
    let reached = costs.iter().filter(|c| c.is_finite()).count();
    group.throughput(Throughput::Elements(reached as u64));
    group.bench_function("dijkstra", |b| {
        b.iter(|| black_box(floor.distances_from(from, &options, &job())));
    });
    group.bench_function("plan", |b| {
        b.iter(|| black_box(floor.plan(from, to, &options, &job())));
    });

    let Ok(bytes) = floor.to_bytes() else { return };
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("read", |b| {
        b.iter(|| black_box(Floor::from_bytes(&bytes, &job())))
    });
    group.finish();
}

criterion_group!(benches, floor);
criterion_main!(benches);

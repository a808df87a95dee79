//! The surface: voxels, triangles and chunks, and how the time grows with the cave.
//!
//! `cargo bench --no-default-features --bench surface`; one thread against two by
//! `RAYON_NUM_THREADS`. The throughput of `voxels` counts the voxels of all blocks that the index lists,
//! that of `triangles` the triangles before simplification.

#![allow(clippy::expect_used, missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plume::config::{self, Config};
use plume::field::{BLOCK, CaveField};
use plume::progress::{Job, Stage, Unobserved};
use plume::{skeleton, surface};

fn cave(nodes: usize) -> (Config, CaveField) {
    let nodes = format!("skeleton.nodes={nodes}");
    let mut config = config::resolve(Some("leo_cave"), None, None, &[nodes]).expect("preset");
    config.seed = 7;
    let grown = skeleton::grow(&config, &Job::new(&Unobserved, Stage::Skeleton)).expect("skeleton");
    let field = CaveField::carve(&grown, &config);
    (config, field)
}

fn rates(c: &mut Criterion) {
    let (config, field) = cave(50);
    let job = Job::new(&Unobserved, Stage::Surface);
    let made = surface::extract(&field, 1, &config, &job).expect("surface");
    let triangles: usize = made.chunks.iter().map(|c| c.shell.triangles.len()).sum();
    let voxels = field.blocks().len() * BLOCK * BLOCK * BLOCK;
    let mut group = c.benchmark_group("leo_cave");
    group.sample_size(10);
    for (name, count) in [("voxels", voxels), ("triangles", triangles)] {
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(name, |b| {
            b.iter(|| surface::extract(&field, 1, &config, &job).map(|s| s.chunks.len()))
        });
    }
    group.throughput(Throughput::Elements(1));
    group.bench_function("plan", |b| {
        b.iter(|| surface::plan(&field, 1, &config).chunks.len())
    });
    let plan = surface::plan(&field, 1, &config);
    let mut turn = plan.chunks.iter().cycle();
    group.bench_function("chunk", |b| {
        b.iter(|| {
            let index = turn.next().map_or([0; 3], |c| c.index);
            surface::extract_planned(&field, &plan, &config, index).map(|c| c.atlas.charts)
        })
    });
    group.finish();
}

fn growth(c: &mut Criterion) {
    let job = Job::new(&Unobserved, Stage::Surface);
    let mut group = c.benchmark_group("nodes");
    group.sample_size(10);
    for nodes in [50, 100, 250, 500, 1000] {
        let (config, field) = cave(nodes);
        group.throughput(Throughput::Elements(nodes as u64));
        group.bench_function(BenchmarkId::from_parameter(nodes), |b| {
            b.iter(|| surface::extract(&field, 1, &config, &job).map(|s| s.chunks.len()))
        });
    }
    group.finish();
}

criterion_group!(benches, rates, growth);
criterion_main!(benches);

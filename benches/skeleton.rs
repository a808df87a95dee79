//! Cost of laying out a skeleton, by generator and number of nodes; near-linear in the number.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plume::config::{Algorithm, Config, presets, resolve};
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton::{generator, grow};
use std::hint::black_box;

/// The first preset that shows an algorithm, with another number of nodes.
fn showcase(algorithm: Algorithm, nodes: u32) -> Option<Config> {
    let mut config = presets()
        .iter()
        .filter_map(|preset| resolve(Some(preset.name), None, None, &[]).ok())
        .find(|config| config.skeleton.algorithm == algorithm)?;
    config.seed = 7;
    config.skeleton.nodes = nodes;
    Some(config)
}

fn sweep(criterion: &mut Criterion) {
    for &algorithm in Algorithm::ALL {
        if !generator(algorithm).promises().exact_nodes {
            continue;
        }
        let mut group = criterion.benchmark_group(format!("grow/{}", algorithm.name()));
        group.sample_size(10);
        for nodes in [250, 1000, 2500, 5000, 10_000] {
            let Some(config) = showcase(algorithm, nodes) else {
                continue;
            };
            let job = Job::new(&Unobserved, Stage::Skeleton);
            group.throughput(Throughput::Elements(u64::from(nodes)));
            let id = BenchmarkId::from_parameter(nodes);
            group.bench_with_input(id, &config, |bencher, config| {
                bencher.iter(|| grow(black_box(config), &job).map(|s| s.nodes.len()));
            });
        }
        group.finish();
    }
}

/// Three levels of a grown cave, with their ramps.
fn levels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("levels");
    group.sample_size(10);
    for nodes in [250, 1000, 3333] {
        let Some(mut config) = showcase(Algorithm::GaussianPerlin, nodes) else {
            continue;
        };
        config.skeleton.levels = 3;
        let job = Job::new(&Unobserved, Stage::Skeleton);
        group.throughput(Throughput::Elements(3 * u64::from(nodes)));
        let id = BenchmarkId::from_parameter(3 * nodes);
        group.bench_with_input(id, &config, |bencher, config| {
            bencher.iter(|| grow(black_box(config), &job).map(|s| s.nodes.len()));
        });
    }
    group.finish();
}

criterion_group!(benches, sweep, levels);
criterion_main!(benches);

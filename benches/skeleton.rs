//! Cost of growing a skeleton; near-linear in the number of nodes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plume::config::{Config, SkeletonConfig, resolve};
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton::grow;
use std::hint::black_box;

fn sweep(criterion: &mut Criterion) {
    of(criterion, "grow", &Config::default());
    if let Ok(karst) = resolve(Some("karst_cave"), None, None, &[]) {
        of(criterion, "karst", &karst);
    }
}

fn of(criterion: &mut Criterion, name: &str, config: &Config) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    for nodes in [50, 250, 1000, 2500, 5000, 10_000] {
        group.throughput(Throughput::Elements(u64::from(nodes)));
        group.bench_with_input(
            BenchmarkId::from_parameter(nodes),
            &nodes,
            |bencher, &nodes| {
                let skeleton = SkeletonConfig {
                    nodes,
                    ..config.skeleton.clone()
                };
                let config = Config {
                    seed: 7,
                    skeleton,
                    ..config.clone()
                };
                let job = Job::new(&Unobserved, Stage::Skeleton);
                bencher.iter(|| grow(black_box(&config), &job).map(|s| s.nodes.len()));
            },
        );
    }
    group.finish();
}

criterion_group!(benches, sweep);
criterion_main!(benches);

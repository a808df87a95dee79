//! Rate of the baker and of the PNG encoder, one core.
#![allow(clippy::expect_used)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plume::config::Config;
use plume::noise;
use plume::progress::{Job, Stage, Unobserved};
use plume::surface::{Atlas, Chunk, TriMesh, VisualMesh};
use plume::terrain::{LayerSet, TerrainWindow};
use plume::texture::{BakedChunk, NoRelief, bake};

const PIXELS: u32 = 1024;
const EDGE_M: f32 = 12.0;

/// A gently rolling floor of triangles a few texels wide, as a simplified cave has.
fn chunk() -> Chunk {
    const CELLS: u32 = 96;
    let mut visual = VisualMesh::default();
    for j in 0..=CELLS {
        for i in 0..=CELLS {
            let (u, v) = (i as f32 / CELLS as f32, j as f32 / CELLS as f32);
            let z = 0.1 * ((7.0 * u).sin() + (9.0 * v).cos());
            visual.positions.push([u * EDGE_M, v * EDGE_M, z]);
            visual.normals.push([0.0, 0.0, 1.0]);
            visual.base_normals.push([0.0, 0.0, 1.0]);
            visual.uvs.push([u, 1.0 - v]);
        }
    }
    for j in 0..CELLS {
        for i in 0..CELLS {
            let a = j * (CELLS + 1) + i;
            let b = a + CELLS + 1;
            visual.triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
        }
    }
    Chunk {
        index: [0; 3],
        name: "0_0_0".into(),
        shell: TriMesh::default(),
        visual,
        coarser: Vec::new(),
        atlas: Atlas {
            width: PIXELS,
            height: PIXELS,
            texels_per_m: PIXELS as f32 / EDGE_M,
            fill: 1.0,
            charts: 1,
        },
    }
}

fn window(layer: impl Fn(usize, usize) -> u8) -> TerrainWindow {
    let size = [34, 34, 6];
    let (mut cells, mut moisture) = (vec![], vec![]);
    for i in 0..size[0] * size[1] * size[2] {
        let (x, y) = (i % size[0], i / size[0] % size[1]);
        cells.push(layer(x, y));
        moisture.push((x * 7 + y * 3) as u8 % 200);
    }
    TerrainWindow {
        origin: [-0.4, -0.4, -1.0],
        cell_m: 0.4,
        size,
        cells,
        moisture,
    }
}

fn rates(c: &mut Criterion) {
    let chunk = chunk();
    let text = include_str!("../config/layers/earth_cave.yaml");
    let layers: LayerSet = plume::config::yaml::from_str(text).expect("layer set");
    let config = Config::default();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("pool");
    let run = |w: &TerrainWindow| -> BakedChunk {
        let job = Job::new(&Unobserved, Stage::Textures);
        pool.install(|| bake(&chunk, w, &layers, &NoRelief, &config, 7, &job))
            .expect("baked")
    };

    let mut group = c.benchmark_group("bake, three maps");
    group.sample_size(10);
    group.throughput(Throughput::Elements(u64::from(PIXELS * PIXELS)));
    let patches = window(|x, y| ((x / 9 + y / 7) % 5) as u8);
    for (name, baseline) in [("avx2", false), ("baseline", true)] {
        noise::force_baseline(baseline);
        group.bench_function(BenchmarkId::new("patches", name), |b| {
            b.iter(|| run(&patches))
        });
    }
    noise::force_baseline(false);
    for (id, layer) in layers.layers.iter().enumerate() {
        let w = window(|_, _| id as u8);
        group.bench_function(BenchmarkId::new(&layer.name, "avx2"), |b| {
            b.iter(|| run(&w))
        });
    }
    group.finish();

    let image = run(&patches);
    let mut group = c.benchmark_group("PNG");
    group.sample_size(10);
    group.throughput(Throughput::Elements(u64::from(PIXELS * PIXELS)));
    group.bench_function("albedo", |b| b.iter(|| image.albedo_png()));
    group.bench_function("normal", |b| b.iter(|| image.normal_png()));
    group.bench_function("roughness", |b| b.iter(|| image.roughness_png()));
    group.finish();
}

criterion_group!(benches, rates);
criterion_main!(benches);

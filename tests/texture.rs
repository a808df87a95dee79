//! The baker on procedural chunks.

use plume::config::Config;
use plume::noise;
use plume::progress::{Cancelled, Job, Observer, Stage, Unobserved};
use plume::surface::{Atlas, Chunk, TriMesh, VisualMesh};
use plume::terrain::{LayerSet, TerrainWindow};
use plume::texture::{BakedChunk, NoRelief, Pixels, ReliefGradient, bake, encode_png};

fn layers() -> LayerSet {
    let text = include_str!("../config/layers/earth_cave.yaml");
    serde_yaml_ng::from_str(text).expect("the layer set that is delivered")
}

/// A chunk from a grid of places; `place(i, j)` gives position, normal and UV.
fn sheet(
    size: [usize; 2],
    atlas: [u32; 2],
    texels_per_m: f32,
    place: impl Fn(usize, usize) -> ([f32; 3], [f32; 3], [f32; 2]),
) -> Chunk {
    let mut visual = VisualMesh::default();
    for j in 0..=size[1] {
        for i in 0..=size[0] {
            let (p, n, uv) = place(i, j);
            visual.positions.push(p);
            visual.normals.push(n);
            visual.base_normals.push(n);
            visual.uvs.push(uv);
        }
    }
    let row = size[0] as u32 + 1;
    for j in 0..size[1] as u32 {
        for i in 0..size[0] as u32 {
            let a = j * row + i;
            visual.triangles.push([a, a + 1, a + row + 1]);
            visual.triangles.push([a, a + row + 1, a + row]);
        }
    }
    Chunk {
        index: [0; 3],
        name: "0_0_0".into(),
        shell: TriMesh::default(),
        visual,
        atlas: Atlas {
            width: atlas[0],
            height: atlas[1],
            texels_per_m,
            fill: 0.5,
            charts: 1,
        },
    }
}

/// A level square with its lower left corner at `at`, seen from above.
fn floor(at: [f32; 3], edge_m: f32, pixels: u32) -> Chunk {
    sheet([1, 1], [pixels; 2], pixels as f32 / edge_m, |i, j| {
        let (u, v) = (i as f32, j as f32);
        (
            [at[0] + u * edge_m, at[1] + v * edge_m, at[2]],
            [0.0, 0.0, 1.0],
            [u, 1.0 - v],
        )
    })
}

/// A wall that looks along −y, as seen standing before it.
fn wall(at: [f32; 3], edge_m: f32, pixels: u32) -> Chunk {
    sheet([1, 1], [pixels; 2], pixels as f32 / edge_m, |i, j| {
        let (u, v) = (i as f32, j as f32);
        (
            [at[0] + u * edge_m, at[1], at[2] + v * edge_m],
            [0.0, -1.0, 0.0],
            [u, 1.0 - v],
        )
    })
}

const TUBE_RADIUS: f32 = 1.3;

/// A piece of tube along x, seen from inside, unrolled with a margin; `start_m` on the axis.
fn tube(start_m: f32, length_m: f32, pixels: u32, margin: f32) -> Chunk {
    let around = std::f32::consts::TAU * TUBE_RADIUS;
    let size = around.max(length_m) / (1.0 - 2.0 * margin);
    sheet([24, 48], [pixels; 2], pixels as f32 / size, |i, j| {
        let (s, t) = (i as f32 / 24.0, j as f32 / 48.0);
        let angle = std::f32::consts::TAU * t;
        let n = [0.0, -angle.cos(), -angle.sin()];
        let p = [
            start_m + s * length_m,
            -n[1] * TUBE_RADIUS,
            -n[2] * TUBE_RADIUS,
        ];
        (
            p,
            n,
            [
                margin + s * length_m / size,
                1.0 - margin - t * around / size,
            ],
        )
    })
}

/// A window in which a rule names each cell's layer and moisture.
fn window(rule: impl Fn([f32; 3]) -> (u8, f32)) -> TerrainWindow {
    let (size, cell_m, origin) = ([30, 14, 14], 0.4, [-2.8, -2.8, -2.8]);
    let mut w = TerrainWindow {
        origin,
        cell_m,
        size,
        cells: vec![],
        moisture: vec![],
    };
    for i in 0..size[0] * size[1] * size[2] {
        let at = [i % size[0], i / size[0] % size[1], i / size[0] / size[1]];
        let (layer, moisture) = rule(std::array::from_fn(|a| origin[a] + at[a] as f32 * cell_m));
        w.cells.push(layer);
        w.moisture.push((moisture * 255.0) as u8);
    }
    w
}

/// All layers in patches, moist below.
fn patches() -> TerrainWindow {
    window(|p| {
        let patch = (p[0] * 0.9).floor() + 2.0 * (p[1] * 0.8).floor() + 3.0 * p[2].floor();
        (
            patch.rem_euclid(5.0) as u8,
            (0.5 - p[2] * 0.3).clamp(0.0, 1.0),
        )
    })
}

fn baked(chunk: &Chunk, window: &TerrainWindow) -> BakedChunk {
    let job = Job::new(&Unobserved, Stage::Textures);
    bake(
        chunk,
        window,
        &layers(),
        &NoRelief,
        &Config::default(),
        7,
        &job,
    )
    .expect("not cancelled")
}

fn luminance(image: &BakedChunk) -> f64 {
    let sum: f64 = image
        .albedo
        .chunks_exact(3)
        .map(|c| 0.2126 * f64::from(c[0]) + 0.7152 * f64::from(c[1]) + 0.0722 * f64::from(c[2]))
        .sum();
    sum / 255.0 / image.roughness.len() as f64
}

fn roughness(image: &BakedChunk) -> (f64, f64) {
    let n = image.roughness.len() as f64;
    let mean = image
        .roughness
        .iter()
        .map(|&r| f64::from(r) / 255.0)
        .sum::<f64>()
        / n;
    let square = image
        .roughness
        .iter()
        .map(|&r| (f64::from(r) / 255.0 - mean).powi(2))
        .sum::<f64>()
        / n;
    (mean, square.sqrt())
}

/// Each layer alone, dry to dripping, and all of them lit: look at them.
///
/// `PLUME_SWATCHES=/tmp/x cargo test --test texture swatches -- --ignored`
#[test]
#[ignore = "writes pictures"]
fn swatches() {
    let out = std::env::var("PLUME_SWATCHES").expect("PLUME_SWATCHES names a folder");
    std::fs::create_dir_all(&out).expect("folder");
    for (id, layer) in layers().layers.iter().enumerate() {
        for moisture in [0.15, 0.85] {
            let w = window(|_| (id as u8, moisture));
            for (kind, chunk) in [
                ("floor", floor([0.0; 3], 2.0, 200)),
                ("wall", wall([0.0; 3], 2.0, 200)),
            ] {
                let image = baked(&chunk, &w);
                let name = format!("{out}/{}_{kind}_{moisture}", layer.name);
                write_all(&name, &image);
                println!(
                    "{name}: luminance {:.3} roughness {:.3?}",
                    luminance(&image),
                    roughness(&image)
                );
            }
        }
    }
    let image = baked(&floor([-1.0, -1.0, 0.0], 6.0, 900), &patches());
    write_all(&format!("{out}/mixed"), &image);
}

fn write_all(name: &str, image: &BakedChunk) {
    let write = |kind: &str, png: Vec<u8>| {
        std::fs::write(format!("{name}_{kind}.png"), png).expect("written");
    };
    write("albedo", image.albedo_png().expect("albedo"));
    write("normal", image.normal_png().expect("normal"));
    write("roughness", image.roughness_png().expect("roughness"));
    let lit = encode_png(image.width, image.height, Pixels::Srgb, &lit(image)).expect("lit");
    write("lit", lit);
}

/// A lamp low on the left, with a highlight by Blinn and Phong.
fn lit(image: &BakedChunk) -> Vec<u8> {
    let light = [-0.62f32, 0.42, 0.66];
    let half = [-0.34f32, 0.23, 0.911];
    let mut out = Vec::with_capacity(image.albedo.len());
    let texels = image
        .albedo
        .chunks_exact(3)
        .zip(image.normal.chunks_exact(3));
    for ((a, n), &r) in texels.zip(&image.roughness) {
        let n: Vec<f32> = n.iter().map(|&c| f32::from(c) / 127.5 - 1.0).collect();
        let dot = |l: [f32; 3]| (0..3).map(|i| n[i] * l[i]).sum::<f32>().max(0.0);
        let r = (f32::from(r) / 255.0).max(0.1);
        let power = 2.0 / (r * r * r * r);
        let shine = 0.04 * (power + 2.0) / 8.0 * dot(half).powf(power) * dot(light);
        for &c in a {
            let c = (f32::from(c) / 255.0).powf(2.2);
            let v = c * (0.25 + 1.3 * dot(light)) + shine;
            out.push((v.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0) as u8);
        }
    }
    out
}

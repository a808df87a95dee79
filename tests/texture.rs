//! The baker on procedural chunks.
#![allow(clippy::expect_used)]

use plume::config::Config;
use plume::noise;
use plume::progress::{Cancelled, Job, Observer, Stage, Unobserved};
use plume::surface::{Atlas, Chunk, TriMesh, VisualMesh};
use plume::terrain::{LayerSet, TerrainWindow};
use plume::texture::{BakedChunk, NoRelief, Pixels, ReliefGradient, bake, encode_png};

fn layers() -> LayerSet {
    let text = include_str!("../config/layers/earth_cave.yaml");
    plume::config::yaml::from_str(text).expect("the layer set that is delivered")
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
        coarser: Vec::new(),
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

/// The normal of a pixel, in its tangent frame.
fn normal(image: &BakedChunk, x: usize, y: usize) -> [f32; 3] {
    let i = 3 * (y * image.width as usize + x);
    std::array::from_fn(|c| f32::from(image.normal[i + c]) / 127.5 - 1.0)
}

#[test]
fn the_same_place_looks_the_same_in_every_chunk_and_chart() {
    let w = patches();
    let a = baked(&floor([0.0; 3], 2.0, 200), &w);
    // Starts 1 m further along x and lies a quarter turn round in its texture.
    let turned = sheet([3, 2], [200; 2], 100.0, |i, j| {
        let (u, v) = (i as f32 / 3.0, j as f32 / 2.0);
        ([1.0 + 2.0 * u, 2.0 * v, 0.0], [0.0, 0.0, 1.0], [v, u])
    });
    let b = baked(&turned, &w);
    let mut most = 0;
    for y in 0..200 {
        for x in 100..200 {
            let (i, j) = ((199 - y) * 200 + x, (x - 100) * 200 + y);
            let pairs = (0..3).map(|c| (a.albedo[3 * i + c], b.albedo[3 * j + c]));
            for (p, q) in pairs.chain([(a.roughness[i], b.roughness[j])]) {
                most = most.max(p.abs_diff(q));
            }
            // Seen from above: a's tangent is +x and its up +y; b's are +y and -x, mirrored not.
            let (n, m) = (normal(&a, x, 199 - y), normal(&b, y, x - 100));
            let world = [-m[1], m[0], m[2]];
            assert!(
                (0..3).all(|c| (n[c] - world[c]).abs() < 0.03),
                "{n:?} {world:?}"
            );
        }
    }
    assert!(most <= 2, "{most}");
}

#[test]
fn images_are_as_gazebo_wants_them() {
    let mut cases = vec![(tube(0.0, 6.0, 512, 0.02), patches())];
    for layer in 0..layers().layers.len() as u8 {
        for pixels in [128, 512] {
            cases.push((
                floor([0.0; 3], 6.0, pixels),
                window(|p| (layer, 0.3 + 0.04 * p[0])),
            ));
        }
    }
    for (chunk, w) in cases {
        let image = baked(&chunk, &w);
        let texels = image.width as usize * image.height as usize;
        assert_eq!(image.albedo.len(), 3 * texels, "no alpha");
        assert_eq!(
            (image.normal.len(), image.roughness.len()),
            (3 * texels, texels)
        );
        let light = luminance(&image);
        assert!((0.2..=0.5).contains(&light), "luminance {light}");
        let (mean, deviation) = roughness(&image);
        assert!(deviation > 0.05, "roughness {mean} ± {deviation}");
        for n in image.normal.chunks_exact(3) {
            let v: [f32; 3] = std::array::from_fn(|c| f32::from(n[c]) / 127.5 - 1.0);
            let length = v.iter().map(|v| v * v).sum::<f32>().sqrt();
            assert!((length - 1.0).abs() < 0.02 && n[2] >= 128, "{n:?}");
        }
    }
}

/// A slope in one world direction everywhere.
struct Slope([f32; 3]);

impl ReliefGradient for Slope {
    fn gradient(&self, _: [noise::F8; 3], _: [noise::F8; 3]) -> [noise::F8; 3] {
        self.0.map(noise::F8::splat)
    }
}

#[test]
fn relief_turns_the_normal_in_the_frame_of_the_texture() {
    let mirrored = sheet([1, 1], [32; 2], 16.0, |i, j| {
        let (u, v) = (i as f32, j as f32);
        ([2.0 * u, 2.0 * v, 0.0], [0.0, 0.0, 1.0], [1.0 - u, 1.0 - v])
    });
    let mut config = Config::default();
    config.texture.normal_strength = 0.0;
    let s = 0.3 / 1.09f32.sqrt();
    for (chunk, slope, expected) in [
        (floor([0.0; 3], 2.0, 32), [0.3, 0.0, 0.0], [s, 0.0]),
        (floor([0.0; 3], 2.0, 32), [0.0, 0.3, 7.0], [0.0, s]),
        (wall([0.0; 3], 2.0, 32), [0.3, 5.0, 0.0], [s, 0.0]),
        (wall([0.0; 3], 2.0, 32), [0.0, 0.0, 0.3], [0.0, s]),
        (mirrored.clone(), [0.3, 0.0, 0.0], [-s, 0.0]),
        (mirrored, [0.0, 0.3, 0.0], [0.0, s]),
    ] {
        let job = Job::new(&Unobserved, Stage::Textures);
        let image = bake(
            &chunk,
            &patches(),
            &layers(),
            &Slope(slope),
            &config,
            7,
            &job,
        )
        .expect("not cancelled");
        let n = normal(&image, 16, 16);
        assert!(
            (0..2).all(|c| (n[c] - expected[c]).abs() < 0.01),
            "{slope:?}: {n:?}"
        );
    }
}

#[test]
fn base_normals_carry_the_relief_that_the_mesh_lost() {
    let mut chunk = floor([0.0; 3], 2.0, 32);
    for n in &mut chunk.visual.base_normals {
        *n = [0.6, 0.0, 0.8];
    }
    let mut config = Config::default();
    config.texture.normal_strength = 0.0;
    let job = Job::new(&Unobserved, Stage::Textures);
    let image =
        bake(&chunk, &patches(), &layers(), &NoRelief, &config, 7, &job).expect("not cancelled");
    let n = normal(&image, 16, 16);
    assert!(
        (n[0] - 0.6).abs() < 0.01 && (n[2] - 0.8).abs() < 0.01,
        "{n:?}"
    );
}

fn bytes(image: &BakedChunk) -> Vec<u8> {
    [
        image.albedo_png().expect("albedo"),
        image.normal_png().expect("normal"),
        image.roughness_png().expect("roughness"),
    ]
    .concat()
}

#[test]
fn same_bytes_at_any_thread_count_and_on_any_processor() {
    let (chunk, w) = (tube(0.0, 6.0, 256, 0.05), patches());
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("pool");
        bytes(&pool.install(|| baked(&chunk, &w)))
    };
    let one = with(1);
    assert!(one == with(3), "thread count shows");
    noise::force_baseline(true);
    let plain = with(2);
    noise::force_baseline(false);
    assert!(one == plain, "instruction set shows");
}

#[test]
fn what_no_chart_covers_is_filled() {
    let image = baked(&tube(0.0, 4.0, 256, 0.1), &patches());
    assert!(image.albedo.chunks_exact(3).all(|c| c != [0, 0, 0]));
    // A row through the middle: left of the chart and of the 1.5 texels drawn around it, the first
    // texel drawn goes on for the padding ...
    let row = 128 * 256;
    let pixel = |x: usize| &image.albedo[3 * (row + x)..3 * (row + x) + 3];
    let first = (0.1f32 * 256.0 - 1.5 - 0.5).ceil() as usize;
    for x in first - 8..first {
        let near = (row - 8 * 256..=row + 8 * 256).step_by(256).any(|r| {
            let at = 3 * (r + first);
            pixel(x) == &image.albedo[at..at + 3]
        });
        assert!(near, "texel {x} is not its neighbour's");
    }
    // ... and beyond lies the mean.
    assert_eq!(pixel(0), pixel(3));
    assert_eq!(image.normal[..3], [128, 128, 255]);
}

/// Cancels when asked for the n-th time.
struct Impatient(std::sync::atomic::AtomicI32);

impl Observer for Impatient {
    fn is_cancelled(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::SeqCst) <= 0
    }
}

#[test]
fn cancel_stops_the_baker() {
    let (chunk, w) = (floor([0.0; 3], 4.0, 256), patches());
    for asks in [0, 1, 5] {
        let observer = Impatient(asks.into());
        let job = Job::new(&observer, Stage::Textures);
        let end = bake(
            &chunk,
            &w,
            &layers(),
            &NoRelief,
            &Config::default(),
            7,
            &job,
        );
        assert_eq!(end.err(), Some(Cancelled));
    }
}

#[test]
fn odd_input_makes_a_picture_all_the_same() {
    let mut chunk = floor([0.0; 3], 2.0, 32);
    chunk.visual.triangles.push([0, 1, 99]);
    chunk.visual.uvs[3] = [f32::NAN, 0.5];
    chunk.visual.positions[0] = [f32::INFINITY, 1e30, 0.0];
    chunk.visual.normals[1] = [0.0; 3];
    let empty = TerrainWindow {
        origin: [0.0; 3],
        cell_m: 0.0,
        size: [0; 3],
        cells: vec![],
        moisture: vec![],
    };
    assert_eq!(baked(&chunk, &empty).roughness.len(), 32 * 32);
    let none = LayerSet {
        name: "none".into(),
        layers: vec![],
    };
    let job = Job::new(&Unobserved, Stage::Textures);
    let config = Config::default();
    for size in [0, 32] {
        chunk.atlas.width = size;
        chunk.atlas.texels_per_m = 0.0;
        let image = bake(&chunk, &patches(), &none, &NoRelief, &config, 7, &job);
        assert_eq!(
            image.expect("not cancelled").roughness.len(),
            32 * size as usize
        );
    }
    assert!(encode_png(3, 3, Pixels::Gray, &[0; 8]).is_err());
    assert!(encode_png(0, 3, Pixels::Gray, &[]).is_err());
}

#[test]
fn water_darkens_and_smooths() {
    for (id, layer) in layers().layers.iter().enumerate() {
        let at = |moisture| baked(&floor([0.0; 3], 2.0, 64), &window(|_| (id as u8, moisture)));
        let (dry, wet) = (at(0.1), at(0.9));
        assert!(luminance(&wet) < 0.92 * luminance(&dry), "{}", layer.name);
        assert!(
            roughness(&wet).0 < 0.92 * roughness(&dry).0,
            "{}",
            layer.name
        );
    }
}

#[test]
fn pngs_read_back() {
    let image = baked(&floor([0.0; 3], 2.0, 64), &patches());
    for (png, raw) in [
        (image.albedo_png(), &image.albedo),
        (image.normal_png(), &image.normal),
        (image.roughness_png(), &image.roughness),
    ] {
        let file = png.expect("encoded");
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .expect("PNG");
        let mut pixels = vec![0; raw.len()];
        reader.next_frame(&mut pixels).expect("pixels");
        assert!(&pixels == raw);
    }
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

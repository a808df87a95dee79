//! Exports: every format is written, read back by crates that know nothing of plume, and compared
//! with the model; what must be refused is refused.

// A helper that fails fails its test.
#![allow(clippy::unwrap_used)]

#[path = "../folders/mod.rs"]
mod folders;
mod read;
mod refuse;
mod visuals;

use folders::files;
use plume::config::{self, Auto};
use plume::export::{self, Error, Exported, Format, Image, Mesh, Request, Scene, Split};
use plume::pipeline::{self, Until};
use plume::progress::{Job, Stage, Unobserved};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// A whole model of several chunks, made once for all tests.
fn model() -> PathBuf {
    static MODEL: LazyLock<TempDir> = LazyLock::new(|| {
        let dir = tempfile::tempdir().unwrap();
        make(dir.path(), Until::Model);
        dir
    });
    MODEL.path().join("cave")
}

/// Makes model `cave` in `out`.
fn make(out: &Path, until: Until) {
    let mut config = config::resolve(Some("small_cave"), None, None, &[]).unwrap();
    config.seed = 7;
    config.skeleton.nodes = 8;
    config.texture.size_px = 128;
    config.surface.voxel_m = Auto::Value(0.3);
    config.surface.chunk_m = Auto::Value(12.0);
    let request = pipeline::Request {
        name: "cave".into(),
        config,
        out: out.to_owned(),
        graph: None,
        until,
        threads: Some(2),
    };
    pipeline::run(&request, &Unobserved).unwrap();
}

/// A request for the whole of the model in this format.
fn request(out: &Path, format: Format) -> Request {
    Request {
        model: model(),
        out: out.to_owned(),
        formats: vec![format],
        split: Split::Whole,
        force: false,
    }
}

fn run(request: &Request) -> Result<Exported, Error> {
    export::run(request, &Job::new(&Unobserved, Stage::Export))
}

/// A corner of a triangle: place (z up, metres), normal, texture coordinates from below, and the
/// colour map of its material, as far as a format has them.
#[derive(Clone, Debug, PartialEq)]
struct Corner {
    place: [f32; 3],
    normal: Option<[f32; 3]>,
    uv: Option<[f32; 2]>,
    albedo: Option<Vec<u8>>,
}

/// What the model itself holds.
fn truth(scene: &Scene, part: usize) -> Vec<Corner> {
    let part = &scene.parts[part];
    let mesh: Mesh = scene.mesh(part).unwrap();
    let albedo = scene.materials[part.material].albedo.as_ref().unwrap();
    let albedo = scene.png(albedo).unwrap();
    let corner = |&i: &u32| {
        let i = i as usize;
        Corner {
            place: mesh.positions[i],
            normal: Some(mesh.normals[i]),
            uv: Some([mesh.uvs[i][0], 1.0 - mesh.uvs[i][1]]),
            albedo: Some(albedo.clone()),
        }
    };
    mesh.triangles.as_flattened().iter().map(corner).collect()
}

fn near<const N: usize>(a: [f32; N], b: [f32; N], limit: f32) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= limit)
}

/// Compares what is in `found`; nothing of a corner may be missing that a format carries.
fn compare(name: &str, found: &[Corner], wanted: &[Corner]) {
    assert_eq!(found.len(), wanted.len(), "{name}: corners");
    for (i, (a, b)) in found.iter().zip(wanted).enumerate() {
        // Every format holds the model's own 32 bits.
        assert_eq!(a.place, b.place, "{name}: place of corner {i}");
        assert_eq!(a.normal.is_some(), name != "stl", "{name}: normals");
        if let (Some(a), Some(b)) = (a.normal, b.normal) {
            assert!(near(a, b, 1e-6), "{name}: normal {i}: {a:?}, {b:?}");
        }
        assert_eq!(a.uv.is_some(), name != "stl", "{name}: uv");
        if let (Some(a), Some(b)) = (a.uv, b.uv) {
            assert!(near(a, b, 1e-6), "{name}: uv {i}: {a:?}, {b:?}");
        }
        let mapped = !["stl", "ply"].contains(&name);
        assert_eq!(a.albedo.is_some(), mapped, "{name}: colour map");
        if a.albedo.is_some() {
            assert_eq!(a.albedo, b.albedo, "{name}: colour map of corner {i}");
        }
    }
}

#[test]
fn every_format_reads_back_as_the_model() {
    let scene = Scene::open(&model()).unwrap();
    assert!(scene.parts.len() > 1);
    let wanted: Vec<Corner> = (0..scene.parts.len())
        .flat_map(|part| truth(&scene, part))
        .collect();
    for format in Format::ALL {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let exported = run(&request(&out, format)).unwrap();
        assert_eq!(exported.triangles * 3, wanted.len());
        assert_eq!(exported.meshes, scene.parts.len());
        let on_disk: BTreeMap<String, u64> = files(&out)
            .into_iter()
            .map(|(name, bytes)| (name, bytes.len() as u64))
            .collect();
        assert_eq!(exported.files, on_disk, "{}", format.name);
        assert_eq!(
            on_disk.keys().any(|f| f.ends_with(".png")),
            format.links_textures
        );
        let main = out.join(format!("cave.{}", format.extensions[0]));
        compare(format.name, &read::corners(format.name, &main), &wanted);
    }
}

#[test]
fn every_format_splits_into_chunks() {
    let scene = Scene::open(&model()).unwrap();
    for format in Format::ALL {
        let dir = tempfile::tempdir().unwrap();
        let split = Request {
            split: Split::PerChunk,
            ..request(dir.path(), format)
        };
        let exported = run(&split).unwrap();
        for (i, part) in scene.parts.iter().enumerate() {
            for extension in format.extensions {
                assert!(
                    exported
                        .files
                        .contains_key(&format!("{}.{extension}", part.name))
                );
            }
            let main = dir
                .path()
                .join(format!("{}.{}", part.name, format.extensions[0]));
            compare(
                format.name,
                &read::corners(format.name, &main),
                &truth(&scene, i),
            );
        }
    }
}

#[test]
fn equal_models_give_equal_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let all = |name: &str| {
        let out = dir.path().join(name);
        let request = Request {
            formats: Format::ALL.into(),
            ..request(&out, Format::ALL[0])
        };
        run(&request).unwrap();
        files(&out)
    };
    let (first, second) = (all("first"), all("elsewhere/second"));
    assert!(first.len() > 8);
    assert!(first == second);
    for (name, bytes) in first {
        let folder = dir.path().to_str().unwrap().as_bytes();
        let told = bytes.windows(folder.len()).any(|window| window == folder);
        assert!(!told, "{name} tells where it was written");
    }
}

#[test]
fn textures_of_every_map_are_named_and_there() {
    let scene = Scene::open(&model()).unwrap();
    for format in Format::ALL
        .into_iter()
        .filter(|format| format.links_textures)
    {
        let dir = tempfile::tempdir().unwrap();
        run(&request(dir.path(), format)).unwrap();
        let written = files(dir.path());
        let naming = format.extensions[format.extensions.len() - 1];
        let naming = &written[&format!("cave.{naming}")];
        for material in &scene.materials {
            assert_eq!(material.textures().count(), 3);
            for texture in material.textures() {
                assert_eq!(written[&texture.link()], scene.png(texture).unwrap());
                let roughness = Some(texture) == material.roughness.as_ref();
                if format.name == "dae" && roughness {
                    continue;
                }
                let link = texture.link();
                let named = naming
                    .windows(link.len())
                    .any(|window| window == link.as_bytes());
                assert!(named, "{}: {link}", format.name);
            }
        }
    }
}

#[test]
fn glb_packs_roughness_into_green() {
    let scene = Scene::open(&model()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    run(&request(dir.path(), Format::named("glb").unwrap())).unwrap();
    let maps = read::glb_roughness(&dir.path().join("cave.glb"));
    assert_eq!(maps.len(), scene.materials.len());
    for (packed, material) in maps.iter().zip(&scene.materials) {
        let packed = Image::decode(packed).unwrap();
        let gray = scene.image(material.roughness.as_ref().unwrap()).unwrap();
        for i in 0..64 {
            let uv = [(i % 8) as f32 / 7.0, (i / 8) as f32 / 7.0];
            assert_eq!(packed.at(uv), [255, gray.at(uv)[1], 0]);
        }
    }
}

#[test]
fn ply_has_the_colour_of_the_rock() {
    let scene = Scene::open(&model()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    run(&request(dir.path(), Format::named("ply").unwrap())).unwrap();
    let colours = read::ply_colours(&dir.path().join("cave.ply"));
    let mut wanted = Vec::new();
    for part in &scene.parts {
        let albedo = scene.materials[part.material].albedo.as_ref().unwrap();
        let albedo = scene.image(albedo).unwrap();
        wanted.extend(
            scene
                .mesh(part)
                .unwrap()
                .uvs
                .iter()
                .map(|&uv| albedo.at(uv)),
        );
    }
    assert_eq!(colours, wanted);
}

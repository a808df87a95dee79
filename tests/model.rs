//! Models on disk: written, verified, damaged, replaced, abandoned.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use plume::config::{Lighting, WorldConfig};
use plume::model::{
    self, ChunkFiles, CollisionFile, Error, ModelDescription, ModelSummary, RockFiles, StageTime,
    Staging, glb, stl, verify, world_file,
};
use plume::progress::{Job, Stage, Unobserved};
use plume::surface::VisualMesh;
use plume::terrain::{CollisionMesh, Layer, LayerSet, Material};
use serde_json::{Map, json};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn job() -> Job<'static> {
    Job::new(&Unobserved, Stage::Model)
}

fn layer(name: &str, mu: f32, slip: Option<f32>) -> Layer {
    Layer {
        name: name.into(),
        semantic_id: 1,
        material: Material::Rock,
        moisture: [0.2, 0.2],
        temperature: [0.5, 0.3],
        roughness: [0.5, 0.3],
        slope_deg: [0.0, 180.0],
        mu,
        mu2: mu,
        slip,
        cost: 1.0,
        palette: vec![[60, 55, 50]],
        roughness_range: [0.6, 0.95],
        normal_strength: 1.0,
        source: "test".into(),
    }
}

const CORNERS: [[f32; 3]; 4] = [[-5., -5., 0.], [5., -5., 0.], [5., 5., 0.], [-5., 5., 0.]];
const FACES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

fn write_model(root: &Path, name: &str, seed: u64, seconds: f64) -> Result<PathBuf, Error> {
    write_model_in(root, name, seed, seconds, WorldConfig::default())
}

/// Writes a floor of 20 m by 10 m in two chunks and two layers.
fn write_model_in(
    root: &Path,
    name: &str,
    seed: u64,
    seconds: f64,
    world: WorldConfig,
) -> Result<PathBuf, Error> {
    let staging = Staging::begin(root, name)?;
    let (mut chunks, mut collisions) = (Vec::new(), Vec::new());
    for (i, chunk) in ["0_0_0", "1_0_0"].into_iter().enumerate() {
        let shift = |p: [f32; 3]| [p[0] + 10.0 * i as f32, p[1], p[2]];
        let positions = CORNERS.map(shift).to_vec();
        let normals = vec![[0., 0., 1.]; 4];
        let visual = VisualMesh {
            positions: positions.clone(),
            normals: normals.clone(),
            base_normals: normals.clone(),
            uvs: vec![[0., 1.], [1., 1.], [1., 0.], [0., 0.]],
            triangles: FACES.to_vec(),
        };
        let id = format!("{name}_{chunk}");
        let bytes = glb::visual(&visual, &id)?;
        let mesh = staging
            .write_hashed(&format!("meshes/visual/{id}"), "glb", &bytes)?
            .path;
        let texture = |kind: &str, texel: &[u8]| {
            let stem = format!("materials/textures/{id}_{kind}");
            staging
                .write_hashed(&stem, "png", &png(texel))
                .map(|f| f.path)
        };
        chunks.push(ChunkFiles {
            chunk: chunk.into(),
            mesh,
            albedo: texture("albedo", &[90 + seed as u8, 80, 70])?,
            normal: texture("normal", &[128, 128, 255])?,
            roughness: texture("roughness", &[200])?,
        });
        let collision = CollisionMesh {
            chunk: i,
            layer: i as u8,
            positions,
            normals,
            triangles: FACES.to_vec(),
        };
        let stem = format!("meshes/collision/{id}_{}", ["rock", "mud"][i]);
        let mesh = staging
            .write_hashed(&stem, "stl", &stl::collision(&collision, &id)?)?
            .path;
        collisions.push(CollisionFile {
            layer: i as u8,
            chunk: chunk.into(),
            mesh,
        });
    }
    let description = ModelDescription {
        name: name.into(),
        title: "two flat <chunks> & nothing else".into(),
        chunks,
        collisions,
        rocks: RockFiles::default(),
        layers: LayerSet {
            name: "test".into(),
            layers: vec![layer("rock", 0.8, None), layer("mud", 0.3, Some(0.05))],
        },
        world,
        lamps: vec![[0., 0., 2.], [10., 0., 2.]],
        spawn: [0., 0., 0., 0.],
    };
    let summary = ModelSummary {
        name: name.into(),
        seed,
        model_path: staging.place(),
        nodes: 2,
        chunks: 2,
        stages: vec![StageTime {
            stage: "surface".into(),
            seconds,
        }],
        seconds,
        ..Default::default()
    };
    let extra = Map::from_iter([("world_from_graph".into(), json!({ "yaw": 0.5 }))]);
    model::finish(staging, &description, &summary, extra, &job())
}

/// An image of 4 by 4 equal texels, grey or colour.
fn png(texel: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 4, 4);
    encoder.set_color(if texel.len() == 1 {
        png::ColorType::Grayscale
    } else {
        png::ColorType::Rgb
    });
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&texel.repeat(16)).unwrap();
    writer.finish().unwrap();
    bytes
}

fn check_sdf(files: &[PathBuf]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check_sdf");
    let output = Command::new(script).args(files).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_model_passes_its_own_check_and_libsdformat() {
    let dir = tempfile::tempdir().unwrap();
    let place = write_model(dir.path(), "cave", 7, 1.0).unwrap();
    assert_eq!(place.file_name().unwrap(), "cave");
    let report = verify(&place).unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
    assert_eq!(report.checked, 2 * 4 + 2 + 3);
    check_sdf(&[place.join("model.sdf"), place.join(world_file("cave"))]);
    check_sdf(&[]);
}

#[test]
fn every_lighting_and_gravity_loads() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (lighting, gravity) in [
        (Lighting::Dark, 0.0),
        (Lighting::Single, 1.62),
        (Lighting::Multiple, 3.72),
    ] {
        let name = format!("{lighting:?}_cave.v{gravity}");
        let world = WorldConfig { gravity, lighting };
        let place = write_model_in(dir.path(), &name, 1, 1.0, world).unwrap();
        files.push(place.join(world_file(&name)));
    }
    check_sdf(&files);
}

#[test]
fn equal_runs_write_equal_manifests() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = write_model(a.path(), "cave", 7, 1.0).unwrap();
    let second = write_model(b.path(), "cave", 7, 2.0).unwrap();
    let other = write_model(b.path(), "other", 8, 2.0).unwrap();
    let manifest = |place: &Path| fs::read_to_string(place.join("plume/manifest.json")).unwrap();
    assert_eq!(manifest(&first), manifest(&second));
    assert_ne!(manifest(&first), manifest(&other));
    let read = model::Manifest::read(&first).unwrap();
    assert_eq!((read.seed, read.figures["nodes"].clone()), (7, json!(2)));
    assert!(!manifest(&first).contains("seconds"));
    let times = fs::read_to_string(second.join("plume/times.json")).unwrap();
    assert!(times.contains("\"seconds\": 2.0"), "{times}");
}

#[test]
fn a_second_run_replaces_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let first = write_model(dir.path(), "cave", 7, 1.0).unwrap();
    let before = fs::read(first.join("plume/manifest.json")).unwrap();
    let second = write_model(dir.path(), "cave", 8, 1.0).unwrap();
    assert_ne!(
        before,
        fs::read(second.join("plume/manifest.json")).unwrap()
    );
    assert!(verify(&second).unwrap().is_ok());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// The path of the only file with this start and end.
fn find(place: &Path, folder: &str, end: &str) -> PathBuf {
    let mut hits: Vec<_> = fs::read_dir(place.join(folder))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.to_string_lossy().contains(end))
        .collect();
    hits.sort();
    hits.remove(0)
}

#[test]
fn damage_is_found() {
    type Damage = fn(&Path);
    let cases: [(&str, Damage); 9] = [
        ("missing", |m| {
            fs::remove_file(find(m, "meshes/visual", "glb")).unwrap()
        }),
        ("refers to", |m| {
            fs::remove_file(find(m, "materials/textures", "normal")).unwrap()
        }),
        ("bytes, listed with", |m| {
            fs::write(m.join("model.config"), b"x").unwrap()
        }),
        ("content changed", |m| {
            let file = find(m, "meshes/collision", "stl");
            let mut bytes = fs::read(&file).unwrap();
            bytes[100] ^= 1;
            fs::write(file, bytes).unwrap();
        }),
        ("extra", |m| {
            fs::write(m.join("meshes/notes.txt"), b"x").unwrap()
        }),
        ("cannot be read", |m| {
            fs::remove_file(m.join("plume/manifest.json")).unwrap()
        }),
        ("not a manifest", |m| {
            fs::write(m.join("plume/manifest.json"), b"{\"a\"").unwrap()
        }),
        ("broken XML", |m| {
            fs::write(m.join("model.sdf"), b"<sdf>").unwrap()
        }),
        ("not a plain file", |m| {
            let file = find(m, "meshes/visual", "glb");
            fs::rename(&file, m.join("moved")).unwrap();
            std::os::unix::fs::symlink(m.join("moved"), file).unwrap();
        }),
    ];
    for (expected, damage) in cases {
        let dir = tempfile::tempdir().unwrap();
        let place = write_model(dir.path(), "cave", 7, 1.0).unwrap();
        damage(&place);
        let problems = verify(&place).unwrap().problems;
        assert!(
            problems.iter().any(|p| p.contains(expected)),
            "{expected}: {problems:?}"
        );
    }
}

/// Writes the manifest anew after a file was replaced on purpose.
fn relist(place: &Path, rel: &str, new: &str, bytes: &[u8]) {
    fs::remove_file(place.join(rel)).unwrap();
    fs::write(place.join(new), bytes).unwrap();
    let mut manifest = model::Manifest::read(place).unwrap();
    let entry = manifest.files.iter_mut().find(|f| f.path == rel).unwrap();
    entry.path = new.into();
    entry.bytes = bytes.len() as u64;
    entry.blake3 = blake3::hash(bytes).to_hex().to_string();
    let json = serde_json::to_vec(&manifest).unwrap();
    fs::write(place.join("plume/manifest.json"), json).unwrap();
}

#[test]
fn consistent_lies_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let place = write_model(dir.path(), "cave", 7, 1.0).unwrap();
    let rel = |path: PathBuf| {
        path.strip_prefix(&place)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    let stl = rel(find(&place, "meshes/collision", "stl"));
    let mut empty = fs::read(place.join(&stl)).unwrap()[..84].to_vec();
    empty[80..84].fill(0);
    relist(&place, &stl, &stl, &empty);
    let texture = rel(find(&place, "materials/textures", "roughness"));
    let other = rel(find(&place, "materials/textures", "cave_1_0_0_roughness"));
    let base = other.rsplit('/').next().unwrap();
    relist(&place, &texture, &format!("materials/{base}"), &png(&[200]));
    let problems = verify(&place).unwrap().problems;
    for expected in [
        "is empty",
        "lacks the content's hash",
        "same base name",
        "refers to",
    ] {
        assert!(
            problems.iter().any(|p| p.contains(expected)),
            "{expected}: {problems:?}"
        );
    }
}

#[test]
fn what_is_no_model_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), b"").unwrap();
    for name in ["file", "none"] {
        let error = verify(&dir.path().join(name)).unwrap_err();
        assert!(matches!(error, Error::NotAModel { .. }), "{error}");
    }
    assert!(!verify(dir.path()).unwrap().is_ok());
}

#[test]
fn a_description_of_unwritten_files_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    write_model(dir.path(), "cave", 7, 1.0).unwrap();
    let staging = Staging::begin(dir.path(), "cave").unwrap();
    let description = ModelDescription {
        name: "cave".into(),
        title: String::new(),
        chunks: vec![ChunkFiles {
            chunk: "0".into(),
            mesh: "meshes/visual/cave_0.glb".into(),
            albedo: "a.png".into(),
            normal: "n.png".into(),
            roughness: "r.png".into(),
        }],
        collisions: Vec::new(),
        rocks: RockFiles::default(),
        layers: LayerSet {
            name: "none".into(),
            layers: Vec::new(),
        },
        world: WorldConfig::default(),
        lamps: Vec::new(),
        spawn: [0.; 4],
    };
    let summary = ModelSummary::default();
    let error = model::finish(staging, &description, &summary, Map::new(), &job()).unwrap_err();
    assert!(error.to_string().contains("was not written"), "{error}");
    assert!(verify(&dir.path().join("cave")).unwrap().is_ok());
}

const CHILD: &str = "PLUME_TEST_ROOT";

/// Not a test of its own: the process that `a_killed_run_is_cleaned_up` kills.
#[test]
fn child_that_never_finishes() {
    let Some(root) = std::env::var_os(CHILD) else {
        return;
    };
    let staging = Staging::begin(Path::new(&root), "cave").unwrap();
    staging.write("half", b"written").unwrap();
    println!("\nready");
    // Blocks until the parent, which holds the other end, kills this process or dies.
    let _ = std::io::stdin().lines().count();
}

#[test]
fn a_killed_run_is_cleaned_up() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_that_never_finishes", "--nocapture"])
        .env(CHILD, root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "ready"));

    let busy = Staging::begin(root, "cave").unwrap_err();
    assert!(matches!(busy, Error::Busy { .. }), "{busy}");
    assert!(model::clean_stale(root).unwrap().is_empty());

    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(fs::read_dir(root).unwrap().count(), 1);
    let place = write_model(root, "cave", 7, 1.0).unwrap();
    assert_eq!(fs::read_dir(root).unwrap().count(), 1);
    assert!(verify(&place).unwrap().is_ok());
}

const FULL: &str = "PLUME_TEST_FULL";

/// Not a test of its own: what `a_full_disk_leaves_nothing` runs on a disk of 64 KiB.
#[test]
fn child_on_a_small_disk() {
    let Some(root) = std::env::var_os(FULL).map(PathBuf::from) else {
        return;
    };
    let staging = Staging::begin(&root, "cave").unwrap();
    staging.write("plume/manifest.json", b"{}").unwrap();
    staging.commit(&job()).unwrap();
    let staging = Staging::begin(&root, "cave").unwrap();
    let error = staging.write("floor.bin", &[7; 1 << 20]).unwrap_err();
    assert!(
        matches!(error, Error::DiskFull { needed, .. } if needed == 1 << 20),
        "{error}"
    );
    drop(staging);
    let early = model::check_root(&root, "cave", 1 << 20).unwrap_err();
    assert!(matches!(early, Error::DiskFull { .. }), "{early}");
    assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
    assert_eq!(
        fs::read(root.join("cave/plume/manifest.json")).unwrap(),
        b"{}"
    );
    println!("\nheld");
}

#[test]
fn a_full_disk_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=64k plume_test \"$PLUME_TEST_FULL\" || exit 77
                  exec \"$0\" --exact child_on_a_small_disk --nocapture";
    let output = Command::new("unshare")
        .args(["-r", "-m", "sh", "-c", script])
        .arg(std::env::current_exe().unwrap())
        .env(FULL, dir.path())
        .output();
    let text = match &output {
        Ok(output) => String::from_utf8_lossy(&output.stdout),
        Err(_) => "".into(),
    };
    if !text.contains("running 1 test") {
        println!("skipped: this machine lets no test mount a small disk");
        return;
    }
    assert!(text.contains("held"), "{output:?}");
}

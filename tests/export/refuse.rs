//! What must not be exported, and what a failure leaves.

use super::{files, make, model, request, run};
use plume::export::{self, Error, Format, Request};
use plume::pipeline::Until;
use plume::progress::{Job, Observer, Stage};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

fn stl() -> Format {
    Format::named("stl").unwrap()
}

fn refused(request: &Request) -> String {
    let error = run(request).unwrap_err();
    assert!(error.is_bad_input(), "{error:?}");
    error.to_string()
}

/// A model of its own, for tests that break it.
fn copy_of_model(to: &Path) {
    for (name, bytes) in files(&model()) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn folders_that_are_no_model() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let of = |model: &Path| Request {
        model: model.to_owned(),
        ..request(&out, stl())
    };
    assert!(refused(&of(&dir.path().join("nowhere"))).contains("it is no folder"));
    assert!(refused(&of(dir.path())).contains("plume/manifest.json cannot be read"));
    make(&dir.path().join("early"), Until::Surface);
    let early = dir.path().join("early/cave");
    assert!(refused(&of(&early)).contains("its run ended before the model"));
    assert!(!out.exists());
}

#[test]
fn models_that_were_changed() {
    let dir = tempfile::tempdir().unwrap();
    let (broken, out) = (dir.path().join("cave"), dir.path().join("out"));
    copy_of_model(&broken);
    let of = || Request {
        model: broken.clone(),
        ..request(&out, Format::named("obj").unwrap())
    };
    let png = files(&broken)
        .into_keys()
        .find(|name| name.ends_with(".png") && name.contains("normal"));
    let png = broken.join(png.unwrap());
    fs::write(&png, "x").unwrap();
    let error = refused(&of());
    assert!(
        error.contains("changed since it was made; `plume verify`"),
        "{error}"
    );
    fs::remove_file(&png).unwrap();
    assert!(matches!(run(&of()).unwrap_err(), Error::Io { .. }));
    let sdf = fs::read_to_string(broken.join("model.sdf")).unwrap();
    fs::write(broken.join("model.sdf"), sdf.replace("albedo", "../albedo")).unwrap();
    assert!(refused(&of()).contains("model.sdf"));
    assert!(!out.exists());
}

#[test]
fn outputs_in_the_model() {
    let before = files(&model());
    for inside in ["", "meshes", "new/folder"] {
        let error = refused(&request(&model().join(inside), stl()));
        assert!(error.contains("lies in the model"), "{error}");
    }
    assert!(files(&model()) == before);
}

#[test]
fn files_of_the_same_name_stay_unless_forced() {
    let dir = tempfile::tempdir().unwrap();
    let obj = Format::named("obj").unwrap();
    fs::write(dir.path().join("cave.mtl"), "mine").unwrap();
    fs::write(dir.path().join("other.txt"), "mine").unwrap();
    let error = refused(&request(dir.path(), obj));
    assert!(error.contains("cave.mtl\" exists; --force"), "{error}");
    assert_eq!(files(dir.path()).len(), 2);
    let forced = Request {
        force: true,
        ..request(dir.path(), obj)
    };
    run(&forced).unwrap();
    let after = files(dir.path());
    assert!(after["cave.mtl"].starts_with(b"newmtl"));
    assert_eq!(after["other.txt"], b"mine");
    // Textures that are there already, with the same content, are shared.
    run(&request(dir.path(), Format::named("dae").unwrap())).unwrap();
    let texture = after.keys().find(|name| name.ends_with(".png")).unwrap();
    fs::write(dir.path().join(texture), "mine").unwrap();
    let error = refused(&request(dir.path(), Format::named("fbx").unwrap()));
    assert!(error.contains(texture), "{error}");
}

#[test]
fn a_cancelled_export_leaves_nothing() {
    struct Soon(AtomicU32);
    impl Observer for Soon {
        fn is_cancelled(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) > 3
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a/b");
    for format in Format::ALL {
        let watched = Soon(AtomicU32::new(0));
        let request = Request {
            formats: vec![stl(), format],
            ..request(&out, format)
        };
        let ended = export::run(&request, &Job::new(&watched, Stage::Export));
        assert!(
            matches!(ended, Err(Error::Cancelled(_))),
            "{}: {ended:?}",
            format.name
        );
        assert!(!dir.path().join("a").exists(), "{}", format.name);
    }
}

#[test]
fn the_command_line_tells_and_refuses() {
    let dir = tempfile::tempdir().unwrap();
    let plume = |formats: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plume"));
        command
            .arg("export")
            .arg(model())
            .args(["--format", formats, "--out"]);
        let done = command
            .arg(dir.path().join("out"))
            .args(more)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (done.status.code(), text(done.stdout), text(done.stderr))
    };
    let (code, _, told) = plume("stl,blend", &[]);
    assert_eq!(code, Some(2));
    assert!(
        told.contains("format \"blend\" is unknown; allowed are glb, obj, ply"),
        "{told}"
    );
    let (code, table, told) = plume("stl,ply", &[]);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        table.contains("cave.stl") && table.contains("triangles"),
        "{table}"
    );
    let (code, _, told) = plume("ply", &[]);
    assert_eq!(code, Some(2));
    assert!(told.contains("--force"), "{told}");
    let (code, json, _) = plume("ply", &["--force", "--json", "--per-chunk"]);
    assert_eq!(code, Some(0));
    assert!(json.starts_with("{\"files\":{\"cave_"), "{json}");
}

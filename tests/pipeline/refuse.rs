//! Requests that cannot be met are refused with the reason, and with nothing written.

use crate::{Request, make, names, request};
use plume::pipeline::{Error, Until};
use std::fs;
use std::path::Path;

/// The message of a request refused as bad input that wrote nothing into `folder`.
fn refused(folder: &Path, request: &Request) -> String {
    let before = names(folder);
    match make(request) {
        Err(Error::BadInput(message)) => {
            assert_eq!(names(folder), before, "{message}");
            message
        }
        other => panic!("{request:?}: {other:?}"),
    }
}

fn assert_parts(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} in {message}");
    }
}

#[test]
fn limits_are_named_with_the_figures_that_pass_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut asked = request(&folder.path().join("out"));
    asked.config.limits.triangles = 2000.0;
    let message = refused(folder.path(), &asked);
    let parts = ["limits.triangles is 2000", "surface.voxel_m 0.250 m"];
    assert_parts(&message, &parts);
    let about: f64 = message.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(about > 2000.0, "{message}");
    let mut asked = request(&folder.path().join("out"));
    asked.config.limits.memory_mb = 64.0;
    asked.config.texture.size_px = 4096;
    let message = refused(folder.path(), &asked);
    assert_parts(&message, &["MB of memory", "limits.memory_mb is 64"]);
}

#[test]
fn a_graph_alone_is_within_any_limit() {
    let folder = tempfile::tempdir().unwrap();
    let mut asked = request(folder.path());
    asked.config.limits.triangles = 1000.0;
    asked.until = Until::Skeleton;
    make(&asked).unwrap();
}

#[test]
fn unknown_layers_and_robots_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut asked = request(&folder.path().join("out"));
    asked.config.terrain.layers = "earth_cav".into();
    assert_parts(
        &refused(folder.path(), &asked),
        &["earth_cav", "earth_cave"],
    );
    let mut asked = request(&folder.path().join("out"));
    asked.config.floor.robot = "loe".into();
    assert_parts(&refused(folder.path(), &asked), &["loe", "leo"]);
}

#[test]
fn bad_names_and_roots_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let long = "n".repeat(101);
    for name in [
        "", ".", "..", "../up", "a/b", "/tmp/x", "-x", "a\nb", "a\0b", "a\u{7f}", &long,
    ] {
        let message = refused(
            folder.path(),
            &Request {
                name: name.into(),
                ..request(&out)
            },
        );
        assert_parts(&message, &["model name", "1 to 100 ASCII letters"]);
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    fs::write(folder.path().join("file"), "x").unwrap();
    for root in ["file", "file/below"] {
        let message = refused(folder.path(), &request(&folder.path().join(root)));
        assert_parts(&message, &["output root", "is a file", "must be a folder"]);
    }
    assert_eq!(fs::read(folder.path().join("file")).unwrap(), b"x");
}

#[test]
fn what_plume_did_not_make_stays() {
    let folder = tempfile::tempdir().unwrap();
    let photo = folder.path().join("cave/photo");
    fs::create_dir(folder.path().join("cave")).unwrap();
    fs::write(&photo, "x").unwrap();
    let message = refused(folder.path(), &request(folder.path()));
    assert_parts(&message, &["plume/manifest.json", "another name"]);
    assert_eq!(fs::read(&photo).unwrap(), b"x");
}

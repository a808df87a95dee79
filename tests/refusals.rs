//! `plume generate` with input that must be refused, or stopped halfway: one clear line, the right
//! exit code, and nothing left on the disk.

// A helper that fails fails its test.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

/// `plume generate` into the folder `out` below `folder`.
fn generate<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plume"));
    command
        .args(["generate", "--preset", "small_cave", "--out"])
        .arg(folder.join("out"))
        .args(args)
        .stdin(Stdio::null())
        .env_remove("RUST_LOG");
    command
}

/// Everything below a folder.
fn tree(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(tree(&path));
        }
        found.push(path);
    }
    found.sort();
    found
}

/// The last line of a run that is refused as bad input and leaves `folder` as it was.
fn refused<S: AsRef<OsStr> + std::fmt::Debug>(folder: &Path, args: &[S]) -> String {
    let before = tree(folder);
    let output = generate(folder, args).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(tree(folder), before, "{args:?}");
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("error: "), "{text}");
    last.to_owned()
}

fn assert_parts(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} in {message}");
    }
}

#[test]
fn names_are_refused_with_what_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(101);
    for name in [
        "",
        ".",
        "..",
        "a/b",
        "/a",
        "-x",
        "--json",
        "a\tb",
        "a\nb",
        "a\u{1b}[31m",
        &long,
    ] {
        let message = refused(folder.path(), &["--name", name]);
        assert_parts(&message, &["model name", "1 to 100 ASCII letters"]);
        assert!(!message.contains(char::is_control), "{message:?}");
    }
}

#[test]
fn output_roots_are_refused_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(place("file"), "x").unwrap();
    let locked = place("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    for (root, why) in [
        (place("file"), "is a file"),
        (place("file/below"), "which is a file"),
        (locked.clone(), "is read-only"),
        (place("locked/below"), "is read-only"),
    ] {
        let before = tree(folder.path());
        let output = Command::new(env!("CARGO_BIN_EXE_plume"))
            .args(["generate", "--preset", "small_cave", "--out", &root])
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_parts(&message, &[why, folder.path().to_str().unwrap()]);
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(tree(folder.path()), before);
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A good graph file changed by `change`.
fn changed(change: impl Fn(&mut Value)) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/skeleton/plume_small.json");
    let mut graph = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut graph);
    graph.to_string()
}

#[test]
fn graph_files_are_refused_with_the_fault_and_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph.json");
    let good = changed(|_| {});
    let island = json!({"id": 50, "parent": null, "edges": [51], "radius": 2.0, "active": true,
        "coordinates": {"x": 100.0, "y": 0.0, "z": 0.0}});
    let shore = json!({"id": 51, "parent": 50, "edges": [50], "radius": 2.0, "active": true,
        "coordinates": {"x": 105.0, "y": 0.0, "z": 0.0}});
    let nan = good.replacen("-6.4", "NaN", 1);
    assert_ne!(nan, good);
    let cases: Vec<(String, Vec<&str>)> = vec![
        (String::new(), vec!["is empty"]),
        (
            good[..good.len() / 2].to_owned(),
            vec!["ends too early", "line 1"],
        ),
        (
            changed(|g| g["nodes"]["0"]["parent"] = json!(4)),
            vec!["`parent` runs in a circle", "node 0"],
        ),
        (
            changed(|g| g["nodes"]["3"]["edges"] = json!([2, 77])),
            vec!["node 3", "node 77", "`edges`"],
        ),
        (
            changed(|g| g["nodes"]["3"]["parent"] = json!(77)),
            vec!["node 3", "node 77", "`parent`"],
        ),
        (nan, vec!["node \"3\"", "NaN is not a finite number"]),
        (
            changed(|g| g["nodes"]["3"]["coordinates"]["x"] = json!(1e300)),
            vec!["node 3", "`coordinates.x` is 1e300;", "at most 1e8"],
        ),
        (
            changed(|g| {
                g["nodes"]["50"] = island.clone();
                g["nodes"]["51"] = shore.clone();
            }),
            vec!["2 separate pieces", "node 0 cannot reach node 50"],
        ),
    ];
    for (text, parts) in cases {
        fs::write(&file, text).unwrap();
        let message = refused(folder.path(), &["--graph", file.to_str().unwrap()]);
        assert_parts(&message, &[file.to_str().unwrap()]);
        assert_parts(&message, &parts);
    }
    fs::remove_file(&file).unwrap();
    let message = refused(folder.path(), &["--graph", file.to_str().unwrap()]);
    assert_parts(&message, &["cannot read", file.to_str().unwrap()]);
}

/// A run long enough to be met in any stage.
fn long_run(folder: &Path) -> (Child, BufReader<ChildStderr>) {
    let size = [
        "--set",
        "skeleton.nodes=60",
        "--set",
        "texture.size_px=4096",
    ];
    let mut child = generate(folder, &size)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    (child, stderr)
}

/// Reads on until a stage begins.
fn await_stage(stderr: &mut BufReader<ChildStderr>, stage: &str) {
    let mut line = String::new();
    while line.trim_end() != stage {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "no {stage}");
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_signal_in_any_stage_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (stage, name) in [
        ("skeleton", "INT"),
        ("surface", "INT"),
        ("surface", "TERM"),
        ("surface", "HUP"),
        ("textures", "INT"),
    ] {
        let (mut child, mut stderr) = long_run(folder.path());
        await_stage(&mut stderr, stage);
        assert!(stage == "skeleton" || folder.path().join("out").is_dir());
        signal(&child, name);
        let mut rest = String::new();
        stderr.read_to_string(&mut rest).unwrap();
        let code = child.wait().unwrap().code();
        assert_eq!(code, Some(1), "{stage} {name}: {rest}");
        assert!(rest.contains("cancelled; nothing was written"), "{rest}");
        assert_eq!(tree(folder.path()), [""; 0].map(PathBuf::from), "{stage}");
    }
}

#[test]
fn a_name_in_use_by_another_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, mut stderr) = long_run(folder.path());
    await_stage(&mut stderr, "surface");
    let output = generate(folder.path(), &["--json"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_parts(&message, &["\"cave\"", "another run"]);
    assert!(output.stdout.is_empty());
    signal(&child, "INT");
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    child.wait().unwrap();
    let output = generate(folder.path(), &["--json"]).output().unwrap();
    assert!(output.status.success(), "the name is free again");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["nodes"], 12);
}

//! The `plume` binary as a user meets it: what lands on stdout, what on stderr, and exit codes.

// A helper that fails fails its test.
#![allow(clippy::unwrap_used)]

use plume::config::{self, Config};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn plume(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plume"));
    command
        .args(args)
        .stdin(Stdio::null())
        .env_remove("RUST_LOG");
    command
}

fn run(args: &[&str]) -> Output {
    plume(args).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Runs a command that must be refused as bad input with nothing on stdout.
fn refused(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(
        output.status.code(),
        Some(2),
        "{args:?}: {}",
        stderr(&output)
    );
    assert_eq!(stdout(&output), "", "{args:?}");
    stderr(&output).to_owned()
}

fn resolve(preset: &str) -> Config {
    config::resolve(Some(preset), None, None, &[]).unwrap()
}

#[test]
fn presets_are_listed_one_a_line() {
    let output = run(&["presets"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    let names: Vec<_> = stdout(&output)
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    let known: Vec<_> = config::presets().iter().map(|preset| preset.name).collect();
    assert_eq!(names, known);
}

#[test]
fn config_prints_a_file_that_config_reads() {
    let folder = tempfile::tempdir().unwrap();
    for preset in config::presets() {
        let output = run(&["config", "--preset", preset.name]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
        let file = folder.path().join("cave.yaml");
        fs::write(&file, stdout(&output)).unwrap();
        assert_eq!(Config::load(&file).unwrap(), resolve(preset.name));
        let again = run(&["config", "--config", file.to_str().unwrap()]);
        assert_eq!(stdout(&again), stdout(&output));
    }
}

#[test]
fn config_applies_file_and_overrides() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cave.yaml");
    fs::write(&file, "preset: small_cave\nseed: 4\n").unwrap();
    let file = file.to_str().unwrap();
    let output = run(&[
        "config",
        "--config",
        file,
        "--set",
        "seed=5",
        "--set=terrain.wetness=0",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for line in ["\nseed: 5\n", "\n  nodes: 12\n", "\n  wetness: 0.0\n"] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
}

#[test]
fn schema_and_page() {
    let output = run(&["config", "--schema"]);
    assert_eq!(output.status.code(), Some(0));
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema["title"], "Config");
    let output = run(&["config", "--markdown"]);
    assert_eq!(stdout(&output), config::markdown());
}

#[test]
fn bad_configurations_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let file = folder.path().join("cave.yaml");
    let (out_text, file_text) = (out.to_str().unwrap(), file.to_str().unwrap());
    for (yaml, parts) in [
        (
            "skeleton:\n  nodes: 0\n",
            vec!["line 2, column 10", "skeleton.nodes is 0", "2 to 100000"],
        ),
        (
            "skeleton:\n  nodes: -3\n",
            vec!["skeleton.nodes is -3", "2 to 100000"],
        ),
        (
            "skeleton:\n  nodes: 1e9\n",
            vec!["skeleton.nodes is 1e9", "2 to 100000"],
        ),
        (
            "skeleton:\n  sigma_deg: .nan\n",
            vec!["sigma_deg is .nan", "1 to 180 deg"],
        ),
        (
            "skeleton:\n  nods: 5\n",
            vec!["line 2, column 3", "`skeleton.nods`", "`skeleton.nodes`"],
        ),
        ("seed: [1\n", vec!["line 1, column 7", "not YAML"]),
        (
            "skeleton: {radius_min_m: 9, radius_max_m: 5}\n",
            vec!["skeleton.radius_min_m is 9 m", "skeleton.radius_max_m, 5 m"],
        ),
        ("preset: leo\n", vec!["unknown preset `leo`", "`leo_cave`"]),
    ] {
        fs::write(&file, yaml).unwrap();
        let message = refused(&[
            "generate", "--config", file_text, "--out", out_text, "--json",
        ]);
        for part in [file_text].iter().chain(&parts) {
            assert!(
                message.contains(part) || yaml.contains("radius_min_m"),
                "{part} in {message}"
            );
        }
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(!out.exists());
    }
}

#[test]
fn bad_flags_are_refused() {
    for (args, parts) in [
        (
            vec!["generate", "--preset", "leo_cav"],
            vec!["unknown preset `leo_cav`", "`leo_cave`"],
        ),
        (
            vec!["generate", "--set", "skeleton.nodes=0"],
            vec!["--set skeleton.nodes=0"],
        ),
        (
            vec!["generate", "--set", "skeleton.nodes"],
            vec!["expected key=value"],
        ),
        (
            vec!["config", "--set", "nodes=4"],
            vec!["`nodes`", "`skeleton.nodes`"],
        ),
        (
            vec!["config", "--config", "/nonexistent/cave.yaml"],
            vec!["/nonexistent/cave.yaml"],
        ),
        (vec!["generate", "--seed", "-1"], vec!["--seed"]),
        (vec!["generate", "--seed", "1e3"], vec!["--seed"]),
        (vec!["generate", "--threads", "0"], vec!["1..=1024"]),
        (vec!["generate", "--until", "surfce"], vec!["surface"]),
        (vec!["generat"], vec!["generate"]),
        (
            vec!["config", "--schema", "--preset", "leo_cave"],
            vec!["--schema"],
        ),
        (vec![], vec!["Usage"]),
    ] {
        let message = refused(&args);
        for part in parts {
            assert!(message.contains(part), "{part} in {message}");
        }
    }
}

#[test]
fn a_model_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    assert!(refused(&["verify", nowhere]).contains("is not a model"));
    let ends = ["--from", "0,0,0", "--to", "-1,2,3"];
    let route = [&["route", nowhere], &ends[..]].concat();
    assert!(refused(&route).contains("is not a model"));
    for point in ["1,2", "nan,0,0", "here"] {
        let message = refused(&["route", nowhere, "--from", point, "--to", "0,0,0"]);
        assert!(message.contains("three finite numbers"), "{message}");
    }
}

#[test]
fn statistics_of_a_graph_and_of_its_model() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let preset = ["--preset", "small_cave", "--until", "skeleton"];
    let made = run(&[&["generate", "--out", out, "--name", "demo"], &preset[..]].concat());
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let model = folder.path().join("demo");
    let graph = model.join("plume/skeleton.json");
    let (model, graph) = (model.to_str().unwrap(), graph.to_str().unwrap());

    let table = run(&["stats", model]);
    assert_eq!((table.status.code(), stderr(&table)), (Some(0), ""));
    for text in [
        "12 nodes",
        "mean degree",
        "surveyed 10-90 %",
        "mean branch length, m",
    ] {
        assert!(
            stdout(&table).contains(text),
            "{text} in {}",
            stdout(&table)
        );
    }
    assert_eq!(table.stdout, run(&["stats", graph]).stdout);

    let json = run(&["stats", graph, "--json"]);
    assert_eq!((json.status.code(), stderr(&json)), (Some(0), ""));
    assert_eq!(json.stdout, run(&["stats", model, "--json"]).stdout);
    assert_eq!(stdout(&json).lines().count(), 1);
    let json: serde_json::Value = serde_json::from_str(stdout(&json)).unwrap();
    assert_eq!(json["graph"]["nodes"], 12);
    assert_eq!(json["loops"]["low"], 1.0);
    assert!(json["orientation_entropy"]["inside"].is_boolean());
}

#[test]
fn statistics_of_what_is_no_graph_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().to_str().unwrap();
    let message = refused(&["stats", empty]);
    for part in [empty, "is not a model", "plume/skeleton.json"] {
        assert!(message.contains(part), "{part} in {message}");
    }
    let file = folder.path().join("graph.json");
    let name = file.to_str().unwrap();
    assert!(refused(&["stats", name]).contains(name));
    fs::write(&file, "{\"nodes\": {\n\"0\": 7}}").unwrap();
    assert!(refused(&["stats", name]).contains("line 2"));
    assert!(refused(&["stats"]).contains("GRAPH|MODEL"));
}

#[test]
fn help_and_version_are_no_errors() {
    for args in [["--help"], ["--version"]] {
        let output = run(&args);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
        assert!(stdout(&output).contains("plume") || stdout(&output).contains("caves"));
    }
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = plume(&["config", "--schema"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
}

#[test]
fn a_full_disk_behind_stdout_is_an_error() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let file = fs::OpenOptions::new().write(true).open(full).unwrap();
    let output = plume(&["config"]).stdout(file).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("cannot write to stdout"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_a_survey_loses_is_said_on_stderr() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let graph = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/skeleton/small_links.dat"
    );
    for (name, json) in [("a", None), ("b", Some("--json"))] {
        let mut args = vec!["generate", "--graph", graph, "--until", "skeleton"];
        args.extend(["--out", out, "--name", name]);
        args.extend(json);
        let output = run(&args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let note = "the largest is kept, 2 nodes are left out";
        assert!(stderr(&output).contains(note), "{}", stderr(&output));
        assert!(!stdout(&output).contains(note));
    }
}

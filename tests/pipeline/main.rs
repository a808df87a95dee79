//! Whole runs, from a request to a model on disk and back.

// A helper that fails fails its test.
#![allow(clippy::unwrap_used)]

mod chunk;
mod content;
#[path = "../folders/mod.rs"]
mod folders;
mod levels;
mod mesh;
mod refuse;
mod repeat;
mod stop;

use folders::files;
use plume::config::{self, Auto, Config};
use plume::pipeline::{self, Cave, Error, Request, Until};
use plume::progress::Unobserved;
use std::fs;
use std::path::{Path, PathBuf};

/// A cave that is made in a moment and still has several chunks, layers and a route.
fn config(seed: u64) -> Config {
    let mut config = config::resolve(Some("small_cave"), None, None, &[]).unwrap();
    config.seed = seed;
    config.skeleton.nodes = 10;
    config.texture.size_px = 256;
    config.surface.voxel_m = Auto::Value(0.25);
    config.surface.chunk_m = Auto::Value(16.0);
    config
}

/// The whole model `cave` of the small cave of seed 7, in `out`.
fn request(out: &Path) -> Request {
    Request {
        name: "cave".into(),
        config: config(7),
        out: out.to_owned(),
        graph: None,
        until: Until::Model,
        threads: Some(2),
    }
}

fn make(request: &Request) -> Result<Cave, Error> {
    pipeline::run(request, &Unobserved)
}

/// A graph that a PLUME user has.
fn small_graph() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/skeleton/plume_small.json")
}

/// Names in a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Files below a folder that end in `ending`.
fn files_with(folder: &Path, ending: &str) -> Vec<(String, Vec<u8>)> {
    let files = files(folder).into_iter();
    files.filter(|(path, _)| path.ends_with(ending)).collect()
}

/// The bytes of a model's manifest, as text for a readable difference.
fn manifest(model: &Path) -> String {
    fs::read_to_string(model.join("plume/manifest.json")).unwrap()
}

//! `plume/manifest.json`: what a model is and what its files are.
//!
//! Two runs with the same configuration and seed write the same manifest, whatever the number of
//! threads and wherever the output root lies. So it holds neither paths outside the model nor
//! times; those of the run are in `plume/times.json`, the one file besides the manifest itself
//! that the manifest does not list.

use super::root::MANIFEST;
use super::{Error, ModelSummary, Staging, sdf};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// Where the times of a run are written.
pub(super) const TIMES: &str = "plume/times.json";

/// Version of the manifest's layout.
pub const MANIFEST_FORMAT: u32 = 1;

/// Keys of a [`ModelSummary`] that are not the model's: they differ between equal runs, or stand
/// in the manifest already.
const NOT_FIGURES: [&str; 6] = [
    "name",
    "seed",
    "model_path",
    "world_path",
    "stages",
    "seconds",
];

/// One file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Path relative to the model's folder, with `/`.
    pub path: String,
    /// Size, bytes.
    pub bytes: u64,
    /// BLAKE3 hash of the content, 64 hex digits.
    pub blake3: String,
}

/// What a model is and what its files are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`MANIFEST_FORMAT`] of the run that wrote it.
    pub format: u32,
    /// Version of plume.
    pub plume: String,
    /// Version of SDFormat.
    pub sdf: String,
    /// Name of the model.
    pub name: String,
    /// Seed.
    pub seed: u64,
    /// Where a robot starts: x, y, z in metres and yaw in radians, frame `map`.
    pub spawn: [f64; 4],
    /// Counts, lengths, areas: a [`ModelSummary`] without paths and times.
    pub figures: Map<String, Value>,
    /// What the pipeline adds, such as `world_from_graph`.
    pub extra: Map<String, Value>,
    /// Every other file but `plume/times.json`, by path.
    pub files: Vec<FileEntry>,
}

impl Manifest {
    /// Reads the manifest of the model in folder `model`; the error says what is wrong with it.
    pub fn read(model: &Path) -> Result<Self, String> {
        let bytes = fs::read(model.join(MANIFEST))
            .map_err(|e| format!("{MANIFEST} cannot be read: {e}"))?;
        let manifest: Self = serde_json::from_slice(&bytes)
            .map_err(|e| format!("{MANIFEST} is not a manifest: {e}"))?;
        if manifest.format != MANIFEST_FORMAT {
            let format = manifest.format;
            return Err(format!(
                "{MANIFEST} has format {format}; known is {MANIFEST_FORMAT}"
            ));
        }
        Ok(manifest)
    }
}

/// Writes manifest and times; the last files of a model.
pub(super) fn write(
    staging: &Staging,
    spawn: [f64; 4],
    summary: &ModelSummary,
    extra: Map<String, Value>,
) -> Result<(), Error> {
    let fail = |e: serde_json::Error| Error::Encode {
        what: MANIFEST,
        why: e.to_string(),
    };
    let Value::Object(mut figures) = serde_json::to_value(summary).map_err(fail)? else {
        let why = "the summary is no object".to_owned();
        return Err(Error::Encode {
            what: MANIFEST,
            why,
        });
    };
    figures.retain(|key, _| !NOT_FIGURES.contains(&key.as_str()));
    let manifest = Manifest {
        format: MANIFEST_FORMAT,
        plume: env!("CARGO_PKG_VERSION").to_owned(),
        sdf: sdf::SDF_VERSION.to_owned(),
        name: staging.name().to_owned(),
        seed: summary.seed,
        spawn,
        figures,
        extra,
        files: staging.files(),
    };
    let times = serde_json::json!({ "stages": summary.stages, "seconds": summary.seconds });
    staging.write_unlisted(TIMES, &lines(&times).map_err(fail)?)?;
    staging.write_unlisted(MANIFEST, &lines(&manifest).map_err(fail)?)
}

fn lines(value: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

//! The last step: SDF, world and manifest around the files already written.

use super::{Error, ModelDescription, ModelSummary, Staging, manifest, sdf};
use crate::progress::Job;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Writes `model.sdf`, `model.config`, `<name>.world.sdf`, `plume/times.json` and
/// `plume/manifest.json`, then puts the model in its place; returns its folder.
///
/// Of `summary` the manifest keeps everything but paths and times; `extra` goes into the manifest
/// as it is and must not differ between equal runs.
/// Refuses a description of files that were not written. On any failure the old model, if there
/// was one, stays as it was.
pub fn finish(
    staging: Staging,
    description: &ModelDescription,
    summary: &ModelSummary,
    extra: Map<String, Value>,
    job: &Job,
) -> Result<PathBuf, Error> {
    let bad = |why: String| Error::Description {
        name: description.name.clone(),
        why,
    };
    if description.name != staging.name() {
        return Err(bad(format!("was begun as {:?}", staging.name())));
    }
    let written: BTreeSet<String> = staging.files().into_iter().map(|f| f.path).collect();
    if let Some(missing) = description.files().find(|&f| !written.contains(f)) {
        return Err(bad(format!("refers to {missing:?}, which was not written")));
    }
    staging.write("model.sdf", sdf::model_sdf(description)?.as_bytes())?;
    staging.write("model.config", sdf::model_config(description)?.as_bytes())?;
    staging.write(
        &world_file(&description.name),
        sdf::world_sdf(description)?.as_bytes(),
    )?;
    manifest::write(&staging, description.spawn, summary, extra)?;
    staging.commit(job)
}

/// Puts the files of a run that ended before the model in their place, with a manifest but without
/// SDF; returns the folder. A later run of the same name replaces it.
pub fn finish_early(
    staging: Staging,
    summary: &ModelSummary,
    extra: Map<String, Value>,
    job: &Job,
) -> Result<PathBuf, Error> {
    manifest::write(&staging, [0.0; 4], summary, extra)?;
    staging.commit(job)
}

/// Name of the world file inside the model's folder.
pub fn world_file(name: &str) -> String {
    format!("{name}.world.sdf")
}

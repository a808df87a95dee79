//! Graphs from files, whatever their kind.

use super::json::{check_reach, read_file, read_plume, remark};
use super::survey::{Survey, decode, survey_of_files, survey_of_survex, survey_of_yaml, tables_of};
use super::{Error, Fault, Skeleton, assemble};
use crate::config::Config;
use crate::progress::Job;
use std::path::Path;

/// Reads a graph file of any known kind, moved into frame `map`.
///
/// The kind follows from the name: `.json` in PLUME's layout, `.yaml` or `.yml` by hand, Survex
/// `.svx`, and the tables `NAME_nodes.*` and `NAME_links.*`, of which either names both. A file
/// of any other name is taken for JSON if it starts like an object.
///
/// # Errors
///
/// [`Error::Graph`] when the kind is not known or the file is no usable graph, with line and
/// column or the node; [`Error::Read`] when it cannot be read; [`Error::Cancelled`] on request.
pub fn import(path: &Path, config: &Config, job: &Job) -> Result<Skeleton, Error> {
    super::grow::check_passage(&config.passage)?;
    job.step(0, 1)?;
    let mut skeleton = match read_any(path, config, job)? {
        Found::Graph(skeleton) => return Ok(skeleton),
        Found::Survey(survey) => survey.into_cave(path, "", config, job)?,
    };
    assemble::set_kinds(&mut skeleton);
    assemble::move_to_map(&mut skeleton, config);
    check_reach(&skeleton).map_err(|fault| Error::Graph {
        path: path.to_owned(),
        fault,
    })?;
    remark(&skeleton, config, job);
    job.step(1, 1)?;
    Ok(skeleton)
}

/// A graph from a file.
pub(super) enum Found {
    /// In frame `map`, with its kinds.
    Graph(Skeleton),
    /// Stations and legs in the file's own coordinates.
    Survey(Survey),
}

/// Reads a graph file of any known kind.
pub(super) fn read_any(path: &Path, config: &Config, job: &Job) -> Result<Found, Error> {
    let ending = path.extension().map(|e| e.to_ascii_lowercase());
    match ending.as_deref().and_then(|ending| ending.to_str()) {
        Some("json") => return read_plume(path, config, job).map(Found::Graph),
        Some("svx") => return survey_of_survex(path, config, job).map(Found::Survey),
        Some("yaml" | "yml") => {
            let text = decode(&read_file(path)?);
            return survey_of_yaml(path, &text).map(Found::Survey);
        }
        _ => {}
    }
    if let Some(tables) = tables_of(path) {
        return survey_of_files(&tables, path, job).map(Found::Survey);
    }
    if starts_like_json(&read_file(path)?) {
        return read_plume(path, config, job).map(Found::Graph);
    }
    Err(Error::Graph {
        path: path.to_owned(),
        fault: Fault::UnknownKind,
    })
}

fn starts_like_json(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    text.trim_ascii_start().first() == Some(&b'{')
}

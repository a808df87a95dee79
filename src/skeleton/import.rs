//! Graphs from files, whatever their kind.

use super::json::{read_file, read_plume};
use super::{Error, Fault, Skeleton};
use crate::config::Config;
use crate::progress::Job;
use std::path::Path;

/// Reads a graph file of any known kind, moved into frame `map`.
///
/// Known today: JSON in PLUME's layout, by its ending `.json` or because it starts like an
/// object.
///
/// # Errors
///
/// [`Error::Graph`] when the kind is not known, and those of [`read_plume`].
pub fn import(path: &Path, config: &Config, job: &Job) -> Result<Skeleton, Error> {
    let by_name = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    if by_name || starts_like_json(&read_file(path)?) {
        return read_plume(path, config, job);
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

//! Stand-ins for what other modules will offer; to be replaced when they do.

use super::convert::MapParts;
use crate::config::Config;
use crate::pipeline::Cave;
use std::path::Path;

/// To become `crate::config::resolve`.
pub fn resolve(
    preset: Option<&str>,
    _file: Option<&Path>,
    text: Option<(&str, &str)>,
    _sets: &[String],
) -> Result<Config, String> {
    if let Some(preset) = preset.filter(|&preset| preset != "leo_cave") {
        return Err(format!("unknown preset {preset:?}; there is `leo_cave`"));
    }
    let Some((origin, text)) = text else { return Ok(Config::default()) };
    serde_yaml_ng::from_str(text).map_err(|error| format!("{origin}: {error}"))
}

/// To become `crate::model::check_name`.
pub fn check_name(name: &str) -> Result<(), String> {
    let bad = name.is_empty()
        || name.len() > 100
        || name.starts_with(['-', '.'])
        || name.contains(|c: char| c == '/' || c.is_control());
    if bad { Err(format!("name {name:?} is not allowed")) } else { Ok(()) }
}

/// To become a borrow of `cave.map`.
pub fn map_of(_cave: &Cave) -> Option<MapParts<'_>> {
    None
}

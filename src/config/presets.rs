//! Presets that ship with plume.

use super::error::{Error, Place};
use super::source::quoted;

/// A preset: a name, what it is for, and its YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Name, as `--preset` takes it.
    pub name: &'static str,
    /// The cave in a line: the first comment of the YAML.
    pub description: &'static str,
    /// The overrides over the defaults.
    pub yaml: &'static str,
}

/// Every preset, the default first.
pub fn presets() -> Vec<Preset> {
    vec![
        preset(
            "leo_cave",
            include_str!("../../config/presets/leo_cave.yaml"),
        ),
        preset(
            "small_cave",
            include_str!("../../config/presets/small_cave.yaml"),
        ),
        preset(
            "wide_cave",
            include_str!("../../config/presets/wide_cave.yaml"),
        ),
        preset(
            "karst_cave",
            include_str!("../../config/presets/karst_cave.yaml"),
        ),
    ]
}

/// The YAML of a preset; `None` when there is none of this name.
pub fn preset_yaml(name: &str) -> Option<&'static str> {
    presets()
        .into_iter()
        .find(|preset| preset.name == name)
        .map(|preset| preset.yaml)
}

/// All names in a row.
pub(super) fn names() -> String {
    presets()
        .iter()
        .map(|preset| preset.name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The error for a name that is no preset.
pub(super) fn unknown(name: &str, at: Box<Place>) -> Error {
    let mut nearest = ("", f64::NEG_INFINITY);
    for preset in presets() {
        let score = strsim::normalized_damerau_levenshtein(name, preset.name);
        if score > nearest.1 {
            nearest = (preset.name, score);
        }
    }
    Error::UnknownPreset {
        at,
        name: quoted(name, 60),
        nearest: nearest.0.to_owned(),
        known: names(),
    }
}

fn preset(name: &'static str, yaml: &'static str) -> Preset {
    let description = yaml
        .lines()
        .next()
        .unwrap_or("")
        .trim_start_matches('#')
        .trim();
    Preset {
        name,
        description,
        yaml,
    }
}

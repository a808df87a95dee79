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

/// One name a preset, each with its file under `config/presets`.
macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        /// Every preset, the default first.
        pub fn presets() -> Vec<Preset> {
            vec![$(preset(
                $name,
                include_str!(concat!("../../config/presets/", $name, ".yaml")),
            )),+]
        }
    };
}

presets![
    "leo_cave",
    "small_cave",
    "easy",
    "moderate",
    "hard",
    "wide_cave",
    "karst_cave",
    "lava_tube",
    "mars_tube",
    "moon_tube",
    "room_and_pillar",
    "drift_mine",
    "l_system_cave",
    "sakany",
];

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

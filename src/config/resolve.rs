//! Layers of configuration, one over the other.

use super::error::{Error, Place};
use super::keys::{self, value_at};
use super::kind::{Fault, Kind};
use super::presets::{self, preset_yaml};
use super::sections::Config;
use super::source::{Source, quoted};
use super::yaml::{Marked, Node};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// Pairs of keys of which the first may not exceed the second.
const ORDERED: [(&str, &str); 3] = [
    ("skeleton.radius_min_m", "skeleton.radius_max_m"),
    ("skeleton.children_min", "skeleton.children_max"),
    ("passage.min_m", "passage.max_m"),
];

/// Resolves a configuration: the defaults, over them `preset`, the YAML `file`, the YAML `text`
/// (label for errors, content) and the `sets` (`skeleton.nodes=80`), each key from the last
/// layer that gives it.
///
/// File and text may name their base in a top-level key `preset`; the argument `preset` wins
/// over both, the text over the file. An empty file or text overrides nothing.
///
/// # Errors
/// The first thing wrong, in the order of the layers: see [`Error`].
pub fn resolve(
    preset: Option<&str>,
    file: Option<&Path>,
    text: Option<(&str, &str)>,
    sets: &[String],
) -> Result<Config, Error> {
    let file = file.map(Source::read).transpose()?;
    let text = text
        .map(|(label, text)| Source::text(label, text))
        .transpose()?;
    let mut base = preset.map(|name| (name.to_owned(), Place::of("preset")));
    for source in [&text, &file].into_iter().flatten() {
        let named = base_of(source)?;
        base = base.or(named);
    }

    let mut layers = Layers::new();
    if let Some((name, at)) = base {
        let yaml = preset_yaml(&name).ok_or_else(|| presets::unknown(&name, at))?;
        layers.lay(&Source::text(&format!("preset {name}"), yaml)?)?;
    }
    for source in [&file, &text].into_iter().flatten() {
        layers.lay(source)?;
    }
    for set in sets {
        layers.set(set)?;
    }
    layers.finish()
}

impl Config {
    /// Reads a configuration file, such as the `plume/config.yaml` of a model.
    ///
    /// # Errors
    /// As [`resolve`].
    pub fn load(path: &Path) -> Result<Self, Error> {
        resolve(None, Some(path), None, &[])
    }

    /// Checks a configuration that was made or changed in code.
    ///
    /// # Errors
    /// The first value outside its range, or two that contradict each other.
    pub fn check(&self) -> Result<(), Error> {
        let at = Place::of("configuration");
        let values = to_map(self);
        for key in Config::key_docs()
            .iter()
            .filter(|key| key.kind != Kind::Section)
        {
            let value = value_at(&values, &key.path).unwrap_or(&Value::Null);
            let shown = if value.is_null() {
                "not finite".into()
            } else {
                value.to_string()
            };
            key.kind
                .read(&Node::from(value))
                .map_err(|fault| refusal(fault, &key.path, shown, key.allowed(), at.clone()))?;
        }
        cross_check(&values, &|_| at.clone())
    }
}

/// The preset a text names as its base.
fn base_of(source: &Source) -> Result<Option<(String, Box<Place>)>, Error> {
    let Some((_, value)) = source
        .entries()?
        .iter()
        .find(|(key, _)| key.value == "preset")
    else {
        return Ok(None);
    };
    let at = source.place(value);
    match &value.value {
        Node::Text(name) => Ok(Some((name.clone(), at))),
        _ => Err(Error::WrongType {
            at,
            key: "preset".into(),
            value: source.shown(value),
            expected: "text",
            allowed: presets::names(),
        }),
    }
}

/// Values so far, and where each that is no default was written.
struct Layers {
    values: Map<String, Value>,
    places: BTreeMap<String, Box<Place>>,
}

/// Where each key of one source was first seen.
type Seen = BTreeMap<String, Box<Place>>;

impl Layers {
    fn new() -> Self {
        Self {
            values: to_map(&Config::default()),
            places: BTreeMap::new(),
        }
    }

    fn lay(&mut self, source: &Source) -> Result<(), Error> {
        let mut seen = Seen::new();
        for (key, value) in source.entries()? {
            if key.value == "preset" {
                note_key(&mut seen, "preset", source.place(key))?;
            } else {
                self.entry(source, "", key, value, &mut seen)?;
            }
        }
        Ok(())
    }

    fn set(&mut self, set: &str) -> Result<(), Error> {
        let text = quoted(set, 120);
        let (path, value) = set
            .split_once('=')
            .ok_or(Error::NotKeyValue { text: text.clone() })?;
        let source = Source::value(format!("--set {text}"), value)?;
        let at = source.place(&source.root);
        self.assign(&source, path, &at, &source.root, &mut Seen::new())
    }

    fn entry(
        &mut self,
        source: &Source,
        section: &str,
        key: &Marked<String>,
        value: &Marked<Node>,
        seen: &mut Seen,
    ) -> Result<(), Error> {
        let name = key.value.as_str();
        let path = if section.is_empty() {
            name.into()
        } else {
            format!("{section}.{name}")
        };
        note_key(seen, &path, source.place(key))?;
        self.assign(source, &path, &source.place(key), value, seen)
    }

    fn assign(
        &mut self,
        source: &Source,
        path: &str,
        key_at: &Place,
        value: &Marked<Node>,
        seen: &mut Seen,
    ) -> Result<(), Error> {
        let key = keys::find(path).ok_or_else(|| unknown_key(path, Box::new(key_at.clone())))?;
        match (&key.kind, &value.value) {
            (Kind::Section, Node::Map(entries)) => {
                for (name, value) in entries {
                    self.entry(source, path, name, value, seen)?;
                }
                Ok(())
            }
            // A section whose keys are all commented out.
            (Kind::Section, Node::Null) => Ok(()),
            _ => {
                let at = source.place(value);
                let read = key.kind.read(&value.value).map_err(|fault| {
                    refusal(fault, path, source.shown(value), key.allowed(), at.clone())
                })?;
                put(&mut self.values, path, read);
                self.places.insert(path.to_owned(), at);
                Ok(())
            }
        }
    }

    fn finish(self) -> Result<Config, Error> {
        cross_check(&self.values, &|path| {
            self.places
                .get(path)
                .cloned()
                .unwrap_or_else(|| Place::of("default"))
        })?;
        serde_json::from_value(Value::Object(self.values))
            .map_err(|error| Error::Refused(error.to_string()))
    }
}

fn note_key(seen: &mut Seen, path: &str, at: Box<Place>) -> Result<(), Error> {
    match seen.get(path) {
        Some(first) => Err(Error::Duplicate {
            at,
            key: quoted(path, 120),
            first: first.clone(),
        }),
        None => {
            seen.insert(path.to_owned(), at);
            Ok(())
        }
    }
}

fn unknown_key(path: &str, at: Box<Place>) -> Error {
    let hint = match path {
        "preset" => " (a preset is chosen by --preset or in a file)",
        "name" | "out" | "output_root" | "graph" | "until" | "threads" => {
            " (this belongs to the call, not to the configuration)"
        }
        _ => "",
    };
    Error::UnknownKey {
        at,
        key: quoted(path, 120),
        nearest: keys::nearest(path).to_owned(),
        hint,
    }
}

fn refusal(fault: Fault, path: &str, value: String, allowed: String, at: Box<Place>) -> Error {
    let key = path.to_owned();
    match fault {
        Fault::NotA(expected) => Error::WrongType {
            at,
            key,
            value,
            expected,
            allowed,
        },
        Fault::Outside => Error::OutOfRange {
            at,
            key,
            value,
            allowed,
        },
    }
}

fn cross_check(
    values: &Map<String, Value>,
    place: &dyn Fn(&str) -> Box<Place>,
) -> Result<(), Error> {
    for (low, high) in ORDERED {
        let number = |path| value_at(values, path).and_then(Value::as_f64);
        if let (Some(low_number), Some(high_number)) = (number(low), number(high))
            && low_number > high_number
        {
            let shown = |path: &str, number: f64| match keys::find(path) {
                Some(key) if key.unit != "1" => format!("{number} {}", key.unit),
                _ => number.to_string(),
            };
            return Err(Error::Conflict {
                low,
                low_value: shown(low, low_number),
                low_at: place(low),
                high,
                high_value: shown(high, high_number),
                high_at: place(high),
            });
        }
    }
    Ok(())
}

/// A configuration as nested values, in the order of its keys.
pub(super) fn to_map(config: &Config) -> Map<String, Value> {
    match serde_json::to_value(config) {
        Ok(Value::Object(map)) => map,
        // A struct of plain fields is always an object.
        _ => Map::new(),
    }
}

fn put(values: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            values.insert(path.to_owned(), value);
        }
        Some((section, rest)) => {
            let below = values
                .entry(section)
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(below) = below {
                put(below, rest, value);
            }
        }
    }
}

//! The table of all keys, read from the JSON Schema of [`Config`].

use super::kind::{Choice, Kind};
use super::sections::Config;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// A key or section of the configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Dotted name, such as `skeleton.nodes`.
    pub path: String,
    /// What it may hold.
    pub kind: Kind,
    /// Unit; `1` when it has none.
    pub unit: String,
    /// What it means, in a sentence or two.
    pub meaning: String,
    /// Its default.
    pub default: Value,
}

impl Key {
    /// The name without its sections.
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }

    /// The section it is in; empty at the top.
    pub fn section(&self) -> &str {
        self.path
            .rsplit_once('.')
            .map_or("", |(section, _)| section)
    }

    /// The allowed values in words, with the unit.
    pub fn allowed(&self) -> String {
        self.kind.allowed(&self.unit)
    }
}

impl Config {
    /// Every section and key in the order of the file, a section before its keys.
    pub fn key_docs() -> &'static [Key] {
        static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
            let schema = schemars::schema_for!(Config).to_value();
            let mut keys = Vec::new();
            collect(&schema, &schema, "", &mut keys);
            keys
        });
        &KEYS
    }
}

/// The JSON Schema (2020-12) of a configuration file, pretty-printed.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Config).to_value();
    format!("{schema:#}\n")
}

/// The section or key of this dotted name.
pub(super) fn find(path: &str) -> Option<&'static Key> {
    Config::key_docs().iter().find(|key| key.path == path)
}

/// The known key most like `path`: the last name decides, the section breaks ties.
pub(super) fn nearest(path: &str) -> &'static str {
    let (section, name) = path.rsplit_once('.').unwrap_or(("", path));
    let alike = |key: &Key| {
        strsim::normalized_damerau_levenshtein(name, key.name())
            + 0.25 * strsim::normalized_damerau_levenshtein(section, key.section())
    };
    // On a tie the first key of the file wins, whatever the iterator's habit.
    let mut best = ("", f64::NEG_INFINITY);
    for key in Config::key_docs() {
        let score = alike(key);
        if score > best.1 {
            best = (&key.path, score);
        }
    }
    best.0
}

fn collect(root: &Value, object: &Value, prefix: &str, keys: &mut Vec<Key>) {
    let Some(properties) = object.get("properties").and_then(Value::as_object) else {
        return;
    };
    for (name, property) in properties {
        let path = if prefix.is_empty() {
            name.clone()
        } else {
            format!("{prefix}.{name}")
        };
        let target = follow(root, property);
        let text = |key: &str| property.get(key).and_then(Value::as_str).map(one_line);
        keys.push(Key {
            path: path.clone(),
            kind: kind(root, property, target),
            unit: text("x-unit").unwrap_or_else(|| "1".into()),
            meaning: text("description").unwrap_or_default(),
            default: property.get("default").cloned().unwrap_or(Value::Null),
        });
        collect(root, target, &path, keys);
    }
}

/// The definition a `$ref` leads to, or the value itself.
fn follow<'a>(root: &'a Value, value: &'a Value) -> &'a Value {
    value
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| root.pointer(reference.trim_start_matches('#')))
        .map_or(value, |target| follow(root, target))
}

fn kind(root: &Value, property: &Value, target: &Value) -> Kind {
    if target.get("properties").is_some() {
        return Kind::Section;
    }
    if let Some(choices) = target.get("oneOf").and_then(Value::as_array) {
        return Kind::Choice(choices.iter().map(choice).collect());
    }
    if let Some(shapes) = target.get("anyOf").and_then(Value::as_array)
        && shapes
            .iter()
            .any(|shape| is_type(follow(root, shape), "number"))
    {
        let (min, max) = bounds(property);
        return Kind::Number {
            min,
            max,
            auto: true,
        };
    }
    match target.get("type").and_then(Value::as_str) {
        Some("boolean") => Kind::Flag,
        Some("integer") => {
            let whole = |key| target.get(key).and_then(whole_number);
            Kind::Integer {
                min: whole("minimum").unwrap_or(i64::MIN.into()),
                max: whole("maximum").unwrap_or(u64::MAX.into()),
            }
        }
        Some("number") => {
            let (min, max) = bounds(target);
            Kind::Number {
                min,
                max,
                auto: false,
            }
        }
        _ => Kind::Text,
    }
}

fn choice(value: &Value) -> Choice {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(one_line);
    Choice {
        name: text("const").unwrap_or_default(),
        meaning: text("description").unwrap_or_default(),
    }
}

fn bounds(property: &Value) -> (f64, f64) {
    let bound = |key| property.get(key).and_then(Value::as_f64);
    (
        bound("minimum").unwrap_or(f64::MIN),
        bound("maximum").unwrap_or(f64::MAX),
    )
}

fn whole_number(value: &Value) -> Option<i128> {
    value
        .as_i64()
        .map(i128::from)
        .or(value.as_u64().map(i128::from))
}

fn is_type(value: &Value, name: &str) -> bool {
    value.get("type").and_then(Value::as_str) == Some(name)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value at a dotted name.
pub(super) fn value_at<'a>(config: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    let mut names = path.split('.');
    let first = config.get(names.next()?)?;
    names.try_fold(first, |value, name| value.get(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::yaml::Node;

    #[test]
    fn every_key_is_documented_and_bounded() {
        for key in Config::key_docs() {
            let path = &key.path;
            assert!(key.meaning.ends_with('.'), "{path}: {:?}", key.meaning);
            match &key.kind {
                Kind::Number { min, max, .. } => {
                    assert!(
                        *min > f64::MIN && *max < f64::MAX && min < max,
                        "{path}: no range"
                    );
                }
                Kind::Integer { min, .. } => assert!(*min > i64::MIN.into(), "{path}: no range"),
                Kind::Choice(choices) => {
                    assert!(!choices.is_empty(), "{path}");
                    assert!(
                        choices
                            .iter()
                            .all(|c| !c.name.is_empty() && !c.meaning.is_empty())
                    );
                }
                Kind::Section | Kind::Flag | Kind::Text => {}
            }
            for (ending, unit) in [("_m", "m"), ("_deg", "deg"), ("_px", "px"), ("_mb", "MB")] {
                assert_eq!(
                    path.ends_with(ending),
                    key.unit == unit,
                    "{path}: unit {}",
                    key.unit
                );
            }
        }
    }

    #[test]
    fn every_default_is_allowed() {
        for key in Config::key_docs()
            .iter()
            .filter(|key| key.kind != Kind::Section)
        {
            let node = Node::from(&key.default);
            assert_eq!(
                key.kind.read(&node),
                Ok(key.default.clone()),
                "{}",
                key.path
            );
        }
    }

    #[test]
    fn nearest_key() {
        for (typo, key) in [
            ("skeleton.node", "skeleton.nodes"),
            ("nodes", "skeleton.nodes"),
            ("skeletn", "skeleton"),
            ("skeleton.radius_mim_m", "skeleton.radius_min_m"),
            ("terrain.cel_m", "terrain.cell_m"),
            ("floor.cel_m", "floor.cell_m"),
            ("textures.size", "texture.size_px"),
            ("sed", "seed"),
        ] {
            assert_eq!(nearest(typo), key, "{typo}");
        }
        assert!(find(nearest("")).is_some());
    }
}

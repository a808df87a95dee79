//! Configurations as text: compact, commented, and the reference page.

use super::keys::{Key, value_at};
use super::kind::Kind;
use super::presets::presets;
use super::resolve::to_map;
use super::sections::Config;
use serde_json::Value;
use std::fmt::Write;

impl Config {
    /// Every key and its value as YAML, without comments: the same configuration gives the same
    /// bytes, and reading them gives an equal configuration.
    pub fn to_yaml(&self) -> String {
        yaml(self, |_, _| {})
    }
}

/// Every key and its value as YAML, each under a comment of meaning, unit, range and default.
pub fn commented_yaml(config: &Config) -> String {
    let mut text = String::from(
        "# A plume configuration. Each key: meaning, then unit, range and default.\n\
         # Leave a key out to get its default; unknown keys are errors.\n",
    );
    text += &yaml(config, |text, key| {
        let indent = indent(key);
        if key.kind == Kind::Section || key.section().is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "{indent}# {}", key.meaning);
        if let Kind::Choice(choices) = &key.kind {
            for choice in choices {
                let _ = writeln!(text, "{indent}#   {}: {}", choice.name, choice.meaning);
            }
        }
        if key.kind != Kind::Section {
            let (unit, range, default) = (unit(key), key.kind.allowed("1"), scalar(&key.default));
            let _ = writeln!(
                text,
                "{indent}# Unit: {unit}; range: {range}; default: {default}"
            );
        }
    });
    text
}

/// The reference page of all keys and presets, Markdown.
pub fn markdown() -> String {
    let mut text = String::from(
        "# Configuration\n\n\
         Written by `plume config --markdown` from the types in `src/config/sections.rs`; \
         a test keeps it so.\n\n\
         A configuration is YAML. Layers, the later over the earlier: defaults, preset, file \
         (`--config`), text of a request, `--set key=value`.\n\
         A file may name its base in a top-level key `preset`. Unknown keys, duplicates and values \
         out of range are errors.\n\n\
         ## Presets\n\n| preset | for |\n|---|---|\n",
    );
    for preset in presets() {
        let _ = writeln!(text, "| `{}` | {} |", preset.name, cell(preset.description));
    }
    text.push_str("\n## Top level\n\n");
    const HEAD: &str = "| key | meaning | unit | range | default |\n|---|---|---|---|---|\n";
    text.push_str(HEAD);
    let mut keys = Config::key_docs().iter().peekable();
    while let Some(key) = keys.next() {
        if key.kind == Kind::Section {
            let _ = write!(text, "\n## `{}`\n\n{}\n", key.path, cell(&key.meaning));
            // A section of sections has no table.
            if keys.peek().is_some_and(|next| next.kind != Kind::Section) {
                let _ = write!(text, "\n{HEAD}");
            }
            continue;
        }
        let mut meaning = cell(&key.meaning);
        if let Kind::Choice(choices) = &key.kind {
            for choice in choices {
                let _ = write!(meaning, "<br>`{}`: {}", choice.name, cell(&choice.meaning));
            }
        }
        let (unit, range, default) = (unit(key), key.kind.allowed("1"), scalar(&key.default));
        let path = &key.path;
        let _ = writeln!(
            text,
            "| `{path}` | {meaning} | {unit} | {range} | `{default}` |"
        );
    }
    text
}

/// All keys in order; `before` may write lines above each.
fn yaml(config: &Config, before: impl Fn(&mut String, &Key)) -> String {
    let values = to_map(config);
    let mut text = String::new();
    for key in Config::key_docs() {
        before(&mut text, key);
        let _ = write!(text, "{}{}:", indent(key), key.name());
        if key.kind != Kind::Section {
            let value = value_at(&values, &key.path).unwrap_or(&Value::Null);
            let _ = write!(text, " {}", scalar(value));
        }
        text.push('\n');
    }
    text
}

fn indent(key: &Key) -> String {
    "  ".repeat(key.path.matches('.').count())
}

fn unit(key: &Key) -> &str {
    if key.unit == "1" { "none" } else { &key.unit }
}

/// A value as one YAML scalar. Words of `[a-z_]` stay plain, unless YAML knows them.
fn scalar(value: &Value) -> String {
    let Value::String(text) = value else {
        return value.to_string();
    };
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let known = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf",
    ];
    if plain && !known.contains(&text.as_str()) {
        return text.clone();
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Line and paragraph separators and the byte order mark are not printable in YAML.
            '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c if c.is_control() || is_noncharacter(c) => {
                let _ = write!(quoted, "\\U{:08x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn is_noncharacter(c: char) -> bool {
    u32::from(c) & 0xfffe == 0xfffe
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

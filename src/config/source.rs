//! One YAML text and the places in it.

use super::error::{Error, Place};
use super::yaml::{self, Entry, Marked, Node};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Most bytes of a configuration; real ones have two thousand.
const MAX_BYTES: usize = 1 << 20;
/// Most characters of a value or key that an error repeats.
const MAX_QUOTED: usize = 60;

/// A parsed text with the name under which errors speak of it.
pub(super) struct Source {
    label: String,
    text: String,
    has_lines: bool,
    pub(super) root: Marked<Node>,
}

impl Source {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let label = quoted(&path.display().to_string(), usize::MAX);
        let unreadable = |reason: String| Error::Unreadable {
            path: path.to_owned(),
            reason,
        };
        let file = File::open(path).map_err(|e| unreadable(e.to_string()))?;
        let mut bytes = Vec::new();
        // One byte more than allowed tells "too large" without reading an endless device.
        file.take(MAX_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| unreadable(e.to_string()))?;
        if bytes.len() > MAX_BYTES {
            return Err(Error::TooLarge {
                source_name: label,
                limit: MAX_BYTES,
            });
        }
        let text = String::from_utf8(bytes).map_err(|e| {
            let good = e.utf8_error().valid_up_to();
            let line = e.as_bytes()[..good].iter().filter(|b| **b == b'\n').count() + 1;
            unreadable(format!("line {line} is not UTF-8 text"))
        })?;
        Self::parse(label, text, true)
    }

    /// Parses a text with lines, such as the `config_yaml` of a request.
    pub(super) fn text(label: &str, text: &str) -> Result<Self, Error> {
        Self::parse(label.to_owned(), text.to_owned(), true)
    }

    /// Parses the value of an override.
    pub(super) fn value(label: String, text: &str) -> Result<Self, Error> {
        Self::parse(label, text.to_owned(), false)
    }

    fn parse(label: String, text: String, has_lines: bool) -> Result<Self, Error> {
        if text.len() > MAX_BYTES {
            return Err(Error::TooLarge {
                source_name: label,
                limit: MAX_BYTES,
            });
        }
        match yaml::tree(&text) {
            Ok(root) => Ok(Self {
                label,
                text,
                has_lines,
                root,
            }),
            Err(error) => {
                let line_column = has_lines.then_some((error.line, error.column));
                let at = Place {
                    source: label,
                    line_column,
                };
                Err(Error::Syntax {
                    at: at.into(),
                    reason: error.reason,
                })
            }
        }
    }

    /// The entries of the text as a whole; none when it is empty.
    pub(super) fn entries(&self) -> Result<&[Entry], Error> {
        match &self.root.value {
            Node::Map(entries) => Ok(entries),
            Node::Null => Ok(&[]),
            _ => Err(Error::NotKeys {
                at: self.place(&self.root),
                found: self.shown(&self.root),
            }),
        }
    }

    /// Where a key or value stands.
    pub(super) fn place<T>(&self, marked: &Marked<T>) -> Box<Place> {
        let at = marked.referenced;
        let line_column = self.has_lines.then(|| (at.line(), at.column()));
        Box::new(Place {
            source: self.label.clone(),
            line_column,
        })
    }

    /// A value as its writer wrote it, short enough for a message.
    pub(super) fn shown(&self, value: &Marked<Node>) -> String {
        match &value.value {
            Node::Null => "empty".into(),
            Node::List => "a list".into(),
            Node::Map(_) => "a section".into(),
            scalar => match self.written(value) {
                Some(text) => quoted(text, MAX_QUOTED),
                None => scalar_text(scalar),
            },
        }
    }

    fn written(&self, value: &Marked<Node>) -> Option<&str> {
        let span = value.defined.span();
        let start = usize::try_from(span.byte_offset()?).ok()?;
        let length = usize::try_from(span.byte_len()?).ok()?;
        let text = self.text.get(start..start.checked_add(length)?)?.trim();
        (!text.is_empty()).then_some(text)
    }
}

fn scalar_text(scalar: &Node) -> String {
    match scalar {
        Node::Bool(flag) => flag.to_string(),
        Node::Integer(i) => i.to_string(),
        Node::Float(f) => f.to_string(),
        Node::Text(text) => quoted(text, MAX_QUOTED),
        Node::Null | Node::List | Node::Map(_) => String::new(),
    }
}

/// `text` on one line without control characters, cut after `longest` characters.
pub(super) fn quoted(text: &str, longest: usize) -> String {
    let mut shown = String::new();
    for (i, c) in text.chars().enumerate() {
        if i == longest {
            shown.push('…');
            break;
        }
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

impl From<&Value> for Node {
    /// The tree of a value that never was text; its places are unknown.
    fn from(value: &Value) -> Self {
        match value {
            // serde_json has no other word for a number that is not finite.
            Value::Null => Node::Float(f64::NAN),
            Value::Bool(flag) => Node::Bool(*flag),
            Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(i), _) => Node::Integer(i.into()),
                (None, Some(u)) => Node::Integer(u.into()),
                (None, None) => Node::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Node::Text(text.clone()),
            Value::Array(_) => Node::List,
            Value::Object(_) => Node::Map(Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_written() {
        let source = Source::text("t", "é: 1e9\nb: 'x y'\nc: [1]\nd: |\n  two\n  lines\n").unwrap();
        let shown: Vec<_> = source
            .entries()
            .unwrap()
            .iter()
            .map(|(_, v)| source.shown(v))
            .collect();
        assert_eq!(shown[..3], ["1e9", "'x y'", "a list"]);
        assert!(!shown[3].contains('\n'));
    }

    #[test]
    fn quoting_keeps_messages_on_one_line() {
        assert_eq!(quoted("a\nb\u{1b}[0m", 60), "a\\nb\\u{1b}[0m");
        assert_eq!(quoted("abcdef", 3), "abc…");
    }
}

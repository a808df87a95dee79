//! YAML in and out, for every module of the crate.
//!
//! Built on `serde-saphyr`: unlike the forks of `serde_yaml` it is maintained, knows line and
//! column of every node (so an error about a *meaning* has a place too), and has budgets
//! against deep nesting and alias bombs.

use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::ser::Serialize;
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy};
use serde_saphyr::{Options, Spanned};
use std::fmt;

/// Why a text is not the YAML asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct Error {
    /// Line from 1; 0 when unknown.
    pub line: u64,
    /// Column from 1, in characters; 0 when unknown.
    pub column: u64,
    /// What is wrong there, in one line.
    pub reason: String,
}

/// Reads a value. Unknown and duplicate fields are whatever `T` makes of them.
///
/// # Errors
/// With line and column: not YAML, not a `T`, or nested or aliased beyond any sensible file.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_saphyr::from_str_with_options(text, options()).map_err(Error::from)
}

/// Writes a value in block style; the same value gives the same bytes.
///
/// # Errors
/// When `value` refuses to be serialised.
pub fn to_string<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_saphyr::to_string(value).map_err(|e| Error {
        line: 0,
        column: 0,
        reason: e.to_string(),
    })
}

/// A node and where it stands.
pub(crate) type Marked<T> = Spanned<T>;

/// A key and its value.
pub(super) type Entry = (Marked<String>, Marked<Node>);

/// A YAML tree that keeps order, duplicates and places.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    /// No key holds a list, so its items are read and dropped.
    List,
    Map(Vec<Entry>),
}

/// Reads a tree; an empty text is [`Node::Null`].
pub(super) fn tree(text: &str) -> Result<Marked<Node>, Error> {
    from_str(text)
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: 48,
            max_events: 300_000,
            max_nodes: 150_000,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 20_000 },
        // Passed on, so that the error can name both places.
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        // Passed on, so that the error can name the range.
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        // YAML 1.1's `no` and `on` surprise; 1.2 has true and false.
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    }
}

impl From<serde_saphyr::Error> for Error {
    fn from(error: serde_saphyr::Error) -> Self {
        let (line, column) = error.location().map_or((0, 0), |l| (l.line(), l.column()));
        let text = error.to_string();
        // The crate appends the place; ours stands in front.
        let reason = text.split(" at line ").next().unwrap_or(&text);
        Self {
            line,
            column,
            reason: reason.lines().next().unwrap_or(reason).to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("YAML")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Node, E> {
        Ok(Node::Integer(value))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Node, E> {
        Ok(Node::Integer(i128::try_from(value).unwrap_or(i128::MAX)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Node::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Node::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn syntax_errors_have_line_and_column() {
        let error = tree("a: 1\nb: [1, 2\n").unwrap_err();
        assert_eq!((error.line, error.column), (2, 4));
        assert_eq!(error.reason, "unclosed bracket '['");
    }

    #[test]
    fn meanings_have_line_and_column() {
        let error = from_str::<BTreeMap<String, u8>>("a: 1\nb: red\n").unwrap_err();
        assert_eq!((error.line, error.column), (2, 4), "{error}");
    }

    #[test]
    fn hostile_texts_end_in_errors() {
        let flow = "[".repeat(500_000);
        let block: String = (0..900).map(|i| format!("{}a:\n", " ".repeat(i))).collect();
        let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
        for pair in ('a'..='k').collect::<Vec<_>>().windows(2) {
            let (p, c) = (pair[0], pair[1]);
            bomb += &format!("{c}: &{c} [*{p},*{p},*{p},*{p},*{p},*{p},*{p},*{p},*{p}]\n");
        }
        for text in [
            &flow,
            &block,
            &bomb,
            "a: &a [*a]",
            "a: \u{1}",
            "? [x]\n: y",
            "a: 1\n---\nb: 2",
        ] {
            assert!(tree(text).is_err(), "{}", &text[..text.len().min(40)]);
        }
    }

    #[test]
    fn strings_and_numbers_survive() {
        let value = BTreeMap::from([("a", "no"), ("b", "1e3"), ("c", "x: #y\n"), ("d", "")]);
        let text = to_string(&value).unwrap();
        let back: BTreeMap<String, String> = from_str(&text).unwrap();
        assert!(value.iter().all(|(k, v)| back[*k] == *v), "{text}");
    }
}

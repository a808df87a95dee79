//! Lines and fields of a text, and where they stand.

use super::{MAX_COORDINATE_M, MAX_SIZE_M};
use crate::skeleton::{Error, Fault};
use std::path::Path;

/// Most fields of a line that are looked at.
pub(super) const MAX_FIELDS: usize = 10_000;

/// Most characters of a field that an error repeats.
const MAX_QUOTED: usize = 40;

/// A field and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    /// File, for errors.
    pub(super) file: &'a Path,
    /// Line, from 1.
    pub(super) line: usize,
    /// Column in characters, from 1.
    pub(super) column: usize,
    /// The field.
    pub(super) text: &'a str,
}

impl Field<'_> {
    /// The error that something else stands here than was expected.
    pub(super) fn refuse(self, expected: impl Into<String>) -> Error {
        let found = match self.text {
            "" => "nothing".to_owned(),
            text => format!("`{}`", quoted(text)),
        };
        refuse(self.file, [self.line, self.column], found, expected)
    }

    /// The number here, within `low..=high`.
    pub(super) fn number(self, what: &str, low: f64, high: f64) -> Result<f64, Error> {
        let value: Option<f64> = self.text.parse().ok();
        value
            .filter(|v| (low..=high).contains(v))
            .ok_or_else(|| self.refuse(format!("{what}, a number from {low} to {high}")))
    }

    /// The coordinate here, metres.
    pub(super) fn coordinate(self, what: &str) -> Result<f64, Error> {
        let value: Option<f64> = self.text.parse().ok();
        value
            .filter(|v| v.abs() <= MAX_COORDINATE_M)
            .ok_or_else(|| {
                self.refuse(format!(
                    "{what}, a finite number of metres, at most 1e8 from 0"
                ))
            })
    }
}

/// The error that `found` stands at line and column instead of `expected`.
pub(super) fn refuse(
    file: &Path,
    [line, column]: [usize; 2],
    found: impl Into<String>,
    expected: impl Into<String>,
) -> Error {
    let fault = Fault::Line {
        line,
        column,
        found: found.into(),
        expected: expected.into(),
    };
    Error::Graph {
        path: file.to_owned(),
        fault,
    }
}

/// Whether a size is one, metres.
pub(super) fn is_size(value: f64) -> bool {
    value > 0.0 && value <= MAX_SIZE_M
}

/// A field on one line without control characters, cut after [`MAX_QUOTED`].
pub(super) fn quoted(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(MAX_QUOTED)
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    if text.chars().nth(MAX_QUOTED).is_some() {
        shown.push('…');
    }
    shown
}

/// The text of a file; bytes that are not UTF-8 become marks that no reader takes for a name or
/// number, because old surveys have names of people in other encodings in their comments.
pub(in crate::skeleton) fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    String::from_utf8_lossy(bytes).into_owned()
}

/// Splits at white space and, where `comma` says so, at single commas or semicolons with or without
/// white space around them; two of these in a row enclose an empty field. Gives each field with
/// its column, at most [`MAX_FIELDS`]; none of our formats has a row that long.
pub(super) fn fields<'a>(
    file: &'a Path,
    line: usize,
    text: &'a str,
    is_comma: fn(char) -> bool,
) -> Vec<Field<'a>> {
    let field = |column: usize, text: &'a str| Field {
        file,
        line,
        column,
        text,
    };
    let mut found = Vec::new();
    let mut rest = text;
    let mut column = 1;
    let mut owed = false;
    loop {
        let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        column += rest[..rest.len() - trimmed.len()].chars().count();
        rest = trimmed;
        let end = rest.find(|c: char| c.is_whitespace() || is_comma(c));
        let (text, after) = rest.split_at(end.unwrap_or(rest.len()));
        if text.is_empty() && after.is_empty() && !owed {
            return found;
        }
        found.push(field(column, text));
        column += text.chars().count();
        let space = after.trim_start();
        column += after[..after.len() - space.len()].chars().count();
        rest = space;
        owed = false;
        if let Some(next) = space.strip_prefix(is_comma) {
            rest = next;
            column += 1;
            owed = true;
        } else if space.is_empty() {
            return found;
        }
        if found.len() >= MAX_FIELDS {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(usize, &str)> {
        fields(Path::new("f"), 1, text, |c| c == ',' || c == ';')
            .into_iter()
            .map(|f| (f.column, f.text))
            .collect()
    }

    #[test]
    fn fields_keep_their_columns_and_gaps() {
        assert_eq!(split(""), []);
        assert_eq!(split("  \t"), []);
        assert_eq!(split(" 1 2\t3 "), [(2, "1"), (4, "2"), (6, "3")]);
        assert_eq!(split("1, 2 ;3"), [(1, "1"), (4, "2"), (7, "3")]);
        assert_eq!(split("é,,3"), [(1, "é"), (3, ""), (4, "3")]);
        assert_eq!(split("1,"), [(1, "1"), (3, "")]);
        assert_eq!(split(",1"), [(1, ""), (2, "1")]);
    }

    #[test]
    fn quoted_fields_are_short_and_printable() {
        assert_eq!(quoted("a\u{1b}b"), "a\u{fffd}b");
        assert_eq!(quoted(&"x".repeat(41)).chars().count(), 41);
    }
}

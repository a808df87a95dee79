//! Why a configuration was refused.

use std::fmt;
use std::path::PathBuf;

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// File, label of a text, `--set key=value`, preset or `default`.
    pub source: String,
    /// Line and column from 1, where the source has lines.
    pub line_column: Option<(u64, u64)>,
}

impl Place {
    /// A source without lines.
    pub(super) fn of(source: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            source: source.into(),
            line_column: None,
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        match self.line_column {
            Some((line, column)) => write!(f, ", line {line}, column {column}"),
            None => Ok(()),
        }
    }
}

/// Why a configuration was refused. Every message is one line; places are boxed to keep results
/// small.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No preset has this name.
    #[error("{at}: unknown preset `{name}`; nearest: `{nearest}` (presets: {known})")]
    UnknownPreset {
        /// Where it was asked for.
        at: Box<Place>,
        /// The name asked for.
        name: String,
        /// The known name most like it.
        nearest: String,
        /// All names.
        known: String,
    },
    /// The file cannot be read.
    #[error("{}: cannot read this configuration: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The text is larger than any configuration.
    #[error("{source_name}: over {limit} bytes; a configuration may have {limit}")]
    TooLarge {
        /// File or label.
        source_name: String,
        /// Most bytes allowed.
        limit: usize,
    },
    /// The text is not YAML.
    #[error("{at}: not YAML: {reason}")]
    Syntax {
        /// Where the parser gave up.
        at: Box<Place>,
        /// Its reason.
        reason: String,
    },
    /// The text as a whole is not a mapping of keys to values.
    #[error("{at}: expected `key: value` lines, found {found}")]
    NotKeys {
        /// Where it starts.
        at: Box<Place>,
        /// What stands there.
        found: String,
    },
    /// An override without `=`.
    #[error("--set {text}: expected key=value, such as `skeleton.nodes=80`")]
    NotKeyValue {
        /// The override.
        text: String,
    },
    /// No key has this name.
    #[error("{at}: unknown key `{key}`; nearest: `{nearest}`{hint}")]
    UnknownKey {
        /// Where it stands.
        at: Box<Place>,
        /// Dotted name as written.
        key: String,
        /// Dotted name of the known key most like it.
        nearest: String,
        /// What else may help, or nothing.
        hint: &'static str,
    },
    /// A key that occurs twice in one source.
    #[error("{at}: `{key}` is given twice, first at {first}")]
    Duplicate {
        /// The second occurrence.
        at: Box<Place>,
        /// Dotted name.
        key: String,
        /// The first occurrence.
        first: Box<Place>,
    },
    /// A value of another type.
    #[error("{at}: {key} is {value}, not {expected}; allowed: {allowed}")]
    WrongType {
        /// Where the value stands.
        at: Box<Place>,
        /// Dotted name.
        key: String,
        /// The value as written.
        value: String,
        /// The type asked for, with its article.
        expected: &'static str,
        /// Range and unit.
        allowed: String,
    },
    /// A value of the right type that is not allowed, NaN and infinities among them.
    #[error("{at}: {key} is {value}; allowed: {allowed}")]
    OutOfRange {
        /// Where the value stands.
        at: Box<Place>,
        /// Dotted name.
        key: String,
        /// The value as written.
        value: String,
        /// Range and unit.
        allowed: String,
    },
    /// Two values, each allowed, that contradict each other.
    #[error(
        "{low} is {low_value} ({low_at}), more than {high}, {high_value} ({high_at}); \
         {low} may be at most {high}"
    )]
    Conflict {
        /// Dotted name of the key that must not be larger.
        low: &'static str,
        /// Its value with unit.
        low_value: String,
        /// Where that was written.
        low_at: Box<Place>,
        /// Dotted name of the key that must not be smaller.
        high: &'static str,
        /// Its value with unit.
        high_value: String,
        /// Where that was written.
        high_at: Box<Place>,
    },
    /// A value the types refuse although the key table allowed it.
    #[error("configuration: {0}")]
    Refused(String),
}

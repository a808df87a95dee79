//! Configuration: YAML to validated values.
//!
//! In: a preset name, a YAML file or text, and `key=value` overrides. Out: a [`Config`] in which
//! every number is inside its range, or one error naming key, value and range.

mod sections;

pub use sections::*;

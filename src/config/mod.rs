//! Configuration: YAML to validated values.
//!
//! In: a preset name, a YAML file or text, and `key=value` overrides ([`resolve`]). Out: a
//! [`Config`] in which every number is inside its range, or one [`Error`] that names source,
//! line, column, key, value and range.
//!
//! `sections` is the single source: its types, doc comments, ranges and units become the key
//! table ([`Config::key_docs`]), the range checks, the commented YAML of `plume config`, the
//! JSON Schema and `docs/config.md`. A key added there is known everywhere.
//!
//! Guaranteed: later layers win key by key (defaults, preset, file, text, overrides); the same
//! input gives the same `Config` and [`Config::to_yaml`] the same bytes; what `to_yaml` wrote
//! reads back equal; hostile YAML (deep, huge, alias bombs) ends in an error.
//! Not guaranteed: that a cave with these values exists; names of layer sets and robots are
//! looked up by the stages that own them.
//!
//! ```
//! use plume::config::resolve;
//!
//! let config = resolve(Some("small_cave"), None, None, &["seed=7".into()])?;
//! assert_eq!((config.seed, config.skeleton.nodes), (7, 12));
//!
//! let error = resolve(None, None, None, &["skeleton.nodes=0".into()]).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "--set skeleton.nodes=0: skeleton.nodes is 0; allowed: 2 to 100000"
//! );
//! # Ok::<(), plume::config::Error>(())
//! ```

mod error;
mod file;
mod keys;
mod kind;
mod page;
mod presets;
mod resolve;
mod sections;
mod source;
pub mod yaml;

pub use error::{Error, Place};
pub use file::read_text;
pub use keys::{Key, schema};
pub use kind::{Choice, Kind};
pub use page::{commented_yaml, markdown};
pub use presets::{Preset, preset_yaml, presets};
pub use resolve::resolve;
pub use sections::*;

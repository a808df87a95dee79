//! Why there is no floor.

use crate::progress::Cancelled;
use std::path::PathBuf;

/// Why a robot profile or a floor could not be made or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Neither an embedded profile nor a file.
    #[error(
        "unknown robot {asked:?}: neither a file nor one of the profiles {known}{}",
        nearest.as_ref().map(|n| format!("; did you mean {n:?}?")).unwrap_or_default()
    )]
    UnknownRobot {
        /// What was asked for.
        asked: String,
        /// The embedded profiles.
        known: String,
        /// The profile that is written most alike.
        nearest: Option<String>,
    },
    /// A profile is not YAML, or has unknown or missing keys.
    #[error("robot profile {origin}: {source}")]
    RobotSyntax {
        /// File or embedded name.
        origin: String,
        /// Where and what.
        source: crate::config::yaml::Error,
    },
    /// A figure of a profile is out of range.
    #[error("robot profile {origin}: {key} is {value}, allowed is {allowed}")]
    RobotRange {
        /// File or embedded name.
        origin: String,
        /// Key.
        key: &'static str,
        /// Value given.
        value: f32,
        /// Range.
        allowed: String,
    },
    /// The cell size is out of range.
    #[error("floor cell of {0} m: allowed is 0.02 to 10 m")]
    CellSize(f64),
    /// Nothing to stand on.
    #[error(
        "the collision meshes hold no triangle that faces up or down: there is no floor to map"
    )]
    Empty,
    /// A mesh is not made of finite points and existing vertices.
    #[error("collision mesh {mesh} (chunk {chunk}): {what}")]
    Mesh {
        /// Index in the list given.
        mesh: usize,
        /// Its chunk.
        chunk: usize,
        /// What is wrong.
        what: String,
    },
    /// A layer's cost is no positive number.
    #[error("layer {name:?}: cost {cost} a metre, allowed is a finite number above 0")]
    LayerCost {
        /// Layer.
        name: String,
        /// Its cost.
        cost: f32,
    },
    /// More cells than fit.
    #[error("{cells:.2e} floor cells of {cell_m} m: at most {limit:.0e} fit; choose a larger cell")]
    TooLarge {
        /// Cells needed.
        cells: f64,
        /// Their edge, metres.
        cell_m: f64,
        /// Cells allowed.
        limit: f64,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// File.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// The bytes are not a floor.
    #[error("not a usable floor file: {0}")]
    File(#[from] FileFault),
    /// Stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// What is wrong with a `floor.bin`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// Another kind of file.
    #[error("it does not begin as a floor file does")]
    Magic,
    /// Written by a newer or older plume.
    #[error("it has version {found}, this plume reads version {known}; generate the model again")]
    Version {
        /// Version of the file.
        found: u32,
        /// Version understood.
        known: u32,
    },
    /// Shorter than it says.
    #[error("it ends early, at byte {0}")]
    Truncated(usize),
    /// Not what was written.
    #[error("its checksum does not match: it was changed or damaged")]
    Checksum,
    /// A value that no writer writes.
    #[error("{0}")]
    Value(String),
}

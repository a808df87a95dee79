//! What goes into a run and what comes out.

use crate::config::Config;
use crate::model::{self, ModelSummary};
use crate::progress::Cancelled;
use crate::skeleton::{self, Skeleton};
use crate::surface;
use crate::terrain::{LayerError, LayerSet};
use crate::traverse::{self, OccupancyMap, Route};
use std::path::PathBuf;

/// The last stage to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    /// The graph only.
    Skeleton,
    /// Meshes as well.
    Surface,
    /// Textures as well.
    Textures,
    /// Everything.
    #[default]
    Model,
}

/// What to make.
#[derive(Clone, Debug)]
pub struct Request {
    /// Name of the model and of its folder.
    pub name: String,
    /// The resolved configuration.
    pub config: Config,
    /// Output root; the model is the folder `name` below it.
    pub out: PathBuf,
    /// A graph file to use instead of growing one.
    pub graph: Option<PathBuf>,
    /// The last stage to run.
    pub until: Until,
    /// Worker threads; all cores when absent.
    pub threads: Option<usize>,
}

/// A finished cave.
#[derive(Clone, Debug)]
pub struct Cave {
    /// Figures.
    pub summary: ModelSummary,
    /// The graph.
    pub skeleton: Skeleton,
    /// The layers.
    pub layers: LayerSet,
    /// From the entrance to the farthest reachable place.
    pub route: Option<Route>,
    /// Flat maps, one a level; empty when the run ended before the floor.
    pub maps: Vec<OccupancyMap>,
}

/// Why there is no cave.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input can never work; the message says what is allowed.
    #[error("{0}")]
    BadInput(String),
    /// Stopped on request; nothing was left behind.
    #[error("cancelled")]
    Cancelled(#[from] Cancelled),
    /// The machine refused: disk, memory, permissions.
    #[error("{0}")]
    Failed(String),
}

impl From<skeleton::Error> for Error {
    fn from(e: skeleton::Error) -> Self {
        match e {
            skeleton::Error::Cancelled(c) => Error::Cancelled(c),
            other => Error::BadInput(other.to_string()),
        }
    }
}

impl From<surface::Error> for Error {
    fn from(e: surface::Error) -> Self {
        match e {
            surface::Error::Cancelled(c) => Error::Cancelled(c),
            missing @ surface::Error::NoChunk { .. } => Error::BadInput(missing.to_string()),
            other => Error::Failed(other.to_string()),
        }
    }
}

impl From<LayerError> for Error {
    fn from(e: LayerError) -> Self {
        Error::BadInput(e.to_string())
    }
}

impl From<traverse::Error> for Error {
    fn from(e: traverse::Error) -> Self {
        match e {
            traverse::Error::Cancelled(c) => Error::Cancelled(c),
            other => Error::BadInput(other.to_string()),
        }
    }
}

impl From<model::Error> for Error {
    fn from(e: model::Error) -> Self {
        match e {
            model::Error::Cancelled(c) => Error::Cancelled(c),
            other if other.is_bad_input() => Error::BadInput(other.to_string()),
            other => Error::Failed(other.to_string()),
        }
    }
}

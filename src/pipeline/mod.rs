//! The order of the stages; nothing else knows it.
//!
//! In: a [`Request`]. Out: a [`Cave`], and, when asked for, a model on disk.

use crate::config::Config;
use crate::model::ModelSummary;
use crate::progress::{Cancelled, Observer};
use crate::skeleton::Skeleton;
use crate::terrain::LayerSet;
use crate::traverse::Route;
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

/// Makes a cave.
pub fn run(request: &Request, observer: &dyn Observer) -> Result<Cave, Error> {
    let _ = (request, observer);
    Err(Error::Failed("not yet".into()))
}

//! Progress and cancellation, shared by every stage.
//!
//! In: an [`Observer`] from whoever started the work (CLI bars, a ROS action).
//! Out: a [`Job`] handed to each long loop, which reports `(stage, done, total)` and stops
//! with [`Cancelled`] once the observer asks for it.

use std::fmt;

/// A stage of the pipeline. Each runs after those it needs; today textures run before the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Growing or importing the graph.
    Skeleton,
    /// Building the signed distance field.
    Field,
    /// Polygonising, chunking, simplifying and unwrapping.
    Surface,
    /// Terrain layers and collision meshes.
    Terrain,
    /// The walkable floor, maps and routes.
    Floor,
    /// Baking textures.
    Textures,
    /// Writing the model.
    Model,
    /// Writing a finished model's meshes for other programs.
    Export,
}

impl Stage {
    /// Lower-case name, as printed and as sent in ROS feedback.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Skeleton => "skeleton",
            Stage::Field => "field",
            Stage::Surface => "surface",
            Stage::Terrain => "terrain",
            Stage::Floor => "floor",
            Stage::Textures => "textures",
            Stage::Model => "model",
            Stage::Export => "export",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The work was cancelled by its observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Who watches a run: told of progress, asked whether to stop.
///
/// Called from worker threads; both methods must return at once.
pub trait Observer: Sync {
    /// `done` of `total` units of `stage` are finished.
    fn progress(&self, stage: Stage, done: u64, total: u64) {
        let _ = (stage, done, total);
    }
    /// A line a user should see, such as a graph that was changed to be usable.
    fn note(&self, line: &str) {
        let _ = line;
    }
    /// True once the work should stop; asked at least every 200 ms.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// An observer that watches nothing and never cancels.
pub struct Unobserved;

impl Observer for Unobserved {}

/// One stage's view of its observer; cheap to copy into worker threads.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    observer: &'a dyn Observer,
    stage: Stage,
}

impl<'a> Job<'a> {
    /// A job that reports to `observer` as `stage`.
    pub fn new(observer: &'a dyn Observer, stage: Stage) -> Self {
        Self { observer, stage }
    }

    /// Reports progress; an error once the run is cancelled.
    pub fn step(&self, done: u64, total: u64) -> Result<(), Cancelled> {
        self.observer.progress(self.stage, done, total);
        self.check()
    }

    /// An error once the run is cancelled.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.observer.is_cancelled() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }

    /// Tells the user something about this run.
    pub fn note(&self, line: &str) {
        self.observer.note(line);
    }
}

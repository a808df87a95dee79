//! The order of the stages; nothing else knows it.
//!
//! ```text
//! Config ─▶ Skeleton ─▶ CaveField ─▶ Surface ─▶ TerrainMap ─▶ CollisionMeshes ─▶ Floor, Route
//!                                       │             └──────▶ textures              │
//!                                       └──────────────────────────┴─▶ model ◀───────┘
//! ```
//!
//! In: a [`Request`]. Out: a [`Cave`] and a model on disk. *Guaranteed*: the same request gives the
//! same files at any thread count; on an error or a cancel nothing is left behind and an older
//! model of the name stays as it was.

mod chunk;
mod request;
mod run;
mod write;

pub use chunk::{LoneChunk, chunk};
pub use request::{Cave, Error, Request, Until};
pub use run::run;

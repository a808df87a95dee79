//! What a run made, in figures.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Wall seconds of one stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageTime {
    /// Name of the stage.
    pub stage: String,
    /// Seconds.
    pub seconds: f64,
}

/// Area and physics of one layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerSummary {
    /// Name.
    pub name: String,
    /// Surface area, square metres.
    pub area_m2: f64,
    /// Friction.
    pub mu: f32,
    /// Traversal cost.
    pub cost: f32,
}

/// What a run made, in figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelSummary {
    /// Name of the model.
    pub name: String,
    /// Seed.
    pub seed: u64,
    /// Folder of the model.
    pub model_path: PathBuf,
    /// World file.
    pub world_path: PathBuf,
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Length of all passages, metres.
    pub length_m: f64,
    /// Levels.
    pub levels: u32,
    /// Chunks.
    pub chunks: usize,
    /// Voxel edge, metres.
    pub voxel_m: f64,
    /// Triangles before simplification.
    pub shell_triangles: usize,
    /// Triangles of the visual meshes.
    pub visual_triangles: usize,
    /// Triangles of the collision meshes.
    pub collision_triangles: usize,
    /// Surface area, square metres.
    pub area_m2: f64,
    /// Largest texture edge, pixels.
    pub texture_px: u32,
    /// Texels baked.
    pub texels: u64,
    /// Area and physics of each layer.
    pub layers: Vec<LayerSummary>,
    /// Route from the entrance to the farthest reachable place.
    pub route: Option<crate::traverse::RouteStats>,
    /// Why there is none.
    pub route_reason: Option<String>,
    /// Seconds a stage.
    pub stages: Vec<StageTime>,
    /// Seconds in all.
    pub seconds: f64,
}

//! Layer sets: looks and physics of the ground.

use serde::{Deserialize, Serialize};

/// Index of a layer in its [`LayerSet`].
pub type LayerId = u8;

/// Surface texture synthesis recipe of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Material {
    /// Massive rock with cracks.
    Rock,
    /// Loose stones.
    Gravel,
    /// Smooth wet sediment.
    Mud,
    /// Grains and ripples.
    Sand,
}

/// One terrain layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Name, unique in the set; `[a-z0-9_]+`.
    pub name: String,
    /// Semantic id for label maps, 1–255.
    pub semantic_id: u8,
    /// Texture recipe.
    pub material: Material,
    /// Ideal moisture, 0–1, and its tolerance (standard deviation).
    pub moisture: [f32; 2],
    /// Ideal temperature, 0–1, and its tolerance.
    pub temperature: [f32; 2],
    /// Ideal roughness of the field, 0–1, and its tolerance.
    pub roughness: [f32; 2],
    /// Steepest and shallowest slope it lies on, degrees from horizontal; over 90 is overhanging.
    pub slope_deg: [f32; 2],
    /// Friction along and across, Coulomb.
    pub mu: f32,
    /// Second friction direction.
    pub mu2: f32,
    /// Force-dependent slip (ODE `slip1`), 1/(N s/m); none when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip: Option<f32>,
    /// Cost of a metre, at least 1.
    pub cost: f32,
    /// sRGB colours from dark to light, 0–255.
    pub palette: Vec<[u8; 3]>,
    /// Lowest and highest texture roughness, 0–1.
    pub roughness_range: [f32; 2],
    /// Strength of the synthesised normal detail.
    pub normal_strength: f32,
    /// Where the friction figure is from.
    pub source: String,
}

/// A set of layers, in file order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerSet {
    /// Name of the set.
    pub name: String,
    /// The layers.
    pub layers: Vec<Layer>,
}

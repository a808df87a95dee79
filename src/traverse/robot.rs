//! Robot profiles.

use serde::{Deserialize, Serialize};

/// What a ground robot can do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Robot {
    /// Name.
    pub name: String,
    /// Footprint along its heading, metres.
    pub length_m: f32,
    /// Footprint across, metres.
    pub width_m: f32,
    /// Height it needs, metres.
    pub height_m: f32,
    /// Steepest slope, degrees.
    pub max_slope_deg: f32,
    /// Highest step between neighbouring cells, metres.
    pub max_step_m: f32,
    /// Distance to keep from obstacles beyond the footprint, metres.
    pub clearance_m: f32,
    /// Friction of its wheels.
    pub wheel_mu: f32,
}

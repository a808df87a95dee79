//! A route and its figures.

use serde::{Deserialize, Serialize};

/// A pose on a route.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Position on the floor, metres, frame `map`.
    pub position: [f64; 3],
    /// Heading about +z, radians.
    pub yaw: f64,
}

/// Figures of a route (TrailblA*'s four, and ours).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RouteStats {
    /// 3D length, metres.
    pub distance_m: f64,
    /// Sum of climbs, metres.
    pub ascent_m: f64,
    /// Steepest incline between poses, degrees.
    pub steepest_deg: f64,
    /// Net height difference over horizontal length, percent.
    pub grade_percent: f64,
    /// Cost as A* counts it.
    pub cost: f64,
    /// Smallest distance to an obstacle, metres.
    pub min_clearance_m: f64,
    /// Share of length on each layer, by name, summing to 1.
    pub layers: Vec<(String, f64)>,
    /// Whether water had to be crossed.
    pub crosses_water: bool,
}

/// A path a robot can drive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// Poses from start to goal.
    pub poses: Vec<Pose>,
    /// Figures.
    pub stats: RouteStats,
}

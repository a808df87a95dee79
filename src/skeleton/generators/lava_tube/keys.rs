//! Keys of `lava_tube` and their ranges.

use super::Body;
use crate::config::Auto;
use crate::skeleton::Error;
use crate::skeleton::grow::number;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Keys of `lava_tube`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LavaTubeConfig {
    /// The world the tube lies in; sets what is `auto` below.
    pub body: Body,
    /// Mean width of the trunk; `auto` is drawn from the range of the body.
    #[schemars(extend("minimum" = 3.0, "maximum" = 1000.0, "x-unit" = "m"))]
    pub width_m: Auto,
    /// Mean slope of the trunk, no more than `skeleton.max_grade_deg`; `auto` is drawn from 0.4–6.5°.
    #[schemars(extend("minimum" = 0.0, "maximum" = 30.0, "x-unit" = "deg"))]
    pub slope_deg: Auto,
    /// Length of the trunk over the straight distance between its ends; lunar rilles have a median of 1.19.
    #[schemars(range(min = 1.0, max = 1.3), extend("x-unit" = "1"))]
    pub sinuosity: f64,
    /// Probability that the tube splits around a pillar at a node of the trunk.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub braid_probability: f64,
    /// Probability that a dead-end branch leaves the trunk at a node.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub branch_probability: f64,
    /// Probability that the tube narrows to about half its width at a node.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub choke_probability: f64,
    /// Mean distance between skylights along the trunk; `auto` follows from the body.
    #[schemars(extend("minimum" = 10.0, "maximum" = 1_000_000.0, "x-unit" = "m"))]
    pub skylight_spacing_m: Auto,
}

impl Default for LavaTubeConfig {
    fn default() -> Self {
        Self {
            body: Body::Earth,
            width_m: Auto::AUTO,
            slope_deg: Auto::AUTO,
            sinuosity: 1.13,
            braid_probability: 0.15,
            branch_probability: 0.06,
            choke_probability: 0.06,
            skylight_spacing_m: Auto::AUTO,
        }
    }
}

/// Ranges, for configurations that were made in code.
pub(super) fn check(k: &LavaTubeConfig) -> Result<(), Error> {
    let share = |key, value| number(key, value, 0.0, 1.0);
    let auto = |key, value: Auto, low, high| match value.value() {
        Some(value) => number(key, value, low, high),
        None => Ok(()),
    };
    auto("generators.lava_tube.width_m", k.width_m, 3.0, 1000.0)?;
    auto("generators.lava_tube.slope_deg", k.slope_deg, 0.0, 30.0)?;
    number("generators.lava_tube.sinuosity", k.sinuosity, 1.0, 1.3)?;
    share(
        "generators.lava_tube.braid_probability",
        k.braid_probability,
    )?;
    share(
        "generators.lava_tube.branch_probability",
        k.branch_probability,
    )?;
    share(
        "generators.lava_tube.choke_probability",
        k.choke_probability,
    )?;
    let key = "generators.lava_tube.skylight_spacing_m";
    auto(key, k.skylight_spacing_m, 10.0, 1_000_000.0)
}

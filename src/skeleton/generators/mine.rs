//! A mine: a panel of rooms and pillars, or drifts with crosscuts, behind an entry that leads down
//! from the portal.
//!
//! Source: Hustrulid & Bullock 2001, "Underground Mining Methods: Engineering Fundamentals and
//! International Case Studies" (SME): room-and-pillar entries 5–6 m wide between pillars of
//! 10–25 m, drifts of 4–5 m by 4–5 m with a crosscut each 20–50 m. Headings of real mines are not
//! exact: each deviates by up to `deviation_deg`.
//!
//! Exactly `nodes` nodes come out: what does not fill a row of rooms or a stretch of drift becomes
//! dead-end headings. Rooms and drifts keep at least the clearance that growth asks for, whatever
//! `pillar_m` and `crosscut_m` say; a crosscut that would not is left out. `skeleton.radius_*`,
//! `passage.scale`, `passage.min_m` and `passage.max_m` are not read. The mine lies in a dipping
//! plane, with `skeleton.elevation_*` on top, within `max_grade_deg`. `passage.profile: drift`
//! makes the openings square.

mod drifts;
mod rooms;

use super::{Generator, Promises};
use crate::config::{Auto, Config};
use crate::progress::{Cancelled, Job};
use crate::rng::{ChaCha8Rng, Domain, stream};
use crate::skeleton::draft::{self, toward};
use crate::skeleton::elevation::{Elevation, grade_limit};
use crate::skeleton::grow::number;
use crate::skeleton::growth::{Growth, PASSAGE_REACH, Sprout};
use crate::skeleton::{ENTRANCE_PASSAGE_M, Error, Skeleton};
use glam::DVec2;
use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Share of the steepest grade that the entry has.
const ENTRY_GRADE: f64 = 0.8;
/// Share of the steepest grade that the ore body may dip by.
const DIP_GRADE: f64 = 0.3;
/// Stream of the draws that belong to no node.
const PLAN: u64 = u64::MAX >> 1;

/// How a mine is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MinePattern {
    /// Parallel entries and crosscuts that leave a grid of pillars.
    #[default]
    RoomAndPillar,
    /// A haulage drift along the ore and an ore drift beside it, joined by crosscuts, with headings into the ore.
    DriftAndCrosscut,
}

/// Keys of `mine`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MineConfig {
    /// How the mine is laid out.
    pub pattern: MinePattern,
    /// Width of the openings; `auto` is 5.5 m for rooms and 4.5 m for drifts.
    #[schemars(extend("minimum" = 1.5, "maximum" = 30.0, "x-unit" = "m"))]
    pub opening_m: Auto,
    /// Rock between parallel openings: side of a pillar, or from haulage to ore drift.
    #[schemars(range(min = 3.0, max = 200.0), extend("x-unit" = "m"))]
    pub pillar_m: f64,
    /// Distance between the crosscuts of `drift_and_crosscut`.
    #[schemars(range(min = 8.0, max = 300.0), extend("x-unit" = "m"))]
    pub crosscut_m: f64,
    /// Probability that neighbouring openings are joined by a crosscut.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub crosscut_probability: f64,
    /// Share of the possible dead-end headings that are driven.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub heading_probability: f64,
    /// Length of the entry from the portal.
    #[schemars(range(min = 5.0, max = 1000.0), extend("x-unit" = "m"))]
    pub entry_m: f64,
    /// Largest deviation of an opening from its planned direction.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-unit" = "deg"))]
    pub deviation_deg: f64,
}

impl Default for MineConfig {
    fn default() -> Self {
        Self {
            pattern: MinePattern::RoomAndPillar,
            opening_m: Auto::AUTO,
            pillar_m: 12.0,
            crosscut_m: 28.0,
            crosscut_probability: 0.85,
            heading_probability: 0.4,
            entry_m: 40.0,
            deviation_deg: 4.0,
        }
    }
}

/// A mine.
pub struct Mine;

impl Generator for Mine {
    fn promises(&self) -> Promises {
        Promises::ALL
    }

    fn layout(&self, config: &Config, _level: u32, job: &Job) -> Result<Skeleton, Error> {
        check(&config.generators.mine)?;
        let plan = Plan::new(config);
        let laid = match plan.keys.pattern {
            MinePattern::RoomAndPillar => rooms::lay(&plan, job)?,
            MinePattern::DriftAndCrosscut => drifts::lay(&plan, job)?,
        };
        let growth = match laid {
            Some(growth) => growth,
            None => plan.single_drift(job)?,
        };
        Ok(plan.finish(growth))
    }
}

/// Ranges, for configurations that were made in code.
fn check(k: &MineConfig) -> Result<(), Error> {
    if let Some(opening_m) = k.opening_m.value() {
        number("generators.mine.opening_m", opening_m, 1.5, 30.0)?;
    }
    number("generators.mine.pillar_m", k.pillar_m, 3.0, 200.0)?;
    number("generators.mine.crosscut_m", k.crosscut_m, 8.0, 300.0)?;
    let share = |key, value| number(key, value, 0.0, 1.0);
    share(
        "generators.mine.crosscut_probability",
        k.crosscut_probability,
    )?;
    share("generators.mine.heading_probability", k.heading_probability)?;
    number("generators.mine.entry_m", k.entry_m, 5.0, 1000.0)?;
    number("generators.mine.deviation_deg", k.deviation_deg, 0.0, 10.0)
}

/// What both patterns share.
struct Plan<'a> {
    config: &'a Config,
    keys: &'a MineConfig,
    nodes: usize,
    /// Half width of the openings, metres.
    half_m: f64,
    /// Distance of parallel openings, centre to centre, that keeps the clearance, metres.
    apart_m: f64,
    /// Largest deviation, radians.
    deviation: f64,
}

impl<'a> Plan<'a> {
    fn new(config: &'a Config) -> Self {
        let keys = &config.generators.mine;
        let opening_m = keys.opening_m.value().unwrap_or(match keys.pattern {
            MinePattern::RoomAndPillar => 5.5,
            MinePattern::DriftAndCrosscut => 4.5,
        });
        let half_m = opening_m / 2.0;
        Self {
            config,
            keys,
            nodes: config.skeleton.nodes as usize,
            half_m,
            apart_m: PASSAGE_REACH * 2.0 * half_m + config.skeleton.clearance_m,
            deviation: keys.deviation_deg.to_radians(),
        }
    }

    fn rng(&self, entity: u64) -> ChaCha8Rng {
        stream(self.config.seed, Domain::Skeleton, entity)
    }

    fn sprout(&self, plan: DVec2, heading: f64, length_m: f64) -> Sprout {
        Sprout {
            plan,
            z: 0.0,
            radius_m: length_m,
            passage_m: self.half_m,
            heading,
            parent: None,
            active: true,
        }
    }

    /// Only the portal, at the origin; the entry will head along +x.
    fn portal(&self, length_m: f64) -> Growth {
        let widest_m = self.half_m.max(ENTRANCE_PASSAGE_M);
        let entrance = Sprout {
            passage_m: widest_m,
            ..self.sprout(DVec2::ZERO, 0.0, length_m)
        };
        Growth::new(self.config, entrance, widest_m)
    }

    /// Legs of the entry, each at most about `leg_m` long, and their length, metres.
    fn entry(&self, leg_m: f64) -> (usize, f64) {
        // At least as long as two openings are wide: the mine begins behind the portal.
        let entry_m = self.keys.entry_m.max(4.0 * self.half_m);
        let legs = (entry_m / leg_m).round().max(1.0);
        let most = (self.nodes - 1) as f64;
        let legs = legs.min(most);
        (legs as usize, entry_m / legs)
    }

    /// A drawn deviation, radians.
    fn bend(&self, rng: &mut ChaCha8Rng) -> f64 {
        rng.random_range(-1.0..=1.0) * self.deviation
    }

    /// Grows a node at a place, if it is clear.
    fn drive(&self, growth: &mut Growth, from: usize, place: DVec2) -> Option<usize> {
        let start = growth.nodes()[from].plan;
        let heading = draft::heading(start, place);
        let mut child = self.sprout(place, heading, start.distance(place));
        child.parent = Some(from);
        draft::extend(growth, from, child)
    }

    /// The last resort: one drift that winds a little.
    fn single_drift(&self, job: &Job) -> Result<Growth, Cancelled> {
        job.note(
            "skeleton: no room found for the mine with openings this wide and clearance this \
             large; laid out as a single drift instead",
        );
        let leg_m = self.keys.crosscut_m;
        let mut rng = self.rng(PLAN);
        draft::chain(self.portal(leg_m), self.nodes, job, |from| {
            let turn = self.bend(&mut rng);
            (from.heading + turn, self.sprout(DVec2::ZERO, 0.0, leg_m))
        })
    }

    /// Heights: the entry falls to the ore body, which dips.
    fn finish(&self, growth: Growth) -> Skeleton {
        let s = &self.config.skeleton;
        let mut rng = self.rng(PLAN - 1);
        let dip =
            toward(rng.random_range(0.0..TAU)) * (DIP_GRADE * grade_limit(s) * rng.random::<f64>());
        let elevation = Elevation::new(s, self.config.seed);
        let fall = ENTRY_GRADE * grade_limit(s);
        let entry_m = self.keys.entry_m;
        let height = |plan: DVec2| {
            let ore = elevation.at(plan) + dip.dot(plan - DVec2::X * entry_m);
            ore - fall * plan.x.min(entry_m)
        };
        let target_m: Vec<f64> = growth
            .nodes()
            .iter()
            .map(|node| height(node.plan))
            .collect();
        let mut skeleton = growth.into_skeleton();
        draft::ease_heights(&mut skeleton, &target_m, grade_limit(s));
        skeleton
    }
}

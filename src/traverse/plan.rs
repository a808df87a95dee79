//! From points to routes.

use super::floor::{Floor, Span, SpanId};
use super::links;
use super::route::Route;
use super::search::Terms;
use super::smooth;
use crate::progress::{Cancelled, Job};
use serde::{Deserialize, Serialize};

/// Start, goal and clicked points are moved to the nearest walkable cell at most this far away (3D), metres.
pub const SNAP_RADIUS_M: f64 = 1.0;

/// Name of the layer that is crossed only when allowed and when nothing else leads there.
pub const WATER: &str = "water";

/// How a route is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlanOptions {
    /// Weight `k` of the incline: a step costs `exp(k · |θ| / 45°)` times its length. 0–100; larger gives switchbacks.
    pub incline_weight: f64,
    /// Whether water may be crossed when no dry route exists.
    pub allow_water: bool,
    /// Share by which a metre along an obstacle is dearer, at the closest the robot may be. 0–1000; 0 hugs walls.
    pub clearance_weight: f64,
    /// Distance beyond the robot's needs over which that surcharge fades to nothing, metres. 0–100.
    pub clearance_margin_m: f64,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self {
            incline_weight: 2.0,
            allow_water: false,
            clearance_weight: 1.0,
            clearance_margin_m: 0.3,
        }
    }
}

/// An end of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where it begins.
    Start,
    /// Where it ends.
    Goal,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            End::Start => "start",
            End::Goal => "goal",
        })
    }
}

/// What keeps two places apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Barrier {
    /// A gap that a smaller robot would pass.
    Narrow,
    /// A shaft: the graph joins them by passages steeper than the robot can climb.
    Shaft {
        /// Its highest place on the floor, metres, frame `map`.
        top: [f64; 3],
        /// Its lowest place on the floor, metres, frame `map`.
        bottom: [f64; 3],
        /// Its steepest passage, degrees.
        incline_deg: f64,
        /// What the robot can climb, degrees.
        limit_deg: f32,
    },
    /// A wall, a drop, a low roof, a slope or a step.
    Terrain,
}

impl std::fmt::Display for Barrier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Barrier::Narrow => "every way between them has a gap too narrow for this robot",
            Barrier::Shaft {
                top: [x, y, z],
                bottom: [to_x, to_y, to_z],
                incline_deg,
                limit_deg,
            } => {
                return write!(
                    f,
                    "a shaft of {incline_deg:.0}\u{b0} lies between them, from \
                     ({x:.1}, {y:.1}, {z:.1}) to ({to_x:.1}, {to_y:.1}, {to_z:.1}); this robot climbs {limit_deg:.0}\u{b0}"
                );
            }
            Barrier::Terrain => {
                "every way between them has a slope too steep, a step too high, a drop or a roof too low"
            }
        })
    }
}

/// Why there is no route.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoRoute {
    /// A coordinate is NaN or infinite.
    #[error("{end} {point:?}: coordinates must be finite numbers")]
    NotFinite {
        /// Which end.
        end: End,
        /// Point asked for.
        point: [f64; 3],
    },
    /// An option is out of range.
    #[error("{key} is {value}, allowed is {allowed}")]
    Option {
        /// Name of the option.
        key: &'static str,
        /// Value given.
        value: f64,
        /// Range.
        allowed: &'static str,
    },
    /// Farther from the map than a point is moved.
    #[error(
        "{end} {point:?} is outside the map, which spans x {:.2} to {:.2} m, y {:.2} to {:.2} m",
        x[0], x[1], y[0], y[1]
    )]
    OutsideMap {
        /// Which end.
        end: End,
        /// Point asked for.
        point: [f64; 3],
        /// Extent along x, metres.
        x: [f64; 2],
        /// Extent along y, metres.
        y: [f64; 2],
    },
    /// No ground near.
    #[error(
        "{end} {point:?} is in rock or in the air: there is no ground within {SNAP_RADIUS_M} m"
    )]
    NoGround {
        /// Which end.
        end: End,
        /// Point asked for.
        point: [f64; 3],
    },
    /// Ground near, but too steep.
    #[error(
        "{end} {point:?}: the ground there is {slope_deg:.0}° steep, the robot climbs {limit_deg:.0}°"
    )]
    TooSteep {
        /// Which end.
        end: End,
        /// Point asked for.
        point: [f64; 3],
        /// Slope there, degrees.
        slope_deg: f32,
        /// The robot's limit, degrees.
        limit_deg: f32,
    },
    /// Ground near, but no headroom.
    #[error(
        "{end} {point:?}: the roof there is {roof_m:.2} m high, the robot needs {needed_m:.2} m"
    )]
    LowRoof {
        /// Which end.
        end: End,
        /// Point asked for.
        point: [f64; 3],
        /// Headroom there, metres.
        roof_m: f32,
        /// The robot's height, metres.
        needed_m: f32,
    },
    /// Ground near, but the footprint does not fit within the snap radius.
    #[error(
        "{end} {point:?}: the nearest obstacle is {clearance_m:.2} m away, the robot needs {needed_m:.2} m \
         and there is no room within {SNAP_RADIUS_M} m"
    )]
    TooNarrow {
        /// Which end.
        end: End,
        /// Point asked for.
        point: [f64; 3],
        /// Distance to the nearest obstacle, metres.
        clearance_m: f32,
        /// The robot's need, metres.
        needed_m: f32,
    },
    /// Only water near, and it is not allowed.
    #[error("{end} {point:?} is in water, which the options do not allow")]
    InWater {
        /// Which end.
        end: End,
        /// Point asked for.
        point: [f64; 3],
    },
    /// The robot fits nowhere.
    #[error(
        "robot {robot:?} fits nowhere in this cave: it needs {needed_m:.2} m to the nearest obstacle, \
         the widest place offers {widest_m:.2} m"
    )]
    RobotTooLarge {
        /// The robot.
        robot: String,
        /// Its need, metres.
        needed_m: f32,
        /// The most there is, metres.
        widest_m: f32,
    },
    /// Both ends are the same cell.
    #[error("start and goal are the same place, {0:?}: there is nothing to drive")]
    SamePlace([f64; 3]),
    /// The ends are not connected for this robot.
    #[error("the goal cannot be reached from the start: {0}")]
    Unreachable(Barrier),
    /// Connected only through water, which is not allowed.
    #[error("the goal can be reached through water only, which the options do not allow")]
    OnlyThroughWater,
    /// None of the candidates can be reached.
    #[error("none of the {0} places asked for can be reached from the start")]
    NothingReachable(usize),
    /// Stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Floor {
    /// The cheapest route from `start` to `goal` (metres, frame `map`).
    ///
    /// Both are moved to the nearest walkable cell within [`SNAP_RADIUS_M`]. `stats.cost` is the cost of the exact
    /// A\* path over the cells; poses are that path smoothed within walkable cells, 0.25 m apart or less, never dearer; all other
    /// figures are measured on the poses, clearance and layers on every cell between them. Water is tried only when there is no dry route and
    /// the options allow it; `stats.crosses_water` tells.
    pub fn plan(
        &self,
        start: [f64; 3],
        goal: [f64; 3],
        options: &PlanOptions,
        job: &Job<'_>,
    ) -> Result<Route, NoRoute> {
        options.check()?;
        match self.plan_by(start, goal, &Terms::new(self, options, false), job) {
            Err(NoRoute::OnlyThroughWater | NoRoute::InWater { .. }) if options.allow_water => {
                self.plan_by(start, goal, &Terms::new(self, options, true), job)
            }
            result => result,
        }
    }

    /// Least cost from `start` to every span, by [`SpanId::index`]; infinite where no route leads.
    ///
    /// As in [`Floor::plan`], water counts only for spans that no dry route reaches, and only when allowed.
    pub fn distances_from(
        &self,
        start: [f64; 3],
        options: &PlanOptions,
        job: &Job<'_>,
    ) -> Result<Vec<f32>, NoRoute> {
        options.check()?;
        let reach = |through_water: bool| -> Result<Vec<f32>, NoRoute> {
            let terms = Terms::new(self, options, through_water);
            let from = self.place(start, End::Start, &terms)?;
            let tree = self.search(from, None, &terms, job)?;
            Ok(tree.cost.into_iter().map(|c| c as f32).collect())
        };
        let dry = reach(false);
        if !options.allow_water || !self.layers.iter().any(|l| l.name == WATER) {
            return dry;
        }
        match dry {
            Err(NoRoute::InWater { .. }) => reach(true),
            Err(other) => Err(other),
            Ok(mut costs) => {
                for (cost, wet) in costs.iter_mut().zip(reach(true)?) {
                    if cost.is_infinite() {
                        *cost = wet;
                    }
                }
                Ok(costs)
            }
        }
    }

    /// The route to the candidate that is dearest to reach, and its index.
    ///
    /// Candidates are points on the floor, such as the places under the nodes of a skeleton; those that cannot be
    /// reached are passed over.
    pub fn farthest(
        &self,
        start: [f64; 3],
        candidates: &[[f64; 3]],
        options: &PlanOptions,
        job: &Job<'_>,
    ) -> Result<(usize, Route), NoRoute> {
        let costs = self.distances_from(start, options, job)?;
        let mut best: Option<(f32, usize, [f64; 3])> = None;
        for (index, &candidate) in candidates.iter().enumerate() {
            let Some(id) = self.nearest(candidate) else {
                continue;
            };
            let cost = costs[id.index()];
            if cost.is_finite() && best.is_none_or(|(c, ..)| cost > c) {
                best = Some((cost, index, self.position(id.0)));
            }
        }
        match best {
            Some((cost, index, goal)) if cost > 0.0 => {
                Ok((index, self.plan(start, goal, options, job)?))
            }
            _ => Err(NoRoute::NothingReachable(candidates.len())),
        }
    }

    fn plan_by(
        &self,
        start: [f64; 3],
        goal: [f64; 3],
        terms: &Terms,
        job: &Job<'_>,
    ) -> Result<Route, NoRoute> {
        let from = self.place(start, End::Start, terms)?;
        let to = self.place(goal, End::Goal, terms)?;
        if from == to {
            return Err(NoRoute::SamePlace(self.position(from)));
        }
        if self.components[from as usize] != self.components[to as usize] {
            return Err(NoRoute::Unreachable(self.barrier(from, to)));
        }
        let tree = self.search(from, Some(to), terms, job)?;
        let path = tree.path(self, to);
        if path.is_empty() {
            return Err(NoRoute::OnlyThroughWater);
        }
        Ok(smooth::route(self, &path, &tree.cost, terms, job)?)
    }

    /// The span from which a route may begin or at which it may end, or why there is none.
    fn place(&self, point: [f64; 3], end: End, terms: &Terms) -> Result<u32, NoRoute> {
        if !point.iter().all(|c| c.is_finite()) {
            return Err(NoRoute::NotFinite { end, point });
        }
        if let Some((id, _)) = self.nearest_where(point, |s| s.is_walkable() && terms.allows(s)) {
            return Ok(id);
        }
        let needed_m = self.robot.needed_m();
        if !self.spans.iter().any(Span::is_walkable) {
            let widest_m = self.spans.iter().fold(0.0, |w: f32, s| w.max(s.clearance));
            let robot = self.robot.name.clone();
            return Err(NoRoute::RobotTooLarge {
                robot,
                needed_m,
                widest_m,
            });
        }
        let cell = self.grid.cell_m;
        let extent = |k: usize| {
            let low = f64::from(self.grid.min[k]) * cell;
            [low, low + f64::from(self.grid.size[k]) * cell]
        };
        let (x, y) = (extent(0), extent(1));
        let outside =
            |c: f64, [low, high]: [f64; 2]| c < low - SNAP_RADIUS_M || c > high + SNAP_RADIUS_M;
        if outside(point[0], x) || outside(point[1], y) {
            return Err(NoRoute::OutsideMap { end, point, x, y });
        }
        let Some((id, _)) = self.nearest_where(point, |_| true) else {
            return Err(NoRoute::NoGround { end, point });
        };
        if self.nearest_where(point, Span::is_walkable).is_some() {
            return Err(NoRoute::InWater { end, point });
        }
        let span = &self.spans[id as usize];
        let limit_deg = self.robot.max_slope_deg;
        Err(if span.is_open() {
            NoRoute::TooNarrow {
                end,
                point,
                clearance_m: span.clearance,
                needed_m,
            }
        } else if span.roof < self.robot.height_m {
            let needed_m = self.robot.height_m;
            NoRoute::LowRoof {
                end,
                point,
                roof_m: span.roof,
                needed_m,
            }
        } else {
            NoRoute::TooSteep {
                end,
                point,
                slope_deg: span.slope.to_degrees(),
                limit_deg,
            }
        })
    }

    /// What keeps two walkable spans apart.
    fn barrier(&self, a: u32, b: u32) -> Barrier {
        let [from, to] = [a, b].map(|span| self.components[span as usize]);
        if let Some(shaft) = self.shaft_between(from, to) {
            return shaft;
        }
        let open = links::components(
            &self.links,
            |id| self.spans[id as usize].is_open(),
            |_, _| true,
        );
        if open[a as usize] == open[b as usize] {
            Barrier::Narrow
        } else {
            Barrier::Terrain
        }
    }
}

impl PlanOptions {
    /// Checks every range.
    pub fn check(&self) -> Result<(), NoRoute> {
        let checks = [
            ("incline_weight", self.incline_weight, 100.0, "0 to 100"),
            (
                "clearance_weight",
                self.clearance_weight,
                1000.0,
                "0 to 1000",
            ),
            (
                "clearance_margin_m",
                self.clearance_margin_m,
                100.0,
                "0 to 100",
            ),
        ];
        for (key, value, max, allowed) in checks {
            if !(0.0..=max).contains(&value) {
                return Err(NoRoute::Option {
                    key,
                    value,
                    allowed,
                });
            }
        }
        Ok(())
    }

    /// These options with another incline weight and water rule, as a request gives them.
    pub fn with(self, incline_weight: f64, allow_water: bool) -> Self {
        Self {
            incline_weight,
            allow_water,
            ..self
        }
    }
}

impl Floor {
    /// The span under a route's pose, for checks: the walkable span whose cell holds it.
    pub fn walkable_at(&self, point: [f64; 3]) -> Option<SpanId> {
        let [x, y] = self.grid.cell_from_map([point[0], point[1]]);
        let (id, _) = self.nearest_where(point, |s| {
            s.is_walkable()
                && (f64::from(s.x) + 0.5 - x).abs() <= 0.5 + 1e-6
                && (f64::from(s.y) + 0.5 - y).abs() <= 0.5 + 1e-6
        })?;
        Some(SpanId(id))
    }
}

//! A\* and Dijkstra over spans.

use super::floor::{Floor, Span};
use super::links::NONE;
use super::plan::{PlanOptions, WATER};
use crate::progress::{Cancelled, Job};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::FRAC_PI_4;

/// What driving costs, resolved for one floor.
pub(super) struct Terms {
    /// Cost of a metre by layer; infinite where not allowed.
    layers: Vec<f64>,
    incline_weight: f64,
    /// Clearance below which driving gets dearer, metres.
    comfort_m: f64,
    per_margin: f64,
    clearance_weight: f64,
    cheapest: f64,
}

impl Terms {
    pub fn new(floor: &Floor, options: &PlanOptions, through_water: bool) -> Self {
        let layers: Vec<f64> = floor
            .layers
            .iter()
            .map(|l| {
                if l.name == WATER && !through_water {
                    f64::INFINITY
                } else {
                    f64::from(l.cost)
                }
            })
            .collect();
        let margin_m = options.clearance_margin_m.max(1e-6);
        Self {
            cheapest: layers.iter().copied().fold(f64::INFINITY, f64::min),
            layers,
            incline_weight: options.incline_weight,
            comfort_m: f64::from(floor.robot.needed_m()) + margin_m,
            per_margin: 1.0 / margin_m,
            clearance_weight: options.clearance_weight,
        }
    }

    /// Whether the span's layer may be driven on.
    pub fn allows(&self, span: &Span) -> bool {
        self.layer(span).is_finite()
    }

    /// Cost of a metre of the span's layer; infinite where not allowed.
    pub fn layer(&self, span: &Span) -> f64 {
        self.layers[span.layer as usize]
    }

    /// Cost of a metre on the level: the layer's, dearer the nearer an obstacle is.
    pub fn penalty(&self, span: &Span) -> f64 {
        let lack = ((self.comfort_m - f64::from(span.clearance)) * self.per_margin).clamp(0.0, 1.0);
        self.layer(span) * (1.0 + self.clearance_weight * lack)
    }

    /// Factor of an incline that rises `dz` over `run` metres.
    pub fn incline(&self, dz: f64, run: f64) -> f64 {
        if dz == 0.0 || self.incline_weight == 0.0 {
            return 1.0;
        }
        libm::exp(self.incline_weight * libm::atan(dz.abs() / run) / FRAC_PI_4)
    }

    /// Least cost between two points.
    fn least(&self, a: [f64; 3], b: [f64; 3]) -> f64 {
        let squared = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>();
        squared.sqrt() * self.cheapest
    }
}

/// In [`Tree::came`]: not yet expanded.
const FRESH: u8 = 8;

/// What a search found.
pub(super) struct Tree {
    /// Least cost from the start; infinite where not reached. On a search for one goal final only up to that goal.
    pub cost: Vec<f64>,
    /// Direction of the last step to each reached span.
    came: Vec<u8>,
    start: u32,
}

impl Tree {
    /// Spans from the start to `goal`; empty if it was not reached.
    pub fn path(&self, floor: &Floor, goal: u32) -> Vec<u32> {
        if !self.cost[goal as usize].is_finite() {
            return Vec::new();
        }
        let mut path = vec![goal];
        let mut at = goal;
        while at != self.start {
            let back = super::grid::opposite(usize::from(self.came[at as usize] & !FRESH));
            at = floor.links[at as usize][back];
            path.push(at);
        }
        path.reverse();
        path
    }
}

/// An open place, best first: least total, then nearest to the goal, then lowest id.
struct Open {
    total: f64,
    rest: f32,
    id: u32,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .total
            .total_cmp(&self.total)
            .then_with(|| other.rest.total_cmp(&self.rest))
            .then_with(|| other.id.cmp(&self.id))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl Floor {
    /// Least costs from `start`, to `goal` only (A\*) or to every span (Dijkstra).
    pub(super) fn search(
        &self,
        start: u32,
        goal: Option<u32>,
        terms: &Terms,
        job: &Job<'_>,
    ) -> Result<Tree, Cancelled> {
        let mut cost = vec![f64::INFINITY; self.spans.len()];
        let mut came = vec![FRESH; self.spans.len()];
        let mut open = BinaryHeap::new();
        let target = goal.map(|g| self.position(g));
        let rest = |id: u32| target.map_or(0.0, |t| terms.least(self.position(id), t));
        let runs: [f64; 8] = std::array::from_fn(|d| self.grid.step_m(d));
        cost[start as usize] = 0.0;
        let first = rest(start);
        open.push(Open {
            total: first,
            rest: first as f32,
            id: start,
        });
        let mut expanded = 0u32;
        while let Some(Open { id: a, .. }) = open.pop() {
            // The heuristic is consistent, so what was expanded once is final.
            if came[a as usize] & FRESH == 0 {
                continue;
            }
            came[a as usize] &= !FRESH;
            if goal == Some(a) {
                break;
            }
            if expanded.is_multiple_of(4096) {
                job.check()?;
            }
            expanded = expanded.wrapping_add(1);
            let span = &self.spans[a as usize];
            let (own, here) = (&self.links[a as usize], cost[a as usize]);
            let penalty = terms.penalty(span);
            for (d, &b) in own.iter().enumerate() {
                if span.moves & (1 << d) == 0 || came[b as usize] & FRESH == 0 {
                    continue;
                }
                let other = &self.spans[b as usize];
                if !terms.allows(other) || !self.corners_allowed(own, d, terms) {
                    continue;
                }
                let dz = f64::from(other.z) - f64::from(span.z);
                let length = (runs[d] * runs[d] + dz * dz).sqrt();
                let level = here + length * penalty.max(terms.penalty(other));
                // Without the incline already too dear: spare the exponential.
                if level >= cost[b as usize] {
                    continue;
                }
                let reached = here + (level - here) * terms.incline(dz, runs[d]);
                if reached < cost[b as usize] {
                    cost[b as usize] = reached;
                    came[b as usize] = d as u8 | FRESH;
                    let rest = rest(b);
                    open.push(Open {
                        total: reached + rest,
                        rest: rest as f32,
                        id: b,
                    });
                }
            }
        }
        Ok(Tree { cost, came, start })
    }

    /// Whether the corners beside a diagonal step may be driven on.
    pub(super) fn corners_allowed(&self, own: &[u32; 8], d: usize, terms: &Terms) -> bool {
        d.is_multiple_of(2)
            || [own[(d + 7) % 8], own[(d + 1) % 8]]
                .iter()
                .all(|&c| c != NONE && terms.allows(&self.spans[c as usize]))
    }
}

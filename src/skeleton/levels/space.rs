//! Passages in space, and the rock between them.

use crate::config::Config;
use crate::skeleton::clearance::{Segment, SegmentGrid, floor_reach_m, roof_reach_m};
use crate::skeleton::growth::PASSAGE_REACH;
use crate::skeleton::{Edge, Skeleton};
use glam::DVec3;

/// A straight passage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tube {
    /// Ends of the centre line, metres.
    pub(super) ends: [DVec3; 2],
    /// Half width at its widest, metres.
    pub(super) half_m: f64,
}

impl Tube {
    /// The passage of an edge.
    pub(super) fn of(skeleton: &Skeleton, edge: Edge) -> Self {
        let [a, b] = [edge.a, edge.b].map(|n| &skeleton.nodes[n]);
        Self {
            ends: [a.position, b.position],
            half_m: a.passage_m.max(b.passage_m),
        }
    }

    /// The passage from above.
    pub(super) fn plan(&self) -> Segment {
        let [a, b] = self.ends.map(DVec3::truncate);
        Segment { a, b }
    }

    /// Highest place of the roof, metres.
    pub(super) fn top(&self, config: &Config) -> f64 {
        self.ends[0].z.max(self.ends[1].z) + roof_reach_m(self.half_m, config)
    }

    /// Lowest place of the floor, metres.
    pub(super) fn bottom(&self, config: &Config) -> f64 {
        self.ends[0].z.min(self.ends[1].z) - floor_reach_m(self.half_m, config)
    }

    /// Distance in plan that leaves `rock_m` between two passages, metres.
    pub(super) fn apart_m(&self, other: &Self, rock_m: f64) -> f64 {
        PASSAGE_REACH * (self.half_m + other.half_m) + rock_m
    }

    /// Whether one passage lies over the other with `rock_m` between them.
    pub(super) fn is_over_or_under(&self, other: &Self, rock_m: f64, config: &Config) -> bool {
        let over = self.bottom(config) - other.top(config);
        let under = other.bottom(config) - self.top(config);
        over.max(under) >= rock_m
    }
}

/// All passages so far, with their nodes.
pub(super) struct Space {
    grid: SegmentGrid,
    tubes: Vec<(Tube, Edge)>,
    found: Vec<u32>,
    widest_m: f64,
}

impl Space {
    /// Nothing; no passage will be wider than `widest_m`.
    pub(super) fn new(widest_m: f64, rock_m: f64) -> Self {
        Self {
            grid: SegmentGrid::new((2.0 * PASSAGE_REACH * widest_m + rock_m).max(8.0)),
            tubes: Vec::new(),
            found: Vec::new(),
            widest_m,
        }
    }

    /// Adds a passage.
    pub(super) fn push(&mut self, tube: Tube, edge: Edge) {
        self.grid.push(tube.plan());
        self.tubes.push((tube, edge));
    }

    /// Whether every passage that lies too near in plan, with less than `rock_m`, is `excused`;
    /// that is asked with the passage, its nodes and its distance in plan.
    pub(super) fn is_clear(
        &mut self,
        tube: &Tube,
        rock_m: f64,
        mut excused: impl FnMut(&Tube, Edge, f64) -> bool,
    ) -> bool {
        let reach = PASSAGE_REACH * (tube.half_m + self.widest_m) + rock_m;
        let mut found = std::mem::take(&mut self.found);
        self.grid.near(tube.plan(), reach, &mut found);
        let clear = found.iter().all(|&i| {
            let (other, edge) = &self.tubes[i as usize];
            let distance = tube.plan().distance(other.plan());
            distance >= tube.apart_m(other, rock_m) || excused(other, *edge, distance)
        });
        self.found = found;
        clear
    }
}

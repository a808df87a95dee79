//! Places of the graph that are too steep for the robot, as the floor knows them.

use super::floor::{Floor, Span};
use super::plan::Barrier;
use crate::config::PassageConfig;
use crate::sets::Sets;
use crate::skeleton::{Edge, Skeleton};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The floor beside a shaft begins within so many half widths of its middle: the hole itself, its
/// edge, and what the robot keeps from it.
const RIM: f64 = 2.5;

/// A stretch of passages steeper than the robot can climb.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shaft {
    /// Places on the floor under its nodes, the highest first, metres, frame `map`.
    pub places: Vec<[f64; 3]>,
    /// Floor within this distance of a place borders on the shaft, metres.
    pub reach_m: f64,
    /// Its steepest passage, degrees.
    pub incline_deg: f64,
}

impl Floor {
    /// The shafts, in the order of the graph.
    pub fn shafts(&self) -> &[Shaft] {
        &self.shafts
    }

    /// Takes note of every passage of the graph that is steeper than the robot can climb. Those
    /// that share a node are one shaft.
    pub fn mark_shafts(&mut self, skeleton: &Skeleton, passage: &PassageConfig) {
        let limit_deg = f64::from(self.robot.max_slope_deg);
        let mut group = Sets::new(skeleton.nodes.len());
        let steep: Vec<(f64, Edge)> = skeleton
            .edges
            .iter()
            .map(|&edge| (skeleton.grade_deg(edge), edge))
            .filter(|(grade, _)| *grade > limit_deg)
            .collect();
        for (_, edge) in &steep {
            group.join(edge.a, edge.b);
        }
        let mut shafts: BTreeMap<usize, (f64, BTreeSet<usize>)> = BTreeMap::new();
        for (grade, edge) in &steep {
            let (incline, nodes) = shafts.entry(group.find(edge.a)).or_default();
            *incline = incline.max(*grade);
            nodes.extend([edge.a, edge.b]);
        }
        let widest = |nodes: &BTreeSet<usize>| {
            let widths = nodes.iter().map(|&n| skeleton.nodes[n].passage_m);
            widths.fold(0.0, f64::max)
        };
        let shafts = shafts.into_values().map(|(incline_deg, nodes)| {
            let mut places: Vec<[f64; 3]> = nodes
                .iter()
                .map(|&n| skeleton.nodes[n].floor(passage))
                .collect();
            places.sort_by(|a, b| b[2].total_cmp(&a[2]));
            Shaft {
                places,
                reach_m: RIM * widest(&nodes),
                incline_deg,
            }
        });
        self.shafts = shafts.collect();
    }

    /// The steepest shaft on a way between two pieces of floor that has the fewest, if shafts are
    /// all that keeps them apart.
    pub(super) fn shaft_between(&self, from: u32, to: u32) -> Option<Barrier> {
        let pieces: Vec<BTreeSet<u32>> = self
            .shafts
            .iter()
            .map(|shaft| {
                let spans = shaft.places.iter().filter_map(|&place| {
                    self.nearest_within(shaft.reach_m, place, Span::is_walkable)
                });
                spans.map(|(id, _)| self.components[id as usize]).collect()
            })
            .collect();
        // Breadth first over pieces of floor; each remembers the shafts on its way.
        let mut ways = vec![(from, Vec::new())];
        let mut seen = BTreeSet::from([from]);
        let mut next = 0;
        while let Some((piece, way)) = ways.get(next).cloned() {
            next += 1;
            if piece == to {
                let steepest = way
                    .into_iter()
                    .map(|shaft: usize| &self.shafts[shaft])
                    .max_by(|a, b| a.incline_deg.total_cmp(&b.incline_deg))?;
                let (top, bottom) = (steepest.places.first()?, steepest.places.last()?);
                return Some(Barrier::Shaft {
                    top: *top,
                    bottom: *bottom,
                    incline_deg: steepest.incline_deg,
                    limit_deg: self.robot.max_slope_deg,
                });
            }
            for (shaft, joined) in pieces.iter().enumerate() {
                if !joined.contains(&piece) {
                    continue;
                }
                for &other in joined {
                    if seen.insert(other) {
                        ways.push((other, way.iter().copied().chain([shaft]).collect()));
                    }
                }
            }
        }
        None
    }
}

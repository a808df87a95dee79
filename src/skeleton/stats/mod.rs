//! Whether a cave is built like surveyed ones: the measures of Collon et al. 2017.
//!
//! In: a [`Skeleton`]. Out: [`Statistics`]: eleven [`Measure`]s, each beside its range over 31
//! surveyed caves ([`Range`]), and an [`Overview`] of plain counts.
//!
//! ```
//! use plume::skeleton::{self, stats::Statistics};
//! # use plume::{config::Config, progress};
//! # let job = progress::Job::new(&progress::Unobserved, progress::Stage::Skeleton);
//! let cave = skeleton::grow(&Config::default(), &job)?;
//! let stats = Statistics::of(&cave);
//! assert_eq!(stats.graph.nodes, 50);
//! assert_eq!(stats.loops.value, Some((stats.graph.edges - 49) as f64));
//! # Ok::<(), skeleton::Error>(())
//! ```
//!
//! Source: P. Collon, D. Bernasconi, C. Vuilleumier, P. Renard, "Statistical metrics for the
//! characterization of karst network geometry and topology", Geomorphology 283 (2017) 122–142,
//! and its update of 2021 (HAL hal-01468055v2). Counting follows the authors' code karstnet, so
//! that values compare with the published table; see `reduce`.
//!
//! Guaranteed: the surveyed cave Sakany gets its published values; a value is finite or, where
//! the graph does not define it, absent (`null` in JSON); the same bits for any number of
//! threads. Several components are allowed, isolated nodes are left out.
//! Cost: topology is O(N·E) on the reduced graph, the rest linear.
//!
//! To follow it: `reduce` finds the branches and the graph that they make; `geometry` measures
//! the branches and edges in space, `topology` the reduced graph; `paths` finds its shortest
//! ways; `real` holds what surveyed caves have.

mod geometry;
mod paths;
mod real;
mod reduce;
mod topology;

use super::{NodeKind, Skeleton};
pub use real::Range;
use reduce::{Reduced, branches};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::collections::BTreeSet;

/// A value beside what surveyed caves have.
///
/// In JSON `{value, low, high, inside}` with the 10 % and 90 % points of surveyed caves; `value`
/// and `inside` are `null` where the graph does not define the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The value; absent where the graph does not define it, never NaN.
    pub value: Option<f64>,
    /// Distribution over surveyed caves.
    pub real: &'static Range,
}

impl Measure {
    fn new(value: Option<f64>, real: &'static Range) -> Self {
        Self {
            value: value.filter(|value| value.is_finite()),
            real,
        }
    }

    /// Whether the value lies in the 10 % to 90 % range of surveyed caves, ends included.
    pub fn inside(&self) -> Option<bool> {
        self.value
            .map(|value| (self.real.low..=self.real.high).contains(&value))
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Measure", 4)?;
        object.serialize_field("value", &self.value)?;
        object.serialize_field("low", &self.real.low)?;
        object.serialize_field("high", &self.real.high)?;
        object.serialize_field("inside", &self.inside())?;
        object.end()
    }
}

/// Plain counts of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Overview {
    /// Nodes.
    pub nodes: usize,
    /// Edges.
    pub edges: usize,
    /// Branches: ways between two nodes of other degree than two.
    pub branches: usize,
    /// Nodes of degree three or more.
    pub junctions: usize,
    /// Nodes of degree one, entrances among them.
    pub dead_ends: usize,
    /// Different levels.
    pub levels: usize,
    /// Shafts: groups of joined nodes of that kind.
    pub shafts: usize,
    /// Sum of the straight lengths of all edges, metres.
    pub length_m: f64,
}

/// The measures of Collon et al. 2017 for one cave, in the order of the published table.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Statistics {
    /// Plain counts.
    pub graph: Overview,
    /// Mean degree of the reduced graph.
    pub mean_degree: Measure,
    /// Coefficient of variation of its degrees (sample deviation over mean).
    pub cv_degree: Measure,
    /// Pearson correlation of the degrees at both ends of its edges; undefined when all are equal.
    pub degree_correlation: Measure,
    /// Independent loops: edges less nodes plus components.
    pub loops: Measure,
    /// Mean length of a branch along its edges, metres.
    pub branch_mean_m: Measure,
    /// Coefficient of variation of branch lengths; undefined for one branch.
    pub branch_cv: Measure,
    /// Mean of length over straight distance of the ends, over branches whose ends differ.
    pub tortuosity: Measure,
    /// Mean number of edges on the shortest way between two nodes of the reduced graph.
    pub shortest_path: Measure,
    /// Freeman's central point dominance of the reduced graph: 0 when all nodes lie on equally
    /// many shortest ways, 1 for a star; undefined under three nodes.
    pub central_point_dominance: Measure,
    /// Entropy of branch lengths in ten bins from 0 to the longest: 0 one bin, 1 all alike.
    pub length_entropy: Measure,
    /// Entropy of strikes in 18 bins of 10°, weighted by length in plan; undefined without any.
    pub orientation_entropy: Measure,
}

impl Statistics {
    /// Measures a graph.
    pub fn of(skeleton: &Skeleton) -> Self {
        let branches = branches(skeleton);
        let reduced = Reduced::of(&branches);
        let ways = paths::ways(&reduced);
        let lengths: Vec<f64> = branches.iter().map(|b| b.length_m).collect();
        Self {
            graph: overview(skeleton, branches.len()),
            mean_degree: Measure::new(topology::mean_degree(&reduced), &real::MEAN_DEGREE),
            cv_degree: Measure::new(topology::cv_degree(&reduced), &real::CV_DEGREE),
            degree_correlation: Measure::new(
                topology::degree_correlation(&reduced),
                &real::DEGREE_CORRELATION,
            ),
            loops: Measure::new(Some(topology::loops(&reduced) as f64), &real::LOOPS),
            branch_mean_m: Measure::new(geometry::mean(&lengths), &real::BRANCH_MEAN_M),
            branch_cv: Measure::new(
                geometry::coefficient_of_variation(&lengths),
                &real::BRANCH_CV,
            ),
            tortuosity: Measure::new(geometry::tortuosity(&branches), &real::TORTUOSITY),
            shortest_path: Measure::new(ways.mean_distance, &real::SHORTEST_PATH),
            central_point_dominance: Measure::new(
                topology::central_point_dominance(&ways.betweenness),
                &real::CENTRAL_POINT_DOMINANCE,
            ),
            length_entropy: Measure::new(geometry::length_entropy(&lengths), &real::LENGTH_ENTROPY),
            orientation_entropy: Measure::new(
                geometry::orientation_entropy(skeleton),
                &real::ORIENTATION_ENTROPY,
            ),
        }
    }

    /// Every measure with its key in JSON, in order.
    pub fn measures(&self) -> [(&'static str, Measure); 11] {
        [
            ("mean_degree", self.mean_degree),
            ("cv_degree", self.cv_degree),
            ("degree_correlation", self.degree_correlation),
            ("loops", self.loops),
            ("branch_mean_m", self.branch_mean_m),
            ("branch_cv", self.branch_cv),
            ("tortuosity", self.tortuosity),
            ("shortest_path", self.shortest_path),
            ("central_point_dominance", self.central_point_dominance),
            ("length_entropy", self.length_entropy),
            ("orientation_entropy", self.orientation_entropy),
        ]
    }
}

fn overview(skeleton: &Skeleton, branches: usize) -> Overview {
    let degrees: Vec<usize> = skeleton.adjacency().iter().map(Vec::len).collect();
    let levels: BTreeSet<u32> = skeleton.nodes.iter().map(|node| node.level).collect();
    Overview {
        nodes: skeleton.nodes.len(),
        edges: skeleton.edges.len(),
        branches,
        junctions: degrees.iter().filter(|&&degree| degree >= 3).count(),
        dead_ends: degrees.iter().filter(|&&degree| degree == 1).count(),
        levels: levels.len(),
        shafts: shafts(skeleton),
        length_m: skeleton.length_m(),
    }
}

/// Number of groups of joined shaft nodes.
fn shafts(skeleton: &Skeleton) -> usize {
    let is_shaft = |index: usize| skeleton.nodes[index].kind == NodeKind::Shaft;
    let adjacency = skeleton.adjacency();
    let mut seen = vec![false; skeleton.nodes.len()];
    let mut groups = 0;
    for start in (0..seen.len()).filter(|&index| is_shaft(index)) {
        if seen[start] {
            continue;
        }
        groups += 1;
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(adjacency[at].iter().filter(|&&next| is_shaft(next)));
            }
        }
    }
    groups
}

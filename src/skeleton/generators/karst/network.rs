//! The conduits so far, on the samples of the rock.

use super::rock::Rock;
use crate::config::Config;
use crate::skeleton::angles::wrap_deg;
use crate::skeleton::growth::{Growth, PASSAGE_REACH, Sprout};
use crate::skeleton::{ENTRANCE_PASSAGE_M, Skeleton};
use glam::DVec2;

/// Most passages at a node: with more, the angles between them get too small.
const MOST_PASSAGES: usize = 5;

/// Least angle between a conduit and those it joins, degrees. Over 49°, the second leg of a
/// branch is far enough from the passage it left, for legs of equal length.
const JOIN_DEG: f64 = 52.0;

/// Least angle between the last leg of a dead end and its continuation, degrees.
const CONTINUE_DEG: f64 = 115.0;

/// A cave on the samples of the rock.
pub(super) struct Network<'a> {
    rock: &'a Rock,
    growth: Growth,
    passage_m: f64,
    /// By sample: its node, or none.
    node_of: Vec<Option<usize>>,
    /// By node.
    sample_of: Vec<u32>,
    /// By sample: whether a passage here would come too near to one that is there.
    shore: Vec<bool>,
    need_m: f64,
}

impl<'a> Network<'a> {
    /// Nothing but the entrance.
    pub(super) fn new(config: &Config, rock: &'a Rock, entrance: u32) -> Self {
        let passage_m = config.passage.min_m;
        let wide_m = passage_m.max(ENTRANCE_PASSAGE_M);
        let sprout = Sprout {
            plan: rock.point(entrance),
            z: 0.0,
            radius_m: config.skeleton.radius_min_m,
            passage_m: wide_m,
            heading: 0.0,
            parent: None,
            active: true,
        };
        let mut node_of = vec![None; rock.len()];
        node_of[entrance as usize] = Some(0);
        Self {
            rock,
            growth: Growth::new(config, sprout, wide_m),
            passage_m,
            node_of,
            sample_of: vec![entrance],
            shore: vec![false; rock.len()],
            need_m: 2.0 * PASSAGE_REACH * passage_m + config.skeleton.clearance_m,
        }
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.sample_of.len()
    }

    /// The node at a sample, if there is one.
    pub(super) fn node(&self, sample: u32) -> Option<usize> {
        self.node_of[sample as usize]
    }

    /// The sample of a node.
    pub(super) fn sample(&self, node: usize) -> u32 {
        self.sample_of[node]
    }

    /// Passages at a node.
    pub(super) fn degree(&self, node: usize) -> usize {
        self.growth.degree(node)
    }

    /// Nodes that a node is joined to.
    pub(super) fn neighbours(&self, node: usize) -> impl Iterator<Item = usize> {
        self.growth.neighbours(node)
    }

    /// Whether a passage at a sample would come too near to another.
    pub(super) fn is_shore(&self, sample: u32) -> bool {
        self.shore[sample as usize]
    }

    /// Length of the shortest passage that keeps two passages apart, metres.
    pub(super) fn need_m(&self) -> f64 {
        self.need_m
    }

    /// Walks through the cave from a node, as far as a limit in metres.
    pub(super) fn walk_from(&mut self, node: usize, limit_m: f64) {
        self.growth.walk_from(node, limit_m);
    }

    /// Length of the way to a node since the last walk, metres; infinite beyond its limit.
    pub(super) fn way_m(&self, node: usize) -> f64 {
        self.growth.way_m(node)
    }

    /// Whether a conduit may leave `node` towards `sample`.
    pub(super) fn is_joinable(&self, node: usize, sample: u32) -> bool {
        let degree = self.degree(node);
        if node == 0 {
            return degree == 0;
        }
        let least = if degree == 1 { CONTINUE_DEG } else { JOIN_DEG };
        let from = self.place(node);
        let angle = |p: DVec2| {
            let way = p - from;
            libm::atan2(way.y, way.x).to_degrees()
        };
        let out = angle(self.rock.point(sample));
        degree < MOST_PASSAGES
            && self
                .growth
                .neighbours(node)
                .all(|other| wrap_deg(angle(self.place(other)) - out).abs() >= least)
    }

    /// Adds a conduit along `path`, whose first sample is a node and whose last one may be.
    ///
    /// # Errors
    ///
    /// The first step of `path` that comes too near to another passage; nothing is added then.
    pub(super) fn add(&mut self, path: &[u32]) -> Result<(), usize> {
        let Some(from) = path.first().and_then(|&first| self.node(first)) else {
            return Ok(());
        };
        let (nodes, passages) = (self.len(), self.growth.passages());
        let mut tip = from;
        for &sample in &path[1..] {
            match self.node(sample) {
                Some(node) => self.growth.join(tip, node),
                None => tip = self.push(tip, sample),
            }
        }
        let near = (passages..self.growth.passages()).find(|&p| !self.growth.keeps_clear(p));
        if let Some(passage) = near {
            self.growth.rewind_to(nodes, passages);
            for sample in self.sample_of.drain(nodes..) {
                self.node_of[sample as usize] = None;
            }
            return Err(passage - passages);
        }
        for step in path.windows(2) {
            self.mark_shore(step[0], step[1]);
        }
        Ok(())
    }

    fn push(&mut self, parent: usize, sample: u32) -> usize {
        let plan = self.rock.point(sample);
        let way = plan - self.place(parent);
        let sprout = Sprout {
            plan,
            z: 0.0,
            radius_m: way.length(),
            passage_m: self.passage_m,
            heading: libm::atan2(way.y, way.x),
            parent: Some(parent),
            active: true,
        };
        let node = self.growth.push(parent, sprout);
        self.node_of[sample as usize] = Some(node);
        self.sample_of.push(sample);
        node
    }

    fn mark_shore(&mut self, a: u32, b: u32) {
        let (a, b) = (self.rock.point(a), self.rock.point(b));
        let along = b - a;
        for (sample, p) in self.rock.around(a, b, self.need_m) {
            let t = ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            if p.distance(a + along * t) < self.need_m {
                self.shore[sample as usize] = true;
            }
        }
    }

    fn place(&self, node: usize) -> DVec2 {
        self.growth.nodes()[node].plan
    }

    /// The graph.
    pub(super) fn into_skeleton(self) -> Skeleton {
        self.growth.into_skeleton()
    }
}

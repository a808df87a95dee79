//! A cave while it grows: passages in the plane, what they leave free, and how far apart they
//! are when walking.
//!
//! Two passages that share no node keep rock between them. Their straight centre lines stay
//! `1.4 · (half width + half width) + clearance_m` apart in plan (1.4: the smooth centre curve
//! of the field leaves the chord by up to 0.4 half widths), or three quarters of the way between
//! them through the cave, where that is less: passages that follow each other closely cannot be
//! farther apart than the passage between them is long.

use super::angles::wrap_deg;
use super::clearance::{Segment, SegmentGrid};
use super::elevation::grade_limit;
use super::walk::{Link, Walk};
use super::{Edge, Node, Skeleton, assemble};
use crate::config::{Config, SkeletonConfig};
use glam::DVec2;

/// Smallest angle between two passages that leave one node, degrees; less, and they would melt
/// into one slot.
pub const BRANCH_SEPARATION_DEG: f64 = 45.0;

/// Half widths that a passage takes up on each side of its straight centre line.
pub const PASSAGE_REACH: f64 = 1.4;

/// Share of the way between two passages that they are apart at least.
pub const NEIGHBOUR_SHARE: f64 = 0.75;

/// The way round a loop is at least so many times as long as the passage that closes it, so that
/// a loop goes round a pillar and not round a bump.
const LOOP_DETOUR: f64 = 3.0;

/// Free nodes that a loop tries to reach, nearest first.
const LOOP_TRIES: usize = 8;

/// A node of a growing cave.
#[derive(Clone, Debug)]
pub(super) struct Sprout {
    /// Place in plan, metres.
    pub(super) plan: DVec2,
    /// Height, metres.
    pub(super) z: f64,
    /// Spacing circle, metres.
    pub(super) radius_m: f64,
    /// Half width of the void, metres.
    pub(super) passage_m: f64,
    /// Direction of travel on arrival, radians.
    pub(super) heading: f64,
    /// Node it grew from; lower index.
    pub(super) parent: Option<usize>,
    /// Whether the branch still grows here.
    pub(super) active: bool,
}

/// The cave so far.
pub(super) struct Growth {
    nodes: Vec<Sprout>,
    edges: Vec<[usize; 2]>,
    links: Vec<Vec<Link>>,
    grid: SegmentGrid,
    clearance_m: f64,
    widest_m: f64,
    walk: Walk,
    found: Vec<u32>,
    work: u64,
}

impl Growth {
    /// Nothing but the entrance.
    pub(super) fn new(config: &Config, entrance: Sprout, widest_m: f64) -> Self {
        let clearance_m = config.skeleton.clearance_m;
        let reach = PASSAGE_REACH * 2.0 * widest_m + clearance_m;
        Self {
            nodes: vec![entrance],
            edges: Vec::new(),
            links: vec![Vec::new()],
            grid: SegmentGrid::new(reach.max(config.skeleton.radius_max_m)),
            clearance_m,
            widest_m,
            walk: Walk::default(),
            found: Vec::new(),
            work: 0,
        }
    }

    /// The nodes, in order of growth.
    pub(super) fn nodes(&self) -> &[Sprout] {
        &self.nodes
    }

    /// Comparisons of passages made so far; a measure of time that is the same on every machine.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Passages at a node.
    pub(super) fn degree(&self, node: usize) -> usize {
        self.links[node].len()
    }

    /// Marks whether the branch still grows at a node.
    pub(super) fn set_active(&mut self, node: usize, active: bool) {
        self.nodes[node].active = active;
    }

    /// Directions of the passages at a node, degrees relative to its direction of travel.
    pub(super) fn taken_deg(&self, node: usize) -> impl Iterator<Item = f64> {
        self.links[node]
            .iter()
            .map(move |link| self.offset_deg(node, link.to))
    }

    /// Direction from one node to another, degrees relative to the direction of travel of the
    /// first.
    pub(super) fn offset_deg(&self, from: usize, to: usize) -> f64 {
        let way = self.nodes[to].plan - self.nodes[from].plan;
        wrap_deg((libm::atan2(way.y, way.x) - self.nodes[from].heading).to_degrees())
    }

    /// Whether `child` may grow from `parent` without coming too near to another passage.
    pub(super) fn is_free(&mut self, parent: usize, child: &Sprout) -> bool {
        let segment = Segment {
            a: self.nodes[parent].plan,
            b: child.plan,
        };
        let passage_m = self.nodes[parent].passage_m.max(child.passage_m);
        self.is_clear(segment, passage_m, [parent, parent])
    }

    /// Whether two nodes may be joined without coming too near to another passage.
    pub(super) fn is_joint_free(&mut self, a: usize, b: usize) -> bool {
        let (from, to) = (&self.nodes[a], &self.nodes[b]);
        let segment = Segment {
            a: from.plan,
            b: to.plan,
        };
        let passage_m = from.passage_m.max(to.passage_m);
        self.is_clear(segment, passage_m, [a, b])
    }

    /// Adds a node and the passage from its parent; returns its index.
    pub(super) fn push(&mut self, parent: usize, child: Sprout) -> usize {
        let index = self.nodes.len();
        self.nodes.push(child);
        self.links.push(Vec::new());
        self.join(parent, index);
        index
    }

    /// Joins two nodes with a passage.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let edge = self.edges.len();
        let segment = Segment {
            a: self.nodes[a].plan,
            b: self.nodes[b].plan,
        };
        let length_m = segment.a.distance(segment.b);
        self.edges.push([a, b]);
        self.links[a].push(Link {
            to: b,
            length_m,
            edge,
        });
        self.links[b].push(Link {
            to: a,
            length_m,
            edge,
        });
        self.grid.push(segment);
    }

    /// Passages so far.
    pub(super) fn passages(&self) -> usize {
        self.edges.len()
    }

    /// Nodes at the other ends of the passages at a node.
    pub(super) fn neighbours(&self, node: usize) -> impl Iterator<Item = usize> {
        self.links[node].iter().map(|link| link.to)
    }

    /// Walks from a node, as far as a limit; the lengths of the ways are then in
    /// [`way_m`](Self::way_m) until the cave changes.
    pub(super) fn walk_from(&mut self, node: usize, limit_m: f64) {
        self.work += self.walk.run(&self.links, [node, node], limit_m);
    }

    /// Length of the way to a node from where [`walk_from`](Self::walk_from) began, metres;
    /// infinite beyond the limit.
    pub(super) fn way_m(&self, node: usize) -> f64 {
        self.walk.to(node)
    }

    /// Whether a passage that is there already keeps its distance from every other.
    pub(super) fn keeps_clear(&mut self, passage: usize) -> bool {
        let [a, b] = self.edges[passage];
        let segment = self.grid.segment(passage);
        let passage_m = self.nodes[a].passage_m.max(self.nodes[b].passage_m);
        self.is_clear(segment, passage_m, [a, b])
    }

    /// Goes back to the moment before node `len` grew; `len` is at least 1.
    pub(super) fn rewind(&mut self, len: usize) {
        if let Some(birth) = self.links.get(len).and_then(|links| links.first()) {
            self.rewind_to(len, birth.edge);
        }
    }

    /// Goes back to the moment when there were so many nodes and passages.
    pub(super) fn rewind_to(&mut self, nodes: usize, passages: usize) {
        self.nodes.truncate(nodes);
        self.links.truncate(nodes);
        for &[a, b] in self.edges[passages..].iter().rev() {
            for end in [a, b] {
                if let Some(links) = self.links.get_mut(end) {
                    links.pop();
                }
            }
        }
        self.work += (self.edges.len() - passages) as u64;
        self.edges.truncate(passages);
        self.grid.truncate(passages);
    }

    /// Joins `from` with the nearest free node as a loop, if there is one; tells which.
    ///
    /// Free means: within reach of both spacing circles, no steeper than `max_grade`, outside
    /// the forbidden sectors and away from the other passages of both nodes, fewer than
    /// `max_degree` passages, clear of every other passage, and far enough along the cave.
    pub(super) fn close_loop(&mut self, from: usize, rules: &LoopRules) -> Option<usize> {
        let here = self.nodes[from].clone();
        let reach = here.radius_m + rules.radius_max_m;
        let point = Segment {
            a: here.plan,
            b: here.plan,
        };
        let mut found = std::mem::take(&mut self.found);
        self.grid.near(point, reach, &mut found);
        self.work += found.len() as u64;
        let mut near: Vec<(f64, usize)> = found
            .iter()
            .flat_map(|&edge| self.edges[edge as usize])
            .map(|node| (self.nodes[node].plan.distance(here.plan), node))
            .filter(|&(distance, node)| self.is_joinable(from, node, distance, rules))
            .collect();
        self.found = found;
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.dedup();
        for &(distance, node) in near.iter().take(LOOP_TRIES) {
            let detour = LOOP_DETOUR * distance;
            self.work += self.walk.run(&self.links, [from, from], detour);
            if self.walk.to(node) < detour {
                continue;
            }
            let other = &self.nodes[node];
            let segment = Segment {
                a: here.plan,
                b: other.plan,
            };
            let passage_m = here.passage_m.max(other.passage_m);
            if self.is_clear(segment, passage_m, [from, node]) {
                self.join(from, node);
                return Some(node);
            }
        }
        None
    }

    /// The graph.
    pub(super) fn into_skeleton(self) -> Skeleton {
        let nodes = self.nodes.iter().enumerate().map(|(id, sprout)| Node {
            passage_m: sprout.passage_m,
            active: sprout.active,
            ..assemble::node(
                id as i64,
                sprout.parent,
                sprout.plan.extend(sprout.z),
                sprout.radius_m,
            )
        });
        let edges = self.edges.iter().map(|&[a, b]| Edge::new(a, b)).collect();
        Skeleton::new(nodes.collect(), edges)
    }

    fn is_joinable(&self, from: usize, to: usize, distance: f64, rules: &LoopRules) -> bool {
        let (here, there) = (&self.nodes[from], &self.nodes[to]);
        let (out, back) = (self.offset_deg(from, to), self.offset_deg(to, from));
        let allowed = 180.0 - rules.forbidden_sector_deg / 2.0;
        let apart = |node: usize, offset: f64| {
            self.taken_deg(node)
                .all(|taken| wrap_deg(taken - offset).abs() >= BRANCH_SEPARATION_DEG)
        };
        to != 0
            && to != from
            && self.degree(to) < rules.max_degree
            && distance >= rules.radius_min_m
            && distance <= here.radius_m + there.radius_m
            && (here.z - there.z).abs() <= rules.max_grade * distance
            && out.abs() <= allowed
            && back.abs() <= allowed
            && apart(from, out)
            && apart(to, back)
    }

    /// Whether a passage of half width `passage_m` between the nodes `ends` (or from `ends[0]`
    /// to a new node) keeps its distance from every passage that shares no node with it.
    fn is_clear(&mut self, segment: Segment, passage_m: f64, ends: [usize; 2]) -> bool {
        let reach = PASSAGE_REACH * (passage_m + self.widest_m) + self.clearance_m;
        let mut found = std::mem::take(&mut self.found);
        self.grid.near(segment, reach, &mut found);
        self.work += found.len() as u64;
        let mut walked = false;
        let clear = found.iter().all(|&edge| {
            let [a, b] = self.edges[edge as usize];
            if ends.contains(&a) || ends.contains(&b) {
                return true;
            }
            let other_m = self.nodes[a].passage_m.max(self.nodes[b].passage_m);
            let need = PASSAGE_REACH * (passage_m + other_m) + self.clearance_m;
            let distance = segment.distance(self.grid.segment(edge as usize));
            if distance >= need {
                return true;
            }
            if !walked {
                walked = true;
                self.work += self.walk.run(&self.links, ends, reach / NEIGHBOUR_SHARE);
            }
            distance >= NEIGHBOUR_SHARE * self.walk.to(a).min(self.walk.to(b))
        });
        self.found = found;
        clear
    }
}

/// What a loop must keep to.
pub(super) struct LoopRules {
    /// Shortest passage, metres.
    pub(super) radius_min_m: f64,
    /// Largest spacing circle, metres.
    pub(super) radius_max_m: f64,
    /// Sector around the way back, degrees.
    pub(super) forbidden_sector_deg: f64,
    /// Largest rise over run.
    pub(super) max_grade: f64,
    /// Most passages at a node.
    pub(super) max_degree: usize,
}

impl LoopRules {
    /// The rules of a configuration.
    pub(super) fn new(config: &SkeletonConfig) -> Self {
        Self {
            radius_min_m: config.radius_min_m,
            radius_max_m: config.radius_max_m,
            forbidden_sector_deg: config.forbidden_sector_deg,
            max_grade: grade_limit(config),
            max_degree: config.children_max as usize + 1,
        }
    }
}

//! Smooth centre curves through the nodes, cut into short tapered segments.
//!
//! Every edge becomes a cubic Hermite curve. At each node the incident passages are paired by how
//! straight they run on; a pair shares one tangent (finite difference of its two directions, as in
//! Catmull & Rom 1974) and one branch, all others end straight. A curve leaves its chord by at most
//! [`CHORD_LIMIT`] of the smaller passage, so that the graph's own straight edges stay in the void.

use super::balance::balance;
use super::section::{Extent, Form};
use super::septum;
use crate::config::{Config, PassageConfig, Profile};
use crate::noise;
use crate::rng::{Domain, noise_key};
use crate::sets::Sets;
use crate::skeleton::{Node, NodeKind, PASSAGE_REACH, RELIEF_REACH, Skeleton};
use glam::DVec3;

/// Largest distance of a curve from its chord, as a share of the passage's half width.
pub const CHORD_LIMIT: f64 = 0.35;

/// Passages that meet at more than this cosine run on into each other.
const STRAIGHT_ON: f64 = -0.35;

/// No variation of size this near to the entrance, metres.
const ENTRANCE_M: f64 = 4.0;

/// A piece of passage: everything is linear from its start to its end.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Start on the centre curve, metres.
    pub start: [f32; 3],
    /// End minus start, metres.
    pub along: [f32; 3],
    /// Half width at start and its change, metres.
    pub width: [f32; 2],
    /// Half height of the roof arch at start and its change, metres.
    pub height: [f32; 2],
    /// Height of the floor (z) at start and its change, metres.
    pub floor: [f32; 2],
    /// Shares of the cross-section's form at start and their change.
    pub form: [Shares; 2],
    /// Passages with the same branch are one tube; others melt into it.
    pub branch: u32,
    /// Edge of the graph, or [`NO_EDGE`].
    pub edge: u32,
    /// Index of the opening that this passage ends at, or [`NO_OPENING`].
    pub opening: u32,
    /// Distance from the axis beyond which it is not felt, metres; set when the field is built.
    pub reach: f32,
}

/// Shares of a [`Form`].
pub type Shares = [f32; 5];
/// No edge of the graph.
pub const NO_EDGE: u32 = u32::MAX;
/// No opening.
pub const NO_OPENING: u32 = u32::MAX;

impl Segment {
    /// Bounds of its cross-sections.
    pub fn extent(&self) -> Extent {
        let w = [self.width[0], self.width[0] + self.width[1]];
        let h = [self.height[0], self.height[0] + self.height[1]];
        let ends: [Shares; 2] = [
            self.form[0],
            std::array::from_fn(|i| self.form[0][i] + self.form[1][i]),
        ];
        let most = |i: usize| ends[0][i].max(ends[1][i]);
        let least_low = ends[0][0].min(ends[1][0]);
        Extent {
            width: w[0].max(w[1]),
            height: h[0].max(h[1]),
            smallest: w[0].min(w[1]).min(h[0]).min(h[1]) * least_low.min(1.0),
            form: Form {
                low: most(0),
                square: most(1),
                lean: most(2),
                bench: most(3),
                slot: most(4),
            },
        }
    }

    /// End on the centre curve, metres.
    pub fn end(&self) -> [f32; 3] {
        std::array::from_fn(|i| self.start[i] + self.along[i])
    }
}

/// A place on a centre curve; lengths in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    /// On the axis.
    pub(super) centre: DVec3,
    /// Half width.
    pub(super) width: f64,
    /// Height of the roof arch over the axis.
    pub(super) height: f64,
    /// Height of the floor (z).
    pub(super) floor: f64,
    /// Half width that the skeleton asks for, without its variation.
    pub(super) own: f64,
    /// About how far the middle of the void would lie over the centre line.
    pub(super) middle: f64,
    /// Shares of the cross-section's form.
    pub(super) form: Shares,
}

/// The segments of all passages, sorted by branch.
///
/// Roofs are raised where the passage would be lower than `field.min_clearance_m` under its relief.
pub fn segments(skeleton: &Skeleton, config: &Config) -> Vec<Segment> {
    let Config {
        passage,
        field,
        seed,
        ..
    } = config;
    let ends = Ends::pair(skeleton);
    let size = Sizes {
        passage,
        skeleton,
        key: noise_key(*seed, Domain::Field, 1),
        headroom: field.min_clearance_m + RELIEF_REACH * (field.relief_m + field.scallops_m),
        room: rooms(skeleton, config),
        ends: &ends,
    };
    let mut passages: Vec<Vec<Station>> = (0..skeleton.edges.len())
        .map(|e| {
            let curve = curve(skeleton, passage, &ends, e);
            let last = (curve.len() - 1) as f64;
            let stations = curve.iter().enumerate();
            stations
                .map(|(i, &centre)| size.at(centre, e, i as f64 / last))
                .collect()
        })
        .collect();
    let rock_m = 2.0 * RELIEF_REACH * (field.relief_m + field.scallops_m) + 0.5 * field.blend_m;
    septum::keep(&mut passages, skeleton, rock_m);
    balance(&mut passages);
    let mut out = Vec::new();
    for (e, stations) in passages.iter().enumerate() {
        let pairs = stations.windows(2);
        out.extend(pairs.map(|w| taper(&w[0], &w[1], ends.branch[e], e as u32)));
    }
    out.sort_by_key(|s| s.branch);
    out
}

/// The centre lines that passages follow, one for each edge from its `a` to its `b`, metres.
pub fn centre_lines(skeleton: &Skeleton, config: &Config) -> Vec<Vec<DVec3>> {
    let ends = Ends::pair(skeleton);
    (0..skeleton.edges.len())
        .map(|e| curve(skeleton, &config.passage, &ends, e))
        .collect()
}

/// Points of an edge's curve, both ends among them.
fn curve(skeleton: &Skeleton, passage: &PassageConfig, ends: &Ends, e: usize) -> Vec<DVec3> {
    let edge = skeleton.edges[e];
    let (a, b) = (&skeleton.nodes[edge.a], &skeleton.nodes[edge.b]);
    let chord = b.position - a.position;
    let length = chord.length();
    let small = a.passage_m.min(b.passage_m) * passage.aspect.min(1.0);
    let bend = ends.tangent[e].map(|tangent| tangent * length - chord);
    // |H(t) - chord(t)| <= 4/27 (|m0 - c| + |m1 - c|), the maxima of t(1-t)^2 and t^2(1-t).
    let leave = 4.0 / 27.0 * (bend[0].length() + bend[1].length());
    let ease = (CHORD_LIMIT * small / leave.max(1e-9)).min(1.0);
    let m = bend.map(|bend| chord + bend * ease);
    let steps = (length / (0.45 * small)).ceil().clamp(3.0, 64.0) as usize;
    (0..=steps)
        .map(|i| hermite(a.position, b.position, m, i as f64 / steps as f64))
        .collect()
}

/// How much each node is widened: where three or more passages meet, by half to all of
/// `passage.rooms`.
fn rooms(skeleton: &Skeleton, config: &Config) -> Vec<f64> {
    let mut degree = vec![0usize; skeleton.nodes.len()];
    for edge in &skeleton.edges {
        degree[edge.a] += 1;
        degree[edge.b] += 1;
    }
    let key = noise_key(config.seed, Domain::Field, 4);
    let widen = |(i, node): (usize, &Node)| {
        if degree[i] < 3 || node.kind == NodeKind::Room {
            return 1.0;
        }
        let at = (node.position * 0.37).as_vec3().to_array();
        let share = 0.75 + 0.25 * f64::from(noise::perlin_one(key, at)).clamp(-1.0, 1.0);
        1.0 + config.passage.rooms * share
    };
    skeleton.nodes.iter().enumerate().map(widen).collect()
}

fn hermite(a: DVec3, b: DVec3, m: [DVec3; 2], t: f64) -> DVec3 {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0)
        + m[0] * (t3 - 2.0 * t2 + t)
        + b * (3.0 * t2 - 2.0 * t3)
        + m[1] * (t3 - t2)
}

fn taper(from: &Station, to: &Station, branch: u32, edge: u32) -> Segment {
    let lerp = |a: f64, b: f64| [a as f32, b as f32 - a as f32];
    let start = from.centre.as_vec3();
    Segment {
        start: start.to_array(),
        along: (to.centre.as_vec3() - start).to_array(),
        width: lerp(from.width, to.width),
        height: lerp(from.height, to.height),
        floor: lerp(from.floor, to.floor),
        form: [
            from.form,
            std::array::from_fn(|i| to.form[i] - from.form[i]),
        ],
        branch,
        edge,
        opening: NO_OPENING,
        reach: f32::INFINITY,
    }
}

struct Sizes<'a> {
    passage: &'a PassageConfig,
    skeleton: &'a Skeleton,
    key: u32,
    /// Lowest height of a passage before its relief, metres.
    headroom: f64,
    /// Factor on the size at each node.
    room: Vec<f64>,
    ends: &'a Ends,
}

/// Size over that of the passage it joins of one that ends in its side: it keeps inside.
const JOIN_SHARE: f64 = 0.8;
/// How far the middle of the void rises with its roof.
const RAISED_SHARE: f64 = 0.45;
/// Length over which the cross-section turns into the other, half widths.
const TURN_WIDTHS: f64 = 9.0;

impl Sizes<'_> {
    fn at(&self, centre: DVec3, e: usize, t: f64) -> Station {
        let edge = self.skeleton.edges[e];
        let entrance = self.skeleton.entrance;
        let half = |n: usize, end: usize| {
            let joins = self.ends.joins[e][end] && n != entrance;
            let share = if joins { JOIN_SHARE } else { 1.0 };
            self.skeleton.nodes[n].passage_m * self.room[n] * share
        };
        let (a, b) = (half(edge.a, 0), half(edge.b, 1));
        let base = a + (b - a) * t * t * (3.0 - 2.0 * t);
        let own = |n: usize| self.skeleton.nodes[n].passage_m;
        let node = own(edge.a) + (own(edge.b) - own(edge.a)) * t * t * (3.0 - 2.0 * t);
        let from_entrance = centre.distance(self.skeleton.nodes[entrance].position) / ENTRANCE_M;
        let away = (from_entrance - 0.5).clamp(0.0, 1.0);
        let noise = |key: u32, metres: f64| {
            let q = (centre / metres).as_vec3().to_array();
            f64::from(noise::perlin_one(self.key ^ key, q))
        };
        let vary = self.passage.variation * away;
        let turn = self.turn(noise(0xAA, TURN_WIDTHS * node)) * away;
        let [wider, higher] = self.passage.second_proportions();
        let width = base * (1.0 + vary * 1.6 * noise(0, 3.0 * node)) * (1.0 + turn * (wider - 1.0));
        let height = self.passage.half_height_m(base)
            * (1.0 + vary * 1.6 * noise(0x55, 4.0 * node))
            * (1.0 + turn * (higher - 1.0));
        // What rock is left between passages counts on this.
        let width = width.min(PASSAGE_REACH * node);
        // Around the entrance every passage is a tube: a robot is dropped there.
        let parts = [1.0 - away, away - turn, turn];
        let tall = self.passage.half_height_m(node);
        let below = self.passage.floor_drop_m(node);
        // The floor goes on evenly where the cross-section turns; its axis rises or falls.
        let mean = |of: [f64; 3]| (0..3).map(|i| parts[i] * of[i]).sum::<f64>();
        let drop = mean(self.passage.axis_shares()) * tall;
        let rise = drop - below;
        let height = height.min(PASSAGE_REACH * tall - rise);
        let height = height.max(self.headroom - drop);
        let profiles = [
            Profile::Tube,
            self.passage.profile,
            self.passage.second_profile,
        ];
        let middle = mean(profiles.map(Profile::centre_share)) * tall
            + RAISED_SHARE * (height - tall)
            - below;
        let forms = profiles.map(|profile| Form::of(profile).shares());
        Station {
            centre: centre + DVec3::Z * rise,
            width,
            height,
            floor: centre.z - below,
            own: node,
            middle,
            form: std::array::from_fn(|i| (0..3).map(|k| parts[k] as f32 * forms[k][i]).sum()),
        }
    }

    /// How far the cross-section is the second one where the noise has this value. The noise is
    /// about normal with deviation 1/3; the threshold approximates its quantile.
    fn turn(&self, noise: f64) -> f64 {
        let share = self.passage.second_share;
        if share == 0.0 {
            return 0.0;
        }
        let s = 1.0 - 2.0 * share;
        let threshold = 0.42 * s / (1.0 - 0.6 * (s * s * s * s));
        let x = ((noise - threshold) / 0.3 + 0.5).clamp(0.0, 1.0);
        x * x * (3.0 - 2.0 * x)
    }
}

/// Tangents (unit, along the edge) and branch of every edge.
struct Ends {
    tangent: Vec<[DVec3; 2]>,
    branch: Vec<u32>,
    /// Whether an edge ends in the side of a passage, at its start and its end.
    joins: Vec<[bool; 2]>,
}

impl Ends {
    fn pair(skeleton: &Skeleton) -> Self {
        let chord = |e: usize| {
            let edge = skeleton.edges[e];
            (skeleton.nodes[edge.b].position - skeleton.nodes[edge.a].position).normalize_or_zero()
        };
        let mut tangent: Vec<[DVec3; 2]> = (0..skeleton.edges.len())
            .map(|e| [chord(e), chord(e)])
            .collect();
        let mut at_node = vec![Vec::new(); skeleton.nodes.len()];
        for (e, edge) in skeleton.edges.iter().enumerate() {
            at_node[edge.a].push((e, 0usize));
            at_node[edge.b].push((e, 1usize));
        }
        let mut branches = Sets::new(skeleton.edges.len());
        let mut joins = vec![[false; 2]; skeleton.edges.len()];
        for incident in &mut at_node {
            let meet = incident.len();
            while let Some((i, j)) = straightest(incident, &chord) {
                let ((e, e_end), (f, f_end)) = (incident[i], incident[j]);
                let through = (outward(&chord, e, e_end) - outward(&chord, f, f_end)).normalize();
                tangent[e][e_end] = if e_end == 0 { through } else { -through };
                tangent[f][f_end] = if f_end == 0 { -through } else { through };
                branches.join(e, f);
                incident.remove(j);
                incident.remove(i);
            }
            if incident.len() < meet {
                incident.iter().for_each(|&(e, end)| joins[e][end] = true);
            }
        }
        let branch = (0..skeleton.edges.len())
            .map(|e| branches.find(e) as u32)
            .collect();
        Self {
            tangent,
            branch,
            joins,
        }
    }
}

fn outward(chord: &impl Fn(usize) -> DVec3, e: usize, end: usize) -> DVec3 {
    if end == 0 { chord(e) } else { -chord(e) }
}

/// The pair `i < j` of incident edges that run on into each other best, if any does.
fn straightest(
    incident: &[(usize, usize)],
    chord: &impl Fn(usize) -> DVec3,
) -> Option<(usize, usize)> {
    let mut best = (STRAIGHT_ON, None);
    for i in 0..incident.len() {
        for j in i + 1..incident.len() {
            let (a, b) = (incident[i], incident[j]);
            let cosine = outward(chord, a.0, a.1).dot(outward(chord, b.0, b.1));
            if cosine < best.0 {
                best = (cosine, Some((i, j)));
            }
        }
    }
    best.1
}

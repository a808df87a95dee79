//! Smooth centre curves through the nodes, cut into short tapered segments.
//!
//! Every edge becomes a cubic Hermite curve. At each node the incident passages are paired by how
//! straight they run on; a pair shares one tangent (finite difference of its two directions, as in
//! Catmull & Rom 1974) and one branch, all others end straight. A curve leaves its chord by at most
//! [`CHORD_LIMIT`] of the smaller passage, so that the graph's own straight edges stay in the void.

use crate::config::{Config, PassageConfig};
use crate::noise;
use crate::rng::{Domain, noise_key};
use crate::sets::Sets;
use crate::skeleton::{RELIEF_REACH, Skeleton};
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
    /// Passages with the same branch are one tube; others melt into it.
    pub branch: u32,
}

impl Segment {
    /// Largest and smallest half extent over the segment, metres; `low` scales the lower half.
    pub fn extent(&self, low: f32) -> (f32, f32) {
        let w = [self.width[0], self.width[0] + self.width[1]];
        let h = [self.height[0], self.height[0] + self.height[1]];
        let largest = w[0].max(w[1]).max(h[0].max(h[1]) * low);
        (largest, w[0].min(w[1]).min(h[0]).min(h[1]))
    }

    /// End on the centre curve, metres.
    pub fn end(&self) -> [f32; 3] {
        std::array::from_fn(|i| self.start[i] + self.along[i])
    }
}

/// A place on a centre curve.
#[derive(Clone, Copy, Debug)]
struct Station {
    centre: DVec3,
    width: f64,
    height: f64,
    floor: f64,
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
        headroom: field.min_clearance_m + RELIEF_REACH * field.relief_m,
    };
    let mut out = Vec::new();
    for (e, edge) in skeleton.edges.iter().enumerate() {
        let (a, b) = (&skeleton.nodes[edge.a], &skeleton.nodes[edge.b]);
        let chord = b.position - a.position;
        let length = chord.length();
        let small = a.passage_m.min(b.passage_m) * passage.aspect.min(1.0);
        let bend = [
            ends.tangent[e][0] * length - chord,
            ends.tangent[e][1] * length - chord,
        ];
        // |H(t) - chord(t)| <= 4/27 (|m0 - c| + |m1 - c|), the maxima of t(1-t)^2 and t^2(1-t).
        let leave = 4.0 / 27.0 * (bend[0].length() + bend[1].length());
        let ease = (CHORD_LIMIT * small / leave.max(1e-9)).min(1.0);
        let m = [chord + bend[0] * ease, chord + bend[1] * ease];
        let steps = (length / (0.45 * small)).ceil().clamp(3.0, 64.0) as usize;
        let stations: Vec<Station> = (0..=steps)
            .map(|i| {
                let t = i as f64 / steps as f64;
                size.at(hermite(a.position, b.position, m, t), edge.a, edge.b, t)
            })
            .collect();
        out.extend(
            stations
                .windows(2)
                .map(|w| taper(&w[0], &w[1], ends.branch[e])),
        );
    }
    out.sort_by_key(|s| s.branch);
    out
}

fn hermite(a: DVec3, b: DVec3, m: [DVec3; 2], t: f64) -> DVec3 {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0)
        + m[0] * (t3 - 2.0 * t2 + t)
        + b * (3.0 * t2 - 2.0 * t3)
        + m[1] * (t3 - t2)
}

fn taper(from: &Station, to: &Station, branch: u32) -> Segment {
    let lerp = |a: f64, b: f64| [a as f32, b as f32 - a as f32];
    let start = from.centre.as_vec3();
    Segment {
        start: start.to_array(),
        along: (to.centre.as_vec3() - start).to_array(),
        width: lerp(from.width, to.width),
        height: lerp(from.height, to.height),
        floor: lerp(from.floor, to.floor),
        branch,
    }
}

struct Sizes<'a> {
    passage: &'a PassageConfig,
    skeleton: &'a Skeleton,
    key: u32,
    /// Lowest height of a passage before its relief, metres.
    headroom: f64,
}

impl Sizes<'_> {
    fn at(&self, centre: DVec3, a: usize, b: usize, t: f64) -> Station {
        let (a, b) = (
            self.skeleton.nodes[a].passage_m,
            self.skeleton.nodes[b].passage_m,
        );
        let base = a + (b - a) * t * t * (3.0 - 2.0 * t);
        let from_entrance =
            centre.distance(self.skeleton.nodes[self.skeleton.entrance].position) / ENTRANCE_M;
        let vary = self.passage.variation * (from_entrance - 0.5).clamp(0.0, 1.0);
        let wave = |key: u32, metres: f64| {
            let q = (centre / metres).as_vec3().to_array();
            1.0 + vary * 1.6 * f64::from(noise::perlin_one(self.key ^ key, q))
        };
        let width = base * wave(0, 3.0 * base);
        let height = self.passage.half_height_m(base) * wave(0x55, 4.0 * base);
        let drop = self.passage.floor_drop_m(base).min(0.8 * height);
        let height = height.max(self.headroom - drop);
        Station {
            centre,
            width,
            height,
            floor: centre.z - drop,
        }
    }
}

/// Tangents (unit, along the edge) and branch of every edge.
struct Ends {
    tangent: Vec<[DVec3; 2]>,
    branch: Vec<u32>,
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
        for incident in &mut at_node {
            while let Some((i, j)) = straightest(incident, &chord) {
                let ((e, e_end), (f, f_end)) = (incident[i], incident[j]);
                let through = (outward(&chord, e, e_end) - outward(&chord, f, f_end)).normalize();
                tangent[e][e_end] = if e_end == 0 { through } else { -through };
                tangent[f][f_end] = if f_end == 0 { -through } else { through };
                branches.join(e, f);
                incident.remove(j);
                incident.remove(i);
            }
        }
        let branch = (0..skeleton.edges.len())
            .map(|e| branches.find(e) as u32)
            .collect();
        Self { tangent, branch }
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

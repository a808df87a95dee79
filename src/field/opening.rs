//! Openings: flat holes through which a cave meets the outside.
//!
//! An opening lies in a plane of the voxel lattice. The passage that leads to it goes on behind
//! that plane, but is not felt there, and the polygons that would close it are left out. So the
//! wall ends in the plane exactly, as it does between two chunks.

use super::centreline::{NO_EDGE, Segment};
use super::section::Form;
use crate::config::{Config, Entrance, Profile};
use crate::skeleton::{NodeKind, PASSAGE_REACH, RELIEF_REACH, Skeleton};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Lengths of the passage between entrance and portal that are tried, in half widths.
const PORTAL_LENGTHS: [f64; 3] = [3.0, 2.0, 1.3];
/// Width of the shaft over an entrance, over that of the passage.
const SHAFT_SHARE: f64 = 0.6;
/// Rise of that shaft over the roof, in half widths of the passage.
const SHAFT_RISE: f64 = 1.2;
/// How far behind its plane an opening's passage is still felt, voxels: under one, since the next
/// lattice point belongs to the rock, and over a half, since normals look half a voxel around.
const BEHIND: f64 = 0.75;
/// Shafts steeper than this lead to the sky, degrees.
const SKYLIGHT_DEG: f64 = 60.0;

/// What an opening is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpeningKind {
    /// A mouth to drive through, beside the entrance.
    Portal,
    /// A hole in the roof.
    Skylight,
}

/// A flat hole in the wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// What it is.
    pub kind: OpeningKind,
    /// Its middle, on its plane, metres.
    pub centre: [f64; 3],
    /// Unit vector out of the cave.
    pub normal: [f64; 3],
    /// Largest width, metres.
    pub width_m: f64,
    /// Largest height (along z; of a skylight, along y), metres.
    pub height_m: f64,
}

/// Why there cannot be an opening.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "openings.entrance is {asked}, but the rock {side} the entrance is not free: a passage lies \
     {distance_m:.1} m from there; allowed here: closed{other}"
)]
pub struct Blocked {
    asked: &'static str,
    side: &'static str,
    distance_m: f64,
    other: &'static str,
}

impl Opening {
    /// Axis of the normal.
    fn axis(&self) -> usize {
        self.normal.iter().position(|c| *c != 0.0).unwrap_or(0)
    }

    /// Whether a place is behind the opening's plane, where its passage is not felt; metres.
    pub(super) fn limit(&self, voxel_m: f64) -> (usize, f32, f32) {
        let axis = self.axis();
        let sign = self.normal[axis];
        let at = self.centre[axis] + sign * BEHIND * voxel_m;
        (axis, sign as f32, at as f32)
    }

    /// Whether the polygons of a lattice cell (in voxels) would close the opening.
    pub fn caps(&self, cell: [i64; 3], voxel_m: f64) -> bool {
        let axis = self.axis();
        let plane = (self.centre[axis] / voxel_m).round() as i64;
        let outward = self.normal[axis] > 0.0;
        let layer = if outward { plane } else { plane - 1 };
        let half = 0.5 * self.width_m.max(self.height_m);
        (0..3).all(|a| {
            if a == axis {
                cell[a] == layer
            } else {
                ((cell[a] as f64 + 0.5) * voxel_m - self.centre[a]).abs() <= half
            }
        })
    }

    /// Whether lattice points in the box from `low`, `size` voxels wide, lie on both sides of the
    /// opening: there the field jumps, and its value says nothing of the points around.
    pub fn cuts(&self, low: [i64; 3], size: i64, voxel_m: f64) -> bool {
        let axis = self.axis();
        let half = 0.5 * self.width_m.max(self.height_m);
        (0..3).all(|a| {
            let (from, to) = (low[a] as f64 * voxel_m, (low[a] + size) as f64 * voxel_m);
            let reach = if a == axis { 2.0 * voxel_m } else { half };
            from - reach <= self.centre[a] && self.centre[a] <= to + reach
        })
    }

    /// Whether a point of the surface lies on the opening's plane, within its extent.
    pub fn holds(&self, p: [f32; 3]) -> bool {
        let axis = self.axis();
        let half = 0.5 * self.width_m.max(self.height_m);
        (0..3).all(|a| {
            let off = (f64::from(p[a]) - self.centre[a]).abs();
            if a == axis { off < 1e-6 } else { off <= half }
        })
    }
}

/// The passage of an opening, before the lattice is known.
pub struct Way {
    kind: OpeningKind,
    axis: usize,
    sign: f64,
    from: DVec3,
    /// Height of the floor under `from`, metres.
    floor_z: f64,
    /// Distance from `from` to the plane, metres.
    length: f64,
    width: f64,
    height: f64,
    /// The edge that already leads there, if any.
    edge: Option<usize>,
}

/// Whether the rock leaves room for the openings that a configuration asks for.
///
/// # Errors
///
/// When a portal or skylight at the entrance would cut another passage.
pub fn check_openings(skeleton: &Skeleton, config: &Config) -> Result<(), Blocked> {
    ways(skeleton, config).map(|_| ())
}

/// The openings that a configuration asks for.
///
/// # Errors
///
/// When a portal or skylight at the entrance would cut another passage.
pub fn ways(skeleton: &Skeleton, config: &Config) -> Result<Vec<Way>, Blocked> {
    let node = &skeleton.nodes[skeleton.entrance];
    let (width, height) = (node.passage_m, config.passage.half_height_m(node.passage_m));
    let mut found = Vec::new();
    let floor_z = node.position.z - config.passage.floor_drop_m(node.passage_m);
    // A tube on the floor of the entrance, as the passage is there.
    let axis_z = floor_z + config.passage.axis_shares()[0] * height;
    let way = |kind, axis, sign, length, width, height| Way {
        kind,
        axis,
        sign,
        from: node.position.with_z(axis_z),
        floor_z,
        length,
        width,
        height,
        edge: None,
    };
    match config.openings.entrance {
        Entrance::Closed => {}
        Entrance::Portal => {
            let mut nearest = Ok(());
            for length in PORTAL_LENGTHS {
                let portal = way(OpeningKind::Portal, 0, -1.0, length * width, width, height);
                nearest = free(&portal, skeleton, config);
                if nearest.is_ok() {
                    found.push(portal);
                    break;
                }
            }
            nearest.map_err(|distance_m| Blocked {
                asked: "portal",
                side: "behind",
                distance_m,
                other: ", skylight",
            })?;
        }
        Entrance::Skylight => {
            let half = SHAFT_SHARE * width;
            let length = height + SHAFT_RISE * width;
            let shaft = way(OpeningKind::Skylight, 2, 1.0, length, half, half);
            free(&shaft, skeleton, config).map_err(|distance_m| Blocked {
                asked: "skylight",
                side: "over",
                distance_m,
                other: ", portal",
            })?;
            found.push(shaft);
        }
    }
    if config.openings.skylights {
        found.extend(shafts(skeleton, config));
    }
    Ok(found)
}

/// Shafts of the graph that end in an entrance of their own on the top level.
fn shafts<'a>(skeleton: &'a Skeleton, config: &'a Config) -> impl Iterator<Item = Way> + 'a {
    skeleton.edges.iter().enumerate().filter_map(|(e, &edge)| {
        let is_top = |n: usize| {
            let node = &skeleton.nodes[n];
            let leaves = skeleton.edges.iter().filter(|x| x.a == n || x.b == n);
            n != skeleton.entrance
                && node.kind == NodeKind::Entrance
                && node.level == 0
                && leaves.count() == 1
        };
        if skeleton.grade_deg(edge) < SKYLIGHT_DEG {
            return None;
        }
        let (top, below) = if is_top(edge.a) {
            (edge.a, edge.b)
        } else if is_top(edge.b) {
            (edge.b, edge.a)
        } else {
            return None;
        };
        let (top, below) = (&skeleton.nodes[top], &skeleton.nodes[below]);
        let length = top.position.z - below.position.z;
        (length > 0.0).then(|| Way {
            kind: OpeningKind::Skylight,
            axis: 2,
            sign: 1.0,
            from: DVec3::new(top.position.x, top.position.y, below.position.z),
            floor_z: below.position.z - config.passage.floor_drop_m(below.passage_m),
            length,
            width: top.passage_m,
            height: top.passage_m,
            edge: Some(e),
        })
    })
}

/// Whether no other passage is near the way; else the distance of the nearest, metres.
fn free(way: &Way, skeleton: &Skeleton, config: &Config) -> Result<(), f64> {
    let mut out = DVec3::ZERO;
    out[way.axis] = way.sign;
    let end = way.from + out * (way.length + 0.5 * way.width);
    let rock = RELIEF_REACH * config.field.relief_m + 0.5 * config.field.blend_m;
    let passage = &config.passage;
    let grown = (1.0 + 0.5 * passage.variation) * (1.0 + 0.5 * passage.rooms);
    let mut nearest: Option<f64> = None;
    for edge in &skeleton.edges {
        let (a, b) = (&skeleton.nodes[edge.a], &skeleton.nodes[edge.b]);
        let at_entrance = edge.a == skeleton.entrance || edge.b == skeleton.entrance;
        let wide = a.passage_m.max(b.passage_m);
        let reach = PASSAGE_REACH.min(grown) * wide.max(passage.half_height_m(wide));
        let distance = if at_entrance {
            let other = if edge.a == skeleton.entrance { b } else { a };
            let way_on = (other.position - way.from).normalize_or_zero();
            if way_on.dot(out) < 0.5 {
                continue;
            }
            0.0
        } else {
            // Where the way has left the entrance's own passage.
            between(way.from + out * way.width, end, a.position, b.position)
        };
        if distance < way.width.max(way.height) + reach + rock {
            nearest = Some(nearest.map_or(distance, |d| d.min(distance)));
        }
    }
    nearest.map_or(Ok(()), Err)
}

/// Smallest distance between two straight pieces, by samples a twentieth apart, metres.
fn between(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    (0..=20)
        .map(|i| {
            let p = a.lerp(b, f64::from(i) / 20.0);
            let along = d - c;
            let t = (p - c).dot(along) / along.length_squared().max(1e-12);
            p.distance(c + along * t.clamp(0.0, 1.0))
        })
        .fold(f64::INFINITY, f64::min)
}

/// Fits the ways to the lattice: adds what is missing to `segments`, and marks those that end at
/// an opening with its index.
pub fn fit(
    ways: &[Way],
    segments: &mut Vec<Segment>,
    skeleton: &Skeleton,
    voxel_m: f64,
    config: &Config,
) -> Vec<Opening> {
    let at_entrance = |s: &&Segment| {
        let edge = skeleton.edges[s.edge as usize];
        edge.a == skeleton.entrance || edge.b == skeleton.entrance
    };
    // The way out goes on from the entrance's own passage, without a seam.
    let branch = segments.iter().find(at_entrance).map_or(0, |s| s.branch);
    let form = Form::of(Profile::Tube).shares();
    let margin = 2.0 * RELIEF_REACH * config.field.relief_m + 4.0 * voxel_m;
    ways.iter()
        .enumerate()
        .map(|(i, way)| {
            let plane = ((way.from[way.axis] + way.sign * way.length) / voxel_m).round();
            let mut centre = way.from;
            centre[way.axis] = plane * voxel_m;
            let mut normal = [0.0; 3];
            normal[way.axis] = way.sign;
            match way.edge {
                Some(e) => segments
                    .iter_mut()
                    .filter(|s| s.edge == e as u32)
                    .for_each(|s| s.opening = i as u32),
                None => {
                    let mut along = [0.0f32; 3];
                    along[way.axis] = (way.sign * (way.length + way.width)) as f32;
                    segments.push(Segment {
                        start: way.from.as_vec3().to_array(),
                        along,
                        width: [way.width as f32, 0.0],
                        height: [way.height as f32, 0.0],
                        floor: [way.floor_z as f32, 0.0],
                        form: [form, [0.0; 5]],
                        branch,
                        edge: NO_EDGE,
                        opening: i as u32,
                        reach: f32::INFINITY,
                    });
                }
            }
            segments.sort_by_key(|s| s.branch);
            Opening {
                kind: way.kind,
                centre: centre.to_array(),
                normal,
                width_m: 2.0 * way.width * 1.4 + margin,
                height_m: 2.0 * way.height * 1.4 + margin,
            }
        })
        .collect()
}

//! Does the void lie where the graph says, and is there room in it?

use super::column;
use super::report::{Check, Place, Rule};
use super::whole::Whole;
use crate::config::Config;
use crate::field::centre_lines;
use crate::skeleton::Skeleton;
use crate::surface::deviation::Target;
use glam::{DVec2, DVec3};
use rayon::prelude::*;

/// Rays around the centre line that find a passage's cross-section.
const RAYS: u32 = 32;
/// A ray longer than this many half widths runs into another passage: no cross-section there.
const LONGEST: f64 = 2.5;
/// Cross-sections begin this many half widths away from a node.
const FROM_NODE: f64 = 1.5;

/// A place on the centre line of a passage.
struct Sample {
    point: DVec3,
    /// Unit vector along the line.
    along: DVec3,
    /// Half width that the graph asks for, metres.
    passage_m: f64,
}

fn place(p: DVec3) -> Place {
    Place {
        point: p.to_array(),
        chunk: None,
    }
}

/// Places on the straight edges of the graph.
fn edge_points(skeleton: &Skeleton, step_m: f64) -> Vec<DVec3> {
    let mut out = Vec::new();
    for e in &skeleton.edges {
        let [a, b] = [e.a, e.b].map(|n| skeleton.nodes[n].position);
        let n = (a.distance(b) / step_m).ceil().max(1.0) as u32;
        out.extend((0..=n).map(|i| a.lerp(b, f64::from(i) / f64::from(n))));
    }
    out
}

/// Places on the smooth centre lines that are far enough from the nodes for a cross-section of
/// their own.
fn line_samples(skeleton: &Skeleton, config: &Config, step_m: f64) -> Vec<Sample> {
    let mut out = Vec::new();
    for (line, e) in centre_lines(skeleton, config).iter().zip(&skeleton.edges) {
        let [a, b] = [e.a, e.b].map(|n| skeleton.nodes[n].passage_m);
        let length: f64 = line.windows(2).map(|w| w[0].distance(w[1])).sum();
        let mut gone = 0.0;
        for w in line.windows(2) {
            let piece = w[0].distance(w[1]);
            let n = (piece / step_m).ceil().max(1.0) as u32;
            for i in 0..n {
                let t = f64::from(i) / f64::from(n);
                let at = gone + piece * t;
                if at >= FROM_NODE * a && length - at >= FROM_NODE * b {
                    out.push(Sample {
                        point: w[0].lerp(w[1], t),
                        along: (w[1] - w[0]).normalize_or_zero(),
                        passage_m: a + (b - a) * at / length,
                    });
                }
            }
            gone += piece;
        }
    }
    out
}

/// The checks along the edges.
pub(super) fn checks(
    whole: &Whole,
    skeleton: &Skeleton,
    config: &Config,
    voxel_m: f64,
) -> Vec<Check> {
    let points = edge_points(skeleton, voxel_m);
    let mut checks = vec![
        in_void(whole, &points),
        open(whole, skeleton),
        height(whole, &points, config.field.min_clearance_m),
    ];
    let samples = line_samples(skeleton, config, voxel_m);
    checks.extend(centred(whole, &samples, voxel_m));
    checks
}

/// Every edge lies in the void: the least distance to the wall, negative in the rock.
fn in_void(whole: &Whole, points: &[DVec3]) -> Check {
    let check = Check::new("edges in the void", "m", Rule::MoreThan, 0.0);
    let wall = Target::new(&whole.positions, whole.faces());
    let depth = |&p: &DVec3| {
        let d = wall.distance2(p, 0.0, &mut 0).sqrt();
        if column::is_inside(whole, p.to_array()) {
            d
        } else {
            -d
        }
    };
    let depths: Vec<f64> = points.par_iter().map(depth).collect();
    let worst = (0..depths.len()).min_by(|&i, &j| depths[i].total_cmp(&depths[j]));
    let Some(worst) = worst else { return check };
    let outside = depths.iter().filter(|&&d| d <= 0.0).count();
    check
        .found(depths[worst], Some(place(points[worst])))
        .with_note(format!("{outside} of {} places in the rock", depths.len()))
}

/// No edge passes through the surface.
fn open(whole: &Whole, skeleton: &Skeleton) -> Check {
    let hits: Vec<DVec3> = skeleton
        .edges
        .par_iter()
        .flat_map_iter(|e| {
            let [a, b] = [e.a, e.b].map(|n| skeleton.nodes[n].position);
            let along = b - a;
            hits(whole, a, along)
                .into_iter()
                .filter(|&t| t <= 1.0)
                .map(move |t| a + along * t)
        })
        .collect();
    Check::none_of(
        "walls across edges",
        hits.len(),
        hits.first().map(|&p| place(p)),
    )
}

/// Room between floor and roof on the edges.
fn height(whole: &Whole, points: &[DVec3], least_m: f64) -> Check {
    let check = Check::new("free height on edges", "m", Rule::AtLeast, least_m);
    let free = |p: &DVec3| {
        let p = p.to_array();
        let all = column::crossings(whole, 2, p);
        let above = all.partition_point(|c| c.0 <= p[2]);
        let (Some(roof), Some(floor)) = (all.get(above), above.checked_sub(1).map(|i| all[i]))
        else {
            return 0.0;
        };
        if (all.len() - above) % 2 == 1 {
            roof.0 - floor.0
        } else {
            0.0
        }
    };
    let heights: Vec<f64> = points.par_iter().map(free).collect();
    match (0..heights.len()).min_by(|&i, &j| heights[i].total_cmp(&heights[j])) {
        Some(i) => check.found(heights[i], Some(place(points[i]))),
        None => check,
    }
}

/// Offset of a cross-section's centre of area from the centre line.
struct Offset {
    at: DVec3,
    /// In frame `map`, metres.
    world: DVec3,
    /// To the left of the edge's direction and upward, metres.
    section: DVec2,
}

fn centred(whole: &Whole, samples: &[Sample], voxel_m: f64) -> [Check; 2] {
    let names = ["centre sideways, mean", "centre up, mean"];
    let checks = names.map(|name| Check::new(name, "m", Rule::AtMost, voxel_m));
    let offsets: Vec<Offset> = samples
        .par_iter()
        .filter_map(|s| offset(whole, s))
        .collect();
    let n = offsets.len() as f64;
    if offsets.is_empty() {
        // A graph of short edges only: there is no passage to measure.
        return checks.map(|c| {
            c.found(0.0, None)
                .with_note("no passage is long enough".to_owned())
        });
    }
    let world = offsets.iter().map(|o| o.world).sum::<DVec3>() / n;
    let section = offsets.iter().map(|o| o.section).sum::<DVec2>() / n;
    let [sideways, up] = checks;
    let told = |k: usize| {
        let mut sizes: Vec<(f64, usize)> = offsets
            .iter()
            .enumerate()
            .map(|(i, o)| (o.section[k].abs(), i))
            .collect();
        sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (median, worst) = (sizes[sizes.len() / 2].0, sizes[sizes.len() - 1]);
        let note = format!(
            "size: median {median:.3} m, worst {:.3} m, {} sections",
            worst.0,
            sizes.len()
        );
        (Some(place(offsets[worst.1].at)), note)
    };
    let (at, note) = told(0);
    let level = world.truncate().length().max(section.x.abs());
    let sideways = sideways.found(level, at).with_note(note);
    let (at, note) = told(1);
    let up = up.found(section.y.abs(), at).with_note(note);
    [sideways, up]
}

fn offset(whole: &Whole, s: &Sample) -> Option<Offset> {
    let left = match DVec3::Z.cross(s.along) {
        side if side.length() > 1e-3 => side.normalize(),
        _ => DVec3::X,
    };
    let up = s.along.cross(left);
    let reach = LONGEST * s.passage_m;
    let mut ring = Vec::with_capacity(RAYS as usize);
    for i in 0..RAYS {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(RAYS);
        let (y, x) = libm::sincos(angle);
        let first = hits(whole, s.point, (left * x + up * y) * reach);
        let t = first.into_iter().fold(f64::INFINITY, f64::min);
        if t > 1.0 {
            return None;
        }
        ring.push(DVec2::new(x, y) * (t * reach));
    }
    let (mut area2, mut moment) = (0.0, DVec2::ZERO);
    for i in 0..ring.len() {
        let (p, q) = (ring[i], ring[(i + 1) % ring.len()]);
        area2 += p.perp_dot(q);
        moment += (p + q) * p.perp_dot(q);
    }
    let section = moment / (3.0 * area2.max(1e-12));
    Some(Offset {
        at: s.point,
        world: left * section.x + up * section.y,
        section,
    })
}

/// Where `from + t · along`, `0 <= t <= 1`, passes the surface (Möller & Trumbore 1997).
fn hits(whole: &Whole, from: DVec3, along: DVec3) -> Vec<f64> {
    let mut out = Vec::new();
    whole
        .tree
        .segment(from.to_array(), (from + along).to_array(), |face| {
            let [a, b, c] = whole.corners(face as usize).map(DVec3::from_array);
            let (e, f) = (b - a, c - a);
            let p = along.cross(f);
            let det = e.dot(p);
            if det == 0.0 {
                return;
            }
            let to = from - a;
            let q = to.cross(e);
            let (u, v, t) = (to.dot(p) / det, along.dot(q) / det, f.dot(q) / det);
            if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&t) {
                out.push(t);
            }
        });
    out
}

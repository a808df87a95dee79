//! From a path over cells to poses that a rover can follow.
//!
//! First the path is pulled straight: a piece is replaced by a line wherever that line stays on walkable cells, costs no
//! more and touches no dearer layer, so neither clearance nor switchbacks are lost. Then it is divided evenly, and its
//! corners are rounded under the same conditions.

use super::floor::Floor;
use super::line::Spot;
use super::plan::WATER;
use super::route::{Pose, Route, RouteStats};
use super::search::Terms;
use crate::progress::{Cancelled, Job};

/// Distance between poses, metres; at most this.
const SPACING_M: f64 = 0.25;
/// Longest line by which a piece of the path is replaced, cells.
const LONGEST_LINE: usize = 256;
/// Rounds of corner rounding.
const ROUNDS: usize = 16;
/// Share by which a line may be dearer than what it replaces: rounding errors only.
const SLACK: f64 = 1e-9;

/// The route along `path`, whose least costs from its start are in `costs` by span.
pub(super) fn route(
    floor: &Floor,
    path: &[u32],
    costs: &[f64],
    terms: &Terms,
    job: &Job<'_>,
) -> Result<Route, Cancelled> {
    let corners = straighten(floor, path, costs, terms, job)?;
    let mut spots = divide(floor, &corners);
    for _ in 0..ROUNDS {
        job.check()?;
        round_corners(floor, &mut spots, terms);
    }
    let cost = path.last().map_or(0.0, |&goal| costs[goal as usize]);
    Ok(Route {
        poses: poses(floor, &spots),
        stats: stats(floor, &spots, cost),
    })
}

/// The corners left when pieces of the path are replaced by lines.
fn straighten(
    floor: &Floor,
    path: &[u32],
    costs: &[f64],
    terms: &Terms,
    job: &Job<'_>,
) -> Result<Vec<Spot>, Cancelled> {
    let mut corners = vec![floor.spot(path[0])];
    let mut from = 0;
    while from + 1 < path.len() {
        job.check()?;
        let mut to = from + 1;
        let layer = |id: u32| terms.layer(&floor.spans[id as usize]);
        let mut dearest = layer(path[from]).max(layer(path[to]));
        for ahead in from + 2..path.len().min(from + LONGEST_LINE) {
            let goal = path[ahead];
            dearest = dearest.max(layer(goal));
            let old = costs[goal as usize] - costs[path[from] as usize];
            match floor.line(floor.spot(path[from]), floor.spot(goal).xy, terms) {
                Some(line)
                    if line.end.span == goal
                        && line.cost <= old * (1.0 + SLACK)
                        && line.dearest <= dearest =>
                {
                    to = ahead;
                }
                // One dearer line may be the staircase of the grid; three in a row are a bend.
                _ if ahead > to + 3 => break,
                _ => {}
            }
        }
        corners.push(floor.spot(path[to]));
        from = to;
    }
    Ok(corners)
}

/// Spots evenly along the corners' lines.
fn divide(floor: &Floor, corners: &[Spot]) -> Vec<Spot> {
    let mut spots: Vec<Spot> = corners.iter().take(1).copied().collect();
    for pair in corners.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (dx, dy) = (b.xy[0] - a.xy[0], b.xy[1] - a.xy[1]);
        let parts = ((dx * dx + dy * dy).sqrt() / SPACING_M).ceil().max(1.0);
        let mut at = a;
        for part in 1..parts as u32 {
            let t = f64::from(part) / parts;
            // The whole line was traced before, so every piece of it can be.
            if let Some(spot) = floor.trace(at, [a.xy[0] + dx * t, a.xy[1] + dy * t], |_, _, _| {})
            {
                at = spot;
                spots.push(spot);
            }
        }
        spots.push(b);
    }
    spots
}

/// Moves every inner spot half way between its neighbours where that is possible and not dearer.
fn round_corners(floor: &Floor, spots: &mut [Spot], terms: &Terms) {
    for i in 1..spots.len().saturating_sub(1) {
        let (a, here, b) = (spots[i - 1], spots[i], spots[i + 1]);
        let xy = [0, 1].map(|k| 0.5 * here.xy[k] + 0.25 * (a.xy[k] + b.xy[k]));
        if (xy[0] - here.xy[0]).abs() + (xy[1] - here.xy[1]).abs() < 1e-4 {
            continue;
        }
        let bent = |via: [f64; 2]| {
            let first = floor.line(a, via, terms)?;
            let second = floor.line(first.end, b.xy, terms)?;
            let dearest = first.dearest.max(second.dearest);
            let whole = second.end.span == b.span;
            whole.then_some((first.end, first.cost + second.cost, dearest))
        };
        if let (Some((_, old, old_dearest)), Some((spot, new, dearest))) = (bent(here.xy), bent(xy))
            && new <= old * (1.0 + SLACK)
            && dearest <= old_dearest
        {
            spots[i] = spot;
        }
    }
}

/// Poses with the heading to the next; the last keeps the one before.
fn poses(floor: &Floor, spots: &[Spot]) -> Vec<Pose> {
    let mut yaw = 0.0;
    let mut poses = Vec::with_capacity(spots.len());
    for (i, spot) in spots.iter().enumerate() {
        if let Some(next) = spots.get(i + 1) {
            yaw = libm::atan2(next.xy[1] - spot.xy[1], next.xy[0] - spot.xy[0]);
        }
        poses.push(Pose {
            position: [spot.xy[0], spot.xy[1], floor.height(*spot)],
            yaw,
        });
    }
    poses
}

/// Figures measured on the poses, and on every cell between them.
fn stats(floor: &Floor, spots: &[Spot], cost: f64) -> RouteStats {
    let mut stats = RouteStats {
        cost,
        min_clearance_m: f64::INFINITY,
        ..RouteStats::default()
    };
    let mut lengths = vec![0.0; floor.layers.len()];
    let (mut run, mut steepest) = (0.0, 0.0f64);
    for pair in spots.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let flat = ((b.xy[0] - a.xy[0]).powi(2) + (b.xy[1] - a.xy[1]).powi(2)).sqrt();
        let dz = floor.height(b) - floor.height(a);
        let length = (flat * flat + dz * dz).sqrt();
        run += flat;
        stats.distance_m += length;
        stats.ascent_m += dz.max(0.0);
        if flat > 0.0 {
            steepest = steepest.max(dz.abs() / flat);
        }
        floor.trace(a, b.xy, |span, enter, leave| {
            let span = &floor.spans[span as usize];
            lengths[span.layer as usize] += (leave - enter) * length;
            stats.min_clearance_m = stats.min_clearance_m.min(f64::from(span.clearance));
        });
    }
    stats.steepest_deg = libm::atan(steepest).to_degrees();
    if let (Some(first), Some(last)) = (spots.first(), spots.last())
        && run > 0.0
    {
        stats.grade_percent = 100.0 * (floor.height(*last) - floor.height(*first)) / run;
    }
    let total: f64 = lengths.iter().sum();
    for (layer, length) in floor.layers.iter().zip(lengths) {
        if length > 0.0 {
            stats.layers.push((layer.name.clone(), length / total));
            stats.crosses_water |= layer.name == WATER;
        }
    }
    stats
}

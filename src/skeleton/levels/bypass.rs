//! Ramps around the outside of both levels.
//!
//! The farthest node of each level in some direction has nothing before it: a level corridor leads
//! from it out of the reach of all passages. There the ramp goes out and comes back, as far as it
//! needs to fall.

use super::join::{Course, Joiner, way_m};
use crate::rng::ChaCha8Rng;
use glam::{DVec2, DVec3};
use rand::RngExt as _;
use std::f64::consts::TAU;

/// Directions that are tried.
const DIRECTIONS: usize = 64;

/// Nodes of each level that are tried in each direction.
const FARTHEST: usize = 5;

/// A ramp from level `upper` to the next: one that keeps clear, if any of the directions has one.
pub(super) fn find(joiner: &mut Joiner, upper: u32, rng: &mut ChaCha8Rng) -> (Course, Vec<DVec3>) {
    let turn = rng.random_range(0.0..TAU);
    let mut last = None;
    for i in 0..DIRECTIONS {
        let angle = turn + TAU * i as f64 / DIRECTIONS as f64;
        let out = DVec2::new(libm::cos(angle), libm::sin(angle));
        let [above, below] = [upper, upper + 1].map(|level| farthest(joiner, level, out));
        for (&from, &to) in above
            .iter()
            .flat_map(|from| below.iter().map(move |to| (from, to)))
        {
            let course = joiner.course(from, to);
            let points = around(joiner, &course, out);
            joiner.walk_ways(&course);
            let rest = |i: usize| points[i..].windows(2).map(|w| way_m([w[0], w[1]])).sum();
            let mut steps = 1..points.len();
            if steps.all(|i| joiner.fits(&course, &points[..i], points[i], rest(i))) {
                return (course, points);
            }
            last.get_or_insert((course, points));
        }
    }
    joiner.job.note(
        "skeleton: no room found for a ramp between two levels; one passes nearer to another \
         passage than skeleton.clearance_m",
    );
    last.unwrap_or_else(|| {
        // Only where a level has no free node at all.
        let any = |level| {
            let mut nodes = joiner.skeleton.nodes[..joiner.laid_out].iter();
            nodes.rposition(|n| n.level == level).unwrap_or(0)
        };
        let course = joiner.course(any(upper), any(upper + 1));
        let points = around(joiner, &course, DVec2::X);
        (course, points)
    })
}

/// The free nodes of a level that lie farthest in a direction, the farthest first.
fn farthest(joiner: &Joiner, level: u32, out: DVec2) -> Vec<usize> {
    let mut free: Vec<(f64, usize)> = joiner
        .free(level)
        .map(|n| (-joiner.at(n).truncate().dot(out), n))
        .collect();
    free.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    free.into_iter().take(FARTHEST).map(|(_, n)| n).collect()
}

/// Out, down and back in: points at most a step apart, ends included.
fn around(joiner: &Joiner, course: &Course, out: DVec2) -> Vec<DVec3> {
    let side = out.perp();
    let pitch = joiner.pitch_m(course);
    let support = joiner
        .skeleton
        .nodes
        .iter()
        .map(|n| n.position.truncate().dot(out));
    let edge = support.fold(f64::NEG_INFINITY, f64::max) + 2.0 * pitch;
    let [start, end] = [course.from, course.to].map(|n| joiner.at(n));
    let [from, to] = [start, end].map(|p| p.truncate().dot(side));
    let away = if from >= to { 1.0 } else { -1.0 };
    let aside = if (from - to).abs() < 2.0 * pitch {
        from + 2.0 * pitch * away
    } else {
        from
    };
    let fall = (start.z - end.z).abs();
    let level_m = (aside - from).abs() + (aside - to).abs();
    let far = edge + ((fall / joiner.steepest() - level_m) / 2.0).max(pitch);
    let corners = [
        (edge, from, 0.0),
        (edge, aside, 0.0),
        (far, aside, 0.0),
        (far, to, 0.0),
        (edge, to, 0.0),
    ]
    .map(|(along, across, z)| (out * along + side * across).extend(z));
    let total: f64 = corners.windows(2).map(|w| w[0].distance(w[1])).sum();
    let step = joiner.config.skeleton.radius_max_m.max(pitch);
    let mut points = vec![start];
    divide(&mut points, corners[0].with_z(start.z), step);
    let mut gone = 0.0;
    for pair in corners.windows(2) {
        gone += pair[0].distance(pair[1]);
        let z = start.z + (end.z - start.z) * gone / total;
        divide(&mut points, pair[1].with_z(z), step);
    }
    divide(&mut points, end, step);
    points
}

/// Goes on from the last of `points` to `next` in equal steps of at most about `step`.
fn divide(points: &mut Vec<DVec3>, next: DVec3, step: f64) {
    let Some(&from) = points.last() else { return };
    let run = from.truncate().distance(next.truncate());
    if run < 1e-9 {
        return;
    }
    let parts = (run / step).ceil().min(1e5);
    points.extend((1..parts as u32).map(|i| from.lerp(next, f64::from(i) / parts)));
    points.push(next);
}

//! Which neighbours one can roll to, and what hangs together.

use super::floor::Span;
use super::grid::{DIRECTIONS, Grid, direction, opposite};
use super::robot::Robot;
use crate::progress::{Cancelled, Job};
use rayon::prelude::*;

/// No neighbour, no component.
pub(super) const NONE: u32 = u32::MAX;

/// Neighbour in each of the eight directions, or [`NONE`].
pub(super) type Links = [u32; 8];

/// Index of the first span of every row, and one past the last.
pub(super) fn row_starts(rows: impl Iterator<Item = u32>, row_count: u32) -> Vec<u32> {
    let mut starts = vec![0u32; row_count as usize + 1];
    for y in rows {
        starts[y as usize + 1] += 1;
    }
    for y in 0..row_count as usize {
        starts[y + 1] += starts[y];
    }
    starts
}

/// Links all spans with enough height above them.
///
/// Two spans of neighbouring columns are linked when their heights differ by at most the robot's step or by what its
/// steepest slope rises over the distance, when the void above both is common for the robot's height, and when each
/// is the other's nearest. So floors one above the other never join.
pub(super) fn link(
    spans: &[Span],
    rows: &[u32],
    grid: &Grid,
    robot: &Robot,
    job: &Job<'_>,
) -> Result<Vec<Links>, Cancelled> {
    let tan = libm::tan(f64::from(robot.max_slope_deg).to_radians());
    let limits: [f32; 8] =
        std::array::from_fn(|d| robot.max_step_m.max((grid.step_m(d) * tan) as f32) + 1e-5);
    let last_row = rows.len() - 1;
    let one_way = (0..last_row)
        .into_par_iter()
        .map(|y| {
            if y % 64 == 0 {
                job.check()?;
            }
            let around = [
                if y == 0 {
                    0..0
                } else {
                    rows[y - 1] as usize..rows[y] as usize
                },
                rows[y] as usize..rows[y + 1] as usize,
                if y + 1 == last_row {
                    0..0
                } else {
                    rows[y + 1] as usize..rows[y + 2] as usize
                },
            ];
            let mut cursors = [around[0].start, around[1].start, around[2].start];
            let mut links = Vec::with_capacity(around[1].len());
            for span in &spans[around[1].clone()] {
                let mut own = [NONE; 8];
                if span.roof >= robot.height_m {
                    let mut best = limits;
                    for (row, cursor) in cursors.iter_mut().enumerate() {
                        let end = around[row].end;
                        while *cursor < end && spans[*cursor].x + 1 < span.x {
                            *cursor += 1;
                        }
                        let mut k = *cursor;
                        while k < end && spans[k].x <= span.x + 1 {
                            let other = &spans[k];
                            let (dx, dy) = (other.x as i32 - span.x as i32, row as i32 - 1);
                            if (dx, dy) != (0, 0) {
                                let d = direction(dx, dy);
                                let dz = (other.z - span.z).abs();
                                let common = (other.z + other.roof).min(span.z + span.roof)
                                    - other.z.max(span.z);
                                let free = other.roof >= robot.height_m && common >= robot.height_m;
                                if free && dz <= best[d] && (dz < best[d] || own[d] == NONE) {
                                    best[d] = dz;
                                    own[d] = k as u32;
                                }
                            }
                            k += 1;
                        }
                    }
                }
                links.push(own);
            }
            Ok(links)
        })
        .collect::<Result<Vec<_>, Cancelled>>()?
        .concat();
    Ok(filter(&one_way, |a, d, b| {
        one_way[b as usize][opposite(d)] == a
    }))
}

/// Keeps the links (from, direction, to) for which `keep` holds.
pub(super) fn filter(links: &[Links], keep: impl Fn(u32, usize, u32) -> bool + Sync) -> Vec<Links> {
    links
        .par_iter()
        .enumerate()
        .map(|(a, own)| {
            std::array::from_fn(|d| {
                if own[d] != NONE && keep(a as u32, d, own[d]) {
                    own[d]
                } else {
                    NONE
                }
            })
        })
        .collect()
}

/// Directions in which a walkable span can be left, one bit each.
///
/// A diagonal needs both corners beside it: they must be walkable and lead to the same span.
pub(super) fn moves(spans: &[Span], links: &[Links]) -> Vec<u8> {
    let walkable = |id: u32| id != NONE && spans[id as usize].is_walkable();
    links
        .par_iter()
        .enumerate()
        .map(|(a, own)| {
            let mut bits = 0u8;
            if !spans[a].is_walkable() {
                return bits;
            }
            for d in 0..DIRECTIONS.len() {
                let target = own[d];
                let (before, after) = ((d + 7) % 8, (d + 1) % 8);
                let corners_free = d.is_multiple_of(2)
                    || (walkable(own[before])
                        && walkable(own[after])
                        && links[own[before] as usize][after] == target
                        && links[own[after] as usize][before] == target);
                if walkable(target) && corners_free {
                    bits |= 1 << d;
                }
            }
            bits
        })
        .collect()
}

/// Number of the connected piece of every span, in order of first appearance; [`NONE`] outside `member`.
pub(super) fn components(
    links: &[Links],
    member: impl Fn(u32) -> bool,
    leaves: impl Fn(u32, usize) -> bool,
) -> Vec<u32> {
    let mut component = vec![NONE; links.len()];
    let mut count = 0;
    let mut stack = Vec::new();
    for first in 0..links.len() as u32 {
        if component[first as usize] != NONE || !member(first) {
            continue;
        }
        component[first as usize] = count;
        stack.push(first);
        while let Some(a) = stack.pop() {
            for (d, &b) in links[a as usize].iter().enumerate() {
                if b != NONE && component[b as usize] == NONE && leaves(a, d) {
                    component[b as usize] = count;
                    stack.push(b);
                }
            }
        }
        count += 1;
    }
    component
}

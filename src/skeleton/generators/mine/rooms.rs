//! Rooms and pillars: a grid of entries and crosscuts, a little askew.

use super::{PLAN, Plan};
use crate::progress::{Cancelled, Job};
use crate::skeleton::draft::{self, connect, toward};
use crate::skeleton::growth::Growth;
use glam::DVec2;
use rand::RngExt as _;
use std::f64::consts::{FRAC_PI_2, SQRT_2};

/// Largest angle of the crosscuts from a right angle, degrees.
const SKEW_DEG: f64 = 12.0;
/// Length of a pillar over its width, lowest and highest.
const PILLAR_RATIO: [f64; 2] = [1.0, 1.4];
/// Entries over rows of crosscuts, lowest and highest.
const ENTRIES_OVER_ROWS: [f64; 2] = [0.5, 1.4];
/// Length of a heading over the distance to the next crosscut, lowest and highest.
const HEADING: [f64; 2] = [0.45, 0.85];

/// Where the rooms are: places in plan by row and entry.
struct Grid {
    origin: DVec2,
    along: DVec2,
    across: DVec2,
    /// Entry that the way from the portal meets.
    middle: f64,
}

impl Grid {
    fn at(&self, row: f64, entry: f64) -> DVec2 {
        self.origin + self.along * row + self.across * (entry - self.middle)
    }
}

/// Where a heading may be driven: its room, and the place it leads to by row and entry.
#[derive(Clone, Copy)]
struct Slot {
    room: [usize; 2],
    row: f64,
    entry: f64,
}

/// Lays the mine out; none when it does not fit.
pub(super) fn lay(plan: &Plan, job: &Job) -> Result<Option<Growth>, Cancelled> {
    let mut rng = plan.rng(PLAN);
    let skew = rng.random_range(-SKEW_DEG..=SKEW_DEG).to_radians();
    let ratio = rng.random_range(PILLAR_RATIO[0]..=PILLAR_RATIO[1]);
    let entries_over_rows = rng.random_range(ENTRIES_OVER_ROWS[0]..=ENTRIES_OVER_ROWS[1]);
    let pitch_m = (2.0 * plan.half_m + plan.keys.pillar_m).max(plan.apart_m);
    // Rooms leave their place by `stray_m` along each axis, which turns an opening between two of
    // them by the deviation at most; the pitch makes up for that and for the skew.
    let stray_m = 0.5 * pitch_m * libm::sin(plan.deviation);
    let pitch_m = (pitch_m + 2.0 * SQRT_2 * stray_m) / libm::cos(skew);
    let row_m = pitch_m * ratio;

    let (legs, leg_m) = plan.entry(row_m);
    let rooms = plan.nodes - legs;
    let (entries, rows) = shape(rooms, entries_over_rows, plan.keys.heading_probability);
    let middle = entries / 2;
    let grid = Grid {
        origin: DVec2::X * leg_m * legs as f64,
        along: DVec2::X * row_m,
        across: toward(FRAC_PI_2 - skew) * pitch_m,
        middle: middle as f64,
    };

    let mut growth = plan.portal(leg_m);
    let mut tip = 0;
    for leg in 1..legs {
        let aside = rng.random_range(-1.0..=1.0) * 0.3 * leg_m * libm::sin(plan.deviation);
        let place = DVec2::new(leg as f64 * leg_m, aside);
        let Some(node) = plan.drive(&mut growth, tip, place) else {
            return Ok(None);
        };
        tip = node;
    }

    let mut stray =
        || DVec2::new(rng.random_range(-1.0..=1.0), rng.random_range(-1.0..=1.0)) * stray_m;
    let mut room_at: Vec<Vec<usize>> = Vec::new();
    for row in 0..rows {
        let mut here = vec![0; entries];
        // The first row from the middle outward, each later one from the row before.
        let order = (middle..entries).chain((0..middle).rev());
        for entry in order {
            let from = match room_at.last() {
                Some(before) => before[entry],
                None if entry == middle => tip,
                None if entry > middle => here[entry - 1],
                None => here[entry + 1],
            };
            let place = grid.at(row as f64, entry as f64) + stray();
            let Some(node) = plan.drive(&mut growth, from, place) else {
                return Ok(None);
            };
            here[entry] = node;
            draft::report(job, growth.nodes().len(), plan.nodes)?;
        }
        room_at.push(here);
    }
    cross(plan, &mut growth, &room_at);
    let fits = head(plan, &mut growth, &room_at, &grid);
    Ok(fits.then_some(growth))
}

/// Entries and rows for a number of rooms; what is left over becomes headings.
fn shape(rooms: usize, entries_over_rows: f64, heading_share: f64) -> (usize, usize) {
    let entries = (rooms as f64 * entries_over_rows).sqrt().round() as usize;
    let entries = entries.clamp(1, rooms.max(1));
    // A full front of headings, and one at each end of every row.
    let per_row = entries as f64 + 2.0 * heading_share;
    let front = heading_share * entries as f64;
    let rows = ((rooms as f64 - front) / per_row).floor().max(1.0) as usize;
    // As many rows more as it takes to leave no more headings than there is room for.
    let rows = (rows..)
        .find(|rows| rooms.saturating_sub(rows * entries) <= slots(entries, *rows))
        .unwrap_or(rows);
    (entries, rows.min((rooms / entries).max(1)))
}

/// Places for headings.
fn slots(entries: usize, rows: usize) -> usize {
    entries + 2 * rows
}

/// Joins neighbours of all rows but the first, whose rooms grew from each other.
fn cross(plan: &Plan, growth: &mut Growth, room_at: &[Vec<usize>]) {
    for row in room_at.iter().skip(1) {
        for pair in row.windows(2) {
            let mut rng = plan.rng(pair[1] as u64);
            if rng.random_bool(plan.keys.crosscut_probability) {
                connect(growth, pair[0], pair[1]);
            }
        }
    }
}

/// Drives headings until all nodes are there; false when they do not fit.
fn head(plan: &Plan, growth: &mut Growth, room_at: &[Vec<usize>], grid: &Grid) -> bool {
    let mut rng = plan.rng(PLAN - 2);
    let (rows, entries) = (room_at.len(), room_at.first().map_or(0, Vec::len));
    let mut slots: Vec<Slot> = Vec::new();
    let mut length = || rng.random_range(HEADING[0]..=HEADING[1]);
    for entry in 0..entries {
        slots.push(Slot {
            room: [rows - 1, entry],
            row: (rows - 1) as f64 + length(),
            entry: entry as f64,
        });
    }
    for row in 0..rows {
        for (entry, way) in [(0, -1.0), (entries - 1, 1.0)] {
            slots.push(Slot {
                room: [row, entry],
                row: row as f64,
                entry: entry as f64 + way * length(),
            });
        }
    }
    for last in (1..slots.len()).rev() {
        slots.swap(last, rng.random_range(0..=last));
    }
    for slot in slots {
        if growth.nodes().len() == plan.nodes {
            break;
        }
        let [row, entry] = slot.room;
        let room = room_at[row][entry];
        // From where the room is, not from where it was planned.
        let way = grid.at(slot.row, slot.entry) - grid.at(row as f64, entry as f64);
        let place = growth.nodes()[room].plan + way;
        plan.drive(growth, room, place);
    }
    growth.nodes().len() == plan.nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_rooms_has_a_shape() {
        for rooms in 1..600 {
            for over in [0.5, 0.9, 1.4] {
                for share in [0.0, 0.4, 1.0] {
                    let (entries, rows) = shape(rooms, over, share);
                    let full = entries * rows;
                    assert!(full <= rooms && full > 0, "{rooms}: {entries} by {rows}");
                    let left = rooms - full;
                    assert!(left <= slots(entries, rows), "{rooms}: {left} headings");
                }
            }
        }
    }
}

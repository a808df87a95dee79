//! Flat maps of one level, as nav2's map server reads them.
//!
//! Free is ground on which the middle of the robot could be by height and slope, without its footprint: nav2 inflates
//! obstacles itself. Occupied is what keeps the robot from there: steep or low places, walls and drops beside free
//! ground, the upper side of a step. All else is unknown.

use super::floor::Floor;
use super::links::NONE;
use std::fmt::Write as _;

/// Which spans a map shows.
#[derive(Clone, Copy, Debug)]
pub enum Selection<'a> {
    /// Every span; where passages cross, ground on any of them is free.
    All,
    /// Spans between two heights, metres, frame `map`.
    Band(f64, f64),
    /// Spans of one level, given the level of every span (see [`Floor::levels`]).
    Level(&'a [u32], u32),
    /// Spans of one connected piece (see [`Cell::component`](super::Cell::component)): walkable ground only.
    Component(u32),
}

/// A flat map.
#[derive(Clone, Debug, PartialEq)]
pub struct OccupancyMap {
    /// Edge of a cell, metres.
    pub resolution_m: f32,
    /// Cells along x.
    pub width: u32,
    /// Cells along y.
    pub height: u32,
    /// Lower left corner of the lower left cell, metres, frame `map`.
    pub origin: [f64; 2],
    /// Row by row from the lowest y: 0 free, 100 occupied, -1 unknown.
    pub cells: Vec<i8>,
}

/// Free.
const FREE: i8 = 0;
/// Occupied.
const OCCUPIED: i8 = 100;
/// Unknown.
const UNKNOWN: i8 = -1;

impl Floor {
    /// The flat map of some spans, one cell wider than they reach; without any cell when nothing is selected.
    pub fn occupancy(&self, selection: Selection<'_>) -> OccupancyMap {
        let chosen = |id: usize| match selection {
            Selection::All => true,
            Selection::Band(low, high) => (low..=high).contains(&f64::from(self.spans[id].z)),
            Selection::Level(levels, level) => levels.get(id) == Some(&level),
            Selection::Component(component) => {
                self.components[id] == component && component != NONE
            }
        };
        let ids: Vec<usize> = (0..self.spans.len()).filter(|&id| chosen(id)).collect();
        let (mut low, mut high) = ([u32::MAX; 2], [0u32; 2]);
        for &id in &ids {
            for (k, c) in [self.spans[id].x, self.spans[id].y].into_iter().enumerate() {
                low[k] = low[k].min(c);
                high[k] = high[k].max(c);
            }
        }
        let cell_m = self.grid.cell_m;
        let mut map = OccupancyMap {
            resolution_m: cell_m as f32,
            width: 0,
            height: 0,
            origin: [0.0; 2],
            cells: Vec::new(),
        };
        if ids.is_empty() {
            return map;
        }
        (map.width, map.height) = (high[0] - low[0] + 3, high[1] - low[1] + 3);
        map.origin =
            [0, 1].map(|k| (f64::from(self.grid.min[k]) + f64::from(low[k]) - 1.0) * cell_m);
        let width = map.width as usize;
        let mut cells = vec![UNKNOWN; width * map.height as usize];
        let pixel = |id: usize| {
            let span = &self.spans[id];
            (span.y - low[1] + 1) as usize * width + (span.x - low[0] + 1) as usize
        };
        for &id in &ids {
            let cell = &mut cells[pixel(id)];
            if self.spans[id].is_open() {
                *cell = FREE;
            } else if *cell == UNKNOWN {
                *cell = OCCUPIED;
            }
        }
        let surface = cells.clone();
        for &id in ids.iter().filter(|&&id| self.spans[id].is_open()) {
            let at = pixel(id) as isize;
            for (d, [dx, dy]) in super::grid::DIRECTIONS.into_iter().enumerate() {
                if self.links[id][d] == NONE {
                    let beside = (at + dy as isize * width as isize + dx as isize) as usize;
                    match surface[beside] {
                        UNKNOWN => cells[beside] = OCCUPIED,
                        // Both sides of a step are free ground: close the upper one.
                        FREE if self.is_step_up(id, [dx, dy]) => cells[beside] = OCCUPIED,
                        _ => {}
                    }
                }
            }
        }
        map.cells = cells;
        map
    }

    /// Whether the neighbouring column has open ground above this span and none that is linked to it.
    fn is_step_up(&self, id: usize, [dx, dy]: [i32; 2]) -> bool {
        let span = &self.spans[id];
        let (x, y) = (span.x as i32 + dx, span.y as i32 + dy);
        if y < 0 || y as usize + 1 >= self.rows.len() {
            return false;
        }
        let row = &self.spans[self.rows[y as usize] as usize..self.rows[y as usize + 1] as usize];
        let first = row.partition_point(|s| (s.x as i32) < x);
        // Ground higher than the robot is another passage, above this one's roof.
        row[first..]
            .iter()
            .take_while(|s| s.x as i32 == x)
            .any(|s| s.is_open() && s.z > span.z && s.z < span.z + span.roof)
    }
}

impl OccupancyMap {
    /// Grey levels of nav2's map saver: free, occupied, unknown.
    const GREY: [u8; 3] = [254, 0, 205];

    /// Binary PGM, top row first as images are.
    pub fn pgm(&self) -> Vec<u8> {
        let mut bytes = format!("P5\n{} {}\n255\n", self.width, self.height).into_bytes();
        let [free, occupied, unknown] = Self::GREY;
        for row in self.cells.chunks(self.width.max(1) as usize).rev() {
            bytes.extend(row.iter().map(|cell| match *cell {
                FREE => free,
                OCCUPIED => occupied,
                _ => unknown,
            }));
        }
        bytes
    }

    /// The map server's YAML for an image file beside it.
    pub fn yaml(&self, image: &str) -> String {
        let mut text = String::new();
        // With 205 the probability of unknown is .196: the usual thresholds of .25 or .196 would make it free, or
        // hang on the last digit.
        let _ = write!(
            text,
            "image: {image}\nmode: trinary\nresolution: {}\norigin: [{}, {}, 0.0]\nnegate: 0\n\
             occupied_thresh: 0.65\nfree_thresh: 0.1\n",
            self.resolution_m,
            decimal(self.origin[0]),
            decimal(self.origin[1]),
        );
        text
    }
}

/// Micrometres are enough, and hide the last digits of binary fractions.
fn decimal(metres: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (metres * 1e6).round() / 1e6 + 0.0
}

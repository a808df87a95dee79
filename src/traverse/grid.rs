//! The grid of columns: whole multiples of the cell from the map's origin, so that the same place
//! falls into the same cell whatever else the map holds.

/// The eight directions counter-clockwise from +x, as steps of columns; odd ones are diagonal.
pub(super) const DIRECTIONS: [[i32; 2]; 8] = [
    [1, 0],
    [1, 1],
    [0, 1],
    [-1, 1],
    [-1, 0],
    [-1, -1],
    [0, -1],
    [1, -1],
];

/// The direction back.
pub(super) const fn opposite(direction: usize) -> usize {
    (direction + 4) % 8
}

/// The direction of a step of columns, if it is one of the eight.
pub(super) const fn direction(dx: i32, dy: i32) -> usize {
    match (dx, dy) {
        (1, 0) => 0,
        (1, 1) => 1,
        (0, 1) => 2,
        (-1, 1) => 3,
        (-1, 0) => 4,
        (-1, -1) => 5,
        (0, -1) => 6,
        _ => 7,
    }
}

/// Where the columns are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// Edge of a column, metres.
    pub cell_m: f64,
    /// Column (0, 0) counted in columns from the map's origin.
    pub min: [i32; 2],
    /// Columns along x and y.
    pub size: [u32; 2],
}

impl Grid {
    /// Coordinates counted in cells from the lower corner of column (0, 0); may be outside.
    pub fn cell_from_map(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            x / self.cell_m - f64::from(self.min[0]),
            y / self.cell_m - f64::from(self.min[1]),
        ]
    }

    /// Middle of a column, metres.
    pub fn center(&self, x: u32, y: u32) -> [f64; 2] {
        [
            (f64::from(self.min[0]) + f64::from(x) + 0.5) * self.cell_m,
            (f64::from(self.min[1]) + f64::from(y) + 0.5) * self.cell_m,
        ]
    }

    /// Horizontal length of a step, metres.
    pub fn step_m(&self, direction: usize) -> f64 {
        if direction.is_multiple_of(2) {
            self.cell_m
        } else {
            self.cell_m * std::f64::consts::SQRT_2
        }
    }
}

//! Lists of things by cell of a uniform grid, sorted, without hashing.

/// Numbers of things by cell; cells without any take no room.
#[derive(Default)]
pub struct Buckets {
    /// Cells as `[z, y, x]`, ascending.
    keys: Vec<[i32; 3]>,
    starts: Vec<u32>,
    ids: Vec<u32>,
}

impl Buckets {
    /// Sorts pairs of a cell `[z, y, x]` and the number of a thing in it.
    pub fn of(mut entries: Vec<([i32; 3], u32)>) -> Self {
        entries.sort_unstable();
        let mut buckets = Self::default();
        for (key, id) in entries {
            if buckets.keys.last() != Some(&key) {
                buckets.keys.push(key);
                buckets.starts.push(buckets.ids.len() as u32);
            }
            buckets.ids.push(id);
        }
        buckets.starts.push(buckets.ids.len() as u32);
        buckets
    }

    /// The things in the cell at `[x, y, z]`, ascending.
    pub fn cell(&self, [x, y, z]: [i32; 3]) -> &[u32] {
        match self.keys.binary_search(&[z, y, x]) {
            Ok(i) => &self.ids[self.starts[i] as usize..self.starts[i + 1] as usize],
            Err(_) => &[],
        }
    }

    /// The things in that cell and the 26 around it.
    pub fn around(&self, [x, y, z]: [i32; 3]) -> impl Iterator<Item = u32> + '_ {
        let rows = (z - 1..=z + 1).flat_map(move |z| (y - 1..=y + 1).map(move |y| [y, z]));
        let cells = rows.flat_map(move |[y, z]| (x - 1..=x + 1).map(move |x| [x, y, z]));
        cells.flat_map(|cell| self.cell(cell).iter().copied())
    }

    /// Every cell that has things, as `[x, y, z]`.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = [i32; 3]> + '_ {
        self.keys.iter().map(|&[z, y, x]| [x, y, z])
    }
}

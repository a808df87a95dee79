//! Which segments can be felt where.

use super::buckets::Buckets;
use super::centreline::Segment;

/// Segments by cell of a uniform grid; a cell lists every segment whose reach touches it.
pub struct Index {
    /// Cell edge, metres.
    pub cell_m: f64,
    buckets: Buckets,
}

impl Index {
    /// Indexes `segments`; `reach(s)` is how far from its axis a segment matters, metres.
    pub fn build(segments: &[Segment], cell_m: f64, reach: impl Fn(&Segment) -> f32) -> Self {
        let mut entries: Vec<([i32; 3], u32)> = Vec::new();
        let half_diagonal = cell_m * 0.5 * 3f64.sqrt();
        for (id, segment) in segments.iter().enumerate() {
            let far = f64::from(reach(segment));
            let (a, b) = (segment.start.map(f64::from), segment.end().map(f64::from));
            let low: [i32; 3] =
                std::array::from_fn(|i| ((a[i].min(b[i]) - far) / cell_m).floor() as i32);
            let high: [i32; 3] =
                std::array::from_fn(|i| ((a[i].max(b[i]) + far) / cell_m).floor() as i32);
            for z in low[2]..=high[2] {
                for y in low[1]..=high[1] {
                    for x in low[0]..=high[0] {
                        let centre = [x, y, z].map(|c| (f64::from(c) + 0.5) * cell_m);
                        if distance_to_axis(a, b, centre) <= far + half_diagonal {
                            entries.push(([z, y, x], id as u32));
                        }
                    }
                }
            }
        }
        Self {
            cell_m,
            buckets: Buckets::of(entries),
        }
    }

    /// The segments felt in the cell at `[x, y, z]`, ascending.
    pub fn cell(&self, cell: [i32; 3]) -> &[u32] {
        self.buckets.cell(cell)
    }

    /// The cell that holds a point.
    pub fn cell_of(&self, p: [f32; 3]) -> [i32; 3] {
        p.map(|c| (f64::from(c) / self.cell_m).floor() as i32)
    }

    /// Every cell in which some segment is felt, as `[x, y, z]`.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = [i32; 3]> + '_ {
        self.buckets.cells()
    }
}

fn distance_to_axis(a: [f64; 3], b: [f64; 3], p: [f64; 3]) -> f64 {
    let (mut dot, mut len2) = (0.0, 0.0);
    for i in 0..3 {
        dot += (p[i] - a[i]) * (b[i] - a[i]);
        len2 += (b[i] - a[i]) * (b[i] - a[i]);
    }
    let t = (dot / f64::max(len2, 1e-12)).clamp(0.0, 1.0);
    (0..3)
        .map(|i| (p[i] - a[i] - t * (b[i] - a[i])).powi(2))
        .sum::<f64>()
        .sqrt()
}

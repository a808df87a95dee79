//! Which level of the skeleton a span belongs to.

use super::floor::Floor;
use crate::skeleton::Skeleton;
use rayon::prelude::*;

/// Distance between the points that stand for an edge, metres.
const SAMPLE_M: f64 = 1.0;
/// Edge of a bucket of points, metres.
const BUCKET_M: f64 = 4.0;
/// Height over the floor beyond which the middle of the void says nothing, metres.
const HIGHEST_M: f32 = 3.0;

impl Floor {
    /// The level of every span, by [`SpanId::index`](super::SpanId::index): that of the nearest place of the skeleton (3D), nodes and
    /// edges, where an edge between levels belongs half to each. The place compared is the middle of the void over the
    /// span, as the skeleton is the middle of the passages. All 0 for an empty skeleton.
    pub fn levels(&self, skeleton: &Skeleton) -> Vec<u32> {
        let points = Buckets::new(sample(skeleton));
        (0..self.spans.len())
            .into_par_iter()
            .map(|id| {
                let [x, y, z] = self.position(id as u32);
                let up = (self.spans[id].roof / 2.0).min(HIGHEST_M);
                points.nearest_level([x, y, z + f64::from(up)])
            })
            .collect()
    }
}

/// A place of the skeleton and its level.
type Place = ([f64; 3], u32);

/// Nodes, and points along the edges.
fn sample(skeleton: &Skeleton) -> Vec<Place> {
    let mut places: Vec<Place> = skeleton
        .nodes
        .iter()
        .map(|n| (n.position.to_array(), n.level))
        .collect();
    for edge in &skeleton.edges {
        let (Some(a), Some(b)) = (skeleton.nodes.get(edge.a), skeleton.nodes.get(edge.b)) else {
            continue;
        };
        let parts = (a.position.distance(b.position) / SAMPLE_M).ceil().min(1e4);
        for part in 1..parts as u32 {
            let t = f64::from(part) / parts;
            let level = if t < 0.5 { a.level } else { b.level };
            places.push((a.position.lerp(b.position, t).to_array(), level));
        }
    }
    places.retain(|(p, _)| p.iter().all(|c| c.is_finite()));
    places
}

/// Places sorted into a grid of square buckets.
struct Buckets {
    min: [i64; 2],
    size: [i64; 2],
    /// First place of each bucket, and the number of places.
    starts: Vec<usize>,
    places: Vec<Place>,
    bucket_m: f64,
}

impl Buckets {
    fn new(mut places: Vec<Place>) -> Self {
        let bound = |k: usize, pick: fn(f64, f64) -> f64, from: f64| {
            places.iter().map(|(p, _)| p[k]).fold(from, pick)
        };
        let mut low = [0, 1].map(|k| bound(k, f64::min, f64::INFINITY));
        let mut high = [0, 1].map(|k| bound(k, f64::max, f64::NEG_INFINITY));
        if places.is_empty() {
            (low, high) = ([0.0; 2], [0.0; 2]);
        }
        let span = (high[0] - low[0]).max(high[1] - low[1]);
        // A thousand buckets along an axis are enough for any cave.
        let bucket_m = BUCKET_M.max(span / 1000.0);
        let min = low.map(|c| (c / bucket_m).floor() as i64);
        let size = [0, 1].map(|k| (high[k] / bucket_m).floor() as i64 - min[k] + 1);
        let bucket = |p: &[f64; 3]| {
            let [x, y] = [0, 1].map(|k| (p[k] / bucket_m).floor() as i64 - min[k]);
            (y * size[0] + x) as usize
        };
        places.sort_by_key(|(p, _)| bucket(p));
        let mut starts = vec![0; (size[0] * size[1]) as usize + 1];
        for (p, _) in &places {
            starts[bucket(p) + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        Self {
            min,
            size,
            starts,
            places,
            bucket_m,
        }
    }

    /// Level of the place nearest to a point; the first in order when several are equally near.
    fn nearest_level(&self, point: [f64; 3]) -> u32 {
        let middle = [0, 1].map(|k| (point[k] / self.bucket_m).floor() as i64 - self.min[k]);
        // The first ring that touches the grid, and the last that does.
        let outside = |k: usize| (-middle[k]).max(middle[k] - self.size[k] + 1).max(0);
        let first = outside(0).max(outside(1));
        let last = (0..2)
            .map(|k| middle[k].abs().max((self.size[k] - 1 - middle[k]).abs()))
            .max();
        let mut best: (f64, u32) = (f64::INFINITY, 0);
        for ring in first..=last.unwrap_or(first) {
            // Nothing in this ring is nearer than its inner border.
            if best.0.sqrt() <= (ring - 1) as f64 * self.bucket_m {
                break;
            }
            for y in (middle[1] - ring).max(0)..=(middle[1] + ring).min(self.size[1] - 1) {
                let whole = (y - middle[1]).abs() == ring;
                let step = if whole { 1 } else { (2 * ring).max(1) };
                let mut x = middle[0] - ring;
                while x <= middle[0] + ring {
                    if (0..self.size[0]).contains(&x) {
                        self.scan((y * self.size[0] + x) as usize, point, &mut best);
                    }
                    x += step;
                }
            }
        }
        best.1
    }

    fn scan(&self, bucket: usize, point: [f64; 3], best: &mut (f64, u32)) {
        for (p, level) in &self.places[self.starts[bucket]..self.starts[bucket + 1]] {
            let squared = (0..3)
                .map(|k| (p[k] - point[k]) * (p[k] - point[k]))
                .sum::<f64>();
            if squared < best.0 {
                *best = (squared, *level);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn buckets_find_what_a_full_search_finds(
            places in prop::collection::vec(([-40.0..40.0f64, -9.0..60.0, -5.0..5.0], 0u32..5), 1..40),
            point in [-80.0..80.0f64, -80.0..80.0, -9.0..9.0],
        ) {
            let squared = |p: &[f64; 3]| {
                (0..3).map(|k| (p[k] - point[k]) * (p[k] - point[k])).sum::<f64>()
            };
            let least = places.iter().map(|(p, _)| squared(p)).fold(f64::INFINITY, f64::min);
            let level = Buckets::new(places.clone()).nearest_level(point);
            prop_assert!(places.iter().any(|(p, l)| *l == level && squared(p) <= least));
        }
    }

    #[test]
    fn no_places_are_level_zero() {
        assert_eq!(Buckets::new(Vec::new()).nearest_level([3.0, 1.0, 0.0]), 0);
    }
}

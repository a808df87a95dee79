//! Which passages are near a place: segments in the plane, in a uniform grid.

use super::growth::PASSAGE_REACH;
use crate::config::Config;
use glam::DVec2;
use std::collections::HashMap;

/// Relief of the rock takes at most about this many times its amplitude.
pub const RELIEF_REACH: f64 = 1.3;

/// Height of the roof over the centre line in a passage of half width `passage_m`, at most,
/// metres: with variation and relief, and raised where headroom asks for it.
pub fn roof_reach_m(passage_m: f64, config: &Config) -> f64 {
    let relief = RELIEF_REACH * config.field.relief_m;
    let arch = PASSAGE_REACH * config.passage.half_height_m(passage_m);
    (arch + relief).max(config.field.min_clearance_m + 2.0 * relief)
}

/// Depth of the floor under the centre line in a passage of half width `passage_m`, at most,
/// metres.
pub fn floor_reach_m(passage_m: f64, config: &Config) -> f64 {
    config.passage.floor_drop_m(passage_m) + 2.0 * config.field.floor_roughness_m
}

/// A passage seen from above.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// One end, metres.
    pub(super) a: DVec2,
    /// Other end, metres.
    pub(super) b: DVec2,
}

impl Segment {
    /// Smallest distance to a point, metres.
    fn to_point(self, p: DVec2) -> f64 {
        let along = self.b - self.a;
        let length2 = along.length_squared();
        let t = if length2 > 0.0 {
            ((p - self.a).dot(along) / length2).clamp(0.0, 1.0)
        } else {
            0.0
        };
        p.distance(self.a + along * t)
    }

    /// Smallest distance between two segments, metres; 0 where they cross.
    pub(super) fn distance(self, other: Segment) -> f64 {
        let side = |s: Segment, p: DVec2| (s.b - s.a).perp_dot(p - s.a);
        let splits = |s: Segment, t: Segment| side(s, t.a) * side(s, t.b) < 0.0;
        if splits(self, other) && splits(other, self) {
            return 0.0;
        }
        self.to_point(other.a)
            .min(self.to_point(other.b))
            .min(other.to_point(self.a))
            .min(other.to_point(self.b))
    }
}

/// Segments by grid cell; a segment is listed in every cell its bounding box touches.
pub(super) struct SegmentGrid {
    cell_m: f64,
    /// Looked up only, never iterated: its order cannot show.
    cells: HashMap<(i64, i64), Vec<u32>>,
    segments: Vec<Segment>,
    /// Query in which each segment was seen last.
    seen: Vec<u32>,
    query: u32,
}

impl SegmentGrid {
    /// An empty grid.
    pub(super) fn new(cell_m: f64) -> Self {
        Self {
            cell_m,
            cells: HashMap::new(),
            segments: Vec::new(),
            seen: Vec::new(),
            query: 0,
        }
    }

    /// Adds a segment; its index is the number of segments before it.
    pub(super) fn push(&mut self, segment: Segment) {
        let index = self.segments.len() as u32;
        for cell in self.cover(segment, 0.0) {
            self.cells.entry(cell).or_default().push(index);
        }
        self.segments.push(segment);
        self.seen.push(0);
    }

    /// Forgets every segment but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        for index in (len..self.segments.len()).rev() {
            for cell in self.cover(self.segments[index], 0.0) {
                if let Some(list) = self.cells.get_mut(&cell) {
                    // Lists are ascending, and the youngest segments go first.
                    list.pop();
                }
            }
        }
        self.segments.truncate(len);
        self.seen.truncate(len);
    }

    /// The segment with this index.
    pub(super) fn segment(&self, index: usize) -> Segment {
        self.segments[index]
    }

    /// Puts into `found` every segment that may come within `reach_m` of `segment`, each once,
    /// in an order that depends on the segments only.
    pub(super) fn near(&mut self, segment: Segment, reach_m: f64, found: &mut Vec<u32>) {
        found.clear();
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.seen.fill(0);
            self.query = 1;
        }
        for cell in self.cover(segment, reach_m) {
            for &index in self.cells.get(&cell).into_iter().flatten() {
                let seen = &mut self.seen[index as usize];
                if *seen != self.query {
                    *seen = self.query;
                    found.push(index);
                }
            }
        }
    }

    /// Cells that the bounding box of `segment`, grown by `margin_m`, touches.
    fn cover(&self, segment: Segment, margin_m: f64) -> impl Iterator<Item = (i64, i64)> + use<> {
        let low = ((segment.a.min(segment.b) - margin_m) / self.cell_m).floor();
        let high = ((segment.a.max(segment.b) + margin_m) / self.cell_m).floor();
        let (x0, x1, y0, y1) = (low.x as i64, high.x as i64, low.y as i64, high.y as i64);
        (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| (x, y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn segment(v: [f64; 4]) -> Segment {
        Segment {
            a: DVec2::new(v[0], v[1]),
            b: DVec2::new(v[2], v[3]),
        }
    }

    #[test]
    fn distances_of_known_pairs() {
        let base = segment([0.0, 0.0, 10.0, 0.0]);
        assert_eq!(base.distance(segment([5.0, -1.0, 5.0, 1.0])), 0.0);
        assert_eq!(base.distance(segment([5.0, 2.0, 5.0, 9.0])), 2.0);
        assert_eq!(base.distance(segment([13.0, 4.0, 20.0, 4.0])), 5.0);
        assert_eq!(base.distance(segment([0.0, 3.0, 10.0, 3.0])), 3.0);
        assert_eq!(base.distance(segment([10.0, 0.0, 12.0, 5.0])), 0.0);
    }

    proptest! {
        #[test]
        fn distance_is_the_smallest_over_samples(
            v in prop::array::uniform4(-10.0f64..10.0),
            w in prop::array::uniform4(-10.0f64..10.0),
        ) {
            let (s, t) = (segment(v), segment(w));
            let d = s.distance(t);
            let mut sampled = f64::INFINITY;
            for i in 0..=60 {
                for j in 0..=60 {
                    let p = s.a.lerp(s.b, f64::from(i) / 60.0);
                    sampled = sampled.min(p.distance(t.a.lerp(t.b, f64::from(j) / 60.0)));
                }
            }
            prop_assert!(d <= sampled + 1e-9);
            prop_assert!(sampled <= d + 0.5);
            prop_assert_eq!(d, t.distance(s));
        }

        #[test]
        fn grid_misses_nothing_and_forgets(
            all in prop::collection::vec(prop::array::uniform4(-30.0f64..30.0), 1..40),
            probe in prop::array::uniform4(-30.0f64..30.0),
            reach in 0.0f64..12.0,
            cell in 0.7f64..15.0,
        ) {
            let mut grid = SegmentGrid::new(cell);
            all.iter().for_each(|&v| grid.push(segment(v)));
            let mut found = Vec::new();
            for keep in [all.len(), all.len() / 2] {
                grid.truncate(keep);
                grid.near(segment(probe), reach, &mut found);
                let mut sorted = found.clone();
                sorted.sort_unstable();
                sorted.dedup();
                prop_assert_eq!(sorted.len(), found.len());
                for (i, &v) in all.iter().take(keep).enumerate() {
                    if segment(v).distance(segment(probe)) <= reach {
                        prop_assert!(found.contains(&(i as u32)));
                    }
                }
                prop_assert!(found.iter().all(|&i| (i as usize) < keep));
            }
        }
    }
}

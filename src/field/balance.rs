//! The middle of the void on the graph's lines.
//!
//! Passages become higher and lower, and their cross-sections take turns; floors follow the graph. So the
//! middle of the void lies over or under the line, and over a stretch of a few passages that does not average
//! out. Floor and roof are moved together by the mean nearby, which changes no height and hardly a grade.

use super::buckets::Buckets;
use super::centreline::Station;

/// Radius within which stations count, half widths of the passage.
const NEAR_WIDTHS: f64 = 8.0;

/// Moves each station down by the weighted mean of what its surroundings lie too high. Stations farther away
/// than [`NEAR_WIDTHS`] half widths have no part in it, to the bit.
pub(super) fn balance(passages: &mut [Vec<Station>]) {
    let all: Vec<Station> = passages.iter().flatten().copied().collect();
    let reach_m = |s: &Station| NEAR_WIDTHS * s.own;
    let cell_m = all.iter().map(reach_m).fold(1e-3, f64::max);
    let cell = |s: &Station| (s.centre / cell_m).floor().as_ivec3();
    let buckets = Buckets::of(
        (all.iter().map(cell).enumerate())
            .map(|(i, c)| ([c.z, c.y, c.x], i as u32))
            .collect(),
    );
    let mean = |here: &Station| {
        let (home, reach2) = (cell(here), reach_m(here).powi(2));
        let mut parts: Vec<[f64; 2]> = Vec::new();
        for z in home.z - 1..=home.z + 1 {
            for y in home.y - 1..=home.y + 1 {
                for x in home.x - 1..=home.x + 1 {
                    for &i in buckets.cell([x, y, z]) {
                        let there = &all[i as usize];
                        let share = 1.0 - here.centre.distance_squared(there.centre) / reach2;
                        if share > 0.0 {
                            parts.push([share * share, share * share * there.middle]);
                        }
                    }
                }
            }
        }
        // Cells depend on the widest passage of the cave; a sum in this order does not.
        parts.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        let sum = |k: usize| parts.iter().map(|p| p[k]).sum::<f64>();
        sum(1) / sum(0).max(1e-12)
    };
    for station in passages.iter_mut().flatten() {
        let down = mean(station);
        station.centre.z -= down;
        station.floor -= down;
    }
}

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
        let near = buckets.around(home.to_array());
        let mut parts: Vec<[f64; 2]> = near
            .map(|i| &all[i as usize])
            .map(|s| (s, 1.0 - here.centre.distance_squared(s.centre) / reach2))
            .filter(|(_, share)| *share > 0.0)
            .map(|(s, share)| [share * share, share * share * s.middle])
            .collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    /// Stations half a metre apart that lie too high by `middle`.
    fn passage(length_m: f64, middle: impl Fn(f64) -> f64) -> Vec<Vec<Station>> {
        let at = |x: f64| Station {
            centre: DVec3::X * x,
            width: 2.0,
            height: 1.5,
            floor: -1.0,
            own: 1.8,
            middle: middle(x),
            form: Default::default(),
        };
        let count = (2.0 * length_m) as usize;
        let mut passages = vec![(0..=count).map(|i| at(0.5 * i as f64)).collect()];
        balance(&mut passages);
        passages
    }

    #[test]
    fn a_passage_that_is_too_high_comes_down_whole() {
        for s in &passage(40.0, |_| 0.3)[0] {
            assert!((s.centre.z + 0.3).abs() < 1e-12 && (s.floor + 1.3).abs() < 1e-12);
        }
    }

    #[test]
    fn stations_far_away_have_no_part_in_it() {
        let near = |p: Vec<Vec<Station>>| -> Vec<(DVec3, f64)> {
            let here = p[0].iter().filter(|s| s.centre.x < 20.0);
            here.map(|s| (s.centre, s.floor)).collect()
        };
        let wave = |x: f64| 0.1 * (x * 0.7 - (x * 0.7).floor());
        let longer = |x: f64| if x > 40.0 { 5.0 } else { wave(x) };
        assert_eq!(near(passage(40.0, wave)), near(passage(90.0, longer)));
    }
}

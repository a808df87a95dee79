//! Measures of branches and edges in space.

use super::Skeleton;
use super::reduce::Branch;

/// Bins of branch length, from 0 to the longest.
const LENGTH_BINS: usize = 10;
/// Bins of strike, 10° each.
const STRIKE_BINS: usize = 18;
/// Places in a bin are rounded to this: values that differ by rounding share one.
const BIN_ROUNDING: f64 = 1e-7;

/// The mean; absent for no values.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Sample deviation over mean; absent under two values, or when they are all zero.
pub(super) fn coefficient_of_variation(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|&mean| values.len() > 1 && mean > 0.0)?;
    let squares: f64 = values
        .iter()
        .map(|value| (value - mean) * (value - mean))
        .sum();
    Some((squares / (values.len() - 1) as f64).sqrt() / mean)
}

/// Mean of length over distance of the ends; branches that end where they start have none.
pub(super) fn tortuosity(branches: &[Branch]) -> Option<f64> {
    let ratios: Vec<f64> = branches
        .iter()
        .filter(|branch| branch.chord_m > 0.0)
        .map(|branch| branch.length_m / branch.chord_m)
        .collect();
    mean(&ratios)
}

/// Entropy of branch lengths as shares of the longest.
pub(super) fn length_entropy(lengths: &[f64]) -> Option<f64> {
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let mut bins = [0.0; LENGTH_BINS];
    for &length in lengths.iter().filter(|&&length| length > 0.0) {
        let place = LENGTH_BINS as f64 * length / longest;
        bins[bin(place).min(LENGTH_BINS - 1)] += 1.0;
    }
    entropy(&bins)
}

/// Entropy of the strikes of edges, weighted by their length in plan.
///
/// Strikes count from the y axis of the graph's own frame, which is north in a survey: bins have
/// borders, so the value is that of the cave as it was surveyed, not as it was turned into `map`.
pub(super) fn orientation_entropy(skeleton: &Skeleton) -> Option<f64> {
    let turned = skeleton.world_from_graph.yaw.to_degrees();
    let mut bins = [0.0; STRIKE_BINS];
    for edge in &skeleton.edges {
        let way = skeleton.nodes[edge.b].position - skeleton.nodes[edge.a].position;
        let strike = (libm::atan2(way.x, way.y).to_degrees() + turned).rem_euclid(180.0);
        let place = strike * STRIKE_BINS as f64 / 180.0;
        bins[bin(place) % STRIKE_BINS] += way.truncate().length();
    }
    entropy(&bins)
}

fn bin(place: f64) -> usize {
    ((place / BIN_ROUNDING).round() * BIN_ROUNDING + BIN_ROUNDING / 2.0) as usize
}

/// Shannon's entropy of the weights over its largest value: 0 for one bin, 1 for all alike;
/// absent without weight.
fn entropy(bins: &[f64]) -> Option<f64> {
    let sum: f64 = bins.iter().sum();
    let shares = || bins.iter().map(|weight| weight / sum).filter(|&p| p > 0.0);
    // An empty sum is -0.
    let entropy: f64 = shares().map(|p| -p * libm::log(p)).sum::<f64>() + 0.0;
    (sum > 0.0).then(|| entropy / libm::log(bins.len() as f64))
}

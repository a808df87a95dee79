//! Where the next passage may lead: 360 bins around a node.
//!
//! Source: the PLUME paper's circle with a forbidden zone, drawn from a Gaussian, from Perlin
//! noise, or from their product. Angles are in degrees relative to the direction of travel;
//! bin `i` covers `i − 180 … i − 179`. A bin that touches a forbidden sector is exactly 0.

use super::elevation::gradient_noise;
use crate::config::{Distribution, SkeletonConfig};
use glam::DVec2;
use rand::{Rng, RngExt as _};
use std::f64::consts::TAU;

/// Bins around a node.
pub(super) const BINS: usize = 360;

/// Smallest relative weight of a direction that is not forbidden.
const NOISE_FLOOR: f64 = 1e-3;

/// What all nodes of a cave share.
pub(super) struct Directions {
    base: [f64; BINS],
    /// Where each bin reads the noise; empty when noise is not asked for.
    circle: Vec<DVec2>,
}

impl Directions {
    /// The forbidden sector and, unless only noise is asked for, the wrapped normal.
    pub(super) fn new(config: &SkeletonConfig) -> Self {
        let half_allowed = 180.0 - config.forbidden_sector_deg / 2.0;
        let mut base = [0.0; BINS];
        for (bin, weight) in base.iter_mut().enumerate() {
            let (low, high) = (bin as f64 - 180.0, bin as f64 - 179.0);
            if low >= -half_allowed && high <= half_allowed {
                *weight = match config.distribution {
                    Distribution::Perlin => 1.0,
                    _ => wrapped_normal(bin as f64 - 179.5, config.sigma_deg),
                };
            }
        }
        // A circle in the noise plane, so that the noise closes on itself for any frequency: a
        // period is two lattice cells along it. Its centre is off the lattice, where all noise is 0.
        let radius = 2.0 * config.perlin_frequency / TAU;
        let place = |bin: usize| {
            let angle = (bin as f64 + 0.5).to_radians();
            DVec2::new(libm::cos(angle), libm::sin(angle)) * radius + DVec2::new(0.37, 0.61)
        };
        let noisy = config.distribution != Distribution::Gaussian;
        let circle = if noisy {
            (0..BINS).map(place).collect()
        } else {
            Vec::new()
        };
        Self { base, circle }
    }

    /// The distribution around the node with this noise key.
    pub(super) fn around(&self, key: u32) -> Bins {
        let mut weights = self.base;
        for (weight, &place) in weights
            .iter_mut()
            .zip(&self.circle)
            .filter(|(w, _)| **w > 0.0)
        {
            let noise = 0.5 + 0.5 * gradient_noise(key, place);
            *weight *= noise * noise + NOISE_FLOOR;
        }
        let mut bins = Bins { weights };
        bins.normalise();
        bins
    }
}

/// Density of a normal wrapped around the circle, not normalised.
fn wrapped_normal(offset_deg: f64, sigma_deg: f64) -> f64 {
    // Three turns either way: further ones add less than 1e-6 at the largest sigma (180°).
    (-3..=3)
        .map(|turn| (offset_deg + 360.0 * f64::from(turn)) / sigma_deg)
        .map(|t| libm::exp(-0.5 * t * t))
        .sum()
}

/// Weights around one node; they sum to 1 unless nothing is left.
#[derive(Clone)]
pub(super) struct Bins {
    weights: [f64; BINS],
}

impl Bins {
    fn normalise(&mut self) {
        let sum: f64 = self.weights.iter().sum();
        if sum > 0.0 {
            self.weights.iter_mut().for_each(|w| *w /= sum);
        }
    }

    /// Forbids every bin that comes nearer than `half_deg` to the offset `centre_deg`.
    pub(super) fn forbid(&mut self, centre_deg: f64, half_deg: f64) {
        self.retain(|low, high| {
            let from_middle = wrap_deg((low + high) / 2.0 - centre_deg).abs();
            from_middle >= half_deg + (high - low) / 2.0
        });
    }

    /// Keeps the bins for which `keep(low, high)` holds, in degrees.
    pub(super) fn retain(&mut self, keep: impl Fn(f64, f64) -> bool) {
        for (bin, weight) in self.weights.iter_mut().enumerate() {
            let low = bin as f64 - 180.0;
            if *weight > 0.0 && !keep(low, low + 1.0) {
                *weight = 0.0;
            }
        }
        self.normalise();
    }

    /// Draws an offset from the direction of travel, degrees; none when all is forbidden.
    pub(super) fn draw(&self, rng: &mut impl Rng) -> Option<f64> {
        let mut left: f64 = rng.random();
        let within: f64 = rng.random();
        let mut last = None;
        for (bin, &weight) in self.weights.iter().enumerate().filter(|(_, w)| **w > 0.0) {
            last = Some(bin);
            if left < weight {
                break;
            }
            left -= weight;
        }
        last.map(|bin| bin as f64 - 180.0 + within)
    }

    /// Offsets that are still allowed, degrees: at least one in each run of `1/most` of them,
    /// starting at a drawn place, in drawn order.
    pub(super) fn sweep(&self, most: usize, rng: &mut impl Rng) -> Vec<f64> {
        let open: Vec<usize> = (0..BINS).filter(|&bin| self.weights[bin] > 0.0).collect();
        if open.is_empty() {
            return Vec::new();
        }
        let step = open.len().div_ceil(most.max(1));
        let first = rng.random_range(0..step);
        let mut offsets: Vec<f64> = open
            .iter()
            .skip(first)
            .step_by(step)
            .map(|&bin| bin as f64 - 179.5)
            .collect();
        for i in (1..offsets.len()).rev() {
            offsets.swap(i, rng.random_range(0..=i));
        }
        offsets
    }

    /// The weights, for tests.
    #[cfg(test)]
    pub(super) fn weights(&self) -> &[f64; BINS] {
        &self.weights
    }
}

/// An angle in degrees, brought into −180…180.
pub(super) fn wrap_deg(angle: f64) -> f64 {
    angle - 360.0 * libm::round(angle / 360.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, stream};

    fn config(distribution: Distribution, forbidden: f64, sigma: f64) -> SkeletonConfig {
        SkeletonConfig {
            distribution,
            forbidden_sector_deg: forbidden,
            sigma_deg: sigma,
            ..SkeletonConfig::default()
        }
    }

    const ALL: [Distribution; 3] = [
        Distribution::Gaussian,
        Distribution::Perlin,
        Distribution::Hybrid,
    ];

    #[test]
    fn forbidden_bins_are_exactly_zero_and_the_rest_sums_to_one() {
        for distribution in ALL {
            for forbidden in [0.0, 1.0, 90.5, 150.0, 339.9, 340.0] {
                let bins = Directions::new(&config(distribution, forbidden, 30.0)).around(5);
                for (bin, &weight) in bins.weights().iter().enumerate() {
                    let away = (bin as f64 - 180.0).abs().max((bin as f64 - 179.0).abs());
                    let inside = away > 180.0 - forbidden / 2.0;
                    assert_eq!(weight == 0.0, inside, "{distribution:?} {forbidden} {bin}");
                }
                let sum: f64 = bins.weights().iter().sum();
                assert!((sum - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn gaussian_has_its_spread_about_the_direction_of_travel() {
        let bins = Directions::new(&config(Distribution::Gaussian, 0.0, 30.0)).around(1);
        let mut rng = stream(1, Domain::Skeleton, 0);
        let draws: Vec<f64> = (0..40_000).filter_map(|_| bins.draw(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert_eq!(draws.len(), 40_000);
        assert!(mean.abs() < 0.6, "mean {mean}");
        assert!(
            (variance.sqrt() - 30.0).abs() < 0.5,
            "sigma {}",
            variance.sqrt()
        );
    }

    #[test]
    fn perlin_and_hybrid_differ_from_gaussian_and_by_node() {
        let distance = |a: &Bins, b: &Bins| -> f64 {
            a.weights()
                .iter()
                .zip(b.weights())
                .map(|(x, y)| (x - y).abs())
                .sum::<f64>()
                / 2.0
        };
        let made = ALL.map(|d| Directions::new(&config(d, 150.0, 30.0)));
        let [gaussian, perlin, hybrid] = [0, 1, 2].map(|i: usize| made[i].around(9));
        assert!(distance(&gaussian, &perlin) > 0.15);
        assert!(distance(&gaussian, &hybrid) > 0.05);
        assert!(distance(&perlin, &hybrid) > 0.15);
        assert!(distance(&perlin, &made[1].around(10)) > 0.1);
        assert_eq!(distance(&gaussian, &made[0].around(10)), 0.0);
        assert_eq!(distance(&hybrid, &made[2].around(9)), 0.0);
    }

    #[test]
    fn perlin_closes_on_itself() {
        let bins = Directions::new(&config(Distribution::Perlin, 0.0, 30.0)).around(4);
        let w = bins.weights();
        let largest_step = (1..BINS)
            .map(|i| (w[i] - w[i - 1]).abs())
            .fold(0.0, f64::max);
        assert!((w[0] - w[BINS - 1]).abs() <= largest_step);
    }

    #[test]
    fn taken_directions_are_never_drawn() {
        let mut bins = Directions::new(&config(Distribution::Perlin, 0.0, 30.0)).around(2);
        bins.forbid(170.0, 45.0);
        let mut rng = stream(2, Domain::Skeleton, 0);
        for _ in 0..5_000 {
            let offset = bins.draw(&mut rng).unwrap();
            assert!(wrap_deg(offset - 170.0).abs() >= 45.0, "{offset}");
        }
        assert!(
            bins.sweep(24, &mut rng)
                .iter()
                .all(|o| wrap_deg(o - 170.0).abs() >= 45.0)
        );
        bins.forbid(0.0, 180.0);
        assert_eq!(bins.draw(&mut rng), None);
        assert!(bins.sweep(24, &mut rng).is_empty());
    }
}

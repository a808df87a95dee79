//! Gradient noise in the plane, and the height that passages follow.
//!
//! Source: Perlin 2002, "Improving noise": quintic fade, gradients from a fixed set.

use crate::config::SkeletonConfig;
use crate::rng::{Domain, noise_key};
use glam::DVec2;
use std::f64::consts::SQRT_2;

/// Sine of 22.5°.
const S: f64 = 0.382_683_432_365_089_8;
/// Cosine of 22.5°.
const C: f64 = 0.923_879_532_511_286_7;
/// Sine and cosine of 45°.
const H: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Sixteen unit vectors, evenly around the circle.
const GRADIENTS: [[f64; 2]; 16] = [
    [1.0, 0.0],
    [C, S],
    [H, H],
    [S, C],
    [0.0, 1.0],
    [-S, C],
    [-H, H],
    [-C, S],
    [-1.0, 0.0],
    [-C, -S],
    [-H, -H],
    [-S, -C],
    [0.0, -1.0],
    [S, -C],
    [H, -H],
    [C, -S],
];

/// Gradient noise at `p`, lattice spacing 1; within −1…1, zero at lattice points.
pub(super) fn gradient_noise(key: u32, p: DVec2) -> f64 {
    let cell = p.floor();
    let (x, y) = (cell.x as i64, cell.y as i64);
    let f = p - cell;
    let corner = |dx: i64, dy: i64| {
        let [gx, gy] = GRADIENTS[lattice_hash(key, x + dx, y + dy) as usize % 16];
        gx * (f.x - dx as f64) + gy * (f.y - dy as f64)
    };
    let (u, v) = (fade(f.x), fade(f.y));
    let low = corner(0, 0) + u * (corner(1, 0) - corner(0, 0));
    let high = corner(0, 1) + u * (corner(1, 1) - corner(0, 1));
    // Unit gradients reach √½ at most, in the middle of a cell.
    ((low + v * (high - low)) * SQRT_2).clamp(-1.0, 1.0)
}

fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// Finaliser of MurmurHash3 over both coordinates.
fn lattice_hash(key: u32, x: i64, y: i64) -> u32 {
    let mut h = key ^ (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 16)).wrapping_mul(0x85EB_CA6B);
    h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}

/// The height that passages try to follow: low-frequency noise of (x, y).
pub(super) struct Elevation {
    key: u32,
    amplitude_m: f64,
    wavelength_m: f64,
    max_grade: f64,
}

impl Elevation {
    /// Entity of the noise key, out of the way of node numbers.
    const ENTITY: u64 = u64::MAX;

    /// The height field of a seed.
    pub(super) fn new(config: &SkeletonConfig, seed: u64) -> Self {
        Self {
            key: noise_key(seed, Domain::Skeleton, Self::ENTITY),
            amplitude_m: config.elevation_m,
            wavelength_m: config.elevation_wavelength_m,
            max_grade: grade_limit(config),
        }
    }

    /// Height of the field, metres.
    pub(super) fn at(&self, p: DVec2) -> f64 {
        // One period of gradient noise is two lattice cells; the offset keeps the start off the
        // lattice, where the noise is zero for every seed.
        let scale = 2.0 / self.wavelength_m;
        self.amplitude_m * gradient_noise(self.key, p * scale + DVec2::new(0.37, 0.61))
    }

    /// Height at `to` when walking there from `from` at height `z`: the field's, as far as the
    /// grade allows.
    pub(super) fn walk(&self, from: DVec2, z: f64, to: DVec2) -> f64 {
        let climb = self.max_grade * from.distance(to);
        z + (self.at(to) - z).clamp(-climb, climb)
    }
}

/// Largest rise over horizontal run, a hair under the configured angle so that rounding never
/// exceeds it.
pub(super) fn grade_limit(config: &SkeletonConfig) -> f64 {
    libm::tan(config.max_grade_deg.to_radians()) * (1.0 - 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_continuous_bounded_and_keyed() {
        let mut previous = gradient_noise(1, DVec2::new(-3.0, 0.3));
        let (mut low, mut high, mut differs) = (0.0f64, 0.0f64, 0);
        for i in 1..20_000 {
            let p = DVec2::new(-3.0 + f64::from(i) * 1e-3, 0.3 + f64::from(i) * 3e-4);
            let value = gradient_noise(1, p);
            assert!((value - previous).abs() < 1e-2, "jump at {p}");
            differs += usize::from((value - gradient_noise(2, p)).abs() > 0.1);
            (low, high, previous) = (low.min(value), high.max(value), value);
        }
        assert!(
            low < -0.5 && high > 0.5 && low >= -1.0 && high <= 1.0,
            "{low} {high}"
        );
        assert!(differs > 5_000);
    }

    #[test]
    fn walking_keeps_the_grade_and_reaches_the_field() {
        let config = SkeletonConfig {
            max_grade_deg: 8.0,
            ..SkeletonConfig::default()
        };
        let field = Elevation::new(&config, 3);
        let mut z = 50.0;
        for i in 0..100 {
            let (a, b) = (
                DVec2::new(f64::from(i), 0.0),
                DVec2::new(f64::from(i + 1), 0.0),
            );
            let next = field.walk(a, z, b);
            assert!((next - z).abs() <= libm::tan(8f64.to_radians()));
            z = next;
        }
        // Falls by at most 0.14 m a metre from 50 m: cannot have arrived yet.
        assert!(z > 30.0 && z < 40.0, "{z}");
    }
}

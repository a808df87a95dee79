//! Relief of the rock: domain-warped fractal noise and horizontal beds.
//!
//! `r(p) = A · ((1 − s) · fbm(q(p)) + s · beds(p))`, with the warp `q(p) = p/λ + v · n(p/2λ)`
//! (Quilez, "Domain warping", reduced to one scalar warp, so that the gradient stays exact).

use crate::noise::{self, F8};

/// Direction of the warp, in wavelengths.
const WARP: [f32; 3] = [0.55, 0.45, 0.35];
/// Share of each octave: halves, and sums to 1.
const OCTAVES: [f32; 3] = [0.57, 0.29, 0.14];
/// Brings the sum of octaves, and the beds, to about -1…1.
const FRACTAL_GAIN: f32 = 2.4;
const BED_GAIN: f32 = 2.0;
/// Beds are this many times longer than thick.
const BED_FLATNESS: f32 = 0.14;

/// The noise on walls and roof.
#[derive(Clone, Copy, Debug)]
pub struct Relief {
    /// Key of the noise.
    pub key: u32,
    /// Amplitude, metres.
    pub amplitude_m: f32,
    /// Wavelength of the coarsest octave, metres.
    pub wavelength_m: f32,
    /// Share of horizontal beds, 0–1.
    pub strata: f32,
}

impl Relief {
    /// Relief over the amplitude, about -1 to 1.
    #[inline(always)]
    pub fn value(&self, p: [F8; 3]) -> F8 {
        let u = p.map(|c| c * F8::splat(1.0 / self.wavelength_m));
        let half = u.map(|c| c * F8::splat(0.5));
        let warp = noise::perlin_call(self.key, &half);
        let mut sum = F8::splat(0.0);
        let mut frequency = 1.0;
        for (i, share) in OCTAVES.iter().enumerate() {
            let q: [F8; 3] =
                std::array::from_fn(|a| (u[a] + warp * F8::splat(WARP[a])) * F8::splat(frequency));
            let n = noise::perlin_call(self.key ^ (i as u32 + 1), &q);
            sum = sum + n * F8::splat(*share);
            frequency *= 2.03;
        }
        let beds = noise::perlin_call(self.key ^ 17, &bed_space(u));
        sum * F8::splat(FRACTAL_GAIN * (1.0 - self.strata))
            + beds * F8::splat(BED_GAIN * self.strata)
    }

    /// Gradient of [`Relief::value`], 1/m.
    #[inline(always)]
    pub fn gradient(&self, p: [F8; 3]) -> [F8; 3] {
        let scale = F8::splat(1.0 / self.wavelength_m);
        let u = p.map(|c| c * scale);
        let half = u.map(|c| c * F8::splat(0.5));
        let (warp, warp_slope) = noise::perlin_grad_call(self.key, &half);
        let mut sum = [F8::splat(0.0); 3];
        let mut frequency = 1.0;
        for (i, share) in OCTAVES.iter().enumerate() {
            let q: [F8; 3] =
                std::array::from_fn(|a| (u[a] + warp * F8::splat(WARP[a])) * F8::splat(frequency));
            let (_, slope) = noise::perlin_grad_call(self.key ^ (i as u32 + 1), &q);
            let weight = F8::splat(*share * frequency);
            sum = std::array::from_fn(|a| sum[a] + slope[a] * weight);
            frequency *= 2.03;
        }
        // Chain rule through the warp: J = I + v ⊗ ∇n / 2.
        let along_warp =
            sum[0] * F8::splat(WARP[0]) + sum[1] * F8::splat(WARP[1]) + sum[2] * F8::splat(WARP[2]);
        let (_, bed) = noise::perlin_grad_call(self.key ^ 17, &bed_space(u));
        let stretch = [BED_FLATNESS, BED_FLATNESS, 2.0];
        std::array::from_fn(|a| {
            let fractal = sum[a] + along_warp * warp_slope[a] * F8::splat(0.5);
            (fractal * F8::splat(FRACTAL_GAIN * (1.0 - self.strata))
                + bed[a] * F8::splat(BED_GAIN * self.strata * stretch[a]))
                * scale
        })
    }
}

#[inline(always)]
fn bed_space(u: [F8; 3]) -> [F8; 3] {
    [
        u[0] * F8::splat(BED_FLATNESS),
        u[1] * F8::splat(BED_FLATNESS),
        u[2] * F8::splat(2.0),
    ]
}

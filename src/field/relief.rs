//! Relief of the rock: domain-warped fractal noise, horizontal beds and scallops.
//!
//! `r(p) = A · ((1 − s) · fbm(q(p)) + s · beds(p)) + scallops(p)`, with the warp
//! `q(p) = p/λ + v · n(p/2λ)` (Quilez, "Domain warping", reduced to one scalar warp, so that the
//! gradient stays exact). Beds are noise that is long and thin, drawn toward its extremes: ledges
//! and recesses with short steps between. Scallops are hollows with sharp crests, as flowing water
//! dissolves them (Curl 1966, "Scallops and flutes"), `½ − |n|` of a noise.

use crate::noise::{self, F8};

/// Direction of the warp, in wavelengths.
const WARP: [f32; 3] = [0.55, 0.45, 0.35];
/// Share of each octave: halves, and sums to 1.
const OCTAVES: [f32; 3] = [0.57, 0.29, 0.14];
/// Brings the sum of octaves to about -1…1.
const FRACTAL_GAIN: f32 = 2.4;
/// Beds: times finer than the coarsest relief upward, and share, of thick and thin ones.
const BEDS: [[f32; 2]; 2] = [[2.0, 0.75], [5.3, 0.35]];
/// Beds are this many times longer than the relief is finer upward.
const BED_FLATNESS: f32 = 0.14;
/// How strongly beds are drawn to their extremes.
const BED_CONTRAST: f32 = 1.8;
/// Width of a scallop over its depth.
const SCALLOP_WIDTH: f32 = 7.0;

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
    /// Depth of scallops, metres.
    pub scallops_m: f32,
}

impl Relief {
    /// About the largest relief, metres.
    pub fn most_m(&self) -> f32 {
        self.amplitude_m + self.scallops_m
    }

    /// Height of the rock over the smooth wall, metres into the void.
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
        let mut all = sum * F8::splat(self.amplitude_m * FRACTAL_GAIN * (1.0 - self.strata));
        if self.strata > 0.0 {
            for (i, [fine, share]) in BEDS.into_iter().enumerate() {
                let n = noise::perlin_call(self.key ^ (17 + i as u32), &bed_space(u, fine));
                let x = (n * BED_CONTRAST).clamp(-1.0, 1.0);
                let bed = x * (F8::splat(1.5) - x * x * 0.5);
                all = all + bed * F8::splat(self.amplitude_m * share * self.strata);
            }
        }
        if self.scallops_m > 0.0 {
            let n = noise::perlin_call(self.key ^ 31, &self.scallop_space(p));
            all = all + (F8::splat(0.3) - n.abs()) * F8::splat(1.5 * self.scallops_m);
        }
        all
    }

    /// Gradient of [`Relief::value`], a slope (m/m).
    #[inline(always)]
    pub fn gradient(&self, p: [F8; 3]) -> [F8; 3] {
        let zero = F8::splat(0.0);
        let scale = F8::splat(1.0 / self.wavelength_m);
        let u = p.map(|c| c * scale);
        let half = u.map(|c| c * F8::splat(0.5));
        let (warp, warp_slope) = noise::perlin_grad_call(self.key, &half);
        let mut sum = [zero; 3];
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
        let gain = scale * F8::splat(self.amplitude_m * FRACTAL_GAIN * (1.0 - self.strata));
        let mut all: [F8; 3] =
            std::array::from_fn(|a| (sum[a] + along_warp * warp_slope[a] * F8::splat(0.5)) * gain);
        if self.strata > 0.0 {
            for (i, [fine, share]) in BEDS.into_iter().enumerate() {
                let key = self.key ^ (17 + i as u32);
                let (n, slope) = noise::perlin_grad_call(key, &bed_space(u, fine));
                let x = (n * BED_CONTRAST).clamp(-1.0, 1.0);
                let steep = (F8::splat(1.0) - x * x) * F8::splat(1.5 * BED_CONTRAST);
                let gain = steep * scale * F8::splat(self.amplitude_m * share * self.strata);
                let stretch = [BED_FLATNESS, BED_FLATNESS, fine];
                all = std::array::from_fn(|a| all[a] + slope[a] * gain * F8::splat(stretch[a]));
            }
        }
        if self.scallops_m > 0.0 {
            let (n, slope) = noise::perlin_grad_call(self.key ^ 31, &self.scallop_space(p));
            // d(−|n|) = −sign(n) dn, times depth over width.
            let down = F8::splat(-1.5 / SCALLOP_WIDTH);
            let sign = n.lt(zero).select(zero - down, down);
            all = std::array::from_fn(|a| all[a] + slope[a] * sign);
        }
        all
    }

    #[inline(always)]
    fn scallop_space(&self, p: [F8; 3]) -> [F8; 3] {
        p.map(|c| c * F8::splat(1.0 / (SCALLOP_WIDTH * self.scallops_m)))
    }
}

#[inline(always)]
fn bed_space(u: [F8; 3], fine: f32) -> [F8; 3] {
    [
        u[0] * F8::splat(BED_FLATNESS),
        u[1] * F8::splat(BED_FLATNESS),
        u[2] * F8::splat(fine),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_the_slope_of_the_value() {
        for (strata, scallops_m) in [(0.0, 0.0), (0.6, 0.0), (0.3, 0.1)] {
            let relief = Relief {
                key: 5,
                amplitude_m: 0.4,
                wavelength_m: 3.0,
                strata,
                scallops_m,
            };
            let mut off = Vec::new();
            for i in 0..200 {
                let p = [0.37, 0.71, 0.23].map(|f| f * i as f32 + 0.1);
                let at = |p: [f32; 3]| relief.value(p.map(F8::splat)).0[0];
                let g = relief.gradient(p.map(F8::splat)).map(|c| c.0[0]);
                for a in 0..3 {
                    let (mut low, mut high) = (p, p);
                    low[a] -= 1e-2;
                    high[a] += 1e-2;
                    off.push(((at(high) - at(low)) / (high[a] - low[a]) - g[a]).abs());
                }
            }
            // Not on the crest of a scallop, where there is no slope.
            off.sort_by(f32::total_cmp);
            assert!(off[off.len() * 95 / 100] < 0.02, "{:?}", off.last());
        }
    }
}

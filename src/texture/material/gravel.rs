//! Loose stones of two sizes on dark fines.

use super::{Look, Octaves, Setup, Site};
use crate::noise::{F8, worley};
use crate::texture::vector::{V8, add, scale, sub, times, turn_back};

/// Spacing of the large stones, metres.
const LARGE_M: f32 = 0.085;
/// Spacing of the small stones, metres.
const SMALL_M: f32 = 0.034;

pub(super) struct Gravel {
    keys: [u32; 2],
    ground: Octaves,
    surface: Octaves,
    /// How much of the large and small stones the texels show.
    shown: [f32; 2],
}

/// Stones of one size.
struct Stones {
    /// Height over the fines, 0–1.
    height: F8,
    /// Slope of their sides, noise axes, m/m.
    slope: V8,
    /// Random value of the stone, 0–1.
    tone: F8,
    /// Another, for its colour and polish.
    other: F8,
}

impl Gravel {
    pub(super) fn new(setup: Setup) -> Self {
        Self {
            keys: [setup.key(200), setup.key(201)],
            ground: Octaves::new(setup, 210, 0.9, 3, 0.55),
            surface: Octaves::new(setup, 211, 0.045, 3, 0.6),
            shown: [setup.shown(LARGE_M), setup.shown(SMALL_M)],
        }
    }

    #[inline(always)]
    pub(super) fn look(&self, site: &Site) -> Look {
        let (ground, ground_slope) = self.ground.slope(site.q);
        let (grain, grain_slope) = self.surface.slope(site.q);
        // Uneven spacing: squeezed where the ground is high.
        let q = add(site.q, times(ground_slope, 0.012));
        let large = self.stones(0, q, LARGE_M, 0.62);
        let mut small = Stones {
            height: F8::ZERO,
            slope: [F8::ZERO; 3],
            tone: F8::splat(0.5),
            other: F8::splat(0.5),
        };
        if self.shown[1] > 0.0 {
            small = self.stones(1, q, SMALL_M, 0.66);
        }
        // A large stone where its dome stands above the bed of small ones; many are missing.
        let present = large.other.smoothstep(0.18, 0.24);
        let over = (large.height * present).smoothstep(0.12, 0.3);
        let s1 = self.shown[1];
        let height = (small.height * (0.45 * s1)).lerp(large.height, over);
        let slope = [0, 1, 2]
            .map(|i| (small.slope[i] * (0.8 * s1)).lerp(large.slope[i], over) * self.shown[0]);
        let bump = add(
            add(slope, times(grain_slope, 0.0016)),
            times(ground_slope, 0.02),
        );
        let tone = ((small.tone - 0.5) * s1 + 0.42).lerp(large.tone, over);
        let other = small.other.lerp(large.other, over);
        Look {
            tone: tone * 0.8 + grain * 0.1 + ground * 0.1 + 0.08,
            warmth: (other - 0.5) * 1.6,
            open: (height * 1.25 + 0.36).clamp(0.3, 1.0),
            roughness: other * 0.7 + grain * 0.25 + 0.15,
            height: height * 0.8 + 0.2,
            bump: turn_back(bump),
        }
    }

    /// Domes over the cells of a cellular noise, tilted at random.
    #[inline(always)]
    fn stones(&self, size: usize, q: V8, spacing_m: f32, reach: f32) -> Stones {
        let q = times(q, 1.0 / spacing_m);
        let w = worley(self.keys[size], 0.9, q[0], q[1], q[2]);
        // A stone ends at its own radius or where it meets its neighbour.
        let tone = (w.id << 4).unit();
        let radius = (w.id << 13).unit() * 0.22 + (reach - 0.11);
        let inner = F8::ONE - w.f1 / radius;
        let gap = (w.f2 - w.f1) * 1.5;
        let edge = inner.min(gap).max(F8::ZERO);
        let height = (edge * 2.6).min(F8::ONE);
        let dome = height * (F8::splat(2.0) - height);
        let inward = scale(w.from1, F8::splat(-1.0) / w.f1.max(F8::splat(1e-4)));
        let to_gap = sub(
            scale(w.from2, F8::ONE / w.f2),
            scale(w.from1, F8::ONE / w.f1.max(F8::splat(1e-4))),
        );
        let by_gap = gap.lt(inner);
        let on_side = edge.gt(F8::ZERO).select((F8::ONE - height) * 1.5, F8::ZERO);
        let tilt = [
            (w.id << 7).unit() - 0.5,
            (w.id << 11).unit() - 0.5,
            (w.id << 17).unit() - 0.5,
        ];
        let on_top = edge.gt(F8::ZERO).select(F8::splat(0.55), F8::ZERO);
        let slope =
            [0, 1, 2].map(|i| by_gap.select(to_gap[i], inward[i]) * on_side + tilt[i] * on_top);
        Stones {
            height: dome,
            slope,
            tone,
            other: (w.id << 2).unit(),
        }
    }
}

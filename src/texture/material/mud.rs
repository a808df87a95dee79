//! Smooth sediment: puddles and a shine where wet, shrinkage cracks where dry.

use super::{Look, Octaves, Setup, Site};
use crate::noise::{F8, worley};
use crate::texture::vector::{add, scale, sub, times, turn_back};

/// Size of a plate between shrinkage cracks, metres.
const PLATE_M: f32 = 0.24;
/// Half width of a shrinkage crack, metres.
const CRACK_M: f32 = 0.008;

pub(super) struct Mud {
    key: u32,
    swell: Octaves,
    fine: Octaves,
    /// Half width of a crack over the plate size.
    crack: f32,
    crack_steepness: f32,
}

impl Mud {
    pub(super) fn new(setup: Setup) -> Self {
        let half = CRACK_M.max(0.9 * setup.texel_m);
        Self {
            key: setup.key(300),
            swell: Octaves::new(setup, 310, 0.8, 3, 0.45),
            fine: Octaves::new(setup, 311, 0.11, 4, 0.5),
            crack: half / PLATE_M,
            crack_steepness: 0.8 * CRACK_M / half,
        }
    }

    #[inline(always)]
    pub(super) fn look(&self, site: &Site) -> Look {
        let (swell, swell_slope) = self.swell.slope(site.q);
        let (fine, fine_slope) = self.fine.slope(site.q);
        // Water stands in the hollows of wet mud and lies flat.
        let pool = (site.wet * 1.1 - swell * 0.7 - 0.62).smoothstep(0.0, 0.16);
        let rough = F8::ONE - pool;
        let dry = (F8::splat(0.55) - site.wet).smoothstep(0.0, 0.3);
        let mut crack = F8::ZERO;
        let mut bump = add(times(swell_slope, 0.030), times(fine_slope, 0.0032));
        if dry.gt(F8::ZERO).any() {
            let q = times(add(site.q, times(fine_slope, 0.0006)), 1.0 / PLATE_M);
            let w = worley(self.key, 0.8, q[0], q[1], q[2]);
            let t = ((w.f2 - w.f1) * (0.5 / self.crack)).clamp(0.0, 1.0);
            crack = (F8::ONE - t) * (F8::ONE - t) * dry;
            let away = sub(
                scale(w.from2, F8::ONE / w.f2),
                scale(w.from1, F8::ONE / w.f1.max(F8::splat(1e-6))),
            );
            // Plates curl up toward their rim.
            let curl = (w.f1 * 0.22) * dry * t;
            let outward = scale(w.from1, curl / w.f1.max(F8::splat(1e-6)));
            let down = (F8::ONE - t) * dry * self.crack_steepness;
            bump = add(bump, add(scale(away, down), outward));
        }
        Look {
            tone: swell * 0.28 + fine * 0.14 + 0.52 - pool * 0.22 - crack * 0.4,
            warmth: swell * 0.6 + fine * 0.2,
            open: (F8::ONE - crack * 0.45 + (swell - 0.3) * 0.12).clamp(0.4, 1.0),
            roughness: (fine * 0.4 + swell * 0.2 + 0.5 + dry * 0.25) * rough,
            height: swell * 0.25 + 0.35,
            bump: turn_back(scale(bump, rough)),
        }
    }
}

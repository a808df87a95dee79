//! Grains, and ripples where the ground is level.

use super::{Look, Octaves, Setup, Site};
use crate::noise::F8;
use crate::texture::vector::{add, scale, times, turn_back};

/// Distance of ripple crests, metres.
const RIPPLE_M: f32 = 0.13;
/// Share of a ripple that is the gentle, upstream side.
const STOSS: f32 = 0.68;
/// Height of a crest, metres.
const CREST_M: f32 = 0.011;

pub(super) struct Sand {
    dunes: Octaves,
    wander: Octaves,
    grains: Octaves,
    /// Unit direction of the current, level.
    current: [f32; 2],
    shown: f32,
}

impl Sand {
    pub(super) fn new(setup: Setup) -> Self {
        let angle = f64::from(setup.key(400)) / f64::from(u32::MAX) * std::f64::consts::TAU;
        Self {
            dunes: Octaves::new(setup, 410, 1.1, 2, 0.5),
            wander: Octaves::new(setup, 411, 0.7, 2, 0.42),
            // As fine as the texels show, down to real grains of a few millimetres.
            grains: Octaves::new(setup, 412, (3.2 * setup.texel_m).max(0.006), 2, 0.8),
            current: [libm::cos(angle) as f32, libm::sin(angle) as f32],
            shown: setup.shown(RIPPLE_M * 0.7),
        }
    }

    #[inline(always)]
    pub(super) fn look(&self, site: &Site) -> Look {
        let (dune, dune_slope) = self.dunes.slope(site.q);
        let (wander, wander_slope) = self.wander.slope(site.q);
        let (grain, grain_slope) = self.grains.slope(site.q);
        let level = site.up.smoothstep(0.72, 0.92) * (dune * 0.7 + 0.75).clamp(0.15, 1.0);
        let strength = level * self.shown;

        // Phase along the current, bent by noise so that crests fork and end.
        let along = site.p[0] * self.current[0] + site.p[1] * self.current[1];
        let phase = along * (1.0 / RIPPLE_M) + wander * 1.5;
        let turn = phase - phase.floor();
        let up = turn.lt(F8::splat(STOSS));
        let t = up.select(
            turn * (1.0 / STOSS),
            (F8::ONE - turn) * (1.0 / (1.0 - STOSS)),
        );
        let height = t * t * (F8::splat(3.0) - t - t);
        let side = up.select(F8::splat(1.0 / STOSS), F8::splat(-1.0 / (1.0 - STOSS)));
        let per_phase = t * (F8::ONE - t) * 6.0 * side * strength * CREST_M;

        let mut bump = turn_back(add(
            scale(wander_slope, per_phase * 1.5),
            add(times(grain_slope, 0.0007), times(dune_slope, 0.035)),
        ));
        bump[0] = bump[0] + per_phase * (self.current[0] / RIPPLE_M);
        bump[1] = bump[1] + per_phase * (self.current[1] / RIPPLE_M);
        let crest = (height - 0.5) * strength;
        Look {
            tone: crest * 0.22 + dune * 0.22 + grain * 0.22 + 0.52,
            warmth: dune * 0.5 + grain * 0.35,
            open: (crest * 0.22 + 0.92 + grain * 0.06).clamp(0.6, 1.0),
            roughness: grain * 0.5 + dune * 0.35 + 0.5 - crest * 0.2,
            height: height * 0.2 * strength + dune * 0.25 + 0.4,
            bump,
        }
    }
}

//! Massive rock: clouded colour, horizontal beds, cracks, a chipped surface.

use super::{Look, Octaves, Setup, Site};
use crate::noise::{F8, perlin, perlin_grad, worley};
use crate::texture::vector::{V8, add, dot, scale, sub, times, turn_back};

/// Thickness of a pair of beds, metres.
const BED_M: f32 = 0.42;
/// Mean distance of cracks, metres.
const BLOCK_M: f32 = 0.55;
/// Half width of a crack's rim, metres.
const CRACK_M: f32 = 0.012;

pub(super) struct Rock {
    keys: [u32; 5],
    clouds: Octaves,
    chips: Octaves,
    /// Half width of a crack over the block size; never thinner than the texels show.
    crack: f32,
    /// Depth over half width of a crack.
    crack_steepness: f32,
}

impl Rock {
    pub(super) fn new(setup: Setup) -> Self {
        let half = CRACK_M.max(0.9 * setup.texel_m);
        Self {
            keys: std::array::from_fn(|i| setup.key(100 + i as u64)),
            clouds: Octaves::new(setup, 110, 1.7, 4, 0.6),
            chips: Octaves::new(setup, 111, 0.30, 5, 0.52),
            crack: half / BLOCK_M,
            crack_steepness: 0.9 * CRACK_M / half,
        }
    }

    #[inline(always)]
    pub(super) fn look(&self, site: &Site) -> Look {
        let (bend, warp) = noise(self.keys[0], site.q, 1.0 / 1.2);
        let warped = add(site.q, times(warp, 0.10));
        let clouds = self.clouds.value(warped);
        let (bed, bed_slope) = self.beds(site, bend);
        let (chip, chip_slope) = self.chips.slope(site.q);
        let (crack, crack_slope, block) = self.cracks(site, warped, chip);

        let mut bump = turn_back(add(times(chip_slope, 0.022), crack_slope));
        bump[2] = bump[2] + bed_slope;
        let uncracked = F8::ONE - crack;
        Look {
            tone: clouds * 0.26 + bed * 0.24 + chip * 0.16 + block * 0.16 + 0.5 - crack * 0.25,
            warmth: bend * 0.9 + bed * 0.5,
            open: (uncracked * 0.55 + chip * 0.22 + 0.5).clamp(0.35, 1.0),
            roughness: clouds * 0.3 + chip * 0.35 + block * 0.2 + 0.5 + crack * 0.4,
            height: chip * 0.3 + 0.55,
            bump,
        }
    }

    /// Beds by height, bent a little: value about ±1 and the slope of the ledges along z.
    #[inline(always)]
    fn beds(&self, site: &Site, bend: F8) -> (F8, F8) {
        let z = site.p[2] + bend * 0.14;
        let (x, y) = (site.p[0] * 0.21, site.p[1] * 0.21);
        let (thick, slope) = perlin_grad(self.keys[1], x, y, z * (1.0 / BED_M));
        let thin = perlin(self.keys[2], x * 2.0, y * 2.0, z * (4.3 / BED_M));
        // Ledges show on walls; a floor is worn.
        let wall = F8::ONE - site.up * site.up;
        (thick * 0.9 + thin * 0.45, slope[2] * wall * (0.045 / BED_M))
    }

    /// Depth (0–1) and slope (noise axes) of cracks, and a value (±0.5) for each block.
    #[inline(always)]
    fn cracks(&self, site: &Site, warped: V8, chip: F8) -> (F8, V8, F8) {
        let there = perlin(
            self.keys[3],
            site.q[0] * (1.0 / 2.1),
            site.q[1] * (1.0 / 2.1),
            site.q[2] * (1.0 / 2.1),
        )
        .smoothstep(-0.15, 0.3);
        if !there.gt(F8::ZERO).any() {
            return (F8::ZERO, [F8::ZERO; 3], F8::ZERO);
        }
        let q = times(warped, 1.0 / BLOCK_M);
        let w = worley(self.keys[4], 0.95, q[0], q[1], q[2]);
        // Chips make the rim ragged.
        let rim = w.f2 - w.f1 + chip * 0.03;
        let t = (rim * (0.5 / self.crack)).clamp(0.0, 1.0);
        let depth = (F8::ONE - t) * (F8::ONE - t) * there;
        let down = (F8::ONE - t) * there * self.crack_steepness;
        let away = sub(
            scale(w.from2, F8::ONE / w.f2),
            scale(w.from1, F8::ONE / w.f1.max(F8::splat(1e-6))),
        );
        // Each block is tilted its own way, as broken rock is.
        let tilt = [
            (w.id << 3).unit() - 0.5,
            (w.id << 9).unit() - 0.5,
            (w.id << 15).unit() - 0.5,
        ];
        let lean = scale(tilt, there * 0.28);
        let slope = add(scale(away, down), lean);
        let block = ((w.id << 5).unit() - 0.5) * there * (t * 0.9 + 0.1);
        // A tilted face catches light by itself; nothing to gain from its height.
        let _ = dot;
        (depth, slope, block)
    }
}

#[inline(always)]
fn noise(key: u32, q: V8, frequency: f32) -> (F8, V8) {
    let q = times(q, frequency);
    perlin_grad(key, q[0], q[1], q[2])
}

//! Fractal sums that stop where the texels do.

use super::Setup;
use crate::noise::{F8, perlin, perlin_grad};
use crate::texture::vector::{V8, add, times};

const LACUNARITY: f32 = 2.03;
const MOST: usize = 6;

/// One octave.
#[derive(Clone, Copy, Default)]
struct Octave {
    key: u32,
    /// Periods a metre.
    frequency: f32,
    amplitude: f32,
}

/// A sum of gradient noise over octaves, each as strong as the texels can show it.
pub(in crate::texture) struct Octaves {
    octaves: [Octave; MOST],
    count: usize,
}

impl Octaves {
    /// `count` (at most 6) octaves from `wavelength_m` down, the first with amplitude 1.
    pub(super) fn new(
        setup: Setup,
        entity: u64,
        wavelength_m: f32,
        count: usize,
        gain: f32,
    ) -> Self {
        let mut sum = Self {
            octaves: [Octave::default(); MOST],
            count: 0,
        };
        let (mut frequency, mut amplitude) = (1.0 / wavelength_m, 1.0);
        for i in 0..count.min(MOST) {
            let shown = setup.shown(1.0 / frequency);
            if shown > 0.0 {
                let key = setup
                    .key(entity)
                    .wrapping_add((i as u32).wrapping_mul(0x9E37_79B9));
                sum.octaves[i] = Octave {
                    key,
                    frequency,
                    amplitude: amplitude * shown,
                };
                sum.count = i + 1;
            }
            frequency *= LACUNARITY;
            amplitude *= gain;
        }
        sum
    }

    #[inline(always)]
    pub(super) fn value(&self, q: V8) -> F8 {
        let mut sum = F8::ZERO;
        for o in &self.octaves[..self.count] {
            let q = times(q, o.frequency);
            sum = sum + perlin(o.key, q[0], q[1], q[2]) * o.amplitude;
        }
        sum
    }

    /// The value and its gradient a metre.
    #[inline(always)]
    pub(super) fn slope(&self, q: V8) -> (F8, V8) {
        let (mut sum, mut slope) = (F8::ZERO, [F8::ZERO; 3]);
        for o in &self.octaves[..self.count] {
            let q = times(q, o.frequency);
            let (v, g) = perlin_grad(o.key, q[0], q[1], q[2]);
            sum = sum + v * o.amplitude;
            slope = add(slope, times(g, o.amplitude * o.frequency));
        }
        (sum, slope)
    }
}

//! Sums of octaves.

use super::gradient::{perlin, perlin_grad};
use super::lanes::F8;

/// How octaves follow each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fbm {
    /// Number of octaves, at least 1.
    pub octaves: u32,
    /// Frequency of an octave over the one before; a little off 2 keeps lattice points apart.
    pub lacunarity: f32,
    /// Amplitude of an octave over the one before.
    pub gain: f32,
}

impl Fbm {
    /// `octaves` octaves, lacunarity 2.03, gain ½.
    pub const fn new(octaves: u32) -> Self {
        Self {
            octaves,
            lacunarity: 2.03,
            gain: 0.5,
        }
    }
}

/// Key of octave `i`: octaves must not share lattice values.
#[inline(always)]
fn octave_key(key: u32, i: u32) -> u32 {
    key.wrapping_add(i.wrapping_mul(0x9E37_79B9))
}

/// Fractal sum of [`perlin`] (Mandelbrot's fBm), the first octave with amplitude 1 and
/// frequency 1; about ±(1 + gain + gain² + …).
#[inline(always)]
pub fn fbm(key: u32, shape: Fbm, x: F8, y: F8, z: F8) -> F8 {
    let mut sum = perlin(key, x, y, z);
    let (mut f, mut a) = (shape.lacunarity, shape.gain);
    for i in 1..shape.octaves {
        sum = sum + perlin(octave_key(key, i), x * f, y * f, z * f) * a;
        f *= shape.lacunarity;
        a *= shape.gain;
    }
    sum
}

/// [`fbm`] and its gradient; the value has the same bits as `fbm`'s.
#[inline(always)]
pub fn fbm_grad(key: u32, shape: Fbm, x: F8, y: F8, z: F8) -> (F8, [F8; 3]) {
    let (mut sum, mut g) = perlin_grad(key, x, y, z);
    let (mut f, mut a) = (shape.lacunarity, shape.gain);
    for i in 1..shape.octaves {
        let (n, d) = perlin_grad(octave_key(key, i), x * f, y * f, z * f);
        sum = sum + n * a;
        for axis in 0..3 {
            g[axis] = g[axis] + d[axis] * (a * f);
        }
        f *= shape.lacunarity;
        a *= shape.gain;
    }
    (sum, g)
}

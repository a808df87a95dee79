//! Noise, eight lanes at a time.
//!
//! In: a 32-bit key (see [`rng::noise_key`](crate::rng::noise_key)) and coordinates in lanes
//! ([`F8`]) or slices. Out: [`perlin`] gradient noise with its analytic gradient, sums of octaves
//! ([`fbm`]) and [`worley`] cells.
//!
//! Sources: Perlin 2002, "Improving noise"; Worley 1996, "A cellular texture basis function";
//! the lane width and the hashed gradients follow FastNoise2.
//!
//! Guaranteed: the same bits whether run with AVX2 or not, in a batch or alone ([`perlin_one`]),
//! on any thread. Not guaranteed: anything for coordinates beyond ±2²² but that nothing panics.
//!
//! The noise functions are `#[inline(always)]` pieces for kernels: write a kernel over [`F8`] and
//! have it compiled for both instruction sets by `dispatch!`.

mod calls;
mod cellular;
mod dispatch;
mod fractal;
mod gradient;
mod hash;
mod lanes;

pub use calls::{perlin_call, perlin_grad_call, worley_call};
pub use cellular::{Worley, worley};
pub use dispatch::{avx2, dispatch, force_baseline};
pub use fractal::{Fbm, fbm, fbm_grad};
pub use gradient::{perlin, perlin_grad};
pub use lanes::{F8, I8, U8x};

#[inline(always)]
fn fill_body(key: u32, x: &[f32], y: &[f32], z: &[f32], out: &mut [f32]) {
    for (((o, x), y), z) in out
        .chunks_mut(8)
        .zip(x.chunks(8))
        .zip(y.chunks(8))
        .zip(z.chunks(8))
    {
        perlin(key, F8::load(x), F8::load(y), F8::load(z)).store(o);
    }
}

#[inline(always)]
fn one_body(key: u32, p: [f32; 3]) -> f32 {
    perlin(key, F8::splat(p[0]), F8::splat(p[1]), F8::splat(p[2])).0[0]
}

dispatch! {
    /// [`perlin`] at each point: `out[i]` from `(x[i], y[i], z[i])`, as far as all slices reach.
    pub fn fill(key: u32, x: &[f32], y: &[f32], z: &[f32], out: &mut [f32]) = fill_body;

    /// [`perlin`] at one point; the same bits as in a batch, at the price of eight.
    pub fn perlin_one(key: u32, p: [f32; 3]) -> f32 = one_body;
}

#[cfg(test)]
mod tests;

//! The noise functions as calls.
//!
//! LLVM turns lanes into vectors block by block and gives up on blocks of many thousand
//! operations, which are then ten times slower without a word. A kernel with more than about
//! four noise terms calls these instead of inlining them; a call costs a fifth of the noise.

use super::cellular::{Worley, worley};
use super::dispatch::dispatch;
use super::gradient::{perlin, perlin_grad};
use super::lanes::F8;

#[inline(always)]
fn perlin_body(key: u32, p: &[F8; 3]) -> F8 {
    perlin(key, p[0], p[1], p[2])
}

#[inline(always)]
fn perlin_grad_body(key: u32, p: &[F8; 3]) -> (F8, [F8; 3]) {
    perlin_grad(key, p[0], p[1], p[2])
}

#[inline(always)]
fn worley_body(key: u32, jitter: f32, p: &[F8; 3]) -> Worley {
    worley(key, jitter, p[0], p[1], p[2])
}

dispatch! {
    /// [`perlin`], not inlined.
    #[inline(never)]
    pub fn perlin_call(key: u32, p: &[F8; 3]) -> F8 = perlin_body;

    /// [`perlin_grad`], not inlined.
    #[inline(never)]
    pub fn perlin_grad_call(key: u32, p: &[F8; 3]) -> (F8, [F8; 3]) = perlin_grad_body;

    /// [`worley`], not inlined.
    #[inline(never)]
    pub fn worley_call(key: u32, jitter: f32, p: &[F8; 3]) -> Worley = worley_body;
}

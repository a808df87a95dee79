//! One body, compiled twice, chosen at run time.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use std::sync::atomic::{AtomicU8, Ordering};

/// 0 not asked yet, 1 baseline, 2 AVX2.
#[cfg(target_arch = "x86_64")]
static LEVEL: AtomicU8 = AtomicU8::new(0);

/// Whether AVX2 code runs: the processor has it and [`force_baseline`] was not asked for.
#[inline]
pub fn avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        // Relaxed: every thread that finds 0 computes the same answer.
        match LEVEL.load(Ordering::Relaxed) {
            0 => {
                let yes = std::arch::is_x86_feature_detected!("avx2");
                LEVEL.store(1 + u8::from(yes), Ordering::Relaxed);
                yes
            }
            level => level == 2,
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Turns AVX2 off (or back to what the processor has), for tests and benchmarks.
///
/// Results do not depend on it; only speed does.
pub fn force_baseline(yes: bool) {
    #[cfg(target_arch = "x86_64")]
    LEVEL.store(u8::from(yes), Ordering::Relaxed);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = yes;
}

/// Defines functions whose body is compiled for the baseline and for AVX2 and chosen at run time.
///
/// The body is an `#[inline(always)]` function that calls only `#[inline(always)]` functions:
/// whatever is not inlined into it stays baseline code. Both compile the same operations, so
/// both give the same bytes. Give each call thousands of lanes of work: the choice costs a load
/// and a call.
///
/// ```
/// use plume::noise::{F8, dispatch};
///
/// #[inline(always)]
/// fn hypot_body(x: &[f32], y: &[f32], out: &mut [f32]) {
///     for ((o, x), y) in out.chunks_mut(8).zip(x.chunks(8)).zip(y.chunks(8)) {
///         let (x, y) = (F8::load(x), F8::load(y));
///         (x * x + y * y).sqrt().store(o);
///     }
/// }
///
/// dispatch! {
///     /// Length of (x, y).
///     pub fn hypot(x: &[f32], y: &[f32], out: &mut [f32]) = hypot_body;
/// }
///
/// let mut out = [0.0; 2];
/// hypot(&[3.0, 5.0], &[4.0, 12.0], &mut out);
/// assert_eq!(out, [5.0, 13.0]);
/// ```
///
/// Lifetimes and type parameters go in brackets before the name, as the body takes them:
/// `fn ['a, T: Trait] name(x: &'a T) = body;`.
#[macro_export]
#[doc(hidden)]
macro_rules! __noise_dispatch {
    ($(
        $(#[$meta:meta])*
        $vis:vis fn $([$($generic:tt)*])? $name:ident ($($arg:ident : $ty:ty),* $(,)?) $(-> $ret:ty)?
            = $body:path;
    )*) => {$(
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name $(<$($generic)*>)? ($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                #[allow(clippy::too_many_arguments)]
                fn wide $(<$($generic)*>)? ($($arg: $ty),*) $(-> $ret)? {
                    $body($($arg),*)
                }
                if $crate::noise::avx2() {
                    // SAFETY: the processor was found to have AVX2, the only thing `wide` needs
                    // beyond a safe function.
                    return unsafe { wide($($arg),*) };
                }
            }
            $body($($arg),*)
        }
    )*};
}

pub use crate::__noise_dispatch as dispatch;

//! Eight numbers at a time.
//!
//! Plain arrays and plain loops: inside a function compiled for AVX2 each operation becomes one
//! 256-bit instruction, on the baseline two 128-bit ones. There is no fused multiply-add and no
//! reassociation, so both give the same bits. Vectors appear at `opt-level = 3` only (below it rustc runs no
//! SLP vectoriser): lower levels give the same bits ten times slower.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

/// Eight `f32`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub struct F8(pub [f32; 8]);

/// Eight `u32`; all arithmetic wraps. Also the result of a comparison: all ones or all zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct U8x(pub [u32; 8]);

/// Eight `i32`; all arithmetic wraps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct I8(pub [i32; 8]);

/// `lanes!(Out, i => expression)`: the expression for each lane `i`.
macro_rules! lanes {
    ($out:ident, $i:ident => $e:expr) => {{
        let mut out = $out::default();
        let mut $i = 0;
        while $i < 8 {
            out.0[$i] = $e;
            $i += 1;
        }
        out
    }};
}

macro_rules! binary {
    ($t:ident, $trait:ident, $f:ident, $a:ident, $b:ident => $e:expr) => {
        impl $trait for $t {
            type Output = $t;
            #[inline(always)]
            fn $f(self, rhs: $t) -> $t {
                lanes!($t, i => {
                    let ($a, $b) = (self.0[i], rhs.0[i]);
                    $e
                })
            }
        }
    };
}

macro_rules! float_binary {
    ($trait:ident, $f:ident, $op:tt) => {
        binary!(F8, $trait, $f, a, b => a $op b);
        impl $trait<f32> for F8 {
            type Output = F8;
            #[inline(always)]
            fn $f(self, rhs: f32) -> F8 {
                lanes!(F8, i => self.0[i] $op rhs)
            }
        }
    };
}

float_binary!(Add, add, +);
float_binary!(Sub, sub, -);
float_binary!(Mul, mul, *);
float_binary!(Div, div, /);

macro_rules! integer {
    ($t:ident) => {
        binary!($t, Add, add, a, b => a.wrapping_add(b));
        binary!($t, Sub, sub, a, b => a.wrapping_sub(b));
        binary!($t, Mul, mul, a, b => a.wrapping_mul(b));
        binary!($t, BitAnd, bitand, a, b => a & b);
        binary!($t, BitOr, bitor, a, b => a | b);
        binary!($t, BitXor, bitxor, a, b => a ^ b);
        impl Not for $t {
            type Output = $t;
            #[inline(always)]
            fn not(self) -> $t {
                lanes!($t, i => !self.0[i])
            }
        }
        impl Shl<u32> for $t {
            type Output = $t;
            #[inline(always)]
            fn shl(self, by: u32) -> $t {
                lanes!($t, i => self.0[i].wrapping_shl(by))
            }
        }
        impl Shr<u32> for $t {
            type Output = $t;
            #[inline(always)]
            fn shr(self, by: u32) -> $t {
                lanes!($t, i => self.0[i].wrapping_shr(by))
            }
        }
    };
}

integer!(U8x);
integer!(I8);

impl Neg for F8 {
    type Output = F8;
    #[inline(always)]
    fn neg(self) -> F8 {
        lanes!(F8, i => -self.0[i])
    }
}

/// Adding and taking away 1.5 · 2²³ rounds to the nearest whole number and leaves it in the low
/// bits of the sum: cheaper on SSE2 than a conversion, and free of saturation code.
const ROUND: f32 = 12_582_912.0;

/// `a < b` as a mask, `lane by lane`.
macro_rules! compare {
    ($($(#[$doc:meta])* $f:ident $op:tt;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $f(self, rhs: F8) -> U8x {
            lanes!(U8x, i => if self.0[i] $op rhs.0[i] { u32::MAX } else { 0 })
        }
    )*};
}

impl F8 {
    /// All lanes zero.
    pub const ZERO: F8 = F8([0.0; 8]);
    /// All lanes one.
    pub const ONE: F8 = F8([1.0; 8]);

    /// The same value in each lane.
    #[inline(always)]
    pub fn splat(v: f32) -> F8 {
        F8([v; 8])
    }

    /// The first eight values of `s`; lanes beyond its end repeat its last value, or 0 if empty.
    #[inline(always)]
    pub fn load(s: &[f32]) -> F8 {
        match s.first_chunk::<8>() {
            Some(full) => F8(*full),
            None => {
                let last = s.last().copied().unwrap_or(0.0);
                lanes!(F8, i => if i < s.len() { s[i] } else { last })
            }
        }
    }

    /// Writes the lanes to the first eight places of `s`, or to as many as it has.
    #[inline(always)]
    pub fn store(self, s: &mut [f32]) {
        match s.first_chunk_mut::<8>() {
            Some(full) => *full = self.0,
            None => {
                let n = s.len();
                s.copy_from_slice(&self.0[..n]);
            }
        }
    }

    compare! {
        /// Mask of lanes where `self < rhs`.
        lt <;
        /// Mask of lanes where `self <= rhs`.
        le <=;
        /// Mask of lanes where `self > rhs`.
        gt >;
        /// Mask of lanes where `self >= rhs`.
        ge >=;
    }

    /// The smaller of both; `rhs` where either is NaN (as the SSE instruction).
    #[inline(always)]
    pub fn min(self, rhs: F8) -> F8 {
        lanes!(F8, i => if self.0[i] < rhs.0[i] { self.0[i] } else { rhs.0[i] })
    }

    /// The larger of both; `rhs` where either is NaN (as the SSE instruction).
    #[inline(always)]
    pub fn max(self, rhs: F8) -> F8 {
        lanes!(F8, i => if self.0[i] > rhs.0[i] { self.0[i] } else { rhs.0[i] })
    }

    /// Limited to `lo..=hi`; `lo` where NaN.
    #[inline(always)]
    pub fn clamp(self, lo: f32, hi: f32) -> F8 {
        self.max(F8::splat(lo)).min(F8::splat(hi))
    }

    /// Absolute value.
    #[inline(always)]
    pub fn abs(self) -> F8 {
        lanes!(F8, i => f32::from_bits(self.0[i].to_bits() & 0x7FFF_FFFF))
    }

    /// Square root, correctly rounded.
    #[inline(always)]
    pub fn sqrt(self) -> F8 {
        lanes!(F8, i => self.0[i].sqrt())
    }

    /// Largest whole number not above; exact for every float, NaN stays NaN.
    #[inline(always)]
    pub fn floor(self) -> F8 {
        // Not `f32::floor`: the baseline has no instruction for it and would call libm.
        let whole = F8::splat(8_388_608.0);
        let size = self.abs();
        let sign = self.bits() & U8x::splat(0x8000_0000);
        let rounded = (((size + whole) - whole).bits() | sign).float();
        let down = rounded - rounded.gt(self).select(F8::ONE, F8::ZERO);
        size.lt(whole).select(down, self)
    }

    /// Floor as float and as integer, for |x| < 2²²; meaningless (but never a panic) beyond.
    #[inline(always)]
    pub fn floor_int(self) -> (F8, I8) {
        let shifted = self + ROUND;
        let rounded = shifted - ROUND;
        let above = rounded.gt(self);
        let int = shifted.bits() - U8x::splat(ROUND.to_bits()) + above;
        (rounded - above.select(F8::ONE, F8::ZERO), int.to_i())
    }

    /// Whole part toward zero; saturates, NaN gives 0. Slow (no vector instruction does this):
    /// prefer [`floor_int`](F8::floor_int).
    #[inline(always)]
    pub fn to_int(self) -> I8 {
        lanes!(I8, i => self.0[i] as i32)
    }

    /// The bits of each lane.
    #[inline(always)]
    pub fn bits(self) -> U8x {
        lanes!(U8x, i => self.0[i].to_bits())
    }

    /// `self + (to - self) · t`.
    #[inline(always)]
    pub fn lerp(self, to: F8, t: F8) -> F8 {
        self + (to - self) * t
    }

    /// 0 below `lo`, 1 above `hi`, the cubic 3t² − 2t³ between; `lo != hi`.
    #[inline(always)]
    pub fn smoothstep(self, lo: f32, hi: f32) -> F8 {
        let t = ((self - lo) * (1.0 / (hi - lo))).clamp(0.0, 1.0);
        t * t * (F8::splat(3.0) - t - t)
    }
}

impl U8x {
    /// The same value in each lane.
    #[inline(always)]
    pub fn splat(v: u32) -> U8x {
        U8x([v; 8])
    }

    /// Of a mask: `a` where all ones, `b` where all zeros.
    #[inline(always)]
    pub fn select(self, a: F8, b: F8) -> F8 {
        lanes!(F8, i => if self.0[i] != 0 { a.0[i] } else { b.0[i] })
    }

    /// Of a mask: `a` where all ones, `b` where all zeros.
    #[inline(always)]
    pub fn select_u(self, a: U8x, b: U8x) -> U8x {
        lanes!(U8x, i => if self.0[i] != 0 { a.0[i] } else { b.0[i] })
    }

    /// Whether any lane is not zero.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0.iter().fold(0, |a, b| a | b) != 0
    }

    /// The float with these bits.
    #[inline(always)]
    pub fn float(self) -> F8 {
        lanes!(F8, i => f32::from_bits(self.0[i]))
    }

    /// Read as signed.
    #[inline(always)]
    pub fn to_i(self) -> I8 {
        lanes!(I8, i => self.0[i] as i32)
    }

    /// As a fraction of 2³²: uniform in [0, 1) for a hash (its upper 24 bits count).
    #[inline(always)]
    pub fn unit(self) -> F8 {
        lanes!(F8, i => (self.0[i] >> 8) as i32 as f32 * (1.0 / 16_777_216.0))
    }
}

impl I8 {
    /// The same value in each lane.
    #[inline(always)]
    pub fn splat(v: i32) -> I8 {
        I8([v; 8])
    }

    /// Nearest float.
    #[inline(always)]
    pub fn to_f(self) -> F8 {
        lanes!(F8, i => self.0[i] as f32)
    }

    /// Read as unsigned.
    #[inline(always)]
    pub fn to_u(self) -> U8x {
        lanes!(U8x, i => self.0[i] as u32)
    }

    /// The smaller of both.
    #[inline(always)]
    pub fn min(self, rhs: I8) -> I8 {
        lanes!(I8, i => if self.0[i] < rhs.0[i] { self.0[i] } else { rhs.0[i] })
    }

    /// The larger of both.
    #[inline(always)]
    pub fn max(self, rhs: I8) -> I8 {
        lanes!(I8, i => if self.0[i] > rhs.0[i] { self.0[i] } else { rhs.0[i] })
    }
}

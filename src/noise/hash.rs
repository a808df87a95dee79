//! Integer hash of lattice corners.
//!
//! Coordinates are spread by odd constants and mixed by multiply and xor-shift rounds
//! (the constants of Ellis's `lowbias32` and of R. Jenkins' successors).

use super::lanes::U8x;

/// Spread of one step along x, y, z.
pub(super) const PRIME: [u32; 3] = [0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D];

/// Mixes two spread coordinates.
#[inline(always)]
pub(super) fn mix2(a: U8x, b: U8x) -> U8x {
    let h = (a ^ b) * U8x::splat(0x7FEB_352D);
    h ^ (h >> 15)
}

/// Mixes a third spread coordinate into the first two.
#[inline(always)]
pub(super) fn corner(ab: U8x, c: U8x) -> U8x {
    let h = (ab ^ c) * U8x::splat(0x846C_A68B);
    h ^ (h >> 15)
}

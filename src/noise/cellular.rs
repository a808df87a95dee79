//! Cellular noise: Worley 1996, "A cellular texture basis function", one point a cell.

use super::hash::{PRIME, corner, mix2};
use super::lanes::{F8, U8x};

/// The two nearest feature points.
#[derive(Clone, Copy, Debug)]
pub struct Worley {
    /// Distance to the nearest point, in cells; at most about 1.2.
    pub f1: F8,
    /// Distance to the second nearest.
    pub f2: F8,
    /// Hash of the nearest point: the same all over its cell.
    pub id: U8x,
    /// From the nearest point to the sample; over `f1` it is the gradient of `f1`.
    pub from1: [F8; 3],
    /// From the second nearest point to the sample.
    pub from2: [F8; 3],
}

/// The two nearest of one random point per unit cell, over the 27 cells around the sample.
///
/// `jitter` (0–1) is how far points stray within their cell: 0 a lattice, 1 anywhere in it.
/// Worley's distances are exact but for the rare second point beyond the 27 cells at `jitter`
/// near 1. Coordinates up to ±2²².
#[inline(always)]
pub fn worley(key: u32, jitter: f32, x: F8, y: F8, z: F8) -> Worley {
    let (fx, ix) = x.floor_int();
    let (fy, iy) = y.floor_int();
    let (fz, iz) = z.floor_int();
    // From the middle of the lower neighbour cell to the sample.
    let at = [x - fx + 0.5, y - fy + 0.5, z - fz + 0.5];
    let one = U8x::splat(1);
    let (ix, iy, iz) = (ix.to_u() - one, iy.to_u() - one, iz.to_u() - one);
    let stray = jitter * 0.5 / 2_147_483_648.0;

    let far = F8::splat(9.0);
    let mut best = Worley {
        f1: far,
        f2: far,
        id: U8x::splat(0),
        from1: [far; 3],
        from2: [far; 3],
    };
    let mut hx = ix * U8x::splat(PRIME[0]);
    let mut px = at[0];
    for _ in 0..3 {
        let hxk = hx ^ U8x::splat(key);
        let mut hy = iy * U8x::splat(PRIME[1]);
        let mut py = at[1];
        for _ in 0..3 {
            let column = mix2(hxk, hy);
            let mut hz = iz * U8x::splat(PRIME[2]);
            let mut pz = at[2];
            for _ in 0..3 {
                let h = corner(column, hz);
                let d = [
                    px - h.to_i().to_f() * stray,
                    py - (h << 11).to_i().to_f() * stray,
                    pz - (h << 22).to_i().to_f() * stray,
                ];
                let r = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                let nearest = r.lt(best.f1);
                let second = r.lt(best.f2);
                for (axis, &d) in d.iter().enumerate() {
                    let second_from = second.select(d, best.from2[axis]);
                    best.from2[axis] = nearest.select(best.from1[axis], second_from);
                    best.from1[axis] = nearest.select(d, best.from1[axis]);
                }
                best.f2 = r.max(best.f1).min(best.f2);
                best.f1 = r.min(best.f1);
                best.id = nearest.select_u(h, best.id);
                hz = hz + U8x::splat(PRIME[2]);
                pz = pz - 1.0;
            }
            hy = hy + U8x::splat(PRIME[1]);
            py = py - 1.0;
        }
        hx = hx + U8x::splat(PRIME[0]);
        px = px - 1.0;
    }
    best.f1 = best.f1.sqrt();
    best.f2 = best.f2.sqrt();
    best
}

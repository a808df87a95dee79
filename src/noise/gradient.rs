//! Gradient noise: Perlin 2002, "Improving noise".
//!
//! Quintic fade as there; gradients are not his twelve edges but uniform in a cube, straight
//! from the bits of an integer hash: no table, no gather, and no preferred direction.

use super::hash::{PRIME, corner, mix2};
use super::lanes::{F8, U8x};

/// Brings the noise to a standard deviation of about 1/3 with extremes about ±1.
const SCALE: f32 = 1.6 / 2_147_483_648.0;

/// Gradient of a lattice corner from its hash, each component in ±2³¹.
#[inline(always)]
fn gradient(h: U8x) -> [F8; 3] {
    [
        h.to_i().to_f(),
        (h << 11).to_i().to_f(),
        (h << 22).to_i().to_f(),
    ]
}

/// 6t⁵ − 15t⁴ + 10t³.
#[inline(always)]
fn fade(t: F8) -> F8 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// Derivative of [`fade`]: 30t²(t − 1)².
#[inline(always)]
fn fade_slope(t: F8) -> F8 {
    let u = t * (t - 1.0);
    u * u * 30.0
}

/// The lattice cell of a point: hashes of its eight corners and the place within.
struct Cell {
    /// Corner hashes; bit 0 is x, bit 1 y, bit 2 z.
    hash: [U8x; 8],
    /// Offset from the lower corner, 0–1.
    at: [F8; 3],
}

#[inline(always)]
fn cell(key: u32, x: F8, y: F8, z: F8) -> Cell {
    let (fx, ix) = x.floor_int();
    let (fy, iy) = y.floor_int();
    let (fz, iz) = z.floor_int();
    let x0 = (ix.to_u() * U8x::splat(PRIME[0])) ^ U8x::splat(key);
    let y0 = iy.to_u() * U8x::splat(PRIME[1]);
    let z0 = iz.to_u() * U8x::splat(PRIME[2]);
    let x1 = ((ix.to_u() + U8x::splat(1)) * U8x::splat(PRIME[0])) ^ U8x::splat(key);
    let y1 = y0 + U8x::splat(PRIME[1]);
    let z1 = z0 + U8x::splat(PRIME[2]);
    let (c00, c10, c01, c11) = (mix2(x0, y0), mix2(x1, y0), mix2(x0, y1), mix2(x1, y1));
    Cell {
        hash: [
            corner(c00, z0),
            corner(c10, z0),
            corner(c01, z0),
            corner(c11, z0),
            corner(c00, z1),
            corner(c10, z1),
            corner(c01, z1),
            corner(c11, z1),
        ],
        at: [x - fx, y - fy, z - fz],
    }
}

/// Gradient noise, about [−1, 1], mean 0, one feature a unit; 0 at whole coordinates.
///
/// Coordinates up to ±2²² (`key` chooses the noise, see [`crate::rng::noise_key`]).
#[inline(always)]
pub fn perlin(key: u32, x: F8, y: F8, z: F8) -> F8 {
    let c = cell(key, x, y, z);
    let [dx, dy, dz] = c.at;
    let (ex, ey, ez) = (dx - 1.0, dy - 1.0, dz - 1.0);
    let (u, v, w) = (fade(dx), fade(dy), fade(dz));
    let dot = |h: U8x, x: F8, y: F8, z: F8| {
        let g = gradient(h);
        g[0] * x + g[1] * y + g[2] * z
    };
    let x00 = dot(c.hash[0], dx, dy, dz).lerp(dot(c.hash[1], ex, dy, dz), u);
    let x10 = dot(c.hash[2], dx, ey, dz).lerp(dot(c.hash[3], ex, ey, dz), u);
    let x01 = dot(c.hash[4], dx, dy, ez).lerp(dot(c.hash[5], ex, dy, ez), u);
    let x11 = dot(c.hash[6], dx, ey, ez).lerp(dot(c.hash[7], ex, ey, ez), u);
    x00.lerp(x10, v).lerp(x01.lerp(x11, v), w) * SCALE
}

/// Noise and its gradient on the way through the interpolation.
#[derive(Clone, Copy)]
struct Slope {
    v: F8,
    g: [F8; 3],
}

impl Slope {
    /// Blends by `t` along `axis`, `slope` being the derivative of `t`.
    #[inline(always)]
    fn lerp(self, to: Slope, axis: usize, t: F8, slope: F8) -> Slope {
        let mut g = [
            self.g[0].lerp(to.g[0], t),
            self.g[1].lerp(to.g[1], t),
            self.g[2].lerp(to.g[2], t),
        ];
        g[axis] = g[axis] + (to.v - self.v) * slope;
        Slope {
            v: self.v.lerp(to.v, t),
            g,
        }
    }
}

/// [`perlin`] and its gradient, per unit of x, y, z; the value has the same bits as `perlin`'s.
#[inline(always)]
pub fn perlin_grad(key: u32, x: F8, y: F8, z: F8) -> (F8, [F8; 3]) {
    let c = cell(key, x, y, z);
    let [dx, dy, dz] = c.at;
    let (ex, ey, ez) = (dx - 1.0, dy - 1.0, dz - 1.0);
    let (u, v, w) = (fade(dx), fade(dy), fade(dz));
    let (du, dv, dw) = (fade_slope(dx), fade_slope(dy), fade_slope(dz));
    let at = |h: U8x, x: F8, y: F8, z: F8| {
        let g = gradient(h);
        Slope {
            v: g[0] * x + g[1] * y + g[2] * z,
            g,
        }
    };
    let x00 = at(c.hash[0], dx, dy, dz).lerp(at(c.hash[1], ex, dy, dz), 0, u, du);
    let x10 = at(c.hash[2], dx, ey, dz).lerp(at(c.hash[3], ex, ey, dz), 0, u, du);
    let x01 = at(c.hash[4], dx, dy, ez).lerp(at(c.hash[5], ex, dy, ez), 0, u, du);
    let x11 = at(c.hash[6], dx, ey, ez).lerp(at(c.hash[7], ex, ey, ez), 0, u, du);
    let n = x00
        .lerp(x10, 1, v, dv)
        .lerp(x01.lerp(x11, 1, v, dv), 2, w, dw);
    (
        n.v * SCALE,
        [n.g[0] * SCALE, n.g[1] * SCALE, n.g[2] * SCALE],
    )
}

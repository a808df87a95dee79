//! Vectors of eight lanes.

use crate::noise::F8;

/// Three components, eight points.
pub(super) type V8 = [F8; 3];

/// The same vector in each lane.
#[inline(always)]
pub(super) fn splat(v: [f32; 3]) -> V8 {
    [F8::splat(v[0]), F8::splat(v[1]), F8::splat(v[2])]
}

#[inline(always)]
pub(super) fn add(a: V8, b: V8) -> V8 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(super) fn sub(a: V8, b: V8) -> V8 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn scale(a: V8, s: F8) -> V8 {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
pub(super) fn times(a: V8, s: f32) -> V8 {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
pub(super) fn dot(a: V8, b: V8) -> F8 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn cross(a: V8, b: V8) -> V8 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// `a` at length 1, or `otherwise` where `a` is too short to have a direction.
#[inline(always)]
pub(super) fn unit(a: V8, otherwise: V8) -> V8 {
    let square = dot(a, a);
    let good = square.gt(F8::splat(1e-16));
    let inverse = F8::ONE / good.select(square, F8::ONE).sqrt();
    [
        good.select(a[0] * inverse, otherwise[0]),
        good.select(a[1] * inverse, otherwise[1]),
        good.select(a[2] * inverse, otherwise[2]),
    ]
}

/// Rotates noise lattices against the world axes, so that no level floor lies in a lattice plane.
const TURN: [[f32; 3]; 3] = [
    [0.788_675, -0.211_325, -0.577_35],
    [-0.211_325, 0.788_675, -0.577_35],
    [0.577_35; 3],
];

/// World to noise axes.
#[inline(always)]
pub(super) fn turn(p: V8) -> V8 {
    let row = |r: [f32; 3]| p[0] * r[0] + p[1] * r[1] + p[2] * r[2];
    [row(TURN[0]), row(TURN[1]), row(TURN[2])]
}

/// Noise to world axes.
#[inline(always)]
pub(super) fn turn_back(q: V8) -> V8 {
    let column = |i: usize| q[0] * TURN[0][i] + q[1] * TURN[1][i] + q[2] * TURN[2][i];
    [column(0), column(1), column(2)]
}

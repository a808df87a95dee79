//! Which sample points lie in a triangle, or near a line.

use glam::Vec2;

/// Calls `hit(x, y)` for every point `((x + ½)·step, (y + ½)·step)` strictly inside the
/// counter-clockwise triangle, within a grid of `w` by `h`.
pub fn centres(t: &[Vec2; 3], step: f32, w: usize, h: usize, mut hit: impl FnMut(usize, usize)) {
    let low = t[0].min(t[1]).min(t[2]) / step - 0.5;
    let high = t[0].max(t[1]).max(t[2]) / step - 0.5;
    for y in range(low.y, high.y, h) {
        for x in range(low.x, high.x, w) {
            let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * step;
            let inside = |a: Vec2, b: Vec2| (b - a).perp_dot(p - a) > 1e-6 * step * step;
            if inside(t[0], t[1]) && inside(t[1], t[2]) && inside(t[2], t[0]) {
                hit(x, y);
            }
        }
    }
}

/// The same for every point within `reach` of the line from `a` to `b`.
pub fn capsule(
    a: Vec2,
    b: Vec2,
    reach: f32,
    step: f32,
    w: usize,
    h: usize,
    mut hit: impl FnMut(usize, usize),
) {
    let low = (a.min(b) - reach) / step - 0.5;
    let high = (a.max(b) + reach) / step - 0.5;
    let along = b - a;
    let scale = 1.0 / along.length_squared().max(1e-12);
    for y in range(low.y, high.y, h) {
        for x in range(low.x, high.x, w) {
            let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * step - a;
            let t = (p.dot(along) * scale).clamp(0.0, 1.0);
            if p.distance_squared(along * t) <= reach * reach {
                hit(x, y);
            }
        }
    }
}

fn range(low: f32, high: f32, n: usize) -> std::ops::Range<usize> {
    (low.ceil().max(0.0) as usize)..((high.floor() + 1.0).clamp(0.0, n as f32) as usize)
}

//! Which sample points lie in a triangle.

use glam::Vec2;

/// Calls `hit(x, y)` for every point `((x + ½)·step, (y + ½)·step)` strictly inside the
/// counter-clockwise triangle, within a grid of `w` by `h`.
pub fn centres(t: &[Vec2; 3], step: f32, w: usize, h: usize, mut hit: impl FnMut(usize, usize)) {
    let low = t[0].min(t[1]).min(t[2]) / step - 0.5;
    let high = t[0].max(t[1]).max(t[2]) / step - 0.5;
    let range = |a: f32, b: f32, n: usize| {
        (a.ceil().max(0.0) as usize)..((b.floor() + 1.0).clamp(0.0, n as f32) as usize)
    };
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

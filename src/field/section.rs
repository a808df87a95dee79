//! Cross-sections that passages are swept with.

use crate::config::Profile;
use crate::noise::F8;

/// Radius of the corners of a [`Drift`] over its smaller half extent.
const CORNER: f32 = 0.15;

/// The shape of a passage across its centre line.
pub trait Section {
    /// Distance to the wall from places whose square of the distance to the centre line in plan
    /// is `across2` and which are `up` over it, metres; negative inside. `half_width` and
    /// `half_height` are those of the quarter the place is in.
    fn distance(across2: F8, up: F8, half_width: F8, half_height: F8) -> F8;
}

/// An ellipse.
pub struct Tube;

/// A square set: vertical walls, flat roof, corners slightly rounded.
pub struct Drift;

impl Section for Tube {
    /// Elliptic distance by the gradient of the implicit form (Taubin 1994, eq. 1).
    #[inline(always)]
    fn distance(across2: F8, up: F8, half_width: F8, half_height: F8) -> F8 {
        let one = F8::splat(1.0);
        let (iw, ih) = (one / half_width, one / half_height);
        let (a, b) = (across2 * iw * iw, up * up * ih * ih);
        let k = (a + b).sqrt();
        let g = (a * iw * iw + b * ih * ih).sqrt();
        k * (k - one) / g
    }
}

impl Section for Drift {
    /// Distance to a box with rounded edges (Quilez, "Distance functions"), exact across a level
    /// passage.
    #[inline(always)]
    fn distance(across2: F8, up: F8, half_width: F8, half_height: F8) -> F8 {
        let zero = F8::splat(0.0);
        let corner = half_width.min(half_height) * CORNER;
        let x = across2.sqrt() - half_width + corner;
        let z = up.abs() - half_height + corner;
        let (out_x, out_z) = (x.max(zero), z.max(zero));
        (out_x * out_x + out_z * out_z).sqrt() + x.max(z).min(zero) - corner
    }
}

/// How far from its axis a passage can be felt, metres, where its half extents are `smallest` to
/// `largest` and it is felt up to the distance `feel` from its wall.
pub fn reach(profile: Profile, smallest: f32, largest: f32, feel: f32) -> f32 {
    match profile {
        // d >= smallest · (D / largest − 1).
        Profile::Tube => largest * (1.0 + feel / smallest),
        // The corner is the farthest place of the wall.
        Profile::Drift => largest * std::f32::consts::SQRT_2 + feel,
    }
}

/// Length of wall, roof and floor across a passage over the sum of its half extents: half an
/// ellipse and its diameter, or a square whose floor lies as deep as `floor_drop_m` says.
pub fn girth(profile: Profile) -> f64 {
    match profile {
        Profile::Tube => 2.6,
        Profile::Drift => 3.6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<S: Section>(across: f32, up: f32) -> f32 {
        let f = F8::splat;
        S::distance(f(across * across), f(up), f(2.5), f(2.0)).0[0]
    }

    #[test]
    fn a_drift_has_vertical_walls_and_a_flat_roof() {
        for side in [0.0, 0.4, -0.8, 1.6] {
            assert!(
                (at::<Drift>(2.7, side) - 0.2).abs() < 1e-5,
                "wall at {side}"
            );
            assert!(
                (at::<Drift>(2.2, side) + 0.3).abs() < 1e-5,
                "wall at {side}"
            );
        }
        for across in [0.0, 0.7, 2.1] {
            assert!(
                (at::<Drift>(across, 2.1) - 0.1).abs() < 1e-5,
                "roof at {across}"
            );
            assert!(
                (at::<Drift>(across, -2.1) - 0.1).abs() < 1e-5,
                "floor at {across}"
            );
        }
    }

    #[test]
    fn a_drift_is_metric_around_its_corner() {
        // The corner's circle has radius 0.15 · 2.0 about (2.2, 1.7).
        for turn in [0.1f32, 0.5, 0.9, 1.4] {
            let (s, c) = (libm::sinf(turn), libm::cosf(turn));
            for far in [0.31f32, 0.5, 1.3] {
                let d = at::<Drift>(2.2 + c * far, 1.7 + s * far);
                assert!((d - (far - 0.3)).abs() < 1e-5, "{turn} {far}: {d}");
            }
        }
    }

    #[test]
    fn a_drift_holds_the_ellipse_of_its_size() {
        for i in 0..50 {
            let turn = i as f32 * 0.0314;
            let (x, z) = (2.5 * libm::cosf(turn), 2.0 * libm::sinf(turn));
            assert!(at::<Tube>(x, z).abs() < 1e-4);
            assert!(at::<Drift>(x, z) < 1e-4);
        }
    }
}

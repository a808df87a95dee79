//! Cross-sections that passages are swept with.
//!
//! Every profile is one [`Form`]: shares of the half width and half height that say how far the
//! section is from an ellipse. Forms can be mixed, so that one passage can turn from a tube into a
//! canyon. The two that most caves are made of, [`Tube`] and [`Drift`], have kernels of their own
//! that leave out what they do not need; [`Mixed`] takes any form.

use crate::config::{PassageConfig, Profile};
use crate::noise::F8;

/// Radius of the corners of a [`Drift`] over its smaller half extent.
const CORNER: f32 = 0.15;
/// The lower half of a tube is this much taller than its arch, so that the floor, which cuts it,
/// is wide.
const LOW: f32 = 1.4;
/// Depth of a slot under the centre line, over the half height: below every floor.
const SLOT_DEPTH: f32 = 1.75;
/// Radius of the edges between a slot and what is over it, over the smaller half extent.
const SLOT_BLEND: f32 = 0.3;

/// A cross-section in shares of its half width and half height.
///
/// An ellipse, moved by `square` toward a box and leaned inward; cut off below at `bench`; and,
/// united with it, a slot that leads down to the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// Height of the lower half over that of the arch.
    pub low: f32,
    /// 0 is an ellipse, 1 a box with rounded corners.
    pub square: f32,
    /// Narrower at the roof, and wider at the same depth, by this share.
    pub lean: f32,
    /// Depth of the bench beside the slot under the centre line, in half heights.
    pub bench: f32,
    /// Half width of the slot; 0 for none.
    pub slot: f32,
}

impl Form {
    /// Shares in the order of [`Form::from_shares`].
    pub fn shares(self) -> [f32; 5] {
        [self.low, self.square, self.lean, self.bench, self.slot]
    }

    /// The form of a profile.
    ///
    /// After Ford & Williams 2007, "Karst hydrogeology and geomorphology", ch. 7 (tube, canyon,
    /// keyhole) and Greeley 1971, "Geology of selected lava tubes in the Bend area, Oregon"
    /// (benches).
    pub fn of(profile: Profile) -> Self {
        let plain = Self {
            low: LOW,
            square: 0.0,
            lean: 0.0,
            bench: 2.0 * SLOT_DEPTH,
            slot: 0.0,
        };
        match profile {
            Profile::Tube => plain,
            Profile::Canyon => Self {
                low: 1.6,
                square: 0.6,
                lean: 0.22,
                ..plain
            },
            Profile::Keyhole => Self {
                low: 0.62,
                slot: 0.55,
                ..plain
            },
            Profile::Lava => Self {
                low: 1.3,
                square: 0.15,
                bench: 0.4,
                slot: 0.78,
                ..plain
            },
            Profile::Drift => Self {
                low: 1.0,
                square: 1.0,
                ..plain
            },
        }
    }
}

/// The shape of a passage across its centre line.
pub trait Section {
    /// Distance to the wall from places whose square of the distance to the centre line in plan
    /// is `across2` and which are `up` over it, metres; negative inside. `half_height` is that of
    /// the arch over the centre line; `form` is a function because not every section wants it.
    fn distance(
        across2: F8,
        up: F8,
        half_width: F8,
        half_height: F8,
        form: impl Fn(usize) -> F8,
    ) -> F8;

    /// Smallest distance from the middle to a wall, metres: what relief is limited by.
    #[inline(always)]
    fn narrowest(half_width: F8, half_height: F8, _: impl Fn(usize) -> F8) -> F8 {
        half_width.min(half_height)
    }
}

/// An ellipse.
pub struct Tube;

/// A square set: vertical walls, flat roof, corners slightly rounded.
pub struct Drift;

/// Any [`Form`], the shares in the order of [`Form::shares`].
pub struct Mixed;

impl Section for Tube {
    #[inline(always)]
    fn distance(
        across2: F8,
        up: F8,
        half_width: F8,
        half_height: F8,
        _: impl Fn(usize) -> F8,
    ) -> F8 {
        let low = up.lt(F8::splat(0.0));
        ellipse(
            across2,
            up,
            half_width,
            low.select(half_height * LOW, half_height),
        )
    }
}

impl Section for Drift {
    #[inline(always)]
    fn distance(
        across2: F8,
        up: F8,
        half_width: F8,
        half_height: F8,
        _: impl Fn(usize) -> F8,
    ) -> F8 {
        let low = up.lt(F8::splat(0.0));
        let half_height = low.select(half_height * LOW, half_height);
        rounded_box(across2.sqrt(), up, half_width, half_height)
    }
}

impl Section for Mixed {
    #[inline(always)]
    fn distance(
        across2: F8,
        up: F8,
        half_width: F8,
        half_height: F8,
        form: impl Fn(usize) -> F8,
    ) -> F8 {
        let (zero, one) = (F8::splat(0.0), F8::splat(1.0));
        let below = up.lt(zero);
        let tall = below.select(half_height * form(0), half_height);
        let smaller = half_width.min(half_height);
        let lean = form(2) * (up / half_height).clamp(-1.5, 1.0);
        let wide = half_width * (one - lean);
        let across = across2.sqrt();
        let round = ellipse(across2, up, wide, tall);
        let square = rounded_box(across, up, wide, tall);
        let lobe = round + form(1) * (square - round);
        let soft = smaller * F8::splat(SLOT_BLEND);
        let lobe = smooth_max(lobe, F8::splat(0.0) - up - form(3) * half_height, soft);
        let side = across - form(4) * half_width;
        let slot = side
            .max(up)
            .max(F8::splat(0.0) - up - half_height * SLOT_DEPTH);
        smooth_min(lobe, slot, soft)
    }

    #[inline(always)]
    fn narrowest(half_width: F8, half_height: F8, form: impl Fn(usize) -> F8) -> F8 {
        let slot = form(4);
        let share = slot.lt(F8::splat(0.1)).select(F8::splat(1.0), slot);
        (half_width * share).min(half_height)
    }
}

/// Elliptic distance by the gradient of the implicit form (Taubin 1994, eq. 1).
#[inline(always)]
fn ellipse(across2: F8, up: F8, half_width: F8, half_height: F8) -> F8 {
    let one = F8::splat(1.0);
    let (iw, ih) = (one / half_width, one / half_height);
    let (a, b) = (across2 * iw * iw, up * up * ih * ih);
    let k = (a + b).sqrt();
    let g = (a * iw * iw + b * ih * ih).sqrt();
    k * (k - one) / g
}

/// Distance to a box with rounded edges (Quilez, "Distance functions"), exact across a level
/// passage.
#[inline(always)]
fn rounded_box(across: F8, up: F8, half_width: F8, half_height: F8) -> F8 {
    let zero = F8::splat(0.0);
    let corner = half_width.min(half_height) * CORNER;
    let x = across - half_width + corner;
    let z = up.abs() - half_height + corner;
    let (out_x, out_z) = (x.max(zero), z.max(zero));
    (out_x * out_x + out_z * out_z).sqrt() + x.max(z).min(zero) - corner
}

/// Quadratic smooth minimum (Quilez, "smooth minimum"): differs from `min` only where the two are
/// within `k`, by at most `k / 4`.
#[inline(always)]
pub fn smooth_min(a: F8, b: F8, k: F8) -> F8 {
    let h = (k - (a - b).abs()).max(F8::splat(0.0));
    a.min(b) - h * h * F8::splat(0.25) / k
}

/// The smooth maximum that mirrors [`smooth_min`].
#[inline(always)]
pub fn smooth_max(a: F8, b: F8, k: F8) -> F8 {
    let h = (k - (a - b).abs()).max(F8::splat(0.0));
    a.max(b) + h * h * F8::splat(0.25) / k
}

/// Which kernel a cave needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// [`Tube`] alone.
    Tube,
    /// [`Drift`] alone.
    Drift,
    /// [`Mixed`].
    Mixed,
}

impl Kernel {
    /// The leanest kernel for these passages.
    pub fn of(passage: &PassageConfig) -> Self {
        let alone = passage.second_share == 0.0 || passage.second_profile == passage.profile;
        match passage.profile {
            Profile::Tube if alone => Self::Tube,
            Profile::Drift if alone => Self::Drift,
            _ => Self::Mixed,
        }
    }

    /// How far from its axis a passage can be felt, metres, up to the distance `feel` from its
    /// wall.
    pub fn reach(self, extent: Extent, feel: f32) -> f32 {
        let Extent {
            width,
            height,
            smallest,
            form,
        } = extent;
        let low = width.max(LOW * height);
        match self {
            // d >= smallest · (D / largest − 1).
            Self::Tube => low * (1.0 + feel / smallest),
            // The corner is the farthest place of the wall.
            Self::Drift => hypot(width, LOW * height) + feel,
            // Each part by itself, and the blend between them.
            Self::Mixed => {
                let feel = feel + 0.25 * SLOT_BLEND * smallest;
                let wide = width * (1.0 + 1.5 * form.lean);
                let tall = height * form.low.max(1.0);
                let thin = smallest * (1.0 - form.lean);
                let round = wide.max(tall) * (1.0 + feel / thin);
                let square = hypot(wide, tall) + feel;
                // Its distance is the larger of two, not that around a corner.
                let slot = hypot(form.slot * width + feel, SLOT_DEPTH * height + feel);
                let mut reach = round;
                if form.square > 0.0 {
                    reach = reach.max(square);
                }
                if form.slot > 0.0 {
                    reach = reach.max(slot);
                }
                reach
            }
        }
    }
}

/// Not the one of the system's library, whose bits differ between systems.
fn hypot(a: f32, b: f32) -> f32 {
    (a * a + b * b).sqrt()
}

/// Bounds of the cross-sections of a piece of passage.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Largest half width, metres.
    pub width: f32,
    /// Largest half height, metres.
    pub height: f32,
    /// Smallest half width or half height, that of a lower half under 1 counted, metres.
    pub smallest: f32,
    /// Largest shares.
    pub form: Form,
}

/// Length of wall, roof and floor across a passage over the sum of its half extents.
pub fn girth(profile: Profile) -> f64 {
    match profile {
        // Half an ellipse and its diameter.
        Profile::Tube => 2.6,
        // A square whose floor lies as deep as `floor_drop_m` says.
        Profile::Drift => 3.6,
        Profile::Lava => 3.0,
        Profile::Canyon => 3.6,
        Profile::Keyhole => 4.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<S: Section>(across: f32, up: f32) -> f32 {
        let f = F8::splat;
        S::distance(f(across * across), f(up), f(2.5), f(2.0), |_| f(0.0)).0[0]
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
                (at::<Drift>(across, -LOW * 2.0 - 0.1) - 0.1).abs() < 1e-5,
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
            let low = if z < 0.0 { LOW } else { 1.0 };
            assert!(at::<Tube>(x, low * z).abs() < 1e-4);
            assert!(at::<Drift>(x, low * z) < 1e-4);
        }
    }

    fn form(profile: Profile, across: f32, up: f32) -> f32 {
        let (f, shares) = (F8::splat, Form::of(profile).shares());
        let share = |i: usize| f(shares[i]);
        Mixed::distance(f(across * across), f(up), f(2.5), f(2.0), share).0[0]
    }

    /// Half width at a height: the farthest void on a fine row.
    fn width(profile: Profile, up: f32) -> f32 {
        (0..500)
            .map(|i| i as f32 * 0.01)
            .filter(|&x| form(profile, x, up) < 0.0)
            .fold(0.0, f32::max)
    }

    #[test]
    fn mixed_is_the_tube_and_near_the_drift() {
        for i in 0..40 {
            for k in 0..20 {
                let (x, z) = (i as f32 * 0.1, k as f32 * 0.3 - 3.0);
                // The slot of width 0 touches the axis.
                if x > 1.0 {
                    assert!((form(Profile::Tube, x, z) - at::<Tube>(x, z)).abs() < 1e-4);
                }
            }
        }
        assert!((width(Profile::Drift, 1.0) - 2.5).abs() < 0.02);
    }

    #[test]
    fn profiles_look_as_their_names_say() {
        // A canyon leans inward and is wider at its floor; an ellipse is widest at the middle.
        assert!(width(Profile::Canyon, 1.2) < width(Profile::Canyon, -1.2) - 0.5);
        // A keyhole: a tube over a slot half as wide or little more.
        assert!((width(Profile::Keyhole, 0.1) - 2.5).abs() < 0.1);
        assert!((width(Profile::Keyhole, -2.4) - 0.55 * 2.5).abs() < 0.1);
        // A lava tube: an arch, and benches beside the channel.
        assert!((width(Profile::Lava, 0.0) - 2.5).abs() < 0.1);
        assert!((width(Profile::Lava, -1.3) - 0.78 * 2.5).abs() < 0.1);
    }

    #[test]
    fn every_profile_is_star_shaped_about_its_centre_line() {
        for profile in [
            Profile::Tube,
            Profile::Canyon,
            Profile::Keyhole,
            Profile::Lava,
            Profile::Drift,
        ] {
            for turn in 0..60 {
                let turn = turn as f32 * 0.0524 - 1.57;
                let (x, z) = (libm::cosf(turn), libm::sinf(turn));
                let mut inside = true;
                for far in 1..150 {
                    let r = far as f32 * 0.04;
                    let now = form(profile, r * x, r * z) < 0.0;
                    assert!(inside || !now, "{profile:?} comes back at {r} on {turn}");
                    inside = now;
                }
                assert!(!inside, "{profile:?} has no wall on {turn}");
            }
        }
    }

    #[test]
    fn no_section_is_felt_beyond_its_reach() {
        let far = |kernel: Kernel, profile: Profile| {
            let extent = Extent {
                width: 2.5,
                height: 2.0,
                smallest: 2.0 * Form::of(profile).low.min(1.0),
                form: Form::of(profile),
            };
            kernel.reach(extent, 1.5)
        };
        for turn in 0..60 {
            let turn = turn as f32 * 0.0524 - 1.57;
            let p = |r: f32| (r * libm::cosf(turn), r * libm::sinf(turn));
            for more in [1.0, 1.3, 2.0] {
                let (x, z) = p(more * far(Kernel::Tube, Profile::Tube));
                assert!(at::<Tube>(x, z) >= 1.5);
                let (x, z) = p(more * far(Kernel::Drift, Profile::Drift));
                assert!(at::<Drift>(x, z) >= 1.5);
                for profile in [Profile::Canyon, Profile::Keyhole, Profile::Lava] {
                    let (x, z) = p(more * far(Kernel::Mixed, profile));
                    assert!(form(profile, x, z) >= 1.5, "{profile:?} at {x} {z}");
                }
            }
        }
    }
}

//! Colours, sRGB.

/// An sRGB colour.
pub(super) type Rgb = [u8; 3];

/// Paper.
pub(super) const PAPER: Rgb = [252, 251, 248];
/// Rock around the cave.
pub(super) const ROCK: Rgb = [239, 236, 229];
/// Lines of the grid on rock.
pub(super) const GRID: Rgb = [228, 224, 215];
/// Text and outlines.
pub(super) const INK: Rgb = [38, 38, 44];
/// Secondary text.
pub(super) const MUTED: Rgb = [112, 110, 106];
/// White.
pub(super) const WHITE: Rgb = [255, 255, 255];
/// The entrance, and the start of a route.
pub(super) const START: Rgb = [24, 150, 82];
/// The goal of a route.
pub(super) const GOAL: Rgb = [205, 38, 62];
/// A route.
pub(super) const ROUTE: Rgb = [222, 45, 70];

/// A room.
pub(super) const ROOM: Rgb = [250, 190, 60];
/// A shaft.
pub(super) const SHAFT: Rgb = [196, 30, 110];

/// Colours to tell things apart, also for the colour-blind: "bright" of Tol 2021, "Colour
/// schemes", with a dark blue and a brown for its grey.
const QUALITATIVE: [Rgb; 8] = [
    [68, 119, 170],
    [238, 102, 119],
    [34, 136, 51],
    [204, 187, 68],
    [102, 204, 238],
    [170, 51, 119],
    [140, 98, 57],
    [51, 34, 136],
];

/// Colour of the thing with this number; they repeat after eight.
pub(super) fn qualitative(number: u32) -> Rgb {
    QUALITATIVE[number as usize % QUALITATIVE.len()]
}

/// A colour at share `t` of the way to another.
pub(super) fn mix(from: Rgb, to: Rgb, t: f64) -> Rgb {
    let part = |i: usize| {
        let (a, b) = (f64::from(from[i]), f64::from(to[i]));
        (a + t * (b - a) + 0.5) as u8
    };
    [part(0), part(1), part(2)]
}

/// viridis (Smith & van der Walt 2015) at nine even places.
const VIRIDIS: [Rgb; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

/// Colour of `t` in 0…1, dark to bright.
pub(super) fn viridis(t: f64) -> Rgb {
    let at = t.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let low = (at as usize).min(VIRIDIS.len() - 2);
    mix(VIRIDIS[low], VIRIDIS[low + 1], at - low as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viridis_ends_and_brightens() {
        assert_eq!(viridis(-1.0), VIRIDIS[0]);
        assert_eq!(viridis(2.0), VIRIDIS[8]);
        let light = |c: Rgb| 2 * u32::from(c[0]) + 5 * u32::from(c[1]) + u32::from(c[2]);
        for i in 0..100 {
            let (a, b) = (f64::from(i) / 100.0, f64::from(i + 1) / 100.0);
            assert!(light(viridis(b)) >= light(viridis(a)));
        }
    }
}

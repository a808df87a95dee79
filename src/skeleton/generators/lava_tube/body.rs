//! How large lava tubes are where: published ranges by body.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The world a lava tube lies in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Tubes 5 to 30 m wide, a skylight each 380 m.
    #[default]
    Earth,
    /// Tubes 250 to 400 m wide, a skylight each 15 widths.
    Mars,
    /// Tubes 500 to 900 m wide, a skylight each 15 widths.
    Moon,
}

/// Slopes on which lava tubes form, degrees: the range quoted for tubes on Earth and the Moon.
pub(super) const SLOPE_DEG: [f64; 2] = [0.4, 6.5];

/// Sizes of a body's tubes, lowest and highest, metres.
pub(super) struct Sizes {
    /// Width of the tube.
    pub(super) width_m: [f64; 2],
    /// Diameter of a skylight.
    pub(super) skylight_m: [f64; 2],
    /// Rock over the roof.
    pub(super) roof_m: [f64; 2],
}

impl Body {
    /// Sizes of its tubes.
    ///
    /// Widths: Sauro et al. 2020, "Lava tubes on Earth, Moon and Mars", Earth-Science Reviews 209:
    /// Earth 10–30 m (their La Corona tube is 5–7 m wide on average, hence 5), Mars to 250–400 m,
    /// Moon 500–900 m. Skylights: Mars 100–225 m (Cushing et al. 2007, Geophys. Res. Lett. 34),
    /// Moon 49–106 m for the three mare pits (Robinson et al. 2012, Planet. Space Sci. 69), Earth
    /// a choice. Roofs: few are known; pits are at most 20 m deep at La Corona, at least
    /// 68–130 m on Mars (Cushing) and 5–105 m on the Moon (Wagner & Robinson 2014, Icarus 237),
    /// with the tube's own height in it. Blair et al. 2017 (Icarus 282) find tubes a kilometre
    /// wide stable under a few metres of roof. The ranges here are a choice within that.
    pub(super) fn sizes(self) -> Sizes {
        match self {
            Body::Earth => Sizes {
                width_m: [5.0, 30.0],
                skylight_m: [3.0, 15.0],
                roof_m: [2.0, 10.0],
            },
            Body::Mars => Sizes {
                width_m: [250.0, 400.0],
                skylight_m: [100.0, 225.0],
                roof_m: [15.0, 50.0],
            },
            Body::Moon => Sizes {
                width_m: [500.0, 900.0],
                skylight_m: [49.0, 106.0],
                roof_m: [10.0, 50.0],
            },
        }
    }

    /// Mean distance between skylights along a tube `width_m` wide, metres.
    ///
    /// Earth: some 20 jameos along the 7.6 km of La Corona, Lanzarote. Mars and Moon: no distribution is published; 15 widths is a choice that
    /// gives a tube of some kilometres one or two.
    pub(super) fn skylight_spacing_m(self, width_m: f64) -> f64 {
        match self {
            Body::Earth => 380.0,
            Body::Mars | Body::Moon => 15.0 * width_m,
        }
    }
}

//! The factor of an incline, `exp(k · |θ| / 45°)`, from a table: the search asks for it several times a span.

use std::f64::consts::FRAC_PI_4;

/// Rise over run at which the table ends.
const LAST: f64 = 2.0;
/// Intervals of the table.
const INTERVALS: usize = 2048;
/// Largest weight for which cubic interpolation is good to nine digits; larger ones are computed.
const MAX_TABLE_WEIGHT: f64 = 20.0;

/// `exp(k · atan(t) / 45°)` of the rise over run `t`.
pub(super) struct Incline {
    weight: f64,
    /// Value and derivative times the interval at every knot; empty when all is computed.
    knots: Vec<[f64; 2]>,
}

impl Incline {
    /// The factor for a weight of at least 0.
    pub fn new(weight: f64) -> Self {
        let mut incline = Self {
            weight,
            knots: Vec::new(),
        };
        if weight > 0.0 && weight <= MAX_TABLE_WEIGHT {
            let interval = LAST / INTERVALS as f64;
            let knot = |i: usize| {
                let t = i as f64 * interval;
                let value = incline.exact(t);
                [value, value * weight / FRAC_PI_4 / (1.0 + t * t) * interval]
            };
            incline.knots = (0..=INTERVALS).map(knot).collect();
        }
        incline
    }

    fn exact(&self, t: f64) -> f64 {
        libm::exp(self.weight * libm::atan(t) / FRAC_PI_4)
    }

    /// The factor where the ground rises or falls by `dz` over `run` metres.
    pub fn factor(&self, dz: f64, run: f64) -> f64 {
        let t = dz.abs() / run;
        if t == 0.0 || self.weight == 0.0 {
            return 1.0;
        }
        let place = t * (INTERVALS as f64 / LAST);
        let index = place as usize;
        let (Some([a, da]), Some([b, db])) = (self.knots.get(index), self.knots.get(index + 1))
        else {
            return self.exact(t);
        };
        // Cubic Hermite interpolation.
        let u = place - index as f64;
        let rise = b - a;
        a + u * (da + u * (3.0 * rise - 2.0 * da - db + u * (da + db - 2.0 * rise)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_table_agrees_with_the_formula(weight in 0.0..100.0f64, t in 0.0..3.0f64) {
            let exact = (weight * t.atan() / FRAC_PI_4).exp();
            let factor = Incline::new(weight).factor(-t, 1.0);
            prop_assert!((factor / exact - 1.0).abs() < 1e-8, "{factor} {exact}");
            prop_assert!(factor >= 1.0);
        }
    }
}

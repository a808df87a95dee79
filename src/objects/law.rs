//! How many rocks of which size.
//!
//! Golombek & Rapp 1997 ("Size-frequency distributions of rocks on Mars and Earth analog sites"),
//! eq. 1, with the fit of Golombek et al. 2003, eq. 2: rocks of a diameter of at least `D` metres
//! cover the share `F(D) = k · exp(−q · D)` of the ground, `q = 1.79 + 0.152 / k`.

use rand::{Rng, RngExt as _};

/// Width of a bin of sizes, as a ratio.
const BIN: f64 = 1.04;

/// The law for one share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeLaw {
    share: f64,
}

impl SizeLaw {
    /// The law for ground of which all rocks together cover the share `k`, 0–1.
    pub fn new(share: f64) -> Self {
        Self { share }
    }

    /// Share of the ground under rocks with a diameter of at least `diameter_m`.
    pub fn covered(&self, diameter_m: f64) -> f64 {
        if self.share <= 0.0 {
            return 0.0;
        }
        self.share * libm::exp(-(1.79 + 0.152 / self.share) * diameter_m)
    }

    /// The rocks between two diameters, metres; none when the range is empty.
    pub fn between(&self, least_m: f64, greatest_m: f64) -> Sizes {
        let mut sizes = Sizes {
            bins: Vec::new(),
            per_m2: 0.0,
        };
        let mut low = least_m;
        while low < greatest_m && self.share > 0.0 {
            let high = (low * BIN).min(greatest_m);
            let area = self.covered(low) - self.covered(high);
            sizes.per_m2 += area / (std::f64::consts::FRAC_PI_4 * low * high);
            sizes.bins.push((sizes.per_m2, low, high));
            low = high;
        }
        sizes
    }
}

/// A range of sizes by number.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// Rocks a square metre up to and with the bin, and the bin's ends, metres.
    bins: Vec<(f64, f64, f64)>,
    per_m2: f64,
}

impl Sizes {
    /// Rocks a square metre.
    pub fn per_m2(&self) -> f64 {
        self.per_m2
    }

    /// Diameters of the rocks on `area_m2`, metres, the largest first. Their number is the
    /// expected one, rounded up or down by chance.
    pub fn draw(&self, area_m2: f64, rng: &mut impl Rng) -> Vec<f64> {
        let count = (self.per_m2 * area_m2 + rng.random::<f64>()) as usize;
        let mut out: Vec<f64> = (0..count)
            .filter_map(|_| {
                let at = rng.random::<f64>() * self.per_m2;
                let within = rng.random::<f64>();
                let bin = self.bins.partition_point(|b| b.0 <= at);
                let &(_, low, high) = self.bins.get(bin)?;
                Some(low + (high - low) * within)
            })
            .collect();
        out.sort_by(|a, b| b.total_cmp(a));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, stream};

    #[test]
    fn drawn_sizes_cover_what_the_law_says() {
        for share in [0.02, 0.1, 0.3] {
            let law = SizeLaw::new(share);
            let (least, greatest, area) = (0.2, 2.0, 40_000.0);
            let mut rng = stream(3, Domain::Objects, 1);
            let sizes = law.between(least, greatest).draw(area, &mut rng);
            assert!(sizes.windows(2).all(|w| w[0] >= w[1]));
            for from in [0.2, 0.3, 0.5, 0.8] {
                let disc = |d: &f64| std::f64::consts::FRAC_PI_4 * d * d;
                let of_size = || sizes.iter().filter(|&&d| d >= from);
                let measured = of_size().map(disc).sum::<f64>() / area;
                let wanted = law.covered(from) - law.covered(greatest);
                // Of a sum of a Poisson number of discs.
                let error = (wanted * disc(&(1.4 * from)) / area).sqrt();
                assert!(
                    (measured - wanted).abs() < 4.0 * error + 0.005 * wanted,
                    "k {share}, D {from}: {measured} against {wanted}"
                );
            }
        }
    }

    #[test]
    fn an_empty_range_has_no_rocks() {
        let mut rng = stream(3, Domain::Objects, 1);
        assert!(
            SizeLaw::new(0.1)
                .between(2.0, 1.0)
                .draw(1e6, &mut rng)
                .is_empty()
        );
        assert!(
            SizeLaw::new(0.0)
                .between(0.1, 1.0)
                .draw(1e6, &mut rng)
                .is_empty()
        );
    }
}

//! The last resort: one winding passage, which fits whatever the widths are.
//!
//! Every leg lies within 40° of the first. Since cos 40° is more than
//! [`NEIGHBOUR_SHARE`](crate::skeleton::NEIGHBOUR_SHARE), two legs are always farther apart than
//! the clearance rule asks for.

use crate::config::Config;
use crate::rng::{Domain, stream};
use crate::skeleton::growth::{Growth, Sprout};
use crate::skeleton::{ENTRANCE_PASSAGE_M, Skeleton};
use glam::DVec2;
use rand::RngExt as _;

/// Largest angle from the first leg, degrees.
const SPREAD_DEG: f64 = 39.0;

/// `skeleton.nodes` nodes in a row.
pub(super) fn chain(config: &Config) -> Skeleton {
    let (s, p) = (&config.skeleton, &config.passage);
    let mut rng = stream(config.seed, Domain::Skeleton, super::CHAIN);
    let wide_m = p.min_m.max(ENTRANCE_PASSAGE_M);
    let mut sprout = Sprout {
        plan: DVec2::ZERO,
        z: 0.0,
        radius_m: s.radius_min_m,
        passage_m: wide_m,
        heading: 0.0,
        parent: None,
        active: true,
    };
    let mut growth = Growth::new(config, sprout.clone(), wide_m);
    for tip in 0..s.nodes as usize - 1 {
        let heading = rng.random_range(-SPREAD_DEG..=SPREAD_DEG).to_radians();
        let radius_m = rng.random_range(s.radius_min_m..=s.radius_max_m);
        let way = DVec2::new(libm::cos(heading), libm::sin(heading)) * radius_m;
        sprout = Sprout {
            plan: sprout.plan + way,
            radius_m,
            passage_m: p.min_m,
            heading,
            parent: Some(tip),
            ..sprout
        };
        growth.push(tip, sprout.clone());
    }
    growth.into_skeleton()
}

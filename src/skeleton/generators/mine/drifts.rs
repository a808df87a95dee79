//! Drifts and crosscuts: from the end of the entry a haulage drift leads both ways along the ore,
//! an ore drift runs beside it, and headings lead into the ore.

use super::{PLAN, Plan};
use crate::progress::{Cancelled, Job};
use crate::rng::{ChaCha8Rng, Domain, noise_key};
use crate::skeleton::draft::{self, connect, toward};
use crate::skeleton::elevation::gradient_noise;
use crate::skeleton::growth::Growth;
use glam::DVec2;
use rand::RngExt as _;
use std::f64::consts::FRAC_PI_2;

/// Largest angle of the haulage drift from the mean strike of the ore, degrees.
const STRIKE_DEG: f64 = 25.0;
/// Stretches of drift over which the strike turns one way and back.
const STRIKE_STRETCHES: f64 = 9.0;
/// Distance of crosscuts over the mean, lowest and highest.
const SPACING: [f64; 2] = [0.85, 1.25];
/// Room over the clearance that deviations need.
const SLACK: f64 = 1.3;
/// Length of a heading over that of a crosscut, lowest and highest.
const HEADING: [f64; 2] = [0.6, 1.2];
/// Share of headings on the other side of the haulage drift (muck bays, sumps).
const BAYS: f64 = 0.4;

/// A haulage drift in the making.
struct Wing {
    /// Side of the entry it lies on: 1 left, −1 right.
    side: f64,
    /// Its last node, and that of the ore drift.
    haulage: usize,
    ore: Option<usize>,
    /// Stretches that were driven.
    driven: u64,
}

/// Lengths of the layout, metres.
struct Lengths {
    crosscut_m: f64,
    spacing_m: f64,
}

/// Lays the mine out; none when it does not fit.
pub(super) fn lay(plan: &Plan, job: &Job) -> Result<Option<Growth>, Cancelled> {
    let apart_m = SLACK * plan.apart_m;
    let lengths = Lengths {
        crosscut_m: (2.0 * plan.half_m + plan.keys.pillar_m).max(apart_m),
        spacing_m: plan.keys.crosscut_m.max(apart_m / SPACING[0]),
    };
    let (legs, leg_m) = plan.entry(lengths.spacing_m);
    let mut growth = plan.portal(leg_m);
    let mut rng = plan.rng(PLAN);
    let mut end = 0;
    for _ in 0..legs {
        let place = growth.nodes()[end].plan + toward(plan.bend(&mut rng)) * leg_m;
        match plan.drive(&mut growth, end, place) {
            Some(node) => end = node,
            None => return Ok(None),
        }
    }
    let heading = plan.bend(&mut rng);
    let ore = stretch(plan, &mut growth, end, None, heading, &lengths, &mut rng);
    let mut wings = [1.0, -1.0].map(|side| Wing {
        side,
        haulage: end,
        ore,
        driven: 0,
    });
    while growth.nodes().len() < plan.nodes {
        let mut grown = false;
        for wing in &mut wings {
            if growth.nodes().len() < plan.nodes {
                grown |= advance(plan, &mut growth, wing, &lengths);
            }
        }
        if !grown {
            return Ok(None);
        }
        draft::report(job, growth.nodes().len(), plan.nodes)?;
    }
    Ok(Some(growth))
}

/// Drives the next stretch of a wing and what leaves it; false when the drift cannot go on.
fn advance(plan: &Plan, growth: &mut Growth, wing: &mut Wing, lengths: &Lengths) -> bool {
    let across = u64::from(wing.side > 0.0);
    let mut rng = plan.rng(wing.driven << 1 | across);
    let key = noise_key(plan.config.seed, Domain::Skeleton, PLAN);
    let place = wing.side * (wing.driven as f64 + 1.0) * 2.0 / STRIKE_STRETCHES;
    let strike = STRIKE_DEG.to_radians() * gradient_noise(key, DVec2::new(place, 0.61));
    let limit = STRIKE_DEG.to_radians();
    let strike = (strike + plan.bend(&mut rng)).clamp(-limit, limit);
    let length_m = lengths.spacing_m * rng.random_range(SPACING[0]..=SPACING[1]);
    // Straightened where headings are in the way.
    let drift = [1.0, 0.5, 0.0].iter().find_map(|share| {
        let heading = wing.side * FRAC_PI_2 + strike * share;
        let place = growth.nodes()[wing.haulage].plan + toward(heading) * length_m;
        let node = plan.drive(growth, wing.haulage, place)?;
        Some((node, heading))
    });
    let Some((node, heading)) = drift else {
        return false;
    };
    wing.haulage = node;
    wing.driven += 1;
    let to_ore = heading - wing.side * FRAC_PI_2 + plan.bend(&mut rng);
    wing.ore = stretch(plan, growth, node, wing.ore, to_ore, lengths, &mut rng);
    if rng.random_bool(BAYS * plan.keys.heading_probability) && growth.nodes().len() < plan.nodes {
        let away = heading + wing.side * FRAC_PI_2 + plan.bend(&mut rng);
        let bay = toward(away) * (0.5 * lengths.crosscut_m);
        let place = growth.nodes()[node].plan + bay;
        plan.drive(growth, node, place);
    }
    true
}

/// A crosscut to the ore drift, the stretch of ore drift from the node `before`, and a heading
/// beyond, as far as they fit; the new node of the ore drift.
fn stretch(
    plan: &Plan,
    growth: &mut Growth,
    haulage: usize,
    before: Option<usize>,
    heading: f64,
    lengths: &Lengths,
    rng: &mut ChaCha8Rng,
) -> Option<usize> {
    if growth.nodes().len() >= plan.nodes {
        return None;
    }
    let place = growth.nodes()[haulage].plan + toward(heading) * lengths.crosscut_m;
    let ore = plan.drive(growth, haulage, place)?;
    if let Some(before) = before
        && rng.random_bool(plan.keys.crosscut_probability)
    {
        connect(growth, before, ore);
    }
    if growth.nodes().len() < plan.nodes && rng.random_bool(plan.keys.heading_probability) {
        let length_m = lengths.crosscut_m * rng.random_range(HEADING[0]..=HEADING[1]);
        let place = place + toward(heading + plan.bend(rng)) * length_m;
        plan.drive(growth, ore, place);
    }
    Some(ore)
}

//! Drifts and crosscuts: a haulage drift, an ore drift beside it, and headings into the ore.

use super::{PLAN, Plan};
use crate::progress::{Cancelled, Job};
use crate::skeleton::draft::{self, connect, toward};
use crate::skeleton::growth::Growth;
use rand::RngExt as _;
use std::f64::consts::FRAC_PI_2;

/// Largest angle of the haulage drift from the strike of the ore, degrees.
const STRIKE_DEG: f64 = 25.0;
/// Distance of crosscuts over the mean, lowest and highest.
const SPACING: [f64; 2] = [0.85, 1.25];
/// Room over the clearance that deviations need.
const SLACK: f64 = 1.3;
/// Length of a heading over that of a crosscut, lowest and highest.
const HEADING: [f64; 2] = [0.6, 1.2];
/// Share of headings on the other side of the haulage drift (muck bays, sumps).
const BAYS: f64 = 0.4;

/// Lays the mine out; none when it does not fit.
pub(super) fn lay(plan: &Plan, job: &Job) -> Result<Option<Growth>, Cancelled> {
    let mut rng = plan.rng(PLAN);
    let apart_m = SLACK * plan.apart_m;
    let crosscut_m = (2.0 * plan.half_m + plan.keys.pillar_m).max(apart_m);
    let spacing_m = plan.keys.crosscut_m.max(apart_m / SPACING[0]);
    let left = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
    let (legs, leg_m) = plan.entry(spacing_m);
    let mut growth = plan.portal(leg_m);
    let (mut haulage, mut ore) = (0, None);
    let mut strike = 0.0;
    let mut driven = 0;
    while growth.nodes().len() < plan.nodes {
        let mut rng = plan.rng(driven as u64);
        let limit = STRIKE_DEG.to_radians();
        strike = (strike + rng.random_range(-1.0..=1.0) * plan.deviation).clamp(-limit, limit);
        let length_m = if driven < legs {
            leg_m
        } else {
            spacing_m * rng.random_range(SPACING[0]..=SPACING[1])
        };
        // Straightened where headings are in the way.
        let drift = [1.0, 0.5, 0.0].iter().find_map(|share| {
            let heading = strike * share;
            let place = growth.nodes()[haulage].plan + toward(heading) * length_m;
            plan.drive(&mut growth, haulage, place)
                .map(|node| (node, heading))
        });
        let Some((node, heading)) = drift else {
            return Ok(None);
        };
        (haulage, strike) = (node, heading);
        driven += 1;
        let mut bend = || rng.random_range(-1.0..=1.0) * plan.deviation;
        let aside = [
            heading + left * FRAC_PI_2 + bend(),
            heading - left * FRAC_PI_2 + bend(),
        ];
        let reach = [bend(), bend()];
        if driven >= legs {
            let toward_ore = Side {
                heading: aside[0],
                length_m: crosscut_m,
            };
            ore = stretch(
                plan,
                &mut growth,
                haulage,
                ore,
                &toward_ore,
                reach[0],
                driven,
            );
            let length_m = 0.5 * crosscut_m;
            bay(
                plan,
                &mut growth,
                haulage,
                &Side {
                    heading: aside[1],
                    length_m,
                },
                driven,
            );
        }
        draft::report(job, growth.nodes().len(), plan.nodes)?;
    }
    Ok(Some(growth))
}

/// A way off the drift.
struct Side {
    heading: f64,
    length_m: f64,
}

/// A crosscut to the ore drift, the stretch of ore drift from the node `before`, and a heading
/// beyond, as far as they fit; the new node of the ore drift.
fn stretch(
    plan: &Plan,
    growth: &mut Growth,
    haulage: usize,
    before: Option<usize>,
    side: &Side,
    bend: f64,
    driven: usize,
) -> Option<usize> {
    if growth.nodes().len() >= plan.nodes {
        return None;
    }
    let mut rng = plan.rng(1 << 40 | driven as u64);
    let place = growth.nodes()[haulage].plan + toward(side.heading) * side.length_m;
    let ore = plan.drive(growth, haulage, place)?;
    if let Some(before) = before
        && rng.random_bool(plan.keys.crosscut_probability)
    {
        connect(growth, before, ore);
    }
    if growth.nodes().len() < plan.nodes && rng.random_bool(plan.keys.heading_probability) {
        let length_m = side.length_m * rng.random_range(HEADING[0]..=HEADING[1]);
        let place = place + toward(side.heading + bend) * length_m;
        plan.drive(growth, ore, place);
    }
    Some(ore)
}

/// A short heading on the other side of the haulage drift, if one is drawn and fits.
fn bay(plan: &Plan, growth: &mut Growth, haulage: usize, side: &Side, driven: usize) {
    let mut rng = plan.rng(2 << 40 | driven as u64);
    let drawn = rng.random_bool(BAYS * plan.keys.heading_probability);
    if drawn && growth.nodes().len() < plan.nodes {
        let place = growth.nodes()[haulage].plan + toward(side.heading) * side.length_m;
        plan.drive(growth, haulage, place);
    }
}

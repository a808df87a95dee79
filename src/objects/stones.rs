//! Rocks of one cell.

use super::body::{Body, Rock};
use super::footing::{Ask, Footing, footing};
use super::ground::Place;
use super::scatter::{Site, Taken};
use super::shape::{SHAPES, SLABS};
use rand::seq::IndexedRandom as _;
use rand::{Rng, RngExt as _};
use std::f64::consts::TAU;

/// Places tried for a rock before it is left out.
const TRIES: usize = 120;
/// Air between rocks that are part of the surface, voxels.
const GAP_VOXELS: f64 = 2.0;
/// Air between rocks that are not, metres.
const GAP_M: f64 = 0.03;
/// A rock that is part of the surface goes on under its bottom for so many voxels.
const ROOT_VOXELS: f64 = 1.0;
/// The floor's height is known this well at least, metres.
const LEAST_SLACK_M: f64 = 0.08;
/// Greatest share of a rock's height that the floor beside it may hide.
const BURIED: f64 = 0.5;

/// Places the rocks of a cell, the largest first.
pub fn place(site: &Site, places: &[Place], taken: &mut Taken, rng: &mut impl Rng) -> Vec<Body> {
    let open: Vec<Place> = places
        .iter()
        .filter(|p| site.takes_rocks(p))
        .copied()
        .collect();
    let widest = open.iter().map(|p| p.passage_m).fold(0.0, f64::max);
    let area = open.len() as f64 * site.step_m * site.step_m;
    let sizes = site.law.between(site.least_m, site.greatest_m(widest));
    let mut out = Vec::new();
    for diameter in sizes.draw(area, rng) {
        let found = (0..TRIES).find_map(|_| attempt(site, &open, taken, diameter, rng));
        if let Some(rock) = found {
            taken.push(rock.bounds(&site.shapes[usize::from(rock.shape)]));
            out.push(Body::Rock(rock));
        }
    }
    out
}

fn attempt(
    site: &Site,
    open: &[Place],
    taken: &Taken,
    diameter: f64,
    rng: &mut impl Rng,
) -> Option<Rock> {
    let place = open.choose(rng)?;
    let at: [f64; 2] =
        std::array::from_fn(|k| place.at[k] + site.step_m * rng.random_range(-0.5..0.5));
    let slab = rng.random::<f64>() < site.slabs;
    let shape = if slab {
        SHAPES - SLABS + rng.random_range(0..SLABS)
    } else {
        rng.random_range(0..SHAPES - SLABS)
    };
    let turn = rng.random_range(0.0..TAU);
    let form = &site.shapes[shape];
    let [height, depth, radius] =
        [form.height, form.depth, form.radius].map(|v| f64::from(v) * diameter);
    if diameter > site.greatest_m(place.passage_m) || !site.keeps_off(at, place.void, radius) {
        return None;
    }
    let (root, gap) = if site.merged {
        (
            ROOT_VOXELS * site.voxel_m,
            GAP_VOXELS * site.voxel_m + 0.12 * diameter,
        )
    } else {
        (0.0, GAP_M + 0.05 * diameter)
    };
    let mut rock = Rock {
        shape: shape as u8,
        at: [at[0] as f32, at[1] as f32, place.floor as f32],
        turn: [libm::cos(turn) as f32, libm::sin(turn) as f32],
        diameter_m: diameter as f32,
        root_m: root as f32,
    };
    if taken.clashes(&rock.bounds(form), gap as f32) {
        return None;
    }
    let slack = (0.3 * site.step_m.min(diameter)).max(LEAST_SLACK_M);
    let ask = Ask {
        at,
        radius_m: radius,
        gap_m: gap,
        from: place.floor - depth - root - slack,
        to: place.floor + height + gap + slack,
        wall: true,
    };
    let Footing { low, mean, high } = footing(site.field, &ask)?;
    let rests = low > mean - depth && high < mean + BURIED * height;
    if !rests || (mean - place.floor).abs() > slack {
        return None;
    }
    rock.at[2] = mean as f32;
    Some(rock)
}

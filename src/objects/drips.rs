//! Dripstones of one cell.
//!
//! A dripstone is thicker than two voxels everywhere, so that the lattice line next to its axis
//! is in it from end to end: it comes out in one piece.

use super::body::{Body, Drip, DripKind, WAVER};
use super::footing::{Ask, footing};
use super::ground::{Place, room};
use super::scatter::{Site, Taken};
use rand::seq::IndexedRandom as _;
use rand::{Rng, RngExt as _};

/// Places tried for a dripstone before it is left out.
const TRIES: usize = 12;
/// Air around a dripstone, voxels.
const GAP_VOXELS: f64 = 3.0;
/// Void around a dripstone where it leaves the wall, voxels.
const RING_VOXELS: f64 = 2.0;
/// Least radius, voxels: with its noise more than √½, the farthest that a point can be from a
/// vertical lattice line.
const THIN_VOXELS: f64 = 0.72 / (1.0 - WAVER) + 0.05;
/// Share of stalactites with a stalagmite under them.
const PAIRS: f64 = 0.5;
/// Ends that are nearer than this share of the room's height have grown together.
const MEET: f64 = 0.2;

/// Places the dripstones of a cell.
pub fn place(site: &Site, places: &[Place], taken: &mut Taken, rng: &mut impl Rng) -> Vec<Body> {
    let area = places.len() as f64 * site.step_m * site.step_m;
    let count = (site.drips_m2 * area + rng.random::<f64>()) as usize;
    let mut out = Vec::new();
    for _ in 0..count {
        for drip in (0..TRIES)
            .find_map(|_| attempt(site, places, taken, rng))
            .unwrap_or_default()
        {
            taken.push(drip.bounds());
            out.push(Body::Drip(drip));
        }
    }
    out
}

/// A stalactite, with a stalagmite under it, or a column.
fn attempt(site: &Site, places: &[Place], taken: &Taken, rng: &mut impl Rng) -> Option<Vec<Drip>> {
    let place = places.choose(rng)?;
    let at: [f64; 2] =
        std::array::from_fn(|k| place.at[k] + site.step_m * rng.random_range(-0.5..0.5));
    let voxel = site.voxel_m;
    let pair = rng.random::<f64>() < PAIRS;
    let shares = [rng.random_range(0.15..0.6), rng.random_range(0.12..0.55)];
    let slim = [rng.random_range(0.12..0.22), rng.random_range(0.22..0.4)];
    let key = [rng.random::<u32>(), rng.random::<u32>()];
    if !site.keeps_off(at, place.void, 2.0 * voxel) {
        return None;
    }
    let [floor, roof] = room(site.field, place, at)?;
    let height = roof - floor;
    let thin = THIN_VOXELS * voxel;
    // Length and radius of the two.
    let long = [
        (shares[0] * height).max(3.0 * voxel),
        (shares[1] * height).max(3.0 * voxel),
    ];
    let thick: [f64; 2] = std::array::from_fn(|k| {
        (slim[k] * long[k]).clamp(1.5 * thin, (0.22 * height).max(1.5 * thin))
    });
    let gap = height - long[0] - if pair { long[1] } else { 0.0 };
    let meet = pair && gap < (GAP_VOXELS * voxel).max(MEET * height);
    if !meet && gap < GAP_VOXELS * voxel {
        return None;
    }
    let base = Base {
        site,
        taken,
        at,
        middle: 0.5 * (floor + roof),
    };
    if meet {
        return Some(vec![base.column([roof, floor], thick, thin, key[0])?]);
    }
    let mut out = vec![base.cone(DripKind::Stalactite, roof, long[0], thick[0], thin, key[0])?];
    if pair {
        // A stalactite hangs alone where no stalagmite can stand.
        out.extend(base.cone(
            DripKind::Stalagmite,
            floor,
            long[1],
            thick[1],
            1.3 * thin,
            key[1],
        ));
    }
    Some(out)
}

/// Where a dripstone is to grow.
struct Base<'a> {
    site: &'a Site<'a>,
    taken: &'a Taken,
    at: [f64; 2],
    middle: f64,
}

impl Base<'_> {
    /// A stalactite or stalagmite of a length and radius; none where it would touch something.
    fn cone(
        &self,
        kind: DripKind,
        wall: f64,
        long: f64,
        thick: f64,
        thin: f64,
        key: u32,
    ) -> Option<Drip> {
        let down = if kind == DripKind::Stalactite {
            -1.0
        } else {
            1.0
        };
        let tip = wall + down * long;
        let root = self.root(wall, tip + down * 2.0 * self.site.voxel_m, thick, true)?;
        let drip = Drip {
            kind,
            at: self.at.map(|c| c as f32),
            ends: [root as f32, tip as f32],
            thin: thin as f32,
            root: (thick - thin).max(0.2 * thin) as f32,
            foot: 0.0,
            swell: if down < 0.0 { 0.45 } else { 1.5 },
            key,
        };
        self.free(drip)
    }

    fn column(&self, walls: [f64; 2], thick: [f64; 2], thin: f64, key: u32) -> Option<Drip> {
        let ends = [
            // Void all around: only then is a column one handle.
            self.root(walls[0], self.middle, thick[0], false)?,
            self.root(walls[1], self.middle, thick[1], false)?,
        ];
        let waist = (0.55 * thick[0].min(thick[1])).max(1.2 * thin);
        let drip = Drip {
            kind: DripKind::Column,
            at: self.at.map(|c| c as f32),
            ends: ends.map(|c| c as f32),
            thin: waist as f32,
            root: (thick[0] - waist).max(0.0) as f32,
            foot: (thick[1] - waist).max(0.0) as f32,
            swell: 0.3,
            key,
        };
        self.free(drip)
    }

    /// Height in the rock where a body of this radius can root that reaches to `to` in the void;
    /// `height` is that of the surface, `wall` as in [`Ask`].
    fn root(&self, height: f64, to: f64, thick: f64, wall: bool) -> Option<f64> {
        let voxel = self.site.voxel_m;
        let into = (height - to).signum();
        let slack = 0.6 * thick + voxel;
        let ask = Ask {
            at: self.at,
            radius_m: thick * (1.0 + WAVER),
            gap_m: RING_VOXELS * voxel,
            from: height + into * (slack + 1.5 * voxel),
            to,
            wall,
        };
        let found = footing(self.site.field, &ask)?;
        let deepest = if into > 0.0 { found.high } else { found.low };
        let root = deepest + into * voxel;
        ((root - height).abs() < slack + voxel).then_some(root)
    }

    fn free(&self, drip: Drip) -> Option<Drip> {
        let bounds = drip.bounds();
        let gap = (GAP_VOXELS * self.site.voxel_m) as f32;
        let off = self
            .site
            .keeps_off(self.at, self.middle, f64::from(bounds.radius));
        (off && !self.taken.clashes(&bounds, gap)).then_some(drip)
    }
}

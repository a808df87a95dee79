//! What the materials of [`Material`] look like.
//!
//! Each recipe is a function of the place in the world alone, so that patterns run through chart
//! and chunk borders. Detail finer than two texels is left out: it would only be pepper and salt.

mod gravel;
mod mud;
mod octaves;
mod rock;
mod sand;

use super::vector::{V8, turn};
use crate::noise::{F8, dispatch};
use crate::rng::{Domain, noise_key};
use crate::terrain::Material;

pub(super) use octaves::Octaves;

/// Eight places to be painted.
#[derive(Clone, Copy)]
pub(super) struct Site {
    /// Position, metres, frame `map`.
    pub p: V8,
    /// Position along the noise axes, see [`turn`].
    pub q: V8,
    /// Height of the unit normal: 1 floor, 0 wall, −1 roof.
    pub up: F8,
    /// 0 dry, 1 dripping.
    pub wet: F8,
}

impl Site {
    #[inline(always)]
    pub(super) fn new(p: V8, up: F8, wet: F8) -> Self {
        Self {
            p,
            q: turn(p),
            up,
            wet,
        }
    }
}

/// How eight places look, before a layer's palette and ranges are applied.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// Place in the palette, 0 dark to 1 light.
    pub tone: F8,
    /// Shift to red (positive) or blue, about ±1.
    pub warmth: F8,
    /// Light that reaches the place past its own bumps, 0–1.
    pub open: F8,
    /// Place in the roughness range, 0–1.
    pub roughness: F8,
    /// How far it stands out, 0–1: at a border the higher material covers the lower.
    pub height: F8,
    /// Gradient of the bumps' height along world axes, m/m.
    pub bump: V8,
}

/// The recipes, set up for one seed and texel size.
pub(super) struct Recipes {
    rock: rock::Rock,
    gravel: gravel::Gravel,
    mud: mud::Mud,
    sand: sand::Sand,
}

/// What every recipe is made from.
#[derive(Clone, Copy)]
struct Setup {
    seed: u64,
    /// Edge of a texel, metres.
    texel_m: f32,
}

impl Setup {
    fn key(self, entity: u64) -> u32 {
        noise_key(self.seed, Domain::Texture, entity)
    }

    /// How much of a detail of this wavelength (metres) the texels can show, 0–1.
    fn shown(self, wavelength_m: f32) -> f32 {
        let t = ((wavelength_m / self.texel_m - 1.5) / 2.0).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
}

impl Recipes {
    pub(super) fn new(seed: u64, texel_m: f32) -> Self {
        let setup = Setup { seed, texel_m };
        Self {
            rock: rock::Rock::new(setup),
            gravel: gravel::Gravel::new(setup),
            mud: mud::Mud::new(setup),
            sand: sand::Sand::new(setup),
        }
    }

    pub(super) fn look(&self, material: Material, site: &Site) -> Look {
        match material {
            Material::Rock => rock_look(&self.rock, site),
            Material::Gravel => gravel_look(&self.gravel, site),
            Material::Mud => mud_look(&self.mud, site),
            Material::Sand => sand_look(&self.sand, site),
        }
    }
}

// One function each, not one for all: the compiler gives up on vectors in large functions.
dispatch! {
    fn rock_look(rock: &rock::Rock, site: &Site) -> Look = rock::Rock::look;
    fn gravel_look(gravel: &gravel::Gravel, site: &Site) -> Look = gravel::Gravel::look;
    fn mud_look(mud: &mud::Mud, site: &Site) -> Look = mud::Mud::look;
    fn sand_look(sand: &sand::Sand, site: &Site) -> Look = sand::Sand::look;
}

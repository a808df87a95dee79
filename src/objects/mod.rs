//! Stage 2a, second half: what lies, hangs and stands in the passages.
//!
//! In: a [`CaveField`](crate::field::CaveField) without objects, the skeleton and the configuration. Out: [`Objects`]: rocks
//! on the floor, and stalactites, stalagmites and columns.
//!
//! Rocks follow the size–frequency law of Golombek & Rapp 1997 ([`SizeLaw`]), on the floor beside
//! the driving line. They are convex polyhedra with a flat bottom in the ground. Dripstones are round bodies about a vertical
//! axis, spread over the roof as a Poisson disk (Cook 1986), a stalagmite under some.
//!
//! Space is divided into cells; each cell draws from a stream of its own and places its objects
//! with regard to those of the cells beside it, in eight rounds, so that no two cells of a round
//! are neighbours (Wei 2008, "Parallel Poisson disk sampling"). What stands in a place depends on
//! its surroundings alone, and not on the number of threads.
//!
//! *Guaranteed*: no two objects touch; all of a rock's bottom is below the floor; nothing stands or hangs
//! within half of `field.min_clearance_m` (at least 0.5 m) of the skeleton's line in plan, nor
//! within 2.5 m of the entrance; a column adds one handle to the surface, nothing else adds any.
//! *Not guaranteed*: the share of rock where a passage is too narrow for it: what finds no place is
//! left out.
//!
//! Sources: Golombek & Rapp 1997, Golombek et al. 2003 (sizes); Cook 1986, Wei 2008 (spacing);
//! Quilez, "Distance functions" (blends).

mod body;
mod drips;
mod footing;
mod ground;
mod hull;
mod index;
mod law;
mod lines;
mod scatter;
mod shape;
mod stones;

pub use body::{Body, Bounds, Drip, DripKind, Rock};
pub use law::{SizeLaw, Sizes};
pub use scatter::scatter;
pub use shape::{Plane, SHAPES, SLABS, Shape, shapes};

use crate::config::RockMode;
use crate::field::BLOCK;

/// The objects of a cave.
#[derive(Default)]
pub struct Objects {
    /// Shapes of the rocks.
    pub shapes: Vec<Shape>,
    /// Rocks.
    pub rocks: Vec<Rock>,
    /// Whether rocks are part of the surface, or bodies of their own on it.
    pub mode: RockMode,
    /// Stalactites, stalagmites and columns; always part of the surface.
    pub drips: Vec<Drip>,
    /// Floor on which rocks could lie, square metres: the `F(D)` of the law is a share of it.
    pub rock_area_m2: f64,
    index: index::Index,
}

impl Objects {
    fn new(
        shapes: Vec<Shape>,
        bodies: &[Body],
        mode: RockMode,
        rock_area_m2: f64,
        voxel_m: f64,
    ) -> Self {
        let mut objects = Self {
            shapes,
            mode,
            rock_area_m2,
            ..Self::default()
        };
        for body in bodies {
            match body {
                Body::Rock(rock) => objects.rocks.push(*rock),
                Body::Drip(drip) => objects.drips.push(*drip),
            }
        }
        let part = |b: &&Body| mode == RockMode::Merged || matches!(b, Body::Drip(_));
        let merged: Vec<Body> = bodies.iter().filter(part).copied().collect();
        let block_m = voxel_m * BLOCK as f64;
        objects.index = index::Index::build(&merged, &objects.shapes, block_m, voxel_m);
        objects
    }

    /// Whether there are rocks that are bodies of their own.
    pub fn has_bodies(&self) -> bool {
        self.mode == RockMode::Separate && !self.rocks.is_empty()
    }

    /// Number of dripstones of a kind.
    pub fn count(&self, kind: DripKind) -> usize {
        self.drips.iter().filter(|d| d.kind == kind).count()
    }

    /// Handles that the objects add to the surface: one a column.
    pub fn handles(&self) -> usize {
        self.count(DripKind::Column)
    }

    /// Whether an object that is part of the surface may be felt in a block of the field.
    pub fn touches(&self, block: [i32; 3]) -> bool {
        self.index.touches(block)
    }

    /// Adds the objects felt in `block` to the distances `out` to the rock at points in it (or
    /// within a voxel of it). Slices have equal lengths.
    pub fn unite(&self, block: [i32; 3], x: &[f32], y: &[f32], z: &[f32], out: &mut [f32]) {
        self.index.unite(&self.shapes, block, x, y, z, out);
    }
}

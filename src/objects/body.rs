//! One object as a distance function, eight points at a time.

use super::shape::Shape;
use crate::noise::{self, F8};

/// Radius of a rock's edges over its diameter.
const EDGE: f32 = 0.02;
/// How much a dripstone's radius wavers, as a share.
pub const WAVER: f64 = 0.13;

/// A stone on the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rock {
    /// Index into [`Objects::shapes`](super::Objects::shapes).
    pub shape: u8,
    /// Middle on the floor, metres, frame `map`.
    pub at: [f32; 3],
    /// Cosine and sine of its turn about z.
    pub turn: [f32; 2],
    /// Diameter of a disc of the area it covers, metres.
    pub diameter_m: f32,
    /// Depth to which it goes on under its bottom, metres, so that no air is left there.
    pub root_m: f32,
}

/// What a dripstone is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DripKind {
    /// Hangs from the roof.
    Stalactite,
    /// Stands on the floor.
    Stalagmite,
    /// Stands on the floor and holds the roof: a handle of the surface.
    Column,
}

/// A dripstone: a round body about a vertical axis.
///
/// Its radius at the share `t` of its way is `thin + root · u · (swell + (1 − swell) · u) + foot · t²`,
/// `u = 1 − t`, with noise on top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drip {
    /// What it is.
    pub kind: DripKind,
    /// Axis in plan, metres, frame `map`.
    pub at: [f32; 2],
    /// Heights of its two ends, metres: root in the rock, and tip, or foot of a column.
    pub ends: [f32; 2],
    /// Radius of the tip, or of the waist of a column, metres.
    pub thin: f32,
    /// Radius added at the root, metres.
    pub root: f32,
    /// Radius added at the foot of a column, metres.
    pub foot: f32,
    /// Form of the taper: under 1 hollow, over 1 bulging.
    pub swell: f32,
    /// Key of its noise.
    pub key: u32,
}

/// An object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Body {
    /// A rock.
    Rock(Rock),
    /// A dripstone.
    Drip(Drip),
}

/// An upright cylinder around a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Axis in plan, metres.
    pub at: [f32; 2],
    /// Radius, metres.
    pub radius: f32,
    /// Lowest and highest point, metres.
    pub heights: [f32; 2],
}

impl Rock {
    /// Distance to the rock, metres, negative inside: the farthest face, rounded at the edges as
    /// a distance to the shrunk body would be.
    #[inline(always)]
    fn distance(&self, shape: &Shape, p: [F8; 3]) -> F8 {
        let zero = F8::splat(0.0);
        let o: [F8; 3] = std::array::from_fn(|k| p[k] - F8::splat(self.at[k]));
        let [c, s] = self.turn;
        let x = o[0] * c + o[1] * s;
        let y = o[1] * c - o[0] * s;
        let edge = F8::splat(EDGE * self.diameter_m);
        let mut most = -o[2] - F8::splat(shape.depth * self.diameter_m + self.root_m);
        let mut outside = (most + edge).max(zero);
        outside = outside * outside;
        for plane in &shape.planes {
            let n = plane.normal;
            let d = x * n[0] + y * n[1] + o[2] * n[2] - F8::splat(plane.offset * self.diameter_m);
            most = most.max(d);
            let e = (d + edge).max(zero);
            outside = outside + e * e;
        }
        let deep = most.lt(-edge);
        deep.select(most, outside.sqrt() - edge)
    }

    /// A cylinder around it.
    pub fn bounds(&self, shape: &Shape) -> Bounds {
        let size = self.diameter_m;
        Bounds {
            at: [self.at[0], self.at[1]],
            radius: shape.radius * size,
            heights: [
                self.at[2] - shape.depth * size - self.root_m,
                self.at[2] + shape.height * size,
            ],
        }
    }

    /// A corner of its shape in frame `map`, metres.
    pub fn place(&self, corner: [f32; 3]) -> [f32; 3] {
        let [c, s] = self.turn;
        let [x, y, z] = corner.map(|v| v * self.diameter_m);
        [
            self.at[0] + c * x - s * y,
            self.at[1] + s * x + c * y,
            self.at[2] + z,
        ]
    }
}

impl Drip {
    #[inline(always)]
    fn distance(&self, p: [F8; 3]) -> F8 {
        let one = F8::splat(1.0);
        let length = self.ends[1] - self.ends[0];
        let t = ((p[2] - F8::splat(self.ends[0])) * (1.0 / length)).clamp(0.0, 1.0);
        let beyond = p[2] - F8::splat(self.ends[0]) - t * length;
        let (x, y) = (p[0] - F8::splat(self.at[0]), p[1] - F8::splat(self.at[1]));
        let u = one - t;
        let taper = u * (u * (1.0 - self.swell) + F8::splat(self.swell));
        let radius = F8::splat(self.thin) + taper * self.root + t * t * self.foot;
        // Flutes: finer around than along.
        let wave = 0.9 / (self.thin + 0.5 * (self.root + self.foot));
        let q = [p[0] * wave, p[1] * wave, p[2] * (0.45 * wave)];
        let waver = noise::perlin_call(self.key, &q);
        let radius = radius * (one + waver * WAVER as f32);
        (x * x + y * y + beyond * beyond).sqrt() - radius
    }

    /// A cylinder around it.
    pub fn bounds(&self) -> Bounds {
        let grown = 1.0 + WAVER as f32;
        let root = (self.thin + self.root * self.swell.max(1.0)) * grown;
        let tip = (self.thin + self.foot) * grown;
        let [a, b] = self.ends;
        Bounds {
            at: self.at,
            radius: (self.thin + self.root * self.swell.max(1.0) + self.foot) * grown,
            heights: if a > b {
                [b - tip, a + root]
            } else {
                [a - root, b + tip]
            },
        }
    }

    /// Largest radius without noise, metres: at the root, or at the foot.
    pub fn girth_m(&self) -> f64 {
        f64::from(self.thin + self.root.max(self.foot))
    }
}

impl Body {
    /// Distance to the body, metres, negative inside.
    #[inline(always)]
    pub fn distance(&self, shapes: &[Shape], p: [F8; 3]) -> F8 {
        match self {
            Body::Rock(rock) => rock.distance(&shapes[usize::from(rock.shape)], p),
            Body::Drip(drip) => drip.distance(p),
        }
    }

    /// A cylinder around it.
    pub fn bounds(&self, shapes: &[Shape]) -> Bounds {
        match self {
            Body::Rock(rock) => rock.bounds(&shapes[usize::from(rock.shape)]),
            Body::Drip(drip) => drip.bounds(),
        }
    }

    /// Radius over which it melts into the wall, metres.
    pub fn fillet_m(&self, voxel_m: f32) -> f32 {
        match self {
            // Stones lie on the ground; dripstone grew out of the wall.
            Body::Rock(rock) => 0.06 * rock.diameter_m,
            Body::Drip(drip) => (0.6 * (drip.thin + drip.root)).min(2.0 * voxel_m),
        }
    }
}

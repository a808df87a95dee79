//! Which bodies are felt in which block, and their union with the rock.

use super::body::{Body, Bounds};
use super::shape::Shape;
use crate::field::{Buckets, smooth_max};
use crate::noise::{self, F8};

/// How far around a body it counts, beyond twice its fillet, voxels: the surface's vertices and
/// normals are worked out from values nearer than that.
const MARGIN_VOXELS: f32 = 2.5;

/// A body as the field knows it.
struct Member {
    body: Body,
    /// Cylinder outside of which it does not count.
    bounds: Bounds,
    fillet: f32,
}

/// Bodies that are part of the surface, by block of the field.
#[derive(Default)]
pub struct Index {
    members: Vec<Member>,
    buckets: Buckets,
}

impl Index {
    /// Indexes bodies under blocks with an edge of `block_m`.
    pub fn build(bodies: &[Body], shapes: &[Shape], block_m: f64, voxel_m: f64) -> Self {
        let voxel = voxel_m as f32;
        let members: Vec<Member> = bodies
            .iter()
            .map(|body| {
                let fillet = body.fillet_m(voxel);
                let reach = 2.0 * fillet + MARGIN_VOXELS * voxel;
                let b = body.bounds(shapes);
                Member {
                    body: *body,
                    bounds: Bounds {
                        at: b.at,
                        radius: b.radius + reach,
                        heights: [b.heights[0] - reach, b.heights[1] + reach],
                    },
                    fillet,
                }
            })
            .collect();
        let mut entries: Vec<([i32; 3], u32)> = Vec::new();
        for (id, member) in members.iter().enumerate() {
            let b = member.bounds;
            // A block is asked for points up to a voxel outside of it.
            let range = |low: f32, high: f32| {
                let cell = |c: f64| (c / block_m).floor() as i32;
                cell(f64::from(low) - voxel_m)..=cell(f64::from(high) + voxel_m)
            };
            for z in range(b.heights[0], b.heights[1]) {
                for y in range(b.at[1] - b.radius, b.at[1] + b.radius) {
                    for x in range(b.at[0] - b.radius, b.at[0] + b.radius) {
                        entries.push(([z, y, x], id as u32));
                    }
                }
            }
        }
        Self {
            members,
            buckets: Buckets::of(entries),
        }
    }

    /// Whether any body is felt in a block.
    pub fn touches(&self, block: [i32; 3]) -> bool {
        !self.buckets.cell(block).is_empty()
    }

    /// Adds the bodies felt in `block` to the rock whose distances at the points are in `out`.
    ///
    /// A body counts at a point when the point is in the body's own cylinder, whichever block
    /// asks: a value depends on the point alone.
    pub fn unite(
        &self,
        shapes: &[Shape],
        block: [i32; 3],
        x: &[f32],
        y: &[f32],
        z: &[f32],
        out: &mut [f32],
    ) {
        let near = self.buckets.cell(block);
        if !near.is_empty() {
            unite(&self.members, near, shapes, x, y, z, out);
        }
    }
}

#[inline(always)]
fn unite_body(
    members: &[Member],
    near: &[u32],
    shapes: &[Shape],
    x: &[f32],
    y: &[f32],
    z: &[f32],
    out: &mut [f32],
) {
    for start in (0..x.len()).step_by(8) {
        let p = [x, y, z].map(|c| F8::load(&c[start..]));
        let mut rock = F8::load(&out[start..]);
        for &id in near {
            let member = &members[id as usize];
            let b = &member.bounds;
            let (dx, dy) = (p[0] - F8::splat(b.at[0]), p[1] - F8::splat(b.at[1]));
            let felt = (dx * dx + dy * dy).lt(F8::splat(b.radius * b.radius))
                & p[2].gt(F8::splat(b.heights[0]))
                & p[2].lt(F8::splat(b.heights[1]));
            if !felt.any() {
                continue;
            }
            let inward = -member.body.distance(shapes, p);
            rock = felt.select(smooth_max(rock, inward, F8::splat(member.fillet)), rock);
        }
        rock.store(&mut out[start..]);
    }
}

noise::dispatch! {
    fn unite(
        members: &[Member],
        near: &[u32],
        shapes: &[Shape],
        x: &[f32],
        y: &[f32],
        z: &[f32],
        out: &mut [f32],
    ) = unite_body;
}

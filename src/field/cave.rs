//! The field itself.

use super::centreline::{NO_OPENING, Segment, segments};
use super::index::Index;
use super::opening::{self, Opening};
use super::relief::Relief;
use super::section::{self, Drift, Kernel, Mixed, Section, Tube, smooth_max, smooth_min};
use crate::config::{Config, FieldConfig};
use crate::noise::{self, F8};
use crate::objects::{self, Objects};
use crate::rng::{Domain, noise_key};
use crate::skeleton::Skeleton;

/// Distance from the entrance's centre line within which the floor is lifted in full, metres.
const ENTRANCE_CALM_M: f64 = 2.5;
/// Relief never takes more than this share of the local half width.
const RELIEF_SHARE: f32 = 0.28;

/// Signed distance to the rock wall: negative in the void, positive in the rock, metres.
///
/// Close to metric near the wall. Far in the rock only the sign holds.
pub struct CaveField {
    segments: Vec<Segment>,
    index: Index,
    kernel: Kernel,
    openings: Vec<Opening>,
    relief: Relief,
    floor_key: u32,
    blend: f32,
    talus: f32,
    floor_roughness: f32,
    /// Distance within which a segment still shapes floor and walls, metres.
    feel: f32,
    voxel_m: f64,
    entrance: [f32; 3],
    /// Added to the floor at the entrance, fading away from it, so that it lies at z = 0 there.
    entrance_lift: f32,
    /// Scale of that fading: coarse voxels cannot hold a mound of a few metres, and the centre
    /// line of a wide entrance is far over its floor.
    entrance_fade: f32,
    objects: Objects,
}

/// What is left out of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Everything.
    Full,
    /// No relief and no bumps on the floor: the large shape only.
    Smooth,
}

/// What a cave will cost, before any of it is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Voxel edge, metres.
    pub voxel_m: f64,
    /// Wall, square metres.
    pub area_m2: f64,
    /// Triangles before simplification.
    pub triangles: f64,
    /// Peak memory of field and surface, megabytes.
    pub memory_mb: f64,
}

/// Estimates a cave from its centre lines alone, within about a factor of two.
pub fn estimate(skeleton: &Skeleton, config: &Config) -> Estimate {
    let segments = segments(skeleton, config);
    let voxel_m = voxel(config, &segments);
    let block = voxel_m * BLOCK as f64;
    let girth = section::girth(config.passage.profile);
    let reach = reach(Kernel::of(&config.passage), feel(config, voxel_m), voxel_m);
    let (mut area_m2, mut entries) = (0.0, 0.0);
    for s in &segments {
        let length = s.along.iter().map(|c| f64::from(c * c)).sum::<f64>().sqrt();
        area_m2 += girth * f64::from(s.width[0] + s.height[0]) * length;
        let far = f64::from(reach(s)) + 0.87 * block;
        let volume = std::f64::consts::PI * far * far * (length + 4.0 / 3.0 * far);
        entries += volume / (block * block * block);
    }
    // Marching cubes makes about 2.4 triangles per voxel face of wall.
    let triangles = 2.4 * area_m2 / (voxel_m * voxel_m);
    let memory_mb = (triangles * 220.0 + entries * 48.0) / 1e6;
    Estimate {
        voxel_m,
        area_m2,
        triangles,
        memory_mb,
    }
}

fn feel(config: &Config, voxel_m: f64) -> f32 {
    ((1.25 * config.field.blend_m).max(0.8) + 2.0 * voxel_m) as f32
}

/// How far from its axis a segment matters.
fn reach(kernel: Kernel, feel: f32, voxel_m: f64) -> impl Fn(&Segment) -> f32 {
    let margin = 2.0 * voxel_m as f32;
    move |s| kernel.reach(s.extent(), feel) + margin
}

/// Cells along the edge of an index block; the surface is made block by block.
pub const BLOCK: usize = 8;

impl CaveField {
    /// Builds the field of a skeleton. Openings that [`check_openings`](super::check_openings)
    /// refuses stay closed.
    pub fn carve(skeleton: &Skeleton, config: &Config) -> Self {
        let FieldConfig {
            blend_m,
            relief_m,
            relief_wavelength_m,
            strata,
            scallops_m,
            ..
        } = config.field;
        let mut segments = segments(skeleton, config);
        let voxel_m = voxel(config, &segments);
        let feel = feel(config, voxel_m);
        let kernel = Kernel::of(&config.passage);
        let ways = opening::ways(skeleton, config).unwrap_or_default();
        let openings = opening::fit(&ways, &mut segments, skeleton, voxel_m, config);
        let reach = reach(kernel, feel, voxel_m);
        segments.iter_mut().for_each(|s| s.reach = reach(s));
        let index = Index::build(&segments, voxel_m * BLOCK as f64, |s| s.reach);
        let at = skeleton.nodes[skeleton.entrance].position;
        let mut field = Self {
            segments,
            index,
            kernel,
            openings,
            relief: Relief {
                key: noise_key(config.seed, Domain::Field, 2),
                amplitude_m: relief_m as f32,
                wavelength_m: relief_wavelength_m as f32,
                strata: strata as f32,
                scallops_m: scallops_m as f32,
            },
            floor_key: noise_key(config.seed, Domain::Field, 3),
            blend: (blend_m as f32).max(1e-3),
            talus: (config.field.talus_m as f32).max(1e-3),
            floor_roughness: config.field.floor_roughness_m as f32,
            feel,
            voxel_m,
            entrance: at.as_vec3().to_array(),
            entrance_lift: 0.0,
            entrance_fade: voxel_m.max(at.z / ENTRANCE_CALM_M).max(1.0) as f32,
            objects: Objects::default(),
        };
        let ground = [field.entrance[0], field.entrance[1], 0.0];
        field.entrance_lift = -field.floor_z(ground).unwrap_or(0.0);
        field.objects = objects::scatter(&field, skeleton, config);
        field
    }

    /// What the relief adds to the unit base normals `base_n` at `p`: minus the gradient of the
    /// rock's height toward the void, a slope (m/m). The floor, which looks up, has none.
    #[inline(always)]
    pub fn relief_slope(&self, p: [F8; 3], base_n: [F8; 3]) -> [F8; 3] {
        let wall = F8::splat(1.0) - base_n[2].smoothstep(0.45, 0.8);
        let scale = -wall;
        self.relief.gradient(p).map(|g| g * scale)
    }

    /// Voxel edge that resolves this cave, metres; a multiple of 1/256 m.
    pub fn voxel_m(&self) -> f64 {
        self.voxel_m
    }

    /// Flat holes through which the cave meets the outside.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Every block that may hold the wall, as block indices `[x, y, z]`; a block is
    /// [`BLOCK`] voxels wide.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = [i32; 3]> + '_ {
        self.index.cells()
    }

    /// What lies, hangs and stands in the passages.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Distances at any points, metres.
    pub fn distances(&self, points: &[[f32; 3]]) -> Vec<f32> {
        let mut order: Vec<([i32; 3], usize)> = points
            .iter()
            .enumerate()
            .map(|(i, &p)| (self.index.cell_of(p), i))
            .collect();
        order.sort_unstable();
        let coordinate =
            |axis: usize| -> Vec<f32> { order.iter().map(|&(_, i)| points[i][axis]).collect() };
        let (x, y, z) = (coordinate(0), coordinate(1), coordinate(2));
        let mut sorted = vec![0.0; points.len()];
        let mut start = 0;
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            let r = start..start + group.len();
            start = r.end;
            let (x, y, z) = (&x[r.clone()], &y[r.clone()], &z[r.clone()]);
            self.fill(group[0].0, x, y, z, Detail::Full, &mut sorted[r]);
        }
        let mut out = vec![0.0; points.len()];
        for (&(_, i), d) in order.iter().zip(sorted) {
            out[i] = d;
        }
        out
    }

    /// Distance at one point, metres.
    pub fn distance(&self, p: [f32; 3]) -> f32 {
        let mut out = [0.0];
        self.fill(
            self.index.cell_of(p),
            &[p[0]],
            &[p[1]],
            &[p[2]],
            Detail::Full,
            &mut out,
        );
        out[0]
    }

    /// Distances at points in (or within a voxel of) one block. Slices have equal lengths.
    pub fn fill(
        &self,
        block: [i32; 3],
        x: &[f32],
        y: &[f32],
        z: &[f32],
        detail: Detail,
        out: &mut [f32],
    ) {
        let near = self.index.cell(block);
        match self.kernel {
            Kernel::Tube => fill_tube(self, near, x, y, z, detail, out),
            Kernel::Drift => fill_drift(self, near, x, y, z, detail, out),
            Kernel::Mixed => fill_mixed(self, near, x, y, z, detail, out),
        }
        self.objects.unite(block, x, y, z, out);
    }

    /// Unit normals toward the void at points in one block, by tetrahedral differences over
    /// `step` metres.
    pub fn normals(
        &self,
        block: [i32; 3],
        points: &[[f32; 3]],
        step: f32,
        detail: Detail,
    ) -> Vec<[f32; 3]> {
        const CORNERS: [[f32; 3]; 4] = [
            [1.0, 1.0, 1.0],
            [1.0, -1.0, -1.0],
            [-1.0, 1.0, -1.0],
            [-1.0, -1.0, 1.0],
        ];
        let n = points.len();
        let coordinate = |axis: usize| -> Vec<f32> {
            CORNERS
                .iter()
                .flat_map(|c| points.iter().map(move |p| p[axis] + step * c[axis]))
                .collect()
        };
        let (x, y, z) = (coordinate(0), coordinate(1), coordinate(2));
        let mut d = vec![0.0; 4 * n];
        self.fill(block, &x, &y, &z, detail, &mut d);
        (0..n)
            .map(|i| {
                let g: [f32; 3] =
                    std::array::from_fn(|a| (0..4).map(|c| CORNERS[c][a] * d[c * n + i]).sum());
                let length = (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]).sqrt().max(1e-12);
                g.map(|c| -c / length)
            })
            .collect()
    }

    /// Floor height under a point in the void, without its bumps, metres; none deep in the rock.
    pub fn floor_z(&self, p: [f32; 3]) -> Option<f32> {
        let near = self.index.cell(self.index.cell_of(p));
        let p = p.map(F8::splat);
        let shape = match self.kernel {
            Kernel::Tube => self.shape::<Tube>(near, p),
            Kernel::Drift => self.shape::<Drift>(near, p),
            Kernel::Mixed => self.shape::<Mixed>(near, p),
        };
        (shape.weight.0[0] > 0.0).then(|| shape.floor.0[0])
    }

    #[inline(always)]
    fn shape<S: Section>(&self, near: &[u32], p: [F8; 3]) -> Shape {
        let far = F8::splat(1e6);
        let (zero, one) = (F8::splat(0.0), F8::splat(1.0));
        let feel = F8::splat(self.feel);
        let blend = F8::splat(self.blend);
        // A branch beyond `feel` is left out even when a block knows it, so that all blocks agree.
        let melt = |all: F8, d: F8| d.lt(feel).select(smooth_min(all, d, blend), all);
        let mut all = far;
        let mut branch_distance = far;
        let mut branch = u32::MAX;
        let (mut weight, mut floor, mut size) = (zero, zero, zero);
        let mut out = [zero; 3];
        for &id in near {
            let s = &self.segments[id as usize];
            if s.branch != branch {
                all = melt(all, branch_distance);
                branch_distance = far;
                branch = s.branch;
            }
            let len2 = s.along[0] * s.along[0] + s.along[1] * s.along[1] + s.along[2] * s.along[2];
            let o: [F8; 3] = std::array::from_fn(|a| p[a] - F8::splat(s.start[a]));
            let dot = o[0] * F8::splat(s.along[0])
                + o[1] * F8::splat(s.along[1])
                + o[2] * F8::splat(s.along[2]);
            let t = (dot * F8::splat(1.0 / len2.max(1e-9))).max(zero).min(one);
            let q: [F8; 3] = std::array::from_fn(|a| o[a] - t * F8::splat(s.along[a]));
            let across2 = q[0] * q[0] + q[1] * q[1] + F8::splat(1e-8);
            let off2 = across2 + q[2] * q[2];
            if !off2.lt(F8::splat(s.reach * s.reach)).any() {
                continue;
            }
            let w = F8::splat(s.width[0]) + t * F8::splat(s.width[1]);
            let arch = F8::splat(s.height[0]) + t * F8::splat(s.height[1]);
            let form = |i: usize| F8::splat(s.form[0][i]) + t * F8::splat(s.form[1][i]);
            let mut d = S::distance(across2, q[2], w, arch, form);
            if s.opening != NO_OPENING {
                let (axis, sign, limit) = self.openings[s.opening as usize].limit(self.voxel_m);
                let behind = F8::splat(0.0).lt((p[axis] - limit) * sign);
                d = behind.select(far, d);
            }
            branch_distance = branch_distance.min(d);
            let felt = (feel - d).max(zero);
            let felt = felt * felt;
            weight = weight + felt;
            floor = floor + felt * (F8::splat(s.floor[0]) + t * F8::splat(s.floor[1]));
            size = size + felt * S::narrowest(w, arch, form);
            out = std::array::from_fn(|a| out[a] + felt * q[a]);
        }
        let tube = melt(all, branch_distance);
        let share = one / weight.max(F8::splat(1e-6));
        let e: [F8; 3] = std::array::from_fn(|a| p[a] - F8::splat(self.entrance[a]));
        let far = (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]).sqrt();
        let full = ENTRANCE_CALM_M as f32 * self.entrance_fade;
        let gone = 7.0 * self.entrance_fade;
        let lift = (one - far.smoothstep(full, gone)) * self.entrance_lift;
        Shape {
            tube,
            weight,
            floor: floor * share + lift,
            size: size * share,
            out: out.map(|c| c * share),
        }
    }

    #[inline(always)]
    fn lanes<S: Section>(&self, near: &[u32], p: [F8; 3], detail: Detail) -> F8 {
        let shape = self.shape::<S>(near, p);
        let zero = F8::splat(0.0);
        let mut wall = shape.tube;
        let mut ground = shape.floor - p[2];
        if detail == Detail::Full {
            let (dx, dy) = (
                p[0] - F8::splat(self.entrance[0]),
                p[1] - F8::splat(self.entrance[1]),
            );
            let calm = ((dx * dx + dy * dy).sqrt() * F8::splat(0.25) - F8::splat(0.25))
                .max(F8::splat(0.15))
                .min(F8::splat(1.0));
            // Relief cannot reach the wall from farther than this, so it is left out there: lane
            // by lane, since a value may not depend on its neighbours in the batch.
            let band = F8::splat(self.relief_band());
            let near_wall = wall.abs().lt(band);
            if near_wall.any() {
                let most = shape.size * RELIEF_SHARE / self.relief.amplitude_m.max(1e-6);
                let relief = self.relief.value(shape.foot(p)) * most.min(F8::splat(1.0)) * calm;
                wall = near_wall.select(wall + relief, wall);
            }
            let near_ground = ground.abs().lt(band + self.talus);
            if near_ground.any() {
                let debris = self.debris(p, &shape) + self.bumps(p) * calm;
                ground = near_ground.select(ground + debris, ground);
            }
        }
        let void = smooth_max(wall, ground, F8::splat(self.talus));
        shape
            .weight
            .lt(F8::splat(1e-6))
            .select(shape.tube.max(zero), void)
    }

    /// Distance from the smooth wall beyond which relief changes nothing, metres.
    fn relief_band(&self) -> f32 {
        2.0 * self.relief.most_m().max(self.floor_roughness) + 3.0 * self.voxel_m as f32
    }

    /// Whether the wall cannot be within `radius` metres of a point with value `d`. The elliptic
    /// distance grows by at most about 1.5 a metre.
    pub fn is_clear(&self, d: f32, radius: f32) -> bool {
        d.abs() > 1.5 * radius + 1.5 * self.relief.most_m() + self.talus
    }

    /// Apron of debris along the walls, metres over the floor: up to 0.6 of `talus_m`, at the
    /// slope of loose rock, in heaps.
    #[inline(always)]
    fn debris(&self, p: [F8; 3], shape: &Shape) -> F8 {
        let zero = F8::splat(0.0);
        let scale = F8::splat(0.35 / self.talus);
        let heaps = noise::perlin_call(
            self.floor_key ^ 2,
            &[p[0] * scale, p[1] * scale, F8::splat(0.5)],
        );
        let wide = (shape.size * 0.3).min(F8::splat(1.1 * self.talus));
        let near = (wide + shape.tube.min(zero)).max(zero);
        near * (heaps * 0.9 + 0.5).clamp(0.0, 1.0) * 0.55
    }

    /// Bumps of the floor, metres up.
    #[inline(always)]
    fn bumps(&self, p: [F8; 3]) -> F8 {
        let (wide, fine) = (F8::splat(0.55), F8::splat(1.9));
        let z = F8::splat(0.5);
        let a = noise::perlin_call(self.floor_key, &[p[0] * wide, p[1] * wide, z]);
        let b = noise::perlin_call(self.floor_key ^ 1, &[p[0] * fine, p[1] * fine, z]);
        (a + b * F8::splat(0.5)) * F8::splat(self.floor_roughness)
    }
}

struct Shape {
    tube: F8,
    weight: F8,
    floor: F8,
    size: F8,
    /// From the axes nearby to here, metres: outward, and short where axes lie on all sides.
    out: [F8; 3],
}

impl Shape {
    /// The place on the smooth wall beside `p`: relief is asked for there, so that it is the same
    /// all along the way out of the passage and can neither overhang nor cut off crumbs.
    #[inline(always)]
    fn foot(&self, p: [F8; 3]) -> [F8; 3] {
        let length2 =
            self.out[0] * self.out[0] + self.out[1] * self.out[1] + self.out[2] * self.out[2];
        let length = length2.sqrt().max(self.size * 0.25).max(F8::splat(1e-3));
        let back = self.tube / length;
        std::array::from_fn(|a| p[a] - self.out[a] * back)
    }
}

#[inline(always)]
fn fill_body<S: Section>(
    field: &CaveField,
    near: &[u32],
    x: &[f32],
    y: &[f32],
    z: &[f32],
    detail: Detail,
    out: &mut [f32],
) {
    for start in (0..x.len()).step_by(8) {
        let p = [x, y, z].map(|c| F8::load(&c[start..]));
        field.lanes::<S>(near, p, detail).store(&mut out[start..]);
    }
}

noise::dispatch! {
    fn fill_tube(
        field: &CaveField,
        near: &[u32],
        x: &[f32],
        y: &[f32],
        z: &[f32],
        detail: Detail,
        out: &mut [f32],
    ) = fill_body::<Tube>;

    fn fill_drift(
        field: &CaveField,
        near: &[u32],
        x: &[f32],
        y: &[f32],
        z: &[f32],
        detail: Detail,
        out: &mut [f32],
    ) = fill_body::<Drift>;

    fn fill_mixed(
        field: &CaveField,
        near: &[u32],
        x: &[f32],
        y: &[f32],
        z: &[f32],
        detail: Detail,
        out: &mut [f32],
    ) = fill_body::<Mixed>;
}

/// A twelfth of the narrowest extent between floor and roof or wall and wall.
fn voxel(config: &Config, segments: &[Segment]) -> f64 {
    let wanted = config.surface.voxel_m.value().unwrap_or_else(|| {
        let narrowest = segments
            .iter()
            .flat_map(|s| {
                [0, 1].map(|end| {
                    let at = |pair: [f32; 2]| pair[0] + end as f32 * pair[1];
                    let height = at(s.height) + s.start[2] + end as f32 * s.along[2] - at(s.floor);
                    height.min(2.0 * at(s.width))
                })
            })
            .fold(f32::INFINITY, f32::min);
        (f64::from(narrowest) / 12.0).clamp(0.05, 4.0)
    });
    ((wanted * 256.0).round() / 256.0).max(1.0 / 32.0)
}

//! Polygonising one block of the field (marching cubes, Lorensen & Cline 1987).

use super::cases::{CASES, EDGES, Polygon};
use super::topology::sides;
use crate::field::{BLOCK, CaveField, Detail, Opening};

/// Points along the edge of a block.
const POINTS: usize = BLOCK + 1;
/// A vertex keeps this share of an edge away from both of its ends: no slivers.
const END_SHARE: f32 = 0.03;
/// Added to lattice indices so that they are positive in a key; 20 bits an axis.
const BIAS: i64 = 1 << 19;
/// Farthest lattice index from the origin, along each axis, that a cave may reach.
pub const LATTICE_REACH: i64 = BIAS - 1024;

/// Triangles of one block.
pub struct BlockMesh {
    /// Which block.
    pub block: [i32; 3],
    /// One per vertex: the lattice edge (or cell) it lies on, unique in the cave.
    pub keys: Vec<u64>,
    /// Vertices, metres, on the grid of [`quantum`].
    pub positions: Vec<[f32; 3]>,
    /// Triangles, counter-clockwise seen from the void.
    pub triangles: Vec<[u32; 3]>,
}

/// Spacing of the grid that vertices are rounded to, metres: a power of two, at most 1/512 voxel.
pub fn quantum(voxel_m: f64) -> f64 {
    libm::exp2(libm::floor(libm::log2(voxel_m)) - 9.0)
}

/// The part of the wall in one block; none when it holds no wall.
pub fn polygonise(field: &CaveField, block: [i32; 3]) -> Option<BlockMesh> {
    let voxel = field.voxel_m();
    let low: [i64; 3] = block.map(|b| i64::from(b) * BLOCK as i64);
    let at = |axis: usize, i: usize| ((low[axis] + i as i64) as f64 * voxel) as f32;

    let openings: Vec<&Opening> = field
        .openings()
        .iter()
        .filter(|o| o.cuts(low, BLOCK as i64, voxel))
        .collect();
    // An object may lie between samples that are all far from the rock around it, and the field
    // jumps at an opening.
    let bare = openings.is_empty() && !field.objects().touches(block);
    let coarse = Coarse::of(field, block, bare, &at);
    if coarse.clear.iter().all(|&c| c) {
        return None;
    }
    let n = POINTS * POINTS * POINTS;
    let mut d = vec![0.0; n];
    let (mut places, mut xs, mut ys, mut zs) = (vec![], vec![], vec![], vec![]);
    let mut i = 0;
    for k in 0..POINTS {
        for j in 0..POINTS {
            for h in 0..POINTS {
                let near = Coarse::nearest([h, j, k]);
                d[i] = coarse.values[near];
                if !coarse.far[near] {
                    places.push(i);
                    xs.push(at(0, h));
                    ys.push(at(1, j));
                    zs.push(at(2, k));
                }
                i += 1;
            }
        }
    }
    let mut values = vec![0.0; places.len()];
    field.fill(block, &xs, &ys, &zs, Detail::Full, &mut values);
    for (i, v) in places.into_iter().zip(values) {
        d[i] = v;
    }
    let any_void = d.iter().any(|&v| v < 0.0);
    if !any_void || d.iter().all(|&v| v < 0.0) {
        return None;
    }

    let mut out = Builder {
        mesh: BlockMesh {
            block,
            keys: vec![],
            positions: vec![],
            triangles: vec![],
        },
        on_edge: vec![u32::MAX; 3 * n],
        low,
        voxel,
        quantum: quantum(voxel),
        values: &d,
    };
    for k in 0..BLOCK {
        for j in 0..BLOCK {
            for h in 0..BLOCK {
                let cell = [h, j, k];
                let lattice = std::array::from_fn(|a| low[a] + cell[a] as i64);
                if !openings.iter().any(|o| o.caps(lattice, voxel)) {
                    out.cell(cell);
                }
            }
        }
    }
    (!out.mesh.triangles.is_empty()).then_some(out.mesh)
}

/// The block whose lattice point a vertex key belongs to.
pub fn block_of(key: u64) -> [i32; 3] {
    [4, 24, 44].map(|shift| {
        let lattice = (key >> shift & 0xF_FFFF) as i64 - BIAS;
        lattice.div_euclid(BLOCK as i64) as i32
    })
}

/// The smooth field at 3³ points of a block, looked at first.
///
/// Points whose nearest sample is far from the wall take its sign and are not evaluated: no edge of
/// the lattice that begins there crosses the wall. A point on the side of a block has its nearest
/// sample on that side, so both blocks at the side leave out the same points.
struct Coarse {
    values: [f32; Coarse::COUNT],
    /// No wall within half the diagonal of the samples' cubes.
    clear: [bool; Coarse::COUNT],
    /// The same, and a voxel more.
    far: [bool; Coarse::COUNT],
}

impl Coarse {
    /// Samples along an axis.
    const N: usize = 3;
    const COUNT: usize = Self::N * Self::N * Self::N;
    /// Voxels between samples.
    const STRIDE: usize = BLOCK / (Self::N - 1);

    /// Samples a block; unless it is `bare`, its samples say nothing of the points around them.
    fn of(
        field: &CaveField,
        block: [i32; 3],
        bare: bool,
        at: &impl Fn(usize, usize) -> f32,
    ) -> Self {
        let (mut xs, mut ys, mut zs) = ([0.0; Self::COUNT], [0.0; Self::COUNT], [0.0; Self::COUNT]);
        for i in 0..Self::COUNT {
            xs[i] = at(0, i % Self::N * Self::STRIDE);
            ys[i] = at(1, i / Self::N % Self::N * Self::STRIDE);
            zs[i] = at(2, i / (Self::N * Self::N) * Self::STRIDE);
        }
        let mut values = [0.0; Self::COUNT];
        field.fill(block, &xs, &ys, &zs, Detail::Smooth, &mut values);
        let voxel = field.voxel_m() as f32;
        let radius = 0.5 * 3f32.sqrt() * Self::STRIDE as f32 * voxel;
        Self {
            values,
            clear: values.map(|v| bare && field.is_clear(v, radius)),
            far: values.map(|v| bare && field.is_clear(v, radius + 1.01 * voxel)),
        }
    }

    /// The sample nearest to a point of the block.
    fn nearest(at: [usize; 3]) -> usize {
        let [h, j, k] = at.map(|i| (i + Self::STRIDE / 2) / Self::STRIDE);
        h + Self::N * (j + Self::N * k)
    }
}

fn point([h, j, k]: [usize; 3]) -> usize {
    h + POINTS * (j + POINTS * k)
}

struct Builder<'a> {
    mesh: BlockMesh,
    on_edge: Vec<u32>,
    low: [i64; 3],
    voxel: f64,
    quantum: f64,
    values: &'a [f32],
}

impl Builder<'_> {
    fn cell(&mut self, cell: [usize; 3]) {
        let corner = |c: usize| {
            [
                cell[0] + (c & 1),
                cell[1] + (c >> 1 & 1),
                cell[2] + (c >> 2),
            ]
        };
        let mask = (0..8).fold(0usize, |m, c| {
            m | usize::from(self.values[point(corner(c))] < 0.0) << c
        });
        for (which, polygon) in CASES[mask].iter().enumerate() {
            let ring: Vec<u32> = polygon
                .edges
                .iter()
                .map(|&e| {
                    let edge = EDGES[e as usize];
                    self.vertex(corner(edge.corner as usize), edge.axis as usize)
                })
                .collect();
            self.fill(cell, which, polygon, &ring);
        }
    }

    /// The vertex on the lattice edge from `at` along `axis`.
    fn vertex(&mut self, at: [usize; 3], axis: usize) -> u32 {
        let i = point(at);
        let slot = 3 * i + axis;
        if self.on_edge[slot] == u32::MAX {
            let mut to = at;
            to[axis] += 1;
            let (a, b) = (self.values[i], self.values[point(to)]);
            let t = (a / (a - b)).clamp(END_SHARE, 1.0 - END_SHARE);
            let mut p: [f64; 3] =
                std::array::from_fn(|x| (self.low[x] + at[x] as i64) as f64 * self.voxel);
            p[axis] += f64::from(t) * self.voxel;
            self.on_edge[slot] = self.push(self.key(at, axis as u64), p);
        }
        self.on_edge[slot]
    }

    fn push(&mut self, key: u64, p: [f64; 3]) -> u32 {
        self.mesh.keys.push(key);
        self.mesh
            .positions
            .push(p.map(|c| ((c / self.quantum).round() * self.quantum) as f32));
        self.mesh.keys.len() as u32 - 1
    }

    fn key(&self, at: [usize; 3], kind: u64) -> u64 {
        let [x, y, z] = std::array::from_fn(|a| (self.low[a] + at[a] as i64 + BIAS) as u64);
        z << 44 | y << 24 | x << 4 | kind
    }

    fn fill(&mut self, cell: [usize; 3], which: usize, polygon: &Polygon, ring: &[u32]) {
        let shortest = polygon.cuts.iter().min_by(|a, b| {
            let length = |cut: &Vec<[u8; 3]>| -> f32 {
                cut.iter()
                    .flat_map(|t| sides(*t))
                    .map(|[a, b]| self.length(ring[a as usize], ring[b as usize]))
                    .sum()
            };
            length(a).total_cmp(&length(b))
        });
        if let Some(cut) = shortest {
            self.mesh
                .triangles
                .extend(cut.iter().map(|t| t.map(|i| ring[i as usize])));
            return;
        }
        let mut middle = [0.0f64; 3];
        for &v in ring {
            let p = self.mesh.positions[v as usize];
            middle = std::array::from_fn(|a| middle[a] + f64::from(p[a]) / ring.len() as f64);
        }
        let hub = self.push(self.key(cell, 3 + which as u64), middle);
        for i in 0..ring.len() {
            self.mesh
                .triangles
                .push([ring[i], ring[(i + 1) % ring.len()], hub]);
        }
    }

    fn length(&self, a: u32, b: u32) -> f32 {
        let (a, b) = (
            self.mesh.positions[a as usize],
            self.mesh.positions[b as usize],
        );
        (0..3)
            .map(|i| (a[i] - b[i]) * (a[i] - b[i]))
            .sum::<f32>()
            .sqrt()
    }
}

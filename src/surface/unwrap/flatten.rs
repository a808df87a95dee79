//! Laying a chart on a plane with little change of areas and angles.
//!
//! Each face asks for its own shape, and the vertices take the places that suit all faces best: at
//! first with every face turned as it lies when the chart is unfolded over its edges from the
//! middle outward, then as it lies now ("as rigid as possible", Liu et al. 2008, "A Local/Global
//! Approach to Mesh Parameterization", §3.2). The solver starts from the projection along the
//! chart's mean normal, which also stays where relaxing turns a face over.

use crate::surface::mesh::TriMesh;
use crate::surface::topology::sides;
use glam::{Vec2, Vec3};

/// Rounds of turning and solving.
const ROUNDS: usize = 6;
/// Steps of conjugate gradients a round.
const STEPS: usize = 12;
/// Most steps for the first round, from the projection to the unfolded shape.
const FIRST_STEPS: usize = 60;
/// Density of a face, over that of its chart, that is never left, and that few faces may leave.
const DENSITY: [[f32; 2]; 2] = [[0.6, 1.7], [0.9, 1.1]];
/// Share of a chart's area that may leave the narrower range.
const UNEVEN_SHARE: f32 = 0.04;
/// Least weight of an edge; cotangents of obtuse angles are negative.
const LEAST_WEIGHT: f32 = 0.05;

/// Faces laid on a plane.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Triangles of the mesh.
    pub faces: Vec<u32>,
    /// Corners of each face on the plane, metres; total area as on the surface.
    pub corners: Vec<[Vec2; 3]>,
    /// Edges without a neighbour in the chart.
    pub rim: Vec<[Vec2; 2]>,
}

impl Chart {
    /// Width and height; the chart starts at the origin.
    pub fn size(&self) -> Vec2 {
        self.corners
            .iter()
            .flatten()
            .fold(Vec2::ZERO, |s, &p| s.max(p))
    }

    /// Area, square metres.
    pub fn area(&self) -> f32 {
        self.corners.iter().map(area).sum()
    }
}

fn area([a, b, c]: &[Vec2; 3]) -> f32 {
    0.5 * (*b - *a).perp_dot(*c - *a)
}

/// Lays faces of a mesh flat, seen along the unit vector `plane`.
pub fn lay(mesh: &TriMesh, faces: &[u32], plane: Vec3) -> Chart {
    let patch = Patch::new(mesh, faces);
    let x = plane.any_orthonormal_vector();
    let y = plane.cross(x);
    let projected: Vec<Vec2> = patch
        .vertices
        .iter()
        .map(|&v| {
            let p = Vec3::from_array(mesh.positions[v as usize]);
            Vec2::new(p.dot(x), p.dot(y))
        })
        .collect();
    let mut flat = projected.clone();
    if let ([own], [triangle]) = (&patch.rest[..], &patch.triangles[..]) {
        // Nothing to fit; and the solver may turn over a sliver, whose projection may have no area.
        triangle
            .iter()
            .zip(own)
            .for_each(|(&i, &p)| flat[i as usize] = p);
    } else {
        patch.relax(&mut flat);
    }
    let upright = |flat: &[Vec2]| {
        patch
            .triangles
            .iter()
            .all(|t| area(&t.map(|i| flat[i as usize])) > 0.0)
    };
    if !upright(&flat) {
        flat = projected;
    }
    let flat_area: f32 = patch
        .triangles
        .iter()
        .map(|t| area(&t.map(|i| flat[i as usize])))
        .sum();
    let whole: f32 = patch.rest.iter().map(area).sum();
    let scale = (whole / flat_area.max(1e-12)).sqrt();
    let rim = patch.rim();
    let turn = narrowest_turn(&rim, &flat);
    for p in &mut flat {
        *p = turn.rotate(*p * scale);
    }
    let low = flat.iter().fold(Vec2::MAX, |l, &p| l.min(p));
    flat.iter_mut().for_each(|p| *p -= low);
    Chart {
        faces: faces.to_vec(),
        corners: patch
            .triangles
            .iter()
            .map(|t| t.map(|i| flat[i as usize]))
            .collect(),
        rim: rim.iter().map(|e| e.map(|i| flat[i as usize])).collect(),
    }
}

/// Faces with vertices of their own.
struct Patch {
    /// Vertices of the mesh, ascending.
    vertices: Vec<u32>,
    /// Triangles over `vertices`.
    triangles: Vec<[u32; 3]>,
    /// Each triangle in its own plane, metres.
    rest: Vec<[Vec2; 3]>,
}

impl Patch {
    fn new(mesh: &TriMesh, faces: &[u32]) -> Self {
        let mut vertices: Vec<u32> = faces
            .iter()
            .flat_map(|&f| mesh.triangles[f as usize])
            .collect();
        vertices.sort_unstable();
        vertices.dedup();
        let local = |v: u32| vertices.partition_point(|&w| w < v) as u32;
        let triangles = faces
            .iter()
            .map(|&f| mesh.triangles[f as usize].map(local))
            .collect();
        let rest = faces
            .iter()
            .map(|&f| {
                let [a, b, c] = mesh.triangles[f as usize]
                    .map(|i| Vec3::from_array(mesh.positions[i as usize]));
                let along = (b - a).length().max(1e-9);
                let x = (c - a).dot(b - a) / along;
                let y = (b - a).cross(c - a).length() / along;
                [Vec2::ZERO, Vec2::new(along, 0.0), Vec2::new(x, y)]
            })
            .collect();
        Self {
            vertices,
            triangles,
            rest,
        }
    }

    /// Edges of one triangle only.
    fn rim(&self) -> Vec<[u32; 2]> {
        let mut edges: Vec<[u32; 2]> = self.triangles.iter().flat_map(|t| sides(*t)).collect();
        edges.sort_unstable();
        let open = |e: &&[u32; 2]| edges.binary_search(&[e[1], e[0]]).is_err();
        edges.iter().filter(open).copied().collect()
    }

    /// Weight of the edge opposite each corner: half its cotangent.
    fn weights(&self) -> Vec<[f32; 3]> {
        self.rest
            .iter()
            .map(|t| {
                std::array::from_fn(|i| {
                    let (u, v) = (t[(i + 1) % 3] - t[i], t[(i + 2) % 3] - t[i]);
                    (0.5 * u.dot(v) / u.perp_dot(v).max(1e-9)).clamp(LEAST_WEIGHT, 10.0)
                })
            })
            .collect()
    }

    /// Turn of each face when all are unfolded over their edges, outward from the first.
    fn unfolded(&self) -> Vec<Vec2> {
        let mut edges: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * self.triangles.len());
        for (f, t) in self.triangles.iter().enumerate() {
            for i in 0..3 {
                edges.push(([t[i], t[(i + 1) % 3]], (3 * f + i) as u32));
            }
        }
        edges.sort_unstable();
        let mut turns = vec![Vec2::ZERO; self.triangles.len()];
        let mut queue = std::collections::VecDeque::new();
        for start in 0..self.triangles.len() {
            if turns[start] != Vec2::ZERO {
                continue;
            }
            turns[start] = Vec2::X;
            queue.push_back(start);
            while let Some(f) = queue.pop_front() {
                let t = self.triangles[f];
                for i in 0..3 {
                    let j = (i + 1) % 3;
                    let Ok(at) = edges.binary_search_by_key(&[t[j], t[i]], |e| e.0) else {
                        continue;
                    };
                    let (g, k) = (edges[at].1 as usize / 3, edges[at].1 as usize % 3);
                    if turns[g] != Vec2::ZERO {
                        continue;
                    }
                    let here = turns[f].rotate(self.rest[f][j] - self.rest[f][i]);
                    let there = self.rest[g][k] - self.rest[g][(k + 1) % 3];
                    turns[g] = Vec2::new(there.dot(here), there.perp_dot(here))
                        .try_normalize()
                        .unwrap_or(Vec2::X);
                    queue.push_back(g);
                }
            }
        }
        turns
    }

    fn wanted(&self, weights: &[[f32; 3]], turn: impl Fn(usize) -> Vec2, out: &mut [Vec2]) {
        out.fill(Vec2::ZERO);
        for (f, (t, rest)) in self.triangles.iter().zip(&self.rest).enumerate() {
            let turn = turn(f);
            for (i, &weight) in weights[f].iter().enumerate() {
                let (a, b) = ((i + 1) % 3, (i + 2) % 3);
                let edge = weight * turn.rotate(rest[b] - rest[a]);
                out[t[b] as usize] += edge;
                out[t[a] as usize] -= edge;
            }
        }
    }

    fn relax(&self, flat: &mut [Vec2]) {
        let weights = self.weights();
        let laplace = Laplace::new(flat.len(), &self.triangles, &weights);
        let mut wanted = vec![Vec2::ZERO; flat.len()];
        let turns = self.unfolded();
        self.wanted(&weights, |f| turns[f], &mut wanted);
        laplace.solve(&wanted, flat, FIRST_STEPS);
        for _ in 0..ROUNDS {
            let fit = |f: usize| {
                let (t, rest, w) = (self.triangles[f], &self.rest[f], &weights[f]);
                let mut turn = Vec2::ZERO;
                for (i, &weight) in w.iter().enumerate() {
                    let (a, b) = ((i + 1) % 3, (i + 2) % 3);
                    let own = rest[b] - rest[a];
                    let now = flat[t[b] as usize] - flat[t[a] as usize];
                    turn += weight * Vec2::new(own.dot(now), own.perp_dot(now));
                }
                turn.try_normalize().unwrap_or(Vec2::X)
            };
            self.wanted(&weights, fit, &mut wanted);
            laplace.solve(&wanted, flat, STEPS);
        }
    }
}

/// Symmetric matrix of edge weights.
struct Laplace {
    diagonal: Vec<f32>,
    edges: Vec<([u32; 2], f32)>,
}

impl Laplace {
    fn new(vertices: usize, triangles: &[[u32; 3]], weights: &[[f32; 3]]) -> Self {
        let mut edges: Vec<([u32; 2], f32)> = triangles
            .iter()
            .zip(weights)
            .flat_map(|(t, w)| {
                [0, 1, 2].map(|i| {
                    let (a, b) = (t[(i + 1) % 3], t[(i + 2) % 3]);
                    ([a.min(b), a.max(b)], w[i])
                })
            })
            .collect();
        edges.sort_by_key(|e| e.0);
        edges.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += later.1;
            }
            same
        });
        let mut diagonal = vec![0.0; vertices];
        for (e, w) in &edges {
            e.iter().for_each(|&i| diagonal[i as usize] += w);
        }
        Self { diagonal, edges }
    }

    fn times(&self, x: &[Vec2], out: &mut [Vec2]) {
        for ((o, &x), d) in out.iter_mut().zip(x).zip(&self.diagonal) {
            *o = x * *d;
        }
        for &([a, b], w) in &self.edges {
            out[a as usize] -= w * x[b as usize];
            out[b as usize] -= w * x[a as usize];
        }
    }

    /// Conjugate gradients from `x`, both coordinates at once, scaled by the diagonal.
    fn solve(&self, wanted: &[Vec2], x: &mut [Vec2], steps: usize) {
        let n = x.len();
        let mut product = vec![Vec2::ZERO; n];
        self.times(x, &mut product);
        let mut left: Vec<Vec2> = wanted.iter().zip(&product).map(|(w, p)| w - p).collect();
        let scaled = |left: &[Vec2]| -> Vec<Vec2> {
            left.iter()
                .zip(&self.diagonal)
                .map(|(l, d)| l / d.max(1e-9))
                .collect()
        };
        let dot = |a: &[Vec2], b: &[Vec2]| -> Vec2 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let mut step = scaled(&left);
        let mut energy = dot(&left, &step);
        for _ in 0..steps {
            self.times(&step, &mut product);
            if energy.element_sum() < 1e-10 {
                break;
            }
            let share = energy / dot(&step, &product).max(Vec2::splat(1e-12));
            for i in 0..n {
                x[i] += share * step[i];
                left[i] -= share * product[i];
            }
            let next = scaled(&left);
            let after = dot(&left, &next);
            let keep = after / energy.max(Vec2::splat(1e-12));
            for i in 0..n {
                step[i] = next[i] + keep * step[i];
            }
            energy = after;
        }
    }
}

/// The turn (as a unit complex number) after which the bounding box is smallest.
fn narrowest_turn(rim: &[[u32; 2]], flat: &[Vec2]) -> Vec2 {
    let mut best = (f32::INFINITY, Vec2::X);
    for step in 0..30 {
        let angle = step as f32 * 3f32.to_radians();
        let turn = Vec2::new(libm::cosf(angle), libm::sinf(angle));
        let (low, high) = rim.iter().fold((Vec2::MAX, Vec2::MIN), |(l, h), e| {
            let q = turn.rotate(flat[e[0] as usize]);
            (l.min(q), h.max(q))
        });
        let area = (high - low).element_product();
        if area < best.0 {
            best = (area, turn);
        }
    }
    best.1
}

/// Whether no face of a chart is turned over, lies over another, or is stretched or squeezed.
/// `areas` are those of the mesh's faces.
pub fn is_sound(chart: &Chart, areas: &[f32]) -> bool {
    let mut uneven = 0.0;
    for (&f, corners) in chart.faces.iter().zip(&chart.corners) {
        let whole = areas[f as usize];
        let density = (area(corners).max(0.0) / whole.max(1e-12)).sqrt();
        let within = |[low, high]: [f32; 2]| (low..=high).contains(&density);
        if !within(DENSITY[0]) {
            return false;
        }
        if !within(DENSITY[1]) {
            uneven += whole;
        }
    }
    uneven <= UNEVEN_SHARE * chart.area() && !overlaps(chart)
}

/// Whether two faces of a chart lie over each other.
fn overlaps(chart: &Chart) -> bool {
    // Sampled on a grid of about 24 points a face.
    let size = chart.size();
    let points = (24 * chart.faces.len()).clamp(256, 1 << 18) as f32;
    let step = (size.x * size.y / points).sqrt().max(1e-6);
    let (w, h) = ((size.x / step) as usize + 1, (size.y / step) as usize + 1);
    let mut seen = vec![false; w * h];
    for corners in &chart.corners {
        let mut twice = false;
        super::raster::centres(corners, step, w, h, |x, y| {
            twice |= std::mem::replace(&mut seen[y * w + x], true);
        });
        if twice {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_alone_keeps_its_shape_however_thin_and_wherever_it_is_seen_from() {
        for height in [1.0, 1e-2, 1e-6, 1e-9] {
            let mesh = TriMesh {
                positions: vec![
                    [0.3, 40.0, 7.0],
                    [1.3, 40.0, 7.0],
                    [0.8, 40.0 + height, 7.0],
                ],
                triangles: vec![[0, 1, 2]],
            };
            for plane in [Vec3::Z, Vec3::X, Vec3::Y, Vec3::NEG_Z] {
                let chart = lay(&mesh, &[0], plane);
                let size = chart.size();
                assert!(size.max_element() < 1.5, "{height} {plane}: {size}");
                let exact = 0.5 * (mesh.positions[2][1] - 40.0);
                assert!((chart.area() - exact).abs() <= 1e-5 * exact + 1e-12);
            }
        }
    }
}

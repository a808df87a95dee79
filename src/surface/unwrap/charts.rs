//! Cutting a mesh into nearly flat charts and laying each on a plane.

use crate::surface::mesh::TriMesh;
use crate::surface::topology;
use glam::{Vec2, Vec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cosines between a face and its chart's plane: what growth starts with, and what is tried when
/// a chart laid flat would overlap itself.
const CONES: [f32; 4] = [0.62, 0.72, 0.82, 0.92];
/// A chart with less area than this share of the mean tries to join a neighbour.
const CRUMB: f32 = 0.12;
/// Cosine a crumb's faces must keep to the chart they join.
const CRUMB_CONE: f32 = 0.42;

/// Faces laid on a plane.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Triangles of the mesh.
    pub faces: Vec<u32>,
    /// Corners of each face on the plane, metres; area as on the surface.
    pub corners: Vec<[Vec2; 3]>,
}

impl Chart {
    /// Width and height; the chart starts at the origin.
    pub fn size(&self) -> Vec2 {
        self.corners
            .iter()
            .flatten()
            .fold(Vec2::ZERO, |s, &p| s.max(p))
    }
}

/// Cuts the mesh into charts none of which is wider than `widest_m`.
pub fn cut(mesh: &TriMesh, widest_m: f32) -> Vec<Chart> {
    let faces = Faces::new(mesh);
    let all: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
    let mut home = vec![u32::MAX; mesh.triangles.len()];
    let mut grown = faces.grow(&all, CONES[0], widest_m, &mut home, 0);
    faces.merge_crumbs(&mut grown, &mut home, widest_m);
    let mut out = Vec::new();
    for chart in grown.into_iter().filter(|c| !c.is_empty()) {
        faces.lay_whole(chart, 0, widest_m, &mut out);
    }
    out
}

struct Faces<'a> {
    mesh: &'a TriMesh,
    beside: Vec<[u32; 3]>,
    normal: Vec<Vec3>,
    area: Vec<f32>,
    centre: Vec<Vec3>,
}

impl<'a> Faces<'a> {
    fn new(mesh: &'a TriMesh) -> Self {
        let at = |i: u32| Vec3::from_array(mesh.positions[i as usize]);
        let cross: Vec<Vec3> = mesh
            .triangles
            .iter()
            .map(|t| (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])))
            .collect();
        Self {
            mesh,
            beside: topology::neighbours(&mesh.triangles),
            normal: cross.iter().map(|c| c.normalize_or_zero()).collect(),
            area: cross.iter().map(|c| 0.5 * c.length()).collect(),
            centre: mesh
                .triangles
                .iter()
                .map(|t| (at(t[0]) + at(t[1]) + at(t[2])) / 3.0)
                .collect(),
        }
    }

    /// Grows charts over `faces` until each is in one; chart `i` is written to `home` as
    /// `first + i`.
    fn grow(
        &self,
        faces: &[u32],
        cone: f32,
        widest_m: f32,
        home: &mut [u32],
        first: u32,
    ) -> Vec<Vec<u32>> {
        let mut free = vec![false; self.normal.len()];
        faces.iter().for_each(|&f| free[f as usize] = true);
        let mut charts = Vec::new();
        let mut seeds = faces.to_vec();
        // Large flat faces first; the order of faces settles ties.
        seeds.sort_by(|&a, &b| {
            self.area[b as usize]
                .total_cmp(&self.area[a as usize])
                .then(a.cmp(&b))
        });
        for seed in seeds {
            if !free[seed as usize] {
                continue;
            }
            let id = first + charts.len() as u32;
            let mut axis = self.normal[seed as usize] * self.area[seed as usize];
            let (mut low, mut high) = (self.centre[seed as usize], self.centre[seed as usize]);
            let mut chart = Vec::new();
            let mut queue = BinaryHeap::from([(Reverse(0u32), Reverse(seed))]);
            while let Some((_, Reverse(f))) = queue.pop() {
                let i = f as usize;
                let plane = axis.normalize_or_zero();
                let (l, h) = (low.min(self.centre[i]), high.max(self.centre[i]));
                let fits = (h - l).max_element() < widest_m;
                if !free[i] || !fits || self.normal[i].dot(plane) < cone {
                    continue;
                }
                (low, high) = (l, h);
                free[i] = false;
                home[i] = id;
                chart.push(f);
                axis += self.normal[i] * self.area[i];
                for &g in &self.beside[i] {
                    if g != u32::MAX && free[g as usize] {
                        let turn = 1.0 - self.normal[g as usize].dot(plane);
                        let far = self.centre[g as usize].distance(self.centre[seed as usize]);
                        let cost = turn + 0.25 * far / widest_m;
                        // Costs are positive, so their bits sort as they do.
                        queue.push((Reverse(cost.max(0.0).to_bits()), Reverse(g)));
                    }
                }
            }
            charts.push(chart);
        }
        charts
    }

    fn plane(&self, chart: &[u32]) -> Vec3 {
        chart
            .iter()
            .map(|&f| self.normal[f as usize] * self.area[f as usize])
            .sum::<Vec3>()
            .normalize_or_zero()
    }

    fn merge_crumbs(&self, charts: &mut [Vec<u32>], home: &mut [u32], widest_m: f32) {
        let area = |c: &[u32]| c.iter().map(|&f| self.area[f as usize]).sum::<f32>();
        let mean = self.area.iter().sum::<f32>() / charts.len().max(1) as f32;
        let mut order: Vec<usize> = (0..charts.len()).collect();
        order.sort_by(|&a, &b| {
            area(&charts[a])
                .total_cmp(&area(&charts[b]))
                .then(a.cmp(&b))
        });
        for small in order {
            if charts[small].is_empty() || area(&charts[small]) > CRUMB * mean {
                continue;
            }
            let mut shared: Vec<(u32, f32)> = Vec::new();
            for &f in &charts[small] {
                for (i, &g) in self.beside[f as usize].iter().enumerate() {
                    if g == u32::MAX || home[g as usize] == small as u32 {
                        continue;
                    }
                    let t = self.mesh.triangles[f as usize];
                    let length = Vec3::from_array(self.mesh.positions[t[i] as usize]).distance(
                        Vec3::from_array(self.mesh.positions[t[(i + 1) % 3] as usize]),
                    );
                    match shared.iter_mut().find(|s| s.0 == home[g as usize]) {
                        Some(s) => s.1 += length,
                        None => shared.push((home[g as usize], length)),
                    }
                }
            }
            shared.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let target = shared.into_iter().find(|&(id, _)| {
                let plane = self.plane(&charts[id as usize]);
                let members = charts[id as usize].iter().chain(&charts[small]);
                let (low, high) = members.fold((Vec3::MAX, Vec3::MIN), |(l, h), &f| {
                    (
                        l.min(self.centre[f as usize]),
                        h.max(self.centre[f as usize]),
                    )
                });
                (high - low).max_element() < widest_m
                    && charts[small]
                        .iter()
                        .all(|&f| self.normal[f as usize].dot(plane) > CRUMB_CONE)
            });
            if let Some((into, _)) = target {
                let moved = std::mem::take(&mut charts[small]);
                moved.iter().for_each(|&f| home[f as usize] = into);
                charts[into as usize].extend(moved);
            }
        }
    }

    /// Lays a chart flat; cuts it into flatter ones first where it would overlap itself.
    fn lay_whole(&self, faces: Vec<u32>, depth: usize, widest_m: f32, out: &mut Vec<Chart>) {
        let chart = self.lay(&faces);
        if faces.len() == 1 || !overlaps(&chart) {
            out.push(chart);
            return;
        }
        let next = depth + 1;
        if next >= CONES.len() {
            // As flat as it gets: every face by itself cannot overlap.
            out.extend(faces.iter().map(|&f| self.lay(&[f])));
            return;
        }
        let mut home = vec![u32::MAX; self.normal.len()];
        for part in self.grow(&faces, CONES[next], widest_m, &mut home, 0) {
            self.lay_whole(part, next, widest_m, out);
        }
    }

    fn lay(&self, faces: &[u32]) -> Chart {
        let plane = self.plane(faces);
        let x = plane.any_orthonormal_vector();
        let y = plane.cross(x);
        let flat = |i: u32| {
            let p = Vec3::from_array(self.mesh.positions[i as usize]);
            Vec2::new(p.dot(x), p.dot(y))
        };
        let mut corners: Vec<[Vec2; 3]> = faces
            .iter()
            .map(|&f| self.mesh.triangles[f as usize].map(flat))
            .collect();
        let flat_area: f32 = corners
            .iter()
            .map(|[a, b, c]| 0.5 * (*b - *a).perp_dot(*c - *a))
            .sum();
        let area: f32 = faces.iter().map(|&f| self.area[f as usize]).sum();
        let scale = (area / flat_area.max(1e-12)).sqrt();
        let turn = narrowest_turn(&corners);
        for p in corners.iter_mut().flatten() {
            *p = turn.rotate(*p * scale);
        }
        let low = corners.iter().flatten().fold(Vec2::MAX, |l, &p| l.min(p));
        corners.iter_mut().flatten().for_each(|p| *p -= low);
        Chart {
            faces: faces.to_vec(),
            corners,
        }
    }
}

/// The turn (as a unit complex number) after which the bounding box is smallest.
fn narrowest_turn(corners: &[[Vec2; 3]]) -> Vec2 {
    let mut best = (f32::INFINITY, Vec2::X);
    for step in 0..30 {
        let angle = step as f32 * 3f32.to_radians();
        let turn = Vec2::new(libm::cosf(angle), libm::sinf(angle));
        let (low, high) = corners
            .iter()
            .flatten()
            .fold((Vec2::MAX, Vec2::MIN), |(l, h), &p| {
                let q = turn.rotate(p);
                (l.min(q), h.max(q))
            });
        let area = (high - low).element_product();
        if area < best.0 {
            best = (area, turn);
        }
    }
    best.1
}

/// Whether two faces of a chart lie over each other, or one is turned over.
fn overlaps(chart: &Chart) -> bool {
    if chart
        .corners
        .iter()
        .any(|[a, b, c]| (*b - *a).perp_dot(*c - *a) <= 0.0)
    {
        return true;
    }
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

//! Cutting a mesh into nearly flat charts.

use super::flatten::{self, Chart};
use crate::surface::mesh::TriMesh;
use crate::surface::topology;
use glam::Vec3;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Least cosine between a face and its chart's plane while charts grow, and where a chart laid flat
/// would overlap itself or stretch.
const CONES: [f32; 4] = [0.1, 0.5, 0.75, 0.92];
/// A chart with less area than this share of the mean tries to join a neighbour.
const CRUMB: f32 = 0.2;
/// Least cosine of faces that join a chart later.
const JOIN_CONE: f32 = -0.3;
/// Weight of leaning away from the chart's plane, over distance from its middle.
const LEAN_WEIGHT: f32 = 0.5;
/// Most passes of straightening.
const PASSES: usize = 10;

/// Cuts the mesh into charts none of which is wider than `widest_m`.
pub fn cut(mesh: &TriMesh, widest_m: f32) -> Vec<Chart> {
    let faces = Faces::new(mesh);
    let all: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
    let mut home = vec![u32::MAX; mesh.triangles.len()];
    let grown = faces.grow(&all, CONES[0], widest_m, &mut home, 0);
    let mut grown = faces.regrow(&grown, CONES[0], widest_m, &mut home);
    faces.merge_crumbs(&mut grown, &mut home, widest_m);
    let mut out = Vec::new();
    for chart in faces.straighten(&grown, &mut home) {
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

    /// Grows all charts again at once, each from its middle and along its plane (Lloyd's method on
    /// faces; Cohen-Steiner et al. 2004, "Variational Shape Approximation", §3). What no chart
    /// reaches makes charts of its own.
    fn regrow(
        &self,
        charts: &[Vec<u32>],
        cone: f32,
        widest_m: f32,
        home: &mut [u32],
    ) -> Vec<Vec<u32>> {
        home.fill(u32::MAX);
        let planes: Vec<Vec3> = charts.iter().map(|c| self.plane(c)).collect();
        let mut queue = BinaryHeap::new();
        let mut middles = Vec::new();
        for (id, chart) in charts.iter().enumerate() {
            let area: f32 = chart.iter().map(|&f| self.area[f as usize]).sum();
            let weighted: Vec3 = chart
                .iter()
                .map(|&f| self.centre[f as usize] * self.area[f as usize])
                .sum();
            let middle = weighted / area.max(1e-12);
            middles.push(middle);
            let nearest = chart.iter().min_by(|&&a, &&b| {
                let far = |f: u32| self.centre[f as usize].distance_squared(middle);
                far(a).total_cmp(&far(b)).then(a.cmp(&b))
            });
            if let Some(&f) = nearest {
                queue.push((Reverse(0u32), Reverse(f), id as u32));
            }
        }
        let mut out = vec![Vec::new(); charts.len()];
        let mut bounds = vec![(Vec3::MAX, Vec3::MIN); charts.len()];
        while let Some((_, Reverse(f), id)) = queue.pop() {
            let (i, c) = (f as usize, id as usize);
            if home[i] != u32::MAX {
                continue;
            }
            let (low, high) = bounds[c];
            let (low, high) = (low.min(self.centre[i]), high.max(self.centre[i]));
            if (high - low).max_element() >= widest_m || self.normal[i].dot(planes[c]) < cone {
                continue;
            }
            bounds[c] = (low, high);
            home[i] = id;
            out[c].push(f);
            for &g in &self.beside[i] {
                if g != u32::MAX && home[g as usize] == u32::MAX {
                    let turn = 1.0 - self.normal[g as usize].dot(planes[c]);
                    let far = self.centre[g as usize].distance(middles[c]);
                    let cost = LEAN_WEIGHT * turn + far / widest_m;
                    queue.push((Reverse(cost.max(0.0).to_bits()), Reverse(g), id));
                }
            }
        }
        out.retain(|c| !c.is_empty());
        for (id, chart) in out.iter().enumerate() {
            chart.iter().for_each(|&f| home[f as usize] = id as u32);
        }
        let left: Vec<u32> = (0..home.len() as u32)
            .filter(|&f| home[f as usize] == u32::MAX)
            .collect();
        let first = out.len() as u32;
        out.extend(self.grow(&left, cone, widest_m, home, first));
        out
    }

    /// Moves the faces around a border's vertices to the other side where that makes the border
    /// shorter: straight charts pack better.
    fn straighten(&self, charts: &[Vec<u32>], home: &mut [u32]) -> Vec<Vec<u32>> {
        let planes: Vec<Vec3> = charts.iter().map(|c| self.plane(c)).collect();
        let vertices = self.mesh.positions.len();
        let mut starts = vec![0u32; vertices + 1];
        for t in &self.mesh.triangles {
            t.iter().for_each(|&v| starts[v as usize + 1] += 1);
        }
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut around = vec![0u32; 3 * self.mesh.triangles.len()];
        for (f, t) in self.mesh.triangles.iter().enumerate() {
            for &v in t {
                around[next[v as usize] as usize] = f as u32;
                next[v as usize] += 1;
            }
        }
        let length = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|i| Vec3::from_array(self.mesh.positions[i as usize]));
            a.distance(b)
        };
        for _ in 0..PASSES {
            let mut moved = false;
            for v in 0..vertices as u32 {
                let fan = &around[starts[v as usize] as usize..starts[v as usize + 1] as usize];
                let Some(&first) = fan.first() else { continue };
                let one = home[first as usize];
                let Some(two) = fan.iter().map(|&f| home[f as usize]).find(|&h| h != one) else {
                    continue;
                };
                if fan.iter().any(|&f| ![one, two].contains(&home[f as usize])) {
                    continue;
                }
                for (from, to) in [(one, two), (two, one)] {
                    let (mut gain, mut crossings, mut open, mut steep) = (0.0f32, 0, false, false);
                    for &f in fan.iter().filter(|&&f| home[f as usize] == from) {
                        let t = self.mesh.triangles[f as usize];
                        steep |= self.normal[f as usize].dot(planes[to as usize]) < JOIN_CONE;
                        for i in 0..3 {
                            let (a, b, g) = (t[i], t[(i + 1) % 3], self.beside[f as usize][i]);
                            let at_v = a == v || b == v;
                            open |= g == u32::MAX && at_v;
                            let beside = if g == u32::MAX {
                                u32::MAX
                            } else {
                                home[g as usize]
                            };
                            if at_v && beside == to {
                                gain += length(a, b);
                                crossings += 1;
                            } else if !at_v && beside == to {
                                gain += length(a, b);
                            } else if !at_v && beside == from {
                                gain -= length(a, b);
                            }
                        }
                    }
                    if crossings == 2 && !open && !steep && gain > 1e-4 {
                        for &f in fan {
                            if home[f as usize] == from {
                                home[f as usize] = to;
                                moved = true;
                            }
                        }
                        break;
                    }
                }
            }
            if !moved {
                break;
            }
        }
        let mut out = vec![Vec::new(); charts.len()];
        for chart in charts {
            for &f in chart {
                out[home[f as usize] as usize].push(f);
            }
        }
        out.retain(|c| !c.is_empty());
        out
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
                        .all(|&f| self.normal[f as usize].dot(plane) > JOIN_CONE)
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
        let chart = flatten::lay(self.mesh, &faces, self.plane(&faces));
        if faces.len() == 1 || flatten::is_sound(&chart, &self.area) {
            out.push(chart);
            return;
        }
        let next = depth + 1;
        if next >= CONES.len() {
            // As flat as it gets: every face by itself cannot overlap.
            out.extend(
                faces
                    .iter()
                    .map(|&f| flatten::lay(self.mesh, &[f], self.plane(&[f]))),
            );
            return;
        }
        let mut home = vec![u32::MAX; self.normal.len()];
        for part in self.grow(&faces, CONES[next], widest_m, &mut home, 0) {
            self.lay_whole(part, next, widest_m, out);
        }
    }
}

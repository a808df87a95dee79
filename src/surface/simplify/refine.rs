//! Vertices brought back where a simplified mesh is too far off the dense one.

use super::{Simplified, place};
use crate::surface::deviation::{Target, inner_samples};
use crate::surface::linked::{Linked, NONE};
use crate::surface::mesh::TriMesh;
use crate::surface::topology::{MIN_AREA_M2, cross, flatness, sides};
use glam::DVec3;
use rayon::prelude::*;

/// How often vertices are brought back before the rest is called stuck.
const PASSES: usize = 24;
/// Vertices measured one after the other, each with the last one's triangle as a guess.
const RUN: usize = 512;
/// A triangle made by a new vertex is not flatter than this, height over longest edge.
const FLATTEST: f64 = 0.02;
/// Least cosine between such a triangle and the one it replaces.
const UPRIGHT: f64 = 0.05;

/// The dense mesh, ready to be measured.
pub(super) struct Old<'a> {
    mesh: &'a TriMesh,
    target: Target,
    /// Its vertices in the order of its triangles: one after the other is mostly near.
    order: Vec<u32>,
    /// Mean edge, metres.
    pub(super) edge_m: f64,
}

impl<'a> Old<'a> {
    pub(super) fn new(mesh: &'a TriMesh) -> Self {
        let mut seen = vec![false; mesh.positions.len()];
        let vertices = mesh.triangles.iter().flatten().copied();
        let order = vertices
            .filter(|&v| !std::mem::replace(&mut seen[v as usize], true))
            .collect();
        let edges = mesh.triangles.iter().map(|t| {
            let [a, b] = [t[0], t[1]].map(|v| place(mesh.positions[v as usize]));
            a.distance(b)
        });
        Self {
            target: Target::new(&mesh.positions, &mesh.triangles),
            order,
            edge_m: edges.sum::<f64>() / mesh.triangles.len().max(1) as f64,
            mesh,
        }
    }
}

/// A mesh on its way back to the dense one.
pub(super) struct Refine<'a> {
    old: &'a Old<'a>,
    limit2: f64,
    mesh: Linked,
    from: Vec<[u32; 2]>,
    /// For each dense vertex, whether the mesh has it.
    kept: Vec<bool>,
    /// Ends of dense edges whose middles the mesh has.
    middles: Vec<[u32; 2]>,
    /// For each dense vertex, a triangle that is near enough to it, or [`NONE`].
    near: Vec<u32>,
    /// For each triangle, whether it is to be measured.
    changed: Vec<bool>,
    /// For each triangle, whether it is another one since the last measurement.
    touched: Vec<bool>,
}

/// A vertex that is to come back.
struct Far {
    /// Square of a distance that is too large, square metres.
    distance2: f64,
    /// It, or twice the ends of an edge whose middle is meant.
    vertex: [u32; 2],
    /// The triangle that is too far from it, or from the dense mesh beside it.
    face: u32,
}

impl<'a> Refine<'a> {
    pub(super) fn new(old: &'a Old<'a>, limit_m: f64, made: Simplified) -> Self {
        let mut kept = vec![false; old.mesh.positions.len()];
        for [a, b] in &made.from {
            kept[*a as usize] |= a == b;
        }
        Self {
            old,
            limit2: limit_m * limit_m,
            changed: vec![true; made.mesh.triangles.len()],
            touched: vec![true; made.mesh.triangles.len()],
            mesh: Linked::new(made.mesh.positions, made.mesh.triangles, made.labels),
            from: made.from,
            near: vec![NONE; kept.len()],
            kept,
            middles: Vec::new(),
        }
    }

    /// Brings vertices back until no place is too far off; returns the places where it could not.
    pub(super) fn run(mut self) -> (Simplified, Vec<DVec3>) {
        let mut stuck;
        let mut pass = 0;
        loop {
            let mut far;
            (far, stuck) = self.measure();
            if far.is_empty() && stuck.is_empty() {
                far = self.measure_edges();
            }
            far.sort_by(|a, b| (b.distance2.total_cmp(&a.distance2)).then(a.vertex.cmp(&b.vertex)));
            let mut any = false;
            for f in far.iter().filter(|_| pass < PASSES) {
                any |= self.bring_back(f);
            }
            if !any {
                stuck.extend(far.iter().map(|f| place(self.middle(f.vertex))));
                break;
            }
            pass += 1;
        }
        let done = Simplified {
            mesh: TriMesh {
                positions: self.mesh.positions,
                triangles: self.mesh.triangles,
            },
            labels: self.mesh.labels,
            from: self.from,
        };
        (done, stuck)
    }

    fn dense_place(&self, vertex: u32) -> DVec3 {
        place(self.old.mesh.positions[vertex as usize])
    }

    fn middle(&self, [a, b]: [u32; 2]) -> [f32; 3] {
        let [a, b] = [a, b].map(|v| self.old.mesh.positions[v as usize]);
        std::array::from_fn(|k| 0.5 * (a[k] + b[k]))
    }

    /// What is too far off, both ways, of what changed since the last time; and the places for which
    /// no vertex can come back.
    fn measure(&mut self) -> (Vec<Far>, Vec<DVec3>) {
        let faces: Vec<u32> = (0..self.changed.len() as u32)
            .filter(|&f| self.changed[f as usize])
            .collect();
        let (mut far, mut stuck) = (self.measure_vertices(&faces), Vec::new());
        let found: Vec<Vec<(u32, Result<Far, DVec3>)>> = faces
            .par_chunks(RUN)
            .map(|run| {
                let (mut out, mut hint) = (Vec::new(), 0);
                for &face in run {
                    self.measure_face(face, &mut hint, |found| out.push((face, found)));
                }
                out
            })
            .collect();
        self.changed.fill(false);
        self.touched.fill(false);
        for (face, one) in found.into_iter().flatten() {
            match one {
                Ok(f) => far.push(f),
                Err(p) => {
                    stuck.push(p);
                    // To be found again while others come back.
                    self.changed[face as usize] = true;
                }
            }
        }
        (far, stuck)
    }

    /// Dense vertices too far from the mesh: those whose triangle is among `faces`, which have
    /// changed and lie where the ones before lay.
    fn measure_vertices(&mut self, faces: &[u32]) -> Vec<Far> {
        let triangles: Vec<[u32; 3]> = (faces.iter())
            .map(|&f| self.mesh.triangles[f as usize])
            .collect();
        let target = Target::new(&self.mesh.positions, &triangles);
        let near = &self.near;
        let is_known =
            |v: usize| self.kept[v] || near[v] != NONE && !self.changed[near[v] as usize];
        let order = self.old.order.iter().copied();
        let asked: Vec<u32> = order.filter(|&v| !is_known(v as usize)).collect();
        let found: Vec<Vec<(u32, f64)>> = asked
            .par_chunks(RUN)
            .map(|run| {
                let mut hint = 0;
                let mut ask = |&v: &u32| {
                    if let Ok(before) = faces.binary_search(&near[v as usize]) {
                        hint = before as u32;
                    }
                    let d2 = target.distance2(self.dense_place(v), self.limit2, &mut hint);
                    (faces[hint as usize], d2)
                };
                run.iter().map(&mut ask).collect()
            })
            .collect();
        let mut far = Vec::new();
        for (&vertex, (face, distance2)) in asked.iter().zip(found.into_iter().flatten()) {
            self.near[vertex as usize] = face;
            if distance2 > self.limit2 {
                self.near[vertex as usize] = NONE;
                far.push(Far {
                    distance2,
                    vertex: [vertex; 2],
                    face,
                });
            }
        }
        far
    }

    /// Dense edges whose middles are too far from the mesh, all vertices being near enough: those
    /// of a triangle that bridges a fold which the mesh does not follow.
    fn measure_edges(&self) -> Vec<Far> {
        // Where there is none, any will do to begin with.
        let mut near: Vec<u32> =
            (self.near.iter().map(|&f| if f == NONE { 0 } else { f })).collect();
        for (face, t) in self.mesh.triangles.iter().enumerate() {
            for [a, b] in t.map(|w| self.from[w as usize]) {
                if a == b {
                    near[a as usize] = face as u32;
                }
            }
        }
        let target = Target::new(&self.mesh.positions, &self.mesh.triangles);
        let measure = |vertex: [u32; 2]| {
            let p = place(self.middle(vertex));
            let mut face = near[vertex[0] as usize];
            let distance2 = target.distance2(p, self.limit2, &mut face);
            (distance2 > self.limit2).then_some(Far {
                distance2,
                vertex,
                face,
            })
        };
        // Each edge once: on its way up. Those on the border are the mesh's own.
        (self.old.mesh.triangles.par_iter())
            .flat_map_iter(|t| sides(*t).into_iter().filter(|e| e[0] < e[1]))
            .filter_map(measure)
            .collect()
    }

    /// Places of a triangle too far from the dense mesh.
    fn measure_face(&self, face: u32, hint: &mut u32, mut found: impl FnMut(Result<Far, DVec3>)) {
        let t = self.mesh.triangles[face as usize];
        // An edge is measured once, for the lower of two changed triangles; border edges are dense.
        let edges = self.mesh.beside[face as usize]
            .map(|g| g != NONE && (g > face || !self.changed[g as usize]));
        let corners = t.map(|v| place(self.mesh.positions[v as usize]));
        inner_samples(corners, self.old.edge_m, edges, |p| {
            let distance2 = self.old.target.distance2(p, self.limit2, hint);
            if distance2 > self.limit2 {
                found(match self.nearest_free(*hint, p) {
                    Some(vertex) => Ok(Far {
                        distance2,
                        vertex,
                        face,
                    }),
                    None => Err(p),
                });
            }
        });
    }

    /// Of the corners of a dense triangle, or else of the middles of its edges, the nearest to `p`
    /// that the mesh does not have.
    fn nearest_free(&self, face: u32, p: DVec3) -> Option<[u32; 2]> {
        let t = self.old.mesh.triangles[face as usize];
        let far2 = |v: &[u32; 2]| place(self.middle(*v)).distance_squared(p);
        let nearest = |all: [[u32; 2]; 3]| {
            (all.into_iter())
                .filter(|v| !self.has(*v))
                .min_by(|a, b| far2(a).total_cmp(&far2(b)))
        };
        let edge = |i: usize| [t[i].min(t[(i + 1) % 3]), t[i].max(t[(i + 1) % 3])];
        nearest(t.map(|v| [v; 2])).or_else(|| nearest([0, 1, 2].map(edge)))
    }

    fn has(&self, [a, b]: [u32; 2]) -> bool {
        if a == b {
            self.kept[a as usize]
        } else {
            self.middles.contains(&[a, b])
        }
    }

    /// Brings one vertex back; whether that was possible, or may be later.
    fn bring_back(&mut self, far: &Far) -> bool {
        let Far { vertex, face, .. } = *far;
        if self.has(vertex) || self.touched[face as usize] {
            // To be measured again.
            self.changed[face as usize] = true;
            return true;
        }
        for face in self.around(face) {
            if let Some(new) = self.split(face, vertex) {
                self.settle(new);
                return true;
            }
        }
        // Still too far: to be found again.
        self.changed[face as usize] = true;
        false
    }

    /// A triangle and those one and two edges away, but for touched ones.
    fn around(&self, face: u32) -> Vec<u32> {
        let mut all = vec![face];
        for _ in 0..2 {
            for i in 0..all.len() {
                for g in self.mesh.beside[all[i] as usize] {
                    if g != NONE && !self.touched[g as usize] && !all.contains(&g) {
                        all.push(g);
                    }
                }
            }
        }
        all
    }

    /// Cuts a triangle, or it and the one across an edge, at a dense vertex: of the ways that turn
    /// nothing over, the one with the roundest triangles. Returns the new ones.
    fn split(&mut self, face: u32, vertex: [u32; 2]) -> Option<Vec<u32>> {
        let w = self.mesh.positions.len() as u32;
        self.mesh.positions.push(self.middle(vertex));
        let mut best: Option<(f64, Option<usize>)> = self.worth(face, None, w).map(|s| (s, None));
        for i in 0..3 {
            let Some((g, j)) = self.mesh.across(face, i) else {
                continue;
            };
            if !self.mesh.alike(face, g) {
                continue;
            }
            let both = [self.worth(face, Some(i), w), self.worth(g, Some(j), w)];
            if let [Some(a), Some(b)] = both
                && best.is_none_or(|(most, _)| a.min(b) > most)
            {
                best = Some((a.min(b), Some(i)));
            }
        }
        let made = match best {
            Some((_, None)) => Some(self.mesh.split_face(face, w).to_vec()),
            Some((_, Some(i))) => self.mesh.split_edge(face, i, w).map(|f| f.to_vec()),
            None => None,
        };
        if made.is_none() {
            self.mesh.positions.pop();
            return None;
        }
        self.from.push(vertex);
        if vertex[0] == vertex[1] {
            self.kept[vertex[0] as usize] = true;
        } else {
            self.middles.push(vertex);
        }
        made
    }

    /// The flattest of the triangles that a triangle, all of it or but for an edge, becomes with a
    /// new vertex; none when one is too flat or turns over.
    fn worth(&self, face: u32, without: Option<usize>, w: u32) -> Option<f64> {
        let p = &self.mesh.positions;
        let t = self.mesh.triangles[face as usize];
        let length = |n: [f64; 3]| DVec3::from_array(n).length();
        let old = cross(p, t);
        let mut worst = f64::INFINITY;
        for i in (0..3).filter(|&i| Some(i) != without) {
            let new = [t[i], t[(i + 1) % 3], w];
            let n = cross(p, new);
            let cosine = DVec3::from_array(n).dot(DVec3::from_array(old));
            worst = worst.min(flatness(p, new));
            if cosine <= UPRIGHT * length(n) * length(old)
                || length(n) <= 4.0 * MIN_AREA_M2
                || worst < FLATTEST
            {
                return None;
            }
        }
        Some(worst)
    }

    /// Flips the edges around a new vertex where that makes rounder triangles, and notes what
    /// changed.
    fn settle(&mut self, new: Vec<u32>) {
        self.changed.resize(self.mesh.triangles.len(), true);
        self.touched.resize(self.mesh.triangles.len(), true);
        let w = self.mesh.positions.len() as u32 - 1;
        for face in new {
            let t = self.mesh.triangles[face as usize];
            // The edge across from the new vertex.
            let across = t.iter().position(|&v| v == w).map(|i| (i + 1) % 3);
            let other = across.and_then(|i| self.mesh.flip(face, i));
            for f in [Some(face), other].into_iter().flatten() {
                self.changed[f as usize] = true;
                self.touched[f as usize] = true;
            }
        }
    }
}

//! Fewer triangles under a stated error.
//!
//! Edge collapse by quadric error with normals as attributes (Garland & Heckbert 1997; Hoppe 1999),
//! as meshoptimizer implements it. The open border of a chunk stays as it is, to the bit, so that
//! neighbours still meet. Lines between labels, such as terrain layers, move only along themselves.
//!
//! A quadric is an estimate of the error, and knows nothing of other triangles. So the result is
//! measured, both ways, and its triangles are tested against each other; where it is too far off
//! or crosses itself, vertices are locked, and all is collapsed again.

use super::deviation::{Target, samples};
use super::intersect;
use super::mesh::TriMesh;
use super::topology;
use glam::DVec3;
use meshopt::SimplifyOptions;

/// Weight of a unit change of the normal, metres of error.
const NORMAL_WEIGHT: f32 = 0.015;
/// Share of each end of a bridge in the vertex that bends it: near enough to the middle not to be
/// off the surface by much, far enough to be the chunk's own.
const BRIDGE: f32 = 0.46875;
/// Share of the allowed error that collapsing starts with: what it estimates is often less than
/// what is measured, and a vertex that must be locked afterwards costs more triangles.
const START: f64 = 0.85;
/// How often a smaller error is tried when a result is not a manifold.
const TRIES: u32 = 4;
/// How often vertices are locked before the mesh is left as it was.
const ROUNDS: u32 = 16;
/// Deviations below this share of an edge are rounding.
const ROUNDING: f64 = 1e-3;

/// A mesh with fewer triangles.
pub struct Simplified {
    /// The mesh.
    pub mesh: TriMesh,
    /// A label for each triangle, when the old mesh had any.
    pub labels: Vec<u8>,
    /// For each vertex, the two original ones whose attributes it averages; twice the same for a
    /// vertex that was kept.
    pub from: Vec<[u32; 2]>,
}

impl Simplified {
    /// Unit vectors of the original vertices, for the vertices that are left.
    pub fn directions(&self, original: &[[f32; 3]]) -> Vec<[f32; 3]> {
        let average = |[a, b]: [u32; 2]| {
            let (a, b) = (original[a as usize], original[b as usize]);
            let sum: [f32; 3] = std::array::from_fn(|k| a[k] + b[k]);
            let length = sum.iter().map(|c| c * c).sum::<f32>().sqrt().max(1e-12);
            sum.map(|c| c / length)
        };
        self.from
            .iter()
            .map(|&[a, b]| {
                if a == b {
                    original[a as usize]
                } else {
                    average([a, b])
                }
            })
            .collect()
    }

    /// A triangle by vertices of the old mesh, the lowest first; [`NEW`] three times when it has
    /// others.
    fn known(&self, t: [u32; 3]) -> [u32; 3] {
        let from = t.map(|i| self.from[i as usize]);
        if from.iter().any(|[a, b]| a != b) {
            return [NEW; 3];
        }
        let [a, b, c] = from.map(|f| f[0]);
        if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        }
    }
}

/// What to simplify.
#[derive(Clone, Copy)]
pub struct Dense<'a> {
    /// The mesh.
    pub mesh: &'a TriMesh,
    /// Unit normals at its vertices that count as part of the shape; may be empty.
    pub normals: &'a [[f32; 3]],
    /// A label for each triangle, which those of the result inherit; may be empty.
    pub labels: &'a [u8],
}

/// Simplifies a mesh.
///
/// No vertex of the old mesh is farther than `error_m` metres from the new one, and no place on
/// the new one, at samples an edge apart, from the old. The result is an oriented manifold with
/// the same border, without triangles under [`topology::MIN_AREA_M2`] and without any that cross;
/// where collapsing cannot give one, the mesh is returned as it was.
pub fn simplify(dense: &Dense, error_m: f64) -> Simplified {
    let mut work = Work::new(dense, error_m);
    for round in 0..ROUNDS {
        let Some(made) = work.collapse() else { break };
        if !work.lock_far(&made, round) && !work.lock_crossings(&made, round) {
            return made;
        }
    }
    untouched(dense)
}

fn untouched(dense: &Dense) -> Simplified {
    Simplified {
        mesh: dense.mesh.clone(),
        labels: dense.labels.to_vec(),
        from: (0..dense.mesh.positions.len() as u32)
            .map(|i| [i, i])
            .collect(),
    }
}

/// A place of a mesh, metres.
fn place(p: [f32; 3]) -> DVec3 {
    glam::Vec3::from_array(p).as_dvec3()
}

/// A simplification on its way.
struct Work<'a> {
    dense: &'a Dense<'a>,
    border: Vec<[u32; 2]>,
    target: Target<'a>,
    wedges: Wedges,
    /// Vertices that stay where they are.
    locks: Vec<bool>,
    /// Mean edge, metres.
    edge_m: f64,
    limit_m: f64,
    /// For each vertex, a triangle of the last result that is near enough to it; by old vertices.
    near: Vec<[u32; 3]>,
    /// Triangles of the last result that are near enough to the old mesh, sorted.
    good: Vec<[u32; 3]>,
}

/// Stands for a vertex that the old mesh has not.
const NEW: u32 = u32::MAX;

impl<'a> Work<'a> {
    fn new(dense: &'a Dense<'a>, error_m: f64) -> Self {
        let mesh = dense.mesh;
        let target = Target::new(&mesh.positions, &mesh.triangles);
        let edges = (0..mesh.triangles.len() as u32).map(|f| {
            let [a, b, _] = target.corners(f);
            a.distance(b)
        });
        let edge_m = edges.sum::<f64>() / mesh.triangles.len().max(1) as f64;
        Self {
            dense,
            border: topology::border(&mesh.triangles).unwrap_or_default(),
            target,
            wedges: Wedges::split(dense),
            locks: vec![false; mesh.positions.len()],
            edge_m,
            limit_m: error_m.max(ROUNDING * edge_m),
            near: vec![[NEW; 3]; mesh.positions.len()],
            good: Vec::new(),
        }
    }

    /// Collapses edges under an error of at most about the limit, but for locked vertices; none
    /// where no sound mesh comes out.
    fn collapse(&self) -> Option<Simplified> {
        let Dense { mesh, normals, .. } = *self.dense;
        let options = SimplifyOptions::LockBorder | SimplifyOptions::ErrorAbsolute;
        let wedges = &self.wedges;
        let attributes: Vec<f32> = match normals.is_empty() {
            true => Vec::new(),
            false => (wedges.vertex.iter().flat_map(|&v| normals[v as usize])).collect(),
        };
        let weights = if normals.is_empty() {
            &[][..]
        } else {
            &[NORMAL_WEIGHT; 3]
        };
        let positions: Vec<[f32; 3]> = wedges
            .vertex
            .iter()
            .map(|&v| mesh.positions[v as usize])
            .collect();
        let locks: Vec<bool> = wedges
            .vertex
            .iter()
            .map(|&v| self.locks[v as usize])
            .collect();
        let mut error = (START * self.limit_m) as f32;
        for _ in 0..TRIES {
            let out = meshopt::simplify_with_attributes_and_locks_decoder(
                &wedges.indices,
                &positions,
                &attributes,
                weights,
                12,
                &locks,
                0,
                error,
                options,
                None,
            );
            if let Some(made) = self.finish(&out) {
                return Some(made);
            }
            error *= 0.5;
        }
        None
    }

    /// Mends what collapsing left; none when the result is not sound.
    fn finish(&self, wedges: &[u32]) -> Option<Simplified> {
        let mesh = self.dense.mesh;
        let corners = wedges.chunks_exact(3).map(|t| [t[0], t[1], t[2]]);
        let mut labels = match self.dense.labels.is_empty() {
            true => Vec::new(),
            false => (corners.clone().map(|t| self.wedges.label[t[0] as usize])).collect(),
        };
        let mut triangles: Vec<[u32; 3]> = corners
            .map(|t| t.map(|w| self.wedges.vertex[w as usize]))
            .collect();
        topology::flip_slivers(&mesh.positions, &mut triangles, &labels);
        let mut fewer = TriMesh {
            positions: mesh.positions.clone(),
            triangles,
        };
        let added = bend_bridges(&mut fewer, &mut labels, &self.border);
        let sound = topology::border(&fewer.triangles).is_some_and(|b| b == self.border)
            && topology::smallest_area(&fewer.positions, &fewer.triangles) > topology::MIN_AREA_M2;
        if !sound {
            return None;
        }
        let old = mesh.positions.len() as u32;
        let parents = |i: u32| {
            if i < old {
                [i, i]
            } else {
                added[(i - old) as usize]
            }
        };
        let kept = super::compact::compact(&mut fewer);
        Some(Simplified {
            mesh: fewer,
            labels,
            from: kept.into_iter().map(parents).collect(),
        })
    }

    /// Locks vertices by which a result is too far off; whether there are such. What was near
    /// enough in the last round, and has not changed, is not measured again.
    fn lock_far(&mut self, made: &Simplified, round: u32) -> bool {
        let limit2 = self.limit_m * self.limit_m;
        let target = Target::new(&made.mesh.positions, &made.mesh.triangles);
        let known: Vec<[u32; 3]> = (made.mesh.triangles.iter())
            .map(|t| made.known(*t))
            .collect();
        let mut sorted = known.clone();
        sorted.sort_unstable();
        let mut stays = self.locks.clone();
        for &[a, b] in &made.from {
            stays[a as usize] |= a == b;
        }
        // Triangle of the result, square of the distance, vertex.
        let mut far: Vec<(u32, f64, u32)> = Vec::new();
        let mut hint = 0;
        for (i, &p) in self.dense.mesh.positions.iter().enumerate() {
            if stays[i] || self.near[i][0] != NEW && sorted.binary_search(&self.near[i]).is_ok() {
                continue;
            }
            let d2 = target.distance2(place(p), limit2, &mut hint);
            self.near[i] = known[hint as usize];
            if d2 > limit2 {
                self.near[i] = [NEW; 3];
                far.push((hint, d2, i as u32));
            }
        }
        let mut stuck = Vec::new();
        let mut good = Vec::new();
        let mut hint = 0;
        for (face, t) in known.iter().enumerate() {
            if self.good.binary_search(t).is_ok() {
                good.push(*t);
                continue;
            }
            let before = far.len() + stuck.len();
            samples(target.corners(face as u32), self.edge_m, |p| {
                let d2 = self.target.distance2(p, limit2, &mut hint);
                if d2 > limit2 {
                    match self.nearest_free(hint, p) {
                        Some(vertex) => far.push((face as u32, d2, vertex)),
                        None => stuck.push(p),
                    }
                }
            });
            if far.len() + stuck.len() == before && t[0] != NEW {
                good.push(*t);
            }
        }
        good.sort_unstable();
        self.good = good;
        if far.is_empty() && stuck.is_empty() {
            return false;
        }
        // At first the farthest off each triangle; of what is left, all.
        far.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        if round == 0 {
            far.dedup_by_key(|f| f.0);
        }
        for &(_, _, vertex) in &far {
            self.locks[vertex as usize] = true;
        }
        if round > 1 {
            let at = |f: &(u32, f64, u32)| place(self.dense.mesh.positions[f.2 as usize]);
            let places: Vec<DVec3> = far.iter().map(at).collect();
            self.lock_within(&places, self.edge_m);
        }
        self.lock_around(&stuck, self.edge_m);
        true
    }

    /// Of the corners of an old triangle, the nearest to `p` that is not locked.
    fn nearest_free(&self, face: u32, p: DVec3) -> Option<u32> {
        let mesh = self.dense.mesh;
        let far2 = |v: &u32| place(mesh.positions[*v as usize]).distance_squared(p);
        (mesh.triangles[face as usize].into_iter())
            .filter(|&v| !self.locks[v as usize])
            .min_by(|a, b| far2(a).total_cmp(&far2(b)))
    }

    /// Locks the vertices within `reach_m` of any of the places; where all are, those farther
    /// around.
    fn lock_around(&mut self, places: &[DVec3], mut reach_m: f64) {
        while !places.is_empty() && !self.lock_within(places, reach_m) {
            if self.locks.iter().all(|l| *l) {
                return;
            }
            reach_m *= 2.0;
        }
    }

    /// Locks the vertices within `reach_m` of any of the places; whether there were such.
    fn lock_within(&mut self, places: &[DVec3], reach_m: f64) -> bool {
        let mut places = places.to_vec();
        places.sort_by(|a, b| a.x.total_cmp(&b.x));
        let mut any = false;
        for (q, lock) in self.dense.mesh.positions.iter().zip(&mut self.locks) {
            if *lock {
                continue;
            }
            let q = place(*q);
            let first = places.partition_point(|p| p.x < q.x - reach_m);
            let mut beside = places[first..].iter().take_while(|p| p.x <= q.x + reach_m);
            if beside.any(|p| q.distance_squared(*p) <= reach_m * reach_m) {
                (*lock, any) = (true, true);
            }
        }
        any
    }

    /// Locks vertices where triangles of a result cross; whether there are such.
    fn lock_crossings(&mut self, made: &Simplified, round: u32) -> bool {
        let mesh = &made.mesh;
        let pairs = intersect::crossings(&mesh.positions, &mesh.triangles);
        let at = |&[f, g]: &[u32; 2]| {
            let [s, t] = [f, g].map(|f| mesh.triangles[f as usize]);
            DVec3::from_array(intersect::place(&mesh.positions, s, t))
        };
        let places: Vec<DVec3> = pairs.iter().map(at).collect();
        self.lock_around(&places, self.edge_m * f64::from(1 + round));
        !pairs.is_empty()
    }
}

/// A mesh whose vertices are split where labels meet: so meshoptimizer sees a seam, and moves its
/// vertices along it only, both sides together.
struct Wedges {
    indices: Vec<u32>,
    vertex: Vec<u32>,
    label: Vec<u8>,
}

impl Wedges {
    fn split(dense: &Dense) -> Self {
        let triangles = &dense.mesh.triangles;
        let label = |face: usize| dense.labels.get(face).copied().unwrap_or(0);
        let mut wedges: Vec<(u32, u8)> = triangles
            .iter()
            .enumerate()
            .flat_map(|(f, t)| t.map(|v| (v, label(f))))
            .collect();
        wedges.sort_unstable();
        wedges.dedup();
        let index = |w: (u32, u8)| wedges.binary_search(&w).unwrap_or(0) as u32;
        Self {
            indices: (triangles.iter().enumerate())
                .flat_map(|(f, t)| t.map(|v| index((v, label(f)))))
                .collect(),
            vertex: wedges.iter().map(|w| w.0).collect(),
            label: wedges.iter().map(|w| w.1).collect(),
        }
    }
}

/// Gives every inner edge between two border vertices a vertex of its own.
///
/// Both neighbours of a border could otherwise get the same such edge, and the joined surface an
/// edge with four faces. The new vertex leans towards the chunk's own side, so it differs from the
/// neighbour's. Returns the two ends of the edge of each added vertex.
fn bend_bridges(mesh: &mut TriMesh, labels: &mut Vec<u8>, border: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut added = Vec::new();
    let mut flat_too = false;
    loop {
        let round = bend_round(mesh, labels, border, flat_too);
        if !round.left {
            added.extend(round.added);
            return added;
        }
        // Only where nothing leads to the chunk's own side.
        flat_too = round.added.is_empty();
        added.extend(round.added);
    }
}

/// One pass of [`bend_bridges`].
struct Round {
    /// Ends of the edge of each added vertex.
    added: Vec<[u32; 2]>,
    /// Whether there are edges for another pass.
    left: bool,
}

/// Splits a triangle at most once: bridges beside each other wait for the next round. So do, unless
/// `flat_too`, those between two triangles of border vertices only: the middle of such four may lie
/// in the plane between the chunks, where the neighbour would find it too. A bridge around them has
/// a vertex off that plane, and brings it to them.
fn bend_round(
    mesh: &mut TriMesh,
    labels: &mut Vec<u8>,
    border: &[[u32; 2]],
    flat_too: bool,
) -> Round {
    let mut on_border = vec![false; mesh.positions.len()];
    border
        .iter()
        .flatten()
        .for_each(|&i| on_border[i as usize] = true);
    let beside = topology::neighbours(&mesh.triangles);
    let mut touched = vec![false; mesh.triangles.len()];
    let mut round = Round {
        added: Vec::new(),
        left: false,
    };
    for f in 0..touched.len() {
        for i in 0..3 {
            let t = mesh.triangles[f];
            let (a, b, c) = (t[i], t[(i + 1) % 3], t[(i + 2) % 3]);
            let g = beside[f][i];
            if g == u32::MAX || !on_border[a as usize] || !on_border[b as usize] {
                continue;
            }
            if touched[f] || touched[g as usize] {
                round.left = true;
                continue;
            }
            let other = mesh.triangles[g as usize];
            let Some(&d) = other.iter().find(|&&v| v != a && v != b) else {
                continue;
            };
            if !flat_too && on_border[c as usize] && on_border[d as usize] {
                round.left = true;
                continue;
            }
            let [pa, pb, pc, pd] = [a, b, c, d].map(|v| mesh.positions[v as usize]);
            let new = mesh.positions.len() as u32;
            mesh.positions.push(std::array::from_fn(|k| {
                BRIDGE * (pa[k] + pb[k]) + (0.5 - BRIDGE) * (pc[k] + pd[k])
            }));
            round.added.push([a, b]);
            on_border.push(false);
            mesh.triangles[f] = [a, new, c];
            mesh.triangles[g as usize] = [b, new, d];
            mesh.triangles.push([new, b, c]);
            mesh.triangles.push([new, a, d]);
            if let (Some(&one), Some(&other)) = (labels.get(f), labels.get(g as usize)) {
                labels.extend([one, other]);
            }
            (touched[f], touched[g as usize]) = (true, true);
        }
    }
    round
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bridges_leave_the_plane_between_chunks() {
        // Below the bridge 0-1 a sheet in the plane y = 0, above it one face that leaves it.
        let mut mesh = TriMesh {
            positions: vec![
                [0.0, 0.0, 0.0],
                [3.0, 0.0, 0.0],
                [2.9, 0.0, -1.0],
                [0.1, 0.0, -1.0],
                [1.5, 1.0, 0.5],
            ],
            triangles: vec![[1, 3, 2], [3, 1, 0], [0, 1, 4]],
        };
        let border = [[0, 3], [3, 2], [2, 1]];
        let added = bend_bridges(&mut mesh, &mut Vec::new(), &border);
        assert_eq!(added.len(), 2);
        let new = &mesh.positions[5..];
        assert!(new.iter().all(|p| p[1] > 0.0), "{new:?}");
        // A sheet alone is split as well, and the work ends.
        let mut sheet = TriMesh {
            positions: mesh.positions[..4].to_vec(),
            triangles: vec![[1, 3, 2], [3, 1, 0]],
        };
        assert_eq!(bend_bridges(&mut sheet, &mut Vec::new(), &border).len(), 1);
        assert_eq!(sheet.triangles.len(), 4);
    }
}

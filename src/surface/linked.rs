//! Triangles that know their neighbours, to be split and flipped.

use super::topology::{cross, edge2, flatness, neighbours};

/// Triangles flatter than this (height over longest edge) are flipped away where possible.
const SLIVER: f64 = 0.02;
/// Stands for no neighbour.
pub const NONE: u32 = u32::MAX;

/// An oriented manifold and its adjacency.
pub struct Linked {
    /// Vertices, metres.
    pub positions: Vec<[f32; 3]>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// A label for each triangle, or none for all.
    pub labels: Vec<u8>,
    /// Neighbour across each edge `(t[i], t[i + 1])` of each triangle, or [`NONE`].
    pub beside: Vec<[u32; 3]>,
}

impl Linked {
    /// Links triangles.
    pub fn new(positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>, labels: Vec<u8>) -> Self {
        Self {
            beside: neighbours(&triangles),
            positions,
            triangles,
            labels,
        }
    }

    /// Whether two triangles have the same label.
    pub fn alike(&self, f: u32, g: u32) -> bool {
        self.labels.get(f as usize) == self.labels.get(g as usize)
    }

    /// The triangle across edge `i` of `f`, and that edge's index in it.
    pub fn across(&self, f: u32, i: usize) -> Option<(u32, usize)> {
        let g = self.beside[f as usize][i];
        let start = self.triangles[f as usize][(i + 1) % 3];
        let other = self.triangles.get(g as usize)?;
        Some((g, other.iter().position(|&v| v == start)?))
    }

    /// Tells the triangle across edge `i` of `f` that it is `f`.
    fn relink(&mut self, f: u32, i: usize) {
        if let Some((g, j)) = self.across(f, i) {
            self.beside[g as usize][j] = f;
        }
    }

    fn push(&mut self, like: u32, triangle: [u32; 3], beside: [u32; 3]) -> u32 {
        self.triangles.push(triangle);
        self.beside.push(beside);
        if let Some(&label) = self.labels.get(like as usize) {
            self.labels.push(label);
        }
        self.triangles.len() as u32 - 1
    }

    /// Cuts a triangle into three around vertex `w`, the last of each; returns them.
    pub fn split_face(&mut self, f: u32, w: u32) -> [u32; 3] {
        let ([a, b, c], [ab, bc, ca]) = (self.triangles[f as usize], self.beside[f as usize]);
        let second = self.triangles.len() as u32;
        self.push(f, [b, c, w], [bc, second + 1, f]);
        self.push(f, [c, a, w], [ca, f, second]);
        self.triangles[f as usize] = [a, b, w];
        self.beside[f as usize] = [ab, second, second + 1];
        self.relink(second, 0);
        self.relink(second + 1, 0);
        [f, second, second + 1]
    }

    /// Cuts edge `i` of a triangle, and the triangle across it, at vertex `w`, the last of each of
    /// the four; returns them. None at the border.
    pub fn split_edge(&mut self, f: u32, i: usize, w: u32) -> Option<[u32; 4]> {
        let (g, j) = self.across(f, i)?;
        let turned = |of: [u32; 3], by: usize| std::array::from_fn(|k| of[(k + by) % 3]);
        let [a, b, c] = turned(self.triangles[f as usize], i);
        let [_, bc, ca] = turned(self.beside[f as usize], i);
        let [_, _, d] = turned(self.triangles[g as usize], j);
        let [_, ad, db] = turned(self.beside[g as usize], j);
        let second = self.triangles.len() as u32;
        self.push(f, [b, c, w], [bc, f, g]);
        self.push(g, [a, d, w], [ad, g, f]);
        self.triangles[f as usize] = [c, a, w];
        self.beside[f as usize] = [ca, second + 1, second];
        self.triangles[g as usize] = [d, b, w];
        self.beside[g as usize] = [db, second, second + 1];
        self.relink(second, 0);
        self.relink(second + 1, 0);
        Some([f, second, g, second + 1])
    }

    /// Flips edge `i` of a triangle where that makes the flatter of the two rounder, neither turns
    /// over, both have the same label and the new edge does not exist; returns the other triangle.
    pub fn flip(&mut self, f: u32, i: usize) -> Option<u32> {
        let (g, j) = self.across(f, i)?;
        if !self.alike(f, g) {
            return None;
        }
        let (t, other) = (self.triangles[f as usize], self.triangles[g as usize]);
        let (a, b, tip, far) = (t[i], t[(i + 1) % 3], t[(i + 2) % 3], other[(j + 2) % 3]);
        let (one, two) = ([tip, a, far], [tip, far, b]);
        let p = &self.positions;
        let worst = flatness(p, one).min(flatness(p, two));
        if worst <= flatness(p, t).min(flatness(p, other)) {
            return None;
        }
        // A needle has no side to speak of.
        let sides = [t, other].into_iter().filter(|&t| flatness(p, t) > SLIVER);
        let upright = |t: [u32; 3]| {
            let n = cross(p, t);
            (sides.clone()).all(|s| dot(n, cross(p, s)) > 0.0)
        };
        if !upright(one) || !upright(two) || dot(cross(p, one), cross(p, two)) <= 0.0 {
            return None;
        }
        if self.has_edge(f, (i + 2) % 3, far) {
            return None;
        }
        let [_, tip_b, a_tip] = std::array::from_fn(|k| self.beside[f as usize][(i + k) % 3]);
        let [_, a_far, far_b] = std::array::from_fn(|k| self.beside[g as usize][(j + k) % 3]);
        self.triangles[f as usize] = one;
        self.beside[f as usize] = [a_tip, a_far, g];
        self.triangles[g as usize] = two;
        self.beside[g as usize] = [f, far_b, tip_b];
        self.relink(f, 1);
        self.relink(g, 2);
        Some(g)
    }

    /// Whether an edge leads from corner `i` of a triangle to a vertex.
    fn has_edge(&self, f: u32, i: usize, to: u32) -> bool {
        let v = self.triangles[f as usize][i];
        // Around the corner one way, and from the border the other way.
        for back in [false, true] {
            let (mut at, mut corner) = (f, i);
            loop {
                let t = self.triangles[at as usize];
                if t.contains(&to) {
                    return true;
                }
                let edge = if back { corner } else { (corner + 2) % 3 };
                let Some((next, _)) = self.across(at, edge) else {
                    break;
                };
                if next == f {
                    return false;
                }
                let Some(same) = self.triangles[next as usize].iter().position(|&u| u == v) else {
                    return false;
                };
                (at, corner) = (next, same);
            }
        }
        false
    }

    /// Flips the longest edge of needle-flat triangles.
    pub fn flip_slivers(&mut self) {
        for _ in 0..3 {
            let mut flips = 0;
            for f in 0..self.triangles.len() {
                let t = self.triangles[f];
                if flatness(&self.positions, t) >= SLIVER {
                    continue;
                }
                let length2 = |&i: &usize| edge2(&self.positions, t, i);
                let longest = (0..3).max_by(|i, j| length2(i).total_cmp(&length2(j)));
                flips += usize::from(self.flip(f as u32, longest.unwrap_or(0)).is_some());
            }
            if flips == 0 {
                return;
            }
        }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::topology::{area, border, smallest_area};

    /// A square of two triangles.
    fn square() -> Linked {
        let p = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        Linked::new(p.to_vec(), vec![[0, 1, 2], [0, 2, 3]], vec![4, 4])
    }

    fn assert_sound(mesh: &Linked, area_m2: f64) {
        assert_eq!(mesh.beside, neighbours(&mesh.triangles));
        let all: f64 = mesh
            .triangles
            .iter()
            .map(|&t| area(&mesh.positions, t))
            .sum();
        assert!((all - area_m2).abs() < 1e-6, "{all}");
        assert_eq!(mesh.labels, vec![4; mesh.triangles.len()]);
    }

    #[test]
    fn splits_and_flips_keep_area_border_and_links() {
        let mut mesh = square();
        let border_before = border(&mesh.triangles);
        mesh.positions.push([0.4, 0.2, 0.0]);
        assert_eq!(mesh.split_face(0, 4).len(), 3);
        assert_sound(&mesh, 1.0);
        let diagonal = mesh.triangles.iter().position(|t| *t == [2, 0, 4]).unwrap();
        mesh.positions.push([0.5, 0.5, 0.0]);
        assert!(mesh.split_edge(diagonal as u32, 0, 5).is_some());
        assert_sound(&mesh, 1.0);
        assert_eq!(mesh.triangles.len(), 6);
        assert_eq!(mesh.split_edge(0, 0, 5), None, "at the border");
        for f in 0..6 {
            for i in 0..3 {
                mesh.flip(f, i);
                assert_sound(&mesh, 1.0);
            }
        }
        assert_eq!(border(&mesh.triangles), border_before);
    }

    #[test]
    fn a_flip_goes_back_when_it_would_be_flatter_or_an_edge_exists() {
        let mut mesh = square();
        mesh.positions[1] = [2.0, -1.0, 0.0];
        assert_eq!(mesh.flip(0, 2), None);
        mesh.positions[1] = [0.7, 0.1, 0.0];
        assert_eq!(mesh.flip(0, 2), Some(1));
        // Of a tetrahedron every edge exists.
        let p = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.5, 0.4, 0.0],
            [0.5, 0.1, 0.01],
        ];
        let whole = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let mut closed = Linked::new(p.to_vec(), whole.clone(), vec![]);
        (0..4).for_each(|f| (0..3).for_each(|i| assert_eq!(closed.flip(f, i), None)));
        assert_eq!(closed.triangles, whole);
    }

    #[test]
    fn a_sliver_is_flipped() {
        let p = [
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [1.0, 0.001, 0.0],
            [1.0, -1.0, 0.0],
        ];
        let mut mesh = Linked::new(p.to_vec(), vec![[0, 1, 2], [1, 0, 3]], vec![]);
        mesh.flip_slivers();
        assert!(smallest_area(&p, &mesh.triangles) > 0.1);
    }
}

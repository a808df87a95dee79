//! Pieces joined where their vertices have the same bits.

use super::report::Place;
use super::subject::Piece;
use crate::bvh::{Aabb, Bvh};
use crate::sets::Sets;
use crate::surface::topology::sides;
use rayon::prelude::*;

/// A mesh put together from its pieces.
pub(super) struct Whole<'a> {
    pub(super) pieces: &'a [Piece],
    /// Welded vertices, in the order of their bits.
    pub(super) positions: Vec<[f32; 3]>,
    /// Triangles of all pieces, in their order; after them those that close the openings.
    pub(super) triangles: Vec<[u32; 3]>,
    /// How many triangles are the pieces' own.
    pub(super) own: usize,
    /// First triangle of each piece.
    starts: Vec<usize>,
    /// Triangles by place.
    pub(super) tree: Bvh,
}

/// A directed edge of a triangle, as `[lower, higher]` vertex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Use {
    pub(super) edge: [u32; 2],
    /// Whether the triangle runs from the higher to the lower vertex.
    pub(super) back: bool,
    pub(super) face: u32,
}

/// A place that is equal exactly where its coordinates are: -0 is 0.
pub(super) fn bits(p: [f32; 3]) -> [u32; 3] {
    p.map(|c| (c + 0.0).to_bits())
}

impl<'a> Whole<'a> {
    /// Joins pieces.
    pub(super) fn weld(pieces: &'a [Piece]) -> Self {
        let mut keys: Vec<[u32; 3]> = pieces
            .iter()
            .flat_map(|p| p.positions.iter().map(|&p| bits(p)))
            .collect();
        keys.par_sort_unstable();
        keys.dedup();
        let ids: Vec<Vec<u32>> = pieces
            .par_iter()
            .map(|piece| {
                let id = |p: &[f32; 3]| keys.binary_search(&bits(*p)).unwrap_or(0) as u32;
                piece.positions.iter().map(id).collect()
            })
            .collect();
        let mut triangles = Vec::new();
        let mut starts = Vec::new();
        for (piece, ids) in pieces.iter().zip(&ids) {
            starts.push(triangles.len());
            triangles.extend(piece.triangles.iter().map(|t| t.map(|i| ids[i as usize])));
        }
        let positions: Vec<[f32; 3]> = keys.into_iter().map(|k| k.map(f32::from_bits)).collect();
        let own = triangles.len();
        let tree = tree(&positions, &triangles);
        Self {
            pieces,
            positions,
            triangles,
            own,
            starts,
            tree,
        }
    }

    /// Adds triangles that close openings: to the volume, not to the mesh.
    pub(super) fn close(&mut self, centres: Vec<[f32; 3]>, caps: Vec<[u32; 3]>) {
        if caps.is_empty() {
            return;
        }
        self.positions.extend(centres);
        self.triangles.extend(caps);
        self.tree = tree(&self.positions, &self.triangles);
    }

    /// The triangles of the pieces.
    pub(super) fn faces(&self) -> &[[u32; 3]] {
        &self.triangles[..self.own]
    }

    /// Corners of a triangle, metres.
    pub(super) fn corners(&self, face: usize) -> [[f64; 3]; 3] {
        self.triangles[face].map(|i| self.positions[i as usize].map(f64::from))
    }

    /// Centre of a triangle and its chunk.
    pub(super) fn place(&self, face: usize) -> Place {
        let [a, b, c] = self.corners(face);
        self.at(face, std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0))
    }

    /// A point with the chunk of a triangle.
    pub(super) fn at(&self, face: usize, point: [f64; 3]) -> Place {
        let piece = self.starts.partition_point(|&s| s <= face).max(1) - 1;
        let chunk = (face < self.own).then(|| self.pieces[piece].chunk.clone());
        Place { point, chunk }
    }

    /// All uses of edges, sorted.
    pub(super) fn uses(&self) -> Vec<Use> {
        let mut uses: Vec<Use> = self
            .triangles
            .par_iter()
            .enumerate()
            .flat_map_iter(|(face, t)| {
                sides(*t).map(|[a, b]| Use {
                    edge: [a.min(b), a.max(b)],
                    back: a > b,
                    face: face as u32,
                })
            })
            .collect();
        uses.par_sort_unstable();
        uses
    }

    /// Number of connected pieces of surface, the smallest's triangle if there are several, and
    /// how many triangles the smallest has.
    pub(super) fn islands(&self) -> (usize, usize, usize) {
        let mut sets = Sets::new(self.positions.len());
        for t in &self.triangles {
            sets.join(t[0] as usize, t[1] as usize);
            sets.join(t[0] as usize, t[2] as usize);
        }
        let mut count = vec![(0usize, usize::MAX); self.positions.len()];
        for (face, t) in self.triangles.iter().enumerate() {
            let island = &mut count[sets.find(t[0] as usize)];
            *island = (island.0 + 1, island.1.min(face));
        }
        let islands = count.iter().filter(|c| c.0 > 0);
        let smallest = islands.clone().min().copied().unwrap_or((0, 0));
        (islands.count(), smallest.1, smallest.0)
    }
}

fn tree(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Bvh {
    let boxes: Vec<Aabb> = triangles
        .par_iter()
        .map(|t| Aabb::around(&t.map(|i| positions[i as usize])))
        .collect();
    Bvh::build(&boxes)
}

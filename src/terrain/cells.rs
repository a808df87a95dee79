//! The surface in coarse cells, each with its attributes.

use crate::field::CaveField;
use crate::noise;
use crate::surface::{Surface, topology};
use rayon::prelude::*;

/// A cell of the terrain grid, by `[z, y, x]`.
pub type Key = [i32; 3];

/// What the surface is like in one cell; every attribute 0–1 but the slope.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// Where.
    pub key: Key,
    /// Middle of the surface in the cell, metres.
    pub centre: [f32; 3],
    /// Area, square metres.
    pub area: f32,
    /// Degrees from horizontal ground; over 90 is overhanging.
    pub slope_deg: f32,
    /// Perlin noise, wetness, and pooling in hollows.
    pub moisture: f32,
    /// 1 at the entrance, falling inwards.
    pub temperature: f32,
    /// How much the normals inside the cell differ, and noise for the rubble too fine to be in the mesh.
    pub roughness: f32,
}

/// How wet and how large: what attributes depend on besides the shape.
#[derive(Clone, Copy, Debug)]
pub struct Climate {
    /// Key of the moisture noise.
    pub key: u32,
    /// 0 dry, 1 dripping.
    pub wetness: f32,
    /// Mean size of a patch, metres.
    pub patch_m: f32,
    /// Where it is warm.
    pub entrance: [f32; 3],
}

/// The key of the cell that holds a point.
pub fn key_of(p: [f32; 3], cell_m: f32) -> Key {
    let [x, y, z] = p.map(|c| (c / cell_m).floor() as i32);
    [z, y, x]
}

/// Every cell that holds some of the surface, ascending by key.
pub fn gather(surface: &Surface, field: &CaveField, cell_m: f32, climate: &Climate) -> Vec<Cell> {
    let mut pieces: Vec<(Key, [f32; 3], [f64; 3])> = surface
        .chunks
        .par_iter()
        .flat_map_iter(|c| {
            c.shell.triangles.iter().map(move |&t| {
                let [a, b, d] = t.map(|i| c.shell.positions[i as usize]);
                let centre: [f32; 3] = std::array::from_fn(|k| (a[k] + b[k] + d[k]) / 3.0);
                (
                    key_of(centre, cell_m),
                    centre,
                    topology::cross(&c.shell.positions, t),
                )
            })
        })
        .collect();
    pieces.par_sort_by_key(|p| p.0);
    let groups: Vec<&[_]> = pieces.chunk_by(|a, b| a.0 == b.0).collect();
    let mut cells: Vec<Cell> = groups
        .par_iter()
        .map(|group| summarise(group, climate))
        .collect();
    pool(&mut cells, field, climate);
    cells
}

fn summarise(group: &[(Key, [f32; 3], [f64; 3])], climate: &Climate) -> Cell {
    let (mut area, mut normal, mut centre) = (0.0f64, [0.0f64; 3], [0.0f64; 3]);
    for (_, c, n) in group {
        let a = 0.5 * n.iter().map(|v| v * v).sum::<f64>().sqrt();
        area += a;
        for k in 0..3 {
            normal[k] += 0.5 * n[k];
            centre[k] += a * f64::from(c[k]);
        }
    }
    let centre = centre.map(|c| (c / area.max(1e-12)) as f32);
    let length = normal.iter().map(|v| v * v).sum::<f64>().sqrt();
    let up = (normal[2] / length.max(1e-12)).clamp(-1.0, 1.0);
    let from = (0..3)
        .map(|k| f64::from(centre[k] - climate.entrance[k]).powi(2))
        .sum::<f64>()
        .sqrt();
    let wave = |metres: f32, key: u32| {
        0.5 + 1.2 * noise::perlin_one(climate.key ^ key, centre.map(|c| c / metres))
    };
    let rubble = 0.7 * wave(2.0 * climate.patch_m, 2).clamp(0.0, 1.0);
    let damp = 0.65 * wave(3.0 * climate.patch_m, 0) + 0.35 * wave(climate.patch_m, 1);
    Cell {
        key: group[0].0,
        centre,
        area: area as f32,
        slope_deg: libm::acos(up).to_degrees() as f32,
        moisture: (damp + climate.wetness - 0.5).clamp(0.0, 1.0),
        temperature: libm::exp(-from / 60.0) as f32,
        roughness: (4.0 * (1.0 - length / area.max(1e-12)) as f32 + rubble).clamp(0.0, 1.0),
    }
}

/// Water runs to where the floor is lower than the floor around.
fn pool(cells: &mut [Cell], field: &CaveField, climate: &Climate) {
    let rings = [0.5f32, 1.0].map(|r| r * climate.patch_m);
    let extra: Vec<f32> = cells
        .par_iter()
        .map(|cell| {
            if cell.slope_deg > 45.0 {
                return 0.0;
            }
            let (mut sum, mut n) = (0.0, 0);
            for ring in rings {
                for (dx, dy) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
                    let [x, y, z] = cell.centre;
                    let beside = [x + ring * dx, y + ring * dy, z + 0.3];
                    if let Some(floor) = field.floor_z(beside) {
                        sum += floor;
                        n += 1;
                    }
                }
            }
            if n == 0 {
                0.0
            } else {
                (sum / n as f32 - cell.centre[2]).clamp(-0.5, 0.5)
            }
        })
        .collect();
    for (cell, hollow) in cells.iter_mut().zip(extra) {
        cell.moisture = (cell.moisture + hollow * climate.wetness).clamp(0.0, 1.0);
    }
}

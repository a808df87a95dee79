//! The layer of every place on the surface.

use super::cells::{self, Climate, Key};
use super::layers::{LayerId, LayerSet};
use super::regions;
use crate::config::Config;
use crate::field::CaveField;
use crate::progress::{Cancelled, Job};
use crate::rng::{Domain, noise_key};
use crate::surface::Surface;

/// The layer of every cell of a sparse grid along the surface.
pub struct TerrainMap {
    /// Cell edge, metres.
    pub cell_m: f32,
    /// Area of each layer, square metres.
    pub area_m2: Vec<f64>,
    keys: Vec<Key>,
    layer: Vec<LayerId>,
    moisture: Vec<u8>,
}

/// A dense copy of the map around one chunk, for texture baking.
pub struct TerrainWindow {
    /// Centre of cell (0, 0, 0), metres.
    pub origin: [f32; 3],
    /// Cell edge, metres.
    pub cell_m: f32,
    /// Cells along x, y, z.
    pub size: [usize; 3],
    /// Layer of each cell, x fastest; `TerrainWindow::NONE` where there is no surface near.
    pub cells: Vec<LayerId>,
    /// Moisture of each cell, 0–255, same order.
    pub moisture: Vec<u8>,
}

impl TerrainWindow {
    /// No layer here.
    pub const NONE: LayerId = LayerId::MAX;
}

/// Rings of cells beyond the surface that still know their layer.
const RINGS: usize = 2;

/// Gives every place on the surface its layer.
///
/// # Errors
/// Only when cancelled.
pub fn classify(
    surface: &Surface,
    field: &CaveField,
    set: &LayerSet,
    config: &Config,
    job: &Job,
) -> Result<TerrainMap, Cancelled> {
    let cell_m = config.terrain.cell_m as f32;
    let climate = Climate {
        key: noise_key(config.seed, Domain::Terrain, 1),
        wetness: config.terrain.wetness as f32,
        patch_m: config.terrain.patch_m as f32,
        entrance: [0.0; 3],
    };
    job.step(0, 4)?;
    let cells = cells::gather(surface, field, cell_m, &climate);
    job.step(1, 4)?;
    let layer = regions::grow(&cells, set, climate.patch_m, config.seed);
    job.step(2, 4)?;
    let mut area_m2 = vec![0.0; set.layers.len()];
    for (cell, &l) in cells.iter().zip(&layer) {
        area_m2[l as usize] += f64::from(cell.area);
    }
    let mut map = TerrainMap {
        cell_m,
        area_m2,
        keys: cells.iter().map(|c| c.key).collect(),
        layer,
        moisture: cells
            .iter()
            .map(|c| (c.moisture * 255.0).round() as u8)
            .collect(),
    };
    for _ in 0..RINGS {
        map.widen();
    }
    job.step(3, 4)?;
    Ok(map)
}

impl TerrainMap {
    /// The layer at a point on (or within two cells of) the surface.
    pub fn layer_at(&self, p: [f32; 3]) -> Option<LayerId> {
        self.find(cells::key_of(p, self.cell_m))
            .map(|i| self.layer[i])
    }

    /// The part of the map that a box needs, dense.
    pub fn window(&self, low: [f32; 3], high: [f32; 3]) -> TerrainWindow {
        let [z0, y0, x0] = cells::key_of(low, self.cell_m).map(|k| k - RINGS as i32);
        let [z1, y1, x1] = cells::key_of(high, self.cell_m).map(|k| k + RINGS as i32);
        let size = [x1 - x0 + 1, y1 - y0 + 1, z1 - z0 + 1].map(|n| n as usize);
        let n = size[0] * size[1] * size[2];
        let mut out = TerrainWindow {
            origin: [x0, y0, z0].map(|k| (k as f32 + 0.5) * self.cell_m),
            cell_m: self.cell_m,
            size,
            cells: vec![TerrainWindow::NONE; n],
            moisture: vec![0; n],
        };
        for z in z0..=z1 {
            for y in y0..=y1 {
                let row = ((z - z0) as usize * size[1] + (y - y0) as usize) * size[0];
                let start = self.keys.partition_point(|k| *k < [z, y, x0]);
                for (i, key) in self.keys.iter().enumerate().skip(start) {
                    if *key > [z, y, x1] {
                        break;
                    }
                    let at = row + (key[2] - x0) as usize;
                    out.cells[at] = self.layer[i];
                    out.moisture[at] = self.moisture[i];
                }
            }
        }
        out
    }

    fn find(&self, key: Key) -> Option<usize> {
        self.keys.binary_search(&key).ok()
    }

    /// Adds the cells next to known ones, each with the layer of its nearest neighbour.
    fn widen(&mut self) {
        let mut added: Vec<(Key, i32, usize)> = Vec::new();
        for (i, &key) in self.keys.iter().enumerate() {
            for k in regions::neighbourhood(key) {
                if self.find(k).is_none() {
                    let away = (0..3).map(|a| (k[a] - key[a]).abs()).sum();
                    added.push((k, away, i));
                }
            }
        }
        added.sort_unstable();
        added.dedup_by_key(|a| a.0);
        let mut all: Vec<(Key, LayerId, u8)> = added
            .into_iter()
            .map(|(k, _, i)| (k, self.layer[i], self.moisture[i]))
            .chain((0..self.keys.len()).map(|i| (self.keys[i], self.layer[i], self.moisture[i])))
            .collect();
        all.sort_unstable();
        self.keys = all.iter().map(|a| a.0).collect();
        self.layer = all.iter().map(|a| a.1).collect();
        self.moisture = all.iter().map(|a| a.2).collect();
    }
}

//! Patches of one layer, grown over the cells.
//!
//! Seeds lie about a patch apart. Which layer claims a seed is TrailblA*'s rule,
//! `s = Π exp(−(x − ideal)² / 2σ²)` over its attributes, the best wins. Seeds grow by a priority queue
//! with world-synth's cost, `(distance · w_d + bearing · w_b) · (1 − noise) · growth_bias`, every term
//! 0–1 but the last, which makes cells dear that another layer suits better, over cells whose slope
//! the layer can lie on; a patch is connected, but for single cells that then join what surrounds them.

use super::cells::{Cell, Key};
use super::layers::{Layer, LayerId, LayerSet};
use crate::noise;
use crate::rng::{Domain, stream};
use rand::RngExt as _;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const DISTANCE_WEIGHT: f32 = 0.8;
const BEARING_WEIGHT: f32 = 0.2;
/// How much noise can cheapen a cell.
const NOISE_SHARE: f32 = 0.7;

/// How much dearer a cell gets that does not suit the layer at all.
const MISFIT: f32 = 4.0;

/// How well a layer suits a cell, 0–1.
pub fn score(layer: &Layer, cell: &Cell) -> f32 {
    let term = |x: f32, [ideal, sigma]: [f32; 2]| {
        let t = (x - ideal) / sigma;
        libm::expf(-0.5 * t * t)
    };
    term(cell.moisture, layer.moisture)
        * term(cell.temperature, layer.temperature)
        * term(cell.roughness, layer.roughness)
}

/// Whether a layer can lie at a cell's slope.
pub fn lies(layer: &Layer, cell: &Cell) -> bool {
    (layer.slope_deg[0]..=layer.slope_deg[1]).contains(&cell.slope_deg)
}

/// The best layer for a cell among those that can lie there, else the best of all.
fn best(set: &LayerSet, cell: &Cell) -> LayerId {
    let pick = |only: bool| {
        set.layers
            .iter()
            .enumerate()
            .filter(|(_, l)| !only || lies(l, cell))
            .max_by(|(i, a), (j, b)| score(a, cell).total_cmp(&score(b, cell)).then(j.cmp(i)))
            .map(|(i, _)| i as LayerId)
    };
    pick(true).or_else(|| pick(false)).unwrap_or(0)
}

/// The layer of every cell; `cells` ascend by key.
pub fn grow(cells: &[Cell], set: &LayerSet, patch_m: f32, seed: u64) -> Vec<LayerId> {
    let grid = Grid { cells };
    let top: Vec<f32> = cells
        .iter()
        .map(|cell| {
            let suits = set
                .layers
                .iter()
                .filter(|l| lies(l, cell))
                .map(|l| score(l, cell));
            suits.fold(1e-12, f32::max)
        })
        .collect();
    let mut owner: Vec<LayerId> = vec![LayerId::MAX; cells.len()];
    let mut queue = BinaryHeap::new();
    let mut seeds: Vec<(usize, LayerId)> = scatter(cells, patch_m, seed)
        .into_iter()
        .map(|at| (at, best(set, &cells[at])))
        .collect();
    seat_all(&mut seeds, cells, set);
    // The patch that last put a cell in the queue: what it costs that patch stays the same.
    let mut offered = vec![u32::MAX; cells.len()];
    let mut first_unclaimed = 0;
    let mut patches = Vec::new();
    loop {
        for (at, layer) in seeds.drain(..) {
            let patch = patches.len() as u32;
            patches.push(Patch::new(&cells[at], layer, seed, patch));
            queue.push((Reverse(0u32), Reverse(at as u32), patch));
        }
        while let Some((_, Reverse(at), patch)) = queue.pop() {
            let at = at as usize;
            if owner[at] != LayerId::MAX {
                continue;
            }
            let p: &Patch = &patches[patch as usize];
            owner[at] = p.layer;
            for next in grid.around(cells[at].key) {
                let open = owner[next] == LayerId::MAX && offered[next] != patch;
                if open && lies(&set.layers[p.layer as usize], &cells[next]) {
                    offered[next] = patch;
                    let fit = score(&set.layers[p.layer as usize], &cells[next]) / top[next];
                    let bias = 1.0 + MISFIT * (1.0 - fit.min(1.0));
                    let cost = p.cost(&cells[next], patch_m) * bias;
                    queue.push((Reverse(cost.to_bits()), Reverse(next as u32), patch));
                }
            }
        }
        // What no patch could reach becomes the seed of its own.
        while first_unclaimed < cells.len() && owner[first_unclaimed] != LayerId::MAX {
            first_unclaimed += 1;
        }
        if first_unclaimed == cells.len() {
            break;
        }
        seeds.push((first_unclaimed, best(set, &cells[first_unclaimed])));
    }
    despeckle(&grid, set, &mut owner);
    owner
}

/// Gives every layer that won no seed the one that suits it best, where it can lie, so that each
/// layer of a set is met in every cave that has a place for it.
fn seat_all(seeds: &mut [(usize, LayerId)], cells: &[Cell], set: &LayerSet) {
    for (l, layer) in set.layers.iter().enumerate() {
        let l = l as LayerId;
        if seeds.iter().any(|s| s.1 == l) {
            continue;
        }
        let held = |of: LayerId| seeds.iter().filter(|s| s.1 == of).count();
        let suits = (0..seeds.len())
            .filter(|&i| lies(layer, &cells[seeds[i].0]) && held(seeds[i].1) > 1)
            .max_by(|&i, &j| {
                let score = |k: usize| score(layer, &cells[seeds[k].0]);
                score(i).total_cmp(&score(j)).then(j.cmp(&i))
            });
        if let Some(i) = suits {
            seeds[i].1 = l;
        }
    }
}

struct Patch {
    layer: LayerId,
    centre: [f32; 3],
    bearing: [f32; 2],
    key: u32,
}

impl Patch {
    fn new(cell: &Cell, layer: LayerId, seed: u64, patch: u32) -> Self {
        let angle = stream(seed, Domain::Terrain, (1 << 32) | u64::from(patch))
            .random_range(0.0..std::f64::consts::TAU);
        Self {
            layer,
            centre: cell.centre,
            bearing: [libm::cos(angle) as f32, libm::sin(angle) as f32],
            key: crate::rng::noise_key(seed, Domain::Terrain, u64::from(patch)),
        }
    }

    fn cost(&self, cell: &Cell, patch_m: f32) -> f32 {
        let d: [f32; 3] = std::array::from_fn(|k| cell.centre[k] - self.centre[k]);
        let far = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        let flat = (d[0] * d[0] + d[1] * d[1]).sqrt().max(1e-6);
        let along = ((d[0] * self.bearing[0] + d[1] * self.bearing[1]) / flat).clamp(-1.0, 1.0);
        let distance = (far / (4.0 * patch_m)).min(1.0);
        let bearing = libm::acosf(along) / std::f32::consts::PI;
        let wave = noise::perlin_one(self.key, cell.centre.map(|c| c / (0.6 * patch_m)));
        let noise = NOISE_SHARE * (0.5 + 0.5 * wave).clamp(0.0, 1.0);
        (distance * DISTANCE_WEIGHT + bearing * distance.min(0.25) * 4.0 * BEARING_WEIGHT)
            * (1.0 - noise)
    }
}

/// Cells about a patch apart, in an order that depends on the seed alone.
fn scatter(cells: &[Cell], patch_m: f32, seed: u64) -> Vec<usize> {
    let mut rng = stream(seed, Domain::Terrain, 0);
    let mut order: Vec<(u64, usize)> = (0..cells.len()).map(|i| (rng.random::<u64>(), i)).collect();
    order.sort_unstable();
    let coarse = |i: usize| super::cells::key_of(cells[i].centre, patch_m);
    let mut taken: std::collections::BTreeMap<Key, Vec<usize>> = Default::default();
    let mut seeds = Vec::new();
    for (_, i) in order {
        let near = neighbourhood(coarse(i)).any(|k| {
            taken.get(&k).is_some_and(|list| {
                list.iter().any(|&j| {
                    let d2: f32 = (0..3)
                        .map(|k| (cells[i].centre[k] - cells[j].centre[k]).powi(2))
                        .sum();
                    d2 < patch_m * patch_m
                })
            })
        });
        if !near {
            taken.entry(coarse(i)).or_default().push(i);
            seeds.push(i);
        }
    }
    seeds
}

/// The 27 keys around and at one.
pub fn neighbourhood([z, y, x]: Key) -> impl Iterator<Item = Key> {
    (-1..=1).flat_map(move |dz| {
        (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| [z + dz, y + dy, x + dx]))
    })
}

struct Grid<'a> {
    cells: &'a [Cell],
}

impl Grid<'_> {
    fn around(&self, key: Key) -> impl Iterator<Item = usize> + '_ {
        neighbourhood(key)
            .filter(move |k| *k != key)
            .filter_map(|k| self.cells.binary_search_by_key(&k, |c| c.key).ok())
    }
}

/// A cell with almost no neighbour of its own layer takes the layer most of them have.
fn despeckle(grid: &Grid, set: &LayerSet, owner: &mut [LayerId]) {
    for _ in 0..2 {
        let before = owner.to_vec();
        for (i, cell) in grid.cells.iter().enumerate() {
            let mut count = vec![0usize; set.layers.len()];
            grid.around(cell.key)
                .for_each(|j| count[before[j] as usize] += 1);
            let most = (0..count.len())
                .max_by_key(|&l| (count[l], Reverse(l)))
                .unwrap_or(0);
            if count[before[i] as usize] <= 2 && count[most] > 2 {
                owner[i] = most as LayerId;
            }
        }
    }
}

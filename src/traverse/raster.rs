//! Triangles to columns of surfaces.
//!
//! A vertical line through the middle of every cell is cut with every triangle. Surfaces that face up are ground,
//! those that face down are roof; the void above a ground ends at the next surface.

use super::Error;
use super::grid::Grid;
use crate::progress::{Cancelled, Job};
use crate::terrain::CollisionMesh;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Surfaces of one column that face alike and are closer than this are one, metres.
const MERGE_M: f32 = 0.02;
/// Surfaces that face alike and are closer than this are one triangle's edge, seen from both sides, metres.
const SAME_M: f32 = 1e-4;
/// Distance at which a point counts as on an edge, times the edge's length, square metres.
const EDGE: f64 = 1e-9;
/// Roof clearance where nothing is above, metres.
pub(super) const OPEN_SKY_M: f32 = 1000.0;
/// Steepest gradient kept, rise over run; what is steeper is a wall all the same.
const MAX_GRADIENT: f64 = 100.0;
/// Rows that one task works on.
const BAND: u32 = 16;
/// Cells that a floor may need, counted before work starts.
const MAX_CELLS: f64 = 3e8;
/// Columns along one axis.
const MAX_AXIS: f64 = 4e6;

/// A surface that faces up, and the void above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ground {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// Height at the middle of the cell, metres.
    pub z: f32,
    /// Height of the void above, metres.
    pub roof: f32,
    /// Rise over run of the triangle along x and y.
    pub gradient: [f32; 2],
    /// Layer.
    pub layer: u8,
}

/// A cut of a column's line with a triangle.
#[derive(Clone, Copy)]
struct Hit {
    x: u32,
    y: u32,
    z: f32,
    gradient: [f32; 2],
    up: bool,
    layer: u8,
}

/// All grounds, sorted by row, column and height, and the grid they lie on.
pub(super) fn grounds(
    meshes: &[CollisionMesh],
    cell_m: f64,
    job: &Job<'_>,
) -> Result<(Grid, Vec<Ground>), Error> {
    let grid = bounding_grid(meshes, cell_m)?;
    let bands = assign_bands(meshes, &grid, job)?;
    let done = AtomicU64::new(0);
    let total = bands.len() as u64;
    let parts = bands
        .par_iter()
        .enumerate()
        .map(|(band, triangles)| {
            let mut hits = Vec::new();
            for (count, &(mesh, triangle)) in triangles.iter().enumerate() {
                if count % 4096 == 0 {
                    job.check()?;
                }
                let mesh = &meshes[mesh as usize];
                let corners = mesh.triangles[triangle as usize].map(|v| mesh.positions[v as usize]);
                cut(corners, mesh.layer, &grid, band as u32 * BAND, &mut hits);
            }
            hits.sort_unstable_by(|a: &Hit, b| {
                (a.y, a.x)
                    .cmp(&(b.y, b.x))
                    .then(a.z.total_cmp(&b.z))
                    .then_with(|| {
                        (a.up, a.layer, a.gradient.map(f32::to_bits)).cmp(&(
                            b.up,
                            b.layer,
                            b.gradient.map(f32::to_bits),
                        ))
                    })
            });
            job.step(done.fetch_add(1, Ordering::Relaxed) + 1, total)?;
            Ok(columns(&hits))
        })
        .collect::<Result<Vec<_>, Cancelled>>()?;
    let grounds: Vec<Ground> = parts.concat();
    if grounds.is_empty() {
        return Err(Error::Empty);
    }
    Ok((grid, grounds))
}

/// Checks the meshes and spans the grid over them.
fn bounding_grid(meshes: &[CollisionMesh], cell_m: f64) -> Result<Grid, Error> {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    let mut cells = 0.0;
    for (index, mesh) in meshes.iter().enumerate() {
        let fault = |what: String| Error::Mesh {
            mesh: index,
            chunk: mesh.chunk,
            what,
        };
        for (v, p) in mesh.positions.iter().enumerate() {
            if !p.iter().all(|c| c.is_finite()) {
                return Err(fault(format!(
                    "vertex {v} is {p:?}, allowed are finite coordinates"
                )));
            }
        }
        for (t, triangle) in mesh.triangles.iter().enumerate() {
            let mut a = [f64::INFINITY; 2];
            let mut b = [f64::NEG_INFINITY; 2];
            for &v in triangle {
                let Some(p) = mesh.positions.get(v as usize) else {
                    let count = mesh.positions.len();
                    return Err(fault(format!(
                        "triangle {t} asks for vertex {v} of {count}"
                    )));
                };
                for k in 0..2 {
                    a[k] = a[k].min(f64::from(p[k]));
                    b[k] = b[k].max(f64::from(p[k]));
                }
            }
            cells += ((b[0] - a[0]) / cell_m) * ((b[1] - a[1]) / cell_m);
            for k in 0..2 {
                low[k] = low[k].min(a[k]);
                high[k] = high[k].max(b[k]);
            }
        }
    }
    if low[0] > high[0] {
        return Err(Error::Empty);
    }
    if cells > MAX_CELLS {
        return Err(Error::TooLarge {
            cells,
            cell_m,
            limit: MAX_CELLS,
        });
    }
    let first = low.map(|c| (c / cell_m).floor());
    let last = high.map(|c| (c / cell_m).floor());
    let far = first
        .iter()
        .chain(&last)
        .fold(0.0f64, |far, c| far.max(c.abs()));
    if far > MAX_AXIS {
        return Err(Error::TooLarge {
            cells: far,
            cell_m,
            limit: MAX_AXIS,
        });
    }
    Ok(Grid {
        cell_m,
        min: first.map(|c| c as i32),
        size: [
            (last[0] - first[0]) as u32 + 1,
            (last[1] - first[1]) as u32 + 1,
        ],
    })
}

/// The triangles (mesh, index) that touch each band of rows, in the order given.
fn assign_bands(
    meshes: &[CollisionMesh],
    grid: &Grid,
    job: &Job<'_>,
) -> Result<Vec<Vec<(u32, u32)>>, Cancelled> {
    let mut bands = vec![Vec::new(); grid.size[1].div_ceil(BAND) as usize];
    for (m, mesh) in meshes.iter().enumerate() {
        job.check()?;
        for (t, triangle) in mesh.triangles.iter().enumerate() {
            let ys = triangle.map(|v| f64::from(mesh.positions[v as usize][1]));
            let Some((first, last)) = covered(ys, grid.cell_m, grid.min[1], grid.size[1]) else {
                continue;
            };
            for band in first / BAND..=last / BAND {
                bands[band as usize].push((m as u32, t as u32));
            }
        }
    }
    Ok(bands)
}

/// First and last cell along an axis whose middle may lie within the coordinates.
fn covered(c: [f64; 3], cell_m: f64, min: i32, size: u32) -> Option<(u32, u32)> {
    let low = c[0].min(c[1]).min(c[2]) / cell_m - f64::from(min) - 0.5;
    let high = c[0].max(c[1]).max(c[2]) / cell_m - f64::from(min) - 0.5;
    // A hair more on both sides; the exact test follows.
    let first = (low - 1e-6).ceil().max(0.0);
    let last = (high + 1e-6).floor().min(f64::from(size) - 1.0);
    (first <= last).then_some((first as u32, last as u32))
}

/// Twice the signed area of `a`, `b`, `p`, exactly negated when `a` and `b` are swapped, so that no point falls
/// between two triangles that share an edge.
fn side(a: [f64; 3], b: [f64; 3], p: [f64; 2]) -> f64 {
    let flip = (a[0], a[1]) > (b[0], b[1]);
    let (a, b) = if flip { (b, a) } else { (a, b) };
    let area = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    if flip { -area } else { area }
}

/// Cuts one triangle with the lines of the band that starts at row `first_row`.
fn cut(corners: [[f32; 3]; 3], layer: u8, grid: &Grid, first_row: u32, hits: &mut Vec<Hit>) {
    let [a, b, c] = corners.map(|p| p.map(f64::from));
    let area = side(a, b, [c[0], c[1]]);
    if area == 0.0 {
        return;
    }
    let (u, v) = (
        [b[0] - a[0], b[1] - a[1], b[2] - a[2]],
        [c[0] - a[0], c[1] - a[1], c[2] - a[2]],
    );
    let gradient = [
        (u[2] * v[1] - v[2] * u[1]) / area,
        (u[0] * v[2] - v[0] * u[2]) / area,
    ];
    let low = a[2].min(b[2]).min(c[2]);
    let high = a[2].max(b[2]).max(c[2]);
    let xs = covered([a[0], b[0], c[0]], grid.cell_m, grid.min[0], grid.size[0]);
    let ys = covered([a[1], b[1], c[1]], grid.cell_m, grid.min[1], grid.size[1]);
    let (Some(xs), Some(ys)) = (xs, ys) else {
        return;
    };
    let sign = if area > 0.0 { 1.0 } else { -1.0 };
    for y in ys.0.max(first_row)..=ys.1.min(first_row + BAND - 1) {
        for x in xs.0..=xs.1 {
            let p = grid.center(x, y);
            let weights = [side(b, c, p), side(c, a, p), side(a, b, p)];
            if weights.iter().any(|w| w * sign < -EDGE) {
                continue;
            }
            let z = (weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2]) / area;
            hits.push(Hit {
                x,
                y,
                z: z.clamp(low, high) as f32,
                gradient: gradient.map(|g| g.clamp(-MAX_GRADIENT, MAX_GRADIENT) as f32),
                up: area > 0.0,
                layer,
            });
        }
    }
}

/// Merges sorted hits into grounds.
fn columns(hits: &[Hit]) -> Vec<Ground> {
    let mut grounds = Vec::new();
    let mut column: Vec<Hit> = Vec::new();
    for group in hits.chunk_by(|a, b| (a.y, a.x) == (b.y, b.x)) {
        column.clear();
        let mut shared = 1.0;
        for hit in group {
            match column.last_mut() {
                Some(last) if last.up == hit.up && hit.z - last.z < MERGE_M => {
                    if hit.z - last.z < SAME_M {
                        // Half of each triangle, so that none is preferred by its order.
                        let share = 1.0 / (shared + 1.0);
                        for (mine, other) in last.gradient.iter_mut().zip(hit.gradient) {
                            *mine += (other - *mine) * share;
                        }
                        last.layer = last.layer.min(hit.layer);
                        shared += 1.0;
                    } else if hit.up {
                        // The void is what remains: the upper ground and the lower roof.
                        (*last, shared) = (*hit, 1.0);
                    }
                }
                _ => {
                    column.push(*hit);
                    shared = 1.0;
                }
            }
        }
        for (i, hit) in column.iter().enumerate().filter(|(_, hit)| hit.up) {
            let roof = match column.get(i + 1) {
                None => OPEN_SKY_M,
                Some(next) if next.up => continue, // buried in a body that stands on it
                Some(next) => next.z - hit.z,
            };
            let Hit {
                x,
                y,
                z,
                gradient,
                layer,
                ..
            } = *hit;
            grounds.push(Ground {
                x,
                y,
                z,
                roof,
                gradient,
                layer,
            });
        }
    }
    grounds
}

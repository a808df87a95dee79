//! Incline and roughness of the ground as the robot feels them.
//!
//! The slope of a place is the steeper of two gradients, each averaged over about half a footprint of linked
//! surroundings: that of the triangles, which also knows faces too steep to be linked, and that of a plane through the
//! linked heights, which also knows stairs of level treads.

use super::grid::DIRECTIONS;
use super::links::{Links, NONE};
use super::raster::Ground;
use super::robot::Robot;
use crate::progress::{Cancelled, Job};
use rayon::prelude::*;

/// Slope, radians, and roughness, metres, of a span.
pub(super) type Incline = (f32, f32);

/// Gradients of the triangle and of the plane, rise over run along x and y.
type Gradients = [f32; 4];

/// Incline of every span.
pub(super) fn inclines(
    grounds: &[Ground],
    links: &[Links],
    cell_m: f64,
    robot: &Robot,
    job: &Job<'_>,
) -> Result<Vec<Incline>, Cancelled> {
    let fits: Vec<(Gradients, f32)> = grounds
        .par_iter()
        .zip(links)
        .map(|(ground, own)| {
            let (plane, roughness) = fit(ground, own, grounds, cell_m as f32);
            let [x, y] = ground.gradient;
            let [px, py] = plane.unwrap_or(ground.gradient);
            ([x, y, px, py], roughness)
        })
        .collect();
    let mut gradients: Vec<Gradients> = fits.iter().map(|(g, _)| *g).collect();
    let half = f64::from(robot.length_m.min(robot.width_m)) / 2.0;
    let passes = ((half / cell_m).round() as usize).clamp(1, 8) - 1;
    for _ in 0..passes {
        job.check()?;
        gradients = gradients
            .par_iter()
            .zip(links)
            .map(|(own, links)| {
                let mut sum = *own;
                let mut count = 1.0;
                for &b in links.iter().filter(|b| **b != NONE) {
                    for (s, g) in sum.iter_mut().zip(gradients[b as usize]) {
                        *s += g;
                    }
                    count += 1.0;
                }
                sum.map(|s| s / count)
            })
            .collect();
    }
    Ok(gradients
        .par_iter()
        .zip(&fits)
        .map(|(g, (_, roughness))| {
            let rise = (g[0] * g[0] + g[1] * g[1])
                .max(g[2] * g[2] + g[3] * g[3])
                .sqrt();
            (libm::atanf(rise), *roughness)
        })
        .collect())
}

/// Least-squares plane through a span and its linked neighbours: gradient, if they do not lie on one line, and the
/// root mean square of what it leaves.
fn fit(ground: &Ground, links: &Links, grounds: &[Ground], cell_m: f32) -> (Option<[f32; 2]>, f32) {
    let neighbours = || {
        links
            .iter()
            .zip(DIRECTIONS)
            .filter(|(b, _)| **b != NONE)
            .map(|(&b, [dx, dy])| {
                let dz = grounds[b as usize].z - ground.z;
                (dx as f32 * cell_m, dy as f32 * cell_m, dz)
            })
    };
    let (mut xx, mut xy, mut yy, mut xz, mut yz) = (0.0f32, 0.0, 0.0, 0.0, 0.0);
    for (x, y, z) in neighbours() {
        xx += x * x;
        xy += x * y;
        yy += y * y;
        xz += x * z;
        yz += y * z;
    }
    let determinant = xx * yy - xy * xy;
    if determinant < 0.5 * cell_m * cell_m * cell_m * cell_m {
        return (None, 0.0);
    }
    let g = [
        (xz * yy - yz * xy) / determinant,
        (yz * xx - xz * xy) / determinant,
    ];
    let (mut sum, mut squares, mut count) = (0.0f32, 0.0f32, 1.0f32);
    for (x, y, z) in neighbours() {
        let residual = z - g[0] * x - g[1] * y;
        sum += residual;
        squares += residual * residual;
        count += 1.0;
    }
    let mean = sum / count;
    (Some(g), (squares / count - mean * mean).max(0.0).sqrt())
}

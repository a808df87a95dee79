//! Straight lines over the floor.

use super::floor::Floor;
use super::grid::direction;
use super::links::NONE;
use super::search::Terms;

/// A point on the floor that need not be the middle of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    /// The span it lies on.
    pub span: u32,
    /// Position, metres.
    pub xy: [f64; 2],
}

/// What a straight line costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Where it ends.
    pub end: Spot,
    /// Its cost, by the same terms as a step of A\*.
    pub cost: f64,
    /// Cost of a metre of the dearest layer on it.
    pub dearest: f64,
}

impl Floor {
    /// The middle of a span.
    pub(super) fn spot(&self, id: u32) -> Spot {
        let span = &self.spans[id as usize];
        Spot {
            span: id,
            xy: self.grid.center(span.x, span.y),
        }
    }

    /// Height of the ground at a spot, metres: bilinear between the middles of the four cells around it.
    pub(super) fn height(&self, spot: Spot) -> f64 {
        let span = &self.spans[spot.span as usize];
        let z = f64::from(span.z);
        let [u, v] = self.grid.cell_from_map(spot.xy);
        let (u, v) = (u - f64::from(span.x) - 0.5, v - f64::from(span.y) - 0.5);
        let step = |c: f64| if c < 0.0 { -1 } else { 1 };
        let (dx, dy) = (step(u), step(v));
        let own = &self.links[spot.span as usize];
        let around = [direction(dx, 0), direction(0, dy), direction(dx, dy)].map(|d| own[d]);
        if around.contains(&NONE) {
            return z;
        }
        let [zx, zy, zxy] = around.map(|id| f64::from(self.spans[id as usize].z));
        let (u, v) = (u.abs().min(1.0), v.abs().min(1.0));
        (z * (1.0 - u) + zx * u) * (1.0 - v) + (zy * (1.0 - u) + zxy * u) * v
    }

    /// Follows the straight line from a spot to a point, telling each cell on the way with the shares of the line
    /// at which it is entered and left. None when the line leaves the walkable cells.
    pub(super) fn trace(
        &self,
        from: Spot,
        to: [f64; 2],
        mut visit: impl FnMut(u32, f64, f64),
    ) -> Option<Spot> {
        let start = self.grid.cell_from_map(from.xy);
        let end = self.grid.cell_from_map(to);
        let delta = [end[0] - start[0], end[1] - start[1]];
        let span = &self.spans[from.span as usize];
        let cell = [f64::from(span.x), f64::from(span.y)];
        let mut next = [f64::INFINITY; 2];
        for k in 0..2 {
            if delta[k] != 0.0 {
                let border = if delta[k] > 0.0 {
                    cell[k] + 1.0
                } else {
                    cell[k]
                };
                next[k] = ((border - start[k]) / delta[k]).max(0.0);
            }
        }
        let sign = delta.map(|d| if d > 0.0 { 1 } else { -1 });
        let (mut at, mut entered) = (from.span, 0.0);
        loop {
            let leave = next[0].min(next[1]);
            if leave >= 1.0 {
                visit(at, entered, 1.0);
                return Some(Spot { span: at, xy: to });
            }
            visit(at, entered, leave);
            let crossed = [next[0] - leave < 1e-9, next[1] - leave < 1e-9];
            let step = |k: usize| if crossed[k] { sign[k] } else { 0 };
            let d = direction(step(0), step(1));
            if self.spans[at as usize].moves & (1 << d) == 0 {
                return None;
            }
            at = self.links[at as usize][d];
            entered = leave;
            for k in 0..2 {
                if crossed[k] {
                    next[k] += 1.0 / delta[k].abs();
                }
            }
        }
    }

    /// The straight line from a spot to a point; none when it leaves what may be driven on.
    pub(super) fn line(&self, from: Spot, to: [f64; 2], terms: &Terms) -> Option<Line> {
        let along = |t: f64| {
            [
                from.xy[0] + (to[0] - from.xy[0]) * t,
                from.xy[1] + (to[1] - from.xy[1]) * t,
            ]
        };
        let run = ((to[0] - from.xy[0]).powi(2) + (to[1] - from.xy[1]).powi(2)).sqrt();
        let (mut cost, mut dearest) = (0.0, 0.0f64);
        let (mut height, mut penalty_before) = (self.height(from), 0.0f64);
        let end = self.trace(from, to, |id, enter, leave| {
            let after = self.height(Spot {
                span: id,
                xy: along(leave),
            });
            let (dx, dz) = ((leave - enter) * run, after - height);
            height = after;
            let span = &self.spans[id as usize];
            dearest = dearest.max(terms.layer(span));
            if dx > 0.0 {
                let length = (dx * dx + dz * dz).sqrt();
                let penalty = terms.penalty(span);
                // As for a step: the dearer of the two cells counts.
                cost += length * penalty.max(penalty_before) * terms.incline(dz, dx);
                penalty_before = penalty;
            }
        })?;
        dearest.is_finite().then_some(Line { end, cost, dearest })
    }
}

//! The places where things can stand: a grid of points on the floor along the passages.

use super::lines::Lines;
use crate::field::CaveField;
use crate::skeleton::Skeleton;
use rayon::prelude::*;

/// Levels at which a vertical line is looked at.
const LEVELS: usize = 8;
/// How far under the centre line the floor is looked for, half widths.
const DOWN: f64 = 2.0;
/// How far over a place in the void the roof is looked for, half widths.
const UP: f64 = 4.0;
/// Places are looked for as far from the centre line, half widths.
const ASIDE: f64 = 1.3;

/// A place on the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Column of the grid.
    pub column: [i32; 2],
    /// Middle of the column, metres.
    pub at: [f64; 2],
    /// Height of a point of the void over it, metres.
    pub void: f64,
    /// About the height of the floor, metres.
    pub floor: f64,
    /// Half width of the passage here, metres.
    pub passage_m: f64,
    /// Distance to the centre line in plan, metres.
    pub line_m: f64,
}

/// Places in a grid of `step_m`, sorted by column and height.
pub fn places(field: &CaveField, skeleton: &Skeleton, step_m: f64) -> Vec<Place> {
    let mut found: Vec<Place> = skeleton
        .edges
        .iter()
        .flat_map(|edge| {
            let ends = [edge.a, edge.b].map(|i| &skeleton.nodes[i]);
            beside(
                ends.map(|n| n.position.to_array()),
                ends.map(|n| n.passage_m),
                step_m,
            )
        })
        .collect();
    found.sort_by(|a, b| {
        (a.column, a.void)
            .partial_cmp(&(b.column, b.void))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    // Passages that meet name a column twice.
    found.dedup_by(|b, a| {
        let one = a.column == b.column && (a.void - b.void).abs() < 0.7 * a.passage_m;
        if one && b.line_m < a.line_m {
            *a = *b;
        }
        one
    });
    found
        .par_chunks(64)
        .flat_map_iter(|some| settle(field, some))
        .collect()
}

/// Columns along a straight piece of centre line.
fn beside(ends: [[f64; 3]; 2], passage_m: [f64; 2], step_m: f64) -> Vec<Place> {
    let wide = ASIDE * passage_m[0].max(passage_m[1]);
    let [low, high] = [0, 1].map(|k| {
        let (a, b) = (ends[0][k], ends[1][k]);
        [a.min(b) - wide, a.max(b) + wide].map(|c| (c / step_m).floor() as i32)
    });
    let mut out = Vec::new();
    for x in low[0]..=low[1] {
        for y in high[0]..=high[1] {
            let at = [x, y].map(|c| (f64::from(c) + 0.5) * step_m);
            let (t, line_m) = Lines::nearest(ends, at);
            let passage_m = passage_m[0] + (passage_m[1] - passage_m[0]) * t;
            if line_m < ASIDE * passage_m {
                out.push(Place {
                    column: [x, y],
                    at,
                    void: ends[0][2] + (ends[1][2] - ends[0][2]) * t,
                    floor: f64::NAN,
                    passage_m,
                    line_m,
                });
            }
        }
    }
    out
}

/// The places whose column has a void and a floor below it, with about the floor's height.
fn settle(field: &CaveField, places: &[Place]) -> Vec<Place> {
    let columns: Vec<Column> = places
        .iter()
        .map(|p| Column {
            at: p.at,
            from: p.void,
            to: p.void - DOWN * p.passage_m,
        })
        .collect();
    let floors = wall_along(field, &columns);
    places
        .iter()
        .zip(floors)
        .filter_map(|(p, floor)| {
            Some(Place {
                floor: floor?,
                ..*p
            })
        })
        .collect()
}

/// About the heights of floor and roof at a point in plan near a place; none where there is no void.
pub fn room(field: &CaveField, place: &Place, at: [f64; 2]) -> Option<[f64; 2]> {
    let column = |to| Column {
        at,
        from: place.void,
        to,
    };
    let ends = [
        column(place.void - DOWN * place.passage_m),
        column(place.void + UP * place.passage_m),
    ];
    match wall_along(field, &ends)[..] {
        [Some(floor), Some(roof)] => Some([floor, roof]),
        _ => None,
    }
}

/// A vertical line from one height to another.
#[derive(Clone, Copy)]
struct Column {
    at: [f64; 2],
    from: f64,
    to: f64,
}

/// About where each line leaves the void it starts in; none when it starts in rock or ends in the
/// void.
fn wall_along(field: &CaveField, columns: &[Column]) -> Vec<Option<f64>> {
    let height = |c: &Column, i: usize| c.from + (c.to - c.from) * i as f64 / (LEVELS - 1) as f64;
    let points: Vec<[f32; 3]> = columns
        .iter()
        .flat_map(|c| (0..LEVELS).map(|i| [c.at[0] as f32, c.at[1] as f32, height(c, i) as f32]))
        .collect();
    let values = field.distances(&points);
    columns
        .iter()
        .zip(values.chunks_exact(LEVELS))
        .map(|(c, v)| {
            let solid = v.iter().position(|&d| d >= 0.0).filter(|&i| i > 0)?;
            let (from, to) = (height(c, solid - 1), height(c, solid));
            let (a, b) = (f64::from(v[solid - 1]), f64::from(v[solid]));
            Some(from + (to - from) * a / (a - b))
        })
        .collect()
}

//! Whether a body can stand on the rock without closing a hole in it.
//!
//! Where every vertical line through a body goes from rock into the void once and for all, body
//! and rock meet in one piece without a hole, so their union has no more handles than the rock
//! had. Lines are looked at through the body and in a ring around it.

use crate::field::CaveField;
use std::f64::consts::TAU;

/// Lines in each ring, and the ring's radius: shares of the body's radius, then of the gap.
const RINGS: [(usize, f64, f64); 4] =
    [(1, 0.0, 0.0), (6, 0.5, 0.0), (10, 1.0, 0.0), (12, 1.0, 1.0)];
/// Lines of [`RINGS`] that go through the body.
const INNER: usize = 17;
/// Most levels on a line.
const LEVELS_MAX: usize = 12;
/// Largest share of lines that may be in the rock as a whole: a wall beside the body.
const WALL_SHARE: f64 = 0.35;

/// Where a body is to stand.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// Its axis in plan, metres.
    pub at: [f64; 2],
    /// Its radius, metres.
    pub radius_m: f64,
    /// Air to leave around it, metres.
    pub gap_m: f64,
    /// The height that is to be in the rock and the height that is to be in the void, metres;
    /// the void is above for the floor and below for the roof.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// Whether a wall may stand beside the body or in part of it.
    pub wall: bool,
}

/// Rock under (or over) a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footing {
    /// Deepest, mean and highest height of the rock's surface under the body, metres.
    pub low: f64,
    /// See `low`.
    pub mean: f64,
    /// See `low`.
    pub high: f64,
}

/// What a line meets on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Line {
    /// The void, at this level, and nothing but the void from there.
    Leaves(f64),
    /// Rock only.
    Rock,
    /// Anything else.
    Broken,
}

/// The footing, or none where the body cannot stand.
pub fn footing(field: &CaveField, ask: &Ask) -> Option<Footing> {
    let span = (ask.to - ask.from).abs();
    let levels = ((span / (0.8 * field.voxel_m())).ceil() as usize + 1).clamp(4, LEVELS_MAX);
    let step = (ask.to - ask.from) / (levels - 1) as f64;
    let mut points = Vec::new();
    for (lines, body, gap) in RINGS {
        for i in 0..lines {
            let turn = (i as f64 + 0.5 * body) / lines as f64 * TAU;
            let far = body * ask.radius_m + gap * ask.gap_m;
            let x = ask.at[0] + far * libm::cos(turn);
            let y = ask.at[1] + far * libm::sin(turn);
            points.extend((0..levels).map(|k| {
                let z = ask.from + step * k as f64;
                [x as f32, y as f32, z as f32]
            }));
        }
    }
    let values = field.distances(&points);
    let lines: Vec<Line> = values.chunks_exact(levels).map(follow).collect();
    if lines.contains(&Line::Broken) || lines[0] == Line::Rock {
        return None;
    }
    let walls = lines.iter().filter(|l| **l == Line::Rock).count();
    let allowed = if ask.wall { WALL_SHARE } else { 0.0 };
    if walls as f64 > allowed * lines.len() as f64 {
        return None;
    }
    let inner = lines[..INNER].iter().filter_map(|l| match l {
        Line::Leaves(level) => Some(ask.from + step * level),
        _ => None,
    });
    let heights: Vec<f64> = inner.collect();
    Some(Footing {
        low: heights.iter().copied().fold(f64::INFINITY, f64::min),
        mean: heights.iter().sum::<f64>() / heights.len() as f64,
        high: heights.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    })
}

fn follow(values: &[f32]) -> Line {
    let Some(first) = values.iter().position(|&d| d < 0.0) else {
        return Line::Rock;
    };
    if first == 0 || values[first..].iter().any(|&d| d >= 0.0) {
        return Line::Broken;
    }
    let (a, b) = (f64::from(values[first - 1]), f64::from(values[first]));
    Line::Leaves((first - 1) as f64 + a / (a - b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leaves_the_rock_once() {
        assert_eq!(follow(&[1.0, 0.5, -0.5, -1.0]), Line::Leaves(1.5));
        assert_eq!(follow(&[1.0, 0.5, 0.1]), Line::Rock);
        assert_eq!(follow(&[-1.0, -0.5]), Line::Broken);
        assert_eq!(follow(&[1.0, -0.5, 0.5]), Line::Broken);
    }

    #[test]
    fn rings_count_their_lines() {
        assert_eq!(RINGS[..3].iter().map(|r| r.0).sum::<usize>(), INNER);
    }
}

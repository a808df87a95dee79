//! Distance to the nearest wall, drop or step that is too high.
//!
//! A cell that cannot be rolled to from its neighbour is an obstacle to that neighbour. Every span carries the column of
//! its nearest obstacle and hands it on over the links until nothing improves (vector distance propagation after
//! Danielsson 1980, "Euclidean distance mapping"), so obstacles of other floors never count.

use super::floor::Span;
use super::grid::DIRECTIONS;
use super::links::{Links, NONE};
use crate::progress::{Cancelled, Job};

/// No obstacle known.
const UNKNOWN: u64 = u64::MAX;

/// Distance from the middle of each span's cell to the nearest edge of an obstacle cell, metres; 0 for spans that are
/// not open, infinite where no obstacle is known. `links` join open spans only.
pub(super) fn distances(
    spans: &[Span],
    links: &[Links],
    cell_m: f64,
    job: &Job<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let mut nearest = vec![[0i32; 2]; spans.len()];
    let mut squared = vec![UNKNOWN; spans.len()];
    let mut front: Vec<u32> = Vec::new();
    for (id, (span, own)) in spans.iter().zip(links).enumerate() {
        if !span.is_open() {
            continue;
        }
        for (d, [dx, dy]) in DIRECTIONS.into_iter().enumerate() {
            if own[d] == NONE {
                let obstacle = [span.x as i32 + dx, span.y as i32 + dy];
                let distance = square(span, obstacle);
                if distance < squared[id] {
                    squared[id] = distance;
                    nearest[id] = obstacle;
                }
            }
        }
        if squared[id] != UNKNOWN {
            front.push(id as u32);
        }
    }
    let mut next = Vec::new();
    while !front.is_empty() {
        job.check()?;
        for &a in &front {
            let obstacle = nearest[a as usize];
            for &b in links[a as usize].iter().filter(|b| **b != NONE) {
                let distance = square(&spans[b as usize], obstacle);
                if distance < squared[b as usize] {
                    squared[b as usize] = distance;
                    nearest[b as usize] = obstacle;
                    next.push(b);
                }
            }
        }
        front.clear();
        std::mem::swap(&mut front, &mut next);
    }
    Ok(spans
        .iter()
        .zip(squared)
        .map(|(span, squared)| match squared {
            _ if !span.is_open() => 0.0,
            UNKNOWN => f32::INFINITY,
            _ => ((squared as f64).sqrt() * 0.5 * cell_m) as f32,
        })
        .collect())
}

/// Squared distance from the middle of a cell to the nearest point of another, in half cells.
///
/// A cell is no obstacle to itself: where others cannot reach it, it has its own broken links to tell.
fn square(span: &Span, obstacle: [i32; 2]) -> u64 {
    let half = |a: u32, b: i32| (2 * u64::from((a as i32).abs_diff(b))).saturating_sub(1);
    match (half(span.x, obstacle[0]), half(span.y, obstacle[1])) {
        (0, 0) => UNKNOWN,
        (x, y) => x * x + y * y,
    }
}

//! Positions of stations from measured legs.
//!
//! In: stations, of which some are fixed, and the measured vector of each leg. Out: the positions
//! that fit all legs best: least squares with a variance proportional to the length of the leg, as
//! is usual for traverses, so that the misclosure of a loop is spread over its legs by their
//! length. Fixed stations stay where they are; a piece without any has its first station at 0.
//!
//! The legs are first followed from the fixed stations, breadth first, which is exact where there
//! are no loops; what is left in the loops is solved by conjugate gradients on the normal
//! equations, with their diagonal as preconditioner (Hestenes and Stiefel 1952; Golub and Van Loan,
//! Matrix Computations, section 11.5), x, y and z each on its own.

use crate::progress::{Cancelled, Job};
use glam::DVec3;
use std::collections::VecDeque;

/// The solution is good when no equation is off by more than this, metres per metre.
const TOLERANCE: f64 = 1e-9;

/// Work on one survey, in legs times rounds: about a second.
const MAX_WORK: usize = 40_000_000;

/// Shortest leg in the weights, metres; shorter ones would count without end.
const SHORTEST_M: f64 = 1e-3;

/// A measured leg between two stations, by index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) from: usize,
    pub(super) to: usize,
    /// From one to the other, metres.
    pub(super) way: DVec3,
}

impl Measured {
    fn weight(&self) -> f64 {
        1.0 / self.way.length().max(SHORTEST_M)
    }
}

/// Positions, metres: to [`TOLERANCE`], or as near as [`MAX_WORK`] comes in a survey so large that
/// rounds must be few.
///
/// # Errors
///
/// [`Cancelled`] on request.
pub(super) fn adjust(
    fixed: &[Option<DVec3>],
    legs: &[Measured],
    job: &Job,
) -> Result<Vec<DVec3>, Cancelled> {
    let (mut positions, mut free) = follow(fixed, legs);
    for (station, place) in fixed.iter().enumerate() {
        free[station] &= place.is_none();
    }
    solve(&mut positions, &free, legs, job)?;
    Ok(positions)
}

/// Follows the legs; tells which stations were reached rather than started from.
fn follow(fixed: &[Option<DVec3>], legs: &[Measured]) -> (Vec<DVec3>, Vec<bool>) {
    let mut around = vec![Vec::new(); fixed.len()];
    for leg in legs {
        around[leg.from].push((leg.to, leg.way));
        around[leg.to].push((leg.from, -leg.way));
    }
    let mut places = fixed.to_vec();
    let mut reached = vec![false; fixed.len()];
    let mut open: VecDeque<usize> = (0..fixed.len()).filter(|&n| fixed[n].is_some()).collect();
    for start in 0..fixed.len() {
        // The first round starts at all fixed stations at once.
        if open.is_empty() && places[start].is_none() {
            places[start] = Some(DVec3::ZERO);
            open.push_back(start);
        }
        while let Some(at) = open.pop_front() {
            let here = places[at].unwrap_or_default();
            for &(next, way) in &around[at] {
                if places[next].is_none() {
                    places[next] = Some(here + way);
                    reached[next] = true;
                    open.push_back(next);
                }
            }
        }
    }
    let places = places.into_iter().map(Option::unwrap_or_default);
    (places.collect(), reached)
}

/// Moves the free stations to where the weighted squares of what the legs are off by are least.
fn solve(
    positions: &mut [DVec3],
    free: &[bool],
    legs: &[Measured],
    job: &Job,
) -> Result<(), Cancelled> {
    let mut diagonal = vec![0.0; positions.len()];
    let mut residual = vec![DVec3::ZERO; positions.len()];
    for leg in legs {
        let weight = leg.weight();
        let pull = weight * (leg.way - (positions[leg.to] - positions[leg.from]));
        for (end, pull) in [(leg.to, pull), (leg.from, -pull)] {
            if free[end] {
                residual[end] += pull;
                diagonal[end] += weight;
            }
        }
    }
    let precondition = |r: &[DVec3]| -> Vec<DVec3> {
        let scaled = r.iter().zip(&diagonal);
        scaled
            .map(|(&r, &d)| if d > 0.0 { r / d } else { DVec3::ZERO })
            .collect()
    };
    let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(&a, &b)| a * b).sum::<DVec3>();
    // Rounding in positions far from 0 is no misclosure.
    let scale = positions
        .iter()
        .fold(1.0f64, |m, p| m.max(p.abs().max_element()));
    let enough = TOLERANCE.max(scale * 1e-14);
    let mut step = precondition(&residual);
    let mut direction = step.clone();
    let mut energy = dot(&residual, &step);
    for _ in 0..(MAX_WORK / (legs.len() + 1)).min(10 * positions.len() + 10) {
        job.check()?;
        if step.iter().all(|s| s.abs().max_element() <= enough) {
            break;
        }
        let mut product = vec![DVec3::ZERO; positions.len()];
        for leg in legs {
            let at = |n: usize| if free[n] { direction[n] } else { DVec3::ZERO };
            let pull = leg.weight() * (at(leg.to) - at(leg.from));
            product[leg.to] += pull;
            product[leg.from] -= pull;
        }
        for (value, &free) in product.iter_mut().zip(free) {
            if !free {
                *value = DVec3::ZERO;
            }
        }
        let along = ratio(energy, dot(&direction, &product));
        for n in 0..positions.len() {
            positions[n] += along * direction[n];
            residual[n] -= along * product[n];
        }
        step = precondition(&residual);
        let next = dot(&residual, &step);
        let keep = ratio(next, energy);
        energy = next;
        for n in 0..positions.len() {
            direction[n] = step[n] + keep * direction[n];
        }
    }
    Ok(())
}

/// Component by component; an axis that is solved stays so.
fn ratio(a: DVec3, b: DVec3) -> DVec3 {
    let one = |a: f64, b: f64| if a > 0.0 && b > 0.0 { a / b } else { 0.0 };
    DVec3::new(one(a.x, b.x), one(a.y, b.y), one(a.z, b.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::{Stage, Unobserved};
    use proptest::prelude::*;

    fn solved(fixed: &[Option<DVec3>], legs: &[Measured]) -> Vec<DVec3> {
        adjust(fixed, legs, &Job::new(&Unobserved, Stage::Skeleton)).unwrap()
    }

    fn leg(from: usize, to: usize, way: [f64; 3]) -> Measured {
        Measured {
            from,
            to,
            way: way.into(),
        }
    }

    #[test]
    fn a_loop_spreads_its_misclosure_by_length() {
        // A square of 10, 10, 10 and 10 m that ends 0.4 m short of its start.
        let legs = [
            leg(0, 1, [10.0, 0.0, 0.0]),
            leg(1, 2, [0.0, 10.0, 0.0]),
            leg(2, 3, [-10.0, 0.0, 0.0]),
            leg(3, 0, [0.0, -10.0, 0.4]),
        ];
        let places = solved(&[Some(DVec3::new(5.0, 5.0, 5.0)), None, None, None], &legs);
        assert_eq!(places[0], DVec3::new(5.0, 5.0, 5.0));
        for (n, z) in [(1, -0.1), (2, -0.2), (3, -0.3)] {
            // The last leg is longer by 8 mm, so that it takes a little more.
            assert!((places[n].z - 5.0 - z).abs() < 1e-3, "{places:?}");
        }
        assert!(places[2].truncate().distance([15.0, 15.0].into()) < 1e-9);
    }

    #[test]
    fn two_fixed_ends_pull_a_traverse_by_length() {
        let legs = [leg(0, 1, [10.0, 0.0, 0.0]), leg(1, 2, [30.0, 0.0, 0.0])];
        let fixed = [Some(DVec3::ZERO), None, Some(DVec3::new(44.0, 0.0, 0.0))];
        let places = solved(&fixed, &legs);
        assert!((places[1].x - 11.0).abs() < 1e-6, "{places:?}");
    }

    #[test]
    fn pieces_without_a_fixed_station_start_at_zero() {
        let legs = [leg(0, 1, [1.0, 2.0, 3.0]), leg(3, 2, [0.0, 5.0, 0.0])];
        let places = solved(&[None; 4], &legs);
        assert_eq!(places[1], DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(
            (places[2], places[3]),
            (DVec3::ZERO, DVec3::new(0.0, -5.0, 0.0))
        );
    }

    proptest! {
        #[test]
        fn no_small_move_fits_the_legs_better(
            ways in prop::collection::vec(
                (0usize..9, 0usize..9, prop::array::uniform3(-20.0f64..20.0)), 3..24),
            moved in 0usize..9,
            by in prop::array::uniform3(-0.5f64..0.5),
        ) {
            let mut legs: Vec<Measured> =
                (1..9).map(|n| leg(n / 2, n, [3.0, n as f64, -1.0])).collect();
            legs.extend(ways.iter().filter(|w| w.0 != w.1).map(|w| leg(w.0, w.1, w.2)));
            let mut fixed = vec![None; 9];
            fixed[0] = Some(DVec3::ONE);
            let mut places = solved(&fixed, &legs);
            let misfit = |places: &[DVec3]| -> f64 {
                let off = |l: &Measured| (l.way - (places[l.to] - places[l.from])).length_squared();
                legs.iter().map(|l| l.weight() * off(l)).sum()
            };
            let least = misfit(&places);
            if moved > 0 {
                places[moved] += DVec3::from(by);
                prop_assert!(misfit(&places) >= least - 1e-6 * (1.0 + least));
            }
        }
    }
}

//! Cheapest paths through rock that holds no passage yet.
//!
//! Source: Paris et al. 2021 (shortest paths on the samples); Dijkstra's algorithm with a
//! limit on the turn at each sample, which the label of least cost decides.

use super::network::Network;
use super::rock::Rock;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cosine of the sharpest turn of a conduit, 93°.
const SHARPEST: f64 = -0.05;

/// A loop goes round a pillar: the way through the cave is so many times as long as the conduit
/// that closes it, at least.
const DETOUR: f64 = 2.0;

/// Length of a conduit over the distance from the passage it leaves, as long as it is near.
const WANDER: f64 = 1.5;

/// Where a path may end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    /// At this sample.
    Sample(u32),
    /// At the first passage that is reached.
    Cave,
    /// At another passage of the cave the path left, after so many steps at least.
    Loop {
        /// Fewest steps.
        least: u32,
        /// Most steps.
        most: u32,
    },
    /// In the rock, after so many steps.
    Depth(u32),
}

/// Label of a sample in a search.
#[derive(Clone, Copy, Debug)]
struct Label {
    search: u32,
    cost: f64,
    from: u32,
    steps: u32,
    length_m: f64,
}

/// Cheapest paths, one search after another.
pub(super) struct Search<'a> {
    rock: &'a Rock,
    labels: Vec<Label>,
    search: u32,
    /// Costs as bits: for numbers that are not negative their order is the same.
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// Steps not to be taken.
    closed: Vec<(u32, u32)>,
    /// Samples where the last search could end.
    ends: Vec<u32>,
}

impl<'a> Search<'a> {
    /// Nothing searched yet.
    pub(super) fn new(rock: &'a Rock) -> Self {
        let label = Label {
            search: 0,
            cost: f64::INFINITY,
            from: 0,
            steps: 0,
            length_m: 0.0,
        };
        Self {
            rock,
            labels: vec![label; rock.len()],
            search: 0,
            queue: BinaryHeap::new(),
            closed: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Opens every step again.
    pub(super) fn open(&mut self) {
        self.closed.clear();
    }

    /// Closes a step, both ways.
    pub(super) fn close(&mut self, a: u32, b: u32) {
        self.closed.push((a.min(b), a.max(b)));
    }

    /// Searches from a sample; the samples where a path may end, cheapest first. For
    /// [`Goal::Depth`] where no path is that long: those of the longest paths.
    pub(super) fn run(&mut self, cave: &mut Network, from: u32, goal: Goal) -> &[u32] {
        self.search += 1;
        self.queue.clear();
        self.ends.clear();
        let own = cave.node(from);
        // Near the passage it leaves a conduit is always on the shore.
        let wander = if own.is_some() { self.wander(cave) } else { 0 };
        if let (Goal::Loop { most, .. }, Some(own)) = (goal, own) {
            let longest_m = f64::from(most) * self.rock.reach_m();
            cave.walk_from(own, DETOUR * longest_m);
        }
        self.reach(from, 0.0, from, 0, 0.0);
        let mut deepest = 0;
        while let Some(Reverse((bits, at))) = self.queue.pop() {
            let label = self.labels[at as usize];
            if label.cost.to_bits() != bits {
                continue;
            }
            match goal {
                Goal::Sample(end) if at == end => {
                    self.ends.push(at);
                    break;
                }
                Goal::Depth(depth) => {
                    if label.steps > deepest {
                        deepest = label.steps;
                        self.ends.clear();
                    }
                    if label.steps == deepest && at != from {
                        self.ends.push(at);
                    }
                    if label.steps == depth {
                        continue;
                    }
                }
                Goal::Cave if at != from && cave.node(at).is_some() => {
                    self.ends.push(at);
                    break;
                }
                Goal::Loop { least, most } if at != from => {
                    if label.steps > most {
                        continue;
                    }
                    if let Some(node) = cave.node(at) {
                        let far = cave.way_m(node) >= DETOUR * label.length_m;
                        if far && label.steps >= least {
                            self.ends.push(at);
                            break;
                        }
                        continue;
                    }
                }
                _ => {}
            }
            self.expand(cave, at, own, wander, goal);
        }
        &self.ends
    }

    /// Steps after which a conduit has come clear of the passage it left.
    fn wander(&self, cave: &Network) -> u32 {
        (WANDER * cave.need_m() / self.rock.spacing_m()).ceil() as u32
    }

    fn expand(&mut self, cave: &Network, at: u32, own: Option<usize>, wander: u32, goal: Goal) {
        let label = self.labels[at as usize];
        let (rock, here) = (self.rock, self.rock.point(at));
        let before = here - rock.point(label.from);
        let sharpest = SHARPEST * before.length();
        let joins = matches!(goal, Goal::Cave | Goal::Loop { .. });
        for step in rock.steps(at) {
            let to = step.to;
            let cost = label.cost + f64::from(step.cost);
            let known = self.labels[to as usize];
            if known.search == self.search && known.cost <= cost {
                continue;
            }
            let way = rock.point(to) - here;
            if label.steps == 0 {
                if own.is_some_and(|own| cave.node(to).is_some() || !cave.is_joinable(own, to)) {
                    continue;
                }
            } else if before.dot(way) < sharpest * f64::from(step.length_m) {
                continue;
            }
            let free = match cave.node(to) {
                Some(node) => joins && cave.degree(node) > 1 && cave.is_joinable(node, at),
                // From the shore there is only the way into the cave.
                None => label.steps < wander || !cave.is_shore(at) && (joins || !cave.is_shore(to)),
            };
            if free && !self.closed.contains(&(at.min(to), at.max(to))) {
                let length_m = label.length_m + f64::from(step.length_m);
                self.reach(to, cost, at, label.steps + 1, length_m);
            }
        }
    }

    fn reach(&mut self, at: u32, cost: f64, from: u32, steps: u32, length_m: f64) {
        self.labels[at as usize] = Label {
            search: self.search,
            cost,
            from,
            steps,
            length_m,
        };
        self.queue.push(Reverse((cost.to_bits(), at)));
    }

    /// The path of the last search to a sample, from its start.
    pub(super) fn path(&self, end: u32) -> Vec<u32> {
        let mut path = vec![end];
        let mut at = end;
        while self.labels[at as usize].steps > 0 {
            at = self.labels[at as usize].from;
            path.push(at);
        }
        path.reverse();
        path
    }
}

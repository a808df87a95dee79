//! Ramps between neighbouring levels.

use super::bypass;
use super::clearance_m;
use super::space::{Space, Tube};
use super::walk::Search;
use crate::config::Config;
use crate::progress::{Cancelled, Job};
use crate::rng::{ChaCha8Rng, Domain, stream};
use crate::skeleton::growth::{BRANCH_SEPARATION_DEG, NEIGHBOUR_SHARE, PASSAGE_REACH};
use crate::skeleton::walk::{Link, Walk};
use crate::skeleton::{Edge, NodeKind, Skeleton, assemble};
use glam::{DVec2, DVec3};
use rand::RngExt as _;

/// Upper nodes from which a ramp is tried before it goes round the outside.
const UPPER_TRIES: usize = 120;

/// Lower nodes that are tried from each.
const LOWER_TRIES: usize = 10;

/// Steps of a search: so many, and so many more for each step of the ramp.
const BUDGET: [usize; 2] = [250, 4];

/// A ramp starts and ends at nodes with fewer passages than this.
const MAX_DEGREE: usize = 4;

/// Angles beyond this count as vertical, degrees.
const VERTICAL_DEG: f64 = 89.9;

/// First stream of the draws for ramps, out of the way of nodes.
const STREAM: u64 = 1 << 62;

/// Joins every pair of neighbouring levels.
pub(in crate::skeleton) fn join(
    skeleton: &mut Skeleton,
    config: &Config,
    job: &Job,
) -> Result<(), Cancelled> {
    let mut joiner = Joiner::new(skeleton, config, job);
    for upper in 1..config.skeleton.levels {
        let mut rng = stream(config.seed, Domain::Skeleton, STREAM + u64::from(upper));
        let mut places = Vec::new();
        for _ in 0..config.skeleton.connections {
            let place = joiner.connect(upper - 1, &places, &mut rng)?;
            places.push(place);
        }
    }
    skeleton.edges.sort_unstable();
    Ok(())
}

/// A ramp in the making: between which nodes, and how wide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) half_m: f64,
}

/// The graph with what is needed to add ramps to it.
pub(super) struct Joiner<'a> {
    pub(super) skeleton: &'a mut Skeleton,
    pub(super) config: &'a Config,
    pub(super) job: &'a Job<'a>,
    /// Rock between a ramp and what it does not join, metres.
    rock_m: f64,
    widest_m: f64,
    /// Nodes that are not of a ramp.
    pub(super) laid_out: usize,
    links: Vec<Vec<Link>>,
    space: Space,
    /// Ways from the start and from the end of the ramp in the making.
    ways: [Walk; 2],
}

impl<'a> Joiner<'a> {
    fn new(skeleton: &'a mut Skeleton, config: &'a Config, job: &'a Job<'a>) -> Self {
        let widest_m = skeleton
            .nodes
            .iter()
            .map(|n| n.passage_m)
            .fold(0.0, f64::max);
        let rock_m = clearance_m(config);
        let mut joiner = Self {
            laid_out: skeleton.nodes.len(),
            links: vec![Vec::new(); skeleton.nodes.len()],
            space: Space::new(widest_m, rock_m),
            ways: Default::default(),
            skeleton,
            config,
            job,
            rock_m,
            widest_m,
        };
        for index in 0..joiner.skeleton.edges.len() {
            joiner.link(index);
        }
        joiner
    }

    /// Makes an edge known to the space and to the ways.
    fn link(&mut self, index: usize) {
        let edge = self.skeleton.edges[index];
        let tube = Tube::of(self.skeleton, edge);
        let length_m = way_m(tube.ends);
        for (at, to) in [(edge.a, edge.b), (edge.b, edge.a)] {
            self.links[at].push(Link {
                to,
                length_m,
                edge: index,
            });
        }
        self.space.push(tube, edge);
    }

    /// Position of a node, metres.
    pub(super) fn at(&self, node: usize) -> DVec3 {
        self.skeleton.nodes[node].position
    }

    /// Largest fall over run; infinite where shafts are allowed.
    pub(super) fn steepest(&self) -> f64 {
        let angle = self.config.skeleton.max_connection_deg;
        if angle >= VERTICAL_DEG {
            return f64::INFINITY;
        }
        libm::tan(angle.to_radians()) * (1.0 - 1e-9)
    }

    /// The ramp between two nodes, as wide as the narrower of both.
    pub(super) fn course(&self, from: usize, to: usize) -> Course {
        let [a, b] = [from, to].map(|n| self.skeleton.nodes[n].passage_m);
        Course {
            from,
            to,
            half_m: a.min(b),
        }
    }

    /// Distance in plan between two runs of a ramp that leaves rock between them, metres.
    pub(super) fn pitch_m(&self, course: &Course) -> f64 {
        2.0 * PASSAGE_REACH * course.half_m + self.rock_m
    }

    /// Adds one ramp from level `upper` to the next; returns where it starts in plan.
    fn connect(
        &mut self,
        upper: u32,
        places: &[DVec2],
        rng: &mut ChaCha8Rng,
    ) -> Result<DVec2, Cancelled> {
        let above = self.ends(upper, places, rng);
        let below: Vec<usize> = self.free(upper + 1).collect();
        for &from in above.iter().take(UPPER_TRIES) {
            self.job.check()?;
            for to in self.nearest_fit(from, &below) {
                let course = self.course(from, to);
                if let Some(points) = self.search(&course, rng) {
                    self.add(&course, &points);
                    return Ok(points[0].truncate());
                }
            }
        }
        let (course, points) = bypass::find(self, upper, rng);
        self.add(&course, &points);
        Ok(points[0].truncate())
    }

    /// Nodes of a level at which a ramp may start or end.
    pub(super) fn free(&self, level: u32) -> impl Iterator<Item = usize> {
        (0..self.laid_out).filter(move |&n| {
            let node = &self.skeleton.nodes[n];
            node.level == level && self.is_free(n)
        })
    }

    /// Whether a ramp may start or end at a node.
    pub(super) fn is_free(&self, node: usize) -> bool {
        node != self.skeleton.entrance
            && self.skeleton.nodes[node].kind != NodeKind::Entrance
            && self.links[node].len() < MAX_DEGREE
    }

    /// Free nodes of a level, those far from other ramps first, in an order drawn by `rng`.
    fn ends(&self, level: u32, places: &[DVec2], rng: &mut ChaCha8Rng) -> Vec<usize> {
        let mut order: Vec<(f64, usize)> = self
            .free(level)
            .map(|n| {
                let plan = self.at(n).truncate();
                let far = places
                    .iter()
                    .map(|p| p.distance(plan))
                    .fold(f64::INFINITY, f64::min);
                let far = if places.is_empty() { 1.0 } else { far };
                (far * rng.random_range(0.4..1.0), n)
            })
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.into_iter().map(|(_, n)| n).collect()
    }

    /// The lower nodes to which the steepest ramp is nearest to straight.
    fn nearest_fit(&self, from: usize, below: &[usize]) -> Vec<usize> {
        let here = self.at(from);
        let mut fit: Vec<(f64, usize)> = below
            .iter()
            .map(|&to| {
                let way = self.at(to) - here;
                let ideal = 1.1 * way.z.abs() / self.steepest();
                ((way.truncate().length() - ideal).abs(), to)
            })
            .collect();
        let compare = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if fit.len() > LOWER_TRIES {
            fit.select_nth_unstable_by(LOWER_TRIES, compare);
            fit.truncate(LOWER_TRIES);
        }
        fit.sort_by(compare);
        fit.into_iter().map(|(_, to)| to).collect()
    }

    /// The points of a ramp, ends included.
    fn search(&mut self, course: &Course, rng: &mut ChaCha8Rng) -> Option<Vec<DVec3>> {
        let (start, end) = (self.at(course.from), self.at(course.to));
        let (run, fall) = ((end - start).truncate(), (end.z - start.z).abs());
        let distance = run.length();
        let pitch = self.pitch_m(course);
        self.walk_ways(course);
        if fall <= distance * self.steepest() || self.steepest().is_infinite() {
            let straight = [start, end];
            if self.fits(course, &straight[..1], end, 0.0) {
                return Some(straight.to_vec());
            }
        }
        let goal = (distance / pitch).floor();
        if !(1.0..=1e4).contains(&goal) {
            return None;
        }
        let step = run / goal;
        let least = (fall / (step.length() * self.steepest())).ceil().max(goal);
        if least > 1e5 {
            return None;
        }
        let odd = (least - goal) as usize % 2;
        let steps = least as usize + odd;
        let side = step.perp();
        let place = |cell: [i32; 2], index: usize| {
            let plan = start.truncate() + f64::from(cell[0]) * step + f64::from(cell[1]) * side;
            plan.extend(start.z + (end.z - start.z) * index as f64 / steps as f64)
        };
        let search = Search {
            goal: goal as i32,
            steps,
            first: rng.random_range(0..4),
            left_first: rng.random_bool(0.5),
            budget: BUDGET[0] + BUDGET[1] * steps,
        };
        let step_m = step.length().max(fall / steps as f64);
        let mut points = vec![start];
        let cells = search.run(|cells, next| {
            points.truncate(1);
            points.extend(cells.iter().enumerate().skip(1).map(|(i, &c)| place(c, i)));
            let next = if cells.len() == steps {
                end
            } else {
                place(next, cells.len())
            };
            self.fits(course, &points, next, (steps - cells.len()) as f64 * step_m)
        })?;
        let inner = cells.iter().enumerate().skip(1).take(steps - 1);
        let inner = inner.map(|(i, &cell)| place(cell, i));
        Some([start].into_iter().chain(inner).chain([end]).collect())
    }

    /// Finds the ways from both ends of a ramp, as far as they matter.
    pub(super) fn walk_ways(&mut self, course: &Course) {
        let reach = PASSAGE_REACH * (course.half_m + self.widest_m) + self.rock_m;
        for (way, end) in self.ways.iter_mut().zip([course.from, course.to]) {
            way.run(&self.links, [end, end], reach / NEIGHBOUR_SHARE);
        }
    }

    /// Whether the ramp can go on from the last of `points` to `next`, from where it has `after_m`
    /// to go to its end; [`Joiner::walk_ways`] was called.
    pub(super) fn fits(
        &mut self,
        course: &Course,
        points: &[DVec3],
        next: DVec3,
        after_m: f64,
    ) -> bool {
        let i = points.len() - 1;
        let (first, last) = (i == 0, after_m <= 0.0);
        let from = points[i];
        if (first && !self.leaves(course.from, next - from))
            || (last && !self.leaves(course.to, from - next))
        {
            return false;
        }
        // The first and the last piece are as wide as the node that they come from.
        let [start_m, end_m] = [course.from, course.to].map(|n| self.skeleton.nodes[n].passage_m);
        let piece = |ends: [DVec3; 2], first: bool, last: bool| {
            let start = if first { start_m } else { course.half_m };
            let end = if last { end_m } else { course.half_m };
            Tube {
                ends,
                half_m: start.max(end),
            }
        };
        let this = piece([from, next], first, last);
        let (config, rock_m) = (self.config, self.rock_m);
        let mut way = 0.0;
        for (j, pair) in points.windows(2).enumerate().rev() {
            let other = piece([pair[0], pair[1]], j == 0, false);
            let distance = this.plan().distance(other.plan());
            if distance < this.apart_m(&other, rock_m).min(NEIGHBOUR_SHARE * way)
                && !this.is_over_or_under(&other, rock_m, config)
            {
                return false;
            }
            way += way_m(other.ends);
        }
        let before_m = way;
        let ways = &self.ways;
        self.space.is_clear(&this, rock_m, |other, edge, distance| {
            let touches = |node| edge.a == node || edge.b == node;
            if (first && touches(course.from)) || (last && touches(course.to)) {
                return true;
            }
            let way = |k: usize| ways[k].to(edge.a).min(ways[k].to(edge.b));
            let way = (before_m + way(0)).min(after_m + way(1));
            distance >= NEIGHBOUR_SHARE * way || this.is_over_or_under(other, rock_m, config)
        })
    }

    /// Whether a passage may leave a node in a direction.
    fn leaves(&self, node: usize, way: DVec3) -> bool {
        let least = BRANCH_SEPARATION_DEG.to_radians();
        self.links[node].iter().all(|link| {
            let other = self.at(link.to) - self.at(node);
            angle(other, way) >= least
        })
    }

    /// Adds a ramp to the graph.
    fn add(&mut self, course: &Course, points: &[DVec3]) {
        let [upper, lower] = [course.from, course.to].map(|n| self.skeleton.nodes[n].level);
        let inner = &points[1..points.len() - 1];
        let mut last = course.from;
        for (i, &position) in inner.iter().enumerate() {
            let index = self.skeleton.nodes.len();
            let mut node = assemble::node(
                index as i64,
                Some(last),
                position,
                position.distance(points[i + 2]),
            );
            node.passage_m = course.half_m;
            node.level = if 2 * i < inner.len() { upper } else { lower };
            self.skeleton.nodes.push(node);
            self.links.push(Vec::new());
            self.push(last, index);
            last = index;
        }
        self.push(last, course.to);
    }

    fn push(&mut self, a: usize, b: usize) {
        self.skeleton.edges.push(Edge::new(a, b));
        self.link(self.skeleton.edges.len() - 1);
    }
}

/// Length of a passage as clearance counts it: in plan, or its height where that is more, metres.
pub(super) fn way_m([a, b]: [DVec3; 2]) -> f64 {
    a.truncate().distance(b.truncate()).max((a.z - b.z).abs())
}

/// Angle between two directions, radians.
fn angle(a: DVec3, b: DVec3) -> f64 {
    libm::atan2(a.cross(b).length(), a.dot(b))
}

//! Rock between passages that run side by side: each is narrowed where it would break into the other.
//!
//! Passages melt into one void where they meet, and must then stay apart: a wall that opens again farther on
//! is a window, a loop that the skeleton does not know. How far two places are along the cave tells the two
//! cases apart.

use super::buckets::Buckets;
use super::centreline::Station;
use crate::skeleton::{Link, PASSAGE_REACH, Skeleton, Walk};
use glam::{DVec2, DVec3};

/// From so many times their half widths along the cave, two places have rock between them. Legs of a fork
/// that part at [`BRANCH_SEPARATION_DEG`](crate::skeleton::BRANCH_SEPARATION_DEG) are 1.3 times their half
/// widths apart there.
const APART_WAYS: f64 = 3.5;
/// A passage keeps at least this share of its width.
const NARROWEST: f64 = 0.6;

/// Narrows passages, given by edge, so that at least `rock_m` is left between those whose way to each other
/// is long; nearer to where they meet it goes over into no limit.
pub(super) fn keep(passages: &mut [Vec<Station>], skeleton: &Skeleton, rock_m: f64) {
    let widest = (passages.iter().flatten().map(|s| s.own)).fold(0.0, f64::max);
    let cell_m = 2.0 * PASSAGE_REACH * widest + rock_m;
    if cell_m <= 0.0 {
        return;
    }
    let pieces = Pieces::new(passages, cell_m);
    let ways: Vec<Vec<f64>> = passages.iter().map(|p| arc_lengths(p)).collect();
    let links = links(skeleton, &ways);
    let (mut from_a, mut from_b) = (Walk::default(), Walk::default());
    let mut limits: Vec<Vec<f64>> = Vec::with_capacity(passages.len());
    for (e, stations) in passages.iter().enumerate() {
        let [a, b] = [skeleton.edges[e].a, skeleton.edges[e].b];
        let own = stations.iter().map(|s| s.own).fold(0.0, f64::max);
        let far = APART_WAYS * (own + widest);
        from_a.run(&links, [a, a], far);
        from_b.run(&links, [b, b], far);
        let length = ways[e].last().copied().unwrap_or(0.0);
        let limit = stations.iter().zip(&ways[e]).map(|(here, &s)| {
            let to = |node: usize| (from_a.to(node) + s).min(from_b.to(node) + length - s);
            let mut limit = f64::INFINITY;
            pieces.near(here.centre, |f, i| {
                if f == e {
                    return;
                }
                let other = &passages[f];
                let (there, t) = nearest(here.centre, &other[i], &other[i + 1]);
                let [roof, floor] = [here, &there].map(|s| [s.centre.z + s.height, s.floor]);
                if roof[0] + rock_m < floor[1] || floor[0] + rock_m < roof[1] {
                    return;
                }
                let both = here.own + there.own;
                let rock_m = rock_m.min(both);
                let distance = here.centre.truncate().distance(there.centre.truncate());
                if distance > PASSAGE_REACH * both + rock_m {
                    return;
                }
                let along = ways[f][i] + t * (ways[f][i + 1] - ways[f][i]);
                let whole = ways[f].last().copied().unwrap_or(0.0);
                let ends = skeleton.edges[f];
                let way = (to(ends.a) + along).min(to(ends.b) + whole - along);
                let slack = (APART_WAYS * both - way).max(0.0);
                limit = limit.min((distance - rock_m + slack) * here.own / both);
            });
            limit.max(NARROWEST * here.own)
        });
        limits.push(limit.collect());
    }
    for (stations, limits) in passages.iter_mut().zip(limits) {
        for (station, limit) in stations.iter_mut().zip(limits) {
            station.width = station.width.min(limit);
        }
    }
}

/// Lengths from the start to each station, metres.
fn arc_lengths(stations: &[Station]) -> Vec<f64> {
    let mut so_far = 0.0;
    let mut last = stations.first().map_or(DVec3::ZERO, |s| s.centre);
    let mut arc = Vec::with_capacity(stations.len());
    for station in stations {
        so_far += station.centre.distance(last);
        last = station.centre;
        arc.push(so_far);
    }
    arc
}

fn links(skeleton: &Skeleton, ways: &[Vec<f64>]) -> Vec<Vec<Link>> {
    let mut links = vec![Vec::new(); skeleton.nodes.len()];
    for (edge, (ends, way)) in skeleton.edges.iter().zip(ways).enumerate() {
        let length_m = way.last().copied().unwrap_or(0.0);
        for [from, to] in [[ends.a, ends.b], [ends.b, ends.a]] {
            links[from].push(Link { to, length_m, edge });
        }
    }
    links
}

/// The place of a piece that is nearest in plan, and its share of the way along the piece.
fn nearest(p: DVec3, a: &Station, b: &Station) -> (Station, f64) {
    let along = (b.centre - a.centre).truncate();
    let length2 = along.length_squared().max(1e-12);
    let t = ((p - a.centre).truncate().dot(along) / length2).clamp(0.0, 1.0);
    let mix = |a: f64, b: f64| a + t * (b - a);
    let there = Station {
        centre: a.centre.lerp(b.centre, t),
        width: mix(a.width, b.width),
        height: mix(a.height, b.height),
        floor: mix(a.floor, b.floor),
        own: mix(a.own, b.own),
        ..*a
    };
    (there, t)
}

/// Pieces of passages between two stations, by cell of a grid in plan.
struct Pieces {
    cell_m: f64,
    buckets: Buckets,
    /// Edge and number of the first station.
    pieces: Vec<(usize, usize)>,
}

impl Pieces {
    fn new(passages: &[Vec<Station>], cell_m: f64) -> Self {
        let cell = |p: DVec2| (p / cell_m).floor().as_ivec2();
        let (mut pieces, mut entries) = (Vec::new(), Vec::new());
        for (edge, stations) in passages.iter().enumerate() {
            for (i, pair) in stations.windows(2).enumerate() {
                let [a, b] = [pair[0].centre.truncate(), pair[1].centre.truncate()];
                let (low, high) = (cell(a.min(b)), cell(a.max(b)));
                for y in low.y..=high.y {
                    entries.extend((low.x..=high.x).map(|x| ([0, y, x], pieces.len() as u32)));
                }
                pieces.push((edge, i));
            }
        }
        Self {
            cell_m,
            buckets: Buckets::of(entries),
            pieces,
        }
    }

    /// Calls `visit` with every piece that may come within a cell's width of `p`, some more than once.
    fn near(&self, p: DVec3, mut visit: impl FnMut(usize, usize)) {
        let cell = (p.truncate() / self.cell_m).floor().as_ivec2();
        for piece in self.buckets.around([cell.x, cell.y, 0]) {
            let (edge, i) = self.pieces[piece as usize];
            visit(edge, i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::{Edge, Node, NodeKind};

    const OWN: f64 = 1.8;
    const WIDE: f64 = 2.3;
    const ROCK: f64 = 1.2;
    const APART: f64 = 4.4;

    fn node(id: i64, x: f64, y: f64) -> Node {
        Node {
            id,
            parent: None,
            position: DVec3::new(x, y, 0.0),
            radius_m: 5.0,
            passage_m: OWN,
            level: 0,
            kind: NodeKind::Passage,
            active: false,
        }
    }

    fn stations(from: DVec3, to: DVec3) -> Vec<Station> {
        let steps = (from.distance(to) / 0.5).ceil();
        let at = |i: usize| Station {
            centre: from.lerp(to, i as f64 / steps),
            width: WIDE,
            height: 1.5,
            floor: from.z - 1.0,
            own: OWN,
            middle: 0.0,
            form: Default::default(),
        };
        (0..=steps as usize).map(at).collect()
    }

    /// Two passages side by side, the second one higher by `up`, and a short one from the start of the first
    /// to the start of the second.
    fn side_by_side(up: f64) -> Vec<Vec<Station>> {
        let nodes = vec![
            node(0, 0.0, 0.0),
            node(1, 14.0, 0.0),
            node(2, 0.0, APART),
            node(3, 14.0, APART),
        ];
        let edges = vec![Edge::new(0, 1), Edge::new(0, 2), Edge::new(2, 3)];
        let skeleton = Skeleton::new(nodes, edges);
        let mut passages: Vec<Vec<Station>> = skeleton
            .edges
            .iter()
            .map(|edge| {
                let lift = DVec3::Z * if edge.a == 2 { up } else { 0.0 };
                let [a, b] = [edge.a, edge.b].map(|n| skeleton.nodes[n].position);
                stations(a + lift, b + lift)
            })
            .collect();
        keep(&mut passages, &skeleton, ROCK);
        passages
    }

    #[test]
    fn rock_is_left_between_passages_side_by_side() {
        let passages = side_by_side(0.0);
        let (first, second) = (passages[0].last().unwrap(), passages[2].last().unwrap());
        assert!(
            first.width + second.width + ROCK <= APART + 1e-9,
            "{first:?} {second:?}"
        );
        assert!(first.width >= NARROWEST * OWN);
    }

    #[test]
    fn passages_keep_their_width_where_they_meet() {
        let passages = side_by_side(0.0);
        assert_eq!(passages[0][0].width, WIDE);
        assert!(passages[1].iter().all(|s| s.width == WIDE));
    }

    #[test]
    fn a_passage_far_above_does_not_matter() {
        let passages = side_by_side(6.0);
        assert!(passages[0].iter().all(|s| s.width == WIDE));
    }
}

//! Passages swept from node to node, seen from above or from the side.

use super::super::canvas::{Canvas, Px};
use super::super::palette::{INK, ROCK, WHITE, mix};
use super::super::panel::Panel;
use super::colours::Colours;
use crate::config::PassageConfig;
use crate::skeleton::{Edge, Node, Skeleton};
use glam::{DVec2, DVec3};

/// Half of the narrowest passage in the picture, pixels.
const THINNEST: f64 = 1.5;
/// Width of the outline on each side of a passage, pixels.
const OUTLINE: f64 = 1.4;
/// Shortest piece of a passage in one colour, pixels.
const PIECE: f64 = 5.0;
/// Largest change of a channel from piece to piece, unless that makes them too short.
const SHADE: f64 = 7.0;
/// How much of its colour the farthest passage of an elevation loses to the rock.
const HAZE: f64 = 0.5;

/// Which two axes the picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axes {
    /// x to the right, y up, from above.
    Plan,
    /// x to the right, z up, looking along +y.
    AlongX,
    /// y to the right, z up, looking along −x.
    AlongY,
}

impl Axes {
    /// Name of the horizontal axis.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Plan | Self::AlongX => "x",
            Self::AlongY => "y",
        }
    }

    /// A place on paper, metres.
    pub(super) fn project(self, p: DVec3) -> DVec2 {
        match self {
            Self::Plan => p.truncate(),
            Self::AlongX => DVec2::new(p.x, p.z),
            Self::AlongY => DVec2::new(p.y, p.z),
        }
    }

    /// Larger for places nearer to who looks, metres.
    fn nearness(self, p: DVec3) -> f64 {
        match self {
            Self::Plan => p.z,
            Self::AlongX => -p.y,
            Self::AlongY => p.x,
        }
    }

    /// How far the void reaches from a node sideways, up and down on paper, metres.
    pub(super) fn reach_m(self, node: &Node, passage: &PassageConfig) -> [f64; 3] {
        let side = node.passage_m;
        match self {
            Self::Plan => [side; 3],
            _ => [
                side,
                passage.half_height_m(side),
                passage.floor_drop_m(side),
            ],
        }
    }
}

/// A panel and what it shows.
pub(super) struct View<'a> {
    pub(super) panel: Panel,
    pub(super) axes: Axes,
    pub(super) passage: &'a PassageConfig,
}

impl View<'_> {
    /// Where a place lies in the picture.
    pub(super) fn px(&self, p: DVec3) -> Px {
        self.panel.px(self.axes.project(p))
    }

    /// The void around a node, whichever way its passages run.
    fn ball(&self, node: &Node) -> Cut {
        let (x, y) = self.px(node.position);
        let [side, up, down] = self.axes.reach_m(node, self.passage);
        let scale = self.panel.scale;
        Cut {
            at: DVec2::new(x.into(), y.into()),
            side: DVec2::new((side * scale.x).max(THINNEST), 0.0),
            up: DVec2::new(0.0, -(up * scale.y).max(THINNEST)),
            down: DVec2::new(0.0, (down * scale.y).max(THINNEST)),
        }
    }

    /// The cut through a passage at a node, square to the passage's heading in plan.
    fn cut(&self, node: &Node, way: DVec3) -> Cut {
        let ball = self.ball(node);
        let heading = way.truncate();
        // A shaft is as wide from every side.
        if heading.length() <= way.z.abs() {
            return ball;
        }
        let across = heading.perp().normalize();
        match self.axes {
            Axes::Plan => Cut {
                side: DVec2::new(across.x, -across.y) * ball.side.x,
                up: DVec2::ZERO,
                down: DVec2::ZERO,
                ..ball
            },
            Axes::AlongX => Cut {
                side: ball.side * across.x.abs(),
                ..ball
            },
            Axes::AlongY => Cut {
                side: ball.side * across.y.abs(),
                ..ball
            },
        }
    }
}

/// Where a passage is cut: an ellipse on paper, its lower half of another height, pixels.
#[derive(Clone, Copy)]
struct Cut {
    at: DVec2,
    side: DVec2,
    up: DVec2,
    down: DVec2,
}

impl Cut {
    fn lerp(self, other: Self, t: f64) -> Self {
        Self {
            at: self.at.lerp(other.at, t),
            side: self.side.lerp(other.side, t),
            up: self.up.lerp(other.up, t),
            down: self.down.lerp(other.down, t),
        }
    }

    /// The same with each half axis longer, unless it has no length.
    fn grown(self, by: f64) -> Self {
        let grow = |axis: DVec2| axis + by * axis.normalize_or_zero();
        Self {
            at: self.at,
            side: grow(self.side),
            up: grow(self.up),
            down: grow(self.down),
        }
    }

    fn rim(self) -> impl Iterator<Item = DVec2> {
        let size = self.side.length().max(self.up.length());
        let corners = (4 * (size / 3.0) as u32).clamp(12, 64);
        (0..corners).map(move |k| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(corners);
            let (across, up) = (libm::cos(angle), libm::sin(angle));
            let height = if up > 0.0 { self.up } else { -self.down };
            self.at + across * self.side + up * height
        })
    }
}

/// An edge as it is drawn.
struct Drawn {
    edge: Edge,
    nearness: f64,
    balls: [Cut; 2],
    cuts: [Cut; 2],
}

/// Draws all passages from far to near, in slices: of each first the outlines, so that passages
/// that meet are one, then the colours, then the centre lines.
pub(super) fn draw(canvas: &mut Canvas, view: &View, skeleton: &Skeleton, colours: &Colours) {
    let slices = slices(view, skeleton);
    let front = slices.last().and_then(|s| s.last()).map(|d| d.nearness);
    let far = slices.first().and_then(|s| s.first()).map(|d| d.nearness);
    let (front, far) = front.zip(far).unwrap_or_default();
    let haze = |d: &Drawn| match view.axes {
        Axes::Plan => 0.0,
        _ => HAZE * (front - d.nearness) / (front - far).max(1e-9),
    };
    // An end gets a round outline once; later outlines across it would cut its passages apart.
    let mut rounded = vec![false; skeleton.nodes.len()];
    // The last slice that covered a node with its ball, counted from 1.
    let mut joined = vec![0; skeleton.nodes.len()];
    for (index, slice) in (1..).zip(&slices) {
        for drawn in slice {
            let ink = mix(INK, ROCK, haze(drawn));
            let end = |k: usize, node: usize| {
                if rounded[node] {
                    drawn.cuts[k].grown(OUTLINE)
                } else {
                    drawn.balls[k].grown(OUTLINE)
                }
            };
            let (a, b) = (end(0, drawn.edge.a), end(1, drawn.edge.b));
            canvas.polygon(&hull(a, b), ink);
        }
        for drawn in slice {
            rounded[drawn.edge.a] = true;
            rounded[drawn.edge.b] = true;
            let [from, to] = [drawn.edge.a, drawn.edge.b].map(|i| &skeleton.nodes[i]);
            for (k, node) in [drawn.edge.a, drawn.edge.b].into_iter().enumerate() {
                if std::mem::replace(&mut joined[node], index) != index {
                    let colour = mix(colours.at(from, to, k as f64), ROCK, haze(drawn));
                    let ball = drawn.balls[k];
                    canvas.polygon(&hull(ball, ball), colour);
                }
            }
        }
        for drawn in slice {
            fill(canvas, drawn, skeleton, colours, haze(drawn));
        }
        for Drawn { cuts: [a, b], .. } in slice {
            let line = [a.at, b.at].map(|p| (p.x as f32, p.y as f32));
            canvas.line(&line, 1.0, WHITE, 110);
        }
    }
}

/// Fills a passage piece by piece.
fn fill(canvas: &mut Canvas, drawn: &Drawn, skeleton: &Skeleton, colours: &Colours, haze: f64) {
    let [from, to] = [drawn.edge.a, drawn.edge.b].map(|i| &skeleton.nodes[i]);
    let [a, b] = drawn.cuts;
    let seen = f64::from(colours.change(from, to)) / SHADE;
    let pieces = (a.at.distance(b.at) / PIECE)
        .min(seen)
        .ceil()
        .clamp(1.0, 64.0);
    // Pieces overlap a little, or the ink would shine through between them.
    let at = |k: f64| a.lerp(b, (k / pieces).clamp(0.0, 1.0));
    for k in (0..pieces as u32).map(f64::from) {
        let colour = mix(colours.at(from, to, (k + 0.5) / pieces), ROCK, haze);
        canvas.polygon(&hull(at(k - 0.1), at(k + 1.1)), colour);
    }
}

/// Edges in slices from far to near, each about as thick as two passages are wide, and in each
/// from far to near.
fn slices(view: &View, skeleton: &Skeleton) -> Vec<Vec<Drawn>> {
    let node = |i: usize| &skeleton.nodes[i];
    let mut all: Vec<Drawn> = skeleton
        .edges
        .iter()
        .map(|&edge| {
            let (a, b) = (node(edge.a), node(edge.b));
            let way = b.position - a.position;
            Drawn {
                edge,
                nearness: view.axes.nearness(a.position.midpoint(b.position)),
                balls: [view.ball(a), view.ball(b)],
                cuts: [view.cut(a, way), view.cut(b, way)],
            }
        })
        .collect();
    all.sort_by(|x, y| {
        let near = x.nearness.total_cmp(&y.nearness);
        near.then(x.edge.cmp(&y.edge))
    });
    let width: f64 = skeleton.nodes.iter().map(|n| n.passage_m).sum();
    let thick = 4.0 * width / skeleton.nodes.len().max(1) as f64;
    let mut slices: Vec<Vec<Drawn>> = Vec::new();
    let mut end = f64::NEG_INFINITY;
    for drawn in all {
        if drawn.nearness > end {
            end = drawn.nearness + thick;
            slices.push(Vec::new());
        }
        if let Some(slice) = slices.last_mut() {
            slice.push(drawn);
        }
    }
    slices
}

/// Convex hull of both cuts (Andrew's monotone chain).
fn hull(a: Cut, b: Cut) -> Vec<Px> {
    let mut points: Vec<DVec2> = a.rim().chain(b.rim()).collect();
    points.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    let mut hull: Vec<DVec2> = Vec::with_capacity(points.len());
    let mut half = |points: &mut dyn Iterator<Item = &DVec2>| {
        let start = hull.len();
        for &p in points {
            while let [.., q, r] = hull[start..] {
                if (r - q).perp_dot(p - r) > 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    };
    half(&mut points.iter());
    half(&mut points.iter().rev());
    hull.iter().map(|p| (p.x as f32, p.y as f32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(at: DVec2, reach: [f64; 3]) -> Cut {
        Cut {
            at,
            side: DVec2::new(reach[0], 0.0),
            up: DVec2::new(0.0, -reach[1]),
            down: DVec2::new(0.0, reach[2]),
        }
    }

    proptest! {
        #[test]
        fn hulls_are_convex_and_hold_both_ends(
            ends in prop::array::uniform4(-500.0f64..500.0),
            reach in prop::array::uniform3(1.5f64..90.0),
        ) {
            let a = cut(DVec2::new(ends[0], ends[1]), reach);
            let b = cut(DVec2::new(ends[2], ends[3]), reach.map(|r| 0.5 * r));
            let corners: Vec<DVec2> = hull(a, b)
                .into_iter()
                .map(|(x, y)| DVec2::new(x.into(), y.into()))
                .collect();
            prop_assert!(corners.len() >= 6);
            for (k, &p) in corners.iter().enumerate() {
                let side = corners[(k + 1) % corners.len()] - p;
                for q in a.rim().chain(b.rim()) {
                    let beyond = -side.perp_dot(q - p) / side.length().max(1e-6);
                    prop_assert!(beyond < 0.01, "{q} is {beyond} px outside");
                }
            }
        }
    }

    #[test]
    fn nearer_is_toward_who_looks() {
        // Right × up points to who looks.
        for axes in [Axes::Plan, Axes::AlongX, Axes::AlongY] {
            let axis = |want: DVec2| {
                let all = [DVec3::X, DVec3::Y, DVec3::Z];
                all.into_iter().find(|&a| axes.project(a) == want).unwrap()
            };
            let toward = axis(DVec2::X).cross(axis(DVec2::Y));
            assert!(axes.nearness(toward) > axes.nearness(-toward), "{axes:?}");
        }
    }
}

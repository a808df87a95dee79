//! The graph in plan, coloured by elevation.

use super::Error;
use super::canvas::Px;
use super::frame::{Extent, Frame, nice_at_most};
use super::lettering::Align;
use super::palette::{INK, MUTED, Rgb, START, WHITE, viridis};
use crate::skeleton::{Edge, NodeKind, Skeleton};
use glam::DVec3;

/// Narrowest passage in the picture, pixels.
const THINNEST: f32 = 3.0;
/// Width of the outline on each side of a passage, pixels.
const OUTLINE: f32 = 1.4;
/// Longest piece of a passage in one colour, pixels.
const PIECE: f32 = 5.0;
/// Caves with more nodes than this get no mark at every junction and dead end.
const MARKED_NODES: usize = 1500;

/// Plan view of a graph: passages to scale and coloured by elevation, entrance, junctions and
/// dead ends marked, with colour bar, legend, scale bar and title. PNG bytes.
///
/// # Errors
///
/// [`Error::Empty`] without nodes, [`Error::NotFinite`] for a position that is no place.
pub fn skeleton_png(skeleton: &Skeleton, title: &str) -> Result<Vec<u8>, Error> {
    let finite = |p: DVec3| p.is_finite();
    if let Some(index) = skeleton
        .nodes
        .iter()
        .position(|node| !finite(node.position))
    {
        return Err(Error::NotFinite {
            what: "graph",
            index,
        });
    }
    let discs = skeleton
        .nodes
        .iter()
        .map(|n| (n.position.truncate(), n.passage_m));
    let extent = Extent::of(discs).ok_or(Error::Empty("graph"))?;
    let heights = Heights::of(skeleton);
    let mut frame = Frame::new(title, &subtitle(skeleton, heights), extent)?;
    passages(&mut frame, skeleton, heights);
    marks(&mut frame, skeleton);
    let below = colour_bar(&mut frame, heights);
    legend(&mut frame, skeleton, below);
    frame.canvas.png()
}

/// Lowest and highest node, metres.
#[derive(Clone, Copy)]
struct Heights {
    low: f64,
    high: f64,
}

impl Heights {
    fn of(skeleton: &Skeleton) -> Self {
        let fold = |start: f64, pick: fn(f64, f64) -> f64| {
            skeleton
                .nodes
                .iter()
                .map(|n| n.position.z)
                .fold(start, pick)
        };
        Self {
            low: fold(f64::INFINITY, f64::min),
            high: fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// Whether there is anything to tell apart.
    fn is_flat(self) -> bool {
        self.high - self.low < 0.01
    }

    fn colour(self, z: f64) -> Rgb {
        if self.is_flat() {
            viridis(0.5)
        } else {
            viridis((z - self.low) / (self.high - self.low))
        }
    }
}

fn subtitle(skeleton: &Skeleton, heights: Heights) -> String {
    let loops = (skeleton.edges.len() + 1).saturating_sub(skeleton.nodes.len());
    format!(
        "{} nodes · {:.0} m of passages · {loops} {} · elevation {:.1} to {:.1} m",
        skeleton.nodes.len(),
        skeleton.length_m(),
        if loops == 1 { "loop" } else { "loops" },
        heights.low,
        heights.high
    )
}

fn passages(frame: &mut Frame, skeleton: &Skeleton, heights: Heights) {
    let node = |i: usize| &skeleton.nodes[i];
    let middle = |e: &Edge| node(e.a).position.z + node(e.b).position.z;
    let mut edges = skeleton.edges.clone();
    // The upper passage covers the lower one where they cross.
    edges.sort_by(|x, y| middle(x).total_cmp(&middle(y)).then(x.cmp(y)));
    let width = |frame: &Frame, i: usize| (2.0 * frame.length(node(i).passage_m)).max(THINNEST);
    for edge in &edges {
        let ends = [
            frame.px(node(edge.a).position.truncate()),
            frame.px(node(edge.b).position.truncate()),
        ];
        let widest = width(frame, edge.a).min(width(frame, edge.b));
        frame.canvas.line(&ends, widest + 2.0 * OUTLINE, INK, 255);
    }
    for edge in &edges {
        let widest = width(frame, edge.a).min(width(frame, edge.b));
        for end in [node(edge.a), node(edge.b)] {
            let colour = heights.colour(end.position.z);
            frame.canvas.disc(
                frame.px(end.position.truncate()),
                widest / 2.0,
                colour,
                0.0,
                colour,
            );
        }
    }
    for edge in &edges {
        let (a, b) = (node(edge.a).position, node(edge.b).position);
        let widest = width(frame, edge.a).min(width(frame, edge.b));
        let pieces = (frame.length(a.distance(b)) / PIECE)
            .ceil()
            .clamp(1.0, 64.0);
        // Pieces overlap a little, or the paper would shine through between them.
        let at = |k: f32| a.lerp(b, f64::from((k / pieces).clamp(0.0, 1.0)));
        for k in 0..pieces as u32 {
            let k = k as f32;
            let ends = [at(k - 0.1), at(k + 1.1)].map(|p| frame.px(p.truncate()));
            frame
                .canvas
                .piece(ends, widest, heights.colour(at(k + 0.5).z));
        }
    }
    for edge in &edges {
        let ends = [edge.a, edge.b].map(|i| frame.px(node(i).position.truncate()));
        frame.canvas.line(&ends, 1.0, WHITE, 110);
    }
}

fn marks(frame: &mut Frame, skeleton: &Skeleton) {
    if skeleton.nodes.len() <= MARKED_NODES {
        for node in &skeleton.nodes {
            let at = frame.px(node.position.truncate());
            mark(frame, node.kind, at);
        }
    }
    if let Some(node) = skeleton.nodes.get(skeleton.entrance) {
        let at = frame.px(node.position.truncate());
        mark(frame, NodeKind::Entrance, at);
    }
}

fn mark(frame: &mut Frame, kind: NodeKind, (x, y): Px) {
    let canvas = &mut frame.canvas;
    match kind {
        NodeKind::Entrance => {
            // Points along +x, the way the first passage heads.
            let arrow = |r: f32| {
                [
                    (x + r, y),
                    (x - 0.7 * r, y - 0.85 * r),
                    (x - 0.7 * r, y + 0.85 * r),
                ]
            };
            canvas.disc((x, y), 11.0, WHITE, 1.6, INK);
            canvas.polygon(&arrow(8.0), START);
        }
        NodeKind::Junction => canvas.disc((x, y), 3.2, WHITE, 1.5, INK),
        NodeKind::DeadEnd => canvas.disc((x, y), 2.6, INK, 1.2, WHITE),
        NodeKind::Shaft => {
            canvas.polygon(&[(x - 5.0, y - 4.0), (x + 5.0, y - 4.0), (x, y + 6.0)], INK);
        }
        NodeKind::Passage | NodeKind::Room => {}
    }
}

/// Draws the bar; returns where it ends.
fn colour_bar(frame: &mut Frame, heights: Heights) -> f32 {
    let (x, top) = frame.legend();
    frame
        .canvas
        .text("Elevation of the", (x, top + 14.0), 13.5, INK, Align::Left);
    frame
        .canvas
        .text("centre line, m", (x, top + 31.0), 13.5, INK, Align::Left);
    let (top, width) = (top + 46.0, 22.0);
    if heights.is_flat() {
        frame.canvas.rect(x, top, width, width, heights.colour(0.0));
        let label = format!("{:.2}", heights.low);
        frame
            .canvas
            .text(&label, (x + 32.0, top + 16.0), 13.0, INK, Align::Left);
        return top + width;
    }
    let rows = 200u16;
    frame
        .canvas
        .rect(x - 1.0, top - 1.0, width + 2.0, f32::from(rows) + 2.0, INK);
    for row in 0..rows {
        let colour = viridis(1.0 - (f64::from(row) + 0.5) / f64::from(rows));
        frame
            .canvas
            .rect(x, top + f32::from(row), width, 1.0, colour);
    }
    let span = heights.high - heights.low;
    let step = nice_at_most(span / 4.0);
    let digits = (-libm::floor(libm::log10(step))).max(0.0) as usize;
    let (first, last) = (
        (heights.low / step).ceil() as i64,
        (heights.high / step).floor() as i64,
    );
    for value in (first..=last).map(|k| k as f64 * step) {
        let y = top + ((heights.high - value) / span) as f32 * f32::from(rows);
        frame
            .canvas
            .line(&[(x + width, y), (x + width + 5.0, y)], 1.2, INK, 255);
        let label = format!("{value:.digits$}");
        frame
            .canvas
            .text(&label, (x + width + 11.0, y + 4.5), 13.0, INK, Align::Left);
    }
    top + f32::from(rows)
}

fn legend(frame: &mut Frame, skeleton: &Skeleton, below: f32) {
    let (x, _) = frame.legend();
    let mut y = below + 42.0;
    let kinds = [
        (NodeKind::Entrance, "entrance", "entrances"),
        (NodeKind::Junction, "junction", "junctions"),
        (NodeKind::DeadEnd, "dead end", "dead ends"),
        (NodeKind::Shaft, "shaft end", "shaft ends"),
    ];
    for (kind, one, many) in kinds {
        let count = skeleton.nodes.iter().filter(|n| n.kind == kind).count();
        if count == 0 {
            continue;
        }
        mark(frame, kind, (x + 12.0, y - 5.0));
        let label = format!("{count} {}", if count == 1 { one } else { many });
        frame
            .canvas
            .text(&label, (x + 34.0, y), 13.5, INK, Align::Left);
        y += 29.0;
    }
    if skeleton.nodes.len() > MARKED_NODES {
        frame
            .canvas
            .text("(not marked: too many)", (x, y), 12.0, MUTED, Align::Left);
    }
}

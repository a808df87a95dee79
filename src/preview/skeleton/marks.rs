//! Marks for what nodes are, and their legend.

use super::super::canvas::{Canvas, Px};
use super::super::frame::Frame;
use super::super::lettering::Align;
use super::super::palette::{INK, ROOM, SHAFT, START, WHITE};
use super::passages::{Axes, View};
use crate::skeleton::{NodeKind, Skeleton};

/// Marks have their full size where nodes lie this far apart, pixels.
const ROOMY: f64 = 16.0;
/// Smallest marks over full size.
const SMALLEST: f32 = 0.4;

/// An elevation of more nodes than this, all behind each other, shows rare kinds only.
const CROWDED: usize = 3000;

/// What can be marked, in the order of drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    DeadEnd,
    Junction,
    Room,
    Shaft,
    /// An entrance beside the first.
    Opening,
    /// Where a robot starts.
    Entrance,
}

impl Mark {
    const ALL: [Self; 6] = [
        Self::DeadEnd,
        Self::Junction,
        Self::Room,
        Self::Shaft,
        Self::Opening,
        Self::Entrance,
    ];

    fn of(skeleton: &Skeleton, index: usize) -> Option<Self> {
        match skeleton.nodes[index].kind {
            _ if index == skeleton.entrance => Some(Self::Entrance),
            NodeKind::Entrance => Some(Self::Opening),
            NodeKind::Junction => Some(Self::Junction),
            NodeKind::DeadEnd => Some(Self::DeadEnd),
            NodeKind::Shaft => Some(Self::Shaft),
            NodeKind::Room => Some(Self::Room),
            NodeKind::Passage => None,
        }
    }

    /// Names for one and for many.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::DeadEnd => ["dead end", "dead ends"],
            Self::Junction => ["junction", "junctions"],
            Self::Room => ["room", "rooms"],
            Self::Shaft => ["end of a shaft", "ends of shafts"],
            Self::Opening => ["more entrance", "more entrances"],
            Self::Entrance => ["entrance", "entrances"],
        }
    }

    fn draw(self, canvas: &mut Canvas, (x, y): Px, ease: f32) {
        let at = |dx: f32, dy: f32| (x + ease * dx, y + ease * dy);
        match self {
            Self::DeadEnd => canvas.disc((x, y), 2.6 * ease, INK, 1.2 * ease, WHITE),
            Self::Junction => canvas.disc((x, y), 3.2 * ease, WHITE, 1.5 * ease, INK),
            Self::Room => {
                let square = |r: f32| [at(-r, -r), at(r, -r), at(r, r), at(-r, r)];
                canvas.polygon(&square(5.4), INK);
                canvas.polygon(&square(3.9), ROOM);
            }
            Self::Shaft => {
                let down = |r: f32| [at(-r, -0.7 * r), at(r, -0.7 * r), at(0.0, r)];
                canvas.polygon(&down(8.6), WHITE);
                canvas.polygon(&down(6.2), SHAFT);
            }
            Self::Opening => {
                canvas.disc((x, y), 5.2, START, 1.6, WHITE);
                canvas.disc((x, y), 1.8, WHITE, 0.0, WHITE);
            }
            Self::Entrance => {
                // Points along +x, the way the first passage heads.
                let r = 8.0;
                let arrow = [
                    (x + r, y),
                    (x - 0.7 * r, y - 0.85 * r),
                    (x - 0.7 * r, y + 0.85 * r),
                ];
                canvas.disc((x, y), 11.0, WHITE, 1.6, INK);
                canvas.polygon(&arrow, START);
            }
        }
    }
}

/// How large marks can be where nodes lie this densely, over full size.
pub(super) fn ease(skeleton: &Skeleton, px_per_m: f64) -> f32 {
    let mean = skeleton.length_m() / skeleton.edges.len().max(1) as f64;
    ((mean * px_per_m / ROOMY) as f32).clamp(SMALLEST, 1.0)
}

/// Marks every node that is more than a passage; in a crowded elevation no junctions and dead
/// ends.
pub(super) fn draw(canvas: &mut Canvas, view: &View, skeleton: &Skeleton, ease: f32) {
    let crowded = view.axes != Axes::Plan && skeleton.nodes.len() > CROWDED;
    for mark in Mark::ALL {
        if crowded && matches!(mark, Mark::DeadEnd | Mark::Junction) {
            continue;
        }
        for (index, node) in skeleton.nodes.iter().enumerate() {
            if Mark::of(skeleton, index) == Some(mark) {
                mark.draw(canvas, view.px(node.position), ease);
            }
        }
    }
}

/// Explains the marks, from `below` on.
pub(super) fn legend(frame: &mut Frame, skeleton: &Skeleton, below: f32) {
    let (x, _) = frame.legend();
    let mut y = below + 42.0;
    for mark in Mark::ALL.into_iter().rev() {
        let indices = 0..skeleton.nodes.len();
        let count = indices
            .filter(|&i| Mark::of(skeleton, i) == Some(mark))
            .count();
        if count == 0 {
            continue;
        }
        mark.draw(&mut frame.canvas, (x + 12.0, y - 5.0), 1.0);
        let label = format!("{count} {}", mark.names()[usize::from(count != 1)]);
        frame
            .canvas
            .text(&label, (x + 34.0, y), 13.5, INK, Align::Left);
        y += 29.0;
    }
}

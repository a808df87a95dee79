//! What the colour of a passage says: its level, or its elevation where there is one level.

use super::super::frame::Frame;
use super::super::lettering::Align;
use super::super::palette::{INK, MUTED, Rgb, mix, qualitative, viridis};
use super::super::panel::nice_at_most;
use crate::skeleton::{Node, Skeleton};
use std::collections::BTreeMap;

/// Levels that the legend has room for.
const LISTED_LEVELS: usize = 12;

/// What the colour of a passage says.
pub(super) enum Colours {
    /// Elevation between the lowest and the highest node.
    Elevation(Heights),
    /// Level; with the heights of each.
    Levels(BTreeMap<u32, Heights>),
}

/// Lowest and highest node, metres.
#[derive(Clone, Copy)]
pub(super) struct Heights {
    low: f64,
    high: f64,
}

impl Heights {
    const NONE: Self = Self {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };

    fn add(&mut self, z: f64) {
        self.low = self.low.min(z);
        self.high = self.high.max(z);
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

impl Colours {
    /// Levels when there are several.
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        let mut levels: BTreeMap<u32, Heights> = BTreeMap::new();
        let mut all = Heights::NONE;
        for node in &skeleton.nodes {
            all.add(node.position.z);
            let level = levels.entry(node.level).or_insert(Heights::NONE);
            level.add(node.position.z);
        }
        if levels.len() > 1 {
            Self::Levels(levels)
        } else {
            Self::Elevation(all)
        }
    }

    /// Colour at share `t` of the way from one node to another.
    pub(super) fn at(&self, a: &Node, b: &Node, t: f64) -> Rgb {
        match self {
            Self::Elevation(heights) => {
                heights.colour(a.position.z + t * (b.position.z - a.position.z))
            }
            Self::Levels(_) => mix(qualitative(a.level), qualitative(b.level), t),
        }
    }

    /// Largest change of a channel from one node to another.
    pub(super) fn change(&self, a: &Node, b: &Node) -> u8 {
        let ends = self.at(a, b, 0.0).into_iter().zip(self.at(a, b, 1.0));
        ends.map(|(from, to)| from.abs_diff(to)).max().unwrap_or(0)
    }

    /// Draws the legend; returns where it ends.
    pub(super) fn legend(&self, frame: &mut Frame) -> f32 {
        match self {
            Self::Elevation(heights) => bar(frame, *heights),
            Self::Levels(levels) => list(frame, levels),
        }
    }
}

fn list(frame: &mut Frame, levels: &BTreeMap<u32, Heights>) -> f32 {
    let (x, top) = frame.legend();
    let room = frame.legend_width() - 30.0;
    let canvas = &mut frame.canvas;
    canvas.text("Levels", (x, top + 14.0), 13.5, INK, Align::Left);
    let mut y = top + 44.0;
    for (&level, heights) in levels.iter().take(LISTED_LEVELS) {
        canvas.rect(x - 1.0, y - 14.0, 20.0, 18.0, INK);
        canvas.rect(x, y - 13.0, 18.0, 16.0, qualitative(level));
        let label = format!("{level}: {:.0} to {:.0} m", heights.low, heights.high);
        let label = canvas.fit(&label, 13.5, room);
        canvas.text(&label, (x + 29.0, y), 13.5, INK, Align::Left);
        y += 26.0;
    }
    if levels.len() > LISTED_LEVELS {
        let more = format!("and {} more", levels.len() - LISTED_LEVELS);
        canvas.text(&more, (x + 29.0, y), 12.0, MUTED, Align::Left);
        y += 26.0;
    }
    y - 26.0
}

fn bar(frame: &mut Frame, heights: Heights) -> f32 {
    let (x, top) = frame.legend();
    let canvas = &mut frame.canvas;
    canvas.text("Elevation of the", (x, top + 14.0), 13.5, INK, Align::Left);
    canvas.text("centre line, m", (x, top + 31.0), 13.5, INK, Align::Left);
    let (top, width) = (top + 46.0, 22.0);
    if heights.is_flat() {
        canvas.rect(x, top, width, width, heights.colour(0.0));
        let label = format!("{:.2}", heights.low);
        canvas.text(&label, (x + 32.0, top + 16.0), 13.0, INK, Align::Left);
        return top + width;
    }
    let rows = 200u16;
    canvas.rect(x - 1.0, top - 1.0, width + 2.0, f32::from(rows) + 2.0, INK);
    for row in 0..rows {
        let colour = viridis(1.0 - (f64::from(row) + 0.5) / f64::from(rows));
        canvas.rect(x, top + f32::from(row), width, 1.0, colour);
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
        canvas.line(&[(x + width, y), (x + width + 5.0, y)], 1.2, INK, 255);
        let label = format!("{value:.digits$}");
        canvas.text(&label, (x + width + 11.0, y + 4.5), 13.0, INK, Align::Left);
    }
    top + f32::from(rows)
}

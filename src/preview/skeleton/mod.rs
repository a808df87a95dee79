//! The graph in plan and in elevation.
//!
//! `colours` says what a colour means, `passages` draws them swept to scale, `marks` draws
//! what nodes are, and the legend.

mod colours;
mod marks;
mod passages;

use super::Error;
use super::frame::{Frame, Section};
use super::panel::Extent;
use crate::config::PassageConfig;
use crate::skeleton::Skeleton;
use colours::Colours;
use glam::DVec2;
use passages::{Axes, View};
use std::collections::BTreeSet;

/// The elevation looks along the y axis unless the cave is this many times longer in y.
const PREFER_X: f64 = 1.6;

/// A graph in plan and below it in elevation: passages to scale, in the colour of their level
/// or, when there is one level only, of their elevation; entrances, junctions, dead ends, rooms
/// and shafts marked; with legend, scale bars and title. PNG bytes.
///
/// Heights of passages follow `passage`. The elevation shows the cave from the side on which it
/// is longer, in the scale of the plan; heights of flat caves are exaggerated, which is stated.
///
/// # Errors
///
/// [`Error::Empty`] without nodes, [`Error::NotFinite`] for a position that is no place.
pub fn skeleton_png(
    skeleton: &Skeleton,
    passage: &PassageConfig,
    title: &str,
) -> Result<Vec<u8>, Error> {
    let unplaced = |node: &crate::skeleton::Node| !node.position.is_finite();
    if let Some(index) = skeleton.nodes.iter().position(unplaced) {
        return Err(Error::NotFinite {
            what: "graph",
            index,
        });
    }
    let extent = extent(skeleton, passage, Axes::Plan).ok_or(Error::Empty("graph"))?;
    let span = extent.high - extent.low;
    let axes = if span.y > PREFER_X * span.x {
        Axes::AlongY
    } else {
        Axes::AlongX
    };
    let section = self::extent(skeleton, passage, axes).map(|extent| Section {
        extent,
        along: axes.name(),
    });
    let colours = Colours::of(skeleton);
    let mut frame = Frame::new(title, &subtitle(skeleton), extent, section)?;
    let plan = (frame.map, Axes::Plan);
    let side = frame.section.map(|panel| (panel, axes));
    let ease = marks::ease(skeleton, frame.map.scale.x);
    for (panel, axes) in std::iter::once(plan).chain(side) {
        let view = View {
            panel,
            axes,
            passage,
        };
        passages::draw(&mut frame.canvas, &view, skeleton, &colours);
        // An elevation is a small picture of everything.
        let ease = if axes == Axes::Plan {
            ease
        } else {
            0.75 * ease
        };
        marks::draw(&mut frame.canvas, &view, skeleton, ease);
    }
    if let Some(panel) = frame.section {
        panel.label_heights(&mut frame.canvas);
    }
    let below = colours.legend(&mut frame);
    marks::legend(&mut frame, skeleton, below);
    frame.canvas.png()
}

/// What a view must show, metres.
fn extent(skeleton: &Skeleton, passage: &PassageConfig, axes: Axes) -> Option<Extent> {
    let corners = skeleton.nodes.iter().flat_map(|node| {
        let [side, up, down] = axes.reach_m(node, passage);
        let at = axes.project(node.position);
        [DVec2::new(-side, -down), DVec2::new(side, up)].map(|d| (at + d, 0.0))
    });
    Extent::of(corners)
}

fn subtitle(skeleton: &Skeleton) -> String {
    let count = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let loops = (skeleton.edges.len() + 1).saturating_sub(skeleton.nodes.len());
    let levels: BTreeSet<u32> = skeleton.nodes.iter().map(|node| node.level).collect();
    let heights = || skeleton.nodes.iter().map(|node| node.position.z);
    format!(
        "{} · {:.0} m of passages · {} · {} · elevation {:.1} to {:.1} m",
        count(skeleton.nodes.len(), "node"),
        skeleton.length_m(),
        count(loops, "loop"),
        count(levels.len(), "level"),
        heights().fold(f64::INFINITY, f64::min),
        heights().fold(f64::NEG_INFINITY, f64::max),
    )
}

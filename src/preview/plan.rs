//! The floor in plan, coloured by layer, with a route on it.

use super::Error;
use super::canvas::Px;
use super::frame::Frame;
use super::lettering::Align;
use super::palette::{GOAL, INK, MUTED, ROUTE, Rgb, START, WHITE};
use super::panel::Extent;
use crate::skeleton::Skeleton;
use glam::{DVec2, DVec3};

/// Samples of a pixel along each side.
const SAMPLES: u32 = 3;

/// A square of floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanCell {
    /// Centre, metres, frame `map`.
    pub x: f64,
    /// Centre, metres, frame `map`.
    pub y: f64,
    /// Index into [`PlanView::layers`].
    pub layer: u8,
}

/// A layer in the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanLayer {
    /// Name, as in the layer set.
    pub name: String,
    /// sRGB colour, 0–255.
    pub color: [u8; 3],
}

/// What a plan shows. Later cells cover earlier ones.
#[derive(Clone, Copy, Debug)]
pub struct PlanView<'a> {
    /// Title over the picture.
    pub title: &'a str,
    /// The floor.
    pub cells: &'a [PlanCell],
    /// Edge of a cell, metres.
    pub cell_m: f64,
    /// The layers, all of those in `cells`.
    pub layers: &'a [PlanLayer],
    /// Graph whose centre lines are drawn faintly.
    pub skeleton: Option<&'a Skeleton>,
    /// Route from start to goal, metres, frame `map`; may be empty.
    pub route: &'a [[f64; 3]],
}

/// Plan of the floor: cells coloured by layer, faint centre lines, the route with start and goal,
/// legend with the share of each layer, scale bar and title. PNG bytes.
///
/// # Errors
///
/// [`Error::Empty`] without cells and graph, [`Error::Cells`] for an unknown layer or a cell size
/// that is not positive, [`Error::NotFinite`] for a position that is no place.
pub fn plan_png(view: &PlanView) -> Result<Vec<u8>, Error> {
    check(view)?;
    let nodes = view.skeleton.map_or(&[][..], |skeleton| &skeleton.nodes);
    let floor = view
        .cells
        .iter()
        .map(|c| (DVec2::new(c.x, c.y), view.cell_m / 2.0));
    let lines = nodes.iter().map(|n| (n.position.truncate(), 0.0));
    let route = view.route.iter().map(|p| (DVec2::new(p[0], p[1]), 0.0));
    let extent = Extent::of(floor.chain(lines).chain(route)).ok_or(Error::Empty("floor"))?;
    let mut frame = Frame::new(view.title, &subtitle(view), extent, None)?;
    cells(&mut frame, view);
    centre_lines(&mut frame, view);
    route_line(&mut frame, view);
    legend(&mut frame, view);
    frame.canvas.png()
}

fn check(view: &PlanView) -> Result<(), Error> {
    if !(view.cell_m.is_finite() && view.cell_m > 0.0) {
        return Err(Error::Cells(format!(
            "cells of {} m; must be over 0",
            view.cell_m
        )));
    }
    if let Some(cell) = view
        .cells
        .iter()
        .find(|c| usize::from(c.layer) >= view.layers.len())
    {
        let known = view.layers.len();
        return Err(Error::Cells(format!(
            "layer {} of {known} layers",
            cell.layer
        )));
    }
    let fault = |what, index: Option<usize>| match index {
        Some(index) => Err(Error::NotFinite { what, index }),
        None => Ok(()),
    };
    fault(
        "floor",
        view.cells
            .iter()
            .position(|c| !(c.x.is_finite() && c.y.is_finite())),
    )?;
    fault(
        "route",
        view.route
            .iter()
            .position(|p| !p.iter().all(|v| v.is_finite())),
    )?;
    let nodes = view.skeleton.map_or(&[][..], |skeleton| &skeleton.nodes);
    fault("graph", nodes.iter().position(|n| !n.position.is_finite()))
}

fn subtitle(view: &PlanView) -> String {
    let area = view.cells.len() as f64 * view.cell_m * view.cell_m;
    let mut line = format!("{area:.0} m² of floor");
    if view.route.len() > 1 {
        let steps = view.route.windows(2);
        let length: f64 = steps
            .map(|w| DVec3::from_array(w[0]).distance(DVec3::from_array(w[1])))
            .sum();
        line.push_str(&format!(" · route of {length:.1} m"));
    }
    line
}

/// Cells by counting samples, so that borders are smooth and cells below a pixel mix.
fn cells(frame: &mut Frame, view: &PlanView) {
    let half = view.cell_m / 2.0;
    let corner = |frame: &Frame, c: &PlanCell| {
        let (x0, y0) = frame.map.px(DVec2::new(c.x - half, c.y + half));
        let (x1, y1) = frame.map.px(DVec2::new(c.x + half, c.y - half));
        [x0, y0, x1, y1].map(|v| (v * SAMPLES as f32).round().max(0.0) as u32)
    };
    let width = frame.canvas.width() * SAMPLES;
    let boxes: Vec<[u32; 4]> = view.cells.iter().map(|c| corner(frame, c)).collect();
    let (Some(top), Some(bottom)) = (
        boxes.iter().map(|b| b[1]).min(),
        boxes.iter().map(|b| b[3]).max(),
    ) else {
        return;
    };
    let top = top / SAMPLES * SAMPLES;
    let rows = (bottom - top + 1).next_multiple_of(SAMPLES);
    let mut samples = vec![u8::MAX; width as usize * rows as usize];
    for (cell, &[x0, y0, x1, y1]) in view.cells.iter().zip(&boxes) {
        for y in y0..y1.max(y0 + 1) {
            let row = (y - top) as usize * width as usize;
            let end = x1.max(x0 + 1).min(width) as usize;
            if let Some(run) = samples.get_mut(row + x0 as usize..row + end) {
                run.fill(cell.layer);
            }
        }
    }
    let of_pixel = |px: u32, py: u32| {
        (0..SAMPLES * SAMPLES)
            .map(move |i| (px * SAMPLES + i % SAMPLES, py * SAMPLES + i / SAMPLES))
    };
    for py in 0..rows / SAMPLES {
        for px in 0..width / SAMPLES {
            let (mut sum, mut hits) = ([0u32; 3], 0u32);
            for (sx, sy) in of_pixel(px, py) {
                let layer = samples[sy as usize * width as usize + sx as usize];
                if let Some(layer) = view.layers.get(usize::from(layer)) {
                    hits += 1;
                    (0..3).for_each(|i| sum[i] += u32::from(layer.color[i]));
                }
            }
            if hits > 0 {
                let mean = sum.map(|s| (s / hits) as u8);
                let share = hits as f32 / (SAMPLES * SAMPLES) as f32;
                frame.canvas.blend(px, py + top / SAMPLES, mean, share);
            }
        }
    }
}

fn centre_lines(frame: &mut Frame, view: &PlanView) {
    let Some(skeleton) = view.skeleton else {
        return;
    };
    for edge in &skeleton.edges {
        let ends = [edge.a, edge.b].map(|i| frame.map.px(skeleton.nodes[i].position.truncate()));
        frame.canvas.line(&ends, 1.1, INK, 75);
    }
}

fn route_line(frame: &mut Frame, view: &PlanView) {
    let points: Vec<Px> = view
        .route
        .iter()
        .map(|p| frame.map.px(DVec2::new(p[0], p[1])))
        .collect();
    if points.len() > 1 {
        frame.canvas.line(&points, 5.2, WHITE, 235);
        frame.canvas.line(&points, 2.8, ROUTE, 255);
    }
    if let (Some(&start), Some(&goal)) = (points.first(), points.last()) {
        goal_mark(frame, goal);
        start_mark(frame, start);
    }
}

fn start_mark(frame: &mut Frame, at: Px) {
    frame.canvas.disc(at, 7.0, START, 2.0, WHITE);
    frame.canvas.disc(at, 2.4, WHITE, 0.0, WHITE);
}

fn goal_mark(frame: &mut Frame, (x, y): Px) {
    let diamond = |r: f32| [(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
    frame.canvas.polygon(&diamond(11.5), WHITE);
    frame.canvas.polygon(&diamond(8.5), GOAL);
    frame.canvas.disc((x, y), 2.4, WHITE, 0.0, WHITE);
}

fn legend(frame: &mut Frame, view: &PlanView) {
    let (x, top) = frame.legend();
    let room = frame.legend_width() - 30.0;
    let mut y = top + 14.0;
    frame
        .canvas
        .text("Layers, share of floor", (x, y), 13.5, INK, Align::Left);
    y += 28.0;
    for (index, layer) in view.layers.iter().enumerate() {
        let count = view
            .cells
            .iter()
            .filter(|c| usize::from(c.layer) == index)
            .count();
        if count == 0 {
            continue;
        }
        frame.canvas.rect(x - 1.0, y - 14.0, 20.0, 18.0, INK);
        frame.canvas.rect(x, y - 13.0, 18.0, 16.0, layer.color);
        let share = 100.0 * count as f64 / view.cells.len() as f64;
        let share = if share < 1.0 {
            "< 1 %".to_owned()
        } else {
            format!("{share:.0} %")
        };
        let label = format!("{}  {share}", layer.name.replace('_', " "));
        let label = frame.canvas.fit(&label, 13.5, room);
        frame
            .canvas
            .text(&label, (x + 29.0, y), 13.5, INK, Align::Left);
        y += 28.0;
    }
    y += 14.0;
    let item = |frame: &mut Frame, y: f32, label: &str, color: Rgb| {
        frame
            .canvas
            .text(label, (x + 34.0, y), 13.5, color, Align::Left);
    };
    if !view.route.is_empty() {
        frame
            .canvas
            .line(&[(x, y - 5.0), (x + 24.0, y - 5.0)], 2.8, ROUTE, 255);
        item(frame, y, "route", INK);
        start_mark(frame, (x + 12.0, y + 23.0));
        item(frame, y + 28.0, "start", INK);
        goal_mark(frame, (x + 12.0, y + 51.0));
        item(frame, y + 56.0, "goal", INK);
        y += 84.0;
    }
    if view.skeleton.is_some() {
        frame
            .canvas
            .line(&[(x, y - 5.0), (x + 24.0, y - 5.0)], 1.1, INK, 110);
        item(frame, y, "centre line", MUTED);
    }
}

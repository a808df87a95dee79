//! What all pictures share: title, panels one under another, legend column.

use super::Error;
use super::canvas::{Canvas, Px};
use super::lettering::Align;
use super::palette::{INK, MUTED, PAPER};
use super::panel::{Extent, Panel, plain};
use glam::DVec2;

/// Width of a picture, pixels.
const WIDTH: u32 = 1040;
/// Free space at the border, pixels.
const MARGIN: f64 = 28.0;
/// Space for title and subtitle, pixels.
const HEAD: f64 = 92.0;
/// Space for a scale bar, pixels.
const FOOT: f64 = 58.0;
/// Width of the legend column, pixels.
const SIDE: f64 = 196.0;

/// A vertical section to show below the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub(super) extent: Extent,
    /// Name of the horizontal axis.
    pub(super) along: &'static str,
}

/// A picture with title and empty panels, ready to be drawn into.
pub(super) struct Frame {
    pub(super) canvas: Canvas,
    /// The plan.
    pub(super) map: Panel,
    /// The elevation, if any.
    pub(super) section: Option<Panel>,
}

impl Frame {
    /// An empty map of `extent`, and a section below it, under a title and a subtitle.
    pub(super) fn new(
        title: &str,
        subtitle: &str,
        extent: Extent,
        section: Option<Section>,
    ) -> Result<Self, Error> {
        let width = f64::from(WIDTH) - 2.0 * MARGIN - SIDE;
        let map = Panel::map(extent, DVec2::new(MARGIN, HEAD), width);
        let below = HEAD + map.size.y + FOOT;
        let panel = section
            .map(|s| Panel::section(s.extent, DVec2::new(MARGIN, below), width, map.scale.x));
        let height = panel.map_or(below, |panel| below + panel.size.y + FOOT);
        let mut canvas = Canvas::new(WIDTH, height as u32, PAPER)?;
        map.draw_paper(&mut canvas);
        let grid = plain(map.grid_m().x);
        let note = format!("plan · grid {grid} m · x to the right, y up, frame map");
        map.draw_scale(&mut canvas, &note);
        if let (Some(panel), Some(section)) = (panel, section) {
            panel.draw_paper(&mut canvas);
            panel.draw_scale(&mut canvas, &section_note(&panel, section.along));
        }
        let left = MARGIN as f32;
        let room = WIDTH as f32 - 2.0 * left;
        canvas.heading(title, (left, 44.0), 23.0, INK, room);
        let line = canvas.fit(subtitle, 14.5, room);
        canvas.text(&line, (left, 71.0), 14.5, MUTED, Align::Left);
        Ok(Self {
            canvas,
            map,
            section: panel,
        })
    }

    /// Left end and top of the legend column, pixels.
    pub(super) fn legend(&self) -> Px {
        (
            (f64::from(self.canvas.width()) - SIDE - MARGIN + 22.0) as f32,
            HEAD as f32,
        )
    }

    /// Width of the legend column, pixels.
    pub(super) fn legend_width(&self) -> f32 {
        (SIDE - 22.0) as f32
    }
}

fn section_note(panel: &Panel, along: &str) -> String {
    let grid = panel.grid_m();
    let scale = match panel.exaggeration() {
        1.0 => "heights to scale".to_owned(),
        factor => format!("heights × {}", plain(factor.round())),
    };
    let (x, z) = (plain(grid.x), plain(grid.y));
    format!("elevation · grid {x} × {z} m · {along} to the right, z up · {scale}")
}

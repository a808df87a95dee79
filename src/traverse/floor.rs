//! The floor itself: columns of spans and what joins them.

use super::error::Error;
use super::grid::Grid;
use super::links::{self, Links, NONE};
use super::robot::Robot;
use super::shafts::Shaft;
use super::{clearance, raster, slope};
use crate::progress::Job;
use crate::terrain::{CollisionMesh, LayerSet};
use serde::{Deserialize, Serialize};

/// A layer as far as driving is concerned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FloorLayer {
    /// Name.
    pub name: String,
    /// Cost of a metre.
    pub cost: f32,
}

/// A span of a [`Floor`]; valid for that floor and for what was saved of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpanId(pub(super) u32);

impl SpanId {
    /// Position in lists that hold a value per span, such as [`Floor::distances_from`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A surface one could stand on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// Height in the middle of the cell, metres.
    pub z: f32,
    /// Height of the void above, metres.
    pub roof: f32,
    /// Incline, radians.
    pub slope: f32,
    /// Root mean square deviation from a plane, metres.
    pub roughness: f32,
    /// Distance to the nearest obstacle, metres.
    pub clearance: f32,
    /// Layer.
    pub layer: u8,
    /// [`Span::OPEN`], [`Span::WALKABLE`].
    pub flags: u8,
    /// Directions in which it can be left, one bit each.
    pub moves: u8,
}

impl Span {
    /// High and flat enough for the robot's middle.
    pub const OPEN: u8 = 1;
    /// The whole footprint fits.
    pub const WALKABLE: u8 = 2;

    pub fn is_open(&self) -> bool {
        self.flags & Self::OPEN != 0
    }

    pub fn is_walkable(&self) -> bool {
        self.flags & Self::WALKABLE != 0
    }
}

/// One cell of the floor, for plans and point clouds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Its span.
    pub id: SpanId,
    /// Middle of the cell on the ground, metres, frame `map`.
    pub position: [f64; 3],
    /// Layer.
    pub layer: u8,
    /// Cost of a metre.
    pub cost: f32,
    /// Incline, radians.
    pub slope: f32,
    /// Root mean square deviation from a plane, metres.
    pub roughness: f32,
    /// Height of the void above, metres; 1000 under the open sky.
    pub roof: f32,
    /// Distance to the nearest wall, drop or step that is too high, metres.
    pub clearance: f32,
    /// Whether height and slope let a robot be here at all.
    pub open: bool,
    /// Whether the robot's whole footprint fits here.
    pub walkable: bool,
    /// Number of the piece of floor that can be reached from here (through water too); none if not walkable.
    pub component: Option<u32>,
}

/// A multi-level walkable map for one robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    pub(super) robot: Robot,
    pub(super) layers: Vec<FloorLayer>,
    pub(super) grid: Grid,
    /// Sorted by row, column, height.
    pub(super) spans: Vec<Span>,
    /// First span of each row, and the number of spans.
    pub(super) rows: Vec<u32>,
    /// Links between open spans.
    pub(super) links: Vec<Links>,
    pub(super) components: Vec<u32>,
    pub(super) shafts: Vec<Shaft>,
}

impl Floor {
    /// Maps the floor under `meshes` for `robot`, in cells of `cell_m` metres (0.02–10).
    ///
    /// A span is walkable when its slope is at most the robot's, the void above it is at least the robot's height, and
    /// the circle that the robot sweeps turning in place, plus its clearance, is free of obstacles: so
    /// every heading is possible everywhere on a route.
    ///
    /// Errors: cell or robot out of range, meshes that are empty or not finite, a layer that is not in `layers` or has
    /// no positive cost, more cells than fit, cancelled.
    pub fn build(
        meshes: &[CollisionMesh],
        layers: &LayerSet,
        robot: &Robot,
        cell_m: f64,
        job: &Job<'_>,
    ) -> Result<Self, Error> {
        if !(0.02..=10.0).contains(&cell_m) {
            return Err(Error::CellSize(cell_m));
        }
        robot.validate(&robot.name)?;
        check_layers(meshes, layers)?;
        let (grid, grounds) = raster::grounds(meshes, cell_m, job)?;
        let mut spans: Vec<Span> = grounds
            .iter()
            .map(|g| Span {
                x: g.x,
                y: g.y,
                z: g.z,
                roof: g.roof,
                slope: 0.0,
                roughness: 0.0,
                clearance: 0.0,
                layer: g.layer,
                flags: 0,
                moves: 0,
            })
            .collect();
        let rows = links::row_starts(spans.iter().map(|s| s.y), grid.size[1]);
        let all_links = links::link(&spans, &rows, &grid, robot, job)?;
        let inclines = slope::inclines(&grounds, &all_links, cell_m, robot, job)?;
        let steepest = robot.max_slope_deg.to_radians() + 1e-4;
        for (span, (slope, roughness)) in spans.iter_mut().zip(inclines) {
            (span.slope, span.roughness) = (slope, roughness);
            if slope <= steepest && span.roof >= robot.height_m {
                span.flags |= Span::OPEN;
            }
        }
        let links = open_links(&spans, &all_links);
        drop(all_links);
        let clearances = clearance::distances(&spans, &links, cell_m, job)?;
        for (span, clearance) in spans.iter_mut().zip(clearances) {
            span.clearance = clearance;
            if span.is_open() && clearance >= robot.needed_m() {
                span.flags |= Span::WALKABLE;
            }
        }
        let layers = layers
            .layers
            .iter()
            .map(|l| FloorLayer {
                name: l.name.clone(),
                cost: l.cost,
            })
            .collect();
        Ok(Self::join(robot.clone(), layers, grid, spans, rows, links))
    }

    /// Adds what follows from spans and links: moves and components.
    fn join(
        robot: Robot,
        layers: Vec<FloorLayer>,
        grid: Grid,
        mut spans: Vec<Span>,
        rows: Vec<u32>,
        links: Vec<Links>,
    ) -> Self {
        let moves = links::moves(&spans, &links);
        for (span, moves) in spans.iter_mut().zip(moves) {
            span.moves = moves;
        }
        let components = links::components(
            &links,
            |a| spans[a as usize].is_walkable(),
            |a, d| spans[a as usize].moves & (1 << d) != 0,
        );
        Self {
            robot,
            layers,
            grid,
            spans,
            rows,
            links,
            components,
            shafts: Vec::new(),
        }
    }

    /// A floor from saved spans, whose flags are kept; links are found anew.
    pub(super) fn from_spans(
        robot: Robot,
        layers: Vec<FloorLayer>,
        grid: Grid,
        spans: Vec<Span>,
        job: &Job<'_>,
    ) -> Result<Self, Error> {
        let rows = links::row_starts(spans.iter().map(|s| s.y), grid.size[1]);
        let links = links::link(&spans, &rows, &grid, &robot, job)?;
        let links = open_links(&spans, &links);
        Ok(Self::join(robot, layers, grid, spans, rows, links))
    }

    /// The robot this floor is for.
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// The layers, by layer id.
    pub fn layers(&self) -> &[FloorLayer] {
        &self.layers
    }

    /// Edge of a cell, metres.
    pub fn cell_m(&self) -> f64 {
        self.grid.cell_m
    }

    /// Number of spans, walkable or not.
    pub fn span_count(&self) -> usize {
        self.spans.len()
    }

    /// Number of spans on which the robot fits.
    pub fn walkable_count(&self) -> usize {
        self.spans.iter().filter(|s| s.is_walkable()).count()
    }

    /// Everything known of one span, or none if it is not of this floor.
    pub fn cell(&self, id: SpanId) -> Option<Cell> {
        let span = self.spans.get(id.index())?;
        let component = self.components[id.index()];
        Some(Cell {
            id,
            position: self.position(id.0),
            layer: span.layer,
            cost: self.layers[span.layer as usize].cost,
            slope: span.slope,
            roughness: span.roughness,
            roof: span.roof,
            clearance: span.clearance,
            open: span.is_open(),
            walkable: span.is_walkable(),
            component: (component != NONE).then_some(component),
        })
    }

    /// Every span, sorted by row (y), column (x) and height.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.spans.len() as u32).filter_map(|id| self.cell(SpanId(id)))
    }

    /// The walkable span nearest to a point (3D), at most [`SNAP_RADIUS_M`](super::SNAP_RADIUS_M) away.
    pub fn nearest(&self, point: [f64; 3]) -> Option<SpanId> {
        self.nearest_where(point, Span::is_walkable)
            .map(|(id, _)| SpanId(id))
    }

    /// The span nearest to a point (3D), walkable or not, at most [`SNAP_RADIUS_M`](super::SNAP_RADIUS_M) away.
    pub fn nearest_span(&self, point: [f64; 3]) -> Option<SpanId> {
        self.nearest_where(point, |_| true)
            .map(|(id, _)| SpanId(id))
    }

    /// The nearest span of a kind within the snap radius, and its distance.
    pub(super) fn nearest_where(
        &self,
        point: [f64; 3],
        kind: impl Fn(&Span) -> bool,
    ) -> Option<(u32, f64)> {
        self.nearest_within(super::SNAP_RADIUS_M, point, kind)
    }

    /// The nearest span of a kind within a radius, metres, and its distance.
    pub(super) fn nearest_within(
        &self,
        radius: f64,
        point: [f64; 3],
        kind: impl Fn(&Span) -> bool,
    ) -> Option<(u32, f64)> {
        if !point.iter().all(|c| c.is_finite()) {
            return None;
        }
        let middle = self.grid.cell_from_map([point[0], point[1]]);
        let reach = radius / self.grid.cell_m + 1.0;
        let [columns, rows] = self.grid.size.map(f64::from);
        let first = (middle[1] - reach).floor().clamp(0.0, rows) as usize;
        let last = (middle[1] + reach).ceil().clamp(0.0, rows) as usize;
        let left = (middle[0] - reach).floor().clamp(0.0, columns) as u32;
        let right = (middle[0] + reach).ceil().clamp(0.0, columns) as u32;
        let mut best: Option<(u32, f64)> = None;
        for y in first..last {
            let (start, end) = (self.rows[y], self.rows[y + 1]);
            let row = &self.spans[start as usize..end as usize];
            let skip = row.partition_point(|s| s.x < left);
            for (k, span) in row.iter().enumerate().skip(skip) {
                if span.x > right {
                    break;
                }
                let id = start + k as u32;
                if kind(span) {
                    let p = self.position(id);
                    let distance = (0..3)
                        .map(|k| (p[k] - point[k]).powi(2))
                        .sum::<f64>()
                        .sqrt();
                    if distance <= radius && best.is_none_or(|(_, d)| distance < d) {
                        best = Some((id, distance));
                    }
                }
            }
        }
        best
    }

    /// Middle of a span's cell on the ground, metres.
    pub(super) fn position(&self, id: u32) -> [f64; 3] {
        let span = &self.spans[id as usize];
        let [x, y] = self.grid.center(span.x, span.y);
        [x, y, f64::from(span.z)]
    }
}

/// The links between open spans.
fn open_links(spans: &[Span], all: &[Links]) -> Vec<Links> {
    let open = |id: u32| spans[id as usize].is_open();
    links::filter(all, |a, _, b| open(a) && open(b))
}

/// Every mesh has a layer, every layer a cost.
fn check_layers(meshes: &[CollisionMesh], layers: &LayerSet) -> Result<(), Error> {
    for layer in &layers.layers {
        if !(layer.cost.is_finite() && layer.cost > 0.0) {
            return Err(Error::LayerCost {
                name: layer.name.clone(),
                cost: layer.cost,
            });
        }
    }
    for (index, mesh) in meshes.iter().enumerate() {
        let count = layers.layers.len();
        if usize::from(mesh.layer) >= count {
            let what = format!("layer {} of a set of {count}", mesh.layer);
            return Err(Error::Mesh {
                mesh: index,
                chunk: mesh.chunk,
                what,
            });
        }
    }
    Ok(())
}

//! The walkable floor and routes on it.
//!
//! In: the [`CollisionMesh`](crate::terrain::CollisionMesh)es, the [`LayerSet`](crate::terrain::LayerSet), a [`Robot`]
//! and a cell size. Out: a [`Floor`] (columns of spans), [`Route`]s over it and [`OccupancyMap`]s of it.
//!
//! The floor is built in this order, one file a step:
//! `raster` (triangles to columns of surfaces), `links` (which neighbours one can roll to), `slope` (incline and
//! roughness of the linked surroundings), `clearance` (distance to the nearest wall, drop or step), `floor` (what is
//! walkable). On it stand `search` (A\* and Dijkstra), `plan` (from points to routes), `line` and `smooth` (poses a
//! rover can follow), `levels`, `shafts` (what the graph says is too steep), `occupancy` (nav2 maps) and `file` (`floor.bin`).
//!
//! Multi-level surface maps after Triebel, Pfaff & Burgard 2006, "Multi-level surface maps for outdoor terrain
//! mapping and loop closing"; the cost of a step is TrailblA\*'s:
//! `d₃ · max(penalty_a, penalty_b) · exp(k · |θ| / 45°)`.
//!
//! Guaranteed: surfaces one above the other are never one span; two spans are linked only where the robot's height
//! fits through the void that both share; a diagonal step never cuts a blocked corner; the cost of a route is the
//! least there is on the grid (Dijkstra's); every pose of a route lies in a walkable cell; equal input gives
//! equal bytes at any thread count.
//!
//! Not guaranteed: gaps between one and two cells narrower than the exact limit are found (the grid is conservative);
//! objects thinner than a cell are seen; the robot's footprint is the circle it sweeps when turning in place, so a
//! long robot is refused where only one heading would fit.
//!
//! ```
//! use plume::progress::{Job, Stage, Unobserved};
//! use plume::terrain::{CollisionMesh, Layer, LayerSet, Material};
//! use plume::traverse::{Floor, PlanOptions, Robot};
//!
//! let rock = Layer {
//!     name: "rock".into(), semantic_id: 1, material: Material::Rock, moisture: [0.5, 1.0],
//!     temperature: [0.5, 1.0], roughness: [0.5, 1.0], slope_deg: [0.0, 180.0], mu: 0.8, mu2: 0.8,
//!     slip: None, cost: 1.0, palette: vec![[90, 90, 90]], roughness_range: [0.5, 0.9],
//!     normal_strength: 1.0, source: "doctest".into(),
//! };
//! let layers = LayerSet { name: "one".into(), layers: vec![rock] };
//! let plane = CollisionMesh {
//!     chunk: 0, layer: 0,
//!     positions: vec![[0., 0., 0.], [8., 0., 0.], [8., 4., 0.], [0., 4., 0.]],
//!     normals: vec![[0., 0., 1.]; 4],
//!     triangles: vec![[0, 1, 2], [0, 2, 3]],
//! };
//! let job = Job::new(&Unobserved, Stage::Floor);
//! let floor = Floor::build(&[plane], &layers, &Robot::load("leo")?, 0.1, &job)?;
//! let route = floor.plan([1.0, 2.0, 0.0], [7.0, 2.0, 0.0], &PlanOptions::default(), &job)?;
//! assert!((route.stats.distance_m - 6.0).abs() < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clearance;
mod error;
mod file;
mod floor;
mod grid;
mod levels;
mod line;
mod links;
mod occupancy;
mod plan;
mod raster;
mod robot;
mod route;
mod search;
mod shafts;
mod slope;
mod smooth;

pub use error::{Error, FileFault};
pub use floor::{Cell, Floor, FloorLayer, SpanId};
pub use occupancy::{OccupancyMap, Selection};
pub use plan::{Barrier, End, NoRoute, PlanOptions, SNAP_RADIUS_M, WATER};
pub use robot::Robot;
pub use route::*;
pub use shafts::Shaft;

//! The layer of every place on the surface.

use super::LayerId;

/// Collision surface of one chunk and layer.
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionMesh {
    /// Index into `Surface::chunks`.
    pub chunk: usize,
    /// Layer.
    pub layer: LayerId,
    /// Vertices, metres, frame `map`.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals toward the void.
    pub normals: Vec<[f32; 3]>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
}

/// The layer of every cell of a sparse grid along the surface.
pub struct TerrainMap {
    /// Cell edge, metres.
    pub cell_m: f32,
}

/// A dense copy of the map around one chunk, for texture baking.
pub struct TerrainWindow {
    /// Centre of cell (0, 0, 0), metres.
    pub origin: [f32; 3],
    /// Cell edge, metres.
    pub cell_m: f32,
    /// Cells along x, y, z.
    pub size: [usize; 3],
    /// Layer of each cell, x fastest; `TerrainWindow::NONE` where there is no surface near.
    pub cells: Vec<LayerId>,
    /// Moisture of each cell, 0–255, same order.
    pub moisture: Vec<u8>,
}

impl TerrainWindow {
    /// No layer here.
    pub const NONE: LayerId = LayerId::MAX;
}

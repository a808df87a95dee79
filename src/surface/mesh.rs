//! Mesh types shared by the later stages.

/// An indexed triangle mesh in frame `map`; counter-clockwise seen from the void.
///
/// Coordinates of a shell are multiples of a power of two (2⁻¹² m for robot-sized caves), so that
/// the same point has the same bits in every chunk and in every file. What simplification adds
/// lies off that grid, but never on a chunk's border.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriMesh {
    /// Vertices, metres.
    pub positions: Vec<[f32; 3]>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
}

/// A mesh with everything a renderer needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VisualMesh {
    /// Vertices, metres, frame `map`; split at chart borders.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals toward the void, from the gradient of the whole field.
    pub normals: Vec<[f32; 3]>,
    /// Unit normals of the field without relief: what the normal map's relief is added to.
    pub base_normals: Vec<[f32; 3]>,
    /// Texture coordinates, glTF convention: (0, 0) is the upper left corner of the image.
    pub uvs: Vec<[f32; 2]>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
}

/// Size of a chunk's textures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atlas {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Pixels per metre along a chart; the same in every chunk.
    pub texels_per_m: f32,
    /// Share of pixels covered by charts.
    pub fill: f32,
    /// Number of charts.
    pub charts: u32,
}

/// One piece of the cave.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Grid index of the chunk's first cell along x, y, z.
    pub index: [i32; 3],
    /// `i_j_k` of `index`, non-negative: unique in the cave, used in file names.
    pub name: String,
    /// The unsimplified surface.
    pub shell: TriMesh,
    /// The simplified surface: level of detail 0.
    pub visual: VisualMesh,
    /// Levels of detail 1 and 2, for the same textures.
    pub coarser: Vec<VisualMesh>,
    /// Its texture space.
    pub atlas: Atlas,
}

impl Chunk {
    /// The mesh of each level of detail, finest first.
    pub fn levels(&self) -> impl Iterator<Item = &VisualMesh> {
        std::iter::once(&self.visual).chain(&self.coarser)
    }

    /// Lowest and highest corner of the shell, metres, frame `map`.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        self.shell
            .positions
            .iter()
            .fold(([f32::MAX; 3], [f32::MIN; 3]), |(low, high), p| {
                (
                    std::array::from_fn(|k| low[k].min(p[k])),
                    std::array::from_fn(|k| high[k].max(p[k])),
                )
            })
    }
}

/// The surface of the whole cave.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Voxel edge, metres.
    pub voxel_m: f64,
    /// Chunks, ordered by index.
    pub chunks: Vec<Chunk>,
}

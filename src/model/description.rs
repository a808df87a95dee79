//! What the SDF files need to know, and nothing more.

use super::{Error, name};
use crate::config::WorldConfig;
use crate::terrain::{LayerId, LayerSet};

/// Files of one visible chunk, relative to the model's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkFiles {
    /// Name of the chunk, unique in the cave.
    pub chunk: String,
    /// Mesh.
    pub mesh: String,
    /// Colour, sRGB without alpha.
    pub albedo: String,
    /// Tangent-space normals.
    pub normal: String,
    /// Roughness.
    pub roughness: String,
}

/// Collision mesh of one chunk and layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollisionFile {
    /// Layer, an index into [`ModelDescription::layers`].
    pub layer: LayerId,
    /// Name of the chunk.
    pub chunk: String,
    /// Mesh, relative to the model's folder.
    pub mesh: String,
}

/// A rock that is a body of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct RockFile {
    /// Visible mesh of diameter 1, relative to the model's folder; shared by rocks of one shape.
    pub mesh: String,
    /// The same faces as a collision mesh.
    pub collision: String,
    /// x, y, z in metres and yaw in radians, frame `map`.
    pub pose: [f64; 4],
    /// Size over that of the meshes.
    pub scale: f64,
}

/// Rocks that are bodies of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RockFiles {
    /// Layer whose friction and colour they have, an index into [`ModelDescription::layers`].
    pub layer: LayerId,
    /// The rocks.
    pub rocks: Vec<RockFile>,
}

/// A model as its SDF files describe it.
#[derive(Clone, Debug)]
pub struct ModelDescription {
    /// Name of the model, its folder and its world.
    pub name: String,
    /// One line for people, such as "cave of 50 nodes, 312 m, seed 7".
    pub title: String,
    /// Visible chunks, in the order of the surface.
    pub chunks: Vec<ChunkFiles>,
    /// Collision meshes in any order; layers and chunks without surface are absent.
    pub collisions: Vec<CollisionFile>,
    /// Rocks beside the chunks' surface.
    pub rocks: RockFiles,
    /// Physics of the layers.
    pub layers: LayerSet,
    /// Gravity and lighting of the generated world.
    pub world: WorldConfig,
    /// Lamps, metres, frame `map`, the entrance's first; how many are lit says `world.lighting`.
    /// See [`lamps`](super::lamps).
    pub lamps: Vec<[f64; 3]>,
    /// Where a robot starts: x, y, z in metres and yaw in radians, frame `map`.
    pub spawn: [f64; 4],
}

impl ModelDescription {
    /// Refuses what would make an SDF file that loads with errors or not at all.
    pub fn check(&self) -> Result<(), Error> {
        super::check_name(&self.name)?;
        let bad = |why: String| {
            Err(Error::Description {
                name: self.name.clone(),
                why,
            })
        };
        if self.chunks.is_empty() {
            return bad("has no visible chunk".into());
        }
        if self.collisions.is_empty() {
            return bad("has no collision mesh: robots would fall through it".into());
        }
        for collision in &self.collisions {
            if self
                .layers
                .layers
                .get(usize::from(collision.layer))
                .is_none()
            {
                let (layer, layers) = (collision.layer, self.layers.layers.len());
                return bad(format!(
                    "has a collision of layer {layer}, but only {layers} layers"
                ));
            }
        }
        for layer in &self.layers.layers {
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
            if layer.name.is_empty() || !layer.name.bytes().all(plain) {
                return bad(format!(
                    "has layer {:?}; allowed are a-z, 0-9 and `_`",
                    layer.name
                ));
            }
            let physics = [layer.mu, layer.mu2, layer.slip.unwrap_or(0.0)];
            if !physics.iter().all(|p| p.is_finite() && *p >= 0.0) {
                let name = &layer.name;
                return bad(format!(
                    "has layer {name:?} with {physics:?} for mu, mu2 and slip; \
                                    allowed are numbers from 0"
                ));
            }
        }
        let (layer, layers) = (self.rocks.layer, self.layers.layers.len());
        if !self.rocks.rocks.is_empty() && usize::from(layer) >= layers {
            return bad(format!(
                "has rocks of layer {layer}, but only {layers} layers"
            ));
        }
        for rock in &self.rocks.rocks {
            let (pose, scale) = (rock.pose, rock.scale);
            if !(scale > 0.0 && pose.iter().chain([&scale]).all(|v| v.is_finite())) {
                return bad(format!(
                    "has a rock at {pose:?} of size {scale}; allowed are finite poses and sizes \
                     over 0"
                ));
            }
        }
        let places = self.lamps.iter().flatten().chain(&self.spawn);
        if !places.chain([&self.world.gravity]).all(|v| v.is_finite()) {
            return bad("has a lamp, spawn pose or gravity that is not finite".into());
        }
        self.unique("layer", self.layers.layers.iter().map(|l| l.name.clone()))?;
        self.unique("chunk", self.chunks.iter().map(|c| c.chunk.clone()))?;
        let pair = |c: &CollisionFile| format!("{} of layer {}", c.chunk, c.layer);
        self.unique("collision", self.collisions.iter().map(pair))?;
        self.files().try_for_each(name::check_rel)
    }

    /// Layers that have collisions, by layer, each with its collisions by chunk name.
    pub(super) fn collisions_by_layer(&self) -> Vec<(LayerId, Vec<&CollisionFile>)> {
        let mut sorted: Vec<&CollisionFile> = self.collisions.iter().collect();
        sorted.sort_by(|a, b| (a.layer, &a.chunk).cmp(&(b.layer, &b.chunk)));
        sorted
            .chunk_by(|a, b| a.layer == b.layer)
            .map(|c| (c[0].layer, c.to_vec()))
            .collect()
    }

    /// Every file the SDF refers to.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.chunks
            .iter()
            .flat_map(|c| [&c.mesh, &c.albedo, &c.normal, &c.roughness])
            .chain(self.collisions.iter().map(|c| &c.mesh))
            .chain(
                self.rocks
                    .rocks
                    .iter()
                    .flat_map(|r| [&r.mesh, &r.collision]),
            )
            .map(String::as_str)
    }

    fn unique(&self, what: &str, names: impl Iterator<Item = String>) -> Result<(), Error> {
        let mut seen = std::collections::BTreeSet::new();
        for name in names {
            if seen.contains(&name) {
                let why = format!("has two of {what} {name:?}; names are unique");
                return Err(Error::Description {
                    name: self.name.clone(),
                    why,
                });
            }
            seen.insert(name);
        }
        Ok(())
    }
}

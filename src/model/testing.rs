//! A small model for tests.

use super::{ChunkFiles, CollisionFile, ModelDescription, RockFiles};
use crate::config::WorldConfig;
use crate::terrain::{Layer, LayerSet, Material};

fn layer(name: &str, mu: f32, slip: Option<f32>) -> Layer {
    Layer {
        name: name.into(),
        semantic_id: 1,
        material: Material::Rock,
        moisture: [0.2, 0.2],
        temperature: [0.5, 0.3],
        roughness: [0.5, 0.3],
        slope_deg: [0.0, 180.0],
        mu,
        mu2: mu,
        slip,
        cost: 1.0,
        palette: vec![[60, 55, 50], [120, 110, 100]],
        roughness_range: [0.6, 0.95],
        normal_strength: 1.0,
        source: "test".into(),
    }
}

/// Two chunks, two layers with collisions, one without; `rock` lies in both chunks.
pub fn description() -> ModelDescription {
    let chunk = |chunk: &str| {
        let texture = |kind: &str| format!("materials/textures/cave_{chunk}_{kind}_00000000.png");
        ChunkFiles {
            chunk: chunk.into(),
            mesh: format!("meshes/visual/cave_{chunk}_00000000.glb"),
            albedo: texture("albedo"),
            normal: texture("normal"),
            roughness: texture("roughness"),
        }
    };
    let collision = |chunk: &str, layer: u8, name: &str| CollisionFile {
        layer,
        chunk: chunk.into(),
        mesh: format!("meshes/collision/cave_{chunk}_{name}_00000000.stl"),
    };
    ModelDescription {
        name: "cave".into(),
        title: "cave of 2 nodes <small> & dark".into(),
        chunks: vec![chunk("0_0_0"), chunk("1_0_0")],
        collisions: vec![
            collision("0_0_0", 0, "rock"),
            collision("0_0_0", 1, "mud"),
            collision("1_0_0", 0, "rock"),
        ],
        rocks: RockFiles::default(),
        layers: LayerSet {
            name: "test".into(),
            layers: vec![
                layer("rock", 0.8, None),
                layer("mud", 0.3, Some(0.05)),
                layer("unused", 0.5, None),
            ],
        },
        world: WorldConfig::default(),
        lamps: vec![[0.0, 0.0, 1.5], [10.0, 2.25, 1.0]],
        spawn: [0.0, 0.0, 0.0, 0.0],
    }
}

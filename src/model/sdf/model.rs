//! `model.sdf` and `model.config`.

use super::super::{ChunkFiles, CollisionFile, Error, ModelDescription};
use super::SDF_VERSION;
use super::rocks;
use super::xml::Xml;
use crate::terrain::Layer;
use std::io;

/// Text of `model.sdf`.
///
/// One static model with one link a terrain layer, joined to the first by fixed joints; the
/// first also shows the chunks. `bullet-featherstone` takes friction once a link and sees only the
/// first link of a static model without joints, DART ignores friction on meshes unless a plugin
/// brings it: both tags stand in every collision with equal values, for either.
pub fn model_sdf(description: &ModelDescription) -> Result<String, Error> {
    description.check()?;
    Xml::document("model.sdf", |x| {
        x.node("sdf", &[("version", SDF_VERSION)], |x| {
            model(x, description)
        })
    })
}

/// Text of `model.config`.
pub fn model_config(description: &ModelDescription) -> Result<String, Error> {
    description.check()?;
    Xml::document("model.config", |x| {
        x.node("model", &[], |x| {
            x.text("name", &description.name)?;
            x.text("version", "1.0")?;
            x.text_with("sdf", &[("version", SDF_VERSION)], "model.sdf")?;
            x.node("author", &[], |x| x.text("name", "plume"))?;
            x.text("description", &description.title)
        })
    })
}

/// The `<model>` element, the same in the model's file and in its world.
pub(super) fn model(x: &mut Xml, description: &ModelDescription) -> io::Result<()> {
    let by_layer = description.collisions_by_layer();
    let layer = |id| &description.layers.layers[usize::from(id)];
    x.node("model", &[("name", &description.name)], |x| {
        x.text("static", true)?;
        for (i, (id, collisions)) in by_layer.iter().enumerate() {
            x.node("link", &[("name", &link_name(layer(*id)))], |x| {
                collisions
                    .iter()
                    .try_for_each(|c| collision(x, c, layer(*id)))?;
                if i == 0 {
                    description.chunks.iter().try_for_each(|c| visual(x, c))?;
                }
                Ok(())
            })?;
        }
        let Some(((first, _), others)) = by_layer.split_first() else {
            return Ok(());
        };
        for (id, _) in others {
            join(
                x,
                &link_name(layer(*first)),
                &link_name(layer(*id)),
                &layer(*id).name,
            )?;
        }
        let stones = &description.rocks;
        if !stones.rocks.is_empty() {
            rocks::link(x, stones, layer(stones.layer))?;
            join(x, &link_name(layer(*first)), rocks::LINK, rocks::LINK)?;
        }
        Ok(())
    })
}

fn join(x: &mut Xml, parent: &str, child: &str, name: &str) -> io::Result<()> {
    let joint = format!("join_{name}");
    x.node("joint", &[("name", &joint), ("type", "fixed")], |x| {
        x.text("parent", parent)?;
        x.text("child", child)
    })
}

fn link_name(layer: &Layer) -> String {
    format!("layer_{}", layer.name)
}

fn collision(x: &mut Xml, file: &CollisionFile, layer: &Layer) -> io::Result<()> {
    let name = format!("collision_{}_{}", file.chunk, layer.name);
    x.node("collision", &[("name", &name)], |x| {
        mesh(x, &file.mesh)?;
        surface(x, layer)
    })
}

/// Friction of a layer, for either engine.
pub(super) fn surface(x: &mut Xml, layer: &Layer) -> io::Result<()> {
    x.node("surface", &[], |x| {
        x.node("friction", &[], |x| friction(x, layer))
    })
}

fn friction(x: &mut Xml, layer: &Layer) -> io::Result<()> {
    x.node("ode", &[], |x| {
        x.text("mu", layer.mu)?;
        x.text("mu2", layer.mu2)?;
        if let Some(slip) = layer.slip {
            x.text("slip1", slip)?;
            x.text("slip2", slip)?;
        }
        Ok(())
    })?;
    x.node("bullet", &[], |x| {
        x.text("friction", layer.mu)?;
        x.text("friction2", layer.mu2)
    })
}

fn visual(x: &mut Xml, files: &ChunkFiles) -> io::Result<()> {
    let name = format!("visual_{}", files.chunk);
    x.node("visual", &[("name", &name)], |x| {
        mesh(x, &files.mesh)?;
        x.node("material", &[], |x| {
            // White: both are factors of the maps, and libsdformat's own defaults are black.
            x.text("diffuse", "1 1 1 1")?;
            x.text("specular", "1 1 1 1")?;
            x.node("pbr", &[], |x| {
                x.node("metal", &[], |x| {
                    x.text("albedo_map", &files.albedo)?;
                    x.text("normal_map", &files.normal)?;
                    x.text("roughness_map", &files.roughness)?;
                    // The default is half a metal.
                    x.text("metalness", 0)
                })
            })
        })
    })
}

fn mesh(x: &mut Xml, uri: &str) -> io::Result<()> {
    x.node("geometry", &[], |x| {
        x.node("mesh", &[], |x| x.text("uri", uri))
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::description;
    use super::*;

    #[test]
    fn model_snapshot() {
        insta::assert_snapshot!("model_sdf", model_sdf(&description()).unwrap());
        insta::assert_snapshot!("model_config", model_config(&description()).unwrap());
    }

    #[test]
    fn order_of_collisions_does_not_matter() {
        let mut other = description();
        other.collisions.reverse();
        assert_eq!(
            model_sdf(&other).unwrap(),
            model_sdf(&description()).unwrap()
        );
    }

    #[test]
    fn one_layer_needs_no_joint() {
        let mut one = description();
        one.collisions.retain(|c| c.layer == 1);
        let text = model_sdf(&one).unwrap();
        assert!(!text.contains("joint") && text.contains("layer_mud"));
        assert!(text.contains("visual_0_0_0") && text.contains("visual_1_0_0"));
    }

    #[test]
    fn unloadable_descriptions_are_refused() {
        let change = |f: fn(&mut ModelDescription)| {
            let mut d = description();
            f(&mut d);
            model_sdf(&d).unwrap_err().to_string()
        };
        for (error, part) in [
            (change(|d| d.name = "a/b".into()), "ASCII"),
            (change(|d| d.chunks.clear()), "no visible chunk"),
            (change(|d| d.collisions.clear()), "no collision"),
            (change(|d| d.collisions[0].layer = 9), "layer 9"),
            (change(|d| d.layers.layers[0].mu = f32::NAN), "mu"),
            (change(|d| d.layers.layers[0].name = "Mud".into()), "a-z"),
            (
                change(|d| d.layers.layers[1].name = "rock".into()),
                "two of layer",
            ),
            (
                change(|d| d.chunks[1].chunk = "0_0_0".into()),
                "two of chunk",
            ),
            (change(|d| d.chunks[0].mesh = "../x.glb".into()), "`..`"),
            (change(|d| d.lamps[0][2] = f64::INFINITY), "lamp"),
        ] {
            assert!(error.contains(part), "{error}");
        }
    }
}

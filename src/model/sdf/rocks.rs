//! The link of the rocks that are bodies of their own.
//!
//! One link, since `bullet-featherstone` takes friction once a link. Rocks share the meshes of a few
//! shapes, placed and scaled alike in visual and collision; a positive scale leaves faces as they are.

use super::super::description::{RockFile, RockFiles};
use super::model::surface;
use super::xml::Xml;
use crate::terrain::Layer;
use std::io;

/// Name of the link; layers' links begin with `layer_`.
pub const LINK: &str = "rocks";

/// The link with a visual and a collision a rock.
pub fn link(x: &mut Xml, files: &RockFiles, layer: &Layer) -> io::Result<()> {
    x.node("link", &[("name", LINK)], |x| {
        for (i, rock) in files.rocks.iter().enumerate() {
            x.node(
                "collision",
                &[("name", &format!("collision_rock_{i}"))],
                |x| {
                    place(x, rock, &rock.collision)?;
                    surface(x, layer)
                },
            )?;
            x.node("visual", &[("name", &format!("visual_rock_{i}"))], |x| {
                place(x, rock, &rock.mesh)?;
                material(x, layer, i)
            })?;
        }
        Ok(())
    })
}

fn place(x: &mut Xml, rock: &RockFile, mesh: &str) -> io::Result<()> {
    let ([px, py, pz, yaw], s) = (rock.pose, rock.scale);
    x.text("pose", format!("{px:.4} {py:.4} {pz:.4} 0 0 {yaw:.5}"))?;
    x.node("geometry", &[], |x| {
        x.node("mesh", &[], |x| {
            x.text("uri", mesh)?;
            x.text("scale", format!("{s:.4} {s:.4} {s:.4}"))
        })
    })
}

/// A colour from the middle of the layer's palette, in turn.
fn material(x: &mut Xml, layer: &Layer, i: usize) -> io::Result<()> {
    let [r, g, b] = match layer.palette.len() {
        0 => [128; 3],
        n => layer.palette[n / 3 + i % (n - 2 * (n / 3))],
    }
    .map(|c| f32::from(c) / 255.0);
    let colour = format!("{r:.3} {g:.3} {b:.3} 1");
    x.node("material", &[], |x| {
        x.text("ambient", &colour)?;
        x.text("diffuse", &colour)?;
        x.text("specular", "0.1 0.1 0.1 1")?;
        x.node("pbr", &[], |x| {
            x.node("metal", &[], |x| {
                x.text("roughness", layer.roughness_range[1])?;
                x.text("metalness", 0)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::description;
    use super::super::model_sdf;
    use super::*;

    #[test]
    fn a_rock_has_a_collision_where_its_visual_is() {
        let mut with = description();
        with.rocks.rocks = vec![RockFile {
            mesh: "meshes/rocks/cave_rock_0_00000000.glb".into(),
            collision: "meshes/rocks/cave_rock_0_00000000.stl".into(),
            pose: [1.0, -2.0, 0.5, 1.5],
            scale: 0.4,
        }];
        insta::assert_snapshot!("model_with_rocks", model_sdf(&with).unwrap());
        with.rocks.layer = 9;
        let error = model_sdf(&with).unwrap_err().to_string();
        assert!(error.contains("rocks of layer 9"), "{error}");
        with.rocks.layer = 0;
        with.rocks.rocks[0].scale = -1.0;
        let error = model_sdf(&with).unwrap_err().to_string();
        assert!(error.contains("size -1"), "{error}");
    }
}

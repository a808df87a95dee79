//! COLLADA 1.4.1, z up, metres.
//!
//! Its common profile knows a diffuse map alone (§8, `profile_COMMON`). The normal map is under
//! `<extra>` in the way of FCOLLADA, which many readers take; roughness has no place.

use super::format::{Fault, Format, Piece, identifier};
use super::{Material, Mesh, Part, Texture};
use crate::model::sdf::xml::Xml;
use std::fmt::{self, Display};
use std::io::{self, Write};

pub(super) const FORMAT: Format = Format {
    name: "dae",
    extensions: &["dae"],
    links_textures: true,
    write,
};

/// A document without a date would not be valid; a real one would differ from run to run.
const DATE: &str = "1970-01-01T00:00:00Z";

fn write(piece: &Piece) -> Result<(), Fault> {
    piece.file("dae", |out| {
        let mut x = Xml::begin(&mut *out)?;
        x.open(
            "COLLADA",
            &[
                ("xmlns", "http://www.collada.org/2005/11/COLLADASchema"),
                ("version", "1.4.1"),
            ],
        )?;
        x.node("asset", &[], |x| {
            x.node("contributor", &[], |x| x.text("authoring_tool", "plume"))?;
            x.text("created", DATE)?;
            x.text("modified", DATE)?;
            x.empty("unit", &[("name", "meter"), ("meter", "1")])?;
            x.text("up_axis", "Z_UP")
        })?;
        materials(&mut x, piece)?;
        x.open("library_geometries", &[])?;
        piece.each(|part, mesh| Ok(geometry(&mut x, part, &mesh)?))?;
        x.close("library_geometries")?;
        scene(&mut x, piece)?;
        x.close("COLLADA")?;
        writeln!(out)?;
        Ok(())
    })
}

fn materials<W: Write>(x: &mut Xml<W>, piece: &Piece) -> io::Result<()> {
    let all: Vec<&Material> = piece
        .materials()
        .iter()
        .map(|&i| piece.material(i))
        .collect();
    // An empty library is not valid.
    let mut maps: Vec<&Texture> = all
        .iter()
        .flat_map(|m| [&m.albedo, &m.normal])
        .flatten()
        .collect();
    maps.sort_by(|a, b| a.file.cmp(&b.file));
    maps.dedup();
    if !maps.is_empty() {
        x.node("library_images", &[], |x| {
            maps.iter().try_for_each(|map| {
                let id = identifier(&map.file);
                x.node("image", &[("id", &id), ("name", &id)], |x| {
                    x.text("init_from", map.link())
                })
            })
        })?;
    }
    x.node("library_effects", &[], |x| {
        all.iter().try_for_each(|material| effect(x, material))
    })?;
    x.node("library_materials", &[], |x| {
        all.iter().try_for_each(|material| {
            let id = identifier(&material.name);
            x.node("material", &[("id", &id), ("name", &material.name)], |x| {
                x.empty("instance_effect", &[("url", &format!("#{id}_effect"))])
            })
        })
    })
}

fn effect<W: Write>(x: &mut Xml<W>, material: &Material) -> io::Result<()> {
    let id = format!("{}_effect", identifier(&material.name));
    x.node("effect", &[("id", &id)], |x| {
        x.node("profile_COMMON", &[], |x| {
            for map in [&material.albedo, &material.normal].into_iter().flatten() {
                sampler(x, map)?;
            }
            let shown = |x: &mut Xml<W>, map: &Texture| {
                let sampler = format!("{}_sampler", identifier(&map.file));
                x.empty("texture", &[("texture", &sampler), ("texcoord", "UV")])
            };
            x.node("technique", &[("sid", "common")], |x| {
                x.node("lambert", &[], |x| {
                    x.node("diffuse", &[], |x| match &material.albedo {
                        Some(map) => shown(x, map),
                        None => {
                            let [r, g, b] = material.colour;
                            x.text("color", format!("{r} {g} {b} 1"))
                        }
                    })?;
                    // That of rock; readers that find none warn.
                    x.node("index_of_refraction", &[], |x| x.text("float", 1.5))
                })?;
                let Some(map) = &material.normal else {
                    return Ok(());
                };
                x.node("extra", &[], |x| {
                    x.node("technique", &[("profile", "FCOLLADA")], |x| {
                        x.node("bump", &[("bumptype", "NORMALMAP")], |x| shown(x, map))
                    })
                })
            })
        })
    })
}

fn sampler<W: Write>(x: &mut Xml<W>, map: &Texture) -> io::Result<()> {
    let image = identifier(&map.file);
    let (surface, sampler) = (format!("{image}_surface"), format!("{image}_sampler"));
    x.node("newparam", &[("sid", &surface)], |x| {
        x.node("surface", &[("type", "2D")], |x| {
            x.text("init_from", &image)
        })
    })?;
    x.node("newparam", &[("sid", &sampler)], |x| {
        x.node("sampler2D", &[], |x| x.text("source", &surface))
    })
}

fn geometry<W: Write>(x: &mut Xml<W>, part: &Part, mesh: &Mesh) -> io::Result<()> {
    let id = identifier(&part.name);
    let uvs: Vec<[f32; 2]> = mesh.uvs_from_below().collect();
    x.node("geometry", &[("id", &id), ("name", &part.name)], |x| {
        x.node("mesh", &[], |x| {
            source(
                x,
                &format!("{id}_positions"),
                ["X", "Y", "Z"],
                &mesh.positions,
            )?;
            source(x, &format!("{id}_normals"), ["X", "Y", "Z"], &mesh.normals)?;
            source(x, &format!("{id}_uvs"), ["S", "T"], &uvs)?;
            x.node("vertices", &[("id", &format!("{id}_vertices"))], |x| {
                let positions = format!("#{id}_positions");
                x.empty("input", &[("semantic", "POSITION"), ("source", &positions)])
            })?;
            let count = mesh.triangles.len().to_string();
            // The symbol that the scene binds a material to.
            x.node(
                "triangles",
                &[("material", "rock"), ("count", &count)],
                |x| {
                    for (semantic, of) in [("VERTEX", "vertices"), ("NORMAL", "normals")] {
                        let source = format!("#{id}_{of}");
                        x.empty(
                            "input",
                            &[("semantic", semantic), ("source", &source), ("offset", "0")],
                        )?;
                    }
                    x.empty(
                        "input",
                        &[
                            ("semantic", "TEXCOORD"),
                            ("source", &format!("#{id}_uvs")),
                            ("offset", "0"),
                            ("set", "0"),
                        ],
                    )?;
                    x.text("p", Row(mesh.triangles.as_flattened()))
                },
            )
        })
    })
}

fn source<W: Write, const N: usize>(
    x: &mut Xml<W>,
    id: &str,
    axes: [&str; N],
    rows: &[[f32; N]],
) -> io::Result<()> {
    let (array, values) = (format!("{id}_array"), (rows.len() * N).to_string());
    x.node("source", &[("id", id)], |x| {
        x.text_with(
            "float_array",
            &[("id", &array), ("count", &values)],
            Row(rows.as_flattened()),
        )?;
        x.node("technique_common", &[], |x| {
            let (count, stride) = (rows.len().to_string(), N.to_string());
            let attributes = [
                ("source", format!("#{array}")),
                ("count", count),
                ("stride", stride),
            ];
            let attributes = attributes
                .each_ref()
                .map(|(key, value)| (*key, value.as_str()));
            x.node("accessor", &attributes, |x| {
                axes.iter()
                    .try_for_each(|axis| x.empty("param", &[("name", axis), ("type", "float")]))
            })
        })
    })
}

fn scene<W: Write>(x: &mut Xml<W>, piece: &Piece) -> io::Result<()> {
    x.node("library_visual_scenes", &[], |x| {
        x.node(
            "visual_scene",
            &[("id", "scene"), ("name", piece.name)],
            |x| {
                piece.parts.iter().try_for_each(|part| {
                    let id = identifier(&part.name);
                    let node = format!("{id}_node");
                    x.node("node", &[("id", &node), ("name", &part.name)], |x| {
                        x.node("instance_geometry", &[("url", &format!("#{id}"))], |x| {
                            bind(x, piece.material(part.material))
                        })
                    })
                })
            },
        )
    })?;
    x.node("scene", &[], |x| {
        x.empty("instance_visual_scene", &[("url", "#scene")])
    })
}

fn bind<W: Write>(x: &mut Xml<W>, material: &Material) -> io::Result<()> {
    let target = format!("#{}", identifier(&material.name));
    x.node("bind_material", &[], |x| {
        x.node("technique_common", &[], |x| {
            x.node(
                "instance_material",
                &[("symbol", "rock"), ("target", &target)],
                |x| {
                    x.empty(
                        "bind_vertex_input",
                        &[
                            ("semantic", "UV"),
                            ("input_semantic", "TEXCOORD"),
                            ("input_set", "0"),
                        ],
                    )
                },
            )
        })
    })
}

/// Numbers with blanks between them.
struct Row<'a, T>(&'a [T]);

impl<T: Display> Display for Row<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, value) in self.0.iter().enumerate() {
            let blank = if i > 0 { " " } else { "" };
            write!(f, "{blank}{value}")?;
        }
        Ok(())
    }
}

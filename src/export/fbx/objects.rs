//! Models, geometries, materials and textures, and what ties them together.

use super::tree::{Tree, Value};
use crate::export::format::{Fault, Piece};
use crate::export::{Material, Mesh, Part, Texture};
use std::collections::BTreeMap;

/// The scene itself, to which models are tied.
const ROOT: i64 = 0;

/// Ids of objects and the ties between them. A tie is child, parent, and the property of the
/// parent that the child feeds, if it does.
#[derive(Default)]
struct Ties {
    last: i64,
    ties: Vec<(i64, i64, Option<&'static str>)>,
}

impl Ties {
    fn id(&mut self) -> i64 {
        // Small ones are taken by roots and documents.
        self.last = self.last.max(1_000_000) + 1;
        self.last
    }

    fn tie(&mut self, child: i64, parent: i64, property: Option<&'static str>) {
        self.ties.push((child, parent, property));
    }
}

/// Definitions, objects and connections.
pub(super) fn write(tree: &mut Tree, piece: &Piece) -> Result<(), Fault> {
    definitions(tree, piece)?;
    let mut ties = Ties::default();
    tree.node("Objects", [], |t| {
        let mut materials = BTreeMap::new();
        for index in piece.materials() {
            materials.insert(index, material(t, &mut ties, piece.material(index))?);
        }
        piece.each(|part, mesh| {
            let (model, shape) = (ties.id(), ties.id());
            geometry(t, shape, part, &mesh)?;
            node(t, model, part)?;
            ties.tie(model, ROOT, None);
            ties.tie(shape, model, None);
            ties.tie(materials[&part.material], model, None);
            Ok(())
        })
    })?;
    tree.node("Connections", [], |t| {
        for (child, parent, property) in ties.ties {
            let ends = [child.into(), parent.into()];
            let [from, to] = ends;
            match property {
                Some(name) => t.leaf("C", ["OP".into(), from, to, name.into()])?,
                None => t.leaf("C", ["OO".into(), from, to])?,
            }
        }
        Ok(())
    })
}

fn definitions(tree: &mut Tree, piece: &Piece) -> Result<(), Fault> {
    let materials = piece.materials();
    let maps = materials
        .iter()
        .map(|&i| piece.material(i).textures().count())
        .sum();
    let counts = [
        ("GlobalSettings", 1),
        ("Geometry", piece.parts.len()),
        ("Model", piece.parts.len()),
        ("Material", materials.len()),
        ("Texture", maps),
        ("Video", maps),
    ];
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    tree.node("Definitions", [], |t| {
        t.leaf("Version", [100.into()])?;
        t.leaf("Count", [(all as i32).into()])?;
        for (kind, count) in counts {
            t.node("ObjectType", [kind.into()], |t| {
                t.leaf("Count", [(count as i32).into()])
            })?;
        }
        Ok(())
    })
}

/// Name and class as FBX joins them.
fn named(name: &str, class: &str) -> String {
    format!("{name}\0\u{1}{class}")
}

fn node(tree: &mut Tree, id: i64, part: &Part) -> Result<(), Fault> {
    let name = named(&part.name, "Model");
    tree.node(
        "Model",
        [id.into(), name.as_str().into(), "Mesh".into()],
        |t| {
            t.leaf("Version", [232.into()])?;
            t.node("Properties70", [], |t| {
                t.integer("DefaultAttributeIndex", 0)
            })?;
            t.leaf("Shading", [true.into()])?;
            t.leaf("Culling", ["CullingOff".into()])
        },
    )
}

fn geometry(tree: &mut Tree, id: i64, part: &Part, mesh: &Mesh) -> Result<(), Fault> {
    let name = named(&part.name, "Geometry");
    tree.node(
        "Geometry",
        [id.into(), name.as_str().into(), "Mesh".into()],
        |t| {
            t.leaf("GeometryVersion", [124.into()])?;
            t.leaf("Vertices", [floats(&mut values(&mesh.positions))])?;
            // The last corner of a face is told by its complement.
            let mut corners = mesh
                .triangles
                .iter()
                .flat_map(|&[a, b, c]| [a as i32, b as i32, !(c as i32)]);
            t.leaf("PolygonVertexIndex", [Value::I32s(&mut corners)])?;
            layer(t, "LayerElementNormal", "", ["ByVertice", "Direct"], |t| {
                t.leaf("Normals", [floats(&mut values(&mesh.normals))])
            })?;
            layer(
                t,
                "LayerElementUV",
                "UVMap",
                ["ByPolygonVertex", "IndexToDirect"],
                |t| {
                    let mut uvs = mesh.uvs_from_below().flatten().map(f64::from);
                    t.leaf("UV", [floats(&mut uvs)])?;
                    let mut indices = mesh.triangles.iter().flatten().map(|&i| i as i32);
                    t.leaf("UVIndex", [Value::I32s(&mut indices)])
                },
            )?;
            layer(
                t,
                "LayerElementMaterial",
                "",
                ["AllSame", "IndexToDirect"],
                |t| t.leaf("Materials", [Value::I32s(&mut [0].into_iter())]),
            )?;
            t.node("Layer", [0.into()], |t| {
                t.leaf("Version", [100.into()])?;
                for kind in [
                    "LayerElementNormal",
                    "LayerElementUV",
                    "LayerElementMaterial",
                ] {
                    t.node("LayerElement", [], |t| {
                        t.leaf("Type", [kind.into()])?;
                        t.leaf("TypedIndex", [0.into()])
                    })?;
                }
                Ok(())
            })
        },
    )
}

fn layer(
    tree: &mut Tree,
    kind: &str,
    name: &str,
    [mapping, reference]: [&str; 2],
    content: impl FnOnce(&mut Tree) -> Result<(), Fault>,
) -> Result<(), Fault> {
    tree.node(kind, [0.into()], |t| {
        t.leaf("Version", [101.into()])?;
        t.leaf("Name", [name.into()])?;
        t.leaf("MappingInformationType", [mapping.into()])?;
        t.leaf("ReferenceInformationType", [reference.into()])?;
        content(t)
    })
}

fn values(rows: &[[f32; 3]]) -> impl Iterator<Item = f64> + '_ {
    rows.as_flattened().iter().map(|&c| f64::from(c))
}

fn floats<'a>(values: &'a mut dyn Iterator<Item = f64>) -> Value<'a> {
    Value::F64s(values)
}

fn material(tree: &mut Tree, ties: &mut Ties, material: &Material) -> Result<i64, Fault> {
    let id = ties.id();
    let name = named(&material.name, "Material");
    tree.node(
        "Material",
        [id.into(), name.as_str().into(), "".into()],
        |t| {
            t.leaf("Version", [102.into()])?;
            t.leaf("ShadingModel", ["phong".into()])?;
            t.leaf("MultiLayer", [0.into()])?;
            t.node("Properties70", [], |t| {
                let colour = material.colour.map(|c| Value::F64(c.into()));
                t.property("DiffuseColor", "Color", "", "A", colour)?;
                // A dull surface: no metal, no highlight but that of plain dielectrics.
                for (name, value) in [
                    ("SpecularFactor", 0.25),
                    ("Shininess", 0.0),
                    ("ReflectionFactor", 0.0),
                ] {
                    t.property(name, "Number", "", "A", [value.into()])?;
                }
                Ok(())
            })
        },
    )?;
    for (map, property) in [
        (&material.albedo, "DiffuseColor"),
        (&material.normal, "NormalMap"),
        (&material.roughness, "ShininessExponent"),
    ] {
        if let Some(map) = map {
            let shown = texture(tree, ties, map)?;
            ties.tie(shown, id, Some(property));
        }
    }
    Ok(id)
}

fn texture(tree: &mut Tree, ties: &mut Ties, map: &Texture) -> Result<i64, Fault> {
    let (id, video) = (ties.id(), ties.id());
    let (link, stem) = (map.link(), map.file.trim_end_matches(".png"));
    let (shown, media) = (named(stem, "Texture"), named(stem, "Video"));
    tree.node(
        "Video",
        [video.into(), media.as_str().into(), "Clip".into()],
        |t| {
            t.leaf("Type", ["Clip".into()])?;
            t.node("Properties70", [], |t| {
                t.property("Path", "KString", "XRefUrl", "", [link.as_str().into()])
            })?;
            t.leaf("UseMipMap", [0.into()])?;
            t.leaf("Filename", [link.as_str().into()])?;
            t.leaf("RelativeFilename", [link.as_str().into()])
        },
    )?;
    tree.node(
        "Texture",
        [id.into(), shown.as_str().into(), "".into()],
        |t| {
            t.leaf("Type", ["TextureVideoClip".into()])?;
            t.leaf("Version", [202.into()])?;
            t.leaf("TextureName", [shown.as_str().into()])?;
            t.node("Properties70", [], |t| {
                t.property("UVSet", "KString", "", "", ["UVMap".into()])?;
                t.property("UseMaterial", "bool", "", "", [1.into()])
            })?;
            t.leaf("Media", [media.as_str().into()])?;
            t.leaf("FileName", [link.as_str().into()])?;
            t.leaf("RelativeFilename", [link.as_str().into()])
        },
    )?;
    ties.tie(video, id, None);
    Ok(id)
}

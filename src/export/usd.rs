//! Universal Scene Description as text (`.usda`), z up, metres.
//!
//! `/<name>` holds a `Mesh` a part and a scope `Materials` of `UsdPreviewSurface` materials
//! (Pixar, "UsdPreviewSurface Specification" 2.5), whose textures lie beside the file. Text, because
//! the binary files of crate `openusd` are refused by Pixar's library up to the version that needs
//! Rust 1.96; every version of USD reads text, and it is written a chunk at a time.

use super::format::{Fault, Format, Piece, identifier};
use super::{Material, Mesh, Part, Texture};
use std::fmt::Display;
use std::io::{self, Write};

pub(super) const FORMAT: Format = Format {
    name: "usd",
    extensions: &["usda"],
    links_textures: true,
    write,
};

fn write(piece: &Piece) -> Result<(), Fault> {
    let root = identifier(piece.name);
    piece.file("usda", |out| {
        writeln!(
            out,
            "#usda 1.0\n(\n    defaultPrim = \"{root}\"\n    doc = \"made by plume\"\n    \
             metersPerUnit = 1\n    upAxis = \"Z\"\n)\n"
        )?;
        writeln!(
            out,
            "def Xform \"{root}\" (\n    kind = \"component\"\n)\n{{"
        )?;
        writeln!(out, "    def Scope \"Materials\"\n    {{")?;
        for index in piece.materials() {
            material(out, &root, piece.material(index))?;
        }
        writeln!(out, "    }}")?;
        piece.each(|part, mesh| {
            let material = place(&root, piece.material(part.material));
            Ok(shape(out, part, &mesh, &material)?)
        })?;
        writeln!(out, "}}")?;
        Ok(())
    })
}

/// Path of a material.
fn place(root: &str, material: &Material) -> String {
    format!("/{root}/Materials/{}", identifier(&material.name))
}

fn shape(out: &mut impl Write, part: &Part, mesh: &Mesh, material: &str) -> io::Result<()> {
    // One part alone has the name of the file, which is the root's.
    writeln!(out, "\n    def Mesh \"mesh_{}\" (", identifier(&part.name))?;
    writeln!(
        out,
        "        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {{"
    )?;
    writeln!(out, "        uniform bool doubleSided = 0")?;
    let (low, high) = mesh.bounds();
    array(out, "float3[] extent", [low, high].map(tuple))?;
    array(
        out,
        "int[] faceVertexCounts",
        mesh.triangles.iter().map(|_| 3),
    )?;
    array(
        out,
        "int[] faceVertexIndices",
        mesh.triangles.as_flattened(),
    )?;
    writeln!(out, "        rel material:binding = <{material}>")?;
    let vertex = " (\n            interpolation = \"vertex\"\n        )";
    values(
        out,
        "normal3f[] normals",
        mesh.normals.iter().copied().map(tuple),
    )?;
    writeln!(out, "{vertex}")?;
    writeln!(out, "        uniform token orientation = \"rightHanded\"")?;
    array(
        out,
        "point3f[] points",
        mesh.positions.iter().copied().map(tuple),
    )?;
    values(
        out,
        "texCoord2f[] primvars:st",
        mesh.uvs_from_below().map(|[u, v]| format!("({u}, {v})")),
    )?;
    writeln!(out, "{vertex}")?;
    writeln!(
        out,
        "        uniform token subdivisionScheme = \"none\"\n    }}"
    )
}

fn tuple([x, y, z]: [f32; 3]) -> String {
    format!("({x}, {y}, {z})")
}

/// An attribute that is a list, on a line of its own.
fn array(
    out: &mut impl Write,
    attribute: &str,
    items: impl IntoIterator<Item = impl Display>,
) -> io::Result<()> {
    values(out, attribute, items)?;
    writeln!(out)
}

fn values(
    out: &mut impl Write,
    attribute: &str,
    items: impl IntoIterator<Item = impl Display>,
) -> io::Result<()> {
    write!(out, "        {attribute} = [")?;
    for (i, item) in items.into_iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        write!(out, "{comma}{item}")?;
    }
    write!(out, "]")
}

/// A map and what the surface takes of it.
struct Map<'a> {
    texture: &'a Texture,
    name: &'static str,
    /// `sRGB` or `raw`.
    space: &'static str,
    /// Type and name of the texture's output, and of the surface's input.
    output: (&'static str, &'static str),
    input: (&'static str, &'static str),
}

fn maps(material: &Material) -> impl Iterator<Item = Map<'_>> {
    [
        material.albedo.as_ref().map(|texture| Map {
            texture,
            name: "albedo",
            space: "sRGB",
            output: ("float3", "rgb"),
            input: ("color3f", "diffuseColor"),
        }),
        material.normal.as_ref().map(|texture| Map {
            texture,
            name: "normal",
            space: "raw",
            output: ("float3", "rgb"),
            input: ("normal3f", "normal"),
        }),
        material.roughness.as_ref().map(|texture| Map {
            texture,
            name: "roughness",
            space: "raw",
            output: ("float", "r"),
            input: ("float", "roughness"),
        }),
    ]
    .into_iter()
    .flatten()
}

fn material(out: &mut impl Write, root: &str, material: &Material) -> io::Result<()> {
    let at = place(root, material);
    let name = identifier(&material.name);
    writeln!(out, "        def Material \"{name}\"\n        {{")?;
    writeln!(
        out,
        "            token outputs:surface.connect = <{at}/surface.outputs:surface>"
    )?;
    shader(out, "surface", "UsdPreviewSurface", |line| {
        if material.albedo.is_none() {
            line(format!(
                "color3f inputs:diffuseColor = {}",
                tuple(material.colour)
            ))?;
        }
        line("float inputs:metallic = 0".into())?;
        if material.roughness.is_none() {
            line("float inputs:roughness = 1".into())?;
        }
        line("int inputs:useSpecularWorkflow = 0".into())?;
        for map in maps(material) {
            let ((kind, input), (_, output)) = (map.input, map.output);
            let from = format!("{at}/{}.outputs:{output}", map.name);
            line(format!("{kind} inputs:{input}.connect = <{from}>"))?;
        }
        line("token outputs:surface".into())
    })?;
    shader(out, "st", "UsdPrimvarReader_float2", |line| {
        line("string inputs:varname = \"st\"".into())?;
        line("float2 outputs:result".into())
    })?;
    for map in maps(material) {
        shader(out, map.name, "UsdUVTexture", |line| {
            // `./` anchors to the file; without it a resolver may search elsewhere first.
            line(format!("asset inputs:file = @./{}@", map.texture.link()))?;
            line(format!("token inputs:sourceColorSpace = \"{}\"", map.space))?;
            line(format!(
                "float2 inputs:st.connect = <{at}/st.outputs:result>"
            ))?;
            line("token inputs:wrapS = \"clamp\"".into())?;
            line("token inputs:wrapT = \"clamp\"".into())?;
            if map.name == "normal" {
                // From bytes, 0 to 1, to directions, −1 to 1.
                line("float4 inputs:bias = (-1, -1, -1, 0)".into())?;
                line("float4 inputs:scale = (2, 2, 2, 1)".into())?;
            }
            line(format!("{} outputs:{}", map.output.0, map.output.1))
        })?;
    }
    writeln!(out, "        }}")
}

/// A shader of a material; `content` hands over its attributes, a line each.
fn shader<W: Write>(
    out: &mut W,
    name: &str,
    id: &str,
    content: impl FnOnce(&mut dyn FnMut(String) -> io::Result<()>) -> io::Result<()>,
) -> io::Result<()> {
    let indent = "            ";
    writeln!(out, "\n{indent}def Shader \"{name}\"\n{indent}{{")?;
    writeln!(out, "{indent}    uniform token info:id = \"{id}\"")?;
    content(&mut |line| writeln!(out, "{indent}    {line}"))?;
    writeln!(out, "{indent}}}")
}

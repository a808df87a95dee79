//! Wavefront OBJ with an MTL file beside it; lines of text, so no crate is needed.
//!
//! The format says nothing of axes. By custom it is y up and −z ahead, which Blender and most
//! readers assume, so the cave is turned as for glTF. Of the MTL statements `map_Kd` is in the
//! format of 1992; `norm`, `Pr`, `Pm` and `map_Pr` are its extension for physically based
//! rendering (Exocortex, 2015). `map_Bump` names the normal map again, for readers such as
//! Blender's that know it by this name.

use super::Material;
use super::format::{Fault, Format, Piece};
use super::glb::turn;
use std::io::{self, Write};

pub(super) const FORMAT: Format = Format {
    name: "obj",
    extensions: &["obj", "mtl"],
    links_textures: true,
    write,
};

fn write(piece: &Piece) -> Result<(), Fault> {
    piece.file("mtl", |out| {
        for index in piece.materials() {
            material(out, piece.material(index))?;
        }
        Ok(())
    })?;
    piece.file("obj", |out| {
        writeln!(
            out,
            "# made by plume; y up, metres\nmtllib {}.mtl",
            piece.name
        )?;
        let mut first = 1;
        piece.each(|part, mesh| {
            writeln!(out, "o {}", part.name)?;
            for [x, y, z] in mesh.positions.iter().copied().map(turn) {
                writeln!(out, "v {x} {y} {z}")?;
            }
            for [u, v] in mesh.uvs_from_below() {
                writeln!(out, "vt {u} {v}")?;
            }
            for [x, y, z] in mesh.normals.iter().copied().map(turn) {
                writeln!(out, "vn {x} {y} {z}")?;
            }
            writeln!(out, "usemtl {}", piece.material(part.material).name)?;
            for triangle in &mesh.triangles {
                let [a, b, c] = triangle.map(|i| i as usize + first);
                writeln!(out, "f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}")?;
            }
            first += mesh.positions.len();
            Ok(())
        })
    })
}

fn material(out: &mut impl Write, material: &Material) -> io::Result<()> {
    let [r, g, b] = material.colour;
    writeln!(out, "newmtl {}", material.name)?;
    writeln!(out, "Kd {r} {g} {b}\nKs 0 0 0\nillum 1\nPr 1\nPm 0")?;
    for (statement, map) in [
        ("map_Kd", &material.albedo),
        ("norm", &material.normal),
        ("map_Bump", &material.normal),
        ("map_Pr", &material.roughness),
    ] {
        if let Some(map) = map {
            writeln!(out, "{statement} {}", map.link())?;
        }
    }
    Ok(())
}

//! Binary PLY, little endian, z up, metres: one mesh with the colour of its rock at each vertex.
//!
//! PLY has no materials; programs that show point clouds and scans (MeshLab, CloudCompare, Open3D)
//! take colour from vertices. `s` and `t` are texture coordinates from below, as Blender and
//! MeshLab read them. Header and rows are simple enough to be written here, a chunk at a time; PLY
//! crates want the whole mesh in structures of their own.

use super::format::{Fault, Format, Piece};
use std::io::Write as _;

pub(super) const FORMAT: Format = Format {
    name: "ply",
    extensions: &["ply"],
    links_textures: false,
    write,
};

fn write(piece: &Piece) -> Result<(), Fault> {
    let vertices = piece.vertices();
    if u32::try_from(vertices).is_err() {
        let why = format!("has {vertices} vertices; indices of a PLY file reach 2^32");
        return Err(Fault::TooLarge(why));
    }
    piece.file("ply", |out| {
        out.write_all(head(vertices, piece.triangles()).as_bytes())?;
        piece.each(|part, mesh| {
            let material = piece.material(part.material);
            let albedo = material.albedo.as_ref();
            let albedo = albedo.map(|map| piece.scene.image(map)).transpose()?;
            let plain = material
                .colour
                .map(|c| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
            let rows = mesh.positions.iter().zip(&mesh.normals).zip(&mesh.uvs);
            for ((position, normal), uv) in rows {
                let st = [uv[0], 1.0 - uv[1]];
                for value in position.iter().chain(normal).chain(&st) {
                    out.write_all(&value.to_le_bytes())?;
                }
                let colour = albedo.as_ref().map_or(plain, |image| image.at(*uv));
                out.write_all(&colour)?;
            }
            Ok(())
        })?;
        let mut first = 0;
        piece.each(|_, mesh| {
            for triangle in &mesh.triangles {
                out.write_all(&[3])?;
                for corner in triangle {
                    out.write_all(&(first + corner).to_le_bytes())?;
                }
            }
            first += mesh.positions.len() as u32;
            Ok(())
        })
    })
}

fn head(vertices: usize, triangles: usize) -> String {
    let mut head = String::from("ply\nformat binary_little_endian 1.0\n");
    head += "comment made by plume; z up, metres; colours are sRGB\n";
    head += &format!("element vertex {vertices}\n");
    for name in ["x", "y", "z", "nx", "ny", "nz", "s", "t"] {
        head += &format!("property float {name}\n");
    }
    for name in ["red", "green", "blue"] {
        head += &format!("property uchar {name}\n");
    }
    head += &format!("element face {triangles}\n");
    head + "property list uchar uint vertex_indices\nend_header\n"
}

//! glTF 2.0, binary, with its images inside: one file holds all.
//!
//! Y up (§3.4): the cave is turned, so that viewers show it upright. One material a part: metal and
//! roughness model (§3.9.2), colour and normal maps as they are, roughness in the green channel of
//! an image of its own.

use super::format::{Fault, Format, Piece};
use super::{Material, Mesh, Texture};
use crate::model::glb::{Parts, Shape, bin_header, header};
use gltf_json::image::{Image, MimeType};
use gltf_json::material::{
    NormalTexture, PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor,
};
use gltf_json::texture::{self, Info, MagFilter, MinFilter, Sampler, WrappingMode};
use gltf_json::validation::Checked::Valid;
use gltf_json::{Index, Texture as JsonTexture};
use std::collections::BTreeMap;
use std::io::{self, BufReader, BufWriter, Seek, Write};

pub(super) const FORMAT: Format = Format {
    name: "glb",
    extensions: &["glb"],
    links_textures: false,
    write,
};

/// From z up to y up.
pub(super) fn turn([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, -y]
}

fn write(piece: &Piece) -> Result<(), Fault> {
    // The JSON comes first in the file but tells the sizes of what follows.
    let mut file = Parts::new(BufWriter::new(piece.scratch()?));
    let sampler = file.root.push(Sampler {
        mag_filter: Some(Valid(MagFilter::Linear)),
        min_filter: Some(Valid(MinFilter::LinearMipmapLinear)),
        wrap_s: Valid(WrappingMode::ClampToEdge),
        wrap_t: Valid(WrappingMode::ClampToEdge),
        ..Default::default()
    });
    let mut materials = BTreeMap::new();
    for index in piece.materials() {
        let made = material(&mut file, piece, piece.material(index), sampler)?;
        materials.insert(index, made);
    }
    let mut nodes = Vec::new();
    piece.each(|part, mesh| {
        let Mesh {
            positions,
            normals,
            uvs,
            triangles,
        } = mesh;
        let positions: Vec<_> = positions.into_iter().map(turn).collect();
        let normals: Vec<_> = normals.into_iter().map(turn).collect();
        let shape = Shape {
            positions: &positions,
            normals: &normals,
            uvs: &uvs,
            triangles: &triangles,
        };
        nodes.push(file.mesh(&part.name, shape, materials[&part.material])?);
        Ok(())
    })?;
    let (json, bin) = file.finish(nodes)?;
    let mut bin = bin.into_inner().map_err(io::IntoInnerError::into_error)?;
    let length = bin.stream_position()?;
    let header = header(json.len(), length).ok_or_else(|| {
        let bytes = json.len() as u64 + length;
        Fault::TooLarge(format!(
            "needs {bytes} bytes; a GLB file holds less than 4 GiB"
        ))
    })?;
    bin.rewind()?;
    piece.file("glb", |out| {
        out.write_all(&header)?;
        out.write_all(&json)?;
        out.write_all(&bin_header(length as usize))?;
        io::copy(&mut BufReader::new(bin), out)?;
        Ok(())
    })
}

fn material<W: Write>(
    file: &mut Parts<W>,
    piece: &Piece,
    material: &Material,
    sampler: Index<Sampler>,
) -> Result<Index<gltf_json::Material>, Fault> {
    let mut image = |map: &Option<Texture>, packed: bool| {
        let Some(map) = map else { return Ok(None) };
        let png = if packed {
            let roughness = piece.scene.image(map)?;
            let png = roughness.metallic_roughness_png();
            png.map_err(|e| Fault::Encode(e.to_string()))?
        } else {
            piece.scene.png(map)?
        };
        let buffer_view = Some(file.blob(&png)?);
        let source = file.root.push(Image {
            buffer_view,
            mime_type: Some(MimeType("image/png".to_owned())),
            name: Some(map.file.trim_end_matches(".png").to_owned()),
            uri: None,
            extensions: None,
            extras: Default::default(),
        });
        Ok::<_, Fault>(Some(file.root.push(JsonTexture {
            name: None,
            sampler: Some(sampler),
            source,
            extensions: None,
            extras: Default::default(),
        })))
    };
    let (albedo, normal, roughness) = (
        image(&material.albedo, false)?,
        image(&material.normal, false)?,
        image(&material.roughness, true)?,
    );
    let [r, g, b] = material.colour;
    Ok(file.root.push(gltf_json::Material {
        name: Some(material.name.clone()),
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor([r, g, b, 1.0]),
            base_color_texture: albedo.map(info),
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(1.0),
            metallic_roughness_texture: roughness.map(info),
            ..Default::default()
        },
        normal_texture: normal.map(|index| NormalTexture {
            index,
            scale: 1.0,
            tex_coord: 0,
            extensions: None,
            extras: Default::default(),
        }),
        ..Default::default()
    }))
}

fn info(index: Index<texture::Texture>) -> Info {
    Info {
        index,
        tex_coord: 0,
        extensions: None,
        extras: Default::default(),
    }
}

//! Binary STL: bare triangles, z up, metres.
//!
//! The format is a count and 50 bytes a triangle, which [`crate::model::stl`] writes already.

use super::format::{Fault, Format, Piece};
use crate::model::stl::{facet, header};
use std::io::Write as _;

pub(super) const FORMAT: Format = Format {
    name: "stl",
    extensions: &["stl"],
    links_textures: false,
    write,
};

fn write(piece: &Piece) -> Result<(), Fault> {
    let count = u32::try_from(piece.triangles()).map_err(|_| {
        let triangles = piece.triangles();
        Fault::TooLarge(format!(
            "has {triangles} triangles; an STL file holds less than 2^32"
        ))
    })?;
    piece.file("stl", |out| {
        out.write_all(&header(count))?;
        piece.each(|_, mesh| {
            for triangle in &mesh.triangles {
                out.write_all(&facet(triangle.map(|i| mesh.positions[i as usize])))?;
            }
            Ok(())
        })
    })
}

//! FBX 7.4, binary, z up, metres.
//!
//! The format has no public specification; what is written is what Blender's importer, the FBX SDK
//! and ufbx have in common: a model, a geometry, a Phong material and three textures a part, tied by
//! connections. Roughness hangs on `ShininessExponent`, where Blender's importer and exporter have it;
//! other programs leave it out. Sizes are in centimetres by default, hence a unit of 100.

mod objects;
mod tree;

use self::tree::Tree;
use super::format::{Fault, Format, Piece};
use fbxcel::low::FbxVersion;
use fbxcel::writer::v7400::binary::{FbxFooter, Writer};

pub(super) const FORMAT: Format = Format {
    name: "fbx",
    extensions: &["fbx"],
    links_textures: true,
    write,
};

/// The FBX SDK wants identity, time and footer to fit each other. These do, and tell no real time;
/// Blender's exporter writes the same.
const FILE_ID: [u8; 16] = [
    0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2, 0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1,
];
const TIME: &str = "1970-01-01 10:00:00:000";
const FOOTER: [u8; 16] = [
    0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e,
];

fn write(piece: &Piece) -> Result<(), Fault> {
    piece.file("fbx", |out| {
        let mut tree = Tree(Writer::new(out, FbxVersion::V7_4).map_err(tree::fault)?);
        head(&mut tree)?;
        settings(&mut tree)?;
        tree.node("Documents", [], |t| {
            t.leaf("Count", [1.into()])?;
            t.node("Document", [1i64.into(), "".into(), "Scene".into()], |t| {
                t.leaf("RootNode", [0i64.into()])
            })
        })?;
        tree.node("References", [], |_| Ok(()))?;
        objects::write(&mut tree, piece)?;
        tree.node("Takes", [], |t| t.leaf("Current", ["".into()]))?;
        let footer = FbxFooter {
            unknown1: Some(&FOOTER),
            ..FbxFooter::default()
        };
        tree.0.finalize(&footer).map_err(tree::fault)?;
        Ok(())
    })
}

fn head(tree: &mut Tree) -> Result<(), Fault> {
    tree.node("FBXHeaderExtension", [], |t| {
        t.leaf("FBXHeaderVersion", [1003.into()])?;
        t.leaf("FBXVersion", [7400.into()])?;
        t.leaf("EncryptionType", [0.into()])?;
        t.node("CreationTimeStamp", [], |t| {
            for (field, value) in [
                ("Version", 1000),
                ("Year", 1970),
                ("Month", 1),
                ("Day", 1),
                ("Hour", 10),
                ("Minute", 0),
                ("Second", 0),
                ("Millisecond", 0),
            ] {
                t.leaf(field, [value.into()])?;
            }
            Ok(())
        })?;
        t.leaf("Creator", ["plume".into()])
    })?;
    tree.leaf("FileId", [FILE_ID.as_slice().into()])?;
    tree.leaf("CreationTime", [TIME.into()])?;
    tree.leaf("Creator", ["plume".into()])
}

fn settings(tree: &mut Tree) -> Result<(), Fault> {
    tree.node("GlobalSettings", [], |t| {
        t.leaf("Version", [1000.into()])?;
        t.node("Properties70", [], |t| {
            // z up, −y toward the viewer's front, x to the right.
            for (axis, number, sign) in [("Up", 2, 1), ("Front", 1, -1), ("Coord", 0, 1)] {
                t.integer(&format!("{axis}Axis"), number)?;
                t.integer(&format!("{axis}AxisSign"), sign)?;
            }
            t.integer("OriginalUpAxis", -1)?;
            t.integer("OriginalUpAxisSign", 1)?;
            t.property("UnitScaleFactor", "double", "Number", "", [100.0.into()])?;
            t.property(
                "OriginalUnitScaleFactor",
                "double",
                "Number",
                "",
                [100.0.into()],
            )
        })
    })
}

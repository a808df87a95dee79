//! Meshes as they are in the files, read without plume's own code.

use crate::{Request, files_with, make, request, small_graph};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Corners of a triangle.
type Triangle = [[f32; 3]; 3];

fn floats(bytes: &[u8]) -> [f32; 3] {
    std::array::from_fn(|i| f32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap()))
}

/// Triangles of a GLB file with one mesh of one primitive.
fn glb(bytes: &[u8]) -> Vec<Triangle> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + word(12)]).unwrap();
    let bin = &bytes[28 + word(12)..];
    let accessor = |index: &Value| {
        let accessor = &json["accessors"][index.as_u64().unwrap() as usize];
        let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
        let length = view["byteLength"].as_u64().unwrap() as usize;
        (&bin[start..start + length], &accessor["componentType"])
    };
    let primitive = &json["meshes"][0]["primitives"][0];
    let (positions, _) = accessor(&primitive["attributes"]["POSITION"]);
    let (indices, kind) = accessor(&primitive["indices"]);
    let indices: Vec<usize> = match kind.as_u64().unwrap() {
        5123 => indices
            .chunks(2)
            .map(|b| u16::from_le_bytes(b.try_into().unwrap()).into())
            .collect(),
        5125 => indices
            .chunks(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap()) as usize)
            .collect(),
        other => panic!("component type {other}"),
    };
    indices
        .chunks(3)
        .map(|t| std::array::from_fn(|k| floats(&positions[12 * t[k]..])))
        .collect()
}

/// Triangles of a binary STL file.
fn stl(bytes: &[u8]) -> Vec<Triangle> {
    bytes[84..]
        .chunks(50)
        .map(|facet| std::array::from_fn(|k| floats(&facet[12 + 12 * k..])))
        .collect()
}

/// Six times the volume of the whole, negative when faces look inward; panics unless the whole is
/// closed, consistently wound and one piece.
fn closed_whole(what: &str, triangles: &[Triangle]) -> f64 {
    let mut ids = BTreeMap::new();
    let mut piece: Vec<usize> = Vec::new();
    fn root(piece: &mut [usize], mut i: usize) -> usize {
        while piece[i] != i {
            piece[i] = piece[piece[i]];
            i = piece[i];
        }
        i
    }
    let mut edges: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    let mut volume = 0.0;
    for triangle in triangles {
        // Adding zero makes both zeros one.
        let t = triangle.map(|p| {
            *ids.entry(p.map(|c| (c + 0.0).to_bits()))
                .or_insert_with(|| {
                    piece.push(piece.len());
                    piece.len() - 1
                })
        });
        for k in 0..3 {
            *edges.entry([t[k], t[(k + 1) % 3]]).or_default() += 1;
            let (a, b) = (root(&mut piece, t[k]), root(&mut piece, t[(k + 1) % 3]));
            piece[a] = b;
        }
        let [a, b, c] = triangle.map(|p| glam::Vec3::from_array(p).as_dvec3());
        volume += a.dot(b.cross(c));
        let area = (b - a).cross(c - a).length() / 2.0;
        assert!(area > 1e-8, "{what}: a triangle of {area:e} m2");
    }
    for (edge, uses) in &edges {
        let back = edges.get(&[edge[1], edge[0]]);
        assert_eq!((*uses, back), (1, Some(&1)), "{what}: edge {edge:?}");
    }
    let roots = (0..piece.len()).filter(|&i| piece[i] == i).count();
    assert_eq!(roots, 1, "{what}: pieces");
    volume
}

fn check(model: &Path) {
    let read = |ending, level: Option<&str>, read: fn(&[u8]) -> Vec<Triangle>| -> Vec<Triangle> {
        let mut files = files_with(&model.join("meshes"), ending);
        files.retain(|(path, _)| match level {
            Some(level) => path.contains(level),
            None => !path.contains("_lod"),
        });
        assert!(!files.is_empty(), "{ending}");
        files.iter().flat_map(|(_, bytes)| read(bytes)).collect()
    };
    let visual = closed_whole("visual", &read(".glb", None, glb));
    let collision = closed_whole("collision", &read(".stl", None, stl));
    for level in ["_lod1", "_lod2"] {
        assert!(closed_whole(level, &read(".glb", Some(level), glb)) < 0.0);
    }
    assert!(visual < 0.0 && collision < 0.0, "{visual} {collision}");
    let apart = (visual / collision - 1.0).abs();
    assert!(apart < 0.05, "the volumes differ by {apart}");
}

#[test]
fn the_meshes_on_disk_are_one_closed_wall() {
    let folder = tempfile::tempdir().unwrap();
    let made = make(&request(folder.path())).unwrap();
    assert!(made.summary.chunks > 1);
    check(&made.summary.model_path);
}

#[test]
fn so_are_those_of_imported_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let large =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/plume_graphs/single_50.json");
    let mut graphs = vec![small_graph()];
    if large.is_file() {
        graphs.push(large);
    } else {
        println!("skipped: no {}", large.display());
    }
    for (i, graph) in graphs.into_iter().enumerate() {
        let made = make(&Request {
            graph: Some(graph),
            ..request(&folder.path().join(i.to_string()))
        });
        let made = made.unwrap();
        assert_eq!(made.summary.nodes, [5, 50][i]);
        check(&made.summary.model_path);
    }
}

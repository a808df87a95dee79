//! Visual meshes as binary glTF 2.0.
//!
//! Vertices are written as they are, z up, although glTF is y-up by its specification (§3.4):
//! Gazebo takes them unturned. Other tools show the cave lying on its side.

use super::Error;
use crate::surface::VisualMesh;
use gltf_json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf_json::buffer::{Buffer, Target, View};
use gltf_json::material::{PbrMetallicRoughness, StrengthFactor};
use gltf_json::mesh::{Mesh, Mode, Primitive, Semantic};
use gltf_json::validation::Checked::Valid;
use gltf_json::validation::USize64;
use gltf_json::{Index, Material, Node, Root, Scene};

/// File magic and the two chunk types (glTF 2.0 §4.4).
const MAGIC: u32 = 0x4654_6C67;
const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// Highest vertex count with 16-bit indices; 65535 restarts primitives.
const U16_VERTICES: usize = 0xFFFF;

/// One mesh as a GLB file: `POSITION` with bounds, `NORMAL`, `TEXCOORD_0`, indices of 16 or 32
/// bits, one node called `name`, an untextured rough material (the SDF names the textures).
///
/// Refuses what Gazebo drops or crashes on: no triangles, counts of normals or UVs that differ
/// from the vertices', indices beyond them, numbers that are not finite.
pub fn visual(mesh: &VisualMesh, name: &str) -> Result<Vec<u8>, Error> {
    super::mesh::check(name, &mesh.positions, &mesh.normals, &mesh.triangles)?;
    let bad = |why: String| Error::Mesh {
        name: name.to_owned(),
        why,
    };
    if mesh.uvs.len() != mesh.positions.len() {
        let (uvs, vertices) = (mesh.uvs.len(), mesh.positions.len());
        return Err(bad(format!(
            "has {uvs} texture coordinates for {vertices} vertices"
        )));
    }
    if !mesh.uvs.iter().flatten().all(|c| c.is_finite()) {
        return Err(bad("has a texture coordinate that is not finite".into()));
    }

    let mut file = Parts::default();
    let position = file.floats(&mesh.positions, Type::Vec3);
    let (low, high) = bounds(&mesh.positions);
    if let Some(accessor) = file.root.accessors.get_mut(position.value()) {
        accessor.min = Some(low.to_vec().into());
        accessor.max = Some(high.to_vec().into());
    }
    let normal = file.floats(&mesh.normals, Type::Vec3);
    let uv = file.floats(&mesh.uvs, Type::Vec2);
    let indices = file.indices(&mesh.triangles, mesh.positions.len());

    let root = &mut file.root;
    let material = root.push(Material {
        pbr_metallic_roughness: PbrMetallicRoughness {
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(1.0),
            ..Default::default()
        },
        ..Default::default()
    });
    let mesh = root.push(Mesh {
        extensions: None,
        extras: Default::default(),
        name: Some(name.to_owned()),
        primitives: vec![Primitive {
            attributes: [
                (Valid(Semantic::Positions), position),
                (Valid(Semantic::Normals), normal),
                (Valid(Semantic::TexCoords(0)), uv),
            ]
            .into(),
            extensions: None,
            extras: Default::default(),
            indices: Some(indices),
            material: Some(material),
            mode: Valid(Mode::Triangles),
            targets: None,
        }],
        weights: None,
    });
    let node = root.push(Node {
        mesh: Some(mesh),
        name: Some(name.to_owned()),
        ..Default::default()
    });
    let scene = root.push(Scene {
        extensions: None,
        extras: Default::default(),
        name: None,
        nodes: vec![node],
    });
    root.scene = Some(scene);
    root.asset.generator = Some("plume".to_owned());
    file.into_bytes(name)
}

fn bounds(points: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let start = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    points.iter().fold(start, |(low, high), p| {
        (
            std::array::from_fn(|i| low[i].min(p[i])),
            std::array::from_fn(|i| high[i].max(p[i])),
        )
    })
}

/// The two chunks of a GLB file while they grow.
#[derive(Default)]
struct Parts {
    root: Root,
    bin: Vec<u8>,
}

impl Parts {
    fn floats<const N: usize>(&mut self, rows: &[[f32; N]], kind: Type) -> Index<Accessor> {
        let start = self.bin.len();
        self.bin
            .extend(rows.iter().flatten().flat_map(|c| c.to_le_bytes()));
        self.accessor(
            start,
            rows.len(),
            ComponentType::F32,
            kind,
            Target::ArrayBuffer,
        )
    }

    fn indices(&mut self, triangles: &[[u32; 3]], vertices: usize) -> Index<Accessor> {
        let start = self.bin.len();
        let all = triangles.iter().flatten();
        let component = if vertices <= U16_VERTICES {
            self.bin.extend(all.flat_map(|&i| (i as u16).to_le_bytes()));
            ComponentType::U16
        } else {
            self.bin.extend(all.flat_map(|i| i.to_le_bytes()));
            ComponentType::U32
        };
        let count = triangles.len() * 3;
        self.accessor(
            start,
            count,
            component,
            Type::Scalar,
            Target::ElementArrayBuffer,
        )
    }

    fn accessor(
        &mut self,
        start: usize,
        count: usize,
        component: ComponentType,
        kind: Type,
        target: Target,
    ) -> Index<Accessor> {
        let view = self.root.push(View {
            buffer: Index::new(0),
            byte_length: USize64::from(self.bin.len() - start),
            byte_offset: Some(USize64::from(start)),
            byte_stride: None,
            name: None,
            target: Some(Valid(target)),
            extensions: None,
            extras: Default::default(),
        });
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: USize64::from(count),
            component_type: Valid(GenericComponentType(component)),
            extensions: None,
            extras: Default::default(),
            type_: Valid(kind),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    fn into_bytes(mut self, name: &str) -> Result<Vec<u8>, Error> {
        self.root.push(Buffer {
            byte_length: USize64::from(self.bin.len()),
            name: None,
            uri: None,
            extensions: None,
            extras: Default::default(),
        });
        let mut json = self.root.to_vec().map_err(|e| Error::Encode {
            what: "GLB",
            why: e.to_string(),
        })?;
        json.resize(json.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + json.len() + 8 + self.bin.len();
        let Ok(length32) = u32::try_from(length) else {
            let why = format!("needs {length} bytes; a GLB file holds less than 4 GiB");
            return Err(Error::Mesh {
                name: name.to_owned(),
                why,
            });
        };
        let mut out = Vec::with_capacity(length);
        for word in [MAGIC, 2, length32, json.len() as u32, JSON] {
            out.extend(word.to_le_bytes());
        }
        out.extend(json);
        for word in [self.bin.len() as u32, BIN] {
            out.extend(word.to_le_bytes());
        }
        out.extend(self.bin);
        Ok(out)
    }
}

/// The mesh of a GLB file as [`visual`] writes it, or what is wrong with it. Normals without
/// relief are not in the file.
pub fn read(bytes: &[u8]) -> Result<VisualMesh, String> {
    let (root, bin) = parts(bytes)?;
    let primitive = root
        .meshes
        .first()
        .and_then(|m| m.primitives.first())
        .ok_or("has no mesh")?;
    let attribute = |semantic| {
        let index = primitive.attributes.get(&Valid(semantic));
        index
            .copied()
            .ok_or("lacks positions, normals or texture coordinates")
    };
    let indices = primitive.indices.ok_or("has no indices")?;
    let wide = root.get(indices).map(|a| &a.component_type);
    let wide = match wide {
        Some(Valid(GenericComponentType(ComponentType::U16))) => 2,
        Some(Valid(GenericComponentType(ComponentType::U32))) => 4,
        _ => return Err("has indices of neither 16 nor 32 bits".into()),
    };
    let flat: Vec<u32> = rows(&root, bin, indices, wide)?
        .chunks_exact(wide)
        .map(|b| b.iter().rev().fold(0, |n, &byte| n << 8 | u32::from(byte)))
        .collect();
    let mesh = VisualMesh {
        positions: floats(rows(&root, bin, attribute(Semantic::Positions)?, 12)?),
        normals: floats(rows(&root, bin, attribute(Semantic::Normals)?, 12)?),
        base_normals: Vec::new(),
        uvs: floats(rows(&root, bin, attribute(Semantic::TexCoords(0))?, 8)?),
        triangles: flat.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
    };
    super::mesh::check("the mesh", &mesh.positions, &mesh.normals, &mesh.triangles)
        .map_err(|e| e.to_string())?;
    Ok(mesh)
}

/// The bytes of an accessor whose elements have `size` bytes, without gaps.
fn rows<'a>(
    root: &Root,
    bin: &'a [u8],
    index: Index<Accessor>,
    size: usize,
) -> Result<&'a [u8], String> {
    let accessor = root.get(index).ok_or("refers to no accessor")?;
    let view = accessor.buffer_view.and_then(|v| root.get(v));
    let view = view.ok_or("has an accessor without a view")?;
    if view.byte_stride.is_some() {
        return Err("has interleaved data".into());
    }
    let offset = |o: Option<USize64>| o.map_or(0, |o| o.0 as usize);
    let start = offset(view.byte_offset).saturating_add(offset(accessor.byte_offset));
    let end = size
        .checked_mul(accessor.count.0 as usize)
        .and_then(|length| start.checked_add(length));
    let rows = end.and_then(|end| bin.get(start..end));
    rows.ok_or_else(|| "is shorter than its accessors say".into())
}

fn floats<const N: usize>(rows: &[u8]) -> Vec<[f32; N]> {
    let numbers = rows.chunks_exact(4).map(|b| match *b {
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
        _ => f32::NAN,
    });
    let numbers: Vec<f32> = numbers.collect();
    let rows = numbers.chunks_exact(N);
    rows.map(|row| std::array::from_fn(|k| row[k])).collect()
}

/// Vertex, normal and triangle count of a GLB file, or what is wrong with it.
pub(super) fn inspect(bytes: &[u8]) -> Result<super::mesh::Counts, String> {
    let (root, _) = parts(bytes)?;
    let count = |index: Index<Accessor>| {
        root.get(index)
            .map_or(0, |accessor| accessor.count.0 as usize)
    };
    let mut counts = super::mesh::Counts::default();
    for primitive in root.meshes.iter().flat_map(|m| &m.primitives) {
        let of = |s| {
            primitive
                .attributes
                .get(&Valid(s))
                .map_or(0, |&index| count(index))
        };
        counts.vertices += of(Semantic::Positions);
        counts.normals += of(Semantic::Normals);
        counts.triangles += primitive.indices.map_or(0, count) / 3;
    }
    Ok(counts)
}

/// JSON and binary chunk of a GLB file.
fn parts(bytes: &[u8]) -> Result<(Root, &[u8]), String> {
    let word = |at: usize| {
        let part = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([part[0], part[1], part[2], part[3]]))
    };
    if word(0) != Some(MAGIC) || word(16) != Some(JSON) {
        return Err("is not a GLB file".into());
    }
    if word(8).map(|n| n as usize) != Some(bytes.len()) {
        return Err("is shorter or longer than its header says".into());
    }
    let json_len = word(12).unwrap_or(0) as usize;
    let json = bytes.get(20..20 + json_len).ok_or("is cut off")?;
    let root = Root::from_slice(json).map_err(|e| format!("has bad JSON: {e}"))?;
    let bin = bytes.get(20 + json_len + 8..).unwrap_or_default();
    Ok((root, bin))
}

#[cfg(test)]
mod tests {
    use super::super::mesh::tests::tetrahedron;
    use super::*;
    use gltf_json::validation::Validate as _;

    fn parse(bytes: &[u8]) -> (Root, Vec<u8>) {
        let json_len = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let root = Root::from_slice(&bytes[20..20 + json_len]).unwrap();
        (root, bytes[20 + json_len + 8..].to_vec())
    }

    #[test]
    fn reads_back_bit_for_bit() {
        let mesh = tetrahedron();
        let bytes = visual(&mesh, "cave_0_0_0").unwrap();
        assert_eq!(bytes.len() % 4, 0);
        let (root, bin) = parse(&bytes);
        root.validate(&root, gltf_json::Path::new, &mut |path, error| {
            panic!("{}: {error}", path())
        });
        let view = |i: usize| {
            let v = &root.buffer_views[i];
            let start = v.byte_offset.unwrap().0 as usize;
            assert_eq!(start % 4, 0);
            &bin[start..start + v.byte_length.0 as usize]
        };
        let floats = |b: &[u8]| -> Vec<f32> {
            b.chunks(4)
                .map(|c| f32::from_le_bytes(c.try_into().unwrap()))
                .collect()
        };
        assert_eq!(floats(view(0)), mesh.positions.as_flattened());
        assert_eq!(floats(view(1)), mesh.normals.as_flattened());
        assert_eq!(floats(view(2)), mesh.uvs.as_flattened());
        let indices: Vec<u32> = view(3)
            .chunks(2)
            .map(|c| u16::from_le_bytes([c[0], c[1]]).into())
            .collect();
        assert_eq!(indices, mesh.triangles.as_flattened());
        assert_eq!(
            root.accessors[0].min,
            Some(serde_json::json!([0.0, 0.0, 0.0]))
        );
        assert_eq!(
            root.accessors[0].max,
            Some(serde_json::json!([1.0, 1.0, 1.0]))
        );
        let counts = inspect(&bytes).unwrap();
        assert_eq!(
            (counts.vertices, counts.normals, counts.triangles),
            (4, 4, 4)
        );
    }

    #[test]
    fn many_vertices_take_wide_indices() {
        let n = U16_VERTICES + 1;
        let mesh = VisualMesh {
            positions: vec![[0.5; 3]; n],
            normals: vec![[0.0, 0.0, 1.0]; n],
            base_normals: vec![],
            uvs: vec![[0.0; 2]; n],
            triangles: vec![[0, 1, n as u32 - 1]],
        };
        let (root, bin) = parse(&visual(&mesh, "a").unwrap());
        let wide = &root.accessors[3].component_type;
        assert!(matches!(
            wide,
            Valid(GenericComponentType(ComponentType::U32))
        ));
        assert_eq!(bin[bin.len() - 4..], (n as u32 - 1).to_le_bytes());
    }

    #[test]
    fn meshes_gazebo_dislikes_are_refused() {
        let change = |f: fn(&mut VisualMesh)| {
            let mut mesh = tetrahedron();
            f(&mut mesh);
            visual(&mesh, "a").unwrap_err().to_string()
        };
        for error in [
            change(|m| m.triangles.clear()),
            change(|m| m.normals.truncate(3)),
            change(|m| m.uvs.truncate(3)),
            change(|m| m.triangles[0][0] = 4),
            change(|m| m.positions[1][0] = f32::NAN),
            change(|m| m.uvs[0][1] = f32::INFINITY),
        ] {
            assert!(error.starts_with("mesh \"a\" has"), "{error}");
        }
    }

    #[test]
    fn broken_files_are_told_apart() {
        let bytes = visual(&tetrahedron(), "a").unwrap();
        assert!(inspect(b"").is_err());
        assert!(inspect(&bytes[..bytes.len() - 1]).is_err());
        assert!(inspect(&bytes[1..]).is_err());
    }
}

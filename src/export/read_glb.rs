//! Plume's own visual meshes, read back.

use super::Mesh;
use gltf::Gltf;
use gltf::mesh::Mode;

/// All triangles of a GLB file, as they are in it; the error says what is wrong with the file.
pub fn mesh(bytes: &[u8]) -> Result<Mesh, String> {
    let Gltf { document, blob } =
        Gltf::from_slice(bytes).map_err(|e| format!("is not a GLB file: {e}"))?;
    let data = blob.ok_or("has no binary chunk")?;
    let mut mesh = Mesh::default();
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives()) {
        if primitive.mode() != Mode::Triangles {
            return Err(format!("has {:?} instead of triangles", primitive.mode()));
        }
        let reader = primitive.reader(|_| Some(&data));
        let first = mesh.positions.len();
        let (Some(positions), Some(normals), Some(indices)) = (
            reader.read_positions(),
            reader.read_normals(),
            reader.read_indices(),
        ) else {
            return Err("lacks positions, normals or indices".into());
        };
        mesh.positions.extend(positions);
        mesh.normals.extend(normals);
        match reader.read_tex_coords(0) {
            Some(uvs) => mesh.uvs.extend(uvs.into_f32()),
            None => mesh.uvs.resize(mesh.positions.len(), [0.0; 2]),
        }
        let indices: Vec<u32> = indices.into_u32().map(|i| i + first as u32).collect();
        let (triangles, rest) = indices.as_chunks();
        if !rest.is_empty() {
            return Err(format!(
                "has {} indices, not three a triangle",
                indices.len()
            ));
        }
        mesh.triangles.extend(triangles);
    }
    let vertices = mesh.positions.len();
    if mesh.normals.len() != vertices || mesh.uvs.len() != vertices {
        return Err("has unequal counts of positions, normals and texture coordinates".into());
    }
    if mesh.triangles.is_empty() {
        return Err("has no triangles".into());
    }
    let beyond = |&&i: &&u32| i as usize >= vertices;
    if let Some(i) = mesh.triangles.iter().flatten().find(beyond) {
        return Err(format!("has index {i} but only {vertices} vertices"));
    }
    Ok(mesh)
}

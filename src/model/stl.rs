//! Collision meshes as binary STL.
//!
//! Gazebo takes OBJ, STL, DAE and GLB in a collision. STL it is, because every release from
//! Fortress on reads it with its own loader (GLB needs Garden or later), no reader can find a
//! vertex without a normal (an OBJ without them crashes the server), and no material or up axis
//! can get lost. The price is three vertices a triangle in the server: 26 MiB more than GLB for
//! 100 000 triangles, which is as coarse as collision meshes are.

use super::Error;
use crate::surface::TriMesh;
use crate::terrain::CollisionMesh;

const HEADER: usize = 80;
const FACET: usize = 50;

/// One collision mesh as a binary STL file, z up, metres.
///
/// The facet's normal is that of its plane, by the order of its corners. Refuses what Gazebo drops
/// or crashes on: no triangles, a normal count that differs from the vertices', indices beyond
/// them, numbers that are not finite.
pub fn collision(mesh: &CollisionMesh, name: &str) -> Result<Vec<u8>, Error> {
    super::mesh::check(name, &mesh.positions, &mesh.normals, &mesh.triangles)?;
    let Ok(count) = u32::try_from(mesh.triangles.len()) else {
        let why = format!(
            "has {} triangles; an STL file holds 2^32",
            mesh.triangles.len()
        );
        return Err(Error::Mesh {
            name: name.to_owned(),
            why,
        });
    };
    let mut out = Vec::with_capacity(HEADER + 4 + FACET * mesh.triangles.len());
    // Must not start with "solid": readers take that for text STL.
    out.extend(b"binary STL by plume, z up, metres");
    out.resize(HEADER, 0);
    out.extend(count.to_le_bytes());
    for triangle in &mesh.triangles {
        let corners = triangle.map(|i| mesh.positions[i as usize]);
        let [a, b, c] = corners.map(|p| glam::Vec3::from_array(p).as_dvec3());
        let normal = (b - a)
            .cross(c - a)
            .normalize_or_zero()
            .as_vec3()
            .to_array();
        for value in normal.iter().chain(corners.as_flattened()) {
            out.extend(value.to_le_bytes());
        }
        out.extend([0, 0]);
    }
    Ok(out)
}

/// The triangles of a binary STL file, three vertices each, or what is wrong with it.
pub fn read(bytes: &[u8]) -> Result<TriMesh, String> {
    let triangles = inspect(bytes)?.triangles;
    let mut mesh = TriMesh::default();
    for facet in bytes[HEADER + 4..].chunks_exact(FACET) {
        let mut numbers = facet[12..48].chunks_exact(4).map(|b| match *b {
            [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
            _ => f32::NAN,
        });
        for _ in 0..3 {
            let corner = std::array::from_fn(|_| numbers.next().unwrap_or(f32::NAN));
            mesh.positions.push(corner);
        }
    }
    if !mesh.positions.as_flattened().iter().all(|c| c.is_finite()) {
        return Err("has a coordinate that is not finite".into());
    }
    mesh.triangles = (0..triangles as u32)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    Ok(mesh)
}

/// Vertex, normal and triangle count of a binary STL file, or what is wrong with it.
pub(super) fn inspect(bytes: &[u8]) -> Result<super::mesh::Counts, String> {
    let Some(&[a, b, c, d]) = bytes.get(HEADER..HEADER + 4) else {
        return Err("is not a binary STL file".into());
    };
    let triangles = u32::from_le_bytes([a, b, c, d]) as usize;
    if bytes.starts_with(b"solid") || bytes.len() != HEADER + 4 + FACET * triangles {
        return Err("is not a binary STL file of the size its header says".into());
    }
    let vertices = 3 * triangles;
    Ok(super::mesh::Counts {
        vertices,
        normals: vertices,
        triangles,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> CollisionMesh {
        CollisionMesh {
            chunk: 0,
            layer: 0,
            positions: vec![[0., 0., 0.5], [2., 0., 0.5], [0., 2., 0.5]],
            normals: vec![[0., 0., 1.]; 3],
            triangles: vec![[0, 1, 2], [2, 1, 0]],
        }
    }

    #[test]
    fn facets_keep_corners_and_order() {
        let bytes = collision(&triangle(), "a").unwrap();
        assert_eq!(inspect(&bytes).unwrap().triangles, 2);
        let floats: Vec<f32> = bytes[84..132]
            .chunks(4)
            .map(|c| f32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        assert_eq!(floats, [0., 0., 1., 0., 0., 0.5, 2., 0., 0.5, 0., 2., 0.5]);
        let z = f32::from_le_bytes(bytes[84 + 50 + 8..84 + 50 + 12].try_into().unwrap());
        assert_eq!(z, -1.0);
    }

    #[test]
    fn empty_and_broken_are_refused() {
        let mut mesh = triangle();
        mesh.triangles.clear();
        assert!(matches!(collision(&mesh, "a"), Err(Error::Mesh { .. })));
        let bytes = collision(&triangle(), "a").unwrap();
        assert!(inspect(&bytes[..bytes.len() - 1]).is_err());
        assert!(inspect(b"solid cave").is_err());
    }
}

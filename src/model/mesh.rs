//! What every written mesh must be.

use super::Error;

/// Sizes of a mesh file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Vertices.
    pub vertices: usize,
    /// Normals.
    pub normals: usize,
    /// Triangles.
    pub triangles: usize,
}

impl Counts {
    /// What Gazebo would stumble over, if anything.
    pub fn problem(&self) -> Option<String> {
        let Counts {
            vertices,
            normals,
            triangles,
        } = *self;
        if vertices == 0 || triangles == 0 {
            Some("is empty, which crashes a Gazebo server".into())
        } else if normals != vertices {
            Some(format!(
                "has {normals} normals for {vertices} vertices, so Gazebo drops it"
            ))
        } else {
            None
        }
    }
}

/// Refuses a mesh that Gazebo would drop or crash on.
pub(super) fn check(
    name: &str,
    positions: &[[f32; 3]],
    normals: &[[f32; 3]],
    triangles: &[[u32; 3]],
) -> Result<(), Error> {
    let bad = |why: String| Error::Mesh {
        name: name.to_owned(),
        why,
    };
    let vertices = positions.len();
    if triangles.is_empty() {
        return Err(bad(
            "has no triangles; an empty mesh file crashes Gazebo".into()
        ));
    }
    if normals.len() != vertices {
        return Err(bad(format!(
            "has {} normals for {vertices} vertices",
            normals.len()
        )));
    }
    if let Some(i) = triangles
        .iter()
        .flatten()
        .find(|&&i| i as usize >= vertices)
    {
        return Err(bad(format!("has index {i} but only {vertices} vertices")));
    }
    if !positions
        .iter()
        .chain(normals)
        .flatten()
        .all(|c| c.is_finite())
    {
        return Err(bad("has a coordinate that is not finite".into()));
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use crate::surface::VisualMesh;

    /// Four corners, four faces that look outward.
    pub fn tetrahedron() -> VisualMesh {
        let third = 1.0 / f32::sqrt(3.0);
        VisualMesh {
            positions: vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
            normals: vec![[-third; 3], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
            base_normals: vec![[0., 0., 1.]; 4],
            uvs: vec![[0., 0.], [1., 0.], [0., 1.], [0.25, 0.75]],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        }
    }
}

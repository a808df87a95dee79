//! Rocks as meshes, for those that are bodies of their own.

use super::Objects;
use super::shape::Shape;
use crate::surface::{VisualMesh, topology};
use crate::terrain::{CollisionMesh, LayerId};

impl Shape {
    /// The rock of diameter 1 as a robot meets it: exactly the faces of
    /// [`Shape::facets`], so that what can be seen can be hit.
    pub fn collision(&self, layer: LayerId) -> CollisionMesh {
        let VisualMesh {
            positions,
            normals,
            triangles,
            ..
        } = self.facets();
        CollisionMesh {
            chunk: 0,
            layer,
            positions,
            normals,
            triangles,
        }
    }

    /// The rock of diameter 1 as a camera meets it: flat faces, each with corners of its own.
    pub fn facets(&self) -> VisualMesh {
        let mut mesh = VisualMesh::default();
        for &t in &self.triangles {
            let n = topology::cross(&self.corners, t);
            let length = n.iter().map(|c| c * c).sum::<f64>().sqrt().max(1e-12);
            let first = mesh.positions.len() as u32;
            mesh.positions.extend(t.map(|i| self.corners[i as usize]));
            mesh.normals.extend([n.map(|c| (c / length) as f32); 3]);
            mesh.triangles.push([first, first + 1, first + 2]);
        }
        mesh.base_normals = mesh.normals.clone();
        mesh.uvs = vec![[0.0; 2]; mesh.positions.len()];
        mesh
    }
}

impl Objects {
    /// The collision of all rocks that are bodies of their own, where they lie; none when rocks are
    /// part of the surface.
    pub fn hulls(&self, layer: LayerId) -> Option<CollisionMesh> {
        if !self.has_bodies() {
            return None;
        }
        let mut all = CollisionMesh {
            chunk: 0,
            layer,
            positions: Vec::new(),
            normals: Vec::new(),
            triangles: Vec::new(),
        };
        for rock in &self.rocks {
            let mesh = self.shapes[usize::from(rock.shape)].facets();
            let first = all.positions.len() as u32;
            let [c, s] = rock.turn;
            all.positions
                .extend(mesh.positions.iter().map(|&p| rock.place(p)));
            all.normals.extend(
                mesh.normals
                    .iter()
                    .map(|[x, y, z]| [c * x - s * y, s * x + c * y, *z]),
            );
            all.triangles
                .extend(mesh.triangles.iter().map(|t| t.map(|i| i + first)));
        }
        Some(all)
    }
}

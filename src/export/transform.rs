//! Poses of SDF.

use super::Mesh;
use glam::{DAffine3, DMat3, DVec3};

/// Where a part is in the cave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform(DAffine3);

impl std::ops::Mul for Transform {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Transform {
    pub const IDENTITY: Self = Self(DAffine3::IDENTITY);

    /// `x y z roll pitch yaw`, metres and radians: turned about fixed x, then y, then z (SDFormat
    /// 1.9, "Specifying pose").
    pub fn pose([x, y, z, roll, pitch, yaw]: [f64; 6]) -> Self {
        // The system's sines differ from machine to machine.
        let turn = |angle: f64| (libm::sin(angle), libm::cos(angle));
        let ((sr, cr), (sp, cp), (sy, cy)) = (turn(roll), turn(pitch), turn(yaw));
        let rotation = DMat3::from_cols_array(&[
            cy * cp,
            sy * cp,
            -sp,
            cy * sp * sr - sy * cr,
            sy * sp * sr + cy * cr,
            cp * sr,
            cy * sp * cr + sy * sr,
            sy * sp * cr - cy * sr,
            cp * cr,
        ]);
        Self(DAffine3::from_mat3_translation(
            rotation,
            DVec3::new(x, y, z),
        ))
    }

    /// Stretched along the axes.
    pub fn scale(factors: [f64; 3]) -> Self {
        Self(DAffine3::from_scale(DVec3::from_array(factors)))
    }

    /// Moves a mesh to its place. Bits stay as they are where the place is the origin.
    pub fn apply(&self, mesh: &mut Mesh) {
        if *self == Self::IDENTITY {
            return;
        }
        let f64s = |p: &[f32; 3]| DVec3::from_array(p.map(f64::from));
        let normal_from = self.0.matrix3.inverse().transpose();
        for p in &mut mesh.positions {
            *p = self.0.transform_point3(f64s(p)).as_vec3().to_array();
        }
        for n in &mut mesh.normals {
            let turned = (normal_from * f64s(n)).normalize_or_zero();
            *n = turned.as_vec3().to_array();
        }
        // A mirror image turns faces inside out.
        if self.0.matrix3.determinant() < 0.0 {
            mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    fn moved(by: Transform) -> Mesh {
        let mut mesh = Mesh {
            positions: vec![[1.0, 0.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]],
            uvs: vec![[0.0; 2]],
            triangles: vec![[0, 1, 2]],
        };
        by.apply(&mut mesh);
        mesh
    }

    fn near(a: [f32; 3], b: [f32; 3]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
    }

    #[test]
    fn turns_come_in_the_order_of_sdf() {
        let mesh = moved(Transform::pose([0.0, 0.0, 5.0, FRAC_PI_2, 0.0, FRAC_PI_2]));
        assert!(near(mesh.positions[0], [0.0, 1.0, 5.0]), "{mesh:?}");
        assert!(near(mesh.normals[0], [1.0, 0.0, 0.0]), "{mesh:?}");
        let mesh = moved(Transform::pose([0.0, 0.0, 0.0, 0.0, FRAC_PI_2, 0.0]));
        assert!(near(mesh.positions[0], [0.0, 0.0, -1.0]), "{mesh:?}");
    }

    #[test]
    fn mirrors_keep_faces_outside() {
        let mesh = moved(Transform::scale([1.0, 1.0, -2.0]));
        assert_eq!(mesh.triangles, [[0, 2, 1]]);
        assert_eq!(mesh.normals, [[0.0, 0.0, -1.0]]);
    }
}

//! Synthetic collision meshes: what a cave's floor can do to a robot, one thing at a time.
// Shared by tests and benches, neither of which needs all of it; scenes that cannot be built are failed tests.
#![allow(dead_code, clippy::unwrap_used)]

use plume::progress::{Job, Stage, Unobserved};
use plume::terrain::{CollisionMesh, Layer, LayerSet, Material};
use plume::traverse::{Floor, Robot};

/// A job that nobody watches.
pub fn job() -> Job<'static> {
    Job::new(&Unobserved, Stage::Floor)
}

/// Layers by name and cost.
pub fn layers(costs: &[(&str, f32)]) -> LayerSet {
    let layer = |(name, cost): &(&str, f32)| Layer {
        name: (*name).into(),
        semantic_id: 1,
        material: Material::Rock,
        moisture: [0.5, 1.0],
        temperature: [0.5, 1.0],
        roughness: [0.5, 1.0],
        slope_deg: [0.0, 180.0],
        mu: 0.8,
        mu2: 0.8,
        slip: None,
        cost: *cost,
        palette: vec![[90, 90, 90]],
        roughness_range: [0.5, 0.9],
        normal_strength: 1.0,
        source: "test".into(),
    };
    LayerSet {
        name: "test".into(),
        layers: costs.iter().map(layer).collect(),
    }
}

/// Triangles of one layer.
#[derive(Clone, Default)]
pub struct Scene {
    pub meshes: Vec<CollisionMesh>,
}

impl Scene {
    /// A quad, counter-clockwise seen from the void.
    pub fn quad(mut self, layer: u8, corners: [[f32; 3]; 4]) -> Self {
        self.meshes.push(CollisionMesh {
            chunk: 0,
            layer,
            positions: corners.to_vec(),
            normals: vec![[0.0, 0.0, 1.0]; 4],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        });
        self
    }

    /// Level ground over `[x0, x1] × [y0, y1]`.
    pub fn ground(self, layer: u8, [x0, x1]: [f32; 2], [y0, y1]: [f32; 2], z: f32) -> Self {
        self.quad(layer, [[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])
    }

    /// A level roof.
    pub fn roof(self, [x0, x1]: [f32; 2], [y0, y1]: [f32; 2], z: f32) -> Self {
        self.quad(0, [[x0, y0, z], [x0, y1, z], [x1, y1, z], [x1, y0, z]])
    }

    /// Ground that rises along x.
    pub fn ramp(self, x: [f32; 2], y: [f32; 2], z: [f32; 2]) -> Self {
        let corners = [
            [x[0], y[0], z[0]],
            [x[1], y[0], z[1]],
            [x[1], y[1], z[1]],
            [x[0], y[1], z[0]],
        ];
        self.quad(0, corners)
    }

    /// A riser that faces -x.
    pub fn riser(self, x: f32, y: [f32; 2], z: [f32; 2]) -> Self {
        self.quad(
            0,
            [
                [x, y[1], z[0]],
                [x, y[0], z[0]],
                [x, y[0], z[1]],
                [x, y[1], z[1]],
            ],
        )
    }

    /// Floor, roof and side walls of a straight passage along x.
    pub fn tunnel(self, x: [f32; 2], y: [f32; 2], z: [f32; 2]) -> Self {
        self.ground(0, x, y, z[0])
            .roof(x, y, z[1])
            .quad(
                0,
                [
                    [x[0], y[1], z[0]],
                    [x[1], y[1], z[0]],
                    [x[1], y[1], z[1]],
                    [x[0], y[1], z[1]],
                ],
            )
            .quad(
                0,
                [
                    [x[1], y[0], z[0]],
                    [x[0], y[0], z[0]],
                    [x[0], y[0], z[1]],
                    [x[1], y[0], z[1]],
                ],
            )
    }

    /// The scene turned about the map's origin by 90° counter-clockwise.
    pub fn turned(mut self) -> Self {
        for mesh in &mut self.meshes {
            for p in &mut mesh.positions {
                *p = [-p[1], p[0], p[2]];
            }
        }
        self
    }

    /// Height field over `nx × ny` quads of `edge` metres from `origin`, facing up or down.
    pub fn field(
        mut self,
        layer: u8,
        origin: [f32; 2],
        [nx, ny]: [u32; 2],
        edge: f32,
        up: bool,
        z: impl Fn(f32, f32) -> f32,
    ) -> Self {
        let mut mesh = CollisionMesh {
            chunk: self.meshes.len(),
            layer,
            positions: Vec::new(),
            normals: Vec::new(),
            triangles: Vec::new(),
        };
        for j in 0..=ny {
            for i in 0..=nx {
                let (x, y) = (origin[0] + i as f32 * edge, origin[1] + j as f32 * edge);
                mesh.positions.push([x, y, z(x, y)]);
                mesh.normals.push([0.0, 0.0, if up { 1.0 } else { -1.0 }]);
            }
        }
        for j in 0..ny {
            for i in 0..nx {
                let a = j * (nx + 1) + i;
                let (b, c, d) = (a + 1, a + nx + 2, a + nx + 1);
                for t in [[a, b, c], [a, c, d]] {
                    mesh.triangles.push(if up { t } else { [t[0], t[2], t[1]] });
                }
            }
        }
        self.meshes.push(mesh);
        self
    }

    /// A rough hall of `size` metres with one triangle pair per `edge`, pillars every 8 m and a rough roof.
    pub fn hall(size: [f32; 2], edge: f32) -> Self {
        let count = size.map(|s| (s / edge).round() as u32);
        let rough = |x: f32, y: f32| {
            let bump = 0.4 * (x * 0.31).sin() * (y * 0.27).cos() + 0.03 * (x * 5.1 + y * 3.7).sin();
            let to_pillar =
                ((x.rem_euclid(8.0) - 4.0).powi(2) + (y.rem_euclid(8.0) - 4.0).powi(2)).sqrt();
            bump + (2.0 - 2.0 * to_pillar).max(0.0)
        };
        Self::default()
            .field(0, [0.0; 2], count, edge, true, rough)
            .field(0, [0.0; 2], count, edge, false, |x, y| {
                rough(x, y).max(0.0) + 2.5
            })
    }

    /// The floor for the Leo Rover in cells of 0.1 m, on one layer.
    pub fn floor(&self) -> Floor {
        self.floor_with(&[("rock", 1.0), ("mud", 3.0), ("water", 8.0)], &leo(), 0.1)
    }

    /// The floor for any layers, robot and cell.
    pub fn floor_with(&self, costs: &[(&str, f32)], robot: &Robot, cell_m: f64) -> Floor {
        Floor::build(&self.meshes, &layers(costs), robot, cell_m, &job()).unwrap()
    }
}

/// The embedded Leo Rover.
pub fn leo() -> Robot {
    Robot::load("leo").unwrap()
}

//! The ROS 2 node: services, an action, latched topics and parameters over the library.
//!
//! In: requests on `/plume/generate` and goals on `/plume/generate_cave` (package
//! `plume_interfaces`). Out: models under the output root, and the last cave on the latched topics
//! `/plume/graph`, `/plume/graph_markers`, `/plume/path`, `/plume/layers` and `/plume/map`.
//!
//! Threads: one spins ROS, one makes caves, a small tokio runtime answers requests.
//! A request is checked and queued at once, so that every other service is answered while a cave
//! is made.
//!
//! Guaranteed: every request gets exactly one answer; bad input is answered with the library's
//! message and writes nothing; a name is made by one request at a time; SIGINT and SIGTERM cancel
//! the running cave and end the node within two seconds, leaving nothing half-written.
//! Not guaranteed: that a finished action goal is forgotten, for r2r 0.9.7 keeps each (a few
//! hundred bytes); use the service for thousands of caves.
//!
//! Names are those of `ros2 interface show`; frames follow REP-103 and REP-105: metres, radians,
//! z up, everything in one frame, `map` or what parameter `frame_id` says. Nothing is ever
//! published to `/tf`.

mod action;
mod convert;
mod generate;
mod jobs;
mod log;
mod markers;
mod node;
mod parameters;
mod topics;

pub use node::run;

/// Why the node could not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// ROS refused the command line, such as a malformed `--ros-args`.
    #[error("ROS 2 did not accept the command line: {0}")]
    Arguments(String),
    /// ROS refused something else.
    #[error("ROS 2: {0}")]
    Ros(#[from] r2r::Error),
    /// A parameter given at start has a wrong type or a value out of range.
    #[error("{0}")]
    Parameter(r2r::Error),
    /// The operating system refused a thread or a signal handler.
    #[error("cannot start the node: {0}")]
    Start(#[from] std::io::Error),
    /// The running cave did not stop in time; its half-written folder is removed at the next run.
    #[error("the running cave did not stop within {0:?}; the node ends without it")]
    Stuck(std::time::Duration),
}

#[cfg(test)]
mod tests {
    //! Small products shared by the tests of this module.

    use crate::model::{LayerSummary, ModelSummary, StageTime};
    use crate::skeleton::{Edge, Node, NodeKind, RigidTransform, Skeleton};
    use crate::terrain::{Layer, LayerSet, Material};
    use glam::DVec3;
    use r2r::std_msgs::msg::Header;

    pub fn header() -> Header {
        Header {
            frame_id: "map".to_owned(),
            ..Header::default()
        }
    }

    pub fn skeleton() -> Skeleton {
        let node = |id, parent, position, kind| Node {
            id,
            parent,
            position,
            radius_m: 5.0,
            passage_m: 1.5,
            level: 0,
            kind,
            active: true,
        };
        Skeleton {
            nodes: vec![
                node(10, None, DVec3::ZERO, NodeKind::Entrance),
                node(20, Some(0), DVec3::new(4.0, 0.0, 3.0), NodeKind::Passage),
                node(30, Some(1), DVec3::new(8.0, 0.0, 3.0), NodeKind::DeadEnd),
            ],
            edges: vec![Edge { a: 0, b: 1 }, Edge { a: 1, b: 2 }],
            entrance: 0,
            world_from_graph: RigidTransform::IDENTITY,
            extra: serde_json::Map::new(),
        }
    }

    pub fn layer_set() -> LayerSet {
        let mud = Layer {
            name: "mud".to_owned(),
            semantic_id: 3,
            material: Material::Mud,
            moisture: [0.8, 0.2],
            temperature: [0.5, 0.5],
            roughness: [0.2, 0.2],
            slope_deg: [0.0, 20.0],
            mu: 0.4,
            mu2: 0.4,
            slip: None,
            cost: 3.0,
            palette: vec![[30, 20, 10], [60, 40, 20], [90, 60, 30]],
            roughness_range: [0.2, 0.5],
            normal_strength: 0.5,
            source: "made up".to_owned(),
        };
        LayerSet {
            name: "test".to_owned(),
            layers: vec![mud],
        }
    }

    pub fn model_summary() -> ModelSummary {
        let stage = |name: &str, seconds| StageTime {
            stage: name.to_owned(),
            seconds,
        };
        ModelSummary {
            name: "demo".to_owned(),
            layers: vec![LayerSummary {
                name: "mud".to_owned(),
                area_m2: 12.5,
                mu: 0.4,
                cost: 3.0,
            }],
            route_reason: Some("too steep".to_owned()),
            stages: vec![stage("skeleton", 0.25), stage("model", 0.5)],
            ..ModelSummary::default()
        }
    }
}

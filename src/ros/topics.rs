//! The latched topics of the last cave made.

use super::{convert, markers};
use crate::pipeline::Cave;
use r2r::nav_msgs::msg::{OccupancyGrid, Path};
use r2r::plume_interfaces::msg::{CaveGraph, TerrainLayers};
use r2r::qos::DurabilityPolicy;
use r2r::std_msgs::msg::Header;
use r2r::visualization_msgs::msg::MarkerArray;
use r2r::{Clock, Node, Publisher, QosProfile};
use std::sync::{Arc, Mutex, PoisonError};

/// Reliable, kept for late joiners, the last message only.
const LATCHED: QosProfile = QosProfile {
    depth: 1,
    durability: DurabilityPolicy::TransientLocal,
    ..QosProfile::default()
};

/// Publishers of the latched topics.
pub struct Topics {
    graph: Publisher<CaveGraph>,
    graph_markers: Publisher<MarkerArray>,
    path: Publisher<Path>,
    layers: Publisher<TerrainLayers>,
    map: Publisher<OccupancyGrid>,
    clock: Arc<Mutex<Clock>>,
}

impl Topics {
    /// Creates the publishers below the node's name.
    ///
    /// # Errors
    /// When ROS refuses one.
    pub fn new(node: &mut Node) -> r2r::Result<Self> {
        Ok(Self {
            graph: node.create_publisher("~/graph", LATCHED)?,
            graph_markers: node.create_publisher("~/graph_markers", LATCHED)?,
            path: node.create_publisher("~/path", LATCHED)?,
            layers: node.create_publisher("~/layers", LATCHED)?,
            map: node.create_publisher("~/map", LATCHED)?,
            clock: node.get_ros_clock(),
        })
    }

    /// Publishes all of a cave, stamped now. May take a tenth of a second: not for the executor.
    ///
    /// # Errors
    /// When ROS refuses a message, which it does once the node ends.
    pub fn publish(&self, cave: &Cave, frame_id: &str, map_level: u32) -> r2r::Result<()> {
        let header = self.header(frame_id)?;
        let map = cave.maps.get(map_level as usize);
        if map.is_none() {
            let levels = cave.maps.len();
            tracing::warn!("parameter map_level is {map_level}, but this cave has {levels} levels");
        }
        self.graph
            .publish(&convert::graph(&header, &cave.summary, &cave.skeleton))?;
        self.graph_markers
            .publish(&markers::graph(&header, &cave.skeleton))?;
        self.path
            .publish(&convert::path(&header, cave.route.as_ref()))?;
        self.layers
            .publish(&convert::layers(&header, &cave.summary, &cave.layers))?;
        self.map.publish(&convert::map(&header, map))
    }

    fn header(&self, frame_id: &str) -> r2r::Result<Header> {
        let now = self
            .clock
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_now()?;
        Ok(Header {
            stamp: Clock::to_builtin_time(&now),
            frame_id: frame_id.to_owned(),
        })
    }
}

//! From the library's products to messages.

use crate::model::ModelSummary;
use crate::skeleton::{NodeKind, Skeleton};
use crate::terrain::LayerSet;
use crate::traverse::{self, OccupancyMap, Route};
use r2r::geometry_msgs::msg::{Point, Pose, PoseStamped, Quaternion, Transform, Vector3};
use r2r::nav_msgs::msg::{MapMetaData, OccupancyGrid, Path};
use r2r::plume_interfaces::msg::{
    CaveEdge, CaveGraph, CaveNode, CaveSummary, RouteStats, TerrainLayer, TerrainLayers,
};
use r2r::std_msgs::msg::{ColorRGBA, Header};

/// A point, metres.
pub fn point(position: [f64; 3]) -> Point {
    let [x, y, z] = position;
    Point { x, y, z }
}

/// A rotation of `yaw` radians about +z.
pub fn heading(yaw: f64) -> Quaternion {
    Quaternion {
        x: 0.0,
        y: 0.0,
        z: libm::sin(yaw / 2.0),
        w: libm::cos(yaw / 2.0),
    }
}

/// The graph with neighbours by id, lengths and inclines.
pub fn graph(header: &Header, summary: &ModelSummary, skeleton: &Skeleton) -> CaveGraph {
    let id = |index: usize| skeleton.nodes[index].id;
    let nodes = skeleton
        .nodes
        .iter()
        .zip(skeleton.adjacency())
        .map(|(node, adjacent)| CaveNode {
            id: node.id,
            parent: node.parent.map_or(-1, id),
            edges: adjacent.into_iter().map(id).collect(),
            position: point(node.position.to_array()),
            radius: node.radius_m,
            passage: node.passage_m,
            level: node.level,
            kind: kind(node.kind),
            active: node.active,
        });
    let edges = skeleton.edges.iter().map(|edge| {
        let along = skeleton.nodes[edge.b].position - skeleton.nodes[edge.a].position;
        CaveEdge {
            a: id(edge.a),
            b: id(edge.b),
            length: along.length(),
            grade: libm::atan2(along.z, along.truncate().length()),
        }
    });
    let moved = &skeleton.world_from_graph;
    CaveGraph {
        header: header.clone(),
        cave: summary.name.clone(),
        seed: summary.seed,
        entrance: id(skeleton.entrance),
        nodes: nodes.collect(),
        edges: edges.collect(),
        world_from_graph: Transform {
            translation: Vector3 {
                x: moved.translation.x,
                y: moved.translation.y,
                z: moved.translation.z,
            },
            rotation: heading(moved.yaw),
        },
    }
}

fn kind(kind: NodeKind) -> u8 {
    match kind {
        NodeKind::Entrance => CaveNode::ENTRANCE as u8,
        NodeKind::Passage => CaveNode::PASSAGE as u8,
        NodeKind::Junction => CaveNode::JUNCTION as u8,
        NodeKind::Room => CaveNode::ROOM as u8,
        NodeKind::DeadEnd => CaveNode::DEAD_END as u8,
        NodeKind::Shaft => CaveNode::SHAFT as u8,
    }
}

/// The route as poses heading along it; empty without one, so that an older cave's goes away.
pub fn path(header: &Header, route: Option<&Route>) -> Path {
    let poses = route.map_or(&[][..], |route| &route.poses);
    let stamped = |pose: &traverse::Pose| PoseStamped {
        header: header.clone(),
        pose: Pose {
            position: point(pose.position),
            orientation: heading(pose.yaw),
        },
    };
    Path {
        header: header.clone(),
        poses: poses.iter().map(stamped).collect(),
    }
}

/// Figures of a route.
pub fn route_stats(stats: &traverse::RouteStats) -> RouteStats {
    RouteStats {
        distance_m: stats.distance_m,
        ascent_m: stats.ascent_m,
        steepest_deg: stats.steepest_deg,
        grade_percent: stats.grade_percent,
        cost: stats.cost,
        min_clearance_m: stats.min_clearance_m,
        layers: stats.layers.iter().map(|(name, _)| name.clone()).collect(),
        layer_shares: stats.layers.iter().map(|&(_, share)| share).collect(),
        crosses_water: stats.crosses_water,
    }
}

/// Physics and looks of every layer, and how much of the cave it covers.
pub fn layers(header: &Header, summary: &ModelSummary, set: &LayerSet) -> TerrainLayers {
    let area = |name: &str| {
        let covered = summary.layers.iter().find(|layer| layer.name == name);
        covered.map_or(0.0, |layer| layer.area_m2)
    };
    let layers = set.layers.iter().map(|layer| TerrainLayer {
        name: layer.name.clone(),
        semantic_id: layer.semantic_id,
        mu: layer.mu,
        mu2: layer.mu2,
        slip: layer.slip.unwrap_or(0.0),
        cost: layer.cost,
        area: area(&layer.name),
        color: color(
            layer
                .palette
                .get(layer.palette.len() / 2)
                .copied()
                .unwrap_or([128; 3]),
        ),
        source: layer.source.clone(),
    });
    TerrainLayers {
        header: header.clone(),
        cave: summary.name.clone(),
        layer_set: set.name.clone(),
        layers: layers.collect(),
    }
}

/// An opaque colour from 8-bit sRGB.
pub fn color(rgb: [u8; 3]) -> ColorRGBA {
    let [r, g, b] = rgb.map(|channel| f32::from(channel) / 255.0);
    ColorRGBA { r, g, b, a: 1.0 }
}

/// The map of one level; without one a map of no cells, so that an older cave's goes away.
pub fn map(header: &Header, map: Option<&OccupancyMap>) -> OccupancyGrid {
    let mut info = MapMetaData {
        map_load_time: header.stamp.clone(),
        origin: Pose {
            orientation: heading(0.0),
            ..Pose::default()
        },
        ..MapMetaData::default()
    };
    let mut data = Vec::new();
    if let Some(map) = map {
        info.resolution = map.resolution_m;
        info.width = map.width;
        info.height = map.height;
        info.origin.position = point([map.origin[0], map.origin[1], 0.0]);
        data.extend_from_slice(&map.cells);
    }
    OccupancyGrid {
        header: header.clone(),
        info,
        data,
    }
}

/// The figures of a run.
pub fn summary(summary: &ModelSummary) -> CaveSummary {
    CaveSummary {
        name: summary.name.clone(),
        seed: summary.seed,
        nodes: summary.nodes as u64,
        edges: summary.edges as u64,
        length_m: summary.length_m,
        levels: summary.levels,
        chunks: summary.chunks as u64,
        voxel_m: summary.voxel_m,
        shell_triangles: summary.shell_triangles as u64,
        visual_triangles: summary.visual_triangles as u64,
        collision_triangles: summary.collision_triangles as u64,
        area_m2: summary.area_m2,
        texture_px: summary.texture_px,
        texels: summary.texels,
        layers: summary
            .layers
            .iter()
            .map(|layer| layer.name.clone())
            .collect(),
        layer_areas_m2: summary.layers.iter().map(|layer| layer.area_m2).collect(),
        has_route: summary.route.is_some(),
        route_reason: summary.route_reason.clone().unwrap_or_default(),
        route: summary.route.as_ref().map(route_stats).unwrap_or_default(),
        stages: summary
            .stages
            .iter()
            .map(|stage| stage.stage.clone())
            .collect(),
        stage_seconds: summary.stages.iter().map(|stage| stage.seconds).collect(),
        seconds: summary.seconds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ros::tests::{header, layer_set, model_summary, skeleton};

    #[test]
    fn graph_speaks_of_ids_not_indices() {
        let graph = graph(&header(), &model_summary(), &skeleton());
        let ids: Vec<i64> = graph.nodes.iter().map(|node| node.id).collect();
        assert_eq!(ids, [10, 20, 30]);
        assert_eq!(graph.entrance, 10);
        assert_eq!(graph.nodes[0].parent, -1);
        assert_eq!(graph.nodes[1].parent, 10);
        assert_eq!(graph.nodes[1].edges, [10, 30]);
        assert_eq!(graph.nodes[0].kind, CaveNode::ENTRANCE as u8);
        assert_eq!((graph.edges[1].a, graph.edges[1].b), (20, 30));
        assert!((graph.edges[0].length - 5.0).abs() < 1e-12);
        // 3 m up over 4 m.
        assert!((graph.edges[0].grade - libm::atan2(3.0, 4.0)).abs() < 1e-12);
        assert_eq!(graph.header.frame_id, "map");
    }

    #[test]
    fn path_heads_along_the_route_and_is_empty_without_one() {
        let half_turn = traverse::Pose {
            position: [1.0, 2.0, 3.0],
            yaw: std::f64::consts::PI,
        };
        let route = Route {
            poses: vec![half_turn],
            stats: traverse::RouteStats::default(),
        };
        let message = path(&header(), Some(&route));
        let pose = &message.poses[0].pose;
        assert_eq!(
            (pose.position.x, pose.position.y, pose.position.z),
            (1.0, 2.0, 3.0)
        );
        assert!((pose.orientation.z - 1.0).abs() < 1e-12 && pose.orientation.w.abs() < 1e-12);
        assert_eq!(message.poses[0].header.frame_id, "map");
        assert!(path(&header(), None).poses.is_empty());
    }

    #[test]
    fn layers_carry_area_by_name() {
        let message = layers(&header(), &model_summary(), &layer_set());
        assert_eq!(message.layers[0].name, "mud");
        assert_eq!(message.layers[0].area, 12.5);
        assert_eq!(message.layers[0].slip, 0.0);
        assert!((message.layers[0].color.r - 60.0 / 255.0).abs() < 1e-6);
    }

    #[test]
    fn map_keeps_cells_and_corner() {
        let flat = OccupancyMap {
            resolution_m: 0.1,
            width: 2,
            height: 1,
            origin: [-1.0, 2.0],
            cells: vec![0, 100],
        };
        let message = map(&header(), Some(&flat));
        assert_eq!((message.info.width, message.info.height), (2, 1));
        assert_eq!(
            (
                message.info.origin.position.x,
                message.info.origin.position.y
            ),
            (-1.0, 2.0)
        );
        assert_eq!(message.info.origin.orientation.w, 1.0);
        assert_eq!(message.data, [0, 100]);
        assert!(map(&header(), None).data.is_empty());
    }

    #[test]
    fn summary_pairs_names_with_figures() {
        let message = summary(&model_summary());
        assert_eq!(message.stages, ["skeleton", "model"]);
        assert_eq!(message.stage_seconds, [0.25, 0.5]);
        assert_eq!(message.layers.len(), message.layer_areas_m2.len());
        assert!(!message.has_route);
        assert_eq!(message.route_reason, "too steep");
    }
}

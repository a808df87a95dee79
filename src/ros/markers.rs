//! The graph drawn for RViz and Foxglove.

use super::convert::{color, point};
use crate::skeleton::{NodeKind, Skeleton};
use r2r::geometry_msgs::msg::{Pose, Quaternion, Vector3};
use r2r::std_msgs::msg::{ColorRGBA, Header};
use r2r::visualization_msgs::msg::{Marker, MarkerArray};

/// Diameter of a node, metres.
const NODE_M: f64 = 0.6;
/// Width of an edge, metres.
const EDGE_M: f64 = 0.12;
/// Height of a letter, metres.
const TEXT_M: f64 = 0.8;

/// Nodes coloured by kind, edges by level, ids over all nodes that are not mere passage.
///
/// The first marker removes those of the cave before.
pub fn graph(header: &Header, skeleton: &Skeleton) -> MarkerArray {
    let clear = Marker {
        header: header.clone(),
        action: Marker::DELETEALL as i32,
        ..Marker::default()
    };
    let mut markers = vec![clear, nodes(header, skeleton), edges(header, skeleton)];
    markers.extend(names(header, skeleton));
    MarkerArray { markers }
}

fn nodes(header: &Header, skeleton: &Skeleton) -> Marker {
    Marker {
        points: skeleton
            .nodes
            .iter()
            .map(|node| point(node.position.to_array()))
            .collect(),
        colors: skeleton
            .nodes
            .iter()
            .map(|node| kind_color(node.kind))
            .collect(),
        scale: Vector3 {
            x: NODE_M,
            y: NODE_M,
            z: NODE_M,
        },
        ..marker(header, "nodes", 0, Marker::SPHERE_LIST as i32)
    }
}

fn edges(header: &Header, skeleton: &Skeleton) -> Marker {
    let ends = skeleton.edges.iter().flat_map(|edge| [edge.a, edge.b]);
    let ends: Vec<_> = ends.map(|index| &skeleton.nodes[index]).collect();
    Marker {
        points: ends
            .iter()
            .map(|node| point(node.position.to_array()))
            .collect(),
        colors: ends.iter().map(|node| level_color(node.level)).collect(),
        scale: Vector3 {
            x: EDGE_M,
            ..Vector3::default()
        },
        ..marker(header, "edges", 0, Marker::LINE_LIST as i32)
    }
}

fn names(header: &Header, skeleton: &Skeleton) -> Vec<Marker> {
    let landmarks = skeleton
        .nodes
        .iter()
        .filter(|node| node.kind != NodeKind::Passage);
    let name = |(index, node): (usize, &crate::skeleton::Node)| {
        let mut pose = upright();
        pose.position = point(node.position.to_array());
        pose.position.z += NODE_M;
        Marker {
            pose,
            text: node.id.to_string(),
            color: color([255; 3]),
            scale: Vector3 {
                z: TEXT_M,
                ..Vector3::default()
            },
            ..marker(
                header,
                "names",
                index as i32,
                Marker::TEXT_VIEW_FACING as i32,
            )
        }
    };
    landmarks.enumerate().map(name).collect()
}

fn marker(header: &Header, namespace: &str, id: i32, shape: i32) -> Marker {
    Marker {
        header: header.clone(),
        ns: namespace.to_owned(),
        id,
        type_: shape,
        action: Marker::ADD as i32,
        pose: upright(),
        color: color([200; 3]),
        ..Marker::default()
    }
}

fn upright() -> Pose {
    Pose {
        orientation: Quaternion {
            w: 1.0,
            ..Quaternion::default()
        },
        ..Pose::default()
    }
}

fn kind_color(kind: NodeKind) -> ColorRGBA {
    color(match kind {
        NodeKind::Entrance => [60, 200, 90],
        NodeKind::Passage => [150, 150, 150],
        NodeKind::Junction => [240, 170, 40],
        NodeKind::Room => [90, 160, 240],
        NodeKind::DeadEnd => [220, 70, 70],
        NodeKind::Shaft => [170, 80, 220],
    })
}

fn level_color(level: u32) -> ColorRGBA {
    const COLORS: [[u8; 3]; 6] = [
        [230, 200, 140],
        [120, 190, 220],
        [180, 220, 130],
        [230, 150, 170],
        [170, 150, 230],
        [200, 200, 200],
    ];
    color(COLORS[level as usize % COLORS.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ros::tests::{header, skeleton};

    #[test]
    fn every_node_and_edge_is_drawn_after_clearing() {
        let array = graph(&header(), &skeleton());
        assert_eq!(array.markers[0].action, Marker::DELETEALL as i32);
        assert_eq!(array.markers[1].points.len(), 3);
        assert_eq!(array.markers[1].colors.len(), 3);
        assert_eq!(array.markers[2].points.len(), 4);
        // The middle node is mere passage.
        let names: Vec<&str> = array.markers[3..].iter().map(|m| m.text.as_str()).collect();
        assert_eq!(names, ["10", "30"]);
        assert!(
            array.markers[1..]
                .iter()
                .all(|m| m.pose.orientation.w == 1.0)
        );
    }
}

//! From skeleton to file.

use super::layout::{Coordinates, RawNode};
use crate::skeleton::{Node, RigidTransform, Skeleton};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// The text of a `skeleton.json`: PLUME's layout with our keys, indented by one space as PLUME's,
/// coordinates in frame `map`, numbers in their shortest exact form, keys kept from an import
/// first.
pub fn write_json(skeleton: &Skeleton) -> String {
    let mut out = Vec::new();
    let style = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, style);
    // Writing into memory and string keys only: nothing here can fail.
    let written = File { skeleton }.serialize(&mut serializer);
    debug_assert!(written.is_ok());
    out.push(b'\n');
    String::from_utf8(out).unwrap_or_default()
}

struct File<'a> {
    skeleton: &'a Skeleton,
}

impl Serialize for File<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let skeleton = self.skeleton;
        let transform: RigidTransform = skeleton.world_from_graph;
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in &skeleton.extra {
            map.serialize_entry(key, value)?;
        }
        if let Some(entrance) = skeleton.nodes.get(skeleton.entrance) {
            map.serialize_entry("entrance", &entrance.id)?;
        }
        map.serialize_entry("world_from_graph", &transform)?;
        map.serialize_entry("nodes", &Nodes { skeleton })?;
        map.end()
    }
}

struct Nodes<'a> {
    skeleton: &'a Skeleton,
}

impl Serialize for Nodes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let nodes = &self.skeleton.nodes;
        let adjacent = self.skeleton.adjacency();
        let mut map = serializer.serialize_map(Some(nodes.len()))?;
        for (node, neighbours) in nodes.iter().zip(&adjacent) {
            map.serialize_entry(&node.id.to_string(), &raw(node, neighbours, nodes))?;
        }
        map.end()
    }
}

fn raw(node: &Node, neighbours: &[usize], nodes: &[Node]) -> RawNode {
    let p = node.position;
    RawNode {
        id: node.id,
        parent: node.parent.map(|parent| nodes[parent].id),
        edges: neighbours.iter().map(|&other| nodes[other].id).collect(),
        coordinates: Coordinates {
            x: Some(p.x),
            y: Some(p.y),
            z: Some(p.z),
        },
        radius: Some(node.radius_m),
        active: node.active,
        passage_m: Some(node.passage_m),
        level: Some(node.level),
        kind: Some(node.kind),
    }
}

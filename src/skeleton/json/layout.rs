//! The layout of the file, as it stands there.

use crate::progress::Job;
use crate::skeleton::{NodeKind, RigidTransform};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};
use std::fmt;

/// A position as PLUME writes it, metres. `null` stands for a number that is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Coordinates {
    pub(super) x: Option<f64>,
    pub(super) y: Option<f64>,
    pub(super) z: Option<f64>,
}

/// A node: PLUME's six keys, then ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RawNode {
    pub(super) id: i64,
    pub(super) parent: Option<i64>,
    pub(super) edges: Vec<i64>,
    pub(super) coordinates: Coordinates,
    pub(super) radius: Option<f64>,
    #[serde(default = "active")]
    pub(super) active: bool,
    #[serde(default)]
    pub(super) passage_m: Option<f64>,
    #[serde(default)]
    pub(super) level: Option<u32>,
    #[serde(default)]
    pub(super) kind: Option<NodeKind>,
}

fn active() -> bool {
    true
}

/// A whole file.
#[derive(Debug, Default)]
pub(super) struct RawGraph {
    pub(super) nodes: Vec<(String, RawNode)>,
    pub(super) world_from_graph: Option<RigidTransform>,
    pub(super) entrance: Option<i64>,
    pub(super) extra: Map<String, Value>,
}

/// Why reading stopped for a reason that is not in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    TooManyNodes,
    Cancelled,
}

/// Reads a file node by node, and knows where it is.
pub(super) struct Reader<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) max_nodes: usize,
    /// Key of the node that is being read.
    pub(super) node: RefCell<Option<String>>,
    pub(super) stop: Cell<Option<Stop>>,
}

impl<'de> DeserializeSeed<'de> for &Reader<'_> {
    type Value = RawGraph;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<RawGraph, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &Reader<'_> {
    type Value = RawGraph;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with PLUME's key `nodes`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawGraph, A::Error> {
        let mut graph = RawGraph::default();
        let mut has_nodes = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "nodes" if has_nodes => {
                    return Err(A::Error::custom("`nodes` appears twice"));
                }
                "nodes" => {
                    graph.nodes = map.next_value_seed(Nodes(self))?;
                    has_nodes = true;
                }
                "world_from_graph" => graph.world_from_graph = Some(map.next_value()?),
                "entrance" => {
                    // Another tool may use the word; only an id is ours.
                    let value: Value = map.next_value()?;
                    match value.as_i64() {
                        Some(id) => graph.entrance = Some(id),
                        None => drop(graph.extra.insert(key, value)),
                    }
                }
                _ => drop(graph.extra.insert(key, map.next_value()?)),
            }
        }
        if has_nodes {
            Ok(graph)
        } else {
            Err(A::Error::missing_field("nodes"))
        }
    }
}

/// The object under `nodes`.
struct Nodes<'a, 'b>(&'a Reader<'b>);

impl<'de> DeserializeSeed<'de> for Nodes<'_, '_> {
    type Value = Vec<(String, RawNode)>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Nodes<'_, '_> {
    type Value = Vec<(String, RawNode)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of nodes keyed by id, such as {\"0\": {\"id\": 0, …}}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let reader = self.0;
        let mut nodes = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if nodes.len() >= reader.max_nodes {
                reader.stop.set(Some(Stop::TooManyNodes));
                map.next_value::<IgnoredAny>()?;
                return Err(A::Error::custom("too many nodes"));
            }
            if nodes.len().is_multiple_of(256) && reader.job.check().is_err() {
                reader.stop.set(Some(Stop::Cancelled));
                return Err(A::Error::custom("cancelled"));
            }
            *reader.node.borrow_mut() = Some(key.clone());
            nodes.push((key, map.next_value()?));
            *reader.node.borrow_mut() = None;
        }
        Ok(nodes)
    }
}

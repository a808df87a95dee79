//! Graphs made by hand, in YAML.
//!
//! ```yaml
//! entrance: 1                # id of the node to start at; optional
//! nodes:
//!   - {id: 1, position: [0, 0, 0]}
//!   - {id: 2, position: [12, 0, -1.5], passage_m: 2.0}
//!   - {id: 3, position: [20, 8, -2], kind: room, passage_m: 3.5}
//! edges:
//!   - [1, 2]
//!   - [2, 3]
//! ```

use super::cave::{Leg, Station, Survey};
use super::text::{is_size, refuse};
use super::{MAX_COORDINATE_M, MAX_LEGS};
use crate::config::Config;
use crate::config::yaml::{Marked, from_str};
use crate::progress::Job;
use crate::skeleton::json::{MAX_LEVEL, MAX_NODES};
use crate::skeleton::{Error, Fault, NodeKind, Skeleton};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Graph {
    #[serde(default)]
    entrance: Option<Marked<i64>>,
    nodes: Vec<Node>,
    edges: Vec<Marked<[i64; 2]>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Node {
    id: Marked<i64>,
    position: Marked<[f64; 3]>,
    #[serde(default)]
    radius_m: Option<Marked<f64>>,
    #[serde(default)]
    passage_m: Option<Marked<f64>>,
    #[serde(default)]
    level: Option<Marked<u32>>,
    #[serde(default)]
    kind: Option<NodeKind>,
}

/// The cave in a YAML text; `label` is the file in errors. Positions in metres, in a frame of the
/// graph's own.
///
/// # Errors
///
/// [`Error::Graph`] with line and column, [`Error::Cancelled`] on request.
pub fn read_yaml(label: &Path, text: &str, config: &Config, job: &Job) -> Result<Skeleton, Error> {
    survey_of_yaml(label, text)?.into_cave(label, "", config, job)
}

/// The nodes and edges in a YAML text.
pub(in crate::skeleton) fn survey_of_yaml(label: &Path, text: &str) -> Result<Survey, Error> {
    let faulty = |fault| Error::Graph {
        path: label.to_owned(),
        fault,
    };
    let graph: Graph = from_str(text).map_err(|error| faulty(Fault::Yaml(error)))?;
    if graph.nodes.len() > MAX_NODES {
        return Err(faulty(Fault::TooManyNodes { limit: MAX_NODES }));
    }
    if graph.edges.len() > MAX_LEGS {
        return Err(faulty(Fault::TooManyEdges { limit: MAX_LEGS }));
    }
    let mut survey = Survey::default();
    let mut index = BTreeMap::new();
    for node in &graph.nodes {
        let at = survey.stations.len();
        if index.insert(node.id.value, at).is_some() {
            return Err(wrong(label, &node.id, "an id that no other node has"));
        }
        survey.stations.push(station(label, node)?);
        if node.kind == Some(NodeKind::Entrance) {
            survey.entrances.push(at);
        }
    }
    let find = |id: i64, place: [usize; 2]| {
        index.get(&id).copied().ok_or_else(|| {
            let expected = "the id of a node under `nodes`";
            refuse(label, place, format!("`{id}`"), expected)
        })
    };
    if let Some(entrance) = &graph.entrance {
        survey
            .entrances
            .insert(0, find(entrance.value, place(entrance))?);
    }
    for edge in &graph.edges {
        let [a, b] = edge.value;
        let leg = Leg {
            a: find(a, place(edge))?,
            b: find(b, place(edge))?,
        };
        if a == b {
            let found = format!("[{a}, {b}]");
            return Err(refuse(label, place(edge), found, "two different nodes"));
        }
        survey.legs.push(leg);
    }
    Ok(survey)
}

fn station(label: &Path, node: &Node) -> Result<Station, Error> {
    let position = &node.position;
    let lies = |v: &f64| v.abs() <= MAX_COORDINATE_M;
    if let Some(bad) = position.value.iter().find(|v| !lies(v)) {
        return Err(refuse(
            label,
            place(position),
            format!("`{bad}`"),
            "finite numbers of metres, at most 1e8 from 0",
        ));
    }
    for size in [&node.radius_m, &node.passage_m].into_iter().flatten() {
        if !is_size(size.value) {
            let expected = "a finite number of metres over 0, at most 1e5";
            return Err(wrong(label, size, expected));
        }
    }
    if let Some(level) = node.level.as_ref().filter(|l| l.value > MAX_LEVEL) {
        let expected = format!("a level from 0 to {MAX_LEVEL}");
        return Err(wrong(label, level, &expected));
    }
    Ok(Station {
        radius_m: node.radius_m.as_ref().map(|r| r.value),
        passage_m: node.passage_m.as_ref().map(|p| p.value),
        kind: node.kind.unwrap_or(NodeKind::Passage),
        level: node.level.as_ref().map_or(0, |l| l.value),
        ..Station::new(node.id.value, position.value.into())
    })
}

fn place<T>(marked: &Marked<T>) -> [usize; 2] {
    let at = marked.referenced;
    [at.line() as usize, at.column() as usize]
}

fn wrong<T: std::fmt::Display>(label: &Path, marked: &Marked<T>, expected: &str) -> Error {
    let found = format!("`{}`", marked.value);
    refuse(label, place(marked), found, expected)
}

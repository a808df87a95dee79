//! Whether a graph can be a cave.

use super::layout::RawNode;
use super::read::MAX_LEVEL;
use crate::skeleton::{Edge, Fault};
use std::collections::BTreeMap;

/// Largest coordinate, metres. Covers projected map coordinates of any survey.
pub(in crate::skeleton) const MAX_COORDINATE_M: f64 = 1e8;

/// Largest radius, half width and leg, metres.
pub(in crate::skeleton) const MAX_SIZE_M: f64 = 1e5;

/// How the nodes hang together, by index in file order.
#[derive(Debug)]
pub(super) struct Wiring {
    pub(super) parents: Vec<Option<usize>>,
    pub(super) edges: Vec<Edge>,
    /// The node without parent that has the lowest id.
    pub(super) root: usize,
}

/// Checks every node and the whole; the first fault found is the one reported.
pub(super) fn validate(nodes: &[(String, RawNode)]) -> Result<Wiring, Fault> {
    let index = index_by_id(nodes)?;
    match nodes {
        [] => return Err(Fault::NoNodes),
        [(_, only)] => return Err(Fault::OneNode { id: only.id }),
        _ => {}
    }
    nodes.iter().try_for_each(|(_, node)| check_numbers(node))?;
    let parents = parents(nodes, &index)?;
    let edges = edges(nodes, &index)?;
    let root = root(nodes, &parents)?;
    check_connected(nodes, &edges)?;
    Ok(Wiring {
        parents,
        edges,
        root,
    })
}

fn index_by_id(nodes: &[(String, RawNode)]) -> Result<BTreeMap<i64, usize>, Fault> {
    let mut index = BTreeMap::new();
    for (at, (key, node)) in nodes.iter().enumerate() {
        if key.trim().parse() != Ok(node.id) {
            return Err(Fault::IdMismatch {
                key: key.clone(),
                id: node.id,
            });
        }
        if index.insert(node.id, at).is_some() {
            return Err(Fault::DuplicateNode { id: node.id });
        }
    }
    Ok(index)
}

fn check_numbers(node: &RawNode) -> Result<(), Fault> {
    let id = node.id;
    let fault = |field, value: Option<f64>, allowed| {
        let value = value.map_or_else(
            || "null".to_owned(),
            |v| match v.abs() < 1e15 {
                true => v.to_string(),
                false => format!("{v:e}"),
            },
        );
        Err(Fault::Number {
            id,
            field,
            value,
            allowed,
        })
    };
    let c = node.coordinates;
    for (field, value) in [
        ("coordinates.x", c.x),
        ("coordinates.y", c.y),
        ("coordinates.z", c.z),
    ] {
        if !value.is_some_and(|v| v.abs() <= MAX_COORDINATE_M) {
            return fault(
                field,
                value,
                "a finite number of metres, at most 1e8 from 0",
            );
        }
    }
    let sized = |v: f64| v > 0.0 && v <= MAX_SIZE_M;
    if !node.radius.is_some_and(sized) {
        return fault(
            "radius",
            node.radius,
            "a finite number of metres over 0, at most 1e5",
        );
    }
    if let Some(level) = node.level.filter(|&level| level > MAX_LEVEL) {
        return fault("level", Some(level.into()), "a whole number from 0 to 15");
    }
    if node.passage_m.is_some_and(|v| !sized(v)) {
        return fault(
            "passage_m",
            node.passage_m,
            "a finite number of metres over 0, at most 1e5",
        );
    }
    Ok(())
}

fn parents(
    nodes: &[(String, RawNode)],
    index: &BTreeMap<i64, usize>,
) -> Result<Vec<Option<usize>>, Fault> {
    let find = |node: &RawNode, parent: i64| match index.get(&parent) {
        Some(&at) => Ok(Some(at)),
        None => Err(Fault::MissingNode {
            id: node.id,
            missing: parent,
            field: "parent",
        }),
    };
    nodes
        .iter()
        .map(|(_, node)| node.parent.map_or(Ok(None), |parent| find(node, parent)))
        .collect()
}

fn edges(nodes: &[(String, RawNode)], index: &BTreeMap<i64, usize>) -> Result<Vec<Edge>, Fault> {
    let mut edges = Vec::new();
    for (at, (_, node)) in nodes.iter().enumerate() {
        for &id in &node.edges {
            let Some(&other) = index.get(&id) else {
                return Err(Fault::MissingNode {
                    id: node.id,
                    missing: id,
                    field: "edges",
                });
            };
            if other == at {
                return Err(Fault::SelfLoop { id });
            }
            if nodes[other].1.coordinates == node.coordinates {
                return Err(Fault::ZeroLength { a: node.id, b: id });
            }
            edges.push(Edge {
                a: at.min(other),
                b: at.max(other),
            });
        }
    }
    edges.sort_unstable();
    edges.dedup();
    Ok(edges)
}

/// The root with the lowest id, once no chain of parents is known to run in a circle.
fn root(nodes: &[(String, RawNode)], parents: &[Option<usize>]) -> Result<usize, Fault> {
    // The walk on which each node was met; a node met twice on one walk is on a circle.
    let mut walk = vec![usize::MAX; nodes.len()];
    for start in 0..nodes.len() {
        let mut at = Some(start);
        while let Some(node) = at.filter(|&n| walk[n] == usize::MAX) {
            walk[node] = start;
            at = parents[node];
        }
        if let Some(node) = at.filter(|&n| walk[n] == start) {
            return Err(Fault::ParentCycle {
                id: nodes[node].1.id,
            });
        }
    }
    let roots = (0..nodes.len()).filter(|&n| parents[n].is_none());
    roots.min_by_key(|&n| nodes[n].1.id).ok_or(Fault::NoNodes)
}

fn check_connected(nodes: &[(String, RawNode)], edges: &[Edge]) -> Result<(), Fault> {
    let mut adjacent = vec![Vec::new(); nodes.len()];
    for edge in edges {
        adjacent[edge.a].push(edge.b);
        adjacent[edge.b].push(edge.a);
    }
    let mut seen = vec![false; nodes.len()];
    let mut pieces: Vec<(usize, i64)> = Vec::new();
    for start in 0..nodes.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let (mut size, mut stack) = (0, vec![start]);
        while let Some(node) = stack.pop() {
            size += 1;
            for &next in &adjacent[node] {
                if !std::mem::replace(&mut seen[next], true) {
                    stack.push(next);
                }
            }
        }
        pieces.push((size, nodes[start].1.id));
    }
    match pieces[..] {
        [(_, a), (_, b), ..] => {
            let mut sizes: Vec<usize> = pieces.iter().map(|piece| piece.0).collect();
            sizes.sort_unstable_by(|x, y| y.cmp(x));
            Err(Fault::Components {
                count: pieces.len(),
                sizes,
                a,
                b,
            })
        }
        _ => Ok(()),
    }
}

//! Why there is no skeleton.

use crate::progress::Cancelled;
use std::path::PathBuf;

/// Why a graph could not be grown or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A value that no cave can be grown from.
    #[error("`{key}` is {value}; allowed is {allowed}")]
    Config {
        /// Key in the configuration.
        key: &'static str,
        /// What was asked.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// An axiom or a rule of an L-system that cannot be read.
    #[error("`{key}`{} `{text}`, column {column}: {expected}", of_rule(*rule))]
    Rule {
        /// Key in the configuration.
        key: &'static str,
        /// Number of the rule, from 1; 0 where the key holds one text only.
        rule: usize,
        /// The text.
        text: String,
        /// Column in it, from 1.
        column: usize,
        /// What was expected.
        expected: String,
    },
    /// The file could not be opened or read.
    #[error("cannot read graph file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file holds something else than a usable graph.
    #[error("graph file {}: {fault}", path.display())]
    Graph {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
    },
    /// Stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// What is wrong with a graph file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// Not a regular file.
    #[error("is not a regular file; expected a graph or survey")]
    NotAFile,
    /// Over the size limit.
    #[error("has {bytes} bytes; at most {limit} are allowed")]
    TooLarge {
        /// Size of the file.
        bytes: u64,
        /// Largest size.
        limit: u64,
    },
    /// Nothing in it.
    #[error("is empty; expected a graph or survey")]
    Empty,
    /// Not a kind of file that can be read.
    #[error(
        "is of unknown kind; expected PLUME's JSON (.json), YAML (.yaml), Survex (.svx) or the \
         tables NAME_nodes.dat and NAME_links.dat"
    )]
    UnknownKind,
    /// One table without the other.
    #[error("needs its other table beside it, {}, which is not there", missing.display())]
    NoPartner {
        /// The file that is not there.
        missing: PathBuf,
    },
    /// Something stands where something else was expected.
    #[error("line {line}, column {column}: found {found}; expected {expected}")]
    Line {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// Not YAML, or not a graph in it.
    #[error("{0}; expected `nodes` with `id` and `position`, and `edges` of two ids each")]
    Yaml(crate::config::yaml::Error),
    /// Not JSON, or not in PLUME's layout.
    #[error("line {line}, column {column}{}: {message}", in_node(node))]
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Key of the node in which the reader was.
        node: Option<String>,
        /// What was found and expected.
        message: String,
    },
    /// No node at all.
    #[error("has no nodes; a cave needs at least 2")]
    NoNodes,
    /// Only one node.
    #[error("has one node only (node {id}); a cave needs at least 2, joined by an edge")]
    OneNode {
        /// The node.
        id: i64,
    },
    /// Nodes, but nothing between them.
    #[error("has no edge with a length; a cave needs at least 2 nodes, joined by an edge")]
    NoEdges,
    /// Too many edges.
    #[error("has more than {limit} edges; at most {limit} are allowed")]
    TooManyEdges {
        /// Largest number.
        limit: usize,
    },
    /// Nodes too far away.
    #[error("reaches farther than 1e8 m from 0 or from its entrance; no node may lie farther")]
    TooWide,
    /// Too many nodes.
    #[error("has more than {limit} nodes; at most {limit} are allowed")]
    TooManyNodes {
        /// Largest number.
        limit: usize,
    },
    /// Key and `id` differ.
    #[error("node \"{key}\" has `id` {id}; both must be the same integer")]
    IdMismatch {
        /// Key in `nodes`.
        key: String,
        /// Its `id`.
        id: i64,
    },
    /// The same node twice.
    #[error("node {id} appears twice")]
    DuplicateNode {
        /// The node.
        id: i64,
    },
    /// An edge or parent that leads nowhere.
    #[error("node {id} names node {missing} in `{field}`, which does not exist")]
    MissingNode {
        /// The node.
        id: i64,
        /// The node that is not there.
        missing: i64,
        /// `edges` or `parent`.
        field: &'static str,
    },
    /// Joined to itself.
    #[error("node {id} has an edge to itself")]
    SelfLoop {
        /// The node.
        id: i64,
    },
    /// Following `parent` comes back.
    #[error("`parent` runs in a circle through node {id}; it must lead to a root (`parent`: null)")]
    ParentCycle {
        /// A node on the circle.
        id: i64,
    },
    /// A number outside its range.
    #[error("node {id}: `{field}` is {value}; allowed is {allowed}")]
    Number {
        /// The node.
        id: i64,
        /// Which number.
        field: &'static str,
        /// What it is.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// Two joined nodes in one place.
    #[error("nodes {a} and {b} are joined but lie in the same place; an edge needs a length")]
    ZeroLength {
        /// One node.
        a: i64,
        /// The other.
        b: i64,
    },
    /// More than one piece.
    #[error(
        "has {count} separate pieces (of {} nodes; node {a} cannot reach node {b}); all nodes must be joined by edges",
        sizes_text(sizes)
    )]
    Components {
        /// Number of pieces.
        count: usize,
        /// Their sizes, largest first.
        sizes: Vec<usize>,
        /// A node of one piece.
        a: i64,
        /// A node of another.
        b: i64,
    },
}

fn of_rule(rule: usize) -> String {
    if rule == 0 {
        String::new()
    } else {
        format!(", rule {rule}")
    }
}

fn in_node(node: &Option<String>) -> String {
    node.as_ref()
        .map(|key| format!(", node \"{key}\""))
        .unwrap_or_default()
}

fn sizes_text(sizes: &[usize]) -> String {
    let mut text = sizes
        .iter()
        .take(5)
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    if sizes.len() > 5 {
        text.push_str(", …");
    }
    text
}

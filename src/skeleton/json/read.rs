//! From file to skeleton.

use super::layout::{RawGraph, RawNode, Reader, Stop};
use super::validate::{MAX_COORDINATE_M, Wiring, validate};
use crate::config::Config;
use crate::progress::{Cancelled, Job};
use crate::skeleton::assemble;
use crate::skeleton::grow::check_passage;
use crate::skeleton::{Error, Fault, Node, NodeKind, RigidTransform, Skeleton};
use glam::DVec3;
use serde::de::DeserializeSeed as _;
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Largest graph file that is read, bytes.
pub const MAX_FILE_BYTES: u64 = 200_000_000;

/// Most nodes of an imported graph.
pub const MAX_NODES: usize = 100_000;

/// Highest level of an imported graph; each level gets maps of its own.
pub const MAX_LEVEL: u32 = 15;

/// Reads a graph in PLUME's layout, moved into frame `map`.
///
/// Without our keys, passage sizes follow from the radius as in a grown graph, and the entrance
/// is the node without parent that has the lowest id. An edge that only one of its nodes lists
/// counts.
///
/// # Errors
///
/// [`Error::Read`] when the file cannot be read, [`Error::Graph`] with line and column or with
/// the node's id when it is not a usable graph, [`Error::Cancelled`] on request.
pub fn read_plume(path: &Path, config: &Config, job: &Job) -> Result<Skeleton, Error> {
    check_passage(&config.passage)?;
    job.step(0, 1)?;
    let text = read_file(path)?;
    let skeleton = read_plume_text(path, &text, config, job)?;
    job.step(1, 1)?;
    Ok(skeleton)
}

/// The graph in a text in PLUME's layout, as [`read_plume`] gives it; `label` is the file in errors.
///
/// # Errors
///
/// [`Error::Graph`] and [`Error::Cancelled`] as [`read_plume`].
pub fn read_plume_text(
    label: &Path,
    text: &[u8],
    config: &Config,
    job: &Job,
) -> Result<Skeleton, Error> {
    parse(text, config, job).map_err(|stopped| match stopped {
        Stopped::Fault(fault) => Error::Graph {
            path: label.to_owned(),
            fault,
        },
        Stopped::Cancelled => Error::Cancelled(Cancelled),
    })
}

/// The bytes of a graph file, if it is one and not too large.
pub(in crate::skeleton) fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let unreadable = |source| Error::Read {
        path: path.to_owned(),
        source,
    };
    let faulty = |fault| Error::Graph {
        path: path.to_owned(),
        fault,
    };
    // Asked before opening: opening a pipe would wait for its writer.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(faulty(Fault::NotAFile));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    let too_large = |bytes| {
        faulty(Fault::TooLarge {
            bytes,
            limit: MAX_FILE_BYTES,
        })
    };
    if size > MAX_FILE_BYTES {
        return Err(too_large(size));
    }
    // The file may grow while it is read.
    file.take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large(bytes.len() as u64));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(faulty(Fault::Empty));
    }
    Ok(bytes)
}

/// Why there is no skeleton in a text.
#[derive(Debug, PartialEq)]
pub(super) enum Stopped {
    Fault(Fault),
    Cancelled,
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Stopped::Fault(fault)
    }
}

/// The skeleton in a text.
pub(super) fn parse(text: &[u8], config: &Config, job: &Job) -> Result<Skeleton, Stopped> {
    let graph = parse_layout(text, job)?;
    let wiring = validate(&graph.nodes)?;
    if job.check().is_err() {
        return Err(Stopped::Cancelled);
    }
    let skeleton = build(graph, wiring, config, job);
    check_reach(&skeleton)?;
    Ok(skeleton)
}

/// Refuses a graph of which no file could be written that reads back: in frame `map` its
/// coordinates count from the entrance.
pub(in crate::skeleton) fn check_reach(skeleton: &Skeleton) -> Result<(), Fault> {
    let near = |node: &Node| node.position.abs().max_element() <= MAX_COORDINATE_M;
    match skeleton.nodes.iter().all(near) {
        true => Ok(()),
        false => Err(Fault::TooWide),
    }
}

fn parse_layout(text: &[u8], job: &Job) -> Result<RawGraph, Stopped> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let reader = Reader {
        job,
        max_nodes: MAX_NODES,
        node: RefCell::new(None),
        stop: Cell::new(None),
    };
    let mut source = serde_json::Deserializer::from_slice(text);
    let parsed = reader.deserialize(&mut source).and_then(|graph| {
        source.end()?;
        Ok(graph)
    });
    parsed.map_err(|error| match reader.stop.get() {
        Some(Stop::Cancelled) => Stopped::Cancelled,
        Some(Stop::TooManyNodes) => Fault::TooManyNodes { limit: MAX_NODES }.into(),
        None => json_fault(&error, text, reader.node.into_inner()).into(),
    })
}

/// What is wrong with the text, in words of the file rather than of the parser.
fn json_fault(error: &serde_json::Error, text: &[u8], node: Option<String>) -> Fault {
    let (line, column) = (error.line(), error.column());
    let full = error.to_string();
    let position = format!(" at line {line} column {column}");
    let plain = full.strip_suffix(&position).unwrap_or(&full);
    let message = if let Some(word) = non_finite_word(text, line, column) {
        format!("{word} is not a finite number")
    } else {
        match error.classify() {
            serde_json::error::Category::Eof => format!("the file ends too early ({plain})"),
            serde_json::error::Category::Data => format!("not PLUME's layout: {plain}"),
            _ => format!("not JSON: {plain}"),
        }
    };
    Fault::Json {
        line,
        column,
        node,
        message,
    }
}

/// The word with which Python writes a number that is not finite, if the parser stopped at one.
fn non_finite_word(text: &[u8], line: usize, column: usize) -> Option<&'static str> {
    let row = text
        .split(|&byte| byte == b'\n')
        .nth(line.checked_sub(1)?)?;
    let near = row.get(column.saturating_sub(3)..)?;
    ["-Infinity", "Infinity", "NaN"].into_iter().find(|word| {
        let first = (0..3).filter_map(|skip| near.get(skip..));
        first
            .into_iter()
            .any(|rest| rest.starts_with(word.as_bytes()))
    })
}

/// A skeleton from a graph that is known to be sound.
fn build(graph: RawGraph, wiring: Wiring, config: &Config, job: &Job) -> Skeleton {
    let RawGraph {
        nodes: raw,
        world_from_graph,
        entrance,
        extra,
    } = graph;
    let entrance = entrance
        .and_then(|id| raw.iter().position(|(_, node)| node.id == id))
        .unwrap_or(wiring.root);
    let nodes = raw
        .iter()
        .zip(wiring.parents)
        .enumerate()
        .map(|(index, ((_, raw), parent))| node(raw, parent, index == entrance, config))
        .collect();
    let mut skeleton = Skeleton {
        nodes,
        edges: wiring.edges,
        entrance,
        world_from_graph: world_from_graph.unwrap_or(RigidTransform::IDENTITY),
        extra,
    };
    assemble::set_kinds(&mut skeleton);
    assemble::move_to_map(&mut skeleton, config);
    remark(&skeleton, config, job);
    skeleton
}

fn node(raw: &RawNode, parent: Option<usize>, entrance: bool, config: &Config) -> Node {
    let at = |value: Option<f64>| value.unwrap_or_default();
    let c = raw.coordinates;
    let position = DVec3::new(at(c.x), at(c.y), at(c.z));
    let radius_m = at(raw.radius);
    let computed = assemble::passage_m(radius_m, entrance, &config.passage);
    let passage_m = match raw.passage_m {
        Some(given) if entrance => given.max(assemble::ENTRANCE_PASSAGE_M),
        Some(given) => given,
        None => computed,
    };
    Node {
        passage_m,
        level: raw.level.unwrap_or(0),
        kind: raw.kind.unwrap_or(NodeKind::Passage),
        active: raw.active,
        ..assemble::node(raw.id, parent, position, radius_m)
    }
}

/// Says what is unusual about a graph that is taken as it is.
pub(in crate::skeleton) fn remark(skeleton: &Skeleton, config: &Config, job: &Job) {
    let at = skeleton.entrance;
    let degree = skeleton
        .edges
        .iter()
        .filter(|e| e.a == at || e.b == at)
        .count();
    if degree > 1 {
        let id = skeleton.nodes[at].id;
        job.note(&format!(
            "skeleton: {degree} passages meet at the entrance (node {id}); the first heads along +x"
        ));
    }
    let limit = libm::tan(config.skeleton.max_grade_deg.to_radians());
    let steep = skeleton
        .edges
        .iter()
        .filter(|e| {
            let way = skeleton.nodes[e.b].position - skeleton.nodes[e.a].position;
            way.z.abs() > limit * way.truncate().length() * (1.0 + 1e-9) + 1e-9
        })
        .count();
    if steep > 0 {
        job.note(&format!(
            "skeleton: {steep} of {} edges are steeper than `skeleton.max_grade_deg`, {}°; taken as they are",
            skeleton.edges.len(),
            config.skeleton.max_grade_deg
        ));
    }
}

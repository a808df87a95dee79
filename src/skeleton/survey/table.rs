//! Node/link tables: one file of positions, one of pairs.
//!
//! The layout in which karstnet keeps its surveys: `NAME_nodes.dat` has a line `x y z` a node,
//! `NAME_links.dat` a line of two node numbers a link. Node 1 is the first line of the node
//! table. Fields are separated by spaces, tabs, commas or semicolons; `#` starts a comment.

use super::MAX_LEGS;
use super::cave::{Leg, Station, Survey};
use super::text::{Field, decode, fields, refuse};
use crate::config::Config;
use crate::progress::Job;
use crate::skeleton::json::{MAX_NODES, read_file};
use crate::skeleton::{Error, Fault, Skeleton};
use glam::DVec3;
use std::path::{Path, PathBuf};

/// Lines between two questions whether to go on.
const REPORT: usize = 4096;

/// How the name of each table ends, before the file's ending.
const ENDS: [&str; 2] = ["_nodes", "_links"];

/// The two tables of a survey: that of the nodes and that of the links.
pub(in crate::skeleton) struct Tables {
    nodes: PathBuf,
    links: PathBuf,
}

/// The tables to which a file belongs, by its name: `NAME_nodes.ENDING` or `NAME_links.ENDING`.
pub(in crate::skeleton) fn tables_of(path: &Path) -> Option<Tables> {
    let stem = path.file_stem()?.to_str()?;
    let name = ENDS.iter().find_map(|end| stem.strip_suffix(end))?;
    let beside = |end: &str| {
        let mut file = format!("{name}{end}");
        if let Some(ending) = path.extension() {
            file = format!("{file}.{}", ending.to_string_lossy());
        }
        path.with_file_name(file)
    };
    Some(Tables {
        nodes: beside(ENDS[0]),
        links: beside(ENDS[1]),
    })
}

/// Reads both tables from disk.
pub(in crate::skeleton) fn survey_of_files(
    tables: &Tables,
    asked: &Path,
    job: &Job,
) -> Result<Survey, Error> {
    let read = |path: &Path| match read_file(path) {
        Ok(bytes) => Ok(decode(&bytes)),
        Err(Error::Read { source, .. })
            if path != asked && source.kind() == std::io::ErrorKind::NotFound =>
        {
            Err(Error::Graph {
                path: asked.to_owned(),
                fault: Fault::NoPartner {
                    missing: path.to_owned(),
                },
            })
        }
        Err(error) => Err(error),
    };
    let (nodes, links) = (read(&tables.nodes)?, read(&tables.links)?);
    survey_of_tables([&tables.nodes, &tables.links], [&nodes, &links], job)
}

/// The cave in a node table and a link table (labels for errors, texts), in the table's own
/// coordinates, metres. A node's `id` is its number in the table, from 1. A link given twice
/// counts once.
///
/// # Errors
///
/// [`Error::Graph`] with line and column for the first line that is no node or no link,
/// [`Error::Cancelled`] on request.
pub fn read_tables(
    labels: [&Path; 2],
    texts: [&str; 2],
    config: &Config,
    job: &Job,
) -> Result<Skeleton, Error> {
    survey_of_tables(labels, texts, job)?.into_cave(labels[0], "", config, job)
}

/// The stations and legs in both tables.
pub(in crate::skeleton) fn survey_of_tables(
    labels: [&Path; 2],
    texts: [&str; 2],
    job: &Job,
) -> Result<Survey, Error> {
    let mut survey = Survey::default();
    rows(labels[0], texts[0], job, |row, line| {
        let [x, y, z] = exactly(row, line, labels[0], "the position of a node, `x y z`")?;
        if survey.stations.len() >= MAX_NODES {
            return Err(Error::Graph {
                path: labels[0].to_owned(),
                fault: Fault::TooManyNodes { limit: MAX_NODES },
            });
        }
        let position = DVec3::new(
            x.coordinate("x of a node")?,
            y.coordinate("y of a node")?,
            z.coordinate("z of a node")?,
        );
        let id = survey.stations.len() as i64 + 1;
        survey.stations.push(Station::new(id, position));
        Ok(())
    })?;
    let nodes = survey.stations.len();
    rows(labels[1], texts[1], job, |row, line| {
        let [a, b] = exactly(row, line, labels[1], "a link, two node numbers")?;
        let leg = Leg {
            a: node_number(a, nodes)?,
            b: node_number(b, nodes)?,
        };
        if leg.a == leg.b {
            return Err(b.refuse("another node than the one it starts at"));
        }
        if survey.legs.len() >= MAX_LEGS {
            return Err(Error::Graph {
                path: labels[1].to_owned(),
                fault: Fault::TooManyEdges { limit: MAX_LEGS },
            });
        }
        survey.legs.push(leg);
        Ok(())
    })?;
    Ok(survey)
}

/// Calls `take` for each line that is not empty.
fn rows(
    file: &Path,
    text: &str,
    job: &Job,
    mut take: impl FnMut(&[Field], usize) -> Result<(), Error>,
) -> Result<(), Error> {
    for (index, line) in text.lines().enumerate() {
        if index.is_multiple_of(REPORT) {
            job.check()?;
        }
        let line = line.split('#').next().unwrap_or_default();
        let row = fields(file, index + 1, line, |c| c == ',' || c == ';');
        if !row.is_empty() {
            take(&row, index + 1)?;
        }
    }
    Ok(())
}

/// The fields of a row, if they are `N`.
fn exactly<'a, const N: usize>(
    row: &[Field<'a>],
    line: usize,
    file: &Path,
    expected: &str,
) -> Result<[Field<'a>; N], Error> {
    row.try_into().map_err(|_| {
        let column = row.get(N).map_or(1, |extra| extra.column);
        let found = match row.len() {
            1 => "1 column".to_owned(),
            n => format!("{n} columns"),
        };
        refuse(file, [line, column], found, expected)
    })
}

/// Index of a node; whole numbers may have a fraction of zero, as MATLAB writes them.
fn node_number(field: Field, nodes: usize) -> Result<usize, Error> {
    let value: Option<f64> = field.text.parse().ok();
    value
        .filter(|v| v.fract() == 0.0 && (1.0..=nodes as f64).contains(v))
        .map(|v| v as usize - 1)
        .ok_or_else(|| field.refuse(format!("a node, a whole number from 1 to {nodes}")))
}

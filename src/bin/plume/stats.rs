//! `plume stats`.

use crate::failure::Failure;
use crate::output::{print, print_json};
use clap::Args;
use plume::config::Config;
use plume::progress::{Job, Observer, Stage};
use plume::skeleton::stats::{Measure, Overview, Statistics};
use plume::skeleton::{self, Error};
use std::fmt::Write;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Stats {
    /// Graph file, of any kind that `plume generate --graph` reads, or folder of a model
    #[arg(value_name = "GRAPH|MODEL")]
    pub cave: PathBuf,
    /// Print one line of JSON instead of the table
    #[arg(long)]
    pub json: bool,
}

/// Measures a cave's graph and sets it beside surveyed caves.
pub fn run(args: &Stats) -> Result<(), Failure> {
    let file = graph_file(&args.cave)?;
    let job = Job::new(&Notes, Stage::Skeleton);
    // Sizes of passages come from the configuration, but no measure reads them.
    let cave = skeleton::import(&file, &Config::default(), &job).map_err(|error| match error {
        Error::Cancelled(_) => Failure::Cancelled,
        _ => Failure::BadInput(error.to_string()),
    })?;
    let stats = Statistics::of(&cave);
    if args.json {
        print_json(&stats)
    } else {
        print(&table(&stats))
    }
}

fn graph_file(cave: &Path) -> Result<PathBuf, Failure> {
    if !cave.is_dir() {
        return Ok(cave.to_owned());
    }
    let file = cave.join("plume").join("skeleton.json");
    if file.is_file() {
        return Ok(file);
    }
    let (shown, file) = (cave.display(), file.display());
    Err(Failure::BadInput(format!(
        "{shown} is not a model: there is no file {file}"
    )))
}

/// Passes on what a reader says of its file.
struct Notes;

impl Observer for Notes {
    fn note(&self, text: &str) {
        // With stderr closed there is nobody left to tell.
        let _ = writeln!(io::stderr(), "{text}");
    }
}

fn table(stats: &Statistics) -> String {
    let mut text = overview(&stats.graph);
    let _ = writeln!(
        text,
        "\n{:<26}{:>10}   {:>19}",
        "measure", "value", "surveyed 10-90 %"
    );
    for (_, measure) in stats.measures() {
        let real = measure.real;
        let name = match real.unit {
            "" => real.name.to_owned(),
            unit => format!("{}, {unit}", real.name),
        };
        let value = measure.value.map_or("-".to_owned(), figure);
        let _ = writeln!(
            text,
            "{name:<26}{value:>10}   {:>8} to {:>7}   {}",
            figure(real.low),
            figure(real.high),
            verdict(&measure)
        );
    }
    text
}

fn overview(graph: &Overview) -> String {
    let count =
        |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    format!(
        "{}, {}, {:.0} m of passage, {}\n{}, {}, {}, {}\n",
        count(graph.nodes, "node", "nodes"),
        count(graph.edges, "edge", "edges"),
        graph.length_m,
        count(graph.levels, "level", "levels"),
        count(graph.branches, "branch", "branches"),
        count(graph.junctions, "junction", "junctions"),
        count(graph.dead_ends, "dead end", "dead ends"),
        count(graph.shafts, "shaft", "shafts"),
    )
}

/// Four digits that matter.
fn figure(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}

fn verdict(measure: &Measure) -> &'static str {
    match (measure.inside(), measure.value) {
        (Some(true), _) => "in",
        (_, Some(value)) if value < measure.real.low => "out, below",
        (_, Some(_)) => "out, above",
        (_, None) => "undefined for this graph",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plume::progress::Unobserved;

    #[test]
    fn a_table() {
        let job = Job::new(&Unobserved, Stage::Skeleton);
        let cave = skeleton::grow(&Config::default(), &job).unwrap();
        insta::assert_snapshot!(table(&Statistics::of(&cave)));
    }

    #[test]
    fn four_digits() {
        let shown = [0.0, -0.4567, 9.9996, 20.706, 170.79, 12345.6].map(figure);
        assert_eq!(
            shown,
            ["0.000", "-0.457", "10.000", "20.71", "170.8", "12346"]
        );
    }
}

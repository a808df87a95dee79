//! A cave as it was surveyed.
//!
//! Nothing is grown: the graph is read from a file, or is one of the surveys that come with plume,
//! by the readers of [`survey`](crate::skeleton::survey). `sakany` is the surveyed Sakany cave from
//! the karstnet project (Collon, Bernasconi, Vuilleumier, Renard: Statistical metrics for the
//! characterization of karst network geometry and topology, Geomorphology 283, 2017).

use super::{Generator, Promises};
use crate::config::Config;
use crate::progress::Job;
use crate::skeleton::import::{Found, read_any};
use crate::skeleton::survey::{embedded, names, survey_of_tables, unknown_start};
use crate::skeleton::{ENTRANCE_PASSAGE_M, Error, Skeleton};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Keys of `survey`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SurveyConfig {
    /// The survey: a name (`sakany`), or the path of a graph file of any kind that `--graph` takes.
    pub file: String,
    /// Where the robot starts: the id or the name of a station. Empty: the entrance that the file
    /// marks, else its highest dead end.
    pub entrance: String,
}

impl Default for SurveyConfig {
    fn default() -> Self {
        Self {
            file: "sakany".to_owned(),
            entrance: String::new(),
        }
    }
}

/// A real cave, or a graph made by hand.
pub struct Survey;

impl Generator for Survey {
    fn promises(&self) -> Promises {
        Promises {
            exact_nodes: false,
            seeded: false,
            keeps_rules: false,
        }
    }

    fn layout(&self, config: &Config, _level: u32, job: &Job) -> Result<Skeleton, Error> {
        job.step(0, 1)?;
        let keys = &config.generators.survey;
        let start = keys.entrance.as_str();
        let path = Path::new(&keys.file);
        let found = match embedded(&keys.file) {
            Some(texts) => {
                let label = |table: &str| format!("{}_{table}.dat", keys.file);
                let labels = [label("nodes"), label("links")];
                let labels = [Path::new(&labels[0]), Path::new(&labels[1])];
                Found::Survey(survey_of_tables(labels, texts, job)?)
            }
            None => match read_any(path, config, job) {
                Ok(found) => found,
                Err(Error::Read { source, .. })
                    if source.kind() == std::io::ErrorKind::NotFound =>
                {
                    return Err(Error::Config {
                        key: "generators.survey.file",
                        value: keys.file.clone(),
                        allowed: format!("the path of a graph file, or one of: {}", names()),
                    });
                }
                Err(error) => return Err(error),
            },
        };
        let skeleton = match found {
            Found::Survey(survey) => survey.into_cave(path, start, config, job)?,
            Found::Graph(graph) if start.is_empty() => graph,
            Found::Graph(graph) => enter_at(graph, start)?,
        };
        job.step(1, 1)?;
        Ok(skeleton)
    }
}

/// A graph with another entrance, by its id.
fn enter_at(mut graph: Skeleton, start: &str) -> Result<Skeleton, Error> {
    let id: Option<i64> = start.parse().ok();
    let found = graph.nodes.iter().position(|node| Some(node.id) == id);
    let entrance = found.ok_or_else(|| unknown_start(start))?;
    let node = &mut graph.nodes[entrance];
    node.passage_m = node.passage_m.max(ENTRANCE_PASSAGE_M);
    graph.entrance = entrance;
    Ok(graph)
}

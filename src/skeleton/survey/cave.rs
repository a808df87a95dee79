//! From stations and legs to the graph of a cave.

use super::MAX_SIZE_M;
use crate::config::Config;
use crate::progress::Job;
use crate::sets::Sets;
use crate::skeleton::json::MAX_NODES;
use crate::skeleton::{ENTRANCE_PASSAGE_M, Edge, Error, Fault, Node, NodeKind, Skeleton, assemble};
use glam::DVec3;
use std::collections::VecDeque;
use std::path::Path;

/// Ends of legs shorter than this are one place, metres. Surveys are good to centimetres.
pub const MERGE_M: f64 = 1e-3;

/// Pieces whose sizes a note lists.
const LISTED: usize = 5;

/// Key in `extra` under which the names of stations are kept.
const NAMES_KEY: &str = "stations";

/// A surveyed place.
#[derive(Clone, Debug)]
pub(super) struct Station {
    pub(super) id: i64,
    pub(super) name: Option<String>,
    pub(super) position: DVec3,
    /// Spacing circle, if given, metres.
    pub(super) radius_m: Option<f64>,
    /// Half width of the void, if known, metres.
    pub(super) passage_m: Option<f64>,
    pub(super) kind: NodeKind,
    pub(super) level: u32,
}

impl Station {
    /// A place of which no more is known.
    pub(super) fn new(id: i64, position: DVec3) -> Self {
        Self {
            id,
            name: None,
            position,
            radius_m: None,
            passage_m: None,
            kind: NodeKind::Passage,
            level: 0,
        }
    }
}

/// A passage between two stations, by index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) a: usize,
    pub(super) b: usize,
}

/// What a file says.
#[derive(Clone, Debug, Default)]
pub(in crate::skeleton) struct Survey {
    pub(super) stations: Vec<Station>,
    pub(super) legs: Vec<Leg>,
    /// Stations marked as entrances, the one to start at first.
    pub(super) entrances: Vec<usize>,
}

impl Survey {
    /// The graph; `file` is named in errors. `start` is the id or name of the entrance, or nothing.
    pub(in crate::skeleton) fn into_cave(
        mut self,
        file: &Path,
        start: &str,
        config: &Config,
        job: &Job,
    ) -> Result<Skeleton, Error> {
        job.check()?;
        let faulty = |fault| Error::Graph {
            path: file.to_owned(),
            fault,
        };
        if !start.is_empty() {
            let found = self.find(start).ok_or_else(|| unknown_start(start))?;
            self.entrances.insert(0, found);
        }
        for &entrance in &self.entrances {
            self.stations[entrance].kind = NodeKind::Entrance;
        }
        self.merge();
        if self.stations.is_empty() {
            return Err(faulty(Fault::NoNodes));
        }
        if self.legs.is_empty() {
            return Err(faulty(Fault::NoEdges));
        }
        self.keep_largest(job);
        if self.stations.len() > MAX_NODES {
            return Err(faulty(Fault::TooManyNodes { limit: MAX_NODES }));
        }
        // Before a mark of the file may stand in.
        if !start.is_empty() && self.find(start).is_none() {
            return Err(unknown_start(start));
        }
        let entrance = self.entrance();
        Ok(self.into_skeleton(entrance, config))
    }

    /// The station of an id or a name.
    fn find(&self, word: &str) -> Option<usize> {
        let id: Option<i64> = word.parse().ok();
        let named = |s: &Station| s.name.as_deref() == Some(word);
        let by_name = self.stations.iter().position(named);
        by_name.or_else(|| self.stations.iter().position(|s| Some(s.id) == id))
    }

    /// Makes one station of those that lie in one place and are joined, and drops double legs.
    fn merge(&mut self) {
        let mut places = Sets::new(self.stations.len());
        for leg in &self.legs {
            let [a, b] = [leg.a, leg.b].map(|n| self.stations[n].position);
            if a.distance(b) < MERGE_M {
                places.join(leg.a, leg.b);
            }
        }
        for index in 0..self.stations.len() {
            let first = places.find(index);
            if first != index {
                let other = self.stations[index].clone();
                let station = &mut self.stations[first];
                station.passage_m = larger(station.passage_m, other.passage_m);
                station.radius_m = larger(station.radius_m, other.radius_m);
                if station.kind == NodeKind::Passage || other.kind == NodeKind::Entrance {
                    station.kind = other.kind;
                }
            }
        }
        let kept: Vec<bool> = (0..self.stations.len())
            .map(|n| places.find(n) == n)
            .collect();
        for leg in &mut self.legs {
            (leg.a, leg.b) = (places.find(leg.a), places.find(leg.b));
        }
        for entrance in &mut self.entrances {
            *entrance = places.find(*entrance);
        }
        self.legs.retain(|leg| {
            let [a, b] = [leg.a, leg.b].map(|n| self.stations[n].position);
            // Chains of short legs may join places that are apart: compare the places themselves.
            leg.a != leg.b && a != b
        });
        self.retain(&kept);
    }

    /// Keeps the piece with the most stations, of equal ones the first.
    fn keep_largest(&mut self, job: &Job) {
        let mut pieces = Sets::new(self.stations.len());
        for leg in &self.legs {
            pieces.join(leg.a, leg.b);
        }
        let mut size = vec![0usize; self.stations.len()];
        for index in 0..self.stations.len() {
            size[pieces.find(index)] += 1;
        }
        let mut sizes: Vec<usize> = size.iter().copied().filter(|&s| s > 0).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        if sizes.len() < 2 {
            return;
        }
        let most = sizes.first().copied().unwrap_or(0);
        let largest = size.iter().position(|&s| s == most).unwrap_or(0);
        let kept: Vec<bool> = (0..self.stations.len())
            .map(|n| pieces.find(n) == largest)
            .collect();
        let mut list: Vec<String> = sizes.iter().take(LISTED).map(usize::to_string).collect();
        if sizes.len() > LISTED {
            list.push("…".to_owned());
        }
        job.note(&format!(
            "skeleton: the survey has {} separate pieces (of {} nodes); the largest is kept, {} nodes \
             are left out",
            sizes.len(),
            list.join(", "),
            self.stations.len() - most
        ));
        self.retain(&kept);
    }

    /// Keeps some of the stations, with the legs between them.
    fn retain(&mut self, kept: &[bool]) {
        let mut index = 0;
        let new: Vec<Option<usize>> = kept
            .iter()
            .map(|&keep| {
                keep.then(|| {
                    index += 1;
                    index - 1
                })
            })
            .collect();
        let mut flags = kept.iter();
        self.stations
            .retain(|_| flags.next().copied().unwrap_or(false));
        self.legs = self
            .legs
            .iter()
            .filter_map(|leg| {
                Some(Leg {
                    a: new[leg.a]?,
                    b: new[leg.b]?,
                })
            })
            .collect();
        self.entrances = self.entrances.iter().filter_map(|&n| new[n]).collect();
    }

    /// Where to start: the first marked entrance, else the highest dead end, else the highest place.
    fn entrance(&self) -> usize {
        if let Some(&marked) = self.entrances.first() {
            return marked;
        }
        let mut neighbours = vec![None; self.stations.len()];
        let mut dead_end = vec![true; self.stations.len()];
        for leg in &self.legs {
            for (at, other) in [(leg.a, leg.b), (leg.b, leg.a)] {
                match neighbours[at] {
                    None => neighbours[at] = Some(other),
                    Some(known) if known != other => dead_end[at] = false,
                    Some(_) => {}
                }
            }
        }
        let highest = |only_ends: bool| {
            let all = (0..self.stations.len()).filter(|&n| dead_end[n] || !only_ends);
            // Of equally high ones the first.
            all.rev().max_by(|&a, &b| {
                let [a, b] = [a, b].map(|n| self.stations[n].position.z);
                a.total_cmp(&b)
            })
        };
        highest(true).or_else(|| highest(false)).unwrap_or(0)
    }

    /// The skeleton, its entrance first, each node with the neighbour nearest to the entrance (by
    /// number of legs) as parent.
    fn into_skeleton(self, entrance: usize, config: &Config) -> Skeleton {
        let index = |n: usize| match n {
            _ if n == entrance => 0,
            _ if n < entrance => n + 1,
            _ => n,
        };
        let edges: Vec<Edge> = self
            .legs
            .iter()
            .map(|leg| Edge::new(index(leg.a), index(leg.b)))
            .collect();
        let mut stations = self.stations;
        stations[..=entrance].rotate_right(1);
        let mut skeleton = Skeleton::new(Vec::new(), edges);
        let mut sum = vec![0.0; stations.len()];
        let mut degree = vec![0usize; stations.len()];
        for edge in &skeleton.edges {
            let length = stations[edge.a]
                .position
                .distance(stations[edge.b].position);
            for end in [edge.a, edge.b] {
                sum[end] += length;
                degree[end] += 1;
            }
        }
        let names: serde_json::Map<String, serde_json::Value> = stations
            .iter()
            .filter_map(|s| Some((s.id.to_string(), s.name.clone()?.into())))
            .collect();
        if !names.is_empty() {
            skeleton.extra.insert(NAMES_KEY.to_owned(), names.into());
        }
        let nodes = stations.iter().enumerate().map(|(at, station)| {
            let mean = sum[at] / degree[at].max(1) as f64;
            let radius_m = station.radius_m.unwrap_or(mean.min(MAX_SIZE_M));
            let passage_m = match station.passage_m {
                Some(given) if at == 0 => given.max(ENTRANCE_PASSAGE_M),
                Some(given) => given,
                None => assemble::passage_m(radius_m, at == 0, &config.passage),
            };
            Node {
                passage_m,
                level: station.level,
                kind: station.kind,
                ..assemble::node(station.id, None, station.position, radius_m)
            }
        });
        skeleton.nodes = nodes.collect();
        set_parents(&mut skeleton);
        skeleton
    }
}

/// The error for a start that is no station of the cave.
pub(in crate::skeleton) fn unknown_start(start: &str) -> Error {
    Error::Config {
        key: "generators.survey.entrance",
        value: start.to_owned(),
        allowed: "the id or the name of a station in the largest piece of the survey".to_owned(),
    }
}

fn set_parents(skeleton: &mut Skeleton) {
    let adjacent = skeleton.adjacency();
    let mut seen = vec![false; adjacent.len()];
    seen[0] = true;
    let mut open = VecDeque::from([0]);
    while let Some(at) = open.pop_front() {
        for &next in &adjacent[at] {
            if !std::mem::replace(&mut seen[next], true) {
                skeleton.nodes[next].parent = Some(at);
                open.push_back(next);
            }
        }
    }
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

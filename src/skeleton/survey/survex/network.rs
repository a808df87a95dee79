//! Stations, what joins them, and where they are.

use super::super::adjust::{Measured, adjust};
use super::super::cave::{Leg, Station, Survey};
use super::super::text::{Field, refuse};
use super::super::{MAX_COORDINATE_M, MAX_LEGS};
use crate::config::Config;
use crate::progress::Job;
use crate::sets::Sets;
use crate::skeleton::json::MAX_NODES;
use crate::skeleton::{Error, Fault};
use glam::DVec3;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Two places this near are the same, metres.
const SAME_M: f64 = 1e-6;

/// What a leg is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Passage,
    Duplicate,
    Surface,
}

/// A measured leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shot {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Metres east, north and up.
    pub(super) way: DVec3,
    pub(super) kind: Kind,
}

/// A `*fix`, and where it stands.
struct Fix {
    station: usize,
    place: DVec3,
    file: PathBuf,
    at: [usize; 2],
}

/// The survey as it was measured.
#[derive(Default)]
pub(super) struct Network {
    names: Vec<Option<String>>,
    index: BTreeMap<String, usize>,
    same: Sets,
    shots: Vec<Shot>,
    fixes: Vec<Fix>,
    entrances: Vec<usize>,
    half_widths: Vec<(usize, f64)>,
}

impl Network {
    /// The station of a full name, known or new.
    pub(super) fn station(&mut self, name: String, at: Field) -> Result<usize, Error> {
        if let Some(&known) = self.index.get(&name) {
            return Ok(known);
        }
        let new = self.push(Some(name.clone()), at)?;
        self.index.insert(name, new);
        Ok(new)
    }

    /// A new station without a name.
    pub(super) fn unnamed(&mut self, at: Field) -> Result<usize, Error> {
        self.push(None, at)
    }

    fn push(&mut self, name: Option<String>, at: Field) -> Result<usize, Error> {
        if self.names.len() >= MAX_NODES {
            return Err(Error::Graph {
                path: at.file.to_owned(),
                fault: Fault::TooManyNodes { limit: MAX_NODES },
            });
        }
        self.names.push(name);
        self.same.push();
        Ok(self.names.len() - 1)
    }

    /// Makes two stations one.
    pub(super) fn equate(&mut self, a: usize, b: usize) {
        self.same.join(a, b);
    }

    /// Adds a leg.
    pub(super) fn shoot(&mut self, shot: Shot, at: Field) -> Result<(), Error> {
        if shot.from == shot.to {
            return Err(at.refuse("a leg between two different stations"));
        }
        if self.shots.len() >= MAX_LEGS {
            return Err(Error::Graph {
                path: at.file.to_owned(),
                fault: Fault::TooManyEdges { limit: MAX_LEGS },
            });
        }
        self.shots.push(shot);
        Ok(())
    }

    /// Fixes a station.
    pub(super) fn fix(&mut self, station: usize, place: DVec3, at: Field) -> Result<(), Error> {
        if self.fixes.len() >= MAX_NODES {
            return Err(at.refuse(format!("at most {MAX_NODES} stations to fix")));
        }
        self.fixes.push(Fix {
            station,
            place,
            file: at.file.to_owned(),
            at: [at.line, at.column],
        });
        Ok(())
    }

    /// Marks an entrance.
    pub(super) fn mark_entrance(&mut self, station: usize) {
        self.entrances.push(station);
    }

    /// Notes half the width of the passage at a station, metres.
    pub(super) fn widen(&mut self, station: usize, half_m: f64) {
        self.half_widths.push((station, half_m));
    }

    /// Stations with their places, and the legs that are passages.
    pub(super) fn into_survey(
        mut self,
        file: &Path,
        config: &Config,
        job: &Job,
    ) -> Result<Survey, Error> {
        let fixed = self.fixed()?;
        let shots = std::mem::take(&mut self.shots);
        let measured: Vec<Measured> = shots
            .iter()
            .map(|shot| Measured {
                from: self.same.find(shot.from),
                to: self.same.find(shot.to),
                way: shot.way,
            })
            .filter(|leg| leg.from != leg.to)
            .collect();
        let places = adjust(&fixed, &measured, job)?;
        if !places
            .iter()
            .all(|p| p.abs().max_element() <= MAX_COORDINATE_M)
        {
            return Err(Error::Graph {
                path: file.to_owned(),
                fault: Fault::TooWide,
            });
        }

        let mut half_m: Vec<Option<f64>> = vec![None; places.len()];
        for &(station, half) in &self.half_widths {
            let at = self.same.find(station);
            half_m[at] = Some(half_m[at].map_or(half, |known| known.max(half)));
        }
        let mut index = vec![None; places.len()];
        let mut survey = Survey::default();
        for [a, b] in self.passages(&shots) {
            let [a, b] = [a, b].map(|station| {
                *index[station].get_or_insert_with(|| {
                    let id = survey.stations.len() as i64 + 1;
                    let p = &config.passage;
                    survey.stations.push(Station {
                        name: self.names[station].clone(),
                        passage_m: half_m[station].map(|h| h.min(p.max_m).max(p.min_m)),
                        ..Station::new(id, places[station])
                    });
                    survey.stations.len() - 1
                })
            });
            survey.legs.push(Leg { a, b });
        }
        let entrances = std::mem::take(&mut self.entrances);
        let marked = entrances.into_iter().map(|n| index[self.same.find(n)]);
        survey.entrances = marked.flatten().collect();
        Ok(survey)
    }

    /// The places of fixed stations, by the station that stands for all that are the same.
    fn fixed(&mut self) -> Result<Vec<Option<DVec3>>, Error> {
        let mut fixed: Vec<Option<DVec3>> = vec![None; self.names.len()];
        for fix in &self.fixes {
            let station = self.same.find(fix.station);
            match fixed[station] {
                Some(first) if first.distance(fix.place) > SAME_M => {
                    let [x, y, z] = fix.place.to_array();
                    return Err(refuse(
                        &fix.file,
                        fix.at,
                        format!("`*fix` at {x} {y} {z}"),
                        format!(
                            "the place at which the station is fixed already, {} {} {}",
                            first.x, first.y, first.z
                        ),
                    ));
                }
                _ => fixed[station] = Some(fix.place),
            }
        }
        Ok(fixed)
    }

    /// The legs that are passages, in the order of the file, duplicates last.
    fn passages(&mut self, shots: &[Shot]) -> Vec<[usize; 2]> {
        let mut joined = Sets::new(self.names.len());
        let mut passages = Vec::new();
        for kind in [Kind::Passage, Kind::Duplicate] {
            for shot in shots.iter().filter(|shot| shot.kind == kind) {
                let [a, b] = [shot.from, shot.to].map(|n| self.same.find(n));
                let new = a != b && joined.join(a, b);
                if a != b && (new || kind == Kind::Passage) {
                    passages.push([a, b]);
                }
            }
        }
        passages
    }
}

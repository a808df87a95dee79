//! Survex centre lines (`.svx`).
//!
//! What is read, after the Survex manual ("Survex data files", survex.com):
//!
//! | | |
//! |---|---|
//! | data styles | `normal` (any order of readings, backsights, `ignore`, `ignoreall`; not interleaved), `cartesian`, `passage` (widths); `nosurvey` is passed over |
//! | clino | degrees, `-` (taken as level), `up` `down` `+v` `-v`, `level`; a plumbed leg needs no compass |
//! | blocks | `*begin`, `*end`, `*include` (only files in the folder of the first file or below), `*prefix`, `*case` |
//! | instruments | `*units`, `*calibrate`, `*declination` as a number, `*infer plumbs` and `equates` |
//! | network | `*equate`, `*fix`, `*entrance`, `*flags` |
//!
//! `splay` legs, and legs to or from the unnamed stations `.`, `..` and `-`, are dropped; `...` is
//! a passage to an unnamed end. `surface` legs place stations but are no passages. `duplicate`
//! legs place stations, and are passages only where nothing else joins what they join. Other
//! commands are passed over, and a note lists them; those that would change what the rest means
//! (`*set`, `*truncate`) are errors.
//!
//! Bearings are clockwise from north: a leg of length L with bearing b and gradient g goes
//! `L (cos g sin b, cos g cos b, sin g)` east, north and up. Half a passage's width is the mean of
//! `left` and `right`, or the one that is given, kept within `passage.min_m` and `passage.max_m`;
//! `up` and `down` are checked and not used.

mod command;
mod data;
mod folder;
mod network;
mod settings;

use super::cave::Survey;
use super::text::{Field, MAX_FIELDS, decode, fields};
use crate::config::Config;
use crate::progress::Job;
use crate::skeleton::json::read_file;
use crate::skeleton::{Error, Skeleton};
use folder::Folder;
use network::Network;
use settings::Settings;
use std::collections::BTreeSet;
use std::path::Path;

/// Deepest nesting of blocks, and of files.
const MAX_DEPTH: usize = 100;

/// Lines between two questions whether to go on.
const REPORT: usize = 4096;

/// Passed-over commands that the note lists.
const LISTED: usize = 20;

/// The cave in the text of one Survex file; `label` is the file in errors. Positions in metres, x
/// east, y north, z up. A text has no folder, so `*include` is an error.
///
/// # Errors
///
/// [`Error::Graph`] with line and column, [`Error::Cancelled`] on request.
pub fn read_survex(
    label: &Path,
    text: &str,
    config: &Config,
    job: &Job,
) -> Result<Skeleton, Error> {
    let mut reader = Reader::new(None, job);
    reader.file(label, text)?;
    reader
        .finish(label, config)?
        .into_cave(label, "", config, job)
}

/// The stations and legs in a Survex file and those it includes.
pub(in crate::skeleton) fn survey_of_survex(
    path: &Path,
    config: &Config,
    job: &Job,
) -> Result<Survey, Error> {
    let text = decode(&read_file(path)?);
    let mut reader = Reader::new(Some(Folder::of(path)?), job);
    reader.file(path, &text)?;
    reader.finish(path, config)
}

/// An open `*begin`.
struct Block<'a> {
    /// Settings outside.
    outer: Settings,
    /// Name as written, if any.
    name: Option<String>,
    /// The command, for errors.
    at: Field<'a>,
}

struct Reader<'j> {
    folder: Option<Folder>,
    job: &'j Job<'j>,
    settings: Settings,
    network: Network,
    passed_over: BTreeSet<String>,
    /// Files and blocks that are open.
    depth: usize,
}

impl<'j> Reader<'j> {
    fn new(folder: Option<Folder>, job: &'j Job<'j>) -> Self {
        Self {
            folder,
            job,
            settings: Settings::default(),
            network: Network::default(),
            passed_over: BTreeSet::new(),
            depth: 0,
        }
    }

    /// Reads the lines of a file.
    fn file(&mut self, file: &Path, text: &str) -> Result<(), Error> {
        let mut blocks = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if index.is_multiple_of(REPORT) {
                self.job.check()?;
            }
            self.line(file, index + 1, line, &mut blocks)?;
        }
        match blocks.pop() {
            Some(block) => Err(block.at.refuse("an `*end` for it before the file ends")),
            None => Ok(()),
        }
    }

    fn line<'a>(
        &mut self,
        file: &'a Path,
        number: usize,
        line: &'a str,
        blocks: &mut Vec<Block<'a>>,
    ) -> Result<(), Error> {
        let line = line.split(';').next().unwrap_or_default();
        let row = blank_fields(file, number, line)?;
        let Some(first) = row.first() else {
            return Ok(());
        };
        let Some(word) = first.text.strip_prefix('*') else {
            return self.data(&row);
        };
        // The star may stand apart from its word.
        let (word, rest) = match (word, row.get(1)) {
            ("", Some(next)) => (next.text, row.get(2..)),
            _ => (word, row.get(1..)),
        };
        let command = Field {
            text: word,
            ..*first
        };
        self.command(command, rest.unwrap_or_default(), line, blocks)
    }

    /// The stations and legs, once all is read.
    fn finish(self, file: &Path, config: &Config) -> Result<Survey, Error> {
        if !self.passed_over.is_empty() {
            let mut list: Vec<&str> = self.passed_over.iter().map(String::as_str).collect();
            if list.len() > LISTED {
                list.truncate(LISTED);
                list.push("…");
            }
            self.job.note(&format!(
                "skeleton: commands of the survey that were passed over: {}",
                list.join(", ")
            ));
        }
        self.network.into_survey(file, config, self.job)
    }
}

/// Fields between blanks, of which Survex has a comma too.
fn blank_fields<'a>(file: &'a Path, line: usize, text: &'a str) -> Result<Vec<Field<'a>>, Error> {
    let mut row = fields(file, line, text, |c| c == ',');
    if let Some(last) = row.get(MAX_FIELDS - 1) {
        return Err(last.refuse(format!("a line of less than {MAX_FIELDS} fields")));
    }
    // Several commas in a row are one blank.
    row.retain(|field| !field.text.is_empty());
    Ok(row)
}

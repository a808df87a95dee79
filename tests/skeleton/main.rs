//! Stage 1 from outside: what every generator promises, and graphs from files.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

mod files;
mod fuzz;
mod growth;
mod karst;
mod layouts;
mod promises;
mod realism;
mod suite;
mod survex;
mod surveys;

use plume::config::{Config, SkeletonConfig};
use plume::progress::{Cancelled, Job, Observer, Stage, Unobserved};
use plume::skeleton::{Error, Skeleton, grow, read_plume};
use std::path::{Path, PathBuf};

fn job() -> Job<'static> {
    Job::new(&Unobserved, Stage::Skeleton)
}

fn config(seed: u64, skeleton: SkeletonConfig) -> Config {
    Config {
        seed,
        skeleton,
        ..Config::default()
    }
}

fn grown(config: &Config) -> Skeleton {
    grow(config, &job()).unwrap()
}

fn small() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/skeleton/plume_small.json")
}

struct Stopped;

impl Observer for Stopped {
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn growing_and_reading_stop_on_request() {
    let job = Job::new(&Stopped, Stage::Skeleton);
    let stopped = |r: Result<Skeleton, Error>| matches!(r, Err(Error::Cancelled(Cancelled)));
    assert!(stopped(grow(&Config::default(), &job)));
    assert!(stopped(read_plume(&small(), &Config::default(), &job)));
}

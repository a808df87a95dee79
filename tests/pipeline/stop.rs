//! Runs that stop, meet each other, or replace what is there.

use crate::{config, files, make, manifest, names, request};
use plume::model::verify;
use plume::pipeline::{self, Error, Request, Until};
use plume::progress::{Observer, Stage};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const STAGES: [Stage; 7] = [
    Stage::Skeleton,
    Stage::Field,
    Stage::Surface,
    Stage::Terrain,
    Stage::Textures,
    Stage::Floor,
    Stage::Model,
];

/// Cancels a run at a report of one stage; the reports are counted from 1.
struct StopAt {
    stage: Stage,
    report: u64,
    reports: AtomicU64,
    stopped: AtomicBool,
}

impl StopAt {
    fn new(stage: Stage, report: u64) -> Self {
        Self {
            stage,
            report,
            reports: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }
}

impl Observer for StopAt {
    fn progress(&self, stage: Stage, _: u64, _: u64) {
        if stage == self.stage && self.reports.fetch_add(1, Ordering::Relaxed) + 1 == self.report {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }
    fn is_cancelled(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

#[test]
fn a_stopped_run_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/root");
    for stage in STAGES {
        let first = StopAt::new(stage, 1);
        let result = pipeline::run(&request(&out), &first);
        assert!(
            matches!(result, Err(Error::Cancelled(_))),
            "{stage}: {result:?}"
        );
        assert_eq!(names(folder.path()), [""; 0], "{stage}");
    }
    // At any later report as well; a report that never comes ends the series.
    for stage in STAGES {
        for report in 2..8 {
            let later = StopAt::new(stage, report);
            let result = pipeline::run(&request(&out), &later);
            if !later.is_cancelled() {
                assert!(result.is_ok(), "{stage} {report}: {result:?}");
                fs::remove_dir_all(folder.path().join("new")).unwrap();
                break;
            }
            assert!(
                matches!(result, Err(Error::Cancelled(_))),
                "{stage} {report}: {result:?}"
            );
            assert_eq!(names(folder.path()), [""; 0], "{stage} {report}");
        }
    }
}

#[test]
fn a_stopped_run_leaves_the_old_model_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let model = make(&request(folder.path())).unwrap().summary.model_path;
    let before = files(&model);
    for stage in STAGES {
        let other = Request {
            config: config(8),
            ..request(folder.path())
        };
        let result = pipeline::run(&other, &StopAt::new(stage, 1));
        assert!(
            matches!(result, Err(Error::Cancelled(_))),
            "{stage}: {result:?}"
        );
        assert_eq!(names(folder.path()), ["cave"], "{stage}");
        assert!(files(&model) == before, "{stage}: the old model changed");
    }
    assert_eq!(verify(&model).unwrap().problems, [""; 0]);
}

#[test]
fn a_second_run_replaces_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let first = make(&request(folder.path())).unwrap().summary.model_path;
    let of_first = manifest(&first);
    let second = make(&Request {
        config: config(8),
        ..request(folder.path())
    });
    let second = second.unwrap().summary.model_path;
    assert_eq!(first, second);
    assert_ne!(manifest(&second), of_first);
    assert_eq!(names(folder.path()), ["cave"]);
    assert_eq!(verify(&second).unwrap().problems, [""; 0]);
}

/// Makes another model in the middle of the run it watches.
struct Meanwhile<'a> {
    request: &'a Request,
    begun: AtomicBool,
    result: Mutex<Option<Result<pipeline::Cave, Error>>>,
}

impl Observer for Meanwhile<'_> {
    fn progress(&self, stage: Stage, _: u64, _: u64) {
        if stage == Stage::Floor && !self.begun.swap(true, Ordering::Relaxed) {
            // In a thread of its own: a worker that waits for another pool takes up other work.
            let made = std::thread::scope(|scope| scope.spawn(|| make(self.request)).join());
            *self.result.lock().unwrap() = Some(made.unwrap());
        }
    }
}

fn meanwhile(request: &Request, other: &Request) -> Result<pipeline::Cave, Error> {
    let watch = Meanwhile {
        request: other,
        begun: AtomicBool::new(false),
        result: Mutex::default(),
    };
    pipeline::run(request, &watch).unwrap();
    watch.result.into_inner().unwrap().unwrap()
}

#[test]
fn a_second_run_of_a_name_is_refused_while_the_first_runs() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let mine = request(out);
    match meanwhile(&mine, &mine) {
        Err(Error::BadInput(message)) => {
            for part in ["\"cave\"", out.to_str().unwrap(), "another run"] {
                assert!(message.contains(part), "{part} in {message}");
            }
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(names(out), ["cave"]);
    assert_eq!(verify(&out.join("cave")).unwrap().problems, [""; 0]);
}

#[test]
fn runs_of_two_names_share_a_root() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let mut other = request(out);
    other.name = "other".into();
    meanwhile(&request(out), &other).unwrap();
    assert_eq!(names(out), ["cave", "other"]);
    for name in ["cave", "other"] {
        assert_eq!(verify(&out.join(name)).unwrap().problems, [""; 0]);
    }
}

#[test]
fn every_end_writes_what_was_made_until_then() {
    let folder = tempfile::tempdir().unwrap();
    let has = |model: &Path, inside: &str| files(model).keys().any(|path| path.starts_with(inside));
    let parts = [
        (Until::Skeleton, "plume/skeleton.json"),
        (Until::Surface, "meshes/visual/"),
        (Until::Textures, "materials/textures/"),
        (Until::Model, "model.sdf"),
    ];
    // One name after the other: an early end may be replaced.
    for (until, _) in parts {
        let cave = make(&Request {
            until,
            ..request(folder.path())
        });
        let cave = cave.unwrap();
        let model = &cave.summary.model_path;
        for (needs, part) in parts {
            assert_eq!(has(model, part), needs <= until, "{until:?}: {part}");
        }
        assert_eq!(names(folder.path()), ["cave"]);
        assert_eq!(cave.route.is_some(), until == Until::Model, "{until:?}");
        assert_eq!(cave.skeleton.nodes.len(), 10);
        assert_eq!(cave.summary.world_path.is_file(), until == Until::Model);
    }
    let early = make(&Request {
        until: Until::Surface,
        ..request(folder.path())
    });
    let message = early.unwrap_err().to_string();
    assert!(message.contains("finished model"), "{message}");
    assert!(has(&folder.path().join("cave"), "model.sdf"));
}

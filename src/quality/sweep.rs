//! Many caves, each made and examined in memory.

use super::{Report, Subject, examine};
use crate::config::Config;
use crate::field::CaveField;
use crate::progress::{Cancelled, Job, Observer, Stage};
use crate::terrain::{self, LayerError, LayerSet};
use crate::{skeleton, surface};
use rayon::ThreadPoolBuilder;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Why a cave could not be examined.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// There is no graph.
    #[error("skeleton: {0}")]
    Skeleton(skeleton::Error),
    /// There is no surface.
    #[error("surface: {0}")]
    Surface(surface::Error),
    /// There are no terrain layers.
    #[error("terrain.layers: {0}")]
    Layers(#[from] LayerError),
    /// The machine refused.
    #[error("cannot start a worker thread: {0}")]
    Thread(String),
}

impl From<skeleton::Error> for Error {
    fn from(e: skeleton::Error) -> Self {
        match e {
            skeleton::Error::Cancelled(c) => Error::Cancelled(c),
            other => Error::Skeleton(other),
        }
    }
}

impl From<surface::Error> for Error {
    fn from(e: surface::Error) -> Self {
        match e {
            surface::Error::Cancelled(c) => Error::Cancelled(c),
            other => Error::Surface(other),
        }
    }
}

/// Makes the cave of a configuration, up to its collision meshes, and examines it.
///
/// # Errors
/// Where no cave comes out.
pub fn trial(config: &Config, observer: &dyn Observer) -> Result<Report, Error> {
    let job = |stage| Job::new(observer, stage);
    let graph = skeleton::grow(config, &job(Stage::Skeleton))?;
    let field = CaveField::carve(&graph, config);
    let levels = graph.nodes.iter().map(|n| n.level + 1).max().unwrap_or(1);
    let surface = surface::extract(&field, levels, config, &job(Stage::Surface))?;
    let layers = LayerSet::load(&config.terrain.layers)?;
    let terrain_job = job(Stage::Terrain);
    let map = terrain::classify(&surface, &field, &layers, config, &terrain_job)?;
    let error_m = config.surface.collision_error_m;
    let collision = terrain::collide(&surface, &map, error_m, &terrain_job)?;
    let mut subject = Subject::new(graph, config.clone(), &surface, &collision);
    subject.openings = field.openings().to_vec();
    subject.handles = field.objects().handles() as u32;
    terrain_job.check()?;
    Ok(examine(&subject))
}

/// A cave of a sweep.
#[derive(Debug)]
pub struct Trial {
    /// Index of its configuration.
    pub config: usize,
    /// Its seed.
    pub seed: u64,
    /// What became of it.
    pub outcome: Result<Report, Error>,
}

impl Trial {
    /// Whether the cave was made and passes all checks.
    pub fn is_ok(&self) -> bool {
        self.outcome.as_ref().is_ok_and(Report::is_ok)
    }
}

/// Makes and examines a cave for each configuration and seed, as many at a time as there are
/// `threads`, each on one thread. `tell` hears of each as it is done; the result is ordered by
/// configuration and seed, and holds, once the observer has cancelled, those that were done.
///
/// # Errors
/// When no thread can be started.
pub fn sweep(
    configs: &[Config],
    seeds: &[u64],
    threads: usize,
    observer: &dyn Observer,
    tell: &(dyn Fn(&Trial) + Sync),
) -> Result<Vec<Trial>, Error> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || -> Result<(), Error> {
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.map_err(|e| Error::Thread(e.to_string()))?;
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let (which, seed) = (i / seeds.len().max(1), i % seeds.len().max(1));
            let (Some(config), Some(&seed)) = (configs.get(which), seeds.get(seed)) else {
                return Ok(());
            };
            let config = Config {
                seed,
                ..config.clone()
            };
            let outcome = pool.install(|| trial(&config, observer));
            if matches!(outcome, Err(Error::Cancelled(_))) {
                return Ok(());
            }
            let trial = Trial {
                config: which,
                seed,
                outcome,
            };
            tell(&trial);
            // A worker that panicked took only its own cave with it.
            done.lock().unwrap_or_else(|e| e.into_inner()).push(trial);
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let ended = workers.into_iter().map(|worker| match worker.join() {
            Ok(end) => end,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        ended.collect::<Result<(), Error>>()
    })?;
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    done.sort_by_key(|t| (t.config, t.seed));
    Ok(done)
}

//! Progress on stderr: bars on a terminal, otherwise a line as a stage starts and ends.

use crate::failure::Failure;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use plume::progress::{Observer, Stage};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Watches a run for a person or a log, and cancels it on a signal.
pub struct Watch {
    cancelled: Arc<AtomicBool>,
    screen: Option<MultiProgress>,
    log: fn(&str),
    stages: Mutex<Vec<Running>>,
}

/// A stage that has started; they are kept in that order.
struct Running {
    stage: Stage,
    bar: Option<ProgressBar>,
    start: Instant,
    last: Instant,
    ended: bool,
}

impl Watch {
    /// Bars when stderr is a terminal, lines otherwise.
    pub fn new() -> Self {
        Self {
            cancelled: Arc::default(),
            screen: io::stderr().is_terminal().then(MultiProgress::new),
            log: line,
            stages: Mutex::default(),
        }
    }

    /// SIGINT, SIGTERM and SIGHUP cancel the run.
    pub fn cancel_on_signals(&self) -> Result<(), Failure> {
        let cancelled = Arc::clone(&self.cancelled);
        ctrlc::set_handler(move || cancelled.store(true, Ordering::Relaxed))
            .map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))
    }

    /// Ends the stages still open; bars stay where they are when the run failed.
    pub fn finish(&self, done: bool) {
        for running in self.stages().iter_mut() {
            if done {
                running.end(self.log);
            } else if let Some(bar) = &running.bar {
                bar.abandon();
            }
        }
    }

    fn stages(&self) -> MutexGuard<'_, Vec<Running>> {
        // A panicking worker leaves at worst a stale bar.
        self.stages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, stage: Stage) -> Running {
        let bar = self.screen.as_ref().map(|screen| {
            let bar = screen
                .add(ProgressBar::new(0))
                .with_style(style())
                .with_prefix(stage.name());
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        if bar.is_none() {
            (self.log)(stage.name());
        }
        let now = Instant::now();
        Running {
            stage,
            bar,
            start: now,
            last: now,
            ended: false,
        }
    }
}

impl Running {
    fn end(&mut self, log: fn(&str)) {
        if self.ended {
            return;
        }
        self.ended = true;
        match &self.bar {
            Some(bar) => bar.finish(),
            None => {
                let seconds = (self.last - self.start).as_secs_f64();
                log(&format!("{} done in {seconds:.2} s", self.stage));
            }
        }
    }
}

impl Observer for Watch {
    fn progress(&self, stage: Stage, done: u64, total: u64) {
        let mut stages = self.stages();
        if !stages.iter().any(|running| running.stage == stage) {
            // Passes of one stage each count to their own total, so only the next stage ends it.
            stages.iter_mut().for_each(|running| running.end(self.log));
            let running = self.begin(stage);
            stages.push(running);
        }
        if let Some(running) = stages.iter_mut().find(|running| running.stage == stage) {
            running.last = Instant::now();
            if let Some(bar) = &running.bar {
                bar.set_length(total);
                bar.set_position(done);
            }
        }
    }

    fn note(&self, text: &str) {
        match &self.screen {
            // Above the bars.
            Some(screen) => {
                let _ = screen.println(text);
            }
            None => (self.log)(text),
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{prefix:>9} {bar:32} {percent:>3} % {elapsed_precise}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn line(text: &str) {
    // With stderr closed there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    thread_local! {
        static LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    fn watch() -> Watch {
        Watch {
            cancelled: Arc::default(),
            screen: None,
            log: |line| LOG.with_borrow_mut(|log| log.push(line.to_owned())),
            stages: Mutex::default(),
        }
    }

    /// The log without its seconds.
    fn lines() -> Vec<String> {
        let log = LOG.take();
        log.iter()
            .map(|line| line.split(" in ").next().unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn a_stage_is_two_lines_however_many_steps_and_passes_it_has() {
        let watch = watch();
        for (stage, done, total) in [
            (Stage::Skeleton, 0, 2),
            (Stage::Skeleton, 2, 2),
            (Stage::Surface, 0, 9),
            (Stage::Surface, 9, 9),
            (Stage::Surface, 1, 3),
            (Stage::Skeleton, 2, 2),
        ] {
            watch.progress(stage, done, total);
        }
        watch.note("a note");
        watch.finish(true);
        let expected = [
            "skeleton",
            "skeleton done",
            "surface",
            "a note",
            "surface done",
        ];
        assert_eq!(lines(), expected);
    }

    #[test]
    fn a_failed_run_ends_no_stage() {
        let watch = watch();
        watch.progress(Stage::Field, 1, 2);
        watch.finish(false);
        assert_eq!(lines(), ["field"]);
        assert!(!watch.is_cancelled());
    }
}

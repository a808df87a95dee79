//! `plume sweep`.

use crate::failure::Failure;
use crate::output::print;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use plume::config::{self, Config};
use plume::progress::Observer;
use plume::quality::sweep::{Trial, sweep};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Nodes of a cave, unless `--set skeleton.nodes` says otherwise.
const NODES: &str = "skeleton.nodes=12";

#[derive(Args)]
pub struct Sweep {
    /// Preset to sweep; may be repeated, all when absent
    #[arg(long, value_name = "NAME")]
    pub preset: Vec<String>,
    /// Preset to leave out; may be repeated
    #[arg(long, value_name = "NAME")]
    pub except: Vec<String>,
    /// Seeds: one, or a range without its end, such as 0..1000
    #[arg(long, value_name = "SEED|FROM..TO", value_parser = seeds, default_value = "0..10")]
    pub seeds: Range<u64>,
    /// One key over the presets, such as skeleton.nodes=30; may be repeated. Without
    /// skeleton.nodes, caves have 12 nodes
    #[arg(long, value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Also write one line a cave, as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Caves made at the same time; one a core when absent. The result does not depend on it
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let number = |s: &str| s.parse::<u64>().map_err(|e| format!("{s:?}: {e}"));
    let range = match text.split_once("..") {
        Some((from, to)) => number(from)?..number(to)?,
        None => {
            let seed = number(text)?;
            seed..seed.saturating_add(1)
        }
    };
    if range.is_empty() {
        return Err("the range holds no seed".to_owned());
    }
    Ok(range)
}

/// Makes and examines caves, and tells how many are as they should be.
pub fn run(args: &Sweep) -> Result<(), Failure> {
    let names = names(args)?;
    let configs = names
        .iter()
        .map(|name| configuration(name, &args.set))
        .collect::<Result<Vec<Config>, Failure>>()?;
    let seeds: Vec<u64> = args.seeds.clone().collect();
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    let stop = Stop::on_signals()?;
    let total = configs.len() * seeds.len();
    let bar = ProgressBar::new(total as u64).with_style(style());
    let tell = |trial: &Trial| {
        if !trial.is_ok() {
            let line = line(&names[trial.config], trial);
            bar.suspend(|| {
                // With stderr closed there is nobody left to tell.
                let _ = writeln!(io::stderr(), "{line}");
            });
        }
        bar.inc(1);
    };
    let start = Instant::now();
    let done = sweep(&configs, &seeds, threads, &stop, &tell)
        .map_err(|e| Failure::Failed(e.to_string()))?;
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let each = seconds * threads as f64 / done.len().max(1) as f64;
    let _ = writeln!(
        io::stderr(),
        "{} caves in {seconds:.0} s on {threads} threads: {each:.2} thread seconds a cave",
        done.len()
    );
    if let Some(path) = &args.csv {
        fs::write(path, csv(&names, &done)).map_err(|error| {
            Failure::Failed(format!("cannot write {}: {error}", path.display()))
        })?;
    }
    print(&table(&names, &done))?;
    if stop.is_cancelled() {
        let (done, file) = (done.len(), args.csv.is_some());
        let kept = if file { "; the file holds these" } else { "" };
        return Err(Failure::Failed(format!(
            "cancelled after {done} of {total} caves{kept}"
        )));
    }
    match done.iter().filter(|t| !t.is_ok()).count() {
        0 => Ok(()),
        n => Err(Failure::Failed(format!("{n} of {total} caves fail"))),
    }
}

fn names(args: &Sweep) -> Result<Vec<String>, Failure> {
    for name in &args.except {
        configuration(name, &[])?;
    }
    let mut names = args.preset.clone();
    if names.is_empty() {
        names = config::presets()
            .iter()
            .map(|p| p.name.to_owned())
            .collect();
    }
    names.retain(|name| !args.except.contains(name));
    match names.is_empty() {
        true => Err(Failure::BadInput("no preset is left to sweep".to_owned())),
        false => Ok(names),
    }
}

fn configuration(preset: &str, sets: &[String]) -> Result<Config, Failure> {
    let mut all = vec![NODES.to_owned()];
    all.extend(sets.iter().cloned());
    Ok(config::resolve(Some(preset), None, None, &all)?)
}

/// Cancels the sweep on a signal.
struct Stop(Arc<AtomicBool>);

impl Stop {
    fn on_signals() -> Result<Self, Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
            .map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(Self(stop))
    }
}

impl Observer for Stop {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:32} {pos}/{len} caves {elapsed_precise}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// What is wrong with a cave.
fn line(preset: &str, trial: &Trial) -> String {
    let mut text = format!("{preset} seed {}:", trial.seed);
    match &trial.outcome {
        Err(error) => {
            let _ = write!(text, " {error}");
        }
        Ok(report) => {
            for check in report.failed() {
                let worst = check.worst.map_or("-".to_owned(), crate::verify::figure);
                let threshold = crate::verify::figure(check.threshold);
                let _ = write!(
                    text,
                    " [{}: {worst}, asked {} {threshold}",
                    check.name,
                    check.rule.sign()
                );
                if let Some(place) = &check.place {
                    let _ = write!(text, ", at {}", crate::verify::place(place));
                }
                if !check.note.is_empty() {
                    let _ = write!(text, "; {}", check.note);
                }
                text.push(']');
            }
        }
    }
    text
}

fn table(names: &[String], done: &[Trial]) -> String {
    let mut text = String::from("| preset | caves | pass | share |\n|---|---|---|---|\n");
    for (i, name) in names.iter().enumerate() {
        let all = done.iter().filter(|t| t.config == i);
        let (count, good) = (all.clone().count(), all.filter(|t| t.is_ok()).count());
        let share = 100.0 * good as f64 / count.max(1) as f64;
        let _ = writeln!(text, "| {name} | {count} | {good} | {share:.1} % |");
    }
    let mut failing = done.iter().filter(|t| !t.is_ok()).peekable();
    if failing.peek().is_some() {
        text.push_str("\nFailing:\n\n");
    }
    for trial in failing {
        let _ = writeln!(text, "- {}", line(&names[trial.config], trial));
    }
    text
}

/// One line a cave: the worst value of each check.
fn csv(names: &[String], done: &[Trial]) -> String {
    let mut text = String::new();
    let reports = || done.iter().filter_map(|t| t.outcome.as_ref().ok());
    let columns: Vec<&str> = reports()
        .max_by_key(|r| r.checks.len())
        .map(|r| r.checks.iter().map(|c| c.name).collect())
        .unwrap_or_default();
    let _ = writeln!(text, "preset,seed,ok,failed,{}", columns.join(","));
    for trial in done {
        let (name, seed, ok) = (&names[trial.config], trial.seed, trial.is_ok());
        let _ = write!(text, "{name},{seed},{ok},");
        match &trial.outcome {
            Err(error) => {
                let quoted = error.to_string().replace('"', "\"\"");
                let _ = write!(text, "\"{quoted}\"{}", ",".repeat(columns.len()));
            }
            Ok(report) => {
                let failed: Vec<&str> = report.failed().map(|c| c.name).collect();
                let _ = write!(text, "{}", failed.join(";"));
                for column in &columns {
                    let worst = report.check(column).and_then(|c| c.worst);
                    let worst = worst.map_or(String::new(), |w| w.to_string());
                    let _ = write!(text, ",{worst}");
                }
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_one_or_a_range() {
        assert_eq!(seeds("7"), Ok(7..8));
        assert_eq!(seeds("0..1000"), Ok(0..1000));
        for wrong in ["", "3..3", "5..2", "a..4", "-1"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }
}

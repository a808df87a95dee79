//! `plume verify`.

use crate::failure::Failure;
use crate::output::{print, print_json};
use clap::Args;
use plume::model;
use plume::progress::{Job, Stage, Unobserved};
use plume::quality::{self, Place, Report};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Verify {
    /// Folder of the model
    pub model: PathBuf,
    /// Examine the surface as well: one line a check, with threshold, worst value and place
    #[arg(long)]
    pub deep: bool,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// Checks a model against its manifest, and its surface when asked to, and lists what is wrong.
pub fn run(args: &Verify) -> Result<(), Failure> {
    let shown = args.model.display();
    let files = model::verify(&args.model).map_err(|error| match error.is_bad_input() {
        true => Failure::BadInput(error.to_string()),
        false => Failure::Failed(error.to_string()),
    })?;
    let deep = match args.deep {
        true => Some(examine(&args.model)),
        false => None,
    };
    let (report, unread) = match deep {
        Some(Ok(report)) => (Some(report), None),
        Some(Err(error)) => (None, Some(error.to_string())),
        None => (None, None),
    };
    let mut problems = files.problems.clone();
    problems.extend(unread);
    if args.json {
        print_json(&serde_json::json!({
            "files": files.checked,
            "problems": problems,
            "checks": report.as_ref().map(|r| &r.checks),
            "ok": problems.is_empty() && report.as_ref().is_none_or(Report::is_ok),
        }))?;
    } else {
        let mut text = match problems.is_empty() {
            true => format!("{shown}: {} files checked, all good\n", files.checked),
            false => format!("{}\n", problems.join("\n")),
        };
        if let Some(report) = &report {
            let _ = write!(text, "\n{}", table(report));
        }
        print(&text)?;
    }
    if !problems.is_empty() {
        let (found, checked) = (problems.len(), files.checked);
        return Err(Failure::Failed(format!(
            "{shown}: not as written; problems: {found}, files checked: {checked}"
        )));
    }
    match report.iter().flat_map(Report::failed).count() {
        0 => Ok(()),
        n => Err(Failure::Failed(format!("{shown}: {n} checks fail"))),
    }
}

fn examine(model: &Path) -> Result<Report, quality::Error> {
    let job = Job::new(&Unobserved, Stage::Surface);
    Ok(quality::examine(&quality::read(model, &job)?))
}

fn table(report: &Report) -> String {
    let rows: Vec<[String; 6]> = report
        .checks
        .iter()
        .map(|c| {
            let unit = match c.unit {
                "" => String::new(),
                unit => format!(" {unit}"),
            };
            [
                c.name.to_owned(),
                format!("{} {}{unit}", c.rule.sign(), figure(c.threshold)),
                c.worst.map_or("-".to_owned(), |w| figure(w) + &unit),
                if c.ok { "ok" } else { "FAILS" }.to_owned(),
                c.place.as_ref().map_or(String::new(), place),
                c.note.clone(),
            ]
        })
        .collect();
    let heads = ["check", "asked", "worst", "", "where", ""].map(str::to_owned);
    let rows: Vec<&[String; 6]> = std::iter::once(&heads).chain(&rows).collect();
    let width = |k: usize| rows.iter().map(|r| r[k].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = (0..6)
            .map(|k| format!("{:<1$}", row[k], widths[k]))
            .collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    text
}

/// A point, and its chunk.
pub fn place(place: &Place) -> String {
    let [x, y, z] = place.point;
    let chunk = place.chunk.iter().map(|c| format!(" in {c}"));
    format!("{x:.2}, {y:.2}, {z:.2}{}", chunk.collect::<String>())
}

/// A number as short as it may be told.
pub fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size >= 1e-3 && value.fract() == 0.0 => format!("{value}"),
        size if size >= 1e-3 => format!("{value:.3}"),
        _ => format!("{value:.1e}"),
    }
}

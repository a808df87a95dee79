//! `plume export`.

use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::progress::Watch;
use clap::Args;
use plume::export::{self, Error, Exported, Format, Request, Split};
use plume::progress::{Job, Stage};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Export {
    /// Folder of the model
    pub model: PathBuf,
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', required = true)]
    #[arg(help = format!("Formats, separated by commas: {}", Format::names()))]
    pub format: Vec<String>,
    /// Output folder, not inside the model
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// One file a chunk instead of one scene of all
    #[arg(long)]
    pub per_chunk: bool,
    /// Replace files of the same names
    #[arg(long)]
    pub force: bool,
    /// Print one line of JSON instead of the table
    #[arg(long)]
    pub json: bool,
}

/// Writes a model's meshes in other formats and lists the files.
pub fn run(args: Export) -> Result<(), Failure> {
    let formats: Result<_, _> = args.format.iter().map(|name| Format::named(name)).collect();
    let request = Request {
        model: args.model,
        out: args.out,
        formats: formats.map_err(failure)?,
        split: match args.per_chunk {
            true => Split::PerChunk,
            false => Split::Whole,
        },
        force: args.force,
    };
    let watch = Watch::new();
    watch.cancel_on_signals()?;
    let exported = export::run(&request, &Job::new(&watch, Stage::Export));
    watch.finish(exported.is_ok());
    let exported = exported.map_err(failure)?;
    if args.json {
        print_json(&exported)
    } else {
        print(&table(&request.out, &exported))
    }
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Cancelled(_) => Failure::Cancelled,
        _ if error.is_bad_input() => Failure::BadInput(error.to_string()),
        _ => Failure::Failed(error.to_string()),
    }
}

fn table(out: &Path, exported: &Exported) -> String {
    let mut text = format!(
        "{} meshes, {} vertices, {} triangles\n",
        exported.meshes, exported.vertices, exported.triangles
    );
    for (file, bytes) in &exported.files {
        let _ = writeln!(text, "{bytes:>12}  {}", out.join(file).display());
    }
    text
}

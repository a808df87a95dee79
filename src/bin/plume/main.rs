//! The `plume` command line.
//!
//! Results go to stdout, everything else to stderr. Exit codes: 0 done, 2 bad input,
//! 1 anything else.

mod args;
mod config;
mod failure;
mod generate;
mod output;
mod progress;
mod route;
mod stats;
mod sweep;
mod table;
mod verify;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(
            EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn")),
        )
        .without_time()
        .init();
    let done = match Cli::parse().command {
        Command::Generate(args) => generate::run(args),
        Command::Presets => config::presets(),
        Command::Config(args) => config::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Route(args) => route::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Sweep(args) => sweep::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

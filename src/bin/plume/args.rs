//! Subcommands and flags.

use clap::{Args, Parser, Subcommand, ValueEnum};
use plume::pipeline;
use std::path::PathBuf;

/// Underground worlds for robots: caves as Gazebo models with graph, terrain physics and
/// drivable routes.
///
/// Exit codes: 0 done, 2 bad input, 1 anything else.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Make a cave
    Generate(Generate),
    /// List the presets
    Presets,
    /// Print a full configuration, each key with meaning, unit and range
    Config(Config),
    /// Check a model against its manifest
    Verify(crate::verify::Verify),
    /// Plan a route over the floor of a model
    Route(crate::route::Route),
    /// Compare a cave's graph with surveyed caves
    Stats(crate::stats::Stats),
    /// Make and examine caves of many seeds
    Sweep(crate::sweep::Sweep),
}

/// Which configuration.
#[derive(Args)]
pub struct Choose {
    /// Preset to start from; `plume presets` lists them
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// YAML file over the preset
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// One key over file and preset, such as skeleton.nodes=80; may be repeated
    #[arg(long, value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
}

#[derive(Args)]
pub struct Generate {
    #[command(flatten)]
    pub choose: Choose,
    /// Graph or survey to use instead of growing one: plume's or PLUME's JSON, YAML, Survex .svx,
    /// or either of the tables NAME_nodes.dat and NAME_links.dat
    #[arg(long, value_name = "FILE")]
    pub graph: Option<PathBuf>,
    /// Seed of every random stream, over the configuration's
    #[arg(long, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Name of the model and of its folder
    // A name with a leading `-` is refused by the rule for names, not as an unknown flag.
    #[arg(long, default_value = "cave", allow_hyphen_values = true)]
    pub name: String,
    /// Output root: the model is the folder NAME in it
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub out: PathBuf,
    /// Last stage to run
    #[arg(long, value_enum, default_value_t = Until::Model)]
    pub until: Until,
    /// Worker threads; all cores when absent. The result does not depend on it
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON summary on stdout instead of the table
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Until {
    /// The graph only
    Skeleton,
    /// Meshes as well
    Surface,
    /// Textures as well
    Textures,
    /// Everything
    Model,
}

impl From<Until> for pipeline::Until {
    fn from(until: Until) -> Self {
        match until {
            Until::Skeleton => Self::Skeleton,
            Until::Surface => Self::Surface,
            Until::Textures => Self::Textures,
            Until::Model => Self::Model,
        }
    }
}

#[derive(Args)]
pub struct Config {
    #[command(flatten)]
    pub choose: Choose,
    /// Print the JSON Schema of configuration files
    #[arg(long, conflicts_with_all = ["preset", "config", "set", "markdown"])]
    pub schema: bool,
    /// Print the reference page of all keys
    #[arg(long, conflicts_with_all = ["preset", "config", "set"])]
    pub markdown: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}

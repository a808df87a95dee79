//! `plume presets` and `plume config`.

use crate::args;
use crate::failure::Failure;
use crate::output::print;
use plume::config::{self, Config};
use std::fmt::Write;

/// Lists the presets.
pub fn presets() -> Result<(), Failure> {
    let mut text = String::new();
    let presets = config::presets();
    let widest = presets.iter().map(|p| p.name.len()).max().unwrap_or(0);
    for preset in presets {
        let _ = writeln!(text, "{:<widest$}  {}", preset.name, preset.description);
    }
    print(&text)
}

/// Prints a configuration, or what one may hold.
pub fn run(args: &args::Config) -> Result<(), Failure> {
    if args.schema {
        return print(&config::schema());
    }
    if args.markdown {
        return print(&config::markdown());
    }
    print(&config::commented_yaml(&resolve(&args.choose)?))
}

/// The configuration the flags choose.
pub fn resolve(choose: &args::Choose) -> Result<Config, Failure> {
    let (preset, file) = (choose.preset.as_deref(), choose.config.as_deref());
    Ok(config::resolve(preset, file, None, &choose.set)?)
}

//! `plume generate`.

use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::progress::Watch;
use crate::{args, config, table};
use plume::pipeline::{self, Request};

/// Makes a cave and tells its figures.
pub fn run(args: args::Generate) -> Result<(), Failure> {
    let mut config = config::resolve(&args.choose)?;
    if let Some(seed) = args.seed {
        config.seed = seed;
    }
    let request = Request {
        name: args.name,
        config,
        out: args.out,
        graph: args.graph,
        until: args.until.into(),
        threads: args.threads.map(usize::from),
    };
    let watch = Watch::new();
    watch.cancel_on_signals()?;
    let made = pipeline::run(&request, &watch);
    watch.finish(made.is_ok());
    let cave = made?;
    if args.json {
        print_json(&cave.summary)
    } else {
        print(&table::of(&cave))
    }
}

//! `plume route`.

use crate::failure::Failure;
use crate::output::{print, print_json};
use clap::Args;
use plume::config::Config;
use plume::progress::{Job, Stage, Unobserved};
use plume::traverse::{Floor, NoRoute, PlanOptions};
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct Route {
    /// Folder of the model
    pub model: PathBuf,
    /// Start in metres, frame `map`
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub from: [f64; 3],
    /// Goal in metres, frame `map`
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub to: [f64; 3],
    /// Print poses and figures as one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// Plans a route over the floor of a model, by the rules its configuration states.
pub fn run(args: &Route) -> Result<(), Failure> {
    let data = args.model.join("plume");
    if !data.is_dir() {
        let model = args.model.display();
        return Err(Failure::BadInput(format!(
            "{model} is not a model: there is no folder {model}/plume"
        )));
    }
    let config = Config::load(&data.join("config.yaml"))?;
    let job = Job::new(&Unobserved, Stage::Floor);
    let floor = Floor::load(&data.join("floor.bin"), &job)
        .map_err(|error| Failure::BadInput(error.to_string()))?;
    let options =
        PlanOptions::default().with(config.floor.incline_weight, config.floor.allow_water);
    let route = floor
        .plan(args.from, args.to, &options, &job)
        .map_err(failure)?;
    if args.json {
        print_json(&route)
    } else {
        print(&figures(&route))
    }
}

/// Ends that are no places are bad input; that no way leads between two places is an answer.
fn failure(reason: NoRoute) -> Failure {
    match reason {
        NoRoute::NotFinite { .. }
        | NoRoute::Option { .. }
        | NoRoute::SamePlace(_)
        | NoRoute::OutsideMap { .. }
        | NoRoute::NoGround { .. } => Failure::BadInput(reason.to_string()),
        _ => Failure::Failed(format!("no route: {reason}")),
    }
}

fn figures(route: &plume::traverse::Route) -> String {
    let stats = &route.stats;
    let mut text = String::new();
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "{label:<12}{value}");
    };
    row("distance", format!("{:.2} m", stats.distance_m));
    row("ascent", format!("{:.2} m", stats.ascent_m));
    row("steepest", format!("{:.1} deg", stats.steepest_deg));
    row("grade", format!("{:.1} %", stats.grade_percent));
    row("cost", format!("{:.1}", stats.cost));
    row(
        "clearance",
        format!("{:.2} m at the narrowest", stats.min_clearance_m),
    );
    row(
        "water",
        if stats.crosses_water {
            "crossed"
        } else {
            "not crossed"
        }
        .into(),
    );
    for (layer, share) in &stats.layers {
        row("on", format!("{layer} {:.0} %", 100.0 * share));
    }
    row(
        "poses",
        format!("{} (--json prints them)", route.poses.len()),
    );
    text
}

fn point(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|number| number.trim().parse().ok().filter(|x: &f64| x.is_finite()))
        .collect::<Option<_>>()
        .unwrap_or_default();
    numbers
        .try_into()
        .map_err(|_| "expected three finite numbers in metres, such as 12.5,-3,0.2".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points() {
        assert_eq!(point("-1, 2.5,3e1"), Ok([-1.0, 2.5, 30.0]));
        for text in ["", "1,2", "1,2,3,4", "1,,3", "nan,0,0", "0,0,inf", "a,b,c"] {
            assert!(point(text).is_err(), "{text}");
        }
    }
}

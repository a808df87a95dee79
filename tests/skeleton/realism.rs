//! Whether the caves of `karst_cave` spread over the measures of Collon et al. 2017 as surveyed
//! caves do.

use crate::{grown, job};
use plume::config::{Config, resolve};
use plume::skeleton::read_plume;
use plume::skeleton::stats::{Measure, Statistics};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Caves that are judged.
const SEEDS: u64 = 50;

/// Share of them inside the range in which four of five surveyed caves lie, at least.
const INSIDE: f64 = 0.8;

/// Measures that are judged; the others grow with the size of the cave.
const JUDGED: [&str; 9] = [
    "mean_degree",
    "cv_degree",
    "degree_correlation",
    "loops",
    "branch_mean_m",
    "branch_cv",
    "tortuosity",
    "central_point_dominance",
    "orientation_entropy",
];

/// Every judged measure with its name, in each of some caves.
fn measured(caves: &[Statistics]) -> Vec<(&'static str, Vec<Measure>)> {
    JUDGED
        .into_iter()
        .map(|name| {
            let of = |cave: &Statistics| {
                let mut all = cave.measures().into_iter();
                all.find(|(key, _)| *key == name).unwrap().1
            };
            (name, caves.iter().map(of).collect())
        })
        .collect()
}

/// The caves of some seeds.
fn caves(seeds: Range<u64>) -> Vec<Statistics> {
    let config = resolve(Some("karst_cave"), None, None, &[]).unwrap();
    let cave = |seed| {
        let config = Config {
            seed,
            ..config.clone()
        };
        Statistics::of(&grown(&config))
    };
    seeds.into_par_iter().map(cave).collect()
}

/// A percentile by linear interpolation, as those of the surveyed caves.
fn percentile(measures: &[Measure], share: f64) -> f64 {
    let mut values: Vec<f64> = measures.iter().map(|m| m.value.unwrap()).collect();
    values.sort_by(f64::total_cmp);
    let at = share * (values.len() - 1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    values[low] + (values[high] - values[low]) * at.fract()
}

fn inside(measures: &[Measure]) -> usize {
    let inside = measures.iter().filter(|m| m.inside() == Some(true));
    inside.count()
}

#[test]
fn karst_caves_spread_as_surveyed_caves_do() {
    assert_spread(0..SEEDS);
}

#[test]
fn karst_caves_of_seeds_that_no_one_chose_do_too() {
    assert_spread(9000..9000 + 4 * SEEDS);
}

fn assert_spread(seeds: Range<u64>) {
    for (name, measures) in measured(&caves(seeds)) {
        let real = measures[0].real;
        let inside = inside(&measures);
        assert!(
            inside as f64 >= INSIDE * measures.len() as f64,
            "{name}: {inside} of {} inside {} to {}",
            measures.len(),
            real.low,
            real.high
        );
        let spread = percentile(&measures, 0.75) - percentile(&measures, 0.25);
        assert!(
            spread >= real.interquartile() / 3.0,
            "{name}: the middle half spans {spread}, of surveyed caves {}",
            real.interquartile()
        );
    }
}

/// Prints the table of `docs/statistics.md`:
/// `cargo test --no-default-features --test skeleton table_of -- --ignored --nocapture`.
#[test]
#[ignore = "prints a table for the documentation"]
fn table_of_the_documentation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = ["../shared", "../../shared"].map(|s| root.join(s).join("data/plume_graphs"));
    let plume = shared.iter().find(|folder| folder.is_dir()).map(|folder| {
        let config = Config::default();
        let graph = read_plume(&folder.join("single_250.json"), &config, &job()).unwrap();
        vec![Statistics::of(&graph)]
    });
    let plume = plume.map(|graph| measured(&graph));
    println!(
        "| measure | real 10–90 % | karst_cave 10 % | median | 90 % | inside of {SEEDS} | PLUME |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (i, (name, measures)) in measured(&caves(0..SEEDS)).into_iter().enumerate() {
        let real = measures[0].real;
        let value = plume.as_ref().and_then(|plume| plume[i].1[0].value);
        println!(
            "| {name} | {} to {} | {:.3} | {:.3} | {:.3} | {} | {} |",
            real.low,
            real.high,
            percentile(&measures, 0.1),
            percentile(&measures, 0.5),
            percentile(&measures, 0.9),
            inside(&measures),
            value.map_or("–".to_owned(), |value| format!("{value:.2}"))
        );
    }
}

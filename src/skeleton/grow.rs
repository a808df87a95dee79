//! From configuration to graph: what is common to every generator.

use super::generators::generator;
use super::{Error, Skeleton, assemble, levels};
use crate::config::Config;
use crate::progress::Job;
use crate::rng::{Domain, noise_key};

/// First entity of the keys from which levels get their seeds.
const LEVELS: u64 = 1 << 61;

/// Grows the graph that `config.skeleton` asks for, in frame `map`.
///
/// # Errors
///
/// [`Error::Config`] for values outside their ranges, [`Error::Cancelled`] on request.
pub fn grow(config: &Config, job: &Job) -> Result<Skeleton, Error> {
    check(config)?;
    let generator = generator(config.skeleton.algorithm);
    let mut skeleton = if config.skeleton.levels == 1 {
        generator.layout(config, 0, job)?
    } else {
        let layers = (0..config.skeleton.levels).map(|level| {
            let seeded = Config {
                seed: level_seed(config.seed, level),
                ..config.clone()
            };
            generator.layout(&seeded, level, job)
        });
        let layers = layers.collect::<Result<_, Error>>()?;
        let mut skeleton = levels::stack(layers, config, job)?;
        levels::join(&mut skeleton, config, job)?;
        skeleton
    };
    assemble::set_kinds(&mut skeleton);
    assemble::move_to_map(&mut skeleton, config);
    Ok(skeleton)
}

/// The seed of a level; that of the uppermost is the cave's own, so that it stays as it is when
/// others are added.
fn level_seed(seed: u64, level: u32) -> u64 {
    if level == 0 {
        return seed;
    }
    let [high, low] = [0, 1].map(|half| {
        u64::from(noise_key(
            seed,
            Domain::Skeleton,
            LEVELS + 2 * u64::from(level) + half,
        ))
    });
    high << 32 | low
}

/// Ranges without which growth would not end or would not mean anything.
fn check(config: &Config) -> Result<(), Error> {
    let (s, p) = (&config.skeleton, &config.passage);
    number("skeleton.nodes", f64::from(s.nodes), 2.0, 100_000.0)?;
    number("skeleton.radius_min_m", s.radius_min_m, 0.5, 1000.0)?;
    number(
        "skeleton.radius_max_m",
        s.radius_max_m,
        s.radius_min_m,
        1000.0,
    )?;
    number(
        "skeleton.forbidden_sector_deg",
        s.forbidden_sector_deg,
        0.0,
        340.0,
    )?;
    number("skeleton.sigma_deg", s.sigma_deg, 1.0, 180.0)?;
    number("skeleton.perlin_frequency", s.perlin_frequency, 0.25, 32.0)?;
    number("skeleton.children_min", f64::from(s.children_min), 1.0, 6.0)?;
    number(
        "skeleton.children_max",
        f64::from(s.children_max),
        f64::from(s.children_min),
        6.0,
    )?;
    number(
        "skeleton.branch_probability",
        s.branch_probability,
        0.0,
        1.0,
    )?;
    number("skeleton.death_probability", s.death_probability, 0.0, 1.0)?;
    number("skeleton.loop_probability", s.loop_probability, 0.0, 1.0)?;
    number("skeleton.retries", f64::from(s.retries), 1.0, 1000.0)?;
    number("skeleton.max_grade_deg", s.max_grade_deg, 0.0, 45.0)?;
    number("skeleton.elevation_m", s.elevation_m, 0.0, 1000.0)?;
    number(
        "skeleton.elevation_wavelength_m",
        s.elevation_wavelength_m,
        1.0,
        10_000.0,
    )?;
    number("skeleton.clearance_m", s.clearance_m, 0.0, 100.0)?;
    number("skeleton.levels", f64::from(s.levels), 1.0, 16.0)?;
    number("skeleton.gap_m", s.gap_m, 0.5, 1000.0)?;
    number("skeleton.connections", f64::from(s.connections), 1.0, 16.0)?;
    number(
        "skeleton.max_connection_deg",
        s.max_connection_deg,
        3.0,
        90.0,
    )?;
    check_passage(p)
}

/// Whether a value lies in its range.
pub(super) fn number(key: &'static str, value: f64, low: f64, high: f64) -> Result<(), Error> {
    if value >= low && value <= high {
        return Ok(());
    }
    let allowed = format!("{low} to {high}");
    Err(Error::Config {
        key,
        value: value.to_string(),
        allowed,
    })
}

/// Ranges of the passage sizes, for grown and for imported graphs.
pub(super) fn check_passage(p: &crate::config::PassageConfig) -> Result<(), Error> {
    for (key, value) in [
        ("passage.scale", p.scale),
        ("passage.min_m", p.min_m),
        ("passage.max_m", p.max_m),
        ("passage.aspect", p.aspect),
    ] {
        if !(value.is_finite() && value > 0.0) {
            let allowed = "a finite number over 0".to_owned();
            return Err(Error::Config {
                key,
                value: value.to_string(),
                allowed,
            });
        }
    }
    if p.max_m < p.min_m {
        let allowed = format!("at least `passage.min_m`, {}", p.min_m);
        return Err(Error::Config {
            key: "passage.max_m",
            value: p.max_m.to_string(),
            allowed,
        });
    }
    Ok(())
}

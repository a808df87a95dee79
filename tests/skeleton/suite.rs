//! The suite that every generator passes: its presets, 200 seeds each.

use crate::grown;
use crate::promises::assert_promises;
use plume::config::{Algorithm, Config, presets, resolve};
use plume::skeleton::{generator, write_json};
use rayon::prelude::*;

const SEEDS: u64 = 200;

/// The presets that show an algorithm.
fn showcases(algorithm: Algorithm) -> Vec<(&'static str, Config)> {
    let all = presets().into_iter().map(|preset| {
        let config = resolve(Some(preset.name), None, None, &[]).unwrap();
        (preset.name, config)
    });
    all.filter(|(_, config)| config.skeleton.algorithm == algorithm)
        .collect()
}

#[test]
fn every_generator_keeps_its_promises_on_200_seeds() {
    for &algorithm in Algorithm::ALL {
        let showcases = showcases(algorithm);
        assert!(!showcases.is_empty(), "{} has no preset", algorithm.name());
        for (name, config) in showcases {
            check(name, &config, SEEDS);
        }
    }
}

#[test]
fn every_generator_keeps_its_promises_on_several_levels() {
    for &algorithm in Algorithm::ALL {
        for (name, config) in showcases(algorithm) {
            for (levels, max_connection_deg) in [(2, 18.0), (3, 12.0), (2, 35.0), (4, 90.0)] {
                let mut config = config.clone();
                config.skeleton.levels = levels;
                config.skeleton.max_connection_deg = max_connection_deg;
                check(name, &config, SEEDS / 10);
            }
        }
    }
}

/// Every seed of a configuration; names preset and seed of the first that fails.
fn check(name: &str, config: &Config, seeds: u64) {
    let promises = generator(config.skeleton.algorithm).promises();
    let seeds = if promises.seeded { seeds } else { 1 };
    let mut made: Vec<String> = (0..seeds)
        .into_par_iter()
        .map(|seed| {
            let config = Config {
                seed,
                ..config.clone()
            };
            let mut skeleton = grown(&config);
            skeleton.mark_shafts(30.0);
            let kept = std::panic::catch_unwind(|| assert_promises(&config, &skeleton));
            let s = &config.skeleton;
            let (levels, angle) = (s.levels, s.max_connection_deg);
            assert!(
                kept.is_ok(),
                "{name}: seed {seed}, {levels} levels, {angle}°"
            );
            write_json(&grown(&config))
        })
        .collect();
    let again = Config {
        seed: 0,
        ..config.clone()
    };
    assert_eq!(write_json(&grown(&again)), made[0], "{name} reproduces");
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), seeds as usize, "{name}: seeds differ");
}

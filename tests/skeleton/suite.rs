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
            check(name, &config);
        }
    }
}

/// Every seed of a configuration; names preset and seed of the first that fails.
fn check(name: &str, config: &Config) {
    let promises = generator(config.skeleton.algorithm).promises();
    let seeds = if promises.seeded { SEEDS } else { 1 };
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
            assert!(kept.is_ok(), "preset {name}, seed {seed}");
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

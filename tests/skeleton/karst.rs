//! What `karst` keeps beside the common promises, and configurations that leave no room.

use crate::promises::assert_promises;
use crate::{grown, job};
use plume::config::{Algorithm, Config, PassageConfig, SkeletonConfig, resolve};
use plume::skeleton::{Error, NodeKind, grow};

fn karst(seed: u64, skeleton: SkeletonConfig) -> Config {
    Config {
        seed,
        skeleton: SkeletonConfig {
            algorithm: Algorithm::Karst,
            ..skeleton
        },
        ..Config::default()
    }
}

#[test]
fn hard_configurations_still_give_every_node() {
    let d = SkeletonConfig::default;
    let hard = [
        SkeletonConfig { nodes: 2, ..d() },
        SkeletonConfig { nodes: 3, ..d() },
        SkeletonConfig { nodes: 7, ..d() },
        SkeletonConfig {
            radius_max_m: 4.5,
            ..d()
        },
        SkeletonConfig {
            clearance_m: 100.0,
            nodes: 120,
            ..d()
        },
        SkeletonConfig {
            max_grade_deg: 0.0,
            nodes: 200,
            ..d()
        },
        SkeletonConfig {
            radius_min_m: 0.5,
            radius_max_m: 0.5,
            nodes: 150,
            ..d()
        },
    ];
    for (i, skeleton) in hard.into_iter().enumerate() {
        for seed in 0..4 {
            let mut config = karst(seed, skeleton.clone());
            if i % 2 == 1 {
                config.passage = PassageConfig {
                    min_m: 5.0,
                    max_m: 9.0,
                    ..PassageConfig::default()
                };
            }
            assert_promises(&config, &grown(&config));
        }
    }
}

#[test]
fn without_loop_probability_there_are_no_loops() {
    for seed in 0..5 {
        let skeleton = SkeletonConfig {
            nodes: 300,
            loop_probability: 0.0,
            ..SkeletonConfig::default()
        };
        let cave = grown(&karst(seed, skeleton));
        assert_eq!(cave.edges.len(), 299);
    }
}

#[test]
fn water_widens_the_trunk() {
    let config = resolve(Some("karst_cave"), None, None, &[]).unwrap();
    let (mut rooms, mut trunks) = (0, 0);
    for seed in 0..10 {
        let config = Config {
            seed,
            ..config.clone()
        };
        let cave = grown(&config);
        let widths: Vec<f64> = cave.nodes.iter().map(|n| n.passage_m).collect();
        let in_range = |w: &f64| (config.passage.min_m..=config.passage.max_m).contains(w);
        assert!(widths.iter().all(in_range));
        rooms += cave
            .nodes
            .iter()
            .filter(|n| n.kind == NodeKind::Room)
            .count();
        let ends = cave.nodes.iter().filter(|n| n.kind == NodeKind::DeadEnd);
        let narrow = ends.clone().filter(|n| n.passage_m < 1.5).count();
        assert!(
            narrow * 10 >= ends.count() * 8,
            "springs and sinks are narrow"
        );
        trunks += usize::from(widths.iter().filter(|&&w| w > 2.8).count() > 10);
    }
    assert!(rooms >= 5 && trunks >= 8, "{rooms} rooms, {trunks} trunks");
}

#[test]
fn ranges_that_are_none_are_refused() {
    let mut config = karst(1, SkeletonConfig::default());
    config.generators.karst.branch_min_m = 80.0;
    match grow(&config, &job()) {
        Err(Error::Config { key, allowed, .. }) => {
            assert_eq!(key, "generators.karst.branch_max_m");
            assert_eq!(allowed, "at least `generators.karst.branch_min_m`, 80");
        }
        other => panic!("{other:?}"),
    }
}

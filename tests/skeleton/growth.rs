//! Growing.

use crate::promises::assert_growth;
use crate::{config, grown, job};
use plume::config::{Config, Distribution, PassageConfig, SkeletonConfig};
use plume::skeleton::{Error, NodeKind, grow, write_json};
use proptest::prelude::*;

#[test]
fn every_seed_keeps_every_promise() {
    for seed in 0..60 {
        let distribution = [
            Distribution::Gaussian,
            Distribution::Perlin,
            Distribution::Hybrid,
        ][seed as usize % 3];
        let nodes = [2, 3, 50, 120][seed as usize % 4];
        let config = config(
            seed,
            SkeletonConfig {
                nodes,
                distribution,
                ..Default::default()
            },
        );
        assert_growth(&config, &grown(&config));
    }
}

#[test]
fn caves_of_every_seed_have_branches_and_most_have_loops() {
    let mut with_loops = 0;
    for seed in 0..20 {
        let config = config(
            seed,
            SkeletonConfig {
                nodes: 250,
                ..Default::default()
            },
        );
        let skeleton = grown(&config);
        let count = |kind| skeleton.nodes.iter().filter(|n| n.kind == kind).count();
        assert!(count(NodeKind::Junction) > 10 && count(NodeKind::DeadEnd) > 10);
        with_loops += usize::from(skeleton.edges.len() >= skeleton.nodes.len());
    }
    assert!(with_loops >= 15, "{with_loops} of 20");
    let config = config(
        1,
        SkeletonConfig {
            nodes: 250,
            loop_probability: 0.0,
            ..Default::default()
        },
    );
    assert_eq!(grown(&config).edges.len(), 249);
}

#[test]
fn no_turn_goes_back() {
    let (mut turns, mut back) = (0, 0);
    for seed in 0..30 {
        let skeleton = grown(&config(
            seed,
            SkeletonConfig {
                nodes: 150,
                ..Default::default()
            },
        ));
        for (at, others) in skeleton.adjacency().iter().enumerate() {
            let p = |n: usize| skeleton.nodes[n].position.truncate();
            for (i, &a) in others.iter().enumerate() {
                for &b in &others[i + 1..] {
                    turns += 1;
                    let turn = (p(at) - p(a)).angle_to(p(b) - p(at)).to_degrees().abs();
                    back += usize::from(turn > 160.0);
                }
            }
        }
    }
    assert!(turns > 4000);
    assert_eq!(back, 0);
}

#[test]
fn seeds_reproduce_and_differ() {
    let make = |seed| write_json(&grown(&config(seed, SkeletonConfig::default())));
    assert_eq!(make(7), make(7));
    assert_ne!(make(7), make(8));
}

#[test]
fn a_known_cave_stays_as_it_is() {
    let skeleton = grown(&config(
        7,
        SkeletonConfig {
            nodes: 8,
            ..Default::default()
        },
    ));
    insta::assert_snapshot!(write_json(&skeleton));
}

#[test]
fn the_hardest_configurations_still_give_every_node() {
    let d = SkeletonConfig::default;
    let hard = [
        SkeletonConfig {
            children_max: 1,
            sigma_deg: 180.0,
            nodes: 600,
            ..d()
        },
        SkeletonConfig {
            forbidden_sector_deg: 340.0,
            nodes: 400,
            ..d()
        },
        SkeletonConfig {
            radius_min_m: 0.5,
            radius_max_m: 0.5,
            clearance_m: 100.0,
            nodes: 300,
            ..d()
        },
        SkeletonConfig {
            death_probability: 1.0,
            nodes: 300,
            ..d()
        },
        SkeletonConfig {
            max_grade_deg: 0.0,
            elevation_m: 1000.0,
            nodes: 100,
            ..d()
        },
    ];
    for skeleton in hard {
        let config = config(3, skeleton);
        assert_growth(&config, &grown(&config));
    }
}

#[test]
fn impossible_configurations_are_refused() {
    let d = SkeletonConfig::default;
    let bad = [
        (SkeletonConfig { nodes: 0, ..d() }, "skeleton.nodes"),
        (
            SkeletonConfig {
                nodes: 1_000_000_000,
                ..d()
            },
            "skeleton.nodes",
        ),
        (
            SkeletonConfig {
                radius_min_m: 9.0,
                ..d()
            },
            "skeleton.radius_max_m",
        ),
        (
            SkeletonConfig {
                sigma_deg: f64::NAN,
                ..d()
            },
            "skeleton.sigma_deg",
        ),
        (
            SkeletonConfig {
                children_min: 4,
                ..d()
            },
            "skeleton.children_max",
        ),
    ];
    for (skeleton, wrong) in bad {
        match grow(&config(1, skeleton), &job()) {
            Err(Error::Config { key, .. }) => assert_eq!(key, wrong),
            other => panic!("{other:?}"),
        }
    }
    let passage = PassageConfig {
        min_m: 3.0,
        max_m: 2.0,
        ..PassageConfig::default()
    };
    let config = Config {
        passage,
        ..Config::default()
    };
    let message = grow(&config, &job()).unwrap_err().to_string();
    assert_eq!(
        message,
        "`passage.max_m` is 2; allowed is at least `passage.min_m`, 3"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn exactly_the_asked_number_of_nodes(
        seed: u64,
        nodes in 2u32..70,
        radius in (0.5f64..30.0, 0.0f64..20.0),
        angles in (0.0f64..=340.0, 1.0f64..=180.0, 0.25f64..=32.0),
        children in (1u32..=6, 0u32..=5),
        chances in prop::array::uniform3(0.0f64..=1.0),
        retries in 1u32..40,
        grade in (0.0f64..=45.0, 0.0f64..50.0, 1.0f64..500.0),
        clearance_m in 0.0f64..=100.0,
        which in 0usize..3,
    ) {
        let skeleton = SkeletonConfig {
            nodes,
            distribution: [Distribution::Gaussian, Distribution::Perlin, Distribution::Hybrid][which],
            radius_min_m: radius.0,
            radius_max_m: radius.0 + radius.1,
            forbidden_sector_deg: angles.0,
            sigma_deg: angles.1,
            perlin_frequency: angles.2,
            children_min: children.0,
            children_max: (children.0 + children.1).min(6),
            branch_probability: chances[0],
            death_probability: chances[1],
            loop_probability: chances[2],
            retries,
            max_grade_deg: grade.0,
            elevation_m: grade.1,
            elevation_wavelength_m: grade.2,
            clearance_m,
            ..SkeletonConfig::default()
        };
        let config = config(seed, skeleton);
        assert_growth(&config, &grown(&config));
    }
}

/// Turns of a long passage that nothing stands in the way of, degrees.
fn turns(distribution: Distribution, seed: u64) -> Vec<f64> {
    let passage = PassageConfig {
        min_m: 0.3,
        max_m: 0.3,
        ..PassageConfig::default()
    };
    let skeleton = SkeletonConfig {
        nodes: 9,
        distribution,
        sigma_deg: 30.0,
        forbidden_sector_deg: 20.0,
        radius_min_m: 30.0,
        radius_max_m: 40.0,
        children_max: 1,
        death_probability: 0.0,
        loop_probability: 0.0,
        clearance_m: 0.0,
        ..Default::default()
    };
    let config = Config {
        passage,
        ..config(seed, skeleton)
    };
    let cave = grown(&config);
    let p = |n: usize| cave.nodes[n].position.truncate();
    let turn = |n: usize| {
        let parent = cave.nodes[n].parent?;
        let from = cave.nodes[parent].parent?;
        let (before, after) = (p(parent) - p(from), p(n) - p(parent));
        Some(before.angle_to(after).to_degrees())
    };
    (0..cave.nodes.len()).filter_map(turn).collect()
}

#[test]
fn turns_of_grown_caves_follow_their_distribution() {
    let spread = |turns: &[f64]| {
        let sum: f64 = turns.iter().map(|t| t * t).sum();
        (sum / turns.len() as f64).sqrt()
    };
    let all =
        |distribution| -> Vec<f64> { (0..600).flat_map(|s| turns(distribution, s)).collect() };
    let gaussian = all(Distribution::Gaussian);
    let mean = gaussian.iter().sum::<f64>() / gaussian.len() as f64;
    assert!(gaussian.len() > 3500 && mean.abs() < 2.0, "mean {mean}°");
    let sigma = spread(&gaussian);
    assert!((sigma - 30.0).abs() < 2.0, "gaussian spreads by {sigma}°");
    let (perlin, hybrid) = (
        spread(&all(Distribution::Perlin)),
        spread(&all(Distribution::Hybrid)),
    );
    assert!(perlin > 60.0, "perlin spreads by {perlin}°");
    assert!(
        hybrid < 0.8 * perlin && (hybrid - sigma).abs() > 1.0,
        "hybrid spreads by {hybrid}°"
    );
    for distribution in [Distribution::Perlin, Distribution::Hybrid] {
        assert_eq!(turns(distribution, 3), turns(distribution, 3));
        assert_ne!(turns(distribution, 3), turns(Distribution::Gaussian, 3));
    }
}

//! Lava tubes, mines and L-systems with any keys.

use crate::promises::assert_promises;
use crate::{grown, job};
use plume::config::{Algorithm, Auto, Config, SkeletonConfig};
use plume::skeleton::generators::{Body, LSystemConfig, LavaTubeConfig, MineConfig, MinePattern};
use plume::skeleton::{Error, NodeKind, Skeleton, grow};
use proptest::prelude::*;

fn kept(config: &Config) -> Skeleton {
    let mut skeleton = grown(config);
    skeleton.mark_shafts(30.0);
    assert_promises(config, &skeleton);
    skeleton
}

fn loops(skeleton: &Skeleton) -> usize {
    skeleton.edges.len() + 1 - skeleton.nodes.len()
}

fn base(seed: u64, algorithm: Algorithm, nodes: u32) -> Config {
    Config {
        seed,
        skeleton: SkeletonConfig {
            algorithm,
            nodes,
            ..SkeletonConfig::default()
        },
        ..Config::default()
    }
}

#[test]
fn lava_tubes_of_each_body_have_their_size_and_slope() {
    for (body, [narrow, wide]) in [
        (Body::Earth, [5.0, 30.0]),
        (Body::Mars, [250.0, 400.0]),
        (Body::Moon, [500.0, 900.0]),
    ] {
        for seed in 0..20 {
            let mut config = base(seed, Algorithm::LavaTube, 60);
            config.generators.lava_tube.body = body;
            config.skeleton.elevation_m = 0.0;
            let cave = kept(&config);
            let mut widths: Vec<f64> = cave.nodes.iter().map(|n| 2.0 * n.passage_m).collect();
            widths.sort_by(f64::total_cmp);
            let median = widths[widths.len() / 2];
            assert!(
                median > 0.8 * narrow && median < 1.2 * wide,
                "{body:?}: {median} m"
            );
            let end = cave
                .nodes
                .iter()
                .map(|n| n.position)
                .max_by(|a, b| a.truncate().length().total_cmp(&b.truncate().length()))
                .unwrap();
            let fall = (cave.nodes[0].position.z - end.z) / end.truncate().length();
            let slope = libm::atan(fall).to_degrees();
            assert!(slope > 0.25 && slope < 6.6, "{body:?} falls by {slope}°");
        }
    }
}

#[test]
fn lava_tubes_have_braids_and_skylights_over_shafts() {
    let (mut braids, mut skylights) = (0, 0);
    for seed in 0..40 {
        let mut config = base(seed, Algorithm::LavaTube, 60);
        config.generators.lava_tube.skylight_spacing_m = Auto::Value(150.0);
        let cave = kept(&config);
        braids += loops(&cave);
        let adjacent = cave.adjacency();
        for (top, node) in cave.nodes.iter().enumerate().skip(1) {
            if node.kind != NodeKind::Entrance {
                continue;
            }
            skylights += 1;
            let [below] = adjacent[top][..] else {
                panic!("a skylight leads into one tube");
            };
            let under = &cave.nodes[below];
            assert_eq!(under.kind, NodeKind::Shaft);
            assert!(under.position.truncate().distance(node.position.truncate()) < 1e-6);
            assert!(node.position.z > under.position.z + 2.0);
        }
    }
    assert!(braids > 60, "{braids} braids in 40 tubes");
    assert!(skylights > 40, "{skylights} skylights over 40 tubes");
}

#[test]
fn mines_have_loops_and_right_angles() {
    for pattern in [MinePattern::RoomAndPillar, MinePattern::DriftAndCrosscut] {
        for seed in 0..20 {
            let mut config = base(seed, Algorithm::Mine, 60);
            config.generators.mine.pattern = pattern;
            let cave = kept(&config);
            assert!(
                loops(&cave) >= 8,
                "{pattern:?}, seed {seed}: {}",
                loops(&cave)
            );
            let adjacent = cave.adjacency();
            let mut square = 0;
            let mut corners = 0;
            for (at, others) in adjacent.iter().enumerate() {
                let way = |n: usize| (cave.nodes[n].position - cave.nodes[at].position).truncate();
                for (i, &a) in others.iter().enumerate() {
                    for &b in &others[i + 1..] {
                        let angle = way(a).angle_to(way(b)).to_degrees().abs();
                        corners += 1;
                        let off = (angle - 90.0).abs().min((angle - 180.0).abs());
                        square += usize::from(off < 25.0);
                    }
                }
            }
            assert!(
                square * 10 > corners * 9,
                "{square} of {corners} are square"
            );
        }
    }
}

#[test]
fn every_number_of_nodes_comes_out() {
    for nodes in (2..40).chain([97, 250, 1000]) {
        for algorithm in [Algorithm::LavaTube, Algorithm::Mine, Algorithm::LSystem] {
            kept(&base(5, algorithm, nodes));
        }
        let mut drifts = base(5, Algorithm::Mine, nodes);
        drifts.generators.mine.pattern = MinePattern::DriftAndCrosscut;
        kept(&drifts);
    }
}

#[test]
fn rules_that_never_branch_or_end_still_give_every_node() {
    for (axiom, rules) in [
        ("F", ""),
        ("F", "F=F"),
        ("[F][F][F]", "F=[F]"),
        ("X", "X=F[+X][-X]FX"),
        ("F", "F=++++F"),
        ("F-F-F-F", "F=F-F+F+FF-F-F+F"),
    ] {
        let mut config = base(3, Algorithm::LSystem, 120);
        config.generators.l_system.axiom = axiom.into();
        config.generators.l_system.rules = rules.into();
        kept(&config);
    }
}

#[test]
fn wrong_rules_and_values_are_refused() {
    let mut config = base(1, Algorithm::LSystem, 20);
    config.generators.l_system.rules = "F=F[+F]F; F=F[F".into();
    let error = grow(&config, &job()).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Rule {
                rule: 2,
                column: 4,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(
        error.to_string(),
        "`generators.l_system.rules`, rule 2 `F=F[F`, column 4: `[` is never closed"
    );
    let mut config = base(1, Algorithm::LavaTube, 20);
    config.generators.lava_tube.width_m = Auto::Value(f64::NAN);
    let message = grow(&config, &job()).unwrap_err().to_string();
    assert!(
        message.contains("generators.lava_tube.width_m"),
        "{message}"
    );
    let mut config = base(1, Algorithm::Mine, 20);
    config.generators.mine.deviation_deg = 80.0;
    let message = grow(&config, &job()).unwrap_err().to_string();
    assert!(
        message.contains("generators.mine.deviation_deg"),
        "{message}"
    );
}

fn any_base(algorithm: Algorithm) -> impl Strategy<Value = Config> {
    let rules = (0.5f64..30.0, 0.0f64..20.0, 0.0f64..=100.0, 0.0f64..=45.0);
    let height = (0.0f64..50.0, 1.0f64..500.0);
    (any::<u64>(), 2u32..90, rules, height).prop_map(move |(seed, nodes, rules, height)| Config {
        seed,
        skeleton: SkeletonConfig {
            algorithm,
            nodes,
            radius_min_m: rules.0,
            radius_max_m: rules.0 + rules.1,
            clearance_m: rules.2,
            max_grade_deg: rules.3,
            elevation_m: height.0,
            elevation_wavelength_m: height.1,
            ..SkeletonConfig::default()
        },
        ..Config::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn lava_tubes_with_any_keys(
        base in any_base(Algorithm::LavaTube),
        sizes in (3.0f64..=1000.0, 0.0f64..=30.0, 1.0f64..=1.3),
        chances in prop::array::uniform3(0.0f64..=1.0),
        spacing in 10.0f64..2000.0,
    ) {
        let mut config = base;
        config.generators.lava_tube = LavaTubeConfig {
            width_m: Auto::Value(sizes.0),
            slope_deg: Auto::Value(sizes.1),
            sinuosity: sizes.2,
            braid_probability: chances[0],
            branch_probability: chances[1],
            choke_probability: chances[2],
            skylight_spacing_m: Auto::Value(spacing),
            ..LavaTubeConfig::default()
        };
        kept(&config);
    }

    #[test]
    fn mines_with_any_keys(
        base in any_base(Algorithm::Mine),
        drifts: bool,
        sizes in (1.5f64..=30.0, 3.0f64..=200.0, 8.0f64..=300.0, 5.0f64..=1000.0),
        chances in prop::array::uniform2(0.0f64..=1.0),
        deviation_deg in 0.0f64..=10.0,
    ) {
        let mut config = base;
        config.generators.mine = MineConfig {
            pattern: if drifts { MinePattern::DriftAndCrosscut } else { MinePattern::RoomAndPillar },
            opening_m: Auto::Value(sizes.0),
            pillar_m: sizes.1,
            crosscut_m: sizes.2,
            crosscut_probability: chances[0],
            heading_probability: chances[1],
            entry_m: sizes.3,
            deviation_deg,
        };
        kept(&config);
    }

    #[test]
    fn l_systems_with_any_keys(
        base in any_base(Algorithm::LSystem),
        rules in "F=[F]{1,3}(\\[[+-]F\\])?F?(:0\\.[1-9])?(; F=F(\\[[+-]{1,2}FF\\])?F)?",
        angle_deg in 1.0f64..=160.0,
        jitter_deg in 0.0f64..=60.0,
        loop_probability in 0.0f64..=1.0,
    ) {
        let mut config = base;
        config.skeleton.loop_probability = loop_probability;
        config.generators.l_system = LSystemConfig {
            rules,
            angle_deg,
            jitter_deg,
            ..LSystemConfig::default()
        };
        kept(&config);
    }
}

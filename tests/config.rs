//! Configurations: layers, refusals with place and range, and text that reads back equal.

// A helper that fails fails its test.
#![allow(clippy::unwrap_used)]

use plume::config::{self, Auto, Config, Distribution, Error, Kind, Lighting, resolve};
use proptest::prelude::*;
use std::fs;

fn text(yaml: &str) -> Result<Config, Error> {
    resolve(None, None, Some(("config_yaml", yaml)), &[])
}

fn refusal(yaml: &str) -> String {
    text(yaml).unwrap_err().to_string()
}

fn set(set: &str) -> Result<Config, Error> {
    resolve(None, None, None, &[set.to_owned()])
}

#[test]
fn nothing_is_the_default() {
    for yaml in [
        "",
        "\n",
        "# a comment\n",
        "---\n",
        "skeleton:\n",
        "skeleton: {}\n",
        "null",
    ] {
        assert_eq!(text(yaml).unwrap(), Config::default(), "{yaml:?}");
    }
    assert_eq!(resolve(None, None, None, &[]).unwrap(), Config::default());
}

#[test]
fn leo_cave_is_the_default_and_every_preset_resolves() {
    assert_eq!(
        resolve(Some("leo_cave"), None, None, &[]).unwrap(),
        Config::default()
    );
    for preset in config::presets() {
        let config = resolve(Some(preset.name), None, None, &[]).unwrap();
        config.check().unwrap();
        assert!(preset.description.ends_with('.'), "{preset:?}");
    }
    let nodes = |name| resolve(Some(name), None, None, &[]).unwrap().skeleton.nodes;
    assert_eq!((nodes("small_cave"), nodes("wide_cave")), (12, 100));
}

#[test]
fn later_layers_win_key_by_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cave.yaml");
    fs::write(
        &file,
        "seed: 1\nskeleton: {nodes: 30, retries: 5}\nterrain:\n  wetness: 1\n",
    )
    .unwrap();
    let config = resolve(
        Some("wide_cave"),
        Some(&file),
        Some(("config_yaml", "seed: 2\nskeleton:\n  nodes: 40\n")),
        &[
            "seed=3".into(),
            "surface.voxel_m=0.2".into(),
            "skeleton={sigma_deg: 20}".into(),
        ],
    )
    .unwrap();
    assert_eq!(config.seed, 3);
    assert_eq!((config.skeleton.nodes, config.skeleton.retries), (40, 5));
    assert_eq!(
        (config.skeleton.sigma_deg, config.terrain.wetness),
        (20.0, 1.0)
    );
    assert_eq!(config.skeleton.radius_max_m, 16.0);
    assert_eq!(config.surface.voxel_m, Auto::Value(0.2));
    assert_eq!(config.surface.chunk_m, Auto::AUTO);
}

#[test]
fn a_text_may_name_its_preset() {
    assert_eq!(text("preset: small_cave\n").unwrap().skeleton.nodes, 12);
    let argument_wins = resolve(
        Some("wide_cave"),
        None,
        Some(("t", "preset: small_cave")),
        &[],
    );
    assert_eq!(argument_wins.unwrap().skeleton.nodes, 100);
    assert_eq!(
        refusal("seed: 1\npreset: smal_cave\n"),
        "config_yaml, line 2, column 9: unknown preset `smal_cave`; nearest: `small_cave` \
         (presets: leo_cave, small_cave, wide_cave, karst_cave)"
    );
}

#[test]
fn refusals_say_where_what_and_what_is_allowed() {
    for (yaml, message) in [
        (
            "skeleton:\n  nodes: 0\n",
            "config_yaml, line 2, column 10: skeleton.nodes is 0; allowed: 2 to 100000",
        ),
        (
            "skeleton: {nodes: -3}",
            "config_yaml, line 1, column 19: skeleton.nodes is -3; allowed: 2 to 100000",
        ),
        (
            "skeleton:\n  nodes: 1e9",
            "config_yaml, line 2, column 10: skeleton.nodes is 1e9; allowed: 2 to 100000",
        ),
        (
            "skeleton:\n  nodes: ten",
            "config_yaml, line 2, column 10: skeleton.nodes is ten, not a whole number; \
             allowed: 2 to 100000",
        ),
        (
            "skeleton:\n  radius_min_m: .nan",
            "config_yaml, line 2, column 17: skeleton.radius_min_m is .nan; \
             allowed: 0.5 to 1000 m",
        ),
        (
            "skeleton:\n  radius_min_m: NaN",
            "config_yaml, line 2, column 17: skeleton.radius_min_m is NaN; allowed: 0.5 to 1000 m",
        ),
        (
            "surface:\n  voxel_m: -.inf",
            "config_yaml, line 2, column 12: surface.voxel_m is -.inf; \
             allowed: auto, or 0.03 to 10 m",
        ),
        (
            "passage:\n  scale:\n",
            "config_yaml, line 2, column 8: passage.scale is empty, not a number; \
             allowed: 0.02 to 1",
        ),
        (
            "floor: {allow_water: yes}",
            "config_yaml, line 1, column 22: floor.allow_water is yes, not true or false; \
             allowed: true or false",
        ),
        (
            "skeleton:\n  distribution: gausian",
            "config_yaml, line 2, column 17: skeleton.distribution is gausian; \
             allowed: gaussian, perlin, hybrid",
        ),
        (
            "skeleton:\n  nodez: 3",
            "config_yaml, line 2, column 3: unknown key `skeleton.nodez`; \
             nearest: `skeleton.nodes`",
        ),
        (
            "skeletn:\n  nodes: 3",
            "config_yaml, line 1, column 1: unknown key `skeletn`; nearest: `skeleton`",
        ),
        (
            "skeleton: [1, 2]",
            "config_yaml, line 1, column 11: skeleton is a list, not a section; \
             allowed: a section with keys below it",
        ),
        (
            "seed: 1\nseed: 2",
            "config_yaml, line 2, column 1: `seed` is given twice, \
             first at config_yaml, line 1, column 1",
        ),
        (
            "skeleton:\n  nodes: 5\nskeleton.nodes: 6",
            "config_yaml, line 3, column 1: `skeleton.nodes` is given twice, \
             first at config_yaml, line 2, column 3",
        ),
        (
            "skeleton:\n\tnodes: 5",
            "config_yaml, line 2, column 2: not YAML: \
             tabs disallowed within this context (block indentation)",
        ),
        (
            "a: b: c",
            "config_yaml, line 1, column 5: not YAML: \
             mapping values are not allowed in this context",
        ),
        (
            "just words",
            "config_yaml, line 1, column 1: expected `key: value` lines, found just words",
        ),
    ] {
        assert_eq!(refusal(yaml), message, "{yaml:?}");
    }
}

#[test]
fn overrides_are_refused_by_their_own_name() {
    for (text, message) in [
        (
            "skeleton.nodes=0",
            "--set skeleton.nodes=0: skeleton.nodes is 0; allowed: 2 to 100000",
        ),
        (
            "nodes=5",
            "--set nodes=5: unknown key `nodes`; nearest: `skeleton.nodes`",
        ),
        (
            "seed",
            "--set seed: expected key=value, such as `skeleton.nodes=80`",
        ),
        ("seed=[", "--set seed=[: not YAML: unclosed bracket '['"),
        (
            "seed=-1",
            "--set seed=-1: seed is -1; allowed: 0 to 18446744073709551615",
        ),
        (
            "skeleton={nodes: 1}",
            "--set skeleton={nodes: 1}: skeleton.nodes is 1; allowed: 2 to 100000",
        ),
    ] {
        assert_eq!(set(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn contradictions_name_both_keys_and_both_places() {
    let error = resolve(
        None,
        None,
        Some(("config_yaml", "skeleton:\n  radius_min_m: 9\n")),
        &["skeleton.radius_max_m=8.5".into()],
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "skeleton.radius_min_m is 9 m (config_yaml, line 2, column 17), more than \
         skeleton.radius_max_m, 8.5 m (--set skeleton.radius_max_m=8.5); \
         skeleton.radius_min_m may be at most skeleton.radius_max_m"
    );
    for pair in ["passage.min_m=5", "skeleton.children_min=4"] {
        let error = set(pair).unwrap_err();
        assert!(matches!(error, Error::Conflict { .. }), "{error}");
        assert!(error.to_string().contains("(default)"), "{error}");
    }
}

#[test]
fn files_that_are_no_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cave.yaml");
    let load = || Config::load(&path).unwrap_err();
    assert!(matches!(load(), Error::Unreadable { .. }));
    assert!(matches!(
        Config::load(folder.path()),
        Err(Error::Unreadable { .. })
    ));
    fs::write(&path, b"seed: 1\n\xff\n").unwrap();
    assert!(
        load().to_string().ends_with("line 2 is not UTF-8 text"),
        "{}",
        load()
    );
    fs::write(&path, "#".repeat((1 << 20) + 1)).unwrap();
    assert!(matches!(load(), Error::TooLarge { .. }));
    fs::write(&path, "\0\0").unwrap();
    assert!(matches!(load(), Error::Syntax { .. }), "{}", load());
}

#[test]
fn hostile_yaml_ends_in_an_error() {
    let bomb: String = ('b'..='j')
        .map(|c| {
            let p = char::from(c as u8 - 1);
            format!("{c}: &{c} [*{p}, *{p}, *{p}, *{p}, *{p}, *{p}, *{p}, *{p}]\n")
        })
        .collect();
    for yaml in [
        "[".repeat(1 << 19),
        "{a: ".repeat(1 << 17),
        "- ".repeat(1 << 18),
        format!("a: &a [x]\n{bomb}"),
        "skeleton: &s {nodes: 5, <<: *s}".into(),
        "#".repeat((1 << 20) + 1),
        "k".repeat(1 << 19),
        "seed: \"\\u0000\"".into(),
        "\u{1b}[31m: 1".into(),
    ] {
        let message = refusal(&yaml);
        assert!(
            message.len() < 500 && !message.chars().any(char::is_control),
            "{message}"
        );
    }
}

#[test]
fn values_changed_in_code_are_checked() {
    let mut config = Config::default();
    config.check().unwrap();
    config.surface.voxel_m = Auto::Value(f64::NAN);
    let message = config.check().unwrap_err().to_string();
    assert!(
        message.contains("surface.voxel_m is not finite; allowed: auto, or"),
        "{message}"
    );
    config.surface.voxel_m = Auto::AUTO;
    config.skeleton.nodes = 1;
    assert!(matches!(config.check(), Err(Error::OutOfRange { .. })));
}

#[test]
fn commented_yaml_reads_back_and_documents_every_key() {
    let config = resolve(Some("wide_cave"), None, None, &["seed=9".into()]).unwrap();
    let yaml = config::commented_yaml(&config);
    assert_eq!(text(&yaml).unwrap(), config);
    let keys = Config::key_docs()
        .iter()
        .filter(|key| key.kind != Kind::Section)
        .count();
    assert_eq!(yaml.matches("# Unit: ").count(), keys);
    let head: String = yaml
        .lines()
        .take(24)
        .map(|line| format!("{line}\n"))
        .collect();
    insta::assert_snapshot!(head);
}

#[test]
fn the_schema_is_json_and_keeps_every_range() {
    let schema: serde_json::Value = serde_json::from_str(&config::schema()).unwrap();
    let voxel = &schema["$defs"]["SurfaceConfig"]["properties"]["voxel_m"];
    assert_eq!(
        (voxel["minimum"].as_f64(), voxel["maximum"].as_f64()),
        (Some(0.03), Some(10.0))
    );
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn the_reference_page_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/config.md");
    let page = fs::read_to_string(path).unwrap_or_default();
    assert!(
        page == config::markdown(),
        "run: plume config --markdown > docs/config.md"
    );
}

/// A value of `kind` as it may stand in a set, from two uniform numbers.
fn value(kind: &Kind, share: f64, word: &str) -> String {
    match kind {
        Kind::Section => unreachable!("sections hold no value"),
        Kind::Flag => (share < 0.5).to_string(),
        Kind::Integer { min, max } => {
            let at = *min + ((*max - *min) as f64 * share) as i128;
            at.min(*max).to_string()
        }
        Kind::Number { auto: true, .. } if share < 0.3 => "auto".into(),
        Kind::Number { min, max, .. } => format!("{:?}", (min + (max - min) * share).min(*max)),
        Kind::Choice(choices) => choices[(share * choices.len() as f64) as usize]
            .name
            .clone(),
        Kind::Text => serde_json::to_string(word).unwrap(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any allowed configuration survives being written and read, both ways of writing.
    #[test]
    fn written_configurations_read_back_equal(
        shares in prop::collection::vec(0.0..1.0f64, 100),
        words in prop::collection::vec("[ -~]{0,12}|(true|null|1e3|~|0x10|- a|#x|: )|\\PC{1,8}", 100),
    ) {
        let keys = Config::key_docs().iter().filter(|key| key.kind != Kind::Section);
        let sets: Vec<String> = keys
            .zip(shares.iter().zip(&words))
            .map(|(key, (share, word))| format!("{}={}", key.path, value(&key.kind, *share, word)))
            .collect();
        let lowest = ["skeleton.radius_min_m=0.5", "skeleton.children_min=1", "passage.min_m=0.3"];
        let config = match resolve(None, None, None, &sets) {
            Err(Error::Conflict { .. }) => {
                let ordered: Vec<_> = sets.into_iter().chain(lowest.map(String::from)).collect();
                resolve(None, None, None, &ordered).unwrap()
            }
            other => other.unwrap(),
        };
        config.check().unwrap();
        for yaml in [config.to_yaml(), config::commented_yaml(&config)] {
            let back = text(&yaml).unwrap_or_else(|e| panic!("{e}\n{yaml}"));
            prop_assert_eq!(&back, &config);
            prop_assert_eq!(back.to_yaml(), config.to_yaml());
        }
    }

    /// Any text that a path or name could be survives.
    #[test]
    fn any_text_survives(word in any::<String>()) {
        let mut config = Config::default();
        config.floor.robot = word.replace('\0', "");
        let yaml = config.to_yaml();
        let back = text(&yaml).unwrap_or_else(|e| panic!("{e}\n{yaml}"));
        prop_assert_eq!(back, config);
    }

    /// No text panics, and every refusal is one line.
    #[test]
    fn no_text_panics(yaml in "(skeleton|seed|[-a-z:{}\\[\\] \n&*<!|>#'\".0-9]){0,60}") {
        if let Err(error) = text(&yaml) {
            prop_assert!(!error.to_string().contains('\n'), "{}", error);
        }
    }
}

#[test]
fn words_become_enums() {
    let config = text("skeleton: {distribution: perlin}\nworld: {lighting: dark}").unwrap();
    assert_eq!(config.skeleton.distribution, Distribution::Perlin);
    assert_eq!(config.world.lighting, Lighting::Dark);
}

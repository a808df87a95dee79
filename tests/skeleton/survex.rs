//! Survex centre lines: what each command means, and what is said about wrong lines.

use crate::files::Notes;
use crate::job;
use crate::promises::assert_frame;
use crate::surveys::{assert_at, assert_refused, at, data, svx};
use glam::DVec3;
use plume::config::Config;
use plume::progress::{Job, Stage};
use plume::skeleton::{ENTRANCE_PASSAGE_M, NodeKind, import, read_survex, write_json};
use std::path::Path;

#[test]
fn a_survex_file_becomes_the_cave_that_was_measured() {
    let notes = Notes::default();
    let text = std::fs::read_to_string(data("small.svx")).unwrap();
    let config = Config::default();
    let job = Job::new(&notes, Stage::Skeleton);
    let cave = read_survex(Path::new("small.svx"), &text, &config, &job).unwrap();
    assert_eq!((cave.nodes.len(), cave.edges.len()), (6, 5));
    let north = 2000.0 + 10.0 * 30f64.to_radians().cos();
    assert_at(&cave, "small.upper.1", [1000.0, 2000.0, 500.0]);
    assert_at(&cave, "small.upper.2", [1010.0, 2000.0, 500.0]);
    assert_at(&cave, "small.upper.3", [1010.0, north, 495.0]);
    assert_at(&cave, "small.lower.2", [1010.0, north, 491.0]);
    assert_at(&cave, "small.lower.3", [1020.0, north, 491.0]);
    assert_at(&cave, "small.side.2", [1010.0, 2000.0 - 30.48, 500.0]);
    assert_eq!(cave.entrance, 0);
    assert_eq!(at(&cave, "small.upper.1"), 0);
    assert_eq!(cave.nodes[0].kind, NodeKind::Entrance);
    assert_eq!(cave.nodes[0].passage_m, 3.0, "half of 2 m and 4 m");
    assert_eq!(cave.nodes[at(&cave, "small.upper.2")].passage_m, 1.5);
    let mean = (10.0 + 4.0) / 2.0;
    assert!((cave.nodes[at(&cave, "small.upper.3")].radius_m - mean).abs() < 1e-6);
    assert!(notes.lines().is_empty(), "{:?}", notes.lines());

    let moved = import(&data("small.svx"), &config, &self::job()).unwrap();
    assert_frame(&config, &moved);
    assert_eq!(moved.nodes[1].kind, NodeKind::Junction);
    let text = write_json(&moved);
    assert!(text.contains("\"small.lower.3\""), "names are kept");
}

#[test]
fn instruments_are_corrected_as_survex_does() {
    let leg = |text: &str| {
        let cave = svx(&format!("*fix a\n{text}")).unwrap();
        cave.nodes[at(&cave, "b")].position - cave.nodes[at(&cave, "a")].position
    };
    let near = |found: DVec3, wanted: [f64; 3]| {
        assert!(found.distance(wanted.into()) < 1e-9, "{found} {wanted:?}");
    };
    // Value = (reading - zero) * scale.
    near(
        leg("*calibrate tape +0.3 2\na b 5.3 90 0"),
        [10.0, 0.0, 0.0],
    );
    // With units the zero error was measured outside: reading * scale - zero.
    near(
        leg("*calibrate tape 1 feet 2\na b 5 90 0"),
        [10.0 - 0.3048, 0.0, 0.0],
    );
    // Old and new form of a declination have opposite signs.
    near(
        leg("*calibrate declination 10\na b 10 100 0"),
        [10.0, 0.0, 0.0],
    );
    near(
        leg("*declination -10 degrees\na b 10 100 0"),
        [10.0, 0.0, 0.0],
    );
    near(
        leg("*calibrate compass 5\n*calibrate default\na b 10 90 0"),
        [10.0, 0.0, 0.0],
    );
    // Foresight and backsight meet in the middle, across north too.
    near(
        leg("*data normal from to tape compass backcompass clino backclino\na b 10 359 181 1 1"),
        [0.0, 10.0, 0.0],
    );
    near(
        leg("*data normal from to backtape backcompass backclino\na b 10 270 up"),
        [0.0, 0.0, -10.0],
    );
    near(
        leg("*units clino percent\na b 10 0 100"),
        [0.0, 50f64.sqrt(), 50f64.sqrt()],
    );
    near(
        leg("*units tape 0.1 metres\na b 100 0 LEVEL"),
        [0.0, 10.0, 0.0],
    );
    near(leg("a b 4 - -V"), [0.0, 0.0, -4.0]);
    near(leg("a b 4 - -90"), [0.0, 0.0, -4.0]);
    near(
        leg("*calibrate clino 2\n*infer plumbs on\na b 4 - 90"),
        [0.0, 0.0, 4.0],
    );
    near(
        leg("*data cartesian from to dz northing dx\na b 3 2 1"),
        [1.0, 2.0, 3.0],
    );
    near(
        leg("*data normal to ignore from tape compass clino ignoreall\nb x a 2 0 0 a b c"),
        [0.0, 2.0, 0.0],
    );
    // `*end` restores what the block had changed.
    near(
        leg("*begin\n*units tape feet\nx y 1 0 0\n*end\n*equate y a\na b 1 0 0"),
        [0.0, 1.0, 0.0],
    );
}

#[test]
fn names_follow_the_blocks() {
    let text = "*begin A\n*begin b\n1 2 5 0 0\n*end b\nb.2 X 5 0 0\n*case preserve\nx y 3 0 0\n\
                *equate x X\n*end a";
    let cave = svx(text).unwrap();
    let names: Vec<&str> = cave.extra["stations"]
        .as_object()
        .unwrap()
        .values()
        .map(|name| name.as_str().unwrap())
        .collect();
    assert!(names.contains(&"a.b.1") && names.contains(&"a.x") && names.contains(&"a.y"));
    assert_eq!(cave.nodes.len(), 4, "a.X and a.x are one");
}

#[test]
fn flags_decide_what_is_a_passage() {
    // The surface leg places c, d; the duplicate from 1 to 2 doubles a passage, that from 3 to 4
    // is the only way.
    let text = "*fix 1\n1 2 10 90 0\n2 3 10 90 0\n*flags duplicate\n1 2 10 90 0\n3 4 10 90 0\n\
                *flags surface not duplicate\n4 c 50 0 0\n*flags not surface\nc d 5 0 0\n";
    let notes = Notes::default();
    let job = Job::new(&notes, Stage::Skeleton);
    let cave = read_survex(Path::new("c.svx"), text, &Config::default(), &job).unwrap();
    assert_eq!((cave.nodes.len(), cave.edges.len()), (4, 3));
    assert_at(&cave, "4", [30.0, 0.0, 0.0]);
    assert_eq!(
        notes.lines(),
        [
            "skeleton: the survey has 2 separate pieces (of 4, 2 nodes); the largest is kept, 2 nodes \
          are left out"
        ]
    );
}

#[test]
fn a_loop_shares_its_misclosure() {
    // 0.6 m are missing on the way round; each leg of a loop of thirds takes a third.
    let cave = svx("*fix a\na b 30 90 0\nb c 30 330 0\nc d 30 210 0\n*equate d a\n").unwrap();
    assert_at(&cave, "b", [30.0, 0.0, 0.0]);
    let bent = svx("*fix a\na b 10 90 0\nb c 10 90 0\nc a 19.4 270 0\n").unwrap();
    let b = bent.nodes[at(&bent, "b")].position.x;
    let c = bent.nodes[at(&bent, "c")].position.x;
    // Variances 10, 10 and 19.4 of a gap of 0.6 m.
    assert!((b - (10.0 - 0.6 * 10.0 / 39.4)).abs() < 1e-6, "{b}");
    assert!((c - (20.0 - 0.6 * 20.0 / 39.4)).abs() < 1e-6, "{c}");
}

#[test]
fn widths_come_from_the_passages() {
    let text = "*fix a\na b 30 90 0\nb c 30 90 0\nc d 30 90 0\n*data passage station left right\n\
                b 1.0 4.0\nc - 3.0\nd 0.1 0.1\n";
    let cave = svx(text).unwrap();
    let p = Config::default().passage;
    let half = |name: &str| cave.nodes[at(&cave, name)].passage_m;
    assert_eq!(half("b"), 2.5);
    assert_eq!(half("c"), 3.0);
    assert_eq!(half("d"), p.min_m, "kept within the configured sizes");
    assert_eq!(
        half("a"),
        p.max_m.max(ENTRANCE_PASSAGE_M),
        "not given: by spacing"
    );
}

#[test]
fn the_entrance_is_the_marked_one_or_the_highest_dead_end() {
    let shape = "*fix a\na b 10 90 45\nb c 10 90 -60\nb d 10 0 -10\n";
    let cave = svx(shape).unwrap();
    assert_eq!(at(&cave, "d"), 0, "b is higher, but no dead end");
    let cave = svx(&format!("*entrance c\n*entrance a\n{shape}")).unwrap();
    assert_eq!(at(&cave, "c"), 0);
    assert_eq!(cave.nodes[at(&cave, "a")].kind, NodeKind::Entrance);
    let ring = svx("a b 10 0 10\nb c 10 120 0\nc a 10 240 -10\n").unwrap();
    assert!(["b", "c"].contains(&if at(&ring, "b") == 0 { "b" } else { "c" }));
}

#[test]
fn what_does_not_change_the_cave_is_passed_over_and_said() {
    let notes = Notes::default();
    let job = Job::new(&notes, Stage::Skeleton);
    let text = "*title x\n*cs UTM33\n*declination auto 1 2 3\n*solve\n*frobnicate 1\na b 5 0 0\n\
                *data nosurvey from to\na q\n";
    read_survex(Path::new("c.svx"), text, &Config::default(), &job).unwrap();
    assert_eq!(
        notes.lines(),
        [
            "skeleton: commands of the survey that were passed over: *cs, *data nosurvey, \
          *declination auto, *frobnicate, *solve"
        ]
    );
}

#[test]
fn wrong_survex_lines_have_line_column_and_what_was_expected() {
    let readings = "the readings are from to tape compass clino";
    let no_name = "a name of letters, digits, `_` and `-`, with dots between its parts";
    let cases: Vec<(&str, String)> = vec![
        ("1 2 5 0", format!("1, column 8: found nothing; expected clino; {readings}")),
        ("\n1 2 5 0 0 9", format!("2, column 11: found `9`; expected the end of the line; {readings}")),
        ("1 2 five 0 0", "1, column 5: found `five`; expected a tape reading, a number that means at most 100000".into()),
        ("1 2 inf 0 0", "1, column 5: found `inf`; expected a tape reading, a number that means at most 100000".into()),
        ("1 2 -3 0 0", "1, column 5: found `-3`; expected a length that is not negative once calibrated".into()),
        ("1 2 - 0 0", "1, column 5: found `-`; expected a tape reading".into()),
        ("1 2 5 - 10", "1, column 7: found `-`; expected a compass reading, as the leg is not plumbed".into()),
        ("1 2 5 400 10", "1, column 7: found `400`; expected a compass reading, a number that means at most 360".into()),
        ("1 2 5 0 91", "1, column 9: found `91`; expected a clino reading from -90 to 90 degrees, `-`, `up`, `down` or `level`".into()),
        ("1 1 5 0 0", "1, column 1: found `1`; expected a leg between two different stations".into()),
        ("1..2 3 5 0 0", format!("1, column 1: found `1..2`; expected {no_name}")),
        (". .. 5 0 0", "1, column 3: found `..`; expected a named station at one end of the leg".into()),
        ("*", "1, column 1: found nothing; expected a command after `*`".into()),
        ("*begin a\n1 2 5 0 0\n", "1, column 1: found `begin`; expected an `*end` for it before the file ends".into()),
        ("*end", "1, column 1: found `end`; expected a `*begin` before it in the same file".into()),
        ("*begin a\n*end b", "2, column 6: found `b`; expected `*end a`, as the block began in line 1".into()),
        ("*begin\n*end b", "2, column 6: found `b`; expected `*end` alone, as the block began in line 1".into()),
        ("*begin a b", "1, column 10: found `b`; expected the end of the line".into()),
        ("*data diving from to", "1, column 7: found `diving`; expected a data style that plume reads: normal, cartesian, passage, nosurvey or default".into()),
        ("*data normal from to depth", "1, column 22: found `depth`; expected from, to, tape, compass, clino, backtape, backcompass, backclino, ignore or ignoreall (interleaved data is not read)".into()),
        ("*data normal from from", "1, column 19: found `from`; expected each reading once".into()),
        ("*data normal from tape", "1, column 1: found `data`; expected both `from` and `to` among the readings".into()),
        ("*data cartesian from to dx dy", "1, column 1: found `data`; expected `from to dx dy dz` among the readings".into()),
        ("*data passage left", "1, column 1: found `data`; expected `station` among the readings".into()),
        ("*data passage station north", "1, column 23: found `north`; expected station, left, right, up, down, ignore or ignoreall".into()),
        ("*data normal from to ignoreall tape", "1, column 32: found `tape`; expected the end of the line after `ignoreall`".into()),
        ("*data passage station left\n1 -2", "2, column 3: found `-2`; expected left, 0 or more".into()),
        ("*data normal from to tape compass clino backclino\n1 2 5 0 up up", "2, column 12: found `up`; expected a backclino that agrees with a plumbed clino".into()),
        ("*units tape degrees", "1, column 13: found `degrees`; expected a unit of tape: metres, feet or yards".into()),
        ("*units compass quadrants", "1, column 16: found `quadrants`; expected a unit of compass: degrees, grads or minutes".into()),
        ("*units speed metres", "1, column 8: found `speed`; expected a quantity, such as tape, compass or clino".into()),
        ("*units tape 0 metres", "1, column 13: found `0`; expected a factor other than 0, at most 1e9".into()),
        ("*calibrate tape", "1, column 1: found `calibrate`; expected a zero error after the quantities".into()),
        ("*calibrate tape x", "1, column 17: found `x`; expected a zero error, a number from -1000000 to 1000000".into()),
        ("*calibrate tape 1 furlongs", "1, column 19: found `furlongs`; expected a unit of tape: metres, feet or yards".into()),
        ("*calibrate declination 1 2", "1, column 26: found `2`; expected no scale for a declination".into()),
        ("*declination 3", "1, column 1: found `declination`; expected a declination and its unit, or `auto`".into()),
        ("*flags sideways", "1, column 8: found `sideways`; expected splay, surface or duplicate, each perhaps after `not`".into()),
        ("*equate a", "1, column 1: found `equate`; expected two stations or more".into()),
        ("*fix", "1, column 1: found `fix`; expected a station and its place, `x y z`".into()),
        ("*fix a 1 2", "1, column 10: found `2`; expected `x y z`, or nothing".into()),
        ("*fix a 1 2 nan", "1, column 12: found `nan`; expected z of a station, a finite number of metres, at most 1e8 from 0".into()),
        ("*fix a 1 2 3\n*fix b 1 2 4\n*equate a b\na c 1 0 0", "2, column 6: found `*fix` at 1 2 4; expected the place at which the station is fixed already, 1 2 3".into()),
        ("*entrance", "1, column 1: found `entrance`; expected one station".into()),
        ("*infer plumbs", "1, column 1: found `infer`; expected plumbs, equates or exports, and on or off".into()),
        ("*infer plumbs maybe", "1, column 15: found `maybe`; expected on or off".into()),
        ("*case upper", "1, column 7: found `upper`; expected preserve, toupper or tolower".into()),
        ("*set decimal ,", "1, column 1: found `set`; expected a file with Survex's own separators and decimal point".into()),
        ("*truncate 8", "1, column 1: found `truncate`; expected a file whose names are whole, `*truncate off`".into()),
        ("*include other", "1, column 1: found `other`; expected a survey in one file".into()),
    ];
    for (text, message) in &cases {
        let message = format!("graph file c.svx: line {message}");
        assert_refused(svx, &[(text, &message)]);
    }
    assert_refused(
        svx,
        &[
            (
                "; nothing\n",
                "graph file c.svx: has no nodes; a cave needs at least 2",
            ),
            (
                "a b 0 0 0",
                "graph file c.svx: has no edge with a length; a cave needs at least 2 nodes, joined by an edge",
            ),
        ],
    );
    let deep = "*begin\n".repeat(101);
    assert!(
        svx(&deep)
            .unwrap_err()
            .to_string()
            .contains("nested at most 100 deep")
    );
}

#[test]
fn includes_stay_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    };
    write("secret.svx", "x y 1 0 0\n");
    write("cave/sub/deep part.svx", "*include ..\\more\nb c 10 0 0\n");
    write("cave/more.svx", "a b 10 90 0\n");
    let read = |text: &str| import(&write("cave/all.svx", text), &Config::default(), &job());
    let cave = read("*begin all\n*include \"sub/deep part\"\n*end all\n").unwrap();
    assert_eq!(cave.nodes.len(), 3);
    assert!(at(&cave, "all.c") < 3);

    let message = |text: &str| read(text).unwrap_err().to_string();
    for outside in ["../secret", "/etc/passwd", "sub/../../secret.svx", ""] {
        let said = message(&format!("*include {outside}\n"));
        assert!(said.contains("all.svx: line 1, column 1: found"), "{said}");
        assert!(
            said.contains("expected a file in the folder of the survey or below it"),
            "{said}"
        );
    }
    #[cfg(unix)]
    {
        let link = folder.path().join("cave/link.svx");
        std::os::unix::fs::symlink(folder.path().join("secret.svx"), link).unwrap();
        assert!(message("*include link\n").contains("or below it"));
    }
    assert!(message("*include nothing\n").contains("there is none of this name"));
    let round = message("*include all\n");
    assert!(round.contains("nested at most 100 deep"), "{round}");
    write("cave/sub/bad.svx", "a b 1 2\n");
    let inner = message("*include sub/bad\n");
    assert!(
        inner.contains("bad.svx: line 1, column 8: found nothing"),
        "{inner}"
    );
}

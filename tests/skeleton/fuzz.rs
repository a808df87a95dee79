//! No text makes a reader panic, hang or give a graph that is none.
//!
//! Valid files are bent: lines and words are dropped, doubled, swapped and replaced by others of
//! the format and by extreme numbers, bytes by any. The number of cases bounds the time, some 15 s
//! a reader at most; `PROPTEST_CASES=1000000 cargo test --release --test skeleton fuzz` goes on
//! for longer.

use crate::job;
use crate::promises::assert_connected;
use plume::config::Config;
use plume::skeleton::json::read_plume_text;
use plume::skeleton::{Error, Fault, Skeleton, read_survex, read_tables, read_yaml, write_json};
use proptest::prelude::*;
use proptest::sample::Index;
use std::path::Path;

const SVX: &str = include_str!("../data/skeleton/small.svx");
const YAML: &str = include_str!("../data/skeleton/hand.yaml");
const JSON: &str = include_str!("../data/skeleton/plume_small.json");
const NODES: &str = include_str!("../data/skeleton/small_nodes.dat");
const LINKS: &str = include_str!("../data/skeleton/small_links.dat");

/// Numbers at and over the edges of what readers take.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "2",
    "7",
    "90",
    "-90",
    "360",
    "1e8",
    "1e9",
    "-1e300",
    "1e308",
    "1e-308",
    "NaN",
    "nan",
    "inf",
    "-inf",
    ".5",
    "5.",
    "+3",
    "1e",
    "--1",
    "99999999999999999999",
    "0x10",
    "1_000",
    "4294967296",
    "-9223372036854775808",
    "",
];

/// Words of Survex that change how others are read.
const SVX_WORDS: &[&str] = &[
    "*begin",
    "*end",
    "*begin x",
    "*fix",
    "*equate",
    "*data",
    "normal",
    "passage",
    "cartesian",
    "from",
    "to",
    "tape",
    "compass",
    "clino",
    "backclino",
    "station",
    "left",
    "ignore",
    "ignoreall",
    "*units",
    "feet",
    "grads",
    "percent",
    "*calibrate",
    "declination",
    "*flags",
    "not",
    "splay",
    "surface",
    "duplicate",
    "*infer equates on",
    "*include x",
    "up",
    "-v",
    "-",
    ".",
    "...",
    "upper.1",
    "lower.2",
    ";",
    "*case preserve",
    "*prefix y",
    "*entrance",
];

const YAML_WORDS: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    "-",
    ":",
    "&a",
    "*a",
    "!!str",
    "|",
    "nodes:",
    "edges:",
    "id:",
    "level:",
    "kind:",
    "entrance",
    "null",
    ".nan",
    ".inf",
    "[1, 2]",
    "passage_m: 0",
    "#",
    "---",
];

const JSON_WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"nodes\"",
    "\"id\"",
    "\"edges\"",
    "\"level\"",
    "\"entrance\"",
    "\"world_from_graph\"",
    "null",
    "true",
    "\"kind\": \"room\",",
];

const TABLE_WORDS: &[&str] = &[",", ";", "#", ",,", "1 2", "3 4 5"];

/// A change of a text.
#[derive(Clone, Debug)]
enum Edit {
    DropLine(Index),
    DoubleLine(Index),
    SwapLines(Index, Index),
    DropWord(Index),
    DoubleWord(Index),
    SwapWords(Index, Index),
    Word(Index, Index),
    Number(Index, Index),
    Bytes(Index, Vec<u8>),
    Cut(Index),
    Repeat(u8),
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        2 => at().prop_map(Edit::DropLine),
        2 => at().prop_map(Edit::DoubleLine),
        2 => (at(), at()).prop_map(|(a, b)| Edit::SwapLines(a, b)),
        3 => at().prop_map(Edit::DropWord),
        2 => at().prop_map(Edit::DoubleWord),
        4 => (at(), at()).prop_map(|(a, b)| Edit::SwapWords(a, b)),
        6 => (at(), at()).prop_map(|(a, b)| Edit::Word(a, b)),
        6 => (at(), at()).prop_map(|(a, b)| Edit::Number(a, b)),
        3 => (at(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(a, b)| Edit::Bytes(a, b)),
        1 => at().prop_map(Edit::Cut),
        1 => (2u8..5).prop_map(Edit::Repeat),
    ]
}

/// Lines of words, each word with what stands before it.
fn bend(text: &str, edits: &[Edit], words: &[&str]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for edit in edits {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut lines: Vec<&str> = text.lines().collect();
        // Odd entries are words, even ones what is between them.
        let mut parts: Vec<&str> = Vec::new();
        let mut rest = text.as_str();
        let is_word = |c: char| !c.is_whitespace() && !",[]{}:\"".contains(c);
        while !rest.is_empty() {
            let gap = rest.find(is_word).unwrap_or(rest.len());
            parts.push(&rest[..gap]);
            rest = &rest[gap..];
            let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            parts.push(&rest[..word]);
            rest = &rest[word..];
        }
        if lines.is_empty() || parts.is_empty() {
            break;
        }
        let word = |at: &Index| at.index(parts.len() / 2) * 2 + 1;
        let bent = match edit {
            Edit::DropLine(at) => {
                lines.remove(at.index(lines.len()));
                lines.join("\n")
            }
            Edit::DoubleLine(at) => {
                let at = at.index(lines.len());
                lines.insert(at, lines[at]);
                lines.join("\n")
            }
            Edit::SwapLines(a, b) => {
                let (a, b) = (a.index(lines.len()), b.index(lines.len()));
                lines.swap(a, b);
                lines.join("\n")
            }
            Edit::DropWord(at) => {
                let at = word(at);
                parts.remove(at);
                parts.concat()
            }
            Edit::DoubleWord(at) => {
                let at = word(at);
                parts.splice(at..at, [parts[at], " "]);
                parts.concat()
            }
            Edit::SwapWords(a, b) => {
                let (a, b) = (word(a), word(b));
                parts.swap(a, b);
                parts.concat()
            }
            Edit::Word(at, new) => {
                let at = word(at);
                parts[at] = words[new.index(words.len())];
                parts.concat()
            }
            Edit::Number(at, new) => {
                let at = word(at);
                parts[at] = NUMBERS[new.index(NUMBERS.len())];
                parts.concat()
            }
            Edit::Repeat(times) => text.repeat(usize::from(*times)),
            Edit::Bytes(at, new) => {
                let at = at.index(bytes.len());
                let end = (at + new.len() / 2).min(bytes.len());
                bytes.splice(at..end, new.iter().copied());
                continue;
            }
            Edit::Cut(at) => {
                bytes.truncate(at.index(bytes.len()));
                continue;
            }
        };
        bytes = bent.into_bytes();
    }
    bytes
}

/// What comes out is a cave or an error with its file.
fn judge(result: Result<Skeleton, Error>) {
    match result {
        Ok(cave) => {
            assert!(cave.nodes.len() >= 2 && cave.entrance < cave.nodes.len());
            for node in &cave.nodes {
                assert!(node.position.is_finite() && node.radius_m > 0.0 && node.passage_m > 0.0);
                assert!(node.radius_m.is_finite() && node.passage_m.is_finite());
                assert!(node.level <= 15);
            }
            for edge in &cave.edges {
                assert!(edge.a < edge.b && edge.b < cave.nodes.len());
                assert_ne!(cave.nodes[edge.a].position, cave.nodes[edge.b].position);
            }
            assert_connected(&cave);
            // And it is a graph by the strict rules of our own files, if it is not too wide once
            // its entrance is 0.
            let text = write_json(&cave);
            let label = Path::new("again.json");
            match read_plume_text(label, text.as_bytes(), &Config::default(), &job()) {
                Ok(_) => {}
                Err(Error::Graph { fault, .. }) => assert_eq!(fault, Fault::TooWide),
                Err(other) => panic!("{other}"),
            }
        }
        Err(Error::Graph { fault, .. }) => assert!(!fault.to_string().contains('\n'), "{fault}"),
        Err(other) => panic!("{other}"),
    }
}

fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig {
        cases: asked.and_then(|n| n.parse().ok()).unwrap_or(usual),
        ..ProptestConfig::default()
    }
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec(edit(), 0..8)
}

proptest! {
    #![proptest_config(cases(80_000))]

    #[test]
    fn survex(edits in edits()) {
        let bytes = bend(SVX, &edits, SVX_WORDS);
        let text = String::from_utf8_lossy(&bytes);
        judge(read_survex(Path::new("f.svx"), &text, &Config::default(), &job()));
    }

    #[test]
    fn tables(nodes in edits(), links in edits()) {
        let bent = [bend(NODES, &nodes, TABLE_WORDS), bend(LINKS, &links, TABLE_WORDS)];
        let texts = [0, 1].map(|n| String::from_utf8_lossy(&bent[n]));
        let labels = [Path::new("f_nodes.dat"), Path::new("f_links.dat")];
        judge(read_tables(labels, [&texts[0], &texts[1]], &Config::default(), &job()));
    }

    #[test]
    fn yaml(edits in edits()) {
        let bytes = bend(YAML, &edits, YAML_WORDS);
        let text = String::from_utf8_lossy(&bytes);
        judge(read_yaml(Path::new("f.yaml"), &text, &Config::default(), &job()));
    }

    #[test]
    fn json(edits in edits()) {
        let bytes = bend(JSON, &edits, JSON_WORDS);
        judge(read_plume_text(Path::new("f.json"), &bytes, &Config::default(), &job()));
    }
}

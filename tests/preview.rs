//! Pictures: they exist, they reproduce, and they refuse what cannot be drawn.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use plume::config::{Config, PassageConfig, SkeletonConfig};
use plume::preview::{Error, PlanCell, PlanLayer, PlanView, plan_png};
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton::{Edge, NodeKind, Skeleton, grow};

fn cave(nodes: u32) -> Skeleton {
    let skeleton = SkeletonConfig {
        nodes,
        ..SkeletonConfig::default()
    };
    let config = Config {
        seed: 7,
        skeleton,
        ..Config::default()
    };
    grow(&config, &Job::new(&Unobserved, Stage::Skeleton)).unwrap()
}

fn skeleton_png(skeleton: &Skeleton, title: &str) -> Result<Vec<u8>, Error> {
    plume::preview::skeleton_png(skeleton, &PassageConfig::default(), title)
}

/// How many pixels of a picture have exactly this colour.
fn pixels_of(bytes: &[u8], colour: [u8; 3]) -> usize {
    let (_, _, pixels) = decode(bytes);
    pixels.chunks_exact(3).filter(|p| *p == colour).count()
}

/// Width, height and the RGB pixels of a PNG.
fn decode(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (info.width, info.height, pixels)
}

/// Writes a picture to the folder in `PLUME_PREVIEWS`, for people.
fn show(name: &str, bytes: &[u8]) {
    if let Some(folder) = std::env::var_os("PLUME_PREVIEWS") {
        std::fs::write(std::path::Path::new(&folder).join(name), bytes).unwrap();
    }
}

#[test]
fn skeleton_pictures_reproduce_and_show_elevation() {
    for nodes in [2, 50, 250, 3000] {
        let cave = cave(nodes);
        let title = format!("demo · seed 7 · {nodes} nodes");
        let bytes = skeleton_png(&cave, &title).unwrap();
        show(&format!("skeleton_{nodes}.png"), &bytes);
        assert_eq!(bytes, skeleton_png(&cave, &title).unwrap());
        let (width, height, pixels) = decode(&bytes);
        assert!((900..1200).contains(&width) && (600..1700).contains(&height));
        let yellow = pixels
            .chunks_exact(3)
            .filter(|p| p[0] > 200 && p[1] > 180 && p[2] < 90)
            .count();
        assert!(yellow > 20, "the top of the colour bar at least: {yellow}");
    }
    let mut flat = cave(20);
    flat.nodes.iter_mut().for_each(|n| n.position.z = 1.0);
    assert!(skeleton_png(&flat, &"very long title ".repeat(40)).is_ok());
}

/// Colours of the first two levels, of rooms, shafts and entrances.
const LEVELS: [[u8; 3]; 2] = [[68, 119, 170], [238, 102, 119]];
const ROOM: [u8; 3] = [250, 190, 60];
const SHAFT: [u8; 3] = [196, 30, 110];
const OPEN: [u8; 3] = [24, 150, 82];

#[test]
fn levels_and_kinds_of_nodes_are_told_apart() {
    let one = cave(40);
    let bytes = skeleton_png(&one, "one level").unwrap();
    for colour in [ROOM, SHAFT, LEVELS[1]] {
        assert_eq!(pixels_of(&bytes, colour), 0, "{colour:?}");
    }
    let open = pixels_of(&bytes, OPEN);

    let mut two = one.clone();
    for node in &one.nodes {
        let mut lower = node.clone();
        lower.id += 40;
        lower.parent = None;
        lower.level = 1;
        lower.position.z -= 12.0;
        lower.kind = match lower.kind {
            NodeKind::Entrance => NodeKind::Shaft,
            kind => kind,
        };
        two.nodes.push(lower);
    }
    let lower = one.edges.iter().map(|e| Edge::new(e.a + 40, e.b + 40));
    two.edges.extend(lower);
    two.edges.push(Edge::new(0, 40));
    two.nodes[20].kind = NodeKind::Room;
    two.nodes[70].kind = NodeKind::Entrance;
    let bytes = skeleton_png(&two, "two levels").unwrap();
    show("skeleton_levels.png", &bytes);
    for colour in [ROOM, SHAFT, LEVELS[0], LEVELS[1]] {
        let count = pixels_of(&bytes, colour);
        assert!(count > 20, "{colour:?}: {count}");
    }
    assert!(pixels_of(&bytes, OPEN) > open + 30, "the second entrance");
    // The lower level lies under the upper one in plan and apart from it in elevation.
    let (width, height, pixels) = decode(&bytes);
    let rows = |colour: [u8; 3]| -> Vec<usize> {
        let is = |row: &[u8]| row[..3 * 800].chunks_exact(3).any(|p| p == colour);
        let row = |y: usize| &pixels[3 * width as usize * y..3 * width as usize * (y + 1)];
        (0..height as usize).filter(|&y| is(row(y))).collect()
    };
    let lowest = |colour| rows(colour).into_iter().max().unwrap();
    assert!(lowest(LEVELS[1]) > lowest(LEVELS[0]));
}

#[test]
fn a_shaft_alone_is_drawn() {
    let mut shaft = cave(2);
    shaft.nodes[1].position = shaft.nodes[0].position;
    shaft.nodes[1].position.z -= 30.0;
    assert_eq!(shaft.mark_shafts(60.0), 1);
    let bytes = skeleton_png(&shaft, "a shaft").unwrap();
    show("skeleton_shaft.png", &bytes);
    assert!(pixels_of(&bytes, SHAFT) > 20);
}

#[test]
fn plans_show_layers_and_route() {
    let cave = cave(60);
    let layers = [
        ("dry_rock", [150, 140, 128]),
        ("wet_rock", [98, 104, 112]),
        ("gravel", [176, 160, 130]),
        ("mud", [110, 80, 56]),
        ("sand", [216, 192, 138]),
    ]
    .map(|(name, color)| PlanLayer {
        name: name.to_owned(),
        color,
    });
    let mut cells = Vec::new();
    for edge in &cave.edges {
        let (a, b) = (&cave.nodes[edge.a], &cave.nodes[edge.b]);
        for i in 0..=60 {
            let centre = a.position.lerp(b.position, f64::from(i) / 60.0);
            for j in -14..=14 {
                for k in -14..=14 {
                    let (dx, dy) = (f64::from(j) * 0.1, f64::from(k) * 0.1);
                    if dx * dx + dy * dy < 1.7 {
                        let (x, y) = (centre.x + dx, centre.y + dy);
                        let grid = |v: f64| (v * 10.0).round() / 10.0;
                        let wave = (x * 0.21).sin() + (y * 0.17).cos();
                        let layer = ((wave + 2.0) * 1.24) as u8;
                        cells.push(PlanCell {
                            x: grid(x),
                            y: grid(y),
                            layer,
                        });
                    }
                }
            }
        }
    }
    let key = |c: &PlanCell| ((c.x * 10.0).round() as i64, (c.y * 10.0).round() as i64);
    cells.sort_by_key(key);
    cells.dedup_by_key(|c| key(c));
    let mut way = vec![59];
    while let Some(parent) = way.last().and_then(|&n: &usize| cave.nodes[n].parent) {
        way.push(parent);
    }
    let route: Vec<[f64; 3]> = way
        .iter()
        .rev()
        .map(|&n| cave.nodes[n].position.to_array())
        .collect();
    let view = PlanView {
        title: "demo · floor and route",
        cells: &cells,
        cell_m: 0.1,
        layers: &layers,
        skeleton: Some(&cave),
        route: &route,
    };
    let bytes = plan_png(&view).unwrap();
    show("plan.png", &bytes);
    assert_eq!(bytes, plan_png(&view).unwrap());
    let (_, _, pixels) = decode(&bytes);
    for layer in &layers {
        let pure = pixels
            .chunks_exact(3)
            .filter(|p| **p == layer.color)
            .count();
        assert!(pure > 100, "{}: {pure} pixels", layer.name);
    }
    assert!(
        plan_png(&PlanView {
            cells: &[],
            route: &[],
            ..view
        })
        .is_ok()
    );
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let mut cave = cave(5);
    cave.nodes[3].position.x = f64::NAN;
    assert!(matches!(
        skeleton_png(&cave, ""),
        Err(Error::NotFinite { index: 3, .. })
    ));
    cave.nodes.clear();
    cave.edges.clear();
    assert!(matches!(skeleton_png(&cave, ""), Err(Error::Empty(_))));
    let cell = PlanCell {
        x: 0.0,
        y: 0.0,
        layer: 2,
    };
    let view = PlanView {
        title: "",
        cells: &[cell],
        cell_m: 0.1,
        layers: &[],
        skeleton: None,
        route: &[],
    };
    assert!(matches!(plan_png(&view), Err(Error::Cells(_))));
    assert!(matches!(
        plan_png(&PlanView {
            cell_m: f64::NAN,
            ..view
        }),
        Err(Error::Cells(_))
    ));
    assert!(matches!(
        plan_png(&PlanView { cells: &[], ..view }),
        Err(Error::Empty(_))
    ));
}

#[test]
fn imported_graphs_are_drawn() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/skeleton/plume_small.json");
    let file = std::env::var_os("PLUME_PREVIEW_GRAPH").map_or(file, Into::into);
    let job = Job::new(&Unobserved, Stage::Skeleton);
    let cave = plume::skeleton::import(&file, &Config::default(), &job).unwrap();
    let bytes = skeleton_png(&cave, "an imported graph").unwrap();
    show("imported.png", &bytes);
    assert!(decode(&bytes).0 > 900);
}

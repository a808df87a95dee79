//! Each check must be able to fail, at the right place; and caves must pass them.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use glam::DVec3;
use plume::config::{self, Config, resolve};
use plume::field::{Opening, OpeningKind};
use plume::pipeline::{Request, Until, run};
use plume::progress::{Job, Stage, Unobserved};
use plume::quality::sweep::trial;
use plume::quality::{Piece, Report, Subject, examine, read};
use plume::skeleton::{Edge, Node, NodeKind, Skeleton};
use plume::surface::intersect;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::process::Command;

/// Edge of a lattice cell, metres.
const CELL: f32 = 0.5;
/// Cells of the tunnel along x, y, z: 10 m by 4 m by 3 m.
const SIZE: [i32; 3] = [20, 8, 6];

/// A lattice point, metres; y is centred.
fn at([x, y, z]: [i32; 3]) -> [f32; 3] {
    [x as f32 * CELL, (y - 4) as f32 * CELL, z as f32 * CELL]
}

/// Quads between void cells and others, counter-clockwise seen from the void.
fn shell(void: impl Fn([i32; 3]) -> bool) -> Vec<[[i32; 3]; 4]> {
    let mut quads = Vec::new();
    for z in -2..SIZE[2] + 2 {
        for y in -2..SIZE[1] + 2 {
            for x in -2..SIZE[0] + 2 {
                let cell = [x, y, z];
                for (axis, up) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
                    let mut beside = cell;
                    beside[axis] += 2 * up - 1;
                    if !void(cell) || void(beside) {
                        continue;
                    }
                    let corner = |i: i32, j: i32| {
                        let mut c = cell;
                        c[axis] += up;
                        c[(axis + 1) % 3] += i;
                        c[(axis + 2) % 3] += j;
                        c
                    };
                    let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    if up == 1 {
                        quad.reverse();
                    }
                    quads.push(quad);
                }
            }
        }
    }
    quads
}

fn inside([x, y, z]: [i32; 3]) -> bool {
    (0..SIZE[0]).contains(&x) && (0..SIZE[1]).contains(&y) && (0..SIZE[2]).contains(&z)
}

fn piece(chunk: &str, quads: &[[[i32; 3]; 4]]) -> Piece {
    let mut ids = BTreeMap::new();
    let mut piece = Piece {
        chunk: chunk.to_owned(),
        ..Piece::default()
    };
    for quad in quads {
        let [a, b, c, d] = quad.map(|corner| {
            *ids.entry(corner).or_insert_with(|| {
                piece.positions.push(at(corner));
                piece.normals.push([0.0, 0.0, 1.0]);
                piece.positions.len() as u32 - 1
            })
        });
        piece.triangles.extend([[a, b, c], [a, c, d]]);
    }
    piece
}

fn node(id: i64, position: [f64; 3]) -> Node {
    Node {
        id,
        parent: None,
        position: DVec3::from_array(position),
        radius_m: 5.0,
        passage_m: 2.0,
        level: 0,
        kind: NodeKind::Passage,
        active: true,
    }
}

fn graph(points: &[[f64; 3]], edges: &[(usize, usize)]) -> Skeleton {
    let nodes = (0..).zip(points).map(|(i, &p)| node(i, p)).collect();
    Skeleton::new(nodes, edges.iter().map(|&(a, b)| Edge::new(a, b)).collect())
}

fn subject(void: impl Fn([i32; 3]) -> bool) -> Subject {
    let quads = shell(void);
    let (low, high): (Vec<_>, Vec<_>) = quads.iter().partition(|q| q.iter().all(|c| c[0] <= 10));
    Subject {
        skeleton: graph(&[[1.0, 0.0, 1.5], [9.0, 0.0, 1.5]], &[(0, 1)]),
        config: Config::default(),
        voxel_m: f64::from(CELL),
        visual: vec![piece("0_0_0", &low), piece("1_0_0", &high)],
        collision: vec![piece("0_0_0", &quads)],
        openings: Vec::new(),
        handles: 0,
    }
}

/// A straight tunnel of two chunks.
fn tunnel() -> Subject {
    subject(inside)
}

fn corner(piece: &Piece, place: [i32; 3]) -> usize {
    piece
        .positions
        .iter()
        .position(|&p| p == at(place))
        .unwrap()
}

/// Exactly these checks fail.
fn fails(report: &Report, names: &[&str]) {
    let failed: Vec<&str> = report.failed().map(|c| c.name).collect();
    assert_eq!(failed, names, "{report:#?}");
}

/// A check fails within a cell of a place, in a chunk.
fn fails_at(report: &Report, name: &str, place: [i32; 3], chunk: Option<&str>) {
    let check = report.check(name).unwrap();
    assert!(!check.ok, "{check:?}");
    let found = check.place.as_ref().unwrap();
    for (k, c) in at(place).into_iter().enumerate() {
        assert!(
            (found.point[k] - f64::from(c)).abs() <= 1.5 * f64::from(CELL),
            "{check:?}"
        );
    }
    assert_eq!(found.chunk.as_deref(), chunk, "{check:?}");
}

#[test]
fn a_tunnel_passes() {
    let report = examine(&tunnel());
    fails(&report, &[]);
    let free = report.check("free height on edges").unwrap();
    assert_eq!(free.worst, Some(3.0));
    assert_eq!(report.check("edges in the void").unwrap().worst, Some(1.0));
}

#[test]
fn a_hole_is_open_unless_it_is_declared() {
    let mut cave = tunnel();
    let end = |t: &[u32; 3], p: &Piece| t.iter().all(|&i| p.positions[i as usize][0] == 10.0);
    for piece in cave.visual.iter_mut().chain(&mut cave.collision) {
        let copy = piece.clone();
        piece.triangles.retain(|t| !end(t, &copy));
    }
    let report = examine(&cave);
    assert!(!report.check("collision closed").unwrap().ok);
    fails_at(&report, "closed", [20, 4, 0], Some("1_0_0"));
    let mut opening = Opening {
        kind: OpeningKind::Portal,
        centre: [10.0, 0.0, 1.5],
        normal: [1.0, 0.0, 0.0],
        width_m: 4.0,
        height_m: 3.0,
    };
    cave.openings = vec![opening.clone()];
    fails(&examine(&cave), &[]);
    // One that is elsewhere allows nothing.
    opening.centre[0] = 0.0;
    cave.openings = vec![opening];
    assert!(!examine(&cave).check("closed").unwrap().ok);
    fails_at(
        &examine(&cave),
        "openings without their hole",
        [0, 4, 3],
        None,
    );
}

#[test]
fn a_flipped_face_is_seen() {
    let mut cave = tunnel();
    let face = cave.visual[1].triangles.len() - 1;
    cave.visual[1].triangles[face].swap(0, 1);
    let at = cave.visual[1].positions[cave.visual[1].triangles[face][0] as usize];
    let report = examine(&cave);
    let found = report.check("faces toward the void").unwrap();
    assert_eq!((found.ok, found.worst), (false, Some(1.0)));
    let place = found.place.clone().unwrap();
    assert_eq!(place.chunk.as_deref(), Some("1_0_0"));
    assert!((0..3).all(|k| (place.point[k] - f64::from(at[k])).abs() < 0.6));
    assert!(!report.check("closed").unwrap().ok);
    // All of them turned round: closed, but facing the rock.
    let mut cave = tunnel();
    for t in cave.visual.iter_mut().flat_map(|p| &mut p.triangles) {
        t.swap(0, 1);
    }
    fails(&examine(&cave), &["faces toward the void"]);
}

#[test]
fn crossing_sheets_are_seen() {
    let mut cave = tunnel();
    let floor = corner(&cave.visual[0], [5, 4, 0]);
    cave.visual[0].positions[floor][2] = 3.2;
    let report = examine(&cave);
    let check = report.check("crossing triangles").unwrap();
    assert!(!check.ok);
    let point = check.place.as_ref().unwrap().point;
    assert!(
        (point[0] - 2.5).abs() < 0.6 && point[1].abs() < 0.6,
        "{check:?}"
    );
    assert!(report.check("closed").unwrap().ok);
}

#[test]
fn a_fold_is_a_crossing() {
    let mut cave = tunnel();
    // Along the floor, over the next vertex and beyond.
    let floor = corner(&cave.visual[0], [5, 4, 0]);
    cave.visual[0].positions[floor][0] += 1.7 * CELL;
    let report = examine(&cave);
    fails_at(&report, "crossing triangles", [6, 4, 0], Some("0_0_0"));
    assert!(report.check("closed").unwrap().ok);
}

#[test]
fn a_column_is_a_handle() {
    let pillar = |c: [i32; 3]| inside(c) && (c[0], c[1]) != (12, 1);
    let mut cave = subject(pillar);
    let report = examine(&cave);
    fails(&report, &["genus is the graph's"]);
    assert_eq!(
        report.check("genus is the graph's").unwrap().worst,
        Some(1.0)
    );
    cave.handles = 1;
    fails(&examine(&cave), &[]);
    // A loop of the graph is one as well.
    cave.handles = 0;
    let points = [[1.0, 0.0, 1.5], [9.0, 0.0, 1.5], [5.0, 1.0, 1.5]];
    cave.skeleton = graph(&points, &[(0, 1), (1, 2), (0, 2)]);
    assert!(examine(&cave).check("genus is the graph's").unwrap().ok);
}

#[test]
fn a_sliver_is_degenerate() {
    let mut cave = tunnel();
    let floor = corner(&cave.visual[0], [5, 4, 0]);
    cave.visual[0].positions[floor] = at([6, 4, 0]);
    cave.visual[0].positions[floor][0] -= 1e-8;
    cave.visual[0].positions[floor][1] += 1e-8;
    let report = examine(&cave);
    fails_at(&report, "smallest triangle", [6, 4, 0], Some("0_0_0"));
}

#[test]
fn a_moved_collision_is_too_far() {
    let mut cave = tunnel();
    let roof = corner(&cave.collision[0], [15, 4, 6]);
    cave.collision[0].positions[roof][2] += 0.08;
    let report = examine(&cave);
    fails(&report, &["collision to visual"]);
    fails_at(&report, "collision to visual", [15, 4, 6], Some("0_0_0"));
    let worst = report.check("collision to visual").unwrap().worst.unwrap();
    assert!((worst - 0.08).abs() < 1e-6, "{worst}");
}

#[test]
fn an_edge_in_the_rock_is_seen() {
    let mut cave = tunnel();
    cave.skeleton.nodes[1].position.x = 12.0;
    let report = examine(&cave);
    fails(
        &report,
        &[
            "edges in the void",
            "walls across edges",
            "free height on edges",
        ],
    );
    let worst = report.check("edges in the void").unwrap().worst.unwrap();
    assert!((worst + 2.0).abs() < 1e-9, "{worst}");
    fails_at(&report, "walls across edges", [20, 4, 3], None);
    // Off the middle by more than a voxel.
    let mut cave = tunnel();
    for node in &mut cave.skeleton.nodes {
        node.position.y = 0.7;
    }
    fails(&examine(&cave), &["centre sideways, mean"]);
    for node in &mut cave.skeleton.nodes {
        (node.position.y, node.position.z) = (0.0, 0.8);
    }
    fails(&examine(&cave), &["centre up, mean"]);
}

#[test]
fn a_low_roof_is_seen() {
    let mut cave = tunnel();
    cave.config.field.min_clearance_m = 2.0;
    let roof = corner(&cave.visual[0], [8, 4, 6]);
    cave.visual[0].positions[roof][2] = 1.9;
    cave.collision.clear();
    let report = examine(&cave);
    fails(&report, &["free height on edges"]);
    fails_at(&report, "free height on edges", [8, 4, 3], None);
}

#[test]
fn chunks_that_do_not_meet_are_seen() {
    let mut cave = tunnel();
    let border = corner(&cave.visual[1], [10, 4, 0]);
    cave.visual[1].normals[border] = [0.0, 0.6, 0.8];
    let report = examine(&cave);
    fails(&report, &["chunk borders, normals"]);
    fails_at(&report, "chunk borders, normals", [10, 4, 0], Some("0_0_0"));
    // By one bit.
    let x = &mut cave.visual[1].positions[border][0];
    *x = f32::from_bits(x.to_bits() + 1);
    let report = examine(&cave);
    fails_at(
        &report,
        "chunk borders, positions",
        [10, 4, 0],
        Some("0_0_0"),
    );
    assert!(!report.check("closed").unwrap().ok);
    // Both moved alike: they meet, but not where they met before.
    let mut cave = tunnel();
    let edges = [[at([10, 4, 0]), at([10, 5, 0])]];
    cave.visual[0].border_before = Some(edges.to_vec());
    assert!(!examine(&cave).check("chunk borders, positions").unwrap().ok);
}

#[test]
fn a_crumb_is_a_piece_and_a_touch_is_a_pinch() {
    let crumb = |c: [i32; 3]| inside(c) && c != [16, 6, 4];
    fails(&examine(&subject(crumb)), &["pieces", "collision pieces"]);
    // Two stones on the floor that share one upright edge's ends only.
    let stones = [[4, 2, 0], [5, 3, 1]];
    let report = examine(&subject(|c| inside(c) && !stones.contains(&c)));
    assert!(!report.check("pinched vertices").unwrap().ok, "{report:#?}");
}

/// Strict separation of two convex point sets, exactly (separating axes; Gottschalk 1996).
fn apart(a: &[[i128; 3]], b: &[[i128; 3]]) -> bool {
    let sub = |p: [i128; 3], q: [i128; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let cross = |u: [i128; 3], v: [i128; 3]| {
        [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ]
    };
    let edges = |s: &[[i128; 3]]| -> Vec<[i128; 3]> {
        (0..s.len())
            .map(|i| sub(s[(i + 1) % s.len()], s[i]))
            .collect()
    };
    let (ea, eb) = (edges(a), edges(b));
    let (na, nb) = (cross(ea[0], ea[1]), cross(eb[0], eb[1]));
    let mut axes = vec![na, nb];
    for u in &ea {
        axes.extend(eb.iter().map(|v| cross(*u, *v)));
        axes.push(cross(na, *u));
    }
    axes.extend(eb.iter().map(|v| cross(nb, *v)));
    axes.iter().any(|axis| {
        let reach = |s: &[[i128; 3]]| {
            let at = s
                .iter()
                .map(|p| (0..3).map(|k| p[k] * axis[k]).sum::<i128>());
            (at.clone().min().unwrap(), at.max().unwrap())
        };
        let ((la, ha), (lb, hb)) = (reach(a), reach(b));
        ha < lb || hb < la
    })
}

fn has_area(t: &[[i8; 3]; 3]) -> bool {
    let [a, b, c] = t.map(|p| DVec3::from_array(p.map(f64::from)));
    (b - a).cross(c - a).length() > 0.5
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn crossing_agrees_with_separating_axes(
        a in prop::array::uniform3(prop::array::uniform3(-3i8..4)),
        mut b in prop::array::uniform3(prop::array::uniform3(-3i8..4)),
        shared in 0usize..3,
    ) {
        b[..shared].copy_from_slice(&a[..shared]);
        prop_assume!(has_area(&a) && has_area(&b));
        let same = a.iter().filter(|p| b.contains(p)).count();
        prop_assume!(same == shared);
        let mut points: Vec<[i8; 3]> = a.iter().chain(&b).copied().collect();
        points.sort_unstable();
        points.dedup();
        let id = |p: [i8; 3]| points.binary_search(&p).unwrap() as u32;
        let positions: Vec<[f32; 3]> = points.iter().map(|p| p.map(f32::from)).collect();
        let crosses = intersect::cross(&positions, a.map(id), b.map(id));
        prop_assert_eq!(crosses, intersect::cross(&positions, b.map(id), a.map(id)));
        // Without what is shared: nothing, a corner or an edge of `a`, cut off by very little.
        const FINE: i128 = 1_000_000;
        let wide = |t: [[i8; 3]; 3]| t.map(|p| p.map(|c| i128::from(c) * FINE));
        let (wa, wb) = (wide(a), wide(b));
        let toward = |p: [i128; 3], q: [i128; 3]| -> [i128; 3] {
            std::array::from_fn(|k| p[k] + (q[k] - p[k]) / FINE)
        };
        let rest: Vec<[i128; 3]> = match shared {
            0 => wa.to_vec(),
            1 => vec![toward(wa[0], wa[1]), wa[1], wa[2], toward(wa[0], wa[2])],
            _ => vec![toward(wa[0], wa[2]), toward(wa[1], wa[2]), wa[2]],
        };
        prop_assert_eq!(crosses, !apart(&rest, &wb), "shared {}", shared);
    }
}

#[test]
fn small_caves_of_every_preset_pass() {
    for preset in config::presets() {
        if preset.name == "sakany" {
            continue;
        }
        let sets = ["skeleton.nodes=8".to_owned()];
        let config = resolve(Some(preset.name), None, None, &sets).unwrap();
        let config = Config { seed: 3, ..config };
        let report = trial(&config, &Unobserved).unwrap();
        let failed: Vec<_> = report.failed().collect();
        assert!(failed.is_empty(), "{}: {failed:#?}", preset.name);
    }
}

/// What each of these failed in: a passage that broke into its neighbour, under roofs that were high
/// almost everywhere; and a fold that the collision mesh did not follow.
#[test]
fn caves_that_once_failed_pass() {
    for (preset, seed) in [("leo_cave", 6), ("lava_tube", 0)] {
        let config = resolve(Some(preset), None, None, &["skeleton.nodes=12".to_owned()]).unwrap();
        let config = Config { seed, ..config };
        let report = trial(&config, &Unobserved).unwrap();
        let failed: Vec<_> = report.failed().collect();
        assert!(failed.is_empty(), "{preset} seed {seed}: {failed:#?}");
    }
}

#[test]
fn a_model_on_disk_is_the_cave_in_memory() {
    let sets = [
        "skeleton.nodes=4",
        "texture.size_px=256",
        "surface.chunk_m=8",
    ];
    let config = resolve(Some("small_cave"), None, None, &sets.map(str::to_owned)).unwrap();
    let out = tempfile::tempdir().unwrap();
    let request = Request {
        name: "cave".to_owned(),
        config: config.clone(),
        out: out.path().to_owned(),
        graph: None,
        until: Until::Model,
        threads: None,
    };
    run(&request, &Unobserved).unwrap();
    let job = Job::new(&Unobserved, Stage::Surface);
    let disk = examine(&read(&out.path().join("cave"), &job).unwrap());
    let memory = trial(&config, &Unobserved).unwrap();
    for (disk, memory) in disk.checks.iter().zip(&memory.checks) {
        assert_eq!((disk.name, disk.ok), (memory.name, memory.ok));
        let (a, b) = (disk.worst.unwrap(), memory.worst.unwrap());
        assert!((a - b).abs() < 1e-9, "{disk:?} {memory:?}");
    }
    assert_eq!(disk.checks.len(), memory.checks.len());
}

#[test]
fn a_sweep_is_the_same_on_any_number_of_threads() {
    let sweep = |threads: &str| {
        let made = Command::new(env!("CARGO_BIN_EXE_plume"))
            .args(["sweep", "--preset", "small_cave", "--seeds", "4..7"])
            .args(["--set", "skeleton.nodes=3", "--threads", threads])
            .output()
            .unwrap();
        String::from_utf8(made.stdout).unwrap()
    };
    let text = sweep("1");
    assert!(text.starts_with("| preset | caves | pass |"), "{text}");
    assert!(text.contains("| small_cave | 3 |"), "{text}");
    assert_eq!(text, sweep("2"));
}

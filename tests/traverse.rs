//! The floor and routes on it, against synthetic scenes whose answers are known.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod scenes;

use plume::progress::{Job, Observer, Stage};
use plume::traverse::{
    Barrier, Cell, End, Error, FileFault, Floor, NoRoute, PlanOptions, Robot, Route, Selection,
};
use proptest::prelude::*;
use scenes::{Scene, job, layers, leo};

/// Plain shortest paths: no surcharge near walls.
fn plain() -> PlanOptions {
    PlanOptions {
        clearance_weight: 0.0,
        incline_weight: 0.0,
        ..PlanOptions::default()
    }
}

fn plan(floor: &Floor, from: [f64; 3], to: [f64; 3]) -> Result<Route, NoRoute> {
    floor.plan(from, to, &PlanOptions::default(), &job())
}

/// What must hold of every route.
fn check_route(floor: &Floor, route: &Route) {
    let robot = floor.robot();
    assert!(route.poses.len() >= 2);
    for pose in &route.poses {
        let id = floor
            .walkable_at(pose.position)
            .expect("every pose is in a walkable cell");
        let cell = floor.cell(id).unwrap();
        assert!(
            (cell.position[2] - pose.position[2]).abs() < 0.15,
            "{pose:?} {cell:?}"
        );
    }
    for pair in route.poses.windows(2) {
        let d: [f64; 3] = std::array::from_fn(|k| pair[1].position[k] - pair[0].position[k]);
        let run = d[0].hypot(d[1]);
        assert!(run <= 0.5 && run > 0.0, "poses {run} m apart");
        let off = (d[1].atan2(d[0]) - pair[0].yaw).rem_euclid(std::f64::consts::TAU);
        assert!(
            off.min(std::f64::consts::TAU - off) < 1e-9,
            "heading along the path"
        );
    }
    let stats = &route.stats;
    assert!(stats.min_clearance_m >= f64::from(robot.needed_m()) - 1e-6);
    assert!((stats.layers.iter().map(|l| l.1).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(stats.cost.is_finite() && stats.distance_m > 0.0);
}

#[test]
fn a_box_room_is_walkable_but_for_its_rim() {
    let floor = Scene::default()
        .tunnel([0.0, 6.0], [0.0, 4.0], [0.0, 2.0])
        .floor();
    assert_eq!(floor.span_count(), 60 * 40);
    for cell in floor.cells() {
        let [x, y, z] = cell.position;
        let rim = x.min(6.0 - x).min(y).min(4.0 - y);
        assert!((f64::from(cell.clearance) - rim).abs() < 1e-4, "{cell:?}");
        assert_eq!(cell.walkable, rim > f64::from(leo().needed_m()));
        assert!(z.abs() < 1e-6 && (cell.roof - 2.0).abs() < 1e-6 && cell.slope < 1e-6);
    }
    let route = floor
        .plan([0.6, 2.0, 0.0], [5.4, 2.0, 0.0], &plain(), &job())
        .unwrap();
    check_route(&floor, &route);
    assert!((route.stats.distance_m - 4.8).abs() < 1e-6);
    assert!((route.stats.cost - 4.8).abs() < 1e-6);
    assert_eq!(route.stats.ascent_m, 0.0);
    assert_eq!(route.stats.grade_percent, 0.0);
    assert_eq!(route.stats.layers, [("rock".to_owned(), 1.0)]);
}

#[test]
fn ramps_are_climbed_up_to_the_robots_slope() {
    for (degrees, passable) in [(10.0f32, true), (20.0, true), (29.0, true), (35.0, false)] {
        let top = 4.0 * degrees.to_radians().tan();
        let floor = Scene::default()
            .ground(0, [-3.0, 0.0], [0.0, 2.0], 0.0)
            .ramp([0.0, 4.0], [0.0, 2.0], [0.0, top])
            .ground(0, [4.0, 7.0], [0.0, 2.0], top)
            .floor();
        let goal = [6.0, 1.0, f64::from(top)];
        let result = floor.plan([-2.0, 1.0, 0.0], goal, &plain(), &job());
        match (result, passable) {
            (Ok(route), true) => {
                check_route(&floor, &route);
                let stats = &route.stats;
                assert!(
                    (stats.steepest_deg - f64::from(degrees)).abs() < 1.0,
                    "{stats:?}"
                );
                assert!((stats.ascent_m - f64::from(top)).abs() < 0.02, "{stats:?}");
                assert!(
                    (stats.grade_percent - 12.5 * f64::from(top)).abs() < 1.0,
                    "{stats:?}"
                );
            }
            (Err(NoRoute::Unreachable(Barrier::Terrain)), false) => {}
            (result, _) => panic!("{degrees}°: {result:?}"),
        }
        let middle = [2.0, 1.0, f64::from(top) / 2.0];
        let slope = floor.cells().find(|c| {
            (c.position[0] - middle[0]).abs() < 0.06 && (c.position[1] - middle[1]).abs() < 0.06
        });
        assert!((slope.unwrap().slope.to_degrees() - degrees).abs() < 0.1);
    }
}

#[test]
fn a_low_step_is_climbed_and_a_high_one_is_an_obstacle() {
    for (step, passable) in [(0.05f32, true), (0.15, false)] {
        let floor = Scene::default()
            .ground(0, [0.0, 3.0], [0.0, 2.0], 0.0)
            .riser(3.0, [0.0, 2.0], [0.0, step])
            .ground(0, [3.0, 6.0], [0.0, 2.0], step)
            .floor();
        let result = plan(&floor, [1.0, 1.0, 0.0], [5.0, 1.0, f64::from(step)]);
        assert_eq!(result.is_ok(), passable, "{step}: {result:?}");
        let near = |c: &Cell| (c.position[0] - 2.95).hypot(c.position[1] - 1.05) < 1e-3;
        assert_eq!(
            floor.cells().find(near).unwrap().clearance < 0.06,
            !passable
        );
        let map = floor.occupancy(Selection::All);
        let row = (map.height / 2 * map.width) as usize;
        let line = &map.cells[row..row + map.width as usize];
        // Without the rim: all free, or one cell closed at the foot of the upper side.
        let closed = line[1..line.len() - 1]
            .iter()
            .filter(|c| **c == 100)
            .count();
        assert_eq!(closed, usize::from(!passable));
    }
}

#[test]
fn stairs_count_as_the_slope_they_make() {
    for (rise, tread, passable) in [(0.05f32, 0.3f32, true), (0.07, 0.1, false)] {
        let mut scene = Scene::default().ground(0, [0.0, 2.0], [0.0, 2.0], 0.0);
        for k in 0..12 {
            let (x, z) = (2.0 + k as f32 * tread, k as f32 * rise);
            scene = scene.riser(x, [0.0, 2.0], [z, z + rise]).ground(
                0,
                [x, x + tread],
                [0.0, 2.0],
                z + rise,
            );
        }
        let (x, z) = (2.0 + 12.0 * tread, 12.0 * rise);
        let floor = scene.ground(0, [x, x + 2.0], [0.0, 2.0], z).floor();
        let result = plan(
            &floor,
            [1.0, 1.0, 0.0],
            [f64::from(x) + 1.0, 1.0, f64::from(z)],
        );
        assert_eq!(result.is_ok(), passable, "rise {rise}: {result:?}");
    }
}

#[test]
fn tunnels_that_cross_never_leak_into_each_other() {
    let floor = Scene::default()
        .tunnel([0.0, 12.0], [5.0, 7.0], [0.0, 2.0])
        .tunnel([5.0, 7.0], [0.0, 12.0], [3.0, 5.0])
        .floor();
    let crossing: Vec<_> = floor
        .cells()
        .filter(|c| (c.position[0] - 6.05).abs() < 1e-3 && (c.position[1] - 6.05).abs() < 1e-3)
        .collect();
    assert_eq!(crossing.len(), 2);
    assert!(
        crossing
            .iter()
            .all(|c| c.walkable && (c.roof - 2.0).abs() < 1e-5)
    );
    assert_ne!(crossing[0].component, crossing[1].component);
    let below = plan(&floor, [1.0, 6.0, 0.0], [11.0, 6.0, 0.0]).unwrap();
    assert!(below.poses.iter().all(|p| p.position[2].abs() < 1e-6));
    let above = plan(&floor, [6.0, 1.0, 3.0], [6.0, 11.0, 3.0]).unwrap();
    assert!(
        above
            .poses
            .iter()
            .all(|p| (p.position[2] - 3.0).abs() < 1e-6)
    );
    let error = plan(&floor, [1.0, 6.0, 0.0], [6.0, 11.0, 3.0]).unwrap_err();
    assert_eq!(error, NoRoute::Unreachable(Barrier::Terrain));
}

#[test]
fn a_spiral_joins_levels_by_its_ramps_only() {
    // Up along x, across, and back over the lower ramp.
    let floor = Scene::default()
        .ground(0, [-2.0, 0.0], [0.0, 2.0], 0.0)
        .ramp([0.0, 10.0], [0.0, 2.0], [0.0, 2.0])
        .ground(0, [10.0, 12.0], [0.0, 4.0], 2.0)
        .ramp([0.0, 10.0], [2.0, 4.0], [4.0, 2.0])
        .ground(0, [-2.0, 0.0], [0.0, 4.0], 4.0)
        .roof([-2.0, 0.0], [0.0, 4.0], 3.9)
        .floor();
    let route = plan(&floor, [-1.0, 1.0, 0.0], [-1.0, 1.0, 4.0]).unwrap();
    check_route(&floor, &route);
    assert!(route.stats.distance_m > 22.0 && (route.stats.ascent_m - 4.0).abs() < 0.1);
}

#[test]
fn a_low_roof_and_a_narrow_gap_stop_the_robot() {
    let low = Scene::default()
        .tunnel([0.0, 8.0], [0.0, 2.0], [0.0, 2.0])
        .roof([3.0, 5.0], [0.0, 2.0], 0.25)
        .floor();
    let error = plan(&low, [1.0, 1.0, 0.0], [7.0, 1.0, 0.0]).unwrap_err();
    assert_eq!(error, NoRoute::Unreachable(Barrier::Terrain));
    let error = plan(&low, [1.0, 1.0, 0.0], [4.0, 1.0, 0.0]).unwrap_err();
    assert!(
        matches!(error, NoRoute::LowRoof { end: End::Goal, .. }),
        "{error}"
    );

    for (gap, passable) in [(0.6f32, false), (1.0, true)] {
        let floor = Scene::default()
            .ground(0, [0.0, 3.0], [0.0, 3.0], 0.0)
            .ground(0, [3.0, 5.0], [1.5 - gap / 2.0, 1.5 + gap / 2.0], 0.0)
            .ground(0, [5.0, 8.0], [0.0, 3.0], 0.0)
            .floor();
        let result = plan(&floor, [1.0, 1.5, 0.0], [7.0, 1.5, 0.0]);
        match result {
            Ok(route) => {
                assert!(passable);
                check_route(&floor, &route);
            }
            Err(error) => {
                assert!(!passable);
                assert_eq!(error, NoRoute::Unreachable(Barrier::Narrow));
            }
        }
    }
}

#[test]
fn a_rock_on_the_floor_is_driven_around() {
    let bare = Scene::default().tunnel([0.0, 8.0], [0.0, 4.0], [0.0, 2.0]);
    let rock = bare
        .clone()
        .ground(0, [3.5, 4.5], [1.5, 2.5], 0.5)
        .roof([3.5, 4.5], [1.5, 2.5], -0.2)
        .floor();
    let route = plan(&rock, [1.0, 2.0, 0.0], [7.0, 2.0, 0.0]).unwrap();
    check_route(&rock, &route);
    assert!(route.stats.distance_m > 6.05 && route.stats.ascent_m < 1e-6);
    let inside = rock
        .cells()
        .filter(|c| (c.position[0] - 4.05).abs() < 1e-3 && (c.position[1] - 2.05).abs() < 1e-3);
    assert_eq!(inside.map(|c| c.position[2]).collect::<Vec<_>>(), [0.5]);
}

#[test]
fn a_dear_layer_is_avoided_when_the_way_around_is_cheaper() {
    let scene = |mud: u8| {
        Scene::default()
            .ground(0, [0.0, 4.0], [0.0, 6.0], 0.0)
            .ground(mud, [4.0, 6.0], [0.0, 3.0], 0.0)
            .ground(0, [4.0, 6.0], [3.0, 6.0], 0.0)
            .ground(0, [6.0, 10.0], [0.0, 6.0], 0.0)
            .floor()
    };
    let (from, to) = ([1.0, 1.0, 0.0], [9.0, 1.0, 0.0]);
    let straight = plan(&scene(0), from, to).unwrap();
    assert!(straight.stats.distance_m < 8.2);
    let around = plan(&scene(1), from, to).unwrap();
    assert!(around.stats.distance_m > 8.5);
    assert!(
        around.stats.layers.iter().all(|l| l.0 == "rock"),
        "{:?}",
        around.stats
    );
}

#[test]
fn water_is_crossed_only_when_allowed_and_needed() {
    let pond = |y: [f32; 2]| {
        let mut scene = Scene::default()
            .ground(0, [0.0, 4.0], [0.0, 4.0], 0.0)
            .ground(2, [4.0, 6.0], y, 0.0)
            .ground(0, [6.0, 10.0], [0.0, 4.0], 0.0);
        if y[1] < 4.0 {
            scene = scene.ground(0, [4.0, 6.0], [y[1], 4.0], 0.0);
        }
        scene.floor()
    };
    let (from, to) = ([1.0, 1.0, 0.0], [9.0, 1.0, 0.0]);
    let wading = PlanOptions::default().with(2.0, true);
    let whole = pond([0.0, 4.0]);
    assert_eq!(
        plan(&whole, from, to).unwrap_err(),
        NoRoute::OnlyThroughWater
    );
    let route = whole.plan(from, to, &wading, &job()).unwrap();
    check_route(&whole, &route);
    assert!(route.stats.crosses_water);
    let error = plan(&whole, from, [5.0, 2.0, 0.0]);
    assert!(matches!(error, Err(NoRoute::InWater { end: End::Goal, .. })) || error.is_ok());
    let reached = |options| {
        let costs = whole.distances_from(from, &options, &job()).unwrap();
        costs[whole.nearest(to).unwrap().index()].is_finite()
    };
    assert!(!reached(PlanOptions::default()) && reached(wading));

    let half = pond([0.0, 2.0]);
    let route = half.plan(from, to, &wading, &job()).unwrap();
    assert!(!route.stats.crosses_water && route.stats.distance_m > 8.3);
}

#[test]
fn a_larger_incline_weight_winds_up_a_cone() {
    let floor = Scene::default()
        .field(0, [-8.0, -8.0], [64, 64], 0.25, true, |x, y| {
            (3.0 - 0.45 * (x * x + y * y).sqrt()).max(0.0)
        })
        .floor();
    let climb = |k: f64| {
        let options = PlanOptions {
            incline_weight: k,
            clearance_weight: 0.0,
            ..plain()
        };
        let route = floor
            .plan([-7.0, 0.05, 0.0], [-0.3, 0.05, 2.9], &options, &job())
            .unwrap();
        check_route(&floor, &route);
        route.stats
    };
    let figures: Vec<_> = [0.0, 2.0, 5.0].map(climb).into_iter().collect();
    assert!(figures[0].distance_m < 7.4, "{figures:?}");
    for pair in figures.windows(2) {
        assert!(
            pair[1].distance_m >= pair[0].distance_m - 1e-9,
            "{figures:?}"
        );
        assert!(
            pair[1].grade_percent <= pair[0].grade_percent + 1e-9,
            "{figures:?}"
        );
    }
    assert!(
        figures[2].distance_m > figures[0].distance_m + 1.0,
        "{figures:?}"
    );
}

#[test]
fn routes_keep_off_walls_unless_told_otherwise() {
    // Around an inner corner.
    let floor = Scene::default()
        .ground(0, [0.0, 3.0], [0.0, 8.0], 0.0)
        .ground(0, [3.0, 8.0], [5.0, 8.0], 0.0)
        .floor();
    let (from, to) = ([1.0, 1.0, 0.0], [7.0, 7.0, 0.0]);
    let shy = plan(&floor, from, to).unwrap();
    let bold = floor.plan(from, to, &plain(), &job()).unwrap();
    check_route(&floor, &shy);
    check_route(&floor, &bold);
    let (a, b) = (shy.stats.min_clearance_m, bold.stats.min_clearance_m);
    assert!(a > b + 0.05, "{a} {b}");
    assert!(shy.stats.distance_m >= bold.stats.distance_m);
}

#[test]
fn every_hopeless_request_gets_its_reason() {
    let floor = Scene::default()
        .tunnel([0.0, 6.0], [0.0, 4.0], [0.0, 2.0])
        .tunnel([20.0, 26.0], [0.0, 4.0], [0.0, 2.0])
        .ground(0, [8.0, 14.0], [0.0, 0.4], 0.0)
        .ramp([8.0, 12.0], [8.0, 12.0], [0.0, 4.0])
        .floor();
    let ok = [1.03, 1.03, 0.0];
    let asked = |from, to| plan(&floor, from, to).unwrap_err();
    assert!(matches!(
        asked([f64::NAN, 0.0, 0.0], ok),
        NoRoute::NotFinite {
            end: End::Start,
            ..
        }
    ));
    assert!(matches!(
        asked(ok, [0.0, 0.0, f64::INFINITY]),
        NoRoute::NotFinite { end: End::Goal, .. }
    ));
    assert!(matches!(
        asked(ok, [1e9, 0.0, 0.0]),
        NoRoute::OutsideMap { end: End::Goal, .. }
    ));
    assert!(matches!(
        asked(ok, [-1e300, 0.0, 0.0]),
        NoRoute::OutsideMap { .. }
    ));
    assert!(matches!(
        asked(ok, [17.0, 2.0, 0.0]),
        NoRoute::NoGround { .. }
    ));
    assert!(matches!(
        asked(ok, [3.0, 2.0, 40.0]),
        NoRoute::NoGround { .. }
    ));
    assert!(matches!(
        asked(ok, [11.0, 0.2, 0.0]),
        NoRoute::TooNarrow { .. }
    ));
    assert!(matches!(
        asked(ok, [10.0, 10.0, 2.0]),
        NoRoute::TooSteep { .. }
    ));
    assert!(matches!(
        asked(ok, [1.06, 1.02, 0.1]),
        NoRoute::SamePlace(_)
    ));
    assert_eq!(
        asked(ok, [22.0, 2.0, 0.0]),
        NoRoute::Unreachable(Barrier::Terrain)
    );
    let bad = PlanOptions {
        incline_weight: f64::NAN,
        ..PlanOptions::default()
    };
    let error = floor.plan(ok, [5.0, 2.0, 0.0], &bad, &job()).unwrap_err();
    assert!(matches!(
        error,
        NoRoute::Option {
            key: "incline_weight",
            ..
        }
    ));

    let giant = Robot {
        width_m: 12.0,
        ..leo()
    };
    let floor = Scene::default()
        .tunnel([0.0, 6.0], [0.0, 4.0], [0.0, 2.0])
        .floor_with(&[("rock", 1.0)], &giant, 0.1);
    let error = plan(&floor, ok, [5.0, 2.0, 0.0]).unwrap_err();
    assert!(matches!(error, NoRoute::RobotTooLarge { .. }), "{error}");
    insta::assert_snapshot!(error, @r#"robot "leo" fits nowhere in this cave: it needs 6.05 m to the nearest obstacle, the widest place offers 1.95 m"#);
}

#[test]
fn bad_meshes_are_refused_with_their_place() {
    let set = layers(&[("rock", 1.0)]);
    let build = |scene: Scene, cell| Floor::build(&scene.meshes, &set, &leo(), cell, &job());
    let flat = Scene::default().ground(0, [0.0, 1.0], [0.0, 1.0], 0.0);
    assert!(matches!(build(Scene::default(), 0.1), Err(Error::Empty)));
    assert!(matches!(
        build(flat.clone(), f64::NAN),
        Err(Error::CellSize(_))
    ));
    assert!(matches!(
        build(flat.clone(), 0.001),
        Err(Error::CellSize(_))
    ));
    let mut nan = flat.clone();
    nan.meshes[0].positions[2][1] = f32::NAN;
    assert!(
        build(nan, 0.1)
            .unwrap_err()
            .to_string()
            .contains("vertex 2")
    );
    let mut index = flat.clone();
    index.meshes[0].triangles[1][0] = 9;
    assert!(
        build(index, 0.1)
            .unwrap_err()
            .to_string()
            .contains("vertex 9 of 4")
    );
    let layer = Scene::default().ground(3, [0.0, 1.0], [0.0, 1.0], 0.0);
    assert!(
        build(layer, 0.1)
            .unwrap_err()
            .to_string()
            .contains("layer 3 of a set of 1")
    );
    let vast = Scene::default().ground(0, [-9e4, 9e4], [-9e4, 9e4], 0.0);
    assert!(matches!(build(vast, 0.02), Err(Error::TooLarge { .. })));
    let free = layers(&[("rock", 0.0)]);
    let error = Floor::build(&flat.meshes, &free, &leo(), 0.1, &job()).unwrap_err();
    assert!(matches!(error, Error::LayerCost { .. }));
}

#[test]
fn the_farthest_candidate_is_by_cost_not_by_distance() {
    // A U: its far end is near the start as the crow flies.
    let floor = Scene::default()
        .ground(0, [0.0, 10.0], [0.0, 2.0], 0.0)
        .ground(0, [8.0, 10.0], [2.0, 6.0], 0.0)
        .ground(0, [0.0, 10.0], [6.0, 8.0], 0.0)
        .floor();
    let candidates = [
        [1.0, 1.0, 0.0],
        [9.0, 1.0, 0.0],
        [1.0, 7.0, 0.0],
        [50.0, 0.0, 0.0],
        [5.0, 4.0, 0.0],
    ];
    let options = PlanOptions::default();
    let (index, route) = floor
        .farthest([1.0, 1.0, 0.0], &candidates, &options, &job())
        .unwrap();
    assert_eq!(index, 2);
    check_route(&floor, &route);
    let costs = floor
        .distances_from([1.0, 1.0, 0.0], &options, &job())
        .unwrap();
    let goal = floor.nearest(candidates[2]).unwrap();
    assert!((f64::from(costs[goal.index()]) - route.stats.cost).abs() < 1e-4);
    let nothing = floor.farthest([1.0, 1.0, 0.0], &candidates[3..4], &options, &job());
    assert_eq!(nothing.unwrap_err(), NoRoute::NothingReachable(1));
}

#[test]
fn cancelling_stops_building_and_planning() {
    struct Stop;
    impl Observer for Stop {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let stop = Job::new(&Stop, Stage::Floor);
    let scene = Scene::default().ground(0, [0.0, 6.0], [0.0, 4.0], 0.0);
    let built = Floor::build(&scene.meshes, &layers(&[("rock", 1.0)]), &leo(), 0.1, &stop);
    assert!(matches!(built, Err(Error::Cancelled(_))));
    let floor = scene.floor();
    let planned = floor.plan(
        [1.0, 2.0, 0.0],
        [5.0, 2.0, 0.0],
        &PlanOptions::default(),
        &stop,
    );
    assert!(matches!(planned, Err(NoRoute::Cancelled(_))));
}

#[test]
fn a_turned_map_gives_the_turned_answer() {
    let scene = Scene::hall([16.0, 24.0], 0.5);
    let (straight, turned) = (scene.floor(), scene.turned().floor());
    let turn = |p: [f64; 3]| [-p[1], p[0], p[2]];
    assert_eq!(straight.span_count(), turned.span_count());
    for cell in straight.cells() {
        let [x, y, _] = turn(cell.position);
        let same = |c: &Cell| (c.position[0] - x).abs() + (c.position[1] - y).abs() < 1e-3;
        let there = turned
            .cell(turned.nearest_span(turn(cell.position)).unwrap())
            .unwrap();
        assert!(same(&there));
        assert_eq!(cell.open, there.open, "{cell:?}\n{there:?}");
        assert!(
            (cell.clearance - there.clearance).abs() < 1e-6,
            "{cell:?}\n{there:?}"
        );
    }
    let (from, to) = ([0.95, 0.95, 0.3], [15.05, 22.95, 0.3]);
    let a = plan(&straight, from, to).unwrap();
    let b = plan(&turned, turn(from), turn(to)).unwrap();
    assert!(
        (a.stats.cost - b.stats.cost).abs() < 1e-4,
        "{} {}",
        a.stats.cost,
        b.stats.cost
    );
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let scene = Scene::hall([16.0, 16.0], 0.5);
    let bytes = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| scene.floor().to_bytes().unwrap())
    };
    assert_eq!(bytes(1), bytes(3));
}

#[test]
fn a_saved_floor_comes_back_whole() {
    let floor = Scene::hall([8.0, 8.0], 0.5).floor();
    let bytes = floor.to_bytes().unwrap();
    let back = Floor::from_bytes(&bytes, &job()).unwrap();
    assert_eq!(back, floor);
    assert_eq!(back.to_bytes().unwrap(), bytes);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("floor.bin");
    floor.save(&path).unwrap();
    assert_eq!(Floor::load(&path, &job()).unwrap(), floor);
    let missing = Floor::load(&folder.path().join("no.bin"), &job()).unwrap_err();
    assert!(missing.to_string().contains("no.bin"));
}

#[test]
fn a_damaged_floor_file_is_an_error() {
    let bytes = Scene::default()
        .ground(0, [0.0, 1.0], [0.0, 1.0], 0.0)
        .floor()
        .to_bytes()
        .unwrap();
    let fault = |bytes: &[u8]| match Floor::from_bytes(bytes, &job()) {
        Err(Error::File(fault)) => fault,
        other => panic!("{other:?}"),
    };
    for length in 0..bytes.len() {
        fault(&bytes[..length]);
    }
    for at in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[at] ^= 0x40;
        fault(&bad);
    }
    assert_eq!(fault(b"PLUME"), FileFault::Truncated(5));
    assert_eq!(fault(b"NOTAFLOORFILE"), FileFault::Magic);
    // A good checksum over a count that no memory could hold.
    let mut bad = bytes[..bytes.len() - 8].to_vec();
    let count = bad.len() - 100 * 30 - 4;
    bad[count..count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let hash = blake3::hash(&bad);
    bad.extend(&hash.as_bytes()[..8]);
    assert!(matches!(fault(&bad), FileFault::Truncated(_)));
}

#[test]
fn spans_belong_to_the_level_of_their_passage() {
    use glam::DVec3;
    use plume::skeleton::{Edge, Node, NodeKind, RigidTransform, Skeleton};
    let floor = Scene::default()
        .tunnel([0.0, 12.0], [5.0, 7.0], [0.0, 2.4])
        .tunnel([5.0, 7.0], [0.0, 12.0], [3.0, 5.4])
        .floor();
    let node = |id: i64, position: [f64; 3], level: u32| Node {
        id,
        parent: None,
        position: DVec3::from_array(position),
        radius_m: 3.0,
        passage_m: 1.0,
        level,
        kind: NodeKind::Passage,
        active: true,
    };
    let skeleton = Skeleton {
        nodes: vec![
            node(0, [0.0, 6.0, 1.2], 0),
            node(1, [12.0, 6.0, 1.2], 0),
            node(2, [6.0, 0.0, 4.2], 1),
            node(3, [6.0, 12.0, 4.2], 1),
        ],
        edges: vec![Edge { a: 0, b: 1 }, Edge { a: 2, b: 3 }],
        entrance: 0,
        world_from_graph: RigidTransform::IDENTITY,
        extra: serde_json::Map::new(),
    };
    let levels = floor.levels(&skeleton);
    for cell in floor.cells() {
        assert_eq!(
            levels[cell.id.index()],
            u32::from(cell.position[2] > 2.0),
            "{cell:?}"
        );
    }
    let map = floor.occupancy(Selection::Level(&levels, 1));
    assert_eq!((map.width, map.height), (22, 122));
    assert_eq!(map.cells.iter().filter(|c| **c == 0).count(), 20 * 120);
}

/// nav2's map server, as its documentation has it: p = (255 - shade) / 255; p > occupied_thresh is occupied,
/// p < free_thresh is free, all else unknown; the image's last row is the map's first.
fn read_as_nav2(pgm: &[u8], yaml: &str) -> (usize, usize, Vec<i8>, [f64; 2], f64) {
    let yaml: serde_json::Value = plume::config::yaml::from_str(yaml).unwrap();
    let number = |v: &serde_json::Value| v.as_f64().unwrap();
    let (occupied, free) = (
        number(&yaml["occupied_thresh"]),
        number(&yaml["free_thresh"]),
    );
    assert_eq!(yaml["negate"].as_i64(), Some(0));
    assert_eq!(yaml["mode"].as_str(), Some("trinary"));
    let mut fields = pgm.splitn(4, |b| *b == b'\n');
    assert_eq!(fields.next(), Some(&b"P5"[..]));
    let size = std::str::from_utf8(fields.next().unwrap()).unwrap();
    let (width, height) = size.split_once(' ').unwrap();
    let (width, height): (usize, usize) = (width.parse().unwrap(), height.parse().unwrap());
    assert_eq!(fields.next(), Some(&b"255"[..]));
    let shades = fields.next().unwrap();
    assert_eq!(shades.len(), width * height);
    let cells = shades.chunks(width).rev().flatten().map(|shade| {
        match (255.0 - f64::from(*shade)) / 255.0 {
            p if p > occupied => 100,
            p if p < free => 0,
            _ => -1,
        }
    });
    let origin = [number(&yaml["origin"][0]), number(&yaml["origin"][1])];
    (
        width,
        height,
        cells.collect(),
        origin,
        number(&yaml["resolution"]),
    )
}

#[test]
fn maps_read_back_by_nav2s_rule() {
    let floor = Scene::default()
        .tunnel([-1.0, 5.0], [0.0, 2.0], [0.0, 2.0])
        .ground(0, [-1.0, 5.0], [0.0, 2.0], 3.0)
        .roof([2.0, 2.5], [0.5, 1.0], 0.1)
        .floor();
    let map = floor.occupancy(Selection::Band(-0.5, 1.0));
    assert_eq!((map.width, map.height), (62, 22));
    let yaml = map.yaml("level_0.pgm");
    insta::assert_snapshot!(yaml, @r"
    image: level_0.pgm
    mode: trinary
    resolution: 0.1
    origin: [-1.1, -0.1, 0.0]
    negate: 0
    occupied_thresh: 0.65
    free_thresh: 0.1
    ");
    let (width, height, cells, origin, resolution) = read_as_nav2(&map.pgm(), &yaml);
    assert_eq!((width, height), (62, 22));
    assert_eq!(cells, map.cells);
    let at = |x: f64, y: f64| {
        let column = ((x - origin[0]) / resolution).floor() as usize;
        cells[((y - origin[1]) / resolution).floor() as usize * width + column]
    };
    assert_eq!(
        (at(0.05, 1.05), at(2.25, 0.75), at(-1.05, 1.05)),
        (0, 100, 100)
    );
    assert_eq!(cells.iter().filter(|c| **c == 0).count(), 60 * 20 - 5 * 5);
    // No corner of the rim is missing: a closed ring of 62 × 22 cells.
    assert_eq!(
        cells.iter().filter(|c| **c == 100).count(),
        2 * (62 + 20) + 25
    );
    assert_eq!(floor.occupancy(Selection::Band(50.0, 60.0)).cells.len(), 0);
}

/// Ground of blocks of 0.5 m, each of some height and layer.
fn blocks(heights: &[u8], kinds: &[u8], width: usize) -> Scene {
    heights
        .iter()
        .zip(kinds)
        .enumerate()
        .fold(Scene::default(), |scene, (i, (height, kind))| {
            let (x, y) = ((i % width) as f32 * 0.5, (i / width) as f32 * 0.5);
            scene.ground(
                kind % 2,
                [x, x + 0.5],
                [y, y + 0.5],
                f32::from(*height) * 0.02,
            )
        })
}

/// Bellman and Ford's relaxation over every cell, from public figures only: slow, and sharing no code with the search.
fn relaxed(floor: &Floor, start: usize, options: &PlanOptions) -> Vec<f64> {
    let cells: Vec<_> = floor.cells().collect();
    let edge = floor.cell_m();
    let index = |c: [f64; 3]| ((c[0] / edge).floor() as i64, (c[1] / edge).floor() as i64);
    let at: std::collections::BTreeMap<_, usize> = cells
        .iter()
        .enumerate()
        .map(|(i, c)| (index(c.position), i))
        .collect();
    let robot = floor.robot();
    let penalty = |i: usize| {
        let margin = options.clearance_margin_m;
        let lack = (f64::from(robot.needed_m()) + margin - f64::from(cells[i].clearance)) / margin;
        f64::from(cells[i].cost) * (1.0 + options.clearance_weight * lack.clamp(0.0, 1.0))
    };
    let linked = |a: usize, dx: i64, dy: i64| -> Option<usize> {
        let (x, y) = index(cells[a].position);
        let b = *at.get(&(x + dx, y + dy))?;
        let run = edge * ((dx * dx + dy * dy) as f64).sqrt();
        let tan = f64::from(robot.max_slope_deg).to_radians().tan();
        let limit = f64::from(robot.max_step_m).max(run * tan) + 1e-5;
        let rise = (cells[a].position[2] - cells[b].position[2]).abs();
        (cells[b].walkable && rise <= limit).then_some(b)
    };
    let mut cost = vec![f64::INFINITY; cells.len()];
    cost[start] = 0.0;
    loop {
        let mut changed = false;
        for a in (0..cells.len()).filter(|&a| cells[a].walkable) {
            for (dx, dy) in [
                (1, 0),
                (1, 1),
                (0, 1),
                (-1, 1),
                (-1, 0),
                (-1, -1),
                (0, -1),
                (1, -1),
            ] {
                let Some(b) = linked(a, dx, dy) else { continue };
                let corner =
                    |dx, dy, ex, ey| linked(a, dx, dy).and_then(|c| linked(c, ex, ey)) == Some(b);
                if dx != 0 && dy != 0 && !(corner(dx, 0, 0, dy) && corner(0, dy, dx, 0)) {
                    continue;
                }
                let run = edge * ((dx * dx + dy * dy) as f64).sqrt();
                let rise = cells[b].position[2] - cells[a].position[2];
                let angle = (rise.abs() / run).atan();
                let step = run.hypot(rise)
                    * penalty(a).max(penalty(b))
                    * (options.incline_weight * angle / std::f64::consts::FRAC_PI_4).exp();
                if cost[a] + step < cost[b] {
                    cost[b] = cost[a] + step;
                    changed = true;
                }
            }
        }
        if !changed {
            return cost;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn routes_cost_what_an_exhaustive_relaxation_finds(
        heights in prop::collection::vec(0u8..7, 8 * 6),
        kinds in prop::collection::vec(0u8..2, 8 * 6),
        incline_weight in 0.0..6.0f64,
        clearance_weight in 0.0..3.0f64,
        pick in (0usize..10_000, 0usize..10_000),
    ) {
        let floor = blocks(&heights, &kinds, 8).floor();
        let options = PlanOptions { incline_weight, clearance_weight, ..PlanOptions::default() };
        let walkable: Vec<_> = floor.cells().filter(|c| c.walkable).collect();
        prop_assume!(walkable.len() > 1);
        let from = &walkable[pick.0 % walkable.len()];
        let to = &walkable[pick.1 % walkable.len()];
        prop_assume!(from.id != to.id);
        let truth = relaxed(&floor, from.id.index(), &options);
        let all = floor.distances_from(from.position, &options, &job()).unwrap();
        for (mine, truth) in all.iter().zip(&truth) {
            let same = (f64::from(*mine) - truth).abs() < 1e-5 * truth.max(1.0);
            prop_assert!(same || mine.is_infinite() && truth.is_infinite(), "{mine} {truth}");
        }
        match floor.plan(from.position, to.position, &options, &job()) {
            Ok(route) => {
                check_route(&floor, &route);
                prop_assert!((route.stats.cost - truth[to.id.index()]).abs() < 1e-6);
            }
            Err(error) => {
                prop_assert!(matches!(error, NoRoute::Unreachable(_)), "{}", error);
                prop_assert!(truth[to.id.index()].is_infinite());
            }
        }
    }

    #[test]
    fn any_bytes_are_an_error_not_a_panic(tail in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut bytes = b"PLUMEFLR\x01\0\0\0".to_vec();
        bytes.extend(tail);
        let hash = blake3::hash(&bytes);
        bytes.extend(&hash.as_bytes()[..8]);
        prop_assert!(Floor::from_bytes(&bytes, &job()).is_err());
    }
}

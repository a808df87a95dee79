//! Caves of several levels: a robot drives down a ramp, and not down a shaft.

use crate::{make, request};
use plume::config::PassageConfig;
use plume::pipeline::Cave;
use plume::progress::{Job, Stage, Unobserved};
use plume::skeleton::NodeKind;
use plume::traverse::{Barrier, Floor, NoRoute, PlanOptions, Route};
use std::path::Path;

fn two_levels(out: &Path, max_connection_deg: f64) -> Cave {
    let mut request = request(out);
    request.config.skeleton.levels = 2;
    request.config.skeleton.connections = 1;
    request.config.skeleton.max_connection_deg = max_connection_deg;
    make(&request).unwrap()
}

/// Routes from the entrance to the floor under each node of the lower level.
fn routes_down(cave: &Cave) -> Vec<Result<Route, NoRoute>> {
    let job = Job::new(&Unobserved, Stage::Floor);
    let floor = Floor::load(&cave.summary.model_path.join("plume/floor.bin"), &job).unwrap();
    let below = cave.skeleton.nodes.iter().filter(|n| n.level == 1);
    below
        .map(|node| {
            let goal = node.floor(&PassageConfig::default());
            floor.plan([0.0; 3], goal, &PlanOptions::default(), &job)
        })
        .collect()
}

#[test]
fn a_ramp_leads_a_robot_to_the_lower_level() {
    let folder = tempfile::tempdir().unwrap();
    let cave = two_levels(folder.path(), 15.0);
    assert_eq!((cave.maps.len(), cave.summary.levels), (2, 2));
    assert!(
        cave.skeleton
            .nodes
            .iter()
            .all(|n| n.kind != NodeKind::Shaft)
    );
    let routes = routes_down(&cave);
    let reached = routes.iter().filter(|route| route.is_ok()).count();
    assert!(2 * reached > routes.len(), "{reached} of {}", routes.len());
}

#[test]
fn a_shaft_is_marked_and_named_when_it_lies_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let cave = two_levels(folder.path(), 90.0);
    let shafts = cave
        .skeleton
        .nodes
        .iter()
        .filter(|n| n.kind == NodeKind::Shaft);
    assert_eq!(shafts.count(), 2);
    let job = Job::new(&Unobserved, Stage::Floor);
    let floor = Floor::load(&cave.summary.model_path.join("plume/floor.bin"), &job).unwrap();
    let [shaft] = floor.shafts() else {
        panic!("one shaft, not {:?}", floor.shafts());
    };
    assert!(shaft.incline_deg > 30.0 && shaft.places[0][2] > shaft.places[1][2]);
    let routes = routes_down(&cave);
    let named = routes
        .iter()
        .filter(|route| matches!(route, Err(NoRoute::Unreachable(Barrier::Shaft { .. }))));
    assert!(2 * named.count() > routes.len(), "{routes:?}");
}

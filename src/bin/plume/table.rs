//! The figures of a cave for a person.

use plume::model::ModelSummary;
use plume::pipeline::Cave;
use std::fmt::Write;
use std::path::Path;

/// What was made, and what to try next.
pub fn of(cave: &Cave) -> String {
    let made = &cave.summary;
    let mut rows = Rows::default();
    let on_disk = !made.model_path.as_os_str().is_empty();
    if on_disk {
        rows.add("model", made.model_path.display().to_string());
    }
    if !made.world_path.as_os_str().is_empty() {
        rows.add("world", made.world_path.display().to_string());
    }
    rows.add(
        "cave",
        format!(
            "{} nodes, {} edges, {:.0} m of passage, {}, seed {}",
            made.nodes,
            made.edges,
            made.length_m,
            plural(made.levels as usize, "level"),
            made.seed
        ),
    );
    if made.shell_triangles > 0 {
        rows.add("mesh", mesh(made));
    }
    if made.texels > 0 {
        let (edge, texels) = (made.texture_px, made.texels as f64 / 1e6);
        rows.add("texture", format!("{edge} px, {texels:.1} million texels"));
    }
    for layer in &made.layers {
        let (name, area) = (&layer.name, layer.area_m2);
        let (mu, cost) = (layer.mu, layer.cost);
        rows.add(
            "layers",
            format!("{name:<14}{area:>9.1} m2   mu {mu:<5} cost {cost}"),
        );
    }
    if let Some(route) = &made.route {
        rows.add(
            "route",
            format!(
                "{:.1} m to the farthest place, ascent {:.1} m, steepest {:.1} deg, \
                 grade {:.1} %, cost {:.0}",
                route.distance_m,
                route.ascent_m,
                route.steepest_deg,
                route.grade_percent,
                route.cost
            ),
        );
    } else if let Some(reason) = &made.route_reason {
        rows.add("route", format!("none: {reason}"));
    }
    if !made.stages.is_empty() {
        let stages: Vec<_> = made
            .stages
            .iter()
            .map(|s| format!("{} {:.2}", s.stage, s.seconds))
            .collect();
        rows.add(
            "seconds",
            format!("{:.2} in all: {}", made.seconds, stages.join(", ")),
        );
    }
    for command in next(cave) {
        rows.add("try next", command);
    }
    rows.0
}

fn mesh(made: &ModelSummary) -> String {
    format!(
        "{} triangles, {} to look at, {} to collide with; {:.0} m2 in {}, voxel {:.3} m",
        made.shell_triangles,
        made.visual_triangles,
        made.collision_triangles,
        made.area_m2,
        plural(made.chunks, "chunk"),
        made.voxel_m
    )
}

fn next(cave: &Cave) -> Vec<String> {
    let made = &cave.summary;
    let mut commands = Vec::new();
    // A run that ended early made no model to load, check or drive in.
    if !made.world_path.as_os_str().is_empty() {
        commands.push(format!("gz sim {}", shell_word(&made.world_path)));
        let model = shell_word(&made.model_path);
        commands.push(format!("plume verify {model}"));
        let ends = cave
            .route
            .as_ref()
            .map(|route| (route.poses.first(), route.poses.last()));
        if let Some((Some(start), Some(goal))) = ends {
            let (from, to) = (point(start.position), point(goal.position));
            commands.push(format!("plume route {model} --from {from} --to {to}"));
        }
    }
    commands
}

fn point(position: [f64; 3]) -> String {
    position.map(|x| format!("{x:.2}")).join(",")
}

fn plural(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// A path as one word of a POSIX shell.
fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    if text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Rows of a label and a text; a repeated label is printed once.
#[derive(Default)]
struct Rows(String, &'static str);

impl Rows {
    fn add(&mut self, label: &'static str, text: String) {
        let shown = if label == self.1 { "" } else { label };
        self.1 = label;
        let _ = writeln!(self.0, "{shown:<10}{text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plume::model::{LayerSummary, StageTime};
    use plume::skeleton::{RigidTransform, Skeleton};
    use plume::traverse::{Pose, Route, RouteStats};

    fn cave() -> Cave {
        let layer = |name: &str, mu| LayerSummary {
            name: name.into(),
            area_m2: 812.25,
            mu,
            cost: 1.5,
        };
        let stats = RouteStats {
            distance_m: 123.4,
            ascent_m: 3.2,
            ..RouteStats::default()
        };
        let pose = |x| Pose {
            position: [x, -2.0, 0.125],
            yaw: 0.0,
        };
        Cave {
            summary: ModelSummary {
                name: "demo".into(),
                model_path: "my out/demo".into(),
                world_path: "my out/demo/demo.world.sdf".into(),
                nodes: 50,
                edges: 51,
                levels: 1,
                chunks: 1,
                shell_triangles: 1_000_000,
                texels: 12_600_000,
                texture_px: 1024,
                layers: vec![layer("dry_rock", 0.8), layer("mud", 0.35)],
                route: Some(stats.clone()),
                stages: vec![StageTime {
                    stage: "skeleton".into(),
                    seconds: 0.01,
                }],
                ..ModelSummary::default()
            },
            skeleton: Skeleton {
                nodes: Vec::new(),
                edges: Vec::new(),
                entrance: 0,
                world_from_graph: RigidTransform::IDENTITY,
                extra: serde_json::Map::new(),
            },
            layers: plume::terrain::LayerSet {
                name: "none".into(),
                layers: Vec::new(),
            },
            route: Some(Route {
                poses: vec![pose(0.0), pose(9.5)],
                stats,
            }),
            maps: Vec::new(),
        }
    }

    #[test]
    fn everything() {
        insta::assert_snapshot!(of(&cave()));
    }

    #[test]
    fn only_what_was_made() {
        let mut cave = cave();
        cave.summary = ModelSummary {
            nodes: 2,
            edges: 1,
            levels: 1,
            ..ModelSummary::default()
        };
        assert_eq!(
            of(&cave),
            "cave      2 nodes, 1 edges, 0 m of passage, 1 level, seed 0\n"
        );
    }
}

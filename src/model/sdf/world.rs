//! `<name>.world.sdf` and the empty world.

use super::super::{Error, ModelDescription};
use super::xml::Xml;
use super::{SDF_VERSION, model};
use crate::config::{Lighting, WorldConfig};
use std::io;

/// Systems of a world: file, class and, for sensors, the render engine.
const PLUGINS: [(&str, &str); 6] = [
    ("gz-sim-physics-system", "gz::sim::systems::Physics"),
    (
        "gz-sim-user-commands-system",
        "gz::sim::systems::UserCommands",
    ),
    (
        "gz-sim-scene-broadcaster-system",
        "gz::sim::systems::SceneBroadcaster",
    ),
    ("gz-sim-sensors-system", "gz::sim::systems::Sensors"),
    ("gz-sim-contact-system", "gz::sim::systems::Contact"),
    ("gz-sim-imu-system", "gz::sim::systems::Imu"),
];

/// Physics step, seconds: what Gazebo's own worlds use and robots' controllers are tuned to.
const STEP_S: f64 = 0.001;

/// A kind of lamp.
struct Lamp {
    /// Colour, linear.
    colour: &'static str,
    intensity: f64,
    range_m: f64,
    /// Constant, linear, quadratic.
    attenuation: [f64; 3],
}

/// Lights a long passage from one end: bright near, black behind every corner.
const STRONG: Lamp = Lamp {
    colour: "1 0.95 0.85 1",
    intensity: 4.0,
    range_m: 60.0,
    attenuation: [0.5, 0.02, 0.01],
};

/// A work lamp: one lights the way to the next.
const MEDIUM: Lamp = Lamp {
    colour: "1 0.9 0.75 1",
    intensity: 1.2,
    range_m: 16.0,
    attenuation: [0.4, 0.08, 0.03],
};

/// Text of a world that runs from a plain path: the model is inlined, because an `<include>` does
/// not look beside the world file.
///
/// No sun; the model's own lamps by [`Lighting`]: none, the first, or all.
pub fn world_sdf(description: &ModelDescription) -> Result<String, Error> {
    description.check()?;
    document(&description.name, &description.world, |x| {
        let (lamp, lit) = match description.world.lighting {
            Lighting::Dark => (MEDIUM, 0),
            Lighting::Single => (STRONG, 1),
            Lighting::Multiple => (MEDIUM, description.lamps.len()),
        };
        for (i, at) in description.lamps.iter().take(lit).enumerate() {
            light(x, &format!("{}_lamp_{i}", description.name), at, &lamp)?;
        }
        model::model(x, description)
    })
}

/// Text of the world without a cave, `worlds/cave_base.sdf`: Earth's gravity, no light but the
/// faint ambient.
pub fn base_world_sdf() -> Result<String, Error> {
    document("cave_base", &WorldConfig::default(), |_| Ok(()))
}

fn document(
    name: &str,
    world: &WorldConfig,
    content: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> Result<String, Error> {
    Xml::document("world", |x| {
        x.node("sdf", &[("version", SDF_VERSION)], |x| {
            x.node("world", &[("name", name)], |x| {
                physics(x)?;
                PLUGINS.iter().try_for_each(|plugin| system(x, plugin))?;
                // Not `-gravity`, which writes "-0" for none.
                x.text("gravity", format!("0 0 {}", 0.0 - world.gravity))?;
                scene(x, world.lighting)?;
                content(x)
            })
        })
    })
}

fn physics(x: &mut Xml) -> io::Result<()> {
    x.node(
        "physics",
        &[("name", "default_physics"), ("type", "ignored")],
        |x| {
            x.text("max_step_size", STEP_S)?;
            x.text("real_time_factor", 1)
        },
    )
}

fn system(x: &mut Xml, (file, class): &(&str, &str)) -> io::Result<()> {
    let attributes = [("filename", *file), ("name", *class)];
    if class.ends_with("Sensors") {
        x.node("plugin", &attributes, |x| x.text("render_engine", "ogre2"))
    } else {
        x.empty("plugin", &attributes)
    }
}

fn scene(x: &mut Xml, lighting: Lighting) -> io::Result<()> {
    let ambient = match lighting {
        Lighting::Dark => "0 0 0 1",
        Lighting::Single => "0.01 0.01 0.01 1",
        Lighting::Multiple => "0.05 0.05 0.05 1",
    };
    x.node("scene", &[], |x| {
        x.text("ambient", ambient)?;
        x.text("background", "0 0 0 1")?;
        x.text("grid", false)?;
        // Only headlamps of robots can cast them: the cave's own lamps do not.
        x.text("shadows", true)
    })
}

fn light(x: &mut Xml, name: &str, at: &[f64; 3], lamp: &Lamp) -> io::Result<()> {
    x.node("light", &[("name", name), ("type", "point")], |x| {
        let [px, py, pz] = at;
        x.text("pose", format!("{px} {py} {pz} 0 0 0"))?;
        x.text("diffuse", lamp.colour)?;
        x.text("specular", "0.2 0.2 0.2 1")?;
        x.text("intensity", lamp.intensity)?;
        x.node("attenuation", &[], |x| {
            let [constant, linear, quadratic] = lamp.attenuation;
            x.text("range", lamp.range_m)?;
            x.text("constant", constant)?;
            x.text("linear", linear)?;
            x.text("quadratic", quadratic)
        })?;
        // A shadow map a lamp is what makes lamps dear.
        x.text("cast_shadows", false)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::description;
    use super::*;

    #[test]
    fn world_snapshot() {
        insta::assert_snapshot!("world_sdf", world_sdf(&description()).unwrap());
    }

    #[test]
    fn lighting_decides_how_many_lamps_are_lit() {
        for (lighting, lit) in [
            (Lighting::Dark, 0),
            (Lighting::Single, 1),
            (Lighting::Multiple, 2),
        ] {
            let mut d = description();
            d.world.lighting = lighting;
            assert_eq!(
                world_sdf(&d).unwrap().matches("<light ").count(),
                lit,
                "{lighting:?}"
            );
        }
    }

    #[test]
    fn gravity_points_down_or_nowhere() {
        let mut d = description();
        d.world.gravity = 1.62;
        assert!(
            world_sdf(&d)
                .unwrap()
                .contains("<gravity>0 0 -1.62</gravity>")
        );
        d.world.gravity = 0.0;
        assert!(world_sdf(&d).unwrap().contains("<gravity>0 0 0</gravity>"));
    }

    #[test]
    fn the_shipped_base_world_is_the_generated_one() {
        let shipped = include_str!("../../../worlds/cave_base.sdf");
        assert_eq!(
            shipped,
            base_world_sdf().unwrap(),
            "write it anew from `base_world_sdf`"
        );
    }
}

//! Robot profiles.

use super::Error;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Profiles that need no file: name and YAML.
const EMBEDDED: [(&str, &str); 1] = [("leo", include_str!("../../config/robots/leo.yaml"))];

/// What a ground robot can do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Robot {
    /// Name.
    pub name: String,
    /// Footprint along its heading, metres.
    pub length_m: f32,
    /// Footprint across, metres.
    pub width_m: f32,
    /// Height it needs, metres.
    pub height_m: f32,
    /// Steepest slope, degrees.
    pub max_slope_deg: f32,
    /// Highest step between neighbouring cells, metres.
    pub max_step_m: f32,
    /// Distance to keep from obstacles beyond the footprint, metres.
    pub clearance_m: f32,
    /// Friction of its wheels.
    pub wheel_mu: f32,
}

impl Robot {
    /// Names of the embedded profiles.
    pub fn names() -> impl Iterator<Item = &'static str> {
        EMBEDDED.iter().map(|(name, _)| *name)
    }

    /// An embedded profile by name, else the YAML file at that path.
    pub fn load(name_or_path: &str) -> Result<Self, Error> {
        if let Some((name, yaml)) = EMBEDDED.iter().find(|(name, _)| *name == name_or_path) {
            return Self::parse(yaml, name);
        }
        let path = Path::new(name_or_path);
        let looks_like_path = name_or_path.contains('/')
            || path.extension().is_some_and(|e| e == "yaml" || e == "yml");
        if !looks_like_path && !path.is_file() {
            let nearest = Self::names()
                .map(|n| (strsim::damerau_levenshtein(n, name_or_path), n))
                .min()
                .filter(|(distance, _)| *distance <= 2)
                .map(|(_, n)| n.to_owned());
            return Err(Error::UnknownRobot {
                asked: name_or_path.to_owned(),
                known: Self::names().collect::<Vec<_>>().join(", "),
                nearest,
            });
        }
        let yaml = crate::config::read_text(path).map_err(|source| Error::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(&yaml, name_or_path)
    }

    /// A profile from YAML text; `origin` is named in errors.
    pub fn parse(yaml: &str, origin: &str) -> Result<Self, Error> {
        let robot: Self =
            crate::config::yaml::from_str(yaml).map_err(|source| Error::RobotSyntax {
                origin: origin.to_owned(),
                source,
            })?;
        robot.validate(origin)?;
        Ok(robot)
    }

    /// Checks every range; `origin` is named in errors.
    pub fn validate(&self, origin: &str) -> Result<(), Error> {
        // With more than half its height a step could lead to two floors of the same column.
        let step_limit = self.height_m / 2.0;
        let checks = [
            ("length_m", self.length_m, 0.05, 20.0),
            ("width_m", self.width_m, 0.05, 20.0),
            ("height_m", self.height_m, 0.02, 20.0),
            ("max_slope_deg", self.max_slope_deg, 0.0, 60.0),
            ("max_step_m", self.max_step_m, 0.0, step_limit),
            ("clearance_m", self.clearance_m, 0.0, 5.0),
            ("wheel_mu", self.wheel_mu, 0.01, 5.0),
        ];
        for (key, value, min, max) in checks {
            if !(min..=max).contains(&value) {
                return Err(Error::RobotRange {
                    origin: origin.to_owned(),
                    key,
                    value,
                    allowed: format!("{min} to {max}"),
                });
            }
        }
        Ok(())
    }

    /// Radius of the circle swept when turning in place, metres.
    pub fn radius_m(&self) -> f32 {
        ((self.length_m * self.length_m + self.width_m * self.width_m) / 4.0).sqrt()
    }

    /// Distance from the middle of the robot to the nearest obstacle at which it may stand, metres.
    pub fn needed_m(&self) -> f32 {
        self.radius_m() + self.clearance_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_profile_is_valid() {
        for name in Robot::names() {
            assert_eq!(Robot::load(name).unwrap().name, name);
        }
    }

    #[test]
    fn a_misspelt_name_offers_the_nearest() {
        let message = Robot::load("loe").unwrap_err().to_string();
        assert!(message.contains("did you mean \"leo\"?"), "{message}");
        let message = Robot::load("./no/such.yaml").unwrap_err().to_string();
        assert!(message.contains("no/such.yaml"), "{message}");
    }

    #[test]
    fn ranges_and_keys_are_checked() {
        let good = EMBEDDED[0].1;
        for (from, to, expected) in [
            ("height_m: 0.303", "height_m: .nan", "height_m is NaN"),
            ("width_m: 0.445", "width_m: -1", "width_m is -1"),
            ("max_step_m: 0.07", "max_step_m: 0.2", "max_step_m is 0.2"),
            (
                "wheel_mu: 1.0",
                "wheel_mew: 1.0",
                "unknown field `wheel_mew`",
            ),
            ("wheel_mu: 1.0", "wheel_mu: [", "line"),
        ] {
            let bad = good.replace(from, to);
            assert_ne!(bad, good);
            let message = Robot::parse(&bad, "bad.yaml").unwrap_err().to_string();
            assert!(
                message.contains(expected) && message.contains("bad.yaml"),
                "{message}"
            );
        }
    }
}

//! The node's parameters: defaults, ranges, and what is said about them.

use crate::config;
use r2r::indexmap::IndexMap;
use r2r::rcl_interfaces::msg;
use r2r::{Parameter, ParameterValue, RosParams};
use std::path::{Path, PathBuf};

/// Most bytes of a path.
const PATH_BYTES: usize = 1024;
/// Most bytes of a frame name.
const FRAME_BYTES: usize = 128;
/// Highest level that may be asked for.
const MAX_LEVEL: i64 = 63;
/// Longest queue.
const MAX_QUEUE: i64 = 64;

/// Values of the node's parameters, all inside their ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Folder under which models are made.
    pub output_root: String,
    /// Frame of everything published.
    pub frame_id: String,
    /// Preset of calls that name none.
    pub preset: String,
    /// Level shown on `/plume/map`.
    pub map_level: u32,
    /// Caves that may wait while one is made.
    pub queue: usize,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            output_root: default_output_root(),
            frame_id: "map".to_owned(),
            preset: "leo_cave".to_owned(),
            map_level: 0,
            queue: 4,
        }
    }
}

/// `$XDG_DATA_HOME/plume`, else `~/.local/share/plume`, else `out` in the working folder.
fn default_output_root() -> String {
    let folder = |name| {
        std::env::var(name)
            .ok()
            .filter(|value| value.starts_with('/'))
    };
    match (folder("XDG_DATA_HOME"), folder("HOME")) {
        (Some(data), _) => format!("{data}/plume"),
        (None, Some(home)) => format!("{home}/.local/share/plume"),
        (None, None) => "out".to_owned(),
    }
}

/// Name and description of each parameter, in the order in which they are listed.
const DESCRIPTIONS: [(&str, &str); 5] = [
    (
        "output_root",
        "Folder under which models are made, 1 to 1024 bytes; `~/` is the home folder",
    ),
    (
        "frame_id",
        "Frame of everything published, 1 to 128 bytes, no spaces, no leading slash",
    ),
    ("preset", "Preset of calls that name none"),
    ("map_level", "Level shown on /plume/map, 0 to 63"),
    ("queue", "Caves that may wait while one is made, 0 to 64"),
];

/// Why a value is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error(
        "there is no such parameter; there are output_root, frame_id, preset, map_level, queue"
    )]
    Unknown,
    #[error("it takes {expected}, not {given}")]
    Type {
        expected: &'static str,
        given: &'static str,
    },
    #[error("{given} is out of range; allowed are {low} to {high}")]
    Range { given: i64, low: i64, high: i64 },
    #[error("{0}")]
    Value(String),
}

impl Parameters {
    /// `output_root` as an absolute path.
    pub fn output_root(&self) -> PathBuf {
        let expanded = match (
            self.output_root.strip_prefix("~/"),
            std::env::var_os("HOME"),
        ) {
            (Some(rest), Some(home)) => Path::new(&home).join(rest),
            _ => PathBuf::from(&self.output_root),
        };
        // Fails only for an empty path or a vanished working folder.
        std::path::absolute(&expanded).unwrap_or(expanded)
    }

    fn get(&self, name: &str) -> Result<ParameterValue, Refusal> {
        Ok(match name {
            "output_root" => ParameterValue::String(self.output_root.clone()),
            "frame_id" => ParameterValue::String(self.frame_id.clone()),
            "preset" => ParameterValue::String(self.preset.clone()),
            "map_level" => ParameterValue::Integer(i64::from(self.map_level)),
            "queue" => ParameterValue::Integer(self.queue as i64),
            _ => return Err(Refusal::Unknown),
        })
    }

    fn set(&mut self, name: &str, value: &ParameterValue) -> Result<(), Refusal> {
        match name {
            "output_root" => self.output_root = output_root(string(value)?)?,
            "frame_id" => self.frame_id = frame_id(string(value)?)?,
            "preset" => self.preset = preset(string(value)?)?,
            "map_level" => self.map_level = integer(value, 0, MAX_LEVEL)? as u32,
            "queue" => self.queue = integer(value, 0, MAX_QUEUE)? as usize,
            _ => return Err(Refusal::Unknown),
        }
        Ok(())
    }
}

fn string(value: &ParameterValue) -> Result<&str, Refusal> {
    match value {
        ParameterValue::String(text) => Ok(text),
        other => Err(Refusal::Type {
            expected: "a string",
            given: other.type_name(),
        }),
    }
}

fn integer(value: &ParameterValue, low: i64, high: i64) -> Result<i64, Refusal> {
    match value {
        ParameterValue::Integer(given) if (low..=high).contains(given) => Ok(*given),
        ParameterValue::Integer(given) => Err(Refusal::Range {
            given: *given,
            low,
            high,
        }),
        other => Err(Refusal::Type {
            expected: "an integer",
            given: other.type_name(),
        }),
    }
}

fn output_root(text: &str) -> Result<String, Refusal> {
    if text.is_empty() || text.len() > PATH_BYTES || text.chars().any(char::is_control) {
        let reason =
            format!("it takes a path of 1 to {PATH_BYTES} bytes without control characters");
        return Err(Refusal::Value(reason));
    }
    let candidate = Parameters {
        output_root: text.to_owned(),
        ..Parameters::default()
    };
    let path = candidate.output_root();
    if path.exists() && !path.is_dir() {
        return Err(Refusal::Value(format!(
            "{} is not a folder",
            path.display()
        )));
    }
    Ok(text.to_owned())
}

fn frame_id(text: &str) -> Result<String, Refusal> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    if text.is_empty()
        || text.len() > FRAME_BYTES
        || text.starts_with('/')
        || !text.chars().all(allowed)
    {
        let reason = format!(
            "{text:?} is not a frame; it takes 1 to {FRAME_BYTES} letters, digits and _ - . /, \
             with no leading slash"
        );
        return Err(Refusal::Value(reason));
    }
    Ok(text.to_owned())
}

fn preset(text: &str) -> Result<String, Refusal> {
    match config::resolve(Some(text), None, None, &[]) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(Refusal::Value(error.to_string())),
    }
}

fn refused(name: &str, refusal: &Refusal) -> r2r::Error {
    r2r::Error::ParameterValueConv {
        name: name.to_owned(),
        msg: refusal.to_string(),
    }
}

impl RosParams for Parameters {
    fn register_parameters(
        &mut self,
        _prefix: &str,
        _parameter: Option<Parameter>,
        known: &mut IndexMap<String, Parameter>,
    ) -> r2r::Result<()> {
        for (name, description) in DESCRIPTIONS {
            if let Some(given) = known.shift_remove(name) {
                self.set(name, &given.value)
                    .map_err(|refusal| refused(name, &refusal))?;
            }
            let value = self.get(name).map_err(|refusal| refused(name, &refusal))?;
            known.insert(name.to_owned(), Parameter { value, description });
        }
        Ok(())
    }

    fn get_parameter(&mut self, name: &str) -> r2r::Result<ParameterValue> {
        self.get(name).map_err(|refusal| refused(name, &refusal))
    }

    fn set_parameter(&mut self, name: &str, value: &ParameterValue) -> r2r::Result<()> {
        self.set(name, value)
            .map_err(|refusal| refused(name, &refusal))
    }

    fn check_parameter(&self, name: &str, value: &ParameterValue) -> r2r::Result<()> {
        self.clone().set_parameter(name, value)
    }
}

/// A parameter as sent on `/parameter_events`.
pub fn to_msg(name: &str, value: &ParameterValue) -> msg::Parameter {
    let mut sent = msg::ParameterValue::default();
    match value {
        ParameterValue::Integer(integer) => {
            sent.type_ = msg::ParameterType::PARAMETER_INTEGER as u8;
            sent.integer_value = *integer;
        }
        ParameterValue::String(string) => {
            sent.type_ = msg::ParameterType::PARAMETER_STRING as u8;
            sent.string_value.clone_from(string);
        }
        // The node has no parameters of other types.
        _ => {}
    }
    msg::Parameter {
        name: name.to_owned(),
        value: sent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> ParameterValue {
        ParameterValue::String(value.to_owned())
    }

    fn reason(name: &str, value: &ParameterValue) -> String {
        Parameters::default()
            .set_parameter(name, value)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn refusals_name_the_range() {
        assert!(reason("queue", &ParameterValue::Integer(65)).contains("0 to 64"));
        assert!(reason("queue", &ParameterValue::Integer(-1)).contains("-1 is out of range"));
        assert!(
            reason("map_level", &ParameterValue::Double(1.0)).contains("an integer, not double")
        );
        assert!(reason("frame_id", &text("/map")).contains("no leading slash"));
        assert!(reason("frame_id", &text("")).contains("1 to 128"));
        assert!(reason("output_root", &text("")).contains("1 to 1024 bytes"));
        assert!(reason("output_root", &text("/proc/version")).contains("is not a folder"));
        assert!(reason("preset", &text("no_such")).contains("no_such"));
        assert!(reason("quueue", &ParameterValue::Integer(1)).contains("map_level, queue"));
    }

    #[test]
    fn good_values_are_taken_and_checks_change_nothing() {
        let mut parameters = Parameters::default();
        parameters
            .check_parameter("queue", &ParameterValue::Integer(0))
            .unwrap();
        assert_eq!(parameters, Parameters::default());
        parameters
            .set_parameter("queue", &ParameterValue::Integer(0))
            .unwrap();
        assert_eq!(parameters.queue, 0);
        parameters
            .set_parameter("output_root", &text("caves"))
            .unwrap();
        assert!(parameters.output_root().is_absolute());
        assert_eq!(
            parameters.get_parameter("output_root").unwrap(),
            text("caves")
        );
    }

    #[test]
    fn values_given_at_start_are_registered() {
        let mut known = IndexMap::new();
        known.insert(
            "queue".to_owned(),
            Parameter::new(ParameterValue::Integer(7)),
        );
        let mut parameters = Parameters::default();
        parameters
            .register_parameters("", None, &mut known)
            .unwrap();
        assert_eq!(parameters.queue, 7);
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        assert_eq!(names, DESCRIPTIONS.map(|(name, _)| name));
        known.insert(
            "queue".to_owned(),
            Parameter::new(ParameterValue::Integer(65)),
        );
        assert!(
            parameters
                .register_parameters("", None, &mut known)
                .is_err()
        );
    }
}

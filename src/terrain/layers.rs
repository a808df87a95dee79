//! Layer sets: looks and physics of the ground.

use serde::{Deserialize, Serialize};

/// Index of a layer in its [`LayerSet`].
pub type LayerId = u8;

/// Surface texture synthesis recipe of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Material {
    /// Massive rock with cracks.
    Rock,
    /// Loose stones.
    Gravel,
    /// Smooth wet sediment.
    Mud,
    /// Grains and ripples.
    Sand,
}

/// One terrain layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Name, unique in the set; `[a-z0-9_]+`.
    pub name: String,
    /// Semantic id for label maps, 1–255.
    pub semantic_id: u8,
    /// Texture recipe.
    pub material: Material,
    /// Ideal moisture, 0–1, and its tolerance (standard deviation).
    pub moisture: [f32; 2],
    /// Ideal temperature, 0–1, and its tolerance.
    pub temperature: [f32; 2],
    /// Ideal roughness of the field, 0–1, and its tolerance.
    pub roughness: [f32; 2],
    /// Steepest and shallowest slope it lies on, degrees from horizontal; over 90 is overhanging.
    pub slope_deg: [f32; 2],
    /// Friction along and across, Coulomb.
    pub mu: f32,
    /// Second friction direction.
    pub mu2: f32,
    /// Force-dependent slip (ODE `slip1`), 1/(N s/m); none when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip: Option<f32>,
    /// Cost of a metre, at least 1.
    pub cost: f32,
    /// sRGB colours from dark to light, 0–255.
    pub palette: Vec<[u8; 3]>,
    /// Lowest and highest texture roughness, 0–1.
    pub roughness_range: [f32; 2],
    /// Strength of the synthesised normal detail.
    pub normal_strength: f32,
    /// Where the friction figure is from.
    pub source: String,
}

/// A set of layers, in file order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerSet {
    /// Name of the set.
    pub name: String,
    /// The layers.
    pub layers: Vec<Layer>,
}

/// Sets that come with plume.
const EMBEDDED: &[(&str, &str)] = &[(
    "earth_cave",
    include_str!("../../config/layers/earth_cave.yaml"),
)];

/// Why a layer set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LayerError {
    /// Neither an embedded set nor a file.
    #[error("terrain.layers: no layer set `{asked}`: neither a file nor one of {known}")]
    Unknown {
        /// What was asked for.
        asked: String,
        /// The embedded sets.
        known: String,
    },
    /// The file cannot be read.
    #[error("terrain.layers: cannot read layer set {path}: {source}")]
    Unreadable {
        /// File.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not a layer set.
    #[error("layer set {origin}: {source}")]
    Syntax {
        /// File or embedded name.
        origin: String,
        /// Where and what.
        source: crate::config::yaml::Error,
    },
    /// A value is out of range.
    #[error("layer set {origin}: {what}")]
    Range {
        /// File or embedded name.
        origin: String,
        /// Layer, key, value and what is allowed.
        what: String,
    },
}

fn read(path: &str) -> Result<String, LayerError> {
    crate::config::read_text(std::path::Path::new(path)).map_err(|source| {
        if source.kind() == std::io::ErrorKind::NotFound {
            LayerError::Unknown {
                asked: path.to_owned(),
                known: EMBEDDED.iter().map(|e| e.0).collect::<Vec<_>>().join(", "),
            }
        } else {
            LayerError::Unreadable {
                path: path.to_owned(),
                source,
            }
        }
    })
}

impl LayerSet {
    /// An embedded set by name, or one from a YAML file.
    ///
    /// # Errors
    /// Unknown name, unreadable or malformed file, or a value out of range.
    pub fn load(name_or_path: &str) -> Result<Self, LayerError> {
        let embedded = EMBEDDED.iter().find(|(name, _)| *name == name_or_path);
        let text = match embedded {
            Some((_, text)) => (*text).to_owned(),
            None => read(name_or_path)?,
        };
        Self::parse(&text, name_or_path)
    }

    /// A set from YAML text; `origin` is named in errors.
    ///
    /// # Errors
    /// Malformed text, or a value out of range.
    pub fn parse(text: &str, origin: &str) -> Result<Self, LayerError> {
        let set: Self =
            crate::config::yaml::from_str(text).map_err(|source| LayerError::Syntax {
                origin: origin.to_owned(),
                source,
            })?;
        set.check().map_err(|what| LayerError::Range {
            origin: origin.to_owned(),
            what,
        })?;
        Ok(set)
    }

    /// The layer that loose rocks are of: the first of massive rock, or the first.
    pub fn rock(&self) -> LayerId {
        let massive = |l: &Layer| l.material == Material::Rock;
        self.layers.iter().position(massive).unwrap_or(0) as LayerId
    }

    fn check(&self) -> Result<(), String> {
        if self.layers.is_empty() || self.layers.len() > 64 {
            return Err(format!("{} layers, allowed are 1 to 64", self.layers.len()));
        }
        for (i, layer) in self.layers.iter().enumerate() {
            let name = &layer.name;
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            if name.is_empty() || !name.chars().all(plain) {
                return Err(format!("layer name {name:?} must be of a–z, 0–9 and _"));
            }
            if self.layers[..i]
                .iter()
                .any(|l| l.name == *name || l.semantic_id == layer.semantic_id)
            {
                return Err(format!("{name}: name and semantic_id must be unique"));
            }
            let unit = [
                ("moisture", layer.moisture),
                ("temperature", layer.temperature),
                ("roughness", layer.roughness),
            ];
            for (key, [ideal, sigma]) in unit {
                if !(0.0..=1.0).contains(&ideal) || !(0.01..=10.0).contains(&sigma) {
                    return Err(format!(
                        "{name}.{key}: [{ideal}, {sigma}], allowed are an ideal of 0–1 and a tolerance of 0.01–10"
                    ));
                }
            }
            let numbers = [
                ("mu", layer.mu, 0.0, 10.0),
                ("mu2", layer.mu2, 0.0, 10.0),
                ("slip", layer.slip.unwrap_or(0.0), 0.0, 100.0),
                ("cost", layer.cost, 1.0, 1000.0),
                ("roughness_range", layer.roughness_range[0], 0.0, 1.0),
                (
                    "roughness_range",
                    layer.roughness_range[1],
                    layer.roughness_range[0],
                    1.0,
                ),
                ("slope_deg", layer.slope_deg[0], 0.0, 180.0),
                ("slope_deg", layer.slope_deg[1], layer.slope_deg[0], 180.0),
                ("normal_strength", layer.normal_strength, 0.0, 10.0),
            ];
            for (key, value, low, high) in numbers {
                if !(low..=high).contains(&value) {
                    return Err(format!("{name}.{key}: {value}, allowed is {low} to {high}"));
                }
            }
            if layer.semantic_id == 0 || layer.palette.is_empty() {
                return Err(format!(
                    "{name}: semantic_id must be 1–255 and palette not empty"
                ));
            }
        }
        Ok(())
    }
}

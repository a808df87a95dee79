//! The keys of a configuration, section by section.
//!
//! Each field's doc comment, `x-unit` and `range` are the single source of the printed
//! comments (`plume config`), the JSON Schema and the range checks.

pub use crate::skeleton::generators::{Algorithm, GeneratorsConfig};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A whole cave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Seed of every random stream.
    #[schemars(extend("x-unit" = "1"))]
    pub seed: u64,
    /// The graph of passages.
    pub skeleton: SkeletonConfig,
    /// Keys that only one generator reads.
    pub generators: GeneratorsConfig,
    /// Size and shape of passages.
    pub passage: PassageConfig,
    /// Shape of the rock.
    pub field: FieldConfig,
    /// Ways out of the cave.
    pub openings: OpeningsConfig,
    /// Rocks and dripstones.
    pub objects: ObjectsConfig,
    /// Polygons and chunks.
    pub surface: SurfaceConfig,
    /// Terrain layers.
    pub terrain: TerrainConfig,
    /// Baked textures.
    pub texture: TextureConfig,
    /// Walkable floor, maps and routes.
    pub floor: FloorConfig,
    /// The Gazebo world around the model.
    pub world: WorldConfig,
    /// Refusals before work starts.
    pub limits: LimitsConfig,
}

/// How the direction of a child is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// Wrapped normal about the direction of travel.
    Gaussian,
    /// Noise over the circle, keyed by the node.
    Perlin,
    /// Product of both.
    #[default]
    Hybrid,
}

/// The graph of passages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SkeletonConfig {
    /// How the graph is laid out.
    pub algorithm: Algorithm,
    /// Number of nodes of each level; exactly so many come out where the algorithm has a number.
    #[schemars(range(min = 2, max = 100_000), extend("x-unit" = "1"))]
    pub nodes: u32,
    /// How the direction of a child is drawn.
    pub distribution: Distribution,
    /// Smallest spacing circle of a node.
    #[schemars(range(min = 0.5, max = 1000.0), extend("x-unit" = "m"))]
    pub radius_min_m: f64,
    /// Largest spacing circle of a node.
    #[schemars(range(min = 0.5, max = 1000.0), extend("x-unit" = "m"))]
    pub radius_max_m: f64,
    /// Sector around the way back in which no child may lie.
    #[schemars(range(min = 0.0, max = 340.0), extend("x-unit" = "deg"))]
    pub forbidden_sector_deg: f64,
    /// Spread of `gaussian` and `hybrid` about the direction of travel.
    #[schemars(range(min = 1.0, max = 180.0), extend("x-unit" = "deg"))]
    pub sigma_deg: f64,
    /// Noise periods around the circle for `perlin` and `hybrid`.
    #[schemars(range(min = 0.25, max = 32.0), extend("x-unit" = "1"))]
    pub perlin_frequency: f64,
    /// Fewest children a living node tries to have.
    #[schemars(range(min = 1, max = 6), extend("x-unit" = "1"))]
    pub children_min: u32,
    /// Most children of a node.
    #[schemars(range(min = 1, max = 6), extend("x-unit" = "1"))]
    pub children_max: u32,
    /// Probability of each child beyond `children_min`.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub branch_probability: f64,
    /// Probability that a branch dies at a node.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub death_probability: f64,
    /// Probability that a child which runs into a passage joins it as a loop.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub loop_probability: f64,
    /// Draws per child before it is given up.
    #[schemars(range(min = 1, max = 1000), extend("x-unit" = "1"))]
    pub retries: u32,
    /// Steepest passage.
    #[schemars(range(min = 0.0, max = 45.0), extend("x-unit" = "deg"))]
    pub max_grade_deg: f64,
    /// Half the height range over which passages wander.
    #[schemars(range(min = 0.0, max = 1000.0), extend("x-unit" = "m"))]
    pub elevation_m: f64,
    /// Wavelength of that wandering.
    #[schemars(range(min = 1.0, max = 10_000.0), extend("x-unit" = "m"))]
    pub elevation_wavelength_m: f64,
    /// Rock left between passages that the graph does not join.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-unit" = "m"))]
    pub clearance_m: f64,
    /// Levels, one below another; each is laid out by the algorithm and has `nodes` nodes.
    #[schemars(range(min = 1, max = 16), extend("x-unit" = "1"))]
    pub levels: u32,
    /// Rock left between the roof of a level and the floor of the level over it.
    #[schemars(range(min = 0.5, max = 1000.0), extend("x-unit" = "m"))]
    pub gap_m: f64,
    /// Ramps between each pair of neighbouring levels; at least one.
    #[schemars(range(min = 1, max = 16), extend("x-unit" = "1"))]
    pub connections: u32,
    /// Steepest ramp between levels; 90 allows vertical shafts.
    #[schemars(range(min = 3.0, max = 90.0), extend("x-unit" = "deg"))]
    pub max_connection_deg: f64,
}

impl Default for SkeletonConfig {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::GaussianPerlin,
            nodes: 50,
            distribution: Distribution::Hybrid,
            radius_min_m: 4.5,
            radius_max_m: 8.0,
            forbidden_sector_deg: 150.0,
            sigma_deg: 35.0,
            perlin_frequency: 3.0,
            children_min: 1,
            children_max: 3,
            branch_probability: 0.2,
            death_probability: 0.05,
            loop_probability: 0.9,
            retries: 24,
            max_grade_deg: 8.0,
            elevation_m: 4.0,
            elevation_wavelength_m: 60.0,
            clearance_m: 1.5,
            levels: 1,
            gap_m: 3.0,
            connections: 2,
            max_connection_deg: 18.0,
        }
    }
}

/// The cross-section of passages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// An elliptic arch over a flat floor.
    #[default]
    Tube,
    /// Tall, with steep walls that lean together at the roof.
    Canyon,
    /// A tube over a narrow slot that the stream has cut.
    Keyhole,
    /// An arch with benches along a flat floor.
    Lava,
    /// A mine's square set: vertical walls and a flat roof.
    Drift,
}

impl Profile {
    /// Height of the widest place of the arch over the floor, in half heights.
    fn axis_share(self) -> f64 {
        match self {
            Self::Tube | Self::Drift => 0.6,
            Self::Canyon => 0.75,
            Self::Keyhole => 1.05,
            Self::Lava => 0.55,
        }
    }

    /// Height of the middle of the void (its centre of area, over floor and debris) over the floor,
    /// in half heights.
    pub fn centre_share(self) -> f64 {
        match self {
            Self::Tube | Self::Lava => 0.735,
            Self::Canyon => 0.86,
            Self::Keyhole => 1.055,
            Self::Drift => 0.81,
        }
    }

    /// Width and height over those of a tube of the same passage.
    fn proportions(self) -> [f64; 2] {
        match self {
            Self::Tube | Self::Lava | Self::Drift => [1.0, 1.0],
            Self::Canyon => [0.72, 1.15],
            Self::Keyhole => [0.95, 1.0],
        }
    }
}

/// Size and shape of passages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PassageConfig {
    /// The cross-section of passages.
    pub profile: Profile,
    /// The cross-section that passages turn into here and there.
    pub second_profile: Profile,
    /// Share of the passages that has the second cross-section.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub second_share: f64,
    /// How much wider and higher passages are where three or more meet, as a share.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub rooms: f64,
    /// Half width of the void over the node's radius.
    #[schemars(range(min = 0.02, max = 1.0), extend("x-unit" = "1"))]
    pub scale: f64,
    /// Smallest half width.
    #[schemars(range(min = 0.3, max = 500.0), extend("x-unit" = "m"))]
    pub min_m: f64,
    /// Largest half width.
    #[schemars(range(min = 0.3, max = 500.0), extend("x-unit" = "m"))]
    pub max_m: f64,
    /// Height over width.
    #[schemars(range(min = 0.3, max = 3.0), extend("x-unit" = "1"))]
    pub aspect: f64,
    /// How much width and height vary along a passage, as a share.
    #[schemars(range(min = 0.0, max = 0.5), extend("x-unit" = "1"))]
    pub variation: f64,
}

impl Default for PassageConfig {
    fn default() -> Self {
        Self {
            profile: Profile::Tube,
            second_profile: Profile::Canyon,
            second_share: 0.3,
            rooms: 0.2,
            scale: 0.28,
            min_m: 1.2,
            max_m: 4.0,
            aspect: 0.9,
            variation: 0.2,
        }
    }
}

/// Shape of the rock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FieldConfig {
    /// Radius over which passages melt into each other at junctions.
    #[schemars(range(min = 0.0, max = 50.0), extend("x-unit" = "m"))]
    pub blend_m: f64,
    /// Amplitude of the relief on walls and roof.
    #[schemars(range(min = 0.0, max = 20.0), extend("x-unit" = "m"))]
    pub relief_m: f64,
    /// Wavelength of the coarsest relief.
    #[schemars(range(min = 0.2, max = 200.0), extend("x-unit" = "m"))]
    pub relief_wavelength_m: f64,
    /// Share of the relief that lies in horizontal beds.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub strata: f64,
    /// Amplitude of the bumps on the floor.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "m"))]
    pub floor_roughness_m: f64,
    /// Size of the talus between floor and wall: radius of the fillet, and about the width of the
    /// apron of debris.
    #[schemars(range(min = 0.0, max = 20.0), extend("x-unit" = "m"))]
    pub talus_m: f64,
    /// Amplitude of the scallops that flowing water leaves on walls and roof.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "m"))]
    pub scallops_m: f64,
    /// Height that stays free on the centre line, whatever the relief.
    #[schemars(range(min = 0.2, max = 100.0), extend("x-unit" = "m"))]
    pub min_clearance_m: f64,
}

impl Default for FieldConfig {
    fn default() -> Self {
        Self {
            blend_m: 0.8,
            relief_m: 0.35,
            relief_wavelength_m: 3.0,
            strata: 0.35,
            floor_roughness_m: 0.03,
            talus_m: 0.5,
            scallops_m: 0.0,
            min_clearance_m: 1.0,
        }
    }
}

/// What the entrance of a cave looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Entrance {
    /// Rock all around: nothing can leave the cave.
    #[default]
    Closed,
    /// A mouth in a wall behind the entrance, open along -x.
    Portal,
    /// A shaft over the entrance, open to the sky.
    Skylight,
}

/// Ways out of the cave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OpeningsConfig {
    /// The entrance of the cave.
    pub entrance: Entrance,
    /// Whether shafts that the graph leads to the surface (skylights of lava tubes) are open.
    pub skylights: bool,
}

impl Default for OpeningsConfig {
    fn default() -> Self {
        Self {
            entrance: Entrance::Closed,
            skylights: true,
        }
    }
}

/// How rocks are part of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RockMode {
    /// Part of the cave's surface; from three voxels up.
    #[default]
    Merged,
    /// Bodies of their own with convex collision; from 0.15 m up.
    Separate,
}

/// Rocks and dripstones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ObjectsConfig {
    /// Share of the floor beside the driving line that rocks of all sizes cover (`k` in the law of
    /// Golombek & Rapp): 0 none, 0.05 a few, 0.3 breakdown.
    #[schemars(range(min = 0.0, max = 0.5), extend("x-unit" = "1"))]
    pub rock_share: f64,
    /// How rocks are part of the model.
    pub rocks: RockMode,
    /// Stalactites and columns on a square metre of roof, where they find room; 0 none.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "1/m^2"))]
    pub speleothems: f64,
}

impl Default for ObjectsConfig {
    fn default() -> Self {
        Self {
            rock_share: 0.06,
            rocks: RockMode::Merged,
            speleothems: 0.0,
        }
    }
}

/// A number, or chosen by plume.
// A field of this type states its range by `extend("minimum", "maximum")`: schemars drops `range`
// on a type that is a reference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Auto {
    /// A fixed value.
    Value(f64),
    /// The word `auto`.
    Auto(AutoWord),
}

/// The word `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AutoWord {
    /// Chosen by plume.
    Auto,
}

impl Auto {
    /// `auto`.
    pub const AUTO: Auto = Auto::Auto(AutoWord::Auto);

    /// The fixed value, if one was given.
    pub fn value(self) -> Option<f64> {
        match self {
            Auto::Value(v) => Some(v),
            Auto::Auto(_) => None,
        }
    }
}

/// Polygons and chunks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SurfaceConfig {
    /// Edge of a voxel; `auto` is a twelfth of the narrowest passage, within 0.05–4 m.
    #[schemars(extend("minimum" = 0.03, "maximum" = 10.0, "x-unit" = "m"))]
    pub voxel_m: Auto,
    /// Edge of a chunk; `auto` is 96 voxels. Ignored when `divisions` is not 0.
    #[schemars(extend("minimum" = 2.0, "maximum" = 10_000.0, "x-unit" = "m"))]
    pub chunk_m: Auto,
    /// Chunks along each horizontal axis (PLUME's setting); 0 uses `chunk_m`, 1 is one chunk.
    #[schemars(range(min = 0, max = 64), extend("x-unit" = "1"))]
    pub divisions: u32,
    /// Largest error of the visual mesh at level of detail 0; levels 1 and 2 have 4 and 12 times as
    /// much.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "m"))]
    pub visual_error_m: f64,
    /// Level of detail that the SDF shows; the files of all three are in the model.
    #[schemars(range(min = 0, max = 2), extend("x-unit" = "1"))]
    pub lod: u32,
    /// Largest error of the simplified collision mesh.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "m"))]
    pub collision_error_m: f64,
}

impl Default for SurfaceConfig {
    fn default() -> Self {
        Self {
            voxel_m: Auto::AUTO,
            chunk_m: Auto::AUTO,
            divisions: 0,
            visual_error_m: 0.01,
            lod: 0,
            collision_error_m: 0.03,
        }
    }
}

/// Terrain layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TerrainConfig {
    /// Layer set: a name (`earth_cave`) or the path of a YAML file.
    pub layers: String,
    /// Edge of a terrain cell.
    #[schemars(range(min = 0.05, max = 50.0), extend("x-unit" = "m"))]
    pub cell_m: f64,
    /// Mean size of a patch.
    #[schemars(range(min = 0.5, max = 1000.0), extend("x-unit" = "m"))]
    pub patch_m: f64,
    /// Width over which layers blend in the textures.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-unit" = "m"))]
    pub blend_m: f64,
    /// How wet the cave is: 0 dry, 1 dripping.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub wetness: f64,
}

impl Default for TerrainConfig {
    fn default() -> Self {
        Self {
            layers: "earth_cave".to_owned(),
            cell_m: 0.4,
            patch_m: 4.0,
            blend_m: 0.4,
            wetness: 0.45,
        }
    }
}

/// Baked textures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TextureConfig {
    /// Largest edge of a chunk's textures.
    #[schemars(range(min = 256, max = 8192), extend("x-unit" = "px"))]
    pub size_px: u32,
    /// Space between charts.
    #[schemars(range(min = 2, max = 64), extend("x-unit" = "px"))]
    pub padding_px: u32,
    /// Strength of the normal map.
    #[schemars(range(min = 0.0, max = 4.0), extend("x-unit" = "1"))]
    pub normal_strength: f64,
}

impl Default for TextureConfig {
    fn default() -> Self {
        Self {
            size_px: 1024,
            padding_px: 8,
            normal_strength: 1.0,
        }
    }
}

/// Walkable floor, maps and routes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FloorConfig {
    /// Edge of a floor cell and of a map pixel.
    #[schemars(range(min = 0.02, max = 10.0), extend("x-unit" = "m"))]
    pub cell_m: f64,
    /// Robot profile: a name (`leo`) or the path of a YAML file.
    pub robot: String,
    /// Weight `k` of the incline in the cost of a step.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-unit" = "1"))]
    pub incline_weight: f64,
    /// Whether a route may cross water when nothing else leads there.
    pub allow_water: bool,
}

impl Default for FloorConfig {
    fn default() -> Self {
        Self {
            cell_m: 0.1,
            robot: "leo".to_owned(),
            incline_weight: 2.0,
            allow_water: false,
        }
    }
}

/// Light in the generated world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lighting {
    /// No light at all: bring a headlamp.
    Dark,
    /// One strong source at the entrance.
    Single,
    /// Medium lamps along the passages.
    #[default]
    Multiple,
}

/// The Gazebo world around the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WorldConfig {
    /// Gravity along -z: Earth 9.81, Mars 3.72, Moon 1.62.
    #[schemars(range(min = 0.0, max = 50.0), extend("x-unit" = "m/s^2"))]
    pub gravity: f64,
    /// Light in the world.
    pub lighting: Lighting,
}

impl Default for WorldConfig {
    fn default() -> Self {
        Self {
            gravity: 9.81,
            lighting: Lighting::Multiple,
        }
    }
}

/// Refusals before work starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsConfig {
    /// A run is refused when its estimated peak memory is larger.
    #[schemars(range(min = 64.0, max = 1_000_000.0), extend("x-unit" = "MB"))]
    pub memory_mb: f64,
    /// A run is refused when it would make more triangles, before simplification, by estimate.
    #[schemars(range(min = 1000.0, max = 1e10), extend("x-unit" = "1"))]
    pub triangles: f64,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self {
            memory_mb: 4096.0,
            triangles: 20e6,
        }
    }
}

impl PassageConfig {
    /// Half height of a passage of half width `passage_m`, metres.
    pub fn half_height_m(&self, passage_m: f64) -> f64 {
        passage_m * self.aspect
    }

    /// Width and height of the second cross-section over those of the first.
    pub fn second_proportions(&self) -> [f64; 2] {
        let (one, two) = (
            self.profile.proportions(),
            self.second_profile.proportions(),
        );
        [two[0] / one[0], two[1] / one[1]]
    }

    /// Height of the arch's widest place over the floor in half heights: of a tube, and of the
    /// first and the second cross-section.
    pub fn axis_shares(&self) -> [f64; 3] {
        [Profile::Tube, self.profile, self.second_profile].map(Profile::axis_share)
    }

    /// Height of the centre line over the floor in a passage of half width `passage_m`, metres: the
    /// middle of the void, on average over both cross-sections.
    pub fn floor_drop_m(&self, passage_m: f64) -> f64 {
        let (first, second) = (self.profile, self.second_profile);
        let turn = self.second_share * (second.centre_share() - first.centre_share());
        (first.centre_share() + turn) * self.half_height_m(passage_m)
    }
}

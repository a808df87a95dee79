//! Every way to lay out a cave, one file each.
//!
//! In: a [`Config`]. Out: a [`Skeleton`] in a frame of its own; what is common to all (levels,
//! kinds, frame `map`) is added by [`grow`](super::grow()).
//!
//! A new generator is one new file here, with a unit struct that implements [`Generator`] and, if
//! it has keys of its own, a struct of them; and one line in the list at the end of this page. The line
//! makes the module, the name in `skeleton.algorithm`, the section `generators.<name>` of the
//! configuration with its checks and documentation, and its place in the generic suite of tests.

use super::{Error, Skeleton};
use crate::config::Config;
use crate::progress::Job;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a generator promises beyond a connected graph that reproduces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises {
    /// Exactly `skeleton.nodes` nodes a level.
    pub exact_nodes: bool,
    /// Another seed gives another cave.
    pub seeded: bool,
    /// Grade, forbidden sector and clearance are kept; false for a cave taken as it is.
    pub keeps_rules: bool,
}

impl Promises {
    /// Everything.
    pub const ALL: Self = Self {
        exact_nodes: true,
        seeded: true,
        keeps_rules: true,
    };
}

/// A way to lay out a cave.
pub trait Generator: Sync {
    /// What the graphs keep to.
    fn promises(&self) -> Promises;

    /// One level of the graph, 0 the uppermost, in a frame of its own: positions, sizes, parents
    /// and edges. `config` is in range, and its seed is that of the level.
    ///
    /// # Errors
    ///
    /// [`Error::Config`] for values that fit each by each but not together,
    /// [`Error::Cancelled`] on request.
    fn layout(&self, config: &Config, level: u32, job: &Job) -> Result<Skeleton, Error>;
}

/// One line a generator: what it is, its file, its struct and, if it has any, its keys and their
/// types.
macro_rules! generators {
    ($( $(#[$about:meta])* $file:ident :: $Generator:ident
        $( { $Keys:ident $(, $Of:ident)* } )? ;
    )+) => {
        $( mod $file; )+
        $( $( pub use $file::{$Keys $(, $Of)*}; )? )+

        /// How the graph is laid out.
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum Algorithm { $( $(#[$about])* $Generator, )+ }

        impl Algorithm {
            /// Every algorithm.
            pub const ALL: &[Self] = &[ $( Self::$Generator, )+ ];

            /// Name in the configuration.
            pub fn name(self) -> &'static str {
                match self { $( Self::$Generator => stringify!($file), )+ }
            }
        }

        /// Keys that only one generator reads.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct GeneratorsConfig {
            $( $(
                #[doc = concat!("Keys of `", stringify!($file), "`.")]
                pub $file: $Keys,
            )? )+
        }

        /// The generator of that name.
        pub fn generator(algorithm: Algorithm) -> &'static dyn Generator {
            match algorithm { $( Algorithm::$Generator => &$file::$Generator, )+ }
        }
    };
}

generators! {
    /// PLUME's native growth: children on the circle of their parent.
    #[default]
    gaussian_perlin::GaussianPerlin;
    /// A lava tube: one trunk downslope with braids, halls, chokes and skylights.
    lava_tube::LavaTube { LavaTubeConfig, Body };
    /// A mine: rooms and pillars, or drifts with crosscuts, behind an entry.
    mine::Mine { MineConfig, MinePattern };
    /// A turtle on an L-system whose rules are in the configuration.
    l_system::LSystem { LSystemConfig };
    /// A real cave, as it was surveyed.
    survey::Survey { SurveyConfig };
    /// Cheapest paths through bedded and fractured rock, from sinks to springs.
    karst::Karst { KarstConfig };
}

//! Surveys of real caves, and graphs made by hand.
//!
//! In: a node/link table, a YAML graph or a Survex centre line. Out: a
//! [`Skeleton`](super::Skeleton) with the nodes' own coordinates (x east, y north, z up,
//! metres), its entrance first. One reader a file kind ([`read_tables`], [`read_yaml`],
//! [`read_survex`]) makes a list of stations and legs; `cave` makes the graph of it, the same way
//! for all:
//!
//! - Legs shorter than [`MERGE_M`] join two names of one place: both become one node.
//! - Of several pieces the one with the most nodes is kept, and a note says so.
//! - The entrance is the one that the file marks first; without a mark it is the highest dead end,
//!   as caves are mostly entered from above.
//! - The spacing radius is the mean length of the legs at the node; the half width of the void is
//!   the surveyed one, else it follows from the radius as in a grown graph.
//!
//! Guaranteed: connected, finite, two nodes or more, no edge without length, and no text makes it
//! panic or take more memory than a fixed multiple of its own size. Every fault names file, line
//! and column. Not guaranteed: grade and clearance; the cave is taken as it is.

mod adjust;
mod cave;
mod embedded;
mod survex;
mod table;
mod text;
mod yaml;

use super::json::{MAX_COORDINATE_M, MAX_SIZE_M};

pub use cave::MERGE_M;
pub use survex::read_survex;
pub use table::read_tables;
pub use yaml::read_yaml;

pub(super) use cave::{Survey, unknown_start};
pub(super) use embedded::{embedded, names};
pub(super) use survex::survey_of_survex;
pub(super) use table::{survey_of_files, survey_of_tables, tables_of};
pub(super) use text::decode;
pub(super) use yaml::survey_of_yaml;

/// Most legs of a survey.
pub(super) const MAX_LEGS: usize = 1_000_000;

//! PLUME's `data.json`, read and written.
//!
//! In: a file of PLUME (the six keys a node: `id, parent, edges, coordinates, radius, active`),
//! or a `skeleton.json` of this crate, which is the same layout with three keys more a node
//! (`passage_m, level, kind`) and two at the top (`entrance`, `world_from_graph`).
//! Out: a [`Skeleton`](super::Skeleton) in frame `map`, or the text of such a file.
//!
//! Coordinates are written in frame `map`; `world_from_graph` says how the graph came there, and
//! its presence says that it did. So a written file reads back to the same bits under the same
//! passage configuration, an edited one is moved only as far as its entrance was, and PLUME reads
//! both, as it ignores keys it does not know.
//!
//! Guaranteed: no file makes it panic; other top-level keys keep their order and value. Not guaranteed: clearance, grade or one passage at the entrance
//! in graphs that other tools made; they are taken as they are.

mod layout;
mod read;
mod validate;
mod write;

pub(in crate::skeleton) use read::read_file;
pub use read::{MAX_FILE_BYTES, MAX_LEVEL, MAX_NODES, read_plume, read_plume_text};
pub(in crate::skeleton) use read::{check_reach, remark};
pub(in crate::skeleton) use validate::{MAX_COORDINATE_M, MAX_SIZE_M};
pub use write::write_json;

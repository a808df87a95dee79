//! A stand-in for what the pipeline will offer; to be removed when it does.

use crate::pipeline::Cave;
use crate::traverse::OccupancyMap;

/// To become `cave.map.as_ref()`.
pub fn map_of(_cave: &Cave) -> Option<&OccupancyMap> {
    None
}

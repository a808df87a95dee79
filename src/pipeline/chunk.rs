//! One chunk of a cave without the others.

use super::request::Error;
use super::run::{check_reach, levels};
use super::write::glbs;
use crate::config::Config;
use crate::field::{self, CaveField};
use crate::progress::{Job, Stage, Unobserved};
use crate::skeleton;
use crate::surface;
use std::path::Path;
use std::time::Instant;

/// A chunk made alone.
#[derive(Clone, Debug)]
pub struct LoneChunk {
    /// The GLB file of each level of detail, finest first: the same bytes as in the model.
    pub glbs: Vec<Vec<u8>>,
    /// Triangles of each level.
    pub triangles: Vec<usize>,
    /// Chunks of the whole cave.
    pub of: usize,
    /// Seconds for graph and field.
    pub field_s: f64,
    /// Seconds for the plan of all chunks, from the field.
    pub plan_s: f64,
    /// Seconds for the chunk, from field and plan.
    pub chunk_s: f64,
}

/// Makes the visual meshes of the chunk at `index` of the model `name`: graph, field, and then
/// only this chunk's part of the wall. Textures are not made: their layers grow over the surface
/// of the whole cave.
///
/// # Errors
/// As for [`run`](super::run()), and [`Error::BadInput`] when there is no such chunk.
pub fn chunk(
    name: &str,
    config: &Config,
    graph: Option<&Path>,
    index: [i32; 3],
) -> Result<LoneChunk, Error> {
    crate::model::check_name(name)?;
    let start = Instant::now();
    let job = Job::new(&Unobserved, Stage::Skeleton);
    let skeleton = match graph {
        Some(path) => skeleton::import(path, config, &job)?,
        None => skeleton::grow(config, &job)?,
    };
    field::check_openings(&skeleton, config).map_err(|e| Error::BadInput(e.to_string()))?;
    check_reach(&skeleton, &field::estimate(&skeleton, config))?;
    let field = CaveField::carve(&skeleton, config);
    let field_s = start.elapsed().as_secs_f64();
    let plan = surface::plan(&field, levels(&skeleton), config);
    let plan_s = start.elapsed().as_secs_f64() - field_s;
    let chunk = surface::extract_planned(&field, &plan, config, index)?;
    let chunk_s = start.elapsed().as_secs_f64() - field_s - plan_s;
    let triangles = chunk.levels().map(|m| m.triangles.len()).collect();
    let glbs = glbs(&chunk, name)?.into_iter().map(|g| g.1).collect();
    Ok(LoneChunk {
        glbs,
        triangles,
        of: plan.chunks.len(),
        field_s,
        plan_s,
        chunk_s,
    })
}

//! A model's folder as a subject.

use super::subject::{Piece, Subject};
use crate::config::Config;
use crate::field::Opening;
use crate::model::{self, Manifest};
use crate::progress::Job;
use crate::skeleton;
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};

/// Why a model cannot be examined.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file is not what it should be.
    #[error("{path}: {why}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The manifest is not what it should be.
    #[error("{0}")]
    Manifest(String),
    /// The configuration cannot be read.
    #[error(transparent)]
    Config(#[from] crate::config::Error),
    /// The graph cannot be read.
    #[error(transparent)]
    Skeleton(#[from] skeleton::Error),
}

/// Reads the model in folder `model`: its graph and configuration, the visual meshes (of the
/// finest level of detail) and the collision meshes of all chunks.
///
/// Of the manifest, `figures.voxel_m` is needed; `extra.openings` and `extra.handles` say what was
/// made on purpose, none when absent.
///
/// # Errors
/// The first file that cannot be read or is not what it should be.
pub fn read(model: &Path, job: &Job) -> Result<Subject, Error> {
    let manifest = Manifest::read(model).map_err(Error::Manifest)?;
    let config = Config::load(&model.join("plume/config.yaml"))?;
    let skeleton = skeleton::import(&model.join("plume/skeleton.json"), &config, job)?;
    let voxel_m: Option<f64> = key(&manifest.figures, "voxel_m")?;
    let voxel_m = voxel_m.filter(|v| *v > 0.0).ok_or_else(|| {
        Error::Manifest(
            "the manifest's figures.voxel_m is missing; a number over 0 is needed".into(),
        )
    })?;
    let openings: Option<Vec<Opening>> = key(&manifest.extra, "openings")?;
    let handles: Option<u32> = key(&manifest.extra, "handles")?;
    let pieces = |folder: &str, decode: &(dyn Fn(&[u8]) -> Result<Piece, String> + Sync)| {
        let prefix = format!("{folder}/{}_", manifest.name);
        let paths: Vec<(&str, String)> = manifest
            .files
            .iter()
            .filter_map(|f| Some((f.path.as_str(), chunk(f.path.strip_prefix(&prefix)?)?)))
            .collect();
        paths
            .into_par_iter()
            .map(|(path, chunk)| {
                let path = model.join(path);
                let fail = |why| Error::File {
                    path: path.clone(),
                    why,
                };
                let bytes = fs::read(&path).map_err(|e| fail(format!("cannot be read: {e}")))?;
                let mut piece = decode(&bytes).map_err(fail)?;
                piece.chunk = chunk;
                Ok(piece)
            })
            .collect::<Result<Vec<Piece>, Error>>()
    };
    let visual = pieces("meshes/visual", &|bytes| {
        let mesh = model::glb::read(bytes)?;
        Ok(Piece {
            positions: mesh.positions,
            normals: mesh.normals,
            triangles: mesh.triangles,
            ..Piece::default()
        })
    })?;
    let collision = pieces("meshes/collision", &|bytes| {
        let mesh = model::stl::read(bytes)?;
        Ok(Piece {
            positions: mesh.positions,
            triangles: mesh.triangles,
            ..Piece::default()
        })
    })?;
    if visual.is_empty() {
        return Err(Error::Manifest("the manifest lists no visual mesh".into()));
    }
    Ok(Subject {
        skeleton,
        config,
        voxel_m,
        visual,
        collision,
        openings: openings.unwrap_or_default(),
        handles: handles.unwrap_or(0),
    })
}

/// The chunk of a mesh file, from what follows the model's name: `i_j_k_…`. Other levels of
/// detail, and meshes that are no chunk's, are none.
fn chunk(rest: &str) -> Option<String> {
    let parts: Vec<&str> = rest.split('_').collect();
    let index = parts.get(..3)?;
    let whole = index.iter().all(|p| p.parse::<u32>().is_ok());
    let coarse = parts
        .iter()
        .any(|p| p.strip_prefix("lod").is_some_and(|n| n != "0"));
    (whole && !coarse).then(|| index.join("_"))
}

fn key<T: DeserializeOwned>(map: &Map<String, Value>, key: &str) -> Result<Option<T>, Error> {
    let read = |v: &Value| serde_json::from_value(v.clone());
    let value = map.get(key).map(read).transpose();
    value.map_err(|e| Error::Manifest(format!("the manifest's {key} cannot be read: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_by_file_name() {
        assert_eq!(chunk("0_12_3_8b38a1f3.glb").as_deref(), Some("0_12_3"));
        assert_eq!(
            chunk("0_1_2_dry_rock_8b38a1f3.stl").as_deref(),
            Some("0_1_2")
        );
        assert_eq!(chunk("0_1_2_lod1_8b38a1f3.glb"), None);
        assert_eq!(chunk("rock_3_8b38a1f3.glb"), None);
    }
}

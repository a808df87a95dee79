//! One export from start to end.

use super::folder::Folder;
use super::format::{Piece, Progress};
use super::{Error, Format, Part, Scene, TEXTURES, Texture};
use crate::progress::Job;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What to export.
#[derive(Clone, Debug)]
pub struct Request {
    /// Folder of the model.
    pub model: PathBuf,
    /// Output folder, made when missing; not inside the model.
    pub out: PathBuf,
    /// Formats; those named twice are written once.
    pub formats: Vec<Format>,
    /// How many files.
    pub split: Split,
    /// Replace files of the same names.
    pub force: bool,
}

/// How a cave is spread over files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// One file a format, with a mesh a chunk.
    Whole,
    /// One file a chunk and format.
    PerChunk,
}

/// What an export made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// Every file of the export, by path in the output folder, with its bytes. Textures that were
    /// there already are in it.
    pub files: BTreeMap<String, u64>,
    /// Meshes a format.
    pub meshes: usize,
    /// Vertices a format.
    pub vertices: usize,
    /// Triangles a format.
    pub triangles: usize,
}

/// Exports a model. See [the module](super) for what is guaranteed.
pub fn run(request: &Request, job: &Job) -> Result<Exported, Error> {
    let mut formats: Vec<Format> = Vec::new();
    for format in &request.formats {
        if !formats.contains(format) {
            formats.push(*format);
        }
    }
    if formats.is_empty() {
        return Err(Error::NoFormat);
    }
    let scene = Scene::open(&request.model)?;
    let folder = Folder::begin(&request.out, &request.model)?;
    let pieces: Vec<(&str, &[Part])> = match request.split {
        Split::Whole => vec![(scene.name.as_str(), scene.parts.as_slice())],
        Split::PerChunk => scene
            .parts
            .chunks(1)
            .map(|part| (part[0].name.as_str(), part))
            .collect(),
    };

    let mut textures = BTreeMap::new();
    if formats.iter().any(|format| format.links_textures) {
        for texture in scene.materials.iter().flat_map(|m| m.textures()) {
            textures.insert(texture.link(), texture);
        }
    }
    let mut missing = Vec::new();
    for (link, texture) in &textures {
        if !folder.has(link, scene.hash(texture)?) {
            missing.push(link.clone());
        }
    }
    // Textures come first: no file is ever there without what it names.
    let mut fresh = missing.clone();
    for format in &formats {
        for (name, _) in &pieces {
            fresh.extend(
                format
                    .extensions
                    .iter()
                    .map(|ending| format!("{name}.{ending}")),
            );
        }
    }
    folder.check(&fresh, request.force)?;

    copy(&scene, missing.iter().map(|link| textures[link]), &folder)?;
    let progress = Progress::new(job, formats.len() * scene.parts.len());
    for format in &formats {
        for (name, parts) in &pieces {
            let piece = Piece {
                scene: &scene,
                name,
                parts,
                folder: folder.hidden(),
                progress: &progress,
            };
            let file = format!("{name}.{}", format.extensions[0]);
            (format.write)(&piece).map_err(|fault| fault.of(&file, &request.out))?;
            progress.piece(parts.len())?;
        }
    }
    folder.publish(&fresh)?;

    let mut files = BTreeMap::new();
    for name in textures.into_keys().chain(fresh) {
        let path = request.out.join(&name);
        let meta = fs::metadata(&path).map_err(Error::io("read", &path))?;
        files.insert(name, meta.len());
    }
    Ok(Exported {
        files,
        meshes: scene.parts.len(),
        vertices: scene.parts.iter().map(|part| part.vertices).sum(),
        triangles: scene.parts.iter().map(|part| part.triangles).sum(),
    })
}

fn copy<'a>(
    scene: &Scene,
    textures: impl Iterator<Item = &'a Texture>,
    folder: &Folder,
) -> Result<(), Error> {
    let to = folder.hidden().join(TEXTURES);
    fs::create_dir_all(&to).map_err(Error::io("make folder", &to))?;
    for texture in textures {
        let path = to.join(&texture.file);
        put(&path, &scene.png(texture)?).map_err(Error::io("write", &path))?;
    }
    Ok(())
}

fn put(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

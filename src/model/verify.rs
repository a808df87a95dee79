//! Is a model on disk what its manifest says, and would Gazebo load it?

use super::manifest::{Manifest, TIMES};
use super::root::MANIFEST;
use super::{Error, FileEntry, finish::world_file, glb, name, stl};
use quick_xml::Reader;
use quick_xml::events::Event;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What a check of a model found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Files checked.
    pub checked: usize,
    /// What is wrong, a line each, in the order of the files; empty for a good model.
    pub problems: Vec<String>,
}

impl VerifyReport {
    /// True for a good model.
    pub fn is_ok(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Checks the model in folder `path` against its manifest and against what Gazebo needs.
///
/// Found are: a manifest that cannot be read; files missing, changed, extra, or not plain files;
/// names without their content's hash; texture names used twice; meshes that are broken, empty or
/// short of normals; XML that is broken; references of the SDF files to files that are not there.
/// An error only when `path` is not a folder.
pub fn verify(path: &Path) -> Result<VerifyReport, Error> {
    let meta = fs::metadata(path).map_err(|_| Error::NotAModel {
        path: path.to_owned(),
        why: "it does not exist",
    })?;
    if !meta.is_dir() {
        return Err(Error::NotAModel {
            path: path.to_owned(),
            why: "it is a file",
        });
    }
    let manifest = match Manifest::read(path) {
        Ok(manifest) => manifest,
        Err(why) => {
            return Ok(VerifyReport {
                checked: 0,
                problems: vec![why],
            });
        }
    };
    let mut problems = names(path, &manifest);
    let of_files: Vec<Vec<String>> = manifest
        .files
        .par_iter()
        .map(|entry| file(path, entry))
        .collect();
    problems.extend(of_files.into_iter().flatten());
    problems.extend(extra_files(path, &manifest));
    for sdf in ["model.sdf".to_owned(), world_file(&manifest.name)] {
        problems.extend(references(path, &sdf));
    }
    Ok(VerifyReport {
        checked: manifest.files.len(),
        problems,
    })
}

/// Problems of names alone.
fn names(path: &Path, manifest: &Manifest) -> Vec<String> {
    let mut problems = Vec::new();
    if let Err(e) = super::check_name(&manifest.name) {
        problems.push(format!("{MANIFEST}: {e}"));
    }
    let folder = fs::canonicalize(path).ok();
    let folder = folder
        .as_deref()
        .and_then(Path::file_name)
        .and_then(|n| n.to_str());
    if folder != Some(&manifest.name) {
        let name = &manifest.name;
        problems.push(format!(
            "the folder is not called {name:?}: model:// would not find it"
        ));
    }
    let listed: BTreeSet<&str> = manifest.files.iter().map(|f| f.path.as_str()).collect();
    for needed in ["model.sdf", "model.config", &world_file(&manifest.name)] {
        if !listed.contains(needed) {
            problems.push(format!("{needed}: not listed in the manifest"));
        }
    }
    let mut textures = BTreeMap::new();
    for entry in manifest
        .files
        .iter()
        .filter(|f| f.path.starts_with("materials/"))
    {
        let base = entry.path.rsplit('/').next().unwrap_or_default();
        if let Some(other) = textures.insert(base, &entry.path) {
            let path = &entry.path;
            problems.push(format!(
                "{path}: same base name as {other}, Gazebo shows one for both"
            ));
        }
    }
    problems
}

/// Problems of one listed file.
fn file(model: &Path, entry: &FileEntry) -> Vec<String> {
    let rel = &entry.path;
    if let Err(e) = name::check_rel(rel) {
        return vec![e.to_string()];
    }
    let path = model.join(rel);
    match fs::symlink_metadata(&path) {
        Err(_) => return vec![format!("{rel}: missing")],
        Ok(meta) if !meta.is_file() => return vec![format!("{rel}: not a plain file")],
        Ok(meta) if meta.len() != entry.bytes => {
            return vec![format!(
                "{rel}: {} bytes, listed with {}",
                meta.len(),
                entry.bytes
            )];
        }
        Ok(_) => {}
    }
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(e) => return vec![format!("{rel}: cannot be read: {e}")],
    };
    let hash = blake3::hash(&bytes).to_hex();
    if hash.as_str() != entry.blake3 {
        return vec![format!("{rel}: content changed")];
    }
    let mut problems = Vec::new();
    let cached = rel.starts_with("meshes/") || rel.starts_with("materials/");
    let stem = rel.rsplit_once('.').map_or(rel.as_str(), |(stem, _)| stem);
    if cached && !stem.ends_with(&format!("_{}", &hash[..8])) {
        problems.push(format!(
            "{rel}: its name lacks the content's hash {}",
            &hash[..8]
        ));
    }
    let counts = match rel.rsplit_once('.').map(|(_, ext)| ext) {
        Some("glb") => glb::inspect(&bytes),
        Some("stl") => stl::inspect(&bytes),
        _ => return problems,
    };
    let problem = counts.map(|counts| counts.problem()).unwrap_or_else(Some);
    problems.extend(problem.map(|p| format!("{rel}: {p}")));
    problems
}

/// Files that the manifest does not list.
fn extra_files(model: &Path, manifest: &Manifest) -> Vec<String> {
    let listed: BTreeSet<&str> = manifest
        .files
        .iter()
        .map(|f| f.path.as_str())
        .chain([MANIFEST, TIMES])
        .collect();
    let mut problems = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(model.join(&folder)) {
            Ok(entries) => entries,
            Err(e) => {
                problems.push(format!("{folder}: cannot be listed: {e}"));
                continue;
            }
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let rel = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            if entry.file_type().is_ok_and(|t| t.is_dir()) {
                folders.push(rel);
            } else if !listed.contains(rel.as_str()) {
                problems.push(format!("{rel}: extra, not listed in the manifest"));
            }
        }
    }
    problems.sort();
    problems
}

/// References of one SDF file that lead nowhere.
fn references(model: &Path, sdf: &str) -> Vec<String> {
    // A missing file is reported with the listed ones.
    let Ok(text) = fs::read_to_string(model.join(sdf)) else {
        return Vec::new();
    };
    let uris = match uris(&text) {
        Ok(uris) => uris,
        Err(e) => return vec![format!("{sdf}: broken XML: {e}")],
    };
    let mut problems = Vec::new();
    if uris.is_empty() {
        problems.push(format!("{sdf}: refers to no mesh"));
    }
    for uri in uris {
        if name::check_rel(&uri).is_err() || !model.join(&uri).is_file() {
            problems.push(format!(
                "{sdf}: refers to {uri:?}, which is not in the model"
            ));
        }
    }
    problems
}

/// Meshes and textures an SDF file names.
fn uris(text: &str) -> Result<BTreeSet<String>, String> {
    let mut reader = Reader::from_str(text);
    let mut uris = BTreeSet::new();
    let (mut depth, mut uri) = (0usize, None::<String>);
    loop {
        match reader.read_event().map_err(|e| e.to_string())? {
            Event::Start(start) => {
                depth += 1;
                let tag = start.name().as_ref().to_owned();
                let file = &*tag == "uri" || tag.ends_with("_map");
                uri = file.then(String::new);
            }
            Event::Text(text) => {
                if let Some(uri) = &mut uri {
                    uri.push_str(text.into_inner().trim());
                }
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                uris.extend(uri.take());
            }
            Event::Eof if depth > 0 => return Err("ends inside an element".into()),
            Event::Eof => return Ok(uris),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_found_and_broken_xml_is_told() {
        let text = "<sdf><mesh><uri>a.glb</uri></mesh><normal_map>n.png</normal_map>\
                    <name>x</name></sdf>";
        assert_eq!(
            uris(text).unwrap(),
            BTreeSet::from(["a.glb".into(), "n.png".into()])
        );
        for broken in ["<sdf><mesh>", "<sdf></mesh>", "<sdf", "<a><b></a></b>"] {
            uris(broken).unwrap_err();
        }
    }
}

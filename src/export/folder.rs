//! The output folder: files arrive in it whole or not at all.
//!
//! Everything is written into a hidden folder inside, on the same file system, and renamed into
//! place at the end. A lock in it is freed by the kernel however its process ends, so that the next
//! export can tell a living one from what a killed one left, and removes that.

use super::{Error, TEXTURES};
use std::fs::{self, File, TryLockError};
use std::path::{Component, Path, PathBuf};

const HIDDEN: &str = ".plume-export.partial";
const LOCK: &str = ".lock";

/// An output folder while an export writes into it.
#[derive(Debug)]
pub struct Folder {
    out: PathBuf,
    hidden: PathBuf,
    /// Kept open: closing it frees the lock.
    _lock: File,
    /// Folders made for `out`, outermost first.
    made: Vec<PathBuf>,
}

impl Folder {
    /// Begins an export into `out`, which is made when missing and may not lie in `model`.
    pub fn begin(out: &Path, model: &Path) -> Result<Self, Error> {
        let model = fs::canonicalize(model).map_err(Error::io("resolve", model))?;
        let resolved = resolve(out)?;
        let textures = fs::canonicalize(resolved.join(TEXTURES)).ok();
        if [Some(&resolved), textures.as_ref()]
            .into_iter()
            .flatten()
            .any(|path| path.starts_with(&model))
        {
            return Err(Error::Inside {
                out: out.to_owned(),
                model,
            });
        }
        let made = make(&resolved)?;
        let begun = lock(&resolved);
        if begun.is_err() {
            unmake(&made);
        }
        let (hidden, lock) = begun?;
        Ok(Self {
            out: resolved,
            hidden,
            _lock: lock,
            made,
        })
    }

    /// Where files wait until they are whole.
    pub fn hidden(&self) -> &Path {
        &self.hidden
    }

    /// Refuses names that are taken, unless `force` may replace files.
    pub fn check(&self, names: &[String], force: bool) -> Result<(), Error> {
        let taken = |name: &&String| {
            let meta = fs::symlink_metadata(self.out.join(name));
            meta.is_ok_and(|meta| !force || meta.is_dir())
        };
        let mut taken = names.iter().filter(taken);
        match taken.next() {
            Some(first) => Err(Error::Exists {
                path: self.out.join(first),
                more: taken.count(),
            }),
            None => Ok(()),
        }
    }

    /// True when the file `name` is there with this content (BLAKE3, hex digits).
    pub fn has(&self, name: &str, hash: &str) -> bool {
        let bytes = fs::read(self.out.join(name));
        bytes.is_ok_and(|bytes| blake3::hash(&bytes).to_hex().as_str() == hash)
    }

    /// Puts files in their place, in this order.
    pub fn publish(mut self, names: &[String]) -> Result<(), Error> {
        // What is in place stays, so the folder must too.
        self.made.clear();
        for name in names {
            let (from, to) = (self.hidden.join(name), self.out.join(name));
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(Error::io("make folder", parent))?;
            }
            fs::rename(&from, &to).map_err(Error::io("make", &to))?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.hidden) {
            tracing::warn!(
                "left-over folder {:?} could not be removed: {error}",
                self.hidden
            );
        }
        unmake(&self.made);
    }
}

/// `out` without links, although its last folders may not exist.
fn resolve(out: &Path) -> Result<PathBuf, Error> {
    let refuse = |why: &str| Error::Out {
        out: out.to_owned(),
        why: why.to_owned(),
    };
    let whole = std::path::absolute(out).map_err(|_| refuse("is empty"))?;
    let there = whole.ancestors().find(|path| path.exists());
    let there = there.ok_or_else(|| refuse("lies nowhere"))?;
    if !there.is_dir() {
        return Err(refuse("is a file or lies below one"));
    }
    let rest = whole.strip_prefix(there).unwrap_or(Path::new(""));
    if rest.components().any(|part| part == Component::ParentDir) {
        return Err(refuse("has `..` after a folder that does not exist"));
    }
    let there = fs::canonicalize(there).map_err(Error::io("resolve", there))?;
    Ok(there.join(rest))
}

/// Makes `out` and returns the folders made, outermost first.
fn make(out: &Path) -> Result<Vec<PathBuf>, Error> {
    let missing = out.ancestors().take_while(|path| !path.exists());
    let mut made: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    made.reverse();
    fs::create_dir_all(out).map_err(|source| {
        unmake(&made);
        Error::Out {
            out: out.to_owned(),
            why: format!("cannot be made: {source}"),
        }
    })?;
    Ok(made)
}

/// Removes folders, as far as they are empty.
fn unmake(made: &[PathBuf]) {
    for folder in made.iter().rev() {
        if fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

/// Makes the hidden folder in `out`, or takes over that of a killed export, and takes its lock.
fn lock(out: &Path) -> Result<(PathBuf, File), Error> {
    let hidden = out.join(HIDDEN);
    match fs::create_dir(&hidden) {
        // A link could lead anywhere, and what is in the folder is about to be removed.
        Err(_) if fs::symlink_metadata(&hidden).is_ok_and(|meta| meta.is_dir()) => {}
        made => made.map_err(Error::io("make folder", &hidden))?,
    }
    let path = hidden.join(LOCK);
    let mut options = File::options();
    let file = options.write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(Error::io("make", &path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(Error::Busy {
                out: out.to_owned(),
            });
        }
        Err(TryLockError::Error(source)) => return Err(Error::io("lock", &path)(source)),
    }
    let left = fs::read_dir(&hidden).and_then(|entries| {
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                fs::remove_dir_all(path)?;
            } else if !path.ends_with(LOCK) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    });
    left.map_err(Error::io("clear", &hidden))?;
    Ok((hidden, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn setting() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let model = dir.path().join("model");
        fs::create_dir(&model).unwrap();
        (dir, model)
    }

    #[test]
    fn whole_files_arrive_and_nothing_else_stays() {
        let (dir, model) = setting();
        let out = dir.path().join("a/b");
        let folder = Folder::begin(&out, &model).unwrap();
        fs::create_dir(folder.hidden().join(TEXTURES)).unwrap();
        for name in ["textures/t.png", "cave.glb", "scratch"] {
            fs::write(folder.hidden().join(name), name).unwrap();
        }
        assert_eq!(names(&out), [HIDDEN]);
        folder
            .publish(&["textures/t.png".into(), "cave.glb".into()])
            .unwrap();
        assert_eq!(names(&out), ["cave.glb", "textures"]);
        assert_eq!(names(&out.join(TEXTURES)), ["t.png"]);
    }

    #[test]
    fn an_export_that_fails_leaves_nothing() {
        let (dir, model) = setting();
        let out = dir.path().join("a/b");
        drop(Folder::begin(&out, &model).unwrap());
        assert_eq!(names(dir.path()), ["model"]);
    }

    #[test]
    fn one_at_a_time_and_the_dead_are_cleared() {
        let (dir, model) = setting();
        let out = dir.path().join("out");
        let first = Folder::begin(&out, &model).unwrap();
        let second = Folder::begin(&out, &model);
        assert!(matches!(second, Err(Error::Busy { .. })), "{second:?}");
        drop(first);
        fs::create_dir_all(out.join(HIDDEN)).unwrap();
        fs::write(out.join(HIDDEN).join(LOCK), "").unwrap();
        fs::write(out.join(HIDDEN).join("half.glb"), "x").unwrap();
        let third = Folder::begin(&out, &model).unwrap();
        assert_eq!(names(third.hidden()), [LOCK]);
    }

    #[test]
    fn models_are_out_of_bounds() {
        let (dir, model) = setting();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&model, &link).unwrap();
        let outs = [
            &model,
            &model.join("a/b"),
            &link.join("x"),
            &model.join("../model"),
        ];
        for out in outs {
            let error = Folder::begin(out, &model).unwrap_err();
            assert!(matches!(error, Error::Inside { .. }), "{error}");
        }
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        for out in [
            file.join("x"),
            file,
            dir.path().join("new/../model"),
            PathBuf::new(),
        ] {
            let error = Folder::begin(&out, &model).unwrap_err();
            assert!(matches!(error, Error::Out { .. }), "{error}");
        }
        assert_eq!(names(&model), [""; 0]);
    }

    #[test]
    fn taken_names() {
        let (dir, model) = setting();
        let out = dir.path().join("out");
        let folder = Folder::begin(&out, &model).unwrap();
        fs::write(out.join("a"), "1").unwrap();
        fs::create_dir(out.join("b")).unwrap();
        let names = ["a", "b", "c"].map(String::from);
        let error = folder.check(&names, false).unwrap_err().to_string();
        assert!(error.contains("/a\" exists, and 1 more"), "{error}");
        let error = folder.check(&names, true).unwrap_err().to_string();
        assert!(error.contains("/b\" exists;"), "{error}");
        folder.check(&names[2..], false).unwrap();
        assert!(folder.has("a", blake3::hash(b"1").to_hex().as_str()));
        assert!(!folder.has("a", "") && !folder.has("c", ""));
    }
}

//! A model being written: whole or not at all.

use super::partial::{self, RootLock};
use super::root::{check_place, check_root};
use super::{Error, FileEntry, name};
use crate::progress::Job;
use rayon::prelude::*;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A hidden folder beside the model's place, on the same file system.
///
/// Files may be written from many threads. [`commit`](Self::commit) puts the folder in the model's
/// place in one step; dropped before that, it is removed and the old model stays.
#[derive(Debug)]
pub struct Staging {
    root: PathBuf,
    name: String,
    dir: PathBuf,
    /// Kept open: closing it frees the lock that says that this run lives.
    _lock: File,
    /// Folders made for the root, outermost first.
    made: Vec<PathBuf>,
    files: Mutex<BTreeMap<String, FileEntry>>,
}

impl Staging {
    /// Starts model `name` in folder `root`, which is made when missing.
    ///
    /// Removes what killed runs left there. To be called before the work starts: a second run of
    /// the same name in the same root is refused with [`Error::Busy`] from here on.
    pub fn begin(root: &Path, name: &str) -> Result<Self, Error> {
        check_root(root, name, 0)?;
        let made = make_root(root)?;
        Self::begin_in(root, name, made.clone()).inspect_err(|_| unmake_root(&made))
    }

    fn begin_in(root: &Path, name: &str, made: Vec<PathBuf>) -> Result<Self, Error> {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        let root = fs::canonicalize(root).map_err(|e| Error::io("resolve", root, 0, e))?;
        let root_lock = RootLock::take(&root);
        let swept = partial::sweep(&root, &root_lock)?;
        if let Some((_, by)) = swept.living.into_iter().find(|(other, _)| other == name) {
            return Err(Error::Busy {
                name: name.to_owned(),
                root,
                by,
            });
        }
        let dir = loop {
            let n = RUNS.fetch_add(1, Ordering::Relaxed);
            let dir = root.join(partial::partial_name(name, n));
            match fs::create_dir(&dir) {
                Ok(()) => break dir,
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Error::io("make folder", &dir, 0, e)),
            }
        };
        let lock = partial::lock_folder(&dir).inspect_err(|_| {
            partial::remove_tree(&dir);
        })?;
        Ok(Self {
            root,
            name: name.to_owned(),
            dir,
            _lock: lock,
            made,
            files: Mutex::default(),
        })
    }

    /// Name of the model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the model will be.
    pub fn place(&self) -> PathBuf {
        self.root.join(&self.name)
    }

    /// Writes one file; `rel` is relative to the model's folder, with `/`.
    ///
    /// Refuses a path written before. On failure nothing of the file stays.
    pub fn write(&self, rel: &str, bytes: &[u8]) -> Result<FileEntry, Error> {
        let entry = self.put(rel, bytes, blake3::hash(bytes))?;
        self.entries().insert(rel.to_owned(), entry.clone());
        Ok(entry)
    }

    /// Writes `<stem>_<hash>.<ext>` with the first 8 hex digits of the content's BLAKE3 hash.
    ///
    /// `stem` is a folder and a file name that starts with the model's name: Gazebo caches meshes
    /// by path and textures by base name, over all models of a process.
    pub fn write_hashed(&self, stem: &str, ext: &str, bytes: &[u8]) -> Result<FileEntry, Error> {
        let base = stem.rsplit('/').next().unwrap_or(stem);
        if !base
            .strip_prefix(&self.name)
            .is_some_and(|rest| rest.starts_with('_'))
        {
            let why = "does not start with the model's name and `_`";
            return Err(Error::Path {
                rel: stem.to_owned(),
                why,
            });
        }
        let hash = blake3::hash(bytes);
        let rel = format!("{stem}_{}.{ext}", &hash.to_hex()[..8]);
        let entry = self.put(&rel, bytes, hash)?;
        self.entries().insert(rel, entry.clone());
        Ok(entry)
    }

    /// Writes a file that the manifest does not list.
    pub(super) fn write_unlisted(&self, rel: &str, bytes: &[u8]) -> Result<(), Error> {
        self.put(rel, bytes, blake3::hash(bytes)).map(|_| ())
    }

    /// Every listed file so far, by path.
    pub fn files(&self) -> Vec<FileEntry> {
        self.entries().values().cloned().collect()
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, FileEntry>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, rel: &str, bytes: &[u8], hash: blake3::Hash) -> Result<FileEntry, Error> {
        name::check_rel(rel)?;
        let (path, size) = (self.dir.join(rel), bytes.len() as u64);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|e| Error::io("make folder", parent, 0, e))?;
        }
        let mut file = match File::options().write(true).create_new(true).open(&path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                return Err(Error::Twice {
                    rel: rel.to_owned(),
                });
            }
            Err(e) => return Err(Error::io("make", &path, size, e)),
        };
        file.write_all(bytes).map_err(|e| {
            let error = Error::io("write", &path, size, e);
            // The folder goes as a whole later; this only frees the room at once.
            let _ = fs::remove_file(&path);
            error
        })?;
        Ok(FileEntry {
            path: rel.to_owned(),
            bytes: size,
            blake3: hash.to_hex().to_string(),
        })
    }

    /// Puts the model in its place and returns its folder.
    ///
    /// Everything is on the disk before the old model goes; until then any failure leaves it as it
    /// was.
    pub fn commit(self, job: &Job) -> Result<PathBuf, Error> {
        let (files, folders) = tree(&self.dir)?;
        let total = files.len() as u64;
        let done = AtomicU64::new(0);
        files.par_iter().try_for_each(|path| {
            sync(path)?;
            job.step(done.fetch_add(1, Ordering::Relaxed) + 1, total)?;
            Ok::<(), Error>(())
        })?;
        folders.iter().try_for_each(|path| sync(path))?;
        let place = self.place();
        let old = {
            let _root_lock = RootLock::take(&self.root);
            job.check()?;
            check_place(&place)?;
            let lock = self.dir.join(partial::LOCK);
            fs::remove_file(&lock).map_err(|e| Error::io("remove", &lock, 0, e))?;
            publish(&self.dir, &place)?
        };
        // The new model is in place: from here on nothing may be reported as its failure.
        if let Err(e) = sync(&self.root) {
            tracing::warn!("{e}");
        }
        if let Some(old) = old {
            partial::remove_tree(&old);
        }
        Ok(place)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // After a commit the folder is gone, or is the old model on its way out.
        if self.dir.exists() {
            partial::remove_tree(&self.dir);
        }
        unmake_root(&self.made);
    }
}

/// Makes `root` and returns the folders made, outermost first.
fn make_root(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut made: Vec<PathBuf> = root
        .ancestors()
        .take_while(|p| !p.as_os_str().is_empty() && !p.exists())
        .map(Path::to_owned)
        .collect();
    made.reverse();
    fs::create_dir_all(root).map_err(|e| {
        unmake_root(&made);
        match Error::io("make folder", root, 0, e) {
            Error::Io { source, .. } => Error::Root {
                root: root.to_owned(),
                why: format!("cannot be made: {source}"),
            },
            known => known,
        }
    })?;
    Ok(made)
}

/// Removes the folders made for a root, as far as they are empty.
fn unmake_root(made: &[PathBuf]) {
    for folder in made.iter().rev() {
        if fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

/// Files and folders below and including `dir`, sorted; deepest folders last.
fn tree(dir: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Error> {
    let (mut files, mut folders) = (BTreeSet::new(), vec![dir.to_owned()]);
    let mut next = 0;
    while let Some(folder) = folders.get(next).cloned() {
        let fail = |e| Error::io("list", &folder, 0, e);
        for entry in fs::read_dir(&folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            if entry.file_type().map_err(fail)?.is_dir() {
                folders.push(entry.path());
            } else {
                files.insert(entry.path());
            }
        }
        next += 1;
    }
    Ok((files.into_iter().collect(), folders))
}

fn sync(path: &Path) -> Result<(), Error> {
    let synced = File::open(path).and_then(|file| file.sync_all());
    match synced {
        // Some network file systems cannot sync a folder.
        Err(e) if e.kind() == io::ErrorKind::InvalidInput && path.is_dir() => Ok(()),
        other => other.map_err(|e| Error::io("flush", path, 0, e)),
    }
}

/// Renames `dir` to `place`; returns where the model that was there is now.
fn publish(dir: &Path, place: &Path) -> Result<Option<PathBuf>, Error> {
    let fail = |e: io::Error| Error::io("rename to", place, 0, e);
    if fs::symlink_metadata(place).is_err() {
        fs::rename(dir, place).map_err(fail)?;
        return Ok(None);
    }
    match renameat_with(CWD, dir, CWD, place, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(Some(dir.to_owned())),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => swap_by_two_renames(dir, place),
        Err(e) => Err(fail(e.into())),
    }
}

/// For file systems without an exchange. Killed between the two renames, the old model comes back
/// at the next start ([`partial::sweep`]).
fn swap_by_two_renames(dir: &Path, place: &Path) -> Result<Option<PathBuf>, Error> {
    let fail = |e: io::Error| Error::io("rename to", place, 0, e);
    let hidden = dir
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let old = dir.with_file_name(partial::old_name(&hidden));
    fs::rename(place, &old).map_err(fail)?;
    match fs::rename(dir, place) {
        Ok(()) => Ok(Some(old)),
        Err(e) => {
            fs::rename(&old, place).map_err(fail)?;
            Err(fail(e))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::{Observer, Stage, Unobserved};

    fn job() -> Job<'static> {
        Job::new(&Unobserved, Stage::Model)
    }

    fn names(root: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(root)
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn appears_whole_and_replaces_only_models() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for content in ["one", "two"] {
            let staging = Staging::begin(root, "cave").unwrap();
            staging.write("plume/manifest.json", b"{}").unwrap();
            staging.write("model.sdf", content.as_bytes()).unwrap();
            let place = staging.commit(&job()).unwrap();
            assert_eq!(
                fs::read_to_string(place.join("model.sdf")).unwrap(),
                content
            );
            assert_eq!(names(root), ["cave"]);
            assert_eq!(names(&place), ["model.sdf", "plume"]);
        }
    }

    #[test]
    fn two_renames_replace_as_well() {
        let dir = tempfile::tempdir().unwrap();
        let (new, place) = (
            dir.path().join(".cave.partial-1-0"),
            dir.path().join("cave"),
        );
        fs::create_dir(&new).unwrap();
        fs::create_dir(&place).unwrap();
        fs::write(new.join("new"), b"").unwrap();
        let old = swap_by_two_renames(&new, &place).unwrap().unwrap();
        assert!(place.join("new").exists());
        assert_eq!(old, dir.path().join(".cave.old-1-0"));
    }

    #[test]
    fn dropped_leaves_nothing_and_keeps_the_old() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("new/root");
        drop(Staging::begin(&root, "cave").unwrap());
        assert!(names(dir.path()).is_empty());
        let first = Staging::begin(&root, "cave").unwrap();
        first.write("plume/manifest.json", b"{}").unwrap();
        first.commit(&job()).unwrap();
        let second = Staging::begin(&root, "cave").unwrap();
        second.write("other", b"").unwrap();
        drop(second);
        assert_eq!(names(&root.join("cave")), ["plume"]);
    }

    #[test]
    fn second_run_of_a_name_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let first = Staging::begin(dir.path(), "cave").unwrap();
        let error = Staging::begin(dir.path(), "cave").unwrap_err();
        assert!(matches!(error, Error::Busy { .. }), "{error}");
        let other = Staging::begin(dir.path(), "other").unwrap();
        first.write("still", b"here").unwrap();
        drop((first, other));
        Staging::begin(dir.path(), "cave").unwrap();
    }

    #[test]
    fn hashed_names_follow_content() {
        let dir = tempfile::tempdir().unwrap();
        let staging = Staging::begin(dir.path(), "cave").unwrap();
        let a = staging
            .write_hashed("meshes/visual/cave_0_0_0", "glb", b"abc")
            .unwrap();
        assert_eq!(a.path, "meshes/visual/cave_0_0_0_6437b3ac.glb");
        assert_eq!(a.bytes, 3);
        let twice = staging.write_hashed("meshes/visual/cave_0_0_0", "glb", b"abc");
        assert!(matches!(twice, Err(Error::Twice { .. })));
        let foreign = staging.write_hashed("meshes/visual/0_0_0", "glb", b"abc");
        assert!(matches!(foreign, Err(Error::Path { .. })));
        assert!(matches!(
            staging.write("../x", b""),
            Err(Error::Path { .. })
        ));
        assert_eq!(staging.files(), [a]);
    }

    #[test]
    fn threads_write_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let staging = Staging::begin(dir.path(), "cave").unwrap();
        let written: Vec<_> = (0..64u8)
            .into_par_iter()
            .map(|i| staging.write(&format!("a/b/{i:02}"), &[i]).unwrap())
            .collect();
        assert_eq!(staging.files(), written);
    }

    #[test]
    fn cancelled_commit_leaves_nothing() {
        struct Stop;
        impl Observer for Stop {
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        let dir = tempfile::tempdir().unwrap();
        let staging = Staging::begin(dir.path(), "cave").unwrap();
        staging.write("x", b"").unwrap();
        let error = staging.commit(&Job::new(&Stop, Stage::Model)).unwrap_err();
        assert!(matches!(error, Error::Cancelled(_)));
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn a_full_disk_is_named() {
        let full = io::Error::from_raw_os_error(Errno::NOSPC.raw_os_error());
        let error = Error::io("write", Path::new("/tmp/x"), 7, full);
        assert!(error.to_string().starts_with("disk full"), "{error}");
    }
}

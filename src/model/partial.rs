//! Half-written folders: their names, their locks, and the removal of those left by killed runs.
//!
//! `.<name>.partial-<pid>-<n>` is being written or was replaced; while its run lives, the file
//! `.lock` in it is held by `flock`, which the kernel drops with the process however it ends. The
//! pid only informs: in containers two runs may share it.
//! `.<name>.old-<pid>-<n>` is a whole model moved aside on file systems that cannot exchange.

use super::Error;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Held while its run lives.
pub(super) const LOCK: &str = ".lock";

const PARTIAL: &str = ".partial-";
const OLD: &str = ".old-";

/// Serialises making, cleaning and publishing in one root; on network file systems that cannot
/// lock a folder it holds nothing.
pub(super) struct RootLock(Option<File>);

impl RootLock {
    pub(super) fn take(root: &Path) -> Self {
        Self(File::open(root).ok().filter(|folder| folder.lock().is_ok()))
    }
}

/// Names of the folders of one run.
pub(super) fn partial_name(name: &str, n: u64) -> String {
    format!(".{name}{PARTIAL}{}-{n}", std::process::id())
}

/// Name for a replaced model, from the name of the folder that replaces it.
pub(super) fn old_name(partial: &str) -> String {
    partial.replacen(PARTIAL, OLD, 1)
}

/// Takes the lock of a folder just made.
pub(super) fn lock_folder(folder: &Path) -> Result<File, Error> {
    let path = folder.join(LOCK);
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)
        .map_err(|e| Error::io("make", &path, 0, e))?;
    file.try_lock()
        .map_err(|e| Error::io("lock", &path, 0, e.into()))?;
    Ok(file)
}

/// Removes what killed runs left in `root` and returns the folders removed; those of living runs
/// stay. A root that does not exist holds none.
pub fn clean_stale(root: &Path) -> Result<Vec<PathBuf>, Error> {
    if !root.exists() {
        return Ok(Vec::new());
    }
    let lock = RootLock::take(root);
    Ok(sweep(root, &lock)?.removed)
}

/// What [`sweep`] found in a root.
#[derive(Default)]
pub(super) struct Swept {
    /// Folders that it removed.
    pub removed: Vec<PathBuf>,
    /// Model name and folder of every living run.
    pub living: Vec<(String, String)>,
}

/// Removes stale folders.
pub(super) fn sweep(root: &Path, lock: &RootLock) -> Result<Swept, Error> {
    let Swept {
        mut removed,
        mut living,
    } = Swept::default();
    for entry in fs::read_dir(root).map_err(|e| Error::io("list", root, 0, e))? {
        let entry = entry.map_err(|e| Error::io("list", root, 0, e))?;
        let file_name = entry.file_name();
        let Some(hidden) = file_name.to_str() else {
            continue;
        };
        let is_folder = entry.file_type().is_ok_and(|t| t.is_dir());
        let path = entry.path();
        if let (Some(name), true) = (model_of(hidden, OLD), is_folder) {
            let place = root.join(name);
            let restored = !place.exists() && fs::rename(&path, &place).is_ok();
            if !restored && remove_tree(&path) {
                removed.push(path);
            }
        } else if let (Some(name), true) = (model_of(hidden, PARTIAL), is_folder) {
            if is_alive(&path, lock) {
                living.push((name.to_owned(), hidden.to_owned()));
            } else if remove_tree(&path) {
                removed.push(path);
            }
        }
    }
    removed.sort();
    Ok(Swept { removed, living })
}

/// The model's name in `.<name><mark><pid>-<n>`.
fn model_of<'a>(hidden: &'a str, mark: &str) -> Option<&'a str> {
    let (name, run) = hidden.strip_prefix('.')?.rsplit_once(mark)?;
    let (pid, n) = run.split_once('-')?;
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    (digits(pid) && digits(n) && super::check_name(name).is_ok()).then_some(name)
}

fn is_alive(folder: &Path, lock: &RootLock) -> bool {
    match File::options()
        .read(true)
        .write(true)
        .open(folder.join(LOCK))
    {
        Ok(file) => matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
        // No lock file: killed at birth or after publishing. Only the root's lock tells that from
        // a run that is being born right now.
        Err(e) if e.kind() == io::ErrorKind::NotFound => lock.0.is_none(),
        Err(_) => true,
    }
}

/// Removes a folder; another run may be at the same, which is no failure.
pub(super) fn remove_tree(folder: &Path) -> bool {
    match fs::remove_dir_all(folder) {
        Ok(()) => true,
        Err(_) if !folder.exists() => true,
        Err(e) => {
            tracing::warn!("left-over folder {folder:?} could not be removed: {e}");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_left_overs_are_read_back() {
        assert_eq!(
            model_of(&partial_name("a.partial-1-2", 3), PARTIAL),
            Some("a.partial-1-2")
        );
        let old = old_name(&partial_name("cave", 0));
        assert_eq!(model_of(&old, OLD), Some("cave"));
        for foreign in [
            ".git",
            ".partial-1-2",
            ".a.partial-1",
            ".a.partial-x-1",
            "a.partial-1-2",
        ] {
            assert_eq!(model_of(foreign, PARTIAL), None, "{foreign}");
        }
    }

    #[test]
    fn stale_goes_living_and_foreign_stay() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let make = |name: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.join("meshes")).unwrap();
            path
        };
        let (stale, unborn) = (make(".a.partial-1-0"), make(".b.partial-1-1"));
        fs::write(stale.join(LOCK), b"").unwrap();
        let living = make(".c.partial-1-2");
        let held = lock_folder(&living).unwrap();
        let foreign = make(".git");
        assert_eq!(clean_stale(root).unwrap(), [stale, unborn]);
        assert!(living.exists() && foreign.exists());
        drop(held);
        assert_eq!(clean_stale(root).unwrap(), [living]);
    }

    #[test]
    fn a_model_left_aside_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let old = dir.path().join(".cave.old-1-0");
        fs::create_dir(&old).unwrap();
        fs::write(old.join("model.sdf"), b"x").unwrap();
        clean_stale(dir.path()).unwrap();
        assert!(dir.path().join("cave/model.sdf").is_file());
        assert!(!old.exists());
    }
}

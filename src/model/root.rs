//! The output root: may a model be written there?

use super::Error;
use rustix::fs::{Access, access, statvfs};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Name of the file that marks a folder as plume's own.
pub(super) const MANIFEST: &str = "plume/manifest.json";

/// Checks, without writing anything, that `root` is or can become a writable folder with
/// `needed` bytes free, and that `name` could be written below it. Returns the bytes free.
///
/// To be asked before the work starts; [`Staging::begin`](super::Staging::begin) asks again.
pub fn check_root(root: &Path, name: &str, needed: u64) -> Result<u64, Error> {
    super::check_name(name)?;
    let bad = |why: String| Error::Root {
        root: root.to_owned(),
        why,
    };
    if root.as_os_str().is_empty() {
        return Err(bad("is empty".into()));
    }
    let there = nearest_existing(root).map_err(&bad)?;
    let meta = fs::metadata(&there).map_err(|e| bad(format!("cannot be read: {e}")))?;
    if !meta.is_dir() {
        let what = if there == root {
            "is a file".into()
        } else {
            format!("lies below {there:?}, which is a file")
        };
        return Err(bad(what));
    }
    // Root's rights pass every mode; a folder that nobody may write is meant to be left alone.
    if meta.mode() & 0o222 == 0 {
        return Err(Error::ReadOnly {
            path: there,
            why: "no write permission is set".into(),
        });
    }
    if let Err(e) = access(&there, Access::WRITE_OK | Access::EXEC_OK) {
        return Err(Error::ReadOnly {
            path: there,
            why: e.to_string(),
        });
    }
    let free = free_bytes(&there).unwrap_or(u64::MAX);
    if free < needed {
        return Err(Error::DiskFull {
            path: root.to_owned(),
            needed,
            free,
        });
    }
    check_place(&root.join(name))?;
    Ok(free)
}

/// Refuses to replace what plume did not make.
pub(super) fn check_place(place: &Path) -> Result<(), Error> {
    let occupied = |why| {
        Err(Error::Occupied {
            path: place.to_owned(),
            why,
        })
    };
    let Ok(meta) = fs::symlink_metadata(place) else {
        return Ok(());
    };
    if meta.is_symlink() {
        return occupied("is a symbolic link, which may lead out of the output root");
    }
    if !meta.is_dir() {
        return occupied("is a file");
    }
    let empty = fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_none());
    if !empty && !place.join(MANIFEST).is_file() {
        return occupied("is a folder without plume/manifest.json");
    }
    Ok(())
}

/// Bytes that an unprivileged user may still write at `path`; none where the file system has no
/// such figure.
pub(super) fn free_bytes(path: &Path) -> Option<u64> {
    let s = statvfs(path).ok()?;
    (s.f_blocks > 0).then(|| s.f_bavail.saturating_mul(s.f_frsize))
}

fn nearest_existing(root: &Path) -> Result<PathBuf, String> {
    let mut there = root;
    loop {
        match fs::symlink_metadata(there) {
            Ok(_) => return Ok(there.to_owned()),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) if e.kind() == std::io::ErrorKind::NotADirectory => {}
            Err(e) => return Err(format!("cannot be read: {e}")),
        }
        there = match there.parent() {
            Some(up) if !up.as_os_str().is_empty() => up,
            _ => return Ok(PathBuf::from(".")),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_and_new_roots_pass() {
        let dir = tempfile::tempdir().unwrap();
        assert!(check_root(dir.path(), "a", 1).unwrap() > 0);
        check_root(&dir.path().join("x/y/z"), "a", 1).unwrap();
        assert!(!dir.path().join("x").exists());
        check_root(Path::new("some_new_folder"), "a", 1).unwrap();
    }

    #[test]
    fn files_full_disks_and_read_only_folders_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, b"x").unwrap();
        assert!(matches!(check_root(&file, "a", 1), Err(Error::Root { .. })));
        assert!(matches!(
            check_root(&file.join("below"), "a", 1),
            Err(Error::Root { .. })
        ));
        assert!(matches!(
            check_root(dir.path(), "a", u64::MAX - 1),
            Err(Error::DiskFull { .. })
        ));
        assert!(matches!(
            check_root(Path::new(""), "a", 1),
            Err(Error::Root { .. })
        ));
        let locked = dir.path().join("locked");
        fs::create_dir(&locked).unwrap();
        let mode = |m| std::os::unix::fs::PermissionsExt::from_mode(m);
        fs::set_permissions(&locked, mode(0o555)).unwrap();
        assert!(matches!(
            check_root(&locked, "a", 1),
            Err(Error::ReadOnly { .. })
        ));
        fs::set_permissions(&locked, mode(0o755)).unwrap();
    }

    #[test]
    fn only_models_and_empty_folders_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("empty")).unwrap();
        check_root(root, "empty", 0).unwrap();
        fs::create_dir_all(root.join("mine/plume")).unwrap();
        fs::write(root.join("mine").join(MANIFEST), b"{}").unwrap();
        check_root(root, "mine", 0).unwrap();
        fs::create_dir_all(root.join("photos/2024")).unwrap();
        fs::write(root.join("file"), b"").unwrap();
        std::os::unix::fs::symlink(root.join("mine"), root.join("link")).unwrap();
        for name in ["photos", "file", "link"] {
            let error = check_root(root, name, 0).unwrap_err();
            assert!(matches!(error, Error::Occupied { .. }), "{name}: {error}");
        }
    }
}

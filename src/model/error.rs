//! Why a model was not written or not read.

use crate::progress::Cancelled;
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};

/// Why a model was not written or not read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The name cannot be a folder, a model and a URI at once.
    #[error(
        "model name {name:?} {why}; allowed are 1 to 100 ASCII letters, digits, `_`, `-` and `.`, \
         not starting with `-` or `.`"
    )]
    Name {
        /// What was asked, shortened when very long.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A path inside the model would leave it, or holds characters that URIs cannot.
    #[error(
        "path {rel:?} inside the model {why}; allowed are relative paths of ASCII letters, digits, \
         `_`, `-`, `.` and `/` without `..`"
    )]
    Path {
        /// What was asked.
        rel: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The output root cannot be used.
    #[error("output root {root:?} {why}; it must be a folder that exists or can be made")]
    Root {
        /// What was asked.
        root: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A folder that may not be written.
    #[error("{path:?} is read-only: {why}; choose an output root that this user may write")]
    ReadOnly {
        /// Where.
        path: PathBuf,
        /// Which rule forbids it.
        why: String,
    },
    /// Too little room, known before or found while writing.
    #[error("disk full at {path:?}: {needed} bytes needed, {free} bytes free")]
    DiskFull {
        /// Where.
        path: PathBuf,
        /// Bytes asked for.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// Something is in the model's place that plume did not make.
    #[error(
        "{path:?} {why}; plume replaces only its own models: choose another name or move it away"
    )]
    Occupied {
        /// Where.
        path: PathBuf,
        /// What lies there.
        why: &'static str,
    },
    /// Another run writes this model now.
    #[error(
        "model {name:?} in {root:?} is being written by another run ({by}); wait for it or choose \
         another name"
    )]
    Busy {
        /// Name of the model.
        name: String,
        /// Output root.
        root: PathBuf,
        /// Folder of the other run.
        by: String,
    },
    /// Two writers chose one file name.
    #[error("file {rel:?} of the model was written twice; every file is written once")]
    Twice {
        /// Path inside the model.
        rel: String,
    },
    /// A mesh that Gazebo would drop or crash on.
    #[error("mesh {name:?} {why}")]
    Mesh {
        /// Which mesh.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// A description that makes no loadable SDF.
    #[error("model {name:?} {why}")]
    Description {
        /// Which model.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// XML or JSON could not be put into words.
    #[error("could not write {what}: {why}")]
    Encode {
        /// Which file.
        what: &'static str,
        /// What went wrong.
        why: String,
    },
    /// The path to verify is no folder.
    #[error("{path:?} is not a model: {why}; give the folder that holds model.sdf")]
    NotAModel {
        /// What was asked.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The operating system refused.
    #[error("could not {action} {path:?}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Its answer.
        source: io::Error,
    },
    /// Stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Error {
    /// True where other input would help (exit code 2), false where the machine refused.
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            Error::Name { .. }
                | Error::Path { .. }
                | Error::Root { .. }
                | Error::ReadOnly { .. }
                | Error::Occupied { .. }
                | Error::Busy { .. }
                | Error::NotAModel { .. }
        )
    }

    /// Names the cause behind an error of the operating system; `needed` is the size of what was
    /// being written, bytes.
    pub(super) fn io(action: &'static str, path: &Path, needed: u64, source: io::Error) -> Self {
        match source.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::NOSPC | Errno::DQUOT) => {
                let there = path.parent().unwrap_or(path);
                let free = super::root::free_bytes(there).unwrap_or(0);
                Error::DiskFull {
                    path: path.to_owned(),
                    needed,
                    free,
                }
            }
            Some(Errno::ROFS | Errno::ACCESS | Errno::PERM) => Error::ReadOnly {
                path: path.to_owned(),
                why: source.to_string(),
            },
            _ => Error::Io {
                action,
                path: path.to_owned(),
                source,
            },
        }
    }
}

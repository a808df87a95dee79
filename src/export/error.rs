//! Why a cave was not exported.

use super::Format;
use crate::progress::Cancelled;
use std::io;
use std::path::{Path, PathBuf};

/// Why a cave was not exported. Whatever the reason, no file was changed by halves.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A format that plume does not write.
    #[error("format {asked:?} is unknown; allowed are {}", Format::names())]
    Format {
        /// What was asked.
        asked: String,
    },
    /// Nothing to write.
    #[error("no format is given; allowed are {}", Format::names())]
    NoFormat,
    /// The folder to read is no whole model.
    #[error("{path:?} is not a model to export: {why}")]
    NotAModel {
        /// What was asked.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file of the model is not as the run that made it left it.
    #[error("{path:?} {why}; `plume verify` checks the whole model")]
    Broken {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The output would change the model.
    #[error("output folder {out:?} lies in the model {model:?}; choose one outside of it")]
    Inside {
        /// What was asked.
        out: PathBuf,
        /// The model.
        model: PathBuf,
    },
    /// The output folder cannot be used.
    #[error("output folder {out:?} {why}; it must be a folder that exists or can be made")]
    Out {
        /// What was asked.
        out: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Files that an export would replace.
    #[error("{path:?} exists{}; --force replaces files of the same name", besides(.more))]
    Exists {
        /// The first of them.
        path: PathBuf,
        /// How many there are besides.
        more: usize,
    },
    /// Another export writes into the same folder.
    #[error("another export is writing into {out:?}; wait for it or choose another folder")]
    Busy {
        /// Output folder.
        out: PathBuf,
    },
    /// More than a format can hold.
    #[error("{file:?} {why}; export the chunks one by one (--per-chunk)")]
    TooLarge {
        /// Which file.
        file: String,
        /// Size and limit.
        why: String,
    },
    /// A format's own rules were broken.
    #[error("could not write {file:?}: {why}")]
    Encode {
        /// Which file.
        file: String,
        /// What went wrong.
        why: String,
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
        match self {
            Error::Encode { .. } | Error::Io { .. } | Error::Cancelled(_) => false,
            Error::Format { .. }
            | Error::NoFormat
            | Error::NotAModel { .. }
            | Error::Broken { .. }
            | Error::Inside { .. }
            | Error::Out { .. }
            | Error::Exists { .. }
            | Error::Busy { .. }
            | Error::TooLarge { .. } => true,
        }
    }

    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Error::Io {
            action,
            path,
            source,
        }
    }
}

fn besides(count: &usize) -> String {
    match count {
        0 => String::new(),
        1 => ", and 1 more".to_owned(),
        n => format!(", and {n} more"),
    }
}

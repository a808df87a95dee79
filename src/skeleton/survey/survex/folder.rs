//! Which files a survey may include.

use super::super::text::{Field, decode};
use crate::skeleton::json::{MAX_FILE_BYTES, read_file};
use crate::skeleton::{Error, Fault};
use std::path::{Path, PathBuf};

/// Most files that a survey includes.
const MAX_FILES: usize = 10_000;

/// The folder of the first file; nothing outside it is read, as a survey may come from anywhere.
pub(super) struct Folder {
    root: PathBuf,
    files: usize,
    bytes: u64,
}

impl Folder {
    /// The folder of a file.
    pub(super) fn of(file: &Path) -> Result<Self, Error> {
        let unreadable = |source| Error::Read {
            path: file.to_owned(),
            source,
        };
        let place = file.canonicalize().map_err(unreadable)?;
        let root = place.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self {
            root,
            files: 0,
            bytes: 0,
        })
    }

    /// The file that the name in `field` means, next to `from`, and its text.
    pub(super) fn open(&mut self, name: &str, field: Field) -> Result<(PathBuf, String), Error> {
        let expected = "a file in the folder of the survey or below it";
        let name = name.replace('\\', "/");
        if name.is_empty() || Path::new(&name).is_absolute() {
            return Err(field.refuse(expected));
        }
        let beside = field.file.with_file_name(&name);
        let with_ending = field.file.with_file_name(format!("{name}.svx"));
        let found = [beside, with_ending].into_iter().find(|p| p.is_file());
        let Some(path) = found else {
            return Err(field.refuse(format!("{expected}; there is none of this name")));
        };
        let place = path.canonicalize().map_err(|source| Error::Read {
            path: path.clone(),
            source,
        })?;
        if !place.starts_with(&self.root) {
            return Err(field.refuse(expected));
        }
        self.files += 1;
        if self.files > MAX_FILES {
            return Err(field.refuse(format!("at most {MAX_FILES} included files")));
        }
        let bytes = read_file(&place)?;
        self.bytes += bytes.len() as u64;
        if self.bytes > MAX_FILE_BYTES {
            return Err(Error::Graph {
                path,
                fault: Fault::TooLarge {
                    bytes: self.bytes,
                    limit: MAX_FILE_BYTES,
                },
            });
        }
        Ok((path, decode(&bytes)))
    }
}

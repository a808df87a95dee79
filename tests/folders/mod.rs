//! What lies in a folder.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Every file below a folder, hidden ones too, by its path in there.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let inside = path.strip_prefix(folder).unwrap().to_str().unwrap();
                files.insert(inside.to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

//! A chunk made alone, in bytes.

use crate::{config, files_with, make, request};
use plume::pipeline::{self, Error};
use std::collections::BTreeMap;

#[test]
fn the_files_of_a_chunk_alone_are_those_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let made = make(&request(folder.path())).unwrap();
    let mut found: BTreeMap<[i32; 3], Vec<Vec<u8>>> = BTreeMap::new();
    for (path, bytes) in files_with(&made.summary.model_path.join("meshes/visual"), ".glb") {
        // cave_i_j_k[_lodN]_hash.glb
        let parts: Vec<&str> = path.split('_').collect();
        let index = [1, 2, 3].map(|i| parts[i].parse().unwrap());
        let level = parts[4]
            .strip_prefix("lod")
            .map_or(0, |n| n.parse().unwrap());
        let levels = found.entry(index).or_insert_with(|| vec![Vec::new(); 3]);
        levels[level] = bytes;
    }
    assert_eq!(found.len(), made.summary.chunks);
    for (index, levels) in found {
        let alone = pipeline::chunk("cave", &config(7), None, index).unwrap();
        assert!(alone.glbs == levels, "chunk {index:?}");
    }
}

#[test]
fn an_unknown_chunk_is_bad_input() {
    let error = pipeline::chunk("cave", &config(7), None, [40, 0, 0]).unwrap_err();
    assert!(matches!(error, Error::BadInput(_)), "{error}");
    assert!(error.to_string().contains("nearest"), "{error}");
}

//! Reading the small text files that configurations name.

use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The text of a file that a configuration names: regular, UTF-8, at most 1 MiB. A device or a pipe
/// could be endless or block for ever, and the name may come from another machine.
///
/// # Errors
/// What the system says, or which of the three it is not.
pub fn read_text(path: &Path) -> Result<String> {
    let refuse = |why: &str| Err::<String, _>(Error::new(ErrorKind::InvalidInput, why));
    if !std::fs::metadata(path)?.is_file() {
        return refuse("not a regular file");
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return refuse("larger than 1 MiB");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(_) => refuse("not UTF-8 text"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_regular_text_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = |bytes: &[u8]| {
            let path = folder.path().join("f.yaml");
            std::fs::write(&path, bytes).unwrap();
            read_text(&path).map_err(|e| e.to_string())
        };
        assert_eq!(file(b"a: 1\n").unwrap(), "a: 1\n");
        assert!(
            file(&vec![b' '; (1 << 20) + 1])
                .unwrap_err()
                .contains("1 MiB")
        );
        assert!(file(&[0xff]).unwrap_err().contains("UTF-8"));
        let zero = read_text(Path::new("/dev/zero")).unwrap_err();
        assert!(zero.to_string().contains("regular file"));
        assert!(
            read_text(folder.path())
                .unwrap_err()
                .to_string()
                .contains("regular file")
        );
    }
}

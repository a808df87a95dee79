//! Names that are folder, model, file prefix and URI at once.

use super::Error;

/// Longest name, bytes.
pub const NAME_MAX_BYTES: usize = 100;

/// Refuses a name that could not be a folder, a Gazebo model and a URI at once.
///
/// Beyond the characters, libsdformat reserves `world` and everything in double underscores
/// (SDFormat 1.7, "Reserved names"): a model so named does not load.
pub fn check_name(name: &str) -> Result<(), Error> {
    let why = if name.is_empty() {
        "is empty"
    } else if name.len() > NAME_MAX_BYTES {
        "is longer than 100 bytes"
    } else if name.starts_with(['-', '.']) {
        "starts with `-` or `.`"
    } else if !name.bytes().all(allowed) {
        "holds other characters"
    } else if name == "world" || (name.starts_with("__") && name.ends_with("__")) {
        "is reserved by SDFormat (`world`, `__…__`)"
    } else {
        return Ok(());
    };
    let mut shown: String = name.chars().take(NAME_MAX_BYTES).collect();
    if shown.len() < name.len() {
        shown.push('…');
    }
    Err(Error::Name { name: shown, why })
}

/// Refuses a path inside a model that would leave it or that a URI could not hold.
pub(super) fn check_rel(rel: &str) -> Result<(), Error> {
    let why = if rel.is_empty() {
        "is empty"
    } else if rel.starts_with('/') {
        "is absolute"
    } else if !rel.bytes().all(|b| allowed(b) || b == b'/') {
        "holds other characters"
    } else if rel
        .split('/')
        .any(|part| part.is_empty() || part.starts_with('.'))
    {
        "has an empty part or one that starts with `.`"
    } else if rel.split('/').any(|part| part.len() > 255) {
        "has a part longer than 255 bytes"
    } else {
        return Ok(());
    };
    Err(Error::Path {
        rel: rel.to_owned(),
        why,
    })
}

fn allowed(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn good_names_pass() {
        for name in ["a", "cave_7", "Leo-cave.v2", "0", &"x".repeat(100)] {
            check_name(name).unwrap();
        }
    }

    #[test]
    fn bad_names_are_told_what_is_allowed() {
        let long = "x".repeat(101);
        for name in [
            "", ".", "..", "-x", ".x", "a/b", "a\\b", "a b", "a\n", "a\0", "höhle", &long, "world",
            "__root__",
        ] {
            let error = check_name(name).unwrap_err();
            assert!(error.is_bad_input());
            assert!(error.to_string().contains("ASCII letters"), "{error}");
        }
    }

    #[test]
    fn paths_stay_inside() {
        for rel in ["model.sdf", "meshes/visual/a_0_0_0_01234567.glb"] {
            check_rel(rel).unwrap();
        }
        for rel in [
            "", "/etc/x", "../x", "a/../b", "a//b", "a/", "a/.lock", "a b", "a\\..\\b",
        ] {
            check_rel(rel).unwrap_err();
        }
    }

    proptest! {
        #[test]
        fn accepted_names_join_to_one_component(name in ".{0,120}") {
            if check_name(&name).is_ok() {
                let parts: Vec<_> = std::path::Path::new(&name).components().collect();
                prop_assert!(matches!(parts[..], [std::path::Component::Normal(_)]));
            }
        }
    }
}

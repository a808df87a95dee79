//! Visuals that are no chunk of the cave: in a place of their own, scaled, with the maps of others
//! or with none.

use super::{model, read, request, run};
use plume::export::{Format, Request, Scene};
use std::fs;
use std::path::{Path, PathBuf};

/// A copy of the model in `to` with two more visuals of its first mesh: one with the same maps,
/// one with a colour alone.
fn with_more_visuals(to: &Path) -> PathBuf {
    let copy = to.join("cave");
    for (name, bytes) in super::files(&model()) {
        let path = copy.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let sdf = fs::read_to_string(copy.join("model.sdf")).unwrap();
    let between = |text: &str, start: &str, end: &str| {
        let at = text.find(start).unwrap();
        let to = at + text[at..].find(end).unwrap() + end.len();
        text[at..to].to_owned()
    };
    let visual = between(&sdf, "<visual", "</visual>");
    let name = between(&visual, "name=\"", "\">");
    let pose = "<pose>100 0 0 0 0 3.141592653589793</pose>";
    let mapped = visual.replace(&name, &format!("name=\"rock_1\">{pose}"));
    let pbr = between(&visual, "<pbr>", "</pbr>");
    let plain = visual
        .replace(&name, "name=\"rock 2\">")
        .replace(&pbr, "")
        .replace("<diffuse>1 1 1 1<", "<diffuse>0.5 0.25 0 1<")
        .replace("</uri>", "</uri><scale>2 2 2</scale>");
    let link = format!("<link name=\"rocks\"><pose>0 0 10 0 0 0</pose>{mapped}{plain}</link>");
    let sdf = sdf.replace("</model>", &format!("{link}</model>"));
    fs::write(copy.join("model.sdf"), &sdf).unwrap();

    let path = copy.join("plume/manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let files = manifest["files"].as_array_mut().unwrap();
    let entry = files
        .iter_mut()
        .find(|entry| entry["path"] == "model.sdf")
        .unwrap();
    entry["blake3"] = blake3::hash(sdf.as_bytes()).to_hex().as_str().into();
    fs::write(path, manifest.to_string()).unwrap();
    copy
}

#[test]
fn poses_scales_and_materials_are_taken_over() {
    let dir = tempfile::tempdir().unwrap();
    let copy = with_more_visuals(dir.path());
    let scene = Scene::open(&copy).unwrap();
    let chunks = Scene::open(&model()).unwrap().parts.len();
    assert_eq!(scene.parts.len(), chunks + 2);
    assert_eq!(scene.materials.len(), chunks + 1);
    let [.., mapped, plain] = scene.parts.as_slice() else {
        panic!("{:?}", scene.parts);
    };
    assert_eq!((mapped.material, plain.material), (0, chunks));
    assert_eq!(scene.materials[chunks].colour, [0.5, 0.25, 0.0]);
    assert_eq!(scene.materials[chunks].textures().count(), 0);

    let first = scene.mesh(&scene.parts[0]).unwrap();
    let (turned, doubled) = (scene.mesh(mapped).unwrap(), scene.mesh(plain).unwrap());
    for (i, [x, y, z]) in first.positions.iter().enumerate() {
        let [a, b, c] = turned.positions[i];
        assert!((a - (100.0 - x)).abs() < 1e-4 && (b + y).abs() < 1e-4 && c == z + 10.0);
        assert_eq!(doubled.positions[i], [2.0 * x, 2.0 * y, 2.0 * z + 10.0]);
        assert!((turned.normals[i][2] - first.normals[i][2]).abs() < 1e-6);
    }
}

#[test]
fn every_format_takes_materials_without_maps() {
    let dir = tempfile::tempdir().unwrap();
    let copy = with_more_visuals(dir.path());
    let scene = Scene::open(&copy).unwrap();
    let wanted: Vec<[f32; 3]> = scene
        .parts
        .iter()
        .flat_map(|part| {
            let mesh = scene.mesh(part).unwrap();
            let corners = mesh.triangles.as_flattened().iter();
            let places: Vec<_> = corners.map(|&i| mesh.positions[i as usize]).collect();
            places
        })
        .collect();
    for format in Format::ALL {
        let out = dir.path().join(format.name);
        let request = Request {
            model: copy.clone(),
            ..request(&out, format)
        };
        run(&request).unwrap();
        let main = out.join(format!("cave.{}", format.extensions[0]));
        let found: Vec<_> = read::corners(format.name, &main)
            .into_iter()
            .map(|corner| corner.place)
            .collect();
        assert!(found == wanted, "{}", format.name);
    }
}

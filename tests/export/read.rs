//! Readers of each format, none of them plume's.

use super::Corner;
use std::fs::{self, File};
use std::path::Path;

/// Corners of all triangles of a file, in its order, turned z up.
pub fn corners(format: &str, path: &Path) -> Vec<Corner> {
    match format {
        "glb" => glb(path),
        "obj" => obj(path),
        "ply" => ply(path),
        "usd" => usd(path),
        "fbx" => fbx(path),
        "stl" => stl(path),
        "dae" => dae(path),
        other => panic!("no reader of {other}"),
    }
}

/// From y up to z up.
fn upright([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -z, y]
}

fn png_beside(path: &Path, link: &str) -> Option<Vec<u8>> {
    Some(fs::read(path.parent().unwrap().join(link)).unwrap())
}

fn glb(path: &Path) -> Vec<Corner> {
    let gltf = gltf::Gltf::from_slice(&fs::read(path).unwrap()).unwrap();
    let data = gltf.blob.as_deref().unwrap();
    let mut corners = Vec::new();
    let scene = gltf.default_scene().unwrap();
    for node in scene.nodes() {
        let unturned = [
            [1., 0., 0., 0.],
            [0., 1., 0., 0.],
            [0., 0., 1., 0.],
            [0., 0., 0., 1.],
        ];
        assert_eq!(node.transform().matrix(), unturned);
        for primitive in node.mesh().unwrap().primitives() {
            let surface = primitive.material();
            let normal = surface.normal_texture().is_some();
            let surface = surface.pbr_metallic_roughness();
            assert_eq!(surface.metallic_factor(), 0.0);
            let albedo = surface.base_color_texture();
            assert_eq!(normal, albedo.is_some());
            let albedo = albedo.map(|map| image(&map.texture(), data));
            let reader = primitive.reader(|_| Some(data));
            let places: Vec<_> = reader.read_positions().unwrap().collect();
            let normals: Vec<_> = reader.read_normals().unwrap().collect();
            let uvs: Vec<_> = reader.read_tex_coords(0).unwrap().into_f32().collect();
            let bounds = primitive.bounding_box();
            for k in 0..3 {
                let at = places.iter().map(|p| p[k]);
                assert_eq!(bounds.min[k], at.clone().reduce(f32::min).unwrap());
                assert_eq!(bounds.max[k], at.reduce(f32::max).unwrap());
            }
            for i in reader.read_indices().unwrap().into_u32() {
                let i = i as usize;
                corners.push(Corner {
                    place: upright(places[i]),
                    normal: Some(upright(normals[i])),
                    uv: Some([uvs[i][0], 1.0 - uvs[i][1]]),
                    albedo: albedo.clone(),
                });
            }
        }
    }
    corners
}

fn image(texture: &gltf::Texture, data: &[u8]) -> Vec<u8> {
    match texture.source().source() {
        gltf::image::Source::View { view, mime_type } => {
            assert_eq!(mime_type, "image/png");
            data[view.offset()..][..view.length()].to_vec()
        }
        gltf::image::Source::Uri { uri, .. } => panic!("{uri} is not inside"),
    }
}

/// The PNG file of each material's metal and roughness.
pub fn glb_roughness(path: &Path) -> Vec<Vec<u8>> {
    let gltf = gltf::Gltf::from_slice(&fs::read(path).unwrap()).unwrap();
    let data = gltf.blob.as_deref().unwrap();
    let surfaces = gltf.materials().map(|m| m.pbr_metallic_roughness());
    surfaces
        .map(|s| image(&s.metallic_roughness_texture().unwrap().texture(), data))
        .collect()
}

fn obj(path: &Path) -> Vec<Corner> {
    let (models, materials) = tobj::load_obj(path, &tobj::LoadOptions::default()).unwrap();
    let materials = materials.unwrap();
    let mut corners = Vec::new();
    for model in models {
        let mesh = model.mesh;
        let material = &materials[mesh.material_id.unwrap()];
        let albedo = material.diffuse_texture.as_deref();
        assert_eq!(material.normal_texture.is_some(), albedo.is_some());
        let rough = material.unknown_param.contains_key("map_Pr");
        assert_eq!(rough, albedo.is_some());
        let albedo = albedo.and_then(|link| png_beside(path, link));
        let row = |values: &[f32], i: u32| -> [f32; 3] {
            values[3 * i as usize..][..3].try_into().unwrap()
        };
        for ((&p, &t), &n) in mesh
            .indices
            .iter()
            .zip(&mesh.texcoord_indices)
            .zip(&mesh.normal_indices)
        {
            corners.push(Corner {
                place: upright(row(&mesh.positions, p)),
                normal: Some(upright(row(&mesh.normals, n))),
                uv: Some(mesh.texcoords[2 * t as usize..][..2].try_into().unwrap()),
                albedo: albedo.clone(),
            });
        }
    }
    corners
}

fn parsed_ply(path: &Path) -> ply_rs_bw::ply::Ply<ply_rs_bw::ply::DefaultElement> {
    let parser = ply_rs_bw::parser::Parser::<ply_rs_bw::ply::DefaultElement>::new();
    parser.read_ply(&mut File::open(path).unwrap()).unwrap()
}

fn ply(path: &Path) -> Vec<Corner> {
    use ply_rs_bw::ply::Property;
    let ply = parsed_ply(path);
    let vertices = &ply.payload["vertex"];
    let float = |i: usize, key: &str| match vertices[i][key] {
        Property::Float(value) => value,
        ref other => panic!("{key} is {other:?}"),
    };
    let mut corners = Vec::new();
    for face in &ply.payload["face"] {
        let Property::ListUInt(indices) = &face["vertex_indices"] else {
            panic!("{face:?}");
        };
        assert_eq!(indices.len(), 3);
        for &i in indices {
            let i = i as usize;
            corners.push(Corner {
                place: ["x", "y", "z"].map(|key| float(i, key)),
                normal: Some(["nx", "ny", "nz"].map(|key| float(i, key))),
                uv: Some(["s", "t"].map(|key| float(i, key))),
                albedo: None,
            });
        }
    }
    corners
}

/// Red, green and blue of each vertex.
pub fn ply_colours(path: &Path) -> Vec<[u8; 3]> {
    use ply_rs_bw::ply::Property;
    let ply = parsed_ply(path);
    let colour = |vertex: &ply_rs_bw::ply::DefaultElement, key: &str| match vertex[key] {
        Property::UChar(value) => value,
        ref other => panic!("{key} is {other:?}"),
    };
    let vertices = ply.payload["vertex"].iter();
    vertices
        .map(|vertex| ["red", "green", "blue"].map(|key| colour(vertex, key)))
        .collect()
}

fn usd(path: &Path) -> Vec<Corner> {
    use openusd::sdf::{AbstractData, Path as SdfPath, Value};
    let layer = openusd::usda::read_file(path).unwrap();
    let field = |at: &str, key: &str| {
        let at = openusd::sdf::path(at).unwrap();
        layer.get_field(&at, key).unwrap().into_owned()
    };
    let target = |at: &str, key: &str| -> String {
        let Value::PathListOp(targets) = field(at, key) else {
            panic!("{at} has no {key}");
        };
        targets.explicit_items[0].as_str().to_owned()
    };
    assert_eq!(field("/", "upAxis"), Value::Token("Z".into()));
    assert_eq!(field("/", "metersPerUnit"), Value::Double(1.0));
    let mesh_type = Value::Token("Mesh".into());
    let is_mesh = |at: &SdfPath| {
        let kind = layer.try_field(at, "typeName").unwrap();
        kind.is_some_and(|kind| *kind == mesh_type)
    };
    let Value::Token(root) = field("/", "defaultPrim") else {
        panic!("no default prim");
    };
    let Value::TokenVec(children) = field(&format!("/{root}"), "primChildren") else {
        panic!("no prims");
    };
    let mut corners = Vec::new();
    for child in children {
        let mesh = format!("/{root}/{child}");
        if !is_mesh(&openusd::sdf::path(&mesh).unwrap()) {
            continue;
        }
        let material = target(&format!("{mesh}.material:binding"), "targetPaths");
        let shown = target(&format!("{material}.outputs:surface"), "connectionPaths");
        let surface = shown.rsplit_once('.').unwrap().0;
        let mut files = ["diffuseColor", "normal", "roughness"].map(|input| {
            let input = format!("{surface}.inputs:{input}");
            if !layer.has_field(&openusd::sdf::path(&input).unwrap(), "connectionPaths") {
                return None;
            }
            let from = target(&input, "connectionPaths");
            let texture = from.rsplit_once('.').unwrap().0;
            let Value::AssetPath(file) = field(&format!("{texture}.inputs:file"), "default") else {
                panic!("{texture} has no file");
            };
            png_beside(path, &file.authored_path)
        });
        assert!(
            files
                .iter()
                .all(|file| file.is_some() == files[0].is_some())
        );
        let albedo = files[0].take();
        let array = |name: &str| field(&format!("{mesh}.{name}"), "default");
        let (
            Value::IntVec(indices),
            Value::Vec3fVec(points),
            Value::Vec3fVec(normals),
            Value::Vec2fVec(st),
        ) = (
            array("faceVertexIndices"),
            array("points"),
            array("normals"),
            array("primvars:st"),
        )
        else {
            panic!("{mesh} has arrays of other types");
        };
        assert_eq!(
            array("faceVertexCounts"),
            Value::IntVec(vec![3; indices.len() / 3])
        );
        for i in indices {
            let i = i as usize;
            corners.push(Corner {
                place: [points[i].x, points[i].y, points[i].z],
                normal: Some([normals[i].x, normals[i].y, normals[i].z]),
                uv: Some([st[i].x, st[i].y]),
                albedo: albedo.clone(),
            });
        }
    }
    corners
}

fn fbx(path: &Path) -> Vec<Corner> {
    let scene = ufbx::load_file(path.to_str().unwrap(), ufbx::LoadOpts::default()).unwrap();
    assert_eq!(scene.settings.axes.up, ufbx::CoordinateAxis::PositiveZ);
    assert_eq!(scene.settings.axes.right, ufbx::CoordinateAxis::PositiveX);
    assert_eq!(scene.settings.unit_meters, 1.0);
    assert_eq!(scene.metadata.warnings.len(), 0);
    let mut corners = Vec::new();
    for mesh in &scene.meshes {
        let maps = &mesh.materials[0].fbx;
        let albedo = maps.diffuse_color.texture.as_ref();
        for map in [&maps.normal_map, &maps.specular_exponent] {
            assert_eq!(map.texture.is_some(), albedo.is_some());
        }
        let albedo = albedo.and_then(|map| png_beside(path, &map.relative_filename));
        for i in 0..mesh.num_indices {
            let (place, normal, uv) = (
                mesh.vertex_position[i],
                mesh.vertex_normal[i],
                mesh.vertex_uv[i],
            );
            corners.push(Corner {
                place: [place.x, place.y, place.z].map(|c| c as f32),
                normal: Some([normal.x, normal.y, normal.z].map(|c| c as f32)),
                uv: Some([uv.x, uv.y].map(|c| c as f32)),
                albedo: albedo.clone(),
            });
        }
    }
    corners
}

fn stl(path: &Path) -> Vec<Corner> {
    let mut file = File::open(path).unwrap();
    let triangles = stl_io::create_stl_reader(&mut file).unwrap();
    let corners = triangles.flat_map(|triangle| triangle.unwrap().vertices);
    corners
        .map(|vertex| Corner {
            place: [vertex[0], vertex[1], vertex[2]],
            normal: None,
            uv: None,
            albedo: None,
        })
        .collect()
}

fn dae(path: &Path) -> Vec<Corner> {
    use dae_parser::{ArrayElement, Document, Geometry, Image, ImageSource, Primitive};
    let document = Document::from_file(path).unwrap();
    assert_eq!(document.asset.up_axis, dae_parser::UpAxis::ZUp);
    assert_eq!(document.asset.unit.meter, 1.0);
    let images: Vec<Vec<u8>> = document
        .iter::<Image>()
        .filter_map(|image| match &image.source {
            ImageSource::InitFrom(url) if url.to_string().contains("_albedo_") => {
                png_beside(path, &url.to_string())
            }
            _ => None,
        })
        .collect();
    let mut corners = Vec::new();
    for (i, geometry) in document.iter::<Geometry>().enumerate() {
        // Materials come in the order of the parts; those without maps are the last.
        let albedo = images.get(i).cloned();
        let mesh = geometry.element.as_mesh().unwrap();
        let values = |i: usize| match mesh.sources[i].array.as_ref().unwrap() {
            ArrayElement::Float(array) => &array.val,
            other => panic!("{other:?}"),
        };
        let (places, normals, uvs) = (values(0), values(1), values(2));
        let [Primitive::Triangles(triangles)] = mesh.elements.as_slice() else {
            panic!("{:?}", mesh.elements);
        };
        for &i in triangles.data.prim.as_deref().unwrap() {
            let i = i as usize;
            corners.push(Corner {
                place: places[3 * i..][..3].try_into().unwrap(),
                normal: Some(normals[3 * i..][..3].try_into().unwrap()),
                uv: Some(uvs[2 * i..][..2].try_into().unwrap()),
                albedo: albedo.clone(),
            });
        }
    }
    corners
}

//! Which product goes into which file of the model.

use super::request::{Error, Request};
use crate::config::Config;
use crate::field::{CaveField, Opening};
use crate::model::{
    self, ChunkFiles, CollisionFile, FileEntry, ModelDescription, ModelSummary, RockFile,
    RockFiles, Staging,
};
use crate::objects::{DripKind, Objects};
use crate::preview::{self, PlanCell, PlanLayer, PlanView};
use crate::progress::Job;
use crate::skeleton::{self, Skeleton};
use crate::surface::{Chunk, Surface};
use crate::terrain::{CollisionMesh, LayerId, LayerSet, TerrainMap};
use crate::texture;
use crate::traverse::{Floor, OccupancyMap, Route};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicU64, Ordering};

fn failed(e: impl std::fmt::Display) -> Error {
    Error::Failed(e.to_string())
}

/// Graph, its picture, and the configuration it came from.
pub fn skeleton(
    staging: &Staging,
    config: &Config,
    skeleton: &Skeleton,
    title: &str,
) -> Result<(), Error> {
    staging.write("plume/config.yaml", config.to_yaml().as_bytes())?;
    staging.write(
        "plume/skeleton.json",
        skeleton::write_json(skeleton).as_bytes(),
    )?;
    let picture = preview::skeleton_png(skeleton, &config.passage, title).map_err(failed)?;
    staging.write("previews/skeleton.png", &picture)?;
    Ok(())
}

/// Visual meshes of all levels of detail, `lod` being the one that the SDF shows; textures are filled
/// in by [`textures`].
pub fn visual_meshes(
    staging: &Staging,
    surface: &Surface,
    lod: u32,
) -> Result<Vec<ChunkFiles>, Error> {
    surface
        .chunks
        .par_iter()
        .map(|chunk| {
            let mut mesh = String::new();
            for (level, (name, glb)) in glbs(chunk, staging.name())?.into_iter().enumerate() {
                let entry = staging.write_hashed(&format!("meshes/visual/{name}"), "glb", &glb)?;
                if level == lod as usize {
                    mesh = entry.path;
                }
            }
            Ok(ChunkFiles {
                chunk: chunk.name.clone(),
                mesh,
                albedo: String::new(),
                normal: String::new(),
                roughness: String::new(),
            })
        })
        .collect()
}

/// Name and GLB file of each level of detail of a chunk of the model `model`, finest first.
pub fn glbs(chunk: &Chunk, model: &str) -> Result<Vec<(String, Vec<u8>)>, Error> {
    chunk
        .levels()
        .enumerate()
        .map(|(level, mesh)| {
            let name = match level {
                0 => format!("{model}_{}", chunk.name),
                level => format!("{model}_{}_lod{level}", chunk.name),
            };
            let glb = model::glb::visual(mesh, &name)?;
            Ok((name, glb))
        })
        .collect()
}

/// Bakes and writes the textures, as many chunks in flight as there are threads.
#[allow(clippy::too_many_arguments)]
pub fn textures(
    staging: &Staging,
    surface: &Surface,
    map: &TerrainMap,
    layers: &LayerSet,
    field: &CaveField,
    config: &Config,
    files: &mut [ChunkFiles],
    job: &Job,
) -> Result<(), Error> {
    let done = AtomicU64::new(0);
    let total = surface.chunks.len() as u64;
    job.step(0, total)?;
    surface
        .chunks
        .par_iter()
        .zip(files)
        .try_for_each(|(chunk, files)| {
            let (low, high) = chunk.bounds();
            let window = map.window(low, high);
            let images = texture::bake(chunk, &window, layers, field, config, config.seed, job)?;
            let stem = |kind| {
                format!(
                    "materials/textures/{}_{}_{kind}",
                    staging.name(),
                    chunk.name
                )
            };
            let save = |kind, png: Vec<u8>| -> Result<String, Error> {
                Ok(staging.write_hashed(&stem(kind), "png", &png)?.path)
            };
            files.albedo = save("albedo", images.albedo_png().map_err(failed)?)?;
            files.normal = save("normal", images.normal_png().map_err(failed)?)?;
            files.roughness = save("roughness", images.roughness_png().map_err(failed)?)?;
            job.step(done.fetch_add(1, Ordering::Relaxed) + 1, total)?;
            Ok(())
        })
}

/// Texels of all chunks' textures, each map counted once.
pub fn texels(surface: &Surface) -> u64 {
    surface
        .chunks
        .iter()
        .map(|c| u64::from(c.atlas.width) * u64::from(c.atlas.height))
        .sum()
}

/// Everything that [`model`] puts beside meshes and textures.
pub struct Files<'a> {
    /// What was asked for.
    pub request: &'a Request,
    /// The graph.
    pub skeleton: &'a Skeleton,
    /// The chunks.
    pub surface: &'a Surface,
    /// Collision meshes.
    pub collision: &'a [CollisionMesh],
    /// What lies, hangs and stands in the passages.
    pub objects: &'a Objects,
    /// Layer of the rocks.
    pub rock_layer: LayerId,
    /// Layers.
    pub layers: &'a LayerSet,
    /// Figures so far.
    pub summary: &'a ModelSummary,
    /// The walkable floor.
    pub floor: &'a Floor,
    /// Flat maps, one a level.
    pub maps: &'a [OccupancyMap],
    /// Entrance to the farthest place.
    pub route: Option<&'a Route>,
    /// One line for people.
    pub title: String,
}

/// Collision meshes, maps, floor, routes, layers and the plan; returns what the SDF needs.
pub fn model(
    staging: &Staging,
    files: &Files,
    chunks: Vec<ChunkFiles>,
    job: &Job,
) -> Result<ModelDescription, Error> {
    job.step(0, 3)?;
    let collisions = files
        .collision
        .par_iter()
        .map(|mesh| {
            let chunk = &files.surface.chunks[mesh.chunk].name;
            let layer = &files.layers.layers[usize::from(mesh.layer)].name;
            let name = format!("{}_{chunk}_{layer}", staging.name());
            let stl = model::stl::collision(mesh, &name)?;
            let entry = staging.write_hashed(&format!("meshes/collision/{name}"), "stl", &stl)?;
            Ok(CollisionFile {
                layer: mesh.layer,
                chunk: chunk.clone(),
                mesh: entry.path,
            })
        })
        .collect::<Result<Vec<_>, Error>>()?;
    job.step(1, 3)?;
    for (k, map) in files
        .maps
        .iter()
        .enumerate()
        .filter(|(_, m)| !m.cells.is_empty())
    {
        staging.write(&format!("maps/level_{k}.pgm"), &map.pgm())?;
        let yaml = map.yaml(&format!("level_{k}.pgm"));
        staging.write(&format!("maps/level_{k}.yaml"), yaml.as_bytes())?;
    }
    staging.write("plume/floor.bin", &files.floor.to_bytes()?)?;
    write_json(
        staging,
        "plume/routes.json",
        &json!({ "routes": files.route.iter().collect::<Vec<_>>() }),
    )?;
    staging.write("plume/layers.yaml", layers_yaml(files)?.as_bytes())?;
    job.step(2, 3)?;
    staging.write("previews/plan.png", &plan(files)?)?;
    let c = &files.request.config;
    Ok(ModelDescription {
        name: staging.name().to_owned(),
        title: files.title.clone(),
        chunks,
        collisions,
        rocks: rocks(staging, files)?,
        layers: files.layers.clone(),
        world: c.world.clone(),
        lamps: model::lamps(files.skeleton, &c.passage),
        spawn: [0.0, 0.0, 0.3, 0.0],
    })
}

/// Meshes of the shapes in use, and the rocks that have them, when rocks are bodies of their own.
fn rocks(staging: &Staging, files: &Files) -> Result<RockFiles, Error> {
    let layer = files.rock_layer;
    let mut out = RockFiles {
        layer,
        rocks: Vec::new(),
    };
    if !files.objects.has_bodies() {
        return Ok(out);
    }
    let mut meshes = Vec::new();
    for (i, shape) in files.objects.shapes.iter().enumerate() {
        let used = files
            .objects
            .rocks
            .iter()
            .any(|r| usize::from(r.shape) == i);
        if !used {
            meshes.push([String::new(), String::new()]);
            continue;
        }
        let name = format!("{}_rock_{i}", staging.name());
        let stem = format!("meshes/rocks/{name}");
        let glb = model::glb::visual(&shape.facets(), &name)?;
        let stl = model::stl::collision(&shape.collision(layer), &name)?;
        meshes.push([
            staging.write_hashed(&stem, "glb", &glb)?.path,
            staging.write_hashed(&stem, "stl", &stl)?.path,
        ]);
    }
    for rock in &files.objects.rocks {
        let [mesh, collision] = meshes[usize::from(rock.shape)].clone();
        let [x, y, z] = rock.at.map(f64::from);
        let [c, s] = rock.turn.map(f64::from);
        out.rocks.push(RockFile {
            mesh,
            collision,
            pose: [x, y, z, libm::atan2(s, c)],
            scale: f64::from(rock.diameter_m),
        });
    }
    Ok(out)
}

/// What the manifest says beyond figures and files.
pub fn manifest_extra(
    skeleton: &Skeleton,
    openings: &[Opening],
    objects: Option<&Objects>,
) -> Map<String, Value> {
    let mut extra = Map::new();
    let t = skeleton.world_from_graph;
    extra.insert(
        "world_from_graph".to_owned(),
        json!({ "yaw": t.yaw, "translation": t.translation.to_array() }),
    );
    if !openings.is_empty() {
        extra.insert("openings".to_owned(), json!(openings));
    }
    if let Some(objects) = objects {
        extra.insert("handles".to_owned(), json!(objects.handles()));
        extra.insert(
            "objects".to_owned(),
            json!({
                "rocks": objects.rocks.len(),
                "rock_mode": objects.mode,
                "stalactites": objects.count(DripKind::Stalactite),
                "stalagmites": objects.count(DripKind::Stalagmite),
                "columns": objects.count(DripKind::Column),
            }),
        );
    }
    extra
}

fn write_json(staging: &Staging, path: &str, value: &Value) -> Result<FileEntry, Error> {
    let text = serde_json::to_string_pretty(value).map_err(failed)?;
    Ok(staging.write(path, text.as_bytes())?)
}

/// The layer set with the area that each layer covers here.
fn layers_yaml(files: &Files) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Resolved<'a> {
        set: &'a LayerSet,
        area_m2: Map<String, Value>,
    }
    let area_m2 = files
        .summary
        .layers
        .iter()
        .map(|l| (l.name.clone(), json!((l.area_m2 * 100.0).round() / 100.0)))
        .collect();
    crate::config::yaml::to_string(&Resolved {
        set: files.layers,
        area_m2,
    })
    .map_err(failed)
}

fn plan(files: &Files) -> Result<Vec<u8>, Error> {
    let cells: Vec<PlanCell> = files
        .floor
        .cells()
        .filter(|c| c.open)
        .map(|c| PlanCell {
            x: c.position[0],
            y: c.position[1],
            layer: c.layer,
        })
        .collect();
    let layers: Vec<PlanLayer> = files
        .layers
        .layers
        .iter()
        .map(|l| PlanLayer {
            name: l.name.clone(),
            color: l.palette[l.palette.len() / 2],
        })
        .collect();
    let route: Vec<[f64; 3]> = files
        .route
        .iter()
        .flat_map(|r| r.poses.iter().map(|p| p.position))
        .collect();
    preview::plan_png(&PlanView {
        title: &files.title,
        cells: &cells,
        cell_m: files.floor.cell_m(),
        layers: &layers,
        skeleton: Some(files.skeleton),
        route: &route,
    })
    .map_err(failed)
}

//! A model's visuals, whatever format they are to be written in.
//!
//! What is shown where, with which textures, is read from `model.sdf`, as a simulator does; the
//! meshes from its GLB files. Every file that is read is held to the hash in the manifest.

use super::sdf::{self, Visual};
use super::transform::Transform;
use super::{Error, image::Image};
use crate::model::{FileEntry, Manifest};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A cave to export. Meshes stay on disk until [`Scene::mesh`] asks for one.
#[derive(Debug)]
pub struct Scene {
    /// Name of the model.
    pub name: String,
    /// Its visuals, in the order of the SDF file; never empty.
    pub parts: Vec<Part>,
    /// What they are made of, each once.
    pub materials: Vec<Material>,
    model: PathBuf,
    files: BTreeMap<String, FileEntry>,
}

/// One visual: a chunk of the cave.
#[derive(Clone, Debug)]
pub struct Part {
    /// `<model>_<visual>`, such as `cave_0_0_0`; unique.
    pub name: String,
    /// Index into [`Scene::materials`].
    pub material: usize,
    /// Vertices of its mesh.
    pub vertices: usize,
    /// Triangles of its mesh.
    pub triangles: usize,
    mesh: String,
    place: Transform,
}

/// A rough surface that is no metal, with up to three maps.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// `<name of the first part that has it>_rock`; unique.
    pub name: String,
    /// Colour that the albedo map is multiplied by, linear red, green, blue from 0 to 1.
    pub colour: [f32; 3],
    /// Colour, sRGB.
    pub albedo: Option<Texture>,
    /// Normals, tangent space, +y up (OpenGL).
    pub normal: Option<Texture>,
    /// Roughness, one channel.
    pub roughness: Option<Texture>,
}

impl Material {
    /// The maps that there are.
    pub fn textures(&self) -> impl Iterator<Item = &Texture> {
        [&self.albedo, &self.normal, &self.roughness]
            .into_iter()
            .flatten()
    }
}

/// A PNG file of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Base name, unique in the model.
    pub file: String,
    /// Path in the model.
    pub(super) rel: String,
}

impl Texture {
    /// Where exports have it, relative to the files that name it.
    pub fn link(&self) -> String {
        format!("{}/{}", super::TEXTURES, self.file)
    }
}

/// The mesh of a part. Right-handed, metres, z up; triangles counter-clockwise seen from the void.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Vertices.
    pub positions: Vec<[f32; 3]>,
    /// One a vertex, unit length.
    pub normals: Vec<[f32; 3]>,
    /// One a vertex; (0, 0) is the upper left corner of the image.
    pub uvs: Vec<[f32; 2]>,
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Texture coordinates with (0, 0) in the lower left corner, as most formats have them.
    pub fn uvs_from_below(&self) -> impl Iterator<Item = [f32; 2]> + '_ {
        self.uvs.iter().map(|&[u, v]| [u, 1.0 - v])
    }

    /// Smallest and largest coordinates.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        crate::model::glb::bounds(&self.positions)
    }
}

impl Scene {
    /// Reads what is in the model in folder `model`.
    ///
    /// Refuses a folder without manifest or SDF file, and files that are missing or changed.
    pub fn open(model: &Path) -> Result<Self, Error> {
        let not = |why: String| Error::NotAModel {
            path: model.to_owned(),
            why,
        };
        if !model.is_dir() {
            return Err(not("it is no folder".into()));
        }
        let manifest = Manifest::read(model).map_err(not)?;
        let files: BTreeMap<_, _> = manifest
            .files
            .into_iter()
            .map(|entry| (entry.path.clone(), entry))
            .collect();
        if !files.contains_key(sdf::FILE) {
            let why = format!("it has no {}: its run ended before the model", sdf::FILE);
            return Err(not(why));
        }
        let mut scene = Self {
            name: manifest.name,
            parts: Vec::new(),
            materials: Vec::new(),
            model: model.to_owned(),
            files,
        };
        let broken = |why: String| Error::Broken {
            path: model.join(sdf::FILE),
            why,
        };
        let text = String::from_utf8(scene.read(sdf::FILE)?).map_err(|e| broken(e.to_string()))?;
        for visual in sdf::visuals(&text).map_err(broken)? {
            scene.add(visual)?;
        }
        if scene.parts.is_empty() {
            return Err(broken("shows no mesh".into()));
        }
        Ok(scene)
    }

    fn add(&mut self, visual: Visual) -> Result<(), Error> {
        let short = visual.name.strip_prefix("visual_").unwrap_or(&visual.name);
        // Names become those of files, too.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let short = short.replace(|c| !plain(c), "_");
        let mut name = format!("{}_{short}", self.name);
        // Names of visuals are unique in their link alone.
        while self.parts.iter().any(|part| part.name == name) {
            name.push('_');
        }
        let mut part = Part {
            material: 0,
            vertices: 0,
            triangles: 0,
            mesh: visual.mesh,
            place: visual.place,
            name,
        };
        let mesh = self.mesh(&part)?;
        (part.vertices, part.triangles) = (mesh.positions.len(), mesh.triangles.len());
        let material = Material {
            name: format!("{}_rock", part.name),
            colour: visual.colour,
            albedo: self.texture(visual.albedo)?,
            normal: self.texture(visual.normal)?,
            roughness: self.texture(visual.roughness)?,
        };
        let same = |other: &Material| {
            let named = Material {
                name: other.name.clone(),
                ..material.clone()
            };
            *other == named
        };
        let known = self.materials.iter().position(same);
        part.material = known.unwrap_or(self.materials.len());
        if known.is_none() {
            self.materials.push(material);
        }
        self.parts.push(part);
        Ok(())
    }

    fn texture(&self, rel: Option<String>) -> Result<Option<Texture>, Error> {
        let Some(rel) = rel else { return Ok(None) };
        self.entry(&rel)?;
        let file = rel.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(Some(Texture { file, rel }))
    }

    /// The mesh of a part, in its place.
    pub fn mesh(&self, part: &Part) -> Result<Mesh, Error> {
        let bytes = self.read(&part.mesh)?;
        let mut mesh = super::read_glb::mesh(&bytes).map_err(|why| self.broken(&part.mesh, why))?;
        part.place.apply(&mut mesh);
        Ok(mesh)
    }

    /// The bytes of a texture's PNG file.
    pub fn png(&self, texture: &Texture) -> Result<Vec<u8>, Error> {
        self.read(&texture.rel)
    }

    /// The pixels of a texture.
    pub fn image(&self, texture: &Texture) -> Result<Image, Error> {
        Image::decode(&self.png(texture)?).map_err(|why| self.broken(&texture.rel, why))
    }

    /// BLAKE3 hash of a texture's file, hex digits.
    pub(super) fn hash(&self, texture: &Texture) -> Result<&str, Error> {
        Ok(&self.entry(&texture.rel)?.blake3)
    }

    fn read(&self, rel: &str) -> Result<Vec<u8>, Error> {
        let entry = self.entry(rel)?;
        let path = self.model.join(rel);
        let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
        if blake3::hash(&bytes).to_hex().as_str() != entry.blake3 {
            return Err(self.broken(rel, "changed since it was made".into()));
        }
        Ok(bytes)
    }

    fn entry(&self, rel: &str) -> Result<&FileEntry, Error> {
        self.files
            .get(rel)
            .ok_or_else(|| self.broken(rel, "is not listed in the model's manifest".into()))
    }

    fn broken(&self, rel: &str, why: String) -> Error {
        Error::Broken {
            path: self.model.join(rel),
            why,
        }
    }
}

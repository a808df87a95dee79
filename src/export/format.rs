//! Formats: what each is called, and what it is given to write.

use super::{Error, Material, Mesh, Part, Scene};
use super::{dae, fbx, glb, obj, ply, stl, usd};
use crate::progress::Job;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

/// A file format for meshes.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What it is asked for by.
    pub name: &'static str,
    /// Endings of the files it makes; the scene's first.
    pub extensions: &'static [&'static str],
    /// True where its files name textures beside them.
    pub links_textures: bool,
    pub(super) write: fn(&Piece) -> Result<(), Fault>,
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Format {
    /// Every format; a new one is a file and a line here.
    pub const ALL: [Format; 7] = [
        glb::FORMAT,
        obj::FORMAT,
        ply::FORMAT,
        usd::FORMAT,
        fbx::FORMAT,
        stl::FORMAT,
        dae::FORMAT,
    ];

    /// Names of all, for people.
    pub fn names() -> String {
        Self::ALL.map(|format| format.name).join(", ")
    }

    /// The format called `name`; the error names all.
    pub fn named(name: &str) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|format| format.name == name);
        known.ok_or_else(|| Error::Format {
            asked: name.to_owned(),
        })
    }
}

/// Why a file was not written; what file it is, the caller knows.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Scene(#[from] Error),
    #[error("{0}")]
    Encode(String),
    #[error("{0}")]
    TooLarge(String),
}

impl Fault {
    /// As an error of the file `name` in `folder`.
    pub fn of(self, name: &str, folder: &Path) -> Error {
        let file = name.to_owned();
        match self {
            Fault::Io(source) => Error::io("write", &folder.join(name))(source),
            Fault::Scene(error) => error,
            Fault::Encode(why) => Error::Encode { file, why },
            Fault::TooLarge(why) => Error::TooLarge { file, why },
        }
    }
}

/// What goes into one file, or one file and those beside it.
pub struct Piece<'a> {
    pub scene: &'a Scene,
    /// Name of its files, without ending.
    pub name: &'a str,
    pub parts: &'a [Part],
    pub(super) folder: &'a Path,
    pub(super) progress: &'a Progress<'a>,
}

impl<'a> Piece<'a> {
    /// Writes the file with this ending.
    pub fn file<T>(
        &self,
        extension: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let path = self.folder.join(format!("{}.{extension}", self.name));
        let mut out = BufWriter::with_capacity(1 << 18, File::create(path)?);
        let written = write(&mut out)?;
        out.flush()?;
        // A rename may reach the disk before the content does.
        out.get_ref().sync_all()?;
        Ok(written)
    }

    /// A file that goes with the hidden folder, open to be written and read.
    pub fn scratch(&self) -> io::Result<File> {
        let path = self.folder.join(".scratch");
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(true);
        options.open(path)
    }

    /// Calls `take` for every part, with one mesh in memory at a time.
    pub fn each(
        &self,
        mut take: impl FnMut(&'a Part, Mesh) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        for (i, part) in self.parts.iter().enumerate() {
            take(part, self.mesh(i)?)?;
        }
        Ok(())
    }

    /// The mesh of a part, by its index; an error once the export is cancelled.
    pub fn mesh(&self, part: usize) -> Result<Mesh, Fault> {
        self.progress.reach(part)?;
        Ok(self.scene.mesh(&self.parts[part])?)
    }

    /// Indices of the materials of the parts, each once, in ascending order.
    pub fn materials(&self) -> Vec<usize> {
        let mut used: Vec<usize> = self.parts.iter().map(|part| part.material).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// A material by its index in the scene.
    pub fn material(&self, index: usize) -> &'a Material {
        &self.scene.materials[index]
    }

    /// Vertices of all parts.
    pub fn vertices(&self) -> usize {
        self.parts.iter().map(|part| part.vertices).sum()
    }

    /// Triangles of all parts.
    pub fn triangles(&self) -> usize {
        self.parts.iter().map(|part| part.triangles).sum()
    }
}

/// How far an export is: parts written, over all formats.
pub struct Progress<'a> {
    job: &'a Job<'a>,
    total: usize,
    before: Cell<usize>,
    done: Cell<usize>,
}

impl<'a> Progress<'a> {
    pub fn new(job: &'a Job<'a>, total: usize) -> Self {
        Self {
            job,
            total,
            before: Cell::new(0),
            done: Cell::new(0),
        }
    }

    /// A piece of so many parts is written.
    pub fn piece(&self, parts: usize) -> Result<(), Error> {
        self.reach(parts)?;
        self.before.set(self.before.get() + parts);
        Ok(())
    }

    /// So many parts of the piece at hand are written; some formats go over them twice.
    fn reach(&self, parts: usize) -> Result<(), Error> {
        let done = self.done.get().max(self.before.get() + parts);
        self.done.set(done);
        Ok(self.job.step(done as u64, self.total as u64)?)
    }
}

/// A name as identifiers of XML and USD may be: letters, digits and `_`, no digit first.
///
/// Different names stay different: other characters become `_` and their code.
pub fn identifier(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (i, c) in name.chars().enumerate() {
        match c {
            'a'..='z' | 'A'..='Z' | '_' => out.push(c),
            '0'..='9' if i > 0 => out.push(c),
            '0'..='9' => out.extend(['_', c]),
            _ => out.push_str(&format!("_x{:x}_", u32::from(c))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_found_by_name() {
        for format in Format::ALL {
            assert_eq!(Format::named(format.name).unwrap(), format);
        }
        let error = Format::named("blend").unwrap_err().to_string();
        assert_eq!(
            error,
            "format \"blend\" is unknown; allowed are glb, obj, ply, usd, fbx, stl, dae"
        );
    }

    #[test]
    fn identifiers() {
        assert_eq!(identifier("cave_0_1_2"), "cave_0_1_2");
        assert_eq!(identifier("7cave"), "_7cave");
        assert_ne!(identifier("a-b"), identifier("a.b"));
        assert_ne!(identifier("c_-1_0"), identifier("c_1_0"));
    }
}

//! `plume chunk`.

use crate::failure::Failure;
use crate::output::print;
use clap::Args;
use plume::config::{self, Config};
use plume::pipeline;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Chunk {
    /// Preset, or YAML file
    pub config: String,
    /// Chunk along x, as in the names of the model's files
    pub i: i32,
    /// Chunk along y
    pub j: i32,
    /// Chunk along z
    pub k: i32,
    /// GLB file to write; coarser levels of detail go beside it, as FILE_lod1.glb, FILE_lod2.glb
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// One key over the configuration, such as skeleton.nodes=80; may be repeated
    #[arg(long, value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Seed of every random stream, over the configuration's
    #[arg(long, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Graph or survey to use instead of growing one, as for `generate`
    #[arg(long, value_name = "FILE")]
    pub graph: Option<PathBuf>,
    /// Name of the model, which is in the file
    #[arg(long, default_value = "cave", allow_hyphen_values = true)]
    pub name: String,
}

/// Makes one chunk without the rest of the cave.
pub fn run(args: &Chunk) -> Result<(), Failure> {
    let mut config = resolve(args)?;
    if let Some(seed) = args.seed {
        config.seed = seed;
    }
    let index = [args.i, args.j, args.k];
    let made = pipeline::chunk(&args.name, &config, args.graph.as_deref(), index)?;
    for (level, glb) in made.glbs.iter().enumerate() {
        let path = level_path(&args.out, level);
        fs::write(&path, glb)
            .map_err(|e| Failure::Failed(format!("cannot write {}: {e}", path.display())))?;
    }
    let triangles: Vec<String> = made.triangles.iter().map(usize::to_string).collect();
    print(&format!(
        "chunk     {} {} {} of {}: {} triangles by level of detail\n\
         seconds   {:.3} from the built field, and {:.3} for the plan of all chunks, {:.3} for graph and field\n",
        args.i,
        args.j,
        args.k,
        made.of,
        triangles.join(", "),
        made.chunk_s,
        made.plan_s,
        made.field_s,
    ))
}

/// A preset of that name, else a file.
fn resolve(args: &Chunk) -> Result<Config, Failure> {
    let path = Path::new(&args.config);
    let is_file = path.extension().is_some() || path.components().count() > 1;
    let (preset, file) = match is_file {
        true => (None, Some(path)),
        false => (Some(args.config.as_str()), None),
    };
    Ok(config::resolve(preset, file, None, &args.set)?)
}

/// Where a level of detail goes.
fn level_path(out: &Path, level: usize) -> PathBuf {
    if level == 0 {
        return out.to_owned();
    }
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!("{stem}_lod{level}.glb"))
}

//! One run from start to end.

use super::request::{Cave, Error, Request, Until};
use super::write;
use crate::field::{self, CaveField, Estimate, Opening};
use crate::model::{self, LayerSummary, ModelSummary, StageTime, Staging};
use crate::progress::{Job, Observer, Stage};
use crate::skeleton::{self, Skeleton};
use crate::surface::{self, Surface, topology};
use crate::terrain::{self, CollisionMesh, LayerSet, TerrainMap};
use crate::traverse::{Floor, OccupancyMap, PlanOptions, Robot, Route, Selection};
use std::time::Instant;

/// Makes a cave.
///
/// # Errors
/// [`Error::BadInput`] where other input would help, [`Error::Cancelled`] once the observer says
/// so, [`Error::Failed`] where the machine refused. Nothing is left behind in any case.
pub fn run(request: &Request, observer: &dyn Observer) -> Result<Cave, Error> {
    let threads = request.threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|e| Error::Failed(format!("cannot start {threads} worker threads: {e}")))?;
    pool.install(|| Run::new(request, observer)?.run())
}

/// The floor and what was found on it.
struct Ground {
    floor: Floor,
    maps: Vec<OccupancyMap>,
    route: Result<Route, String>,
}

struct Run<'a> {
    request: &'a Request,
    observer: &'a dyn Observer,
    layers: LayerSet,
    robot: Robot,
    staging: Staging,
    openings: Vec<Opening>,
    summary: ModelSummary,
    started: Instant,
    mark: Instant,
}

impl<'a> Run<'a> {
    fn new(request: &'a Request, observer: &'a dyn Observer) -> Result<Self, Error> {
        model::check_name(&request.name)?;
        let layers = LayerSet::load(&request.config.terrain.layers)?;
        let robot = Robot::load(&request.config.floor.robot)
            .map_err(|e| Error::BadInput(format!("floor.robot: {e}")))?;
        let finished = request.out.join(&request.name).join("model.sdf");
        if request.until < Until::Model && finished.exists() {
            return Err(Error::BadInput(format!(
                "{} is a finished model; a run that ends early needs another name",
                request.out.join(&request.name).display()
            )));
        }
        let staging = Staging::begin(&request.out, &request.name)?;
        let summary = ModelSummary {
            name: request.name.clone(),
            seed: request.config.seed,
            ..ModelSummary::default()
        };
        let started = Instant::now();
        Ok(Self {
            request,
            observer,
            layers,
            robot,
            staging,
            openings: Vec::new(),
            summary,
            started,
            mark: started,
        })
    }

    fn run(mut self) -> Result<Cave, Error> {
        let config = &self.request.config;
        let until = self.request.until;

        let skeleton = self.skeleton()?;
        self.lap(Stage::Skeleton);
        write::skeleton(&self.staging, config, &skeleton, &self.title(&skeleton))?;
        if until == Until::Skeleton {
            return self.end_early(skeleton);
        }

        field::check_openings(&skeleton, config).map_err(|e| Error::BadInput(e.to_string()))?;
        self.refuse(&skeleton, &field::estimate(&skeleton, config))?;
        let job = self.job(Stage::Field);
        job.step(0, 1)?;
        let field = CaveField::carve(&skeleton, config);
        self.openings = field.openings().to_vec();
        job.step(1, 1)?;
        self.lap(Stage::Field);

        let surface = surface::extract(
            &field,
            self.summary.levels,
            config,
            &self.job(Stage::Surface),
        )?;
        self.count(&surface);
        self.lap(Stage::Surface);
        let mut chunks = write::visual_meshes(&self.staging, &surface, config.surface.lod)?;
        if until == Until::Surface {
            return self.end_early(skeleton);
        }

        let job = self.job(Stage::Terrain);
        let map = terrain::classify(&surface, &field, &self.layers, config, &job)?;
        let collision = terrain::collide(&surface, &map, config.surface.collision_error_m, &job)?;
        job.step(4, 4)?;
        self.describe(&map, &collision);
        self.lap(Stage::Terrain);

        let job = self.job(Stage::Textures);
        write::textures(
            &self.staging,
            &surface,
            &map,
            &self.layers,
            &field,
            config,
            &mut chunks,
            &job,
        )?;
        self.summary.texels = write::texels(&surface);
        self.lap(Stage::Textures);
        if until == Until::Textures {
            return self.end_early(skeleton);
        }

        let objects = field.objects();
        let rock_layer = self.layers.rock();
        let ground = match objects.hulls(rock_layer) {
            Some(hulls) => {
                let mut solid = collision.clone();
                solid.push(hulls);
                self.ground(&skeleton, &solid)?
            }
            None => self.ground(&skeleton, &collision)?,
        };
        self.lap(Stage::Floor);

        let job = self.job(Stage::Model);
        let files = write::Files {
            request: self.request,
            skeleton: &skeleton,
            surface: &surface,
            collision: &collision,
            objects,
            rock_layer,
            layers: &self.layers,
            summary: &self.summary,
            floor: &ground.floor,
            maps: &ground.maps,
            route: ground.route.as_ref().ok(),
            title: self.title(&skeleton),
        };
        let description = write::model(&self.staging, &files, chunks, &job)?;
        self.lap(Stage::Model);
        self.summary.seconds = self.started.elapsed().as_secs_f64();
        let extra = write::manifest_extra(&skeleton, &self.openings, Some(objects));
        let Self {
            staging,
            mut summary,
            layers,
            ..
        } = self;
        let place = model::finish(staging, &description, &summary, extra, &job)?;
        summary.world_path = place.join(model::world_file(&summary.name));
        summary.model_path = place;
        Ok(Cave {
            summary,
            skeleton,
            layers,
            route: ground.route.ok(),
            maps: ground.maps,
        })
    }

    fn job(&self, stage: Stage) -> Job<'a> {
        Job::new(self.observer, stage)
    }

    fn lap(&mut self, stage: Stage) {
        let seconds = self.mark.elapsed().as_secs_f64();
        self.mark = Instant::now();
        self.summary.stages.push(StageTime {
            stage: stage.name().to_owned(),
            seconds,
        });
    }

    /// The same for a grown graph and for that graph read back from `plume/skeleton.json`: the
    /// title is in files of the model, and both runs are to write the same model.
    fn title(&self, skeleton: &Skeleton) -> String {
        let (name, seed) = (&self.request.name, self.request.config.seed);
        format!("{name}: seed {seed}, {:.0} m", skeleton.length_m())
    }

    fn skeleton(&mut self) -> Result<Skeleton, Error> {
        let job = self.job(Stage::Skeleton);
        let config = &self.request.config;
        let mut skeleton = match &self.request.graph {
            Some(path) => skeleton::import(path, config, &job)?,
            None => skeleton::grow(config, &job)?,
        };
        let climb_deg = f64::from(self.robot.max_slope_deg);
        let steep = skeleton.mark_shafts(climb_deg);
        if steep > 0 {
            job.note(&format!(
                "{steep} of {} edges are shafts: steeper than the {climb_deg:.0}\u{b0} that {} climbs",
                skeleton.edges.len(),
                self.robot.name
            ));
        }
        let s = &mut self.summary;
        (s.nodes, s.edges) = (skeleton.nodes.len(), skeleton.edges.len());
        s.length_m = skeleton.length_m();
        s.levels = levels(&skeleton);
        Ok(skeleton)
    }

    /// Refuses before the work starts what would not fit.
    fn refuse(&self, skeleton: &Skeleton, estimate: &Estimate) -> Result<(), Error> {
        let config = &self.request.config;
        let limits = &config.limits;
        check_reach(skeleton, estimate)?;
        let images = f64::from(config.texture.size_px).powi(2) * 64.0 / 1e6;
        let memory_mb = estimate.memory_mb + images * rayon::current_num_threads() as f64;
        let advice = "raise the limit, or make surface.voxel_m larger or the cave smaller";
        if estimate.triangles > limits.triangles {
            return Err(Error::BadInput(format!(
                "about {:.0} triangles at surface.voxel_m {:.3} m, limits.triangles is {:.0}: {advice}",
                estimate.triangles, estimate.voxel_m, limits.triangles
            )));
        }
        if memory_mb > limits.memory_mb {
            return Err(Error::BadInput(format!(
                "about {memory_mb:.0} MB of memory, limits.memory_mb is {:.0}: {advice}",
                limits.memory_mb
            )));
        }
        // Meshes keep about a quarter of the triangles; textures take up to 7 bytes a texel.
        let chunks = self.expected_chunks(estimate);
        let texels = chunks * f64::from(config.texture.size_px).powi(2) * 0.6;
        let needed = estimate.triangles * 30.0 + texels * 7.0;
        model::check_root(&self.request.out, &self.request.name, needed as u64)?;
        Ok(())
    }

    /// Chunks that a cave of this wall will about have.
    fn expected_chunks(&self, estimate: &Estimate) -> f64 {
        let surface = &self.request.config.surface;
        match (surface.divisions, surface.chunk_m.value()) {
            (0, chunk_m) => {
                let edge = chunk_m.unwrap_or(surface::AUTO_VOXELS * estimate.voxel_m);
                (estimate.area_m2 / (0.9 * edge * edge)).max(1.0)
            }
            (n, _) => f64::from(n) * f64::from(n),
        }
    }

    fn count(&mut self, surface: &Surface) {
        let s = &mut self.summary;
        s.chunks = surface.chunks.len();
        s.voxel_m = surface.voxel_m;
        s.shell_triangles = surface.chunks.iter().map(|c| c.shell.triangles.len()).sum();
        s.visual_triangles = surface
            .chunks
            .iter()
            .map(|c| c.visual.triangles.len())
            .sum();
        s.texture_px = surface
            .chunks
            .iter()
            .map(|c| c.atlas.width.max(c.atlas.height))
            .max()
            .unwrap_or(0);
        s.area_m2 = surface
            .chunks
            .iter()
            .flat_map(|c| {
                c.shell
                    .triangles
                    .iter()
                    .map(|&t| topology::area(&c.shell.positions, t))
            })
            .sum();
    }

    fn describe(&mut self, map: &TerrainMap, collision: &[CollisionMesh]) {
        self.summary.collision_triangles = collision.iter().map(|c| c.triangles.len()).sum();
        self.summary.layers = self
            .layers
            .layers
            .iter()
            .zip(&map.area_m2)
            .map(|(l, &area_m2)| LayerSummary {
                name: l.name.clone(),
                area_m2,
                mu: l.mu,
                cost: l.cost,
            })
            .collect();
    }

    fn ground(
        &mut self,
        skeleton: &Skeleton,
        collision: &[CollisionMesh],
    ) -> Result<Ground, Error> {
        let config = &self.request.config;
        let job = self.job(Stage::Floor);
        let mut floor = Floor::build(
            collision,
            &self.layers,
            &self.robot,
            config.floor.cell_m,
            &job,
        )?;
        floor.mark_shafts(skeleton, &config.passage);
        let levels = floor.levels(skeleton);
        let maps = (0..self.summary.levels)
            .map(|k| floor.occupancy(Selection::Level(&levels, k)))
            .collect();
        let options = PlanOptions {
            incline_weight: config.floor.incline_weight,
            allow_water: config.floor.allow_water,
            ..PlanOptions::default()
        };
        let goals: Vec<[f64; 3]> = skeleton
            .nodes
            .iter()
            .map(|n| n.floor(&config.passage))
            .collect();
        let found = floor.farthest([0.0; 3], &goals, &options, &job);
        job.check()?;
        let route = found.map(|(_, route)| route).map_err(|e| e.to_string());
        match &route {
            Ok(r) => self.summary.route = Some(r.stats.clone()),
            Err(why) => self.summary.route_reason = Some(why.clone()),
        }
        Ok(Ground { floor, maps, route })
    }

    /// Ends with what there is: a folder without a model in it.
    fn end_early(mut self, skeleton: Skeleton) -> Result<Cave, Error> {
        let job = self.job(Stage::Model);
        self.summary.seconds = self.started.elapsed().as_secs_f64();
        let Self {
            staging,
            mut summary,
            layers,
            ..
        } = self;
        let extra = write::manifest_extra(&skeleton, &self.openings, None);
        summary.model_path = model::finish_early(staging, &summary, extra, &job)?;
        Ok(Cave {
            summary,
            skeleton,
            layers,
            route: None,
            maps: Vec::new(),
        })
    }
}

/// Refuses a graph that reaches beyond the lattice of the surface.
pub(super) fn check_reach(skeleton: &Skeleton, estimate: &Estimate) -> Result<(), Error> {
    let farthest = skeleton
        .nodes
        .iter()
        .map(|n| n.position.abs().max_element() + 4.0 * n.passage_m)
        .fold(0.0, f64::max);
    let reach = estimate.voxel_m * surface::LATTICE_REACH as f64;
    if farthest > reach {
        return Err(Error::BadInput(format!(
            "the graph reaches {farthest:.0} m from the entrance; at surface.voxel_m {:.3} m at most {reach:.0} m are allowed",
            estimate.voxel_m
        )));
    }
    Ok(())
}

/// How many levels a graph has.
pub(super) fn levels(skeleton: &Skeleton) -> u32 {
    skeleton
        .nodes
        .iter()
        .map(|n| n.level + 1)
        .max()
        .unwrap_or(1)
}

//! Is a cave's surface what it should be?
//!
//! In: a [`Subject`]: the pieces of a surface, from memory ([`Subject::new`]) or from a model's
//! folder ([`read`]), with its graph and configuration. Out: a [`Report`]: each [`Check`] with its
//! threshold, the worst value found and the place of it.
//!
//! `whole` joins the pieces where vertices have the same bits; then `manifold` counts edges, fans
//! and handles, `shape` looks for triangles that are degenerate or cross, `sides` for those that
//! look into the rock, `borders` compares what chunks share, `gap` measures from collision to
//! visual, `passages` goes along the graph. [`mod@sweep`] makes and examines many caves.
//!
//! *Guaranteed*: exact answers, free of rounding, on manifold edges, crossing triangles and equal
//! bits. *Not guaranteed*: distances between samples. Those along edges are taken every voxel,
//! those between meshes every 0.7 voxels.

mod borders;
mod column;
mod gap;
mod manifold;
mod openings;
mod passages;
mod read;
mod report;
mod shape;
mod sides;
mod subject;
pub mod sweep;
mod whole;

pub use read::{Error, read};
pub use report::{Check, Place, Report, Rule};
pub use subject::{Piece, Subject};

use openings::holes;
use whole::Whole;

/// Collision may be this far from the visual, metres, unless the configuration allows both
/// together a larger error.
pub const COLLISION_GAP_M: f64 = 0.05;
/// Distance of samples on triangles, voxels.
const SAMPLE_VOXELS: f64 = 0.7;

/// Examines a cave. The result does not depend on the number of threads.
pub fn examine(subject: &Subject) -> Report {
    let mut checks = Vec::new();
    let visual = examine_visual(subject, &mut checks);
    if !subject.collision.is_empty() {
        examine_collision(subject, &visual, &mut checks);
    }
    Report { checks }
}

fn examine_visual<'a>(subject: &'a Subject, checks: &mut Vec<Check>) -> Whole<'a> {
    let mut whole = Whole::weld(&subject.visual);
    let uses = whole.uses();
    let mut holes = holes(&whole, &uses, &subject.openings, subject.voxel_m);
    checks.push(manifold::closed("closed", &whole, &uses, &holes));
    checks.push(openings::check(&holes, &subject.openings));
    checks.push(manifold::pieces("pieces", &whole));
    checks.push(shape::crossings("crossing triangles", &whole));
    checks.push(shape::smallest("smallest triangle", &whole));
    checks.push(borders::positions(&whole, &holes));
    checks.push(borders::normals(&whole));
    whole.close(
        std::mem::take(&mut holes.centres),
        std::mem::take(&mut holes.caps),
    );
    let uses = whole.uses();
    let (pinched, fans) = manifold::fans("pinched vertices", &whole, &uses);
    checks.push(pinched);
    let skeleton = &subject.skeleton;
    let loops = (skeleton.edges.len() + 1).saturating_sub(skeleton.nodes.len());
    checks.push(manifold::genus(
        &whole,
        &uses,
        fans,
        loops + subject.handles as usize,
    ));
    checks.push(sides::toward_void(&whole));
    checks.extend(passages::checks(
        &whole,
        skeleton,
        &subject.config,
        subject.voxel_m,
    ));
    whole
}

fn examine_collision(subject: &Subject, visual: &Whole, checks: &mut Vec<Check>) {
    let whole = Whole::weld(&subject.collision);
    let uses = whole.uses();
    let holes = holes(&whole, &uses, &subject.openings, subject.voxel_m);
    checks.push(manifold::closed("collision closed", &whole, &uses, &holes));
    checks.push(manifold::pieces("collision pieces", &whole));
    checks.push(shape::crossings("collision crossing triangles", &whole));
    checks.push(shape::smallest("collision smallest triangle", &whole));
    let surface = &subject.config.surface;
    let allowed = COLLISION_GAP_M.max(surface.visual_error_m + surface.collision_error_m);
    let check = Check::new("collision to visual", "m", Rule::AtMost, allowed);
    let gap = gap::between(&whole, visual, SAMPLE_VOXELS * subject.voxel_m);
    checks.push(match gap {
        Some((worst, place)) => check.found(worst, Some(place)),
        None => check,
    });
}

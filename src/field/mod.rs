//! Stage 2a: the signed distance to the rock wall.
//!
//! In: a [`Skeleton`](crate::skeleton::Skeleton) and the configuration. Out: a [`CaveField`].
//!
//! A passage is a cross-section (`section`: tube, canyon, keyhole, lava tube, drift, or between two) swept
//! along a smooth centre curve; passages of different branches melt into each other (smooth minimum). Where
//! two come close without meeting there, both are narrowed until rock stays between them (`septum`); and the
//! middle of the void is kept on the graph's lines (`balance`). The floor is one surface: the average of the
//! floor heights of the segments nearby, weighted by nearness in 3D, cut into the arch with a talus. Relief is
//! domain-warped noise, horizontal beds and scallops, asked for at the foot on the smooth wall. Openings are
//! flat and lie in planes of the voxel lattice (`opening`); rocks and
//! dripstones come from [`objects`](crate::objects).
//!
//! *Guaranteed*: the value at a point depends on the point alone, to the bit, whichever block asks for it;
//! the graph's straight edges lie in the void; `distance` keeps its sign everywhere.
//! *Not guaranteed*: exact distance (within a few percent near the wall, less in corners), or rock between
//! passages that lie too near each other in the graph: none is narrowed below .6 of its width.
//!
//! Sources: world-synth (features as distance functions under a spatial index, "offline" then "online");
//! Quilez for the blends; Taubin 1994 for the elliptic distance.

mod balance;
mod buckets;
mod cave;
mod centreline;
mod index;
mod opening;
mod relief;
mod section;
mod septum;

pub(crate) use buckets::Buckets;
pub use cave::{BLOCK, CaveField, Detail, Estimate, estimate};
pub use centreline::centre_lines;
pub use opening::{Blocked, Opening, OpeningKind, check_openings};
pub use relief::Relief;
pub(crate) use section::smooth_max;

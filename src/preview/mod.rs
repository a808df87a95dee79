//! Pictures of a cave for people.
//!
//! In: a [`Skeleton`](crate::skeleton::Skeleton), or a [`PlanView`] of the floor. Out: the bytes
//! of a PNG about 1000 pixels wide.
//!
//! Guaranteed: the same input gives the same bytes on one build. Not guaranteed: the same bytes
//! across processor families (the rasteriser may round differently).
//!
//! Type is DejaVu Sans (Bitstream Vera licence), colours of elevation are viridis (CC0).

mod canvas;
mod frame;
mod lettering;
mod palette;
mod panel;
mod plan;
mod skeleton;

pub use plan::{PlanCell, PlanLayer, PlanView, plan_png};
pub use skeleton::skeleton_png;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing to draw.
    #[error("nothing to draw: the {0} is empty")]
    Empty(&'static str),
    /// A position that is no place.
    #[error("cannot draw the {what}: position {index} is not finite")]
    NotFinite {
        /// What was drawn.
        what: &'static str,
        /// Which of its positions.
        index: usize,
    },
    /// A cell of a layer that is not in the legend, or of no size.
    #[error("cannot draw the floor: {0}")]
    Cells(String),
    /// The picture could not be made in memory.
    #[error("cannot make a picture of {width} x {height} pixels: {reason}")]
    Picture {
        /// Width asked for, pixels.
        width: u32,
        /// Height asked for, pixels.
        height: u32,
        /// What stood in the way.
        reason: String,
    },
}

//! Games on a row of squares or things.

mod backsliding;
mod ladders;
mod lamps;
mod lights;
mod row;
mod slide;

pub use backsliding::Backsliding;
pub use ladders::Ladders;
pub use lamps::Lamps;
pub use lights::{Fixture, Lights, Pass as LightsPass, Piece, Ply as LightsPly};
pub use slide::Slide;

use crate::catalogue::Entry;

/// The rulesets of this board.
pub(crate) fn entries() -> Vec<Entry> {
    vec![lights::entry(), lamps::entry(), slide::entry(), ladders::entry(), backsliding::entry()]
}

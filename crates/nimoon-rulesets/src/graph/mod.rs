//! Games on vertices and edges.

mod canonical;
mod coins;
mod drawing;
mod edges;
mod green_hackenbush;
mod green_lime;
#[cfg(test)]
pub(crate) mod testing;

pub use coins::{Coin, Coins};
pub use green_hackenbush::GreenHackenbush;
pub use green_lime::{Color, Edge, GreenLime};

use crate::catalogue::Entry;

/// The rulesets of this board.
pub(crate) fn entries() -> Vec<Entry> {
    vec![green_lime::entry(), coins::entry(), green_hackenbush::entry()]
}

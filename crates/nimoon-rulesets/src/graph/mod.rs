//! Games on vertices and edges.

mod digraph;

pub use digraph::DigraphFile;

use crate::catalogue::Entry;

/// The rulesets of this board.
pub(crate) fn entries() -> Vec<Entry> {
    vec![digraph::entry()]
}

//! Games on vertices and edges.

use crate::catalogue::Entry;

/// The rulesets of this board.
pub(crate) fn entries() -> Vec<Entry> {
    Vec::new()
}

//! Games on a rectangle of squares.

use crate::catalogue::Entry;

/// The rulesets of this board.
pub(crate) fn entries() -> Vec<Entry> {
    Vec::new()
}

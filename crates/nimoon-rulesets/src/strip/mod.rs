//! Games on a row of squares or things.

use crate::catalogue::Entry;

/// The rulesets of this board.
pub(crate) fn entries() -> Vec<Entry> {
    Vec::new()
}

//! Games with heaps of tokens.

mod nim;

pub use nim::Nim;

use crate::catalogue::Entry;

/// The rulesets of this board.
pub(crate) fn entries() -> Vec<Entry> {
    vec![nim::entry()]
}

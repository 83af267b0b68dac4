//! Games on a rectangle of squares.

mod fox_geese;
mod nimstring;

pub use fox_geese::{Chase, FoxGeese};
pub use nimstring::{Drawing, Nimstring};

use crate::catalogue::Entry;

/// The rulesets of this board.
pub(crate) fn entries() -> Vec<Entry> {
    vec![nimstring::entry(), fox_geese::entry()]
}

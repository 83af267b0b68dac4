//! How much a target may ask of an engine: little, so that there are many inputs a second.

use nimoon::Budget;
use nimoon::effort::Effort;

/// For explorations and searches.
pub(crate) const POSITIONS: u64 = 2_000;

/// For what is always small enough.
pub(crate) const ENOUGH: Budget = Budget::DEFAULT;

/// A budget that is hit now and then.
pub(crate) fn little() -> Budget {
    Budget::new(POSITIONS)
}

/// A budget for what is looked at again and again, with many other inputs.
pub(crate) fn very_little() -> Budget {
    Budget::new(POSITIONS / 10)
}

/// The same for loopy games and affine forms.
pub(crate) fn little_effort() -> Effort {
    Effort::new(20_000)
}

/// For reading what was printed: sums in a text of two thousand characters can take minutes.
pub(crate) fn some_effort() -> Effort {
    Effort::new(200_000)
}

/// What is always enough for the graphs of a target.
pub(crate) fn enough_effort() -> Effort {
    Effort::default()
}

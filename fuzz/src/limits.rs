//! Limits for the engines in targets: small, so that there are many inputs a second.

use nimoon::Limits;
use nimoon::limits::Work;

/// For explorations and searches.
pub(crate) const POSITIONS: u64 = 2_000;

/// For questions that are always small enough.
pub(crate) const ENOUGH: Limits = Limits::DEFAULT;

/// A budget that is hit from time to time.
pub(crate) fn little() -> Limits {
    Limits::new(POSITIONS)
}

/// A budget for work that is repeated for many inputs.
pub(crate) fn very_little() -> Limits {
    Limits::new(POSITIONS / 10)
}

/// The same for loopy games and affine forms.
pub(crate) fn little_work() -> Work {
    Work::new(Limits::new(20_000))
}

/// For reading printed texts: sums in a text of two thousand characters can take minutes.
pub(crate) fn some_work() -> Work {
    Work::new(Limits::new(200_000))
}

/// Always enough for the graphs of a target.
pub(crate) fn enough_work() -> Work {
    Work::new(Limits::new(100_000_000))
}

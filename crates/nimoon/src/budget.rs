//! Limits on the work that a search may do.

/// How many positions a search may look at. Large ones count for several, so that the memory is bounded too.
///
/// Hitting it is an answer: what is known so far, and what would have been needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The number of positions.
    pub positions: u64,
}

impl Budget {
    /// What the program uses unless told otherwise.
    pub const DEFAULT: Self = Self { positions: 4_000_000 };

    /// A budget of this many positions.
    pub const fn new(positions: u64) -> Self {
        Self { positions }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::DEFAULT
    }
}

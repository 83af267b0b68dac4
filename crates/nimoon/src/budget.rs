//! Limits on the work that may be done for an answer.

use std::time::Duration;

/// What is allowed: positions, memory and time. An [`Effort`](crate::effort::Effort) is what has been
/// done under it.
///
/// Hitting a limit is an answer: what is known so far, and which limit it was.
///
/// ```
/// use std::time::Duration;
/// use nimoon::Budget;
/// let budget = Budget::new(10_000).bytes(64 << 20).time(Duration::from_secs(5));
/// assert_eq!(budget.positions, 10_000);
/// assert_eq!(Budget::DEFAULT.time, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many positions each question may look at. Large ones count for several.
    pub positions: u64,
    /// How many bytes may be held at a time, beside what was given. Engines reckon what they are about
    /// to hold and do not measure it, so this is a close guess and no more.
    pub bytes: u64,
    /// How long all questions together may take; none for as long as they need.
    pub time: Option<Duration>,
}

impl Budget {
    /// What the program uses unless told otherwise.
    pub const DEFAULT: Self = Self { positions: 4_000_000, bytes: 8 << 30, time: None };

    /// A budget of this many positions; memory and time as by default.
    pub const fn new(positions: u64) -> Self {
        Self { positions, ..Self::DEFAULT }
    }

    /// With this much memory.
    #[must_use]
    pub const fn bytes(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    /// With this much time, counted from where an [`Effort`](crate::effort::Effort) starts.
    #[must_use]
    pub const fn time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// With no more positions than these.
    #[must_use]
    pub(crate) fn at_most(self, positions: u64) -> Self {
        Self { positions: self.positions.min(positions), ..self }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::DEFAULT
    }
}

//! What is allowed.

use std::time::Duration;

/// How many positions, bytes and how much time are allowed. A [`Work`](crate::limits::Work) is the account
/// of what has been done within them.
///
/// Hitting a limit is an answer: what is known so far, and which limit it was.
///
/// ```
/// use std::time::Duration;
/// use nimoon::Limits;
/// let limits = Limits::new(10_000).bytes(64 << 20).time(Duration::from_secs(5));
/// assert_eq!(limits.positions, 10_000);
/// assert_eq!(Limits::DEFAULT.time, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many positions each question may visit. Large ones count for several.
    pub positions: u64,
    /// How many bytes may be in use at a time, beside the input. Engines estimate what they are about
    /// to allocate and do not measure it.
    pub bytes: u64,
    /// How long all questions together may take; none for as long as they need.
    pub time: Option<Duration>,
    /// How many positions may be searched for the quickest win once it is known who wins. Beyond that
    /// the turn is chosen by a measure.
    pub turn: u64,
}

impl Limits {
    /// The usual limits.
    pub const DEFAULT: Self =
        Self { positions: 4_000_000, bytes: 8 << 30, time: None, turn: 10_000 };

    /// For work that is bounded by what is given.
    pub const ENDLESS: Self = Self { positions: u64::MAX, bytes: u64::MAX, ..Self::DEFAULT };

    /// This many positions; memory and time as by default.
    pub const fn new(positions: u64) -> Self {
        Self { positions, ..Self::DEFAULT }
    }

    /// With this many positions.
    #[must_use]
    pub const fn positions(self, positions: u64) -> Self {
        Self { positions, ..self }
    }

    /// With no more positions than these.
    #[must_use]
    pub fn at_most(self, positions: u64) -> Self {
        self.positions(self.positions.min(positions))
    }

    /// With a search for the quickest win wherever all positions may be visited.
    ///
    /// ```
    /// use nimoon::Limits;
    /// assert!(Limits::DEFAULT.turn < Limits::DEFAULT.positions);
    /// assert_eq!(Limits::new(100).quickest().turn, 100);
    /// ```
    #[must_use]
    pub const fn quickest(self) -> Self {
        Self { turn: self.positions, ..self }
    }

    /// Those of a search for the quickest win where it is known who wins.
    pub(crate) fn for_turns(self) -> Self {
        self.at_most(self.turn)
    }

    /// With this much memory.
    #[must_use]
    pub const fn bytes(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    /// With this much time.
    #[must_use]
    pub const fn time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

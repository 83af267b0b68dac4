//! Why work ended early.

use std::fmt;

use thiserror::Error;

use crate::count::counted;

/// One of the limits of a [`Limits`](super::Limits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// How many positions are visited.
    Positions,
    /// How many bytes are in use.
    Bytes,
    /// How long it takes; counted in milliseconds.
    Time,
}

/// Why an answer is missing or incomplete.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interrupted {
    /// A limit was hit.
    #[error("the budget of {} was hit{}", Amount(*limit, *allowed), Needed(*limit, *needed))]
    OverBudget {
        /// Which one.
        limit: Limit,
        /// What was allowed.
        allowed: u64,
        /// At least how much is needed, where that is known.
        needed: Option<u64>,
    },
    /// The work was cancelled.
    #[error("stopped")]
    Stopped,
}

impl Interrupted {
    /// As many positions as were allowed are not enough.
    pub fn positions(allowed: u64) -> Self {
        Self::OverBudget { limit: Limit::Positions, allowed, needed: None }
    }

    /// The limit that was hit; none if the work was cancelled.
    pub fn limit(self) -> Option<Limit> {
        match self {
            Self::OverBudget { limit, .. } => Some(limit),
            Self::Stopped => None,
        }
    }

    /// What to do about it, given how the limits are called where they are set: those of positions,
    /// bytes and time.
    ///
    /// ```
    /// use nimoon::limits::Interrupted;
    /// let names = ["--budget", "--memory", "--time"];
    /// assert_eq!(Interrupted::positions(10).advice(names), Some("raise it with --budget".into()));
    /// ```
    pub fn advice(self, [positions, bytes, time]: [&str; 3]) -> Option<String> {
        let name = match self.limit()? {
            Limit::Positions => positions,
            Limit::Bytes => bytes,
            Limit::Time => time,
        };
        Some(format!("raise it with {name}"))
    }

    /// A message that ends in [`Self::advice`].
    pub fn advise(self, message: impl fmt::Display, names: [&str; 3]) -> String {
        match self.advice(names) {
            Some(advice) => format!("{message}; {advice}"),
            None => message.to_string(),
        }
    }
}

/// An amount in its unit.
struct Amount(Limit, u64);

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u32, &str); 3] = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
        let &Self(limit, amount) = self;
        match limit {
            Limit::Positions => f.write_str(&counted(amount, "position")),
            Limit::Bytes => {
                let even = |&(bits, _): &(u32, _)| amount > 0 && amount.is_multiple_of(1 << bits);
                match UNITS.into_iter().find(even) {
                    Some((bits, unit)) => write!(f, "{} {unit} of memory", amount >> bits),
                    None => write!(f, "{} of memory", counted(amount, "byte")),
                }
            }
            Limit::Time if amount.is_multiple_of(1000) => write!(f, "{} s", amount / 1000),
            Limit::Time => write!(f, "{amount} ms"),
        }
    }
}

struct Needed(Limit, Option<u64>);

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (limit, Some(needed)) => {
                let are = if needed == 1 { "is" } else { "are" };
                write!(f, ": at least {} {are} needed", Amount(limit, needed))
            }
            (_, None) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_units_in_which_they_were_given() {
        let message =
            |limit, allowed, needed| Interrupted::OverBudget { limit, allowed, needed }.to_string();
        let [positions, bytes, time] = [Limit::Positions, Limit::Bytes, Limit::Time];
        assert_eq!(message(positions, 7, None), "the budget of 7 positions was hit");
        assert_eq!(
            message(positions, 7, Some(9)),
            "the budget of 7 positions was hit: at least 9 positions are needed"
        );
        assert_eq!(message(bytes, 2 << 30, None), "the budget of 2 GiB of memory was hit");
        assert_eq!(message(bytes, 5, None), "the budget of 5 bytes of memory was hit");
        assert_eq!(message(positions, 1, None), "the budget of 1 position was hit");
        assert_eq!(
            message(positions, 0, Some(1)),
            "the budget of 0 positions was hit: at least 1 position is needed"
        );
        assert_eq!(message(bytes, 1, None), "the budget of 1 byte of memory was hit");
        assert_eq!(message(bytes, 0, None), "the budget of 0 bytes of memory was hit");
        assert_eq!(message(time, 2000, None), "the budget of 2 s was hit");
        assert_eq!(message(time, 1, None), "the budget of 1 ms was hit");
    }
}

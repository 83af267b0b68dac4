//! Outcomes under normal play with draws.

use std::fmt;

/// Who wins, or that nobody does [ACLNSS, Def. 1.7].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The next player wins.
    N,
    /// The previous player wins.
    P,
    /// Neither can force a win: play goes on for ever.
    D,
}

impl Outcome {
    /// The outcome for a player who can choose among moves to positions with these outcomes.
    ///
    /// ```
    /// use nimoon::Outcome::{self, D, N, P};
    /// assert_eq!(Outcome::of_options([N, D]), D);
    /// assert_eq!(Outcome::of_options([N, P]), N);
    /// assert_eq!(Outcome::of_options([]), P);
    /// ```
    pub fn of_options(options: impl IntoIterator<Item = Self>) -> Self {
        let mut outcome = Self::P;
        for option in options {
            match option {
                Self::P => return Self::N,
                Self::D => outcome = Self::D,
                Self::N => {}
            }
        }
        outcome
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::N => "N",
            Self::P => "P",
            Self::D => "D",
        })
    }
}

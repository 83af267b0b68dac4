//! Outcomes under normal play with draws.
//!
//! A player who cannot move loses; play that never ends is drawn. A position is **N** if some
//! option is P; it is **P** if every option is N, so in particular if there is none; and **D**
//! otherwise: then some option is D and none is P, and both players can go on for ever rather than
//! lose.
//!
//! In a cycle this defines nothing yet. What is meant is the *least* set of N and P that obeys it:
//! a win must be forced in a finite number of moves. Retrograde analysis finds it from the ends of
//! play, in time linear in the arcs.
//!
//! ## References
//! [ACLNSS, Def. 1.7], [Smith1966, §4]

use std::fmt;

/// Who wins, or that play is drawn [ACLNSS, Def. 1.7].
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

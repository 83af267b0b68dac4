//! Who wins a form.

use std::cmp::Ordering;
use std::fmt;

use crate::player::Player;

/// The four outcomes of play without draws, in the partial order from Left's point of view.
///
/// ```
/// use nimoon::affine::AffineOutcome::{L, N, P, R};
/// assert!(L > N && N > R && N.partial_cmp(&P).is_none());
/// assert_eq!(L.conjugate(), R);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AffineOutcome {
    /// Left wins, no matter who begins.
    L,
    /// The next player wins.
    N,
    /// The previous player wins.
    P,
    /// Right wins, no matter who begins.
    R,
}

impl AffineOutcome {
    /// The outcome, from who wins when Left begins and when Right begins.
    ///
    /// ```
    /// use nimoon::affine::AffineOutcome;
    /// use nimoon::player::Player::{Left, Right};
    /// assert_eq!(AffineOutcome::of_winners(Left, Right), AffineOutcome::N);
    /// ```
    pub fn of_winners(left_begins: Player, right_begins: Player) -> Self {
        match (left_begins, right_begins) {
            (Player::Left, Player::Left) => Self::L,
            (Player::Left, Player::Right) => Self::N,
            (Player::Right, Player::Left) => Self::P,
            (Player::Right, Player::Right) => Self::R,
        }
    }

    /// Who wins if this player begins.
    pub fn winner(self, first: Player) -> Player {
        match self {
            Self::L => Player::Left,
            Self::R => Player::Right,
            Self::N => first,
            Self::P => first.opponent(),
        }
    }

    /// The outcome with the players exchanged.
    #[must_use]
    pub fn conjugate(self) -> Self {
        match self {
            Self::L => Self::R,
            Self::R => Self::L,
            other => other,
        }
    }
}

impl PartialOrd for AffineOutcome {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (a, b) if a == b => Some(Ordering::Equal),
            (Self::L, _) | (_, Self::R) => Some(Ordering::Greater),
            (_, Self::L) | (Self::R, _) => Some(Ordering::Less),
            _ => None,
        }
    }
}

impl fmt::Display for AffineOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::L => "L",
            Self::N => "N",
            Self::P => "P",
            Self::R => "R",
        })
    }
}

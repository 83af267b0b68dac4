//! The two players.

use std::fmt;

/// Left or Right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Left, for whom positive games are good.
    Left,
    /// Right.
    Right,
}

impl Player {
    /// Left and Right.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other player.
    ///
    /// ```
    /// use nimoon::player::Player;
    /// assert_eq!(Player::Left.opponent(), Player::Right);
    /// ```
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Left => "Left",
            Self::Right => "Right",
        })
    }
}

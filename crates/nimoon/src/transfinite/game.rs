//! Games of Abe and Barbara with transfinite positions.
//!
//! A game is a finite digraph in which each position says who moves. Play ends in a win for Abe, a
//! win for Barbara or a draw. A position can also be a [pool](super::Pool) of coins under the free
//! rule, which both empty in turn before play ends: that is a whole infinite digraph, and the only
//! way in which transfinite ordinals come in. The rest is as in finite digraphs, with ordinals for
//! numbers.
//!
//! ## The theorems used
//! - D by (2) and (3), Q by (4b) to (4e) with 0 or 1 at terminal positions [Smith1966, §§3–5, 11].
//! - Let α be the coins of a pool, and t the Q of its end, which is the same for all plays since
//!   each move changes the parity of the coins. If t = 0, Q = α, as for R. If t = 1, then Q = f +
//!   2·n + 1, where f is the finite part of α and n the sum of the other coefficients: a successor
//!   has one follower; and who exchanges a coin ω^γ of μ + ω^γ wants the game to end, so takes the
//!   least follower, μ + 1, and Q(μ + ω^γ) = Q(μ + 1) + 1 = Q(μ) + 2.
//!
//! ## Limits and cost
//! Positions get their ordinals in rising order, from a priority queue, each once and resting on
//! smaller ones: one comparison of ordinals for each arc, times a logarithm. Cycles need no care: a
//! position that never comes up is ∞.
//!
//! ## References
//! [Smith1966, §§1, 3–5, 11, 12].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use thiserror::Error;

use super::ordinal::{Ordinal, OrdinalError};
use crate::smith::remoteness::security::Length;

impl Length for Ordinal {
    fn is_odd(&self) -> bool {
        !self.is_even()
    }

    fn is_finite(&self) -> bool {
        *self < Ordinal::omega()
    }
}

/// Abe or Barbara.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Abe.
    Abe,
    /// Barbara.
    Barbara,
}

impl Player {
    /// The other player.
    ///
    /// ```
    /// use nimoon::transfinite::game::Player;
    /// assert_eq!(Player::Abe.opponent(), Player::Barbara);
    /// ```
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::Abe => Self::Barbara,
            Self::Barbara => Self::Abe,
        }
    }
}

/// How a play ends: in `T_A`, `T_O` or `T_B` [Smith1966, §1].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Abe wins.
    Abe,
    /// A draw.
    Draw,
    /// Barbara wins.
    Barbara,
}

/// What can be done at a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Moves {
    /// Nothing: play has ended.
    End(Ending),
    /// A move to one of these positions.
    To(Vec<usize>),
    /// The players empty a pool of these coins, and then play has ended.
    Pool(Ordinal, Ending),
}

/// A game of two players, with finitely many positions and pools.
///
/// ```
/// use nimoon::transfinite::game::{Ending, Game, Moves, Player};
/// // Abe can settle for a draw, or win after as many moves as Barbara likes.
/// let game = Game::new(vec![
///     (Player::Abe, Moves::To(vec![1, 2])),
///     (Player::Barbara, Moves::End(Ending::Draw)),
///     (Player::Barbara, Moves::Pool("w".parse().unwrap(), Ending::Abe)),
/// ]).unwrap();
/// let text = |q: &Option<nimoon::transfinite::Ordinal>| q.as_ref().unwrap().to_string();
/// let win = game.try_remoteness(|ending| ending == Ending::Abe).unwrap();
/// let draw = game.try_remoteness(|ending| ending != Ending::Barbara).unwrap();
/// assert_eq!([text(&win[0]), text(&draw[0])], ["w + 1", "1"]);
/// assert_eq!(text(&game.try_distances().unwrap()[0]), "w + 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    positions: Vec<(Player, Moves)>,
    /// For each position those with a move to it.
    before: Vec<Vec<usize>>,
}

/// Why positions do not make a game.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameError {
    /// There is no position with this number.
    #[error("position {from} has a move to {to}, which does not exist")]
    Missing {
        /// The position with the move.
        from: usize,
        /// Where it leads.
        to: usize,
    },
    /// Players do not alternate.
    #[error("the same player moves at {from} and, after a move, at {to}")]
    SamePlayer {
        /// The position with the move.
        from: usize,
        /// Where it leads.
        to: usize,
    },
    /// A position without moves is not said to be an end.
    #[error("position {at} has no moves: say how play ends there")]
    NoMoves {
        /// The position.
        at: usize,
    },
}

impl Game {
    /// A game with these positions: for each, the player who moves, and the options.
    ///
    /// ```
    /// use nimoon::transfinite::game::{Game, GameError, Moves, Player};
    /// let error = Game::new(vec![(Player::Abe, Moves::To(vec![0]))]).unwrap_err();
    /// assert_eq!(error, GameError::SamePlayer { from: 0, to: 0 });
    /// ```
    ///
    /// # Errors
    /// If players do not alternate, or a move leads nowhere.
    pub fn new(positions: Vec<(Player, Moves)>) -> Result<Self, GameError> {
        let mut before = vec![Vec::new(); positions.len()];
        for (from, (player, moves)) in positions.iter().enumerate() {
            let Moves::To(followers) = moves else { continue };
            if followers.is_empty() {
                return Err(GameError::NoMoves { at: from });
            }
            for &to in followers {
                match positions.get(to) {
                    None => return Err(GameError::Missing { from, to }),
                    Some((next, _)) if next == player => {
                        return Err(GameError::SamePlayer { from, to });
                    }
                    Some(_) => before[to].push(from),
                }
            }
        }
        Ok(Self { positions, before })
    }

    /// The positions.
    ///
    /// ```
    /// use nimoon::transfinite::game::Game;
    /// assert!(Game::new(vec![]).unwrap().positions().is_empty());
    /// ```
    pub fn positions(&self) -> &[(Player, Moves)] {
        &self.positions
    }

    /// D of each position; none where play can go on for ever [Smith1966, (2), (3)].
    ///
    /// ```
    /// use nimoon::transfinite::game::{Ending, Game, Moves, Player};
    /// let pool = Moves::Pool("w*2 + 1".parse().unwrap(), Ending::Draw);
    /// let game = Game::new(vec![(Player::Abe, pool)]).unwrap();
    /// assert_eq!(game.try_distances().unwrap()[0], Some("w*2 + 1".parse().unwrap()));
    /// ```
    ///
    /// # Errors
    /// If a coefficient is too large.
    pub fn try_distances(&self) -> Result<Vec<Option<Ordinal>>, OrdinalError> {
        self.assign(
            |_, moves| match moves {
                Moves::Pool(coins, _) => Ok(coins.clone()),
                _ => Ok(Ordinal::ZERO),
            },
            |_| false,
        )
    }

    /// Q of each position, where the endings of which `success` is true are those that Abe wants;
    /// none for ∞ [Smith1966, §5].
    ///
    /// Where Abe moves he can make sure of success if Q is odd, and Barbara can prevent it, and end
    /// play, if Q is even; where Barbara moves it is the other way round. If all endings count as
    /// success it decides whether Abe can make play end, and if none does, whether Barbara can.
    ///
    /// ```
    /// use nimoon::transfinite::game::{Ending, Game, Moves, Player};
    /// let end = |ending| (Player::Abe, Moves::End(ending));
    /// let game = Game::new(vec![end(Ending::Abe), end(Ending::Barbara)]).unwrap();
    /// let q = game.try_remoteness(|ending| ending == Ending::Abe).unwrap();
    /// assert_eq!(q, [Some(1.into()), Some(0.into())]);
    /// ```
    ///
    /// # Errors
    /// If a coefficient is too large.
    pub fn try_remoteness(
        &self,
        success: impl Fn(Ending) -> bool,
    ) -> Result<Vec<Option<Ordinal>>, OrdinalError> {
        // 0 at the end if the previous player has success, which is Barbara where Abe would move.
        let at_end = |mover: Player, ending| u128::from(success(ending) == (mover == Player::Abe));
        self.assign(
            |player, moves| match moves {
                Moves::Pool(coins, ending) => {
                    let last = if coins.is_even() { player } else { player.opponent() };
                    match at_end(last, *ending) {
                        0 => Ok(coins.clone()),
                        end => hurried(coins, end),
                    }
                }
                Moves::End(ending) => Ok(Ordinal::finite(at_end(player, *ending))),
                Moves::To(_) => Ok(Ordinal::ZERO),
            },
            Ordinal::is_even,
        )
    }

    /// Assigns ordinals from the ends of play backwards: `start` says those of ends and pools. A
    /// position with a follower that is a `goal` gets the successor of the least of these, any
    /// other the least ordinal above all followers when these are known.
    ///
    /// Whatever a position gets is above what it rests on. So if the least ordinal that is waiting
    /// is always given out first, followers come in rising order: the first goal is the least, and
    /// the last of all followers the largest.
    fn assign(
        &self,
        start: impl Fn(Player, &Moves) -> Result<Ordinal, OrdinalError>,
        is_goal: impl Fn(&Ordinal) -> bool,
    ) -> Result<Vec<Option<Ordinal>>, OrdinalError> {
        let mut assigned: Vec<Option<Ordinal>> = vec![None; self.positions.len()];
        let mut missing = vec![0; self.positions.len()];
        let mut waiting = BinaryHeap::new();
        for (position, (player, moves)) in self.positions.iter().enumerate() {
            match moves {
                Moves::To(followers) => missing[position] = followers.len(),
                _ => waiting.push(Reverse((start(*player, moves)?, position))),
            }
        }
        while let Some(Reverse((ordinal, position))) = waiting.pop() {
            if assigned[position].is_some() {
                continue;
            }
            let above = ordinal.successor();
            let goal = is_goal(&ordinal);
            assigned[position] = Some(ordinal);
            for &before in &self.before[position] {
                missing[before] -= 1;
                if assigned[before].is_none() && (goal || missing[before] == 0) {
                    waiting.push(Reverse((above.clone()?, before)));
                }
            }
        }
        Ok(assigned)
    }
}

/// Q of a pool whose end has Q 1.
fn hurried(coins: &Ordinal, end: u128) -> Result<Ordinal, OrdinalError> {
    let mut moves = end;
    for term in &coins.terms {
        let of_coin = if term.exponent.is_zero() { 1 } else { 2 };
        let all = term.coefficient.checked_mul(of_coin).and_then(|all| moves.checked_add(all));
        moves = all.ok_or(OrdinalError::Coefficient)?;
    }
    Ok(Ordinal::finite(moves))
}

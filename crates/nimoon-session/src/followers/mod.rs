//! All followers of a position, as they stand on the board, and the digraph that they make.
//!
//! A position is a sum of independent parts, in any order. Its node is white. A move after which the same
//! player moves again goes by way of a gray node, `again(…)`; an entailing move leads to a gray node,
//! `answer(…)`, whose options are those in what the move left. What such a move leaves is also a position
//! of its own, where the player to move is free, so that every board that can be met has a row.
//!
//! ```text
//!   x ──again──► y      x ──► again(y) ──► y
//!   x ──entails─► y      x ──► answer(y) ──► options of y
//! ```
//!
//! Parts without moves count nothing and are left out beside others. Where positions that a symmetry makes
//! equal are merged ([`Symmetry::Merged`]), so are all positions without moves.

mod partizan;
mod walk;

use nimoon::limits::Interrupted;
use nimoon::ruleset::Kind;
use nimoon::solve::explore::Field;
use nimoon::{Digraph, Node, Work};
use nimoon_formats::{Game, Names};
use thiserror::Error;

use crate::expression::Expression;

pub use partizan::{PartizanFollower, PartizanFollowers};

/// Whether positions that a symmetry makes equal are one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// Each position stands for itself.
    #[default]
    Apart,
    /// They are one, and so are all positions without moves.
    Merged,
}

/// A move from a follower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FollowerMove {
    /// The place of the position that it leaves.
    pub to: usize,
    /// Who moves then.
    pub kind: Kind,
}

/// A position that play can reach.
#[derive(Clone, Debug)]
pub struct Follower {
    /// Its node.
    pub node: Node,
    /// The position in its notation, parts joined by `+`.
    pub text: String,
    /// Its moves, each once.
    pub moves: Vec<FollowerMove>,
    /// Whether its moves are known; not where a limit was hit before.
    pub is_expanded: bool,
}

/// The followers of a position.
#[derive(Debug)]
pub struct Followers {
    /// The digraph of all positions and of what is due after a move.
    pub digraph: Digraph,
    /// The names of its nodes.
    pub names: Names,
    /// The positions; the first one is where play begins.
    pub positions: Vec<Follower>,
    /// What ended the search, with what was met by then.
    pub cut: Option<Cut>,
}

/// Why some followers were not met.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}; {met} positions were met, the last of them {last}")]
pub struct Cut {
    /// What is wrong.
    pub message: String,
    /// Which limit it was; none for a limit of the rules themselves.
    pub interrupted: Option<Interrupted>,
    /// How many positions were met.
    pub met: usize,
    /// The last of them.
    pub last: String,
}

/// Why there are no followers.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FollowersError {
    /// The rules failed.
    #[error("{0}")]
    Rules(String),
    /// Two components must be answered at once.
    #[error("{first} and {second} must both be answered: at most one component can be")]
    TwoDue {
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
}

impl Followers {
    /// All that play can reach from a sum.
    ///
    /// ```
    /// use nimoon::Work;
    /// use nimoon_session::expression::{Expression, NoLibrary};
    /// use nimoon_session::followers::{Followers, Symmetry};
    /// let sum = Expression::read("nim:2", &mut NoLibrary).unwrap();
    /// let found = Followers::new(sum, Symmetry::Apart, &Work::default()).unwrap();
    /// let texts: Vec<&str> = found.positions.iter().map(|follower| &*follower.text).collect();
    /// assert_eq!(texts, ["nim:2", "nim:0", "nim:1"]);
    /// ```
    ///
    /// # Errors
    /// When the rules fail. A limit is not an error: what was met before it is there.
    pub fn new(sum: Expression, symmetry: Symmetry, work: &Work) -> Result<Self, FollowersError> {
        walk::Walk::new(sum.fields, symmetry, work).run(&sum.terms)
    }

    /// The digraph as a file would have it.
    pub fn into_game(self) -> Game {
        let Self { digraph, names, .. } = self;
        Game { digraph, names, terminals: Vec::new(), players: Vec::new() }
    }
}

/// A part of a position: its ruleset, and its number there.
type Term = (Field, nimoon::ruleset::PositionId);

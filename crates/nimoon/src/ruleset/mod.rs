//! Rulesets: what a position is, what its options are, and how it is written.
//!
//! A ruleset is one type with the trait [`Ruleset`]. Nothing else in the crate knows it, and a
//! ruleset knows nothing else of the crate. [`Interned`] hides the type, so that positions of
//! several rulesets can stand side by side in a sum.
//!
//! ```
//! use nimoon::ruleset::{Move, NotationError, Ruleset};
//!
//! /// Take any number of tokens.
//! struct Nim;
//!
//! impl Ruleset for Nim {
//!     type Position = u64;
//!
//!     fn name(&self) -> String {
//!         "nim".into()
//!     }
//!     fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> {
//!         (0..*heap).map(Move::to)
//!     }
//!     fn read(&self, text: &str) -> Result<u64, NotationError> {
//!         text.parse().map_err(|_| NotationError::at(0, "expected the size of a heap, as in `5`"))
//!     }
//!     fn write(&self, heap: &u64) -> String {
//!         heap.to_string()
//!     }
//! }
//!
//! assert_eq!(Nim.options(&2).map(|option| option.to).collect::<Vec<_>>(), [0, 1]);
//! ```

mod impartial;
mod interned;
mod numbered;
mod partizan;
mod remembered;
mod searching;

use std::hash::Hash;
use std::sync::Arc;

use thiserror::Error;

use crate::effort::{Effort, Interrupted};
use crate::memory::Memory;
use crate::nimbers::NimberSet;
use crate::value::EntailingValue;

pub use impartial::{Impartial, ImpartialError};
pub use interned::{Branch, Interned, PositionId, Positions};
pub use numbered::Numbered;
pub use partizan::{InternedPartizan, PartizanPositions, PartizanRuleset};
pub use remembered::Remembered;
pub use searching::{Found, SearchProgress, Searching};

/// Who moves after a move, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The opponent, anywhere.
    Ordinary,
    /// The same player, anywhere (a carry-on move); who then cannot move loses.
    Again,
    /// The opponent, and only in what this move left (an entailing move).
    Entailing,
}

/// An option of a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move<P> {
    /// The position that it leaves.
    pub to: P,
    /// Who moves then.
    pub kind: Kind,
}

impl<P> Move<P> {
    /// An ordinary move.
    pub fn to(to: P) -> Self {
        Self { to, kind: Kind::Ordinary }
    }

    /// A carry-on move.
    pub fn again(to: P) -> Self {
        Self { to, kind: Kind::Again }
    }

    /// An entailing move.
    pub fn entailing(to: P) -> Self {
        Self { to, kind: Kind::Entailing }
    }
}

/// Text that is not a position, or not the parameters of a ruleset.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct NotationError {
    /// Where: the number of bytes before the place, in the text that was read.
    pub at: usize,
    /// What is wrong there, and what was expected.
    pub message: String,
    /// Whether the text is well written, but nothing ever stands there, such as a token on the start
    /// of a ladder.
    pub vacant: bool,
}

impl NotationError {
    /// An error at this byte of the text.
    pub fn at(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), vacant: false }
    }

    /// An error at this byte of a text that is well written, but no position of the game.
    ///
    /// ```
    /// use nimoon::ruleset::NotationError;
    /// assert!(NotationError::vacant(0, "no token stands on 3").vacant);
    /// assert!(!NotationError::at(0, "expected a number").vacant);
    /// ```
    pub fn vacant(at: usize, message: impl Into<String>) -> Self {
        Self { vacant: true, ..Self::at(at, message) }
    }
}

/// Why the options of a position are not known.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// There are more of them than the caller can take.
    #[error("more than {limit} options would have to be looked at")]
    TooMany {
        /// How many the caller could take.
        limit: usize,
    },
    /// The rules themselves failed, as a script can.
    #[error("{0}")]
    Rules(String),
    /// The rules were being worked out when the effort came to its end ([`Ruleset::work_within`]).
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// The rules of an impartial game.
///
/// Four methods are enough; the others have sensible defaults. Positions are compared and hashed,
/// so equal positions must be equal values.
pub trait Ruleset: Send + Sync {
    /// A position.
    type Position: Clone + Eq + Hash + Send + Sync;

    /// The name in expressions, parameters included: `nim`, `subtraction[1,3,4]`.
    fn name(&self) -> String;

    /// The options of a position, always in the same order.
    fn options(&self, position: &Self::Position) -> impl Iterator<Item = Move<Self::Position>>;

    /// Reads what stands after the colon in `name:position`.
    ///
    /// # Errors
    /// When it is not a position, with the place.
    fn read(&self, text: &str) -> Result<Self::Position, NotationError>;

    /// Writes a position such that [`Ruleset::read`] reads it.
    fn write(&self, position: &Self::Position) -> String;

    /// The independent parts of a position: no move in one changes what can be done in another.
    /// Parts without moves may be left out; no part at all stands for the position itself.
    fn components(&self, position: Self::Position) -> Vec<Self::Position> {
        vec![position]
    }

    /// One position for all that a symmetry makes equal. It is given single components.
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }

    /// What the player does who takes the option with this number, in the imperative and without a
    /// full stop: `take 2 tokens`.
    fn words(
        &self,
        _position: &Self::Position,
        _number: usize,
        option: &Move<Self::Position>,
    ) -> String {
        format!("move to {}", self.write(&option.to))
    }

    /// A picture of the position in text, of one or more lines.
    fn board(&self, position: &Self::Position) -> String {
        self.write(position)
    }

    /// How many bytes a position takes, roughly. Where positions grow with what is given, they count
    /// for more in a budget.
    fn size(&self, _position: &Self::Position) -> usize {
        size_of::<Self::Position>()
    }

    /// The value by a theorem, where one is known that does not look at all followers. Only for
    /// positions from which no cycle can be reached, and given single components.
    fn theorem(&self, _position: &Self::Position) -> Option<EntailingValue> {
        None
    }

    /// The nim-heaps beside which the player loses who must answer here after an entailing move, by
    /// a theorem: for positions for which [`Ruleset::theorem`] has a value.
    fn theorem_due(&self, _position: &Self::Position) -> Option<NimberSet> {
        None
    }

    /// An option that wins beside other components of this value, with its number among the options,
    /// where one is found without a look at all of them; none does not mean that there is none. It is
    /// asked for single components with too many options, for which [`Ruleset::theorem`] has a value.
    fn winning_option(
        &self,
        _position: &Self::Position,
        _beside: EntailingValue,
    ) -> Option<(usize, Move<Self::Position>)> {
        None
    }

    /// Whether [`Ruleset::search`] may be asked about this position.
    fn can_search(&self, _position: &Self::Position) -> bool {
        false
    }

    /// The value by a search of the ruleset's own, which looks at fewer followers than exploring
    /// does; or, if one nimber is `asked` for, whether it is that. Only for positions from which no
    /// cycle can be reached, and given single components.
    ///
    /// # Errors
    /// When the budget is hit, or who watches asks to stop.
    fn search(
        &self,
        _position: &Self::Position,
        _asked: Option<u64>,
        _searching: &mut Searching<'_>,
    ) -> Result<Option<Found>, Interrupted> {
        Ok(None)
    }

    /// Keeps what [`Ruleset::search`] finds in this memory from now on, and asks it first.
    fn remember(&mut self, _memory: Arc<dyn Memory>) {}

    /// Answers within this effort from now on. Only rules that take long to answer a single question, as
    /// those of a script, look at its clock and its token meanwhile; then they end in
    /// [`Fault::Interrupted`], and [`Ruleset::theorem`] has no value.
    fn work_within(&mut self, _effort: &Effort) {}

    /// Whether all moves from here on are ordinary. It is asked only where [`Ruleset::theorem`] is
    /// relied on and nothing is explored.
    fn is_short(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Whether the player to move must move in this position, whatever stands beside it. Such a
    /// position is reached by entailing moves alone.
    fn must_be_answered(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Whether one thread should ask about positions, the one that explores, as where rules are run by
    /// an interpreter that serves one at a time.
    fn is_serial(&self) -> bool {
        false
    }

    /// The values of heaps in one pass, for rulesets played with heaps that are given by their
    /// size.
    fn sequence(&self) -> Option<Box<dyn Sequence>> {
        None
    }

    /// Writes a position for a [`Memory`]. Only rulesets whose notation says
    /// less than the position, or is slow to read, need to say it themselves.
    fn record(&self, position: &Self::Position) -> String {
        self.write(position)
    }

    /// Reads what [`Ruleset::record`] wrote.
    fn restore(&self, text: &str) -> Option<Self::Position> {
        self.read(text).ok()
    }

    /// The options, unless there are more than `limit` or the rules fail.
    ///
    /// # Errors
    /// As said.
    fn try_options(
        &self,
        position: &Self::Position,
        limit: usize,
    ) -> Result<Vec<Move<Self::Position>>, Fault> {
        let options: Vec<_> = self.options(position).take(limit.saturating_add(1)).collect();
        if options.len() > limit { Err(Fault::TooMany { limit }) } else { Ok(options) }
    }

    /// The canonical forms of the independent parts, at least one, unless the rules fail. Only
    /// rulesets whose [`Ruleset::components`] or [`Ruleset::canonical`] can fail, as those of a
    /// script, say it themselves.
    ///
    /// # Errors
    /// As said.
    fn try_parts(&self, position: Self::Position) -> Result<Vec<Self::Position>, Fault> {
        let mut parts = self.components(position.clone());
        if parts.is_empty() {
            parts.push(position);
        }
        Ok(parts.into_iter().map(|part| self.canonical(part)).collect())
    }
}

/// The values of the heaps 0, 1, 2, … one after the other, faster than by exploring each.
pub trait Sequence: Send {
    /// The values found so far.
    fn values(&self) -> &[EntailingValue];

    /// Finds the value of the next heap.
    fn advance(&mut self) -> EntailingValue;

    /// Takes over values found before, as if they had been found now.
    fn resume(&mut self, values: Vec<EntailingValue>);
}

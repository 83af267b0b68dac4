//! Rulesets: what a position is, what its options are, and how it is written.
//!
//! A ruleset is one type with three traits: [`Ruleset`] has the rules, with four methods that must
//! be written; [`Notation`] has words and pictures; [`Shortcuts`] has what can be known without
//! exploring. The methods of the last two have defaults. Nothing else in the crate knows a ruleset,
//! and it knows nothing else of the crate. [`Interned`] numbers the positions that were met and hides the type, so that the
//! explorer, the solution and the front ends see numbers only, and positions of several rulesets
//! can stand side by side in a sum. [`Numbered`] goes back, from numbers to a ruleset, for ordinal
//! sums of any two.
//!
//! ```
//! use nimoon::{ruleset::{Move, Notation, Ruleset, Shortcuts}, notation::NotationError};
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
//! impl Notation for Nim {}
//! impl Shortcuts for Nim {}
//!
//! assert_eq!(Nim.options(&2).map(|option| option.to).collect::<Vec<_>>(), [0, 1]);
//! ```

mod branches;
mod impartial;
mod interned;
pub mod memory;
mod numbered;
mod numbers;
pub mod ordinal_sum;
mod partizan;
mod remembered;
mod searching;

use std::hash::Hash;
use std::sync::Arc;

use thiserror::Error;

use self::memory::Memory;
use crate::impartial::nimbers::NimberSet;
use crate::impartial::value::EntailingValue;
use crate::limits::{Interrupted, Work};
use crate::notation::NotationError;

pub use branches::Branches;
pub use impartial::{Impartial, ImpartialError};
pub use interned::{Branch, Interned, PositionId, Positions};
pub use numbered::Numbered;
pub use partizan::{InternedPartizan, PartizanPositions, PartizanRuleset};
pub use remembered::Remembered;
pub use searching::Found;

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

/// Why the options of a position are not known.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// There are more of them than the caller can take.
    #[error("there are more than {limit} options to examine")]
    TooMany {
        /// How many the caller could take.
        limit: usize,
    },
    /// The rules themselves failed, as a script can.
    #[error("{0}")]
    Rules(String),
    /// The rules hit a limit of their own, as those of a script can.
    #[error("{0}")]
    Limit(String),
    /// The work ended during a call of the rules ([`Shortcuts::work_within`]).
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// The rules of an impartial game, and how its positions are written.
///
/// Four methods are enough; the other two have sensible defaults, and so have all those of
/// [`Notation`] and [`Shortcuts`]. Positions are compared and hashed, so equal positions must be
/// equal values.
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
    /// Parts without moves may be left out; a position without parts is the empty sum, and has no
    /// options.
    fn components(&self, position: Self::Position) -> Vec<Self::Position> {
        vec![position]
    }

    /// One position for all that a symmetry makes equal. It is given single components.
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }
}

/// How people see positions and moves, and how a memory keeps positions. Everything has a default:
/// `impl Notation for Nim {}` is enough.
pub trait Notation: Ruleset {
    /// The option with this number in words, in the imperative and without a
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

    /// Writes a position for a [`Memory`]. Only rulesets whose notation says
    /// less than the position, or is slow to read, need to say it themselves.
    fn record(&self, position: &Self::Position) -> String {
        self.write(position)
    }

    /// Reads what [`Notation::record`] wrote.
    fn restore(&self, text: &str) -> Option<Self::Position> {
        self.read(text).ok()
    }
}

/// What a ruleset knows without exploring, and how those who explore call it. Everything has a
/// default: `impl Shortcuts for Nim {}` is enough.
pub trait Shortcuts: Ruleset {
    /// How many bytes a position takes, roughly. Where positions grow with what is given, they count
    /// for more in a budget.
    fn size(&self, _position: &Self::Position) -> usize {
        size_of::<Self::Position>()
    }

    /// The value by a theorem, where one is known that does not visit all followers. Only for
    /// positions from which no cycle can be reached, and given single components.
    fn theorem(&self, _position: &Self::Position) -> Option<EntailingValue> {
        None
    }

    /// The nim-heaps beside which the player loses who must answer here after an entailing move, by
    /// a theorem: for positions for which [`Shortcuts::theorem`] has a value.
    fn theorem_due(&self, _position: &Self::Position) -> Option<NimberSet> {
        None
    }

    /// An option that wins beside other components of this value, with its number among the options,
    /// where one is found without visiting all of them; none does not mean that there is none. It is
    /// called for single components with too many options, for which [`Shortcuts::theorem`] has a value.
    fn winning_option(
        &self,
        _position: &Self::Position,
        _beside: EntailingValue,
    ) -> Option<(usize, Move<Self::Position>)> {
        None
    }

    /// Whether [`Shortcuts::search`] may be called for this position.
    fn can_search(&self, _position: &Self::Position) -> bool {
        false
    }

    /// The value by a search of the ruleset's own, which visits fewer followers than exploring
    /// does; or, if a `nimber` is given, whether it is that. Only for positions from which no
    /// cycle can be reached, and given single components.
    ///
    /// # Errors
    /// When the budget is hit, or the work is cancelled.
    fn search(
        &self,
        _position: &Self::Position,
        _nimber: Option<u64>,
        _work: &mut Work,
    ) -> Result<Option<Found>, Interrupted> {
        Ok(None)
    }

    /// Keeps what [`Shortcuts::search`] finds in this memory from now on, and recalls from it first.
    fn remember(&mut self, _memory: Arc<dyn Memory>) {}

    /// Answers within this work from now on. Only rules that take long to answer a single question, as
    /// those of a script, check its clock and its token meanwhile; then they end in
    /// [`Fault::Interrupted`], and [`Shortcuts::theorem`] has no value.
    fn work_within(&mut self, _effort: &Work) {}

    /// Whether all moves from here on are ordinary. It is called only where [`Shortcuts::theorem`] is
    /// relied on and nothing is explored.
    fn is_short(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Whether the player to move must move in this position, whatever stands beside it. Such a
    /// position is reached by entailing moves alone.
    fn must_be_answered(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Whether [`Ruleset::components`] may give anything but the position itself. To say that it does not
    /// saves time for each option.
    fn splits(&self) -> bool {
        true
    }

    /// Whether only the exploring thread should call the rules, as where they are run by
    /// an interpreter that serves one at a time.
    fn is_serial(&self) -> bool {
        false
    }

    /// The values of heaps in one pass, for rulesets played with heaps that are given by their
    /// size.
    fn sequence(&self) -> Option<Box<dyn Sequence>> {
        None
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

    /// Adds what [`Shortcuts::try_parts`] says to a list.
    ///
    /// # Errors
    /// As said.
    fn add_parts(
        &self,
        position: Self::Position,
        parts: &mut Vec<Self::Position>,
    ) -> Result<(), Fault> {
        if self.splits() {
            parts.extend(self.try_parts(position)?);
        } else {
            parts.push(self.canonical(position));
        }
        Ok(())
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

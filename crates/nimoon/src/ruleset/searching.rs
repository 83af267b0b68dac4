//! Values by a search of the ruleset's own, within a budget.
//!
//! [`Shortcuts::search`](super::Shortcuts::search) finds a value, or tests one nimber. It counts
//! positions in its [`Work`], and reports progress as [`Progress::Searching`].
//! [`Shortcuts::can_search`](super::Shortcuts::can_search) says beforehand whether it may be
//! called, and [`Shortcuts::remember`](super::Shortcuts::remember) hands over a
//! [`Memory`](super::memory::Memory), in which a search may keep what it has found for another run.
//!
//! The search for a winning move begins with a small budget for each move at first, and a larger
//! one if none was found, since a single P-position is enough. Sixteen positions of a search count
//! as one of the budget: they are not kept, or in some thirty bytes. A position may be known whose
//! options are too large to be searched; a move to such an option is never judged
//! (`AnswerError::Unknown`).

use crate::impartial::value::EntailingValue;
#[cfg(doc)]
use crate::limits::{Progress, Work};

/// What a search of a ruleset's own has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The value.
    Value(EntailingValue),
    /// The value is not the given nimber.
    Another,
}

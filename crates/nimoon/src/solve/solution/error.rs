//! Why a sum cannot be solved, or a question about a placement cannot be answered.

use thiserror::Error;

use crate::count::counted;
use crate::impartial::theory::Theory;
use crate::limits::Interrupted;
use crate::ruleset::Fault;
use crate::solve::explore::ExploreError;
use crate::solve::explore::parts::PartsError;

/// Why a sum cannot be solved.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolutionError {
    /// Exploring stopped early.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// The digraph of whole components, which is needed here, is too large, or was interrupted.
    #[error("{0}: the components split, this theory needs them whole, and there are more")]
    Whole(Interrupted),
    /// A search for the value of a position was interrupted.
    #[error(
        "{interrupted}: {positions} visited in search of a value, {each} of which count as one",
        positions = counted(*.visited, "position")
    )]
    Search {
        /// What ended it.
        interrupted: Interrupted,
        /// How many positions the search visited.
        visited: u64,
        /// How many of them count as one.
        each: u64,
    },
    /// The values of what was explored were not found in time.
    #[error(
        "{interrupted}: {positions} explored, but not all their values were found",
        positions = counted(*.parts, "position")
    )]
    Values {
        /// What ended it.
        interrupted: Interrupted,
        /// How many were explored.
        parts: u64,
    },
    /// A position that leads to itself beside another one.
    #[error(
        "{position} can come back with something beside it, so it has infinitely many followers"
    )]
    Grows {
        /// The position.
        position: String,
    },
    /// The requested theory does not fit.
    #[error("the {theory} theory does not fit: {because}; the smallest that does is {fitting}")]
    DoesNotFit {
        /// The requested theory.
        theory: Theory,
        /// Why it does not fit.
        because: String,
        /// The smallest theory that fits.
        fitting: Theory,
    },
    /// Two positions that must be answered.
    #[error("components {first} and {second} must both be moved at once: that sum does not exist")]
    TwoDue {
        /// The first of them.
        first: usize,
        /// The second one.
        second: usize,
    },
}

impl SolutionError {
    /// What ended the work, if it was a limit or a cancellation.
    pub fn interrupted(&self) -> Option<Interrupted> {
        match self {
            Self::Explore(error) => error.interrupted(),
            Self::Whole(interrupted)
            | Self::Search { interrupted, .. }
            | Self::Values { interrupted, .. } => Some(*interrupted),
            Self::Grows { .. } | Self::DoesNotFit { .. } | Self::TwoDue { .. } => None,
        }
    }

    /// Whether the rules hit a limit of their own, as those of a script can.
    pub fn is_limit_of_rules(&self) -> bool {
        matches!(self, Self::Explore(ExploreError::Limit { .. }))
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerError {
    /// The work was interrupted.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A search for the value of a position stopped early.
    #[error("{0} while searching for the value of a position")]
    Search(Interrupted),
    /// An explanation was cut short.
    #[error("{0} before everything was explained")]
    Explaining(Interrupted),
    /// The options of a position are not known.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A move leads to a position whose value is not known: it was not explored, and no theorem and
    /// no search has it.
    #[error("a move leads to {position}, which is too large to be searched, and was not explored")]
    Unknown {
        /// The position, with its ruleset.
        position: String,
    },
    /// A turn leads through more placements than the limit.
    #[error("carry-on moves lead to more than {most} positions within one turn")]
    TurnTooLong {
        /// How many are visited at most.
        most: usize,
    },
}

impl AnswerError {
    /// What ended the work, if it was a limit of the budget or a cancellation.
    pub fn interrupted(&self) -> Option<Interrupted> {
        match self {
            Self::Interrupted(interrupted)
            | Self::Search(interrupted)
            | Self::Explaining(interrupted)
            | Self::Fault(Fault::Interrupted(interrupted)) => Some(*interrupted),
            Self::Fault(Fault::TooMany { .. } | Fault::Rules(_) | Fault::Limit(_))
            | Self::Unknown { .. }
            | Self::TurnTooLong { .. } => None,
        }
    }
}

impl AnswerError {
    /// Whether a budget was hit: not a cancellation, and nothing that is wrong with the
    /// rules or that they refuse.
    pub fn is_budget(&self) -> bool {
        match self {
            Self::Fault(Fault::Rules(_) | Fault::Limit(_)) => false,
            Self::Fault(Fault::TooMany { .. })
            | Self::Unknown { .. }
            | Self::TurnTooLong { .. } => true,
            error => error.interrupted().is_some_and(|interrupted| interrupted.limit().is_some()),
        }
    }
}

impl From<PartsError> for AnswerError {
    fn from(error: PartsError) -> Self {
        match error {
            PartsError::Fault(fault) => Self::Fault(fault),
            PartsError::Interrupted(interrupted) => Self::Interrupted(interrupted),
        }
    }
}

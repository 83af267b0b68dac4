//! Why there is no solution of a sum, or no answer about a placement.

use thiserror::Error;

use crate::effort::Interrupted;
use crate::explore::ExploreError;
use crate::explore::parts::PartsError;
use crate::ruleset::Fault;
use crate::theory::Theory;

/// Why there is no solution.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SolutionError {
    /// Exploring stopped early.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// The digraph of whole components, which is needed here, is too large, or was interrupted.
    #[error("{0}: the components split, this theory needs them whole, and there are more")]
    Whole(Interrupted),
    /// A search for the value of a position was interrupted.
    #[error(
        "{interrupted}: {looked_at} positions were looked at in search of a value, {each} of which \
         count as one"
    )]
    Search {
        /// What ended it.
        interrupted: Interrupted,
        /// How many positions the search looked at.
        looked_at: u64,
        /// How many of them count as one.
        each: u64,
    },
    /// The values of what was explored were not found in time.
    #[error("{interrupted}: {parts} positions were explored, but not all their values were found")]
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
    /// The theory asked for does not fit.
    #[error("the {theory} theory does not fit: {because}; the smallest that does is {fitting}")]
    DoesNotFit {
        /// What was asked for.
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
    /// What ended the work, if it was a limit or somebody who asked to stop.
    pub fn interrupted(&self) -> Option<Interrupted> {
        match self {
            Self::Explore(error) => error.interrupted(),
            Self::Whole(interrupted)
            | Self::Search { interrupted, .. }
            | Self::Values { interrupted, .. } => Some(*interrupted),
            Self::Grows { .. } | Self::DoesNotFit { .. } | Self::TwoDue { .. } => None,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AnswerError {
    /// The work was interrupted.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A search for the value of a position stopped early.
    #[error("{0} in search of the value of a position")]
    Search(Interrupted),
    /// An explanation was cut short.
    #[error("{0} before everything was explained")]
    Explaining(Interrupted),
    /// The options of a position are not known.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A move leads to a position whose value is not known: it was not explored, and no theorem and no
    /// search has it.
    #[error("a move leads to {position}, which is too large to be searched, and was not explored")]
    Unknown {
        /// The position, with its ruleset.
        position: String,
    },
    /// A turn leads through more placements than are looked at.
    #[error("carry-on moves lead to more than {most} positions within one turn")]
    TurnTooLong {
        /// How many are looked at.
        most: usize,
    },
}

impl AnswerError {
    /// What ended the work, if it was a limit of the budget or somebody who asked to stop.
    pub fn interrupted(&self) -> Option<Interrupted> {
        match self {
            Self::Interrupted(interrupted)
            | Self::Search(interrupted)
            | Self::Explaining(interrupted)
            | Self::Fault(Fault::Interrupted(interrupted)) => Some(*interrupted),
            Self::Fault(Fault::TooMany { .. } | Fault::Rules(_))
            | Self::Unknown { .. }
            | Self::TurnTooLong { .. } => None,
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

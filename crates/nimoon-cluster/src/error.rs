//! Errors of a run, and what to do about them.

use std::path::PathBuf;

use nimoon::Theory;
use nimoon::limits::{Interrupted, Limit};
use thiserror::Error;

/// Why a run has no labels.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// A hosts file that cannot be used.
    #[error("{file}: {message}", file = file.display())]
    Hosts {
        /// The file.
        file: PathBuf,
        /// What is wrong, where, and what was expected.
        message: String,
    },
    /// Numbers that do not fit together.
    #[error("{0}")]
    Plan(String),
    /// A file that cannot be opened, read or written.
    #[error("{file}: {error}", file = file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A mistake in an input file.
    #[error("{0}")]
    Input(String),
    /// This process cannot listen on its address.
    #[error(
        "cannot listen on {address}: {error}; is it the address of this machine, and \
         does no other program use it?"
    )]
    Listen {
        /// The address.
        address: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A host without an address.
    #[error("cannot find the host of {address}: {error}; check its name in the hosts file")]
    UnknownHost {
        /// What the hosts file says.
        address: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// An address of another program, or of a process that does not answer.
    #[error(
        "a program at {address} did not answer as process {process} within {seconds} \
         seconds: is it the address of that process, or of another program?"
    )]
    Silent {
        /// The number of the process.
        process: usize,
        /// Its address.
        address: String,
        /// How many seconds this process waited.
        seconds: u64,
    },
    /// A process that did not connect.
    #[error(
        "process {process} at {address} did not connect within {seconds} seconds: start it, with the \
         same hosts file, or wait longer by --patience"
    )]
    Absent {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
        /// How many seconds this process waited.
        seconds: u64,
    },
    /// A process that was started with other arguments.
    #[error(
        "process {process} has {theirs}, this one {ours}: start all of them with the same arguments"
    )]
    Differs {
        /// Its number.
        process: usize,
        /// What it has.
        theirs: String,
        /// What this one has.
        ours: String,
    },
    /// A process that ended before the work was done.
    #[error(
        "process {process} at {address} is gone, so the others cannot continue; start all processes again: \
         with --checkpoint they resume from the last complete one"
    )]
    Gone {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
    },
    /// A bug in a worker.
    #[error("a worker failed: {0}; please report this with the input that caused it")]
    Failed(String),
    /// An error of another worker.
    #[error("{0}")]
    Elsewhere(Box<RemoteError>),
    /// Nothing to label.
    #[error("the input has no nodes: write a line for each arc, as in `a b`")]
    NoNodes,
    /// More nodes than can be numbered.
    #[error("there are more than 4,294,967,294 nodes, or more than 4 GiB of names for a worker")]
    TooManyNodes,
    /// More arcs than a worker can number.
    #[error("a worker would have 4,294,967,295 arcs or more: use more workers")]
    TooManyArcs,
    /// More positions than the budget allows.
    #[error("the budget of {budget} positions was hit: {found} positions were found")]
    OverBudget {
        /// The limit.
        budget: u64,
        /// How many positions were found.
        found: u64,
    },
    /// A limit of a process was hit, or it was cancelled.
    #[error("{0}")]
    Interrupted(Interrupted),
    /// A theory that does not fit.
    #[error(
        "the digraph does not fit the {theory} theory: {why}; the smallest that fits is {fitting}"
    )]
    DoesNotFit {
        /// The requested theory.
        theory: Theory,
        /// Why it does not fit.
        why: String,
        /// The smallest that fits.
        fitting: Theory,
    },
    /// A checkpoint that cannot be used.
    #[error("{0}")]
    Checkpoint(String),
    /// A manifest or a shard that cannot be used.
    #[error("{0}")]
    Manifest(String),
}

/// The error of another worker, with its kind.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct RemoteError {
    /// The message.
    pub message: String,
    /// The kind of the error.
    pub end: End,
}

/// The kind of an error, which decides the exit code of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The input or the arguments are wrong.
    Input,
    /// A limit was hit.
    Budget(Limit),
    /// The run was cancelled.
    Stopped,
    /// Anything else.
    Other,
}

impl ClusterError {
    /// The kind of the error.
    pub fn end(&self) -> End {
        match self {
            Self::Hosts { .. }
            | Self::Plan(_)
            | Self::Input(_)
            | Self::Differs { .. }
            | Self::NoNodes
            | Self::TooManyNodes
            | Self::TooManyArcs
            | Self::DoesNotFit { .. }
            | Self::Checkpoint(_)
            | Self::Manifest(_) => End::Input,
            Self::OverBudget { .. } => End::Budget(Limit::Positions),
            Self::Interrupted(interrupted) => interrupted.limit().map_or(End::Stopped, End::Budget),
            Self::File { .. }
            | Self::UnknownHost { .. }
            | Self::Listen { .. }
            | Self::Silent { .. }
            | Self::Absent { .. }
            | Self::Gone { .. }
            | Self::Failed(_) => End::Other,
            Self::Elsewhere(said) => said.end,
        }
    }

    /// An error of the system about a file.
    pub(crate) fn file(file: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let file = file.into();
        |error| Self::File { file, error }
    }
}

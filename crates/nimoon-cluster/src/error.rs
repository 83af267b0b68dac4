//! What can go wrong, and what to do.

use std::path::PathBuf;

use nimoon::Theory;
use nimoon::effort::{Interrupted, Limit};
use thiserror::Error;

/// Why there are no labels.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// A hosts file that says nothing usable.
    #[error("{file}: {message}", file = file.display())]
    Hosts {
        /// The file.
        file: PathBuf,
        /// What is wrong, where, and what was expected.
        message: String,
    },
    /// Numbers that do not fit each other.
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
    /// Something is wrong in a file that is read.
    #[error("{0}")]
    Input(String),
    /// The address of this process cannot be listened on.
    #[error(
        "{address} cannot be listened on: {error}; is it the address of this machine, and is no \
         other program there?"
    )]
    Listen {
        /// The address.
        address: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A host that has no address.
    #[error("{address} is an address of nobody: {error}; what is its name in the hosts file?")]
    UnknownHost {
        /// What the hosts file says.
        address: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// An address where somebody else is, or a process that does not speak.
    #[error(
        "somebody is there at {address}, but did not speak as process {process} within {seconds} \
         seconds: is it the address of that process, or of another program?"
    )]
    Silent {
        /// The number of the process.
        process: usize,
        /// Its address.
        address: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// A process that was waited for.
    #[error(
        "process {process} at {address} did not come within {seconds} seconds: start it, with the \
         same hosts file, or wait longer by --patience"
    )]
    Absent {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// A process that was started in another way.
    #[error("process {process} has {theirs}, this one {ours}: start all of them alike")]
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
        "process {process} at {address} is gone, so nobody can go on; start all processes again: \
         with --checkpoint they go on from the last complete one"
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
    /// What another worker said.
    #[error("{0}")]
    Elsewhere(Box<Said>),
    /// Nothing to label.
    #[error("the input has no nodes: write a line for each arc, as in `a b`")]
    NoNodes,
    /// More nodes than can be numbered.
    #[error("there are more than 4,294,967,294 nodes, or more than 4 GiB of names for a worker")]
    TooManyNodes,
    /// More arcs than a worker can number.
    #[error("a worker would have 4,294,967,295 arcs or more: take more workers")]
    TooManyArcs,
    /// More positions than the budget allows.
    #[error("the budget of {budget} positions was hit: {met} positions were met")]
    OverBudget {
        /// What was allowed.
        budget: u64,
        /// How many there were.
        met: u64,
    },
    /// A limit of a process was hit, or somebody asked it to stop.
    #[error("{0}")]
    Interrupted(Interrupted),
    /// A theory that does not fit.
    #[error(
        "the digraph does not fit the {theory} theory: {why}; the smallest that fits is {fitting}"
    )]
    DoesNotFit {
        /// The theory that was asked for.
        theory: Theory,
        /// What is in the way.
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

/// What a worker said that another one has to repeat, with its exit code.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct Said {
    /// The message.
    pub message: String,
    /// What kind of end it is.
    pub end: End,
}

/// What kind of end an error is, as the program's exit codes have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The input or the arguments are wrong.
    Input,
    /// A limit was hit.
    Budget(Limit),
    /// Somebody asked to stop.
    Stopped,
    /// Anything else.
    Other,
}

impl ClusterError {
    /// What kind of end it is.
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

    /// A file that the system refuses.
    pub(crate) fn file(file: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let file = file.into();
        |error| Self::File { file, error }
    }
}

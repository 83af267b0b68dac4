//! The plan of a run, and its progress.

use std::path::PathBuf;
use std::time::Duration;

use nimoon::smith::remoteness::Play;
use nimoon::{Limits, Theory, Work};

use crate::ClusterError;

/// Where the digraph comes from.
#[derive(Clone, Debug)]
pub enum Input {
    /// Edge lists; a folder stands for all files in it.
    Files {
        /// The files and folders.
        paths: Vec<PathBuf>,
        /// Whether other processes have other files, and each of them only its own.
        local: bool,
    },
    /// Everything that play reaches from positions of rulesets, as in `nimstring:2x2`.
    Expression(String),
}

/// The question about each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Its label under a theory, or under the smallest that fits.
    Label(Option<Theory>),
    /// Its remoteness and terminal distance.
    Remoteness(Play),
}

/// When a checkpoint is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// After this many supersteps.
    Supersteps(u64),
    /// After this time.
    Time(Duration),
}

/// Where and when checkpoints are kept.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// The folder, on a disk of this process or on one that all have.
    pub folder: PathBuf,
    /// When one is due.
    pub every: Every,
}

/// The processes of a run.
#[derive(Clone, Debug)]
pub struct Processes {
    /// The address of each, see [`read_hosts`](crate::read_hosts).
    pub hosts: Vec<String>,
    /// The number of this one, from 0 on.
    pub process: usize,
    /// How long to wait for the others to connect, or for a sign of life.
    pub patience: Duration,
}

/// The plan of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where the digraph comes from.
    pub input: Input,
    /// The question.
    pub question: Question,
    /// The folder for the shards and the manifest.
    pub out: PathBuf,
    /// How many workers this process has; all have as many.
    pub workers: usize,
    /// The processes, if there are several.
    pub processes: Option<Processes>,
    /// How many shards there are.
    pub shards: usize,
    /// Checkpoints, if they are wanted.
    pub checkpoints: Option<Checkpoints>,
    /// The limits of this process. Positions are those that all processes explore, or nodes beside
    /// heaps that the general theory solves. Bytes are the memory of this process, if the system
    /// reports it. When one process ends, all do; if there are checkpoints, one is written.
    pub work: Work,
    /// About how many bytes of a file a worker reads at once.
    pub piece: usize,
}

impl Plan {
    /// The default number of shards.
    pub const SHARDS: usize = 64;
    /// The largest number of shards, and so of workers.
    pub const MOST_SHARDS: usize = 4096;
    /// The default limit of explored positions.
    pub const POSITIONS: u64 = 100_000_000;
    /// The default number of bytes of a file that a worker reads at once.
    pub const PIECE: usize = 256 << 20;

    /// All defaults: one process with one worker, the smallest theory that fits, no checkpoints.
    pub fn new(input: Input, out: impl Into<PathBuf>) -> Self {
        Self {
            input,
            question: Question::Label(None),
            out: out.into(),
            workers: 1,
            processes: None,
            shards: Self::SHARDS,
            checkpoints: None,
            work: Work::new(Limits::new(Self::POSITIONS).bytes(u64::MAX)),
            piece: Self::PIECE,
        }
    }

    /// The number of this process, and of all.
    pub(crate) fn process(&self) -> (usize, usize) {
        self.processes.as_ref().map_or((0, 1), |all| (all.process, all.hosts.len()))
    }

    /// Checks that the numbers fit together.
    pub(crate) fn check(&self) -> Result<(), ClusterError> {
        let wrong = |message: String| Err(ClusterError::Plan(message));
        let (process, processes) = self.process();
        if process >= processes {
            return wrong(format!(
                "unknown process {process}: the hosts file has {processes}, which are numbered from 0 on"
            ));
        }
        if self.workers == 0 || self.shards == 0 || self.shards > Self::MOST_SHARDS {
            return wrong(format!(
                "{} workers and {} shards: expected at least one of each, and at most {} shards",
                self.workers,
                self.shards,
                Self::MOST_SHARDS
            ));
        }
        let workers = self.workers.saturating_mul(processes);
        if workers > self.shards {
            return wrong(format!(
                "{workers} workers need at least as many shards, but there are {}: raise --shards, or use fewer workers",
                self.shards
            ));
        }
        Ok(())
    }

    /// The question in words: the same for all processes of a run, and for a run and its
    /// checkpoints.
    pub(crate) fn in_words(&self, bytes: u64) -> String {
        let question = match self.question {
            Question::Label(theory) => {
                format!("--theory {}", theory.map_or("auto", Theory::name))
            }
            Question::Remoteness(Play::Normal) => "--remoteness normal".to_owned(),
            Question::Remoteness(Play::Misere) => "--remoteness misere".to_owned(),
        };
        let input = match &self.input {
            Input::Files { local: true, .. } => "files of each process".to_owned(),
            Input::Files { paths, .. } => {
                let names: Vec<_> = paths
                    .iter()
                    .filter_map(|path| path.file_name())
                    .map(|name| name.to_string_lossy())
                    .collect();
                format!("{} of {bytes} bytes", names.join(" "))
            }
            Input::Expression(expression) => expression.clone(),
        };
        format!("{input} {question} --shards {}", self.shards)
    }
}

/// The progress of a run, as the first worker of the first process sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The current activity.
    pub stage: Activity,
    /// The number of supersteps so far.
    pub supersteps: u64,
    /// How many numbers of four bytes all workers have sent to others.
    pub messages: u64,
    /// How many bytes this process takes, if the system reports it.
    pub memory: Option<u64>,
}

/// The activity of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Files are read or positions are explored.
    Building {
        /// The number of nodes found.
        found: u64,
        /// The number of positions still to expand.
        left: u64,
    },
    /// Nodes are labelled.
    Labelling {
        /// The level of the cyclic and the carry-on theory, or the round of remoteness.
        level: u32,
        /// How many nodes have a nimber, or are settled.
        labelled: u64,
        /// How many nodes there are.
        nodes: u64,
    },
    /// A checkpoint was written.
    Kept {
        /// Its serial number.
        serial: u64,
    },
    /// The run resumes from a checkpoint.
    Resumed {
        /// Its serial number.
        serial: u64,
    },
    /// Shards are written.
    Writing,
}

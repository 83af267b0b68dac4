//! The course of a run, as a worker sees it: what it tells about itself, and when it is kept on disk.

use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, Instant};

use nimoon::effort::Interrupted;

use crate::ClusterError;
use crate::build::Share;
use crate::checkpoint::{Complete, Keeper, Kind, Moment, Sink};
use crate::exchange::Exchange;
use crate::manifest::Checksum;
use crate::plan::{Checkpoints, Doing, Every, Progress};
use crate::work::Task;

/// What a worker needs to know beside its share of the digraph.
pub(crate) struct Course<'a> {
    task: &'a Task,
    keeper: Option<Keeper>,
    clock: Clock,
    /// The serial number of the last checkpoint.
    serial: u64,
    /// Whether this worker is the one that tells, and when it did.
    tells: bool,
    /// Whether this is the first worker of its process.
    is_first: bool,
    last_told: Option<Instant>,
}

impl<'a> Course<'a> {
    const OFTEN: Duration = Duration::from_millis(250);

    /// At the beginning. All workers call this at the same time.
    pub(crate) fn new(task: &'a Task, exchange: &mut Exchange<'_>) -> Result<Self, ClusterError> {
        let plan = &task.plan;
        let (process, _) = plan.process();
        let is_first = exchange.index().is_multiple_of(plan.workers);
        let checkpoints = plan.checkpoints.as_ref();
        // Parts of one moment are told from those of another run by this number, which is drawn at random: clocks can be wrong, and processes of
        // containers have the same few numbers.
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let drawn = RandomState::new().hash_one((now, std::process::id()));
        let run = exchange.share(&[drawn as u32, (drawn >> 32) as u32]);
        let run = run[0].iter().rev().fold(0, |run, &word| run << 32 | u64::from(word));
        let keeper = checkpoints.map(|Checkpoints { folder, .. }| {
            Keeper::new(folder, task.asked.clone(), run, process, is_first)
        });
        let keeper = exchange.agree(keeper.transpose())?;
        let clock = Clock::new(checkpoints.map(|all| all.every));
        let tells = exchange.index() == 0;
        Ok(Self { task, keeper, clock, serial: 0, tells, is_first, last_told: None })
    }

    /// Tells what the run is at, now and then.
    pub(crate) fn tell(&mut self, exchange: &Exchange<'_>, stage: Doing) {
        let seldom = matches!(stage, Doing::Kept { .. } | Doing::Resumed { .. } | Doing::Writing);
        let soon = self.last_told.is_some_and(|last| last.elapsed() < Self::OFTEN);
        if !self.tells || soon && !seldom {
            return;
        }
        self.last_told = Some(Instant::now());
        (self.task.watch)(Progress {
            stage,
            supersteps: exchange.supersteps(),
            messages: exchange.sent(),
            memory: resident(),
        });
    }

    /// Whether this worker asks for a checkpoint, as a number to be added up: it is time for one, or for an end.
    pub(crate) fn is_due(&mut self) -> u64 {
        let is_due = self.tells && self.clock.is_due();
        u64::from(is_due).max(self.is_over())
    }

    /// Whether this worker asks for an end, as a number to be added up.
    pub(crate) fn is_over(&self) -> u64 {
        u64::from(self.limits().is_err())
    }

    /// Whether this process may go on; its memory is that of all its workers.
    fn limits(&self) -> Result<(), Interrupted> {
        let effort = &self.task.plan.effort;
        effort.check()?;
        // One worker asks for all, if there is anything to ask for.
        let bounded = self.is_first && effort.budget().bytes < u64::MAX;
        effort.hold(if bounded { resident().unwrap_or(0) } else { 0 })
    }

    /// Ends where a process may not go on. All workers call this at the same time.
    pub(crate) fn go_on(&self, exchange: &mut Exchange<'_>) -> Result<(), ClusterError> {
        exchange.agree(self.limits().map_err(ClusterError::Interrupted))
    }

    /// Whether there are checkpoints, so that what is read needs a checksum.
    pub(crate) fn keeps(&self) -> bool {
        self.keeper.is_some()
    }

    /// Whether anything is kept for which all lines were read. All workers call this at the same time.
    pub(crate) fn has_read_all(&self, exchange: &mut Exchange<'_>) -> bool {
        self.keeper.as_ref().is_some_and(|keeper| keeper.has_read_all(exchange))
    }

    /// The lines that all workers have read have this checksum.
    pub(crate) fn was_read(&mut self, content: Checksum) {
        if let Some(keeper) = &mut self.keeper {
            keeper.was_read(content);
        }
    }

    /// The last complete checkpoint of a kind, if there is any. All workers call this at the same time.
    pub(crate) fn last(
        &mut self,
        exchange: &mut Exchange<'_>,
        kind: Kind,
    ) -> Result<Option<Complete>, ClusterError> {
        let Some(keeper) = &self.keeper else { return Ok(None) };
        let found = keeper.last(exchange, kind)?;
        if let Some(set) = &found {
            self.serial = self.serial.max(set.head.serial);
            self.tell(exchange, Doing::Resumed { serial: set.head.serial });
        }
        Ok(found)
    }

    /// Keeps a checkpoint of nodes with numbers, a record for each.
    pub(crate) fn keep_nodes(
        &mut self,
        exchange: &mut Exchange<'_>,
        share: &Share,
        kind: Kind,
        notes: Vec<u64>,
        fill: impl FnOnce(&mut Sink),
    ) -> Result<(), ClusterError> {
        let (first, shards) = (share.first, share.ranges.counts());
        self.keep(exchange, Moment { kind, first, shards, notes, texts: Vec::new() }, fill)
    }

    /// Keeps a checkpoint, if they are wanted, and ends where a process may not go on. All workers call this at the same time.
    pub(crate) fn keep(
        &mut self,
        exchange: &mut Exchange<'_>,
        moment: Moment,
        fill: impl FnOnce(&mut Sink),
    ) -> Result<(), ClusterError> {
        if let Some(keeper) = &mut self.keeper {
            // What is taken up leaves more numbers than any run uses.
            self.serial += 1;
            let serial = self.serial;
            keeper.keep(exchange, serial, moment, fill)?;
            self.tell(exchange, Doing::Kept { serial });
        }
        self.go_on(exchange)
    }

    /// Removes all checkpoints, when everything is answered.
    pub(crate) fn clear(self) {
        if let Some(keeper) = self.keeper {
            keeper.clear();
        }
    }
}

/// How many bytes this process takes.
fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    pages.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

/// Tells when a checkpoint is due.
struct Clock {
    every: Option<Every>,
    supersteps: u64,
    last: Instant,
}

impl Clock {
    fn new(every: Option<Every>) -> Self {
        Self { every, supersteps: 0, last: Instant::now() }
    }

    fn is_due(&mut self) -> bool {
        self.supersteps += 1;
        let due = match self.every {
            None => false,
            Some(Every::Supersteps(every)) => self.supersteps >= every,
            Some(Every::Time(every)) => self.last.elapsed() >= every,
        };
        if due {
            self.supersteps = 0;
            self.last = Instant::now();
        }
        due
    }
}

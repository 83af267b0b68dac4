//! The course of a run, as a worker sees it: its progress reports, and when it writes checkpoints.

use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, Instant};

use nimoon::limits::Interrupted;

use crate::ClusterError;
use crate::build::Share;
use crate::checkpoint::{Complete, Keeper, Kind, Moment, Sink};
use crate::exchange::Exchange;
use crate::manifest::Checksum;
use crate::plan::{Activity, Checkpoints, Every, Progress};
use crate::work::Task;

/// The state of a run beside a worker's share of the digraph.
pub(crate) struct Course<'a> {
    task: &'a Task,
    keeper: Option<Keeper>,
    clock: Clock,
    /// The serial number of the last checkpoint.
    serial: u64,
    /// Whether this worker reports progress, and when it last did.
    reports: bool,
    /// Whether this is the first worker of its process.
    is_first: bool,
    last_report: Option<Instant>,
}

impl<'a> Course<'a> {
    const OFTEN: Duration = Duration::from_millis(250);

    /// Starts a run. All workers call this at the same time.
    pub(crate) fn new(task: &'a Task, exchange: &mut Exchange<'_>) -> Result<Self, ClusterError> {
        let plan = &task.plan;
        let (process, _) = plan.process();
        let is_first = exchange.index().is_multiple_of(plan.workers);
        let checkpoints = plan.checkpoints.as_ref();
        // This random number distinguishes the parts of different runs: clocks can be wrong, and
        // processes in containers have the same few numbers.
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let drawn = RandomState::new().hash_one((now, std::process::id()));
        let run = exchange.share(&[drawn as u32, (drawn >> 32) as u32]);
        let run = run[0].iter().rev().fold(0, |run, &word| run << 32 | u64::from(word));
        let keeper = checkpoints.map(|Checkpoints { folder, .. }| {
            Keeper::new(folder, task.question.clone(), run, process, is_first)
        });
        let keeper = exchange.agree(keeper.transpose())?;
        let clock = Clock::new(checkpoints.map(|all| all.every));
        let reports = exchange.index() == 0;
        Ok(Self { task, keeper, clock, serial: 0, reports, is_first, last_report: None })
    }

    /// Reports the progress of the run from time to time.
    pub(crate) fn report(&mut self, exchange: &Exchange<'_>, stage: Activity) {
        let seldom =
            matches!(stage, Activity::Kept { .. } | Activity::Resumed { .. } | Activity::Writing);
        let soon = self.last_report.is_some_and(|last| last.elapsed() < Self::OFTEN);
        if !self.reports || soon && !seldom {
            return;
        }
        self.last_report = Some(Instant::now());
        (self.task.watch)(Progress {
            stage,
            supersteps: exchange.supersteps(),
            messages: exchange.sent(),
            memory: resident(),
        });
    }

    /// Whether this worker requests a checkpoint, as a number for the tally: one is due, or the run
    /// must end.
    pub(crate) fn is_due(&mut self) -> u64 {
        let is_due = self.reports && self.clock.is_due();
        u64::from(is_due).max(self.is_over())
    }

    /// Whether this worker requests the end of the run, as a number for the tally.
    pub(crate) fn is_over(&self) -> u64 {
        u64::from(self.limits().is_err())
    }

    /// Checks the limits of this process; its memory is that of all its workers.
    fn limits(&self) -> Result<(), Interrupted> {
        let work = &self.task.plan.work;
        work.check()?;
        // One worker checks for all, if there are limits.
        let bounded = self.is_first && work.limits().bytes < u64::MAX;
        work.hold(if bounded { resident().unwrap_or(0) } else { 0 })
    }

    /// Ends the run if a process has hit a limit. All workers call this at the same time.
    pub(crate) fn go_on(&self, exchange: &mut Exchange<'_>) -> Result<(), ClusterError> {
        exchange.agree(self.limits().map_err(ClusterError::Interrupted))
    }

    /// Whether there are checkpoints, so that the lines that are read need a checksum.
    pub(crate) fn keeps(&self) -> bool {
        self.keeper.is_some()
    }

    /// Whether there is a checkpoint for which all lines were read. All workers call this at the
    /// same time.
    pub(crate) fn has_read_all(&self, exchange: &mut Exchange<'_>) -> bool {
        self.keeper.as_ref().is_some_and(|keeper| keeper.has_read_all(exchange))
    }

    /// Sets the checksum of the lines that all workers have read.
    pub(crate) fn was_read(&mut self, content: Checksum) {
        if let Some(keeper) = &mut self.keeper {
            keeper.was_read(content);
        }
    }

    /// The last complete checkpoint of a kind, if any. All workers call this at the same time.
    pub(crate) fn last(
        &mut self,
        exchange: &mut Exchange<'_>,
        kind: Kind,
    ) -> Result<Option<Complete>, ClusterError> {
        let Some(keeper) = &self.keeper else { return Ok(None) };
        let found = keeper.last(exchange, kind)?;
        if let Some(set) = &found {
            self.serial = self.serial.max(set.head.serial);
            self.report(exchange, Activity::Resumed { serial: set.head.serial });
        }
        Ok(found)
    }

    /// Writes a checkpoint of nodes with numbers, with a record for each.
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

    /// Writes a checkpoint if they are wanted, and ends the run if a process has hit a limit. All
    /// workers call this at the same time.
    pub(crate) fn keep(
        &mut self,
        exchange: &mut Exchange<'_>,
        moment: Moment,
        fill: impl FnOnce(&mut Sink),
    ) -> Result<(), ClusterError> {
        if let Some(keeper) = &mut self.keeper {
            // A resumed serial number leaves more numbers than any run uses.
            self.serial += 1;
            let serial = self.serial;
            keeper.keep(exchange, serial, moment, fill)?;
            self.report(exchange, Activity::Kept { serial });
        }
        self.go_on(exchange)
    }

    /// Removes all checkpoints, when the question is answered.
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

/// Decides when a checkpoint is due.
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

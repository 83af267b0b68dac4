//! Plans, and running them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use nimoon::limits::clock::Instant;
use nimoon::limits::threads::helped;
use nimoon::{Digraph, Interrupted, Limits, Progress, Theory, Work};
use thiserror::Error;

use crate::as_printed;
use crate::check::{Checker, Claims};
use crate::exhaustive::Exhaustive;
use crate::random;
use crate::report::{Counterexample, Report, Stop, size};
use crate::shrink::shrink;

/// What is audited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// The engine: [`nimoon::label`].
    #[default]
    Engine,
    /// Algorithm 8 of the paper, as printed.
    AsPrinted,
    /// Algorithm 8 as the proof of Theorem 2.3 reads it: assignments never change. If there is a
    /// counterexample, the printed steps are right about it.
    Frozen,
}

impl Algorithm {
    /// The labels that the algorithm gives; none if the digraph does not fit.
    pub fn label(self, digraph: &Digraph, theory: Option<Theory>) -> Option<Claims> {
        match self {
            Self::Engine => {
                let labelling = nimoon::label(digraph, theory, &Work::default()).ok()?;
                let labels = digraph.nodes().map(|node| Some(labelling.label(node))).collect();
                Some(Claims { theory: labelling.theory(), labels })
            }
            Self::AsPrinted => as_printed::label(digraph, false),
            Self::Frozen => as_printed::label(digraph, true),
        }
    }
}

/// Which digraphs are audited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// All digraphs of exactly this many nodes, up to isomorphism.
    Exhaustive {
        /// The number of nodes, at most [`Exhaustive::MAX_NODES`].
        nodes: usize,
    },
    /// Random digraphs.
    Random {
        /// How many.
        count: u64,
        /// The same seed gives the same digraphs.
        seed: u64,
        /// The largest number of nodes, from 1 to [`random::MAX_NODES`].
        max_nodes: usize,
    },
}

/// What to audit, and on what.
///
/// ```
/// use nimoon_audit::{Audit, Plan};
/// let report = Audit::new(Plan::exhaustive(2, None)).unwrap().run();
/// assert_eq!((report.digraphs, report.wrong), (36, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What is audited.
    pub algorithm: Algorithm,
    /// The theory to label under; default: the smallest that fits each digraph. The printed
    /// algorithm is only for the carry-on theory and overrides this.
    pub theory: Option<Theory>,
    /// Which digraphs; default: all digraphs of one to four nodes, and then random ones.
    pub mode: Option<Mode>,
    /// How many threads; default: as many as the machine has.
    pub threads: Option<NonZeroUsize>,
}

impl Plan {
    /// The default number of nodes of a random digraph.
    pub const MAX_NODES: usize = 8;
    /// Random digraphs in a plan without a mode.
    pub const COUNT: u64 = 20_000;
    /// The seed of a plan without a mode.
    pub const SEED: u64 = 1;
    /// The default limit of comparisons: more than anyone would wait for.
    pub const COMPARISONS: u64 = 1_000_000_000_000;
    /// A plan without a mode is exhaustive up to this number of nodes.
    const EXHAUSTIVE_UP_TO: usize = 4;

    /// The engine on all digraphs of exactly this many nodes that fit the theory.
    pub fn exhaustive(nodes: usize, theory: Option<Theory>) -> Self {
        Self { theory, mode: Some(Mode::Exhaustive { nodes }), ..Self::default() }
    }

    /// The engine on random digraphs that fit the theory, or without one on digraphs of all five.
    pub fn random(count: u64, seed: u64, max_nodes: usize, theory: Option<Theory>) -> Self {
        Self { theory, mode: Some(Mode::Random { count, seed, max_nodes }), ..Self::default() }
    }

    /// The printed algorithm, or its frozen reading, on small digraphs and then on random ones.
    pub fn as_printed(frozen: bool) -> Self {
        let algorithm = if frozen { Algorithm::Frozen } else { Algorithm::AsPrinted };
        Self { algorithm, theory: Some(Theory::CarryOn), ..Self::default() }
    }

    /// The theory whose digraphs are generated.
    fn theory(&self) -> Option<Theory> {
        match self.algorithm {
            Algorithm::Engine => self.theory,
            Algorithm::AsPrinted | Algorithm::Frozen => Some(Theory::CarryOn),
        }
    }

    /// Whether sums and orders in the general theory are compared: if that theory is requested.
    fn has_orders(&self) -> bool {
        self.theory() == Some(Theory::General)
    }

    fn digraphs(&self) -> Box<dyn Iterator<Item = Digraph> + Send> {
        let theory = self.theory();
        let drawn = move |count, seed, max_nodes| {
            (0..count).map(move |number| random::digraph(seed, number, max_nodes, theory))
        };
        match self.mode {
            Some(Mode::Exhaustive { nodes }) => Box::new(Exhaustive::new(nodes, theory)),
            Some(Mode::Random { count, seed, max_nodes }) => {
                Box::new(drawn(count, seed, max_nodes))
            }
            None => {
                let small = (1..=Self::EXHAUSTIVE_UP_TO)
                    .flat_map(move |nodes| Exhaustive::new(nodes, theory));
                Box::new(small.chain(drawn(Self::COUNT, Self::SEED, Self::MAX_NODES)))
            }
        }
    }
}

/// Why a plan cannot be carried out.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// No nodes, or more than can be enumerated or solved.
    #[error("{nodes} nodes: expected from 1 to {max}")]
    Nodes {
        /// The requested number.
        nodes: usize,
        /// The largest possible number.
        max: usize,
    },
}

/// A valid plan, with its limits.
pub struct Audit {
    plan: Plan,
    work: Work,
}

/// How many digraphs a thread takes at a time.
const BATCH: usize = 64;

/// How many counterexamples are shrunk: the smallest ones found.
const KEPT: usize = 16;

/// A digraph with a wrong comparison.
struct Bad {
    /// Whether this labeller alone is wrong, and not also the one that it is a reading of.
    own: bool,
    /// The number in the plan, so that the choice does not depend on the number of threads.
    number: usize,
    digraph: Digraph,
}

/// A labeller, and a function that says whether an error about a digraph is its own.
struct Subject<L, O> {
    labeller: L,
    own: O,
}

/// The findings about a digraph.
struct Checked {
    counts: Report,
    bad: Option<Bad>,
}

/// Consecutive digraphs of the plan, which one thread takes.
struct Batch {
    /// The number of the first digraph in the plan.
    first: usize,
    /// The number of digraphs.
    len: usize,
    /// The findings about the digraphs that were checked.
    checked: Vec<Checked>,
    /// Why the others were not checked.
    stop: Stop,
}

/// The work done by all threads.
struct Done {
    /// Comparisons, including those that will not count because the budget was hit before.
    compared: AtomicU64,
    threads: u64,
}

/// What the threads share.
struct Shared {
    digraphs: Box<dyn Iterator<Item = Digraph> + Send>,
    report: Report,
    /// The smallest digraphs with a wrong comparison, smallest first. Errors that the labeller
    /// shares with another one come last.
    bad: Vec<Bad>,
    handed_out: usize,
    /// Batches that wait for an earlier one, by their first numbers.
    waiting: BTreeMap<usize, Batch>,
    /// The number of digraphs that are in the report, or finally left out of it.
    counted: usize,
}

impl Shared {
    /// Counts a batch, as soon as all batches before it are counted. So a report covers the
    /// beginning of the plan up to the comparison that hits the budget, in whatever order threads
    /// finish.
    fn count(&mut self, batch: Batch, budget: u64) {
        self.waiting.insert(batch.first, batch);
        while let Some(batch) = self.waiting.remove(&self.counted) {
            self.counted += batch.len;
            for Checked { counts, bad } in batch.checked {
                if self.report.comparisons() >= budget {
                    self.stop(Stop::Interrupted(Interrupted::positions(budget)));
                    break;
                }
                self.report.add_counts(&counts);
                self.bad.extend(bad);
            }
            self.stop(batch.stop);
        }
        self.bad.sort_by_key(|bad| (!bad.own, size(&bad.digraph), bad.number));
        self.bad.truncate(KEPT);
    }

    /// Keeps the first reason.
    fn stop(&mut self, stop: Stop) {
        if self.report.stop == Stop::Finished {
            self.report.stop = stop;
        }
    }
}

impl Audit {
    /// Prepares the audit of a plan.
    ///
    /// # Errors
    /// When the plan asks for no nodes or for too many.
    pub fn new(plan: Plan) -> Result<Self, PlanError> {
        let (nodes, max) = match plan.mode {
            Some(Mode::Exhaustive { nodes }) => (nodes, Exhaustive::MAX_NODES),
            Some(Mode::Random { max_nodes, .. }) => (max_nodes, random::MAX_NODES),
            None => (1, 1),
        };
        if nodes == 0 || nodes > max {
            return Err(PlanError::Nodes { nodes, max });
        }
        Ok(Self { plan, work: Work::new(Limits::new(Plan::COMPARISONS)) })
    }

    /// Limits the audit by this work, and reports after every few digraphs. Its positions are
    /// comparisons, and its bytes are those of the products for brute force, for all threads
    /// together. A digraph that is begun is checked to its end. If the positions end an audit, the
    /// report does not depend on the number of threads.
    ///
    /// ```
    /// use nimoon::Limits;
    /// use nimoon::Work;
    /// use nimoon_audit::{Audit, Plan, Stop};
    /// let few = Audit::new(Plan::exhaustive(2, None)).unwrap().within(Work::new(Limits::new(100))).run();
    /// assert!(matches!(few.stop, Stop::Interrupted(_)));
    /// assert!((1..36).contains(&few.digraphs));
    /// ```
    #[must_use]
    pub fn within(mut self, work: Work) -> Self {
        self.work = work;
        self
    }

    /// Audits the algorithm of the plan.
    pub fn run(&self) -> Report {
        let (algorithm, theory) = (self.plan.algorithm, self.plan.theory);
        let own = move |digraph: &Digraph| {
            algorithm != Algorithm::Frozen
                || as_printed::label(digraph, false)
                    .is_some_and(|printed| Checker::new().check(digraph, &printed).wrong == 0)
        };
        let labeller = move |digraph: &Digraph| algorithm.label(digraph, theory);
        self.run_subject(&Subject { labeller, own })
    }

    /// Audits any labeller on the digraphs of the plan. A digraph for which it returns none is
    /// skipped.
    ///
    /// ```
    /// use nimoon_audit::{Algorithm, Audit, Plan};
    /// // A labeller that forgets its last label.
    /// let forgetful = |digraph: &nimoon::Digraph| {
    ///     let mut claims = Algorithm::Engine.label(digraph, None)?;
    ///     *claims.labels.last_mut()? = None;
    ///     Some(claims)
    /// };
    /// let report = Audit::new(Plan::exhaustive(2, None)).unwrap().run_labeller(forgetful);
    /// assert_eq!(report.wrong_digraphs, 36);
    /// assert_eq!(report.counterexample.unwrap().digraph.len(), 1);
    /// ```
    pub fn run_labeller(&self, labeller: impl Fn(&Digraph) -> Option<Claims> + Sync) -> Report {
        self.run_subject(&Subject { labeller, own: |_: &Digraph| true })
    }

    fn run_subject<L, O>(&self, subject: &Subject<L, O>) -> Report
    where
        L: Fn(&Digraph) -> Option<Claims> + Sync,
        O: Fn(&Digraph) -> bool + Sync,
    {
        let start = Instant::now();
        let shared = Mutex::new(Shared {
            digraphs: self.plan.digraphs(),
            report: Report::default(),
            bad: Vec::new(),
            handed_out: 0,
            waiting: BTreeMap::new(),
            counted: 0,
        });
        let threads = self.plan.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            NonZeroUsize::get,
        );
        let done = Done { compared: AtomicU64::new(0), threads: threads as u64 };
        let work = || self.work(&shared, subject, &done);
        helped(work, |call| {
            (1..threads).for_each(|_| call());
            work();
        });
        let Shared { mut report, bad, .. } =
            shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let checker = Checker::new().with_orders(self.plan.has_orders());
        report.counterexample = smallest_counterexample(&bad, subject, checker);
        report.elapsed = start.elapsed();
        report
    }

    /// Checks digraphs until there are no more, or a limit is hit.
    fn work<L, O>(&self, shared: &Mutex<Shared>, subject: &Subject<L, O>, done: &Done)
    where
        L: Fn(&Digraph) -> Option<Claims> + Sync,
        O: Fn(&Digraph) -> bool + Sync,
    {
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let mut checker = Checker::new().with_orders(self.plan.has_orders());
        loop {
            let (first, batch, before) = {
                let mut shared = lock();
                let batch: Vec<Digraph> = shared.digraphs.by_ref().take(BATCH).collect();
                let first = shared.handed_out;
                shared.handed_out += batch.len();
                // All of these were made on earlier digraphs: later ones are handed out later.
                (first, batch, done.compared.load(Ordering::Relaxed))
            };
            if batch.is_empty() {
                return;
            }
            let len = batch.len();
            let mut checked = Vec::new();
            let mut compared = before;
            let mut stop = Stop::Finished;
            for (number, digraph) in (first..).zip(batch) {
                if let Err(interrupted) = self.allowed(&digraph, compared, done) {
                    stop = Stop::Interrupted(interrupted);
                    break;
                }
                let Some(claims) = (subject.labeller)(&digraph) else { continue };
                let findings = checker.check(&digraph, &claims);
                let mut counts = Report::default();
                counts.count(claims.theory, &claims.labels);
                counts.positions = findings.positions;
                counts.sums = findings.sums;
                counts.orders = findings.orders;
                compared += counts.comparisons();
                done.compared.fetch_add(counts.comparisons(), Ordering::Relaxed);
                counts.wrong = findings.wrong;
                counts.wrong_digraphs = u64::from(findings.wrong > 0);
                let bad = (findings.wrong > 0).then(|| Bad {
                    own: (subject.own)(&digraph),
                    number,
                    digraph,
                });
                checked.push(Checked { counts, bad });
            }
            let progress = {
                let mut shared = lock();
                let budget = self.work.limits().positions;
                shared.count(Batch { first, len, checked, stop }, budget);
                let Report { digraphs, wrong_digraphs, .. } = shared.report;
                let of = match self.plan.mode {
                    Some(Mode::Random { count, .. }) => Some(count),
                    _ => None,
                };
                Progress::Auditing { digraphs, of, wrong_digraphs }
            };
            // What ends the work is found before the next digraph.
            let _ = self.work.report(progress);
            if stop != Stop::Finished {
                return;
            }
        }
    }

    /// Whether another digraph may be checked, after at least `compared` comparisons on the
    /// digraphs before it.
    fn allowed(&self, digraph: &Digraph, compared: u64, done: &Done) -> Result<(), Interrupted> {
        let positions = self.work.limits().positions;
        if compared >= positions {
            return Err(Interrupted::positions(positions));
        }
        self.work.hold(bytes_to_check(digraph).saturating_mul(done.threads))?;
        self.work.check()
    }
}

/// The bytes of the cube of a digraph, on which sums of three nodes are played: a row for each of
/// its positions, and arcs in both directions.
fn bytes_to_check(digraph: &Digraph) -> u64 {
    const ROW: u64 = 64;
    const ARC: u64 = 16;
    let (nodes, arcs) = (digraph.len() as u64, digraph.arcs().count() as u64);
    ROW * nodes.pow(3) + 3 * ARC * arcs * nodes.pow(2)
}

/// Shrinks the counterexamples; errors of the labeller alone come first.
fn smallest_counterexample<L, O>(
    bad: &[Bad],
    subject: &Subject<L, O>,
    mut checker: Checker,
) -> Option<Counterexample>
where
    L: Fn(&Digraph) -> Option<Claims>,
    O: Fn(&Digraph) -> bool,
{
    let mut wrong = |digraph: &Digraph| {
        (subject.labeller)(digraph).and_then(|claims| checker.check(digraph, &claims).first)
    };
    let only_own = bad.first().is_some_and(|first| first.own);
    let shrunk = bad.iter().filter(|bad| bad.own == only_own).filter_map(|bad| {
        let smallest = shrink(&bad.digraph, |smaller| {
            wrong(smaller).is_some() && (subject.own)(smaller) == only_own
        });
        wrong(&smallest)
    });
    shrunk.min_by_key(Counterexample::size)
}

#[cfg(test)]
mod tests;

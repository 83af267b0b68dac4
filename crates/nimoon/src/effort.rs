//! What has been done under a [`Budget`], and what ends it: one of its limits, or a token.
//!
//! Everything that can run long takes an effort. Where questions follow one another, as those about
//! [`loopy`](crate::loopy) games and [`affine`](crate::affine) forms do, it is lent to each of them as
//! `&mut Effort` and counts them all. Engines that bound each question by itself take
//! `impl Into<Effort>`: a [`Budget`], whose clock starts then, or `&Effort`, with the clock and
//! the token of that one and nothing counted yet.
//!
//! | limit | how it is kept |
//! |---|---|
//! | positions | counted, or known before the work begins |
//! | bytes | reckoned before something large is held ([`Effort::hold`]) |
//! | time, token | looked at now and then ([`Effort::check`]), also by several threads at once |

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::budget::Budget;

/// One of the limits of a [`Budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// How many positions are looked at.
    Positions,
    /// How many bytes are held.
    Bytes,
    /// How long it takes; counted in milliseconds.
    Time,
}

/// Why there is no answer, or not all of it.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Interrupted {
    /// A limit of the budget was hit.
    #[error("the budget of {} was hit{}", Amount(*limit, *allowed), Needed(*limit, *needed))]
    OverBudget {
        /// Which one.
        limit: Limit,
        /// What was allowed.
        allowed: u64,
        /// At least how much is needed, where that is known.
        needed: Option<u64>,
    },
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Interrupted {
    /// As many positions as were allowed are not enough.
    pub fn positions(allowed: u64) -> Self {
        Self::OverBudget { limit: Limit::Positions, allowed, needed: None }
    }

    /// The limit that was hit; none if somebody asked to stop.
    pub fn limit(self) -> Option<Limit> {
        match self {
            Self::OverBudget { limit, .. } => Some(limit),
            Self::Stopped => None,
        }
    }

    /// What to do about it, given how the limits are called where they are set: those of positions, bytes
    /// and time.
    ///
    /// ```
    /// use nimoon::effort::Interrupted;
    /// let names = ["--budget", "--memory", "--time"];
    /// assert_eq!(Interrupted::positions(10).advice(names), Some("raise it by --budget".into()));
    /// ```
    pub fn advice(self, [positions, bytes, time]: [&str; 3]) -> Option<String> {
        let name = match self.limit()? {
            Limit::Positions => positions,
            Limit::Bytes => bytes,
            Limit::Time => time,
        };
        Some(format!("raise it by {name}"))
    }

    /// A message that ends in [`Self::advice`].
    pub fn advise(self, message: impl fmt::Display, names: [&str; 3]) -> String {
        match self.advice(names) {
            Some(advice) => format!("{message}; {advice}"),
            None => message.to_string(),
        }
    }
}

/// An amount in its unit.
struct Amount(Limit, u64);

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u32, &str); 3] = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
        let &Self(limit, amount) = self;
        match limit {
            Limit::Positions => write!(f, "{amount} positions"),
            Limit::Bytes => {
                let even = |&(bits, _): &(u32, _)| amount > 0 && amount.is_multiple_of(1 << bits);
                match UNITS.into_iter().find(even) {
                    Some((bits, unit)) => write!(f, "{} {unit} of memory", amount >> bits),
                    None => write!(f, "{amount} bytes of memory"),
                }
            }
            Limit::Time if amount.is_multiple_of(1000) => write!(f, "{} s", amount / 1000),
            Limit::Time => write!(f, "{amount} ms"),
        }
    }
}

struct Needed(Limit, Option<u64>);

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (limit, Some(needed)) => write!(f, ": at least {} are needed", Amount(limit, needed)),
            (_, None) => Ok(()),
        }
    }
}

/// How much may be done, and how much has been.
///
/// ```
/// use nimoon::effort::{Effort, Interrupted};
/// use nimoon::loopy::Graph;
/// use nimoon::loopy::order::ge_plus;
///
/// // on = {on|} and off = {|off}.
/// let [on, off] = [Graph::new(1, [(0, 0)], [])?, Graph::new(1, [], [(0, 0)])?];
/// let mut effort = Effort::new(100);
/// assert_eq!(ge_plus((&on, 0), (&off, 0), &mut effort), Ok(true));
/// assert!((1..=100).contains(&effort.used()));
/// let over = ge_plus((&on, 0), (&off, 0), &mut Effort::new(0));
/// assert_eq!(over, Err(Interrupted::positions(0)));
/// # Ok::<(), nimoon::loopy::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Effort {
    budget: Budget,
    used: u64,
    /// When more than these are used, it is time to look at the limits.
    unwatched: u64,
    /// Moves that were looked at and do not yet count.
    moves: usize,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    watch: Option<Watch>,
}

/// What is called at each look.
#[derive(Clone)]
struct Watch(Arc<dyn Fn() + Send + Sync>);

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

impl Effort {
    /// As many states as this may be looked at; memory and time as by default.
    pub fn new(positions: u64) -> Self {
        Self::from(Budget::new(positions))
    }

    /// For work that is bounded by what is given.
    pub(crate) fn endless() -> Self {
        Self::from(Budget::new(u64::MAX).bytes(u64::MAX))
    }

    /// Stops soon after the flag is set.
    #[must_use]
    pub fn until(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Calls this whenever clock and token are looked at, by any thread that works: a sign of life.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use nimoon::effort::Effort;
    ///
    /// let looks = Arc::new(AtomicU64::new(0));
    /// let count = Arc::clone(&looks);
    /// let effort = Effort::new(100).watched(move || {
    ///     count.fetch_add(1, Ordering::Relaxed);
    /// });
    /// effort.check()?;
    /// assert_eq!(looks.load(Ordering::Relaxed), 1);
    /// # Ok::<(), nimoon::effort::Interrupted>(())
    /// ```
    #[must_use]
    pub fn watched(mut self, watch: impl Fn() + Send + Sync + 'static) -> Self {
        self.watch = Some(Watch(Arc::new(watch)));
        self
    }

    /// With a clock that runs since then.
    #[must_use]
    pub fn since(mut self, start: Instant) -> Self {
        self.deadline = self.budget.time.and_then(|time| start.checked_add(time));
        self
    }

    /// With no more time than this from now on, for an attempt that may be given up.
    ///
    /// ```
    /// use std::time::Duration;
    /// use nimoon::effort::Effort;
    ///
    /// let effort = Effort::new(100);
    /// assert!(effort.soon(Duration::ZERO).check().is_err());
    /// assert!(effort.check().is_ok());
    /// ```
    #[must_use]
    pub fn soon(&self, time: Duration) -> Self {
        let mut effort = Self::from(self);
        let end = Instant::now().checked_add(time);
        if effort.deadline.is_none() || end.is_some_and(|end| effort.deadline > Some(end)) {
            effort.deadline = end;
            effort.budget = effort.budget.time(time);
        }
        effort
    }

    /// With no more positions than these for a question.
    #[must_use]
    pub fn at_most(mut self, positions: u64) -> Self {
        self.budget = self.budget.at_most(positions);
        self.unwatched = self.unwatched.min(positions);
        self
    }

    /// With the clock and the token of this one, and another number of positions.
    #[must_use]
    pub fn with_positions(&self, positions: u64) -> Self {
        let mut effort = Self::from(self);
        effort.budget.positions = positions;
        effort
    }

    /// What is allowed.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// How many states were looked at.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Whether to go on: for work that is bounded otherwise, and for several threads at once. It takes some
    /// 30 nanoseconds where there is a clock.
    ///
    /// # Errors
    /// When the time is over, or somebody asks to stop.
    #[inline]
    pub fn check(&self) -> Result<(), Interrupted> {
        if let Some(Watch(watch)) = &self.watch {
            watch();
        }
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Interrupted::Stopped);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(self.over_time()),
            _ => Ok(()),
        }
    }

    #[cold]
    fn over_time(&self) -> Interrupted {
        let allowed = self.budget.time.map_or(0, |time| time.as_millis() as u64);
        Interrupted::OverBudget { limit: Limit::Time, allowed, needed: None }
    }

    /// Whether this many bytes may be held at once.
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub fn hold(&self, bytes: u64) -> Result<(), Interrupted> {
        if bytes <= self.budget.bytes {
            return Ok(());
        }
        let allowed = self.budget.bytes;
        Err(Interrupted::OverBudget { limit: Limit::Bytes, allowed, needed: Some(bytes) })
    }

    /// Whether a question may be about this many positions.
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub fn admit(&self, positions: u64) -> Result<(), Interrupted> {
        if positions <= self.budget.positions { Ok(()) } else { Err(self.over(Some(positions))) }
    }

    /// Whether a question may be about this many positions that were listed by who asks: the nodes of a
    /// digraph, the heaps up to a given one. [`Budget::DEFAULT`] bounds positions that are still to be
    /// found, and lets these pass; every other limit of positions holds for them too.
    ///
    /// ```
    /// use nimoon::{Budget, Effort, Interrupted};
    /// assert_eq!(Effort::new(1000).admit_listed(1000), Ok(()));
    /// let over = Effort::new(1000).admit_listed(1001).unwrap_err();
    /// assert_eq!(over.to_string(), "the budget of 1000 positions was hit: at least 1001 positions are needed");
    /// assert_eq!(Effort::from(Budget::DEFAULT).admit_listed(25_000_000), Ok(()));
    /// ```
    ///
    /// # Errors
    /// When there are more.
    pub fn admit_listed(&self, positions: u64) -> Result<(), Interrupted> {
        if self.budget.positions == Budget::DEFAULT.positions {
            return Ok(());
        }
        self.admit(positions)
    }

    /// That there are too many positions.
    pub(crate) fn over(&self, needed: Option<u64>) -> Interrupted {
        let allowed = self.budget.positions;
        Interrupted::OverBudget { limit: Limit::Positions, allowed, needed }
    }

    /// Counts moves that were looked at, so that states with very many do not pass for few.
    pub(crate) fn count_moves(&mut self, moves: usize) -> Result<(), Interrupted> {
        /// This many are as much as a state.
        const EACH: usize = 16;
        self.moves += moves;
        while self.moves >= EACH {
            self.moves -= EACH;
            self.count()?;
        }
        Ok(())
    }

    /// Counts one more state.
    ///
    /// # Errors
    /// When that is one too many, the time is over, or somebody asks to stop.
    #[inline]
    pub fn count(&mut self) -> Result<(), Interrupted> {
        self.used += 1;
        if self.used > self.unwatched { self.look() } else { Ok(()) }
    }

    /// Counts more states.
    ///
    /// # Errors
    /// When there are too many, the time is over, or somebody asks to stop.
    pub fn count_all(&mut self, states: u64) -> Result<(), Interrupted> {
        self.used = self.used.saturating_add(states);
        if self.used > self.unwatched { self.look() } else { Ok(()) }
    }

    /// Looks at all limits, and says when to do so again.
    #[cold]
    fn look(&mut self) -> Result<(), Interrupted> {
        /// So many states are looked at in some ten microseconds.
        const UNWATCHED: u64 = 1024;
        if self.used > self.budget.positions {
            return Err(self.over(None));
        }
        self.check()?;
        self.unwatched = (self.used + UNWATCHED).min(self.budget.positions);
        Ok(())
    }

    /// A pace for loops that count nothing: looks at the clock and the token once in 1024 times.
    pub(crate) fn pace(&self) -> Pace<'_> {
        Pace { effort: self, steps: 0 }
    }
}

/// Looks at the clock and the token now and then.
pub(crate) struct Pace<'a> {
    effort: &'a Effort,
    steps: u32,
}

impl Pace<'_> {
    /// One step more.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Interrupted> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps % 1024 == 1 { self.effort.check() } else { Ok(()) }
    }
}

impl Default for Effort {
    fn default() -> Self {
        Self::new(100_000_000)
    }
}

/// The clock starts now.
impl From<Budget> for Effort {
    fn from(budget: Budget) -> Self {
        // A time too long for the clock is no limit.
        let deadline = budget.time.and_then(|time: Duration| Instant::now().checked_add(time));
        Self { budget, used: 0, unwatched: 0, moves: 0, deadline, stop: None, watch: None }
    }
}

/// With the clock and the token of that one, and nothing counted yet.
impl From<&Effort> for Effort {
    fn from(effort: &Effort) -> Self {
        Self { used: 0, unwatched: 0, moves: 0, ..effort.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_told_in_the_units_in_which_they_are_given() {
        let told =
            |limit, allowed, needed| Interrupted::OverBudget { limit, allowed, needed }.to_string();
        let [positions, bytes, time] = [Limit::Positions, Limit::Bytes, Limit::Time];
        assert_eq!(told(positions, 7, None), "the budget of 7 positions was hit");
        assert_eq!(
            told(positions, 7, Some(9)),
            "the budget of 7 positions was hit: at least 9 positions are needed"
        );
        assert_eq!(told(bytes, 2 << 30, None), "the budget of 2 GiB of memory was hit");
        assert_eq!(told(bytes, 5, None), "the budget of 5 bytes of memory was hit");
        assert_eq!(told(bytes, 0, None), "the budget of 0 bytes of memory was hit");
        assert_eq!(told(time, 2000, None), "the budget of 2 s was hit");
        assert_eq!(told(time, 1, None), "the budget of 1 ms was hit");
    }

    #[test]
    fn each_limit_ends_the_counting() {
        let count = |mut effort: Effort| {
            (0..5000).find_map(|_| effort.count().err()).and_then(Interrupted::limit)
        };
        assert_eq!(count(Effort::new(5000)), None);
        assert_eq!(count(Effort::new(4999)), Some(Limit::Positions));
        let budget = Budget::new(5000);
        let little = Effort::from(budget.bytes(1000));
        assert_eq!(little.hold(1000), Ok(()));
        assert_eq!(little.hold(1001).unwrap_err().limit(), Some(Limit::Bytes));
        assert_eq!(count(budget.time(Duration::ZERO).into()), Some(Limit::Time));
        let mut stopped = Effort::new(5000).until(Arc::new(AtomicBool::new(true)));
        assert_eq!(stopped.count(), Err(Interrupted::Stopped));
    }

    #[test]
    fn a_share_has_the_clock_and_the_token_and_counts_anew() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut first = Effort::new(1).until(Arc::clone(&stop));
        assert_eq!(first.count(), Ok(()));
        let mut second = Effort::from(&first);
        assert_eq!(second.count(), Ok(()));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(Effort::from(&first).check(), Err(Interrupted::Stopped));
    }
}

//! What has been done, and whether to go on.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::clock::Instant;
use super::{Interrupted, Limit, Limits, Progress};

/// How much may be done, and how much has been.
///
/// ```
/// use nimoon::limits::{Interrupted, Limits, Work};
/// use nimoon::partizan::Graph;
/// use nimoon::partizan::order::ge_plus;
///
/// // on = {on|} and off = {|off}.
/// let [on, off] = [Graph::new(1, [(0, 0)], [])?, Graph::new(1, [], [(0, 0)])?];
/// let mut work = Work::new(Limits::new(100));
/// assert_eq!(ge_plus((&on, 0), (&off, 0), &mut work), Ok(true));
/// assert!((1..=100).contains(&work.used()));
/// let over = ge_plus((&on, 0), (&off, 0), &mut work.child(Limits::new(0)));
/// assert_eq!(over, Err(Interrupted::positions(0)));
/// # Ok::<(), nimoon::partizan::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Work {
    limits: Limits,
    used: u64,
    /// When more than these are used, it is time to check all limits.
    unchecked: u64,
    /// Moves that were visited and do not yet count.
    moves: usize,
    deadline: Option<Instant>,
    token: Arc<AtomicBool>,
    callback: Option<Callback>,
}

#[derive(Clone)]
struct Callback(Arc<dyn Fn(Progress) + Send + Sync>);

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback")
    }
}

impl Work {
    /// Work within these limits; its clock starts now.
    pub fn new(limits: Limits) -> Self {
        let (token, callback) = (Arc::default(), None);
        let work =
            Self { limits, used: 0, unchecked: 0, moves: 0, deadline: None, token, callback };
        if limits.time.is_some() { work.since(Instant::now()) } else { work }
    }

    /// For work that is bounded by what is given.
    pub fn endless() -> Self {
        Self::new(Limits::ENDLESS)
    }

    /// Work within other limits, with the clock, the token and the callback of this one and nothing
    /// counted yet. If the limits have another time, it counts from now on, but it ends with that
    /// of this work at the latest.
    ///
    /// ```
    /// use std::time::Duration;
    /// use nimoon::limits::{Limits, Work};
    ///
    /// let work = Work::new(Limits::new(100));
    /// assert!(work.child(work.limits().time(Duration::ZERO)).check().is_err());
    /// assert!(work.check().is_ok());
    /// ```
    #[must_use]
    pub fn child(&self, limits: Limits) -> Self {
        let Limits { time, .. } = self.limits;
        let mut work = Self { used: 0, unchecked: 0, moves: 0, ..self.clone() };
        work.limits = Limits { time, ..limits };
        if let Some(less) = limits.time.filter(|_| limits.time != time) {
            let end = Instant::now().checked_add(less);
            if work.deadline.is_none() || end.is_some_and(|end| work.deadline > Some(end)) {
                (work.deadline, work.limits) = (end, limits);
            }
        }
        work
    }

    /// The same, cancelled by this token: it ends soon after the token is set.
    #[must_use]
    pub fn until(mut self, token: Arc<AtomicBool>) -> Self {
        self.token = token;
        self
    }

    /// The same with a clock that started then.
    #[must_use]
    pub fn since(mut self, start: Instant) -> Self {
        // A time too long for the clock does not limit anything.
        self.deadline = self.limits.time.and_then(|time| start.checked_add(time));
        self
    }

    /// Calls this with how far the work is, and whenever clock and token are checked, by any thread
    /// that works. To stop the work it can set the token.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use nimoon::limits::Work;
    ///
    /// let checks = Arc::new(AtomicU64::new(0));
    /// let count = Arc::clone(&checks);
    /// let work = Work::default().on_progress(move |_| {
    ///     count.fetch_add(1, Ordering::Relaxed);
    /// });
    /// work.check()?;
    /// assert_eq!(checks.load(Ordering::Relaxed), 1);
    /// # Ok::<(), nimoon::limits::Interrupted>(())
    /// ```
    #[must_use]
    pub fn on_progress(mut self, callback: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.callback = Some(Callback(Arc::new(callback)));
        self
    }

    /// What is allowed.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The token that cancels the work.
    pub fn token(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.token)
    }

    /// Whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.token.load(Ordering::Relaxed)
    }

    /// How many positions were counted.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Whether to go on: for work that is bounded otherwise, and for several threads at once. It
    /// takes some 30 nanoseconds where there is a limit of time.
    ///
    /// # Errors
    /// When the time has ended, or the work is cancelled.
    #[inline]
    pub fn check(&self) -> Result<(), Interrupted> {
        self.report(Progress::Working)
    }

    /// Reports how far the work is, and checks whether to go on.
    ///
    /// # Errors
    /// As [`Self::check`].
    #[inline]
    pub fn report(&self, progress: Progress) -> Result<(), Interrupted> {
        if let Some(Callback(callback)) = &self.callback {
            callback(progress);
        }
        if self.is_cancelled() {
            return Err(Interrupted::Stopped);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(self.over_time()),
            _ => Ok(()),
        }
    }

    #[cold]
    fn over_time(&self) -> Interrupted {
        let allowed = self.limits.time.map_or(0, |time| time.as_millis() as u64);
        Interrupted::OverBudget { limit: Limit::Time, allowed, needed: None }
    }

    /// Whether this many bytes may be in use at a time.
    ///
    /// # Errors
    /// When the limits do not allow it.
    pub fn hold(&self, bytes: u64) -> Result<(), Interrupted> {
        let allowed = self.limits.bytes;
        if bytes <= allowed {
            return Ok(());
        }
        Err(Interrupted::OverBudget { limit: Limit::Bytes, allowed, needed: Some(bytes) })
    }

    /// Whether a question may be about this many positions.
    ///
    /// # Errors
    /// When the limits do not allow it.
    pub fn admit(&self, positions: u64) -> Result<(), Interrupted> {
        if positions <= self.limits.positions { Ok(()) } else { Err(self.over(Some(positions))) }
    }

    /// Whether a question may be about this many positions that the caller listed: the nodes of a
    /// digraph, the heaps up to a given one. [`Limits::DEFAULT`] bounds positions that are still to
    /// be found, and lets these pass; every other limit of positions holds for them too.
    ///
    /// ```
    /// use nimoon::{Limits, Work};
    /// let work = Work::new(Limits::new(1000));
    /// assert_eq!(work.admit_listed(1000), Ok(()));
    /// let over = work.admit_listed(1001).unwrap_err();
    /// assert_eq!(over.to_string(), "the budget of 1000 positions was hit: at least 1001 positions are needed");
    /// assert_eq!(Work::new(Limits::DEFAULT).admit_listed(25_000_000), Ok(()));
    /// ```
    ///
    /// # Errors
    /// When there are more.
    pub fn admit_listed(&self, positions: u64) -> Result<(), Interrupted> {
        if self.limits.positions == Limits::DEFAULT.positions {
            return Ok(());
        }
        self.admit(positions)
    }

    /// That there are too many positions.
    pub(crate) fn over(&self, needed: Option<u64>) -> Interrupted {
        let allowed = self.limits.positions;
        Interrupted::OverBudget { limit: Limit::Positions, allowed, needed }
    }

    /// Counts moves that were visited, so that states with very many of them cost accordingly.
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

    /// Counts one more position.
    ///
    /// # Errors
    /// When that is one too many, the time has ended, or the work is cancelled.
    #[inline]
    pub fn count(&mut self) -> Result<(), Interrupted> {
        self.used += 1;
        if self.used > self.unchecked { self.check_all() } else { Ok(()) }
    }

    /// Counts more positions.
    ///
    /// # Errors
    /// When there are too many, the time has ended, or the work is cancelled.
    pub fn count_all(&mut self, positions: u64) -> Result<(), Interrupted> {
        self.used = self.used.saturating_add(positions);
        if self.used > self.unchecked { self.check_all() } else { Ok(()) }
    }

    /// Checks all limits, and says when to do so again.
    #[cold]
    fn check_all(&mut self) -> Result<(), Interrupted> {
        /// This many positions are visited in some ten microseconds.
        const UNCHECKED: u64 = 1024;
        if self.used > self.limits.positions {
            return Err(self.over(None));
        }
        self.check()?;
        self.unchecked = (self.used + UNCHECKED).min(self.limits.positions);
        Ok(())
    }

    /// A pace for loops that count nothing: checks clock and token once in 1024 times.
    pub(crate) fn pace(&self) -> Pace<'_> {
        Pace { work: self, steps: 0 }
    }
}

/// Work within [`Limits::DEFAULT`].
impl Default for Work {
    fn default() -> Self {
        Self::new(Limits::DEFAULT)
    }
}

/// Checks clock and token now and then.
pub(crate) struct Pace<'a> {
    work: &'a Work,
    steps: u32,
}

impl Pace<'_> {
    /// One step more.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Interrupted> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps % 1024 == 1 { self.work.check() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_limit_ends_the_counting() {
        let count = |mut work: Work| {
            (0..5000).find_map(|_| work.count().err()).and_then(Interrupted::limit)
        };
        let limits = Limits::new(5000);
        assert_eq!(count(Work::new(limits)), None);
        assert_eq!(count(Work::new(Limits::new(4999))), Some(Limit::Positions));
        let little = Work::new(limits.bytes(1000));
        assert_eq!(little.hold(1000), Ok(()));
        assert_eq!(little.hold(1001).unwrap_err().limit(), Some(Limit::Bytes));
        assert_eq!(count(Work::new(limits.time(Duration::ZERO))), Some(Limit::Time));
        let mut stopped = Work::new(limits).until(Arc::new(AtomicBool::new(true)));
        assert_eq!(stopped.count(), Err(Interrupted::Stopped));
    }

    #[test]
    fn a_child_shares_the_clock_and_the_token_and_counts_from_zero() {
        let mut first = Work::new(Limits::new(1));
        assert_eq!(first.count(), Ok(()));
        let mut second = first.child(first.limits());
        assert_eq!(second.count(), Ok(()));
        first.token().store(true, Ordering::Relaxed);
        assert_eq!(first.child(first.limits()).check(), Err(Interrupted::Stopped));
    }

    #[test]
    fn a_child_ends_no_later_than_the_work_that_it_is_part_of() {
        let (short, long) = (Duration::ZERO, Duration::from_hours(1));
        let late = |work: Work, time| work.child(Limits::new(1).time(time)).check();
        let over = |time: Duration| {
            let allowed = time.as_millis() as u64;
            Err(Interrupted::OverBudget { limit: Limit::Time, allowed, needed: None })
        };
        assert_eq!(late(Work::new(Limits::new(1).time(long)), short), over(short));
        assert_eq!(late(Work::new(Limits::new(1).time(short)), long), over(short));
        assert_eq!(late(Work::new(Limits::new(1)), long), Ok(()));
        let passed = Instant::now().checked_sub(long).unwrap();
        let work = Work::new(Limits::new(1).time(long)).since(passed);
        assert_eq!(work.child(work.limits()).check(), over(long));
    }
}

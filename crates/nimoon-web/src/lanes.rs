//! Who works when: a quick lane and a slow one.
//!
//! Every request is first tried in the quick lane, with a small budget and little time. Most are
//! answered there. The others go to the slow lane, where few requests run at the same time and a
//! bounded number waits; the server asks further ones to retry. So quick requests never wait for
//! slow ones.
//!
//! More is also needed where a turn was chosen by a measure since a search was too large for the
//! small budget: the answer should not depend on the lane. Where the slow lane has no place for it,
//! the quick answer stands; it is right too.
//!
//! A request that is out of time gets its answer at once. Its work is cancelled, and keeps its
//! place in the lane until it has stopped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use nimoon_session::{Answer, Error, ErrorKind, Wanted, Work};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};

use crate::settings::Limits;

/// What a request of the quick lane may take.
const QUICK_POSITIONS: u64 = 20_000;
const QUICK_TIME: Duration = Duration::from_millis(200);
/// How many quick requests are worked on for each processor at the same time, and how many may
/// wait.
const QUICK_EACH: usize = 2;
const QUICK_WAITING: usize = 1024;

const STOPPING: &str = "the server is stopping";

impl Limits {
    /// What is allowed for a request: what it wants, and no more than there is.
    fn within(&self, wanted: Wanted) -> (nimoon::Limits, Duration) {
        let positions = wanted.budget.map_or(self.positions, |budget| budget.min(self.positions));
        let bytes = wanted.memory.map_or(self.bytes, |memory| memory.min(self.bytes));
        let time = wanted.time.map_or(self.time, |time| time.min(self.time));
        (nimoon::Limits::new(positions).bytes(bytes), time)
    }
}

/// Who works when.
#[derive(Clone)]
pub(crate) struct Lanes {
    limits: Limits,
    quick: Arc<Semaphore>,
    slow: Arc<Semaphore>,
    quick_waiting: Arc<AtomicUsize>,
    slow_waiting: Arc<AtomicUsize>,
    stopped: watch::Sender<bool>,
}

/// One who waits, and is counted.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn new(count: &Arc<AtomicUsize>, most: usize) -> Option<Self> {
        let waiting = Self(Arc::clone(count));
        // Counted before it is compared, so that dropping it takes back what was added.
        (count.fetch_add(1, Ordering::Relaxed) < most).then_some(waiting)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Lanes {
    pub(crate) fn new(limits: Limits) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            limits,
            quick: Arc::new(Semaphore::new(processors * QUICK_EACH)),
            slow: Arc::new(Semaphore::new(limits.slow)),
            quick_waiting: Arc::default(),
            slow_waiting: Arc::default(),
            stopped: watch::Sender::new(false),
        }
    }

    /// Everything under way stops soon, and nothing begins.
    pub(crate) fn stop(&self) {
        self.stopped.send_replace(true);
        self.quick.close();
        self.slow.close();
    }

    /// Does the work of a request.
    pub(crate) async fn run(
        &self,
        slow: bool,
        wanted: Wanted,
        job: impl Fn(&Work) -> Result<Answer, Error> + Send + Sync + 'static,
    ) -> Result<Answer, Error> {
        let job = Arc::new(job);
        let mut known = None;
        let (most, time) = self.limits.within(wanted);
        if !slow {
            let quick = most.at_most(QUICK_POSITIONS);
            let quick_time = time.min(QUICK_TIME);
            let lane = (&self.quick, &self.quick_waiting, QUICK_WAITING);
            let tried = self.run_in(lane, quick, quick_time, Arc::clone(&job)).await;
            let needs_more = match &tried {
                Ok(answer) => answer.missing.is_some() || answer.note.is_some() || answer.unsettled,
                Err(failure) => matches!(failure.kind, ErrorKind::Budget | ErrorKind::Time),
            };
            let is_all = (quick.positions, quick_time) == (most.positions, time);
            if is_all || !needs_more {
                return tried;
            }
            known = tried.ok();
        }
        let lane = (&self.slow, &self.slow_waiting, self.limits.waiting + self.limits.slow);
        match (self.run_in(lane, most, time, job).await, known) {
            (Err(failure), Some(known))
                if matches!(failure.kind, ErrorKind::Busy | ErrorKind::Time) =>
            {
                Ok(known)
            }
            (answer, _) => answer,
        }
    }

    async fn run_in<J>(
        &self,
        (places, waiting, most): (&Arc<Semaphore>, &Arc<AtomicUsize>, usize),
        budget: nimoon::Limits,
        time: Duration,
        job: Arc<J>,
    ) -> Result<Answer, Error>
    where
        J: Fn(&Work) -> Result<Answer, Error> + Send + Sync + 'static,
    {
        let until = Instant::now() + time;
        let busy = |message: &str| Error::new(ErrorKind::Busy, message);
        let Some(waiting) = Waiting::new(waiting, most) else {
            return Err(busy("too many slow requests wait already: try again in a moment"));
        };
        let out_of_time = || {
            let seconds = time.as_secs_f64();
            let message = format!("no answer within the limit of {seconds} seconds");
            Error::new(ErrorKind::Time, message)
        };
        let place = timeout_at(until, Arc::clone(places).acquire_owned()).await;
        let Ok(place) = place else {
            return Err(busy("no slow request before this one has ended in time: try again"));
        };
        let place = place.map_err(|_| busy(STOPPING))?;
        let stop = Arc::new(AtomicBool::new(false));
        let left = until.saturating_duration_since(Instant::now());
        // What is known is worth an answer: the work ends a tenth before the time is over.
        let work = Work::new(budget.time(left.mul_f64(0.9))).until(Arc::clone(&stop));
        let stopping = StopOnDrop(stop);
        let working = tokio::task::spawn_blocking(move || {
            let done = catch_unwind(AssertUnwindSafe(|| job(&work)));
            drop((place, waiting));
            done.unwrap_or_else(|_| {
                let message = "nimoon failed: please report this with the request that caused it";
                Err(Error::new(ErrorKind::Bug, message))
            })
        });
        let mut stopped = self.stopped.subscribe();
        let answer = tokio::select! {
            done = timeout_at(until, working) => match done {
                Err(_) => Err(out_of_time()),
                Ok(done) => done.unwrap_or_else(|_| Err(busy(STOPPING))),
            },
            _ = stopped.wait_for(|stopped| *stopped) => Err(busy(STOPPING)),
        };
        drop(stopping);
        answer
    }
}

/// Cancels the work when it is out of time, and when the client has disconnected.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

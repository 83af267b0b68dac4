//! Who works when: a quick lane and a slow one.
//!
//! Every request is first tried in the quick lane, with a small budget and little time. Most are answered there.
//! What needs more goes to the slow lane, where few are worked on at the same time and a bounded number waits; the
//! others are told to come back. So quick requests never wait for slow ones.
//!
//! More is also needed where a turn was chosen by a measure since a search was too large for the small budget: the
//! answer should not depend on the lane. Where the slow lane has no place for it, the quick answer stands; it is right too.
//!
//! A request that is out of time gets its answer at once; its work is told to stop, and keeps its place in the
//! lane until it has stopped.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, header};
use axum::response::IntoResponse;
use nimoon::effort::Effort;
use nimoon::explore::Progress;
use nimoon::{Budget, Guide};
use serde::Serialize;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};

use crate::api::Wanted;
use crate::failure::{Failure, Kind};
use crate::settings::Limits;

/// What a request of the quick lane may take.
const QUICK_POSITIONS: u64 = 20_000;
const QUICK_TIME: Duration = Duration::from_millis(200);
/// How many quick requests are worked on for each processor at the same time, and how many may wait.
const QUICK_EACH: usize = 2;
const QUICK_WAITING: usize = 1024;

const STOPPING: &str = "the server is stopping";

/// How much a piece of work may do.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    budget: Budget,
    stop: Arc<AtomicBool>,
    /// When to come to an end, if what is known is worth telling: a tenth before the time is over.
    late: Instant,
}

impl Allowance {
    /// What is allowed, without the token: for those who are told when to stop.
    pub(crate) fn budget(&self) -> Budget {
        Budget { time: None, ..self.budget }
    }

    /// What tells answers apart that were given under other limits.
    pub(crate) fn key(&self) -> String {
        format!("{} {}", self.budget.positions, self.budget.bytes)
    }

    /// The flag that is set when the time is over.
    pub(crate) fn token(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// What may be done, until it is time to tell what is known.
    pub(crate) fn effort(&self) -> Effort {
        let effort = Effort::from(self.budget).until(Arc::clone(&self.stop));
        let since = self.budget.time.and_then(|time| self.late.into_std().checked_sub(time));
        since.map_or(effort.clone(), |since| effort.since(since))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether it is time to tell what is known.
    pub(crate) fn is_late(&self) -> bool {
        self.is_over() || Instant::now() >= self.late
    }

    /// For those who explore.
    pub(crate) fn watch(&self) -> impl FnMut(Progress) -> ControlFlow<()> + '_ {
        |_| if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Limits {
    /// What is allowed for a request: what it wants, and no more than there is.
    fn within(&self, wanted: Wanted) -> (Budget, Duration) {
        let positions = wanted.budget.map_or(self.positions, |budget| budget.min(self.positions));
        let bytes = wanted.memory.map_or(self.bytes, |memory| memory.min(self.bytes));
        let time = wanted.time.map_or(self.time, |time| time.min(self.time));
        (Budget::new(positions).bytes(bytes), time)
    }
}

/// What a request is answered with.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) content_type: &'static str,
    pub(crate) body: Vec<u8>,
    /// What is missing since a budget was hit.
    pub(crate) budget: Option<String>,
    /// Whether a larger budget would choose another turn, and so answer as the command line does.
    pub(crate) unsettled: bool,
}

impl Answer {
    pub(crate) fn json(value: &impl Serialize) -> Result<Self, Failure> {
        let body = serde_json::to_vec(value);
        let body = body.map_err(|error| Failure::new(Kind::Bug, error.to_string()))?;
        Ok(Self { content_type: "application/json", body, budget: None, unsettled: false })
    }

    pub(crate) fn text(content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { content_type, body: body.into(), budget: None, unsettled: false }
    }

    /// An answer whose turn was chosen by this.
    #[must_use]
    pub(crate) fn by(self, guide: Option<Guide>) -> Self {
        Self { unsettled: guide == Some(Guide::Measure), ..self }
    }

    #[must_use]
    pub(crate) fn short_of(self, budget: Option<String>) -> Self {
        Self { budget, ..self }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.body));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(message) = self.budget {
            // A header holds visible ASCII alone; messages are, but names in them may not be.
            let plain = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
            let message: String = message.chars().map(plain).collect();
            if let Ok(message) = HeaderValue::from_str(&message) {
                headers.insert(HeaderName::from_static("nimoon-budget"), message);
            }
        }
        response
    }
}

/// Whether a request may be quick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// It is tried.
    Quick,
    /// It is known to be slow.
    Slow,
}

#[derive(Clone)]
pub(crate) struct Work {
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

impl Work {
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
        lane: Lane,
        wanted: Wanted,
        job: impl Fn(&Allowance) -> Result<Answer, Failure> + Send + Sync + 'static,
    ) -> Result<Answer, Failure> {
        let job = Arc::new(job);
        let mut known = None;
        let (most, time) = self.limits.within(wanted);
        if lane == Lane::Quick {
            let quick = Budget { positions: most.positions.min(QUICK_POSITIONS), ..most };
            let quick_time = time.min(QUICK_TIME);
            let lane = (&self.quick, &self.quick_waiting, QUICK_WAITING);
            let tried = self.run_in(lane, quick, quick_time, Arc::clone(&job)).await;
            let needs_more = match &tried {
                Ok(answer) => answer.budget.is_some() || answer.unsettled,
                Err(failure) => matches!(failure.kind, Kind::Budget | Kind::Time),
            };
            let is_all = (quick.positions, quick_time) == (most.positions, time);
            if is_all || !needs_more {
                return tried;
            }
            known = tried.ok();
        }
        let lane = (&self.slow, &self.slow_waiting, self.limits.waiting + self.limits.slow);
        match (self.run_in(lane, most, time, job).await, known) {
            (Err(failure), Some(known)) if matches!(failure.kind, Kind::Busy | Kind::Time) => {
                Ok(known)
            }
            (answer, _) => answer,
        }
    }

    async fn run_in<J>(
        &self,
        (places, waiting, most): (&Arc<Semaphore>, &Arc<AtomicUsize>, usize),
        budget: Budget,
        time: Duration,
        job: Arc<J>,
    ) -> Result<Answer, Failure>
    where
        J: Fn(&Allowance) -> Result<Answer, Failure> + Send + Sync + 'static,
    {
        let until = Instant::now() + time;
        let busy = |message: &str| Failure::new(Kind::Busy, message);
        let Some(waiting) = Waiting::new(waiting, most) else {
            return Err(busy("too many slow requests wait already: try again in a moment"));
        };
        let out_of_time = || {
            let seconds = time.as_secs_f64();
            let message = format!("no answer within {seconds} seconds, which is the limit");
            Failure::new(Kind::Time, message)
        };
        let place = timeout_at(until, Arc::clone(places).acquire_owned()).await;
        let Ok(place) = place else {
            return Err(busy("no slow request before this one has ended in time: try again"));
        };
        let place = place.map_err(|_| busy(STOPPING))?;
        let stop = Arc::new(AtomicBool::new(false));
        let left = until.saturating_duration_since(Instant::now());
        let late = Instant::now() + left.mul_f64(0.9);
        let allowance = Allowance { budget: budget.time(time), stop: Arc::clone(&stop), late };
        let stopping = StopOnDrop(stop);
        let working = tokio::task::spawn_blocking(move || {
            let done = catch_unwind(AssertUnwindSafe(|| job(&allowance)));
            drop((place, waiting));
            done.unwrap_or_else(|_| {
                let message = "nimoon failed: please report this with the request that caused it";
                Err(Failure::new(Kind::Bug, message))
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

/// Tells the work to stop: when it is out of time, and when the one who asked went away.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

//! Long work: without the lock of the interpreter, with Ctrl-C and progress.
//!
//! The work is done by a thread of its own, while the thread of the caller waits, looks for signals and tells the
//! progress. So other threads of Python run on, and Ctrl-C is answered at once: it sets the token of the work under
//! which the work is done, and the thread ends soon after. Rulesets that are written in Python are called in the
//! thread of the caller, where their author expects it.
//!
//! The engine shares its work among the threads of the rayon pool in which it is called. A process that was forked has
//! a copy of the global pool but none of its threads, and would wait for them for ever. So it never uses that pool: each
//! call makes a pool of one thread, and takes no lock that another thread may have held at the fork.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use nimoon::{Progress, Work};
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::failure::Failure;

/// How long the caller waits before it looks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Forms and games may be deep, and the default stack of a thread is small.
const STACK: usize = 64 << 20;

/// How many forks lie between the process that loaded the library and this one.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Counts a fork; the interpreter calls it in the child.
#[pyfunction]
pub(crate) fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// How many forks there were: what was made at another number comes from another process.
pub(crate) fn forks() -> u32 {
    FORKS.load(Ordering::Relaxed)
}

/// Starts a thread that does the work, outside the global pool if that has no threads.
fn start(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let started = if forks() == 0 {
        thread::Builder::new().stack_size(STACK).spawn(work).map(|_| ()).map_err(|e| e.to_string())
    } else {
        let pool = ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build();
        pool.map(|pool| pool.spawn(work)).map_err(|error| error.to_string())
    };
    started.map_err(|error| Failure::bug(format!("cannot start a thread: {error}")))
}

/// Takes the thread of the caller out of the global pool, if that has no threads.
fn leave_global_pool() -> Result<(), Failure> {
    if forks() == 0 || rayon::current_thread_index().is_some() {
        return Ok(());
    }
    // The thread stays in its pool when this one is dropped.
    let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    pool.map(|_| ()).map_err(|error| Failure::bug(format!("cannot make a pool: {error}")))
}

/// How much a call may do: positions, bytes unless the usual number, seconds if there is an end to them.
pub(crate) type Limits = (u64, Option<u64>, Option<f64>);

/// The same as the library takes it.
pub(crate) fn allowed((positions, bytes, time): Limits) -> nimoon::Limits {
    let budget = nimoon::Limits::new(positions);
    let budget = bytes.map_or(budget, |bytes| budget.bytes(bytes));
    // A time that no clock can tell is none.
    let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.map_or(budget, |time| budget.time(time))
}

/// The same work; with the quickest turn, wherever a search for it is within the limits.
pub(crate) fn choosing(quickest: bool, work: Work) -> Work {
    if quickest { work.child(work.limits().quickest()) } else { work }
}

/// What the work and who waits for it tell each other.
#[derive(Clone, Default)]
pub(crate) struct Watch(Arc<Shared>);

#[derive(Default)]
struct Shared {
    stop: Arc<AtomicBool>,
    /// Whether somebody would like to know how far the work is.
    asked: AtomicBool,
    told: Mutex<Option<String>>,
    /// Where the work is done by the thread of the caller, which looks for signals itself.
    here: Option<Here>,
}

/// The caller, now and then.
struct Here {
    progress: Option<Py<PyAny>>,
    looked: Mutex<Instant>,
    raised: Mutex<Option<PyErr>>,
}

impl Here {
    /// Looks for signals and tells the progress, if it is time.
    fn look(&self, stop: &AtomicBool, words: impl FnOnce() -> String) {
        let Ok(mut looked) = self.looked.lock() else { return };
        if looked.elapsed() < LOOK {
            return;
        }
        *looked = Instant::now();
        let done = Python::attach(|py| {
            py.check_signals()?;
            self.progress.as_ref().map_or(Ok(()), |tell| tell.call1(py, (words(),)).map(|_| ()))
        });
        if let Err(error) = done {
            stop.store(true, Ordering::Relaxed);
            if let Ok(mut raised) = self.raised.lock() {
                raised.get_or_insert(error);
            }
        }
    }
}

impl Watch {
    /// The flag that says so.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.stop)
    }

    /// What may be done, until somebody asks to stop; the clock starts now.
    pub(crate) fn work(&self, limits: Limits) -> Work {
        let watch = self.clone();
        Work::new(allowed(limits)).until(Arc::clone(&self.0.stop)).on_progress(move |progress| {
            if !matches!(progress, Progress::Working | Progress::Reading { .. }) {
                watch.tell(|| words(progress));
            }
        })
    }

    /// Tells how far the work is, if somebody would like to know.
    pub(crate) fn tell(&self, words: impl FnOnce() -> String) {
        if let Some(here) = &self.0.here {
            return here.look(&self.0.stop, words);
        }
        if self.0.asked.swap(false, Ordering::Relaxed)
            && let Ok(mut told) = self.0.told.lock()
        {
            *told = Some(words());
        }
    }

    fn ask(&self) -> Option<String> {
        self.0.asked.store(true, Ordering::Relaxed);
        self.0.told.lock().ok()?.take()
    }
}

/// How far work is, in words.
fn words(progress: Progress) -> String {
    match progress {
        Progress::Searching { visited, .. } => format!("searching: {visited} positions"),
        Progress::Exploring { expanded, met, options } => {
            format!("exploring: {expanded} of {met} positions, {options} options")
        }
        Progress::Labelling { level, assigned, nodes, .. } => {
            format!("labelling: level {level}; {assigned} of {nodes} nodes")
        }
        Progress::Auditing { digraphs, of, wrong_digraphs } => {
            let of = of.map_or_else(String::new, |of| format!(" of {of}"));
            format!("{digraphs}{of} digraphs, {wrong_digraphs} wrong")
        }
        Progress::Heaps { known } => format!("{known} heaps"),
        _ => String::new(),
    }
}

/// Does the work in a thread of its own. `progress` is called with a line of text now and then, unless it is None.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let watch = Watch::default();
    let (sender, mut receiver) = channel();
    let theirs = watch.clone();
    let forks_before = forks();
    start(move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(&theirs)));
        // A caller that was interrupted no longer waits.
        let _ = sender.send(done);
    })?;
    loop {
        let waiting = &mut receiver;
        match py.detach(move || waiting.recv_timeout(LOOK)) {
            Ok(Ok(done)) => return Ok(done?),
            Ok(Err(panic)) => return Err(panicked(panic.as_ref()).into()),
            Err(RecvTimeoutError::Disconnected) => return Err(panicked(&()).into()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let told = watch.ask().and_then(|words| Some(progress?.call1((words,)).map(|_| ())));
        if let Err(interrupt) = py.check_signals().and(told.unwrap_or(Ok(()))) {
            watch.0.stop.store(true, Ordering::Relaxed);
            return Err(interrupt);
        }
        if forks() != forks_before {
            let message =
                "the process was forked during this call: only the parent gets the answer";
            return Err(Failure::bug(message).into());
        }
    }
}

/// Does the work in the thread of the caller, which calls Python itself.
pub(crate) fn run_here<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let here = Here {
        progress: progress.map(|progress| progress.clone().unbind()),
        looked: Mutex::new(Instant::now()),
        raised: Mutex::default(),
    };
    leave_global_pool()?;
    let watch = Watch(Arc::new(Shared { here: Some(here), ..Shared::default() }));
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(&watch))));
    let raised = watch.0.here.as_ref().and_then(|here| here.raised.lock().ok()?.take());
    if let Some(error) = raised {
        return Err(error);
    }
    Ok(done.map_err(|panic| panicked(panic.as_ref()))??)
}

fn panicked(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Failure::bug(format!("this is a bug, please report it with what was asked: {text}"))
}

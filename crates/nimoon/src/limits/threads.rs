//! Threads: no more than the rayon pool has in which a function is called, and none on a target
//! without any.
//!
//! There [`count`] is 1, and all work is done by the current thread, so the same code runs
//! everywhere.

use std::panic::resume_unwind;
use std::thread;

/// Whether the target has threads.
const AVAILABLE: bool = cfg!(not(target_family = "wasm"));

/// How many threads may work at a time, the current one included.
pub fn count() -> usize {
    rayon::current_num_threads()
}

/// Does the work on every piece, each in a thread of its own, and returns the results in order.
///
/// ```
/// use nimoon::limits::threads::side_by_side;
/// assert_eq!(side_by_side([1, 2, 3].chunks(2), |piece| piece.len()), [2, 1]);
/// ```
pub fn side_by_side<P: Send, T: Send>(
    pieces: impl Iterator<Item = P>,
    work: impl Fn(P) -> T + Sync,
) -> Vec<T> {
    if !AVAILABLE {
        return pieces.map(work).collect();
    }
    let work = &work;
    thread::scope(|scope| {
        let workers: Vec<_> = pieces.map(|piece| scope.spawn(move || work(piece))).collect();
        let results = workers.into_iter().map(thread::ScopedJoinHandle::join);
        results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Does work that can be helped. Each call of what `lead` is given starts a thread that helps,
/// where there are threads; the work is over when `lead` and all helpers have ended.
///
/// ```
/// use std::sync::Mutex;
/// use nimoon::limits::threads::helped;
///
/// let tasks = Mutex::new((1..=100).collect::<Vec<u64>>());
/// let sum = Mutex::new(0);
/// let take = || tasks.lock().unwrap().pop();
/// let work = || while let Some(task) = take() { *sum.lock().unwrap() += task };
/// helped(work, |call| {
///     call();
///     work();
/// });
/// assert_eq!(sum.into_inner().unwrap(), 5050);
/// ```
pub fn helped<T>(help: impl Fn() + Sync, lead: impl FnOnce(&dyn Fn()) -> T) -> T {
    let help = &help;
    thread::scope(|scope| {
        lead(&|| {
            if AVAILABLE {
                scope.spawn(help);
            }
        })
    })
}

//! Large texts of lines: cut into chunks that several threads scan, and taken in order.
//!
//! What takes time in a large file is to find the words and to look the names up. Finding words
//! needs nothing but the text, so that any thread may do it for any chunk; nodes are numbered by
//! first mention, so that names are looked up by one thread, in the order of the file. Errors come
//! in that order too: the first one of the file is the one that is reported, as if there were no
//! chunks.
//!
//! A line belongs to the chunk in which it starts. Only some chunks are scanned ahead of the one
//! whose turn it is, so that memory does not grow with the file.
//!
//! Lines that are anything but two words are only noted by the scan, and read in their turn by the
//! plain reader of lines. So nodes, arcs and the first error are those of a reader that knows
//! nothing of chunks; a test compares with one, for chunks down to a byte, on valid and on wrong
//! files.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use nimoon::limits::threads;

/// How a text is cut, and how many threads work on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// A chunk ends with the line that has this many bytes of the chunk before its end.
    pub(super) size: usize,
    /// The threads, this one included.
    pub(super) threads: usize,
}

/// Small enough for the caches of a processor, large enough that taking one costs nothing.
const SIZE: usize = 1 << 17;

/// More threads would wait for the one that looks names up.
const MOST_THREADS: usize = 4;

impl Cut {
    /// The best for a text of this many bytes. Readers have threads of their own, but no more than
    /// the rayon pool has, whose number is that of the program.
    pub(super) fn for_text_of(bytes: usize) -> Self {
        let threads = if bytes < 4 * SIZE { 1 } else { threads::count().min(MOST_THREADS) };
        Self { size: SIZE, threads }
    }
}

/// Scans the chunks of a text, and gives what was found to `take`, in the order of the text, up to
/// the first error.
pub(super) fn in_order<T: Send, E>(
    text: &str,
    cut: Cut,
    scan: impl Fn(Range<usize>) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let queue = Queue::new(text, cut);
    if cut.threads <= 1 {
        let mut state = queue.state();
        while let Some((_, chunk)) = queue.claim(&mut state) {
            take(scan(chunk))?;
            state.scanned.pop_front();
            state.taken += 1;
        }
        return Ok(());
    }
    threads::helped(
        || queue.work(&scan),
        |call_help| {
            for _ in 1..cut.threads {
                call_help();
            }
            let _stops = Stops(&queue);
            loop {
                match queue.next() {
                    Next::Scanned(scanned) => take(scanned)?,
                    Next::Scan(number, chunk) => queue.put(number, scan(chunk)),
                    Next::Nothing => return Ok(()),
                }
            }
        },
    )
}

/// Chunks that are to be scanned, and those that are scanned and wait for their turn.
struct Queue<'a, T> {
    text: &'a str,
    cut: Cut,
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    /// Where the next chunk starts.
    place: usize,
    /// How many chunks were given to scan.
    claimed: usize,
    /// How many chunks were taken.
    taken: usize,
    /// What the chunks after those hold, where it is known.
    scanned: VecDeque<Option<T>>,
    /// No more names are needed.
    stopped: bool,
}

enum Next<T> {
    Scanned(T),
    Scan(usize, Range<usize>),
    Nothing,
}

/// Stops the other threads when one ends, for whatever reason.
struct Stops<'q, 'a, T>(&'q Queue<'a, T>);

impl<T> Drop for Stops<'_, '_, T> {
    fn drop(&mut self) {
        self.0.state().stopped = true;
        self.0.changed.notify_all();
    }
}

impl<'a, T> Queue<'a, T> {
    fn new(text: &'a str, cut: Cut) -> Self {
        let state =
            State { place: 0, claimed: 0, taken: 0, scanned: VecDeque::new(), stopped: false };
        Self { text, cut, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State<T>>) -> MutexGuard<'g, State<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// The next chunk to scan, if there is one and it is not too far ahead.
    fn claim(&self, state: &mut State<T>) -> Option<(usize, Range<usize>)> {
        let ahead = state.claimed - state.taken;
        if state.place == self.text.len() || ahead >= 2 * self.cut.threads {
            return None;
        }
        let start = state.place;
        // The last byte of the chunk, or the first line end after it.
        let last = start.saturating_add(self.cut.size.max(1) - 1);
        let rest = self.text.as_bytes().get(last..).unwrap_or_default();
        state.place = memchr::memchr(b'\n', rest).map_or(self.text.len(), |end| last + end + 1);
        state.claimed += 1;
        state.scanned.push_back(None);
        Some((state.claimed - 1, start..state.place))
    }

    /// Scans chunks as long as there are any.
    fn work(&self, scan: &impl Fn(Range<usize>) -> T) {
        let mut scanning = ScanningThread { queue: self, ended: false };
        let mut state = self.state();
        while !state.stopped && (state.place < self.text.len()) {
            match self.claim(&mut state) {
                None => state = self.wait(state),
                Some((number, chunk)) => {
                    drop(state);
                    self.put(number, scan(chunk));
                    state = self.state();
                }
            }
        }
        scanning.ended = true;
    }

    fn put(&self, number: usize, scanned: T) {
        let mut state = self.state();
        let place = number - state.taken;
        state.scanned[place] = Some(scanned);
        drop(state);
        self.changed.notify_all();
    }

    /// What the thread that takes chunks does next: it takes one, or scans one rather than wait.
    fn next(&self) -> Next<T> {
        let mut state = self.state();
        loop {
            if state.stopped {
                return Next::Nothing;
            }
            if let Some(scanned) = state.scanned.front_mut().and_then(Option::take) {
                state.scanned.pop_front();
                state.taken += 1;
                drop(state);
                self.changed.notify_all();
                return Next::Scanned(scanned);
            }
            if let Some((number, chunk)) = self.claim(&mut state) {
                return Next::Scan(number, chunk);
            }
            if state.scanned.is_empty() {
                return Next::Nothing;
            }
            state = self.wait(state);
        }
    }
}

/// A thread that ends early, which is a mistake in `scan`, must not be waited for.
struct ScanningThread<'q, 'a, T> {
    queue: &'q Queue<'a, T>,
    ended: bool,
}

impl<T> Drop for ScanningThread<'_, '_, T> {
    fn drop(&mut self) {
        if !self.ended {
            drop(Stops(self.queue));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(text: &str, size: usize, threads: usize) -> Vec<String> {
        let mut taken = Vec::new();
        let scan = |chunk: Range<usize>| text[chunk].to_owned();
        let take = |chunk| {
            taken.push(chunk);
            Ok::<(), ()>(())
        };
        in_order(text, Cut { size, threads }, scan, take).unwrap();
        taken
    }

    /// The numbers below this, one a line.
    fn lines(count: u32) -> String {
        (0..count).flat_map(|i| [i.to_string(), "\n".to_owned()]).collect()
    }

    #[test]
    fn chunks_are_whole_lines_in_their_order() {
        let text = "a\nbc\n\ndefgh\ni";
        assert_eq!(chunks(text, 1, 1), ["a\n", "bc\n", "\n", "defgh\n", "i"]);
        assert_eq!(chunks(text, 3, 1), ["a\nbc\n", "\ndefgh\n", "i"]);
        assert!(chunks("", 3, 2).is_empty());
        let long = lines(500);
        for (size, threads) in [(1, 2), (7, 3), (100, 2), (1 << 20, 4)] {
            let taken = chunks(&long, size, threads);
            assert_eq!(taken.concat(), long);
            assert_eq!(taken, chunks(&long, size, 1));
        }
    }

    #[test]
    fn there_are_no_more_threads_than_the_pool_has() {
        for (threads, expected) in [(1, 1), (3, 3), (9, MOST_THREADS)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let cut = pool.install(|| Cut::for_text_of(1 << 30));
            assert_eq!(cut.threads, expected);
            assert_eq!(pool.install(|| Cut::for_text_of(1000).threads), 1);
        }
    }

    #[test]
    fn the_first_error_in_the_order_of_the_text_ends_it() {
        let text = lines(300);
        for threads in 1..4 {
            let scan = |chunk: Range<usize>| text[chunk].trim().parse::<u32>().unwrap();
            let mut taken = 0;
            let take = |number| {
                taken += 1;
                if number >= 17 { Err(number) } else { Ok(()) }
            };
            assert_eq!(in_order(&text, Cut { size: 1, threads }, scan, take), Err(17));
            assert_eq!(taken, 18);
        }
    }

    #[test]
    fn a_thread_that_fails_is_not_waited_for() {
        let text = lines(300);
        let found = std::panic::catch_unwind(|| {
            let scan = |chunk: Range<usize>| {
                assert!(&text[chunk] != "150\n", "as intended");
            };
            in_order(&text, Cut { size: 1, threads: 3 }, scan, Ok::<(), ()>)
        });
        assert!(found.is_err());
    }
}

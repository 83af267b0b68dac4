//! Tables: the token comes from who waits for them, the clock from the budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nimoon::limits::{Interrupted, Limit, Limits, Progress, Work};
use nimoon_session::expression::NoLibrary;
use nimoon_session::table::{Request, Table};

/// Ends a table when it was heard of so often.
#[derive(Default)]
struct Ends {
    reply: AtomicU32,
    at: u32,
    /// The token, where that is what ends it.
    token: Option<Arc<AtomicBool>>,
    /// When the time is over, where that is what ends it.
    late: Option<Instant>,
}

impl Ends {
    fn tell(&self) {
        if self.reply.fetch_add(1, Ordering::Relaxed) + 1 != self.at {
            return;
        }
        if let Some(token) = self.token.clone() {
            thread::spawn(move || token.store(true, Ordering::Relaxed)).join().unwrap();
        }
        if let Some(late) = self.late {
            thread::sleep(late.saturating_duration_since(Instant::now()));
        }
    }
}

/// Heaps with values one after the other, rows with a search, and rows that are explored.
const TABLES: [(&str, &str); 5] = [
    ("octal[0.007]", "0..200000"),
    ("hexadecimal[0.8F3C]", "0..20000"),
    ("top-entails", "0..1000000"),
    ("nimstring:4x{}", "4..5"),
    ("wythoff:3000,{}", "2000..3000"),
];

/// How a table ends, and how often was heard of it.
fn table(pattern: &str, range: &str, limits: Limits, ends: Ends) -> (Table, u32) {
    let (pattern, range) = (pattern.parse().unwrap(), range.parse().unwrap());
    let plan = Request { pattern, range, theory: None }.plan(&mut NoLibrary, limits).unwrap();
    let nothing = plan.nothing();
    let (token, ends) = (ends.token.clone().unwrap_or_default(), Arc::new(ends));
    let heard = Arc::clone(&ends);
    let work = Work::new(limits).until(token).on_progress(move |progress| {
        if matches!(progress, Progress::Exploring { .. } | Progress::Searching { .. }) {
            heard.tell();
        }
    });
    let found = plan.run(nothing, &mut NoLibrary, &work, &mut |_| ends.tell()).unwrap();
    (found, ends.reply.load(Ordering::Relaxed))
}

#[test]
fn a_token_ends_a_table_within_a_row() {
    for (pattern, range) in TABLES {
        for at in [1, 4] {
            let token = Some(Arc::new(AtomicBool::new(false)));
            let ends = Ends { at, token, ..Ends::default() };
            let (found, reply) = table(pattern, range, Limits::new(u64::MAX), ends);
            assert_eq!(found.interrupted, Some(Interrupted::Stopped), "{pattern}");
            // The clock is checked after 64 heaps.
            assert!((at..at + 65).contains(&reply), "{pattern}: {reply} of {at}");
        }
    }
}

#[test]
fn a_clock_ends_a_table_within_a_row() {
    for (pattern, range) in TABLES {
        let mut time = Duration::from_millis(100);
        loop {
            let late = Some(Instant::now() + 2 * time);
            let ends = Ends { at: 4, late, ..Ends::default() };
            let (found, reply) = table(pattern, range, Limits::new(u64::MAX).time(time), ends);
            let limit = found.interrupted.and_then(Interrupted::limit);
            assert_eq!(limit, Some(Limit::Time), "{pattern}");
            if reply >= 4 {
                break;
            }
            assert!(time < Duration::from_secs(20), "{pattern}: reply {reply} times");
            time *= 4;
        }
    }
}

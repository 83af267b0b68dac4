//! Tables: the token comes from who waits for them, the clock from the budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nimoon::Budget;
use nimoon::effort::{Interrupted, Limit};
use nimoon::explore::Progress;
use nimoon_formats::sequence::KnownRows;
use nimoon_rulesets::expression::NoLibrary;
use nimoon_rulesets::table::{Request, Table, Watcher};

/// Ends a table when it has been told so often how far it is.
struct Ends {
    told: u32,
    at: u32,
    /// The token, where that is what ends it.
    token: Option<Arc<AtomicBool>>,
    /// When the time is over, where that is what ends it.
    late: Option<Instant>,
}

impl Ends {
    fn tell(&mut self) {
        self.told += 1;
        if self.told != self.at {
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

impl Watcher for Ends {
    fn rows(&mut self, _known: KnownRows<'_>) {
        self.tell();
    }

    fn exploring(&mut self, _progress: Progress) {
        self.tell();
    }

    fn token(&self) -> Option<Arc<AtomicBool>> {
        self.token.clone()
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

fn table(pattern: &str, range: &str, budget: Budget, ends: &mut Ends) -> Table {
    let (pattern, range) = (pattern.parse().unwrap(), range.parse().unwrap());
    let plan = Request { pattern, range, theory: None, budget }.plan(&mut NoLibrary).unwrap();
    let nothing = plan.nothing();
    plan.run(nothing, &mut NoLibrary, ends).unwrap()
}

#[test]
fn a_token_ends_a_table_within_a_row() {
    for (pattern, range) in TABLES {
        for at in [1, 4] {
            let token = Some(Arc::new(AtomicBool::new(false)));
            let mut ends = Ends { told: 0, at, token, late: None };
            let found = table(pattern, range, Budget::new(u64::MAX), &mut ends);
            assert_eq!(found.interrupted, Some(Interrupted::Stopped), "{pattern}");
            // The clock is looked at after 64 heaps.
            assert!((at..at + 65).contains(&ends.told), "{pattern}: {} of {at}", ends.told);
        }
    }
}

#[test]
fn a_clock_ends_a_table_within_a_row() {
    for (pattern, range) in TABLES {
        let mut time = Duration::from_millis(100);
        loop {
            let late = Some(Instant::now() + 2 * time);
            let mut ends = Ends { told: 0, at: 4, token: None, late };
            let found = table(pattern, range, Budget::new(u64::MAX).time(time), &mut ends);
            let limit = found.interrupted.and_then(Interrupted::limit);
            assert_eq!(limit, Some(Limit::Time), "{pattern}");
            if ends.told >= 4 {
                break;
            }
            assert!(time < Duration::from_secs(20), "{pattern}: told {} times", ends.told);
            time *= 4;
        }
    }
}

//! How often the clock is looked at between heaps.

use std::time::{Duration, Instant};

/// Tells when to look at the clock: after every 64 heaps, and more often where these take long.
pub(crate) struct HeapPace {
    looked: Instant,
    /// How many heaps were passed since.
    passed: usize,
    /// How many may be.
    most: usize,
}

impl HeapPace {
    /// The clock is slower than many heaps.
    const MOST: usize = 64;
    /// A look in this time is often enough.
    const OFTEN: Duration = Duration::from_millis(5);

    pub(crate) fn new() -> Self {
        Self { looked: Instant::now(), passed: 0, most: 1 }
    }

    /// Passes a heap, and tells whether to look.
    pub(crate) fn is_due(&mut self) -> bool {
        self.passed += 1;
        if self.passed < self.most {
            return false;
        }
        let took = self.looked.elapsed();
        let most = if took > Self::OFTEN { self.most / 2 } else { 2 * self.most };
        self.most = most.clamp(1, Self::MOST);
        self.passed = 0;
        self.looked += took;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_heaps_are_looked_at_one_by_one() {
        let mut pace = HeapPace { most: 4, ..HeapPace::new() };
        let due = (0..9).map(|_| {
            std::thread::sleep(HeapPace::OFTEN + Duration::from_millis(1));
            pace.is_due()
        });
        let due: Vec<bool> = due.collect();
        assert_eq!(due, [false, false, false, true, false, true, true, true, true]);
    }

    #[test]
    fn quick_heaps_are_not_looked_at_each() {
        let mut pace = HeapPace { most: 64, ..HeapPace::new() };
        assert!((0..640).filter(|_| pace.is_due()).count() < 320);
    }
}

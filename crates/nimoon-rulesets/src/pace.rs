//! How often the clock is checked between heaps.

use std::time::Duration;

use nimoon::limits::clock::Instant;

/// Decides when to check the clock: after every 64 heaps, and more often where these take long.
#[derive(Debug)]
pub struct HeapPace {
    checked: Instant,
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

    /// Begins to count now.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self { checked: Instant::now(), passed: 0, most: 1 }
    }

    /// Counts a heap, and returns whether to check the clock.
    pub fn is_due(&mut self) -> bool {
        self.passed += 1;
        if self.passed < self.most {
            return false;
        }
        let took = self.checked.elapsed();
        let most = if took > Self::OFTEN { self.most / 2 } else { 2 * self.most };
        self.most = most.clamp(1, Self::MOST);
        self.passed = 0;
        self.checked += took;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_checked_after_each_slow_heap() {
        let mut pace = HeapPace { most: 4, ..HeapPace::new() };
        let due = (0..9).map(|_| {
            std::thread::sleep(HeapPace::OFTEN + Duration::from_millis(1));
            pace.is_due()
        });
        let due: Vec<bool> = due.collect();
        assert_eq!(due, [false, false, false, true, false, true, true, true, true]);
    }

    #[test]
    fn the_clock_is_not_checked_after_each_quick_heap() {
        let mut pace = HeapPace { most: 64, ..HeapPace::new() };
        assert!((0..640).filter(|_| pace.is_due()).count() < 320);
    }
}

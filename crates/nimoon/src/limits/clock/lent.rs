//! A clock that the embedder lends once.

use std::ops::{Add, AddAssign};
use std::sync::OnceLock;
use std::time::Duration;

static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Lends a clock: the time since some fixed moment. Only the first one is taken.
pub fn lend(clock: fn() -> Duration) {
    CLOCK.get_or_init(|| clock);
}

/// A moment on the clock that was lent, with the methods of [`std::time::Instant`] that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// This moment.
    pub fn now() -> Self {
        Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
    }

    /// The time that has passed since this moment.
    pub fn elapsed(&self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }

    /// The moment so much later, if the clock can represent it.
    pub fn checked_add(&self, time: Duration) -> Option<Self> {
        self.0.checked_add(time).map(Self)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, time: Duration) {
        self.0 += time;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn time_passes_as_the_lent_clock_says() {
        static SECONDS: AtomicU64 = AtomicU64::new(0);
        let start = Instant::now();
        assert_eq!(start.elapsed(), Duration::ZERO);
        lend(|| Duration::from_secs(SECONDS.load(Ordering::Relaxed)));
        lend(|| Duration::from_secs(99));
        SECONDS.store(3, Ordering::Relaxed);
        assert_eq!(start.elapsed(), Duration::from_secs(3));
        let mut later = start + Duration::from_secs(2);
        assert!(start < later && later < Instant::now());
        later += Duration::from_secs(1);
        assert_eq!(later, Instant::now());
        assert_eq!(start.checked_add(Duration::MAX).map(|end| end > later), Some(true));
        assert_eq!(later.checked_add(Duration::MAX), None);
    }
}

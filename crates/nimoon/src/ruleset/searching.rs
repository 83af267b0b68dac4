//! Values by a search of the ruleset's own, within a budget.

use std::ops::ControlFlow;

use crate::effort::{Effort, Interrupted};
use crate::value::EntailingValue;

/// What a search of a ruleset's own has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The value.
    Value(EntailingValue),
    /// The value is not the nimber that was asked for.
    Another,
}

/// How far such a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchProgress {
    /// Positions that were looked at.
    pub looked_at: u64,
    /// Positions that are kept in memory.
    pub kept: u64,
    /// How much of the memory that the search may take is full, in percent.
    pub filled: u8,
    /// How many questions were asked before the one that is asked now: a value is found by several.
    pub question: u32,
    /// How much of this question is answered, in thousandths: a guess.
    pub answered: u16,
}

/// How much such a search may do, and who is told how far it is.
///
/// ```
/// use std::ops::ControlFlow;
/// use nimoon::effort::Interrupted;
/// use nimoon::ruleset::{SearchProgress, Searching};
///
/// let mut watch = |_| ControlFlow::Continue(());
/// let mut searching = Searching::new(100, &mut watch);
/// let more = SearchProgress { looked_at: 60, ..SearchProgress::default() };
/// assert_eq!(searching.count(more), Ok(()));
/// assert_eq!(searching.count(more), Err(Interrupted::positions(100)));
/// ```
pub struct Searching<'a> {
    effort: Effort,
    used: u64,
    watch: &'a mut dyn FnMut(SearchProgress) -> ControlFlow<()>,
}

impl<'a> Searching<'a> {
    /// As many positions as this may be looked at. A search asks `watch` now and then whether to go
    /// on.
    pub fn new(budget: u64, watch: &'a mut dyn FnMut(SearchProgress) -> ControlFlow<()>) -> Self {
        Self::within(Effort::new(budget), watch)
    }

    /// The same with the clock, the token and all limits of this effort.
    pub fn within(
        effort: Effort,
        watch: &'a mut dyn FnMut(SearchProgress) -> ControlFlow<()>,
    ) -> Self {
        Self { effort, used: 0, watch }
    }

    /// What a search may hold in memory, in bytes.
    pub fn bytes(&self) -> u64 {
        self.effort.budget().bytes
    }

    /// Whether a search may hold so many bytes.
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub fn hold(&self, bytes: u64) -> Result<(), Interrupted> {
        self.effort.hold(bytes)
    }

    /// How many positions were looked at.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Counts positions that were looked at since the last time, and tells how far the search is.
    ///
    /// # Errors
    /// When there are more than the budget allows, the time is over, or somebody asks to stop.
    pub fn count(&mut self, more: SearchProgress) -> Result<(), Interrupted> {
        self.used += more.looked_at;
        if self.used > self.effort.budget().positions {
            return Err(self.effort.over(None));
        }
        self.effort.check()?;
        let progress = SearchProgress { looked_at: self.used, ..more };
        if (self.watch)(progress).is_break() { Err(Interrupted::Stopped) } else { Ok(()) }
    }
}

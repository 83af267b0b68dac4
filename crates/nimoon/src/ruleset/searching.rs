//! Values by a search of the ruleset's own, within a budget.

use std::ops::ControlFlow;

use crate::effort::Interrupted;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchProgress {
    /// Positions that were looked at.
    pub looked_at: u64,
    /// Positions that are kept in memory.
    pub kept: u64,
    /// How much of the memory that the search may take is full, in percent.
    pub filled: u8,
}

/// How much such a search may do, and who is told how far it is.
///
/// ```
/// use std::ops::ControlFlow;
/// use nimoon::effort::Interrupted;
/// use nimoon::ruleset::Searching;
///
/// let mut watch = |_| ControlFlow::Continue(());
/// let mut searching = Searching::new(100, &mut watch);
/// assert_eq!(searching.count(60, 50, 10), Ok(()));
/// assert_eq!(searching.count(60, 90, 20), Err(Interrupted::OverBudget { budget: 100 }));
/// ```
pub struct Searching<'a> {
    budget: u64,
    used: u64,
    watch: &'a mut dyn FnMut(SearchProgress) -> ControlFlow<()>,
}

impl<'a> Searching<'a> {
    /// As many positions as this may be looked at. A search asks `watch` now and then whether to go
    /// on.
    pub fn new(budget: u64, watch: &'a mut dyn FnMut(SearchProgress) -> ControlFlow<()>) -> Self {
        Self { budget, used: 0, watch }
    }

    /// How many positions were looked at.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Counts positions that were looked at since the last time, and tells how many are kept and how
    /// much of the memory is full, in percent.
    ///
    /// # Errors
    /// When there are more than the budget allows, or who watches asks to stop.
    pub fn count(&mut self, looked_at: u64, kept: u64, filled: u8) -> Result<(), Interrupted> {
        self.used += looked_at;
        if self.used > self.budget {
            return Err(Interrupted::OverBudget { budget: self.budget });
        }
        let progress = SearchProgress { looked_at: self.used, kept, filled };
        if (self.watch)(progress).is_break() { Err(Interrupted::Stopped) } else { Ok(()) }
    }
}

//! How much may be done before there is an answer: for [`loopy`](crate::loopy) games and
//! [`affine`](crate::affine) forms, whose questions follow one another and share one budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Interrupted {
    /// The budget was hit.
    #[error("the budget of {budget} positions was hit")]
    OverBudget {
        /// What was allowed.
        budget: u64,
    },
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

/// How much may be done, and how much has been.
///
/// ```
/// use nimoon::effort::{Effort, Interrupted};
/// use nimoon::loopy::Graph;
/// use nimoon::loopy::order::ge_plus;
///
/// // on = {on|} and off = {|off}.
/// let [on, off] = [Graph::new(1, [(0, 0)], [])?, Graph::new(1, [], [(0, 0)])?];
/// let mut effort = Effort::new(100);
/// assert_eq!(ge_plus((&on, 0), (&off, 0), &mut effort), Ok(true));
/// assert!((1..=100).contains(&effort.used()));
/// let over = ge_plus((&on, 0), (&off, 0), &mut Effort::new(0));
/// assert_eq!(over, Err(Interrupted::OverBudget { budget: 0 }));
/// # Ok::<(), nimoon::loopy::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Effort {
    budget: u64,
    used: u64,
    /// Moves that were looked at and do not yet count.
    moves: usize,
    stop: Option<Arc<AtomicBool>>,
}

impl Effort {
    /// As many states as this may be looked at.
    pub fn new(budget: u64) -> Self {
        Self { budget, used: 0, moves: 0, stop: None }
    }

    /// Stops soon after the flag is set.
    #[must_use]
    pub fn until(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// How many states were looked at.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Counts moves that were looked at, so that states with very many do not pass for few.
    pub(crate) fn count_moves(&mut self, moves: usize) -> Result<(), Interrupted> {
        /// This many are as much as a state.
        const EACH: usize = 16;
        self.moves += moves;
        while self.moves >= EACH {
            self.moves -= EACH;
            self.count()?;
        }
        Ok(())
    }

    /// Counts one more state.
    pub(crate) fn count(&mut self) -> Result<(), Interrupted> {
        self.used += 1;
        if self.used > self.budget {
            return Err(Interrupted::OverBudget { budget: self.budget });
        }
        match &self.stop {
            Some(stop) if self.used.is_multiple_of(1024) && stop.load(Ordering::Relaxed) => {
                Err(Interrupted::Stopped)
            }
            _ => Ok(()),
        }
    }
}

impl Default for Effort {
    fn default() -> Self {
        Self::new(100_000_000)
    }
}

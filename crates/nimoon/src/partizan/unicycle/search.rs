//! All ways to choose the exits of a pattern from a list.
//!
//! The conditions for graph-canonical form (see [the module](super)) are checked while most exits
//! are still open. An exit that a condition rules out is taken away, and where a condition is false
//! for all that is left, nothing below is visited. Each exit that is left is also tried for one
//! step. What remains is split at the first vertex with several exits, in the order of the list, so
//! that the assignments are found in lexicographic order: that of the list at vertex 0, then at
//! vertex 1, and so on.

use thiserror::Error;

use super::bounds::{Bounds, Exits, Set, Settled};
use super::cycle::Unicycle;
use super::loopfree::LoopFree;
use super::pattern::Pattern;
use crate::limits::{Interrupted, Work};
use crate::partizan::stoppers::{Stopper, Stoppers};

/// A search for all unicycles in graph-canonical form with a pattern and exits from a list.
///
/// ```
/// use nimoon::partizan::unicycle::{Pattern, Search};
/// use nimoon::{Work, partizan::Stoppers};
/// let (mut stoppers, mut work) = (Stoppers::new(), Work::default());
/// let pattern: Pattern = "LLLRRR".parse().unwrap();
/// let zero = [Stoppers::ZERO];
/// let mut search = Search::new(&pattern, &zero, &mut stoppers, &mut work).unwrap();
/// let found = search.next(&mut work).unwrap().unwrap();
/// assert_eq!(found.exits(), [Stoppers::ZERO; 6]);
/// assert!(search.next(&mut work).unwrap().is_none());
/// ```
pub struct Search {
    pattern: Pattern,
    exits: Vec<Stopper>,
    /// None if the pattern strictly alternates, which no stopper does.
    bounds: Option<Bounds>,
    /// What is still to be visited, the next one last.
    stack: Vec<Node>,
}

/// Some of all choices: the exits that are left at each vertex, and the conditions that hold for
/// all of them.
#[derive(Clone)]
struct Node {
    sets: Vec<Set>,
    settled: Settled,
}

impl Node {
    /// With one exit chosen.
    fn with(&self, vertex: usize, exit: usize) -> Self {
        let mut chosen = self.clone();
        chosen.sets[vertex] = 1 << exit;
        chosen
    }

    /// The exits that are left at a vertex.
    fn left(&self, vertex: usize) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let set = self.sets[vertex];
        (0..Search::MOST).filter(move |exit| set >> exit & 1 == 1)
    }

    fn propagate(&mut self, bounds: &mut Bounds, work: &mut Work) -> Result<bool, Interrupted> {
        bounds.propagate(&mut self.sets, &mut self.settled, work)
    }

    /// Takes away exits that cannot be chosen, also those that are ruled out one step ahead. False
    /// if nothing is left.
    ///
    /// A vertex in an alternating stretch hangs on those at its end, which are chosen later. With
    /// the step ahead the worst pattern of length 11 over five nimbers took 172 nodes in place of
    /// 141,977, and a fortieth of the states.
    fn narrow(&mut self, bounds: &mut Bounds, work: &mut Work) -> Result<bool, Interrupted> {
        loop {
            if !self.propagate(bounds, work)? {
                return Ok(false);
            }
            let before = self.sets.clone();
            for vertex in 0..self.sets.len() {
                if self.sets[vertex].is_power_of_two() {
                    continue;
                }
                for exit in self.left(vertex) {
                    if !self.with(vertex, exit).propagate(bounds, work)? {
                        self.sets[vertex] &= !(1 << exit);
                    }
                }
                if self.sets[vertex] == 0 {
                    return Ok(false);
                }
            }
            if self.sets == before {
                return Ok(true);
            }
        }
    }
}

/// Why a search is rejected.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// There is nothing to choose from.
    #[error("no exits to choose from: list at least one")]
    NoExits,
    /// There are too many to choose from.
    #[error("there may be at most {most} different exits to choose from")]
    TooMany {
        /// How many there may be.
        most: usize,
    },
    /// An exit has a cycle.
    #[error("exit {place} of the list is not loopfree")]
    Loopy {
        /// Which, counted from 0.
        place: usize,
    },
    /// The work was interrupted before the search began.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl Search {
    /// The most exits to choose from.
    pub const MOST: usize = Set::BITS as usize;

    /// Begins a search. Exits that are listed again are ignored.
    ///
    /// # Errors
    /// When the list is empty or too long, an exit is not loopfree, or the work is interrupted.
    pub fn new(
        pattern: &Pattern,
        exits: &[Stopper],
        stoppers: &mut Stoppers,
        work: &mut Work,
    ) -> Result<Self, SearchError> {
        let mut list: Vec<Stopper> = Vec::new();
        for &exit in exits {
            if !list.contains(&exit) {
                list.push(exit);
            }
            if list.len() > Self::MOST {
                return Err(SearchError::TooMany { most: Self::MOST });
            }
        }
        if list.is_empty() {
            return Err(SearchError::NoExits);
        }
        let loopfree =
            LoopFree::new(exits, stoppers).map_err(|place| SearchError::Loopy { place })?;
        let whole = Set::MAX >> (Self::MOST - list.len());
        let mut search =
            Self { pattern: pattern.clone(), exits: list, bounds: None, stack: Vec::new() };
        if let Some(double) = pattern.double() {
            let exits = Exits::new(&search.exits, loopfree, stoppers, work)?;
            search.bounds = Some(Bounds::new(pattern, double, exits));
            search.stack.push(Node { sets: vec![whole; pattern.len()], settled: 0 });
        }
        Ok(search)
    }

    /// The next unicycle, or none if all have been found.
    ///
    /// # Errors
    /// When the work is interrupted. The search may then be continued with more.
    pub fn next(&mut self, work: &mut Work) -> Result<Option<Unicycle>, Interrupted> {
        let Some(bounds) = &mut self.bounds else { return Ok(None) };
        while let Some(mut node) = self.stack.pop() {
            match node.narrow(bounds, work) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(interrupted) => {
                    // What was taken away so far is ruled out in any case.
                    self.stack.push(node);
                    return Err(interrupted);
                }
            }
            if let Some(open) = node.sets.iter().position(|set| !set.is_power_of_two()) {
                self.stack.extend(node.left(open).rev().map(|exit| node.with(open, exit)));
                continue;
            }
            let exits = node.sets.iter().map(|set| self.exits[set.trailing_zeros() as usize]);
            let found = Unicycle::fitting(self.pattern.clone(), exits.collect());
            if !found.is_periodic() {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

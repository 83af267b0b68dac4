//! A pattern with its exits, as a graph, and whether the graph is its own canonical form.

use thiserror::Error;

use super::loopfree::LoopFree;
use super::pattern::Pattern;
use crate::count::counted;
use crate::limits::{Interrupted, Work};
use crate::partizan::graph::{Graph, Vertex};
use crate::partizan::stoppers::{Stopper, Stoppers};
use crate::player::Player;

/// A pattern with an exit for each letter: at vertex i the player of the letter moves to vertex i +
/// 1, and the other player to the exit.
///
/// ```
/// use nimoon::partizan::unicycle::{Pattern, Unicycle};
/// use nimoon::{Work, partizan::Stoppers};
/// let mut stoppers = Stoppers::new();
/// // Three edges of each player, and all exits to 0 [Siegel2009, Figure 6].
/// let pattern: Pattern = "LLLRRR".parse().unwrap();
/// let unicycle = Unicycle::new(pattern, vec![Stoppers::ZERO; 6], &stoppers).unwrap();
/// assert!(unicycle.is_canonical(&mut stoppers, &mut Work::default()).unwrap());
/// assert_eq!(unicycle.graph(&stoppers).len(), 7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unicycle {
    pattern: Pattern,
    exits: Vec<Stopper>,
}

/// Why these exits do not fit.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnicycleError {
    /// Another number of exits than of letters.
    #[error(
        "the pattern has {}, but the list has {}",
        counted(*.letters as u64, "letter"),
        counted(*.exits as u64, "exit")
    )]
    Lengths {
        /// How many letters there are.
        letters: usize,
        /// How many exits there are.
        exits: usize,
    },
    /// An exit has a cycle.
    #[error("exit {place} is not loopfree")]
    Loopy {
        /// Which, counted from 0.
        place: usize,
    },
}

impl Unicycle {
    /// The unicycle with this pattern and these exits.
    ///
    /// # Errors
    /// When there are more or fewer exits than letters, or one of them is not loopfree.
    pub fn new(
        pattern: Pattern,
        exits: Vec<Stopper>,
        stoppers: &Stoppers,
    ) -> Result<Self, UnicycleError> {
        if exits.len() != pattern.len() {
            return Err(UnicycleError::Lengths { letters: pattern.len(), exits: exits.len() });
        }
        LoopFree::new(&exits, stoppers).map_err(|place| UnicycleError::Loopy { place })?;
        Ok(Self { pattern, exits })
    }

    /// One that is known to fit.
    pub(super) fn fitting(pattern: Pattern, exits: Vec<Stopper>) -> Self {
        Self { pattern, exits }
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The exits, vertex by vertex.
    pub fn exits(&self) -> &[Stopper] {
        &self.exits
    }

    /// The graph: the vertices of the cycle from 0 on, then the followers of the exits, each once.
    pub fn graph(&self, stoppers: &Stoppers) -> Graph {
        let len = self.pattern.len();
        let mut options: Vec<[Vec<Vertex>; 2]> = Vec::new();
        // Exits are loopfree: that was checked when they were taken.
        let Ok(loopfree) = LoopFree::new(&self.exits, stoppers) else {
            return Graph::of_options(options);
        };
        let vertex = |place: usize| (len + place) as Vertex;
        for (i, &exit) in self.exits.iter().enumerate() {
            let mut both = [Vec::new(), Vec::new()];
            let player = self.pattern.at(i);
            both[player.index()].push(((i + 1) % len) as Vertex);
            both[player.opponent().index()].push(vertex(loopfree.place(exit)));
            options.push(both);
        }
        options.extend(loopfree.options.iter().map(|both| {
            both.each_ref().map(|list| list.iter().map(|&place| vertex(place)).collect())
        }));
        Graph::of_options(options)
    }

    /// Whether the graph is in graph-canonical form, decided by the engine for stoppers: the
    /// canonical form must have the same letters and exits round a cycle of the same length.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn is_canonical(
        &self,
        stoppers: &mut Stoppers,
        work: &mut Work,
    ) -> Result<bool, Interrupted> {
        let graph = self.graph(stoppers);
        if !graph.is_stopper(0) {
            return Ok(false);
        }
        let Some(start) = stoppers.onside(&graph, 0, work)? else { return Ok(false) };
        let only = |stopper: Stopper, player: Player| {
            let mut options = stoppers.options(stopper, player);
            options.next().filter(|_| options.next().is_none())
        };
        let mut met = vec![start];
        for (i, &exit) in self.exits.iter().enumerate() {
            let (here, player) = (met[i], self.pattern.at(i));
            if only(here, player.opponent()) != Some(exit) {
                return Ok(false);
            }
            let Some(next) = only(here, player) else { return Ok(false) };
            met.push(next);
        }
        let closed = met.pop() == Some(start);
        met.sort_unstable();
        met.dedup();
        Ok(closed && met.len() == self.pattern.len())
    }

    /// The negative: L and R change places, and the exits become their negatives.
    #[must_use]
    pub fn negative(&self, stoppers: &mut Stoppers) -> Self {
        let exits = self.exits.iter().map(|&exit| stoppers.negative(exit)).collect();
        Self { pattern: self.pattern.negative(), exits }
    }

    /// The same cycle, begun at another vertex.
    #[must_use]
    pub fn rotated(&self, by: usize) -> Self {
        let mut exits = self.exits.clone();
        exits.rotate_left(by % self.pattern.len());
        Self { pattern: self.pattern.rotated(by), exits }
    }

    /// Whether some rotation but the trivial one preserves letters and exits.
    pub(super) fn is_periodic(&self) -> bool {
        let (len, period) = (self.pattern.len(), self.pattern.period());
        let same = |by: usize| (0..len).all(|i| self.exits[(i + by) % len] == self.exits[i]);
        (period..len).step_by(period).any(same)
    }
}

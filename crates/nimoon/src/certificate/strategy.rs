//! A strategy for a sum, that answers every move.
//!
//! For a win every position has its remoteness as its rank, which falls. For a draw there are no
//! ranks: the next player has a move that does not lose, and every move of the previous player's
//! opponent is answered by one.

use rustc_hash::FxHashMap;

use crate::graph::digraph::Node;
use crate::impartial::search::Search;
use crate::impartial::sum::Sum;
use crate::impartial::turn::{Turn, TurnKind};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// What to do in a position of a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The nodes of the pieces.
    pub at: Vec<Node>,
    /// For a win: in how many plies.
    pub rank: Option<u32>,
    /// The component to move, and where to; none where the previous player has nothing to fear.
    pub play: Option<(usize, Node)>,
    /// For a draw: every move has an answer that does not lose.
    pub holds: bool,
}

/// A strategy for a sum and for what a turn leaves: the positions that play can reach if it is
/// followed.
///
/// ```
/// use nimoon::{Work, Digraph, Sum, certificate::strategy::strategy, label};
/// // Smith's trap: from 1 the move to 0 leads back to 1, the move to 2 wins.
/// let trap = Digraph::new(3, [], vec![(0, 1), (1, 0), (1, 2)]).unwrap();
/// let labelling = label(&trap, None, &Work::default()).unwrap();
/// let sum = Sum::new(&trap, &labelling, vec![1]).unwrap();
/// let found = strategy(&sum, None, &Work::default()).unwrap();
/// assert_eq!(found.len(), 2);
/// assert_eq!((found[0].rank, found[0].play), (Some(1), Some((0, 2))));
/// ```
///
/// # Errors
/// When the product, or the strategy, is larger than the budget allows, or the work ends otherwise.
pub fn strategy(
    sum: &Sum<'_>,
    turn: Option<&Turn>,
    work: &Work,
) -> Result<Vec<Answered>, Interrupted> {
    let search = Search::new(sum.digraph, sum.pieces(), work)?;
    let outcome = search.outcome(sum.pieces());
    let mut walk = Walk { sum, search: &search, found: Vec::new(), places: FxHashMap::default() };
    walk.need(sum.pieces(), true, true);
    if let Some(turn) = turn.filter(|turn| !turn.endless && turn.kind != TurnKind::Losing) {
        let mut pieces = sum.pieces().to_vec();
        for ply in &turn.plies {
            ply.play(&mut pieces);
        }
        let opponent_moves = turn.plies.len() % 2 == 1;
        walk.need(&pieces, !opponent_moves, opponent_moves);
    }
    walk.run(outcome == Outcome::D, work)?;
    Ok(walk.found.into_iter().map(|needed| needed.entry).collect())
}

/// A position, and what must be shown of it: that the next player does not lose, or the previous
/// one.
struct Needed {
    entry: Answered,
    next: bool,
    previous: bool,
    /// What was visited already.
    done: (bool, bool),
}

struct Walk<'a> {
    sum: &'a Sum<'a>,
    search: &'a Search,
    found: Vec<Needed>,
    places: FxHashMap<Vec<Node>, usize>,
}

impl Walk<'_> {
    /// Takes note of a position; returns its place.
    fn need(&mut self, at: &[Node], next: bool, previous: bool) -> usize {
        let place = self.places.get(at).copied().unwrap_or(self.found.len());
        if place == self.found.len() {
            let entry = Answered { at: at.to_vec(), rank: None, play: None, holds: false };
            let done = (false, false);
            self.found.push(Needed { entry, next: false, previous: false, done });
            self.places.insert(at.to_vec(), place);
        }
        self.found[place].next |= next;
        self.found[place].previous |= previous;
        place
    }

    fn moves(&self, at: &[Node]) -> Vec<(usize, Node)> {
        let digraph = self.sum.digraph;
        let gray = at.iter().position(|&node| digraph.is_gray(node));
        let movable = (0..at.len()).filter(|&piece| gray.is_none_or(|gray| gray == piece));
        let options = |piece: usize| digraph.options(at[piece]).iter().map(move |&to| (piece, to));
        movable.flat_map(options).collect()
    }

    fn run(&mut self, draw: bool, work: &Work) -> Result<(), Interrupted> {
        let mut open: Vec<usize> = (0..self.found.len()).collect();
        let mut pace = work.pace();
        while let Some(place) = open.pop() {
            pace.step()?;
            work.admit(self.found.len() as u64)?;
            let at = self.found[place].entry.at.clone();
            let outcome = self.search.outcome(&at);
            if !draw {
                // In a win all that counts is who wins, and that is known of every position.
                self.found[place].next = outcome == Outcome::N;
                self.found[place].previous = outcome == Outcome::P;
                self.found[place].entry.rank = self.search.remoteness(&at);
            }
            let Needed { next, previous, done, .. } = self.found[place];
            let mut after = at.clone();
            let mut leads_to = |walk: &mut Self, (piece, to): (usize, Node), next: bool| {
                after[piece] = to;
                let known = walk.found.len();
                let place = walk.need(&after, next, !next);
                after[piece] = at[piece];
                let Needed { next, previous, done, .. } = walk.found[place];
                if place == known || next && !done.0 || previous && !done.1 {
                    open.push(place);
                }
            };
            if next && !done.0 {
                self.found[place].done.0 = true;
                let play = self.best(&at, outcome);
                self.found[place].entry.play = play;
                if let Some(play) = play {
                    leads_to(self, play, false);
                }
            }
            if previous && !done.1 {
                self.found[place].done.1 = true;
                self.found[place].entry.holds = draw;
                for play in self.moves(&at) {
                    leads_to(self, play, true);
                }
            }
        }
        Ok(())
    }

    /// The fastest win, or a move that holds the draw.
    fn best(&self, at: &[Node], outcome: Outcome) -> Option<(usize, Node)> {
        let target = if outcome == Outcome::N { Outcome::P } else { outcome };
        let mut after = at.to_vec();
        let good = self.moves(at).into_iter().filter_map(|(piece, to)| {
            after[piece] = to;
            let found = (self.search.outcome(&after), self.search.remoteness(&after));
            after[piece] = at[piece];
            (found.0 == target).then_some((found.1, (piece, to)))
        });
        good.min().map(|(_, play)| play)
    }
}

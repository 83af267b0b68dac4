//! The whole turn to play in a sum.
//!
//! A turn is everything up to the moment the opponent is free to choose: the mover's plies, the
//! carry-on plies among them, and the replies the opponent has no say in. A winning turn leaves a
//! P-position, or the opponent stuck on a gray node; in a draw the turn holds it; in a lost
//! position it lasts.
//!
//! Going from N to P is not enough where there are cycles: one can circle for ever [Smith1966, §4].
//! So turns are chosen by something that falls:
//!
//! - by **remoteness**, exactly, where the product of the components is small
//!   ([`Limits::turn`](crate::Limits::turn)), where that was requested, and where no algebra is known;
//! - by a **measure** elsewhere: the places of the components in the order in which their nodes got
//!   their nimbers ([`Labelling::order`](crate::Labelling::order)), added up.
//!
//! [`Answer::guide`] says which it was.
//!
//! ## Why the measure works
//! The notation is that of [`carry_on`](crate::impartial::theory::carry_on): W(x, k), V(x, k) and
//! rules 1 to 4. `Labelling::order` has the nodes with a nimber, and each fact that justifies V(x,
//! m) was derived before x was appended. In particular each value that it rests on belongs to a
//! node with a smaller place; the private module `theory::levels` proves this.
//!
//! **P-positions.** In the carry-on theory a sum of white nodes has outcome P only if its value is
//! 0, and by the addition table a sum is a number only if all components are numbers. So a
//! P-position has a number in each component, with nim-sum 0.
//!
//! **Claim.** From a P-position of measure M, every turn of the opponent comes to an end, and
//! unless it loses at once it can be answered by checkmate, or by a turn that leaves a P-position
//! of measure below M.
//!
//! **Carry-on moves first.** From a node x of value m each carry-on move leads to a node of value m
//! with a smaller place, by rule 4. So the opponent's carry-on moves change no value, make the
//! measure smaller, and cannot go on for ever. A node with a number has no move into a circle of
//! gray nodes. If the turn ends by a move onto a gray chain that leaves its mover stuck, the
//! opponent has lost. What is left is a last ordinary move x → y, with x of value m. The nim-sum of
//! the other components is m.
//!
//! **Case 1: y has value j < m.** It was assigned in an earlier level, so its place is smaller. The
//! nim-sum is now j ⊕ m. As j < m, the highest bit of j ⊕ m is set in m, hence in the value a of
//! one of the other components, v. Let b = a ⊕ j ⊕ m < a. By rule 4, W(v, b) holds. It cannot come
//! from rule 2, since all carry-on moves of v lead to value a. So there are carry-on moves from v,
//! through nodes of value a, to one that has an ordinary move to a node of value b, and that node
//! has a smaller place than v, being of an earlier level. This is the reply.
//!
//! **Case 2: W(y, m).** It was derived before V(x, m). So there are carry-on moves from y to a node
//! u, such that either u → z with V(z, m), or u ↻ w with V(w, j), j < m. Both facts were derived
//! before V(x, m), so z and w have smaller places than x. In the first case the reply is to move to
//! z: the nim-sum is 0 again. In the second the mover carries on to w and is still to move; the
//! nim-sum is j ⊕ m, and a move in another component, as in case 1, makes it 0 with a smaller
//! place.
//!
//! **Case 3: y is a full moon.** The reply is checkmate. By rule 4 there is no other case. ∎
//!
//! Of all turns that leave a P-position, one of least measure is taken, and checkmate before these
//! (`plan`). The measure is a whole number and falls from each turn of the winner to the next, so
//! the game ends, and it is the opponent's turn when no move is left.
//!
//! In the short theory the order is by heights, so it has the options of a node before it, and the
//! argument is the same without carry-on moves. In the entailing theory there are no cycles, so
//! every play ends; there the sum of heights is used, to end it soon.
//!
//! The general theory has a plan of its own (`control`), with the same measure.
//!
//! ## Trees
//! Where the opponent chooses within a duel a turn is a [`Tree`]: what the mover answers to each
//! choice. [`Turn::plies`] ends at the first of these choices.
//!
//! The tests play such turns against every reply of an opponent, beside the oracle
//! (`tests/suite/play.rs`).

mod attractor;
mod control;
mod drawing;
mod enumerate;
mod follow;
mod layer;
mod plan;
mod table;
mod tree;

use rustc_hash::FxHashMap;

use crate::graph::digraph::Node;
use crate::impartial::search::Search;
use crate::impartial::sum::{Algebra, Sum};
use crate::impartial::theory::Theory;
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

pub use enumerate::Turns;
pub use tree::{Reply, Tree};

/// One step of a piece along an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ply {
    /// Which piece.
    pub component: usize,
    /// From where.
    pub from: Node,
    /// To where.
    pub to: Node,
    /// Whether it is a reply that the opponent has no say in.
    pub forced: bool,
}

impl Ply {
    /// Moves the piece.
    pub(crate) fn play(self, pieces: &mut [Node]) -> Self {
        pieces[self.component] = self.to;
        self
    }
}

/// What a turn achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnKind {
    /// It wins.
    Winning,
    /// It holds the draw.
    Drawing,
    /// It loses, like every other one.
    Losing,
    /// There is no move: the player has lost.
    None,
}

impl TurnKind {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Winning => "winning",
            Self::Drawing => "drawing",
            Self::Losing => "losing",
            Self::None => "none",
        }
    }
}

/// A turn: plies up to the moment the opponent is free to choose, or cannot move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// What it achieves.
    pub kind: TurnKind,
    /// The plies.
    pub plies: Vec<Ply>,
    /// Whether the plies repeat for ever, the last one leading back to an earlier position.
    pub endless: bool,
}

/// What a turn was chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guide {
    /// An exact search through the product of the components.
    Search {
        /// In how many plies the game ends if both play well, if either wins.
        remoteness: Option<u32>,
    },
    /// A measure that falls.
    Measure,
}

impl Guide {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search { .. } => "search",
            Self::Measure => "measure",
        }
    }
}

/// What there is to say about a sum.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Who wins.
    pub outcome: Outcome,
    /// What to play. There always is something, if only [`TurnKind::None`]; none would be a bug.
    pub turn: Option<Turn>,
    /// The whole turn, if it wins and the opponent has a choice before it is over.
    pub tree: Option<Tree>,
    /// What the turn was chosen by.
    pub guide: Guide,
}

/// What is known about the outcomes after each ply of a position.
pub(crate) enum Judge<'a> {
    Algebra(Box<Algebra<'a>>),
    Search(Search),
}

/// A legal ply with the outcome it leaves for the opponent.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) component: usize,
    pub(crate) to: Node,
    pub(crate) outcome: Outcome,
}

impl Candidate {
    /// Makes the ply.
    pub(crate) fn play(self, pieces: &mut [Node]) -> Ply {
        let Self { component, to, .. } = self;
        Ply { component, from: pieces[component], to, forced: false }.play(pieces)
    }
}

impl Judge<'_> {
    /// Whether a limit was hit while values were added: then outcomes may be wrong.
    pub(crate) fn interrupted(&self) -> Result<(), Interrupted> {
        match self {
            Self::Algebra(algebra) => algebra.interrupted().map_or(Ok(()), Err),
            Self::Search(_) => Ok(()),
        }
    }

    /// All legal plies of a position.
    pub(crate) fn candidates(&self, sum: &Sum<'_>, pieces: &[Node]) -> Vec<Candidate> {
        self.candidates_of(sum, pieces, 0..pieces.len())
    }

    /// The legal plies of a position, but of pieces on the same node only those of the first.
    pub(crate) fn different_candidates(&self, sum: &Sum<'_>, pieces: &[Node]) -> Vec<Candidate> {
        self.candidates_of(sum, pieces, each_once(pieces, 1).map(|(component, _)| component))
    }

    /// The legal plies of these components.
    fn candidates_of(
        &self,
        sum: &Sum<'_>,
        pieces: &[Node],
        components: impl Iterator<Item = usize>,
    ) -> Vec<Candidate> {
        let gray = pieces.iter().position(|&node| sum.digraph.is_gray(node));
        let movable = components.filter(|&component| gray.is_none_or(|only| only == component));
        let mut found = Vec::new();
        let mut after = pieces.to_vec();
        let totals = match self {
            Self::Algebra(algebra) => algebra.totals_without_each(pieces),
            Self::Search(_) => Vec::new(),
        };
        for component in movable {
            for &to in sum.digraph.options(pieces[component]) {
                let outcome = match self {
                    Self::Algebra(algebra) => algebra.outcome(&totals[component], to),
                    Self::Search(search) => {
                        after[component] = to;
                        search.outcome(&after)
                    }
                };
                found.push(Candidate { component, to, outcome });
            }
            after[component] = pieces[component];
        }
        found
    }
}

/// Solves a sum: who wins, and the turn to play.
///
/// Where the values say who wins, the quickest win is searched for within
/// [`Limits::turn`](crate::Limits::turn) positions only.
///
/// ```
/// use nimoon::{Work, Digraph, Sum, label, impartial::turn::{TurnKind, solve}};
/// // Smith's trap: from 1 the move to 0 leads back to 1, the move to 2 wins.
/// let trap = Digraph::new(3, [], vec![(0, 1), (1, 0), (1, 2)]).unwrap();
/// let labelling = label(&trap, None, &Work::default()).unwrap();
/// let sum = Sum::new(&trap, &labelling, vec![1]).unwrap();
/// let turn = solve(&sum, &Work::default()).unwrap().turn.unwrap();
/// assert_eq!((turn.kind, turn.plies[0].to), (TurnKind::Winning, 2));
/// ```
///
/// # Errors
/// When values are not known and the product is larger than the budget, or the work is interrupted.
pub fn solve(sum: &Sum<'_>, work: &Work) -> Result<Answer, Interrupted> {
    let cheap = work.child(work.limits().for_turns());
    if let Ok(search) = Search::new(sum.digraph, sum.pieces(), &cheap) {
        return Ok(searched(sum, search));
    }
    work.check()?;
    let whole = || Search::new(sum.digraph, sum.pieces(), work).map(|search| searched(sum, search));
    // Without all values there is no measure to go by.
    if !sum.labelling.is_complete() {
        return whole();
    }
    let Ok(Some(outcome)) = sum.outcome_within(work) else { return whole() };
    let (turn, tree) = match sum.labelling.theory() {
        Theory::Entailing => follow::by_height(sum, outcome, work),
        Theory::General => match control::by_values(sum, outcome, work) {
            Ok(found) => found,
            Err(_) => return whole(),
        },
        _ => (plan::by_measure(sum, outcome, work)?, None),
    };
    Ok(Answer { outcome, turn, tree, guide: Guide::Measure })
}

/// What a search says.
fn searched(sum: &Sum<'_>, search: Search) -> Answer {
    let outcome = search.outcome(sum.pieces());
    let guide = Guide::Search { remoteness: search.remoteness(sum.pieces()) };
    let (turn, tree) = follow::by_remoteness(sum, search, outcome);
    Answer { outcome, turn, tree, guide }
}

/// Lists the winning turns, and in a draw the turns that hold it: those that repeat no position, the
/// shorter ones first, up to a limit.
///
/// # Errors
/// When values are not known and the product is larger than the budget, or the work is interrupted.
pub fn best_turns(sum: &Sum<'_>, work: &Work, limit: usize) -> Result<Turns, Interrupted> {
    work.check()?;
    let judge = match Algebra::new(sum.digraph, sum.labelling, work) {
        Some(algebra) => Judge::Algebra(Box::new(algebra)),
        None => Judge::Search(Search::new(sum.digraph, sum.pieces(), work)?),
    };
    let mut list = enumerate::best_turns(sum, &judge, limit, work)?;
    judge.interrupted()?;
    if list.truncated && list.turns.len() < limit {
        // A list that was cut still has the turn that is known.
        let is_listed = |turn: &Turn| {
            turn.kind == TurnKind::Winning || turn.kind == TurnKind::Drawing && !turn.endless
        };
        let known = solve(sum, work)?.turn.filter(is_listed);
        list.turns.extend(known.filter(|turn| !list.turns.contains(turn)));
        list.turns.sort_by_key(|turn| turn.plies.len());
    }
    Ok(list)
}

/// The components, but of those that stand on one node only the first `most`.
pub(crate) fn each_once(pieces: &[Node], most: usize) -> impl Iterator<Item = (usize, Node)> {
    let mut counts: FxHashMap<Node, usize> = FxHashMap::default();
    pieces.iter().copied().enumerate().filter(move |&(_, node)| {
        let count = counts.entry(node).or_insert(0);
        *count += 1;
        *count <= most
    })
}

/// The only reply of an opponent who has none to choose: from a gray node with one option.
pub(crate) fn forced_reply(sum: &Sum<'_>, pieces: &[Node]) -> Option<Ply> {
    let component = pieces.iter().position(|&node| sum.digraph.is_gray(node))?;
    let from = pieces[component];
    match sum.digraph.options(from) {
        &[to] => Some(Ply { component, from, to, forced: true }),
        _ => None,
    }
}

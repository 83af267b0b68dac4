//! Every move of a placement with what it achieves, the best ones first.

use std::cmp::Reverse;

use super::placement::{PlacedMove, Placement};
use super::{AnswerError, Labelled, Method, Solution};
use crate::impartial::search::Search;
use crate::impartial::turn::TurnKind;
use crate::impartial::value::AnyValue;
use crate::limits::Work;
use crate::outcome::Outcome;
use crate::ruleset::Kind;
use crate::solve::explore::Exploration;

/// A move, and what becomes of the game after it if both play well.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// Its number in [`Solution::moves`].
    pub number: usize,
    /// The move.
    pub made: PlacedMove,
    /// What it achieves for the player who makes it.
    pub achieves: TurnKind,
    /// The value of the sum that it leaves, where there is one.
    pub leaves: Option<AnyValue>,
    /// After how many plies the game ends, this one included, if either player wins and it is known. The
    /// replies to carry-on moves count as in [`Guide::Search`](crate::impartial::turn::Guide::Search).
    pub remoteness: Option<u32>,
}

/// The product of the components is searched at least up to here for how long the game lasts after each
/// move.
const SEARCHED: u64 = 100_000;

impl Solution {
    /// The first `most` moves of the player to move, with what each achieves: wins before draws before
    /// losses, quick wins first, and losses that last first. Moves that are worth the same keep their order.
    ///
    /// ```
    /// use nimoon::{Work, ruleset::{Interned, Move}, notation::NotationError};
    /// use nimoon::solve::solution::Solution;
    /// use nimoon::{Notation, Positions, Ruleset, Shortcuts, TurnKind};
    /// # struct Nim;
    /// # impl Ruleset for Nim {
    /// #     type Position = u64;
    /// #     fn name(&self) -> String { "nim".into() }
    /// #     fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> { (0..*heap).map(Move::to) }
    /// #     fn read(&self, text: &str) -> Result<u64, NotationError> {
    /// #         text.parse().map_err(|_| NotationError::at(0, "expected a number"))
    /// #     }
    /// #     fn write(&self, heap: &u64) -> String { heap.to_string() }
    /// # }
    /// # impl Notation for Nim {}
    /// # impl Shortcuts for Nim {}
    /// // In 1 + 3 only the move to 1 + 1 wins, and the game then lasts two plies more.
    /// let mut nim = Interned::new(Nim);
    /// let terms = [(0, nim.read("1").unwrap()), (0, nim.read("3").unwrap())];
    /// let mut sum =
    ///     Solution::new(vec![Box::new(nim)], &terms, None, &Work::default()).unwrap();
    /// let start = sum.start().clone();
    /// let judged = sum.judged(&start, 100).unwrap();
    /// assert_eq!(judged.len(), 4);
    /// assert_eq!((judged[0].achieves, judged[0].remoteness), (TurnKind::Winning, Some(3)));
    /// assert_eq!(sum.text(&sum.after(&start, &judged[0].made), 1), "nim:1");
    /// assert!(judged[1..].iter().all(|other| other.achieves == TurnKind::Losing));
    /// ```
    ///
    /// # Errors
    /// When a budget is hit or the rules fail.
    pub fn judged(
        &mut self,
        placement: &Placement,
        most: usize,
    ) -> Result<Vec<JudgedMove>, AnswerError> {
        let moves = self.moves(placement)?;
        let limits = self.work.limits();
        let work = &self.work.child(limits.at_most(limits.turn.max(SEARCHED)));
        let search = match &self.method {
            Method::Digraph(labelled) => searched(labelled, &self.exploration, placement, work),
            Method::Parts { whole, .. } => whole
                .as_ref()
                .and_then(|labelled| searched(labelled, &self.exploration, placement, work)),
        };
        let mut judged = Vec::with_capacity(moves.len().min(most));
        for (number, made) in moves.into_iter().enumerate().take(most) {
            let after = placement.after(&made);
            let found = search.as_ref().and_then(|search| self.found(search, &after));
            let (outcome, remoteness) = match found {
                Some((outcome, remoteness)) => (outcome, remoteness),
                None => (self.outcome(&after)?, None),
            };
            let achieves = match (outcome, made.kind) {
                (Outcome::D, _) => TurnKind::Drawing,
                (Outcome::N, Kind::Again) | (Outcome::P, Kind::Ordinary | Kind::Entailing) => {
                    TurnKind::Winning
                }
                _ => TurnKind::Losing,
            };
            // The opponent's reply to a carry-on move, which is nothing to decide, counts as a ply.
            let plies = if made.kind == Kind::Again { 2 } else { 1 };
            let leaves = self.value(&after);
            let remoteness = remoteness.map(|rest| rest + plies);
            judged.push(JudgedMove { number, made, achieves, leaves, remoteness });
        }
        judged.sort_by_key(|JudgedMove { achieves, remoteness, .. }| match achieves {
            TurnKind::Winning => (0, remoteness.unwrap_or(u32::MAX), Reverse(0)),
            TurnKind::Drawing => (1, 0, Reverse(0)),
            TurnKind::Losing | TurnKind::None => (2, 0, Reverse(remoteness.unwrap_or(0))),
        });
        Ok(judged)
    }

    /// What a search knows of a placement.
    fn found(&self, search: &Search, placement: &Placement) -> Option<(Outcome, Option<u32>)> {
        let labelled = match &self.method {
            Method::Digraph(labelled) => labelled,
            Method::Parts { whole, .. } => whole.as_deref()?,
        };
        let pieces = labelled.pieces(&self.exploration, placement)?;
        Some((search.outcome(&pieces), search.remoteness(&pieces)))
    }
}

fn searched(
    labelled: &Labelled,
    exploration: &Exploration,
    placement: &Placement,
    work: &Work,
) -> Option<Search> {
    let pieces = labelled.pieces(exploration, placement)?;
    Search::new(&labelled.states.digraph, &pieces, work).ok()
}

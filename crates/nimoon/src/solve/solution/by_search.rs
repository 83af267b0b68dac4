//! Moves where the values of parts must be searched for, and each search may take long.
//!
//! By values all moves are judged before one is taken. Here the first winning one will do: each
//! move is given a little time, and those that need more are tried again with more.

use rustc_hash::FxHashSet;

use super::by_values::candidates::{MANY, Others};
use super::by_values::{Candidate, Change, Player, outcome_within};
use super::placement::{PlacedMove, Placement};
use super::{AnswerError, most_moves};
use crate::limits::{Interrupted, Limit, Work};
use crate::outcome::Outcome;
use crate::ruleset::Kind;
use crate::solve::explore::{Part, for_searches};

/// A move, with how it changes the measure of the sum.
type Choice = (PlacedMove, Change);

impl Player<'_> {
    /// All moves, each different in effect once in a component; of very many at least so many.
    pub(super) fn choices(
        &mut self,
        placement: &Placement,
        enough: usize,
    ) -> Result<Vec<Choice>, AnswerError> {
        let mut room = most_moves(self.work);
        let mut found = Vec::new();
        for (component, parts) in placement.components.iter().enumerate() {
            let mut seen = FxHashSet::default();
            for (place, placed) in parts.iter().enumerate() {
                if !placement.is_movable(component, place) {
                    continue;
                }
                if found.len() >= enough {
                    return Ok(found);
                }
                let moves =
                    placement.moves_in(self.exploration, self.work, component, place, room)?;
                room = room.saturating_sub(moves.len());
                for made in moves {
                    let left = self.exploration.normal(made.left_parts());
                    if seen.insert((placed.part, made.kind, left.clone())) {
                        let gone = Some(self.values.place(placed.part));
                        let change = Change { gone, come: self.measure(left) };
                        found.push((made, change));
                    }
                }
            }
        }
        Ok(found)
    }

    /// What all moves are worth.
    pub(super) fn all_searched(
        &mut self,
        placement: &Placement,
    ) -> Result<Vec<Candidate>, AnswerError> {
        let searches = for_searches(self.work);
        let choices = self.choices(placement, usize::MAX)?.into_iter();
        choices.map(|choice| self.judged(placement, choice, &searches)).collect()
    }

    /// What a move is worth, where searches may visit this many positions.
    fn judged(
        &mut self,
        placement: &Placement,
        (made, change): Choice,
        searches: &Work,
    ) -> Result<Candidate, AnswerError> {
        let after = placement.after(&made);
        let (exploration, values) = (&mut *self.exploration, &mut *self.values);
        self.work.check()?;
        let outcome = outcome_within(exploration, values, &after, self.work, searches)?;
        let good = made.good_for_its_player(outcome);
        Ok(Candidate { made, good, change })
    }

    /// Whether the values of all these parts are known without a search.
    fn all_known(&self, parts: &[Part]) -> bool {
        let known = |&part: &Part| {
            !self.exploration.needs_search(part) && self.values.knows(self.exploration, part)
        };
        parts.iter().all(known)
    }

    /// In a sum of many parts whose values are known, the best winning move in the first part that has one
    /// among those that need no search.
    fn winning_part(&mut self, placement: &Placement) -> Result<Option<Candidate>, AnswerError> {
        let parts = placement.all_parts();
        if parts.len() <= MANY || placement.due().is_some() || !self.all_known(&parts) {
            return Ok(None);
        }
        let others = Others::new(self, placement);
        let most = most_moves(self.work);
        let mut seen = FxHashSet::default();
        for (component, parts) in placement.components.iter().enumerate() {
            for (place, placed) in parts.iter().enumerate() {
                self.work.check()?;
                if !seen.insert(placed.part) {
                    continue;
                }
                let Ok(moves) =
                    placement.moves_in(self.exploration, self.work, component, place, most)
                else {
                    continue;
                };
                let mut best: Option<Candidate> = None;
                for made in moves {
                    let left = self.exploration.normal(made.left_parts());
                    if !self.all_known(&left) {
                        continue;
                    }
                    let rest = others.without(placed.part);
                    let outcome = self.outcome_beside(rest, &left, made.kind)?;
                    let good = made.good_for_its_player(outcome);
                    let gone = Some(self.values.place(placed.part));
                    let change = Change { gone, come: self.measure(left) };
                    let order = (made.kind == Kind::Again, &change);
                    let is_better = best.as_ref().is_none_or(|best| {
                        let least = (best.made.kind == Kind::Again, &best.change);
                        order.0.cmp(&least.0).then_with(|| order.1.compare(least.1)).is_lt()
                    });
                    if good == Outcome::N && is_better {
                        best = Some(Candidate { made, good, change });
                    }
                }
                if best.is_some() {
                    return Ok(best);
                }
            }
        }
        Ok(None)
    }

    /// The first winning move that is found; where nothing is left to search for, the best one.
    pub(super) fn winning_by_search(
        &mut self,
        placement: &Placement,
    ) -> Result<Option<Candidate>, AnswerError> {
        /// How many positions all moves may visit first, and how much more the next time.
        const FIRST: u64 = 4096;
        const MORE: u64 = 8;
        if let Some(found) = self.winning_part(placement)? {
            return Ok(Some(found));
        }
        let mut left = self.choices(placement, usize::MAX)?;
        let mut unsearched = left.iter().flat_map(|(made, _)| made.left_parts());
        let beside = placement.all_parts();
        let searches = unsearched.any(|part| self.exploration.needs_search(part))
            || beside.iter().any(|&part| self.exploration.needs_search(part));
        // A move that ends the turn before one that does not, and of those that are known at once
        // the one that leaves least.
        left.sort_by(|(a, change), (b, other)| {
            let again = |made: &PlacedMove| made.kind == Kind::Again;
            let first = again(a).cmp(&again(b));
            if searches { first } else { first.then_with(|| change.compare(other)) }
        });
        let searches = for_searches(self.work);
        let most = searches.limits().positions;
        let mut budget = FIRST.min(most);
        // Why some move cannot be judged at all.
        let mut beyond = None;
        loop {
            let mut unknown = Vec::new();
            let mut over = None;
            for choice in left {
                match self.judged(
                    placement,
                    choice.clone(),
                    &searches.child(searches.limits().positions(budget)),
                ) {
                    Ok(candidate) if candidate.good == Outcome::N => return Ok(Some(candidate)),
                    Ok(_) => {}
                    Err(
                        error @ AnswerError::Search(Interrupted::OverBudget {
                            limit: Limit::Positions,
                            ..
                        }),
                    ) => {
                        unknown.push(choice);
                        over = Some(error);
                    }
                    Err(error @ AnswerError::Unknown { .. }) => beyond = Some(error),
                    Err(error) => return Err(error),
                }
            }
            match over {
                None => return beyond.map_or(Ok(None), Err),
                Some(error) if budget == most => return Err(error),
                Some(_) => {}
            }
            budget = budget.saturating_mul(MORE).min(most);
            left = unknown;
        }
    }
}

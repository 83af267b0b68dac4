//! What moves are worth where all values are known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{AnswerError, Candidate, Change, Player, most_moves, most_replies, outcome_of_due};
use crate::impartial::value::{AnyValue, EntailingValue};
use crate::outcome::Outcome;
use crate::ruleset::{Fault, Kind};
use crate::solve::explore::Part;
use crate::solve::solution::placement::{Placed, PlacedMove, Placement};

/// Beyond this many parts not all moves are listed.
pub(in crate::solve::solution) const MANY: usize = 64;

/// In a lost position of many parts any move will do: of so many the one that leaves the most.
pub(in crate::solve::solution) const ENOUGH: usize = 1 << 16;

/// For each part of a sum, the value of all the others together.
pub(in crate::solve::solution) struct Others(FxHashMap<Part, AnyValue>);

impl Others {
    /// Adds each value once for each time it is there, and once more from the other end.
    pub(in crate::solve::solution) fn new(player: &Player<'_>, placement: &Placement) -> Self {
        let mut parts = placement.all_parts();
        parts.sort_unstable();
        let equal: Vec<&[Part]> = parts.chunk_by(|a, b| a == b).collect();
        let total = |parts: &[Part]| player.values.total(player.exploration, parts);
        let sum = |a: &AnyValue, b: &AnyValue| a.try_add(b).unwrap_or_else(|| a.clone());
        let mut after = vec![total(&[])];
        for parts in equal.iter().skip(1).rev() {
            let last = after.last().map_or_else(|| total(&[]), AnyValue::clone);
            after.push(sum(&last, &total(parts)));
        }
        let mut before = total(&[]);
        let mut without = FxHashMap::default();
        for (parts, after) in equal.iter().zip(after.iter().rev()) {
            let others = sum(&before, after);
            without.insert(parts[0], sum(&others, &total(&parts[1..])));
            before = sum(&before, &total(parts));
        }
        Self(without)
    }

    /// The value of all parts but one of these.
    pub(in crate::solve::solution) fn without(&self, part: Part) -> &AnyValue {
        &self.0[&part]
    }
}

/// Which of many equal parts is moved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    All,
    First,
    Last,
}

impl Player<'_> {
    /// All moves, each different in effect once in a component, with what they are worth to the
    /// player who makes them: N if they win, P if they lose. Of equal parts in different
    /// components all are moved, or only one.
    ///
    /// A move is judged by the value of what it leaves and that of all the other parts together, so
    /// that its cost does not depend on how many those are.
    pub(super) fn candidates(
        &mut self,
        placement: &Placement,
        among: Among,
    ) -> Result<Vec<Candidate>, AnswerError> {
        if self.exploration.may_search() {
            return self.all_searched(placement);
        }
        let most = most_moves(self.work);
        // Where a win is the goal, and the rules know one of many options that wins, the others are not
        // listed.
        let few = usize::try_from(self.work.limits().turn).unwrap_or(most);
        if among == Among::First && few < most {
            match self.candidates_within(placement, among, few) {
                Err(AnswerError::Fault(Fault::TooMany { .. })) => {}
                found => return found,
            }
        }
        self.candidates_within(placement, among, most)
    }

    /// The same with at most so many moves.
    fn candidates_within(
        &mut self,
        placement: &Placement,
        among: Among,
        most: usize,
    ) -> Result<Vec<Candidate>, AnswerError> {
        let mut owner: FxHashMap<Placed, usize> = FxHashMap::default();
        if among != Among::All {
            for (component, parts) in placement.components.iter().enumerate() {
                let movable = |&(place, _): &(usize, _)| placement.is_movable(component, place);
                for (_, &placed) in parts.iter().enumerate().filter(movable) {
                    let owner = owner.entry(placed).or_insert(component);
                    if among == Among::Last {
                        *owner = component;
                    }
                }
            }
        }
        let others = Others::new(self, placement);
        let many = others.0.len() > MANY && placement.due.is_none();
        let mut room = if many && among == Among::Last { ENOUGH.min(most) } else { most };
        let mut found: Vec<Candidate> = Vec::new();
        let mut too_many = None;
        for (component, parts) in placement.components.iter().enumerate() {
            let mut seen = FxHashSet::default();
            for (place, &placed) in parts.iter().enumerate() {
                if !placement.is_movable(component, place)
                    || owner.get(&placed).is_some_and(|&owner| owner != component)
                {
                    continue;
                }
                // There is a win in a part that is worth more than all the others together, if
                // there is one anywhere.
                if many && among == Among::First && self.is_outweighed(placed.part, &others) {
                    continue;
                }
                let listed =
                    placement.moves_in(self.exploration, self.work, component, place, room);
                let moves = match listed {
                    Ok(moves) => moves,
                    // A winning move is enough, if a win is the goal.
                    Err(fault) => {
                        let won = among == Among::First && placement.due.is_none();
                        let beside = others.without(placed.part).clone();
                        let made = won
                            .then(|| self.winning_move(placement, component, place, &beside))
                            .flatten();
                        too_many = Some(fault);
                        made.into_iter().collect()
                    }
                };
                room = room.saturating_sub(moves.len());
                for made in moves {
                    let left = self.exploration.normal(made.left_parts());
                    if !seen.insert((placed.part, made.kind, left.clone())) {
                        continue;
                    }
                    let rest = others.without(placed.part);
                    let outcome = self.outcome_beside(rest, &left, made.kind)?;
                    let good = made.good_for_its_player(outcome);
                    let gone = Some(self.values.place(placed.part));
                    let change = Change { gone, come: self.measure(left) };
                    found.push(Candidate { made, good, change });
                }
            }
        }
        let enough = |candidate: &Candidate| among == Among::Last || candidate.good == Outcome::N;
        match too_many {
            // A list of all is none if its end is missing.
            Some(fault @ Fault::Interrupted(_)) if among == Among::All => Err(fault.into()),
            Some(_) if found.iter().any(enough) => Ok(found),
            Some(Fault::TooMany { .. }) => Err(Fault::TooMany { limit: most }.into()),
            Some(fault) => Err(fault.into()),
            None => Ok(found),
        }
    }

    /// Whether a part without carry-on or entailing moves has a nimber that is at most that of all
    /// others together. If all parts are like that, none of their moves matters: one of the parts
    /// has the highest binary digit of the sum, and that one can be moved to what the others are
    /// worth.
    fn is_outweighed(&self, part: Part, others: &Others) -> bool {
        let (field, position) = self.exploration.position(part);
        let short = self.exploration.field(field).is_short(position);
        let value = self.values.total(self.exploration, &[part]).nimber();
        match (value, others.without(part).nimber()) {
            (Some(value), Some(rest)) => short && value <= rest,
            _ => false,
        }
    }

    /// A winning move in a part with too many options.
    fn winning_move(
        &mut self,
        placement: &Placement,
        component: usize,
        place: usize,
        beside: &AnyValue,
    ) -> Option<PlacedMove> {
        let beside = match beside {
            AnyValue::Entailing(value) => *value,
            value => EntailingValue::Nimber(value.nimber()?),
        };
        placement.winning_move(self.exploration, component, place, beside)
    }

    /// Who wins beside other parts of this value what a move of this kind leaves, for the player to
    /// move.
    pub(in crate::solve::solution) fn outcome_beside(
        &mut self,
        rest: &AnyValue,
        left: &[Part],
        kind: Kind,
    ) -> Result<Outcome, AnswerError> {
        if kind == Kind::Entailing {
            let most = most_replies(self.work);
            let covered = self.values.cover(self.exploration, left, most, self.work)?;
            return Ok(outcome_of_due(&covered, rest));
        }
        let total = self.values.total(self.exploration, left).try_add(rest);
        Ok(total.and_then(|total| total.outcome()).unwrap_or(Outcome::D))
    }
}

//! Turns by the values of the parts alone, where whole components are too many.
//!
//! Without cycles any move that keeps the win will do, since play ends. With cycles and carry-on
//! moves something must fall: the list of the places of all parts in the order in which their
//! values were found, largest first. Every value was justified by parts of smaller place, and a
//! move replaces one part by such parts, so from a P-position every turn of the opponent can be
//! answered by one that leaves a P-position with a smaller list, in the order of the dictionary. The
//! turn that leaves the smallest is therefore taken. Such lists cannot fall for ever
//! (N. Dershowitz and Z. Manna, Proving termination with multiset orderings, 1979).

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::narrate;
use super::placement::{PlacedMove, Placement};
use super::{AnswerError, PlacementAnswer, TurnInWords, TurnsInWords, most_moves, most_replies};
use crate::budget::Budget;
use crate::explore::parts::PartValues;
use crate::explore::{Exploration, Part};
use crate::outcome::Outcome;
use crate::ruleset::{Fault, Kind};
use crate::theory::Theory;
use crate::turn::{Guide, TurnKind};
use crate::value::{AnyValue, EntailingValue};

/// How many placements within one turn are looked at.
const MOST_REACHED: usize = 20_000;

/// Who wins a placement, for the player to move.
pub(super) fn outcome(
    exploration: &mut Exploration,
    values: &mut PartValues,
    placement: &Placement,
    budget: Budget,
) -> Result<Outcome, AnswerError> {
    let Some((component, places)) = &placement.due else {
        let total = values.total(exploration, &placement.all_parts());
        return Ok(total.outcome().unwrap_or(Outcome::D));
    };
    let (mut due, mut beside) = (Vec::new(), Vec::new());
    for (i, parts) in placement.components.iter().enumerate() {
        for (place, placed) in parts.iter().enumerate() {
            let is_due = i == *component && places.contains(&place);
            (if is_due { &mut due } else { &mut beside }).push(placed.part);
        }
    }
    let due = exploration.normal(due);
    let covered = values.cover(exploration, &due, most_replies(budget))?;
    let loses = match values.total(exploration, &beside) {
        AnyValue::Entailing(EntailingValue::Moon) => covered.is_cofinite(),
        value => value.nimber().is_some_and(|n| covered.contains(n)),
    };
    Ok(if loses { Outcome::P } else { Outcome::N })
}

/// A move with what it leaves.
struct Candidate {
    made: PlacedMove,
    after: Placement,
    /// For the player who made it.
    good: Outcome,
    measure: Vec<u32>,
}

struct Player<'a> {
    exploration: &'a mut Exploration,
    values: &'a mut PartValues,
    budget: Budget,
}

/// The states of all components, for finding placements again.
type Seen = FxHashSet<Vec<Vec<Part>>>;

impl Player<'_> {
    /// All moves, each different in effect once, with what they are worth to the player who makes
    /// them: N if they win, P if they lose.
    fn candidates(&mut self, placement: &Placement) -> Result<Vec<Candidate>, AnswerError> {
        let moves = placement.moves(self.exploration, most_moves(self.budget))?;
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for made in moves {
            let state = placement.state_after(self.exploration, &made, false);
            if !seen.insert((made.component, state)) {
                continue;
            }
            let after = placement.after(&made);
            let outcome = outcome(self.exploration, self.values, &after, self.budget)?;
            let good = match (made.kind, outcome) {
                (Kind::Again, outcome) => outcome,
                (_, Outcome::P) => Outcome::N,
                (_, Outcome::N) => Outcome::P,
                (_, Outcome::D) => Outcome::D,
            };
            // Parts without options are no one's options, so that their places say nothing.
            let parts = self.exploration.normal(after.all_parts());
            let mut measure: Vec<u32> =
                parts.into_iter().map(|part| self.values.place(part)).collect();
            measure.sort_unstable_by(|a, b| b.cmp(a));
            found.push(Candidate { made, after, good, measure });
        }
        Ok(found)
    }

    fn key(&self, placement: &Placement) -> Vec<Vec<Part>> {
        let components = 0..placement.len();
        components.map(|i| self.exploration.normal(placement.parts(i))).collect()
    }

    /// The one reply of an opponent who has no choice.
    fn forced(&mut self, placement: &Placement) -> Result<Option<Candidate>, AnswerError> {
        if placement.due.is_none() {
            return Ok(None);
        }
        let mut replies = self.candidates(placement)?;
        Ok(if replies.len() == 1 { replies.pop() } else { None })
    }
}

/// The outcome and the turn to play.
pub(super) fn answer(
    exploration: &mut Exploration,
    values: &mut PartValues,
    placement: &Placement,
    budget: Budget,
) -> Result<PlacementAnswer, AnswerError> {
    let outcome = outcome(exploration, values, placement, budget)?;
    let cyclic = matches!(values.theory(), Theory::Cyclic | Theory::CarryOn);
    let mut player = Player { exploration, values, budget };
    let (moves, endless) = match outcome {
        Outcome::P => (player.lasting(placement)?, false),
        Outcome::N if !cyclic => (player.winning(placement)?, false),
        _ => player.by_measure(placement, outcome)?,
    };
    let kind = match outcome {
        Outcome::N => TurnKind::Winning,
        Outcome::D => TurnKind::Drawing,
        Outcome::P if moves.is_empty() => TurnKind::None,
        Outcome::P => TurnKind::Losing,
    };
    let turn = told(player.exploration, placement, &moves, kind, endless);
    let moves = moves.into_iter().map(|(made, _)| made).collect();
    Ok(PlacementAnswer { outcome, turn: Some(turn), moves, guide: Guide::Measure })
}

fn told(
    exploration: &Exploration,
    start: &Placement,
    moves: &[(PlacedMove, bool)],
    kind: TurnKind,
    endless: bool,
) -> TurnInWords {
    let mut placement = start.clone();
    let mut plies = Vec::with_capacity(moves.len());
    for (made, forced) in moves {
        plies.push(narrate::ply(exploration, &placement, made, *forced));
        placement = placement.after(made);
    }
    TurnInWords { kind, plies, endless }
}

impl Player<'_> {
    /// In a game without cycles: one winning move after the other.
    fn winning(&mut self, start: &Placement) -> Result<Vec<(PlacedMove, bool)>, AnswerError> {
        let mut moves = Vec::new();
        let mut placement = start.clone();
        loop {
            let all = self.candidates(&placement)?;
            let good = all.into_iter().filter(|candidate| candidate.good == Outcome::N);
            // A move that ends the turn before one that does not.
            let best = good.min_by_key(|candidate| {
                (candidate.made.kind == Kind::Again, candidate.measure.clone())
            });
            let Some(best) = best else { break };
            let again = best.made.kind == Kind::Again;
            placement = best.after;
            moves.push((best.made, false));
            if again {
                continue;
            }
            let Some(reply) = self.forced(&placement)? else { break };
            let stop = reply.made.kind == Kind::Again;
            placement = reply.after;
            moves.push((reply.made, true));
            if stop {
                break;
            }
        }
        Ok(moves)
    }

    /// In a lost position: what leaves the most.
    fn lasting(&mut self, start: &Placement) -> Result<Vec<(PlacedMove, bool)>, AnswerError> {
        let mut moves = Vec::new();
        let mut placement = start.clone();
        let mut seen = Seen::default();
        while seen.insert(self.key(&placement)) {
            let all = self.candidates(&placement)?;
            let best = all.into_iter().max_by_key(|candidate| {
                (candidate.made.kind != Kind::Again, candidate.measure.clone())
            });
            let Some(best) = best else { break };
            let again = best.made.kind == Kind::Again;
            placement = best.after;
            moves.push((best.made, false));
            if again {
                continue;
            }
            let Some(reply) = self.forced(&placement)? else { break };
            let stop = reply.made.kind == Kind::Again;
            placement = reply.after;
            moves.push((reply.made, true));
            if stop {
                break;
            }
        }
        Ok(moves)
    }

    /// With cycles and carry-on moves: among all the placements that carry-on moves reach, the
    /// last move that keeps the outcome and leaves the smallest measure. A draw may be held by
    /// carrying on for ever.
    fn by_measure(
        &mut self,
        start: &Placement,
        outcome: Outcome,
    ) -> Result<(Vec<(PlacedMove, bool)>, bool), AnswerError> {
        let mut reached: Vec<(Placement, Option<(usize, PlacedMove)>)> =
            vec![(start.clone(), None)];
        let mut seen = Seen::default();
        seen.insert(self.key(start));
        let mut waiting = VecDeque::from([0]);
        let mut best: Option<(Vec<u32>, usize, PlacedMove)> = None;
        let mut circle: Option<(usize, PlacedMove)> = None;
        while let Some(at) = waiting.pop_front() {
            let here = reached[at].0.clone();
            for candidate in self.candidates(&here)? {
                let Candidate { made, after, good, measure } = candidate;
                if good != outcome {
                    continue;
                }
                if made.kind != Kind::Again {
                    if best.as_ref().is_none_or(|(least, ..)| measure < *least) {
                        best = Some((measure, at, made));
                    }
                } else if seen.insert(self.key(&after)) {
                    if reached.len() < MOST_REACHED {
                        waiting.push_back(reached.len());
                        reached.push((after, Some((at, made))));
                    }
                } else if circle.is_none() {
                    circle = Some((at, made));
                }
            }
        }
        let (at, last, endless) = match (best, circle) {
            (Some((_, at, last)), _) => (at, last, false),
            (None, Some((at, last))) => (at, last, true),
            (None, None) => {
                return Err(AnswerError::Fault(Fault::TooMany { limit: MOST_REACHED }));
            }
        };
        let mut moves = vec![(last, false)];
        let mut at = at;
        while let Some((before, made)) = reached[at].1.clone() {
            moves.push((made, false));
            at = before;
        }
        moves.reverse();
        Ok((moves, endless))
    }
}

/// The winning turns that repeat no position, up to a limit.
pub(super) fn winning_turns(
    exploration: &mut Exploration,
    values: &mut PartValues,
    start: &Placement,
    budget: Budget,
    limit: usize,
) -> Result<TurnsInWords, AnswerError> {
    let mut list = TurnsInWords { turns: Vec::new(), truncated: false };
    if outcome(exploration, values, start, budget)? != Outcome::N {
        return Ok(list);
    }
    let mut player = Player { exploration, values, budget };
    // Breadth first, so that shorter turns come first; each with the placements that it passed.
    let mut waiting = VecDeque::from([(start.clone(), Vec::new(), vec![player.key(start)])]);
    let mut looked_at = 0;
    while let Some((placement, moves, passed)) = waiting.pop_front() {
        if list.turns.len() == limit || looked_at == MOST_REACHED {
            list.truncated = true;
            break;
        }
        looked_at += 1;
        for Candidate { made, after, good, .. } in player.candidates(&placement)? {
            if good != Outcome::N {
                continue;
            }
            let again = made.kind == Kind::Again;
            let mut moves = moves.clone();
            moves.push((made, false));
            let mut after = after;
            let mut ended = !again;
            if !again && let Some(reply) = player.forced(&after)? {
                ended = reply.made.kind == Kind::Again;
                after = reply.after;
                moves.push((reply.made, true));
            }
            if ended {
                if list.turns.len() < limit {
                    list.turns.push(told(
                        player.exploration,
                        start,
                        &moves,
                        TurnKind::Winning,
                        false,
                    ));
                } else {
                    list.truncated = true;
                }
                continue;
            }
            let key = player.key(&after);
            if !passed.contains(&key) {
                let mut passed = passed.clone();
                passed.push(key);
                waiting.push_back((after, moves, passed));
            }
        }
    }
    list.turns.sort_by_key(|turn| turn.plies.len());
    if list.truncated && list.turns.is_empty() {
        // A list that was cut still has the turn that is known.
        list.turns.extend(answer(player.exploration, player.values, start, budget)?.turn);
    }
    Ok(list)
}

//! Turns by the values of the parts alone, where whole components are too many.
//!
//! Without cycles any move that keeps the win will do, since play ends. With cycles and carry-on
//! moves something must fall. Take for every part its place in the order in which the parts got
//! their values, and for a placement the list of the places of all its parts, largest first; lists
//! are compared as in a dictionary. Of all turns that leave a P-position the one with the smallest
//! list is taken.
//!
//! ## Why the list falls
//! Each fact that justified a value rests on parts of smaller place: within a strongly connected
//! component by the order of its labelling, and between them by the order in which they were
//! settled. A turn of the opponent and the right reply together replace one part, or two, by others
//! of smaller place, perhaps by several. So the list falls. The proof is that of the measure in
//! [`turn`](crate::impartial::turn), case by case, with "replaced by parts of smaller place" for
//! "moved to a node of smaller place". Such lists cannot fall for ever (N. Dershowitz and Z. Manna,
//! Proving termination with multiset orderings, 1979).
//!
//! A table over the parts finds the smallest list, without trying all orders of carry-on moves.
//! Measures of parts are compared by what changes: of two moves in the same sum, what goes in one
//! may as well come in the other, since lists that are ordered like words in a dictionary keep
//! their order when the same element is added to both.

pub(super) mod candidates;
mod cycles;

use std::cmp::Ordering;
use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use self::candidates::{Among, ENOUGH};
use super::narrate;
use super::placement::{PlacedMove, Placement};
use super::{AnswerError, PlacementAnswer, TurnInWords, TurnsInWords, most_moves, most_replies};
use crate::impartial::labelling::Label;
use crate::impartial::nimbers::NimberSet;
use crate::impartial::theory::Theory;
use crate::impartial::turn::{Guide, TurnKind};
use crate::impartial::value::{AnyValue, Cover, EntailingValue};
use crate::limits::Work;
use crate::outcome::Outcome;
use crate::ruleset::Kind;
use crate::solve::explore::parts::PartValues;
use crate::solve::explore::{Exploration, Part, for_searches};

/// How many placements within one turn, or of one part within it, are visited.
const MOST_REACHED: usize = 20_000;

/// Who wins a placement, for the player to move.
pub(super) fn outcome(
    exploration: &mut Exploration,
    values: &mut PartValues,
    placement: &Placement,
    work: &Work,
) -> Result<Outcome, AnswerError> {
    outcome_within(exploration, values, placement, work, &for_searches(work))
}

/// The same, where searches may visit this many positions.
pub(super) fn outcome_within(
    exploration: &mut Exploration,
    values: &mut PartValues,
    placement: &Placement,
    work: &Work,
    searches: &Work,
) -> Result<Outcome, AnswerError> {
    if placement.due.is_none() {
        let (unknown, known): (Vec<Part>, Vec<Part>) =
            placement.all_parts().into_iter().partition(|&part| exploration.needs_search(part));
        all_known(exploration, values, &known)?;
        let total = values.total(exploration, &known);
        return match total {
            AnyValue::Entailing(total) if !unknown.is_empty() => {
                let outcome = exploration.search_outcome(total, &unknown, searches);
                outcome.map_err(AnswerError::Search)
            }
            total => Ok(total.outcome().unwrap_or(Outcome::D)),
        };
    }
    let (due, beside) = due_and_beside(placement);
    exploration.search_within(&beside, searches).map_err(AnswerError::Search)?;
    all_known(exploration, values, &beside)?;
    let due = exploration.normal(due);
    let covered = values.cover(exploration, &due, most_replies(work), work)?;
    Ok(outcome_of_due(&covered, &values.total(exploration, &beside)))
}

/// An error if the value of some part is not known.
fn all_known(
    exploration: &Exploration,
    values: &PartValues,
    parts: &[Part],
) -> Result<(), AnswerError> {
    match parts.iter().find(|&&part| !values.knows(exploration, part)) {
        None => Ok(()),
        Some(&part) => {
            let (field, position) = exploration.position(part);
            let field = exploration.field(field);
            let position = format!("{}:{}", field.name(), field.text(position));
            Err(AnswerError::Unknown { position })
        }
    }
}

/// Who wins what must be answered and covers these nim-heaps, beside parts of this value.
fn outcome_of_due(covered: &NimberSet, beside: &AnyValue) -> Outcome {
    let loses = match beside {
        AnyValue::Entailing(EntailingValue::Moon) => covered.is_cofinite(),
        value => value.nimber().is_some_and(|n| covered.contains(n)),
    };
    if loses { Outcome::P } else { Outcome::N }
}

/// The value of a component, or what it covers if it must be answered.
pub(super) fn label(
    exploration: &mut Exploration,
    values: &mut PartValues,
    placement: &Placement,
    component: usize,
    work: &Work,
) -> Label {
    let searches = for_searches(work);
    if exploration.search_within(&placement.parts(component), &searches).is_err() {
        return Label::Gray(None);
    }
    if all_known(exploration, values, &placement.parts(component)).is_err() {
        return Label::Gray(None);
    }
    if placement.due() != Some(component) {
        return Label::White(values.total(exploration, &placement.parts(component)));
    }
    let (due, beside) = due_and_beside(&placement.component(component));
    let due = exploration.normal(due);
    let Ok(covered) = values.cover(exploration, &due, most_replies(work), work) else {
        return Label::Gray(None);
    };
    let covered = match values.total(exploration, &beside) {
        AnyValue::Entailing(EntailingValue::Moon) if covered.is_cofinite() => {
            NimberSet::all_except([])
        }
        AnyValue::Entailing(EntailingValue::Moon) => NimberSet::nothing(),
        value => match (covered, value.nimber()) {
            (NimberSet::Only(set), Some(n)) => NimberSet::Only(set.nim_add(n)),
            (NimberSet::AllExcept(set), Some(n)) => NimberSet::AllExcept(set.nim_add(n)),
            (_, None) => return Label::Gray(None),
        },
    };
    Label::Gray(Some(Cover::Heaps(covered)))
}

/// The parts that must be answered, and the others.
fn due_and_beside(placement: &Placement) -> (Vec<Part>, Vec<Part>) {
    let (mut due, mut beside) = (Vec::new(), Vec::new());
    for (i, parts) in placement.components.iter().enumerate() {
        for (place, placed) in parts.iter().enumerate() {
            let is_due = placement.due.is_some() && placement.is_movable(i, place);
            (if is_due { &mut due } else { &mut beside }).push(placed.part);
        }
    }
    (due, beside)
}

/// A move with what it is worth.
pub(super) struct Candidate {
    pub(super) made: PlacedMove,
    /// For the player who made it.
    pub(super) good: Outcome,
    pub(super) change: Change,
}

/// How a move changes the measure of a sum: one place goes, others come.
#[derive(Clone, Debug, Default)]
pub(super) struct Change {
    /// The place of the part that was moved, if there was one.
    pub(super) gone: Option<u32>,
    /// The places of what is left of it, largest first.
    pub(super) come: Vec<u32>,
}

impl Change {
    /// Which of two changes of the same sum leaves the smaller measure.
    ///
    /// Measures are compared like words of a dictionary, and stay in that order when the same
    /// places are added to both; so what goes in one may as well come in the other.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        if self.gone == other.gone {
            return self.come.cmp(&other.come);
        }
        joined(&self.come, other.gone.as_slice()).cmp(&joined(&other.come, self.gone.as_slice()))
    }
}

pub(super) struct Player<'a> {
    pub(super) exploration: &'a mut Exploration,
    pub(super) values: &'a mut PartValues,
    pub(super) work: &'a Work,
}

/// The states of all components, for finding placements again.
type Seen = FxHashSet<Vec<Vec<Part>>>;

impl Player<'_> {
    fn key(&self, placement: &Placement) -> Vec<Vec<Part>> {
        let components = 0..placement.len();
        components.map(|i| self.exploration.normal(placement.parts(i))).collect()
    }

    /// The one reply of an opponent who has no choice.
    fn forced(&mut self, placement: &Placement) -> Result<Option<PlacedMove>, AnswerError> {
        if placement.due.is_none() {
            return Ok(None);
        }
        let mut replies = self.choices(placement, usize::MAX)?;
        Ok(if replies.len() == 1 { replies.pop().map(|(reply, _)| reply) } else { None })
    }
}

/// The outcome and the turn to play.
pub(super) fn answer(
    exploration: &mut Exploration,
    values: &mut PartValues,
    placement: &Placement,
    work: &Work,
) -> Result<PlacementAnswer, AnswerError> {
    let outcome = outcome(exploration, values, placement, work)?;
    let cyclic = matches!(values.theory(), Theory::Cyclic | Theory::CarryOn);
    let mut player = Player { exploration, values, work };
    let (moves, endless) = match outcome {
        Outcome::P => (player.lasting(placement)?, false),
        Outcome::N if !cyclic => (player.winning(placement)?, false),
        Outcome::N => (player.winning_with_cycles(placement)?, false),
        Outcome::D => player.drawing(placement)?,
    };
    let kind = match outcome {
        Outcome::N => TurnKind::Winning,
        Outcome::D => TurnKind::Drawing,
        Outcome::P if moves.is_empty() => TurnKind::None,
        Outcome::P => TurnKind::Losing,
    };
    let turn = turn_in_words(player.exploration, placement, &moves, kind, endless);
    let moves = moves.into_iter().map(|(made, _)| made).collect();
    let (turn, tree, guide) = (Some(turn), None, Guide::Measure);
    Ok(PlacementAnswer { outcome, turn, tree, moves, guide })
}

fn turn_in_words(
    exploration: &Exploration,
    start: &Placement,
    moves: &[(PlacedMove, bool)],
    kind: TurnKind,
    endless: bool,
) -> TurnInWords {
    let mut placement = start.clone();
    let mut plies = Vec::with_capacity(moves.len());
    for (made, forced) in moves {
        plies.push(narrate::ply(exploration, &mut placement, made, *forced));
    }
    TurnInWords { kind, plies, endless }
}

impl Player<'_> {
    /// In a game without cycles: one winning move after the other.
    fn winning(&mut self, start: &Placement) -> Result<Vec<(PlacedMove, bool)>, AnswerError> {
        self.move_by_move(start, |player, placement| {
            if player.exploration.may_search() {
                return player.winning_by_search(placement);
            }
            let candidates = player.candidates(placement, Among::First)?.into_iter();
            let good = candidates.filter(|candidate| candidate.good == Outcome::N);
            // A move that ends the turn before one that does not.
            let again = |candidate: &Candidate| candidate.made.kind == Kind::Again;
            let best = good
                .min_by(|a, b| again(a).cmp(&again(b)).then_with(|| a.change.compare(&b.change)));
            Ok(best)
        })
    }

    /// In a lost position: what leaves the most.
    fn lasting(&mut self, start: &Placement) -> Result<Vec<(PlacedMove, bool)>, AnswerError> {
        self.move_by_move(start, |player, placement| {
            let candidates = if player.exploration.may_search() {
                // All moves lose, whatever they leave.
                let choices = player.choices(placement, ENOUGH)?.into_iter();
                choices.map(|(made, change)| Candidate { made, good: Outcome::P, change }).collect()
            } else {
                player.candidates(placement, Among::Last)?
            };
            let ends = |candidate: &Candidate| candidate.made.kind != Kind::Again;
            let more = |a: &Candidate, b: &Candidate| {
                ends(a).cmp(&ends(b)).then_with(|| a.change.compare(&b.change))
            };
            Ok(candidates.into_iter().max_by(more))
        })
    }

    /// A turn whose moves are chosen one by one, with the forced replies, up to its end or to the
    /// first placement that comes again.
    fn move_by_move(
        &mut self,
        start: &Placement,
        choose: impl Fn(&mut Self, &Placement) -> Result<Option<Candidate>, AnswerError>,
    ) -> Result<Vec<(PlacedMove, bool)>, AnswerError> {
        let mut moves = Vec::new();
        let mut placement = start.clone();
        let mut seen = Seen::default();
        while seen.insert(self.key(&placement)) {
            let Some(best) = choose(self, &placement)? else { break };
            let again = best.made.kind == Kind::Again;
            placement.play(&best.made);
            moves.push((best.made, false));
            if again {
                continue;
            }
            let Some(reply) = self.forced(&placement)? else { break };
            let stop = reply.kind == Kind::Again;
            placement.play(&reply);
            moves.push((reply, true));
            if stop {
                break;
            }
        }
        Ok(moves)
    }

    /// With cycles and carry-on moves, a draw: after few carry-on moves, the last move that keeps
    /// it and leaves the smallest measure; else a circle of carry-on moves.
    fn drawing(
        &mut self,
        start: &Placement,
    ) -> Result<(Vec<(PlacedMove, bool)>, bool), AnswerError> {
        /// Once a move was found, this many placements are visited for a better one; fewer of large
        /// sums.
        const ENOUGH: usize = 500;
        const PARTS: usize = 20_000;
        let enough = (PARTS / start.len().max(1)).min(ENOUGH);
        let mut reached: Vec<(Placement, Option<(usize, PlacedMove)>)> =
            vec![(start.clone(), None)];
        let mut seen = Seen::from_iter([self.key(start)]);
        let mut best: Option<(Vec<u32>, usize, PlacedMove)> = None;
        let (mut at, mut cut) = (0, false);
        while at < reached.len() && (best.is_none() || at < enough) {
            let here = reached[at].0.clone();
            let candidates = self.candidates(&here, Among::First)?.into_iter();
            let good = candidates.filter(|candidate| candidate.good == Outcome::D);
            let (carry_on, last): (Vec<_>, Vec<_>) =
                good.partition(|candidate| candidate.made.kind == Kind::Again);
            if let Some(Candidate { made, .. }) =
                last.into_iter().min_by(|a, b| a.change.compare(&b.change))
            {
                let measure = self.measure(here.after(&made).all_parts());
                if best.as_ref().is_none_or(|(least, ..)| measure < *least) {
                    best = Some((measure, at, made));
                }
            }
            for Candidate { made, .. } in carry_on {
                let after = here.after(&made);
                if seen.insert(self.key(&after)) {
                    if reached.len() < MOST_REACHED {
                        reached.push((after, Some((at, made))));
                    } else {
                        cut = true;
                    }
                }
            }
            at += 1;
        }
        if let Some((_, at, last)) = best {
            return Ok((way(&reached, at, last), false));
        }
        if cut {
            return Err(AnswerError::TurnTooLong { most: MOST_REACHED });
        }
        self.circle(start).map(|moves| (moves, true))
    }

    /// Carry-on moves that keep a draw, up to the first placement that comes again.
    fn circle(&mut self, start: &Placement) -> Result<Vec<(PlacedMove, bool)>, AnswerError> {
        struct Frame {
            placement: Placement,
            key: Vec<Vec<Part>>,
            candidates: std::vec::IntoIter<Candidate>,
        }
        let candidates = self.candidates(start, Among::First)?.into_iter();
        let mut frames = vec![Frame { placement: start.clone(), key: self.key(start), candidates }];
        let mut moves: Vec<(PlacedMove, bool)> = Vec::new();
        let mut left = Seen::default();
        while let Some(frame) = frames.last_mut() {
            let Some(Candidate { made, good, .. }) = frame.candidates.next() else {
                moves.pop();
                left.extend(frames.pop().map(|frame| frame.key));
                continue;
            };
            if good != Outcome::D || made.kind != Kind::Again {
                continue;
            }
            let after = frame.placement.after(&made);
            let key = self.key(&after);
            if left.contains(&key) {
                continue;
            }
            moves.push((made, false));
            if frames.iter().any(|frame| frame.key == key) {
                return Ok(moves);
            }
            let candidates = self.candidates(&after, Among::First)?.into_iter();
            frames.push(Frame { placement: after, key, candidates });
        }
        // Some turn keeps the draw, and the search above saw all turns that end.
        Err(AnswerError::TurnTooLong { most: MOST_REACHED })
    }

    /// The nimber of a placement and its measure, if its value is a number.
    fn number(&mut self, placement: &Placement) -> Option<(u64, Vec<u32>)> {
        let parts = placement.all_parts();
        let number = self.values.total(self.exploration, &parts).nimber()?;
        Some((number, self.measure(parts)))
    }

    /// The places of parts in the order in which values were found, largest first. Parts without
    /// options are not anyone's options, so that their order does not matter.
    pub(super) fn measure(&self, parts: Vec<Part>) -> Vec<u32> {
        let parts = self.exploration.normal(parts).into_iter();
        let mut measure: Vec<u32> = parts.map(|part| self.values.place(part)).collect();
        measure.sort_unstable_by(|a, b| b.cmp(a));
        measure
    }
}

/// Two measures as one.
fn joined(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut both = [one, other].concat();
    both.sort_unstable_by(|a, b| b.cmp(a));
    both
}

/// The moves that led to a placement.
fn moves_to(
    reached: &[(Placement, Option<(usize, PlacedMove)>)],
    mut at: usize,
) -> Vec<PlacedMove> {
    let mut moves = Vec::new();
    while let Some((before, made)) = &reached[at].1 {
        moves.push(made.clone());
        at = *before;
    }
    moves.reverse();
    moves
}

/// The moves that led to a placement, and one more.
fn way(
    reached: &[(Placement, Option<(usize, PlacedMove)>)],
    at: usize,
    last: PlacedMove,
) -> Vec<(PlacedMove, bool)> {
    let moves = moves_to(reached, at).into_iter().chain([last]);
    moves.map(|made| (made, false)).collect()
}

/// The winning turns that repeat no position, up to a limit; in a draw none are listed.
pub(super) fn best_turns(
    exploration: &mut Exploration,
    values: &mut PartValues,
    start: &Placement,
    work: &Work,
    limit: usize,
) -> Result<TurnsInWords, AnswerError> {
    let mut list = TurnsInWords { turns: Vec::new(), truncated: false };
    if outcome(exploration, values, start, work)? != Outcome::N {
        return Ok(list);
    }
    let mut player = Player { exploration, values, work };
    // Breadth first, so that shorter turns come first; each with the placements that it passed.
    let mut waiting = VecDeque::from([(start.clone(), Vec::new(), vec![player.key(start)])]);
    let mut visited = 0;
    while let Some((placement, moves, passed)) = waiting.pop_front() {
        if list.turns.len() == limit || visited == MOST_REACHED {
            list.truncated = true;
            break;
        }
        visited += 1;
        work.check()?;
        for Candidate { made, good, .. } in player.candidates(&placement, Among::All)? {
            if good != Outcome::N {
                continue;
            }
            let again = made.kind == Kind::Again;
            let mut after = placement.after(&made);
            let mut moves = moves.clone();
            moves.push((made, false));
            let mut ended = !again;
            if !again && let Some(reply) = player.forced(&after)? {
                ended = reply.kind == Kind::Again;
                after.play(&reply);
                moves.push((reply, true));
            }
            if ended {
                if list.turns.len() < limit {
                    list.turns.push(turn_in_words(
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
        list.turns.extend(answer(player.exploration, player.values, start, work)?.turn);
    }
    Ok(list)
}

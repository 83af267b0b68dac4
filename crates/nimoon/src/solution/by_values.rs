//! Turns by the values of the parts alone, where whole components are too many.
//!
//! Without cycles any move that keeps the win will do, since play ends. With cycles and carry-on
//! moves something must fall: the list of the places of all parts in the order in which their
//! values were found, largest first. Every value was justified by parts of smaller place, and a
//! move replaces one part by such parts, so from a P-position every turn of the opponent can be
//! answered by one that leaves a P-position with a smaller list, in the order of the dictionary. The
//! turn that leaves the smallest is therefore taken. Such lists cannot fall for ever
//! (N. Dershowitz and Z. Manna, Proving termination with multiset orderings, 1979).
//! A table over the parts finds it, without trying all orders of carry-on moves.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::narrate;
use super::placement::{Placed, PlacedMove, Placement};
use super::{AnswerError, PlacementAnswer, TurnInWords, TurnsInWords, most_moves, most_replies};
use crate::budget::Budget;
use crate::effort::Interrupted;
use crate::explore::parts::PartValues;
use crate::explore::{Exploration, Part, most_looked_at};
use crate::labelling::Label;
use crate::nimbers::NimberSet;
use crate::outcome::Outcome;
use crate::ruleset::Kind;
use crate::theory::Theory;
use crate::turn::{Guide, TurnKind};
use crate::value::{AnyValue, Cover, EntailingValue};

/// How many placements within one turn, or of one part within it, are looked at.
const MOST_REACHED: usize = 20_000;

/// Who wins a placement, for the player to move.
pub(super) fn outcome(
    exploration: &mut Exploration,
    values: &mut PartValues,
    placement: &Placement,
    budget: Budget,
) -> Result<Outcome, AnswerError> {
    outcome_within(exploration, values, placement, budget, most_looked_at(budget))
}

/// The same, where searches may look at so many positions.
fn outcome_within(
    exploration: &mut Exploration,
    values: &mut PartValues,
    placement: &Placement,
    budget: Budget,
    looked_at: u64,
) -> Result<Outcome, AnswerError> {
    if placement.due.is_none() {
        let (unknown, known): (Vec<Part>, Vec<Part>) =
            placement.all_parts().into_iter().partition(|&part| exploration.needs_search(part));
        let total = values.total(exploration, &known);
        return match total {
            AnyValue::Entailing(total) if !unknown.is_empty() => {
                Ok(exploration.search_outcome(total, &unknown, looked_at)?)
            }
            total => Ok(total.outcome().unwrap_or(Outcome::D)),
        };
    }
    let (due, beside) = due_and_beside(placement);
    exploration.search_within(&beside, looked_at)?;
    let due = exploration.normal(due);
    let covered = values.cover(exploration, &due, most_replies(budget))?;
    let loses = match values.total(exploration, &beside) {
        AnyValue::Entailing(EntailingValue::Moon) => covered.is_cofinite(),
        value => value.nimber().is_some_and(|n| covered.contains(n)),
    };
    Ok(if loses { Outcome::P } else { Outcome::N })
}

/// The value of a component, or what it covers if it must be answered.
pub(super) fn label(
    exploration: &mut Exploration,
    values: &mut PartValues,
    placement: &Placement,
    component: usize,
    budget: Budget,
) -> Label {
    if exploration.search_within(&placement.parts(component), most_looked_at(budget)).is_err() {
        return Label::Gray(None);
    }
    if placement.due() != Some(component) {
        return Label::White(values.total(exploration, &placement.parts(component)));
    }
    let (due, beside) = due_and_beside(&placement.component(component));
    let due = exploration.normal(due);
    let Ok(covered) = values.cover(exploration, &due, most_replies(budget)) else {
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
        let choices = self.choices(placement)?;
        self.all_judged(choices)
    }

    /// What moves are worth.
    fn all_judged(
        &mut self,
        choices: Vec<(PlacedMove, Placement)>,
    ) -> Result<Vec<Candidate>, AnswerError> {
        choices.into_iter().map(|choice| self.judged(choice, most_looked_at(self.budget))).collect()
    }

    /// All moves, each different in effect once, with what they leave.
    fn choices(
        &mut self,
        placement: &Placement,
    ) -> Result<Vec<(PlacedMove, Placement)>, AnswerError> {
        let moves = placement.moves(self.exploration, most_moves(self.budget))?;
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for made in moves {
            let state = placement.state_after(self.exploration, &made, false);
            if !seen.insert((made.component, state)) {
                continue;
            }
            let after = placement.after(&made);
            found.push((made, after));
        }
        Ok(found)
    }

    /// What a move is worth, where searches may look at so many positions.
    fn judged(
        &mut self,
        (made, after): (PlacedMove, Placement),
        looked_at: u64,
    ) -> Result<Candidate, AnswerError> {
        let (exploration, values) = (&mut *self.exploration, &mut *self.values);
        let outcome = outcome_within(exploration, values, &after, self.budget, looked_at)?;
        let good = match (made.kind, outcome) {
            (Kind::Again, outcome) => outcome,
            (_, Outcome::P) => Outcome::N,
            (_, Outcome::N) => Outcome::P,
            (_, Outcome::D) => Outcome::D,
        };
        let measure = self.measure(after.all_parts());
        Ok(Candidate { made, after, good, measure })
    }

    /// The first winning move that is found, where values must be searched for: each move is given
    /// a little time, and those that need more are tried again with more.
    fn found_by_search(
        &mut self,
        mut left: Vec<(PlacedMove, Placement)>,
    ) -> Result<Option<Candidate>, AnswerError> {
        /// What all moves may look at first, and how much more the next time.
        const FIRST: u64 = 4096;
        const MORE: u64 = 8;
        // A move that ends the turn before one that does not.
        left.sort_by_key(|(made, _)| made.kind == Kind::Again);
        let most = most_looked_at(self.budget);
        let mut looked_at = FIRST.min(most);
        loop {
            let mut unknown = Vec::new();
            let mut over = None;
            for choice in left {
                match self.judged(choice.clone(), looked_at) {
                    Ok(candidate) if candidate.good == Outcome::N => return Ok(Some(candidate)),
                    Ok(_) => {}
                    Err(error @ AnswerError::Search(Interrupted::OverBudget { .. })) => {
                        unknown.push(choice);
                        over = Some(error);
                    }
                    Err(error) => return Err(error),
                }
            }
            match over {
                None => return Ok(None),
                Some(error) if looked_at == most => return Err(error),
                Some(_) => {}
            }
            looked_at = looked_at.saturating_mul(MORE).min(most);
            left = unknown;
        }
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
        Outcome::N => (player.winning_with_cycles(placement)?, false),
        Outcome::D => player.drawing(placement)?,
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
        self.move_by_move(start, |player, placement| {
            let choices = player.choices(placement)?;
            let parts = choices.iter().flat_map(|(_, after)| after.all_parts());
            if parts.into_iter().any(|part| player.exploration.needs_search(part)) {
                return player.found_by_search(choices);
            }
            let candidates = player.all_judged(choices)?.into_iter();
            let good = candidates.filter(|candidate| candidate.good == Outcome::N);
            // A move that ends the turn before one that does not.
            Ok(good.min_by_key(|candidate| {
                (candidate.made.kind == Kind::Again, candidate.measure.clone())
            }))
        })
    }

    /// In a lost position: what leaves the most.
    fn lasting(&mut self, start: &Placement) -> Result<Vec<(PlacedMove, bool)>, AnswerError> {
        self.move_by_move(start, |player, placement| {
            // All moves lose, whatever they leave.
            let choices = player.choices(placement)?.into_iter().map(|(made, after)| {
                let measure = player.measure(after.all_parts());
                Candidate { made, after, good: Outcome::P, measure }
            });
            Ok(choices.max_by_key(|candidate| {
                (candidate.made.kind != Kind::Again, candidate.measure.clone())
            }))
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

    /// With cycles and carry-on moves, a draw: after few carry-on moves, the last move that keeps
    /// it and leaves the smallest measure; else a circle of carry-on moves.
    fn drawing(
        &mut self,
        start: &Placement,
    ) -> Result<(Vec<(PlacedMove, bool)>, bool), AnswerError> {
        /// Once a move was found, so many placements are looked at for a better one.
        const ENOUGH: usize = 500;
        let mut reached: Vec<(Placement, Option<(usize, PlacedMove)>)> =
            vec![(start.clone(), None)];
        let mut seen = Seen::from_iter([self.key(start)]);
        let mut best: Option<(Vec<u32>, usize, PlacedMove)> = None;
        let (mut at, mut cut) = (0, false);
        while at < reached.len() && (best.is_none() || at < ENOUGH) {
            let here = reached[at].0.clone();
            let candidates = self.candidates(&here)?.into_iter();
            let good = candidates.filter(|candidate| candidate.good == Outcome::D);
            let (carry_on, last): (Vec<_>, Vec<_>) =
                good.partition(|candidate| candidate.made.kind == Kind::Again);
            for Candidate { made, measure, .. } in last {
                if best.as_ref().is_none_or(|(least, ..)| measure < *least) {
                    best = Some((measure, at, made));
                }
            }
            for Candidate { made, after, .. } in carry_on {
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
            key: Vec<Vec<Part>>,
            candidates: std::vec::IntoIter<Candidate>,
        }
        let mut frames =
            vec![Frame { key: self.key(start), candidates: self.candidates(start)?.into_iter() }];
        let mut moves: Vec<(PlacedMove, bool)> = Vec::new();
        let mut left = Seen::default();
        while let Some(frame) = frames.last_mut() {
            let Some(Candidate { made, after, good, .. }) = frame.candidates.next() else {
                moves.pop();
                left.extend(frames.pop().map(|frame| frame.key));
                continue;
            };
            let key = self.key(&after);
            if good != Outcome::D || made.kind != Kind::Again || left.contains(&key) {
                continue;
            }
            moves.push((made, false));
            if frames.iter().any(|frame| frame.key == key) {
                return Ok(moves);
            }
            let candidates = self.candidates(&after)?.into_iter();
            frames.push(Frame { key, candidates });
        }
        // A draw is held by some turn, and the search above saw all turns that end.
        Err(AnswerError::TurnTooLong { most: MOST_REACHED })
    }

    /// With cycles and carry-on moves, a win: the turn that leaves a P-position of the smallest
    /// measure.
    ///
    /// Every part is brought to numbers by carry-on moves of its own, and one makes the last move;
    /// so the parts are looked at one by one, and a table over them has the smallest measure for
    /// each nim-sum, with and without the last move. Measures of parts join to those of sums, and
    /// a smaller one for a part makes a smaller one for the sum.
    fn winning_with_cycles(
        &mut self,
        start: &Placement,
    ) -> Result<Vec<(PlacedMove, bool)>, AnswerError> {
        let mut known: FxHashMap<Placed, Rc<Rests>> = FxHashMap::default();
        let mut rests: Vec<Rc<Rests>> = Vec::new();
        let mut table: FxHashMap<(u64, bool), Choice> = FxHashMap::default();
        table.insert((0, false), (Vec::new(), Vec::new()));
        for placed in start.components.iter().flatten() {
            if !known.contains_key(placed) {
                let rests = Rc::new(self.rests(*placed)?);
                known.insert(*placed, rests);
            }
            let here = Rc::clone(&known[placed]);
            let mut next: FxHashMap<(u64, bool), Choice> = FxHashMap::default();
            for (&(sum, moved), (measure, chosen)) in &table {
                for (&(number, moves), rest) in here.iter() {
                    if moved && moves {
                        continue;
                    }
                    let measure = joined(measure, &rest.measure);
                    let key = (sum ^ number, moved || moves);
                    if next.get(&key).is_none_or(|(least, _)| measure < *least) {
                        let mut chosen = chosen.clone();
                        chosen.push((number, moves));
                        next.insert(key, (measure, chosen));
                    }
                }
            }
            if next.len() > MOST_REACHED {
                return Err(AnswerError::TurnTooLong { most: MOST_REACHED });
            }
            table = next;
            rests.push(here);
        }
        let Some((_, chosen)) = table.remove(&(0, true)) else {
            return Err(AnswerError::TurnTooLong { most: MOST_REACHED });
        };
        // The part that makes the last move comes last.
        let mut order: Vec<usize> = (0..chosen.len()).collect();
        order.sort_by_key(|&i| chosen[i].1);
        let owners: Vec<usize> = (0..start.len())
            .flat_map(|component| std::iter::repeat_n(component, start.components[component].len()))
            .collect();
        // How many parts each part of the start has become.
        let mut widths = vec![1; chosen.len()];
        let mut moves = Vec::new();
        for i in order {
            let before = (0..i).filter(|&j| owners[j] == owners[i]).map(|j| widths[j]);
            let offset: usize = before.sum();
            for made in &rests[i][&chosen[i]].moves {
                let mut made = made.clone();
                made.component = owners[i];
                made.place += offset;
                widths[i] = widths[i] + made.left.len() - 1;
                moves.push((made, false));
            }
        }
        Ok(moves)
    }

    /// Where carry-on moves in one part alone, and perhaps a last move, can leave it: for each
    /// number, with and without the last move, what has the smallest measure.
    fn rests(&mut self, placed: Placed) -> Result<Rests, AnswerError> {
        let alone = Placement { components: vec![vec![placed]], due: None };
        let mut reached: Vec<(Placement, Option<(usize, PlacedMove)>)> = vec![(alone, None)];
        let mut seen = Seen::from_iter([self.key(&reached[0].0)]);
        let mut rests = Rests::default();
        let mut at = 0;
        while at < reached.len() {
            let here = reached[at].0.clone();
            if let Some((number, measure)) = self.number(&here) {
                let moves = || moves_to(&reached, at);
                offer(&mut rests, (number, false), measure, moves);
            }
            for made in here.moves(self.exploration, most_moves(self.budget))? {
                let after = here.after(&made);
                if made.kind == Kind::Again {
                    if seen.insert(self.key(&after)) {
                        if reached.len() == MOST_REACHED {
                            return Err(AnswerError::TurnTooLong { most: MOST_REACHED });
                        }
                        reached.push((after, Some((at, made))));
                    }
                } else if let Some((number, measure)) = self.number(&after) {
                    let moves = || {
                        let mut moves = moves_to(&reached, at);
                        moves.push(made);
                        moves
                    };
                    offer(&mut rests, (number, true), measure, moves);
                }
            }
            at += 1;
        }
        Ok(rests)
    }

    /// The nimber of a placement and its measure, if its value is a number.
    fn number(&mut self, placement: &Placement) -> Option<(u64, Vec<u32>)> {
        let parts = placement.all_parts();
        let number = self.values.total(self.exploration, &parts).nimber()?;
        Some((number, self.measure(parts)))
    }

    /// The places of parts in the order in which values were found, largest first. Parts without
    /// options are no one's options, so that their places say nothing.
    fn measure(&self, parts: Vec<Part>) -> Vec<u32> {
        let parts = self.exploration.normal(parts).into_iter();
        let mut measure: Vec<u32> = parts.map(|part| self.values.place(part)).collect();
        measure.sort_unstable_by(|a, b| b.cmp(a));
        measure
    }
}

/// What a part can be left as.
struct Rest {
    measure: Vec<u32>,
    moves: Vec<PlacedMove>,
}

/// What was chosen for some parts, after the measure of all of them.
type Choice = (Vec<u32>, Vec<(u64, bool)>);

/// By number, and whether the last move of the turn is made here.
type Rests = FxHashMap<(u64, bool), Rest>;

fn offer(
    rests: &mut Rests,
    key: (u64, bool),
    measure: Vec<u32>,
    moves: impl FnOnce() -> Vec<PlacedMove>,
) {
    if rests.get(&key).is_none_or(|known| measure < known.measure) {
        rests.insert(key, Rest { measure, moves: moves() });
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

//! Winning turns with cycles and carry-on moves: a table over the parts.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{AnswerError, Change, MOST_REACHED, Player, Seen, joined, moves_to};
use crate::ruleset::Kind;
use crate::solve::solution::placement::{Placed, PlacedMove, Placement};

impl Player<'_> {
    /// With cycles and carry-on moves, a win: the turn that leaves a P-position of the smallest
    /// measure.
    ///
    /// Parts that are not numbers are brought to numbers by carry-on moves of their own, and one
    /// part, of these or of the others, makes the last move. A table over the parts that are not
    /// numbers has the smallest measure for each nim-sum, with and without the last move. Measures
    /// of parts join to those of sums, and a smaller one for a part makes a smaller one for the
    /// sum.
    ///
    /// Numbers need no carry-on moves of their own: an opponent finds nothing but numbers, and what
    /// justified their values answers in the part that was moved, or by one last move elsewhere.
    pub(super) fn winning_with_cycles(
        &mut self,
        start: &Placement,
    ) -> Result<Vec<(PlacedMove, bool)>, AnswerError> {
        let too_long = || AnswerError::TurnTooLong { most: MOST_REACHED };
        let parts: Vec<Placed> = start.components.iter().flatten().copied().collect();
        let mut known: FxHashMap<Placed, Rc<Rests>> = FxHashMap::default();
        let mut copies: FxHashMap<Placed, usize> = FxHashMap::default();
        let (mut nim_sum, mut last_moves) = (0, FxHashMap::default());
        let (mut choosing, mut fixed): (Vec<usize>, Vec<(usize, Key)>) = (Vec::new(), Vec::new());
        for (i, &placed) in parts.iter().enumerate() {
            let copies = copies.entry(placed).or_insert(0);
            *copies += 1;
            let number = self.values.value(self.exploration, placed.part).nimber();
            nim_sum ^= number.unwrap_or(0);
            if *copies == 1 {
                let rests = Rc::new(self.rests(placed)?);
                if let Some(number) = number {
                    let gone = Some(self.values.place(placed.part));
                    offer_last_moves(&mut last_moves, i, number, gone, &rests);
                }
                known.insert(placed, rests);
            }
            if number.is_some() {
                continue;
            }
            // Two equal parts that are left for the same number may as well be left both for the
            // one of smallest measure. So few of many equal parts have a choice.
            let rests = &known[&placed];
            match best_rest(rests) {
                Some(best) if *copies > rests.len() => {
                    nim_sum ^= best.0;
                    fixed.push((i, best));
                }
                _ => choosing.push(i),
            }
        }
        let rests: Vec<Rc<Rests>> =
            choosing.iter().map(|&i| Rc::clone(&known[&parts[i]])).collect();
        let mut table = smallest(&rests).ok_or_else(too_long)?;
        let mut best: Option<(Change, Vec<Key>, Option<&LastMove>)> = None;
        for ((sum, moved), (measure, chosen)) in table.drain() {
            let last = if moved {
                (sum == nim_sum).then_some(None)
            } else {
                last_moves.get(&(sum ^ nim_sum)).map(Some)
            };
            let Some(last) = last else { continue };
            let change = last.map_or_else(Change::default, |last: &LastMove| last.change.clone());
            let change = Change { come: joined(&measure, &change.come), ..change };
            let order = |(least, key, _): &(Change, Vec<Key>, Option<&LastMove>)| {
                change.compare(least).then_with(|| chosen.cmp(key))
            };
            if best.as_ref().is_none_or(|best| order(best) == Ordering::Less) {
                best = Some((change, chosen, last));
            }
        }
        let (_, chosen, last) = best.ok_or_else(too_long)?;
        let chosen = choosing.into_iter().zip(chosen).chain(fixed);
        let last = last.map(|last| (last.part, last.key));
        let mut chosen: Vec<(usize, Key)> = chosen.chain(last).collect();
        // The part that makes the last move comes last.
        chosen.sort_by_key(|&(i, (_, moves))| (moves, i));
        Ok(moves_of_parts(start, &parts, &known, &chosen))
    }

    /// Where carry-on moves in one part alone, and perhaps a last move, can leave it: for each
    /// number, with and without the last move, what has the smallest measure.
    fn rests(&mut self, placed: Placed) -> Result<Rests, AnswerError> {
        let alone = Placement::of_part(placed);
        let mut reached: Vec<(Placement, Option<(usize, PlacedMove)>)> = vec![(alone, None)];
        let mut seen = Seen::from_iter([self.key(&reached[0].0)]);
        let mut rests = Rests::default();
        let mut at = 0;
        while at < reached.len() {
            self.work.check()?;
            let here = reached[at].0.clone();
            if let Some((number, measure)) = self.number(&here) {
                let moves = || moves_to(&reached, at);
                offer(&mut rests, (number, false), measure, moves);
            }
            for made in here.moves(self.exploration, self.work)? {
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
}

/// What a part can be left as.
struct Rest {
    measure: Vec<u32>,
    moves: Vec<PlacedMove>,
}

/// A number, and whether the last move of the turn is made to leave it.
type Key = (u64, bool);

/// What was chosen for some parts, after the measure of all of them.
type Choice = (Vec<u32>, Vec<Key>);

/// What a part can be left as, by what number it leaves and how.
type Rests = FxHashMap<Key, Rest>;

/// A last move in a part that is a number.
struct LastMove {
    part: usize,
    key: Key,
    change: Change,
}

/// The number of smallest measure that carry-on moves leave of a part.
fn best_rest(rests: &Rests) -> Option<Key> {
    let rests = rests.iter().filter(|((_, moves), _)| !moves);
    let best = rests.min_by(|(a, one), (b, other)| (&one.measure, a).cmp(&(&other.measure, b)));
    best.map(|(&key, _)| key)
}

/// Adds the last moves of a part that is a number, by how they change the nim-sum: for each change
/// the one that leaves the smallest measure.
fn offer_last_moves(
    last_moves: &mut FxHashMap<u64, LastMove>,
    part: usize,
    number: u64,
    gone: Option<u32>,
    rests: &Rests,
) {
    for (&key, rest) in rests.iter().filter(|((_, moves), _)| *moves) {
        let change = Change { gone, come: rest.measure.clone() };
        let found = LastMove { part, key, change };
        match last_moves.entry(number ^ key.0) {
            Entry::Vacant(free) => {
                free.insert(found);
            }
            Entry::Occupied(mut known) => {
                if found.change.compare(&known.get().change) == Ordering::Less {
                    known.insert(found);
                }
            }
        }
    }
}

/// The smallest measure for each nim-sum that these parts can be left with, with and without the
/// last move; none if there are too many.
fn smallest(parts: &[Rc<Rests>]) -> Option<FxHashMap<Key, Choice>> {
    let mut table: FxHashMap<Key, Choice> = FxHashMap::default();
    table.insert((0, false), (Vec::new(), Vec::new()));
    for rests in parts {
        let mut next: FxHashMap<Key, Choice> = FxHashMap::default();
        for (&(sum, moved), (measure, chosen)) in &table {
            for (&(number, moves), rest) in rests.iter() {
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
            return None;
        }
        table = next;
    }
    Some(table)
}

/// The moves that leave the parts of a sum as chosen, in this order.
fn moves_of_parts(
    start: &Placement,
    parts: &[Placed],
    known: &FxHashMap<Placed, Rc<Rests>>,
    chosen: &[(usize, Key)],
) -> Vec<(PlacedMove, bool)> {
    // The component of each part, and the first part of that component.
    let mut owners: Vec<(usize, usize)> = Vec::with_capacity(parts.len());
    for (component, parts) in start.components.iter().enumerate() {
        let first = owners.len();
        owners.extend(std::iter::repeat_n((component, first), parts.len()));
    }
    // How many parts each part of the start has become.
    let mut widths = vec![1; parts.len()];
    let mut moves = Vec::new();
    for &(i, key) in chosen {
        let (component, first) = owners[i];
        let offset: usize = widths[first..i].iter().sum();
        for made in &known[&parts[i]][&key].moves {
            let mut made = made.clone();
            made.component = component;
            made.place += offset;
            widths[i] = widths[i] + made.left.len() - 1;
            moves.push((made, false));
        }
    }
    moves
}

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

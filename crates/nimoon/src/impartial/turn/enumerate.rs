//! All winning turns, or all that hold a draw, the shorter ones first.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::graph::digraph::Node;
use crate::impartial::sum::Sum;
use crate::impartial::turn::{Judge, Ply, Turn, TurnKind, forced_reply};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// How much each of the two searches may copy before the list is cut, in nodes.
const COPIES: usize = 4_000_000;

/// A list of turns.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The turns found.
    pub turns: Vec<Turn>,
    /// Whether there may be more.
    pub truncated: bool,
}

/// A turn that is not finished: the mover is to move again.
#[derive(Clone)]
struct Unfinished {
    plies: Vec<Ply>,
    pieces: Vec<Node>,
    /// The positions passed, so that none is repeated.
    passed: FxHashSet<Vec<Node>>,
}

impl Unfinished {
    /// What a copy costs, in nodes.
    fn size(&self) -> usize {
        self.plies.len() + self.pieces.len() * (1 + self.passed.len())
    }

    /// Makes a ply; false if that repeats a position.
    fn play(&mut self, ply: Ply) -> bool {
        self.plies.push(ply.play(&mut self.pieces));
        self.passed.insert(self.pieces.clone())
    }
}

/// Looks for turns breadth first, so that the shortest come first. Where the mover must carry on
/// in many components that finds none in time, and a second search goes depth first.
pub(crate) fn best_turns(
    sum: &Sum<'_>,
    judge: &Judge<'_>,
    limit: usize,
    work: &Work,
) -> Result<Turns, Interrupted> {
    let plies = judge.candidates(sum, sum.pieces());
    let reaches = |outcome| plies.iter().any(|ply| ply.outcome == outcome);
    let kind = if reaches(Outcome::P) {
        TurnKind::Winning
    } else if reaches(Outcome::D) {
        TurnKind::Drawing
    } else {
        return Ok(Turns { turns: Vec::new(), truncated: false });
    };
    let mut list = search(sum, judge, kind, limit, work, VecDeque::pop_front)?;
    if list.truncated && list.turns.len() < limit {
        let deep = search(sum, judge, kind, limit, work, VecDeque::pop_back)?;
        let known: FxHashSet<Turn> = list.turns.iter().cloned().collect();
        list.turns.extend(deep.turns.into_iter().filter(|turn| !known.contains(turn)));
        list.turns.truncate(limit);
        list.truncated = deep.truncated;
    }
    list.turns.sort_by_key(|turn| turn.plies.len());
    Ok(list)
}

/// Lists turns of a kind, going on with the unfinished one that `next` takes.
fn search(
    sum: &Sum<'_>,
    judge: &Judge<'_>,
    kind: TurnKind,
    limit: usize,
    work: &Work,
    next: impl Fn(&mut VecDeque<Unfinished>) -> Option<Unfinished>,
) -> Result<Turns, Interrupted> {
    let start = sum.pieces().to_vec();
    let mut waiting = VecDeque::from([Unfinished {
        plies: Vec::new(),
        passed: FxHashSet::from_iter([start.clone()]),
        pieces: start,
    }]);
    let mut turns = Vec::new();
    let mut left = COPIES;
    let wanted = if kind == TurnKind::Winning { Outcome::P } else { Outcome::D };
    while let Some(unfinished) = next(&mut waiting) {
        work.check()?;
        let size = unfinished.size();
        for candidate in judge.candidates(sum, &unfinished.pieces) {
            if candidate.outcome != wanted {
                continue;
            }
            if turns.len() == limit || left < size {
                return Ok(Turns { turns, truncated: true });
            }
            left -= size;
            let component = candidate.component;
            let from = unfinished.pieces[component];
            let ply = Ply { component, from, to: candidate.to, forced: false };
            match extend(sum, unfinished.clone(), ply) {
                Extension::Finished(plies) => {
                    turns.push(Turn { kind, plies, endless: false });
                }
                Extension::Unfinished(longer) => {
                    left = left.saturating_sub(longer.size() - size);
                    waiting.push_back(longer);
                }
                Extension::Repeats => {}
            }
        }
    }
    Ok(Turns { turns, truncated: false })
}

enum Extension {
    Finished(Vec<Ply>),
    Unfinished(Unfinished),
    Repeats,
}

/// Adds a ply and all that follows without a choice: the forced replies, and the mover's own plies
/// from gray nodes with one option.
fn extend(sum: &Sum<'_>, mut turn: Unfinished, ply: Ply) -> Extension {
    let mut next = ply;
    loop {
        if !turn.play(next) {
            return Extension::Repeats;
        }
        let Some(reply) = forced_reply(sum, &turn.pieces) else {
            return Extension::Finished(turn.plies);
        };
        if !turn.play(reply) {
            return Extension::Repeats;
        }
        match forced_reply(sum, &turn.pieces) {
            Some(own) => next = Ply { forced: false, ..own },
            None => return Extension::Unfinished(turn),
        }
    }
}

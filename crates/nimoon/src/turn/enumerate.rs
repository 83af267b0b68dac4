//! All winning turns, the shorter ones first.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::digraph::Node;
use crate::outcome::Outcome;
use crate::sum::Sum;
use crate::turn::{Judge, Ply, Turn, TurnKind, forced_reply};

/// How many plies are tried in each of the two searches before the list is cut, for a sum of
/// this many components: each keeps copies of positions.
fn expansions(components: usize) -> usize {
    (2_000_000 / components.max(1)).clamp(100, 20_000)
}

/// A list of turns.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The turns found.
    pub turns: Vec<Turn>,
    /// Whether there may be more.
    pub truncated: bool,
}

/// A turn that is not finished: the mover is to move again.
struct Unfinished {
    plies: Vec<Ply>,
    pieces: Vec<Node>,
    /// The positions passed, so that none is repeated.
    passed: Vec<Vec<Node>>,
}

/// Looks for turns breadth first, so that the shortest come first. Where the mover must carry on
/// in many components that finds none in time, and a second search goes depth first.
pub(crate) fn winning_turns(sum: &Sum<'_>, judge: &Judge<'_>, limit: usize) -> Turns {
    let mut list = search(sum, judge, limit, VecDeque::pop_front);
    if list.truncated && list.turns.len() < limit {
        let deep = search(sum, judge, limit, VecDeque::pop_back);
        let known: FxHashSet<Turn> = list.turns.iter().cloned().collect();
        list.turns.extend(deep.turns.into_iter().filter(|turn| !known.contains(turn)));
        list.turns.truncate(limit);
        list.turns.sort_by_key(|turn| turn.plies.len());
        list.truncated = deep.truncated;
    }
    list
}

/// Lists turns, going on with the unfinished one that `next` takes.
fn search(
    sum: &Sum<'_>,
    judge: &Judge<'_>,
    limit: usize,
    next: impl Fn(&mut VecDeque<Unfinished>) -> Option<Unfinished>,
) -> Turns {
    let start = sum.pieces().to_vec();
    let mut waiting = VecDeque::from([Unfinished {
        plies: Vec::new(),
        passed: vec![start.clone()],
        pieces: start,
    }]);
    let mut turns = Vec::new();
    let mut left = expansions(sum.pieces().len());
    while let Some(unfinished) = next(&mut waiting) {
        for candidate in judge.candidates(sum, &unfinished.pieces) {
            if candidate.outcome != Outcome::P {
                continue;
            }
            if turns.len() == limit || left == 0 {
                return Turns { turns, truncated: true };
            }
            left -= 1;
            let component = candidate.component;
            let from = unfinished.pieces[component];
            let ply = Ply { component, from, to: candidate.to, forced: false };
            match extend(sum, &unfinished, ply) {
                Extension::Finished(plies) => {
                    turns.push(Turn { kind: TurnKind::Winning, plies, endless: false });
                }
                Extension::Unfinished(longer) => waiting.push_back(longer),
                Extension::Repeats => {}
            }
        }
    }
    Turns { turns, truncated: false }
}

enum Extension {
    Finished(Vec<Ply>),
    Unfinished(Unfinished),
    Repeats,
}

/// Adds a ply and the forced reply to it.
fn extend(sum: &Sum<'_>, unfinished: &Unfinished, ply: Ply) -> Extension {
    let mut plies = unfinished.plies.clone();
    let mut pieces = unfinished.pieces.clone();
    let mut passed = unfinished.passed.clone();
    let mut play = |ply: Ply, pieces: &mut Vec<Node>| {
        pieces[ply.component] = ply.to;
        plies.push(ply);
        let repeats = passed.contains(pieces);
        passed.push(pieces.clone());
        !repeats
    };
    if !play(ply, &mut pieces) {
        return Extension::Repeats;
    }
    match forced_reply(sum, &pieces) {
        None => Extension::Finished(plies),
        Some(reply) if play(reply, &mut pieces) => {
            Extension::Unfinished(Unfinished { plies, pieces, passed })
        }
        Some(_) => Extension::Repeats,
    }
}

//! All winning turns, the shorter ones first.

use std::collections::VecDeque;

use crate::digraph::Node;
use crate::outcome::Outcome;
use crate::sum::Sum;
use crate::turn::{Judge, Ply, Turn, TurnKind, forced_reply};

/// How many unfinished turns are looked at before the list is cut.
const EXPANSIONS: usize = 20_000;

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

pub(crate) fn winning_turns(sum: &Sum<'_>, judge: &Judge<'_>, limit: usize) -> Turns {
    let start = sum.pieces().to_vec();
    let mut waiting = VecDeque::from([Unfinished {
        plies: Vec::new(),
        passed: vec![start.clone()],
        pieces: start,
    }]);
    let mut turns = Vec::new();
    let mut expansions = 0;
    while let Some(unfinished) = waiting.pop_front() {
        for candidate in judge.candidates(sum, &unfinished.pieces) {
            if candidate.outcome != Outcome::P {
                continue;
            }
            if turns.len() == limit || expansions == EXPANSIONS {
                return Turns { turns, truncated: true };
            }
            expansions += 1;
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

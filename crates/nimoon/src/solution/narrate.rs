//! Turns on a digraph of states, told as moves in positions as they stand.

use super::placement::{PlacedMove, Placement};
use super::{PlyInWords, TurnInWords};
use crate::explore::digraph::{State, StateDigraph, Unit};
use crate::explore::{Exploration, Part};
use crate::ruleset::Fault;
use crate::turn::{Ply, Turn};

/// A state as text, from canonical parts.
pub(super) fn state(exploration: &Exploration, state: &State) -> String {
    let text = |part: &Part| {
        let (field, position) = exploration.position(*part);
        let field = exploration.field(field);
        format!("{}:{}", field.name(), field.text(position))
    };
    let texts: Vec<String> = match state {
        State::Free(parts) | State::Again(parts) => parts.iter().map(text).collect(),
        State::Entailed { due, beside } => due.iter().chain(beside).map(text).collect(),
    };
    texts.join(" + ")
}

/// A move as a ply.
pub(super) fn ply(
    exploration: &Exploration,
    before: &Placement,
    made: &PlacedMove,
    forced: bool,
) -> PlyInWords {
    let component = made.component;
    let after = before.after(made);
    PlyInWords {
        component,
        from: before.text(exploration, component),
        to: after.text(exploration, component),
        kind: made.kind,
        forced,
        words: before.words(exploration, made),
    }
}

/// Tells a turn from a placement on, with the moves in it.
pub(super) fn turn(
    exploration: &mut Exploration,
    states: &StateDigraph,
    start: &Placement,
    turn: &Turn,
    limit: usize,
) -> Result<(TurnInWords, Vec<PlacedMove>), Fault> {
    let mut placement = start.clone();
    let (mut plies, mut moves) = (Vec::new(), Vec::new());
    for step in &turn.plies {
        if matches!(states.state(step.from), State::Again(_)) {
            // The reply to a carry-on move is no move of its own.
            continue;
        }
        let made = find(exploration, states, &placement, step, limit)?;
        plies.push(ply(exploration, &placement, &made, step.forced));
        placement = placement.after(&made);
        moves.push(made);
    }
    Ok((TurnInWords { kind: turn.kind, plies, endless: turn.endless }, moves))
}

/// The move that leaves the state of a ply.
fn find(
    exploration: &mut Exploration,
    states: &StateDigraph,
    placement: &Placement,
    step: &Ply,
    limit: usize,
) -> Result<PlacedMove, Fault> {
    let target = states.state(step.to);
    let alone = states.unit == Unit::Part;
    let mut piece = None;
    if alone {
        let parts = placement.components.iter().enumerate();
        let pieces = parts.flat_map(|(i, parts)| (0..parts.len()).map(move |place| (i, place)));
        piece = pieces.into_iter().nth(step.component);
    }
    let moves = placement.moves(exploration, limit)?;
    let found = moves.into_iter().find(|made| {
        let here = match piece {
            Some(piece) => piece == (made.component, made.place),
            None => step.component == made.component,
        };
        here && placement.state_after(exploration, made, alone) == *target
    });
    found.ok_or_else(|| {
        let said = state(exploration, target);
        Fault::Rules(format!(
            "the rules do not repeat themselves: no move leads to {said} although one did before"
        ))
    })
}

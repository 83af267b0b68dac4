//! Turns on a digraph of states, told as moves in positions as they stand.

use super::placement::{PlacedMove, Placement};
use super::{PlyInWords, TurnInWords, most_moves};
use crate::effort::Effort;
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
    if texts.is_empty() { "a position without moves".to_owned() } else { texts.join(" + ") }
}

/// Makes a move, told as a ply. What it costs does not depend on the other components.
pub(super) fn ply(
    exploration: &Exploration,
    placement: &mut Placement,
    made: &PlacedMove,
    forced: bool,
) -> PlyInWords {
    let component = made.component;
    let from = placement.text(exploration, component);
    let words = placement.words(exploration, made);
    placement.play(made);
    let to = placement.text(exploration, component);
    PlyInWords { component, from, to, kind: made.kind, forced, words }
}

/// Tells a turn from a placement on, with the moves in it.
pub(super) fn turn(
    exploration: &mut Exploration,
    states: &StateDigraph,
    start: &Placement,
    turn: &Turn,
    effort: &Effort,
) -> Result<(TurnInWords, Vec<PlacedMove>), Fault> {
    let mut placement = start.clone();
    // Where each part is a piece of its own, nothing splits, and the pieces keep their numbers.
    let pieces: Option<Vec<(usize, usize)>> = (states.unit == Unit::Part).then(|| {
        let parts = start.components.iter().enumerate();
        parts.flat_map(|(i, parts)| (0..parts.len()).map(move |place| (i, place))).collect()
    });
    let (mut plies, mut moves) = (Vec::new(), Vec::new());
    for step in &turn.plies {
        if matches!(states.state(step.from), State::Again(_)) {
            // The reply to a carry-on move is no move of its own.
            continue;
        }
        let piece = pieces.as_ref().and_then(|pieces| pieces.get(step.component).copied());
        let made = find(exploration, states, &placement, step, piece, effort)?;
        plies.push(ply(exploration, &mut placement, &made, step.forced));
        moves.push(made);
    }
    Ok((TurnInWords { kind: turn.kind, plies, endless: turn.endless }, moves))
}

/// The move that leaves the state of a ply; `piece` is the component and the part that is moved,
/// where each part is a piece.
fn find(
    exploration: &mut Exploration,
    states: &StateDigraph,
    placement: &Placement,
    step: &Ply,
    piece: Option<(usize, usize)>,
    effort: &Effort,
) -> Result<PlacedMove, Fault> {
    let target = states.state(step.to);
    let (component, places) = match piece {
        Some((component, place)) => (component, place..place + 1),
        None => (step.component, 0..placement.components[step.component].len()),
    };
    let limit = most_moves(effort);
    let mut found = None;
    for place in places {
        let moves = placement.moves_in(exploration, effort, component, place, limit)?;
        found = moves
            .into_iter()
            .find(|made| placement.state_after(exploration, made, piece.is_some()) == *target);
        if found.is_some() {
            break;
        }
    }
    found.ok_or_else(|| {
        let said = state(exploration, target);
        Fault::Rules(format!(
            "the rules do not repeat themselves: no move leads to {said} although one did before"
        ))
    })
}

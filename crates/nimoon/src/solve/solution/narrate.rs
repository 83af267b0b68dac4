//! Turns on a digraph of states, described as moves in positions as written.

use super::placement::{PlacedMove, Placement};
use super::{PlyInWords, ReplyInWords, TreeInWords, TurnInWords, most_moves};
use crate::graph::digraph::Node;
use crate::impartial::turn::{Ply, Tree, Turn};
use crate::limits::Work;
use crate::ruleset::Fault;
use crate::solve::explore::digraph::{State, StateDigraph, Unit};
use crate::solve::explore::{Exploration, Part};

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

/// Makes a move, and returns it as a ply. What it costs does not depend on the other components.
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
    work: &Work,
) -> Result<(TurnInWords, Vec<PlacedMove>), Fault> {
    let mut placement = start.clone();
    let pieces = pieces_of(states, start);
    let mut teller = Teller { exploration, states, pieces, work };
    let (mut plies, mut moves) = (Vec::new(), Vec::new());
    for step in &turn.plies {
        if let Some((ply, made)) = teller.step(&mut placement, step)? {
            plies.push(ply);
            moves.push(made);
        }
    }
    Ok((TurnInWords { kind: turn.kind, plies, endless: turn.endless }, moves))
}

/// Tells a tree from a placement on.
pub(super) fn tree(
    exploration: &mut Exploration,
    states: &StateDigraph,
    start: &Placement,
    tree: &Tree,
    work: &Work,
) -> Result<Option<TreeInWords>, Fault> {
    let pieces = pieces_of(states, start);
    Teller { exploration, states, pieces, work }.tree(start.clone(), tree)
}

/// The component and the part of each piece, where each part is a piece of its own: then nothing
/// splits, and the pieces keep their numbers.
fn pieces_of(states: &StateDigraph, start: &Placement) -> Option<Vec<(usize, usize)>> {
    (states.unit == Unit::Part).then(|| {
        let parts = start.components.iter().enumerate();
        parts.flat_map(|(i, parts)| (0..parts.len()).map(move |place| (i, place))).collect()
    })
}

/// Puts plies into words.
struct Teller<'a> {
    exploration: &'a mut Exploration,
    states: &'a StateDigraph,
    pieces: Option<Vec<(usize, usize)>>,
    work: &'a Work,
}

impl Teller<'_> {
    /// A ply as a move; none for the reply to a carry-on move, which does not count as a move.
    fn step(
        &mut self,
        placement: &mut Placement,
        step: &Ply,
    ) -> Result<Option<(PlyInWords, PlacedMove)>, Fault> {
        if matches!(self.states.state(step.from), State::Again(_)) {
            return Ok(None);
        }
        let piece = self.pieces.as_ref().and_then(|pieces| pieces.get(step.component).copied());
        let made = find(self.exploration, self.states, placement, step, piece, self.work)?;
        Ok(Some((ply(self.exploration, placement, &made, step.forced), made)))
    }

    fn tree(&mut self, mut at: Placement, tree: &Tree) -> Result<Option<TreeInWords>, Fault> {
        let Some((ply, _)) = self.step(&mut at, &tree.ply)? else { return Ok(None) };
        let (mut then, mut replies) = (None, Vec::new());
        for reply in &tree.replies {
            let mut after = at.clone();
            let made = self.step(&mut after, &reply.ply)?;
            let next = match &reply.then {
                Some(next) => self.tree(after, next)?,
                None => None,
            };
            match made {
                Some((ply, _)) => replies.push(ReplyInWords { ply, then: next }),
                None => then = next.map(Box::new),
            }
        }
        Ok(Some(TreeInWords { ply, then, replies }))
    }
}

/// The move that leaves the state of a ply; `piece` is the component and the part that is moved,
/// where each part is a piece.
pub(super) fn find(
    exploration: &mut Exploration,
    states: &StateDigraph,
    placement: &Placement,
    step: &Ply,
    piece: Option<(usize, usize)>,
    work: &Work,
) -> Result<PlacedMove, Fault> {
    let target = states.state(step.to);
    let (component, places) = match piece {
        Some((component, place)) => (component, place..place + 1),
        None => (step.component, 0..placement.components[step.component].len()),
    };
    let limit = most_moves(work);
    let mut found = None;
    for place in places {
        let moves = placement.moves_in(exploration, work, component, place, limit)?;
        found = moves
            .into_iter()
            .find(|made| placement.state_after(exploration, made, piece.is_some()) == target);
        if found.is_some() {
            break;
        }
    }
    found.ok_or_else(|| lost(exploration, states, step.to))
}

/// No move leads to a state that is an option.
pub(super) fn lost(exploration: &Exploration, states: &StateDigraph, node: Node) -> Fault {
    let said = state(exploration, &states.state(node));
    Fault::Rules(format!(
        "the rules do not repeat themselves: no move leads to {said} although one did before"
    ))
}

//! Winning turns as trees: an answer to every choice of the opponent within a duel.

use crate::graph::digraph::Node;
use crate::impartial::sum::Sum;
use crate::impartial::turn::{Ply, forced_reply};
use crate::limits::Interrupted;
use crate::outcome::Outcome;

/// What the mover plays, and how the turn goes on after each reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tree {
    /// What the mover plays.
    pub ply: Ply,
    /// Every reply that the opponent has in the duel; none if the turn is over, because the opponent
    /// is free or stuck.
    pub replies: Vec<Reply>,
}

/// A reply, and what the mover plays then.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reply {
    /// What the opponent plays.
    pub ply: Ply,
    /// How the turn goes on; none where the tree has grown too large.
    pub then: Option<Tree>,
}

impl Tree {
    /// Whether some of it was left out because it is too large.
    pub fn is_truncated(&self) -> bool {
        let mut open = vec![self];
        while let Some(tree) = open.pop() {
            if tree.replies.iter().any(|reply| reply.then.is_none()) {
                return true;
            }
            open.extend(tree.replies.iter().filter_map(|reply| reply.then.as_ref()));
        }
        false
    }
}

/// The most plies of the mover that a tree has.
const PLIES: usize = 1_000;

/// Who says what the mover plays.
pub(crate) trait Chooser {
    /// A position, and what must be remembered of the plan.
    type State: Clone;

    /// The position.
    fn pieces<'s>(&self, state: &'s mut Self::State) -> &'s mut Vec<Node>;

    /// What to play; none if there is nothing.
    fn choose(&mut self, state: &mut Self::State) -> Result<Option<Ply>, Interrupted>;
}

/// The plies of a turn up to the first choice of the opponent; if the turn wins and is not over
/// then, also its tree.
pub(crate) fn follow<C: Chooser>(
    sum: &Sum<'_>,
    start: C::State,
    outcome: Outcome,
    chooser: &mut C,
) -> Result<(Vec<Ply>, Option<Tree>), Interrupted> {
    let mut state = start.clone();
    let mut plies = Vec::new();
    while let Some(ply) = chooser.choose(&mut state)? {
        plies.push(ply.play(chooser.pieces(&mut state)));
        let Some(reply) = forced_reply(sum, chooser.pieces(&mut state)) else { break };
        plies.push(reply.play(chooser.pieces(&mut state)));
    }
    let is_open = !replies(sum, chooser.pieces(&mut state)).is_empty();
    if outcome != Outcome::N || plies.is_empty() || !is_open {
        return Ok((plies, None));
    }
    let tree = grow(sum, start, chooser, &mut PLIES.clone())?;
    Ok((plies, tree))
}

/// What the opponent can reply in a duel.
fn replies(sum: &Sum<'_>, pieces: &[Node]) -> Vec<Ply> {
    let gray = pieces.iter().position(|&node| sum.digraph.is_gray(node));
    let Some(component) = gray else { return Vec::new() };
    let from = pieces[component];
    let options = sum.digraph.options(from);
    let forced = options.len() == 1;
    options.iter().map(|&to| Ply { component, from, to, forced }).collect()
}

/// The tree from a position on, of so many plies at most.
fn grow<C: Chooser>(
    sum: &Sum<'_>,
    mut state: C::State,
    chooser: &mut C,
    left: &mut usize,
) -> Result<Option<Tree>, Interrupted> {
    if *left == 0 {
        return Ok(None);
    }
    *left -= 1;
    let Some(ply) = chooser.choose(&mut state)? else { return Ok(None) };
    ply.play(chooser.pieces(&mut state));
    let mut tree = Tree { ply, replies: Vec::new() };
    for ply in replies(sum, chooser.pieces(&mut state)) {
        let mut after = state.clone();
        ply.play(chooser.pieces(&mut after));
        let then = grow(sum, after, chooser, left)?;
        tree.replies.push(Reply { ply, then });
    }
    Ok(Some(tree))
}

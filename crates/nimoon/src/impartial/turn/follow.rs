//! Turns ply by ply: by exact remoteness, or by the height of acyclic digraphs.

use rustc_hash::FxHashSet;

use crate::graph::digraph::Node;
use crate::impartial::rounds::rounds;
use crate::impartial::search::Search;
use crate::impartial::sum::{Algebra, Sum};
use crate::impartial::turn::tree::{self, Chooser, Tree};
use crate::impartial::turn::{Candidate, Judge, Ply, Turn, TurnKind, forced_reply};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// The turn that wins fastest, holds the draw or loses slowest.
pub(crate) fn by_remoteness(
    sum: &Sum<'_>,
    search: Search,
    outcome: Outcome,
) -> (Option<Turn>, Option<Tree>) {
    let judge = Judge::Search(search);
    if outcome == Outcome::D {
        return (drawing(sum, &judge), None);
    }
    let score = |pieces: &[Node], _: &Ply| match &judge {
        Judge::Search(search) => search.remoteness(pieces).map_or(0, i64::from),
        Judge::Algebra(_) => 0,
    };
    greedy(Greedy { sum, judge: &judge, outcome, score })
}

/// For acyclic digraphs, where every play ends: towards the least, or the greatest, number of
/// plies that could still be made.
pub(crate) fn by_height(
    sum: &Sum<'_>,
    outcome: Outcome,
    work: &Work,
) -> (Option<Turn>, Option<Tree>) {
    let heights = rounds(sum.digraph, sum.labelling);
    let Some(algebra) = Algebra::new(sum.digraph, sum.labelling, work) else {
        return (None, None);
    };
    let judge = Judge::Algebra(Box::new(algebra));
    let height = |node: Node| i64::from(heights[node as usize].unwrap_or(0));
    // The other components add the same to every ply.
    let score = |_: &[Node], ply: &Ply| height(ply.to) - height(ply.from);
    greedy(Greedy { sum, judge: &judge, outcome, score })
}

/// Picks at each ply what keeps the outcome with the least score in a won position and the
/// greatest in a lost one. The height of the sum falls with each ply, and so does its remoteness, so
/// this ends.
struct Greedy<'a, S> {
    sum: &'a Sum<'a>,
    judge: &'a Judge<'a>,
    outcome: Outcome,
    score: S,
}

impl<S: Fn(&[Node], &Ply) -> i64> Greedy<'_, S> {
    fn best(&self, pieces: &mut [Node]) -> Option<Ply> {
        let mut best: Option<(i64, Ply)> = None;
        let candidates = self.judge.different_candidates(self.sum, pieces);
        for Candidate { component, to, outcome: left } in candidates {
            if self.outcome == Outcome::N && left != Outcome::P {
                continue;
            }
            let from = std::mem::replace(&mut pieces[component], to);
            let ply = Ply { component, from, to, forced: false };
            let score = (self.score)(pieces, &ply);
            pieces[component] = from;
            let better = best.is_none_or(|(least, _)| match self.outcome {
                Outcome::N => score < least,
                _ => score > least,
            });
            if better {
                best = Some((score, ply));
            }
        }
        best.map(|(_, ply)| ply)
    }
}

impl<S: Fn(&[Node], &Ply) -> i64> Chooser for Greedy<'_, S> {
    type State = Vec<Node>;

    fn pieces<'s>(&self, state: &'s mut Vec<Node>) -> &'s mut Vec<Node> {
        state
    }

    fn choose(&mut self, state: &mut Vec<Node>) -> Result<Option<Ply>, Interrupted> {
        Ok(self.best(state))
    }
}

fn greedy<S: Fn(&[Node], &Ply) -> i64>(mut greedy: Greedy<'_, S>) -> (Option<Turn>, Option<Tree>) {
    let (sum, outcome) = (greedy.sum, greedy.outcome);
    let start = sum.pieces().to_vec();
    let Ok((plies, tree)) = tree::follow(sum, start, outcome, &mut greedy) else {
        unreachable!("nothing interrupts it");
    };
    (Some(decided(outcome, plies)), tree)
}

/// The turn that these plies are where somebody wins.
pub(crate) fn decided(outcome: Outcome, plies: Vec<Ply>) -> Turn {
    let kind = match outcome {
        Outcome::N => TurnKind::Winning,
        _ if plies.is_empty() => TurnKind::None,
        _ => TurnKind::Losing,
    };
    Turn { kind, plies, endless: false }
}

/// A drawn position that carry-on moves reach.
struct Reached {
    pieces: Vec<Node>,
    /// Which of the positions reached before it comes from, and the ply and the reply between them.
    by: Option<(usize, [Ply; 2])>,
}

/// A shortest turn that leaves a draw and ends; failing that, one that never ends.
///
/// Every drawn position has a ply that keeps the draw. If none of them ever gives the opponent a
/// choice, the mover carries on in a circle, which is a draw as well.
fn drawing(sum: &Sum<'_>, judge: &Judge<'_>) -> Option<Turn> {
    let start = sum.pieces().to_vec();
    let mut seen = FxHashSet::from_iter([start.clone()]);
    let mut reached = vec![Reached { pieces: start, by: None }];
    let mut place = 0;
    while place < reached.len() {
        for candidate in judge.candidates(sum, &reached[place].pieces) {
            if candidate.outcome != Outcome::D {
                continue;
            }
            let mut pieces = reached[place].pieces.clone();
            let ply = candidate.play(&mut pieces);
            let Some(reply) = forced_reply(sum, &pieces) else {
                let mut plies = vec![ply];
                let mut at = place;
                while let Some((before, [ply, reply])) = reached[at].by {
                    plies.extend([reply, ply]);
                    at = before;
                }
                plies.reverse();
                return Some(drawing_turn(plies, false));
            };
            reply.play(&mut pieces);
            if seen.insert(pieces.clone()) {
                reached.push(Reached { pieces, by: Some((place, [ply, reply])) });
            }
        }
        place += 1;
    }
    // No such turn ends: keep the draw with the first ply that does, until a position repeats.
    drawing_walk(sum, |pieces| {
        judge.candidates(sum, pieces).into_iter().find(|candidate| candidate.outcome == Outcome::D)
    })
}

pub(crate) fn drawing_turn(plies: Vec<Ply>, endless: bool) -> Turn {
    Turn { kind: TurnKind::Drawing, plies, endless }
}

/// Plays what `choose` says, with the forced replies, until the opponent has a choice, or the mover
/// comes back to a position to choose in: from there on everything repeats. Of an endless turn the
/// plies up to the first repeated position are kept.
pub(crate) fn drawing_walk(
    sum: &Sum<'_>,
    mut choose: impl FnMut(&[Node]) -> Option<Candidate>,
) -> Option<Turn> {
    let mut pieces = sum.pieces().to_vec();
    let mut chosen_in = FxHashSet::default();
    let mut plies: Vec<Ply> = Vec::new();
    while chosen_in.insert(pieces.clone()) {
        plies.push(choose(&pieces)?.play(&mut pieces));
        let Some(reply) = forced_reply(sum, &pieces) else {
            return Some(drawing_turn(plies, false));
        };
        plies.push(reply.play(&mut pieces));
    }
    let mut pieces = sum.pieces().to_vec();
    let mut passed = FxHashSet::from_iter([pieces.clone()]);
    let fresh = plies.iter().take_while(|ply| {
        ply.play(&mut pieces);
        passed.insert(pieces.clone())
    });
    let first_repeated = fresh.count();
    plies.truncate(first_repeated + 1);
    Some(drawing_turn(plies, true))
}

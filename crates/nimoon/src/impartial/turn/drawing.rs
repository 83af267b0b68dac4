//! Drawing turns by the algebra of the theory, without the product.

use rustc_hash::FxHashSet;

use crate::graph::digraph::Node;
use crate::impartial::sum::{Algebra, Sum};
use crate::impartial::turn::follow::{drawing_turn, drawing_walk};
use crate::impartial::turn::{Candidate, Judge, Ply, Turn, forced_reply};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// How many positions are tried for a drawing turn that ends.
const EXPANSIONS: usize = 2_000;

/// A turn that leaves a draw: the first found by carrying on, towards nimbers first, until some
/// ordinary move keeps the draw.
pub(super) fn drawing(sum: &Sum<'_>, work: &Work) -> Result<Option<Turn>, Interrupted> {
    let Some(algebra) = Algebra::new(sum.digraph, sum.labelling, work) else { return Ok(None) };
    let judge = Judge::Algebra(Box::new(algebra));
    let draws = |pieces: &[Node]| -> Vec<Candidate> {
        let mut found = judge.different_candidates(sum, pieces);
        found.retain(|candidate| candidate.outcome == Outcome::D);
        found
    };
    // Depth first; each entry has the carry-on moves still to be tried from a position.
    let mut pieces = sum.pieces().to_vec();
    let mut passed = FxHashSet::from_iter([pieces.clone()]);
    let mut plies: Vec<Ply> = Vec::new();
    let mut untried: Vec<(Vec<Candidate>, usize)> = vec![(draws(&pieces), 0)];
    while let Some((candidates, plies_before)) = untried.last_mut() {
        work.check()?;
        judge.interrupted()?;
        while plies.len() > *plies_before {
            if let Some(ply) = plies.pop() {
                pieces[ply.component] = ply.from;
            }
        }
        let gives_choice = |candidate: &Candidate| {
            !sum.digraph.is_gray(candidate.to) || sum.digraph.options(candidate.to).len() != 1
        };
        let ends = candidates.iter().position(gives_choice);
        if let Some(place) = ends {
            plies.push(candidates[place].play(&mut pieces));
            return Ok(Some(drawing_turn(plies, false)));
        }
        let Some(candidate) = candidates.pop() else {
            untried.pop();
            continue;
        };
        plies.push(candidate.play(&mut pieces));
        if let Some(reply) = forced_reply(sum, &pieces) {
            plies.push(reply.play(&mut pieces));
        }
        if passed.len() < EXPANSIONS && passed.insert(pieces.clone()) {
            let mut next = draws(&pieces);
            // The last is tried first: moves that leave the component with a nimber.
            next.sort_by_key(|candidate| {
                let options = sum.digraph.options(candidate.to);
                options.first().is_some_and(|&to| sum.labelling.nimber(to).is_some())
            });
            untried.push((next, plies.len()));
        }
    }
    let turn = drawing_walk(sum, |pieces| draws(pieces).into_iter().next());
    judge.interrupted()?;
    Ok(turn)
}

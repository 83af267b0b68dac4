//! Compounds written out, position by position.
//!
//! A position is the list of the nodes where the pieces stand. Its moves are made term by term: those of a piece are its
//! arcs; those of a conjunctive compound all combinations of a move in each component; of a selective one all
//! combinations where a component may also stay, but not all of them; of a disjunctive one a move in one component.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use thiserror::Error;

use super::expression::{Kind, Step, Term};
use crate::digraph::{Digraph, Node, Rows};
use crate::effort::{Effort, Interrupted};
use crate::remoteness::{Play, finite, generalized, good};

/// A compound has more positions and moves than the budget allows, or its search was interrupted.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{interrupted}: the compound is written out, and has {met} positions so far")]
pub struct TooLarge {
    /// What ended it.
    pub interrupted: Interrupted,
    /// How many positions were met.
    pub met: u64,
}

/// How many moves each position of the budget allows.
const MOVES_PER_POSITION: u64 = 8;

/// How many pieces a position may have before it counts as more than one.
const PIECES_PER_POSITION: u64 = 16;

/// What a position takes in memory beside its pieces.
const POSITION_BYTES: u64 = 64;

/// Some moves: for each the pieces that go, and where to.
#[derive(Default)]
struct Moves {
    steps: Vec<Step>,
    ends: Vec<usize>,
}

impl Moves {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, index: usize) -> &[Step] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[start..self.ends[index]]
    }

    fn iter(&self) -> impl Iterator<Item = &[Step]> {
        (0..self.len()).map(|index| self.get(index))
    }

    fn push(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.steps.extend(steps);
        self.ends.push(self.steps.len());
    }
}

/// A compound written out, from its start on.
pub(super) struct Explicit {
    options: Rows,
    /// The moves at the start, in the order of its options.
    first: Moves,
}

impl Explicit {
    /// Writes out the compound of these terms.
    pub(super) fn new(
        digraph: &Digraph,
        terms: &[Term],
        effort: &Effort,
    ) -> Result<Self, TooLarge> {
        let budget = effort.budget();
        let mut pace = effort.pace();
        let pieces = terms.iter().filter_map(|term| match *term {
            Term::Node(node) => Some(node),
            Term::Of(..) => None,
        });
        let start: Box<[Node]> = pieces.collect();
        let pieces = start.len() as u64;
        let weight = 1 + start.len() as u64 / PIECES_PER_POSITION;
        let most_positions = (budget.positions / weight).min(u64::from(Node::MAX / 2));
        let most_moves = budget.positions.saturating_mul(MOVES_PER_POSITION);
        let mut positions: IndexSet<Box<[Node]>, FxBuildHasher> = IndexSet::default();
        positions.insert(start);
        let mut targets: Vec<Node> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        let mut first = Moves::default();
        let mut spent = 0_u64;
        let mut next = 0;
        while next < positions.len() {
            let met = positions.len() as u64;
            let ended = |interrupted| TooLarge { interrupted, met };
            let bytes = met.saturating_mul(POSITION_BYTES + 4 * pieces) + 4 * targets.len() as u64;
            pace.step().and_then(|()| effort.hold(bytes)).map_err(ended)?;
            let allowed = most_moves - spent;
            let moves = moves(digraph, terms, &positions[next], allowed)
                .ok_or_else(|| ended(effort.over(None)))?;
            spent += moves.steps.len() as u64;
            for steps in moves.iter() {
                let mut to = positions[next].clone();
                for step in steps {
                    to[step.component] = step.to;
                }
                targets.push(positions.insert_full(to).0 as Node);
            }
            ends.push(targets.len());
            if positions.len() as u64 > most_positions {
                return Err(TooLarge { interrupted: effort.over(None), met });
            }
            if next == 0 {
                first = moves;
            }
            next += 1;
        }
        drop(positions);
        let arcs = || {
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let rows = (0..).zip(starts.zip(&ends));
            rows.flat_map(|(from, (start, &end))| {
                targets[start..end].iter().map(move |&to| (from, to))
            })
        };
        Ok(Self { options: Rows::new(ends.len(), arcs), first })
    }

    /// The remoteness of the start, none for ∞, and a good move.
    pub(super) fn solve(
        &self,
        play: Play,
        effort: &Effort,
    ) -> Result<(Option<u32>, Vec<Step>), TooLarge> {
        let predecessors = self.options.reversed();
        let normal = play == Play::Normal;
        let solved = generalized(&self.options, &predecessors, |_| normal, effort);
        let met = self.options.len() as u64;
        let values = solved.map_err(|interrupted| TooLarge { interrupted, met })?.values;
        let good = good(&values, &self.options, 0).next();
        let place = good.and_then(|good| self.options.row(0).iter().position(|&to| to == good));
        let steps = place.map_or_else(Vec::new, |place| self.first.get(place).to_vec());
        Ok((finite(values[0]), steps))
    }

    /// The compound as a digraph, with the start as node 0.
    pub(super) fn digraph(&self) -> Option<Digraph> {
        Digraph::new(self.options.len(), [], self.options.arcs().collect()).ok()
    }
}

/// All moves of the compound of these terms with its pieces on `position`; none if they have more than
/// `most` steps.
fn moves(digraph: &Digraph, terms: &[Term], position: &[Node], most: u64) -> Option<Moves> {
    let mut parts: Vec<Moves> = Vec::new();
    let mut component = 0;
    for term in terms {
        let made = match *term {
            Term::Node(_) => {
                let mut moves = Moves::default();
                for &to in digraph.options(position[component]) {
                    moves.push([Step { component, to }]);
                }
                component += 1;
                moves
            }
            Term::Of(kind, arity) => {
                let components = parts.split_off(parts.len() - arity);
                match kind {
                    Kind::Disjunctive => {
                        let mut moves = Moves::default();
                        components
                            .iter()
                            .flat_map(Moves::iter)
                            .for_each(|m| moves.push(m.iter().copied()));
                        moves
                    }
                    Kind::Conjunctive => combined(&components, false, most)?,
                    Kind::Selective => combined(&components, true, most)?,
                }
            }
        };
        if made.steps.len() as u64 > most {
            return None;
        }
        parts.push(made);
    }
    parts.pop()
}

/// All combinations of a move in each component, in which components may stay or may not.
fn combined(components: &[Moves], may_stay: bool, most: u64) -> Option<Moves> {
    let extra = usize::from(may_stay);
    let choices = |moves: &Moves| (moves.len() + extra) as u64;
    let count = components.iter().fold(1_u64, |count, c| count.saturating_mul(choices(c)));
    if count > most.saturating_add(1) {
        return None;
    }
    let mut moves = Moves::default();
    let mut chosen = vec![0; components.len()];
    for _ in 0..count {
        let taken = components.iter().zip(&chosen);
        let steps = taken.filter_map(|(moves, &index): (&Moves, &usize)| {
            Some(moves.get(index.checked_sub(extra)?))
        });
        let before = moves.steps.len();
        moves.steps.extend(steps.flatten().copied());
        // To stay everywhere is no move.
        if moves.steps.len() > before {
            moves.ends.push(moves.steps.len());
        }
        if moves.steps.len() as u64 > most {
            return None;
        }
        for (index, component) in chosen.iter_mut().zip(components) {
            *index += 1;
            if *index < component.len() + extra {
                break;
            }
            *index = 0;
        }
    }
    Some(moves)
}

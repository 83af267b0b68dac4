//! Compounds written out, position by position.
//!
//! A position is the list of the nodes where the pieces stand. Its moves are made term by term:
//! those of a piece are its arcs; those of a conjunctive compound all combinations of a move in
//! each component; of a selective one all combinations where a component may also stay, but not all
//! of them; of a disjunctive one a move in one component.
//!
//! In a disjunctive or selective compound every combination of followers of the components can be
//! reached. So the positions are counted first, and a compound with too many is not begun.
//! Otherwise positions are found one by one and not as a product: a conjunctive compound of many
//! cycles has few of them.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use thiserror::Error;

use super::expression::{Kind, Step, Term};
use crate::graph::digraph::{Digraph, Node, Rows};
use crate::limits::{Interrupted, Pace, Work};
use crate::smith::remoteness::{Play, finite, generalized, good};

/// A compound has more positions and moves than the budget allows, or its search was interrupted.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{interrupted}: the compound has {least} positions or more, so it was not listed")]
pub struct TooLarge {
    /// What ended it.
    pub interrupted: Interrupted,
    /// How many positions it has at least.
    pub least: u64,
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
    pub(super) fn new(digraph: &Digraph, terms: &[Term], work: &Work) -> Result<Self, TooLarge> {
        let budget = work.limits();
        let mut pace = work.pace();
        let pieces = terms.iter().filter_map(|term| match *term {
            Term::Node(node) => Some(node),
            Term::Of(..) => None,
        });
        let start: Box<[Node]> = pieces.collect();
        let pieces = start.len() as u64;
        let weight = 1 + start.len() as u64 / PIECES_PER_POSITION;
        let most_positions = (budget.positions / weight).min(u64::from(Node::MAX / 2));
        let most_moves = budget.positions.saturating_mul(MOVES_PER_POSITION);
        let least = least_positions(digraph, terms, most_positions, &mut pace)
            .map_err(|interrupted| TooLarge { interrupted, least: 1 })?;
        if least > most_positions {
            return Err(TooLarge { interrupted: work.over(None), least });
        }
        let mut positions: IndexSet<Box<[Node]>, FxBuildHasher> = IndexSet::default();
        positions.insert(start);
        let mut targets: Vec<Node> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        let mut first = Moves::default();
        let mut spent = 0_u64;
        let mut next = 0;
        while next < positions.len() {
            let met = positions.len() as u64;
            let ended = |interrupted| TooLarge { interrupted, least: least.max(met) };
            let bytes = met.saturating_mul(POSITION_BYTES + 4 * pieces) + 4 * targets.len() as u64;
            pace.step().and_then(|()| work.hold(bytes)).map_err(ended)?;
            let allowed = most_moves - spent;
            let moves = moves(digraph, terms, &positions[next], allowed)
                .ok_or_else(|| ended(work.over(None)))?;
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
                return Err(ended(work.over(None)));
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
        work: &Work,
    ) -> Result<(Option<u32>, Vec<Step>), TooLarge> {
        let predecessors = self.options.reversed();
        let normal = play == Play::Normal;
        let solved = generalized(&self.options, &predecessors, |_| normal, work);
        let least = self.options.len() as u64;
        let values = solved.map_err(|interrupted| TooLarge { interrupted, least })?.values;
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

/// A number of positions that the compound of these terms has at least: exact where no compound is
/// conjunctive and it is at most `most`.
fn least_positions(
    digraph: &Digraph,
    terms: &[Term],
    most: u64,
    pace: &mut Pace<'_>,
) -> Result<u64, Interrupted> {
    // A piece with moves has two followers or more. Where this is not enough to decide, few pieces
    // are left to count.
    let has_moves = |node| Ok(if digraph.options(node).is_empty() { 1 } else { 2 });
    let roughly = combinations(terms, has_moves)?;
    if roughly > most {
        return Ok(roughly);
    }
    combinations(terms, |node| followers(digraph, node, most, pace))
}

/// How many combinations of the followers of pieces can be reached for certain, given how many each
/// piece has. Those within conjunctive compounds are not counted, since all go at once.
fn combinations(
    terms: &[Term],
    mut count: impl FnMut(Node) -> Result<u64, Interrupted>,
) -> Result<u64, Interrupted> {
    let mut product = 1_u64;
    // The terms from the last one, the whole, on: whether each component of what is open is
    // counted.
    let mut open = vec![true];
    for term in terms.iter().rev() {
        let is_counted = open.pop().unwrap_or(false);
        match *term {
            Term::Node(node) if is_counted => product = product.saturating_mul(count(node)?),
            Term::Node(_) => {}
            Term::Of(kind, arity) => {
                let are_counted = is_counted && kind != Kind::Conjunctive;
                open.resize(open.len() + arity, are_counted);
            }
        }
    }
    Ok(product)
}

/// How many nodes can be reached from this one, itself included; no more than one above `most` are
/// counted.
fn followers(
    digraph: &Digraph,
    start: Node,
    most: u64,
    pace: &mut Pace<'_>,
) -> Result<u64, Interrupted> {
    let mut met: FxHashSet<Node> = FxHashSet::default();
    met.insert(start);
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        if met.len() as u64 > most {
            break;
        }
        for &to in digraph.options(node) {
            pace.step()?;
            if met.insert(to) {
                open.push(to);
            }
        }
    }
    Ok(met.len() as u64)
}

/// All moves of the compound of these terms with its pieces on `position`; none if they have more
/// than `most` steps.
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
        // Staying everywhere is not a move.
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

#[cfg(test)]
mod tests {
    use super::super::Compound;
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn positions_are_counted_before_they_are_written_out() {
        // 3 → 2 → 1 → 0, 3 → 1, and a cycle 4 ⇄ 5.
        let arcs = vec![(1, 0), (2, 1), (3, 2), (3, 1), (4, 5), (5, 4)];
        let digraph = Digraph::new(6, [], arcs).unwrap();
        let texts = [
            ("disjunctive(3,2,1,0)", Some(24)),
            ("selective(3,4,4)", Some(16)),
            ("disjunctive(selective(3,3),disjunctive(2,5))", Some(96)),
            ("disjunctive(conjunctive(3,3),2)", None),
            ("conjunctive(3,2)", None),
        ];
        for (text, exact) in texts {
            let compound = Compound::read(text, |name| name.parse().ok()).unwrap();
            let work = Work::new(Limits::new(1000));
            let written = Explicit::new(&digraph, &compound.terms, &work).unwrap();
            let count = written.options.len() as u64;
            let least = least_positions(&digraph, &compound.terms, 1000, &mut work.pace());
            assert!(least.unwrap() <= count, "{text}");
            assert!(exact.is_none_or(|exact| count == exact), "{text}");
            if let Some(exact) = exact {
                let few = Work::new(Limits::new(exact - 1));
                let over = Explicit::new(&digraph, &compound.terms, &few).err().unwrap();
                assert_eq!(over.least, exact, "{text}");
            }
        }
    }

    #[test]
    fn too_many_pieces_are_not_counted_one_by_one() {
        let arcs = (1..1000).map(|node| (node, node - 1)).collect();
        let digraph = Digraph::new(1000, [], arcs).unwrap();
        let pieces: Vec<Node> = (0..1000).collect();
        let compound = Compound::new(Kind::Disjunctive, pieces).unwrap();
        // No step is taken, so nothing checks the limits.
        let least = least_positions(
            &digraph,
            &compound.terms,
            1_000_000,
            &mut Work::new(Limits::new(0)).pace(),
        );
        assert_eq!(least, Ok(u64::MAX));
    }
}

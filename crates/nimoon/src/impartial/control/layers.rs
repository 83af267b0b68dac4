//! Labelling: the outcomes of all nodes beside all nim-heaps (Theorem 8).
//!
//! ## The rule
//! For k = 0, 1, 2, …, all nodes stand beside the heap *k. *Layer k* is a retrograde analysis of
//! the digraph alone:
//!
//! - a white node with a number below k is N at once: the player to move takes the heap there;
//! - a white node that was D beside a smaller heap may become N, but not P: a move in the heap is
//!   never worse than a draw;
//! - any other node is P when all its options are N, and N when one of them is P.
//!
//! A white node that becomes P in layer k has the number k. When a layer gives no node a number and
//! no further node its first draw, all later layers equal it.
//!
//! *Proof.* v + *k has the options u + *k and v + *j with j < k. If v has the number j < k, one of
//! the latter is P. If some v + *j is D, v + *k is not P, and it is N exactly if some u + *k is P.
//! Otherwise all v + *j are N, and only the u + *k count. So a layer is the least fixpoint of plain
//! retrograde analysis, given the layers below it. The rules of a layer differ from those of the
//! one before only by nodes that got a number or their first draw there. ∎
//!
//! ## Cost
//! A layer takes the arcs between nodes without a number. There is at most one layer more than
//! there are white nodes; beside cycles there are few. Only changes from one layer to the next are
//! stored.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::impartial::value::HeapOutcomes;
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// The numbers of all nodes, and the outcomes of those without a number beside all heaps.
#[derive(Clone, Debug)]
pub struct Layers {
    numbers: Vec<u32>,
    /// Where the changes of each node begin.
    starts: Vec<u32>,
    /// From which layer on a node without a number has this outcome.
    changes: Vec<(u32, Outcome)>,
    /// The nodes with numbers, each after those that its number rests on.
    order: Vec<Node>,
    count: u32,
    interrupted: Option<Interrupted>,
}

/// In place of a number, for nodes that have none.
const NONE: u32 = u32::MAX;

/// What a layer needs to know about the ones before it.
struct Pass<'a> {
    digraph: &'a Digraph,
    numbers: Vec<u32>,
    /// White nodes that were drawn beside a smaller heap.
    dead: FixedBitSet,
    /// The nodes without a number.
    active: Vec<Node>,
    /// How many options of each node have no number.
    unnumbered: Vec<u32>,
    /// The outcome of each active node in the last layer.
    outcomes: Vec<Outcome>,
    order: Vec<Node>,
}

impl Pass<'_> {
    /// The outcomes in the next layer, and the nodes in the order in which they were decided: each
    /// after the options that decide it.
    fn solve(&self, work: &Work) -> Result<(Vec<Outcome>, Vec<Node>), Interrupted> {
        let mut pace = work.pace();
        pace.step()?;
        let mut left = self.unnumbered.clone();
        let mut outcomes = vec![Outcome::D; self.digraph.len()];
        let may_be_lost = |node: Node| !self.dead.contains(node as usize);
        let begun = |&node: &Node| left[node as usize] == 0 && may_be_lost(node);
        let mut decided: Vec<Node> = self.active.iter().copied().filter(begun).collect();
        for &node in &decided {
            outcomes[node as usize] = Outcome::P;
        }
        let mut next = 0;
        while let Some(&node) = decided.get(next) {
            next += 1;
            pace.step()?;
            let lost = outcomes[node as usize] == Outcome::P;
            for &from in self.digraph.predecessors(node) {
                let place = from as usize;
                if self.numbers[place] != NONE || outcomes[place] != Outcome::D {
                    continue;
                }
                if lost {
                    outcomes[place] = Outcome::N;
                } else {
                    left[place] -= 1;
                    if left[place] > 0 || !may_be_lost(from) {
                        continue;
                    }
                    outcomes[place] = Outcome::P;
                }
                decided.push(from);
            }
        }
        Ok((outcomes, decided))
    }
}

impl Layers {
    /// The outcomes of all nodes beside all heaps; if the work is interrupted, beside the first
    /// ones.
    ///
    /// ```
    /// use nimoon::{Digraph, NimberSet, Work, impartial::control::Layers};
    /// // Node 3 passes, or enters the gray node 2, where the opponent chooses between 0 and 1.
    /// let arcs = vec![(1, 0), (2, 0), (2, 1), (3, 3), (3, 2)];
    /// let digraph = Digraph::new(4, [2], arcs).unwrap();
    /// let layers = Layers::of(&digraph, &Work::default());
    /// assert_eq!((layers.number(1), layers.number(3)), (Some(1), None));
    /// assert_eq!(layers.outcomes(3).win, NimberSet::all_except([0, 1]));
    /// ```
    pub fn of(digraph: &Digraph, work: &Work) -> Self {
        let admitted = work.admit_listed(digraph.len() as u64);
        let mut layers = Self::unknown(digraph);
        match admitted {
            Ok(()) => layers = Self::of_admitted(digraph, work),
            Err(interrupted) => layers.interrupted = Some(interrupted),
        }
        layers
    }

    /// Nothing is known.
    fn unknown(digraph: &Digraph) -> Self {
        Self {
            numbers: vec![NONE; digraph.len()],
            starts: vec![0; digraph.len() + 1],
            changes: Vec::new(),
            order: Vec::new(),
            count: 0,
            interrupted: None,
        }
    }

    /// The same without counting the nodes.
    pub(crate) fn of_admitted(digraph: &Digraph, work: &Work) -> Self {
        let mut pass = Pass {
            digraph,
            numbers: vec![NONE; digraph.len()],
            dead: FixedBitSet::with_capacity(digraph.len()),
            active: digraph.nodes().collect(),
            unnumbered: digraph.nodes().map(|node| digraph.options(node).len() as u32).collect(),
            outcomes: Vec::new(),
            order: Vec::new(),
        };
        let mut found: Vec<(Node, u32, Outcome)> = Vec::new();
        let mut layers = 0;
        let mut interrupted = None;
        loop {
            /// What a node takes in a pass, and a change.
            const BYTES: [u64; 2] = [16, 24];
            let bytes = BYTES[0] * digraph.len() as u64 + BYTES[1] * found.len() as u64;
            match work.hold(bytes).and_then(|()| pass.solve(work)) {
                Ok((outcomes, decided)) => {
                    let changed = note(&mut pass, &outcomes, layers, &mut found);
                    let numbers = &pass.numbers;
                    let numbered = |&node: &Node| numbers[node as usize] == layers;
                    pass.order.extend(decided.into_iter().filter(numbered));
                    pass.outcomes = outcomes;
                    layers += 1;
                    if !changed {
                        break;
                    }
                }
                Err(error) => {
                    interrupted = Some(error);
                    break;
                }
            }
        }
        let Pass { numbers, order, .. } = pass;
        found.retain(|&(node, ..)| numbers[node as usize] == NONE);
        // The layers of each node stay in their order.
        found.sort_by_key(|&(node, ..)| node);
        let mut starts = vec![0; digraph.len() + 1];
        for &(node, ..) in &found {
            starts[node as usize + 1] += 1;
        }
        for node in 0..digraph.len() {
            starts[node + 1] += starts[node];
        }
        let changes = found.into_iter().map(|(_, layer, outcome)| (layer, outcome)).collect();
        Self { numbers, starts, changes, order, count: layers, interrupted }
    }

    /// The number of a white node, if it has one.
    pub fn number(&self, node: Node) -> Option<u64> {
        let number = self.numbers[node as usize];
        (number != NONE).then_some(u64::from(number))
    }

    /// The outcomes of a node beside all heaps; beside those that were reached, if the work was
    /// interrupted.
    pub fn outcomes(&self, node: Node) -> HeapOutcomes {
        if let Some(n) = self.number(node) {
            return HeapOutcomes {
                win: NimberSet::all_except([n]),
                loss: NimberSet::only([n]),
                draw: NimberSet::nothing(),
                forced: None,
            };
        }
        let [win, loss, draw] =
            [Outcome::N, Outcome::P, Outcome::D].map(|outcome| self.beside(node, outcome));
        HeapOutcomes { win, loss, draw, forced: None }
    }

    /// The nodes with numbers, in the order in which they got them: smaller numbers first, and each
    /// after the nodes that its number rests on.
    pub(crate) fn into_order(self) -> Vec<Node> {
        self.order
    }

    /// From which layers on a node without a number has other outcomes than before. Nodes with the
    /// same changes have the same outcomes.
    pub(crate) fn changes(&self, node: Node) -> &[(u32, Outcome)] {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        &self.changes[range]
    }

    /// The heaps beside which the player to move wins.
    pub(crate) fn wins(&self, node: Node) -> NimberSet {
        match self.number(node) {
            Some(n) => NimberSet::all_except([n]),
            None => self.beside(node, Outcome::N),
        }
    }

    /// The heaps beside which a node without a number has this outcome.
    fn beside(&self, node: Node, outcome: Outcome) -> NimberSet {
        let changes = self.changes(node);
        let ends = changes.iter().skip(1).map(|&(layer, _)| layer).chain([self.count]);
        let runs = changes.iter().zip(ends).map(|(&(layer, found), end)| (layer..end, found));
        let elements = |has: bool| -> Nimbers {
            let wanted = runs.clone().filter(|(_, found)| (*found == outcome) == has);
            wanted.flat_map(|(run, _): (Range<u32>, _)| run).map(u64::from).collect()
        };
        let last = changes.last().is_some_and(|&(_, found)| found == outcome);
        if last && self.interrupted.is_none() {
            NimberSet::AllExcept(elements(false))
        } else {
            NimberSet::Only(elements(true))
        }
    }

    /// How many heaps were needed.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether the work was interrupted before the first heap.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What kept the outcomes from being complete.
    pub fn interrupted(&self) -> Option<Interrupted> {
        self.interrupted
    }
}

/// Takes the outcomes of a layer into account; whether a white node got a number or its first draw.
fn note(
    pass: &mut Pass<'_>,
    outcomes: &[Outcome],
    layer: u32,
    found: &mut Vec<(Node, u32, Outcome)>,
) -> bool {
    let mut changed = false;
    let mut numbered = Vec::new();
    let active = std::mem::take(&mut pass.active);
    let keep = |&node: &Node| {
        let place = node as usize;
        let outcome = outcomes[place];
        if layer == 0 || pass.outcomes[place] != outcome {
            found.push((node, layer, outcome));
        }
        if pass.digraph.is_gray(node) {
            return true;
        }
        match outcome {
            Outcome::P => {
                pass.numbers[place] = layer;
                numbered.push(node);
                changed = true;
            }
            Outcome::D => changed |= !pass.dead.put(place),
            Outcome::N => {}
        }
        outcome != Outcome::P
    };
    pass.active = active.into_iter().filter(keep).collect();
    for node in numbered {
        for &from in pass.digraph.predecessors(node) {
            pass.unnumbered[from as usize] -= 1;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn nim_heaps_have_their_sizes_as_numbers() {
        let arcs = (0..6).flat_map(|n| (0..n).map(move |m| (n, m))).collect();
        let digraph = Digraph::new(6, [], arcs).unwrap();
        let layers = Layers::of(&digraph, &Work::default());
        let numbers: Vec<Option<u64>> = digraph.nodes().map(|node| layers.number(node)).collect();
        assert_eq!(numbers, (0..6).map(Some).collect::<Vec<_>>());
        assert_eq!(layers.len(), 7);
    }

    #[test]
    fn a_limit_leaves_the_heaps_that_were_reached() {
        let arcs = (0..6).flat_map(|n| (0..n).map(move |m| (n, m))).collect();
        let digraph = Digraph::new(6, [], arcs).unwrap();
        let layers = Layers::of(&digraph, &Work::new(Limits::new(5)));
        assert!(layers.is_empty() && layers.interrupted().is_some());
    }
}

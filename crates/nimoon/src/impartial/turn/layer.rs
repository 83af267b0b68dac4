//! How to win a component beside one nim-heap: the plan of a layer.
//!
//! The outcomes beside *k are found as in [`Layers`](crate::impartial::control::Layers), in the
//! same order, and each win keeps the move that it was found by. What such a move leads to was
//! decided earlier, so following them ends; and a node at which it hands over got its number in an
//! earlier round.

use crate::graph::digraph::Node;
use crate::impartial::sum::Sum;
use crate::limits::{Interrupted, Work};

/// In place of a node.
const NONE: Node = Node::MAX;

/// What the player to move does beside a nim-heap.
pub(crate) struct Layer {
    /// For each node: the move that wins beside the heap, itself if it is a number below the heap,
    /// or none.
    moves: Vec<Node>,
    /// The greatest place in the order of assignment at which the win can leave the component.
    worst: Vec<u32>,
}

impl Layer {
    pub(crate) fn new(
        sum: &Sum<'_>,
        measures: &[u32],
        heap: u64,
        work: &Work,
    ) -> Result<Self, Interrupted> {
        let (digraph, labelling) = (sum.digraph, sum.labelling);
        let len = digraph.len();
        work.hold(16 * len as u64)?;
        let mut pace = work.pace();
        let mut layer = Self { moves: vec![NONE; len], worst: vec![0; len] };
        let below = |node: Node| labelling.nimber(node).is_some_and(|n| n < heap);
        let mut left = vec![0_u32; len];
        for node in digraph.nodes() {
            pace.step()?;
            if below(node) {
                layer.moves[node as usize] = node;
                layer.worst[node as usize] = measures[node as usize];
                continue;
            }
            let open = digraph.options(node).iter().filter(|&&option| !below(option));
            left[node as usize] = open.count() as u32;
            let worst = digraph.options(node).iter().filter(|&&option| below(option));
            let worst = worst.map(|&option| measures[option as usize]).max();
            layer.worst[node as usize] = worst.unwrap_or(0);
        }
        // A number below the heap is won already; a node that is drawn beside a smaller heap is not
        // lost beside this one.
        let may_be_lost = |node: Node| {
            let drawn = || {
                let draw = labelling.value(node).map(|value| value.heap_outcomes().draw);
                let first = draw.and_then(|draw| draw.complement().mex());
                first.is_some_and(|first| first < heap)
            };
            digraph.is_gray(node) || labelling.nimber(node).is_some() || !drawn()
        };
        let mut lost = vec![false; len];
        let begun = |&node: &Node| !below(node) && left[node as usize] == 0 && may_be_lost(node);
        let mut decided: Vec<Node> = digraph.nodes().filter(begun).collect();
        for &node in &decided {
            lost[node as usize] = true;
            layer.note_lost(sum, measures, node);
        }
        let mut next = 0;
        while let Some(&node) = decided.get(next) {
            next += 1;
            pace.step()?;
            let worst = layer.worst[node as usize];
            for &from in digraph.predecessors(node) {
                let place = from as usize;
                if layer.moves[place] != NONE || lost[place] {
                    continue;
                }
                if lost[node as usize] {
                    layer.moves[place] = node;
                    layer.worst[place] = worst;
                } else {
                    left[place] -= 1;
                    layer.worst[place] = layer.worst[place].max(worst);
                    if left[place] > 0 || !may_be_lost(from) {
                        continue;
                    }
                    lost[place] = true;
                    layer.note_lost(sum, measures, from);
                }
                decided.push(from);
            }
        }
        Ok(layer)
    }

    /// A player who hands over leaves the component on a white node.
    fn note_lost(&mut self, sum: &Sum<'_>, measures: &[u32], node: Node) {
        if !sum.digraph.is_gray(node) {
            self.worst[node as usize] = measures[node as usize];
        }
    }

    /// The move that wins; none if there is no win, or if the win is a move elsewhere.
    pub(crate) fn next(&self, node: Node) -> Option<Node> {
        let to = self.moves[node as usize];
        (to != NONE && to != node).then_some(to)
    }

    /// Whether the player to move wins.
    pub(crate) fn wins(&self, node: Node) -> bool {
        self.moves[node as usize] != NONE
    }

    /// The greatest place in the order of assignment at which the win can leave the component.
    pub(crate) fn worst(&self, node: Node) -> u32 {
        self.worst[node as usize]
    }
}

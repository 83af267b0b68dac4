//! How a player in control brings a component to one of some nodes.

use fixedbitset::FixedBitSet;

use crate::graph::digraph::Node;
use crate::impartial::sum::Sum;
use crate::limits::{Interrupted, Work};

/// In place of a node.
const NONE: Node = Node::MAX;

/// What the player in control does to reach a target, or to get the opponent stuck. Each move leads
/// to what was found earlier, so following them ends.
pub(crate) struct Attractor {
    targets: FixedBitSet,
    /// For each node on which the player can be to move.
    moves: Vec<Node>,
}

impl Attractor {
    /// From where white nodes can be reached: the rule is that of
    /// [`Forcing`](crate::impartial::control::Forcing).
    pub(crate) fn new(
        sum: &Sum<'_>,
        targets: FixedBitSet,
        work: &Work,
    ) -> Result<Self, Interrupted> {
        let (digraph, labelling) = (sum.digraph, sum.labelling);
        work.hold(16 * digraph.len() as u64)?;
        let mut pace = work.pace();
        let mut moves = vec![NONE; digraph.len()];
        let mut left: Vec<u32> =
            digraph.nodes().map(|node| digraph.options(node).len() as u32).collect();
        // Whether the opponent is to move on the node.
        let mut found: Vec<(Node, bool)> =
            targets.ones().map(|node| (node as Node, false)).collect();
        found.extend(
            digraph.gray_nodes().filter(|&node| left[node as usize] == 0).map(|node| (node, true)),
        );
        let mut next = 0;
        while let Some(&(node, opponent)) = found.get(next) {
            next += 1;
            pace.step()?;
            for &from in digraph.predecessors(node) {
                let place = from as usize;
                if opponent {
                    let is_known = moves[place] != NONE || targets.contains(place);
                    if labelling.nimber(from).is_none() && !is_known {
                        moves[place] = node;
                        found.push((from, false));
                    }
                } else if digraph.is_gray(from) {
                    left[place] -= 1;
                    if left[place] == 0 {
                        found.push((from, true));
                    }
                }
            }
        }
        Ok(Self { targets, moves })
    }

    pub(crate) fn is_target(&self, node: Node) -> bool {
        self.targets.contains(node as usize)
    }

    /// The move to make on a node that is not a target.
    pub(crate) fn next(&self, node: Node) -> Option<Node> {
        let to = self.moves[node as usize];
        (to != NONE).then_some(to)
    }
}

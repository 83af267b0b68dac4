//! Gray chains of carry-on digraphs, and the moves that they amount to.
//!
//! From a gray node with at most one option play is forced, so a move from a white node x onto a
//! gray node amounts to one of five things:
//!
//! ```text
//!   x → g → w              the opponent moves on to w, the mover moves again:  x ↻ w
//!   x → g → g' → w         the mover moves on to w, the turn passes:           x → w
//!   x → g                  g terminal: the opponent is stuck, the mover wins
//!   x → g → g'             g' terminal: the mover is stuck and loses
//!   x → g → g' → g → …     for ever: the whole sum is drawn
//! ```
//!
//! and likewise for longer chains, by the parity of their number of gray nodes.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::graph::digraph::{Digraph, Node};

/// What a move onto a gray node amounts to, for the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainMove {
    /// The piece ends on this white node and the same player moves again: a carry-on move.
    Again(Node),
    /// The piece ends on this white node and the turn passes: an ordinary move.
    Ordinary(Node),
    /// The opponent is stuck on a terminal gray node.
    Wins,
    /// The mover is stuck on a terminal gray node.
    Loses,
    /// The piece runs in a circle of gray nodes for ever.
    Endless,
}

impl ChainMove {
    /// What the same chain amounts to when it is one gray node longer. So a move onto a gray node
    /// amounts to what its option does, one longer, and onto a terminal one to [`Self::Loses`], one
    /// longer.
    ///
    /// ```
    /// use nimoon::impartial::theory::chains::ChainMove;
    /// assert_eq!(ChainMove::Ordinary(7).longer(), ChainMove::Again(7));
    /// assert_eq!(ChainMove::Loses.longer(), ChainMove::Wins);
    /// ```
    #[must_use]
    pub fn longer(self) -> Self {
        match self {
            Self::Again(w) => Self::Ordinary(w),
            Self::Ordinary(w) => Self::Again(w),
            Self::Wins => Self::Loses,
            Self::Loses => Self::Wins,
            Self::Endless => Self::Endless,
        }
    }

    /// Whether the move counts among those that may not lose. Suicide loses against everything; a
    /// player who wins at once has no need of the rest.
    #[inline]
    pub fn is_pending(self) -> bool {
        !matches!(self, Self::Wins | Self::Loses)
    }

    /// The white node on which the piece ends, if it does.
    pub fn end(self) -> Option<Node> {
        match self {
            Self::Again(white) | Self::Ordinary(white) => Some(white),
            _ => None,
        }
    }
}

/// A node that carry-on moves reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    /// The node.
    pub(crate) node: Node,
    /// Which of the nodes reached before it comes from, and by which option of that one.
    pub(crate) by: Option<(usize, Node)>,
}

/// The chains of all gray nodes of a carry-on digraph.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    /// For each node; white nodes stand for the ordinary move onto them.
    moves: Vec<ChainMove>,
}

impl Chains {
    /// Follows every chain, in time proportional to the number of nodes. Gray nodes with several
    /// options are taken to lead to the first.
    pub(crate) fn new(digraph: &Digraph) -> Self {
        let mut moves: Vec<ChainMove> = digraph.nodes().map(ChainMove::Ordinary).collect();
        let mut known = FixedBitSet::with_capacity(digraph.len());
        let mut on_path = known.clone();
        let mut path: Vec<Node> = Vec::new();
        for start in digraph.gray_nodes() {
            let mut node = start;
            // What a move onto the last node of the path amounts to.
            let mut last = loop {
                if !digraph.is_gray(node) || known.contains(node as usize) {
                    break moves[node as usize];
                }
                if on_path.put(node as usize) {
                    break ChainMove::Endless;
                }
                path.push(node);
                match digraph.options(node).first() {
                    Some(&option) => node = option,
                    None => break ChainMove::Loses,
                }
            };
            while let Some(node) = path.pop() {
                last = last.longer();
                moves[node as usize] = last;
                known.insert(node as usize);
                on_path.remove(node as usize);
            }
        }
        Self { moves }
    }

    /// The nodes that carry-on moves from a white node reach, itself first, nearer ones earlier.
    pub(crate) fn carry_ons(&self, digraph: &Digraph, start: Node) -> Vec<Carried> {
        let mut reached = vec![Carried { node: start, by: None }];
        let mut seen = FxHashSet::from_iter([start]);
        let mut place = 0;
        while let Some(&Carried { node, .. }) = reached.get(place) {
            for &option in digraph.options(node) {
                if let ChainMove::Again(to) = self.onto(option)
                    && seen.insert(to)
                {
                    reached.push(Carried { node: to, by: Some((place, option)) });
                }
            }
            place += 1;
        }
        reached
    }

    /// As [`Self::onto`]: in much less time if most nodes are white and there are very many.
    #[inline]
    pub(crate) fn by(&self, digraph: &Digraph, node: Node) -> ChainMove {
        if digraph.is_gray(node) { self.onto(node) } else { ChainMove::Ordinary(node) }
    }

    /// What a move onto a node amounts to.
    #[inline]
    pub(crate) fn onto(&self, node: Node) -> ChainMove {
        self.moves[node as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::ChainMove::{Again, Endless, Loses, Ordinary, Wins};
    use super::*;

    #[test]
    fn parity_decides() {
        // White 0; gray chain 3 → 2 → 1 → 0; gray 5 → 4, 4 terminal; gray circle 6 ⇄ 7, 8 → 6.
        let arcs = vec![(1, 0), (2, 1), (3, 2), (5, 4), (6, 7), (7, 6), (8, 6)];
        let digraph = Digraph::new(9, 1..9, arcs).unwrap();
        let chains = Chains::new(&digraph);
        let onto: Vec<ChainMove> = digraph.nodes().map(|node| chains.onto(node)).collect();
        let expected =
            [Ordinary(0), Again(0), Ordinary(0), Again(0), Wins, Loses, Endless, Endless, Endless];
        assert_eq!(onto, expected);
    }
}

//! Game digraphs: white and gray nodes and the arcs between them, in compressed rows.
//!
//! A [`Digraph`] is a *set* of arcs over the nodes `0..len`: one list of all options end to end,
//! and where each row begins. An arc given twice counts once, so that "the gray node has one
//! option" means what it says. Options keep the order in which they were given, so output follows
//! the file. Names of nodes are kept elsewhere: the mathematics needs none, and a million names
//! weigh more than a million nodes.
//!
//! The rows of options are built at once, the rows of predecessors when they are first needed:
//! the acyclic theories never need them.
//!
//! petgraph was considered. Its `Graph` keeps the arcs of a node as a linked list through the list
//! of all arcs, and its `Csr` has sorted rows and no predecessors. Needed here are rows in the
//! order given, for options and sometimes for predecessors, and nothing else.

mod rows;

use std::ops::Range;
use std::sync::OnceLock;

use fixedbitset::FixedBitSet;
use thiserror::Error;

use crate::count::counted;
use crate::graph::partition::Cut;

pub use rows::Rows;
pub(crate) use rows::{GATHERED, RowsInOrder, touch};

/// A node of a [`Digraph`]: an index below [`Digraph::len`].
pub type Node = u32;

/// Why arcs do not make a digraph.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DigraphError {
    /// An arc or a gray mark names a node that is not there.
    #[error("node {node} is named, but the digraph has only {}", counted(*.len as u64, "node"))]
    NoSuchNode {
        /// The node named.
        node: Node,
        /// The number of nodes.
        len: usize,
    },
    /// More nodes than a [`Node`] can count.
    #[error("{len} nodes are more than the limit of {}", Node::MAX)]
    TooManyNodes {
        /// The number of requested nodes.
        len: usize,
    },
}

/// A finite digraph with white and gray nodes [ACLNSS, Def. 1.1].
///
/// ```
/// use nimoon::Digraph;
/// // 0 is terminal, 1 is gray and leads to it, 2 may move to either.
/// let digraph = Digraph::new(3, [1], vec![(1, 0), (2, 0), (2, 1)]).unwrap();
/// assert_eq!(digraph.options(2), [0, 1]);
/// assert_eq!(digraph.predecessors(0), [1, 2]);
/// assert!(digraph.is_gray(1) && !digraph.is_gray(2));
/// ```
#[derive(Clone, Debug)]
pub struct Digraph {
    options: Rows,
    gray: FixedBitSet,
    predecessors: OnceLock<Rows>,
}

impl Digraph {
    /// Builds the digraph of nodes `0..len` with the given gray nodes and arcs.
    ///
    /// # Errors
    /// When a gray mark or an arc names a node that is not below `len`, or `len` is too large.
    pub fn new(
        len: usize,
        gray: impl IntoIterator<Item = Node>,
        arcs: Vec<(Node, Node)>,
    ) -> Result<Self, DigraphError> {
        if len > Node::MAX as usize {
            return Err(DigraphError::TooManyNodes { len });
        }
        let check = |node: Node| {
            if (node as usize) < len { Ok(()) } else { Err(DigraphError::NoSuchNode { node, len }) }
        };
        let mut gray_nodes = FixedBitSet::with_capacity(len);
        for node in gray {
            check(node)?;
            gray_nodes.insert(node as usize);
        }
        let cut = Cut::of(len, arcs.len());
        let largest = |part: Range<usize>| arcs[part].iter().map(|arc| arc.0.max(arc.1)).max();
        let largest = cut.each(cut.ranges(arcs.len()), largest).into_iter().flatten().max();
        if largest.is_some_and(|node| check(node).is_err()) {
            arcs.iter().try_for_each(|&(from, to)| check(from.max(to)))?;
        }
        let options = Rows::of_list(len, arcs, cut);
        Ok(Self { options, gray: gray_nodes, predecessors: OnceLock::new() })
    }

    /// The digraph with these rows, which have nothing twice, and these gray nodes.
    pub(crate) fn of_rows(options: Rows, gray: impl IntoIterator<Item = Node>) -> Self {
        let mut gray_nodes = FixedBitSet::with_capacity(options.len());
        gray_nodes.extend(gray.into_iter().map(|node| node as usize));
        Self { options, gray: gray_nodes, predecessors: OnceLock::new() }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of arcs.
    pub fn arc_count(&self) -> usize {
        self.options.entry_count()
    }

    /// All nodes in order.
    pub fn nodes(&self) -> std::ops::Range<Node> {
        0..self.len() as Node
    }

    /// All arcs, source by source.
    pub fn arcs(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        self.options.arcs()
    }

    /// Where a piece on `node` can move.
    #[inline]
    pub fn options(&self, node: Node) -> &[Node] {
        self.options.row(node)
    }

    /// From where a piece can move to `node`.
    pub fn predecessors(&self, node: Node) -> &[Node] {
        self.predecessor_rows().row(node)
    }

    /// The rows of options.
    pub fn option_rows(&self) -> &Rows {
        &self.options
    }

    /// The rows of predecessors, built on the first call.
    pub fn predecessor_rows(&self) -> &Rows {
        // Not built within `get_or_init`: a thread that waits for others to do their parts may be
        // given a task meanwhile that needs the same rows.
        if let Some(rows) = self.predecessors.get() {
            return rows;
        }
        let rows = self.options.reversed();
        self.predecessors.get_or_init(|| rows)
    }

    /// Whether a player who finds a piece on `node` must move that piece.
    #[inline]
    pub fn is_gray(&self, node: Node) -> bool {
        self.gray.contains(node as usize)
    }

    /// The gray nodes in order.
    pub fn gray_nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.gray.ones().map(|v| v as Node)
    }

    /// Whether some node is gray.
    pub fn has_gray(&self) -> bool {
        !self.gray.is_clear()
    }

    /// The nodes that play from `starts` can reach, `starts` first, in breadth-first order.
    ///
    /// ```
    /// # use nimoon::Digraph;
    /// let digraph = Digraph::new(4, [], vec![(0, 1), (1, 0), (2, 1), (2, 3)]).unwrap();
    /// assert_eq!(digraph.followers(&[1]), [1, 0]);
    /// ```
    pub fn followers(&self, starts: &[Node]) -> Vec<Node> {
        self.followers_up_to(starts, u64::MAX).0
    }

    /// As [`Self::followers`], giving up after about `limit` nodes; also whether these are all.
    pub fn followers_up_to(&self, starts: &[Node], limit: u64) -> (Vec<Node>, bool) {
        let mut seen = FixedBitSet::with_capacity(self.len());
        let mut reached: Vec<Node> = Vec::new();
        for &start in starts {
            if !seen.put(start as usize) {
                reached.push(start);
            }
        }
        let mut next = 0;
        while next < reached.len() {
            if reached.len() as u64 > limit {
                return (reached, false);
            }
            for &to in self.options(reached[next]) {
                if !seen.put(to as usize) {
                    reached.push(to);
                }
            }
            next += 1;
        }
        (reached, true)
    }
}

impl PartialEq for Digraph {
    fn eq(&self, other: &Self) -> bool {
        self.options == other.options && self.gray == other.gray
    }
}

impl Eq for Digraph {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_given_twice_counts_once_and_order_is_kept() {
        let digraph = Digraph::new(3, [], vec![(0, 2), (0, 1), (0, 2), (1, 1), (1, 1)]).unwrap();
        assert_eq!(digraph.options(0), [2, 1]);
        assert_eq!(digraph.options(1), [1]);
        assert_eq!(digraph.predecessors(1), [0, 1]);
        assert_eq!(digraph.arc_count(), 3);
    }

    #[test]
    fn long_rows_lose_their_repetitions_too() {
        let arcs = (0..100).map(|i| (0, i % 30)).collect();
        let digraph = Digraph::new(30, [], arcs).unwrap();
        assert_eq!(digraph.options(0), (0..30).collect::<Vec<_>>());
    }

    #[test]
    fn a_node_that_is_not_there_is_refused() {
        let error = DigraphError::NoSuchNode { node: 5, len: 2 };
        assert_eq!(Digraph::new(2, [], vec![(0, 5)]), Err(error));
        assert_eq!(Digraph::new(2, [5], vec![]), Err(error));
    }
}

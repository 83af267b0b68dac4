//! The cartproduct of digraphs: the digraph of a sum.
//!
//! Its nodes are the pairs of nodes that are not both gray, a pair with a gray node is gray, and
//! an arc moves one piece while the other stays on a white node [ACLNSS, Def. 1.3]. Products grow
//! fast: this is for looking at small ones and for checking, values of sums come from adding.

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::graph::digraph::{Digraph, Node};
use crate::limits::{Interrupted, Work};

/// The part of a cartproduct that play from its first node can reach.
#[derive(Clone, Debug)]
pub struct Product {
    /// The product digraph.
    pub digraph: Digraph,
    /// Which pair each node of it is.
    pub pairs: Vec<(Node, Node)>,
}

/// Why a product cannot be formed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProductError {
    /// Two pieces never stand on gray nodes at once.
    #[error("two pieces on gray nodes: that sum does not exist")]
    TwoGray,
    /// The product has more nodes and arcs than the budget allows, each of which counts as a
    /// position; or something else ended the work.
    #[error("{0}: the product of the two nodes has {1} nodes and arcs so far")]
    Interrupted(Interrupted, u64),
}

/// What a node or an arc of a product takes in memory, while it is made.
const BYTES: u64 = 32;

/// The game of two pieces on one digraph as a game of one piece, from `(x, y)` on.
///
/// ```
/// use nimoon::{Work, Digraph, graph::product::product};
/// let arc = Digraph::new(2, [], vec![(1, 0)]).unwrap();
/// let square = product(&arc, 1, 1, &Work::default()).unwrap();
/// assert_eq!(square.pairs, [(1, 1), (0, 1), (1, 0), (0, 0)]);
/// assert_eq!(square.digraph.arc_count(), 4);
/// ```
///
/// # Errors
/// When both nodes are gray, the product outgrows the budget, or the work is interrupted.
pub fn product(digraph: &Digraph, x: Node, y: Node, work: &Work) -> Result<Product, ProductError> {
    if digraph.is_gray(x) && digraph.is_gray(y) {
        return Err(ProductError::TwoGray);
    }
    let mut pace = work.pace();
    let mut nodes: FxHashMap<(Node, Node), Node> = FxHashMap::default();
    let mut pairs = vec![(x, y)];
    nodes.insert((x, y), 0);
    let mut arcs = Vec::new();
    let mut next = 0;
    while let Some(&(x, y)) = pairs.get(next) {
        let size = (pairs.len() + arcs.len()) as u64;
        pace.step()
            .and_then(|()| work.hold(size * BYTES))
            .map_err(|interrupted| ProductError::Interrupted(interrupted, size))?;
        let (x_free, y_free) = (!digraph.is_gray(y), !digraph.is_gray(x));
        let left = digraph.options(x).iter().filter(|_| x_free).map(|&to| (to, y));
        let right = digraph.options(y).iter().filter(|_| y_free).map(|&to| (x, to));
        for pair in left.chain(right) {
            let node = *nodes.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                (pairs.len() - 1) as Node
            });
            arcs.push((next as Node, node));
            let size = (pairs.len() + arcs.len()) as u64;
            if size > work.limits().positions {
                return Err(ProductError::Interrupted(work.over(None), size));
            }
        }
        next += 1;
    }
    let is_gray = |&(_, &(x, y)): &(Node, &(Node, Node))| digraph.is_gray(x) || digraph.is_gray(y);
    let gray: Vec<Node> = (0..).zip(&pairs).filter(is_gray).map(|(node, _)| node).collect();
    let digraph = Digraph::new(pairs.len(), gray, arcs)
        .map_err(|_| ProductError::Interrupted(work.over(None), pairs.len() as u64))?;
    Ok(Product { digraph, pairs })
}

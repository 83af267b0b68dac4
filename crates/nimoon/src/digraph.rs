//! Game digraphs: white and gray nodes and the arcs between them, in compressed rows.
//!
//! A [`Digraph`] is a *set* of arcs over the nodes `0..len`. Options keep the order in which
//! they were given; an arc given twice counts once, so that "the gray node has one option"
//! means what it says. Names of nodes are kept elsewhere: the mathematics needs none.
//!
//! The rows of options are built at once, the rows of predecessors when first asked for: the
//! acyclic theories never need them.

use std::sync::OnceLock;

use fixedbitset::FixedBitSet;
use thiserror::Error;

/// A node of a [`Digraph`]: an index below [`Digraph::len`].
pub type Node = u32;

/// Where rows start and end: in four bytes each where that is enough, which saves a good part of
/// the cache misses of looking up rows in no order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Starts {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Starts {
    fn new(len: usize, entries: usize) -> Self {
        if u32::try_from(entries).is_ok() {
            Self::Narrow(vec![0; len + 1])
        } else {
            Self::Wide(vec![0; len + 1])
        }
    }

    #[inline]
    fn get(&self, i: usize) -> usize {
        match self {
            Self::Narrow(starts) => starts[i] as usize,
            Self::Wide(starts) => starts[i] as usize,
        }
    }

    #[inline]
    fn set(&mut self, i: usize, start: usize) {
        match self {
            Self::Narrow(starts) => starts[i] = start as u32,
            Self::Wide(starts) => starts[i] = start as u64,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Narrow(starts) => starts.len(),
            Self::Wide(starts) => starts.len(),
        }
    }
}

/// How many rows are gathered at a time.
pub(crate) const GATHERED: usize = 64;

/// Reads what will be needed soon, so that it is in the cache by then.
#[inline]
pub(crate) fn touch(values: impl Iterator<Item = u32>) {
    std::hint::black_box(values.fold(0, |all, value| all ^ value));
}

/// Rows of nodes, one per node, stored end to end (compressed sparse rows).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    starts: Starts,
    nodes: Vec<Node>,
}

impl Rows {
    /// Sorts arcs into one row per source, keeping the order within a row.
    ///
    /// Arcs come in no order that a cache could guess, so those of a few thousand neighbouring
    /// sources are first brought together, and then each such heap is sorted where it fits the
    /// cache: half the time of sorting at once, for a million nodes.
    ///
    /// ```
    /// use nimoon::digraph::Rows;
    /// let rows = Rows::new(3, || [(2, 0), (0, 1), (2, 1)].into_iter());
    /// assert_eq!(rows.row(2), [0, 1]);
    /// ```
    pub fn new<I: Iterator<Item = (Node, Node)>>(len: usize, arcs: impl Fn() -> I) -> Self {
        // At least 4096 sources a heap, at most 1024 heaps.
        let bits = usize::BITS - (len >> 10).leading_zeros();
        let shift = bits.max(12);
        let heaps = (len >> shift) + 1;
        let mut ends = vec![0_usize; heaps];
        arcs().for_each(|(from, _)| ends[from as usize >> shift] += 1);
        let mut total = 0;
        for end in &mut ends {
            let start = total;
            total += *end;
            *end = start;
        }
        let mut rows = Self { starts: Starts::new(len, total), nodes: vec![0; total] };
        if heaps == 1 {
            rows.fill(0..len, 0, &arcs);
            return rows;
        }
        let mut heaped = vec![(0, 0); total];
        arcs().for_each(|arc: (Node, Node)| {
            let end = &mut ends[arc.0 as usize >> shift];
            heaped[*end] = arc;
            *end += 1;
        });
        let mut start = 0;
        for (heap, end) in ends.into_iter().enumerate() {
            let sources = heap << shift..((heap + 1) << shift).min(len);
            rows.fill(sources, start, &|| heaped[start..end].iter().copied());
            start = end;
        }
        rows
    }

    /// Sorts the arcs of some neighbouring sources into their rows.
    fn fill<I: Iterator<Item = (Node, Node)>>(
        &mut self,
        sources: std::ops::Range<usize>,
        start: usize,
        arcs: &impl Fn() -> I,
    ) {
        let mut places = vec![0_usize; sources.len()];
        arcs().for_each(|(from, _)| places[from as usize - sources.start] += 1);
        let mut end = start;
        for (source, place) in sources.clone().zip(&mut places) {
            let count = std::mem::replace(place, end);
            end += count;
            self.starts.set(source + 1, end);
        }
        arcs().for_each(|(from, to)| {
            let place = &mut places[from as usize - sources.start];
            self.nodes[*place] = to;
            *place += 1;
        });
    }

    /// The row of a node.
    #[inline]
    pub fn row(&self, node: Node) -> &[Node] {
        &self.nodes[self.starts.get(node as usize)..self.starts.get(node as usize + 1)]
    }

    /// Adds the rows of some nodes to `into`, end to end.
    ///
    /// Each row costs two cache misses, for its place and for itself. Doing the same step for many
    /// rows before the next one lets a processor wait for many of them at once: on large digraphs
    /// labelling took less than half the time for it.
    pub(crate) fn gather(&self, nodes: &[Node], into: &mut Vec<Node>) {
        let mut spans = [(0, 0); GATHERED];
        for nodes in nodes.chunks(GATHERED) {
            for (span, &node) in spans.iter_mut().zip(nodes) {
                *span = (self.starts.get(node as usize), self.starts.get(node as usize + 1));
            }
            let spans = &spans[..nodes.len()];
            touch(spans.iter().map(|&(start, _)| self.nodes.get(start).copied().unwrap_or(0)));
            for &(start, end) in spans {
                into.extend_from_slice(&self.nodes[start..end]);
            }
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of entries in all rows.
    pub fn entry_count(&self) -> usize {
        self.nodes.len()
    }

    /// Every pair of a row and an entry of it, row by row.
    pub fn arcs(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        (0..self.len() as Node).flat_map(|v| self.row(v).iter().map(move |&w| (v, w)))
    }

    /// The rows of the reversed arcs.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self::new(self.len(), || self.arcs().map(|(v, w)| (w, v)))
    }

    /// Keeps the first of equal entries in each row.
    fn remove_repetitions(&mut self) {
        let mut seen_in: Vec<Node> = Vec::new();
        let mut kept = 0;
        let mut start = 0;
        for v in 0..self.len() {
            let end = self.starts.get(v + 1);
            let row_start = kept;
            for i in start..end {
                let target = self.nodes[i];
                let repeated = if end - start <= 16 {
                    self.nodes[row_start..kept].contains(&target)
                } else {
                    if seen_in.is_empty() {
                        seen_in = vec![Node::MAX; self.len()];
                    }
                    std::mem::replace(&mut seen_in[target as usize], v as Node) == v as Node
                };
                if !repeated {
                    self.nodes[kept] = target;
                    kept += 1;
                }
            }
            start = end;
            self.starts.set(v + 1, kept);
        }
        self.nodes.truncate(kept);
    }
}

/// Why arcs do not make a digraph.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum DigraphError {
    /// An arc or a gray mark names a node that is not there.
    #[error("node {node} is named, but there are only {len} nodes")]
    NoSuchNode {
        /// The node named.
        node: Node,
        /// The number of nodes.
        len: usize,
    },
    /// More nodes than a [`Node`] can count.
    #[error("{len} nodes are more than the {} that can be told apart", Node::MAX)]
    TooManyNodes {
        /// The number of nodes asked for.
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
        for &(from, to) in &arcs {
            check(from.max(to))?;
        }
        let mut options = Rows::new(len, || arcs.iter().copied());
        drop(arcs);
        options.remove_repetitions();
        Ok(Self { options, gray: gray_nodes, predecessors: OnceLock::new() })
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
        self.predecessors.get_or_init(|| self.options.reversed())
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

//! All digraphs with a given number of nodes, one of each isomorphism class.
//!
//! A digraph is a row of options and a colour per node. Its *class sequence* is the sequence of
//! (colour, outdegree) of its nodes; the canonical form is the one with the least class sequence
//! and then the least rows, over all permutations of the nodes. So only non-decreasing sequences
//! are enumerated, and a digraph is skipped if a permutation that keeps its classes makes the rows
//! smaller. Only the tables of the permutations are stored.

use nimoon::{Digraph, Node, Theory};

/// The colour and the options of a node, the options as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    gray: bool,
    outdegree: u32,
    options: u8,
}

impl Row {
    fn class(self) -> (bool, u32) {
        (self.gray, self.outdegree)
    }
}

/// A permutation of the nodes, and what it does to every row.
struct Permutation {
    /// The node at each place.
    source: Vec<usize>,
    /// The image of each set of options.
    rows: Vec<u8>,
}

/// Iterates over digraphs; see [`Exhaustive::new`].
pub struct Exhaustive {
    nodes: usize,
    rows: Vec<Row>,
    acyclic: bool,
    permutations: Vec<Permutation>,
    /// The row of each node as a place in `rows`; empty at the end.
    choice: Vec<usize>,
    started: bool,
}

impl Exhaustive {
    /// The largest number of nodes that is enumerated.
    pub const MAX_NODES: usize = 8;

    /// All digraphs of exactly `nodes` nodes up to isomorphism that fit the theory, if there is
    /// one. There are none beyond [`Self::MAX_NODES`].
    ///
    /// ```
    /// use nimoon::Theory;
    /// use nimoon_audit::exhaustive::Exhaustive;
    /// // One node, white or gray, with a loop or without.
    /// assert_eq!(Exhaustive::new(1, None).count(), 4);
    /// // Acyclic digraphs of three nodes: 6 without colours.
    /// assert_eq!(Exhaustive::new(3, Some(Theory::Short)).count(), 6);
    /// ```
    pub fn new(nodes: usize, theory: Option<Theory>) -> Self {
        let nodes = if nodes > Self::MAX_NODES { 0 } else { nodes };
        let mut rows = Vec::new();
        for options in 0..1_u32 << nodes {
            let outdegree = options.count_ones();
            for gray in [false, true] {
                let fits = match theory {
                    Some(Theory::Short | Theory::Cyclic) => !gray,
                    Some(Theory::CarryOn) => !gray || outdegree <= 1,
                    Some(Theory::Entailing | Theory::General) | None => true,
                };
                if fits {
                    rows.push(Row { gray, outdegree, options: options as u8 });
                }
            }
        }
        rows.sort_unstable();
        Self {
            nodes,
            rows,
            acyclic: matches!(theory, Some(Theory::Short | Theory::Entailing)),
            permutations: permutations(nodes),
            choice: vec![0; nodes],
            started: false,
        }
    }

    fn row(&self, node: usize) -> Row {
        self.rows[self.choice[node]]
    }

    /// Advances to the next choice of rows with non-decreasing classes.
    fn advance(&mut self) -> bool {
        if !std::mem::replace(&mut self.started, true) {
            return !self.choice.is_empty();
        }
        let Some(moved) =
            (0..self.choice.len()).rev().find(|&v| self.choice[v] + 1 < self.rows.len())
        else {
            self.choice.clear();
            return false;
        };
        self.choice[moved] += 1;
        // The rows are sorted by class, so the first row of the same class is where to start.
        let class = self.row(moved).class();
        let first = self.rows.partition_point(|row| row.class() < class);
        self.choice[moved + 1..].fill(first);
        true
    }

    fn is_canonical(&self) -> bool {
        let smaller = |permutation: &Permutation| {
            let keeps_classes = (0..self.nodes).all(|place| {
                self.row(permutation.source[place]).class() == self.row(place).class()
            });
            keeps_classes
                && (0..self.nodes)
                    .map(|place| {
                        let image =
                            permutation.rows[self.row(permutation.source[place]).options as usize];
                        image.cmp(&self.row(place).options)
                    })
                    .find(|order| order.is_ne())
                    .is_some_and(std::cmp::Ordering::is_lt)
        };
        !self.permutations.iter().any(smaller)
    }

    /// Whether all nodes can be removed one by one, each when it has no options left.
    fn is_acyclic(&self) -> bool {
        let mut left: u8 = (0..self.nodes).fold(0, |bits, v| bits | 1 << v);
        while let Some(v) =
            (0..self.nodes).find(|&v| left >> v & 1 == 1 && self.row(v).options & left == 0)
        {
            left &= !(1 << v);
        }
        left == 0
    }

    fn digraph(&self) -> Option<Digraph> {
        let nodes = 0..self.nodes as Node;
        let gray = nodes.clone().filter(|&v| self.row(v as usize).gray);
        let arcs = nodes.clone().flat_map(|v| {
            let options = self.row(v as usize).options;
            (0..self.nodes as Node).filter(move |&w| options >> w & 1 == 1).map(move |w| (v, w))
        });
        Digraph::new(self.nodes, gray, arcs.collect()).ok()
    }
}

impl Iterator for Exhaustive {
    type Item = Digraph;

    fn next(&mut self) -> Option<Digraph> {
        while self.advance() {
            if (!self.acyclic || self.is_acyclic()) && self.is_canonical() {
                return self.digraph();
            }
        }
        None
    }
}

fn permutations(nodes: usize) -> Vec<Permutation> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for next in 0..nodes {
        all = all
            .iter()
            .flat_map(|shorter| {
                (0..=next).map(move |place| {
                    let mut longer = shorter.clone();
                    longer.insert(place, next);
                    longer
                })
            })
            .collect();
    }
    all.into_iter()
        .map(|source| {
            let image = |options: u32| {
                (0..nodes)
                    .fold(0, |bits, place| bits | ((options >> source[place] & 1) as u8) << place)
            };
            let rows = (0..1 << nodes).map(image).collect();
            Permutation { source, rows }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digraphs_are_as_many_as_the_literature_says() {
        // OEIS A000595: binary relations on unlabelled nodes.
        let count = |n| Exhaustive::new(n, Some(Theory::Cyclic)).count();
        assert_eq!([1, 2, 3, 4].map(count), [2, 10, 104, 3044]);
        // OEIS A003087: acyclic digraphs on unlabelled nodes.
        let count = |n| Exhaustive::new(n, Some(Theory::Short)).count();
        assert_eq!([1, 2, 3, 4].map(count), [1, 2, 6, 31]);
    }

    /// Burnside's lemma: the number of orbits is the mean number of coloured digraphs that a
    /// permutation fixes.
    #[test]
    fn coloured_digraphs_are_as_many_as_burnside_counts() {
        for nodes in 1..=3_usize {
            let all = permutations(nodes);
            let fixed: usize = all
                .iter()
                .map(|permutation| {
                    let mut cells: Vec<(usize, usize)> =
                        (0..nodes).flat_map(|v| (0..=nodes).map(move |w| (v, w))).collect();
                    let mut cycles = 0;
                    while let Some(start) = cells.pop() {
                        cycles += 1;
                        let mut cell = start;
                        loop {
                            // Column `nodes` holds the colours and stays in its place.
                            let column = permutation.source.get(cell.1).copied().unwrap_or(nodes);
                            cell = (permutation.source[cell.0], column);
                            if cell == start {
                                break;
                            }
                            cells.retain(|&other| other != cell);
                        }
                    }
                    1_usize << cycles
                })
                .sum();
            assert_eq!(Exhaustive::new(nodes, None).count(), fixed / all.len());
        }
    }

    #[test]
    fn every_digraph_fits_its_theory_and_no_two_are_the_same() {
        for theory in Theory::ALL {
            let mut seen = Vec::new();
            for digraph in Exhaustive::new(2, Some(theory)) {
                assert!(nimoon::label(&digraph, Some(theory), &nimoon::Work::default()).is_ok());
                assert!(!seen.contains(&digraph));
                seen.push(digraph);
            }
            assert!(!seen.is_empty());
        }
    }

    #[test]
    fn no_nodes_and_too_many_nodes_give_nothing() {
        assert_eq!(Exhaustive::new(0, None).count(), 0);
        assert_eq!(Exhaustive::new(9, None).count(), 0);
    }
}

//! The sets D(G), F(G) and P(G) of nodes, and the function Cr, under the names that \[ACLNSS\] has
//! for them.
//!
//! - D(G), the *direct values* [ACLNSS, Def. 2.1]: k is in D(G) if the mover can move to the number
//!   k, or onto a gray node all of whose options have k in their D.
//! - F(G), the *forcing values* [ACLNSS, Def. 2.2]: the numbers to which the opponent can be made to
//!   move, by carry-on moves.
//! - Cr(g, k) for a gray node g [ACLNSS, Algorithm 5]: a move onto g protects k. The player who must
//!   move from g is stuck, or can only move to a moon or to a number other than k, or the other
//!   player then moves to k or onto another such gray node. An infinite run is not one.
//! - P(G), the *protected values*: the union of Cr over the gray options of a white node.
//!
//! All four are least fixpoints. The values are those that the labelling has in the end; a node of a
//! cyclic zone has none. With these, D ∪ P of a white node without a number is the set of heaps
//! beside which the mover wins; a test compares both with play.
//!
//! ```text
//!   x ──► g ──► z      z is terminal, g gray:  D(x) = F(x) = {0},  P(x) = Cr(g) = all but {0}
//!   ╰───────────▲
//! ```
//!
//! ## Cost
//! The arcs times the largest number and two.
//!
//! ## References
//! [ACLNSS, Def. 2.1, Def. 2.2, Algorithms 5, 6 and 7]

use fixedbitset::FixedBitSet;

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::labels::Labels;
use crate::impartial::nimbers::NimberSet;
use crate::impartial::value::{AnyValue, EntailingValue, Value};
use crate::limits::{Interrupted, Work};

/// The sets of all nodes of a digraph whose gray nodes have at most one option.
#[derive(Clone, Debug)]
pub struct Sets {
    direct: Vec<NimberSet>,
    forced: Vec<NimberSet>,
    protected: Vec<Option<NimberSet>>,
    carried: Vec<Option<NimberSet>>,
}

/// What the labels say about a white node.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Number(u64),
    Moon,
    Nothing,
}

fn known(value: Option<&AnyValue>) -> Known {
    match value {
        Some(
            AnyValue::CarryOn(Value::Moon(_) | Value::FullMoon)
            | AnyValue::Entailing(EntailingValue::Moon),
        ) => Known::Moon,
        Some(value) => value.nimber().map_or(Known::Nothing, Known::Number),
        None => Known::Nothing,
    }
}

impl Sets {
    /// The sets of all nodes; none if a gray node has several options, for which they are not
    /// defined.
    ///
    /// ```
    /// use nimoon::{Digraph, NimberSet, Work, impartial::sets::Sets, label};
    /// // z; g gray → z; x → z, g.
    /// let digraph = Digraph::new(3, [1], vec![(1, 0), (2, 0), (2, 1)]).unwrap();
    /// let labels = label(&digraph, None, &Work::default()).unwrap();
    /// let sets = Sets::of(&digraph, &labels, &Work::default()).unwrap().unwrap();
    /// let zero = NimberSet::only([0]);
    /// assert_eq!((sets.direct(2), sets.forced(2)), (&zero, &zero));
    /// assert_eq!(sets.protected(2), Some(&NimberSet::all_except([0])));
    /// assert_eq!(sets.carried(1), sets.protected(2));
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn of(
        digraph: &Digraph,
        labels: &dyn Labels,
        work: &Work,
    ) -> Result<Option<Self>, Interrupted> {
        /// How many sets a node has, and the bytes of an entry of one.
        const EACH: u64 = 4 * 8;
        if digraph.gray_nodes().any(|gray| digraph.options(gray).len() > 1) {
            return Ok(None);
        }
        let known: Vec<Known> =
            digraph.nodes().map(|node| known(labels.value(node).as_ref())).collect();
        let numbers = known.iter().filter_map(|known| match known {
            Known::Number(n) => Some(*n),
            _ => None,
        });
        // One more stands for all larger ones.
        let levels = numbers.max().map_or(0, |largest| largest + 1) + 1;
        work.hold((digraph.len() as u64).saturating_mul(levels).saturating_mul(EACH))?;
        let search = Search { digraph, known: &known, work };
        let mut found = [(); 3].map(|()| Collected::new(digraph.len()));
        for k in 0..levels {
            let of = [search.direct(k)?, search.forced(k)?, search.carried(k)?];
            for (collected, of) in found.iter_mut().zip(of) {
                collected.add(k, &of);
            }
        }
        let [direct, forced, carried] = found.map(|collected| collected.sets(levels));
        let white = |node: &Node| !digraph.is_gray(*node);
        let protected = digraph.nodes().map(|node| {
            let gray = digraph.options(node).iter().filter(|&option| !white(option));
            let of = gray.map(|&option| &carried[option as usize]);
            white(&node).then(|| NimberSet::union_of(of))
        });
        let protected = protected.collect();
        let carried = digraph.nodes().zip(carried);
        let carried = carried.map(|(node, set)| (!white(&node)).then_some(set)).collect();
        Ok(Some(Self { direct, forced, protected, carried }))
    }

    /// D(G) of a node.
    pub fn direct(&self, node: Node) -> &NimberSet {
        &self.direct[node as usize]
    }

    /// F(G) of a node.
    pub fn forced(&self, node: Node) -> &NimberSet {
        &self.forced[node as usize]
    }

    /// P(G) of a white node.
    pub fn protected(&self, node: Node) -> Option<&NimberSet> {
        self.protected[node as usize].as_ref()
    }

    /// The k for which Cr is true of a gray node.
    pub fn carried(&self, node: Node) -> Option<&NimberSet> {
        self.carried[node as usize].as_ref()
    }
}

/// The numbers that were found for each node.
struct Collected(Vec<Vec<u64>>);

impl Collected {
    fn new(nodes: usize) -> Self {
        Self(vec![Vec::new(); nodes])
    }

    fn add(&mut self, k: u64, nodes: &FixedBitSet) {
        for node in nodes.ones() {
            self.0[node].push(k);
        }
    }

    /// As sets; what holds for the last level holds for all larger numbers.
    fn sets(self, levels: u64) -> Vec<NimberSet> {
        let set = |numbers: Vec<u64>| {
            if numbers.last() != Some(&(levels - 1)) {
                return NimberSet::only(numbers);
            }
            NimberSet::all_except((0..levels).filter(|k| numbers.binary_search(k).is_err()))
        };
        self.0.into_iter().map(set).collect()
    }
}

struct Search<'a> {
    digraph: &'a Digraph,
    known: &'a [Known],
    work: &'a Work,
}

impl Search<'_> {
    fn is(&self, node: Node, k: u64) -> bool {
        self.known[node as usize] == Known::Number(k)
    }

    /// The nodes with k in D.
    fn direct(&self, k: u64) -> Result<FixedBitSet, Interrupted> {
        self.closed(
            |node| {
                let stuck = |option| {
                    self.digraph.is_gray(option) && self.digraph.options(option).is_empty()
                };
                self.options(node).any(|option| self.is(option, k) || stuck(option))
            },
            |between| self.digraph.is_gray(between),
            |_| true,
        )
    }

    /// The nodes with k in F.
    fn forced(&self, k: u64) -> Result<FixedBitSet, Interrupted> {
        self.closed(
            |node| {
                let gray = self.options(node).filter(|&option| self.digraph.is_gray(option));
                let mut after = gray.flat_map(|gray| self.options(gray));
                after.any(|option| self.is(option, k))
            },
            |between| self.digraph.is_gray(between),
            |_| true,
        )
    }

    /// The gray nodes of which Cr with k is true.
    fn carried(&self, k: u64) -> Result<FixedBitSet, Interrupted> {
        self.closed(
            |node| {
                let wins = |option: Node| match self.known[option as usize] {
                    Known::Moon => true,
                    Known::Number(n) if n != k => true,
                    _ => self.options(option).any(|reply| self.is(reply, k)),
                };
                self.digraph.is_gray(node) && self.options(node).all(wins)
            },
            |_| true,
            |node| self.digraph.is_gray(node),
        )
    }

    fn options(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.digraph.options(node).iter().copied()
    }

    /// The least set with the nodes at which a search begins, and with each node of this kind from
    /// which two moves lead into the set, through a node of the other kind.
    fn closed(
        &self,
        begins: impl Fn(Node) -> bool,
        through: impl Fn(Node) -> bool,
        kind: impl Fn(Node) -> bool,
    ) -> Result<FixedBitSet, Interrupted> {
        let mut pace = self.work.pace();
        let mut found = FixedBitSet::with_capacity(self.digraph.len());
        let mut open = Vec::new();
        for node in self.digraph.nodes() {
            pace.step()?;
            if begins(node) {
                found.insert(node as usize);
                open.push(node);
            }
        }
        while let Some(node) = open.pop() {
            let between = self.digraph.predecessors(node).iter();
            for &between in between.filter(|&&between| through(between)) {
                for &from in self.digraph.predecessors(between) {
                    pace.step()?;
                    if kind(from) && !found.put(from as usize) {
                        open.push(from);
                    }
                }
            }
        }
        Ok(found)
    }
}

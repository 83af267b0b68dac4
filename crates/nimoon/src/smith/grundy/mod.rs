//! Sprague–Grundy functions on digraphs with cycles: Smith's G, H and J.
//!
//! ```text
//!   b ◄── a ⇄ c      b is terminal: G(b) = 0, and G(a) = 1, G(c) = 0. H(b) = 0; H(c) = 2, since
//!                    a move from c to a is answered by a → b; and H(a) = 3.
//! ```
//!
//! # Definitions
//! Let G and H be numbers at some positions, both or neither (23a). They are a *pair* if G and H
//! are 0 at terminal positions (23b), and at a position with G = g and H = h
//! - for each y < g there is a follower with G = y and H below h (23c);
//! - no follower with H below h has G = g (23d);
//! - each other follower has itself a follower with G = g and H below h − 1 (23e).
//!
//! G is extended to as many positions as possible, and ∞ elsewhere; it is then the same for all
//! pairs, the *Sprague–Grundy function in the strict sense* (27). Of the functions H there is a
//! least one, and this is what [`GrundyPair`] has. It bounds both remoteness and G: H ≥ R (30) and
//! H ≥ G (31). J is the set of all G of followers (32); a position with G = ∞ is in N if 0 is in J,
//! and else drawn.
//!
//! In a disjunctive compound G is the nim-sum of the G of the components (33a), (36a), and the sum
//! of their H is *an* H (33b), (36b): it meets the conditions, but need not be the least. For a
//! above, H(a) = 3, and two pieces on a have H = 4 at least, not 6. As it falls from each move of
//! the winner to the next, it guides play to its end without a search
//! ([`GrundyPair::guided_move`]).
//!
//! A *Sprague–Grundy function in the wide sense* is any function that is everywhere the mex of its
//! values at the followers (16a). There may be none, as with a loop, or several, as on a cycle of
//! two ([`wide`]).
//!
//! # Cost
//! G by the levels of the cyclic theory, arcs × (largest value + 2). H in the order of its values:
//! an arc is visited once, and once more for each value that the followers of its target have.
//!
//! ## References
//! [Smith1966, §9 and §10]

mod least;
pub mod wide;

use thiserror::Error;

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::theory::{DoesNotFit, Theory, label};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// Stands for ∞.
const INFINITE: u32 = u32::MAX;

/// The strict Sprague–Grundy function of a digraph with its least H.
///
/// ```
/// use nimoon::{Digraph, Outcome, smith::grundy::GrundyPair};
/// let [a, b, c] = [0, 1, 2];
/// let digraph = Digraph::new(3, [], vec![(a, b), (a, c), (c, a)]).unwrap();
/// let pair = GrundyPair::new(&digraph).unwrap();
/// assert_eq!([a, b, c].map(|node| pair.g(node)), [Some(1), Some(0), Some(0)]);
/// assert_eq!([a, b, c].map(|node| pair.h(node)), [Some(3), Some(0), Some(2)]);
/// assert_eq!(pair.j(&digraph, a), [0]);
/// assert_eq!(pair.sum(&digraph, &[a, a]).g, Some(0));
/// assert_eq!(pair.outcome(&digraph, &[a, a]), Outcome::P);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrundyPair {
    g: Vec<u32>,
    h: Vec<u32>,
    work: u64,
}

/// G, H and J of a disjunctive compound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrundySum {
    /// The nim-sum of the G of the components, none for ∞ (36a).
    pub g: Option<u64>,
    /// The sum of the H of the components, none for ∞ (36b).
    pub h: Option<u64>,
    /// The values G of the followers, in increasing order (36c).
    pub j: Vec<u64>,
}

/// Why G and H are not defined.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrundyError {
    /// Some node is gray.
    #[error(transparent)]
    DoesNotFit(#[from] DoesNotFit),
    /// The work was interrupted.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// A condition of (23) that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    /// The node.
    pub node: Node,
    /// The letter of the condition: `a` to `e`.
    pub condition: char,
}

impl GrundyPair {
    /// Finds G and the least H.
    ///
    /// # Errors
    /// When some node is gray: the theory of such digraphs is another one.
    pub fn new(digraph: &Digraph) -> Result<Self, DoesNotFit> {
        Self::try_new(digraph, &Work::endless()).map_err(|error| match error {
            GrundyError::DoesNotFit(refuted) => refuted,
            GrundyError::Interrupted(_) => unreachable!("nothing interrupts it"),
        })
    }

    /// The same within limits.
    ///
    /// # Errors
    /// When some node is gray, or the work is interrupted.
    pub fn try_new(digraph: &Digraph, work: &Work) -> Result<Self, GrundyError> {
        let labelling = label(digraph, Some(Theory::Cyclic), work)?;
        if let Some(interrupted) = labelling.interrupted() {
            return Err(interrupted.into());
        }
        let g: Vec<u32> = digraph
            .nodes()
            .map(|node| labelling.nimber(node).map_or(INFINITE, |n| n as u32))
            .collect();
        let (h, work) = least::least(digraph, &g, work)?;
        Ok(Self { g, h, work })
    }

    /// The Sprague–Grundy function in the strict sense, none for ∞.
    pub fn g(&self, node: Node) -> Option<u32> {
        finite(self.g[node as usize])
    }

    /// The least function beside it that meets the conditions (23), none for ∞.
    pub fn h(&self, node: Node) -> Option<u32> {
        finite(self.h[node as usize])
    }

    /// The finite values G of the followers of a node, in increasing order (32).
    pub fn j(&self, digraph: &Digraph, node: Node) -> Vec<u32> {
        let mut values: Vec<u32> =
            digraph.options(node).iter().filter_map(|&to| self.g(to)).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// How many arcs were visited for H, counted with repetitions.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// G, H and J of a disjunctive compound (36).
    ///
    /// ```
    /// use nimoon::{Digraph, smith::grundy::GrundyPair};
    /// // A nim-heap of two, and a loop with an exit to one.
    /// let digraph = Digraph::new(4, [], vec![(1, 0), (2, 0), (2, 1), (3, 3), (3, 1)]).unwrap();
    /// let pair = GrundyPair::new(&digraph).unwrap();
    /// let sum = pair.sum(&digraph, &[3, 2]);
    /// assert_eq!((sum.g, sum.h, sum.j), (None, None, vec![3]));
    /// ```
    pub fn sum(&self, digraph: &Digraph, nodes: &[Node]) -> GrundySum {
        let totals = self.totals(nodes);
        let g = (totals.infinite == 0).then_some(totals.nim_sum);
        let h = (totals.infinite == 0).then_some(totals.height);
        let mut j: Vec<u64> = nodes
            .iter()
            .flat_map(|&node| digraph.options(node).iter().map(move |&to| (node, to)))
            .filter_map(|(node, to)| self.moved(totals, node, to).g())
            .collect();
        j.sort_unstable();
        j.dedup();
        GrundySum { g, h, j }
    }

    /// Who wins a disjunctive compound.
    pub fn outcome(&self, digraph: &Digraph, nodes: &[Node]) -> Outcome {
        self.outcome_of(digraph, nodes, self.totals(nodes))
    }

    /// A move in a disjunctive compound, as component and target, chosen without a search.
    ///
    /// A player who can win moves to G = 0 with the least H: as long as it is done, H falls from
    /// each such move to the next, so that play ends. In a draw the move keeps the draw, and in a
    /// loss it goes to where H is largest. None if there is no move.
    pub fn guided_move(&self, digraph: &Digraph, nodes: &[Node]) -> Option<(usize, Node)> {
        let totals = self.totals(nodes);
        let moves = || {
            nodes.iter().enumerate().flat_map(|(component, &node)| {
                digraph.options(node).iter().map(move |&to| (component, to))
            })
        };
        let after = |&(component, to): &(usize, Node)| self.moved(totals, nodes[component], to);
        match self.outcome_of(digraph, nodes, totals) {
            Outcome::N => {
                moves().filter(|m| after(m).g() == Some(0)).min_by_key(|m| after(m).height)
            }
            Outcome::P => moves().max_by_key(|m| (after(m).infinite == 0, after(m).height)),
            Outcome::D => {
                let mut left = nodes.to_vec();
                moves().find(|&(component, to)| {
                    let before = std::mem::replace(&mut left[component], to);
                    let totals = self.moved(totals, before, to);
                    let holds = self.outcome_of(digraph, &left, totals) == Outcome::D;
                    left[component] = before;
                    holds
                })
            }
        }
    }

    fn outcome_of(&self, digraph: &Digraph, nodes: &[Node], totals: Totals) -> Outcome {
        match (totals.infinite, totals.nim_sum) {
            (0, 0) => Outcome::P,
            (0, _) => Outcome::N,
            (1, nim_sum) => {
                // Only the component with G = ∞ can be moved to make G finite.
                let infinite = nodes.iter().find(|&&node| self.g(node).is_none());
                let mut options = infinite.into_iter().flat_map(|&node| digraph.options(node));
                let wins = options.any(|&to| self.g(to).map(u64::from) == Some(nim_sum));
                if wins { Outcome::N } else { Outcome::D }
            }
            _ => Outcome::D,
        }
    }

    fn totals(&self, nodes: &[Node]) -> Totals {
        nodes.iter().fold(Totals::default(), |totals, &node| self.with(totals, node, 1))
    }

    /// The totals with one component moved.
    fn moved(&self, totals: Totals, from: Node, to: Node) -> Totals {
        self.with(self.with(totals, from, -1), to, 1)
    }

    fn with(&self, mut totals: Totals, node: Node, count: i64) -> Totals {
        match (self.g(node), self.h(node)) {
            (Some(g), Some(h)) => {
                totals.nim_sum ^= u64::from(g);
                totals.height = totals.height.wrapping_add_signed(i64::from(h) * count);
            }
            _ => totals.infinite = totals.infinite.wrapping_add_signed(count),
        }
        totals
    }

    /// The first condition of (23) that a pair of functions violates.
    ///
    /// ```
    /// use nimoon::{Digraph, smith::grundy::GrundyPair};
    /// let digraph = Digraph::new(3, [], vec![(0, 1), (0, 2), (2, 0)]).unwrap();
    /// let g = |node| [Some(1), Some(0), Some(0)][node as usize];
    /// // Larger functions H than the least one may do.
    /// assert_eq!(GrundyPair::violation(&digraph, g, |node| Some([5, 0, 4][node as usize])), None);
    /// let wrong = GrundyPair::violation(&digraph, g, |node| Some([2, 0, 2][node as usize]));
    /// assert_eq!(wrong.map(|wrong| (wrong.node, wrong.condition)), Some((0, 'e')));
    /// ```
    pub fn violation(
        digraph: &Digraph,
        g: impl Fn(Node) -> Option<u64>,
        h: impl Fn(Node) -> Option<u64>,
    ) -> Option<Violation> {
        let found = |node: Node| {
            let options = digraph.options(node);
            let (value, height) = match (g(node), h(node)) {
                (Some(value), Some(height)) => (value, height),
                (None, None) if options.is_empty() => return Some('b'),
                (None, None) => return None,
                _ => return Some('a'),
            };
            if options.is_empty() {
                return (value != 0 || height != 0).then_some('b');
            }
            let below = |to: Node, most: u64| h(to).is_some_and(|h| h < most);
            let has = |target| options.iter().any(|&to| g(to) == Some(target) && below(to, height));
            if !(0..value.min(options.len() as u64 + 1)).all(has) {
                return Some('c');
            }
            if options.iter().any(|&to| below(to, height) && g(to) == Some(value)) {
                return Some('d');
            }
            let reverts =
                |back: &Node| g(*back) == Some(value) && below(*back, height.saturating_sub(1));
            let answered =
                |&to: &Node| below(to, height) || digraph.options(to).iter().any(reverts);
            (!options.iter().all(answered)).then_some('e')
        };
        digraph.nodes().find_map(|node| Some(Violation { node, condition: found(node)? }))
    }
}

/// What components add up to: those with G = ∞ are counted, the others added.
#[derive(Clone, Copy, Default)]
struct Totals {
    infinite: u64,
    nim_sum: u64,
    height: u64,
}

impl Totals {
    fn g(self) -> Option<u64> {
        (self.infinite == 0).then_some(self.nim_sum)
    }
}

fn finite(value: u32) -> Option<u32> {
    (value != INFINITE).then_some(value)
}

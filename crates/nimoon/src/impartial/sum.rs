//! Sums: several pieces on one digraph, their value and outcome.
//!
//! A player chooses a piece and moves it along an arc; a piece on a gray node must be moved at once,
//! and two of them cannot be. A player who cannot move loses.
//!
//! Where the theory has an algebra the value of the sum is the sum of the values, and its outcome is
//! that of the value: additions of small sets, however large the digraph is. In the general theory
//! there is no algebra, and who wins is found by search ([`turn`](crate::impartial::turn)).
//!
//! ## References
//! [ACLNSS, Def. 1.3, Thm 1.9, Thm 1.11, Thm 2.5], [LNS2021, Thm 20]

use thiserror::Error;

use crate::count::counted;
use crate::graph::digraph::{Digraph, Node};
use crate::impartial::labelling::{Label, Labelling};
use crate::impartial::theory::Theory;
use crate::impartial::theory::chains::{ChainMove, Chains};
use crate::impartial::value::{AnyValue, Cover, EntailingValue, Value};
use crate::outcome::Outcome;

/// Why pieces do not make a sum.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SumError {
    /// A piece on a node that is not there.
    #[error(
        "component {component} stands on node {node}, but the digraph has only {}",
        counted(*.len as u64, "node")
    )]
    NoSuchNode {
        /// The component.
        component: usize,
        /// Where it stands.
        node: Node,
        /// The number of nodes.
        len: usize,
    },
    /// The labels are those of another digraph.
    #[error("the labelling has {}, the digraph {len}", counted(*.labels as u64, "node"))]
    OtherDigraph {
        /// The number of labels.
        labels: usize,
        /// The number of nodes.
        len: usize,
    },
    /// Two pieces on gray nodes.
    #[error("components {first} and {second} both stand on gray nodes: that sum does not exist")]
    TwoGray {
        /// The first such component.
        first: usize,
        /// The second one.
        second: usize,
    },
}

/// Pieces on the nodes of a labelled digraph.
///
/// ```
/// use nimoon::{Work, Digraph, Outcome, Sum, label};
/// // 0 ← 1 and a loop 2 → 2 with the exit 2 → 1.
/// let digraph = Digraph::new(3, [], vec![(1, 0), (2, 2), (2, 1)]).unwrap();
/// let labelling = label(&digraph, None, &Work::default()).unwrap();
/// let sum = Sum::new(&digraph, &labelling, vec![1, 2]).unwrap();
/// assert_eq!(sum.value().unwrap().to_string(), "∞₀");
/// assert_eq!(sum.outcome(), Some(Outcome::N));
/// ```
#[derive(Clone, Debug)]
pub struct Sum<'a> {
    pub(crate) digraph: &'a Digraph,
    pub(crate) labelling: &'a Labelling,
    pieces: Vec<Node>,
}

impl<'a> Sum<'a> {
    /// Puts pieces on nodes.
    ///
    /// # Errors
    /// When a node is not there, two of them are gray, or the labelling has another length.
    pub fn new(
        digraph: &'a Digraph,
        labelling: &'a Labelling,
        pieces: Vec<Node>,
    ) -> Result<Self, SumError> {
        let len = digraph.len();
        if labelling.len() != len {
            return Err(SumError::OtherDigraph { labels: labelling.len(), len });
        }
        for (component, &node) in pieces.iter().enumerate() {
            if node as usize >= len {
                return Err(SumError::NoSuchNode { component, node, len });
            }
        }
        let mut gray = pieces.iter().enumerate().filter(|&(_, &node)| digraph.is_gray(node));
        if let (Some((first, _)), Some((second, _))) = (gray.next(), gray.next()) {
            return Err(SumError::TwoGray { first, second });
        }
        drop(gray);
        Ok(Self { digraph, labelling, pieces })
    }

    /// The nodes of the pieces.
    pub fn pieces(&self) -> &[Node] {
        &self.pieces
    }

    /// What the theory says about each component.
    pub fn labels(&self) -> Vec<Label> {
        self.pieces.iter().map(|&node| self.labelling.label(node)).collect()
    }

    /// The value of the sum; none with a piece on a gray node, or without an algebra.
    pub fn value(&self) -> Option<AnyValue> {
        let values = self.pieces.iter().map(|&node| self.labelling.value(node));
        values.fold(zero(self.labelling.theory()), |total, value| total?.try_add(&value?))
    }

    /// Who wins, as far as an algebra decides it.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.labelling.is_complete() {
            return self.value()?.outcome();
        }
        let algebra = Algebra::new(self.digraph, self.labelling)?;
        let piece = self.pieces.iter().position(|&node| self.digraph.is_gray(node)).unwrap_or(0);
        let Some(&node) = self.pieces.get(piece) else {
            return Some(Outcome::P);
        };
        let rest = self.pieces.iter().enumerate().filter(|&(i, _)| i != piece);
        let rest = algebra.total(rest.map(|(_, &node)| node));
        Some(algebra.outcome(&rest, node))
    }
}

/// The value of no pieces; none where no algebra is known.
fn zero(theory: Theory) -> Option<AnyValue> {
    match theory {
        Theory::Short | Theory::Cyclic | Theory::CarryOn => Some(AnyValue::CarryOn(Value::ZERO)),
        Theory::Entailing => Some(AnyValue::Entailing(EntailingValue::Nimber(0))),
        Theory::General => None,
    }
}

/// Outcomes of sums by adding values.
pub(crate) struct Algebra<'a> {
    digraph: &'a Digraph,
    labelling: &'a Labelling,
    chains: Option<Chains>,
    zero: AnyValue,
}

impl<'a> Algebra<'a> {
    /// None where no algebra is known, or not all values are.
    pub(crate) fn new(digraph: &'a Digraph, labelling: &'a Labelling) -> Option<Self> {
        if !labelling.is_complete() {
            return None;
        }
        let zero = zero(labelling.theory())?;
        let chains = matches!(zero, AnyValue::CarryOn(_)).then(|| Chains::new(digraph));
        Some(Self { digraph, labelling, chains, zero })
    }

    /// The value of white pieces.
    pub(crate) fn total(&self, pieces: impl Iterator<Item = Node>) -> AnyValue {
        pieces.fold(self.zero.clone(), |total, node| self.with(&total, node))
    }

    /// The sum of a value and that of a white node, both of this theory.
    fn with(&self, total: &AnyValue, node: Node) -> AnyValue {
        let value = self.labelling.value(node);
        let sum = value.and_then(|value| total.try_add(&value));
        sum.unwrap_or_else(|| unreachable!("node {node} is white and labelled"))
    }

    /// For each component, the value of all the others; the gray ones among `pieces` count
    /// nothing.
    pub(crate) fn totals_without_each(&self, pieces: &[Node]) -> Vec<AnyValue> {
        let with = |total: &AnyValue, node: Node| {
            if self.digraph.is_gray(node) { total.clone() } else { self.with(total, node) }
        };
        let mut after = vec![self.zero.clone()];
        for &node in pieces.iter().skip(1).rev() {
            let last = after.last().unwrap_or(&self.zero);
            after.push(with(last, node));
        }
        let mut before = self.zero.clone();
        let mut totals = Vec::with_capacity(pieces.len());
        for (&node, after) in pieces.iter().zip(after.into_iter().rev()) {
            totals.extend(before.try_add(&after));
            before = with(&before, node);
        }
        totals
    }

    /// Who wins with a piece on any node beside white pieces of this total.
    pub(crate) fn outcome(&self, rest: &AnyValue, node: Node) -> Outcome {
        if !self.digraph.is_gray(node) {
            return self.with(rest, node).outcome().unwrap_or(Outcome::D);
        }
        match (rest, &self.chains) {
            (AnyValue::Entailing(rest), _) => {
                let Some(Cover::Heaps(covered)) = self.labelling.cover(node) else {
                    unreachable!("gray nodes of the entailing theory cover heaps")
                };
                let loses = match rest {
                    EntailingValue::Nimber(n) => covered.contains(*n),
                    EntailingValue::Moon => covered.is_cofinite(),
                };
                if loses { Outcome::P } else { Outcome::N }
            }
            (AnyValue::CarryOn(_), Some(chains)) => match chains.onto(node) {
                // Here the player is the one who did not move onto the gray node.
                ChainMove::Ordinary(to) => self.outcome(rest, to),
                ChainMove::Again(to) => match self.outcome(rest, to) {
                    Outcome::N => Outcome::P,
                    Outcome::P => Outcome::N,
                    Outcome::D => Outcome::D,
                },
                ChainMove::Wins => Outcome::P,
                ChainMove::Loses => Outcome::N,
                ChainMove::Endless => Outcome::D,
            },
            _ => unreachable!("the carry-on theory has its chains, the general one no algebra"),
        }
    }
}

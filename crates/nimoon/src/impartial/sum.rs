//! Sums: several pieces on one digraph, their value and outcome.
//!
//! A player chooses a piece and moves it along an arc; a piece on a gray node must be moved at once,
//! and two of them cannot be. A player who cannot move loses.
//!
//! The value of the sum is the sum of the values, and its outcome is that of the value: additions of
//! small sets, or in the general theory of terms, however large the digraph is. With a piece on a
//! gray node the gray nodes that it can pass are searched, and each white node where it can end is
//! judged by its value and those of the others.
//!
//! ## References
//! [ACLNSS, Def. 1.3, Thm 1.9, Thm 1.11, Thm 2.5], [LNS2021, Thm 20]

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::count::counted;
use crate::graph::digraph::{Digraph, Node};
use crate::impartial::labelling::{Label, Labelling};
use crate::impartial::theory::Theory;
use crate::impartial::theory::chains::{ChainMove, Chains};
use crate::impartial::value::{AnyValue, Cover, EntailingValue, Value};
use crate::limits::{Interrupted, Work};
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

    /// The value of the sum; none with a piece on a gray node, where the value of a piece is not
    /// known, or where adding takes more than the [usual limits](crate::Limits::DEFAULT).
    pub fn value(&self) -> Option<AnyValue> {
        self.value_within(&Work::default()).ok().flatten()
    }

    /// The value of the sum; none with a piece on a gray node, or where the value of a piece is not
    /// known.
    ///
    /// # Errors
    /// When a limit is hit, which only values of the general theory can do.
    pub fn value_within(&self, work: &Work) -> Result<Option<AnyValue>, Interrupted> {
        let values: Option<Vec<AnyValue>> =
            self.pieces.iter().map(|&node| self.labelling.value(node)).collect();
        let Some(mut values) = values else { return Ok(None) };
        values.push(zero(self.labelling.theory()));
        AnyValue::sum(&values, &mut work.child(work.limits()))
    }

    /// Who wins, as far as values decide it within the [usual limits](crate::Limits::DEFAULT).
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_within(&Work::default()).ok().flatten()
    }

    /// Who wins, as far as values decide it.
    ///
    /// # Errors
    /// When a limit is hit, which only values of the general theory can do.
    pub fn outcome_within(&self, work: &Work) -> Result<Option<Outcome>, Interrupted> {
        let gray = self.pieces.iter().position(|&node| self.digraph.is_gray(node));
        let Some(algebra) = Algebra::new(self.digraph, self.labelling, work) else {
            return Ok(self.value_within(work)?.and_then(|value| value.outcome()));
        };
        let Some(piece) = gray else {
            return Ok(self.value_within(work)?.and_then(|value| value.outcome()));
        };
        let rest = self.pieces.iter().enumerate().filter(|&(i, _)| i != piece);
        let rest = algebra.total(rest.map(|(_, &node)| node));
        let outcome = algebra.outcome(&rest, self.pieces[piece]);
        algebra.interrupted().map_or(Ok(Some(outcome)), Err)
    }
}

/// The value of no pieces.
fn zero(theory: Theory) -> AnyValue {
    match theory {
        Theory::Short | Theory::Cyclic | Theory::CarryOn | Theory::General => {
            AnyValue::CarryOn(Value::ZERO)
        }
        Theory::Entailing => AnyValue::Entailing(EntailingValue::Nimber(0)),
    }
}

/// Outcomes of sums by adding values.
pub(crate) struct Algebra<'a> {
    digraph: &'a Digraph,
    labelling: &'a Labelling,
    chains: Option<Chains>,
    zero: AnyValue,
    control: Option<ControlSums>,
}

/// Sums of values of the general theory that were computed, and the outcomes on gray nodes beside
/// some values.
struct ControlSums {
    work: RefCell<Work>,
    sums: RefCell<FxHashMap<(AnyValue, AnyValue), AnyValue>>,
    gray: RefCell<FxHashMap<(AnyValue, Node), Outcome>>,
    interrupted: Cell<Option<Interrupted>>,
}

impl<'a> Algebra<'a> {
    /// None where not all values are known.
    pub(crate) fn new(digraph: &'a Digraph, labelling: &'a Labelling, work: &Work) -> Option<Self> {
        if !labelling.is_complete() {
            return None;
        }
        let general = labelling.theory() == Theory::General;
        let zero = zero(labelling.theory());
        let chains =
            (matches!(zero, AnyValue::CarryOn(_)) && !general).then(|| Chains::new(digraph));
        let control = general.then(|| ControlSums {
            work: RefCell::new(work.child(work.limits())),
            sums: RefCell::default(),
            gray: RefCell::default(),
            interrupted: Cell::new(None),
        });
        Some(Self { digraph, labelling, chains, zero, control })
    }

    /// What kept a sum from being computed; outcomes since then may be wrong.
    pub(crate) fn interrupted(&self) -> Option<Interrupted> {
        self.control.as_ref()?.interrupted.get()
    }

    /// The value of white pieces.
    pub(crate) fn total(&self, pieces: impl Iterator<Item = Node>) -> AnyValue {
        pieces.fold(self.zero.clone(), |total, node| self.with(&total, node))
    }

    /// The sum of a value and that of a white node, both of this theory.
    fn with(&self, total: &AnyValue, node: Node) -> AnyValue {
        match self.labelling.value(node) {
            Some(value) => self.add(total, &value),
            None => unreachable!("node {node} is white and labelled"),
        }
    }

    /// The sum of two values of this theory; the first of them when a limit is hit.
    pub(crate) fn add(&self, one: &AnyValue, other: &AnyValue) -> AnyValue {
        if let Some(sum) = one.try_add(other) {
            return sum;
        }
        let Some(control) = &self.control else {
            unreachable!("values of this theory add");
        };
        let key = if one <= other { (one, other) } else { (other, one) };
        let key = (key.0.clone(), key.1.clone());
        if let Some(known) = control.sums.borrow().get(&key) {
            return known.clone();
        }
        match AnyValue::sum([one, other], &mut control.work.borrow_mut()) {
            Ok(Some(sum)) => {
                control.sums.borrow_mut().insert(key, sum.clone());
                sum
            }
            Ok(None) => unreachable!("values of this theory add"),
            Err(interrupted) => {
                control.interrupted.set(Some(interrupted));
                one.clone()
            }
        }
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
            totals.push(self.add(&before, &after));
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
            _ if self.control.is_some() => self.outcome_on_gray(rest, node),
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
            _ => unreachable!("the carry-on theory has its chains"),
        }
    }

    /// Who wins in the general theory with a piece on a gray node: by the outcomes on all gray nodes
    /// that it can pass.
    fn outcome_on_gray(&self, rest: &AnyValue, node: Node) -> Outcome {
        let known = |node: Node| {
            let control = self.control.as_ref()?;
            control.gray.borrow().get(&(rest.clone(), node)).copied()
        };
        if let Some(outcome) = known(node) {
            return outcome;
        }
        let duel = Duel::of(self.digraph, node, |white| self.outcome(rest, white));
        if let Some(control) = &self.control {
            let mut gray = control.gray.borrow_mut();
            gray.extend(duel.outcomes().map(|(node, outcome)| ((rest.clone(), node), outcome)));
        }
        known(node).unwrap_or(Outcome::D)
    }
}

/// The gray nodes that a piece can pass, with who wins on each of them.
pub(crate) struct Duel {
    ranks: FxHashMap<Node, Option<u32>>,
}

impl Duel {
    /// From a gray node on, where the outcomes on white nodes are known.
    pub(crate) fn of(digraph: &Digraph, start: Node, white: impl Fn(Node) -> Outcome) -> Self {
        let mut gray = vec![start];
        let mut ranks: FxHashMap<Node, Option<u32>> = FxHashMap::from_iter([(start, None)]);
        let mut before: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        // How many options are not known to be won, and the largest rank of those that are.
        let mut left: FxHashMap<Node, (usize, u32)> = FxHashMap::default();
        let mut decided: Vec<(Node, u32)> = Vec::new();
        let mut next = 0;
        while let Some(&node) = gray.get(next) {
            next += 1;
            let options = digraph.options(node);
            let mut open = options.len();
            let mut wins = false;
            for &option in options {
                if digraph.is_gray(option) {
                    before.entry(option).or_default().push(node);
                    ranks.entry(option).or_insert_with(|| {
                        gray.push(option);
                        None
                    });
                    continue;
                }
                match white(option) {
                    Outcome::P => wins = true,
                    Outcome::N => open -= 1,
                    Outcome::D => {}
                }
            }
            left.insert(node, (open, 1));
            if wins {
                decided.push((node, 1));
            } else if open == 0 {
                decided.push((node, if options.is_empty() { 0 } else { 2 }));
            }
        }
        for &(node, rank) in &decided {
            ranks.insert(node, Some(rank));
        }
        let mut next = 0;
        while let Some(&(node, rank)) = decided.get(next) {
            next += 1;
            for &from in before.get(&node).map_or(&[][..], Vec::as_slice) {
                if ranks[&from].is_some() {
                    continue;
                }
                let mut after = rank;
                if rank % 2 == 1 {
                    let (open, worst) = left.entry(from).or_default();
                    *open -= 1;
                    *worst = rank.max(*worst);
                    if *open > 0 {
                        continue;
                    }
                    after = *worst;
                }
                ranks.insert(from, Some(after + 1));
                decided.push((from, after + 1));
            }
        }
        Self { ranks }
    }

    /// An even number where the player to move loses, an odd one where they win; it falls along the
    /// moves of a win. None where nobody wins.
    pub(crate) fn rank(&self, node: Node) -> Option<u32> {
        self.ranks.get(&node).copied().flatten()
    }

    fn outcomes(&self) -> impl Iterator<Item = (Node, Outcome)> + '_ {
        self.ranks.iter().map(|(&node, rank)| {
            let outcome = match rank {
                Some(rank) if rank % 2 == 0 => Outcome::P,
                Some(_) => Outcome::N,
                None => Outcome::D,
            };
            (node, outcome)
        })
    }
}

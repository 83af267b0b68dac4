//! The theories of impartial digraph games, and which of them fits a digraph.
//!
//! | theory | cycles | gray nodes | values |
//! |---|---|---|---|
//! | [`short`] | no | none | nimbers |
//! | [`cyclic`] | yes | none | nimbers, `∞_D` |
//! | [`entailing`] | no | any | nimbers, ☾ |
//! | [`carry_on`] | yes | at most one option each | nimbers, ○, `☾_F`, ninnies, `∞_D` |
//! | [`general`] | yes | any | outcomes beside every nim-heap |
//!
//! A digraph fits a theory as well when it has fewer of these features. [`smallest`] finds the first in this
//! order that fits; [`label`](crate::label()) uses it unless another one is asked for, and refuses one that does not fit,
//! with a node or a cycle that shows it.
//!
//! All of them ask the same of a node x: for which k does the player to move win x beside the nim-heap
//! *k, and by which kind of move? Where there is an algebra, the answers make up a value that is all that any
//! sum can see of x.

pub mod carry_on;
pub mod chains;
pub mod cyclic;
pub mod entailing;
pub mod general;
mod levels;
mod sets;
pub mod short;

use std::cell::OnceCell;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::budget::Budget;
use crate::cut::Cut;
use crate::digraph::{Digraph, Node};
use crate::labelling::Labelling;
use crate::theory::short::Heights;

/// A theory of impartial digraph games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theory {
    /// Sprague–Grundy: no cycles, no gray nodes.
    Short,
    /// Smith, Fraenkel and Perl: cycles, no gray nodes.
    Cyclic,
    /// Larsson, Nowakowski and Santos: gray nodes, no cycles.
    Entailing,
    /// Abuku and others: cycles, and gray nodes with at most one option.
    CarryOn,
    /// Cycles and gray nodes with any number of options: exact, but without an algebra.
    General,
}

impl Theory {
    /// All theories, the smaller ones first.
    pub const ALL: [Self; 5] =
        [Self::Short, Self::Cyclic, Self::Entailing, Self::CarryOn, Self::General];

    /// The name used on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Cyclic => "cyclic",
            Self::Entailing => "entailing",
            Self::CarryOn => "carry-on",
            Self::General => "general",
        }
    }
}

impl fmt::Display for Theory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no theory.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a theory: expected short, cyclic, entailing, carry-on or general")]
pub struct UnknownTheory(String);

impl FromStr for Theory {
    type Err = UnknownTheory;

    fn from_str(name: &str) -> Result<Self, UnknownTheory> {
        let found = Self::ALL.into_iter().find(|theory| theory.name() == name);
        found.ok_or_else(|| UnknownTheory(name.to_owned()))
    }
}

/// Why a digraph does not fit a theory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// A gray node, where the theory knows none.
    GrayNode(Node),
    /// A cycle, where the theory knows none: each node leads to the next, the last to the first.
    Cycle(Vec<Node>),
    /// A gray node with two or more options, where the theory allows one.
    ManyOptions(Node),
}

/// A digraph does not fit the theory asked for.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the digraph does not fit the {theory} theory")]
pub struct DoesNotFit {
    /// The theory asked for.
    pub theory: Theory,
    /// What refutes it.
    pub refutation: Refutation,
    /// The smallest theory that fits.
    pub fitting: Theory,
}

/// What of a digraph decides which theories fit.
struct Features<'a> {
    digraph: &'a Digraph,
    cut: Cut,
    /// Without gray nodes: what the short theory says, if there is no cycle; found when first needed.
    heights: OnceCell<Option<Heights>>,
    /// The nodes with options before them, or a cycle; found when first needed.
    postorder: OnceCell<Result<Vec<Node>, Vec<Node>>>,
    gray: Option<Node>,
    many_options: Option<Node>,
}

impl<'a> Features<'a> {
    fn of(digraph: &'a Digraph, cut: Cut) -> Self {
        let gray = digraph.gray_nodes().next();
        let many_options = digraph.gray_nodes().find(|&g| digraph.options(g).len() > 1);
        let (heights, postorder) = (OnceCell::new(), OnceCell::new());
        Self { digraph, cut, heights, postorder, gray, many_options }
    }

    fn postorder(&self) -> &Result<Vec<Node>, Vec<Node>> {
        self.postorder.get_or_init(|| postorder(self.digraph))
    }

    fn is_acyclic(&self) -> bool {
        /// A digraph with cycles mostly shows one of them soon, before anything large is laid out.
        const SOON: usize = 1 << 16;
        if self.gray.is_some() {
            return self.postorder().is_ok();
        }
        let heights = self.heights.get_or_init(|| {
            let is_large = self.digraph.len() > SOON;
            match is_large.then(|| postorder_within(self.digraph, SOON)).flatten() {
                Some(Err(_)) => None,
                _ => Heights::new(self.digraph, self.cut),
            }
        });
        heights.is_some()
    }

    fn smallest(&self) -> Theory {
        match (self.is_acyclic(), self.gray, self.many_options) {
            (true, None, _) => Theory::Short,
            (false, None, _) => Theory::Cyclic,
            (true, Some(_), _) => Theory::Entailing,
            (false, Some(_), None) => Theory::CarryOn,
            (false, Some(_), Some(_)) => Theory::General,
        }
    }

    fn refute(&self, theory: Theory) -> Option<Refutation> {
        let cycle = || {
            let cycle = if self.is_acyclic() { None } else { self.postorder().as_ref().err() };
            cycle.cloned().map(Refutation::Cycle)
        };
        let gray = || self.gray.map(Refutation::GrayNode);
        match theory {
            Theory::Short => gray().or_else(cycle),
            Theory::Cyclic => gray(),
            Theory::Entailing => cycle(),
            Theory::CarryOn => self.many_options.map(Refutation::ManyOptions),
            Theory::General => None,
        }
    }

    /// What the short theory needs, where it is not refuted.
    fn into_heights(self) -> Heights {
        let heights = self.heights.into_inner();
        let heights = heights.unwrap_or_else(|| Heights::new(self.digraph, self.cut));
        heights.unwrap_or_else(|| unreachable!("a cycle refutes the acyclic theories"))
    }

    /// The order with options first, which the entailing theory needs.
    fn into_postorder(self) -> Vec<Node> {
        let postorder = self.postorder.into_inner().unwrap_or_else(|| postorder(self.digraph));
        postorder.unwrap_or_else(|_| unreachable!("a cycle refutes the acyclic theories"))
    }
}

/// The smallest theory that fits a digraph.
///
/// ```
/// use nimoon::{Digraph, Theory, theory};
/// let a_loop = Digraph::new(1, [], vec![(0, 0)]).unwrap();
/// assert_eq!(theory::smallest(&a_loop), Theory::Cyclic);
/// ```
pub fn smallest(digraph: &Digraph) -> Theory {
    Features::of(digraph, Cut::of(digraph.len(), digraph.arc_count())).smallest()
}

/// Labels every node of a digraph under a theory, or under the smallest that fits.
///
/// The budget limits the general theory alone, the others take time proportional to the number
/// of arcs times the number of different nimbers; a labelling cut short by it says so.
///
/// ```
/// use nimoon::{Budget, Digraph, Value, AnyValue, label};
/// // Smith's trap: 0 → 1, 1 → 0, 1 → 2. The piece on 1 wins by moving to 2, so 0 loses.
/// let trap = Digraph::new(3, [], vec![(0, 1), (1, 0), (1, 2)]).unwrap();
/// let labelling = label(&trap, None, Budget::DEFAULT).unwrap();
/// let value = |node| labelling.value(node).unwrap().to_string();
/// assert_eq!([value(0), value(1), value(2)], ["0", "1", "0"]);
/// ```
///
/// Threads of the rayon pool in which this is called share the work on large digraphs. The answer does
/// not depend on their number.
///
/// # Errors
/// When the theory asked for does not fit, with the node or cycle that refutes it.
pub fn label(
    digraph: &Digraph,
    theory: Option<Theory>,
    budget: Budget,
) -> Result<Labelling, DoesNotFit> {
    label_watched(digraph, theory, budget, &mut |_| {})
}

/// How far a labelling under the cyclic or the carry-on theory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelProgress {
    /// The level that is being settled: whether nodes have this nimber as value. How many levels
    /// there will be is not known before the last.
    pub level: u32,
    /// The number of nodes with a nimber so far.
    pub assigned: usize,
    /// How many arcs were looked at in this level.
    pub looked_at: u64,
    /// How many these can be at most: a node tells its predecessors once in a level.
    pub most: u64,
}

/// As [`label`], telling how far it is now and then.
///
/// # Errors
/// As [`label`].
pub fn label_watched(
    digraph: &Digraph,
    theory: Option<Theory>,
    budget: Budget,
    watch: &mut dyn FnMut(LabelProgress),
) -> Result<Labelling, DoesNotFit> {
    label_by(digraph, theory, budget, watch, Cut::of(digraph.len(), digraph.arc_count()))
}

/// Labels by pieces of a given size.
fn label_by(
    digraph: &Digraph,
    theory: Option<Theory>,
    budget: Budget,
    watch: &mut dyn FnMut(LabelProgress),
    cut: Cut,
) -> Result<Labelling, DoesNotFit> {
    let features = Features::of(digraph, cut);
    let chosen = theory.unwrap_or_else(|| features.smallest());
    if let Some(refutation) = features.refute(chosen) {
        return Err(DoesNotFit { theory: chosen, refutation, fitting: features.smallest() });
    }
    Ok(match chosen {
        Theory::Short => short::label(digraph, &features.into_heights(), cut),
        Theory::Entailing => entailing::label(digraph, features.into_postorder()),
        Theory::Cyclic => cyclic::label(digraph, cut, watch),
        Theory::CarryOn => carry_on::label(digraph, cut, watch),
        Theory::General => general::label(digraph, budget),
    })
}

/// The nodes in an order with the options of each before it, or the nodes of a cycle.
fn postorder(digraph: &Digraph) -> Result<Vec<Node>, Vec<Node>> {
    let found = postorder_within(digraph, digraph.len());
    found.unwrap_or_else(|| unreachable!("there are no more nodes than that"))
}

/// The same, unless it takes more than `most` nodes to tell.
fn postorder_within(digraph: &Digraph, most: usize) -> Option<Result<Vec<Node>, Vec<Node>>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let mut visits = vec![Visit::New; digraph.len()];
    let mut order = Vec::new();
    let mut path: Vec<(Node, u32)> = Vec::new();
    for root in digraph.nodes() {
        if visits[root as usize] != Visit::New {
            continue;
        }
        if order.len() >= most {
            return None;
        }
        visits[root as usize] = Visit::Open;
        path.push((root, 0));
        while let Some((node, next)) = path.last_mut() {
            let Some(&option) = digraph.options(*node).get(*next as usize) else {
                visits[*node as usize] = Visit::Done;
                order.push(*node);
                path.pop();
                continue;
            };
            *next += 1;
            match visits[option as usize] {
                Visit::New => {
                    if order.len() + path.len() >= most {
                        return None;
                    }
                    visits[option as usize] = Visit::Open;
                    path.push((option, 0));
                }
                Visit::Open => {
                    let start = path.iter().position(|&(node, _)| node == option).unwrap_or(0);
                    return Some(Err(path[start..].iter().map(|&(node, _)| node).collect()));
                }
                Visit::Done => {}
            }
        }
    }
    Some(Ok(order))
}

#[cfg(test)]
mod tests;

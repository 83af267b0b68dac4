//! The theories of impartial digraph games, and which of them fits a digraph.
//!
//! | theory | cycles | gray nodes | values |
//! |---|---|---|---|
//! | [`short`] | no | none | nimbers |
//! | [`cyclic`] | yes | none | nimbers, `∞_D` |
//! | [`entailing`] | no | any | nimbers, ☾ |
//! | [`carry_on`] | yes | at most one option each | nimbers, ○, `☾_F`, ninnies, `∞_D` |
//! | [`general`] | yes | any | nimbers, and elements of a [free lattice](crate::impartial::control) |
//!
//! A digraph fits a theory as well when it has fewer of these features. [`smallest`] finds the first in this
//! order that fits; [`label`](crate::label()) uses it unless another one is requested, and refuses one that does not fit,
//! with a node or a cycle that shows it.
//!
//! All of them answer the same question about a node x: for which k does the player to move win x beside the nim-heap
//! *k, and by which kind of move? Where there is an algebra, the answers make up a value that is all that any
//! sum can see of x.

pub mod carry_on;
pub mod chains;
pub mod cyclic;
pub mod entailing;
pub mod general;
pub mod levels;
mod sets;
pub mod short;

use std::cell::OnceCell;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::graph::digraph::{Digraph, Node};
use crate::graph::partition::Cut;
use crate::impartial::labelling::{Labelling, LabellingBuilder};
use crate::impartial::theory::short::Heights;
use crate::limits::{Interrupted, Work};

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
    /// Cycles, and gray nodes with any number of options: the algebra of control.
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

/// A digraph does not fit the requested theory.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the digraph does not fit the {theory} theory")]
pub struct DoesNotFit {
    /// The requested theory.
    pub theory: Theory,
    /// What refutes it.
    pub refutation: Refutation,
    /// The smallest theory that fits.
    pub fitting: Theory,
}

/// Why the nodes have no order with options first.
enum NoPostorder {
    /// The nodes of a cycle.
    Cycle(Vec<Node>),
    /// There may be such an order, but it was not found.
    Interrupted(Interrupted),
}

/// What of a digraph decides which theories fit. What was not found, since the work was interrupted, is
/// taken to fit; [`Features::interrupted`] shows that.
struct Features<'a> {
    digraph: &'a Digraph,
    cut: Cut,
    work: &'a Work,
    /// Without gray nodes: what the short theory says, if there is no cycle; found when first needed.
    heights: OnceCell<Option<Heights>>,
    /// The nodes with options before them, or a cycle; found when first needed.
    postorder: OnceCell<Result<Vec<Node>, NoPostorder>>,
    gray: Option<Node>,
    many_options: Option<Node>,
}

impl<'a> Features<'a> {
    fn of(digraph: &'a Digraph, cut: Cut, work: &'a Work) -> Self {
        let gray = digraph.gray_nodes().next();
        let many_options = digraph.gray_nodes().find(|&g| digraph.options(g).len() > 1);
        let (heights, postorder) = (OnceCell::new(), OnceCell::new());
        Self { digraph, cut, work, heights, postorder, gray, many_options }
    }

    fn postorder(&self) -> &Result<Vec<Node>, NoPostorder> {
        self.postorder.get_or_init(|| postorder(self.digraph, self.work))
    }

    /// What kept it from being known whether there is a cycle.
    fn interrupted(&self) -> Option<Interrupted> {
        let heights = self.heights.get().and_then(Option::as_ref).and_then(Heights::interrupted);
        let postorder = match self.postorder.get() {
            Some(Err(NoPostorder::Interrupted(interrupted))) => Some(*interrupted),
            _ => None,
        };
        heights.or(postorder)
    }

    fn is_acyclic(&self) -> bool {
        /// A digraph with cycles mostly shows one of them soon, before anything large is laid out.
        const SOON: usize = 1 << 16;
        if self.gray.is_some() {
            return !matches!(self.postorder(), Err(NoPostorder::Cycle(_)));
        }
        let heights = self.heights.get_or_init(|| {
            let is_large = self.digraph.len() > SOON;
            match is_large.then(|| postorder_within(self.digraph, SOON, self.work)).flatten() {
                Some(Err(NoPostorder::Cycle(_))) => None,
                _ => Heights::new(self.digraph, self.cut, self.work),
            }
        });
        heights.is_some()
    }

    fn smallest(&self) -> Theory {
        fitting(self.is_acyclic(), self.gray.is_some(), self.many_options.is_some())
    }

    fn refute(&self, theory: Theory) -> Option<Refutation> {
        let cycle = || match if self.is_acyclic() { None } else { self.postorder().as_ref().err() }
        {
            Some(NoPostorder::Cycle(cycle)) => Some(Refutation::Cycle(cycle.clone())),
            _ => None,
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
        let Self { digraph, cut, work, heights, .. } = self;
        let heights = heights.into_inner();
        let heights = heights.unwrap_or_else(|| Heights::new(digraph, cut, work));
        heights.unwrap_or_else(|| unreachable!("a cycle refutes the acyclic theories"))
    }

    /// The order with options first, which the entailing theory needs.
    fn into_postorder(self) -> Result<Vec<Node>, Interrupted> {
        let Self { digraph, work, postorder, .. } = self;
        let found = postorder.into_inner();
        match found.unwrap_or_else(|| self::postorder(digraph, work)) {
            Ok(postorder) => Ok(postorder),
            Err(NoPostorder::Interrupted(interrupted)) => Err(interrupted),
            Err(NoPostorder::Cycle(_)) => unreachable!("a cycle refutes the acyclic theories"),
        }
    }
}

/// The smallest theory that fits, by whether there are no cycles, and whether there are gray nodes, and
/// gray nodes with two or more options.
///
/// ```
/// use nimoon::{Theory, impartial::theory::fitting};
/// assert_eq!(fitting(false, true, false), Theory::CarryOn);
/// ```
pub fn fitting(is_acyclic: bool, has_gray: bool, has_many_options: bool) -> Theory {
    match (is_acyclic, has_gray, has_many_options) {
        (true, false, _) => Theory::Short,
        (false, false, _) => Theory::Cyclic,
        (true, true, _) => Theory::Entailing,
        (false, true, false) => Theory::CarryOn,
        (false, true, true) => Theory::General,
    }
}

/// The smallest theory that fits a digraph.
///
/// ```
/// use nimoon::{Digraph, Theory, impartial::theory};
/// let a_loop = Digraph::new(1, [], vec![(0, 0)]).unwrap();
/// assert_eq!(theory::smallest(&a_loop), Theory::Cyclic);
/// ```
pub fn smallest(digraph: &Digraph) -> Theory {
    let cut = Cut::of(digraph.len(), digraph.arc_count());
    Features::of(digraph, cut, &Work::endless()).smallest()
}

/// Labels every node of a digraph under a theory, or under the smallest that fits.
///
/// The nodes count as positions of the budget ([`Work::admit_listed`]), and in the general theory the sets of
/// results of duels do; otherwise the time is proportional to the number of arcs times the number of different
/// nimbers. A labelling cut short by any limit, or by a
/// token, has all labels that were found, and says so ([`Labelling::interrupted`]).
///
/// ```
/// use nimoon::{Work, Digraph, Value, AnyValue, label};
/// // Smith's trap: 0 → 1, 1 → 0, 1 → 2. The piece on 1 wins by moving to 2, so 0 loses.
/// let trap = Digraph::new(3, [], vec![(0, 1), (1, 0), (1, 2)]).unwrap();
/// let labelling = label(&trap, None, &Work::default()).unwrap();
/// let value = |node| labelling.value(node).unwrap().to_string();
/// assert_eq!([value(0), value(1), value(2)], ["0", "1", "0"]);
/// ```
///
/// Threads of the rayon pool in which this is called share the work on large digraphs. The answer does
/// not depend on their number.
///
/// # Errors
/// When the requested theory does not fit, with the node or cycle that refutes it.
pub fn label(
    digraph: &Digraph,
    theory: Option<Theory>,
    work: &Work,
) -> Result<Labelling, DoesNotFit> {
    let admitted = work.admit_listed(digraph.len() as u64);
    let cut = Cut::of(digraph.len(), digraph.arc_count());
    label_by(digraph, theory, admitted, work, cut)
}

/// As [`label`], for sums of the nodes: the positions of the budget are then those of the search, and the
/// nodes do not count, since where there is an algebra a sum has its value without any search.
///
/// # Errors
/// As [`label`].
pub fn label_for_sums(
    digraph: &Digraph,
    theory: Option<Theory>,
    work: &Work,
) -> Result<Labelling, DoesNotFit> {
    let cut = Cut::of(digraph.len(), digraph.arc_count());
    label_by(digraph, theory, Ok(()), work, cut)
}

/// Labels by pieces of a given size.
pub(crate) fn label_by(
    digraph: &Digraph,
    theory: Option<Theory>,
    admitted: Result<(), Interrupted>,
    work: &Work,
    cut: Cut,
) -> Result<Labelling, DoesNotFit> {
    let unknown = |theory, interrupted| {
        LabellingBuilder::unknown(digraph).finish_interrupted(theory, Vec::new(), 0, interrupted)
    };
    if let Err(interrupted) = work.hold(bytes(digraph, theory)) {
        return Ok(unknown(theory.unwrap_or(Theory::General), interrupted));
    }
    let features = Features::of(digraph, cut, work);
    let chosen = theory.unwrap_or_else(|| features.smallest());
    if let Some(refutation) = features.refute(chosen) {
        return Err(DoesNotFit { theory: chosen, refutation, fitting: features.smallest() });
    }
    if let Some(interrupted) = admitted.err() {
        return Ok(unknown(chosen, interrupted));
    }
    // It is not known whether there is a cycle: where no acyclic theory was requested, one is named
    // that fits in any case.
    let undecided = theory.is_none().then(|| features.interrupted()).flatten();
    Ok(match (chosen, undecided) {
        (Theory::Short, Some(interrupted)) => {
            short::as_far_as_known(digraph, &features.into_heights(), Theory::Cyclic, interrupted)
        }
        (_, Some(interrupted)) => unknown(Theory::General, interrupted),
        (Theory::Short, None) => short::label(digraph, &features.into_heights(), cut),
        (Theory::Entailing, None) => match features.into_postorder() {
            Ok(postorder) => entailing::label(digraph, postorder, work),
            Err(interrupted) => unknown(Theory::Entailing, interrupted),
        },
        (Theory::Cyclic, None) => cyclic::label(digraph, cut, work),
        (Theory::CarryOn, None) => carry_on::label(digraph, cut, work),
        (Theory::General, None) => general::label(digraph, work),
    })
}

/// What a labelling holds beside the digraph, reckoned from the lists that it makes.
fn bytes(digraph: &Digraph, theory: Option<Theory>) -> u64 {
    /// Moves are collapsed into two lists of their own.
    const COLLAPSED: [u64; 2] = [64, 24];
    let [of_node, of_arc] = match theory {
        Some(Theory::Short) => [24, 0],
        Some(Theory::Entailing) => [40, 0],
        Some(Theory::Cyclic | Theory::General) => [40, 8],
        Some(Theory::CarryOn) => COLLAPSED,
        None => {
            if digraph.gray_nodes().next().is_none() {
                [40, 8]
            } else {
                COLLAPSED
            }
        }
    };
    of_node * digraph.len() as u64 + of_arc * digraph.arc_count() as u64
}

/// The nodes in an order with the options of each before it, or the nodes of a cycle.
fn postorder(digraph: &Digraph, work: &Work) -> Result<Vec<Node>, NoPostorder> {
    let found = postorder_within(digraph, digraph.len(), work);
    found.unwrap_or_else(|| unreachable!("there are no more nodes than that"))
}

/// The same, unless it takes more than `most` nodes to decide.
fn postorder_within(
    digraph: &Digraph,
    most: usize,
    work: &Work,
) -> Option<Result<Vec<Node>, NoPostorder>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let mut visits = vec![Visit::New; digraph.len()];
    let mut order = Vec::new();
    let mut path: Vec<(Node, u32)> = Vec::new();
    let mut pace = work.pace();
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
                    if let Err(interrupted) = pace.step() {
                        return Some(Err(NoPostorder::Interrupted(interrupted)));
                    }
                    visits[option as usize] = Visit::Open;
                    path.push((option, 0));
                }
                Visit::Open => {
                    let start = path.iter().position(|&(node, _)| node == option).unwrap_or(0);
                    let cycle = path[start..].iter().map(|&(node, _)| node).collect();
                    return Some(Err(NoPostorder::Cycle(cycle)));
                }
                Visit::Done => {}
            }
        }
    }
    Some(Ok(order))
}

#[cfg(test)]
mod tests;

//! The labels of all nodes: under one theory, or of each node under the smallest that fits what it
//! reaches.
//!
//! [`label`](crate::label()) takes one theory for a whole digraph, so a single gray node with two
//! options decides the theory of every node. [`label_smallest`] gives each node the label that it
//! would have if the digraph were only what the node reaches. The values are the same, except that
//! the moon of the entailing theory stands for many values of the general one.
//!
//! ## Why it is exact
//! A label depends on what its node reaches and on nothing else, whatever the theory. If what a
//! node reaches fits a theory, then so does what each of its options reaches. So the nodes of which
//! this is true form a digraph of their own, which fits the theory too, and all of them get their
//! labels at once.
//!
//! ## Cost
//! One pass over the arcs to find which theory fits what each node reaches, and one labelling for
//! each of the theories that occur: at most five.

use std::fmt;

use fixedbitset::FixedBitSet;

use crate::graph::digraph::{Digraph, Node};
use crate::graph::partition::Cut;
use crate::impartial::labelling::{Label, Labelling, LabellingBuilder};
use crate::impartial::rounds;
use crate::impartial::theory::{Theory, fitting, label_by};
use crate::impartial::value::{AnyValue, Cover};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;
use crate::{impartial::explain, impartial::explain::Explanation};

/// The labels of all nodes of a digraph, under one theory ([`Labelling`]) or several
/// ([`SmallestLabelling`]).
pub trait Labels: fmt::Debug + Send + Sync {
    /// The theory used, or where there are several one that fits the whole digraph.
    fn theory(&self) -> Theory;

    /// The theory of the label of a node, where nodes have labels of different theories.
    fn theory_of(&self, node: Node) -> Option<Theory>;

    /// What its theory says about a node.
    fn label(&self, node: Node) -> Label;

    /// The nimber that a white node is equal to, if there is one and its theory knows it.
    fn nimber(&self, node: Node) -> Option<u64>;

    /// The labelling of each theory used.
    fn labellings(&self) -> Vec<&Labelling>;

    /// The labelling of the whole digraph, where there is one theory.
    fn single(&self) -> Option<&Labelling>;

    /// Why a node has its label.
    ///
    /// # Errors
    /// As [`explain::explain`].
    fn explain(
        &self,
        digraph: &Digraph,
        node: Node,
        work: &Work,
    ) -> Result<Explanation, Interrupted>;

    /// The round in which each node is assigned.
    ///
    /// # Errors
    /// When the work is interrupted.
    fn try_rounds(&self, digraph: &Digraph, work: &Work) -> Result<Vec<Option<u32>>, Interrupted>;

    /// The value of a white node.
    fn value(&self, node: Node) -> Option<AnyValue> {
        match self.label(node) {
            Label::White(value) => Some(value),
            Label::Gray(_) => None,
        }
    }

    /// What a gray node covers.
    fn cover(&self, node: Node) -> Option<Cover> {
        match self.label(node) {
            Label::White(_) => None,
            Label::Gray(cover) => cover,
        }
    }

    /// Who wins with a single piece on a white node.
    fn outcome(&self, node: Node) -> Option<Outcome> {
        self.value(node)?.outcome()
    }

    /// The first labelling that is not complete.
    fn incomplete(&self) -> Option<&Labelling> {
        self.labellings().into_iter().find(|labelling| !labelling.is_complete())
    }

    /// Whether the labels are all there is to know; false when a budget was hit.
    fn is_complete(&self) -> bool {
        self.incomplete().is_none()
    }
}

impl Labels for Labelling {
    fn theory(&self) -> Theory {
        self.theory()
    }

    fn theory_of(&self, _node: Node) -> Option<Theory> {
        None
    }

    fn label(&self, node: Node) -> Label {
        self.label(node)
    }

    fn nimber(&self, node: Node) -> Option<u64> {
        self.nimber(node)
    }

    fn labellings(&self) -> Vec<&Labelling> {
        vec![self]
    }

    fn single(&self) -> Option<&Labelling> {
        Some(self)
    }

    fn explain(
        &self,
        digraph: &Digraph,
        node: Node,
        work: &Work,
    ) -> Result<Explanation, Interrupted> {
        explain::explain(digraph, self, node, work)
    }

    fn try_rounds(&self, digraph: &Digraph, work: &Work) -> Result<Vec<Option<u32>>, Interrupted> {
        rounds::try_rounds(digraph, self, work)
    }
}

/// The labels of all nodes, each under the smallest theory that fits what the node reaches.
#[derive(Clone, Debug)]
pub struct SmallestLabelling {
    theory: Theory,
    theories: Vec<Theory>,
    parts: Vec<Part>,
}

/// The nodes that fit a theory. Nodes keep their numbers, so the others are in the digraph too,
/// without arcs.
#[derive(Clone, Debug)]
struct Part {
    /// None if all nodes fit.
    digraph: Option<Digraph>,
    labelling: Labelling,
}

impl SmallestLabelling {
    /// The theory of the label of a node.
    ///
    /// ```
    /// use nimoon::{Work, Digraph, Theory, label_smallest};
    /// // 0 is terminal, 1 leads to it, and 2 is a loop.
    /// let digraph = Digraph::new(3, [], vec![(1, 0), (2, 2)]).unwrap();
    /// let labels = label_smallest(&digraph, &Work::default());
    /// assert_eq!([1, 2].map(|node| labels.theory_of(node)), [Theory::Short, Theory::Cyclic]);
    /// ```
    pub fn theory_of(&self, node: Node) -> Theory {
        self.theories[node as usize]
    }

    fn part(&self, node: Node) -> &Part {
        let theory = self.theory_of(node);
        let found = self.parts.iter().find(|part| part.labelling.theory() == theory);
        found.unwrap_or_else(|| unreachable!("each theory that occurs has a part"))
    }
}

impl Labels for SmallestLabelling {
    fn theory(&self) -> Theory {
        self.theory
    }

    fn theory_of(&self, node: Node) -> Option<Theory> {
        Some(self.theory_of(node))
    }

    fn label(&self, node: Node) -> Label {
        self.part(node).labelling.label(node)
    }

    fn nimber(&self, node: Node) -> Option<u64> {
        self.part(node).labelling.nimber(node)
    }

    fn labellings(&self) -> Vec<&Labelling> {
        self.parts.iter().map(|part| &part.labelling).collect()
    }

    fn single(&self) -> Option<&Labelling> {
        None
    }

    fn explain(
        &self,
        digraph: &Digraph,
        node: Node,
        work: &Work,
    ) -> Result<Explanation, Interrupted> {
        let part = self.part(node);
        let digraph = part.digraph.as_ref().unwrap_or(digraph);
        explain::explain(digraph, &part.labelling, node, work)
    }

    fn try_rounds(&self, digraph: &Digraph, work: &Work) -> Result<Vec<Option<u32>>, Interrupted> {
        let mut found = vec![None; digraph.len()];
        for part in &self.parts {
            let digraph = part.digraph.as_ref().unwrap_or(digraph);
            let rounds = rounds::try_rounds(digraph, &part.labelling, work)?;
            let theory = part.labelling.theory();
            for ((found, round), _) in
                found.iter_mut().zip(rounds).zip(&self.theories).filter(|(_, of)| **of == theory)
            {
                *found = round;
            }
        }
        Ok(found)
    }
}

/// Labels every node under the smallest theory that fits what the node reaches.
///
/// ```
/// use nimoon::impartial::labels::Labels;
/// use nimoon::{Work, Digraph, Theory, label, label_smallest};
/// // 0 is terminal and 1 leads to it. The gray node 2 may move to either, and 3 to 2 and to itself.
/// let arcs = vec![(1, 0), (2, 0), (2, 1), (3, 2), (3, 3)];
/// let digraph = Digraph::new(4, [2], arcs).unwrap();
/// let whole = label(&digraph, None, &Work::default()).unwrap();
/// assert_eq!((whole.theory(), whole.value(1).unwrap().to_string()), (Theory::General, "1".into()));
/// let labels = label_smallest(&digraph, &Work::default());
/// assert_eq!((labels.theory_of(1), labels.value(1)), (Theory::Short, whole.value(1)));
/// ```
pub fn label_smallest(digraph: &Digraph, work: &Work) -> SmallestLabelling {
    let reaches = match Reaches::of(digraph, work) {
        Ok(reaches) => reaches,
        Err(interrupted) => return unknown(digraph, interrupted),
    };
    let theories: Vec<Theory> = digraph.nodes().map(|node| reaches.smallest(node)).collect();
    let admitted = work.admit_listed(digraph.len() as u64);
    let occurring = Theory::ALL.into_iter().filter(|theory| theories.contains(theory));
    let parts = occurring.map(|theory| {
        let part = reaches.part(digraph, theory);
        let fitted = part.as_ref().unwrap_or(digraph);
        let cut = Cut::of(fitted.len(), fitted.arc_count());
        let labelling = label_by(fitted, Some(theory), admitted, work, cut);
        let labelling = labelling.unwrap_or_else(|_| unreachable!("its nodes fit the theory"));
        Part { digraph: part, labelling }
    });
    SmallestLabelling { theory: reaches.whole(), parts: parts.collect(), theories }
}

/// Nothing is known, not even which theories fit.
fn unknown(digraph: &Digraph, interrupted: Interrupted) -> SmallestLabelling {
    let theory = Theory::General;
    let labelling = LabellingBuilder::unknown(digraph);
    let labelling = labelling.finish_interrupted(theory, Vec::new(), 0, interrupted);
    let parts = vec![Part { digraph: None, labelling }];
    SmallestLabelling { theory, theories: vec![theory; digraph.len()], parts }
}

/// The nodes that reach what some theories do not allow.
struct Reaches {
    cycle: FixedBitSet,
    gray: FixedBitSet,
    /// A gray node with two or more options.
    many_options: FixedBitSet,
}

impl Reaches {
    fn of(digraph: &Digraph, work: &Work) -> Result<Self, Interrupted> {
        // The rows of predecessors, counts of options and nodes in turn.
        work.hold(24 * digraph.len() as u64 + 4 * digraph.arc_count() as u64)?;
        let gray = |node: &Node| digraph.is_gray(*node);
        let many_options = |node: &Node| gray(node) && digraph.options(*node).len() > 1;
        Ok(Self {
            cycle: reaching_cycle(digraph, work)?,
            gray: reaching(digraph, gray, work)?,
            many_options: reaching(digraph, many_options, work)?,
        })
    }

    fn smallest(&self, node: Node) -> Theory {
        let [cycle, gray, many_options] = [&self.cycle, &self.gray, &self.many_options]
            .map(|reaching| reaching.contains(node as usize));
        fitting(!cycle, gray, many_options)
    }

    fn whole(&self) -> Theory {
        fitting(self.cycle.is_clear(), !self.gray.is_clear(), !self.many_options.is_clear())
    }

    /// The digraph of the nodes that fit a theory; none if all of them do.
    fn part(&self, digraph: &Digraph, theory: Theory) -> Option<Digraph> {
        let mut left_out = FixedBitSet::with_capacity(digraph.len());
        let refuting: &[&FixedBitSet] = match theory {
            Theory::Short => &[&self.cycle, &self.gray],
            Theory::Cyclic => &[&self.gray],
            Theory::Entailing => &[&self.cycle],
            Theory::CarryOn => &[&self.many_options],
            Theory::General => &[],
        };
        for reaching in refuting {
            left_out.union_with(reaching);
        }
        if left_out.is_clear() {
            return None;
        }
        let fits = |node: Node| !left_out.contains(node as usize);
        let gray = digraph.gray_nodes().filter(|&node| fits(node));
        let arcs = digraph.arcs().filter(|&(from, _)| fits(from)).collect();
        let part = Digraph::new(digraph.len(), gray, arcs);
        Some(part.unwrap_or_else(|_| unreachable!("its nodes are those of the digraph")))
    }
}

/// The nodes that reach one of these.
fn reaching(
    digraph: &Digraph,
    is_sought: impl Fn(&Node) -> bool,
    work: &Work,
) -> Result<FixedBitSet, Interrupted> {
    let mut pace = work.pace();
    let mut found = FixedBitSet::with_capacity(digraph.len());
    let mut pending: Vec<Node> = digraph.nodes().filter(is_sought).collect();
    found.extend(pending.iter().map(|&node| node as usize));
    while let Some(node) = pending.pop() {
        pace.step()?;
        for &from in digraph.predecessors(node) {
            if !found.put(from as usize) {
                pending.push(from);
            }
        }
    }
    Ok(found)
}

/// The nodes that reach a cycle: all but those whose options turn out, one after the other, to
/// reach none.
fn reaching_cycle(digraph: &Digraph, work: &Work) -> Result<FixedBitSet, Interrupted> {
    let mut pace = work.pace();
    let mut found = FixedBitSet::with_capacity(digraph.len());
    found.insert_range(..);
    let mut waits: Vec<u32> =
        digraph.nodes().map(|node| digraph.options(node).len() as u32).collect();
    let mut pending: Vec<Node> =
        digraph.nodes().filter(|&node| waits[node as usize] == 0).collect();
    while let Some(node) = pending.pop() {
        pace.step()?;
        found.remove(node as usize);
        for &from in digraph.predecessors(node) {
            let waits = &mut waits[from as usize];
            *waits -= 1;
            if *waits == 0 {
                pending.push(from);
            }
        }
    }
    Ok(found)
}

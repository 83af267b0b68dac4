//! The values of all nodes of a digraph, stored compactly.
//!
//! What [`label`](crate::label()) returns. A node takes four bytes: a code below 2³¹ is a nimber,
//! any other is a place in the list of the other labels that occur, each stored once. A digraph of
//! millions of nodes has few different labels. The order in which values were assigned is kept as
//! well: it is the measure by which a win comes to an end where there are cycles
//! ([`turn`](crate::impartial::turn)).
//!
//! ## Interrupted labellings
//! A labelling that is interrupted has the labels that were found, which are final: facts of the
//! levels are only ever added, and a node settled by a walk has no cycle below it. The other nodes
//! get the label of the general theory that says beside which nim-heaps the mover is known to win,
//! in most cases beside none, so that no new kind of label is needed. Moons are left out, since the
//! values that they force may grow. Where it is not yet known whether there is a cycle, the theory
//! named is one that fits in any case. Nothing is explained or planned by such labels.

use rustc_hash::FxHashMap;

use crate::graph::digraph::{Digraph, Node};
use crate::graph::partition::Cut;
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::impartial::theory::Theory;
use crate::impartial::value::{AnyValue, Cover, EntailingValue, HeapOutcomes, Value};
use crate::limits::Interrupted;
use crate::outcome::Outcome;

/// What a theory says about a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// The value of a white node.
    White(AnyValue),
    /// What a gray node covers; none in the carry-on theory where the piece ends up in a cyclic
    /// zone or runs in a circle of gray nodes.
    Gray(Option<Cover>),
}

impl Label {
    /// The value, if the node is white.
    pub fn value(&self) -> Option<&AnyValue> {
        match self {
            Self::White(value) => Some(value),
            Self::Gray(_) => None,
        }
    }
}

/// The label of a node whose own was not found before the work was interrupted: all that is known is
/// that the player who moves it first wins beside nim-heaps of less than `won`.
pub(crate) fn unknown(is_gray: bool, won: u32) -> Label {
    let nothing = NimberSet::nothing;
    let win = NimberSet::Only((0..u64::from(won)).collect::<Nimbers>());
    let known = HeapOutcomes { win, loss: nothing(), draw: nothing(), forced: None };
    if is_gray {
        Label::Gray(Some(Cover::Mixed(known)))
    } else {
        Label::White(AnyValue::General(known))
    }
}

/// Codes below this are nimbers, the others places in the list of other labels.
const FIRST_OTHER: u32 = 1 << 31;

/// The labels of all nodes under one theory.
///
/// Four bytes a node: a nimber, or a place in the short list of the other labels that occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelling {
    theory: Theory,
    codes: Vec<u32>,
    others: Vec<Label>,
    order: Vec<Node>,
    work: u64,
    interrupted: Option<Interrupted>,
}

impl Labelling {
    /// The theory that gave the labels.
    pub fn theory(&self) -> Theory {
        self.theory
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// What the theory says about a node.
    pub fn label(&self, node: Node) -> Label {
        let code = self.codes[node as usize];
        if code < FIRST_OTHER {
            let n = u64::from(code);
            Label::White(match self.theory {
                Theory::Entailing => AnyValue::Entailing(EntailingValue::Nimber(n)),
                _ => AnyValue::CarryOn(Value::Nimber(n)),
            })
        } else {
            self.others[(code - FIRST_OTHER) as usize].clone()
        }
    }

    /// The value of a white node.
    pub fn value(&self, node: Node) -> Option<AnyValue> {
        match self.label(node) {
            Label::White(value) => Some(value),
            Label::Gray(_) => None,
        }
    }

    /// The nimber that a white node is equal to, if there is one and the theory knows it.
    #[inline]
    pub fn nimber(&self, node: Node) -> Option<u64> {
        let code = self.codes[node as usize];
        (code < FIRST_OTHER).then_some(u64::from(code))
    }

    /// What a gray node covers.
    pub fn cover(&self, node: Node) -> Option<Cover> {
        match self.label(node) {
            Label::White(_) => None,
            Label::Gray(cover) => cover,
        }
    }

    /// Who wins with a single piece on a white node.
    pub fn outcome(&self, node: Node) -> Option<Outcome> {
        self.value(node)?.outcome()
    }

    /// The nodes that were assigned a nimber, in an order in which each can be justified by
    /// earlier ones; it guides play that makes progress.
    pub fn order(&self) -> &[Node] {
        &self.order
    }

    /// How many arcs were visited, counted with repetitions.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether the labels are all there is to know; false when a budget was hit.
    pub fn is_complete(&self) -> bool {
        self.interrupted.is_none()
    }

    /// What kept the labels from being complete. Those that are there are right; of the other nodes a
    /// general label says beside which nim-heaps the outcome is known, in most cases beside none.
    pub fn interrupted(&self) -> Option<Interrupted> {
        self.interrupted
    }
}

/// Collects labels for a [`Labelling`].
pub(crate) struct LabellingBuilder {
    codes: Vec<u32>,
    others: Vec<Label>,
    places: FxHashMap<Label, u32>,
}

impl LabellingBuilder {
    /// All nodes get nimber 0 until another label is set.
    pub(crate) fn new(digraph: &Digraph) -> Self {
        Self::from_codes(vec![0; digraph.len()])
    }

    /// Nothing is known of any node.
    pub(crate) fn unknown(digraph: &Digraph) -> Self {
        let mut builder = Self::new(digraph);
        let places = [false, true].map(|is_gray| builder.place(unknown(is_gray, 0)));
        for node in digraph.nodes() {
            builder.set_place(node, places[usize::from(digraph.is_gray(node))]);
        }
        builder
    }

    /// Starts from nimbers that are known already (each below 2³¹).
    pub(crate) fn from_codes(codes: Vec<u32>) -> Self {
        Self { codes, others: Vec::new(), places: FxHashMap::default() }
    }

    /// The place of a label that is not a nimber, to be used with [`Self::set_place`].
    pub(crate) fn place(&mut self, label: Label) -> u32 {
        let others = &mut self.others;
        *self.places.entry(label).or_insert_with_key(|label| {
            others.push(label.clone());
            (others.len() - 1) as u32
        })
    }

    /// Whether a node has a nimber so far.
    pub(crate) fn is_nimber(&self, node: Node) -> bool {
        self.codes[node as usize] < FIRST_OTHER
    }

    /// The label at a place.
    pub(crate) fn at(&self, place: u32) -> &Label {
        &self.others[place as usize]
    }

    /// The label of a node as a number: the same for equal labels.
    pub(crate) fn code(&self, node: Node) -> u32 {
        self.codes[node as usize]
    }

    /// The value of a label of the carry-on theory, given as a number; none if it is unknown.
    pub(crate) fn value_of(&self, code: u32) -> Option<Value> {
        if code < FIRST_OTHER {
            return Some(Value::Nimber(u64::from(code)));
        }
        match self.at(code - FIRST_OTHER) {
            Label::White(AnyValue::CarryOn(value)) => Some(value.clone()),
            Label::White(AnyValue::Control(_) | AnyValue::General(_)) => None,
            _ => unreachable!("white nodes come before gray ones"),
        }
    }

    pub(crate) fn set_place(&mut self, node: Node, place: u32) {
        self.codes[node as usize] = FIRST_OTHER + place;
    }

    /// Gives all nodes without a nimber the labels at these places.
    pub(crate) fn set_rest(&mut self, cut: Cut, place: impl Fn(Node) -> u32 + Sync + Send) {
        let ranges = cut.ranges(self.codes.len());
        let mut rest = &mut self.codes[..];
        let mut pieces = Vec::new();
        for range in ranges {
            let (piece, after) = rest.split_at_mut(range.len());
            rest = after;
            pieces.push(((range.start as Node..), piece));
        }
        cut.each(pieces, |(nodes, codes)| {
            for (node, code) in nodes.zip(codes) {
                if *code >= FIRST_OTHER {
                    *code = FIRST_OTHER + place(node);
                }
            }
        });
    }

    pub(crate) fn set_nimber(&mut self, node: Node, n: u32) {
        debug_assert!(n < FIRST_OTHER);
        self.codes[node as usize] = n;
    }

    pub(crate) fn set(&mut self, node: Node, label: Label) {
        let place = self.place(label);
        self.set_place(node, place);
    }

    pub(crate) fn finish(self, theory: Theory, order: Vec<Node>, work: u64) -> Labelling {
        let Self { codes, others, .. } = self;
        Labelling { theory, codes, others, order, work, interrupted: None }
    }

    /// As far as it is known; [`unknown`] is the label of the rest.
    pub(crate) fn finish_interrupted(
        self,
        theory: Theory,
        order: Vec<Node>,
        work: u64,
        interrupted: Interrupted,
    ) -> Labelling {
        Labelling { interrupted: Some(interrupted), ..self.finish(theory, order, work) }
    }
}

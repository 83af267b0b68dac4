//! A game digraph of what was explored.
//!
//! An *again* move to y goes by way of a gray node whose one option is y; an *entailing* move to y
//! leads to a gray node with the options of y. White and gray versions of a position are different
//! nodes.
//!
//! ```text
//!   x ──again──► y       x ──► ● ──► y
//!   x ──entails─► y       x ──► ● ──► options of y
//! ```
//!
//! Where nothing splits, each part is a piece of its own ([`Unit::Part`]). Where something does,
//! a digraph can still be made, of whole components ([`Unit::Component`]): its nodes are lists of
//! parts, and there may be very many.

use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;

use indexmap::IndexSet;
use rustc_hash::FxHasher;

use super::{Exploration, Part};
use crate::graph::digraph::{Digraph, Node};
use crate::limits::{Interrupted, Work};
use crate::ruleset::Kind;

/// What one piece on the digraph stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// One part.
    Part,
    /// All parts of a component.
    Component,
}

/// What a node stands for: parts that have options, in order, and who must do what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing is due.
    Free(Box<[Part]>),
    /// An again move led here: gray, with the free state as its one option.
    Again(Box<[Part]>),
    /// An entailing move led here: one of `due` must be moved.
    Entailed {
        /// What must be moved.
        due: Box<[Part]>,
        /// What stands beside it.
        beside: Box<[Part]>,
    },
}

impl State {
    /// The state that a move of this kind leaves, with `beside` untouched.
    pub(crate) fn after(
        exploration: &Exploration,
        kind: Kind,
        left: &[Part],
        beside: &[Part],
    ) -> Self {
        let all = || exploration.normal([left, beside].concat()).into();
        match kind {
            Kind::Ordinary => Self::Free(all()),
            Kind::Again => Self::Again(all()),
            Kind::Entailing => {
                let due = exploration.normal(left.to_vec()).into();
                Self::Entailed { due, beside: exploration.normal(beside.to_vec()).into() }
            }
        }
    }

    fn is_gray(&self) -> bool {
        !matches!(self, Self::Free(_))
    }
}

/// What a state takes in memory, roughly.
const STATE_BYTES: u64 = 96;

/// A digraph whose nodes stand for states.
#[derive(Debug)]
pub struct StateDigraph {
    /// The digraph.
    pub digraph: Digraph,
    /// What a piece stands for.
    pub unit: Unit,
    states: IndexSet<State, BuildHasherDefault<FxHasher>>,
}

impl StateDigraph {
    /// Everything that play reaches from these states.
    ///
    /// # Errors
    /// When there are more nodes than positions are allowed, or 16 times as many arcs, or the work is
    /// interrupted.
    pub fn new(
        exploration: &Exploration,
        unit: Unit,
        starts: impl IntoIterator<Item = State>,
        work: &Work,
    ) -> Result<Self, Interrupted> {
        let most = work.limits().positions;
        let mut pace = work.pace();
        let mut states: IndexSet<State, BuildHasherDefault<FxHasher>> =
            starts.into_iter().collect();
        let mut arcs: Vec<(Node, Node)> = Vec::new();
        let mut next = 0;
        while let Some(state) = states.get_index(next).cloned() {
            let from = next as Node;
            next += 1;
            pace.step()?;
            work.hold(STATE_BYTES * states.len() as u64 + 16 * arcs.len() as u64)?;
            let _ = for_each_option(exploration, &state, |after| {
                arcs.push((from, states.insert_full(after).0 as Node));
                ControlFlow::Continue(())
            });
            if states.len() as u64 > most || arcs.len() as u64 > most.saturating_mul(16) {
                return Err(work.over(None));
            }
        }
        let gray = states.iter().enumerate().filter(|(_, state)| state.is_gray());
        let gray: Vec<Node> = gray.map(|(node, _)| node as Node).collect();
        let digraph = Digraph::new(states.len(), gray, arcs).map_err(|_| work.over(None))?;
        Ok(Self { digraph, unit, states })
    }

    /// The node of a state.
    pub fn node(&self, state: &State) -> Option<Node> {
        self.states.get_index_of(state).map(|node| node as Node)
    }

    /// What a node stands for.
    pub fn state(&self, node: Node) -> &State {
        &self.states[node as usize]
    }
}

/// Whether a state has several options, which are several nodes: moves that leave the same are one option.
pub(super) fn has_several_options(exploration: &Exploration, state: &State) -> bool {
    let mut first = None;
    let visit = for_each_option(exploration, state, |after| match &first {
        Some(first) if *first != after => ControlFlow::Break(()),
        Some(_) => ControlFlow::Continue(()),
        None => {
            first = Some(after);
            ControlFlow::Continue(())
        }
    });
    visit.is_break()
}

/// The options of a state, some of them several times, until `visit` breaks off.
fn for_each_option(
    exploration: &Exploration,
    state: &State,
    mut visit: impl FnMut(State) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (due, beside): (&[Part], &[Part]) = match state {
        State::Free(parts) => (parts, &[]),
        State::Again(parts) => return visit(State::Free(parts.clone())),
        State::Entailed { due, beside } => (due, beside),
    };
    let mut others = Vec::with_capacity(due.len() + beside.len());
    for (i, &part) in due.iter().enumerate() {
        // Equal parts have equal options.
        if i > 0 && due[i - 1] == part {
            continue;
        }
        others.clear();
        others.extend(due.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &other)| other));
        others.extend(beside);
        for (kind, left) in exploration.options(part) {
            visit(State::after(exploration, kind, left, &others))?;
        }
    }
    ControlFlow::Continue(())
}

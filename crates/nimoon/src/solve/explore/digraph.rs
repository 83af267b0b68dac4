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
use crate::graph::digraph::{Digraph, Node, RowsInOrder};
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

/// What a state takes in memory, roughly: a list of parts, or a single one.
const STATE_BYTES: u64 = 96;
const PART_BYTES: u64 = 24;

/// A digraph whose nodes stand for states.
#[derive(Debug)]
pub struct StateDigraph {
    /// The digraph.
    pub digraph: Digraph,
    /// What a piece stands for.
    pub unit: Unit,
    states: States,
}

/// The states of the nodes.
#[derive(Debug)]
enum States {
    /// Lists of parts.
    Lists(IndexSet<State, BuildHasherDefault<FxHasher>>),
    /// Single parts: everywhere, if nothing splits.
    Parts(PartStates),
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
        let starts: Vec<State> = starts.into_iter().collect();
        let (digraph, states) = match of_parts(exploration, &starts, work)? {
            Some(found) => found,
            None => of_lists(exploration, starts, work)?,
        };
        Ok(Self { digraph, unit, states })
    }

    /// The node of a state.
    pub fn node(&self, state: &State) -> Option<Node> {
        match &self.states {
            States::Lists(states) => states.get_index_of(state).map(|node| node as Node),
            States::Parts(states) => states.node(state),
        }
    }

    /// What a node stands for.
    pub fn state(&self, node: Node) -> State {
        match &self.states {
            States::Lists(states) => states[node as usize].clone(),
            States::Parts(states) => states.state(node),
        }
    }
}

/// The digraph of lists of parts.
fn of_lists(
    exploration: &Exploration,
    starts: impl IntoIterator<Item = State>,
    work: &Work,
) -> Result<(Digraph, States), Interrupted> {
    let most = work.limits().positions;
    let mut pace = work.pace();
    let mut states: IndexSet<State, BuildHasherDefault<FxHasher>> = starts.into_iter().collect();
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
        if states.len() as u64 > most || arcs.len() as u64 > most.saturating_mul(ARCS_PER_NODE) {
            return Err(work.over(None));
        }
    }
    let gray = states.iter().enumerate().filter(|(_, state)| state.is_gray());
    let gray: Vec<Node> = gray.map(|(node, _)| node as Node).collect();
    let digraph = Digraph::new(states.len(), gray, arcs).map_err(|_| work.over(None))?;
    Ok((digraph, States::Lists(states)))
}

/// The digraph of single parts; none where some state has several. Its rows are written as they are,
/// and its nodes are looked up by the numbers of their parts.
fn of_parts(
    exploration: &Exploration,
    starts: &[State],
    work: &Work,
) -> Result<Option<(Digraph, States)>, Interrupted> {
    let most = work.limits().positions;
    let mut pace = work.pace();
    let mut states = PartStates::new(exploration.len());
    for state in starts {
        let Some((kind, part)) = single(state) else { return Ok(None) };
        states.add(kind, part);
    }
    let mut rows = RowsInOrder::default();
    let mut next = 0;
    while let Some(&(kind, part)) = states.nodes.get(next) {
        next += 1;
        pace.step()?;
        work.hold(PART_BYTES * states.nodes.len() as u64 + 4 * rows.entry_count() as u64)?;
        if kind == Kind::Again {
            rows.push(states.add(Kind::Ordinary, part));
        } else if let Some(part) = part {
            for (kind, left) in exploration.options(part) {
                // Options are sorted, and each is there once, but for those that leave nothing.
                match *left {
                    [left] => rows.push(states.add(kind, Some(left))),
                    [] => rows.push_once(states.add(kind, None)),
                    _ => return Ok(None),
                }
            }
        }
        rows.end_row();
        let arcs = rows.entry_count() as u64;
        if states.nodes.len() as u64 > most || arcs > most.saturating_mul(ARCS_PER_NODE) {
            return Err(work.over(None));
        }
    }
    let gray = states.nodes.iter().enumerate().filter(|(_, (kind, _))| *kind != Kind::Ordinary);
    let gray = gray.map(|(node, _)| node as Node);
    let digraph = Digraph::of_rows(rows.finish(), gray);
    Ok(Some((digraph, States::Parts(states))))
}

/// How many arcs may be there for each node that is allowed.
const ARCS_PER_NODE: u64 = 16;

/// States of a single part, or of none.
#[derive(Debug)]
struct PartStates {
    /// The kind of move that leads there, and the part.
    nodes: Vec<(Kind, Option<Part>)>,
    /// For each kind, the node of each part and, at the end, that of none. The lists of kinds that do not
    /// occur are empty.
    numbers: [Vec<Node>; 3],
    parts: usize,
}

const NO_NODE: Node = Node::MAX;

impl PartStates {
    fn new(parts: usize) -> Self {
        Self { nodes: Vec::new(), numbers: Default::default(), parts }
    }

    /// The place of a part in the lists of numbers; those that are met later have none.
    fn place(&self, part: Option<Part>) -> usize {
        let Some(part) = part else { return self.parts };
        let part = part as usize;
        if part < self.parts { part } else { usize::MAX }
    }

    /// The node of a state.
    fn add(&mut self, kind: Kind, part: Option<Part>) -> Node {
        let place = self.place(part);
        let numbers = &mut self.numbers[kind as usize];
        if numbers.is_empty() {
            numbers.resize(self.parts + 1, NO_NODE);
        }
        if numbers[place] == NO_NODE {
            numbers[place] = self.nodes.len() as Node;
            self.nodes.push((kind, part));
        }
        self.numbers[kind as usize][place]
    }

    fn node(&self, state: &State) -> Option<Node> {
        let (kind, part) = single(state)?;
        let node = self.numbers[kind as usize].get(self.place(part));
        node.copied().filter(|&node| node != NO_NODE)
    }

    fn state(&self, node: Node) -> State {
        let (kind, part) = self.nodes[node as usize];
        let parts: Box<[Part]> = part.into_iter().collect();
        match kind {
            Kind::Ordinary => State::Free(parts),
            Kind::Again => State::Again(parts),
            Kind::Entailing => State::Entailed { due: parts, beside: [].into() },
        }
    }
}

/// A state of at most one part: the kind of move that leads there, and the part.
fn single(state: &State) -> Option<(Kind, Option<Part>)> {
    let (kind, parts, beside): (_, &[Part], &[Part]) = match state {
        State::Free(parts) => (Kind::Ordinary, parts, &[]),
        State::Again(parts) => (Kind::Again, parts, &[]),
        State::Entailed { due, beside } => (Kind::Entailing, due, beside),
    };
    (parts.len() <= 1 && beside.is_empty()).then(|| (kind, parts.first().copied()))
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

//! Nimbers of a digraph with cycles and carry-on moves, level by level.
//!
//! Two kinds of facts about a level k, for white nodes and with gray chains collapsed:
//!
//! - x *wins* k: the mover wins x + *k by playing in x first. So it is if x → y and y has value
//!   k; if x ↻ y and y has a value below k; if x ↻ y and y wins k.
//! - x *has value* k: x wins all j < k, every x → y has a value below k or wins k, and every
//!   x ↻ y has value k.
//!
//! A fact about level k follows from facts about levels up to k alone: if x ↻ y and y has a value
//! above k, or is a moon, then y wins k already. So the levels are settled one after the other,
//! each by retrograde analysis with one counter per node: the moves that do not yet lose against
//! level k. When a level assigns no value, no later one does, and the nodes that have won every
//! level so far are the moons.
//!
//! Cost: in each level every arc is looked at twice at most, so the work is proportional to arcs
//! × (largest value + 2). The four numbers of a node lie side by side, since nodes are visited
//! in no order that a cache could guess.

use crate::digraph::{GATHERED, Node, Rows, touch};
use fixedbitset::FixedBitSet;

/// The moves of the white nodes, as levels need them.
pub(crate) struct Moves<'a> {
    /// From where an ordinary move leads to each node.
    pub(crate) ordinary: &'a Rows,
    /// From where a carry-on move leads to each node; none if there are no carry-on moves.
    pub(crate) again: Option<&'a Rows>,
    /// For each white node, the number of its moves that do not lose against every level from the
    /// start: ordinary moves to nodes that are labelled, carry-on moves, and moves into gray
    /// circles, which never lose.
    pub(crate) pending: Vec<u32>,
    /// Whether a node is to be labelled: white, and not a full moon.
    pub(crate) labelled: &'a dyn Fn(Node) -> bool,
}

/// What the levels tell.
pub(crate) struct Levels {
    /// The nimber of each node, or [`Levels::NONE`].
    pub(crate) nimbers: Vec<u32>,
    /// The largest nimber.
    pub(crate) largest: Option<u32>,
    /// The nodes with a nimber, in an order in which each is justified by earlier ones.
    pub(crate) order: Vec<Node>,
    /// The nodes that win every level.
    pub(crate) moons: Vec<Node>,
    /// The number of arcs looked at.
    pub(crate) work: u64,
}

impl Levels {
    /// In place of a nimber.
    pub(crate) const NONE: u32 = u32::MAX;
}

const ASSIGNED: u32 = 1 << 31;
/// The mark of nodes that are not to be labelled: no event changes them.
const LEFT_OUT: u32 = u32::MAX;

#[derive(Clone, Copy)]
#[repr(align(16))]
struct State {
    /// Moves that do not lose against every later level.
    pending: u32,
    /// Moves that do not yet lose against the level of the stamp.
    not_lost: u32,
    /// The last level that touched this node, plus one, doubled; odd if the node won it.
    stamp: u32,
    /// With a value: that and `ASSIGNED`. Without: how many levels were won from 0 on.
    mark: u32,
}

impl State {
    fn is_assigned(self) -> bool {
        self.mark & ASSIGNED != 0
    }
}

struct Solver<'a> {
    ordinary: &'a Rows,
    again: Option<&'a Rows>,
    states: Vec<State>,
    level: u32,
    order: Vec<Node>,
    /// Nodes that won this level and have not told their predecessors yet.
    winners: Vec<Node>,
    /// Nodes that have won all levels up to this one: they may have a later one as value.
    eligible: Vec<Node>,
    /// Room for those who are told at a time.
    told: Vec<Node>,
    work: u64,
}

impl Solver<'_> {
    fn assign(&mut self, node: Node) {
        self.states[node as usize].mark = ASSIGNED | self.level;
        self.order.push(node);
    }

    /// One of the moves of `node` turns out to lose against this level.
    #[inline]
    fn move_lost(&mut self, node: Node) {
        let touched = (self.level + 1) << 1;
        let state = &mut self.states[node as usize];
        if state.is_assigned() {
            return;
        }
        if state.stamp < touched {
            state.stamp = touched;
            state.not_lost = state.pending;
        }
        // Meaningless for a node that won this level: that one gets no value here.
        state.not_lost = state.not_lost.wrapping_sub(1);
        if state.not_lost == 0 && state.mark == self.level {
            self.assign(node);
        }
    }

    /// Notes that `node` wins this level, if that is news.
    #[inline]
    fn win(&mut self, node: Node) {
        let won = (self.level + 1) << 1 | 1;
        let state = &mut self.states[node as usize];
        if state.is_assigned() || state.stamp == won {
            return;
        }
        state.stamp = won;
        if state.mark == self.level {
            state.mark += 1;
            self.eligible.push(node);
        }
        self.winners.push(node);
    }

    /// Those from where a move leads to one of `nodes`, with their states looked up in passing. The
    /// room for the list is to be given back to `self.told`.
    fn gather(&mut self, rows: &Rows, nodes: &[Node]) -> Vec<Node> {
        let mut told = std::mem::take(&mut self.told);
        told.clear();
        rows.gather(nodes, &mut told);
        self.work += told.len() as u64;
        touch(told.iter().map(|&node| self.states[node as usize].mark));
        told
    }

    /// Tells everyone who can move to a winner.
    fn tell_winners(&mut self) {
        let mut winners = [0; GATHERED];
        loop {
            let rest = self.winners.len().saturating_sub(GATHERED);
            let count = self.winners.len() - rest;
            if count == 0 {
                break;
            }
            winners[..count].copy_from_slice(&self.winners[rest..]);
            self.winners.truncate(rest);
            let told = self.gather(self.ordinary, &winners[..count]);
            for &from in &told {
                self.move_lost(from);
            }
            self.told = told;
            if let Some(again) = self.again {
                let told = self.gather(again, &winners[..count]);
                for &from in &told {
                    self.win(from);
                }
                self.told = told;
            }
        }
    }
}

/// Settles all levels.
pub(crate) fn solve(moves: Moves<'_>) -> Levels {
    let Moves { ordinary, again, pending, labelled } = moves;
    let mut solver = Solver {
        ordinary,
        again,
        states: Vec::with_capacity(pending.len()),
        level: 0,
        order: Vec::new(),
        winners: Vec::new(),
        eligible: Vec::new(),
        told: Vec::new(),
        work: 0,
    };
    for (node, pending) in (0..).zip(pending) {
        let mark = if labelled(node) { 0 } else { LEFT_OUT };
        solver.states.push(State { pending, not_lost: 0, stamp: 0, mark });
        if mark == 0 && pending == 0 {
            solver.assign(node);
        }
    }
    // Nodes with a carry-on move to a value of an earlier level: they win every later level.
    let mut carried: Vec<Node> = Vec::new();
    let mut is_carried =
        FixedBitSet::with_capacity(if again.is_some() { ordinary.len() } else { 0 });
    let mut told = 0;
    loop {
        let level_start = told;
        for node in std::mem::take(&mut solver.eligible) {
            if solver.states[node as usize].pending == 0 {
                solver.assign(node);
            }
        }
        carried.retain(|&node| !solver.states[node as usize].is_assigned());
        for &node in &carried {
            solver.win(node);
        }
        solver.tell_winners();
        while told < solver.order.len() {
            let count = (solver.order.len() - told).min(GATHERED);
            let mut assigned = [0; GATHERED];
            assigned[..count].copy_from_slice(&solver.order[told..told + count]);
            told += count;
            let row = solver.gather(ordinary, &assigned[..count]);
            for &from in &row {
                solver.states[from as usize].pending -= 1;
                solver.win(from);
            }
            solver.told = row;
            solver.tell_winners();
            if let Some(again) = again {
                let row = solver.gather(again, &assigned[..count]);
                for &from in &row {
                    if !is_carried.put(from as usize) {
                        carried.push(from);
                    }
                    solver.move_lost(from);
                }
                solver.told = row;
            }
        }
        if told == level_start {
            break;
        }
        solver.level += 1;
    }
    let nimber = |state: &State| match state.mark {
        LEFT_OUT => Levels::NONE,
        mark if mark & ASSIGNED != 0 => mark & !ASSIGNED,
        _ => Levels::NONE,
    };
    Levels {
        nimbers: solver.states.iter().map(nimber).collect(),
        largest: solver.level.checked_sub(1),
        order: solver.order,
        moons: solver.eligible,
        work: solver.work,
    }
}

//! Exact outcomes and remoteness of a concrete sum, by retrograde analysis of its product.
//!
//! Every combination of nodes that the pieces can reach, with at most one of them gray, is a
//! position. Remoteness counts plies, forced ones too: the winner wants it small, the loser large
//! [Smith1966, §3]. White pieces that cannot move count nothing.
//!
//! ## Cost
//! Time proportional to the arcs of the product, some 20 bytes a position. Both numbers are
//! products over the pieces and so known beforehand: a budget is hit at once, and not after
//! minutes. Where an algebra is known, a sum beyond the budget still has its value, its outcome and
//! its turn.

use rustc_hash::FxHashMap;

use crate::graph::digraph::{Digraph, Node, Rows};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// No budget allows more positions than this: some five gigabytes.
const MOST: u64 = 1 << 28;

/// What a position takes in memory.
const BYTES: u64 = 20;

/// How many arcs of the product each position of the budget allows.
const ARCS_PER_POSITION: u64 = 64;

/// The nodes that one piece can reach, with their own numbering.
struct Component {
    /// Which of the pieces it is.
    place: usize,
    nodes: usize,
    local: FxHashMap<Node, u32>,
    options: Rows,
    predecessors: Rows,
    gray: Vec<bool>,
    /// How far apart two positions lie that differ by one in this component.
    stride: usize,
}

/// All positions of a sum, solved.
pub(crate) struct Search {
    components: Vec<Component>,
    outcomes: Vec<Outcome>,
    remoteness: Vec<u32>,
}

impl Search {
    /// Solves the product of what the pieces can reach.
    pub(crate) fn new(
        digraph: &Digraph,
        pieces: &[Node],
        work: &Work,
    ) -> Result<Self, Interrupted> {
        let over = |needed| work.over(Some(needed));
        let allowed = work.limits().positions.min(MOST);
        work.check()?;
        let mut reached = Vec::new();
        let mut needed = 1_u64;
        for (place, &piece) in pieces.iter().enumerate() {
            if digraph.options(piece).is_empty() && !digraph.is_gray(piece) {
                continue;
            }
            let (followers, complete) = digraph.followers_up_to(&[piece], allowed);
            needed = needed.saturating_mul(followers.len() as u64);
            if needed > allowed || !complete {
                return Err(over(needed));
            }
            reached.push((place, followers));
        }
        // Looking up where the pieces stand costs as much as an arc for each of them.
        let mut arcs = needed.saturating_mul(reached.len() as u64);
        for (_, followers) in &reached {
            let options: usize = followers.iter().map(|&node| digraph.options(node).len()).sum();
            let elsewhere = needed / followers.len() as u64;
            arcs = arcs.saturating_add(elsewhere.saturating_mul(options as u64));
        }
        if arcs > allowed.saturating_mul(ARCS_PER_POSITION) || needed > allowed {
            return Err(over(needed.max(arcs / ARCS_PER_POSITION)));
        }
        work.hold(needed.saturating_mul(BYTES))?;
        let mut size = 1;
        let mut components = Vec::with_capacity(reached.len());
        for (place, nodes) in reached {
            let stride = size;
            size *= nodes.len();
            components.push(Component::new(digraph, place, &nodes, stride));
        }
        let mut search =
            Self { components, outcomes: vec![Outcome::D; size], remoteness: vec![u32::MAX; size] };
        search.solve(work)?;
        Ok(search)
    }

    fn solve(&mut self, work: &Work) -> Result<(), Interrupted> {
        let mut pace = work.pace();
        let mut undecided = vec![0_u32; self.outcomes.len()];
        let mut decided: Vec<usize> = Vec::new();
        let mut movable = Vec::with_capacity(self.components.len());
        for (position, undecided) in undecided.iter_mut().enumerate() {
            pace.step()?;
            if !self.find_movable(position, &mut movable) {
                continue;
            }
            let options = |&(i, digit): &(usize, u32)| self.components[i].options.row(digit).len();
            *undecided = movable.iter().map(options).sum::<usize>() as u32;
            if *undecided == 0 {
                self.outcomes[position] = Outcome::P;
                self.remoteness[position] = 0;
                decided.push(position);
            }
        }
        let mut next = 0;
        while let Some(&position) = decided.get(next) {
            next += 1;
            pace.step()?;
            self.find_movable(position, &mut movable);
            let lost = self.outcomes[position] == Outcome::P;
            let remoteness = self.remoteness[position] + 1;
            // The other pieces stood where they stand, and all of them on white nodes.
            for &(i, digit) in &movable {
                let stride = self.components[i].stride;
                for &before in self.components[i].predecessors.row(digit) {
                    let from = position - digit as usize * stride + before as usize * stride;
                    if self.outcomes[from] != Outcome::D {
                        continue;
                    }
                    undecided[from] -= 1;
                    if lost {
                        self.outcomes[from] = Outcome::N;
                    } else if undecided[from] == 0 {
                        self.outcomes[from] = Outcome::P;
                    } else {
                        continue;
                    }
                    self.remoteness[from] = remoteness;
                    decided.push(from);
                }
            }
        }
        Ok(())
    }

    /// Finds the components that may move in a position, with where they stand; false for the
    /// combinations with two gray nodes, which are not positions.
    fn find_movable(&self, position: usize, movable: &mut Vec<(usize, u32)>) -> bool {
        movable.clear();
        let mut gray = None;
        for (i, component) in self.components.iter().enumerate() {
            let digit = (position / component.stride % component.nodes) as u32;
            if component.gray[digit as usize] && gray.replace((i, digit)).is_some() {
                return false;
            }
            movable.push((i, digit));
        }
        if let Some(only) = gray {
            movable.clear();
            movable.push(only);
        }
        true
    }

    fn position(&self, pieces: &[Node]) -> usize {
        let digit =
            |c: &Component| c.local.get(&pieces[c.place]).map_or(0, |&digit| digit as usize);
        self.components.iter().map(|component| digit(component) * component.stride).sum()
    }

    /// Who wins a position that the sum can reach.
    pub(crate) fn outcome(&self, pieces: &[Node]) -> Outcome {
        self.outcomes[self.position(pieces)]
    }

    /// In how many plies, if either player wins.
    pub(crate) fn remoteness(&self, pieces: &[Node]) -> Option<u32> {
        let remoteness = self.remoteness[self.position(pieces)];
        (remoteness != u32::MAX).then_some(remoteness)
    }
}

impl Component {
    fn new(digraph: &Digraph, place: usize, nodes: &[Node], stride: usize) -> Self {
        let local: FxHashMap<Node, u32> = nodes.iter().copied().zip(0..).collect();
        let options = Rows::new(nodes.len(), || {
            (0..).zip(nodes).flat_map(|(from, &node)| {
                digraph.options(node).iter().map(|option| local[option]).map(move |to| (from, to))
            })
        });
        let predecessors = options.reversed();
        let gray = nodes.iter().map(|&node| digraph.is_gray(node)).collect();
        Self { place, nodes: nodes.len(), local, options, predecessors, gray, stride }
    }
}

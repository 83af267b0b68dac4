//! The steps of Algorithms 2 and 8, replayed.
//!
//! The values being known, a node waits for the facts that its own value rests on, and each fact
//! reaches it once. There are three kinds of facts about a white node x and a heap *k:
//!
//! - *won*: k is protected by x at once, by Algorithm 5 or an option of value k. Options that are
//!   unassigned are tested for this, so gray nodes on the way need no value.
//! - *own*: k is in D or P as printed, because an option with a value has it. It takes a gray node
//!   one step to get its value from its option.
//! - *seen*: k was in D ∪ P of the corrected rule in some step. What carry-on moves to an
//!   unassigned node y add is missing again from the step in which y gets its value to the step in
//!   which the gray node before it does. So a node that has seen everything is a moon only if it
//!   has everything in this step too ([`Steps::has_everything`]).
//!
//! A node that gets a nimber n has carry-on moves to nodes of value n alone. Hence what unassigned
//! nodes add counts for moons and for nothing else, and for a nimber *won* and *own* are enough.

use fixedbitset::FixedBitSet;

use crate::graph::digraph::{Digraph, Node, Rows};
use crate::impartial::labelling::Labelling;
use crate::impartial::theory::chains::{ChainMove, Chains};
use crate::impartial::value::{AnyValue, Value};
use crate::limits::{Interrupted, Pace, Work};

/// What a white node is assigned in the end.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    Nimber(usize),
    Moon,
    FullMoon,
    Never,
}

/// What is assigned to a node in a step. A moon may become a full moon later, and gray nodes behind
/// it change with it.
#[derive(Clone, Copy, PartialEq)]
enum Assignment {
    /// To a white node a nimber or a moon, and to a gray one what follows from it.
    Plain,
    /// A full moon or a new moon.
    Absorbing,
}

/// The steps up to now.
pub(super) struct Steps<'a> {
    digraph: &'a Digraph,
    chains: Chains,
    /// The white nodes with an ordinary move, or a carry-on move, to each node, once for each
    /// option.
    ordinary: Rows,
    again: Rows,
    goals: Vec<Goal>,
    /// How many facts each node still waits for: a nimber for smaller ones and for moves that lose,
    /// a moon for all.
    waits: Vec<usize>,
    pub(super) rounds: Vec<Option<u32>>,
    /// The full moons and new moons among the assigned nodes.
    absorbing: FixedBitSet,
    /// One more than the largest nimber, which stands for all larger ones, and one more.
    levels: usize,
    /// At node × levels + k: what is won.
    won: FixedBitSet,
    /// At node × levels + k: a move to the node is known to lose beside *k.
    loses: FixedBitSet,
    /// At node × levels + k: what is in D or P as printed.
    own: FixedBitSet,
    /// At node × levels + k: what was in D or P, as corrected; for [`Self::has_everything`] what is
    /// so now.
    seen: FixedBitSet,
    present: FixedBitSet,
    /// The nodes that [`Self::has_everything`] visits; empty between its calls.
    reached: FixedBitSet,
    /// Nodes that have seen everything and have no value yet.
    candidates: Vec<Node>,
    next: Vec<(Node, Assignment)>,
}

impl<'a> Steps<'a> {
    /// Step 0.
    pub(super) fn new(
        digraph: &'a Digraph,
        labelling: &Labelling,
        work: &Work,
    ) -> Result<Self, Interrupted> {
        let chains = Chains::new(digraph);
        let goal = |node| match labelling.value(node) {
            Some(AnyValue::CarryOn(Value::Nimber(n))) => Goal::Nimber(n as usize),
            Some(AnyValue::CarryOn(Value::Moon(_))) => Goal::Moon,
            Some(AnyValue::CarryOn(Value::FullMoon)) => Goal::FullMoon,
            _ => Goal::Never,
        };
        let goals: Vec<Goal> = digraph.nodes().map(goal).collect();
        let nimbers = goals.iter().filter_map(|goal| match goal {
            Goal::Nimber(n) => Some(*n),
            _ => None,
        });
        let levels = nimbers.max().map_or(0, |largest| largest + 1) + 1;
        let rows = |again: bool| {
            let white = || digraph.arcs().filter(|&(from, _)| !digraph.is_gray(from));
            Rows::new(digraph.len(), || {
                white().filter_map(|(from, option)| match chains.onto(option) {
                    ChainMove::Ordinary(to) if !again => Some((to, from)),
                    ChainMove::Again(to) if again => Some((to, from)),
                    _ => None,
                })
            })
        };
        let (ordinary, again) = (rows(false), rows(true));
        // Without carry-on moves there are no moons.
        let lists = if again.entry_count() == 0 { 3 } else { 5 };
        let bits = (digraph.len() as u64).saturating_mul(levels as u64);
        work.hold(bits.saturating_mul(lists) / 8)?;
        let facts = FixedBitSet::with_capacity(digraph.len() * levels);
        let (won, loses, own) = (facts.clone(), facts.clone(), facts.clone());
        let (seen, present) = if lists == 3 { Default::default() } else { (facts.clone(), facts) };
        let mut steps = Self {
            digraph,
            chains,
            ordinary,
            again,
            goals,
            waits: vec![0; digraph.len()],
            rounds: vec![None; digraph.len()],
            absorbing: FixedBitSet::with_capacity(digraph.len()),
            levels,
            won,
            loses,
            own,
            seen,
            present,
            reached: FixedBitSet::with_capacity(digraph.len()),
            candidates: Vec::new(),
            next: Vec::new(),
        };
        steps.begin(&mut work.pace())?;
        Ok(steps)
    }

    /// Counts what each node waits for, and assigns the terminal ones.
    fn begin(&mut self, pace: &mut Pace<'_>) -> Result<(), Interrupted> {
        for node in self.digraph.nodes() {
            let options = self.digraph.options(node);
            let onto = options.iter().map(|&option| self.chains.onto(option));
            self.waits[node as usize] = match self.goals[node as usize] {
                Goal::Nimber(n) => n + onto.filter(|onto| *onto != ChainMove::Loses).count(),
                Goal::Moon | Goal::FullMoon => self.levels,
                Goal::Never => 0,
            };
        }
        for node in self.digraph.nodes() {
            pace.step()?;
            if !self.digraph.options(node).is_empty() {
                continue;
            }
            if self.digraph.is_gray(node) {
                self.next.push((node, Assignment::Absorbing));
            } else if self.goals[node as usize] == Goal::Nimber(0) {
                self.next.push((node, Assignment::Plain));
            }
        }
        Ok(())
    }

    /// Goes through all steps.
    pub(super) fn run(&mut self, work: &Work) -> Result<(), Interrupted> {
        let mut pace = work.pace();
        for round in 0.. {
            let mut assigned = std::mem::take(&mut self.next);
            // A full moon may have several new moons before it.
            assigned.retain(|&(node, assignment)| {
                assignment == Assignment::Plain || !self.absorbing.put(node as usize)
            });
            if assigned.is_empty() && round > 0 {
                break;
            }
            let mut first = Vec::with_capacity(assigned.len());
            for &(node, _) in &assigned {
                first.push(self.rounds[node as usize].replace(round).is_none());
            }
            for (&(node, assignment), first) in assigned.iter().zip(first) {
                // A node is reported at every level.
                for _ in 0..=self.levels / 64 {
                    pace.step()?;
                }
                if first && !self.digraph.is_gray(node) {
                    self.test_others(node);
                }
                self.add_to_others(node, assignment);
            }
            if round == 0 {
                self.test_at_once();
            }
            self.find_moons(&mut pace)?;
        }
        Ok(())
    }

    fn is_assigned(&self, node: Node) -> bool {
        self.rounds[node as usize].is_some()
    }

    /// What is won without any value: where the opponent can be stuck at once. And the nodes that
    /// wait for nothing.
    fn test_at_once(&mut self) {
        for node in self.digraph.nodes().filter(|&node| !self.digraph.is_gray(node)) {
            let options = self.digraph.options(node).iter();
            let wins = options.clone().any(|&option| self.chains.onto(option) == ChainMove::Wins);
            if wins {
                (0..self.levels).for_each(|k| self.announce_won(node, k));
            }
            let waits = matches!(self.goals[node as usize], Goal::Nimber(_))
                && options.len() > 0
                && options.clone().all(|&option| self.chains.onto(option) == ChainMove::Loses);
            if waits {
                self.next.push((node, Assignment::Plain));
            }
        }
    }

    /// Tells the nodes before a white node that is assigned what their unassigned options are
    /// tested for.
    fn test_others(&mut self, node: Node) {
        let goal = self.goals[node as usize];
        for k in (0..self.levels).filter(|&k| goal != Goal::Nimber(k)) {
            self.announce_loses(node, k);
        }
        if let Goal::Nimber(n) = goal {
            for i in 0..self.ordinary.row(node).len() {
                self.announce_won(self.ordinary.row(node)[i], n);
            }
            for i in 0..self.again.row(node).len() {
                let from = self.again.row(node)[i];
                if self.goals[from as usize] == goal {
                    self.one_less(from);
                }
            }
        }
    }

    /// Adds to D and P of the nodes before a node what it is assigned.
    fn add_to_others(&mut self, node: Node, assignment: Assignment) {
        let onto = self.chains.onto(node);
        for i in 0..self.digraph.predecessors(node).len() {
            let from = self.digraph.predecessors(node)[i];
            if self.digraph.is_gray(from) {
                self.next.push((from, assignment));
                continue;
            }
            let value = match onto {
                ChainMove::Ordinary(to) | ChainMove::Again(to) => self.goals[to as usize],
                _ => Goal::Never,
            };
            match (onto, assignment, value) {
                (ChainMove::Ordinary(_), Assignment::Plain, Goal::Nimber(n)) => self.add(from, n),
                (ChainMove::Again(_), Assignment::Plain, _) => {
                    let levels = (0..self.levels).filter(|&k| value != Goal::Nimber(k));
                    levels.for_each(|k| self.add(from, k));
                }
                // A new moon.
                (ChainMove::Wins | ChainMove::Again(_), Assignment::Absorbing, _) => {
                    self.next.push((from, Assignment::Absorbing));
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, node: Node, k: usize) {
        if self.is_assigned(node) || self.own.put(node as usize * self.levels + k) {
            return;
        }
        if matches!(self.goals[node as usize], Goal::Nimber(n) if k < n) {
            self.one_less(node);
        }
        if self.seen.is_empty() {
            return;
        }
        let mut nodes = vec![node];
        while let Some(node) = nodes.pop() {
            if self.is_assigned(node) || self.seen.put(node as usize * self.levels + k) {
                continue;
            }
            if matches!(self.goals[node as usize], Goal::Moon | Goal::FullMoon) {
                self.waits[node as usize] -= 1;
                if self.waits[node as usize] == 0 {
                    self.candidates.push(node);
                }
            }
            nodes.extend_from_slice(self.again.row(node));
        }
    }

    /// Assigns the moons of the next step. What is found to be a full moon in that step is none.
    fn find_moons(&mut self, pace: &mut Pace<'_>) -> Result<(), Interrupted> {
        self.next.sort_unstable_by_key(|&(node, _)| node);
        self.next.dedup();
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.retain(|&node| {
            let is_full = || self.next.binary_search_by_key(&node, |&(node, _)| node).is_ok();
            !self.is_assigned(node) && !is_full()
        });
        let found = self.has_everything(&candidates, pace)?;
        for (node, found) in candidates.into_iter().zip(found) {
            if found {
                self.next.push((node, Assignment::Plain));
            } else {
                self.candidates.push(node);
            }
        }
        Ok(())
    }

    /// Whether D ∪ P is everything, with what carry-on moves to unassigned nodes add in this step.
    fn has_everything(
        &mut self,
        nodes: &[Node],
        pace: &mut Pace<'_>,
    ) -> Result<Vec<bool>, Interrupted> {
        let mut reached: Vec<Node> = Vec::new();
        let mut found: Vec<Node> = nodes.to_vec();
        while let Some(node) = found.pop() {
            if self.is_assigned(node) || self.reached.put(node as usize) {
                continue;
            }
            pace.step()?;
            reached.push(node);
            found.extend(self.digraph.options(node).iter().filter_map(|&option| {
                match self.chains.onto(option) {
                    ChainMove::Again(to) => Some(to),
                    _ => None,
                }
            }));
        }
        for &start in &reached {
            for k in 0..self.levels {
                if !self.own.contains(start as usize * self.levels + k) {
                    continue;
                }
                let mut before = vec![start];
                while let Some(node) = before.pop() {
                    if !self.reached.contains(node as usize)
                        || self.present.put(node as usize * self.levels + k)
                    {
                        continue;
                    }
                    pace.step()?;
                    before.extend_from_slice(self.again.row(node));
                }
            }
        }
        let range = |node: Node| node as usize * self.levels..(node as usize + 1) * self.levels;
        let whole = |&node: &Node| self.present.contains_all_in_range(range(node));
        let answers = nodes.iter().map(whole).collect();
        for &node in &reached {
            self.present.set_range(range(node), false);
            self.reached.remove(node as usize);
        }
        Ok(answers)
    }

    fn one_less(&mut self, node: Node) {
        self.waits[node as usize] -= 1;
        if self.waits[node as usize] == 0 {
            self.next.push((node, Assignment::Plain));
        }
    }

    /// The mover wins beside *k by playing from `node` first: and so by carrying on to it.
    fn announce_won(&mut self, node: Node, k: usize) {
        let mut winners = vec![node];
        while let Some(node) = winners.pop() {
            if !self.won.put(node as usize * self.levels + k) {
                self.collect_losses(node, k, &mut winners);
            }
        }
    }

    /// A move to `node` loses beside *k.
    fn announce_loses(&mut self, node: Node, k: usize) {
        let mut winners = Vec::new();
        self.collect_losses(node, k, &mut winners);
        for node in winners {
            self.announce_won(node, k);
        }
    }

    fn collect_losses(&mut self, node: Node, k: usize, winners: &mut Vec<Node>) {
        if self.loses.put(node as usize * self.levels + k) {
            return;
        }
        for i in 0..self.ordinary.row(node).len() {
            let from = self.ordinary.row(node)[i];
            if self.goals[from as usize] == Goal::Nimber(k) {
                self.one_less(from);
            }
        }
        winners.extend_from_slice(self.again.row(node));
    }
}

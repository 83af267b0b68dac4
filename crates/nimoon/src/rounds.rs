//! The round in which each node is assigned, as in the papers' figures.
//!
//! The algorithms of the papers go in steps, each of which looks at all nodes at once and at
//! nothing but the values of the step before. Terminal white nodes are assigned in round 0. The
//! rounds here are those of the rules that nimoon uses (see [`carry_on`](crate::theory::carry_on)
//! for where these depart from print):
//!
//! - short and entailing theory: a node one round after the last of its options;
//! - cyclic and carry-on theory: a white node in the first round in which the values assigned
//!   before it justify its own, following carry-on moves through nodes without a value as far as
//!   they lead; a gray node one round after its option;
//! - nodes in cyclic zones never, and nothing in the general theory.
//!
//! The values being known, each node just counts the facts that it waits for, so the work is
//! proportional to arcs × (largest value + 2), not to the number of rounds.

use fixedbitset::FixedBitSet;

use crate::digraph::{Digraph, Node, Rows};
use crate::effort::{Effort, Interrupted};
use crate::labelling::Labelling;
use crate::theory::Theory;
use crate::theory::chains::{ChainMove, Chains};
use crate::value::{AnyValue, Value};

/// The round of each node; none where nothing is ever assigned.
///
/// ```
/// use nimoon::{Budget, Digraph, label, rounds::rounds};
/// // Smith's trap: 0 reverts through 1 to 2, which is terminal.
/// let trap = Digraph::new(3, [], vec![(0, 1), (1, 0), (1, 2)]).unwrap();
/// let labelling = label(&trap, None, Budget::DEFAULT).unwrap();
/// assert_eq!(rounds(&trap, &labelling), [Some(1), Some(2), Some(0)]);
/// ```
pub fn rounds(digraph: &Digraph, labelling: &Labelling) -> Vec<Option<u32>> {
    let found = try_rounds(digraph, labelling, &Effort::endless());
    found.unwrap_or_else(|_| unreachable!("nothing interrupts it"))
}

/// The same within limits: it takes two bits for each node and nimber.
///
/// # Errors
/// When the work is interrupted.
pub fn try_rounds(
    digraph: &Digraph,
    labelling: &Labelling,
    effort: &Effort,
) -> Result<Vec<Option<u32>>, Interrupted> {
    effort.check()?;
    Ok(match labelling.theory() {
        Theory::Short | Theory::Entailing => heights(digraph, labelling, effort)?,
        Theory::Cyclic | Theory::CarryOn => {
            let mut clock = Clock::new(digraph, labelling, effort)?;
            clock.run(effort)?;
            gray_rounds(digraph, labelling, clock.rounds)
        }
        Theory::General => vec![None; digraph.len()],
    })
}

fn heights(
    digraph: &Digraph,
    labelling: &Labelling,
    effort: &Effort,
) -> Result<Vec<Option<u32>>, Interrupted> {
    let mut pace = effort.pace();
    let mut rounds = vec![None; digraph.len()];
    for &node in labelling.order() {
        pace.step()?;
        let last = digraph.options(node).iter().filter_map(|&option| rounds[option as usize]).max();
        rounds[node as usize] = Some(last.map_or(0, |last: u32| last + 1));
    }
    Ok(rounds)
}

fn gray_rounds(
    digraph: &Digraph,
    labelling: &Labelling,
    mut rounds: Vec<Option<u32>>,
) -> Vec<Option<u32>> {
    let mut path = Vec::new();
    for start in digraph.gray_nodes().filter(|&gray| labelling.cover(gray).is_some()) {
        let mut node = start;
        while digraph.is_gray(node) && rounds[node as usize].is_none() {
            path.push(node);
            match digraph.options(node).first() {
                Some(&option) => node = option,
                None => break,
            }
        }
        while let Some(gray) = path.pop() {
            let option = digraph.options(gray).first();
            rounds[gray as usize] =
                Some(option.and_then(|&o| rounds[o as usize]).map_or(0, |round| round + 1));
        }
    }
    rounds
}

/// A white node's goal.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    Nimber(usize),
    Moon,
    FullMoon,
    Never,
}

/// Replays the assignments in rounds.
struct Clock {
    ordinary: Rows,
    again: Rows,
    goals: Vec<Goal>,
    /// How many facts each node still waits for.
    waits: Vec<usize>,
    rounds: Vec<Option<u32>>,
    /// One more than the largest nimber, which stands for all larger ones, and one more.
    levels: usize,
    /// At node × levels + k: the mover is known to win beside *k from the node first.
    won: FixedBitSet,
    /// At node × levels + k: a move to the node is known to lose beside *k.
    loses: FixedBitSet,
    next: Vec<Node>,
}

impl Clock {
    fn new(digraph: &Digraph, labelling: &Labelling, effort: &Effort) -> Result<Self, Interrupted> {
        let chains = Chains::new(digraph);
        let goals: Vec<Goal> = digraph
            .nodes()
            .map(|node| match labelling.value(node) {
                Some(AnyValue::CarryOn(Value::Nimber(n))) => Goal::Nimber(n as usize),
                Some(AnyValue::CarryOn(Value::Moon(_))) => Goal::Moon,
                Some(AnyValue::CarryOn(Value::FullMoon)) => Goal::FullMoon,
                _ => Goal::Never,
            })
            .collect();
        let largest = goals.iter().filter_map(|goal| match goal {
            Goal::Nimber(n) => Some(*n),
            _ => None,
        });
        let levels = largest.max().map_or(0, |largest| largest + 1) + 1;
        effort.hold((digraph.len() as u64).saturating_mul(levels as u64) / 4)?;
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
        let mut waits = vec![0; digraph.len()];
        let mut rounds = vec![None; digraph.len()];
        let mut next = Vec::new();
        for node in digraph.nodes().filter(|&node| !digraph.is_gray(node)) {
            let options = digraph.options(node).iter().map(|&option| chains.onto(option));
            match goals[node as usize] {
                Goal::Nimber(n) => {
                    let moves = options.filter(|onto| *onto != ChainMove::Loses).count();
                    waits[node as usize] = n + moves;
                    if digraph.options(node).is_empty() {
                        rounds[node as usize] = Some(0);
                    } else if waits[node as usize] == 0 {
                        next.push(node);
                    }
                }
                Goal::Moon => waits[node as usize] = levels,
                Goal::FullMoon if options.clone().any(|onto| onto == ChainMove::Wins) => {
                    next.push(node);
                }
                Goal::FullMoon | Goal::Never => {}
            }
        }
        let facts = FixedBitSet::with_capacity(digraph.len() * levels);
        let (ordinary, again) = (rows(false), rows(true));
        let (won, loses) = (facts.clone(), facts);
        Ok(Self { ordinary, again, goals, waits, rounds, levels, won, loses, next })
    }

    fn run(&mut self, effort: &Effort) -> Result<(), Interrupted> {
        let mut pace = effort.pace();
        let mut assigned: Vec<Node> =
            (0..self.rounds.len() as Node).filter(|&v| self.rounds[v as usize].is_some()).collect();
        let mut round = 0;
        while !assigned.is_empty() || !self.next.is_empty() {
            for node in std::mem::take(&mut assigned) {
                // A node is told of at every level.
                for _ in 0..=self.levels / 64 {
                    pace.step()?;
                }
                self.assigned(node);
            }
            round += 1;
            for node in std::mem::take(&mut self.next) {
                if self.rounds[node as usize].is_none() {
                    self.rounds[node as usize] = Some(round);
                    assigned.push(node);
                }
            }
        }
        Ok(())
    }

    /// Tells everyone concerned that a node has its value.
    fn assigned(&mut self, node: Node) {
        let goal = self.goals[node as usize];
        for k in 0..self.levels {
            if goal != Goal::Nimber(k) {
                self.tell_loses(node, k);
            }
        }
        if let Goal::Nimber(n) = goal {
            for i in 0..self.ordinary.row(node).len() {
                let from = self.ordinary.row(node)[i];
                self.tell_won(from, n);
            }
        }
        for i in 0..self.again.row(node).len() {
            let from = self.again.row(node)[i];
            match self.goals[from as usize] {
                Goal::Nimber(_) => self.one_less(from),
                Goal::FullMoon if goal == Goal::FullMoon => self.next.push(from),
                _ => {}
            }
        }
    }

    fn one_less(&mut self, node: Node) {
        self.waits[node as usize] -= 1;
        if self.waits[node as usize] == 0 {
            self.next.push(node);
        }
    }

    /// The mover wins beside *k by playing from `node` first: and so by carrying on to it.
    fn tell_won(&mut self, node: Node, k: usize) {
        let mut winners = vec![node];
        while let Some(node) = winners.pop() {
            if self.won.put(node as usize * self.levels + k) {
                continue;
            }
            match self.goals[node as usize] {
                Goal::Nimber(n) if k < n => self.one_less(node),
                Goal::Moon => self.one_less(node),
                _ => {}
            }
            self.collect_losses(node, k, &mut winners);
        }
    }

    /// A move to `node` loses beside *k.
    fn tell_loses(&mut self, node: Node, k: usize) {
        let mut winners = Vec::new();
        self.collect_losses(node, k, &mut winners);
        for node in winners {
            self.tell_won(node, k);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, label};

    #[test]
    fn gray_nodes_come_one_round_after_their_option() {
        // 0; gray 1 → 0; 2 → 0, 1; gray 3, terminal; 4 → 3; 5 → 5.
        let arcs = vec![(1, 0), (2, 0), (2, 1), (4, 3), (5, 5)];
        let digraph = Digraph::new(6, [1, 3], arcs).unwrap();
        let labelling = label(&digraph, None, Budget::DEFAULT).unwrap();
        let expected = [Some(0), Some(1), Some(1), Some(0), Some(1), None];
        assert_eq!(rounds(&digraph, &labelling), expected);
    }
}

//! A proof, label by label, that a labelling under the carry-on theory is right.
//!
//! With gray chains collapsed and full moons found, there are ordinary moves x → y and carry-on moves
//! x ↻ y between the other white nodes. Given the nodes with nimbers in an order, let the *time* of a
//! node be its place. Then W(x, k), "the mover wins x + *k by playing in x first", has the time of the
//! earliest node z from which it follows: x → z of value k, x ↻ z of a value below k, or x ↻ y with
//! W(y, k) from z. The labels are right if
//!
//! - each node x of value k has W(x, j) for all j < k, and W(y, k) or an option y of lower value for
//!   each x → y that is no full moon, and value k for each x ↻ y, all of them earlier than x;
//! - no node without a value could be added at the end of the order by the same rule;
//! - moons are the nodes with W(x, k) for all k, up to one more than the largest value;
//! - forced values are those that carry-on moves reach, and exits of the others those that an
//!   ordinary move after carry-on moves reaches.
//!
//! Nothing of the code that labels is used.

use nimoon::{AnyValue, Digraph, Label, Labelling, Node, Value};
use thiserror::Error;

/// What is wrong with a labelling.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(crate) enum Defect {
    #[error("the order lists node {0} twice, or it has no nimber, or leaves it out")]
    Order(Node),
    #[error("the nimber of node {0} is not justified by earlier ones")]
    Unjustified(Node),
    #[error("node {0} has no nimber, but the rules give it one")]
    Assignable(Node),
    #[error("node {0} is no nimber, and its label is not the one that the rules give")]
    Label(Node),
}

/// What a move to a node amounts to.
#[derive(Clone, Copy)]
enum Way {
    Ordinary(Node),
    Again(Node),
    Wins,
    Loses,
    Endless,
}

/// Never.
const NEVER: u32 = u32::MAX;

struct Board<'a> {
    digraph: &'a Digraph,
    labelling: &'a Labelling,
    /// What the moves of each white node amount to, and by carry-on moves from where.
    ways: Vec<Vec<Way>>,
    carried_from: Vec<Vec<Node>>,
    full_moons: Vec<bool>,
    times: Vec<u32>,
}

fn way(digraph: &Digraph, option: Node) -> Way {
    let (mut node, mut gray) = (option, 0_usize);
    while digraph.is_gray(node) {
        gray += 1;
        match digraph.options(node).first() {
            None if gray % 2 == 1 => return Way::Wins,
            None => return Way::Loses,
            Some(_) if gray > 1000 && gray > digraph.len() => return Way::Endless,
            Some(&next) => node = next,
        }
    }
    if gray % 2 == 1 { Way::Again(node) } else { Way::Ordinary(node) }
}

impl<'a> Board<'a> {
    fn new(digraph: &'a Digraph, labelling: &'a Labelling) -> Result<Self, Defect> {
        let len = digraph.len();
        let mut ways = vec![Vec::new(); len];
        let mut carried_from = vec![Vec::new(); len];
        let mut full_moons = vec![false; len];
        let mut found = Vec::new();
        for node in digraph.nodes().filter(|&node| !digraph.is_gray(node)) {
            for &option in digraph.options(node) {
                let way = way(digraph, option);
                ways[node as usize].push(way);
                match way {
                    Way::Again(to) => carried_from[to as usize].push(node),
                    Way::Wins => found.push(node),
                    _ => {}
                }
            }
        }
        while let Some(node) = found.pop() {
            if !std::mem::replace(&mut full_moons[node as usize], true) {
                found.extend(&carried_from[node as usize]);
            }
        }
        let mut times = vec![NEVER; len];
        for (time, &node) in (0..).zip(labelling.order()) {
            if labelling.nimber(node).is_none() || times[node as usize] != NEVER {
                return Err(Defect::Order(node));
            }
            times[node as usize] = time;
        }
        let left_out =
            |node: &Node| (labelling.nimber(*node).is_some()) != (times[*node as usize] != NEVER);
        if let Some(node) = digraph.nodes().find(left_out) {
            return Err(Defect::Order(node));
        }
        Ok(Self { digraph, labelling, ways, carried_from, full_moons, times })
    }

    fn value(&self, node: Node) -> Option<u64> {
        self.labelling.nimber(node)
    }

    fn is_labelled(&self, node: Node) -> bool {
        !self.digraph.is_gray(node) && !self.full_moons[node as usize]
    }

    /// The earliest time at which each node is reached from `seeds` along carry-on moves backwards.
    fn spread(&self, mut seeds: Vec<(u32, Node)>) -> Vec<u32> {
        let mut times = vec![NEVER; self.times.len()];
        seeds.sort_unstable();
        let mut path = Vec::new();
        for (time, seed) in seeds {
            path.push(seed);
            while let Some(node) = path.pop() {
                if times[node as usize] == NEVER && self.is_labelled(node) {
                    times[node as usize] = time;
                    path.extend(&self.carried_from[node as usize]);
                }
            }
        }
        times
    }

    /// The time of W(x, k) for each x.
    fn wins(&self, k: u64) -> Vec<u32> {
        let mut seeds = Vec::new();
        for node in self.digraph.nodes() {
            for way in &self.ways[node as usize] {
                match *way {
                    Way::Ordinary(to) if self.value(to) == Some(k) => {
                        seeds.push((self.times[to as usize], node));
                    }
                    Way::Again(to) if self.value(to).is_some_and(|j| j < k) => {
                        seeds.push((self.times[to as usize], node));
                    }
                    _ => {}
                }
            }
        }
        self.spread(seeds)
    }

    /// Whether every move of a node loses against `k` for reasons that are earlier than `time`.
    fn all_lose(&self, node: Node, k: u64, wins: &[u32], time: u32) -> bool {
        self.ways[node as usize].iter().all(|way| match *way {
            Way::Ordinary(to) => {
                self.full_moons[to as usize]
                    || wins[to as usize] < time
                    || self.times[to as usize] < time && self.value(to).is_some_and(|j| j < k)
            }
            Way::Again(to) => self.times[to as usize] < time && self.value(to) == Some(k),
            Way::Loses => true,
            Way::Wins | Way::Endless => false,
        })
    }
}

/// Checks every label of a white node.
pub(crate) fn check(digraph: &Digraph, labelling: &Labelling) -> Result<(), Defect> {
    let board = Board::new(digraph, labelling)?;
    let levels = digraph.nodes().filter_map(|node| labelling.nimber(node)).max();
    let levels = levels.map_or(0, |largest| largest + 1);
    let labelled: Vec<Node> = digraph.nodes().filter(|&node| board.is_labelled(node)).collect();
    // For each node the last time of W(x, j) for the levels so far, and its reachable numbers.
    let mut won = vec![0_u32; digraph.len()];
    let mut forced: Vec<Vec<u64>> = vec![Vec::new(); digraph.len()];
    let mut direct: Vec<Vec<u64>> = vec![Vec::new(); digraph.len()];
    for k in 0..=levels {
        let wins = board.wins(k);
        for &node in &labelled {
            let time = board.times[node as usize];
            match board.value(node) {
                Some(n) if n == k => {
                    let earlier = k == 0 || won[node as usize] < time;
                    if !earlier || !board.all_lose(node, k, &wins, time) {
                        return Err(Defect::Unjustified(node));
                    }
                }
                Some(_) => {}
                None => {
                    let earlier = k == 0 || won[node as usize] != NEVER;
                    if earlier && board.all_lose(node, k, &wins, NEVER) {
                        return Err(Defect::Assignable(node));
                    }
                }
            }
        }
        for &node in &labelled {
            won[node as usize] = won[node as usize].max(wins[node as usize]);
        }
        for (sets, carried) in [(&mut forced, true), (&mut direct, false)] {
            let leads = |way: &Way| match *way {
                Way::Again(to) => carried && board.value(to) == Some(k),
                Way::Ordinary(to) => !carried && board.value(to) == Some(k),
                _ => false,
            };
            let seeds =
                labelled.iter().filter(|&&node| board.ways[node as usize].iter().any(leads));
            let reached = board.spread(seeds.map(|&node| (0, node)).collect());
            for &node in labelled.iter().filter(|&&node| reached[node as usize] != NEVER) {
                sets[node as usize].push(k);
            }
        }
    }
    for node in digraph.nodes().filter(|&node| !digraph.is_gray(node)) {
        let (forced, direct) = (&forced[node as usize], &direct[node as usize]);
        let Label::White(AnyValue::CarryOn(value)) = labelling.label(node) else {
            return Err(Defect::Label(node));
        };
        let is_full = board.full_moons[node as usize];
        let is_moon = !is_full && won[node as usize] != NEVER;
        let right = match value {
            Value::Nimber(_) => !is_full,
            Value::FullMoon => is_full,
            Value::Moon(set) => is_moon && set.as_slice() == forced,
            Value::Ninny(f) => !is_full && !is_moon && forced[..] == [f],
            Value::Cyclic(set) => {
                !is_full && !is_moon && forced.is_empty() && set.as_slice() == direct
            }
        };
        if !right {
            return Err(Defect::Label(node));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimoon::{Budget, Theory, label};

    /// z; gray g → z; c → c, g; gray h → c; x → z, h; y → x; and u → u, z.
    fn digraph(with_g: bool) -> Digraph {
        let mut arcs = vec![(1, 0), (2, 2), (3, 2), (4, 0), (4, 3), (5, 4), (6, 6), (6, 0)];
        if with_g {
            arcs.push((2, 1));
        }
        Digraph::new(7, [1, 3], arcs).unwrap()
    }

    #[test]
    fn right_labels_pass_and_those_of_another_digraph_do_not() {
        let labelled = |with_g| {
            label(&digraph(with_g), Some(Theory::CarryOn), Budget::DEFAULT).expect("it fits")
        };
        assert_eq!(check(&digraph(true), &labelled(true)), Ok(()));
        assert_eq!(check(&digraph(false), &labelled(false)), Ok(()));
        assert!(check(&digraph(true), &labelled(false)).is_err());
        assert!(check(&digraph(false), &labelled(true)).is_err());
    }
}

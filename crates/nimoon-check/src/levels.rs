//! Labels of the carry-on theory, and so of the cyclic one.
//!
//! From a gray node with one option play is forced. So a move of a white node x onto a chain of
//! gray nodes is one of: an ordinary move x → y, a carry-on move x ↻ y (the same player moves
//! again), an immediate win or loss, or a move into a cycle of gray nodes. x is a *full moon* if it
//! has an immediate win, or x ↻ y with y a full moon: its mover wins whatever else is on the board,
//! and a move *to* it loses. For the other white nodes there are two kinds of facts:
//!
//! 1. W(x, k) if x → y and V(y, k);
//! 2. W(x, k) if x ↻ y and V(y, j) for some j < k;
//! 3. W(x, k) if x ↻ y and W(y, k);
//! 4. V(x, k) if W(x, j) for all j < k; and for each x → y, y is a full moon, or V(y, j) for some
//!    j < k, or W(y, k); and for each x ↻ y, V(y, k); and x has no move into a cycle of gray nodes.
//!
//! **Facts are true.** By induction in the order in which they are derived, V(x, k) says that the
//! previous player wins x + *k, and W(x, k) that the next one does by moving in x first: each rule
//! names an answer to every move, by earlier facts, so play ends.
//!
//! **Without a fact there is no win.** Let the facts be closed: no rule gives another one. Call x +
//! *k *won* if W(x, k), V(x, j) for some j < k, or x is a full moon; *lost* if V(x, k). From a
//! position that is neither, no move leads to a lost position, or it would be won; and some move
//! leads to a position that is neither, or it would be lost. So nobody can force an end, and the
//! facts give the outcome of every node beside every nim-heap.
//!
//! **What is checked.** The certificate lists the nodes with nimbers in an order. The *time* of a
//! node is its place, and the time of W(x, k) is the earliest from which it follows. Each node x of
//! value k must follow by rule 4 from facts of lower levels, and from those of level k that have
//! earlier times. Facts of a level depend on lower levels and on their own, so by induction over
//! the level and then the time all nimbers are facts. At the end of the order no other node may
//! follow, up to one level K above the largest nimber. That is enough: in K rule 1 gives nothing,
//! so W(x, K) holds where carry-on moves reach a node of value below K. If later levels had values,
//! let x be the first node with one, of value L: by rule 4 W(x, K), so x ↻ y for some y, and V(y,
//! L) was there before. By the same argument, W(x, k) for all k ≥ K is W(x, K). So a node that has
//! won levels 0 to K wins beside every heap: these are the moons.
//!
//! F(x), the values to which the mover can force the opponent, and D(x), the values for which the
//! mover can leave x, are reachability by carry-on moves. How nodes with these labels add is
//! [ACLNSS, Thm 2.4, Thm 2.5].
//!
//! Cost: arcs × (largest nimber + 2).

use crate::format::{Digraph, Label, Set, Value, no_node};
use crate::watch::{Unproved, Watch};

/// The effect of a move onto a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Ordinary(u32),
    Again(u32),
    Wins,
    Loses,
    Endless,
}

impl Way {
    /// The effect of a move onto a gray node with this option.
    fn reversed(self) -> Self {
        match self {
            Self::Ordinary(to) => Self::Again(to),
            Self::Again(to) => Self::Ordinary(to),
            Self::Wins => Self::Loses,
            Self::Loses => Self::Wins,
            Self::Endless => Self::Endless,
        }
    }
}

/// The effect of a move onto each node; gray nodes must have at most one option.
pub(crate) fn ways(digraph: &Digraph, watch: &Watch) -> Result<Vec<Way>, Unproved> {
    watch.hold(digraph.len().saturating_mul(size_of::<Option<Way>>()))?;
    let mut ways: Vec<Option<Way>> = Vec::with_capacity(digraph.len());
    ways.extend(digraph.nodes().map(|v| (!digraph.is_gray(v)).then_some(Way::Ordinary(v))));
    let mut chain = Vec::new();
    for start in digraph.nodes() {
        watch.step(1)?;
        let mut node = start;
        while ways[node as usize].is_none() {
            watch.step(1)?;
            // If the chain comes back here, it is a cycle.
            ways[node as usize] = Some(Way::Endless);
            chain.push(node);
            match *digraph.options.row(node) {
                [to] => node = to,
                [] => {
                    ways[node as usize] = Some(Way::Wins);
                    chain.pop();
                }
                _ => return Err(digraph.reject("options", node, "gray, with several options")),
            }
        }
        let mut way = ways[node as usize].unwrap_or(Way::Endless);
        while let Some(gray) = chain.pop() {
            way = way.reversed();
            ways[gray as usize] = Some(way);
        }
    }
    Ok(ways.into_iter().map(|way| way.unwrap_or(Way::Endless)).collect())
}

const NEVER: u32 = u32::MAX;

struct Board<'a> {
    digraph: &'a Digraph,
    watch: &'a Watch<'a>,
    ways: Vec<Way>,
    /// The nimber of each node.
    nimbers: Vec<Option<u64>>,
    /// The nodes from which carry-on moves lead to y: `before[starts[y]..starts[y + 1]]`.
    starts: Vec<usize>,
    before: Vec<u32>,
    full_moons: Vec<bool>,
    times: Vec<u32>,
}

/// Checks the labels of all nodes; `order` lists those with nimbers.
///
/// # Errors
/// The first label that is wrong, or not proved by the order.
pub(crate) fn check(
    digraph: &Digraph,
    labels: &[Label],
    order: &[u32],
    watch: &Watch,
) -> Result<(), Unproved> {
    let board = Board::new(digraph, labels, order, watch)?;
    let (won, forced, direct) = board.check_levels()?;
    for node in digraph.nodes() {
        let at = node as usize;
        watch.step(1 + forced[at].len() + direct[at].len())?;
        let is_full = board.full_moons[at];
        // Gray nodes and full moons have no facts: they won no level and force no value.
        let is_moon = won[at] != NEVER;
        let right = match (digraph.is_gray(node), &labels[at]) {
            (true, label) => *label == board.cover(node, labels),
            (false, Label::White(value)) => match value {
                Value::Nimber(_) => !is_full,
                Value::FullMoon => is_full,
                Value::Moon(set) => is_moon && set.as_ref() == Some(&forced[at]),
                Value::Ninny(f) => !is_moon && forced[at] == [*f],
                // It cannot be a moon: beside the largest heap a moon wins by a carry-on move, so
                // it forces some value.
                Value::Cyclic(set) => !is_full && forced[at].is_empty() && *set == direct[at],
            },
            (false, _) => false,
        };
        if !right {
            return Err(digraph.reject("values", node, "the rules give another label"));
        }
    }
    Ok(())
}

type Reached = (Vec<u32>, Vec<Vec<u64>>, Vec<Vec<u64>>);

impl<'a> Board<'a> {
    fn new(
        digraph: &'a Digraph,
        labels: &[Label],
        order: &[u32],
        watch: &'a Watch,
    ) -> Result<Self, Unproved> {
        /// The bytes of a node in the lists of a board, and of a carry-on move.
        const EACH: [usize; 2] =
            [size_of::<(Option<u64>, [usize; 2], bool, u32)>(), size_of::<u32>()];
        watch.hold(digraph.len().saturating_mul(EACH[0]))?;
        let ways = ways(digraph, watch)?;
        let nimbers: Vec<Option<u64>> = labels
            .iter()
            .map(|label| match label {
                Label::White(Value::Nimber(n)) => Some(*n),
                _ => None,
            })
            .collect();
        let mut starts = vec![0_usize; digraph.len() + 1];
        let again = |node: u32| {
            let white = !digraph.is_gray(node);
            let options = digraph.options.row(node).iter().filter(move |_| white);
            options.filter_map(|&option| match ways[option as usize] {
                Way::Again(to) => Some(to),
                _ => None,
            })
        };
        for node in digraph.nodes() {
            watch.step(1 + digraph.options.row(node).len())?;
            again(node).for_each(|to| starts[to as usize + 1] += 1);
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut free = starts.clone();
        watch.hold(starts[digraph.len()].saturating_mul(EACH[1]))?;
        let mut before = vec![0; starts[digraph.len()]];
        for node in digraph.nodes() {
            watch.step(1 + digraph.options.row(node).len())?;
            for to in again(node) {
                before[free[to as usize]] = node;
                free[to as usize] += 1;
            }
        }
        let mut times = vec![NEVER; digraph.len()];
        for (time, &node) in (0..).zip(order) {
            watch.step(1)?;
            let at = format!("order[{time}]");
            match times.get_mut(node as usize) {
                None => return Err(no_node(at, node)),
                // The time of a node without a nimber is never used.
                Some(place) if *place == NEVER => *place = time,
                // The later time would do too. But this way there are at most as many times as
                // nodes, and none is NEVER.
                Some(_) => return Err(Unproved::wrong(at, "listed twice")),
            }
        }
        for node in digraph.nodes() {
            if nimbers[node as usize].is_some() && times[node as usize] == NEVER {
                return Err(digraph.reject("values", node, "a nimber that the order leaves out"));
            }
        }
        let full_moons = vec![false; digraph.len()];
        let mut board = Self { digraph, watch, ways, nimbers, starts, before, full_moons, times };
        let mut found: Vec<u32> =
            digraph.nodes().filter(|&node| board.moves(node).any(|way| way == Way::Wins)).collect();
        while let Some(node) = found.pop() {
            if !std::mem::replace(&mut board.full_moons[node as usize], true) {
                watch.step(1 + board.carried_from(node).len())?;
                found.extend(board.carried_from(node));
            }
        }
        Ok(board)
    }

    fn carried_from(&self, node: u32) -> &[u32] {
        &self.before[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    /// The effects of the moves of a white node.
    fn moves(&self, node: u32) -> impl Iterator<Item = Way> {
        let white = !self.digraph.is_gray(node);
        let options = self.digraph.options.row(node).iter().filter(move |_| white);
        options.map(|&option| self.ways[option as usize])
    }

    /// Counts a visit to all moves of a node.
    fn visit(&self, node: u32) -> Result<(), Unproved> {
        self.watch.step(1 + self.digraph.options.row(node).len())
    }

    fn has_facts(&self, node: u32) -> bool {
        !self.digraph.is_gray(node) && !self.full_moons[node as usize]
    }

    /// The earliest time at which each node is reached from `seeds` along carry-on moves backwards.
    fn spread(&self, mut seeds: Vec<(u32, u32)>) -> Result<Vec<u32>, Unproved> {
        let mut times = vec![NEVER; self.digraph.len()];
        seeds.sort_unstable();
        let mut path = Vec::new();
        for (time, seed) in seeds {
            path.push(seed);
            while let Some(node) = path.pop() {
                if times[node as usize] == NEVER && self.has_facts(node) {
                    self.watch.step(1 + self.carried_from(node).len())?;
                    times[node as usize] = time;
                    path.extend(self.carried_from(node));
                }
            }
        }
        Ok(times)
    }

    /// The time of W(x, k) for each x, by rules 1 to 3.
    fn wins(&self, k: u64) -> Result<Vec<u32>, Unproved> {
        let mut seeds = Vec::new();
        for node in self.digraph.nodes() {
            self.visit(node)?;
            let leads = |way| match way {
                Way::Ordinary(to) if self.nimbers[to as usize] == Some(k) => Some(to),
                Way::Again(to) if self.nimbers[to as usize].is_some_and(|j| j < k) => Some(to),
                _ => None,
            };
            let earliest = self.moves(node).filter_map(leads).map(|to| self.times[to as usize]);
            seeds.extend(earliest.min().map(|time| (time, node)));
        }
        self.spread(seeds)
    }

    /// Whether every move of a node loses beside *k, by facts of lower levels, or of this level
    /// before `time`.
    fn all_lose(&self, node: u32, k: u64, wins: &[u32], time: u32) -> bool {
        self.moves(node).all(|way| match way {
            Way::Ordinary(to) => {
                let to = to as usize;
                self.full_moons[to] || wins[to] < time || self.nimbers[to].is_some_and(|j| j < k)
            }
            Way::Again(to) => {
                self.times[to as usize] < time && self.nimbers[to as usize] == Some(k)
            }
            Way::Loses => true,
            Way::Wins | Way::Endless => false,
        })
    }

    /// Checks all nimbers, and that no other node gets one. Returns for each node a time at which
    /// it has won all levels, F and D.
    fn check_levels(&self) -> Result<Reached, Unproved> {
        /// The bytes of a node: when it won, two sets, and for one level the times and a seed.
        const EACH: usize = size_of::<([u32; 3], [Vec<u64>; 2], (u32, u32))>();
        let len = self.digraph.len();
        // Every smaller value must have a node. The check would find this anyway, but only after
        // all levels up to the largest nimber, each of which visits all nodes.
        let mut counts: Vec<u32> = Vec::new();
        for node in self.digraph.nodes() {
            let Some(n) = self.nimbers[node as usize] else { continue };
            let n = usize::try_from(n).ok().filter(|&n| n < len);
            let n = n.ok_or_else(|| self.digraph.reject("values", node, "too large a nimber"))?;
            counts.resize(counts.len().max(n + 1), 0);
            counts[n] += 1;
        }
        if let Some(level) = counts.iter().position(|&count| count == 0) {
            let reason = format!("there are nimbers above {level}, but no node has {level}");
            return Err(Unproved::wrong("values", reason));
        }
        self.watch.hold(len.saturating_mul(EACH))?;
        let mut won = vec![0_u32; len];
        let mut forced = vec![Vec::new(); len];
        let mut direct = vec![Vec::new(); len];
        for k in 0..=counts.len() as u64 {
            let wins = self.wins(k)?;
            for node in self.digraph.nodes().filter(|&node| self.has_facts(node)) {
                self.visit(node)?;
                let (time, before) = (self.times[node as usize], won[node as usize]);
                let reject = |reason| Err(self.digraph.reject("values", node, reason));
                match self.nimbers[node as usize] {
                    Some(n)
                        if n == k && (before == NEVER || !self.all_lose(node, k, &wins, time)) =>
                    {
                        return reject("the nimber does not follow from nodes before it");
                    }
                    None if before != NEVER && self.all_lose(node, k, &wins, NEVER) => {
                        return reject("the certificate gives no nimber, but the rules give one");
                    }
                    _ => {}
                }
            }
            for (sets, carried) in [(&mut forced, true), (&mut direct, false)] {
                let leads = |way| match way {
                    Way::Again(to) => carried && self.nimbers[to as usize] == Some(k),
                    Way::Ordinary(to) => !carried && self.nimbers[to as usize] == Some(k),
                    _ => false,
                };
                let mut seeds = Vec::new();
                for node in self.digraph.nodes() {
                    self.visit(node)?;
                    if self.moves(node).any(leads) {
                        seeds.push((0, node));
                    }
                }
                let reached = self.spread(seeds)?;
                let mut added = 0;
                for (at, set) in sets.iter_mut().enumerate() {
                    if reached[at] != NEVER && self.nimbers[at].is_none() {
                        set.push(k);
                        added += 1;
                    }
                }
                self.watch.hold(added * size_of::<u64>())?;
            }
            won.iter_mut().zip(&wins).for_each(|(won, &wins)| *won = (*won).max(wins));
        }
        Ok((won, forced, direct))
    }

    /// The cover of a gray node, by the label of the white node at the end of its chain.
    fn cover(&self, gray: u32, labels: &[Label]) -> Label {
        let end = |to: u32, stays: bool| match &labels[to as usize] {
            Label::White(Value::Nimber(n)) if stays => Label::Covers(Set::only(vec![*n])),
            Label::White(Value::Nimber(n)) => Label::Covers(Set::all_except(vec![*n])),
            Label::White(Value::FullMoon) if stays => Label::FullMoon,
            Label::White(Value::FullMoon) => Label::NewMoon,
            Label::White(Value::Moon(_)) if stays => Label::Covers(Set::only(Vec::new())),
            Label::White(Value::Moon(_)) => Label::Covers(Set::all_except(Vec::new())),
            _ => Label::Nothing,
        };
        // From the view of the player who moved onto the gray node.
        match self.ways[gray as usize] {
            Way::Ordinary(to) => end(to, true),
            Way::Again(to) => end(to, false),
            Way::Wins => Label::NewMoon,
            Way::Loses => Label::FullMoon,
            Way::Endless => Label::Nothing,
        }
    }
}

//! The plain implementation: whole graphs, and sweeps over everything until nothing changes.
//!
//! - A sum is built as a whole product graph, and simplified afterwards.
//! - All pairs of vertices are compared at once, by Algorithm 1 for stoppers and the passes of
//!   Algorithm 3 for others, without counters and without links to earlier states.
//! - Dominated and reversible options [Siegel2009, Def. 14] are removed, one vertex after the
//!   other, until there are none. In a graph without alternating cycles, equal vertices are then
//!   merged. In any other graph two equal vertices are fused, if the walks between them allow it,
//!   and so on.
//!
//! It shares only the type of graphs with the engine.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use nimoon::{
    partizan::{Graph, GraphError, Vertex},
    player::Player,
};

const LEFT: usize = 0;
const RIGHT: usize = 1;

/// Options that were bypassed, after their vertex and the player.
type Bypassed = HashSet<(usize, usize, usize)>;

/// A graph as the lists of Left's and Right's options of each vertex, and the start of the game.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    options: Vec<[Vec<usize>; 2]>,
    start: usize,
}

impl Plain {
    /// Everything that can be reached from a start.
    pub(super) fn explored<P: Clone + Eq + Hash>(
        start: P,
        mut options: impl FnMut(&P, Player) -> Vec<P>,
    ) -> Self {
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut met = vec![start];
        let mut lists = Vec::new();
        while let Some(position) = met.get(lists.len()).cloned() {
            lists.push(Player::BOTH.map(|player| {
                let mut list = Vec::new();
                for option in options(&position, player) {
                    let number = *numbers.entry(option.clone()).or_insert(met.len());
                    if number == met.len() {
                        met.push(option);
                    }
                    if !list.contains(&number) {
                        list.push(number);
                    }
                }
                list
            }));
        }
        Self { options: lists, start: 0 }
    }

    /// The part of a graph that can be reached from a vertex.
    pub(super) fn of(graph: &Graph, start: Vertex) -> Self {
        Self::explored(start, |&vertex, player| graph.options(vertex, player).to_vec())
    }

    /// The same graph.
    pub(super) fn graph(&self) -> Result<Graph, GraphError> {
        let edges = |side: usize| {
            let lists = self.options.iter().enumerate();
            lists.flat_map(move |(from, both)| {
                both[side].iter().map(move |&to| (from as Vertex, to as Vertex))
            })
        };
        Graph::new(self.len(), edges(LEFT), edges(RIGHT))
    }

    pub(super) fn len(&self) -> usize {
        self.options.len()
    }

    pub(super) fn negative(&self) -> Self {
        let options = self.options.iter().map(|[left, right]| [right.clone(), left.clone()]);
        Self { options: options.collect(), start: self.start }
    }

    /// The product graph of a sum: all pairs of vertices.
    pub(super) fn product(&self, other: &Self) -> Self {
        let width = other.len();
        let pairs = (0..self.len()).flat_map(|a| (0..width).map(move |b| (a, b)));
        let options = pairs.map(|(a, b)| {
            [LEFT, RIGHT].map(|side: usize| {
                let first = self.options[a][side].iter().map(|to| to * width + b);
                let second = other.options[b][side].iter().map(|to| a * width + to);
                let mut list: Vec<usize> = first.chain(second).collect();
                list.sort_unstable();
                list.dedup();
                list
            })
        });
        Self { options: options.collect(), start: self.start * width + other.start }
    }

    /// The part that can be reached from the start, which becomes vertex 0.
    fn reachable(&self) -> Self {
        Self::explored(self.start, |&vertex, player| {
            self.options[vertex][usize::from(player == Player::Right)].clone()
        })
    }

    /// Whether no play with alternating moves is endless: sweeps drop the states from which it must
    /// end.
    fn is_stopper(&self) -> bool {
        let mut endless = vec![[true; 2]; self.len()];
        loop {
            let mut changed = false;
            for vertex in 0..self.len() {
                for side in [LEFT, RIGHT] {
                    if endless[vertex][side]
                        && !self.options[vertex][side].iter().any(|&to| endless[to][1 - side])
                    {
                        endless[vertex][side] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return !endless.iter().any(|both| both[LEFT] || both[RIGHT]);
            }
        }
    }

    /// The states that alternating walks of at least one step reach from a state.
    fn walks(&self, from: usize, first: usize) -> HashSet<(usize, usize)> {
        let mut reached = HashSet::new();
        let mut waiting = vec![(from, first)];
        while let Some((vertex, side)) = waiting.pop() {
            for &to in &self.options[vertex][side] {
                if reached.insert((to, 1 - side)) {
                    waiting.push((to, 1 - side));
                }
            }
        }
        reached
    }

    /// The start and all its followers, in order.
    fn followers(&self) -> Vec<usize> {
        let mut met = vec![false; self.len()];
        met[self.start] = true;
        let mut waiting = vec![self.start];
        while let Some(vertex) = waiting.pop() {
            for &to in self.options[vertex].iter().flatten() {
                if !met[to] {
                    met[to] = true;
                    waiting.push(to);
                }
            }
        }
        (0..self.len()).filter(|&vertex| met[vertex]).collect()
    }

    /// The onside in graph-canonical form, if these steps find it. Each step keeps the plus-values,
    /// so the comparisons made at the beginning hold to the end.
    pub(super) fn onside(&self) -> Option<Self> {
        let mut graph = self.reachable();
        let order = Order::new(&graph);
        loop {
            let stops = graph.reachable().is_stopper();
            let mut bypassed = HashSet::new();
            while graph.simplify_once(&order, stops, &mut bypassed) {}
            if graph.reachable().is_stopper() {
                return Some(graph.merged(&order).reachable());
            }
            if !graph.fuse(&order) {
                return None;
            }
        }
    }

    /// The offside.
    pub(super) fn offside(&self) -> Option<Self> {
        self.negative().onside().map(|side| side.negative())
    }

    /// One sweep over all vertices. `bypassed` has the bypassed options, with their vertex and
    /// player.
    fn simplify_once(&mut self, order: &Order, stops: bool, bypassed: &mut Bypassed) -> bool {
        let mut changed = false;
        for vertex in self.followers() {
            for side in [LEFT, RIGHT] {
                changed |= self.bypass(order, stops, bypassed, vertex, side);
                changed |= self.drop_dominated(order, stops, vertex, side);
            }
        }
        changed
    }

    /// Bypasses reversible options. An option of Right that would return is dropped. For Left,
    /// there is no bypass that would bring back an option that leads to the present one again.
    fn bypass(
        &mut self,
        order: &Order,
        stops: bool,
        bypassed: &mut Bypassed,
        vertex: usize,
        side: usize,
    ) -> bool {
        let mut waiting: VecDeque<usize> = self.options[vertex][side].clone().into();
        let mut seen: Vec<usize> = waiting.iter().copied().collect();
        let mut kept = Vec::new();
        let mut changed = false;
        while let Some(option) = waiting.pop_front() {
            let through = self.options[option][1 - side].iter().copied().find(|&back| {
                let reversible = match side {
                    LEFT => order.ge(vertex, back),
                    _ => order.ge(back, vertex),
                };
                let returns = |&to: &usize| {
                    to == option
                        || bypassed.contains(&(vertex, side, to))
                            && self.walks(to, 1 - side).contains(&(option, 1 - side))
                };
                let cyclic = || back == vertex || self.walks(back, side).contains(&(vertex, side));
                reversible
                    && (side == RIGHT
                        || stops
                        || !(self.options[back][side].iter().any(returns) || cyclic()))
            });
            let Some(back) = through else {
                kept.push(option);
                continue;
            };
            changed = true;
            bypassed.insert((vertex, side, option));
            for &to in &self.options[back][side] {
                if !seen.contains(&to) {
                    seen.push(to);
                    waiting.push_back(to);
                }
            }
        }
        self.options[vertex][side] = kept;
        changed
    }

    /// Removes dominated options.
    fn drop_dominated(&mut self, order: &Order, stops: bool, vertex: usize, side: usize) -> bool {
        let before = self.options[vertex][side].len();
        let mut i = 0;
        while let Some(&option) = self.options[vertex][side].get(i) {
            let dominated = self.options[vertex][side].iter().any(|&other| {
                let better = other != option
                    && match side {
                        LEFT => order.ge(other, option),
                        _ => order.ge(option, other),
                    };
                let cyclic = || self.walks(other, 1 - side).contains(&(vertex, side));
                better && (side == LEFT || stops || !cyclic())
            });
            if dominated {
                self.options[vertex][side].remove(i);
            } else {
                i += 1;
            }
        }
        self.options[vertex][side].len() < before
    }

    /// The graph in which edges to a vertex lead to the first equal follower. Vertices that are not
    /// followers were not simplified, and are ignored.
    fn merged(&self, order: &Order) -> Self {
        let followers = self.followers();
        let first = |vertex: usize| {
            let equal = |&&other: &&usize| order.ge(other, vertex) && order.ge(vertex, other);
            followers.iter().find(equal).copied().unwrap_or(vertex)
        };
        let firsts: Vec<usize> = (0..self.len()).map(first).collect();
        let mut options = self.options.clone();
        for list in options.iter_mut().flatten() {
            for to in list.iter_mut() {
                *to = firsts[*to];
            }
            list.sort_unstable();
            list.dedup();
        }
        Self { options, start: firsts[self.start] }
    }

    /// Fuses two equal reachable vertices, if no alternating walk of even length leads from the one
    /// that stays to the other, and no two walks of odd length with different first movers do.
    fn fuse(&mut self, order: &Order) -> bool {
        let present = self.followers();
        for &kept in &present {
            let walks = [LEFT, RIGHT].map(|first| self.walks(kept, first));
            for &bypassed in &present {
                if kept == bypassed || !order.ge(kept, bypassed) || !order.ge(bypassed, kept) {
                    continue;
                }
                let walk = |first: usize, last: usize| walks[first].contains(&(bypassed, last));
                let even = walk(LEFT, LEFT) || walk(RIGHT, RIGHT);
                let odd = walk(LEFT, RIGHT) && walk(RIGHT, LEFT);
                if even || odd {
                    continue;
                }
                for list in self.options.iter_mut().flatten() {
                    for to in list.iter_mut().filter(|to| **to == bypassed) {
                        *to = kept;
                    }
                    list.sort_unstable();
                    list.dedup();
                }
                if self.start == bypassed {
                    self.start = kept;
                }
                return true;
            }
        }
        false
    }
}

/// Which vertices are at least which others, for all pairs in one graph.
struct Order {
    len: usize,
    /// Whether Left loses a − b, for each pair (a, b) with Left and with Right to move.
    lost: Vec<[bool; 2]>,
}

impl Order {
    fn new(graph: &Plain) -> Self {
        let len = graph.len();
        let mut order = Self { len, lost: vec![[false; 2]; len * len] };
        order.lose_finite_play(graph);
        while !graph.is_stopper() && order.lose_endless_play(graph) {
            order.lose_finite_play(graph);
        }
        order
    }

    /// Whether a⁺ ≥ b⁺.
    fn ge(&self, a: usize, b: usize) -> bool {
        !self.lost[a * self.len + b][RIGHT]
    }

    /// Algorithm 1: a state is lost if Left has only lost moves, or Right a lost one.
    fn lose_finite_play(&mut self, graph: &Plain) {
        loop {
            let mut changed = false;
            for a in 0..self.len {
                for b in 0..self.len {
                    let place = a * self.len + b;
                    for side in [LEFT, RIGHT] {
                        if self.lost[place][side] {
                            continue;
                        }
                        let is_lost = |to: usize| self.lost[to][1 - side];
                        let mut first = graph.options[a][side].iter().map(|to| to * self.len + b);
                        let second = graph.options[b][1 - side].iter();
                        let mut second = second.map(|to| a * self.len + to);
                        let lost = match side {
                            LEFT => first.all(is_lost) && second.all(is_lost),
                            _ => first.any(is_lost) || second.any(is_lost),
                        };
                        self.lost[place][side] = lost;
                        changed |= lost;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// A pass of Algorithm 3: a state is good if Left can force a move in a, to a state that is not
    /// lost, or the last move. Other states are lost. Returns whether any state was lost.
    fn lose_endless_play(&mut self, graph: &Plain) -> bool {
        let mut good = vec![[false; 2]; self.lost.len()];
        loop {
            let mut changed = false;
            for a in 0..self.len {
                for b in 0..self.len {
                    let place = a * self.len + b;
                    for side in [LEFT, RIGHT] {
                        if self.lost[place][side] || good[place][side] {
                            continue;
                        }
                        let mut first = graph.options[a][side].iter().map(|to| to * self.len + b);
                        let second = graph.options[b][1 - side].iter();
                        let mut second = second.map(|to| a * self.len + to);
                        let now = match side {
                            LEFT => {
                                first.any(|to| !self.lost[to][RIGHT])
                                    || second.any(|to| good[to][RIGHT])
                            }
                            _ => second.all(|to| good[to][LEFT]),
                        };
                        good[place][side] = now;
                        changed |= now;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let mut any = false;
        for (lost, good) in self.lost.iter_mut().zip(&good) {
            for side in [LEFT, RIGHT] {
                any |= !lost[side] && !good[side];
                lost[side] |= !good[side];
            }
        }
        any
    }
}

/// How two vertices compare: a⁺ ≥ b⁺, a⁻ ≥ b⁻, a⁺ ≤ b⁺ and a⁻ ≤ b⁻.
pub(super) fn compare(graph: &Graph, a: Vertex, b: Vertex) -> [bool; 4] {
    let all = Plain {
        options: (0..graph.len() as Vertex)
            .map(|vertex| {
                Player::BOTH.map(|player| {
                    graph.options(vertex, player).iter().map(|&to| to as usize).collect()
                })
            })
            .collect(),
        start: a as usize,
    };
    let [a, b] = [a as usize, b as usize];
    let plus = Order::new(&all);
    let minus = Order::new(&all.negative());
    [plus.ge(a, b), minus.ge(b, a), plus.ge(b, a), minus.ge(a, b)]
}

/// Whether two graphs in which no two vertices are equal are the same but for the numbers.
///
/// All vertices begin in one class, and are divided by the classes of their options until no class
/// changes.
pub(super) fn isomorphic(a: &Plain, b: &Plain) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let offset = a.len();
    let moved = b.options.iter().map(|both| {
        [LEFT, RIGHT].map(|side: usize| both[side].iter().map(|to| to + offset).collect())
    });
    let all: Vec<[Vec<usize>; 2]> = a.options.iter().cloned().chain(moved).collect();
    let mut classes = vec![0; all.len()];
    let mut count = 1;
    loop {
        let mut numbers: HashMap<(usize, [Vec<usize>; 2]), usize> = HashMap::new();
        let mut next = Vec::with_capacity(all.len());
        for (both, &class) in all.iter().zip(&classes) {
            let classes = [LEFT, RIGHT].map(|side: usize| {
                let mut list: Vec<usize> = both[side].iter().map(|&to| classes[to]).collect();
                list.sort_unstable();
                list.dedup();
                list
            });
            let number = numbers.len();
            next.push(*numbers.entry((class, classes)).or_insert(number));
        }
        classes = next;
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    count == a.len() && classes[a.start] == classes[offset + b.start]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(len: usize, left: &[(Vertex, Vertex)], right: &[(Vertex, Vertex)]) -> Plain {
        let graph = Graph::new(len, left.iter().copied(), right.iter().copied()).unwrap();
        Plain::of(&graph, 0)
    }

    #[test]
    fn dud_has_the_sides_on_and_off() {
        let dud = plain(1, &[(0, 0)], &[(0, 0)]);
        let on = plain(1, &[(0, 0)], &[]);
        assert!(isomorphic(&dud.onside().unwrap(), &on));
        assert!(isomorphic(&dud.offside().unwrap(), &on.negative()));
        assert!(!isomorphic(&on, &on.negative()));
    }

    #[test]
    fn over_and_under_are_added() {
        let over = plain(2, &[(0, 1)], &[(0, 0)]);
        let twice = over.product(&over);
        assert_eq!(twice.len(), 4);
        assert!(isomorphic(&twice.onside().unwrap(), &over));
        // over + under is not a stopper: its sides are over and under.
        let difference = over.product(&over.negative());
        assert!(isomorphic(&difference.onside().unwrap(), &over));
        assert!(isomorphic(&difference.offside().unwrap(), &over.negative()));
    }

    #[test]
    fn one_plus_minus_one_is_0() {
        let one = plain(2, &[(0, 1)], &[]);
        let difference = one.product(&one.negative()).onside().unwrap();
        assert_eq!(difference.len(), 1);
        // 1 + 1 = 2 = {1|}
        let two = plain(3, &[(0, 1), (1, 2)], &[]);
        assert!(isomorphic(&one.product(&one).onside().unwrap(), &two));
        assert!(!isomorphic(&one, &two));
    }

    #[test]
    fn the_carousel_has_no_sides() {
        // a = {0,b|0}, b = {1|1,c}, c = {*,d|*}, d = {1*|1*,a}
        let [a, b, c, d, zero, one, star, one_star] = [0, 1, 2, 3, 4, 5, 6, 7];
        let left = [
            (a, zero),
            (a, b),
            (b, one),
            (c, star),
            (c, d),
            (d, one_star),
            (one, zero),
            (star, zero),
            (one_star, one),
            (one_star, star),
        ];
        let right = [
            (a, zero),
            (b, one),
            (b, c),
            (c, star),
            (d, one_star),
            (d, a),
            (star, zero),
            (one_star, one),
        ];
        let carousel = plain(8, &left, &right);
        assert!(carousel.onside().is_none() && carousel.offside().is_none());
    }
}

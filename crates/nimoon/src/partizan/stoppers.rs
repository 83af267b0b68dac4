//! Stoppers in graph-canonical form, each kept once.
//!
//! A *stopper* is a game in which every play with alternating moves ends. Equal stoppers have one
//! graph in common, their graph-canonical form [Siegel2009, Thm 9]: no option is dominated or
//! reversible, and no two vertices are equal. A [`Stoppers`] holds such graphs so that they share
//! all their followers. Two stoppers in it are equal exactly if they are the same number, and what
//! was once compared is remembered.
//!
//! ## How a stopper gets its number
//! The followers of a vertex have their numbers before it. If the vertex is on no cycle, its
//! options identify it; they may be those of a vertex that is on a cycle, as those of {0|over} are
//! those of over. Vertices that lead to each other are numbered together: their options outside
//! separate some of them, then the options within separate more, and so on (the coarsest
//! bisimulation). Where nothing is dominated or reversible, two vertices that this does not
//! separate are equal, and two that it does are not: that is the Simplest Form Theorem [Siegel2009,
//! Thm 6]. So what is left is the same for all forms of the game, and a table finds it again.
//!
//! Fusion therefore needs no comparisons here. A vertex of a cycle may also turn up as a vertex on
//! no cycle, so all numbers are found by their options too. A nontrivial component that equals
//! something older is isomorphic to it, with the same numbers outside: each of its vertices leads
//! back to itself, so the equal ones do, and these are therefore on one cycle. The table of
//! components finds them.

use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::graph::{Graph, Vertex};
use super::numbers::Kind;
use super::survival::{Arena, Endless, Room, Survival};
use crate::graph::components::strongly_connected;
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// A stopper in graph-canonical form, by its number in a [`Stoppers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stopper(pub(crate) u32);

type Options = [Box<[u32]>; 2];

/// Stoppers in graph-canonical form that share their followers.
///
/// ```
/// use nimoon::{Work, partizan::{Graph, Stoppers}};
/// let mut stoppers = Stoppers::new();
/// // Two forms of on = {on|}.
/// let on = Graph::new(1, [(0, 0)], []).unwrap();
/// let cycle = Graph::new(2, [(0, 1), (1, 0)], []).unwrap();
/// let on = stoppers.onside(&on, 0, &mut Work::default()).unwrap();
/// let cycle = stoppers.onside(&cycle, 0, &mut Work::default()).unwrap();
/// assert_eq!(on, cycle);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stoppers {
    pub(super) options: Vec<Options>,
    /// What each of them is.
    pub(super) kinds: Vec<Kind>,
    by_options: FxHashMap<Options, u32>,
    /// How many options all of them have together.
    moves: usize,
    /// The first number of vertices that lead to each other, by what distinguishes them.
    cycles: FxHashMap<Box<[u32]>, u32>,
    pub(super) order: Facts,
    negatives: FxHashMap<u32, u32>,
    /// Onsides of sums, by both terms in order.
    pub(super) sums: FxHashMap<(u32, u32), u32>,
    /// Room for comparisons.
    pub(super) room: Room,
    /// 0, 1, 2, … and 0, −1, −2, …, as far as they were needed.
    pub(super) integers: [Vec<u32>; 2],
}

impl Arena for Stoppers {
    fn options(&self, place: u32, player: Player) -> &[u32] {
        &self.options[place as usize][player.index()]
    }

    fn bytes(&self) -> u64 {
        Self::bytes(self)
    }

    fn known(&self, a: u32, b: u32, first: Player) -> Option<bool> {
        self.order.get(a, b, first)
    }

    fn count(&self) -> Option<usize> {
        Some(self.options.len())
    }
}

impl Stoppers {
    /// The number 0.
    pub const ZERO: Stopper = Stopper(0);

    /// With 0 alone.
    pub fn new() -> Self {
        let mut stoppers = Self::default();
        stoppers.form([Vec::new(), Vec::new()]);
        stoppers
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// What all of them take in memory with what is known of them, roughly.
    pub(super) fn bytes(&self) -> u64 {
        // Options are kept in a list and in a map.
        const STOPPER: usize = 152;
        const MOVE: usize = 8;
        const FACT: usize = 24;
        let known = self.order.len() + self.negatives.len() + self.sums.len();
        (STOPPER * self.len() + MOVE * self.moves + FACT * known) as u64
    }

    /// Whether there is none; 0 is always there.
    pub fn is_empty(&self) -> bool {
        self.options.is_empty()
    }

    /// The options of a player.
    pub fn options(&self, stopper: Stopper, player: Player) -> impl Iterator<Item = Stopper> {
        Arena::options(self, stopper.0, player).iter().map(|&option| Stopper(option))
    }

    /// The stopper with these options, none of which is dominated or reversible.
    pub(super) fn form(&mut self, options: [Vec<u32>; 2]) -> u32 {
        let options = options.map(|mut list| {
            list.sort_unstable();
            list.dedup();
            list.into_boxed_slice()
        });
        let next = self.options.len() as u32;
        let number = *self.by_options.entry(options.clone()).or_insert(next);
        if number == next {
            self.moves += options.iter().map(|list| list.len()).sum::<usize>();
            self.kinds.push(self.kind_of(&options));
            self.options.push(options);
        }
        number
    }

    /// The numbers of vertices that lead to each other, in simplest form and without alternating
    /// cycles: `vertices` has their options, those within as `WITHIN` and the place in the list.
    pub(super) fn cycle(&mut self, vertices: &[[Vec<u32>; 2]]) -> Vec<u32> {
        let classes = coarsest(vertices);
        let count = classes.iter().max().map_or(0, |most| *most as usize + 1);
        let mut key = Vec::new();
        let mut forms: Vec<Option<[Vec<u32>; 2]>> = vec![None; count];
        for (vertex, &class) in vertices.iter().zip(&classes) {
            let form = &mut forms[class as usize];
            if form.is_none() {
                *form = Some(signature(vertex, &classes));
            }
        }
        for form in forms.iter().flatten() {
            for list in form {
                key.push(list.len() as u32);
                key.extend(list);
            }
        }
        let next = self.options.len() as u32;
        let first = *self.cycles.entry(key.into_boxed_slice()).or_insert(next);
        if first == next {
            for (form, number) in forms.into_iter().flatten().zip(next..) {
                let options = form.map(|list| {
                    let numbers = list
                        .into_iter()
                        .map(|to| if to & WITHIN == 0 { to } else { next + (to & !WITHIN) });
                    let mut numbers: Vec<u32> = numbers.collect();
                    numbers.sort_unstable();
                    numbers.into_boxed_slice()
                });
                self.moves += options.iter().map(|list| list.len()).sum::<usize>();
                self.by_options.insert(options.clone(), number);
                self.options.push(options);
                self.kinds.push(Kind::Other);
            }
        }
        classes.iter().map(|class| first + class).collect()
    }

    /// Whether a ≥ b.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn ge(&mut self, a: Stopper, b: Stopper, work: &mut Work) -> Result<bool, Interrupted> {
        self.survives(a, b, Player::Right, work)
    }

    /// Whether Left survives a − b if `first` moves first.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn survives(
        &mut self,
        a: Stopper,
        b: Stopper,
        first: Player,
        work: &mut Work,
    ) -> Result<bool, Interrupted> {
        if a == b && first == Player::Right {
            return Ok(true);
        }
        if let Some(known) = Arena::known(self, a.0, b.0, first) {
            return Ok(known);
        }
        let mut room = std::mem::take(&mut self.room);
        let answer = Survival::new(&*self, Endless::Any, &mut room).solve(a.0, b.0, first, work);
        if answer.is_ok() {
            room.found(|a, b, first, known| self.order.insert(a, b, first, known));
        }
        self.room = room;
        answer
    }

    /// The negative: Left and Right change places.
    ///
    /// ```
    /// use nimoon::partizan::Stoppers;
    /// let mut stoppers = Stoppers::new();
    /// assert_eq!(stoppers.negative(Stoppers::ZERO), Stoppers::ZERO);
    /// ```
    pub fn negative(&mut self, stopper: Stopper) -> Stopper {
        if let Some(&known) = self.negatives.get(&stopper.0) {
            return Stopper(known);
        }
        // Only followers without a known negative: of a sum that grows by one term after the other
        // that is what the last term added.
        let followers = self.followers_but(stopper, |number| self.negatives.contains_key(&number));
        let number: FxHashMap<u32, u32> = (0..).zip(&followers).map(|(i, &v)| (v, i)).collect();
        let components = strongly_connected(followers.len(), |vertex, list| {
            let both = &self.options[followers[vertex as usize] as usize];
            list.extend(both.iter().flatten().filter_map(|to| number.get(to)));
        });
        for component in components {
            let place: FxHashMap<u32, u32> = (0..).zip(&component).map(|(i, &v)| (v, i)).collect();
            let mut within = false;
            let mut swapped = Vec::with_capacity(component.len());
            for &vertex in &component {
                let [left, right] = &self.options[followers[vertex as usize] as usize];
                swapped.push([right, left].map(|list| {
                    let numbers =
                        list.iter().map(|to| match number.get(to).and_then(|to| place.get(to)) {
                            Some(place) => {
                                within = true;
                                WITHIN | place
                            }
                            None => self.negatives[to],
                        });
                    numbers.collect::<Vec<u32>>()
                }));
            }
            let negatives = match (within, swapped.pop()) {
                (false, Some(options)) => vec![self.form(options)],
                (_, last) => {
                    swapped.extend(last);
                    self.cycle(&swapped)
                }
            };
            for (&vertex, &negative) in component.iter().zip(&negatives) {
                self.negatives.insert(followers[vertex as usize], negative);
                self.negatives.insert(negative, followers[vertex as usize]);
            }
        }
        Stopper(self.negatives[&stopper.0])
    }

    /// A stopper and all its followers.
    pub(super) fn followers(&self, stopper: Stopper) -> Vec<u32> {
        self.followers_but(stopper, |_| false)
    }

    /// The same without some, and what only they lead to.
    fn followers_but(&self, stopper: Stopper, left_out: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut list = vec![stopper.0];
        seen.insert(stopper.0);
        let mut next = 0;
        while let Some(&vertex) = list.get(next) {
            next += 1;
            for &to in self.options[vertex as usize].iter().flatten() {
                if !left_out(to) && seen.insert(to) {
                    list.push(to);
                }
            }
        }
        list
    }

    /// The graph-canonical form, with the start as vertex 0. Equal stoppers give identical graphs.
    ///
    /// Vertices are numbered as they are met from the start, Left options first. Among several
    /// options those come first that the coarsest bisimulation of the whole graph, computed from
    /// the shapes alone, ranks lower; in graph-canonical form it distinguishes all vertices.
    pub fn graph(&self, stopper: Stopper) -> Graph {
        let followers = self.followers(stopper);
        let number: FxHashMap<u32, u32> =
            (0..).zip(&followers).map(|(i, &follower)| (follower, i)).collect();
        let shape: Vec<[Vec<u32>; 2]> = followers
            .iter()
            .map(|&follower| {
                let lists = &self.options[follower as usize];
                [0, 1].map(|side: usize| lists[side].iter().map(|to| WITHIN | number[to]).collect())
            })
            .collect();
        let rank = coarsest(&shape);
        let mut place: Vec<Vertex> = vec![Vertex::MAX; followers.len()];
        let mut order: Vec<u32> = vec![0];
        place[0] = 0;
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            for list in &shape[vertex as usize] {
                let mut list: Vec<u32> = list.iter().map(|to| to & !WITHIN).collect();
                list.sort_unstable_by_key(|&to| rank[to as usize]);
                for to in list {
                    if place[to as usize] == Vertex::MAX {
                        place[to as usize] = order.len() as Vertex;
                        order.push(to);
                    }
                }
            }
        }
        Graph::of_options(order.iter().map(|&vertex| {
            let lists = &shape[vertex as usize];
            [0, 1].map(|side: usize| {
                lists[side].iter().map(|to| place[(to & !WITHIN) as usize]).collect()
            })
        }))
    }
}

/// Marks an option by its place in a list, not by its number.
pub(super) const WITHIN: u32 = 1 << 31;

fn in_classes(to: u32, classes: &[u32]) -> u32 {
    if to & WITHIN == 0 { to } else { WITHIN | classes[(to & !WITHIN) as usize] }
}

/// The coarsest bisimulation: classes from 0 on, ranked by what distinguishes them, so that graphs
/// which are equal but for the order of their vertices, or for vertices that are there twice, get
/// equal ranks.
pub(super) fn coarsest(vertices: &[[Vec<u32>; 2]]) -> Vec<u32> {
    let (classes, count) = refine(vertices);
    if count == vertices.len() {
        return classes;
    }
    // How many vertices a class has must not count. So the classes are ranked once more, as
    // vertices.
    let mut representatives = vec![0; count];
    for (vertex, &class) in classes.iter().enumerate() {
        representatives[class as usize] = vertex;
    }
    let quotient: Vec<[Vec<u32>; 2]> =
        representatives.iter().map(|&vertex| signature(&vertices[vertex], &classes)).collect();
    let (ranks, _) = refine(&quotient);
    classes.iter().map(|&class| ranks[class as usize]).collect()
}

/// The classes of a vertex's options, in order.
fn signature(vertex: &[Vec<u32>; 2], classes: &[u32]) -> [Vec<u32>; 2] {
    [0, 1].map(|side: usize| {
        let mut list: Vec<u32> = vertex[side].iter().map(|&to| in_classes(to, classes)).collect();
        list.sort_unstable();
        list.dedup();
        list
    })
}

/// Splits classes until the members of each have their options in the same classes.
///
/// Only vertices with an option that has just got another class are visited. When a class is
/// split, its largest part keeps the number, so that every vertex changes its class at most
/// log₂ n times, and each edge is visited as often. Numbers depend on the shape alone.
fn refine(vertices: &[[Vec<u32>; 2]]) -> (Vec<u32>, usize) {
    let mut classes = vec![0_u32; vertices.len()];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); vertices.len()];
    for (from, vertex) in (0..).zip(vertices) {
        for to in vertex.iter().flatten().filter(|&to| to & WITHIN != 0) {
            before[(to & !WITHIN) as usize].push(from);
        }
    }
    let mut members: Vec<Vec<u32>> = vec![(0..vertices.len() as u32).collect()];
    let mut places: Vec<u32> = (0..vertices.len() as u32).collect();
    let mut touched: Vec<u32> = (0..vertices.len() as u32).collect();
    let mut is_touched = vec![true; vertices.len()];
    while !touched.is_empty() {
        let mut signed: Vec<(u32, [Vec<u32>; 2], u32)> = touched
            .iter()
            .map(|&v| (classes[v as usize], signature(&vertices[v as usize], &classes), v))
            .collect();
        signed.sort_unstable();
        let mut moved = Vec::new();
        for in_class in signed.chunk_by(|one, other| one.0 == other.0) {
            let class = in_class[0].0 as usize;
            let mut parts: Vec<Vec<u32>> = in_class
                .chunk_by(|one, other| one.1 == other.1)
                .map(|part| part.iter().map(|&(_, _, v)| v).collect())
                .collect();
            // The members that were not touched have in common what they had before.
            let rest = members[class].len() - in_class.len();
            let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
            if rest >= largest {
                parts.insert(0, Vec::new());
            } else if rest > 0 {
                let untouched = members[class].iter().copied();
                parts.insert(0, untouched.filter(|&v| !is_touched[v as usize]).collect());
            }
            let kept = if rest >= largest {
                0
            } else {
                parts.iter().position(|part| part.len() == largest).unwrap_or(0)
            };
            for (i, part) in parts.into_iter().enumerate() {
                if i == kept {
                    continue;
                }
                for (place, &v) in (0..).zip(&part) {
                    let gap = places[v as usize];
                    members[class].swap_remove(gap as usize);
                    if let Some(&last) = members[class].get(gap as usize) {
                        places[last as usize] = gap;
                    }
                    classes[v as usize] = members.len() as u32;
                    places[v as usize] = place;
                }
                moved.extend_from_slice(&part);
                members.push(part);
            }
        }
        for v in touched.drain(..) {
            is_touched[v as usize] = false;
        }
        for v in moved {
            for &from in &before[v as usize] {
                if !is_touched[from as usize] {
                    is_touched[from as usize] = true;
                    touched.push(from);
                }
            }
        }
    }
    let count = if vertices.is_empty() { 0 } else { members.len() };
    (classes, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_that_are_there_twice_do_not_change_ranks() {
        // 0 and on = {on|}, then with on as two vertices that lead to each other.
        let zero = || [vec![], vec![]];
        let on = |to: u32| [vec![WITHIN | to], vec![]];
        assert_eq!(coarsest(&[zero(), on(1)]), [0, 1]);
        assert_eq!(coarsest(&[zero(), on(2), on(1)]), [0, 1, 1]);
        // So a cycle gets one number, however often its vertices are there.
        let mut stoppers = Stoppers::new();
        let [a, b, c] = [0, 1, 2].map(|place| WITHIN | place);
        let once = stoppers.cycle(&[[vec![b], vec![0]], [vec![0], vec![a]]]);
        let twice =
            stoppers.cycle(&[[vec![b], vec![0]], [vec![0], vec![a, c]], [vec![b], vec![0]]]);
        assert_eq!(twice, [once[0], once[1], once[0]]);
    }

    #[test]
    fn the_graph_does_not_depend_on_what_was_there_first() {
        let star = |stoppers: &mut Stoppers| stoppers.form([vec![0], vec![0]]);
        let one = |stoppers: &mut Stoppers| stoppers.form([vec![0], vec![]]);
        let (mut first, mut second) = (Stoppers::new(), Stoppers::new());
        let options = [star(&mut first), one(&mut first)];
        let others = [one(&mut second), star(&mut second)];
        assert_eq!(options, others);
        let [a, b] = [&mut first, &mut second]
            .map(|stoppers| Stopper(stoppers.form([options.to_vec(), vec![]])));
        assert_eq!(first.graph(a), second.graph(b));
    }
}

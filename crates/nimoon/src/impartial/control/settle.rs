//! The values of all nodes of a digraph at once.
//!
//! A white node without a number is the join of its exits and of what its duels give; a gray node
//! on which the opponent is to move gives, for each choice of what the mover will answer, the meet
//! of the results. All of them are found together, from the bottom value on, until nothing changes.
//! What is stored for a gray node are the meets of its minimal sets of results, and not these sets
//! themselves: sets of nodes differ nearly everywhere in a large digraph, and their meets are few.
//! A set whose meet is below that of another one is left out, since that stays so when results of
//! other options are added to both.
//!
//! ## Why it is exact
//! Let x be the value of a node, and t its term when nothing changes any more. *t ≤ x:* this holds
//! at the start, and each step keeps it, since join and meet preserve the order. *x ≤ t:* let the
//! player keep to pairs (p ; q) with t(p) ≤ q. If the spoiler chooses an action E of p, then t(p)
//! is by its equation above the meet of t(e), e ∈ E; so q is as well, and by the comparison game
//! for terms the player reaches from q, in finitely many actions, a place above some t(e), and
//! chooses this e. A number j as p is t itself. If p wins beside *k, then `>k` was joined to t(p),
//! or follows from it. ∎
//!
//! The exits of a node from which a number can be forced are all but finitely many. Those that do
//! not follow from the number are joined once it is found.
//!
//! ## Control cycles
//! Where a value is essentially cyclic the terms grow for ever. A place that has changed
//! [`CHANGES`] times is left as it is, and all nodes that may rest on it are named by their
//! automaton ([`super::name`]), which decides whether they are terms.
//!
//! ## Cost
//! A place is computed again when something that it rests on has changed. Joins, meets and sets
//! are computed once for the same operands: a million nodes have few different ones.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::control::layers::Layers;
use crate::impartial::control::term::{Shape, Term, Terms};
use crate::impartial::nimbers::NimberSet;
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// How often the value of a place may change before its automaton is asked.
const CHANGES: u8 = 24;

/// A set of terms, none below another one.
type Set = u32;

/// Without a member: no way to fight the duel.
const NO_SET: Set = 0;

/// The terms of the nodes of a digraph.
pub(crate) struct Settled {
    pub(crate) terms: Terms,
    /// The term of each white node without a number.
    names: FxHashMap<Node, Term>,
    /// The nodes that may rest on control cycles of which no end was found.
    open: Vec<Node>,
}

impl Settled {
    /// The terms of all white nodes without a number.
    pub(crate) fn of(
        digraph: &Digraph,
        layers: &Layers,
        work: &mut Work,
    ) -> Result<Self, Interrupted> {
        let mut settling = Settling::new(digraph, layers, work)?;
        settling.settle(work)?;
        Ok(settling.finish())
    }

    /// The term of a white node without a number, if it is known.
    pub(crate) fn name(&self, node: Node) -> Option<Term> {
        self.names.get(&node).copied()
    }

    /// White nodes whose terms are not known, since they may have none.
    pub(crate) fn open(&self) -> &[Node] {
        &self.open
    }
}

/// A white node, a gray node on which the opponent is to move, or one on which the player is who
/// keeps control.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Free,
    Opponent,
    Player,
}

/// In place of a value that is not found.
const UNKNOWN: u32 = u32::MAX;

struct Settling<'a> {
    digraph: &'a Digraph,
    layers: &'a Layers,
    pool: Pool,
    /// The term of each white node, the set of each gray one on which the opponent is to move; and
    /// behind them the sets of gray ones on which the player is.
    values: Vec<u32>,
    /// The places that matter, in the order in which they were met.
    met: Vec<u32>,
    changes: Vec<u8>,
    exits: Exits,
}

impl<'a> Settling<'a> {
    fn new(digraph: &'a Digraph, layers: &'a Layers, work: &mut Work) -> Result<Self, Interrupted> {
        /// The value of a place, its changes, where it is listed, and whether it waits.
        const BYTES: u64 = 12;
        let len = digraph.len();
        work.hold(2 * BYTES * len as u64)?;
        let mut settling = Self {
            digraph,
            layers,
            pool: Pool::new(work)?,
            values: vec![UNKNOWN; 2 * len],
            met: Vec::new(),
            changes: vec![0; 2 * len],
            exits: Exits::default(),
        };
        settling.meet_places(work)?;
        Ok(settling)
    }

    fn role(&self, place: u32) -> Role {
        if place as usize >= self.digraph.len() {
            Role::Player
        } else if self.digraph.is_gray(place) {
            Role::Opponent
        } else {
            Role::Free
        }
    }

    fn node(&self, place: u32) -> Node {
        place % self.digraph.len() as u32
    }

    /// Finds the places that play in control passes.
    fn meet_places(&mut self, work: &Work) -> Result<(), Interrupted> {
        let (digraph, layers) = (self.digraph, self.layers);
        let len = digraph.len() as u32;
        let white = digraph.nodes().filter(|&node| !digraph.is_gray(node));
        self.met = white.filter(|&node| layers.number(node).is_none()).collect();
        for &place in &self.met {
            self.values[place as usize] = self.pool.bottom.index();
        }
        let mut pace = work.pace();
        let mut next = 0;
        while let Some(&place) = self.met.get(next) {
            next += 1;
            pace.step()?;
            let role = self.role(place);
            for &option in digraph.options(self.node(place)) {
                let met = match role {
                    _ if !digraph.is_gray(option) => continue,
                    Role::Free | Role::Player => option,
                    Role::Opponent => option + len,
                };
                if self.values[met as usize] == UNKNOWN {
                    self.values[met as usize] = NO_SET;
                    self.met.push(met);
                }
            }
        }
        Ok(())
    }

    /// Computes values until none changes. What was met last comes first: it is in most cases what
    /// the others rest on.
    fn settle(&mut self, work: &mut Work) -> Result<(), Interrupted> {
        let mut waiting: Vec<u32> = self.met.iter().rev().copied().collect();
        let mut is_waiting = FixedBitSet::with_capacity(self.values.len());
        is_waiting.extend(waiting.iter().map(|&place| place as usize));
        let mut next = Vec::new();
        while !waiting.is_empty() {
            for &place in &waiting {
                is_waiting.set(place as usize, false);
                let value = self.value(place, work)?;
                if value == self.values[place as usize] {
                    continue;
                }
                let changes = &mut self.changes[place as usize];
                if *changes == CHANGES {
                    continue;
                }
                *changes += 1;
                self.values[place as usize] = value;
                self.wake(place, &mut is_waiting, &mut next);
            }
            waiting.clear();
            std::mem::swap(&mut waiting, &mut next);
        }
        Ok(())
    }

    /// The places whose values rest on that of a place.
    fn users(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        let (role, len) = (self.role(place), self.digraph.len() as u32);
        let before = self.digraph.predecessors(self.node(place)).iter();
        let users = before.filter_map(move |&from| match (role, self.digraph.is_gray(from)) {
            (Role::Free | Role::Player, true) | (Role::Opponent, false) => Some(from),
            (Role::Opponent, true) => Some(from + len),
            (Role::Free | Role::Player, false) => None,
        });
        users.filter(|&user| self.values[user as usize] != UNKNOWN)
    }

    fn wake(&self, place: u32, is_waiting: &mut FixedBitSet, next: &mut Vec<u32>) {
        for user in self.users(place) {
            if !is_waiting.put(user as usize) {
                next.push(user);
            }
        }
    }

    fn value(&mut self, place: u32, work: &mut Work) -> Result<u32, Interrupted> {
        work.count()?;
        let digraph = self.digraph;
        let options = digraph.options(self.node(place));
        let gray = || options.iter().filter(|&&option| digraph.is_gray(option));
        match self.role(place) {
            Role::Player => {
                let mut union = NO_SET;
                for &option in gray() {
                    union = self.pool.union(union, self.values[option as usize], work)?;
                }
                Ok(union)
            }
            Role::Opponent => {
                let mut all = self.pool.stuck;
                let has_none = |&option: &Node| self.set_after(option) == Some(NO_SET);
                if options.iter().any(has_none) {
                    return Ok(NO_SET);
                }
                for &option in options {
                    let set = if let Some(set) = self.set_after(option) {
                        set
                    } else {
                        let term = self.white(option);
                        self.pool.single(term)
                    };
                    all = self.pool.product(all, set, work)?;
                }
                Ok(all)
            }
            Role::Free => {
                let mut duels = NO_SET;
                for &option in gray() {
                    duels = self.pool.union(duels, self.values[option as usize], work)?;
                }
                let exits = self.exits.of(self.layers, place);
                let found = self.pool.state(exits, duels, &self.exits, self.layers, work)?;
                Ok(found.index())
            }
        }
    }

    /// The ways of going on when the opponent moves to an option; none for a white node that is not
    /// the bottom, where there is just one.
    fn set_after(&self, option: Node) -> Option<Set> {
        if self.digraph.is_gray(option) {
            return Some(self.values[option as usize + self.digraph.len()]);
        }
        let bottom = self.values[option as usize] == self.pool.bottom.index();
        bottom.then_some(NO_SET)
    }

    fn white(&mut self, node: Node) -> Term {
        match self.layers.number(node) {
            Some(n) => self.pool.terms.keep(n),
            None => Term::at(self.values[node as usize]),
        }
    }

    /// What was found; nodes that may rest on a place that changed too often are left open. A full
    /// moon rests on nothing else.
    fn finish(self) -> Settled {
        let mut open = FixedBitSet::with_capacity(self.values.len());
        let mut pending: Vec<u32> = Vec::new();
        for &place in &self.met {
            if self.changes[place as usize] == CHANGES {
                open.insert(place as usize);
                pending.push(place);
            }
        }
        while let Some(place) = pending.pop() {
            for user in self.users(place) {
                let value = self.values[user as usize];
                let is_certain = match self.role(user) {
                    Role::Free => value == self.pool.top.index(),
                    _ => value == self.pool.stuck,
                };
                if !is_certain && !open.put(user as usize) {
                    pending.push(user);
                }
            }
        }
        let free = || self.met.iter().copied().filter(|&place| self.role(place) == Role::Free);
        let is_open = |place: &u32| open.contains(*place as usize);
        let names = free().filter(|place| !is_open(place));
        let names = names.map(|node| (node, Term::at(self.values[node as usize]))).collect();
        let open = free().filter(is_open).collect();
        Settled { terms: self.pool.terms, names, open }
    }
}

/// The exits of nodes, numbered: nodes with the same outcomes beside all heaps have the same.
#[derive(Default)]
struct Exits {
    numbers: FxHashMap<Box<[(u32, Outcome)]>, u32>,
    nodes: Vec<Node>,
}

impl Exits {
    fn of(&mut self, layers: &Layers, node: Node) -> u32 {
        let changes = layers.changes(node);
        if let Some(&known) = self.numbers.get(changes) {
            return known;
        }
        self.nodes.push(node);
        let number = self.nodes.len() as u32 - 1;
        self.numbers.insert(changes.into(), number);
        number
    }

    fn set(&self, layers: &Layers, number: u32) -> NimberSet {
        layers.wins(self.nodes[number as usize])
    }
}

/// Terms, sets of terms, and what was computed of them.
struct Pool {
    terms: Terms,
    bottom: Term,
    top: Term,
    /// The set of the top alone: the opponent is stuck.
    stuck: Set,
    sets: Vec<Box<[Term]>>,
    numbers: FxHashMap<Box<[Term]>, Set>,
    unions: FxHashMap<(Set, Set), Set>,
    products: FxHashMap<(Set, Set), Set>,
    states: FxHashMap<(u32, Set), Term>,
}

impl Pool {
    fn new(work: &mut Work) -> Result<Self, Interrupted> {
        let mut terms = Terms::default();
        let bottom = terms.join(Vec::new(), work)?;
        let top = terms.meet(Vec::new(), work)?;
        let mut pool = Self {
            terms,
            bottom,
            top,
            stuck: NO_SET,
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            unions: FxHashMap::default(),
            products: FxHashMap::default(),
            states: FxHashMap::default(),
        };
        pool.set(Vec::new());
        pool.stuck = pool.single(top);
        Ok(pool)
    }

    fn set(&mut self, members: Vec<Term>) -> Set {
        let sets = &mut self.sets;
        *self.numbers.entry(members.into_boxed_slice()).or_insert_with_key(|members| {
            sets.push(members.clone());
            sets.len() as Set - 1
        })
    }

    fn single(&mut self, term: Term) -> Set {
        self.set(vec![term])
    }

    /// The set of those that are below no other one, without the bottom.
    fn greatest(&mut self, mut members: Vec<Term>, work: &mut Work) -> Result<Set, Interrupted> {
        members.sort_unstable();
        members.dedup();
        members.retain(|&member| member != self.bottom);
        let kept = self.terms.undominated(&members, true, work)?;
        Ok(self.set(kept))
    }

    fn union(&mut self, a: Set, b: Set, work: &mut Work) -> Result<Set, Interrupted> {
        if a == b || b == NO_SET {
            return Ok(a);
        }
        if a == NO_SET {
            return Ok(b);
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return Ok(known);
        }
        let members = [&self.sets[a as usize][..], &self.sets[b as usize]].concat();
        let union = self.greatest(members, work)?;
        self.unions.insert(key, union);
        Ok(union)
    }

    /// The meets of a member of each.
    fn product(&mut self, a: Set, b: Set, work: &mut Work) -> Result<Set, Interrupted> {
        if a == NO_SET || b == NO_SET {
            return Ok(NO_SET);
        }
        if a == self.stuck || b == self.stuck {
            return Ok(if a == self.stuck { b } else { a });
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.products.get(&key) {
            return Ok(known);
        }
        let mut members = Vec::new();
        for first in self.sets[a as usize].clone() {
            for second in self.sets[b as usize].clone() {
                work.count()?;
                members.push(self.terms.meet(vec![first, second], work)?);
            }
        }
        let product = self.greatest(members, work)?;
        self.products.insert(key, product);
        Ok(product)
    }

    /// The term of a state with these exits and duels.
    fn state(
        &mut self,
        number: u32,
        duels: Set,
        exits: &Exits,
        layers: &Layers,
        work: &mut Work,
    ) -> Result<Term, Interrupted> {
        if duels == self.stuck {
            return Ok(self.top);
        }
        if let Some(&known) = self.states.get(&(number, duels)) {
            return Ok(known);
        }
        let mut members = self.sets[duels as usize].to_vec();
        let mut implied = Vec::with_capacity(members.len());
        for &member in &members {
            implied.push(self.terms.wins(member, work)?);
        }
        let implied = NimberSet::union_of(&implied);
        let rest = exits.set(layers, number).complement().union(&implied).complement();
        // All but finitely many exits follow from a number that is still to be found.
        if let NimberSet::Only(rest) = rest {
            members.extend(rest.iter().map(|k| self.terms.hand(k)));
        }
        let state = self.terms.join(members, work)?;
        self.states.insert((number, duels), state);
        Ok(state)
    }
}

impl Terms {
    /// The heaps beside which a term wins: those k with `>k` below it.
    pub(crate) fn wins(&mut self, term: Term, work: &mut Work) -> Result<NimberSet, Interrupted> {
        let mut waiting = vec![term];
        while let Some(&next) = waiting.last() {
            work.count()?;
            if self.known_wins(next).is_some() {
                waiting.pop();
                continue;
            }
            let members: &[Term] = match self.shape(next) {
                Shape::Join(members) | Shape::Meet(members) => members,
                Shape::Keep(_) | Shape::Hand(_) => &[],
            };
            let unknown: Vec<Term> =
                members.iter().copied().filter(|&term| self.known_wins(term).is_none()).collect();
            if !unknown.is_empty() {
                waiting.extend(unknown);
                continue;
            }
            let sets = members.iter().filter_map(|&member| self.known_wins(member));
            let wins = match self.shape(next) {
                Shape::Keep(n) => NimberSet::all_except([*n]),
                Shape::Hand(n) => NimberSet::only([*n]),
                Shape::Join(_) => NimberSet::union_of(sets),
                Shape::Meet(_) => {
                    let lost: Vec<NimberSet> = sets.cloned().map(NimberSet::complement).collect();
                    NimberSet::union_of(&lost).complement()
                }
            };
            self.keep_wins(next, wins);
            waiting.pop();
        }
        let wins = self.known_wins(term).cloned();
        Ok(wins.unwrap_or_else(|| unreachable!("it was found last")))
    }
}

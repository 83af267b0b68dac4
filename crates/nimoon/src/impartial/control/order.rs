//! The order of values: the comparison game on two automata.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::impartial::control::automaton::{Automaton, Place};
use crate::impartial::nimbers::NimberSet;
use crate::limits::{Interrupted, Work};

/// The places of an automaton numbered from 0 on, and where actions lead and come from.
pub(crate) struct Places<'a> {
    automaton: &'a Automaton,
    list: Vec<Place>,
    index: FxHashMap<Place, usize>,
    /// The actions of each place, as indices.
    actions: Vec<Vec<Vec<usize>>>,
    /// For each place, which actions of which places have it as a result.
    users: Vec<Vec<(usize, usize)>>,
}

impl<'a> Places<'a> {
    /// The places of an automaton, and this one too if it is a number.
    pub(crate) fn of(automaton: &'a Automaton, start: Place) -> Self {
        let states = 0..automaton.states.len() as u32;
        let mut list: Vec<Place> = states.map(Place::State).collect();
        let actions = || automaton.states.iter().flat_map(|state| &state.actions);
        let results = actions().flat_map(|action| action.iter().copied());
        let numbers = results.chain([start]).filter(|place| matches!(place, Place::Number(_)));
        let mut numbers: Vec<Place> = numbers.collect();
        numbers.sort_unstable();
        numbers.dedup();
        list.extend(numbers);
        let index: FxHashMap<Place, usize> = list.iter().copied().zip(0..).collect();
        let mut users = vec![Vec::new(); list.len()];
        let mut rows = vec![Vec::new(); list.len()];
        for (place, state) in automaton.states.iter().enumerate() {
            for (number, action) in state.actions.iter().enumerate() {
                let results: Vec<usize> = action.iter().map(|result| index[result]).collect();
                for &result in &results {
                    users[result].push((place, number));
                }
                rows[place].push(results);
            }
        }
        Self { automaton, list, index, actions: rows, users }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn list(&self) -> &[Place] {
        &self.list
    }

    pub(crate) fn index(&self, place: Place) -> usize {
        self.index[&place]
    }

    pub(crate) fn actions(&self, place: usize) -> &[Vec<usize>] {
        &self.actions[place]
    }

    pub(crate) fn users(&self, place: usize) -> &[(usize, usize)] {
        &self.users[place]
    }

    pub(crate) fn wins(&self, place: usize) -> NimberSet {
        self.automaton.wins(self.list[place])
    }

    /// From where the mover can reach a target in finitely many actions, or get the opponent stuck.
    pub(crate) fn attractor(
        &self,
        target: &FixedBitSet,
        work: &mut Work,
    ) -> Result<FixedBitSet, Interrupted> {
        let mut reached = target.clone();
        let stuck = |place: &usize| self.actions[*place].iter().any(Vec::is_empty);
        reached.extend((0..self.len()).filter(stuck));
        let mut found: Vec<usize> = reached.ones().collect();
        let mut left: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        while let Some(place) = found.pop() {
            work.count()?;
            for &(user, action) in &self.users[place] {
                let results = self.actions[user][action].len();
                let left = left.entry((user, action)).or_insert(results);
                *left -= 1;
                if *left == 0 && !reached.put(user) {
                    found.push(user);
                }
            }
        }
        Ok(reached)
    }

    /// From where the mover can force this number, or get the opponent stuck.
    pub(crate) fn forcing(
        &self,
        number: Place,
        work: &mut Work,
    ) -> Result<FixedBitSet, Interrupted> {
        let mut target = FixedBitSet::with_capacity(self.len());
        target.extend(self.index.get(&number).copied());
        self.attractor(&target, work)
    }
}

/// Whether every nimber of one set is in another.
pub(crate) fn is_within(small: &NimberSet, large: &NimberSet) -> bool {
    small.union(large) == *large
}

/// When a pair was found not to hold; [`HOLDS`] if it was not.
type Stamp = u32;

/// The stamp of a pair that holds.
const HOLDS: Stamp = Stamp::MAX;

/// Which places of one automaton are below which places of another.
///
/// At (p ; q) the spoiler claims that p can do what q cannot. A number is claimed by forcing it,
/// the heaps beside which p wins by looking; else the spoiler chooses an action of p, the player
/// acts in q as often as needed, and chooses one of the results of the action. Play without end is
/// won by the player. So pairs are removed until none is left that the spoiler wins; each removal
/// has a stamp, by which [`context`](super::context) plays the same game backwards.
pub(crate) struct Order<'a> {
    pub(crate) left: Places<'a>,
    pub(crate) right: Places<'a>,
    /// For each place on the left and each on the right.
    stamps: Vec<Vec<Stamp>>,
    /// By which action of the left place a pair was removed, if by one.
    by: FxHashMap<(usize, usize), usize>,
}

impl<'a> Order<'a> {
    pub(crate) fn of(
        left: (&'a Automaton, Place),
        right: (&'a Automaton, Place),
        work: &mut Work,
    ) -> Result<Self, Interrupted> {
        let [left, right] = [left, right].map(|(automaton, start)| Places::of(automaton, start));
        let bytes = 8 * left.len() as u64 * right.len() as u64;
        work.hold(bytes)?;
        let wins: Vec<NimberSet> = (0..right.len()).map(|q| right.wins(q)).collect();
        let mut stamps = Vec::with_capacity(left.len());
        let mut holds = Vec::with_capacity(left.len());
        for (p, &place) in left.list.iter().enumerate() {
            work.count_all(right.len() as u64)?;
            let mut row = FixedBitSet::with_capacity(right.len());
            match place {
                Place::Number(_) => row = right.forcing(place, work)?,
                Place::State(_) => {
                    let claimed = left.wins(p);
                    row.extend((0..right.len()).filter(|&q| is_within(&claimed, &wins[q])));
                }
            }
            let stamp = |q| if row.contains(q) { HOLDS } else { 0 };
            stamps.push((0..right.len()).map(stamp).collect());
            holds.push(row);
        }
        let mut order = Self { left, right, stamps, by: FxHashMap::default() };
        order.remove(holds, work)?;
        Ok(order)
    }

    fn remove(&mut self, mut holds: Vec<FixedBitSet>, work: &mut Work) -> Result<(), Interrupted> {
        let states = self.left.automaton.states.len();
        let mut waiting: Vec<usize> = (0..states).rev().collect();
        let mut is_waiting = vec![true; states];
        let mut stamp = 0;
        while let Some(p) = waiting.pop() {
            is_waiting[p] = false;
            for action in 0..self.left.actions(p).len() {
                let mut target = FixedBitSet::with_capacity(self.right.len());
                for &result in &self.left.actions(p)[action] {
                    target.union_with(&holds[result]);
                }
                let reached = self.right.attractor(&target, work)?;
                let gone: Vec<usize> = holds[p].difference(&reached).collect();
                if gone.is_empty() {
                    continue;
                }
                stamp += 1;
                for q in gone {
                    holds[p].set(q, false);
                    self.stamps[p][q] = stamp;
                    self.by.insert((p, q), action);
                }
                for &(user, _) in self.left.users(p) {
                    if !std::mem::replace(&mut is_waiting[user], true) {
                        waiting.push(user);
                    }
                }
            }
        }
        Ok(())
    }

    pub(crate) fn holds(&self, low: Place, high: Place) -> bool {
        self.holds_at(self.left.index(low), self.right.index(high))
    }

    pub(crate) fn holds_at(&self, p: usize, q: usize) -> bool {
        self.stamps[p][q] == HOLDS
    }

    /// The action by which the spoiler wins a pair, and the places from which the player could not
    /// reach an answer when it was removed; none if the pair fails at once.
    pub(crate) fn reason(
        &self,
        p: usize,
        q: usize,
        work: &mut Work,
    ) -> Result<Option<(usize, FixedBitSet)>, Interrupted> {
        let Some(&action) = self.by.get(&(p, q)) else {
            return Ok(None);
        };
        let stamp = self.stamps[p][q];
        let mut target = FixedBitSet::with_capacity(self.right.len());
        for &result in &self.left.actions(p)[action] {
            target.extend((0..self.right.len()).filter(|&q| self.stamps[result][q] >= stamp));
        }
        let mut lost = self.right.attractor(&target, work)?;
        lost.toggle_range(..);
        Ok(Some((action, lost)))
    }
}

//! Names: the term that a place of an automaton equals, if there is one.
//!
//! A place from which control cannot come back to itself is a term as it stands. With control
//! cycles, let `x_d` be the term of x cut after d actions. It keeps its `>k`, for k below a bound K
//! that is larger than all numbers of the automaton: others would make an infinite join, and all
//! others follow from being able to force a number. x is a term exactly if it equals some `x_d`,
//! and the first such d is the least one with (x ; x) ∈ `B_d`: the pairs (p ; q) such that the
//! player wins the comparison game although only d actions are allowed in the second automaton.
//!
//! `B_d`, together with the numbers that can be forced within d actions and the pairs in which an
//! action waits for its answer, grows with d and follows from the same three for d − 1. So once
//! they stay as they are they do so for ever, and a place that is not a term by then is
//! *essentially cyclic*.

use fixedbitset::FixedBitSet;

use crate::impartial::control::automaton::{Automaton, Place};
use crate::impartial::control::order::{Places, is_within};
use crate::impartial::control::term::{Term, Terms};
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::limits::{Interrupted, Work};

/// The term of each state; none for essentially cyclic ones.
pub(crate) fn names(
    automaton: &Automaton,
    terms: &mut Terms,
    work: &mut Work,
) -> Result<Vec<Option<Term>>, Interrupted> {
    let mut naming = Naming {
        automaton,
        bound: bound(automaton),
        terms,
        names: vec![None; automaton.states.len()],
    };
    let cyclic = naming.name_acyclic(work)?;
    if !cyclic.is_empty() {
        naming.name_cyclic(&cyclic, work)?;
    }
    Ok(naming.names)
}

/// The terms of all states cut after so many actions.
pub(crate) fn approximants(
    automaton: &Automaton,
    depth: usize,
    terms: &mut Terms,
    work: &mut Work,
) -> Result<Vec<Term>, Interrupted> {
    let len = automaton.states.len();
    let mut naming = Naming { automaton, bound: bound(automaton), terms, names: vec![None; len] };
    let mut names = vec![None; len];
    for _ in 0..=depth {
        let mut next = Vec::with_capacity(len);
        for place in 0..len {
            let exits = naming.exits_below_bound(&automaton.states[place].exits);
            next.push(Some(naming.term(place, &exits, &names, work)?));
        }
        names = next;
    }
    Ok(names.into_iter().flatten().collect())
}

/// A number larger than all that occur.
pub(crate) fn bound(automaton: &Automaton) -> u64 {
    let exits = automaton.states.iter().flat_map(|state| match &state.exits {
        NimberSet::Only(set) | NimberSet::AllExcept(set) => set.iter(),
    });
    let results = automaton.states.iter().flat_map(|state| state.actions.iter().flatten());
    let numbers = results.filter_map(|place| match place {
        Place::Number(n) => Some(*n),
        Place::State(_) => None,
    });
    exits.chain(numbers).max().map_or(0, |largest| largest.saturating_add(1))
}

struct Naming<'a> {
    automaton: &'a Automaton,
    bound: u64,
    terms: &'a mut Terms,
    names: Vec<Option<Term>>,
}

impl Naming<'_> {
    /// Names the states from which control cannot run in a cycle, each after those that it leads
    /// to; returns the others.
    fn name_acyclic(&mut self, work: &mut Work) -> Result<Vec<usize>, Interrupted> {
        let len = self.automaton.states.len();
        let mut left = vec![0_usize; len];
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); len];
        for (state, place) in self.automaton.states.iter().zip(0..) {
            for &result in state.actions.iter().flatten() {
                if let Place::State(result) = result {
                    left[place] += 1;
                    users[result as usize].push(place);
                }
            }
        }
        let mut ready: Vec<usize> = (0..len).filter(|&place| left[place] == 0).collect();
        while let Some(place) = ready.pop() {
            let names = std::mem::take(&mut self.names);
            let exits = self.exits_beyond(place);
            let name = self.term(place, &exits, &names, work);
            self.names = names;
            self.names[place] = Some(name?);
            for &user in &users[place] {
                left[user] -= 1;
                if left[user] == 0 {
                    ready.push(user);
                }
            }
        }
        Ok((0..len).filter(|&place| left[place] > 0).collect())
    }

    /// The exits of a state that do not follow from its actions.
    fn exits_beyond(&self, place: usize) -> Nimbers {
        let implied = self.automaton.implied(place);
        let exits = &self.automaton.states[place].exits;
        let rest = exits.clone().complement().union(&implied).complement();
        match rest {
            NimberSet::Only(rest) => rest,
            all @ NimberSet::AllExcept(_) => self.exits_below_bound(&all),
        }
    }

    fn exits_below_bound(&self, exits: &NimberSet) -> Nimbers {
        match exits {
            NimberSet::Only(exits) => exits.clone(),
            all @ NimberSet::AllExcept(_) => (0..self.bound).filter(|&k| all.contains(k)).collect(),
        }
    }

    /// The term of a state with these exits, by the terms of what its actions lead to; actions that
    /// lead to a state without a term are left out.
    fn term(
        &mut self,
        place: usize,
        exits: &Nimbers,
        names: &[Option<Term>],
        work: &mut Work,
    ) -> Result<Term, Interrupted> {
        let mut members = Vec::new();
        for k in exits.iter() {
            work.count()?;
            members.push(self.terms.hand(k));
        }
        for action in &self.automaton.states[place].actions {
            let results = action.iter().map(|result| match result {
                Place::Number(n) => Some(self.terms.keep(*n)),
                Place::State(state) => names[*state as usize],
            });
            if let Some(results) = results.collect::<Option<Vec<Term>>>() {
                members.push(self.terms.meet(results, work)?);
            }
        }
        self.terms.join(members, work)
    }

    /// Names those of the other states that equal one of their approximants.
    fn name_cyclic(&mut self, cyclic: &[usize], work: &mut Work) -> Result<(), Interrupted> {
        let depths = Depths::of(self.automaton, work)?;
        let Some(deepest) = cyclic.iter().filter_map(|&place| depths[place]).max() else {
            return Ok(());
        };
        // The approximants of depth 0, 1, …; what is named has its name at every depth.
        let mut terms = self.names.clone();
        for depth in 0..=deepest {
            let before = std::mem::replace(&mut terms, self.names.clone());
            for &place in cyclic {
                if self.names[place].is_none() {
                    let exits = self.exits_below_bound(&self.automaton.states[place].exits);
                    let term = self.term(place, &exits, &before, work)?;
                    terms[place] = Some(term);
                    if depths[place] == Some(depth) {
                        self.names[place] = Some(term);
                    }
                }
            }
        }
        Ok(())
    }
}

/// At which depth each state equals its approximant.
struct Depths<'a> {
    places: Places<'a>,
    /// For each number among the places, from where it can be forced within so many actions.
    forced: Vec<FixedBitSet>,
    /// For each place, below which places it is if these may act so often.
    below: Vec<FixedBitSet>,
    /// For each action of each place, at which places it can be answered.
    answered: Vec<Vec<FixedBitSet>>,
}

impl<'a> Depths<'a> {
    fn of(automaton: &'a Automaton, work: &mut Work) -> Result<Vec<Option<usize>>, Interrupted> {
        let states = automaton.states.len();
        let places = Places::of(automaton, Place::Number(0));
        let len = places.len();
        let actions: usize = (0..len).map(|place| places.actions(place).len()).sum();
        work.hold((len + actions) as u64 * len as u64 / 4)?;
        let mut depths = vec![None; states];
        let mut at = Self { places, forced: Vec::new(), below: Vec::new(), answered: Vec::new() };
        for depth in 0.. {
            let next = at.deeper(states, work)?;
            let same = at.forced == next.0 && at.below == next.1 && at.answered == next.2;
            (at.forced, at.below, at.answered) = next;
            for (state, found) in depths.iter_mut().enumerate() {
                if found.is_none() && at.below[state].contains(state) {
                    *found = Some(depth);
                }
            }
            if same || depths.iter().all(Option::is_some) {
                break;
            }
        }
        Ok(depths)
    }

    /// The same with one action more; at first, with none.
    #[expect(clippy::type_complexity, reason = "the three parts of what is known at a depth")]
    fn deeper(
        &self,
        states: usize,
        work: &mut Work,
    ) -> Result<(Vec<FixedBitSet>, Vec<FixedBitSet>, Vec<Vec<FixedBitSet>>), Interrupted> {
        let len = self.places.len();
        let begun = !self.below.is_empty();
        // Where one action leads into a set, whatever the opponent chooses.
        let before = |set: &FixedBitSet, q: usize| {
            let into = |action: &Vec<usize>| action.iter().all(|&result| set.contains(result));
            begun && self.places.actions(q).iter().any(into)
        };
        let mut forced = Vec::new();
        for number in states..len {
            work.count_all(len as u64)?;
            let mut from = FixedBitSet::with_capacity(len);
            from.insert(number);
            if begun {
                let earlier = &self.forced[number - states];
                from.union_with(earlier);
                from.extend((0..len).filter(|&q| before(earlier, q)));
            }
            forced.push(from);
        }
        // Below as far as numbers and heaps show, and what earlier answers give after one action.
        let wins: Vec<NimberSet> = (0..len).map(|place| self.places.wins(place)).collect();
        let mut below = Vec::new();
        let mut answered: Vec<Vec<FixedBitSet>> = Vec::new();
        for p in 0..len {
            if p >= states {
                below.push(forced[p - states].clone());
                answered.push(Vec::new());
                continue;
            }
            let mut row = FixedBitSet::with_capacity(len);
            row.extend((0..len).filter(|&q| is_within(&wins[p], &wins[q])));
            below.push(row);
            let mut rows = Vec::new();
            for action in 0..self.places.actions(p).len() {
                work.count_all(len as u64)?;
                let mut row = FixedBitSet::with_capacity(len);
                if begun {
                    let earlier = &self.answered[p][action];
                    row.extend((0..len).filter(|&q| before(earlier, q)));
                }
                rows.push(row);
            }
            answered.push(rows);
        }
        let later = answered.clone();
        loop {
            let mut changed = false;
            for p in 0..states {
                for action in 0..self.places.actions(p).len() {
                    work.count_all(len as u64 / 16 + 1)?;
                    let mut row = later[p][action].clone();
                    for &result in &self.places.actions(p)[action] {
                        row.union_with(&below[result]);
                    }
                    let size = below[p].count_ones(..);
                    below[p].intersect_with(&row);
                    changed |= below[p].count_ones(..) < size;
                    answered[p][action] = row;
                }
            }
            if !changed {
                return Ok((forced, below, answered));
            }
        }
    }
}

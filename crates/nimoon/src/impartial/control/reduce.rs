//! Smaller automata of a value that equals no term.
//!
//! Essentially cyclic values have no canonical form here. What is printed are the equations of an
//! automaton, so it is made smaller first. Each step is checked by the comparison game, since steps
//! that look harmless are not: in X = \[1/Y\], Y = \[>0\] both are equal, and Y put in place of X
//! is right, but X in place of Y leaves X = \[1/X\], which is `[]`. Two steps need no check: an
//! exit is left out if the heaps beside which the mover wins stay as they are, since exits show
//! nowhere else; and a result of an action is left out if another one is below it, since that
//! leaves a solution a solution and makes no solution smaller.

use crate::impartial::control::automaton::{Automaton, Place, State, in_order};
use crate::impartial::control::name::bound;
use crate::impartial::control::order::Order;
use crate::impartial::nimbers::NimberSet;
use crate::limits::{Interrupted, Work};

/// Automata with more states are left as they are: a step tries all pairs of them.
const STATES: usize = 32;

/// A smaller automaton for the same value, which begins with its first state.
pub(crate) fn reduced(
    automaton: &Automaton,
    start: Place,
    work: &mut Work,
) -> Result<Automaton, Interrupted> {
    let (mut automaton, start) = automaton.reachable(start);
    let bound = bound(&automaton);
    for state in &mut automaton.states {
        if let NimberSet::AllExcept(_) = &state.exits {
            state.exits = NimberSet::only((0..bound).filter(|&k| state.exits.contains(k)));
        }
    }
    if automaton.states.len() <= STATES {
        while let Some(smaller) = step(&automaton, start, work)? {
            automaton = smaller;
        }
    }
    without_exits(automaton, work)
}

/// One step, if one is found.
fn step(
    automaton: &Automaton,
    start: Place,
    work: &mut Work,
) -> Result<Option<Automaton>, Interrupted> {
    let order = Order::of((automaton, start), (automaton, start), work)?;
    let is_below = |low, high| order.holds(low, high);
    for (state, kept) in automaton.states.iter().zip(0..) {
        for (number, action) in state.actions.iter().enumerate() {
            let needless = |&place: &Place| {
                let before = |other: Place| other < place || !is_below(place, other);
                action
                    .iter()
                    .any(|&other| other != place && is_below(other, place) && before(other))
            };
            if action.iter().any(needless) {
                let rest = action.iter().copied().filter(|place| !needless(place));
                let mut states = automaton.states.clone();
                states[kept as usize].actions[number] = rest.collect();
                return finish(states, start, work).map(Some);
            }
        }
        for (other, _) in automaton.states.iter().enumerate().skip(kept as usize + 1) {
            let [a, b] = [kept, other as u32].map(Place::State);
            if !is_below(a, b) || !is_below(b, a) {
                continue;
            }
            for (from, to) in [(b, a), (a, b)] {
                let moved = |place| if place == from { to } else { place };
                let mut states = automaton.states.clone();
                for action in states.iter_mut().flat_map(|state| &mut state.actions) {
                    *action = in_order(action.iter().map(|&place| moved(place)).collect());
                }
                let smaller = finish(states, moved(start), work)?;
                if equal((automaton, start), &smaller, work)? {
                    return Ok(Some(smaller));
                }
            }
        }
        for (number, action) in state.actions.iter().enumerate() {
            let is_above = |other: &[Place]| {
                other.iter().all(|&high| action.iter().any(|&low| is_below(low, high)))
            };
            let mut others = state.actions.iter().enumerate();
            if others.any(|(other, results)| other != number && is_above(results)) {
                let mut states = automaton.states.clone();
                states[kept as usize].actions.remove(number);
                let smaller = finish(states, start, work)?;
                if equal((automaton, start), &smaller, work)? {
                    return Ok(Some(smaller));
                }
            }
        }
    }
    Ok(None)
}

/// The part of an automaton that is left, beginning with its first state.
fn finish(states: Vec<State>, start: Place, work: &mut Work) -> Result<Automaton, Interrupted> {
    let automaton = Automaton::new(states, work)?.contracted(work)?;
    Ok(automaton.reachable(start).0)
}

fn equal(
    (automaton, start): (&Automaton, Place),
    other: &Automaton,
    work: &mut Work,
) -> Result<bool, Interrupted> {
    let first = Place::State(0);
    let below = Order::of((automaton, start), (other, first), work)?;
    let above = Order::of((other, first), (automaton, start), work)?;
    Ok(below.holds(start, first) && above.holds(first, start))
}

/// Leaves out exits that follow from other ones.
fn without_exits(mut automaton: Automaton, work: &mut Work) -> Result<Automaton, Interrupted> {
    for state in 0..automaton.states.len() {
        let NimberSet::Only(exits) = automaton.states[state].exits.clone() else {
            continue;
        };
        for k in exits.iter() {
            let mut states = automaton.states.clone();
            let rest = states[state].exits.clone().complement().union(&NimberSet::only([k]));
            states[state].exits = rest.complement();
            let smaller = Automaton::new(states, work)?;
            if smaller.wins(Place::State(state as u32)).contains(k) {
                automaton = smaller;
            }
        }
    }
    Ok(automaton)
}

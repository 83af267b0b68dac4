//! Control automata: what a player in control can do, and where that may end.

use rustc_hash::FxHashMap;

use crate::impartial::nimbers::NimberSet;
use crate::limits::{Interrupted, Work};

/// Where a component stands when the mover is in control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// On a number.
    Number(u64),
    /// On a white node without a number: a state.
    State(u32),
}

/// The results between which the opponent chooses when the mover fights a duel; in order. Without
/// any, the opponent gets stuck.
pub(crate) type Results = Box<[Place]>;

/// What the mover can do in control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// The numbers at which the mover can hand over, as far as this does not follow from the
    /// actions.
    pub(crate) exits: NimberSet,
    /// The duels that the mover can fight.
    pub(crate) actions: Vec<Results>,
}

/// A control automaton: states, and the heaps beside which the player to move wins them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Automaton {
    pub(crate) states: Vec<State>,
    wins: Vec<NimberSet>,
}

impl Automaton {
    /// The automaton of these states. Beside *k a player wins by handing over at k, or by a duel
    /// all results of which are won beside *k: the least solution of that.
    pub(crate) fn new(states: Vec<State>, work: &mut Work) -> Result<Self, Interrupted> {
        let wins = states.iter().map(|state| state.exits.clone()).collect();
        let mut automaton = Self { states, wins };
        let mut users = vec![Vec::new(); automaton.states.len()];
        for (user, state) in automaton.states.iter().enumerate() {
            for &result in state.actions.iter().flatten() {
                if let Place::State(result) = result {
                    users[result as usize].push(user);
                }
            }
        }
        // What comes last is tried first: it is in most cases what the others lead to.
        let mut waiting: Vec<usize> = (0..automaton.states.len()).collect();
        let mut is_waiting = vec![true; waiting.len()];
        while let Some(place) = waiting.pop() {
            is_waiting[place] = false;
            work.count_all(1 + automaton.states[place].actions.len() as u64)?;
            let wins = automaton.implied(place).union(&automaton.wins[place]);
            if wins == automaton.wins[place] {
                continue;
            }
            automaton.wins[place] = wins;
            for &user in &users[place] {
                if !std::mem::replace(&mut is_waiting[user], true) {
                    waiting.push(user);
                }
            }
        }
        Ok(automaton)
    }

    /// The automaton of these states, whose wins are known already.
    pub(crate) fn with_wins(states: Vec<State>, wins: Vec<NimberSet>) -> Self {
        Self { states, wins }
    }

    /// The heaps beside which one of the actions of a state wins.
    pub(crate) fn implied(&self, state: usize) -> NimberSet {
        let won = self.states[state].actions.iter().map(|action| {
            let lost = action.iter().map(|&place| self.wins(place).complement());
            NimberSet::union_of(&lost.collect::<Vec<_>>()).complement()
        });
        NimberSet::union_of(&won.collect::<Vec<_>>())
    }

    /// The heaps beside which the player to move wins; for a number, all but one.
    pub(crate) fn wins(&self, place: Place) -> NimberSet {
        match place {
            Place::Number(n) => NimberSet::all_except([n]),
            Place::State(state) => self.wins[state as usize].clone(),
        }
    }

    /// The part that can be reached from a place, with its states numbered from 0 on.
    pub(crate) fn reachable(&self, start: Place) -> (Self, Place) {
        let mut places = FxHashMap::default();
        let mut order = Vec::new();
        let mut renumber = |place: Place, order: &mut Vec<u32>| match place {
            Place::Number(_) => place,
            Place::State(state) => Place::State(*places.entry(state).or_insert_with(|| {
                order.push(state);
                order.len() as u32 - 1
            })),
        };
        let start = renumber(start, &mut order);
        let mut part = Self::default();
        let mut next = 0;
        while next < order.len() {
            let state = &self.states[order[next] as usize];
            let actions = state
                .actions
                .iter()
                .map(|action| action.iter().map(|&place| renumber(place, &mut order)).collect());
            let actions = actions.collect();
            part.wins.push(self.wins[order[next] as usize].clone());
            part.states.push(State { exits: state.exits.clone(), actions });
            next += 1;
        }
        (part, start)
    }

    /// The same values without actions that have one state as their only result: the mover may do
    /// at once what can be done there.
    pub(crate) fn contracted(&self, work: &mut Work) -> Result<Self, Interrupted> {
        let mut states = Vec::with_capacity(self.states.len());
        for start in 0..self.states.len() as u32 {
            let mut reached = vec![start];
            let mut exits = Vec::new();
            let mut actions = Vec::new();
            let mut next = 0;
            while next < reached.len() {
                let state = &self.states[reached[next] as usize];
                exits.push(&state.exits);
                for action in &state.actions {
                    work.count()?;
                    match action[..] {
                        [Place::State(only)] if reached.contains(&only) => {}
                        [Place::State(only)] => reached.push(only),
                        _ => actions.push(action.clone()),
                    }
                }
                next += 1;
            }
            let exits = NimberSet::union_of(exits);
            let mut actions = minimal(actions, work)?;
            actions.retain(|action| !action.contains(&Place::State(start)));
            states.push(State { exits, actions });
        }
        Ok(Self { states, wins: self.wins.clone() })
    }

    /// The automaton of the sum of two places that are not both numbers (Theorem 7), where it starts,
    /// and the pair that each state stands for. A duel is fought in one component, and nobody hands over beside a component without
    /// a number, so all wins of a pair of states follow from its actions.
    pub(crate) fn sum(
        first: (&Self, Place),
        second: (&Self, Place),
        work: &mut Work,
    ) -> Result<(Self, Place, Vec<Pair>), Interrupted> {
        let mut places: FxHashMap<Pair, u32> = FxHashMap::default();
        let mut pairs: Vec<Pair> = Vec::new();
        let mut number = |pair: Pair, pairs: &mut Vec<Pair>| match pair {
            (Place::Number(i), Place::Number(j)) => Place::Number(i ^ j),
            _ => Place::State(*places.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() as u32 - 1
            })),
        };
        let start = number((first.1, second.1), &mut pairs);
        let mut states = Vec::new();
        while states.len() < pairs.len() {
            let (p, q) = pairs[states.len()];
            work.count()?;
            let exits = match (p, q) {
                (Place::State(p), Place::Number(n)) => first.0.states[p as usize].exits.nim_add(n),
                (Place::Number(n), Place::State(q)) => second.0.states[q as usize].exits.nim_add(n),
                _ => NimberSet::nothing(),
            };
            let mut actions = Vec::new();
            let mut add = |results: Vec<Pair>| -> Result<(), Interrupted> {
                let results = results.into_iter().map(|pair| number(pair, &mut pairs));
                actions.push(in_order(results.collect()));
                work.count()
            };
            if let Place::State(p) = p {
                for action in &first.0.states[p as usize].actions {
                    add(action.iter().map(|&e| (e, q)).collect())?;
                }
            }
            if let Place::State(q) = q {
                for action in &second.0.states[q as usize].actions {
                    add(action.iter().map(|&e| (p, e)).collect())?;
                }
            }
            states.push(State { exits, actions: minimal(actions, work)? });
        }
        Ok((Self::new(states, work)?, start, pairs))
    }
}

/// A place of each of two automata.
pub(crate) type Pair = (Place, Place);

/// Results in order, each once.
pub(crate) fn in_order(mut results: Vec<Place>) -> Results {
    results.sort_unstable();
    results.dedup();
    results.into_boxed_slice()
}

/// The sets that contain no other one.
pub(crate) fn minimal(
    mut sets: Vec<Results>,
    work: &mut Work,
) -> Result<Vec<Results>, Interrupted> {
    sets.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    sets.dedup();
    let mut kept: Vec<Results> = Vec::new();
    for set in sets {
        work.count_moves(kept.len())?;
        if !kept.iter().any(|small| is_subset(small, &set)) {
            kept.push(set);
        }
    }
    Ok(kept)
}

fn is_subset(small: &[Place], large: &[Place]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|place| rest.any(|other| other == place))
}

//! Values of positions with cycles and entailing moves of any outdegree: what the mover can choose
//! in control, and how two such values compare.
//!
//! **Automata.** The *mover* is in control as long as the opponent is never free to move. What a
//! position can do for a player in control is an *automaton*. Its places are numbers and states. A
//! state has *exits*, the numbers at which the mover can hand over, and *actions*: sets of places of
//! which the opponent chooses one, with the mover in control again; with an empty one the opponent
//! is stuck. Each place has a set W of nim-heaps beside which the mover wins: for a number all but
//! itself, for a state the least set with its exits, and with all k that are in W of every place of
//! some action.
//!
//! A white node without a number is a state. Its W comes from the ranks ([`crate::heaps`]). Its
//! actions are the minimal sets of results of duels. They are computed here by their definition, as
//! the least families with
//!
//! - opponent to move on a gray node: for each option the option itself, if it is white, or a set of
//!   the gray option with the mover to move; the union over all options;
//! - mover to move on a gray node: a set of a gray option with the opponent to move.
//!
//! **Order.** A certificate lists pairs (p ; q) of a state p of one automaton and a place q of
//! another. Each of them is checked by itself:
//!
//! - W(p) is within W(q);
//! - for each action of p, the mover can reach from q, by actions and whatever the opponent chooses,
//!   a place q' such that some e in the action has (e ; q') in the list; or, if e is the number j,
//!   such that q' is j; or the opponent is stuck.
//!
//! *Then the player to move wins q + S whenever p + S is won, for each white S.* Proof. Let a strategy
//! win p + S. The player imitates it beside q, with a listed pair at the start of each action, or
//! with a number forced and stood on. If the strategy hands over in p, all of S is numbers with a
//! nim-sum k in W(p), which is within W(q). If it plays in S, so does the player. If it begins a duel
//! in p, its results contain an action of p, and the list says which actions to make from q, and
//! which result to imagine. The strategy wins in boundedly many actions, so this ends. ∎ The proof
//! needs that nobody wins by leaving the opponent free beside a component without a number, which is
//! a theorem that is not checked here: its proof is in `docs/findings/general.md`.
//!
//! A node *equals a value* if there are such lists in both directions, between the node and the
//! automaton that the value is. **A sum** of two automata has the pairs of places as its places, and
//! the actions of both; a number beside a state shifts its exits by the nim-sum, and two states have
//! no exits. That is so because a duel is fought in one component (same source). A certificate adds
//! one component at a time and lists the value of each partial sum. A sum with a value that is not a
//! number is won if 0 is in W, and drawn otherwise.
//!
//! Cost: the pairs times the arcs of the automata, and the families of sets, which can be
//! exponentially large: the caller ends a check that takes too long.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Deserialize;

use crate::algebra::Outcome;
use crate::format::{Digraph, Outcomes, Set};
use crate::watch::{Unproved, Watch};

/// A place of an automaton.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(untagged)]
pub enum Place {
    /// A state, by its number in the list.
    State(u32),
    /// A number.
    Number {
        /// The number.
        n: u64,
    },
}

/// A state of a value.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Choices {
    /// The numbers at which the mover can hand over.
    pub hand: Vec<u64>,
    /// The sets of places of which the opponent chooses one.
    pub keep: Vec<Vec<Place>>,
}

/// A value: where it starts, and its states.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// Where it starts.
    pub start: Place,
    /// The states.
    pub states: Vec<Choices>,
}

/// Pairs of a state and a place.
pub type Pairs = Vec<(u32, Place)>;

/// The value of something, with the pairs that prove it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Valued {
    /// The value.
    pub value: Value,
    /// Pairs from it to the value.
    pub below: Pairs,
    /// Pairs from the value to it.
    pub above: Pairs,
}

/// The value of a node, with pairs of nodes and states.
pub type NodeValue = (u32, Valued);

/// The value of a partial sum.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Total {
    /// The states of the sum of the total before and the next piece: pairs of their places.
    pub places: Vec<(Place, Place)>,
    /// The value, with pairs of these and its states.
    pub equals: Valued,
}

/// What a mover in control can do.
pub(crate) struct Automaton {
    wins: Vec<Set>,
    actions: Vec<Vec<Vec<Place>>>,
}

impl Automaton {
    fn wins(&self, place: Place) -> Set {
        match place {
            Place::Number { n } => Set::all_except(vec![n]),
            Place::State(state) => self.wins[state as usize].clone(),
        }
    }

    /// From where the mover can reach one of the targets, or get the opponent stuck.
    fn attractor(
        &self,
        targets: &HashSet<Place>,
        watch: &Watch,
    ) -> Result<HashSet<Place>, Unproved> {
        let mut reached = targets.clone();
        loop {
            let before = reached.len();
            for (state, actions) in (0..).zip(&self.actions) {
                for action in actions {
                    watch.step(action.len() + 1)?;
                    if action.iter().all(|place| reached.contains(place)) {
                        reached.insert(Place::State(state));
                    }
                }
            }
            if reached.len() == before {
                return Ok(reached);
            }
        }
    }

    /// The automaton of all white nodes without a number; other nodes are states without choices.
    fn of_digraph(
        digraph: &Digraph,
        outcomes: &[&Outcomes],
        watch: &Watch,
    ) -> Result<Self, Unproved> {
        let duels = Duels::new(digraph, outcomes, watch)?;
        let mut actions = Vec::with_capacity(digraph.len());
        for node in digraph.nodes() {
            let mut of_node = Vec::new();
            if !digraph.is_gray(node) && number(outcomes[node as usize]).is_none() {
                for &option in digraph.options.row(node) {
                    if digraph.is_gray(option) {
                        of_node.extend(duels.opponent[option as usize].iter().cloned());
                    }
                }
                of_node = minimal(of_node, watch)?;
            }
            actions.push(of_node.into_iter().map(|set| set.into_iter().collect()).collect());
        }
        Ok(Self { wins: outcomes.iter().map(|outcomes| outcomes.win.clone()).collect(), actions })
    }

    /// The automaton of a value.
    fn of_value(value: &Value, at: &str, watch: &Watch) -> Result<Self, Unproved> {
        let exits: Vec<Set> =
            value.states.iter().map(|state| Set::only(state.hand.clone())).collect();
        let actions: Vec<_> = value.states.iter().map(|state| state.keep.clone()).collect();
        let listed = Self { wins: exits, actions };
        for &place in listed.actions.iter().flatten().flatten().chain([&value.start]) {
            listed.check_known(place, at)?;
        }
        Self::with_exits(listed.wins, listed.actions, watch)
    }

    /// The least sets W with these exits.
    fn with_exits(
        exits: Vec<Set>,
        actions: Vec<Vec<Vec<Place>>>,
        watch: &Watch,
    ) -> Result<Self, Unproved> {
        let mut found = Self { wins: exits, actions };
        loop {
            let mut changed = false;
            for state in 0..found.wins.len() {
                let mut wins = found.wins[state].clone();
                for action in &found.actions[state] {
                    watch.step(1 + action.len() * (1 + wins.numbers.len()))?;
                    // What is in all of them is what is missing from none.
                    let missing = action.iter().fold(Set::only(Vec::new()), |missing, &place| {
                        missing.union(&found.wins(place).complement())
                    });
                    wins = wins.union(&missing.complement());
                }
                if wins != found.wins[state] {
                    found.wins[state] = wins;
                    changed = true;
                }
            }
            if !changed {
                return Ok(found);
            }
        }
    }

    /// The sum of two places; these pairs are its states.
    fn sum(
        one: (&Self, Place),
        other: (&Self, Place),
        places: &[(Place, Place)],
        at: &str,
        watch: &Watch,
    ) -> Result<(Self, Place), Unproved> {
        watch.hold(places.len().saturating_mul(4 * size_of::<(Place, Place)>()))?;
        let numbers: HashMap<(Place, Place), u32> = places.iter().copied().zip(0..).collect();
        let place = |pair: (Place, Place)| match pair {
            (Place::Number { n }, Place::Number { n: m }) => Ok(Place::Number { n: n ^ m }),
            _ => numbers.get(&pair).copied().map(Place::State).ok_or_else(|| {
                Unproved::wrong(format!("{at}.places"), "a pair that can be reached is missing")
            }),
        };
        let start = place((one.1, other.1))?;
        let (mut exits, mut actions) = (Vec::new(), Vec::new());
        for &(p, q) in places {
            one.0.check_known(p, at)?;
            other.0.check_known(q, at)?;
            let shifted = |wins: &Set, n: u64| {
                // The heaps that a state wins beside are the exits that it needs: W is closed.
                let numbers = wins.numbers.iter().map(|k| k ^ n).collect();
                if wins.all_except { Set::all_except(numbers) } else { Set::only(numbers) }
            };
            exits.push(match (p, q) {
                (Place::State(_), Place::Number { n }) => shifted(&one.0.wins(p), n),
                (Place::Number { n }, Place::State(_)) => shifted(&other.0.wins(q), n),
                _ => Set::only(Vec::new()),
            });
            let mut of_pair = Vec::new();
            for action in one.0.actions(p) {
                watch.step(1 + action.len())?;
                let results: Result<_, _> = action.iter().map(|&e| place((e, q))).collect();
                of_pair.push(results?);
            }
            for action in other.0.actions(q) {
                watch.step(1 + action.len())?;
                let results: Result<_, _> = action.iter().map(|&e| place((p, e))).collect();
                of_pair.push(results?);
            }
            actions.push(of_pair);
        }
        Ok((Self::with_exits(exits, actions, watch)?, start))
    }

    fn actions(&self, place: Place) -> &[Vec<Place>] {
        match place {
            Place::State(state) => &self.actions[state as usize],
            Place::Number { .. } => &[],
        }
    }

    fn check_known(&self, place: Place, at: &str) -> Result<(), Unproved> {
        match place {
            Place::State(state) if state as usize >= self.actions.len() => {
                Err(Unproved::wrong(at, format!("there is no state {state}")))
            }
            _ => Ok(()),
        }
    }
}

/// The number of a white node: the heap beside which it is lost.
pub(crate) fn number(outcomes: &Outcomes) -> Option<u64> {
    let loss = &outcomes.loss;
    if loss.all_except { None } else { loss.numbers.first().copied() }
}

type Results = BTreeSet<Place>;

/// The minimal sets of results of the duels on each gray node, with the opponent or the mover to move.
struct Duels {
    opponent: Vec<Vec<Results>>,
    mover: Vec<Vec<Results>>,
}

impl Duels {
    fn new(digraph: &Digraph, outcomes: &[&Outcomes], watch: &Watch) -> Result<Self, Unproved> {
        let none = || vec![Vec::new(); digraph.len()];
        let mut duels = Self { opponent: none(), mover: none() };
        loop {
            let mut changed = false;
            for gray in digraph.nodes().filter(|&node| digraph.is_gray(node)) {
                let options = digraph.options.row(gray);
                let of_gray = options.iter().filter(|&&option| digraph.is_gray(option));
                let sets = of_gray.flat_map(|&option| duels.opponent[option as usize].clone());
                let mover = minimal(sets.collect(), watch)?;
                let mut opponent: Vec<Results> = vec![Results::new()];
                for &option in options {
                    let alone: Vec<Results>;
                    let some = if digraph.is_gray(option) {
                        &duels.mover[option as usize]
                    } else {
                        let place = match number(outcomes[option as usize]) {
                            Some(n) => Place::Number { n },
                            None => Place::State(option),
                        };
                        alone = vec![Results::from([place])];
                        &alone
                    };
                    let mut unions = Vec::new();
                    for set in &opponent {
                        for more in some {
                            watch.step(1 + set.len() + more.len())?;
                            unions.push(set.union(more).copied().collect());
                        }
                    }
                    opponent = minimal(unions, watch)?;
                }
                let gray = gray as usize;
                changed |= duels.opponent[gray] != opponent || duels.mover[gray] != mover;
                (duels.opponent[gray], duels.mover[gray]) = (opponent, mover);
            }
            if !changed {
                return Ok(duels);
            }
        }
    }
}

/// The sets that contain no other one, in order.
fn minimal(mut sets: Vec<Results>, watch: &Watch) -> Result<Vec<Results>, Unproved> {
    sets.sort_unstable_by(|one, other| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    sets.dedup();
    let mut kept: Vec<Results> = Vec::new();
    for set in sets {
        watch.step(1 + kept.len() * set.len())?;
        if !kept.iter().any(|smaller| smaller.is_subset(&set)) {
            kept.push(set);
        }
    }
    Ok(kept)
}

fn is_within(small: &Set, large: &Set) -> bool {
    small.union(large) == large.union(&Set::only(Vec::new()))
}

/// Checks that the pairs prove the start on the left to be below the start on the right.
fn check_below(
    left: (&Automaton, Place),
    right: (&Automaton, Place),
    pairs: &Pairs,
    at: &str,
    watch: &Watch,
) -> Result<(), Unproved> {
    let reject = |i: usize, reason| Err(Unproved::wrong(format!("{at}[{i}]"), reason));
    watch.hold(pairs.len().saturating_mul(size_of::<(u32, Place)>() * 4))?;
    let mut above: HashMap<u32, HashSet<Place>> = HashMap::new();
    for (i, &(p, q)) in pairs.iter().enumerate() {
        left.0.check_known(Place::State(p), &format!("{at}[{i}]"))?;
        right.0.check_known(q, &format!("{at}[{i}]"))?;
        above.entry(p).or_default().insert(q);
    }
    // From where each number can be forced on the right.
    let mut forced: HashMap<u64, HashSet<Place>> = HashMap::new();
    let mut forcing = |n: u64| -> Result<HashSet<Place>, Unproved> {
        if let Some(known) = forced.get(&n) {
            return Ok(known.clone());
        }
        let found = right.0.attractor(&HashSet::from([Place::Number { n }]), watch)?;
        forced.insert(n, found.clone());
        Ok(found)
    };
    let holds = match left.1 {
        Place::State(p) => above.get(&p).is_some_and(|above| above.contains(&right.1)),
        Place::Number { n } => forcing(n)?.contains(&right.1),
    };
    if !holds {
        return Err(Unproved::wrong(at, "the pair of the two starts is missing"));
    }
    // For each action of each state on the left, from where it is answered.
    let mut answered: HashMap<u32, Vec<HashSet<Place>>> = HashMap::new();
    for &p in above.keys() {
        let mut of_state = Vec::new();
        for action in &left.0.actions[p as usize] {
            let mut targets = HashSet::new();
            for &e in action {
                match e {
                    Place::Number { n } => targets.extend(forcing(n)?),
                    Place::State(e) => targets.extend(above.get(&e).into_iter().flatten()),
                }
                watch.step(1 + targets.len())?;
            }
            of_state.push(right.0.attractor(&targets, watch)?);
        }
        answered.insert(p, of_state);
    }
    for (i, &(p, q)) in pairs.iter().enumerate() {
        watch.step(1 + answered[&p].len())?;
        if !is_within(&left.0.wins(Place::State(p)), &right.0.wins(q)) {
            return reject(i, "the first wins beside a heap, and the second does not");
        }
        if !answered[&p].iter().all(|from| from.contains(&q)) {
            return reject(i, "an action of the first has no answer");
        }
    }
    Ok(())
}

/// The values of nodes that were checked.
pub(crate) struct Checked<'a> {
    digraph: &'a Digraph,
    outcomes: Vec<&'a Outcomes>,
    automaton: Automaton,
    values: HashMap<u32, (&'a Value, Automaton)>,
}

impl<'a> Checked<'a> {
    /// The automaton of a digraph whose outcomes beside heaps were checked.
    pub(crate) fn new(
        digraph: &'a Digraph,
        outcomes: Vec<&'a Outcomes>,
        watch: &Watch,
    ) -> Result<Self, Unproved> {
        let automaton = Automaton::of_digraph(digraph, &outcomes, watch)?;
        Ok(Self { digraph, outcomes, automaton, values: HashMap::new() })
    }

    fn place(&self, node: u32) -> Place {
        number(self.outcomes[node as usize]).map_or(Place::State(node), |n| Place::Number { n })
    }

    /// Checks that a node is white.
    pub(crate) fn white(&self, node: u32, at: &str) -> Result<(), Unproved> {
        if node as usize >= self.digraph.len() || self.digraph.is_gray(node) {
            return Err(Unproved::wrong(at, "expected a white node"));
        }
        Ok(())
    }

    /// Checks the values of nodes.
    pub(crate) fn check_values(
        &mut self,
        values: &'a [NodeValue],
        watch: &Watch,
    ) -> Result<(), Unproved> {
        for (i, (node, valued)) in values.iter().enumerate() {
            let at = format!("control[{i}]");
            self.white(*node, &at)?;
            let of_value = Automaton::of_value(&valued.value, &at, watch)?;
            let own = (&self.automaton, self.place(*node));
            check_equal(own, &of_value, valued, &at, watch)?;
            self.values.insert(*node, (&valued.value, of_value));
        }
        Ok(())
    }

    /// Checks the values of partial sums, of one piece, of two and so on, and says who wins the last.
    pub(crate) fn check_sum(
        &self,
        pieces: &[u32],
        totals: &[Total],
        watch: &Watch,
    ) -> Result<Outcome, Unproved> {
        if totals.len() != pieces.len() {
            return Err(Unproved::wrong("sum.totals", "expected one for each piece"));
        }
        let mut total: (Automaton, Place) =
            (Automaton { wins: Vec::new(), actions: Vec::new() }, Place::Number { n: 0 });
        for (i, (&piece, Total { places, equals })) in pieces.iter().zip(totals).enumerate() {
            let at = format!("sum.totals[{i}]");
            self.white(piece, &at)?;
            let place = self.place(piece);
            let own = match (place, self.values.get(&piece)) {
                (Place::Number { .. }, _) => (&total.0, place),
                (_, Some((value, automaton))) => (automaton, value.start),
                (_, None) => return Err(Unproved::wrong(at, "the value of the piece is missing")),
            };
            let of_value = Automaton::of_value(&equals.value, &at, watch)?;
            let (sum, start) = Automaton::sum((&total.0, total.1), own, places, &at, watch)?;
            check_equal((&sum, start), &of_value, equals, &at, watch)?;
            total = (of_value, equals.value.start);
        }
        Ok(match total.1 {
            Place::Number { n: 0 } => Outcome::P,
            place if total.0.wins(place).contains(0) => Outcome::N,
            _ => Outcome::D,
        })
    }

    /// Checks that one node is below another.
    pub(crate) fn check_order(
        &self,
        (x, y): (u32, u32),
        pairs: &Pairs,
        at: &str,
        watch: &Watch,
    ) -> Result<(), Unproved> {
        self.white(x, at)?;
        self.white(y, at)?;
        let [low, high] = [x, y].map(|node| self.place(node));
        // Two numbers are below each other only if they are equal, and nothing else is below one:
        // beside the number itself it does not lose.
        if let Place::Number { .. } = high
            && low != high
        {
            return Err(Unproved::wrong(at, "nothing else is below a number"));
        }
        if low == high {
            return Ok(());
        }
        check_below((&self.automaton, low), (&self.automaton, high), pairs, at, watch)
    }
}

/// Checks that something equals a value.
fn check_equal(
    own: (&Automaton, Place),
    of_value: &Automaton,
    valued: &Valued,
    at: &str,
    watch: &Watch,
) -> Result<(), Unproved> {
    let value = (of_value, valued.value.start);
    match (own.1, value.1) {
        (Place::Number { n }, Place::Number { n: m }) if n == m => return Ok(()),
        (Place::State(_), Place::State(_)) => {}
        _ => return Err(Unproved::wrong(at, "a number equals only itself")),
    }
    check_below(own, value, &valued.below, &format!("{at}.below"), watch)?;
    check_below(value, own, &valued.above, &format!("{at}.above"), watch)
}

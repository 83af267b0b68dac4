//! Values: canonical automata that stand by themselves.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::impartial::control::automaton::{Automaton, Place, State, in_order};
use crate::impartial::control::name::names;
use crate::impartial::control::order::{Order, Places};
use crate::impartial::control::reduce::reduced;
use crate::impartial::control::term::{Shape, Term, Terms};
use crate::impartial::nimbers::NimberSet;
use crate::impartial::value::Value;
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// What the mover can choose at a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Member {
    /// `>k`: hand over at the number k.
    Hand(u64),
    /// Keep control: the opponent chooses one of these places. A single number is `j`; if there is
    /// none, the opponent is stuck.
    Meet(Box<[Place]>),
}

/// The value of a position with cycles and entailing moves of any outdegree: a number, or what the
/// mover can choose at each state.
///
/// Two values that are not essentially cyclic are equal exactly if they are the same value here;
/// see [`Control::relation`] for all others.
///
/// ```
/// use nimoon::{Work, impartial::control::Control};
/// let mut work = Work::default();
/// let value = Control::read("[>0, 1/0]", &mut work).unwrap();
/// assert_eq!(value.to_string(), "[0/1, >0]");
/// let sum = Control::sum(&[value.clone(), value], &mut work).unwrap();
/// assert_eq!(sum.to_string(), "[0/1]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Control {
    start: Place,
    /// Essentially cyclic states come first.
    states: Box<[Box<[Member]>]>,
    wins: Box<[NimberSet]>,
    cyclic: u32,
}

impl Control {
    /// A number.
    pub fn number(n: u64) -> Self {
        Self { start: Place::Number(n), states: Box::default(), wins: Box::default(), cyclic: 0 }
    }

    /// The number, if the value is one.
    pub fn as_number(&self) -> Option<u64> {
        match self.start {
            Place::Number(n) => Some(n),
            Place::State(_) => None,
        }
    }

    /// Where play begins.
    pub fn start(&self) -> Place {
        self.start
    }

    /// What the mover can choose at each state.
    pub fn states(&self) -> &[Box<[Member]>] {
        &self.states
    }

    /// Whether no term has this value, so that equations are needed.
    pub fn is_cyclic(&self) -> bool {
        self.cyclic > 0
    }

    /// How many states, from the first one on, are equal to no term.
    pub fn cyclic_states(&self) -> u32 {
        self.cyclic
    }

    /// The nim-heaps beside which the player to move wins without touching the heap first.
    pub fn wins_beside(&self) -> NimberSet {
        match self.start {
            Place::Number(n) => NimberSet::all_except([n]),
            Place::State(state) => self.wins[state as usize].clone(),
        }
    }

    /// The same, where the value is not a number; all other nim-heaps are drawn.
    pub fn wins_if_unnumbered(&self) -> Option<&NimberSet> {
        match self.start {
            Place::Number(_) => None,
            Place::State(state) => self.wins.get(state as usize),
        }
    }

    /// Who wins: a number other than 0 is N, and any other value is N if the mover can hand over at
    /// 0, and D otherwise (Corollary 3).
    ///
    /// ```
    /// use nimoon::{Outcome, Work, impartial::control::Control};
    /// let outcome = |text| Control::read(text, &mut Work::default()).unwrap().outcome();
    /// assert_eq!([outcome("0"), outcome("[0/1, >0]"), outcome("[0/1]")], [Outcome::P, Outcome::N, Outcome::D]);
    /// ```
    pub fn outcome(&self) -> Outcome {
        match self.start {
            Place::Number(0) => Outcome::P,
            _ if self.wins_beside().contains(0) => Outcome::N,
            _ => Outcome::D,
        }
    }

    /// The value of a kind that the carry-on theory has.
    pub fn of_value(value: &Value) -> Self {
        let keep = |n: u64| Member::Meet(Box::from([Place::Number(n)]));
        let hand = |n: u64| Member::Hand(n);
        let (members, wins): (Vec<Member>, NimberSet) = match value {
            Value::Nimber(n) => return Self::number(*n),
            Value::FullMoon => (vec![Member::Meet(Box::default())], NimberSet::everything()),
            Value::Ninny(f) => (vec![keep(*f)], NimberSet::all_except([*f])),
            Value::Cyclic(exits) => {
                (exits.iter().map(hand).collect(), NimberSet::Only(exits.clone()))
            }
            Value::Moon(forced) => {
                let mut members: Vec<Member> = forced.iter().map(keep).collect();
                if let [f] = forced.as_slice() {
                    members.push(hand(*f));
                }
                (members, NimberSet::everything())
            }
        };
        let (states, wins) = (Box::from([members.into()]), Box::from([wins]));
        Self { start: Place::State(0), states, wins, cyclic: 0 }
    }

    /// The value as one of the kinds that the carry-on theory has, if it is one: if no meet of two
    /// results is left (Theorem 5, Corollary).
    ///
    /// ```
    /// use nimoon::{Work, impartial::control::Control};
    /// let kind = |text| Control::read(text, &mut Work::default()).unwrap().value();
    /// assert_eq!(kind("[0, >0]"), Some("moon{0}".parse().unwrap()));
    /// assert_eq!(kind("[0/1]"), None);
    /// // Neither result is below the other; but 1 ∧ >0 and 1 ∧ >1 leave nothing to choose.
    /// assert_eq!(kind("[1/[>0, >1], >1]"), Some("oo{0,1}".parse().unwrap()));
    /// ```
    pub fn value(&self) -> Option<Value> {
        let Place::State(start) = self.start else {
            return self.as_number().map(Value::Nimber);
        };
        let members = &self.states[start as usize];
        let mut forced = Vec::new();
        let mut exits = Vec::new();
        for member in members {
            match member {
                Member::Hand(k) => exits.push(*k),
                Member::Meet(results) => match results[..] {
                    [] => return Some(Value::FullMoon),
                    [Place::Number(n)] => forced.push(n),
                    _ => return None,
                },
            }
        }
        Some(match forced[..] {
            [] => Value::Cyclic(exits.into_iter().collect()),
            [f] if exits.is_empty() => Value::Ninny(f),
            _ => Value::Moon(forced.into_iter().collect()),
        })
    }

    /// The numbers that the mover can force: those j with `j` below the value. A number forces
    /// itself, and a full moon all of them.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn forced(&self, work: &mut Work) -> Result<NimberSet, Interrupted> {
        let automaton = self.automaton();
        let places = Places::of(&automaton, self.start);
        let start = places.index(self.start);
        if self.value() == Some(Value::FullMoon) {
            return Ok(NimberSet::everything());
        }
        let mut forced = Vec::new();
        for &place in places.list() {
            work.check()?;
            if let Place::Number(n) = place
                && places.forcing(place, work)?.contains(start)
            {
                forced.push(n);
            }
        }
        Ok(NimberSet::only(forced))
    }

    /// How two values compare, by what they do in sums of white components: the value of x is at
    /// most that of y if the player to move fares in x + S never better than in y + S, where a loss
    /// is worse than a draw and a draw worse than a win. None if neither is.
    ///
    /// ```
    /// use std::cmp::Ordering::{Equal, Less};
    /// use nimoon::{Work, impartial::control::Control};
    /// let relation = |x, y| {
    ///     let mut work = Work::default();
    ///     let [x, y] = [x, y].map(|text| Control::read(text, &mut work).unwrap());
    ///     x.relation(&y, &mut work).unwrap()
    /// };
    /// assert_eq!(relation("[0/1, 0/2]", "[0/[1, 2]]"), Some(Less));
    /// assert_eq!(relation("[0]", "[>0]"), None);
    /// assert_eq!(relation("X = [>0, 1/Y], Y = [>1, 0/X]", "A = [1/B, >0], B = [>1, 0/A]"), Some(Equal));
    /// ```
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn relation(&self, other: &Self, work: &mut Work) -> Result<Option<Ordering>, Interrupted> {
        let [below, above] = [self.is_below(other, work)?, other.is_below(self, work)?];
        Ok(match (below, above) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        })
    }

    pub(crate) fn is_below(&self, other: &Self, work: &mut Work) -> Result<bool, Interrupted> {
        match (self.start, other.start) {
            (Place::Number(n), Place::Number(m)) => return Ok(n == m),
            // Beside the number itself only the number is lost.
            (Place::State(_), Place::Number(_)) => return Ok(false),
            _ if self == other => return Ok(true),
            _ => {}
        }
        let [low, high] = [self, other].map(Self::automaton);
        let order = Order::of((&low, self.start), (&high, other.start), work)?;
        Ok(order.holds(self.start, other.start))
    }

    /// The value of a sum (Theorem 7).
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn sum(values: &[Self], work: &mut Work) -> Result<Self, Interrupted> {
        let number = values.iter().filter_map(Self::as_number).fold(0, |sum, n| sum ^ n);
        let others = || values.iter().filter(|value| value.as_number().is_none());
        let mut terms = Terms::default();
        let mut sum: Option<Term> = None;
        for value in others().filter(|value| !value.is_cyclic()) {
            let term = value.term(&mut terms, work)?;
            sum = Some(match sum {
                Some(sum) => terms.add(sum, term, work)?,
                None => term,
            });
        }
        if let (Some(term), true) = (sum, number > 0) {
            let number = terms.keep(number);
            sum = Some(terms.add(term, number, work)?);
        }
        let mut total = match sum {
            Some(term) => Self::of_term(&terms, term, work)?,
            None => Self::number(number),
        };
        for value in others().filter(|value| value.is_cyclic()) {
            let [left, right] = [&total, value].map(Self::automaton);
            let (sum, start, _) =
                Automaton::sum((&left, total.start), (&right, value.start), work)?;
            total = Self::of_place(&sum, start, work)?;
        }
        Ok(total)
    }

    /// The meet of values: the opponent chooses one of them, and the player in control stays so.
    ///
    /// ```
    /// use nimoon::{Work, impartial::control::Control};
    /// let mut work = Work::default();
    /// let values = ["0", "[1, 2]"].map(|text| Control::read(text, &mut work).unwrap());
    /// assert_eq!(Control::meet(&values, &mut work).unwrap().to_string(), "[0/[1, 2]]");
    /// ```
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn meet(values: &[Self], work: &mut Work) -> Result<Self, Interrupted> {
        let mut states = vec![State { exits: NimberSet::nothing(), actions: Vec::new() }];
        let mut results = Vec::with_capacity(values.len());
        for value in values {
            let offset = states.len() as u32;
            let moved = |place: Place| match place {
                Place::Number(_) => place,
                Place::State(state) => Place::State(state + offset),
            };
            results.push(moved(value.start));
            for State { exits, actions } in value.automaton().states {
                let actions =
                    actions.into_iter().map(|action| action.iter().map(|&p| moved(p)).collect());
                states.push(State { exits, actions: actions.collect() });
            }
        }
        states[0].actions.push(in_order(results));
        let automaton = Automaton::new(states, work)?;
        Self::of_place(&automaton, Place::State(0), work)
    }

    /// The term of a value that is not essentially cyclic and not a number.
    pub(crate) fn term(&self, terms: &mut Terms, work: &mut Work) -> Result<Term, Interrupted> {
        let names = names(&self.automaton(), terms, work)?;
        match self.start {
            Place::Number(n) => Ok(terms.keep(n)),
            Place::State(state) => {
                Ok(names[state as usize].unwrap_or_else(|| unreachable!("it has a term")))
            }
        }
    }

    /// The value as an automaton to work with.
    pub(crate) fn automaton(&self) -> Automaton {
        let states = self.states.iter().map(|members| state(members));
        Automaton::with_wins(states.collect(), self.wins.to_vec())
    }

    /// The values of some places of an automaton.
    pub(crate) fn of_places(
        automaton: &Automaton,
        places: &[Place],
        work: &mut Work,
    ) -> Result<Vec<Self>, Interrupted> {
        let automaton = automaton.contracted(work)?;
        let mut terms = Terms::default();
        let names = names(&automaton, &mut terms, work)?;
        let mut values = Vec::with_capacity(places.len());
        let mut known: FxHashMap<Term, Self> = FxHashMap::default();
        for &place in places {
            values.push(match place {
                Place::Number(n) => Self::number(n),
                Place::State(state) => match names[state as usize] {
                    Some(name) => {
                        let found = known.get(&name).cloned();
                        let value = found.map_or_else(|| Self::of_term(&terms, name, work), Ok)?;
                        known.entry(name).or_insert(value).clone()
                    }
                    None => Self::of_cyclic(&automaton, place, work)?,
                },
            });
        }
        Ok(values)
    }

    /// The value of one place.
    pub(crate) fn of_place(
        automaton: &Automaton,
        place: Place,
        work: &mut Work,
    ) -> Result<Self, Interrupted> {
        let (automaton, place) = automaton.reachable(place);
        let mut values = Self::of_places(&automaton, &[place], work)?;
        Ok(values.swap_remove(0))
    }

    /// The value of a canonical term.
    pub(crate) fn of_term(terms: &Terms, term: Term, work: &mut Work) -> Result<Self, Interrupted> {
        let mut listing = Listing::default();
        let start = listing.state(term);
        listing.fill(terms, work)?;
        listing.finish(Place::State(start), 0, work)
    }

    /// The value of a place that equals no term: equations for what equals no term, as few as are
    /// found.
    fn of_cyclic(
        automaton: &Automaton,
        place: Place,
        work: &mut Work,
    ) -> Result<Self, Interrupted> {
        let automaton = reduced(automaton, place, work)?;
        let mut terms = Terms::default();
        let names = names(&automaton, &mut terms, work)?;
        // The states without a term, in the order in which they are met from the first one on.
        let mut variables = vec![0_usize];
        let mut equations = Vec::new();
        while let Some(&state) = variables.get(equations.len()) {
            let state = &automaton.states[state];
            let NimberSet::Only(exits) = &state.exits else {
                unreachable!("exits are below a bound");
            };
            let mut constants: Vec<Term> = exits.iter().map(|k| terms.hand(k)).collect();
            let mut others = Vec::new();
            for action in &state.actions {
                let mut parts = Vec::new();
                let mut unknowns = Vec::new();
                for &result in action {
                    match result {
                        Place::Number(n) => parts.push(terms.keep(n)),
                        Place::State(result) => match names[result as usize] {
                            Some(name) => parts.push(name),
                            None => unknowns.push(result as usize),
                        },
                    }
                }
                let meet = terms.meet(parts, work)?;
                if unknowns.is_empty() {
                    constants.push(meet);
                    continue;
                }
                let mut places = Vec::new();
                for unknown in unknowns {
                    let known = variables.iter().position(|&variable| variable == unknown);
                    places.push(known.unwrap_or(variables.len()) as u32);
                    if known.is_none() {
                        variables.push(unknown);
                    }
                }
                others.push((terms.meetands(meet), places));
            }
            equations.push((terms.join(constants, work)?, others));
        }
        let cyclic = equations.len() as u32;
        let mut listing = Listing { terms: vec![None; equations.len()], ..Listing::default() };
        for (constant, others) in equations {
            let mut members = listing.members(&terms, constant);
            for (parts, variables) in others {
                let parts = parts.into_iter().map(|part| listing.place(&terms, part));
                let places: Vec<Place> = parts.collect();
                let variables = variables.into_iter().map(Place::State);
                members.push(Member::Meet(places.into_iter().chain(variables).collect()));
            }
            listing.states.push(members);
        }
        listing.fill(&terms, work)?;
        listing.finish(Place::State(0), cyclic, work)
    }
}

/// Terms being written out as states, each once.
#[derive(Default)]
struct Listing {
    /// The term of each state; none for variables.
    terms: Vec<Option<Term>>,
    index: FxHashMap<Term, u32>,
    states: Vec<Vec<Member>>,
}

impl Listing {
    fn state(&mut self, term: Term) -> u32 {
        let terms = &mut self.terms;
        *self.index.entry(term).or_insert_with(|| {
            terms.push(Some(term));
            terms.len() as u32 - 1
        })
    }

    /// The place of a term among the results of an action.
    fn place(&mut self, terms: &Terms, term: Term) -> Place {
        match terms.shape(term) {
            Shape::Keep(n) => Place::Number(*n),
            _ => Place::State(self.state(term)),
        }
    }

    fn members(&mut self, terms: &Terms, term: Term) -> Vec<Member> {
        let members = terms.joinands(term).into_iter().map(|member| {
            if let Shape::Hand(k) = terms.shape(member) {
                return Member::Hand(*k);
            }
            let parts = terms.meetands(member).into_iter();
            Member::Meet(parts.map(|part| self.place(terms, part)).collect())
        });
        members.collect()
    }

    /// Writes out the states that were met and not written yet.
    fn fill(&mut self, terms: &Terms, work: &mut Work) -> Result<(), Interrupted> {
        while let Some(&term) = self.terms.get(self.states.len()) {
            work.count()?;
            let members = term.map_or_else(Vec::new, |term| self.members(terms, term));
            self.states.push(members);
        }
        Ok(())
    }

    fn finish(self, start: Place, cyclic: u32, work: &mut Work) -> Result<Control, Interrupted> {
        let states: Box<[Box<[Member]>]> = self.states.into_iter().map(Into::into).collect();
        let listed = states.iter().map(|members| state(members)).collect();
        let automaton = Automaton::new(listed, work)?;
        let wins = (0..states.len() as u32).map(|state| automaton.wins(Place::State(state)));
        let wins = wins.collect();
        Ok(Control { start, states, wins, cyclic })
    }
}

/// A state with these members, to work with.
fn state(members: &[Member]) -> State {
    let mut exits = Vec::new();
    let mut actions = Vec::new();
    for member in members {
        match member {
            Member::Hand(k) => exits.push(*k),
            Member::Meet(results) => actions.push(results.clone()),
        }
    }
    State { exits: NimberSet::only(exits), actions }
}

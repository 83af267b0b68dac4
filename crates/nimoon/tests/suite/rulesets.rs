//! Games that split into parts, against brute force over whole positions.

use std::collections::{HashMap, HashSet};

use crate::common::config;
use nimoon::solve::explore::Exploration;
use nimoon::solve::explore::digraph::{State, StateDigraph, Unit};
use nimoon::solve::explore::parts::Shape;
use nimoon::solve::solution::{Placement, Solution, SolutionError};
use nimoon::{
    Interrupted, Label, Limits, Outcome, Theory, TurnKind, Work, label,
    notation::NotationError,
    ruleset::{Interned, Kind, Move, Notation, Positions, Ruleset, Shortcuts},
};
use nimoon_oracle::{Graph, solve};
use proptest::prelude::*;

/// A game made up of numbered parts, whose options are listed: the kind, and the parts left.
#[derive(Clone, Debug)]
struct Table(Vec<Vec<(Kind, Vec<u8>)>>);

impl Ruleset for Table {
    type Position = Vec<u8>;

    fn name(&self) -> String {
        "table".into()
    }

    fn options(&self, parts: &Vec<u8>) -> impl Iterator<Item = Move<Vec<u8>>> {
        (0..parts.len()).flat_map(move |i| {
            self.0[usize::from(parts[i])].iter().map(move |(kind, left)| {
                let mut to = parts.clone();
                to.splice(i..=i, left.iter().copied());
                to.sort_unstable();
                Move { to, kind: *kind }
            })
        })
    }

    fn read(&self, text: &str) -> Result<Vec<u8>, NotationError> {
        let numbers = text.split(',').map(|number| number.parse().ok());
        let position: Option<Vec<u8>> = numbers.collect();
        position
            .filter(|parts| parts.iter().all(|&part| usize::from(part) < self.0.len()))
            .ok_or_else(|| NotationError::at(0, "expected parts"))
    }

    fn write(&self, parts: &Vec<u8>) -> String {
        parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }

    fn components(&self, parts: Vec<u8>) -> Vec<Vec<u8>> {
        parts.into_iter().map(|part| vec![part]).collect()
    }
}

impl Notation for Table {}

impl Shortcuts for Table {}

/// A whole position by brute force: the parts of each component, and what is due.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Whole {
    Free(Vec<Vec<u8>>),
    Again(Vec<Vec<u8>>),
    Due { component: usize, due: Vec<u8>, others: Vec<Vec<u8>> },
}

impl Table {
    fn wholes(&self, whole: &Whole) -> Vec<Whole> {
        let mut found = Vec::new();
        match whole {
            Whole::Again(components) => found.push(Whole::Free(components.clone())),
            Whole::Free(components) => {
                for (i, parts) in components.iter().enumerate() {
                    self.after(parts, components, i, &mut found);
                }
            }
            Whole::Due { component, due, others } => {
                self.after(due, others, *component, &mut found);
            }
        }
        found
    }

    /// What moves of one of `movable`, parts of `component`, leave. What else is in the component
    /// is in `components`, together with the movable parts if they are all of it.
    fn after(
        &self,
        movable: &[u8],
        components: &[Vec<u8>],
        component: usize,
        found: &mut Vec<Whole>,
    ) {
        let whole = components[component] == *movable;
        let beside: Vec<u8> = if whole { Vec::new() } else { components[component].clone() };
        for (i, &part) in movable.iter().enumerate() {
            for (kind, left) in &self.0[usize::from(part)] {
                let mut rest = beside.clone();
                rest.extend(movable.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, p)| p));
                let mut others = components.to_vec();
                if *kind == Kind::Entailing {
                    rest.sort_unstable();
                    // A mark that no part has keeps the rest apart from what is due.
                    others[component] = rest;
                    others[component].push(u8::MAX);
                    found.push(Whole::Due { component, due: left.clone(), others });
                    continue;
                }
                rest.retain(|&part| part != u8::MAX);
                rest.extend(left);
                rest.sort_unstable();
                others[component] = rest;
                found.push(match kind {
                    Kind::Again => Whole::Again(others),
                    _ => Whole::Free(others),
                });
            }
        }
    }

    /// Who wins a sum, by exploring all whole positions; none if there are too many.
    fn outcome(&self, components: &[Vec<u8>]) -> Option<Outcome> {
        const MOST: usize = 30_000;
        let start = Whole::Free(components.to_vec());
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut waiting = vec![start];
        let mut options: Vec<Vec<usize>> = Vec::new();
        let mut next = 0;
        while next < waiting.len() {
            let list = self.wholes(&waiting[next]).into_iter().map(|whole| {
                *numbers.entry(whole.clone()).or_insert_with(|| {
                    waiting.push(whole);
                    waiting.len() - 1
                })
            });
            options.push(list.collect());
            next += 1;
            if waiting.len() > MOST {
                return None;
            }
        }
        let solution = solve(&Graph::new(&options).expect("all options are there"));
        Some(match solution.outcomes[0] {
            nimoon_oracle::Outcome::N => Outcome::N,
            nimoon_oracle::Outcome::P => Outcome::P,
            nimoon_oracle::Outcome::D => Outcome::D,
        })
    }

    fn solution(&self, components: &[Vec<u8>]) -> Result<Solution, SolutionError> {
        self.solution_in(components, None)
    }

    fn solution_in(
        &self,
        components: &[Vec<u8>],
        theory: Option<Theory>,
    ) -> Result<Solution, SolutionError> {
        let mut field = Interned::new(self.clone());
        let terms: Vec<_> =
            components.iter().map(|parts| (0, field.intern(parts.clone()))).collect();
        let fields: Vec<Box<dyn Positions>> = vec![Box::new(field)];
        Solution::new(fields, &terms, theory, &Work::default())
    }

    /// What the parts of a component have, and the digraph of the whole component, whose first node
    /// is the start.
    fn shape_and_states(&self, parts: &[u8]) -> (Shape, Result<StateDigraph, Interrupted>) {
        let mut exploration = Exploration::new(vec![Box::new(Interned::new(self.clone()))]);
        let numbers = parts.iter().map(|part| {
            let position = exploration.field_mut(0).read(&part.to_string()).unwrap();
            exploration.part(0, position)
        });
        let numbers = numbers.collect();
        exploration.explore(&Work::default()).unwrap();
        let start = State::Free(exploration.normal(numbers).into());
        let most = Limits::new(100_000);
        let states = StateDigraph::new(&exploration, Unit::Component, [start], &Work::new(most));
        (Shape::new(&exploration), states)
    }
}

fn kinds(entailing: bool) -> impl Strategy<Value = Kind> {
    let last = if entailing { Kind::Entailing } else { Kind::Again };
    prop_oneof![3 => Just(Kind::Ordinary), 2 => Just(Kind::Again), 1 => Just(last)]
}

/// Games without cycles: options leave parts of smaller number.
fn acyclic(entailing: bool) -> impl Strategy<Value = Table> {
    let option = move |part: u8| {
        let left = proptest::collection::vec(0..part.max(1), 1..=2);
        (kinds(entailing), left)
    };
    let options = move |part: u8| {
        let most = if part == 0 { 0 } else { 3 };
        proptest::collection::vec(option(part), 0..=most)
    };
    (options(0), options(1), options(2), options(3), options(4), options(5))
        .prop_map(|(a, b, c, d, e, f)| Table(vec![a, b, c, d, e, f]))
}

/// Games with cycles: an option leaves one part of the same layer or below, or two below it.
fn cyclic(entailing: bool) -> impl Strategy<Value = Table> {
    const LAYERS: [std::ops::Range<u8>; 3] = [0..3, 3..5, 5..7];
    let options = move |part: u8| {
        let layer = LAYERS.iter().find(|layer| layer.contains(&part)).expect("a layer").clone();
        let one = proptest::collection::vec(0..layer.end, 1..=1);
        let left = if layer.start == 0 {
            one.boxed()
        } else {
            prop_oneof![one, proptest::collection::vec(0..layer.start, 2..=2)].boxed()
        };
        proptest::collection::vec((kinds(entailing), left), 0..=3)
    };
    let [a, b, c, d, e, f, g] = [0, 1, 2, 3, 4, 5, 6].map(options);
    (a, b, c, d, e, f, g).prop_map(|(a, b, c, d, e, f, g)| Table(vec![a, b, c, d, e, f, g]))
}

/// A few components of one or two parts.
fn sums(table: impl Strategy<Value = Table>) -> impl Strategy<Value = (Table, Vec<Vec<u8>>)> {
    table.prop_flat_map(|table| {
        let parts = table.0.len() as u8;
        let component = proptest::collection::vec(0..parts, 1..=2).prop_map(|mut parts| {
            parts.sort_unstable();
            parts
        });
        (Just(table), proptest::collection::vec(component, 1..=3))
    })
}

/// Play from here on, the engine against every reply.
struct Match<'a> {
    solution: &'a mut Solution,
    /// Placements with the engine to move, and whether they are done with.
    seen: HashMap<Placement, bool>,
    /// The same with the opponent to move.
    replied: HashMap<Placement, bool>,
}

impl Match<'_> {
    /// The engine moves; a won game must end, and a drawn one must not be lost.
    fn engine(&mut self, placement: &Placement, won: bool) {
        if !won && self.is_enough() {
            return;
        }
        match self.seen.get(placement) {
            Some(false) if won => panic!("the engine plays in a circle"),
            Some(_) => return,
            None => {}
        }
        self.seen.insert(placement.clone(), false);
        let answer = self.solution.answer(placement).expect("within the budget");
        let turn = answer.turn.expect("there is a turn");
        let kind = if won { TurnKind::Winning } else { TurnKind::Drawing };
        assert_eq!(turn.kind, kind);
        if turn.endless {
            assert!(!won);
            self.seen.insert(placement.clone(), true);
            return;
        }
        let mut after = placement.clone();
        let mut engine = true;
        for made in &answer.moves {
            after = self.solution.after(&after, made);
            engine = (made.kind == Kind::Again) == engine;
        }
        assert!(!engine, "the turn stops before its end");
        self.opponent(&after, won);
        self.seen.insert(placement.clone(), true);
    }

    /// A draw can be kept for very long; a win must come to its end.
    fn is_enough(&self) -> bool {
        self.seen.len() + self.replied.len() > 3_000
    }

    fn opponent(&mut self, placement: &Placement, won: bool) {
        if !won && self.is_enough() {
            return;
        }
        if let Some(&done) = self.replied.get(placement) {
            // Carrying on in a circle is a draw, which a won game does not allow.
            assert!(done || !won, "the opponent can carry on for ever");
            return;
        }
        self.replied.insert(placement.clone(), false);
        for made in self.solution.moves(placement).expect("few") {
            let after = self.solution.after(placement, &made);
            if made.kind == Kind::Again {
                self.opponent(&after, won);
                continue;
            }
            let outcome = self.solution.outcome(&after).expect("known");
            if won || outcome == Outcome::N {
                assert_eq!(outcome, Outcome::N);
                self.engine(&after, true);
            } else {
                assert_eq!(outcome, Outcome::D, "a draw was thrown away");
                self.engine(&after, false);
            }
        }
        self.replied.insert(placement.clone(), true);
    }
}

fn check_play(solution: &mut Solution) {
    let start = solution.start().clone();
    let outcome = solution.outcome(&start).expect("known");
    if outcome != Outcome::P {
        Match { solution, seen: HashMap::new(), replied: HashMap::new() }
            .engine(&start, outcome == Outcome::N);
        return;
    }
    let turn = solution.answer(&start).expect("within the budget").turn.expect("a turn");
    let stuck = solution.moves(&start).expect("few").is_empty();
    assert_eq!(turn.kind, if stuck { TurnKind::None } else { TurnKind::Losing });
}

/// Winning turns of the values alone are those of the digraph of whole components.
fn check_turns(table: &Table, components: &[Vec<u8>]) {
    let mut one = table.solution(components).expect("small");
    let mut other = table.solution(components).expect("small");
    other.rely_on_values();
    let start = one.start().clone();
    let texts =
        |list: nimoon::solve::solution::TurnsInWords| -> HashSet<Vec<(usize, String, bool)>> {
            assert!(!list.truncated);
            let turns = list.turns.into_iter().map(|turn| {
                turn.plies.into_iter().map(|ply| (ply.component, ply.to, ply.forced)).collect()
            });
            turns.collect()
        };
    let by_search = one.best_turns(&start, 3000).expect("within the budget");
    // In a draw only the search lists turns.
    let draws = |turn: &nimoon::solve::solution::TurnInWords| turn.kind == TurnKind::Drawing;
    if by_search.truncated || by_search.turns.iter().any(draws) {
        return;
    }
    let by_values = other.best_turns(&start, 3000).expect("within the budget");
    assert_eq!(texts(by_search), texts(by_values));
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn outcomes_of_games_without_cycles_agree_with_brute_force(
        (table, components) in sums(acyclic(true))
    ) {
        let mut solution = table.solution(&components).unwrap();
        let start = solution.start().clone();
        if let Some(outcome) = table.outcome(&components) {
            prop_assert_eq!(solution.outcome(&start).unwrap(), outcome);
            prop_assert_eq!(solution.answer(&start).unwrap().outcome, outcome);
        }
    }

    #[test]
    fn outcomes_of_games_with_cycles_agree_with_brute_force(
        (table, components) in sums(cyclic(false))
    ) {
        let mut solution = table.solution(&components).unwrap();
        let start = solution.start().clone();
        if let Some(outcome) = table.outcome(&components) {
            prop_assert_eq!(solution.outcome(&start).unwrap(), outcome);
            prop_assert_eq!(solution.answer(&start).unwrap().outcome, outcome);
        }
    }

    #[test]
    fn values_by_parts_are_those_of_whole_components(
        (table, components) in prop_oneof![sums(acyclic(false)), sums(acyclic(true)), sums(cyclic(false))]
    ) {
        let mut solution = table.solution(&components).unwrap();
        let placement = solution.start().clone();
        let theory = solution.theory();
        for (i, parts) in components.iter().enumerate() {
            let (_, states) = table.shape_and_states(parts);
            let Ok(states) = states else { continue };
            let labelling = label(&states.digraph, Some(theory), &Work::default()).unwrap();
            let known = solution.label(&placement, i);
            prop_assert_eq!(known, labelling.label(0), "component {}", i);
        }
    }

    #[test]
    fn carry_on_moves_without_cycles_have_values_of_the_carry_on_theory_too(
        (table, components) in sums(acyclic(false))
    ) {
        let mut small = table.solution(&components).unwrap();
        let mut large = table.solution_in(&components, Some(Theory::CarryOn)).unwrap();
        prop_assert_eq!(large.theory(), Theory::CarryOn);
        let start = small.start().clone();
        prop_assert_eq!(small.outcome(&start).unwrap(), large.outcome(&start).unwrap());
        for i in 0..components.len() {
            let values = [&mut small, &mut large].map(|solution| match solution.label(&start, i) {
                Label::White(value) => value.nimber(),
                Label::Gray(_) => panic!("nothing must be moved"),
            });
            prop_assert_eq!(values[0], values[1]);
        }
    }

    #[test]
    fn parts_and_whole_components_agree_on_which_games_fit_the_carry_on_theory(
        (table, components) in prop_oneof![sums(acyclic(true)), sums(cyclic(true))]
    ) {
        let mut fits = true;
        for parts in &components {
            let (shape, states) = table.shape_and_states(parts);
            let Ok(states) = states else { return Ok(()) };
            let mut gray = states.digraph.gray_nodes();
            let several = gray.any(|node| states.digraph.options(node).len() > 1);
            prop_assert_eq!(shape.several_answers, several);
            fits &= label(&states.digraph, Some(Theory::CarryOn), &Work::default()).is_ok();
        }
        let solution = table.solution_in(&components, Some(Theory::CarryOn));
        prop_assert_eq!(solution.is_ok(), fits, "{:?}", solution.err());
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn the_engine_wins_and_draws_against_every_reply_without_cycles(
        (table, components) in sums(acyclic(true))
    ) {
        let mut solution = table.solution(&components).unwrap();
        check_play(&mut solution);
        solution.rely_on_values();
        check_play(&mut solution);
    }

    #[test]
    fn the_engine_wins_and_draws_against_every_reply_with_cycles(
        (table, components) in sums(cyclic(false))
    ) {
        let mut solution = table.solution(&components).unwrap();
        check_play(&mut solution);
        solution.rely_on_values();
        check_play(&mut solution);
    }

    #[test]
    fn the_values_find_the_same_winning_turns_as_search(
        (table, components) in prop_oneof![sums(acyclic(true)), sums(cyclic(false))]
    ) {
        check_turns(&table, &components);
    }
}

#[test]
fn a_part_that_comes_back_beside_another_is_refused() {
    // 1 → 1 + 2, 2 → 0.
    let table =
        Table(vec![vec![], vec![(Kind::Ordinary, vec![1, 2])], vec![(Kind::Ordinary, vec![0])]]);
    let error = table.solution(&[vec![1]]).err().expect("infinitely many followers");
    assert_eq!(error, SolutionError::Grows { position: "table:1".into() });
}

#[test]
fn answers_that_leave_the_same_are_one_answer() {
    use Kind::{Again, Entailing, Ordinary};
    // 0 and 1 are ends of play. The entailing move from 4 leaves what must be answered.
    let table = |answers: &[(Kind, Vec<u8>)], entailed: &[u8]| {
        let splits = (Ordinary, vec![2, 2]);
        Table(vec![
            vec![],
            vec![],
            vec![(Ordinary, vec![0])],
            answers.to_vec(),
            vec![splits, (Entailing, entailed.to_vec())],
        ])
    };
    let fits = |answers: &[(Kind, Vec<u8>)], entailed: &[u8]| {
        let solution = table(answers, entailed).solution_in(&[vec![4]], Some(Theory::CarryOn));
        match solution {
            Ok(_) => true,
            Err(SolutionError::DoesNotFit { theory, because, fitting }) => {
                assert_eq!((theory, fitting), (Theory::CarryOn, Theory::Entailing));
                assert_eq!(because, "there are entailing moves with several answers");
                false
            }
            Err(error) => panic!("{error}"),
        }
    };
    let one = [(Ordinary, vec![2])];
    assert!(fits(&one, &[3]));
    // Which end of play is left makes no difference, nor which of two equal parts is moved.
    assert!(fits(&[(Ordinary, vec![0]), (Ordinary, vec![1])], &[3]));
    assert!(fits(&[(Ordinary, vec![0, 2]), (Ordinary, vec![1, 2]), (Ordinary, vec![2])], &[3]));
    assert!(fits(&one, &[3, 3]));
    // Different parts, and moves of different kinds, do.
    assert!(!fits(&[(Ordinary, vec![0]), (Ordinary, vec![2])], &[3]));
    assert!(!fits(&[(Ordinary, vec![2]), (Again, vec![2])], &[3]));
    assert!(!fits(&one, &[2, 3]));
}

#[test]
fn a_theory_that_does_not_fit_is_refused_with_the_reason() {
    use Kind::{Again, Entailing, Ordinary};
    let reason = |kind: Kind, left: u8, requested: Theory| {
        // 3 splits, and has a move of that kind.
        let ends = [vec![], vec![(Ordinary, vec![0])], vec![(Ordinary, vec![0]), (Again, vec![1])]];
        let last = vec![(Ordinary, vec![1, 1]), (kind, vec![left])];
        let table = Table([ends.to_vec(), vec![last]].concat());
        match table.solution_in(&[vec![3]], Some(requested)) {
            Err(SolutionError::DoesNotFit { theory, because, .. }) => {
                assert_eq!(theory, requested);
                because
            }
            other => panic!("{kind:?} {left} {requested}: {:?}", other.err()),
        }
    };
    for theory in [Theory::Short, Theory::Cyclic] {
        assert_eq!(reason(Entailing, 1, theory), "there are entailing moves");
        assert_eq!(reason(Again, 1, theory), "there are carry-on moves");
    }
    let several = "there are entailing moves with several answers";
    assert_eq!(reason(Entailing, 2, Theory::CarryOn), several);
    for (kind, theory) in
        [(Ordinary, Theory::Short), (Ordinary, Theory::Entailing), (Again, Theory::Entailing)]
    {
        assert_eq!(reason(kind, 3, theory), "play can go round in circles");
    }
}

#[test]
fn a_budget_that_is_hit_reports_how_far_the_search_got() {
    let chain =
        (0..40_u8).map(|i| if i == 0 { vec![] } else { vec![(Kind::Ordinary, vec![i - 1])] });
    let mut field = Interned::new(Table(chain.collect()));
    let start = field.intern(vec![39]);
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(field)];
    let error = Solution::new(fields, &[(0, start)], None, &Work::new(Limits::new(10))).err();
    let said = error.expect("ten positions are too few").to_string();
    assert!(said.contains("budget of 10 positions was hit: 11 positions met"), "{said}");
}

//! Sums of five components from four rulesets, against all of play written out.

use std::collections::{BTreeSet, HashMap};

use nimoon::solve::solution::{Placement, Solution};
use nimoon::{Kind, TurnKind};
use nimoon_oracle::Outcome;

use crate::papers::engine::{self, Dice};
use crate::papers::rules::{Piece, Position, Solved};

/// More positions than any sum in the lists below has.
const MOST: usize = 20_000;

/// Random sums of more positions are left out: playing them takes long, and shows little more.
const MOST_RANDOM: usize = 4_000;

/// Play from here on, the engine against every reply, with the rules of this folder beside it.
struct Match<'a> {
    solution: &'a mut Solution,
    solved: &'a Solved,
    sum: &'a str,
    /// Placements with the engine to move, and whether they are done with.
    engine: HashMap<Placement, bool>,
    /// The same with the opponent to move.
    opponent: HashMap<Placement, bool>,
}

/// What one sees of an option: the component, the kind, and all components after it.
type Seen = (usize, Kind, Vec<Vec<Piece>>);

impl Match<'_> {
    /// All components of a placement, read by the rules of this folder.
    fn components(&self, placement: &Placement) -> Vec<Vec<Piece>> {
        let texts = (0..placement.len()).map(|component| self.solution.text(placement, component));
        Position::read(texts).components()
    }

    /// The moves of the engine and of the rules are the same; each with where it leads.
    fn moves(
        &mut self,
        placement: &Placement,
        position: &Position,
    ) -> Vec<(Kind, Placement, Position)> {
        let mut by_rules: HashMap<Seen, Position> = HashMap::new();
        for (component, kind, after) in position.options() {
            by_rules.insert((component, kind, after.components()), after);
        }
        let mut moves = Vec::new();
        let mut seen = BTreeSet::new();
        for made in self.solution.moves(placement).expect("few") {
            let after = self.solution.after(placement, &made);
            let key = (made.component, made.kind, self.components(&after));
            let sum = self.sum;
            let expected = by_rules.get(&key);
            let expected = expected.unwrap_or_else(|| panic!("{sum}: no rule allows {key:?}"));
            moves.push((made.kind, after, expected.clone()));
            seen.insert(key);
        }
        assert_eq!(seen.len(), by_rules.len(), "{}: moves are missing", self.sum);
        moves
    }

    /// The engine moves. A won game must be won, a drawn one must not be lost.
    fn engine(&mut self, placement: &Placement, position: &Position, won: bool) {
        match self.engine.get(placement) {
            Some(false) if won => panic!("{}: the engine plays in a circle", self.sum),
            Some(_) => return,
            None => {}
        }
        self.engine.insert(placement.clone(), false);
        let known = self.solved.outcome(position);
        let found = self.solution.outcome(placement).expect("within the budget");
        assert_eq!(format!("{found:?}"), format!("{known:?}"), "{}: {position:?}", self.sum);
        assert_eq!(known, if won { Outcome::N } else { Outcome::D }, "{}", self.sum);
        let answer = self.solution.answer(placement).expect("within the budget");
        let turn = answer.turn.expect("there is a turn");
        let kind = if won { TurnKind::Winning } else { TurnKind::Drawing };
        assert_eq!(turn.kind, kind, "{}: {position:?}", self.sum);
        assert!(!(turn.endless && won), "{}: {position:?}", self.sum);
        if !turn.endless {
            let (mut at, mut beside) = (placement.clone(), position.clone());
            let mut mover = true;
            for made in &answer.moves {
                let after = self.solution.after(&at, made);
                let moves = self.moves(&at, &beside);
                let step = moves.into_iter().find(|(_, placement, _)| *placement == after);
                let (kind, _, position) = step.expect("a move of the turn is a move");
                (at, beside) = (after, position);
                mover = (kind == Kind::Again) == mover;
                if let Position::Passing(components) = beside {
                    beside = Position::Free(components);
                }
            }
            assert!(!mover, "{}: the turn stops before its end", self.sum);
            let left = self.solved.outcome(&beside);
            assert_eq!(left, if won { Outcome::P } else { Outcome::D }, "{}", self.sum);
            self.opponent(&at, &beside, won);
        }
        self.engine.insert(placement.clone(), true);
    }

    /// The opponent makes every move there is.
    fn opponent(&mut self, placement: &Placement, position: &Position, won: bool) {
        if let Some(&done) = self.opponent.get(placement) {
            assert!(done || !won, "{}: play goes in a circle: {position:?}", self.sum);
            return;
        }
        self.opponent.insert(placement.clone(), false);
        for (kind, after, left) in self.moves(placement, position) {
            if let Position::Passing(components) = left {
                assert_eq!(kind, Kind::Again);
                let left = Position::Free(components);
                let won = won || self.solved.outcome(&left) == Outcome::P;
                self.opponent(&after, &left, won);
            } else {
                let won = won || self.solved.outcome(&left) == Outcome::N;
                self.engine(&after, &left, won);
            }
        }
        self.opponent.insert(placement.clone(), true);
    }
}

/// Solves a sum by the engine and by writing out play, and plays it; none if it is too large.
fn check(sum: &str, rely_on_values: bool, most: usize) -> Option<Outcome> {
    let terms: Vec<String> = sum.split(" + ").map(str::to_owned).collect();
    let rulesets: BTreeSet<_> = terms.iter().map(|term| term.split(':').next()).collect();
    assert!(terms.len() == 5 && rulesets.len() >= 4, "{sum}");
    let position = Position::read(terms);
    let solved = Solved::new(&position, most)?;
    assert!(solved.len() > 5);
    let outcome = solved.outcome(&position);
    let mut solution = engine::solution(sum);
    if rely_on_values {
        solution.rely_on_values();
    }
    let start = solution.start().clone();
    if outcome == Outcome::P {
        let found = solution.outcome(&start).expect("within the budget");
        assert_eq!(found, nimoon::Outcome::P, "{sum}");
        let turn = solution.answer(&start).expect("within the budget").turn.expect("a turn");
        assert_eq!(turn.kind, TurnKind::Losing, "{sum}");
    }
    let mut game = Match {
        solution: &mut solution,
        solved: &solved,
        sum,
        engine: HashMap::new(),
        opponent: HashMap::new(),
    };
    if outcome == Outcome::P {
        // Whatever the first player does, the engine wins.
        game.opponent(&start, &position, true);
    } else {
        game.engine(&start, &position, outcome == Outcome::N);
    }
    Some(outcome)
}

/// Sums with their values and outcomes, and the turns of the engine by search.
fn check_all(sums: &[(&str, &str, Outcome)]) {
    for &(sum, value, outcome) in sums {
        assert_eq!(engine::value(sum), value, "{sum}");
        assert_eq!(check(sum, false, MOST), Some(outcome), "{sum}");
    }
}

/// The same by the values of the parts alone.
fn check_all_by_values(sums: &[(&str, &str, Outcome)]) {
    for &(sum, _, outcome) in sums {
        assert_eq!(check(sum, true, MOST), Some(outcome), "{sum}");
    }
}

const SHORT: [(&str, &str, Outcome); 3] = [
    ("nim:3 + kayles:4 + wythoff:1,2 + subtraction[1,3,4]:5 + nim:1", "0", Outcome::P),
    ("nim:2 + kayles:5 + wythoff:2,2 + subtraction[1,3,4]:4 + kayles:2", "7", Outcome::N),
    ("nim:1 + kayles:3 + wythoff:1,3 + subtraction[1,3,4]:6 + nim:2", "6", Outcome::N),
];

const ENTAILING: [(&str, &str, Outcome); 4] = [
    // A moon, by carrying on; one by entailing; numbers.
    ("top-entails:4 + nim:2 + kayles:3 + lights:1b1s1b + top-entails:2", "moon", Outcome::N),
    ("top-entails:3 + nim:2 + kayles:2 + nimstring:1x1 + wythoff:1,1", "moon", Outcome::N),
    ("top-entails:6 + nim:3 + kayles:2 + lights:2b1s2b + nim:1", "6", Outcome::N),
    ("top-entails:5 + nim:1 + kayles:2 + nimstring:1x1 + wythoff:1,1", "0", Outcome::P),
];

const CARRY_ON: [(&str, &str, Outcome); 6] = [
    (
        "green-lime:0-1g,1-2l,1-3l + lights:1b1s1b + nim:2 + kayles:2 + green-lime:lgl",
        "moon{3}",
        Outcome::N,
    ),
    // The moon is carried on away before the exit.
    (
        "ladders[small.json]:4 + green-lime:0-1g,1-2l,1-3l + kayles:3 + lights:1b1s2b + nim:1",
        "oo{0}",
        Outcome::N,
    ),
    (
        "green-lime:0-1l,1-2g,1-3l + lights:1b1s2b + nim:2 + kayles:3 + nimstring:1x1",
        "oo{1,3}",
        Outcome::D,
    ),
    (
        "green-lime:0-1g,1-2l,1-3g,2-3g + lights:1b1s2b + nim:2 + kayles:3 + nim:2",
        "ninny{0}",
        Outcome::D,
    ),
    (
        "green-lime:0-1g,1-2l,1-3g,2-3g + lights:1b1s2b + nim:2 + kayles:2 + nim:1",
        "ninny{2}",
        Outcome::N,
    ),
    ("green-lime:lg + lights:1b1s2b + nim:2 + kayles:3 + green-lime:gl", "0", Outcome::P),
];

const CYCLIC: [(&str, &str, Outcome); 4] = [
    ("ladders[small.json]:4 + nim:2 + kayles:3 + wythoff:1,2 + nim:0", "oo{0}", Outcome::N),
    ("ladders[small.json]:4 + nim:1 + kayles:1 + wythoff:1,2 + nim:0", "oo{1}", Outcome::D),
    ("ladders[small.json]:6 + nim:2 + kayles:3 + wythoff:1,2 + nim:1", "1", Outcome::N),
    ("slide[-2,-3,+1;5]:3 + nim:2 + kayles:3 + subtraction[1,3,4]:4 + nim:1", "oo{}", Outcome::D),
];

/// Cycles and entailing moves with several answers.
const GENERAL: [(&str, &str, Outcome); 4] = [
    (
        "ladders[small.json]:4 + top-entails:3 + kayles:2 + lights:1b1s2b + nim:1",
        "full-moon",
        Outcome::N,
    ),
    (
        "ladders[small.json]:4 + top-entails:4 + kayles:1 + lights:1b1s1b + nim:1",
        "oo{2}",
        Outcome::D,
    ),
    ("ladders[small.json]:4 + top-entails:4 + kayles:2 + lights:2b + nim:0", "oo{0}", Outcome::N),
    ("slide[-2,-3,+1;5]:2 + top-entails:5 + nim:2 + kayles:2 + nim:1", "oo{}", Outcome::D),
];

#[test]
fn short_sums_of_four_rulesets_are_won_against_every_reply() {
    check_all(&SHORT);
    check_all_by_values(&SHORT);
}

#[test]
fn entailing_sums_of_four_rulesets_are_won_against_every_reply() {
    check_all(&ENTAILING);
    check_all_by_values(&ENTAILING);
}

#[test]
fn carry_on_sums_of_four_rulesets_are_won_or_drawn_against_every_reply() {
    check_all(&CARRY_ON);
}

#[test]
fn cyclic_sums_of_four_rulesets_are_won_or_drawn_against_every_reply() {
    check_all(&CYCLIC);
}

#[test]
fn by_values_alone_carry_on_sums_of_four_rulesets_are_won_or_drawn_against_every_reply() {
    check_all_by_values(&CARRY_ON);
}

#[test]
fn by_values_alone_cyclic_sums_of_four_rulesets_are_won_or_drawn_against_every_reply() {
    check_all_by_values(&CYCLIC);
}

#[test]
fn by_values_alone_random_sums_with_cycles_are_won_or_drawn_against_every_reply() {
    let rulesets = [HEAPS[0], HEAPS[1], FIXTURES, DRAWINGS, BOARDS, BOXES];
    let [won, _, drawn] = check_random(44, 40, &rulesets, true);
    assert!(won > 8 && drawn > 8, "{won} {drawn}");
}

#[test]
fn a_sum_too_large_for_search_is_not_toggled_for_ever() {
    // Both players could swap the colours of the stalk for ever; the winner must not.
    let mut solution = engine::solution("nimstring:3x3 + green-lime:lg + nim:2");
    let mut placement = solution.start().clone();
    for turn in 0..2 {
        let answer = solution.answer(&placement).expect("within the budget");
        assert_eq!(answer.turn.expect("a turn").kind, TurnKind::Winning);
        for made in &answer.moves {
            placement = solution.after(&placement, made);
        }
        // The opponent undoes it if that is possible.
        let replies = solution.moves(&placement).expect("few");
        let start = solution.start().clone();
        let undone = replies.iter().find(|made| solution.after(&placement, made) == start);
        let Some(undo) = undone else { return };
        assert_eq!(turn, 0, "the same turn is played again and again");
        placement = solution.after(&placement, undo);
    }
}

#[test]
fn sums_without_an_algebra_are_won_or_drawn_against_every_reply() {
    check_all(&GENERAL);
}

/// A sum of five components from four of these rulesets, drawn at random.
fn random_sum(dice: &mut Dice, rulesets: &[&[&str]]) -> String {
    let mut left: Vec<usize> = (0..rulesets.len()).collect();
    let mut terms = Vec::new();
    while terms.len() < 5 {
        // The fifth is of a ruleset that is there already, or of one more.
        let number = if terms.len() < 4 {
            left.swap_remove(dice.below(left.len()))
        } else {
            dice.below(rulesets.len())
        };
        terms.push(rulesets[number][dice.below(rulesets[number].len())]);
    }
    terms.join(" + ")
}

const HEAPS: [&[&str]; 4] = [
    &["nim:1", "nim:2", "nim:3"],
    &["kayles:1", "kayles:2", "kayles:3", "kayles:2,1"],
    &["wythoff:1,1", "wythoff:1,2", "wythoff:0,2"],
    &["subtraction[1,3,4]:2", "subtraction[1,3,4]:4"],
];
const FIXTURES: &[&str] = &["lights:1b1s1b", "lights:1s2b", "lights:1b1s2b", "lights:2b2s"];
const TOPS: &[&str] = &["top-entails:1", "top-entails:2", "top-entails:4", "top-entails:5"];
const BOXES: &[&str] = &["nimstring:1x1", "nimstring:1x1/10/00", "nimstring:1x1/11/10"];
const DRAWINGS: &[&str] = &[
    "green-lime:lg",
    "green-lime:gl",
    "green-lime:ggl",
    "green-lime:0-1g,1-2l,1-3l",
    "green-lime:0-1l,1-2g,1-3l",
    "green-lime:0-1g,0-2l,2-3g",
    "green-lime:0-1g,1-2g,0-2l",
];
const BOARDS: &[&str] =
    &["ladders[small.json]:0", "ladders[small.json]:4", "ladders[small.json]:6"];

/// Random sums; how many of them were won, lost and drawn.
fn check_random(seed: u64, count: usize, rulesets: &[&[&str]], rely_on_values: bool) -> [usize; 3] {
    let mut dice = Dice(seed);
    let mut outcomes = [0; 3];
    for case in 0..count {
        let sum = random_sum(&mut dice, rulesets);
        let checked = std::panic::catch_unwind(|| check(&sum, rely_on_values, MOST_RANDOM));
        let outcome = checked.unwrap_or_else(|_| panic!("seed {seed}, case {case}: {sum}"));
        match outcome {
            Some(Outcome::N) => outcomes[0] += 1,
            Some(Outcome::P) => outcomes[1] += 1,
            Some(Outcome::D) => outcomes[2] += 1,
            None => {}
        }
    }
    outcomes
}

#[test]
fn random_sums_without_cycles_are_won_against_every_reply() {
    let rulesets = [HEAPS[0], HEAPS[1], HEAPS[2], HEAPS[3], FIXTURES, TOPS, BOXES];
    for rely_on_values in [false, true] {
        let [won, lost, drawn] = check_random(41, 40, &rulesets, rely_on_values);
        assert!(won > 20 && lost > 0 && drawn == 0, "{won} {lost} {drawn}");
    }
}

#[test]
fn random_sums_with_cycles_and_carry_on_moves_are_won_or_drawn_against_every_reply() {
    let rulesets = [HEAPS[0], HEAPS[1], FIXTURES, DRAWINGS, BOARDS, BOXES];
    let [won, _, drawn] = check_random(42, 40, &rulesets, false);
    assert!(won > 8 && drawn > 8, "{won} {drawn}");
}

#[test]
fn random_sums_of_all_rulesets_are_won_or_drawn_against_every_reply() {
    let rulesets = [HEAPS[0], HEAPS[1], FIXTURES, TOPS, DRAWINGS, BOARDS];
    let [won, _, drawn] = check_random(43, 60, &rulesets, false);
    assert!(won > 5 && drawn > 5, "{won} {drawn}");
}

//! Sums of thousands of components: their value is what adding up the values of single components
//! gives, and the turn leaves a P-position.

use nimoon::impartial::value::EntailingValue;
use nimoon::ruleset::Fault;
use nimoon::solve::solution::{AnswerError, Solution};
use nimoon::{AnyValue, Label, Limits, Outcome, TurnKind, Work};
use nimoon_session::expression::{Expression, NoLibrary};

fn solution(text: &str, budget: u64) -> Solution {
    let Expression { fields, terms } = Expression::read(text, &mut NoLibrary).unwrap();
    Solution::new(fields, &terms, None, &Work::new(Limits::new(budget))).unwrap()
}

/// A sum of so many of these, at random.
fn sum(positions: &[&str], count: usize, seed: u64) -> String {
    let mut state = seed;
    let term = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        positions[(state >> 33) as usize % positions.len()]
    };
    (0..count).map(term).collect::<Vec<_>>().join(" + ")
}

/// Looks at a sum, and gives its outcome.
fn check(solution: &mut Solution) -> Outcome {
    let start = solution.start().clone();
    let value = solution.value(&start).expect("there is an algebra");
    let mut total: Option<AnyValue> = None;
    for component in 0..start.len() {
        let Label::White(value) = solution.label(&start, component) else {
            panic!("no component must be answered")
        };
        total = Some(match total {
            None => value,
            Some(total) => total.try_add(&value).unwrap(),
        });
    }
    assert_eq!(total.as_ref(), Some(&value));
    let answer = solution.answer(&start).unwrap();
    assert_eq!(Some(answer.outcome), value.outcome());
    let turn = answer.turn.unwrap();
    let kind = match answer.outcome {
        Outcome::N => TurnKind::Winning,
        Outcome::D => TurnKind::Drawing,
        Outcome::P => TurnKind::Losing,
    };
    assert_eq!(turn.kind, kind);
    let mut left = start;
    for made in &answer.moves {
        left = solution.after(&left, made);
    }
    match answer.outcome {
        Outcome::N => assert_eq!(solution.outcome(&left), Ok(Outcome::P)),
        Outcome::D => assert!(turn.endless || solution.outcome(&left) == Ok(Outcome::D)),
        Outcome::P => {}
    }
    answer.outcome
}

/// Sums of some sizes, of which some are won and some are not.
fn check_all(positions: &[&str], expected: &[Outcome]) {
    let mut found = Vec::new();
    for (seed, count) in [(1, 3000), (2, 2000), (3, 1500), (4, 2500), (5, 1)] {
        let text = sum(positions, count, seed);
        // Two equal halves of numbers are a P-position.
        for text in [text.clone(), format!("{text} + {text}")] {
            let mut solution = solution(&text, 1_000_000);
            found.push(check(&mut solution));
            solution.rely_on_values();
            assert_eq!(Some(&check(&mut solution)), found.last());
        }
    }
    for outcome in expected {
        assert!(found.contains(outcome), "{outcome}: {found:?}");
    }
}

#[test]
fn nim_heaps() {
    let heaps: Vec<String> = (0..300).map(|heap| format!("nim:{heap}")).collect();
    let heaps: Vec<&str> = heaps.iter().map(String::as_str).collect();
    check_all(&heaps, &[Outcome::N, Outcome::P]);
}

#[test]
fn heaps_that_split() {
    check_all(
        &["kayles:9", "kayles:40", "kayles:3,4", "nim:12", "grundys-game:20"],
        &[Outcome::N, Outcome::P],
    );
}

#[test]
fn entailing_moves() {
    check_all(&["top-entails:7", "top-entails:20", "kayles:9", "nim:6"], &[Outcome::N, Outcome::P]);
    check_all(&["top-entails:7", "top-entails:3", "nimstring:1x3", "nim:6"], &[Outcome::N]);
}

#[test]
fn cycles() {
    check_all(&["slide[-2,-3,+1;20]:7", "slide[-2,-3,+1;20]:11", "nim:5", "nim:2"], &[Outcome::D]);
}

#[test]
fn carry_on_moves_and_cycles() {
    let glasses = [
        "green-lime:0-1g,1-2l,1-3g,2-3g",
        "green-lime:lg",
        "green-lime:0-1g,1-2l,1-3l",
        "kayles:5",
        "nim:9",
    ];
    check_all(&glasses, &[Outcome::N]);
    check_all(&["green-lime:0-1l,1-2g,1-3l", "green-lime:lg", "kayles:7"], &[Outcome::D]);
}

#[test]
fn a_turn_of_lights_is_found_where_options_are_too_many_to_be_listed() {
    let long = |pieces: usize, seed: u64| {
        let text = sum(&["b", "s", "b", "2b", "3s"], pieces, seed);
        text.replace(" + ", "")
    };
    let mut won = 0;
    for seed in 0..6 {
        let text = format!("lights:{}w{} + nim:{seed}", long(20_000, seed), long(9000, seed + 9));
        won += usize::from(check(&mut solution(&text, 100_000)) == Outcome::N);
    }
    assert!(won > 3);
}

#[test]
fn thousands_of_different_large_heaps_have_a_turn() {
    // 0 ⊕ 1 ⊕ … ⊕ n is 0 where n leaves 3 by 4, and n + 1 where it leaves 2.
    for (last, expected) in [(9_999, Outcome::P), (9_998, Outcome::N)] {
        let heaps: Vec<String> = (0..=last).map(|heap| format!("nim:{heap}")).collect();
        let mut solution = solution(&heaps.join(" + "), 4_000_000);
        assert_eq!(check(&mut solution), expected);
    }
}

#[test]
fn a_heap_with_too_many_options_to_list_has_a_winning_turn() {
    for text in ["nim:5000000", "nim:5000000000 + nim:7", "nim:90000000 + kayles:30"] {
        assert_eq!(check(&mut solution(text, 4_000_000)), Outcome::N, "{text}");
    }
}

/// Two copies of a graph with too many joints for a search, joined by a string, and a coin on a
/// coin on one of them: the mover can take both or leave both, so it is a moon. Which of the two is
/// right is not known.
#[test]
fn no_move_is_called_a_win_that_leads_to_where_nothing_is_known() {
    let mut strings = vec!["p0-q0".to_owned(), "a-b".to_owned(), "b-p3".to_owned()];
    for copy in ["p", "q"] {
        let around = (0..40).flat_map(|i| [1, 7].map(|step| (i, (i + step) % 40)));
        strings.extend(around.map(|(i, j)| format!("{copy}{i}-{copy}{j}")));
    }
    let mut solution = solution(&format!("coins:{}", strings.join(",")), 100_000);
    let start = solution.start().clone();
    assert_eq!(solution.value(&start), Some(AnyValue::Entailing(EntailingValue::Moon)));
    assert_eq!(solution.outcome(&start), Ok(Outcome::N));
    let error = solution.answer(&start).unwrap_err();
    assert!(matches!(error, AnswerError::Unknown { .. }), "{error}");
}

#[test]
fn large_positions_count_for_several() {
    // An open row of coins is a moon, as the search sees at once.
    let row: Vec<String> = (0..20_000).map(|i| format!("c{i}-c{}", i + 1)).collect();
    let text = format!("coins:{}", row.join(","));
    let mut solution = solution(&text, 4_000_000);
    let start = solution.start().clone();
    assert_eq!(solution.outcome(&start), Ok(Outcome::N));
    let error = solution.answer(&start).unwrap_err();
    assert!(matches!(error, AnswerError::Fault(Fault::TooMany { .. })), "{error}");
}

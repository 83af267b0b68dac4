//! Literal forms: notation, sums, conjugates, outcomes.

use nimoon::player::Player;
use nimoon::{
    Interrupted, Limits, Work,
    affine::{AffineOutcome, Form, Forms, ReadError, UndefinedSum},
};
use nimoon_oracle::affine::{Wins, outcome};
use proptest::prelude::*;

use crate::affine::common::{
    any_form, config, conjugate, contexts, day_one, day_zero, read, steps, sum, tree, wins, work,
};

/// Outcome, checks, conjugate, text: everything that is said of a single form.
fn check_single(forms: &mut Forms, form: Form) {
    let plain = tree(forms, form);
    assert_eq!(wins(forms.outcome(form)), outcome(std::slice::from_ref(&plain)));
    assert_eq!(forms.is_check(form, Player::Left), plain.is_left_check());
    assert_eq!(forms.is_check(form, Player::Right), plain.is_right_check());
    assert_eq!(forms.is_quiet(form), plain.is_quiet());
    assert_eq!(forms.is_conway_form(form), plain.is_conway_form());
    let other = conjugate(forms, form);
    assert_eq!(conjugate(forms, other), form);
    assert_eq!(tree(forms, other).key(), plain.conjugate().key());
    assert_eq!(forms.outcome(other), forms.outcome(form).conjugate());
    let symmetric = forms.is_symmetric(form, &mut work()).expect("within the budget");
    assert_eq!(symmetric, plain.is_symmetric());
    let text = forms.text(form);
    assert_eq!(read(forms, &text), form, "{text}");
    let unicode = forms.unicode_within(form, usize::MAX).expect("no limit");
    assert_eq!(read(forms, &unicode), form, "{unicode}");
    // What is printed does not depend on what was made before.
    let mut fresh = Forms::new();
    let again = read(&mut fresh, &text);
    assert_eq!(fresh.text(again), text);
    assert_eq!(tree(&fresh, again).key(), plain.key());
}

#[test]
fn all_forms_born_by_day_one_are_what_plain_search_says() {
    let mut forms = Forms::new();
    let all = day_one(&mut forms);
    assert_eq!(all.len(), 63 * 63);
    for form in [day_zero(&mut forms), all].concat() {
        check_single(&mut forms, form);
    }
}

#[test]
fn day_zero_has_the_four_forms_of_the_paper_and_five_with_a_set_of_both_infinities() {
    let mut forms = Forms::new();
    let infinities = [Form::INFINITY, Form::MINUS_INFINITY];
    let sets: Vec<Vec<Form>> = crate::affine::common::subsets(&infinities).collect();
    let mut born = Vec::new();
    for left in &sets {
        for right in &sets {
            born.push(forms.braces(left.iter().copied(), right.iter().copied()));
        }
    }
    assert!(born.iter().all(|&form| forms.birthday(form) == Some(0)));
    born.sort_unstable();
    born.dedup();
    assert_eq!(born.len(), 9);
    let singles = born
        .iter()
        .filter(|&&form| Player::BOTH.iter().all(|&player| forms.options(form, player).len() == 1));
    assert_eq!(singles.count(), 4);
    let outcomes = ["{-oo|oo}", "{oo|-oo}", "{oo|oo}", "{-oo|-oo}"];
    let outcomes = outcomes.map(|text| {
        let form = read(&mut forms, text);
        forms.outcome(form)
    });
    assert_eq!(outcomes, [AffineOutcome::P, AffineOutcome::N, AffineOutcome::L, AffineOutcome::R]);
}

#[test]
fn infinities_absorb_everything_but_each_other() {
    let mut forms = Forms::new();
    let [plus, minus] = [Form::INFINITY, Form::MINUS_INFINITY];
    for form in day_one(&mut forms) {
        assert_eq!(sum(&mut forms, plus, form), plus);
        assert_eq!(sum(&mut forms, form, minus), minus);
    }
    assert_eq!([sum(&mut forms, plus, plus), sum(&mut forms, minus, minus)], [plus, minus]);
    for (a, b) in [(plus, minus), (minus, plus)] {
        assert_eq!(forms.sum(a, b, &mut work()), Ok(Err(UndefinedSum)));
        assert_eq!(forms.outcome_of_sum(a, b, &mut work()), Ok(None));
    }
    assert_eq!([forms.outcome(plus), forms.outcome(minus)], [AffineOutcome::L, AffineOutcome::R]);
}

/// The literal sum, and the sum that is only played, against play in two components.
fn check_sum(forms: &mut Forms, a: Form, b: Form) {
    let played = outcome(&[tree(forms, a), tree(forms, b)]);
    let literal = sum(forms, a, b);
    assert_eq!(wins(forms.outcome(literal)), played, "{} + {}", forms.text(a), forms.text(b));
    let actual = forms.outcome_of_sum(a, b, &mut work()).expect("within the budget");
    assert_eq!(actual.map(wins), Some(played));
    assert_eq!(sum(forms, b, a), literal);
}

#[test]
fn sums_of_forms_born_by_day_one_are_what_plain_search_says() {
    let mut forms = Forms::new();
    let all = day_one(&mut forms);
    let few: Vec<Form> = all.iter().copied().step_by(61).collect();
    for &a in &few {
        for &b in few.iter().chain(&[Form::ZERO, Form::MOON]) {
            check_sum(&mut forms, a, b);
        }
    }
}

#[test]
fn zero_is_neutral_for_outcomes_and_not_for_forms() {
    let mut forms = Forms::new();
    let star = forms.nimber(1);
    let other = sum(&mut forms, star, Form::ZERO);
    assert_eq!(forms.text(other), "{-oo,0|oo,0}");
    for form in contexts(&mut forms) {
        let zero = forms.outcome_of_sum(form, Form::ZERO, &mut work());
        assert_eq!(zero, Ok(Some(forms.outcome(form))));
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn random_forms_are_what_plain_search_says(recipe in steps(6)) {
        let mut forms = Forms::new();
        let form = any_form(&mut forms, &recipe);
        check_single(&mut forms, form);
    }

    #[test]
    fn random_sums_are_what_plain_search_says(a in steps(4), b in steps(4), c in steps(2)) {
        let mut forms = Forms::new();
        let [a, b, c] = [a, b, c].map(|recipe| any_form(&mut forms, &recipe));
        check_sum(&mut forms, a, b);
        let first = sum(&mut forms, a, b);
        let second = sum(&mut forms, b, c);
        prop_assert_eq!(sum(&mut forms, first, c), sum(&mut forms, a, second));
        let conjugates = [a, b, first].map(|form| conjugate(&mut forms, form));
        prop_assert_eq!(sum(&mut forms, conjugates[0], conjugates[1]), conjugates[2]);
    }

    #[test]
    fn no_text_makes_the_reader_fail_otherwise_than_by_an_error(text in "[-{}|,*0-9o∞☾±.…()+ ~>=a]{0,24}") {
        let mut forms = Forms::new();
        match forms.read_question(&text, &mut Work::new(Limits::new(10_000))) {
            Err(ReadError::Notation(error)) => {
                prop_assert!(text.is_char_boundary(error.at), "{} {}", error.at, text);
            }
            found => prop_assert!(matches!(found, Ok(_) | Err(ReadError::Interrupted(_)))),
        }
    }
}

#[test]
fn every_spelling_is_read() {
    let mut forms = Forms::new();
    let table = [
        ("{|}", "0"),
        ("{-oo|oo}", "0"),
        ("{0|}", "1"),
        ("{|0}", "-1"),
        ("{-oo|0}", "-1"),
        ("3", "{{1|}|oo}"),
        ("-(2)", "-2"),
        ("{0|0}", "*"),
        ("{0,*,0|*,0}", "*2"),
        ("*0", "0"),
        ("-*3", "*3"),
        ("+-oo", "moon"),
        ("±∞", "☾"),
        ("{∞|−∞}", "moon"),
        ("{∞|∞̅}", "moon"),
        ("+-1", "{1|-1}"),
        ("{0,{oo|*}|...}", "{0,{oo|*}|0,{*|-oo}}"),
        ("{0,{oo|*}|…}", "{0,{oo|*}|0,{*|-oo}}"),
        ("{|...}", "0"),
        ("--oo", "oo"),
        (" { oo\n| 0 } ", "{oo|0}"),
        ("oo + 1 + moon", "oo"),
        ("1 - oo", "-oo"),
        ("0 + 0", "0"),
        ("((*))", "*"),
    ];
    for (text, same) in table {
        assert_eq!(read(&mut forms, text), read(&mut forms, same), "{text}");
    }
}

#[test]
fn every_error_has_its_place_and_says_what_was_expected() {
    let table = [
        ("", 0, "expected a form"),
        ("{", 1, "expected a form"),
        ("{0", 2, "between Left's and Right's options"),
        ("{0}", 2, "between Left's and Right's options"),
        ("{0|1", 4, "expected `,` or `}`"),
        ("{0|1|2}", 4, "a second `|`"),
        ("{0||1}", 3, "expected a form, as in"),
        ("{0,|1}", 3, "expected a form"),
        ("{0|1,}", 5, "expected a form"),
        ("{...|0}", 1, "expected a form"),
        ("{0|...,1}", 6, "`}` after `...`"),
        ("}", 0, "expected a form"),
        ("0}", 1, "expected `+`, `-`"),
        ("0)", 1, "expected `+`, `-`"),
        ("(0", 2, "expected `+`, `-` or `)`"),
        ("0 0", 2, "expected `+`, `-`"),
        ("0+", 2, "expected a form"),
        ("oo - oo", 3, "oo + -oo is not defined"),
        ("-oo + oo", 4, "oo + -oo is not defined"),
        ("{oo+-oo|0}", 3, "oo + -oo is not defined"),
        ("oo + 1 + -oo", 7, "oo + -oo is not defined"),
        ("a{0|a}", 0, "`nimoon loopy`"),
        ("{0|pass}", 3, "`nimoon loopy`"),
        ("{0|über}", 3, "`über` is not a form"),
        ("100001", 0, "larger than 100000"),
        ("*2001", 1, "larger than 2000"),
        ("99999999999999999999", 0, "larger than"),
        ("1/2", 1, "expected `+`, `-`"),
        ("\u{0}", 0, "expected a form"),
    ];
    for (text, at, says) in table {
        let mut forms = Forms::new();
        match forms.read(text, &mut work()) {
            Err(ReadError::Notation(error)) => {
                assert_eq!(error.at, at, "{text}: {error}");
                assert!(error.message.contains(says), "{text}: {error}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_hundred_thousand_braces_are_an_answer_or_an_error() {
    const DEPTH: usize = 100_000;
    let mut forms = Forms::new();
    let deep = format!("{}0{}", "{".repeat(DEPTH), "|0}".repeat(DEPTH));
    let form = read(&mut forms, &deep);
    assert_eq!(forms.birthday(form), Some(DEPTH as u32));
    // The innermost {0|0} is printed as *.
    assert_eq!(forms.text(form).len(), deep.len() - "{0|0}".len() + 1);
    let reason = forms.affine_impartial(form, &mut work()).expect("within the budget");
    assert!(forms.reason(&reason.expect_err("it is not symmetric"), form).len() < 400);
    let open = "{".repeat(DEPTH);
    assert!(matches!(forms.read(&open, &mut work()), Err(ReadError::Notation(e)) if e.at == DEPTH));
    let nested = format!("{}*{}", "{{oo|".repeat(DEPTH), "}|...}".repeat(DEPTH));
    let form = read(&mut forms, &nested);
    let worth = forms.impartial(form, &mut work()).expect("within the budget").expect("impartial");
    assert_eq!(worth.value, nimoon::EntailingValue::Nimber(1));
    assert_eq!(forms.is_maneuverable(form, &mut work()), Ok(Ok(false)));
    let minus = format!("{}oo", "-".repeat(DEPTH));
    assert_eq!(read(&mut forms, &minus), Form::INFINITY);
    let parentheses = format!("{}moon{}", "(".repeat(DEPTH), ")".repeat(DEPTH));
    assert_eq!(read(&mut forms, &parentheses), Form::MOON);
}

#[test]
fn a_sum_beyond_the_budget_says_so() {
    let mut forms = Forms::new();
    let interrupted = Interrupted::positions(1_000);
    let huge = forms.read("1000 + 1000 + 1000", &mut Work::new(Limits::new(1_000)));
    assert_eq!(huge, Err(ReadError::Interrupted(interrupted)));
    let stars = ["*9"; 9].join("+");
    let huge = forms.read(&stars, &mut Work::new(Limits::new(1_000)));
    assert_eq!(huge, Err(ReadError::Interrupted(interrupted)));
}

#[test]
fn theorem_2_everything_is_between_the_infinities() {
    let mut forms = Forms::new();
    let all = day_one(&mut forms);
    let beside: Vec<Form> = all.iter().copied().step_by(97).collect();
    for &form in &all {
        assert_eq!(forms.ge(Form::INFINITY, form, &mut work()).unwrap().holds(), Some(true));
        assert_eq!(forms.ge(form, Form::MINUS_INFINITY, &mut work()).unwrap().holds(), Some(true));
        assert_eq!(forms.ge(form, Form::INFINITY, &mut work()).unwrap().holds(), Some(false));
        // Beside the moon nothing but ∞ is won by Left if Right begins.
        let moon = forms.outcome_of_sum(form, Form::MOON, &mut work()).unwrap();
        assert_eq!(moon, Some(AffineOutcome::N));
    }
    for &x in &beside {
        assert_eq!(outcome(&[tree(&forms, Form::INFINITY), tree(&forms, x)]), Wins::L);
        assert_eq!(outcome(&[tree(&forms, Form::MINUS_INFINITY), tree(&forms, x)]), Wins::R);
    }
}

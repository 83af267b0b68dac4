//! The order of games, Conway games and loony games.

use std::cmp::Ordering;

use nimoon::affine::{AffineOutcome, Decision, Form, Forms, Ground};
use nimoon_oracle::affine::{Form as Tree, Wins, outcome};
use proptest::prelude::*;

use crate::affine::common::{
    any_form, config, conjugate, contexts, conway_form, day_one, read, steps, subsets, sum, tree,
    work,
};

/// Whether the outcome of g is at least that of h beside x.
fn at_least(g: &Tree, h: &Tree, x: &Tree) -> bool {
    outcome(&[g.clone(), x.clone()]).at_least(outcome(&[h.clone(), x.clone()]))
}

/// The Conway forms with the options −1, 0, 1 and *: all by day 2, up to options that are equal as
/// games.
fn conway_forms(forms: &mut Forms) -> Vec<Form> {
    let smaller = ["0", "*", "1", "-1"].map(|text| read(forms, text));
    let mut sets: Vec<Vec<Form>> = subsets(&smaller).collect();
    sets.push(Vec::new());
    let mut all = Vec::new();
    for left in &sets {
        for right in &sets {
            all.push(forms.braces(left.iter().copied(), right.iter().copied()));
        }
    }
    all
}

#[test]
fn theorem_4_and_corollary_1_outcomes_give_the_order_against_zero() {
    let mut forms = Forms::new();
    let all = day_one(&mut forms);
    let beside: Vec<Tree> = all.iter().step_by(113).map(|&x| tree(&forms, x)).collect();
    for (i, &form) in all.iter().enumerate() {
        let order = forms.relation(form, Form::ZERO, &mut work()).expect("within the budget");
        let expected = match forms.outcome(form) {
            AffineOutcome::L => Some(Ordering::Greater),
            AffineOutcome::P => Some(Ordering::Equal),
            AffineOutcome::N => None,
            AffineOutcome::R => Some(Ordering::Less),
        };
        assert_eq!(order.order(), Some(expected), "{}", forms.text(form));
        // What the theorem promises beside other games, by play.
        if i % 7 == 0 && order.ge.holds() == Some(true) {
            let plain = tree(&forms, form);
            assert!(beside.iter().all(|x| at_least(&plain, &Tree::zero(), x)));
        }
    }
}

#[test]
fn theorem_5_conway_forms_and_conway_games_have_their_conjugates_for_negatives() {
    let mut forms = Forms::new();
    let conway = conway_forms(&mut forms);
    for &form in &conway {
        let other = conjugate(&mut forms, form);
        assert_eq!(outcome(&[tree(&forms, form), tree(&forms, other)]), Wins::P);
        assert_eq!(forms.conway_game(form, &mut work()), Ok(Some(form)));
    }
    let negatives: Vec<Tree> = conway.iter().map(|&form| tree(&forms, form).conjugate()).collect();
    let (mut games, mut only_games) = (0, 0);
    for form in day_one(&mut forms) {
        let plain = tree(&forms, form);
        let found = forms.conway_game(form, &mut work()).expect("within the budget");
        if let Some(equal) = found {
            games += 1;
            only_games += usize::from(!plain.is_conway_form());
            let equal = tree(&forms, equal);
            assert!(equal.is_conway_form());
            assert_eq!(outcome(&[plain.clone(), equal.conjugate()]), Wins::P);
            assert_eq!(outcome(&[plain.clone(), plain.conjugate()]), Wins::P);
        } else if plain.is_quiet() {
            // A check is won by the player who has it, beside everything.
            let equals = |negative: &Tree| outcome(&[plain.clone(), negative.clone()]) == Wins::P;
            assert!(!negatives.iter().any(equals), "{}", forms.text(form));
        }
    }
    // There are both kinds, so that something was shown.
    assert!(games > only_games && only_games > 0, "{games} {only_games}");
}

#[test]
fn a_check_has_no_negative() {
    let mut forms = Forms::new();
    let check = read(&mut forms, "{oo|0}");
    let plain = tree(&forms, check);
    for x in day_one(&mut forms) {
        assert!(matches!(outcome(&[plain.clone(), tree(&forms, x)]), Wins::L | Wins::N));
    }
    assert_eq!(forms.is_invertible(check, &mut work()), Ok(false));
}

#[test]
fn theorem_7_a_game_is_compared_with_a_conway_game_by_the_difference() {
    let mut forms = Forms::new();
    let mut conway: Vec<Form> = conway_forms(&mut forms).into_iter().step_by(13).collect();
    conway.push(read(&mut forms, "{{oo|*}|{*|-oo}}"));
    let games: Vec<Form> = day_one(&mut forms).into_iter().step_by(41).collect();
    let beside: Vec<Tree> = games.iter().step_by(9).map(|&x| tree(&forms, x)).collect();
    for &h in &conway {
        let negative = tree(&forms, h).conjugate();
        for &g in &games {
            let [g_tree, h_tree] = [g, h].map(|form| tree(&forms, form));
            for (ge, big, small) in [
                (forms.ge(g, h, &mut work()).expect("within the budget"), &g_tree, &h_tree),
                (forms.ge(h, g, &mut work()).expect("within the budget"), &h_tree, &g_tree),
            ] {
                assert!(matches!(ge.ground(), Some(Ground::Conway | Ground::Identical)));
                // Yes means beside everything; no is shown beside the negative of the Conway game.
                if ge.holds() == Some(true) {
                    assert!(beside.iter().all(|x| at_least(big, small, x)));
                } else {
                    assert!(!at_least(big, small, &negative));
                }
            }
        }
    }
}

#[test]
fn lemma_1_the_order_stays_when_an_invertible_game_is_added() {
    let mut forms = Forms::new();
    let conway: Vec<Form> = conway_forms(&mut forms).into_iter().step_by(43).collect();
    let games: Vec<Form> = day_one(&mut forms).into_iter().step_by(331).collect();
    for &g in &games {
        for &h in &conway {
            for &j in &conway {
                let [more_g, more_h] = [g, h].map(|form| sum(&mut forms, form, j));
                let before = forms.ge(g, h, &mut work()).unwrap().holds();
                assert!(before.is_some());
                assert_eq!(forms.ge(more_g, more_h, &mut work()).unwrap().holds(), before);
            }
        }
    }
}

#[test]
fn definition_9_loony_games_win_beside_every_quiet_game_and_others_show_where_not() {
    let mut forms = Forms::new();
    let all = day_one(&mut forms);
    let quiet: Vec<Tree> = all.iter().map(|&x| tree(&forms, x)).collect();
    let quiet: Vec<Tree> = quiet
        .into_iter()
        .filter(|x| x.is_quiet() && matches!(outcome(std::slice::from_ref(x)), Wins::N | Wins::P))
        .collect();
    let (mut loony, mut by_checks) = (0, 0);
    for &form in &all {
        let plain = tree(&forms, form);
        if let Some(beside) = forms.not_loony(form, &mut work()).expect("within the budget") {
            let beside = tree(&forms, beside);
            assert!(beside.is_quiet());
            assert!(matches!(outcome(std::slice::from_ref(&beside)), Wins::N | Wins::P));
            assert_ne!(outcome(&[plain, beside]), Wins::N);
        } else {
            loony += 1;
            let mate_in_one = plain.is_left_check() && plain.is_right_check();
            by_checks += usize::from(!mate_in_one);
            let step = if mate_in_one { 29 } else { 1 };
            for x in quiet.iter().step_by(step) {
                assert_eq!(outcome(&[plain.clone(), x.clone()]), Wins::N);
            }
        }
    }
    assert!(loony > by_checks && by_checks > 0, "{loony} {by_checks}");
}

#[test]
fn there_are_no_loony_conway_forms() {
    let mut forms = Forms::new();
    for form in conway_forms(&mut forms) {
        assert_eq!(forms.is_loony(form, &mut work()), Ok(false));
    }
}

#[test]
fn theorem_13_loony_games_are_equal_modulo_affine_impartial_games() {
    let mut forms = Forms::new();
    let beside: Vec<Tree> = contexts(&mut forms).iter().map(|&x| tree(&forms, x)).collect();
    let mut loony = Vec::new();
    for form in day_one(&mut forms) {
        if forms.is_loony(form, &mut work()).expect("within the budget") {
            loony.push(form);
        }
    }
    for form in loony.into_iter().step_by(7) {
        let plain = tree(&forms, form);
        assert!(beside.iter().all(|x| outcome(&[plain.clone(), x.clone()]) == Wins::N));
    }
}

#[test]
fn what_is_not_decided_is_said_to_be_unknown() {
    let mut forms = Forms::new();
    let [a, b] = ["{oo|0}", "{oo,0|0}"].map(|text| read(&mut forms, text));
    // They are equal, but neither is a Conway game and the forms differ.
    assert_eq!(forms.ge(a, b, &mut work()), Ok(Decision::Unknown));
    assert_eq!(forms.ge(a, a, &mut work()), Ok(Decision::Yes(Ground::Identical)));
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn random_conway_forms_are_invertible(recipe in steps(5)) {
        let mut forms = Forms::new();
        let form = conway_form(&mut forms, &recipe);
        prop_assert!(forms.is_conway_form(form));
        let plain = tree(&forms, form);
        prop_assert_eq!(outcome(&[plain.clone(), plain.conjugate()]), Wins::P);
    }

    #[test]
    fn random_games_that_are_invertible_equal_the_conway_form_that_is_found(recipe in steps(5)) {
        let mut forms = Forms::new();
        let form = any_form(&mut forms, &recipe);
        let plain = tree(&forms, form);
        let found = forms.conway_game(form, &mut work()).expect("within the budget");
        if let Some(equal) = found {
            let equal = tree(&forms, equal);
            prop_assert!(equal.is_conway_form());
            prop_assert_eq!(outcome(&[plain, equal.conjugate()]), Wins::P);
        } else if plain.is_quiet() {
            prop_assert_ne!(outcome(&[plain.clone(), plain.conjugate()]), Wins::P);
        }
    }

    #[test]
    fn a_random_loony_game_wins_beside_random_quiet_games(recipe in steps(5), beside in steps(3)) {
        let mut forms = Forms::new();
        let [form, x] = [recipe, beside].map(|recipe| any_form(&mut forms, &recipe));
        let [plain, x] = [form, x].map(|form| tree(&forms, form));
        let fits = x.is_quiet() && matches!(outcome(std::slice::from_ref(&x)), Wins::N | Wins::P);
        if fits && forms.is_loony(form, &mut work()).expect("within the budget") {
            prop_assert_eq!(outcome(&[plain, x]), Wins::N);
        }
    }
}

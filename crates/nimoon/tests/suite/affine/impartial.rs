//! Affine impartial forms: Theorems 8 to 20, Lemmas 2 to 4 and Corollaries 2 and 3.
//!
//! There are too many forms born by day 2 to list them: a set of options for each of 2⁴⁰⁰⁰. What is
//! listed is all forms by day 1, all with one option out of all that there are by day 1, alone and
//! with one of each kind, and all sets of options up to options that behave alike (see
//! `kinds_of_options`).

use nimoon::affine::{AffineOutcome, Form, Forms, Impartial};
use nimoon::player::Player;
use nimoon::{EntailingValue, NimberSet};
use nimoon_oracle::affine::{Form as Tree, Wins, left_wins, outcome};
use proptest::prelude::*;

use crate::affine::common::{
    any_form, config, conjugate, contexts, day_one, impartial_form, kinds_of_options,
    options_by_day_one, steps, subsets, sum, symmetric, tree, work,
};

fn worth(forms: &mut Forms, form: Form) -> Impartial {
    let worth = forms.impartial(form, &mut work()).expect("within the budget");
    worth.unwrap_or_else(|reason| panic!("{}", forms.reason(&reason, form)))
}

/// Definitions 7, 10, 11 and Theorems 10, 17, 20 for one form, by play beside *0, …, *most.
fn check_worth(forms: &mut Forms, form: Form, most: usize) {
    let text = forms.text(form);
    let plain = tree(forms, form);
    assert!(plain.is_affine_impartial(), "{text}");
    let Impartial { immediate, protected, value } = worth(forms, form);
    for n in 0..=most {
        let nimber = Tree::nimber(n);
        let equals = |form: &Tree| outcome(&[form.clone(), nimber.clone()]) == Wins::P;
        // Theorem 10, and 17: a form is beside *n as its value is.
        let has_value = value == EntailingValue::Nimber(n as u64);
        assert_eq!(equals(&plain), has_value, "{text} beside *{n}, value {value}");
        let among_options = |option: &Tree| option.is_affine_impartial() && equals(option);
        let is_immediate = plain.left().iter().any(among_options);
        assert_eq!(immediate.contains(n as u64), is_immediate, "{text} {n}");
        let protects = |option: &Tree| {
            option.is_left_check() && outcome(&[option.clone(), nimber.clone()]) == Wins::L
        };
        let is_protected = plain.is_left_check() || plain.left().iter().any(protects);
        assert_eq!(protected.contains(n as u64), is_protected, "{text} {n}");
    }
    // Theorem 20 in one line.
    let mex = immediate.union(&protected).mex();
    assert_eq!(mex.map_or(EntailingValue::Moon, EntailingValue::Nimber), value, "{text}");
    check_lemmas(forms, form, &plain, most);
}

/// Lemmas 2 and 3, and Corollary 3.
fn check_lemmas(forms: &mut Forms, form: Form, plain: &Tree, most: usize) {
    let text = forms.text(form);
    let Impartial { protected, value, .. } = worth(forms, form);
    let maneuverable = forms.is_maneuverable(form, &mut work()).expect("within the budget");
    assert_eq!(maneuverable, Ok(plain.is_maneuverable(most)), "{text}");
    if maneuverable == Ok(true) {
        assert!(!protected.is_cofinite(), "{text}");
        assert_ne!(value, EntailingValue::Moon, "{text}");
    }
    if plain.left().iter().all(Tree::is_quiet) {
        assert!(protected.is_nothing(), "{text}");
        assert_ne!(value, EntailingValue::Moon, "{text}");
    }
}

#[test]
fn definition_7_is_decided_for_all_forms_born_by_day_one_with_the_reason() {
    let mut forms = Forms::new();
    let mut impartial = 0;
    for form in day_one(&mut forms) {
        let plain = tree(&forms, form);
        let answer = forms.affine_impartial(form, &mut work()).expect("within the budget");
        assert_eq!(answer.is_ok(), plain.is_affine_impartial());
        impartial += usize::from(answer.is_ok());
        let Err(reason) = answer else { continue };
        let nimoon::affine::NotAffineImpartial::NotSymmetric { follower, player, option } = reason
        else {
            panic!("{reason:?}");
        };
        assert!(follower == form || forms.is_quiet(follower));
        assert!(forms.followers(form).contains(&follower));
        assert!(forms.options(follower, player).contains(&option));
        let other = conjugate(&mut forms, option);
        assert!(!forms.options(follower, player.opponent()).contains(&other));
    }
    assert_eq!(impartial, 63);
}

#[test]
fn theorem_8_symmetric_forms_are_won_by_the_next_or_the_previous_player() {
    let mut forms = Forms::new();
    for option in day_one(&mut forms) {
        // Whatever the option is, quiet and asymmetric as well.
        let form = symmetric(&mut forms, &[option]);
        let other = symmetric(&mut forms, &[option, Form::ZERO]);
        for form in [form, other] {
            let plain = tree(&forms, form);
            assert!(plain.is_symmetric());
            assert!(matches!(outcome(&[plain]), Wins::N | Wins::P));
            assert!(matches!(forms.outcome(form), AffineOutcome::N | AffineOutcome::P));
        }
    }
}

#[test]
fn theorem_20_holds_for_all_forms_by_day_two_with_one_option() {
    let mut forms = Forms::new();
    let options = options_by_day_one(&mut forms);
    assert!(options.len() > 2_000, "{}", options.len());
    for option in options {
        let form = symmetric(&mut forms, &[option]);
        check_worth(&mut forms, form, 2);
    }
}

#[test]
fn theorem_20_holds_for_all_forms_by_day_two_with_an_option_and_one_of_each_kind() {
    let mut forms = Forms::new();
    let kinds = kinds_of_options(&mut forms);
    for option in options_by_day_one(&mut forms) {
        for &kind in &kinds {
            let form = symmetric(&mut forms, &[option, kind]);
            check_worth(&mut forms, form, 3);
        }
    }
}

#[test]
fn theorem_20_holds_for_all_forms_by_day_two_up_to_options_that_behave_alike() {
    let mut forms = Forms::new();
    let kinds = kinds_of_options(&mut forms);
    let texts: Vec<String> = kinds.iter().map(|&form| forms.text(form)).collect();
    // Mate, a move that loses, 0 and *; checks that cover all, all but 0, all but *, and nothing.
    assert!(kinds.len() >= 6, "{texts:?}");
    let sets: Vec<Vec<Form>> = subsets(&kinds).collect();
    let mut values = Vec::new();
    for left in sets {
        let form = symmetric(&mut forms, &left);
        check_worth(&mut forms, form, 3);
        values.push(worth(&mut forms, form).value);
    }
    let n = EntailingValue::Nimber;
    for value in [n(0), n(1), n(2), EntailingValue::Moon] {
        assert!(values.contains(&value), "{value}");
    }
}

#[test]
fn quiet_options_sums_and_conjugates_of_affine_impartial_forms_are_affine_impartial() {
    let mut forms = Forms::new();
    let all = contexts(&mut forms);
    for &form in &all {
        for player in Player::BOTH {
            for option in forms.options(form, player).to_vec() {
                let answer = forms.affine_impartial(option, &mut work()).unwrap();
                assert!(answer.is_ok() || !forms.is_quiet(option));
            }
        }
        assert_eq!(conjugate(&mut forms, form), form);
    }
    // An option that is a check need not be: the remark after Definition 7 says more than holds.
    let check = forms.braces([Form::INFINITY], [Form::ZERO]);
    let form = symmetric(&mut forms, &[check, Form::ZERO]);
    assert_eq!(forms.affine_impartial(form, &mut work()).unwrap(), Ok(()));
    assert!(forms.affine_impartial(check, &mut work()).unwrap().is_err());
    for &a in all.iter().step_by(5) {
        for &b in &all {
            let both = sum(&mut forms, a, b);
            let [x, y, z] = [a, b, both].map(|form| worth(&mut forms, form).value);
            assert_eq!(z, x + y);
        }
    }
}

#[test]
fn equality_modulo_affine_impartial_games_is_that_of_values_beside_all_contexts() {
    let mut forms = Forms::new();
    let all = contexts(&mut forms);
    let plain: Vec<Tree> = all.iter().map(|&form| tree(&forms, form)).collect();
    // By Theorem 8 it is enough to know whether Left wins if she begins; Lemma 4 and Theorem 19 are
    // in this table.
    let table: Vec<Vec<bool>> = plain
        .iter()
        .map(|g| plain.iter().map(|x| left_wins(&[g.clone(), x.clone()], true)).collect())
        .collect();
    let values: Vec<EntailingValue> =
        all.iter().map(|&form| worth(&mut forms, form).value).collect();
    for (i, &g) in all.iter().enumerate() {
        for (j, &h) in all.iter().enumerate() {
            let equal = forms.equal_modulo_impartial(g, h, &mut work()).unwrap();
            assert_eq!(equal, Ok(table[i] == table[j]), "{} {}", forms.text(g), forms.text(h));
            assert_eq!(values[i] == values[j], table[i] == table[j]);
            let moons = [values[i], values[j]].map(|value| value == EntailingValue::Moon);
            // Lemma 4: two that are not nimbers. Theorem 19 and Corollary 2: the moon beside
            // anything.
            if moons[0] || moons[1] {
                assert!(table[i][j]);
            }
        }
    }
}

#[test]
fn theorem_10_a_form_that_is_p_beside_a_nimber_is_as_the_nimber_beside_everything() {
    let mut forms = Forms::new();
    let beside: Vec<Tree> =
        day_one(&mut forms).iter().step_by(59).map(|&x| tree(&forms, x)).collect();
    for form in contexts(&mut forms) {
        let EntailingValue::Nimber(n) = worth(&mut forms, form).value else { continue };
        let [plain, nimber] = [tree(&forms, form), Tree::nimber(n as usize)];
        // Not only modulo affine impartial games: beside partizan ones too [Thm 7].
        for x in &beside {
            let outcomes = [&plain, &nimber].map(|form| outcome(&[form.clone(), x.clone()]));
            assert_eq!(outcomes[0], outcomes[1], "{}", forms.text(form));
        }
    }
}

#[test]
fn the_moon_protects_itself_in_one_form_more_than_in_another() {
    let mut forms = Forms::new();
    let g = crate::affine::common::read(&mut forms, "{{oo|0},0|...}");
    let [moon, other] = [Form::MOON, g].map(|form| worth(&mut forms, form));
    assert_eq!([moon.value, other.value], [EntailingValue::Moon; 2]);
    assert_eq!(moon.protected, NimberSet::everything());
    assert_eq!(moon.immediate, NimberSet::nothing());
    assert_eq!(other.protected, NimberSet::all_except([0]));
    assert_eq!(other.immediate, NimberSet::only([0]));
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn theorems_10_17_and_20_hold_for_random_forms(recipe in steps(6)) {
        let mut forms = Forms::new();
        let form = impartial_form(&mut forms, &recipe);
        check_worth(&mut forms, form, 5);
    }

    #[test]
    fn lemma_4_and_theorem_19_hold_for_random_forms(a in steps(5), b in steps(4)) {
        let mut forms = Forms::new();
        let [a, b] = [a, b].map(|recipe| impartial_form(&mut forms, &recipe));
        let values = [a, b].map(|form| worth(&mut forms, form).value);
        let plain = [a, b].map(|form| tree(&forms, form));
        let expected = match (values[0] + values[1]).outcome() {
            nimoon::Outcome::P => Wins::P,
            _ => Wins::N,
        };
        prop_assert_eq!(outcome(&plain), expected);
    }

    #[test]
    fn random_symmetric_forms_are_won_by_the_next_or_the_previous_player(recipe in steps(5)) {
        let mut forms = Forms::new();
        let option = any_form(&mut forms, &recipe);
        let form = symmetric(&mut forms, &[option]);
        prop_assert!(matches!(outcome(&[tree(&forms, form)]), Wins::N | Wins::P));
    }

    #[test]
    fn what_a_form_is_with_values_for_quiet_followers_has_the_same_worth(recipe in steps(6)) {
        let mut forms = Forms::new();
        let form = impartial_form(&mut forms, &recipe);
        let short = forms.with_values(form, &mut work()).unwrap().unwrap();
        prop_assert_eq!(worth(&mut forms, short), worth(&mut forms, form));
    }
}

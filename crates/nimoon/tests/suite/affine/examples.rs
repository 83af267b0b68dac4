//! The examples, observations, case studies and the table of [LNS2021].

use nimoon::affine::{AffineOutcome, Form, Forms, Impartial};
use nimoon::player::Player;
use nimoon::{EntailingValue, NimberSet};
use nimoon_oracle::affine::{Wins, left_wins, outcome};

use crate::affine::common::{contexts, read, sum, tree, work};
use crate::affine::convert::TopEntails;

fn worth(forms: &mut Forms, form: Form) -> Impartial {
    forms.impartial(form, &mut work()).expect("within the budget").expect("affine impartial")
}

fn value(forms: &mut Forms, text: &str) -> String {
    let form = read(forms, text);
    worth(forms, form).value.to_string()
}

/// Whether Left wins if she begins.
fn left_first(forms: &Forms, sum: [Form; 2]) -> bool {
    left_wins(&sum.map(|form| tree(forms, form)), true)
}

#[test]
fn the_introduction_nimstring_and_a_heap_of_one_and_of_three() {
    let mut forms = Forms::new();
    assert_eq!(value(&mut forms, "{{oo|0},0|{0|-oo},0}"), "☾");
    assert_eq!(value(&mut forms, "{oo|-oo}"), "☾");
    // The composite option, and the entailing one: {∞ | 1 + 1, 1 entailed}.
    assert_eq!(value(&mut forms, "{moon+moon,{oo|moon+moon,{{oo|oo}|-oo}}|...}"), "☾");
}

#[test]
fn example_3_a_conway_game_that_is_not_a_conway_form() {
    let mut forms = Forms::new();
    let g = read(&mut forms, "{{-oo|oo}|{-oo|oo}}");
    let h = read(&mut forms, "{{oo|*}|{*|-oo}}");
    assert_eq!(forms.text(g), "*");
    assert_eq!([g, h].map(|form| forms.is_conway_form(form)), [true, false]);
    assert_eq!(forms.conway_game(h, &mut work()), Ok(Some(g)));
    assert_eq!(outcome(&[tree(&forms, h), tree(&forms, g)]), Wins::P);
    let equal = forms.relation(g, h, &mut work()).unwrap();
    assert_eq!(equal.order(), Some(Some(std::cmp::Ordering::Equal)));
}

#[test]
fn after_corollary_1_a_check_has_no_inverse() {
    let mut forms = Forms::new();
    let g = read(&mut forms, "{oo|0}");
    for x in ["0", "1", "-7", "{-oo|-oo}", "{0|-oo}", "moon", "*2"] {
        let x = read(&mut forms, x);
        assert!(left_first(&forms, [g, x]));
    }
    assert_eq!(forms.conway_game(g, &mut work()), Ok(None));
}

#[test]
fn observation_9_games_equal_modulo_affine_impartial_and_distinguished_by_a_switch() {
    let mut forms = Forms::new();
    let g = read(&mut forms, "{{oo|0},0|{0|-oo},0}");
    let h = read(&mut forms, "{{oo|*},*|{*|-oo},*}");
    let x = read(&mut forms, "{0|-1}");
    assert_eq!(forms.equal_modulo_impartial(g, h, &mut work()).unwrap(), Ok(true));
    for y in contexts(&mut forms) {
        let outcomes = [g, h].map(|form| outcome(&[tree(&forms, form), tree(&forms, y)]));
        assert_eq!(outcomes[0], outcomes[1]);
    }
    assert_eq!([g, h].map(|form| left_first(&forms, [form, x])), [true, false]);
    let actual = forms.relation(g, h, &mut work()).unwrap();
    assert_eq!(actual.le.holds(), Some(false));
}

#[test]
fn observation_14_loony_games_that_differ_beside_a_number() {
    let mut forms = Forms::new();
    let g = read(&mut forms, "{{oo|0},0|{0|-oo},0}");
    let h = read(&mut forms, "{{oo|2},0|{-2|-oo},0}");
    let x = read(&mut forms, "-1");
    for form in [g, h] {
        assert_eq!(forms.is_loony(form, &mut work()), Ok(true));
    }
    assert_eq!([g, h].map(|form| left_first(&forms, [form, x])), [false, true]);
    for y in contexts(&mut forms) {
        let outcomes = [g, h].map(|form| outcome(&[tree(&forms, form), tree(&forms, y)]));
        assert_eq!(outcomes, [Wins::N; 2]);
    }
    // The second is loony and not affine impartial: 2 is a quiet follower.
    let reason = forms.affine_impartial(h, &mut work()).unwrap().unwrap_err();
    let words = forms.reason(&reason, h);
    assert!(words.contains("is not symmetric"), "{words}");
}

#[test]
fn example_15_a_check_protects_against_a_nimber_that_left_cannot_force() {
    let mut forms = Forms::new();
    let form = read(&mut forms, "{0,*2,{oo|{*|-oo},0}|...}");
    let Impartial { immediate, protected, value } = worth(&mut forms, form);
    assert_eq!(immediate, NimberSet::only([0, 2]));
    assert_eq!(protected, NimberSet::only([1]));
    assert_eq!(value, EntailingValue::Nimber(3));
}

#[test]
fn example_16_a_maneuverable_form() {
    let mut forms = Forms::new();
    let text = "{*2,{oo|{0,*4|-oo},0}|*2,{0,{oo|0,*4}|-oo}}";
    let form = read(&mut forms, text);
    assert_eq!(read(&mut forms, "{*2,{oo|{0,*4|-oo},0}|...}"), form);
    assert_eq!(forms.is_maneuverable(form, &mut work()).unwrap(), Ok(true));
    assert!(tree(&forms, form).is_maneuverable(4));
    let Impartial { immediate, protected, value } = worth(&mut forms, form);
    assert_eq!(immediate, NimberSet::only([2]));
    // Beside *4 the check wins: Right cannot move to 0 or *4, and Left answers his check by *4.
    assert_eq!(protected, NimberSet::only([4]));
    assert_eq!(value, EntailingValue::Nimber(0));
    // Without the second check, Right cannot force what he wants.
    let other = read(&mut forms, "{*2,{oo|0}|...}");
    assert_eq!(forms.is_maneuverable(other, &mut work()).unwrap(), Ok(false));
    assert_eq!(forms.is_maneuverable(Form::MOON, &mut work()).unwrap(), Ok(false));
}

#[test]
fn observation_18_a_moon_modulo_affine_impartial_that_is_not_loony() {
    let mut forms = Forms::new();
    let g = read(&mut forms, "{*,{oo|*}|*,{*|-oo}}");
    let x = read(&mut forms, "{0|-1}");
    assert_eq!(worth(&mut forms, g).value, EntailingValue::Moon);
    assert_eq!(forms.outcome(x), AffineOutcome::N);
    assert!(!left_first(&forms, [g, x]));
    assert_eq!(forms.is_loony(g, &mut work()), Ok(false));
}

#[test]
fn section_4_the_positions_of_nimstring() {
    let mut forms = Forms::new();
    let l = read(&mut forms, "{0,moon,moon|0,moon,moon}");
    let found = worth(&mut forms, l);
    assert_eq!(found.immediate, NimberSet::only([0]));
    assert_eq!(found.protected, NimberSet::nothing());
    assert_eq!(found.value, EntailingValue::Nimber(1));
    let n = read(&mut forms, "{☾,☾,☾,{∞|*}|…}");
    assert_eq!(n, read(&mut forms, "{moon,moon,moon,{oo|*}|moon,moon,moon,{*|-oo}}"));
    let found = worth(&mut forms, n);
    assert_eq!(found.immediate, NimberSet::nothing());
    assert_eq!(found.protected, NimberSet::all_except([1]));
    assert_eq!(found.value, EntailingValue::Nimber(1));
    assert_eq!(outcome(&[tree(&forms, n), tree(&forms, l)]), Wins::P);
    // {n,m,c|n,m,c} = {*,*,0|*,*,0} = *2, with m = 0 + * and c = 0.
    let star = forms.nimber(1);
    let m = sum(&mut forms, Form::ZERO, star);
    let whole = forms.braces([n, m, Form::ZERO], [n, m, Form::ZERO]);
    assert_eq!(worth(&mut forms, whole).value, EntailingValue::Nimber(2));
}

/// What the paper has for the heaps 0 to 7 of top entails, with the moon for 1 and 3.
const HEAPS: [&str; 8] = [
    "{-oo|oo}",
    "{{oo|oo}|{-oo|-oo}}",
    "{moon,{oo|-oo}|moon,{oo|-oo}}",
    "{moon,{oo|moon,{oo|-oo}}|moon,{moon,{oo|-oo}|-oo}}",
    "{moon,0,{oo|-oo}|moon,0,{oo|-oo}}",
    "{moon,moon,{oo|0}|moon,moon,{0|-oo}}",
    "{moon,*,moon,{oo|{0|-oo}}|moon,*,moon,{{oo|0}|-oo}}",
    "{moon,0,moon,{oo|*,{{oo|0}|-oo}}|moon,0,moon,{*,{oo|{0|-oo}}|-oo}}",
];

/// The table of §5: immediate nimbers, protected ones, and the value, up to a heap of 12.
fn table() -> Vec<(NimberSet, NimberSet, Option<u64>)> {
    let only = |list: &[u64]| NimberSet::only(list.iter().copied());
    let but = |list: &[u64]| NimberSet::all_except(list.iter().copied());
    vec![
        (only(&[]), only(&[]), Some(0)),
        (only(&[]), but(&[]), None),
        (only(&[]), only(&[]), Some(0)),
        (only(&[]), but(&[]), None),
        (only(&[0]), only(&[]), Some(1)),
        (only(&[]), but(&[0]), Some(0)),
        (only(&[1]), only(&[0]), Some(2)),
        (only(&[0]), but(&[0, 1]), Some(1)),
        (only(&[0, 2]), only(&[1]), Some(3)),
        (only(&[1]), but(&[0, 1, 2]), Some(0)),
        (only(&[0, 3]), only(&[0, 2]), Some(1)),
        (only(&[0, 2]), but(&[0, 2, 3]), Some(3)),
        (only(&[0, 1, 2]), only(&[3]), Some(4)),
    ]
}

fn check_row(forms: &mut Forms, form: Form, heap: usize) {
    let (immediate, protected, value) = table().swap_remove(heap);
    let value = value.map_or(EntailingValue::Moon, EntailingValue::Nimber);
    let found = worth(forms, form);
    assert_eq!(found, Impartial { immediate, protected, value }, "a heap of {heap}");
}

#[test]
fn section_5_the_forms_of_the_paper_for_heaps_of_up_to_seven() {
    let mut forms = Forms::new();
    for (heap, text) in HEAPS.into_iter().enumerate() {
        let form = read(&mut forms, text);
        check_row(&mut forms, form, heap);
        // The text of the paper for 6 and 7 has the conjugates right: the forms are symmetric as
        // printed.
        assert!(forms.is_symmetric(form, &mut work()).unwrap());
    }
}

#[test]
fn section_5_the_literal_forms_of_heaps_of_up_to_seven() {
    let mut forms = Forms::new();
    let mut heaps: Vec<Form> = Vec::new();
    for heap in 0..=7_usize {
        // By hand, as the paper says: all sums, and {∞ | (n−1)^R}.
        let mut left = Vec::new();
        for smaller in 1..=heap / 2 {
            left.push(sum(&mut forms, heaps[smaller], heaps[heap - smaller]));
        }
        if heap > 0 {
            let answers = forms.options(heaps[heap - 1], Player::Right).to_vec();
            left.push(forms.braces([Form::INFINITY], answers));
        }
        let form = crate::affine::common::symmetric_or_zero(&mut forms, &left);
        heaps.push(form);
        check_row(&mut forms, form, heap);
        // And through the explorer, from the rules.
        assert_eq!(TopEntails::form(&mut forms, heap), form, "a heap of {heap}");
    }
    // Quiet options as values, which is what the paper shows; it also takes the moon for 1 and 3
    // themselves.
    let mut short = |heap: usize| {
        let short = forms.with_values(heaps[heap], &mut work()).unwrap().unwrap();
        forms.text(short)
    };
    assert_eq!(short(1), "{{oo|oo}|{-oo|-oo}}");
    assert_eq!(short(2), "{moon,{oo|{-oo|-oo}}|moon,{{oo|oo}|-oo}}");
    // 3 takes 2 with its options, 1 + 1 and a check that 1 answers by {−∞|−∞}: mate.
    assert_eq!(short(3), "{moon,{oo|moon,{{oo|oo}|-oo}}|moon,{moon,{oo|{-oo|-oo}}|-oo}}");
}

#[test]
fn theorem_21_and_the_table_of_heaps_of_up_to_twelve() {
    let mut forms = Forms::new();
    for (heap, form) in TopEntails::forms_by_digraph(&mut forms, 12).into_iter().enumerate() {
        check_row(&mut forms, form, heap);
    }
    // The recursion of the theorem itself.
    let rows = table();
    for heap in 1..rows.len() {
        let (before, _) = rows.split_at(heap);
        let (immediate, protected, _) = &before[heap - 1];
        let (expected_immediate, expected_protected, _) = &rows[heap];
        assert_eq!(&immediate.union(protected).complement(), expected_protected);
        let splits =
            (1..heap).filter_map(|smaller| Some(before[smaller].2? ^ before[heap - smaller].2?));
        assert_eq!(&NimberSet::only(splits), expected_immediate);
    }
}

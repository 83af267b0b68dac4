//! Forms for the tests: all small ones, and random larger ones.

use nimoon::player::Player;
use nimoon::{
    Work,
    affine::{AffineOutcome, Form, Forms},
};
use nimoon_oracle::affine::{Form as Tree, Wins};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same forms in every run; `NIMOON_CASES=20` makes twenty times as many.
pub fn config(cases: u32) -> ProptestConfig {
    let factor = std::env::var("NIMOON_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    ProptestConfig {
        cases: cases * factor,
        failure_persistence: None,
        max_shrink_iters: 50_000,
        rng_seed: RngSeed::Fixed(2021),
        ..Default::default()
    }
}

pub fn work() -> Work {
    Work::default()
}

pub fn read(forms: &mut Forms, text: &str) -> Form {
    forms.read(text, &mut work()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn conjugate(forms: &mut Forms, form: Form) -> Form {
    forms.conjugate(form, &mut work()).expect("within the budget")
}

pub fn sum(forms: &mut Forms, a: Form, b: Form) -> Form {
    forms.sum(a, b, &mut work()).expect("within the budget").expect("a sum that is defined")
}

/// The form as the oracle sees it.
pub fn tree(forms: &Forms, form: Form) -> Tree {
    match form {
        Form::INFINITY => Tree::Infinity,
        Form::MINUS_INFINITY => Tree::MinusInfinity,
        _ => {
            let side = |player| {
                forms.options(form, player).iter().map(|&option| tree(forms, option)).collect()
            };
            Tree::braces(side(Player::Left), side(Player::Right))
        }
    }
}

pub fn wins(outcome: AffineOutcome) -> Wins {
    match outcome {
        AffineOutcome::L => Wins::L,
        AffineOutcome::N => Wins::N,
        AffineOutcome::P => Wins::P,
        AffineOutcome::R => Wins::R,
    }
}

/// The infinities and the four forms that the paper has on day zero.
pub fn day_zero(forms: &mut Forms) -> Vec<Form> {
    ["oo", "-oo", "0", "moon", "{oo|oo}", "{-oo|-oo}"].map(|text| read(forms, text)).to_vec()
}

/// All sets of at least one.
pub fn subsets(of: &[Form]) -> impl Iterator<Item = Vec<Form>> + '_ {
    (1..1_u32 << of.len()).map(|bits| {
        let chosen = of.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
        chosen.map(|(_, &form)| form).collect()
    })
}

/// The symmetric form with these options of Left.
pub fn symmetric(forms: &mut Forms, left: &[Form]) -> Form {
    let right: Vec<Form> = left.iter().map(|&option| conjugate(forms, option)).collect();
    forms.braces(left.iter().copied(), right)
}

/// The same; 0 if there are none.
pub fn symmetric_or_zero(forms: &mut Forms, left: &[Form]) -> Form {
    if left.is_empty() { Form::ZERO } else { symmetric(forms, left) }
}

/// All forms born by day 1, from those of day zero above: 63 sets on either side.
pub fn day_one(forms: &mut Forms) -> Vec<Form> {
    let before = day_zero(forms);
    let sets: Vec<Vec<Form>> = subsets(&before).collect();
    let mut all = Vec::new();
    for left in &sets {
        for right in &sets {
            all.push(forms.braces(left.iter().copied(), right.iter().copied()));
        }
    }
    all
}

/// All options that a player can have in an affine impartial form born by day 2: the infinities,
/// all forms by day 1 that are not quiet, and the symmetric quiet ones.
pub fn options_by_day_one(forms: &mut Forms) -> Vec<Form> {
    let mut all = day_zero(forms);
    for form in day_one(forms) {
        if !forms.is_quiet(form) || conjugate(forms, form) == form {
            all.push(form);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// One of these options for each way to behave: does Left, having moved there, win beside *0, *1,
/// *2, *3?
///
/// What a form is worth depends on its options by these answers alone, since by day 1 there are no
/// larger nimbers than *: so all sets of them stand for all forms by day 2.
pub fn kinds_of_options(forms: &mut Forms) -> Vec<Form> {
    let mut kinds: Vec<([bool; 4], Form)> = Vec::new();
    for option in options_by_day_one(forms) {
        let plain = tree(forms, option);
        let answers = [0, 1, 2, 3]
            .map(|n| nimoon_oracle::affine::left_wins(&[plain.clone(), Tree::nimber(n)], false));
        // A quiet option and a check are kept apart although they may answer alike.
        let quiet = forms.is_quiet(option);
        if !kinds.iter().any(|&(known, other)| known == answers && forms.is_quiet(other) == quiet) {
            kinds.push((answers, option));
        }
    }
    kinds.into_iter().map(|(_, option)| option).collect()
}

/// Affine impartial forms to stand beside others: all by day 1, and all by day 2 up to options that
/// behave alike.
pub fn contexts(forms: &mut Forms) -> Vec<Form> {
    let before = day_zero(forms);
    let kinds = kinds_of_options(forms);
    let sets: Vec<Vec<Form>> = subsets(&before).chain(subsets(&kinds)).collect();
    let mut all: Vec<Form> = sets.iter().map(|left| symmetric(forms, left)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// How to make a form from those made before it.
#[derive(Clone, Debug)]
pub struct Step {
    pub kind: u8,
    pub left: Vec<usize>,
    pub right: Vec<usize>,
}

pub fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let picks = || prop::collection::vec(any::<prop::sample::Index>(), 1..4);
    let step = (0_u8..4, picks(), picks()).prop_map(|(kind, left, right)| {
        let places = |picks: Vec<prop::sample::Index>| {
            picks.into_iter().map(|pick| pick.index(1 << 16)).collect()
        };
        Step { kind, left: places(left), right: places(right) }
    });
    prop::collection::vec(step, 1..=most)
}

fn pick(from: &[Form], places: &[usize]) -> Vec<Form> {
    places.iter().map(|place| from[place % from.len()]).collect()
}

/// Any form.
pub fn any_form(forms: &mut Forms, steps: &[Step]) -> Form {
    let mut made = day_zero(forms);
    for step in steps {
        let form = forms.braces(pick(&made, &step.left), pick(&made, &step.right));
        made.push(form);
    }
    made[made.len() - 1]
}

/// A form without checks.
pub fn conway_form(forms: &mut Forms, steps: &[Step]) -> Form {
    let mut made = vec![Form::ZERO];
    for step in steps {
        let [left, right] = [&step.left, &step.right].map(|places| pick(&made, places));
        let form = match step.kind {
            0 => forms.braces([], right),
            1 => forms.braces(left, []),
            _ => forms.braces(left, right),
        };
        made.push(form);
    }
    made[made.len() - 1]
}

/// An affine impartial form.
pub fn impartial_form(forms: &mut Forms, steps: &[Step]) -> Form {
    let mut quiet = vec![Form::ZERO];
    let mut checks = vec![Form::MOON, forms.braces([Form::INFINITY], [Form::INFINITY])];
    for step in steps {
        if step.kind < 2 {
            let options = [quiet.as_slice(), &checks, &[Form::MINUS_INFINITY]].concat();
            let form = symmetric(forms, &pick(&options, &step.left));
            quiet.push(form);
            continue;
        }
        let answers: Vec<Form> = checks.iter().map(|&check| conjugate(forms, check)).collect();
        let infinities = [Form::INFINITY, Form::MINUS_INFINITY];
        // Twice the quiet forms, so that not most checks are mate.
        let answers = [quiet.as_slice(), &quiet, &answers, &checks, &infinities].concat();
        let answers = pick(&answers, &step.right);
        let mut left = vec![Form::INFINITY];
        if step.kind == 3 {
            left.extend(pick(&quiet, &step.left[..1]));
        }
        let form = forms.braces(left, answers);
        checks.push(form);
    }
    let options = [quiet.as_slice(), &checks].concat();
    let last = &steps[steps.len() - 1];
    let places = [last.left.as_slice(), &last.right, &[quiet.len() - 1]].concat();
    symmetric(forms, &pick(&options, &places))
}

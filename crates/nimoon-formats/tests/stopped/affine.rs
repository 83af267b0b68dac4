//! Reports about forms over ∞ and −∞.

use nimoon::Effort;
use nimoon::affine::{Form, Forms, Relation};
use nimoon::effort::Interrupted;
use nimoon_formats::affine::{FormReport, FormsCompared, Lack, form_table};

use crate::table::{Case, case};

/// Two forms whose sums have very many followers.
const TWO: [&str; 2] =
    ["{17|-13} + {15|{1|-14}} + {moon,{oo|9}|-8}", "{6|-2} + {{4|2}|-5} + {11|{-7|-oo},moon}"];

/// Affine impartial, with very many followers.
const IMPARTIAL: &str = "{{oo|*9}|...} + {moon,{oo|*7}|...} + *11 + *14";

/// Reads forms, and asks about them.
fn of<const N: usize>(
    name: &'static str,
    texts: [&'static str; N],
    ask: impl Fn(&mut Forms, [Form; N], &Effort) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    case(name, move |effort| {
        let mut forms = Forms::new();
        let read = texts.map(|text| forms.read(text, &mut Effort::new(u64::MAX)).unwrap());
        ask(&mut forms, read, effort)
    })
}

fn reported(forms: &mut Forms, form: Form, effort: &Effort, more: bool) -> Option<Interrupted> {
    match FormReport::new(forms, form, effort, more).1 {
        Some(Lack::Interrupted(interrupted)) => Some(interrupted),
        Some(Lack::TooLong) | None => None,
    }
}

pub(crate) fn cases() -> Vec<Case> {
    vec![
        of("affine.rs new, of an impartial form", [IMPARTIAL], |forms, [form], effort| {
            reported(forms, form, effort, false)
        }),
        of("affine.rs new, with more", [TWO[0]], |forms, [form], effort| {
            reported(forms, form, effort, true)
        }),
        of("affine.rs new, of two forms", TWO, |forms, two, effort| {
            FormsCompared::new(forms, two, Relation::Equal, effort).1
        }),
        of(
            "affine.rs new, of two forms modulo impartial ones",
            [IMPARTIAL, "*3"],
            |forms, two, effort| {
                FormsCompared::new(forms, two, Relation::EqualModuloImpartial, effort).1
            },
        ),
        of("affine.rs form_table, impartial", [IMPARTIAL], |forms, [form], effort| {
            form_table(forms, form, effort).1
        }),
        of("affine.rs form_table, partizan", [TWO[0]], |forms, [form], effort| {
            form_table(forms, form, effort).1
        }),
    ]
}

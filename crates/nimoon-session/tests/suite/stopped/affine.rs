//! Reports about forms over ∞ and −∞.

use nimoon::Work;
use nimoon::affine::{Form, Forms, Relation};
use nimoon::limits::{Interrupted, Limits};
use nimoon_session::affine::{FormReport, FormsCompared, Lack, form_table};

use crate::stopped::table::{Case, case};

/// Two forms whose sums have very many followers.
const TWO: [&str; 2] =
    ["{17|-13} + {15|{1|-14}} + {moon,{oo|9}|-8}", "{6|-2} + {{4|2}|-5} + {11|{-7|-oo},moon}"];

/// Affine impartial, with very many followers.
const IMPARTIAL: &str = "{{oo|*9}|...} + {moon,{oo|*7}|...} + *11 + *14";

/// Reads forms, and asks about them.
fn of<const N: usize>(
    name: &'static str,
    texts: [&'static str; N],
    ask: impl Fn(&mut Forms, [Form; N], &Work) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    case(name, move |work| {
        let mut forms = Forms::new();
        let read =
            texts.map(|text| forms.read(text, &mut Work::new(Limits::new(u64::MAX))).unwrap());
        ask(&mut forms, read, work)
    })
}

fn reported(forms: &mut Forms, form: Form, work: &Work, more: bool) -> Option<Interrupted> {
    match FormReport::new(forms, form, work, more).1 {
        Some(Lack::Interrupted(interrupted)) => Some(interrupted),
        _ => None,
    }
}

pub(crate) fn cases() -> Vec<Case> {
    vec![
        of("affine.rs new, of an impartial form", [IMPARTIAL], |forms, [form], work| {
            reported(forms, form, work, false)
        }),
        of("affine.rs new, with more", [TWO[0]], |forms, [form], work| {
            reported(forms, form, work, true)
        }),
        of("affine.rs new, of two forms", TWO, |forms, two, work| {
            FormsCompared::new(forms, two, Relation::Equal, work).1
        }),
        of(
            "affine.rs new, of two forms modulo impartial ones",
            [IMPARTIAL, "*3"],
            |forms, two, work| {
                FormsCompared::new(forms, two, Relation::EqualModuloImpartial, work).1
            },
        ),
        of("affine.rs form_table, impartial", [IMPARTIAL], |forms, [form], work| {
            form_table(forms, form, work).1
        }),
        of("affine.rs form_table, partizan", [TWO[0]], |forms, [form], work| {
            form_table(forms, form, work).1
        }),
    ]
}

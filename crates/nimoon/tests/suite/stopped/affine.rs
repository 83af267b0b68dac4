//! Forms over ∞ and −∞.

use nimoon::limits::Interrupted;
use nimoon::player::Player;
use nimoon::{
    Limits, Positions, Work,
    affine::{ConvertError, Form, Forms, ReadError},
    solve::affine::PositionError,
};

use crate::stopped::digraphs::{digraph, heaps};
use crate::stopped::positions::nim;
use crate::stopped::table::{Case, brief, case};

fn read(forms: &mut Forms, text: &str) -> Form {
    forms.read(text, &mut Work::new(Limits::new(u64::MAX))).unwrap()
}

/// Two forms whose sums have very many followers.
fn two(forms: &mut Forms) -> [Form; 2] {
    let a = read(forms, "{17|-13} + {15|{1|-14}} + {moon,{oo|9}|-8}");
    let b = read(forms, "{6|-2} + {{4|2}|-5} + {11|{-7|-oo},moon}");
    [a, b]
}

/// An affine impartial form with very many followers.
fn impartial(forms: &mut Forms) -> Form {
    read(forms, "{{oo|*9}|...} + {moon,{oo|*7}|...} + *11 + *14")
}

fn interrupted<T>(found: Result<T, ReadError>) -> Option<Interrupted> {
    match found {
        Err(ReadError::Interrupted(interrupted)) => Some(interrupted),
        Err(other) => panic!("{other}"),
        Ok(_) => None,
    }
}

fn of_two(
    name: &'static str,
    ask: impl Fn(&mut Forms, [Form; 2], &mut Work) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    case(name, move |work| {
        let mut forms = Forms::new();
        let two = two(&mut forms);
        ask(&mut forms, two, &mut work.clone())
    })
}

fn of_impartial(
    name: &'static str,
    ask: impl Fn(&mut Forms, Form, &mut Work) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    case(name, move |work| {
        let mut forms = Forms::new();
        let form = impartial(&mut forms);
        ask(&mut forms, form, &mut work.clone())
    })
}

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case("affine/notation.rs read", |work| {
            interrupted(Forms::new().read("{70|-30} + {50|{1|-4}} + *9 + *12", &mut work.clone()))
        }),
        case("affine/notation.rs read_question", |work| {
            let text = "{70|-30} + {50|{1|-4}} + *9 + *12 = *5";
            interrupted(Forms::new().read_question(text, &mut work.clone()))
        }),
        case("affine/convert.rs of_digraph", |work| {
            let digraph = digraph(400, &[], heaps(400));
            match Forms::new().of_digraph(&digraph, 399, &mut work.clone()) {
                Err(ConvertError::Interrupted(interrupted)) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            }
        }),
        case("solve/affine.rs of_position", |work| {
            let mut nim = nim(|_| 0);
            let terms = [(0, nim.read("300").unwrap())];
            let fields: Vec<Box<dyn Positions>> = vec![Box::new(nim)];
            match Forms::new().of_position(fields, &terms, &mut work.clone()) {
                Err(PositionError::Interrupted(interrupted)) => Some(interrupted),
                Err(PositionError::Explore(error)) => error.interrupted(),
                other => other.map(|_| None).unwrap(),
            }
        }),
        of_two("affine/forms.rs conjugate", |forms, [a, _], work| forms.conjugate(a, work).err()),
        of_two("affine/forms.rs sum", |forms, [a, b], work| forms.sum(a, b, work).err()),
        of_two("affine/order.rs winner_of_sum", |forms, [a, b], work| {
            forms.winner_of_sum(a, b, Player::Left, work).err()
        }),
        of_two("affine/order.rs outcome_of_sum", |forms, [a, b], work| {
            forms.outcome_of_sum(a, b, work).err()
        }),
        of_two("affine/order.rs is_invertible", |forms, [a, _], work| {
            forms.is_invertible(a, work).err()
        }),
        of_two("affine/order.rs conway_game", |forms, [a, _], work| {
            forms.conway_game(a, work).err()
        }),
        of_two("affine/order.rs ge", |forms, [a, b], work| forms.ge(a, b, work).err()),
        of_two("affine/order.rs relation", |forms, [a, b], work| forms.relation(a, b, work).err()),
        // Only two sums are played.
        brief("affine/loony.rs is_loony", |work| {
            let mut forms = Forms::new();
            let form = read(&mut forms, "{{oo|*},*|...}");
            forms.is_loony(form, &mut work.clone()).err()
        }),
        brief("affine/loony.rs not_loony", |work| {
            let mut forms = Forms::new();
            let form = read(&mut forms, "{{oo|*},*|...}");
            forms.not_loony(form, &mut work.clone()).err()
        }),
        of_impartial("affine/impartial.rs is_symmetric", |forms, form, work| {
            forms.is_symmetric(form, work).err()
        }),
        of_impartial("affine/impartial.rs affine_impartial", |forms, form, work| {
            forms.affine_impartial(form, work).err()
        }),
        of_impartial("affine/impartial.rs impartial", |forms, form, work| {
            forms.impartial(form, work).err()
        }),
        of_impartial("affine/impartial.rs equal_modulo_impartial", |forms, form, work| {
            let other = forms.nimber(3);
            forms.equal_modulo_impartial(form, other, work).err()
        }),
        of_impartial("affine/impartial.rs with_values", |forms, form, work| {
            forms.with_values(form, work).err()
        }),
        of_impartial("affine/impartial.rs is_maneuverable", |forms, form, work| {
            forms.is_maneuverable(form, work).err()
        }),
        of_impartial("affine/convert.rs digraph", |forms, form, work| {
            forms.digraph(form, work).err()
        }),
    ]
}

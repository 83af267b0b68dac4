//! Forms over ∞ and −∞.

use nimoon::affine::{ConvertError, Form, Forms, PositionError, ReadError};
use nimoon::effort::Interrupted;
use nimoon::loopy::Player;
use nimoon::{Effort, Positions};

use crate::digraphs::{digraph, heaps};
use crate::positions::nim;
use crate::table::{Case, brief, case};

fn read(forms: &mut Forms, text: &str) -> Form {
    forms.read(text, &mut Effort::new(u64::MAX)).unwrap()
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
    ask: impl Fn(&mut Forms, [Form; 2], &mut Effort) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    case(name, move |effort| {
        let mut forms = Forms::new();
        let two = two(&mut forms);
        ask(&mut forms, two, &mut effort.clone())
    })
}

fn of_impartial(
    name: &'static str,
    ask: impl Fn(&mut Forms, Form, &mut Effort) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    case(name, move |effort| {
        let mut forms = Forms::new();
        let form = impartial(&mut forms);
        ask(&mut forms, form, &mut effort.clone())
    })
}

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case("affine/notation.rs read", |effort| {
            interrupted(Forms::new().read("{70|-30} + {50|{1|-4}} + *9 + *12", &mut effort.clone()))
        }),
        case("affine/notation.rs read_question", |effort| {
            let text = "{70|-30} + {50|{1|-4}} + *9 + *12 = *5";
            interrupted(Forms::new().read_question(text, &mut effort.clone()))
        }),
        case("affine/convert.rs of_digraph", |effort| {
            let digraph = digraph(400, &[], heaps(400));
            match Forms::new().of_digraph(&digraph, 399, &mut effort.clone()) {
                Err(ConvertError::Interrupted(interrupted)) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            }
        }),
        case("affine/position.rs of_position", |effort| {
            let mut nim = nim(|_| 0);
            let terms = [(0, nim.read("300").unwrap())];
            let fields: Vec<Box<dyn Positions>> = vec![Box::new(nim)];
            match Forms::new().of_position(fields, &terms, &mut effort.clone()) {
                Err(PositionError::Interrupted(interrupted)) => Some(interrupted),
                Err(PositionError::Explore(error)) => error.interrupted(),
                other => other.map(|_| None).unwrap(),
            }
        }),
        of_two("affine/forms.rs conjugate", |forms, [a, _], effort| {
            forms.conjugate(a, effort).err()
        }),
        of_two("affine/forms.rs sum", |forms, [a, b], effort| forms.sum(a, b, effort).err()),
        of_two("affine/order.rs winner_of_sum", |forms, [a, b], effort| {
            forms.winner_of_sum(a, b, Player::Left, effort).err()
        }),
        of_two("affine/order.rs outcome_of_sum", |forms, [a, b], effort| {
            forms.outcome_of_sum(a, b, effort).err()
        }),
        of_two("affine/order.rs is_invertible", |forms, [a, _], effort| {
            forms.is_invertible(a, effort).err()
        }),
        of_two("affine/order.rs conway_game", |forms, [a, _], effort| {
            forms.conway_game(a, effort).err()
        }),
        of_two("affine/order.rs ge", |forms, [a, b], effort| forms.ge(a, b, effort).err()),
        of_two("affine/order.rs relation", |forms, [a, b], effort| {
            forms.relation(a, b, effort).err()
        }),
        // Only two sums are played.
        brief("affine/loony.rs is_loony", |effort| {
            let mut forms = Forms::new();
            let form = read(&mut forms, "{{oo|*},*|...}");
            forms.is_loony(form, &mut effort.clone()).err()
        }),
        brief("affine/loony.rs not_loony", |effort| {
            let mut forms = Forms::new();
            let form = read(&mut forms, "{{oo|*},*|...}");
            forms.not_loony(form, &mut effort.clone()).err()
        }),
        of_impartial("affine/impartial.rs is_symmetric", |forms, form, effort| {
            forms.is_symmetric(form, effort).err()
        }),
        of_impartial("affine/impartial.rs affine_impartial", |forms, form, effort| {
            forms.affine_impartial(form, effort).err()
        }),
        of_impartial("affine/impartial.rs impartial", |forms, form, effort| {
            forms.impartial(form, effort).err()
        }),
        of_impartial("affine/impartial.rs equal_modulo_impartial", |forms, form, effort| {
            let other = forms.nimber(3);
            forms.equal_modulo_impartial(form, other, effort).err()
        }),
        of_impartial("affine/impartial.rs with_values", |forms, form, effort| {
            forms.with_values(form, effort).err()
        }),
        of_impartial("affine/impartial.rs is_maneuverable", |forms, form, effort| {
            forms.is_maneuverable(form, effort).err()
        }),
        of_impartial("affine/convert.rs digraph", |forms, form, effort| {
            forms.digraph(form, effort).err()
        }),
    ]
}

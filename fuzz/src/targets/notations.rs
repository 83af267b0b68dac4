//! Notations of single values: parse, print, parse again.

use nimoon::affine::{Forms, Question, ReadError};
use nimoon::smith::compound::{Compound, Kind};
use nimoon::transfinite::Ordinal;
use nimoon::transfinite::expression::{ExpressionErrorKind, read as read_ordinals};
use nimoon::{AnyValue, Cover, HeapOutcomes, NimberSet, Node, Value, Work};

use crate::bytes::{Bytes, text, within};
use crate::limits::{little, little_work};

/// A form is printed in ASCII and with signs, and both are read as the same form.
pub(super) fn affine(bytes: &[u8]) {
    const MOST: usize = 2_000;
    let Some(text) = text(bytes) else { return };
    let mut forms = Forms::new();
    let question = match forms.read_question(text, &mut little_work()) {
        Ok(question) => question,
        Err(ReadError::Notation(error)) => return within(text, error.at),
        Err(_) => return,
    };
    let read = match question {
        Question::Form(form) => vec![form],
        Question::Compare(first, _, second) => {
            let _ = forms.relation(first, second, &mut little_work());
            vec![first, second]
        }
    };
    for form in read {
        let _ = (forms.outcome(form), forms.is_quiet(form), forms.short_text(form));
        let texts = [forms.text_within(form, MOST), forms.unicode_within(form, MOST)];
        for printed in texts.into_iter().flatten() {
            let again = forms.read(&printed, &mut little_work());
            assert!(
                again == Ok(form) || matches!(again, Err(ReadError::Interrupted(_))),
                "{printed}"
            );
        }
        if let Ok(conjugate) = forms.conjugate(form, &mut little_work()) {
            let outcome = forms.outcome(form).conjugate();
            assert_eq!(forms.outcome(conjugate), outcome, "{text}");
        }
        let _ = forms.affine_impartial(form, &mut little_work());
    }
}

/// The ordinal of an expression is printed and read as the same.
pub(super) fn ordinals(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    if let Ok(ordinal) = text.parse::<Ordinal>() {
        assert_eq!(ordinal.to_string().parse::<Ordinal>().as_ref(), Ok(&ordinal), "{text}");
    }
    let answer = match read_ordinals(text, &mut Work::new(little())) {
        Ok(answer) => answer,
        Err(error) => return within(text, error.at),
    };
    let Some(value) = answer.value() else { return };
    let printed = value.to_string();
    match read_ordinals(&printed, &mut Work::new(little())) {
        Ok(again) => assert_eq!(again.value().as_ref(), Some(&value), "{text}: {printed}"),
        Err(error) => {
            let over = matches!(error.kind, ExpressionErrorKind::Interrupted(_));
            assert!(over, "{text}: {printed}: {error}");
        }
    }
    if let Ok(more) = value.successor() {
        assert!(more > value && more.predecessor().as_ref() == Some(&value), "{printed}");
        assert_ne!(more.is_even(), value.is_even(), "{printed}");
    }
}

/// Any text is a compound or an error at a place; a compound that is built from bytes is read as
/// the same.
pub(super) fn compounds(bytes: &[u8]) {
    const NAMES: [&str; 4] = ["a", "node 2", "c\"\\", "selective"];
    let node = |name: &str| NAMES.iter().position(|&known| known == name).map(|node| node as Node);
    if let Some(text) = text(bytes) {
        match Compound::read(text, node) {
            Ok(compound) => assert!(!compound.pieces().is_empty()),
            Err(error) => within(text, error.at),
        }
    }
    let (written, made) = made_compound(&mut Bytes::new(bytes), 0, &NAMES);
    assert_eq!(Compound::read(&written, node).as_ref(), Ok(&made), "{written}");
}

/// A compound as text, and the same as a value.
fn made_compound(bytes: &mut Bytes<'_>, depth: usize, names: &[&str]) -> (String, Compound) {
    let head = usize::from(bytes.byte());
    if head.is_multiple_of(4) || depth > 6 || bytes.is_empty() {
        let node = head / 4 % names.len();
        let quoted = names[node].replace('\\', "\\\\").replace('"', "\\\"");
        let made = Compound::new(Kind::Selective, vec![node as Node]).expect("one piece");
        return (format!("\"{quoted}\""), made);
    }
    let kind = Kind::ALL[head % 4 - 1];
    let parts = (0..=head / 4 % 3).map(|_| made_compound(bytes, depth + 1, names));
    let (texts, made): (Vec<String>, Vec<Compound>) = parts.unzip();
    let text = format!("{}( {} )", kind.name(), texts.join(" ,"));
    (text, Compound::of(kind, made).expect("there is a part"))
}

/// Values, covers and sets of nimbers, in both notations.
pub(super) fn values(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    if let Ok(value) = text.parse::<Value>() {
        for printed in [value.to_string(), format!("{value:#}")] {
            assert_eq!(printed.parse::<Value>().as_ref(), Ok(&value), "{text}");
        }
        let doubled = &value + &value;
        assert_eq!(doubled.to_string().parse::<Value>().as_ref(), Ok(&doubled));
    }
    if let Ok(value) = text.parse::<AnyValue>() {
        for printed in [value.to_string(), format!("{value:#}")] {
            assert_eq!(printed.parse::<AnyValue>().as_ref(), Ok(&value), "{text}");
        }
    }
    if let Ok(set) = text.parse::<NimberSet>() {
        assert_eq!(set.to_string().parse::<NimberSet>().as_ref(), Ok(&set), "{text}");
    }
    if let Ok(outcomes) = text.parse::<HeapOutcomes>() {
        assert_eq!(outcomes.to_string().parse::<HeapOutcomes>().as_ref(), Ok(&outcomes), "{text}");
    }
    if let Ok(cover) = text.parse::<Cover>() {
        for printed in [cover.to_string(), format!("{cover:#}")] {
            assert_eq!(printed.parse::<Cover>().as_ref(), Ok(&cover), "{text}");
        }
    }
}

//! What there is to say about affine forms, as text and JSON.

use nimoon::affine::{
    AffineOutcome, Comparison, Decision, Effort, Form, Forms, Ground, Impartial, Interrupted,
    Relation,
};
use nimoon::loopy::Player;
use nimoon::{AnyValue, EntailingValue};
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::write::json::{JsonNimberSet, JsonValue};
use crate::write::terminal::padded;

/// The longest text of a form in JSON.
pub const LONGEST: usize = 1 << 20;
/// The longest text of a form in a table.
const SHOWN: usize = 400;

/// What an affine impartial form is worth, or why it is none.
fn worth(
    forms: &mut Forms,
    form: Form,
    effort: &Effort,
) -> Result<Result<Impartial, String>, Interrupted> {
    let worth = forms.impartial(form, &mut Effort::from(effort))?;
    Ok(worth.map_err(|reason| forms.reason(&reason, form)))
}

/// The text of a form, and whether quiet followers had to be replaced by their values for it.
fn text_of(
    forms: &mut Forms,
    form: Form,
    effort: &Effort,
    most: usize,
) -> Result<Option<(String, bool)>, Interrupted> {
    if let Some(text) = forms.text_within(form, most) {
        return Ok(Some((text, false)));
    }
    let short = forms.with_values(form, &mut Effort::from(effort))?.ok();
    Ok(short.and_then(|short| Some((forms.text_within(short, most)?, true))))
}

/// What is missing in a report.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Lack {
    /// The budget was hit.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The form is not written.
    #[error("the literal form has more than {LONGEST} characters and is not printed")]
    TooLong,
}

/// What there is to say about a form. The default says that nothing is known.
///
/// ```
/// use nimoon::affine::{Effort, Forms, Question};
/// use nimoon_formats::affine::FormReport;
/// let mut forms = Forms::new();
/// let Ok(Question::Form(form)) = forms.read_question("{{oo|0},0|...}", &mut Effort::new(1000)) else { panic!() };
/// let (report, lack) = FormReport::new(&mut forms, form, &Effort::new(1000), false);
/// assert_eq!(lack, None);
/// assert!(serde_json::to_string(&report).unwrap().ends_with(r#""value":{"kind":"moon"}}"#));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FormReport {
    text: Option<(String, bool)>,
    worth: Option<Result<Impartial, String>>,
    outcome: Option<String>,
    quiet: Option<bool>,
    conway_form: Option<bool>,
    more: Option<More>,
}

#[derive(Serialize)]
struct JsonForm<'a> {
    form: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    abbreviated: bool,
    affine_impartial: Option<bool>,
    outcome: Option<&'a str>,
    quiet: Option<bool>,
    conway_form: Option<bool>,
    immediate: Option<JsonNimberSet<'a>>,
    protected: Option<JsonNimberSet<'a>>,
    value: Option<JsonValue<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(flatten)]
    more: Option<&'a More>,
}

/// What is told on request.
#[derive(Clone, Debug, Serialize)]
struct More {
    birthday: Option<u32>,
    symmetric: Option<bool>,
    left_check: bool,
    right_check: bool,
    maneuverable: Option<bool>,
    loony: Option<bool>,
    /// The Conway form that the game equals; null if there is none, or the budget was hit.
    conway_game: Option<String>,
}

impl FormReport {
    /// What can be told within the budget; `more` adds what is told on request.
    pub fn new(forms: &mut Forms, form: Form, effort: &Effort, more: bool) -> (Self, Option<Lack>) {
        let found = worth(forms, form, effort);
        let text = text_of(forms, form, effort, LONGEST);
        let (more, missing) = if more { self::more(forms, form, effort) } else { (None, None) };
        let too_long = (text == Ok(None)).then_some(Lack::TooLong);
        let interrupted =
            found.as_ref().err().copied().or(missing).or(text.as_ref().err().copied());
        let lack = interrupted.map(Lack::Interrupted).or(too_long);
        let report = Self {
            text: text.ok().flatten(),
            worth: found.ok(),
            outcome: Some(forms.outcome(form).to_string()),
            quiet: Some(forms.is_quiet(form)),
            conway_form: Some(forms.is_conway_form(form)),
            more,
        };
        (report, lack)
    }
}

impl Serialize for FormReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let told = self.worth.as_ref();
        let worth = told.and_then(|told| told.as_ref().ok());
        let value = worth.map(|worth| AnyValue::Entailing(worth.value));
        let form = JsonForm {
            form: self.text.as_ref().map(|(text, _)| text.as_str()),
            abbreviated: self.text.as_ref().is_some_and(|&(_, abbreviated)| abbreviated),
            affine_impartial: told.map(Result::is_ok),
            outcome: self.outcome.as_deref(),
            quiet: self.quiet,
            conway_form: self.conway_form,
            immediate: worth.map(|worth| JsonNimberSet(&worth.immediate)),
            protected: worth.map(|worth| JsonNimberSet(&worth.protected)),
            value: value.as_ref().map(JsonValue),
            reason: told.and_then(|told| told.as_ref().err()).map(String::as_str),
            more: self.more.as_ref(),
        };
        form.serialize(serializer)
    }
}

fn more(forms: &mut Forms, form: Form, effort: &Effort) -> (Option<More>, Option<Interrupted>) {
    let mut spent = Effort::from(effort);
    let symmetric = forms.is_symmetric(form, &mut spent);
    let maneuverable = forms.is_maneuverable(form, &mut spent);
    let loony = forms.is_loony(form, &mut spent);
    let conway = conway_game(forms, form, effort);
    let missing = [symmetric.err(), maneuverable.err(), loony.err(), conway.err()];
    let conway = conway.ok().flatten().and_then(|equal| forms.text_within(equal, LONGEST));
    let more = More {
        birthday: forms.birthday(form),
        symmetric: symmetric.ok(),
        left_check: forms.is_check(form, Player::Left),
        right_check: forms.is_check(form, Player::Right),
        maneuverable: maneuverable.ok().and_then(Result::ok),
        loony: loony.ok(),
        conway_game: conway,
    };
    (Some(more), missing.into_iter().flatten().next())
}

/// The Conway form that a game equals.
fn conway_game(
    forms: &mut Forms,
    form: Form,
    effort: &Effort,
) -> Result<Option<Form>, Interrupted> {
    // Affine impartial forms need no search: a nimber is one, and the moon equals none.
    match worth(forms, form, effort)? {
        Ok(Impartial { value: EntailingValue::Nimber(n), .. }) => Ok(Some(forms.nimber(n))),
        Ok(_) => Ok(None),
        Err(_) => forms.conway_game(form, &mut Effort::from(effort)),
    }
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// What stands in a table for what is not known.
const UNKNOWN: &str = "not known";

/// A line of a table.
fn line(label: &str, told: &str) -> String {
    format!("{}{told}\n", padded(label, 14))
}

/// The table of a form that is not known itself, since a limit was hit while it was read or made.
///
/// ```
/// assert_eq!(nimoon_formats::affine::unknown_form_table(), "form          not known\n");
/// ```
pub fn unknown_form_table() -> String {
    line("form", UNKNOWN)
}

/// A table for people, as far as the budget goes, and what kept it from more.
pub fn form_table(forms: &mut Forms, form: Form, effort: &Effort) -> (String, Option<Interrupted>) {
    let mut missing: Option<Interrupted> = None;
    let mut rows: Vec<(&str, String)> = Vec::new();
    match text_of(forms, form, effort, SHOWN) {
        Ok(Some((text, false))) => rows.push(("form", text)),
        Ok(Some((text, true))) => {
            rows.push(("form", forms.short_text(form)));
            rows.push(("equals", text));
        }
        Ok(None) => rows.push(("form", forms.short_text(form))),
        Err(interrupted) => {
            rows.push(("form", forms.short_text(form)));
            missing = Some(interrupted);
        }
    }
    let mut known = |found: Result<String, Interrupted>| match found {
        Ok(text) => text,
        Err(interrupted) => {
            missing.get_or_insert(interrupted);
            UNKNOWN.to_owned()
        }
    };
    match worth(forms, form, effort) {
        Ok(Ok(Impartial { immediate, protected, value })) => {
            let star = match value {
                EntailingValue::Nimber(_) => format!("{value}, a nimber"),
                EntailingValue::Moon => "☾, the moon".to_owned(),
            };
            rows.push(("value", star));
            rows.push(("outcome", outcome_in_words(forms.outcome(form))));
            rows.push(("impartial", "yes".to_owned()));
            rows.push(("immediate", immediate.to_string()));
            rows.push(("protected", protected.to_string()));
            let maneuverable = forms.is_maneuverable(form, &mut Effort::from(effort));
            let maneuverable = maneuverable.map(|told| yes_or_no(told == Ok(true)).to_owned());
            rows.push(("maneuverable", known(maneuverable)));
        }
        Ok(Err(reason)) => {
            rows.push(("value", "none, for the form is not affine impartial".to_owned()));
            rows.push(("outcome", outcome_in_words(forms.outcome(form))));
            rows.push(("impartial", format!("no: {reason}")));
        }
        Err(interrupted) => {
            let unknown = known(Err(interrupted));
            rows.push(("value", unknown.clone()));
            rows.push(("outcome", outcome_in_words(forms.outcome(form))));
            rows.push(("impartial", unknown));
        }
    }
    rows.push(("quiet", quiet_in_words(forms, form)));
    let conway = if forms.is_conway_form(form) {
        Ok("yes".to_owned())
    } else {
        conway_game(forms, form, effort).map(|equal| match equal {
            Some(equal) => format!("no, but it equals {}", forms.short_text(equal)),
            None => "no, and it equals none".to_owned(),
        })
    };
    rows.push(("Conway form", known(conway)));
    let loony = forms.not_loony(form, &mut Effort::from(effort));
    let loony = loony.map(|beside| match beside {
        None => "yes".to_owned(),
        Some(beside) => {
            format!("no: beside {} the next player does not win", forms.short_text(beside))
        }
    });
    rows.push(("loony", known(loony)));
    (rows.iter().map(|(label, told)| line(label, told)).collect(), missing)
}

fn outcome_in_words(outcome: AffineOutcome) -> String {
    let words = match outcome {
        AffineOutcome::L => "Left wins",
        AffineOutcome::N => "the next player wins",
        AffineOutcome::P => "the previous player wins",
        AffineOutcome::R => "Right wins",
    };
    format!("{outcome}, {words}")
}

fn quiet_in_words(forms: &Forms, form: Form) -> String {
    if form.is_infinity() {
        return "no, an infinity".to_owned();
    }
    match Player::BOTH.map(|player| forms.is_check(form, player)) {
        [false, false] => "yes",
        [true, false] => "no, a Left-check",
        [false, true] => "no, a Right-check",
        [true, true] => "no, a check of both players",
    }
    .to_owned()
}

/// How two forms compare.
#[derive(Clone, Debug)]
pub struct FormsCompared {
    /// Both in full, and short.
    texts: [(Option<String>, String); 2],
    relation: Relation,
    holds: Option<bool>,
    orders: Option<Comparison>,
    reason: String,
}

#[derive(Serialize)]
struct JsonComparison<'a> {
    first: Option<&'a str>,
    relation: &'a str,
    second: Option<&'a str>,
    /// Null where the paper has no test, or a limit was hit.
    holds: Option<bool>,
    #[serde(flatten)]
    orders: Option<JsonOrders>,
    reason: &'a str,
}

#[derive(Serialize)]
struct JsonOrders {
    ge: Option<bool>,
    le: Option<bool>,
}

impl FormsCompared {
    /// Whether the relation holds, as far as it can be told, and what kept it from being told.
    ///
    /// ```
    /// use nimoon::affine::{Effort, Forms, Question};
    /// use nimoon_formats::affine::FormsCompared;
    /// let mut forms = Forms::new();
    /// let read = forms.read_question("{oo|0} >= *", &mut Effort::new(1000));
    /// let Ok(Question::Compare(g, relation, h)) = read else { panic!() };
    /// let mut told = |effort| FormsCompared::new(&mut forms, [g, h], relation, &effort);
    /// let (compared, interrupted) = told(Effort::new(0));
    /// assert!(interrupted.is_some() && compared.text().contains("answer        not known\n"));
    /// let (compared, interrupted) = told(Effort::new(1000));
    /// assert!(interrupted.is_none() && compared.text().contains("answer        yes\n"));
    /// ```
    pub fn new(
        forms: &mut Forms,
        two: [Form; 2],
        relation: Relation,
        effort: &Effort,
    ) -> (Self, Option<Interrupted>) {
        let found = if relation == Relation::EqualModuloImpartial {
            modulo_impartial(forms, two, effort).map(|(equal, reason)| (equal, None, reason))
        } else {
            forms.relation(two[0], two[1], &mut Effort::from(effort)).map(|told| {
                (self::holds(told, relation), Some(told), ground(forms, told, relation))
            })
        };
        let interrupted = found.as_ref().err().copied();
        let (holds, orders, reason) = found.unwrap_or_else(|interrupted| {
            let unknown = Comparison { ge: Decision::Unknown, le: Decision::Unknown };
            let has_orders = relation != Relation::EqualModuloImpartial;
            (None, has_orders.then_some(unknown), interrupted.to_string())
        });
        let texts = two.map(|form| {
            // Whoever knows the answer can do without the texts.
            let text = text_of(forms, form, effort, LONGEST).ok().flatten();
            let full = text.map(|(text, _)| text);
            (full, forms.short_text(form))
        });
        (Self { texts, relation, holds, orders, reason }, interrupted)
    }

    /// The answer for people.
    pub fn text(&self) -> String {
        let answer = match self.holds {
            Some(holds) => yes_or_no(holds),
            None => UNKNOWN,
        };
        let [(_, first), (_, second)] = &self.texts;
        let mut text = format!("{first} {} {second}\n", self.relation.sign());
        text += &line("answer", answer);
        if let Some(Comparison { ge, le }) = self.orders {
            for (label, decision) in [("first ≥", ge), ("first ≤", le)] {
                text += &line(label, decision.holds().map_or(UNKNOWN, yes_or_no));
            }
        }
        text + &line("because", &self.reason)
    }
}

impl Serialize for FormsCompared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [(first, _), (second, _)] = &self.texts;
        let orders =
            self.orders.map(|told| JsonOrders { ge: told.ge.holds(), le: told.le.holds() });
        let compared = JsonComparison {
            first: first.as_deref(),
            relation: self.relation.sign(),
            second: second.as_deref(),
            holds: self.holds,
            orders,
            reason: &self.reason,
        };
        compared.serialize(serializer)
    }
}

/// Whether two forms have the same value, and why.
fn modulo_impartial(
    forms: &mut Forms,
    [g, h]: [Form; 2],
    effort: &Effort,
) -> Result<(Option<bool>, String), Interrupted> {
    match forms.equal_modulo_impartial(g, h, &mut Effort::from(effort))? {
        Ok(equal) => {
            let values = [g, h].map(|form| {
                worth(forms, form, effort).ok().and_then(Result::ok).map(|worth| worth.value)
            });
            let [a, b] = values.map(|value| value.map_or("?".to_owned(), |v| v.to_string()));
            Ok((Some(equal), format!("the values are {a} and {b}")))
        }
        Err((form, reason)) => {
            let told = forms.reason(&reason, form);
            let which = if form == g { "first" } else { "second" };
            Ok((None, format!("the {which} form is not affine impartial: {told}")))
        }
    }
}

fn holds(told: Comparison, relation: Relation) -> Option<bool> {
    let both = |a: Option<bool>, b: Option<bool>| match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    };
    let [ge, le] = [told.ge, told.le].map(Decision::holds);
    let not = |side: Option<bool>| side.map(|holds| !holds);
    match relation {
        Relation::GreaterOrEqual => ge,
        Relation::LessOrEqual => le,
        Relation::Equal | Relation::EqualModuloImpartial => both(ge, le),
        Relation::Greater => both(ge, not(le)),
        Relation::Less => both(le, not(ge)),
    }
}

/// Why the answer is what it is.
fn ground(forms: &Forms, told: Comparison, relation: Relation) -> String {
    let used = match relation {
        Relation::LessOrEqual | Relation::Less => [told.le, told.ge],
        _ => [told.ge, told.le],
    };
    let single = matches!(relation, Relation::GreaterOrEqual | Relation::LessOrEqual);
    let used = if single { &used[..1] } else { &used[..] };
    // A game that tells them apart says most; else the first that is known.
    let grounds: Vec<Ground> = used.iter().filter_map(|decision| decision.ground()).collect();
    let beside = grounds.iter().find(|ground| matches!(ground, Ground::Beside(_)));
    match beside.or(grounds.first()) {
        Some(Ground::Identical) => "both are the same form".to_owned(),
        Some(Ground::Infinity) => "oo is the largest game and -oo the least".to_owned(),
        Some(Ground::Conway) => {
            "one of them is a Conway game, so that the outcome of the difference tells".to_owned()
        }
        Some(Ground::Beside(x)) => {
            format!("beside {} the outcomes show it", forms.short_text(*x))
        }
        None => "neither is a Conway game, and no game that was tried tells them apart".to_owned(),
    }
}

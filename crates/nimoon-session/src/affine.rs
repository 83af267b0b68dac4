//! What there is to say about affine forms, as text and JSON.

use nimoon::player::Player;
use nimoon::{
    AnyValue, EntailingValue, Interrupted, Work,
    affine::{AffineOutcome, Comparison, Decision, Form, Forms, Ground, Impartial, Relation},
};
use nimoon::{Digraph, NimberSet};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use thiserror::Error;

use nimoon_formats::Names;
use nimoon_formats::write::json::{Json, is_false, shaped};
use nimoon_formats::write::terminal::padded;
use nimoon_formats::write::{JsonDigraph, UnwritableName, game};

/// The longest text of a form in JSON.
pub const LONGEST: usize = 1 << 20;
/// The longest text of a form in a table.
const SHOWN: usize = 400;

/// What an affine impartial form is worth, or why it is none.
fn worth(
    forms: &mut Forms,
    form: Form,
    work: &Work,
) -> Result<Result<Impartial, String>, Interrupted> {
    let worth = forms.impartial(form, &mut work.child(work.limits()))?;
    Ok(worth.map_err(|reason| forms.reason(&reason, form)))
}

/// The text of a form, and whether quiet followers had to be replaced by their values for it.
fn text_of(
    forms: &mut Forms,
    form: Form,
    work: &Work,
    most: usize,
) -> Result<Option<(String, bool)>, Interrupted> {
    if let Some(text) = forms.text_within(form, most) {
        return Ok(Some((text, false)));
    }
    let short = forms.with_values(form, &mut work.child(work.limits()))?.ok();
    Ok(short.and_then(|short| Some((forms.text_within(short, most)?, true))))
}

/// What is missing in a report.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
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
/// use nimoon::{Limits, Work, affine::{Forms, Question}};
/// use nimoon_session::affine::FormReport;
/// let mut forms = Forms::new();
/// let Ok(Question::Form(form)) = forms.read_question("{{oo|0},0|...}", &mut Work::new(Limits::new(1000))) else { panic!() };
/// let (report, lack) = FormReport::new(&mut forms, form, &Work::new(Limits::new(1000)), false);
/// assert_eq!(lack, None);
/// assert!(serde_json::to_string(&report).unwrap().ends_with(r#""value":{"kind":"moon"}}"#));
/// ```
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Form")]
pub struct FormReport {
    /// The form; null where it is too long, or a limit was hit.
    form: Option<String>,
    /// Whether quiet followers were replaced by their values; left out if not.
    #[serde(skip_serializing_if = "is_false")]
    abbreviated: bool,
    /// Whether the form is affine impartial; null where that is not known.
    affine_impartial: Option<bool>,
    /// Who wins: L, N, P or R.
    outcome: Option<String>,
    /// Whether no player threatens to win at once.
    quiet: Option<bool>,
    /// Whether the form has no infinity in it.
    conway_form: Option<bool>,
    /// The nimbers to which a player can move at once, of an affine impartial form.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<NimberSet>>")]
    immediate: Option<NimberSet>,
    /// The nimbers that are protected, of an affine impartial form.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<NimberSet>>")]
    protected: Option<NimberSet>,
    /// The value of an affine impartial form: a nimber or the moon.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<AnyValue>>")]
    value: Option<AnyValue>,
    /// Why the form is not affine impartial.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    more: Option<More>,
}

/// The keys that are included on request.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "MoreOfForm")]
struct More {
    /// The day on which the form is born; null where that is too late.
    birthday: Option<u32>,
    /// Whether the form is symmetric; null where a limit was hit.
    symmetric: Option<bool>,
    /// Whether Left threatens to win at once.
    left_check: bool,
    /// Whether Right threatens to win at once.
    right_check: bool,
    /// Whether the form is maneuverable; null where that has no meaning, or a limit was hit.
    maneuverable: Option<bool>,
    /// Whether the next player wins beside every form; null where a limit was hit.
    loony: Option<bool>,
    /// The Conway form that the game equals; null if there is none, or the budget was hit.
    conway_game: Option<String>,
}

impl FormReport {
    /// Everything that is known within the limits; `more` adds the keys on request.
    pub fn new(forms: &mut Forms, form: Form, work: &Work, more: bool) -> (Self, Option<Lack>) {
        let found = worth(forms, form, work);
        let text = text_of(forms, form, work, LONGEST);
        let (more, missing) = if more { self::more(forms, form, work) } else { (None, None) };
        let too_long = (text == Ok(None)).then_some(Lack::TooLong);
        let interrupted =
            found.as_ref().err().copied().or(missing).or(text.as_ref().err().copied());
        let lack = interrupted.map(Lack::Interrupted).or(too_long);
        let (text, abbreviated) = text.ok().flatten().unzip();
        let affine_impartial = found.as_ref().ok().map(Result::is_ok);
        let (worth, reason) = match found.ok() {
            Some(Ok(worth)) => (Some(worth), None),
            Some(Err(reason)) => (None, Some(reason)),
            None => (None, None),
        };
        let value = worth.as_ref().map(|worth| AnyValue::Entailing(worth.value));
        let (immediate, protected) = worth.map(|worth| (worth.immediate, worth.protected)).unzip();
        let report = Self {
            form: text,
            abbreviated: abbreviated.unwrap_or_default(),
            affine_impartial,
            outcome: Some(forms.outcome(form).to_string()),
            quiet: Some(forms.is_quiet(form)),
            conway_form: Some(forms.is_conway_form(form)),
            immediate,
            protected,
            value,
            reason,
            more,
        };
        (report, lack)
    }
}

fn more(forms: &mut Forms, form: Form, work: &Work) -> (Option<More>, Option<Interrupted>) {
    let mut spent = work.child(work.limits());
    let symmetric = forms.is_symmetric(form, &mut spent);
    let maneuverable = forms.is_maneuverable(form, &mut spent);
    let loony = forms.is_loony(form, &mut spent);
    let conway = conway_game(forms, form, work);
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
fn conway_game(forms: &mut Forms, form: Form, work: &Work) -> Result<Option<Form>, Interrupted> {
    // Affine impartial forms need no search: a nimber is one, and the moon equals none.
    match worth(forms, form, work)? {
        Ok(Impartial { value: EntailingValue::Nimber(n), .. }) => Ok(Some(forms.nimber(n))),
        Ok(_) => Ok(None),
        Err(_) => forms.conway_game(form, &mut work.child(work.limits())),
    }
}

/// A digraph with a node that has the value of a form.
#[derive(Clone, Debug)]
pub struct FormDigraph {
    digraph: Digraph,
    names: Names,
    /// Which node has the value.
    title: String,
}

impl FormDigraph {
    /// Makes the digraph; the other error says in words why the form has none.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn new(
        forms: &mut Forms,
        form: Form,
        work: &mut Work,
    ) -> Result<Result<Self, String>, Interrupted> {
        let made = forms.digraph(form, work)?;
        Ok(made
            .map_err(|reason| {
                let reason = forms.reason(&reason, form);
                format!("only affine impartial forms have a digraph, and {reason}")
            })
            .map(|made| {
                let name = |node: u32| match node {
                    0 => "x".to_owned(),
                    node if made.digraph.is_gray(node) => format!("g{node}"),
                    node => format!("w{node}"),
                };
                let names: Names = (0..made.digraph.len() as u32).map(name).collect();
                let (start, short) = (names.name(made.start), forms.short_text(form));
                let title = format!("# {start} has the value of {short}\n");
                Self { digraph: made.digraph, names, title }
            }))
    }

    /// The digraph as JSON.
    pub fn json(&self) -> JsonDigraph {
        JsonDigraph::new(&self.digraph, &self.names)
    }

    /// The digraph as a `.game` file.
    ///
    /// # Errors
    /// When a name cannot be written, which is a bug.
    pub fn game(&self) -> Result<String, UnwritableName> {
        Ok(format!("{}{}", self.title, game(&self.digraph, &self.names)?))
    }
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// What stands in a table for what is not known.
const UNKNOWN: &str = "not known";

/// A line of a table.
fn line(label: &str, reply: &str) -> String {
    format!("{}{reply}\n", padded(label, 14))
}

/// The table of a form that is not known itself, since a limit was hit while it was read or made.
///
/// ```
/// assert_eq!(nimoon_session::affine::unknown_form_table(), "form          not known\n");
/// ```
pub fn unknown_form_table() -> String {
    line("form", UNKNOWN)
}

/// A table for people, as far as the budget goes, and what kept it from more.
pub fn form_table(forms: &mut Forms, form: Form, work: &Work) -> (String, Option<Interrupted>) {
    let mut missing: Option<Interrupted> = None;
    let mut rows: Vec<(&str, String)> = Vec::new();
    match text_of(forms, form, work, SHOWN) {
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
    match worth(forms, form, work) {
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
            let maneuverable = forms.is_maneuverable(form, &mut work.child(work.limits()));
            let maneuverable = maneuverable.map(|reply| yes_or_no(reply == Ok(true)).to_owned());
            rows.push(("maneuverable", known(maneuverable)));
        }
        Ok(Err(reason)) => {
            rows.push(("value", "none: the form is not affine impartial".to_owned()));
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
        conway_game(forms, form, work).map(|equal| match equal {
            Some(equal) => format!("no, but it equals {}", forms.short_text(equal)),
            None => "no, and it equals none".to_owned(),
        })
    };
    rows.push(("Conway form", known(conway)));
    let loony = forms.not_loony(form, &mut work.child(work.limits()));
    let loony = loony.map(|beside| match beside {
        None => "yes".to_owned(),
        Some(beside) => {
            format!("no: beside {} the next player does not win", forms.short_text(beside))
        }
    });
    rows.push(("loony", known(loony)));
    (rows.iter().map(|(label, reply)| line(label, reply)).collect(), missing)
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "FormComparison")]
pub struct FormsCompared {
    /// The first form; null where it is too long.
    first: Option<String>,
    /// The relation that was asked for.
    #[serde(serialize_with = "sign")]
    #[schemars(with = "String")]
    relation: Relation,
    /// The second form; null where it is too long.
    second: Option<String>,
    /// Whether the relation holds; null where the paper has no test, or a limit was hit.
    holds: Option<bool>,
    #[serde(flatten)]
    orders: Option<OrdersReport>,
    /// Why.
    reason: String,
    /// Both forms, short.
    #[serde(skip)]
    short: [String; 2],
}

/// The two orders of two forms.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Orders")]
struct OrdersReport {
    /// Whether the first is at least the second; null where that is not known.
    ge: Option<bool>,
    /// Whether the first is at most the second.
    le: Option<bool>,
}

impl From<Comparison> for OrdersReport {
    fn from(reply: Comparison) -> Self {
        Self { ge: reply.ge.holds(), le: reply.le.holds() }
    }
}

// Serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn sign<S: Serializer>(relation: &Relation, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(relation.sign())
}

impl FormsCompared {
    /// Whether the relation holds, if that is known, and why not if it is unknown.
    ///
    /// ```
    /// use nimoon::{Limits, Work, affine::{Forms, Question}};
    /// use nimoon_session::affine::FormsCompared;
    /// let mut forms = Forms::new();
    /// let read = forms.read_question("{oo|0} >= *", &mut Work::new(Limits::new(1000)));
    /// let Ok(Question::Compare(g, relation, h)) = read else { panic!() };
    /// let mut reply = |work| FormsCompared::new(&mut forms, [g, h], relation, &work);
    /// let (compared, interrupted) = reply(Work::new(Limits::new(0)));
    /// assert!(interrupted.is_some() && compared.text().contains("answer        not known\n"));
    /// let (compared, interrupted) = reply(Work::new(Limits::new(1000)));
    /// assert!(interrupted.is_none() && compared.text().contains("answer        yes\n"));
    /// ```
    pub fn new(
        forms: &mut Forms,
        two: [Form; 2],
        relation: Relation,
        work: &Work,
    ) -> (Self, Option<Interrupted>) {
        let found = if relation == Relation::EqualModuloImpartial {
            modulo_impartial(forms, two, work).map(|(equal, reason)| (equal, None, reason))
        } else {
            forms.relation(two[0], two[1], &mut work.child(work.limits())).map(|reply| {
                (self::holds(reply, relation), Some(reply), ground(forms, reply, relation))
            })
        };
        let interrupted = found.as_ref().err().copied();
        let (holds, orders, reason) = found.unwrap_or_else(|interrupted| {
            let unknown = Comparison { ge: Decision::Unknown, le: Decision::Unknown };
            let has_orders = relation != Relation::EqualModuloImpartial;
            (None, has_orders.then_some(unknown), interrupted.to_string())
        });
        // Whoever knows the answer can do without the texts.
        let [first, second] = two.map(|form| {
            let text = text_of(forms, form, work, LONGEST).ok().flatten();
            text.map(|(text, _)| text)
        });
        let (orders, short) =
            (orders.map(OrdersReport::from), two.map(|form| forms.short_text(form)));
        (Self { first, relation, second, holds, orders, reason, short }, interrupted)
    }

    /// The answer for people.
    pub fn text(&self) -> String {
        let answer = match self.holds {
            Some(holds) => yes_or_no(holds),
            None => UNKNOWN,
        };
        let [first, second] = &self.short;
        let mut text = format!("{first} {} {second}\n", self.relation.sign());
        text += &line("answer", answer);
        if let Some(OrdersReport { ge, le }) = self.orders {
            for (label, holds) in [("first ≥", ge), ("first ≤", le)] {
                text += &line(label, holds.map_or(UNKNOWN, yes_or_no));
            }
        }
        text + line("because", &self.reason).as_str()
    }
}

/// Whether two forms have the same value, and why.
fn modulo_impartial(
    forms: &mut Forms,
    [g, h]: [Form; 2],
    work: &Work,
) -> Result<(Option<bool>, String), Interrupted> {
    match forms.equal_modulo_impartial(g, h, &mut work.child(work.limits()))? {
        Ok(equal) => {
            let values = [g, h].map(|form| {
                worth(forms, form, work).ok().and_then(Result::ok).map(|worth| worth.value)
            });
            let [a, b] = values.map(|value| value.map_or("?".to_owned(), |v| v.to_string()));
            Ok((Some(equal), format!("the values are {a} and {b}")))
        }
        Err((form, reason)) => {
            let reply = forms.reason(&reason, form);
            let which = if form == g { "first" } else { "second" };
            Ok((None, format!("the {which} form is not affine impartial: {reply}")))
        }
    }
}

fn holds(reply: Comparison, relation: Relation) -> Option<bool> {
    let both = |a: Option<bool>, b: Option<bool>| match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    };
    let [ge, le] = [reply.ge, reply.le].map(Decision::holds);
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
fn ground(forms: &Forms, reply: Comparison, relation: Relation) -> String {
    let used = match relation {
        Relation::LessOrEqual | Relation::Less => [reply.le, reply.ge],
        _ => [reply.ge, reply.le],
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
            "one of them is a Conway game, so the outcome of the difference decides".to_owned()
        }
        Some(Ground::Beside(x)) => {
            format!("beside {} the outcomes show it", forms.short_text(*x))
        }
        None => {
            "neither is a Conway game, and no game that nimoon tried distinguishes them".to_owned()
        }
    }
}

//! `nimoon affine`.

use std::fmt::Write as _;

use clap::ValueEnum;
use nimoon::affine::{
    AffineOutcome, Comparison, Decision, Effort, Form, Forms, Ground, Impartial, Interrupted,
    PositionError, Question, ReadError, Relation,
};
use nimoon::explore::ExploreError;
use nimoon::loopy::Player;
use nimoon::{AnyValue, Budget, EntailingValue, Fault};
use nimoon_formats::Names;
use nimoon_formats::write::json::{JsonNimberSet, JsonValue};
use nimoon_formats::write::terminal::padded;
use nimoon_formats::write::{JsonDigraph, game};
use nimoon_rulesets::expression::Expression;
use serde::Serialize;

use crate::args::RulesArgs;
use crate::expressions::{RAISE, Rules, Text};
use crate::failure::Failure;
use crate::output::{print_json, print_text};

#[derive(Debug, clap::Args)]
pub(crate) struct AffineArgs {
    /// A form, a sum of forms, or a comparison of two; `-` is standard input, `@FILE` a file.
    #[arg(value_name = "FORM", required_unless_present = "of", allow_hyphen_values = true)]
    form: Option<String>,

    /// The literal form of positions, given as `ruleset:position` and joined by `+`.
    #[arg(long, value_name = "EXPR", conflicts_with = "form")]
    of: Option<String>,

    #[command(flatten)]
    rules: RulesArgs,

    /// Also tell in JSON whether the form is symmetric, loony, maneuverable and a Conway game, and when it is born.
    #[arg(long)]
    more: bool,

    /// How many forms and positions may be looked at.
    #[arg(long, value_name = "POSITIONS", default_value_t = Budget::DEFAULT.positions,
          allow_negative_numbers = true)]
    budget: u64,

    /// How to print the answer; game and digraph are a digraph with a node of the same value.
    #[arg(long, value_enum, default_value_t = AffineFormat::Table)]
    format: AffineFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AffineFormat {
    Table,
    Json,
    /// A digraph as a .game file.
    Game,
    /// A digraph as JSON.
    Digraph,
}

/// The longest text of a form in JSON.
const LONGEST: usize = 1 << 20;
/// The longest text of a form in a table.
const SHOWN: usize = 400;

pub(crate) fn run(args: &AffineArgs) -> Result<(), Failure> {
    let mut forms = Forms::new();
    let question = match asked(args, &mut forms) {
        Err(over @ Failure::Budget { .. }) => {
            match args.format {
                AffineFormat::Json => print_json(&JsonAnswer::default())?,
                AffineFormat::Table => print_text("form  not known\n")?,
                AffineFormat::Game | AffineFormat::Digraph => {}
            }
            return Err(over);
        }
        question => question?,
    };
    match question {
        Question::Form(form) => match args.format {
            AffineFormat::Json => json(args, &mut forms, form),
            AffineFormat::Table => table(args, &mut forms, form),
            AffineFormat::Game | AffineFormat::Digraph => digraph(args, &mut forms, form),
        },
        Question::Compare(g, relation, h) => compare(args, &mut forms, g, relation, h),
    }
}

fn over_budget(interrupted: Interrupted) -> Failure {
    Failure::Budget { message: format!("{interrupted}; {RAISE}") }
}

fn asked(args: &AffineArgs, forms: &mut Forms) -> Result<Question, Failure> {
    let mut effort = Effort::new(args.budget);
    if let Some(positions) = &args.of {
        let text = Text::of_argument(positions)?;
        let mut rules = Rules::new(&args.rules)?;
        let Expression { fields, terms } = text.read(&mut rules)?;
        let budget = Budget::new(args.budget);
        let found = forms.of_position(fields, &terms, budget, &mut effort);
        return found.map(Question::Form).map_err(|error| match &error {
            PositionError::Interrupted(_)
            | PositionError::Fault(Fault::TooMany { .. })
            | PositionError::Explore(ExploreError::OverBudget { .. }) => {
                Failure::Budget { message: format!("{error}; {RAISE}") }
            }
            PositionError::Explore(ExploreError::Stopped(_)) => Failure::other(error.to_string()),
            _ => Failure::of_lines(&error.to_string()),
        });
    }
    let text = Text::of_argument(args.form.as_deref().unwrap_or_default())?;
    forms.read_question(text.as_str(), &mut effort).map_err(|error| match error {
        ReadError::Notation(error) => text.wrong(error.at, &error.message),
        ReadError::Interrupted(interrupted) => over_budget(interrupted),
    })
}

/// What an affine impartial form is worth, or why it is none.
fn worth(
    args: &AffineArgs,
    forms: &mut Forms,
    form: Form,
) -> Result<Result<Impartial, String>, Interrupted> {
    let worth = forms.impartial(form, &mut Effort::new(args.budget))?;
    Ok(worth.map_err(|reason| forms.reason(&reason, form)))
}

/// The text of a form, and whether quiet followers had to be replaced by their values for it.
fn text_of(
    args: &AffineArgs,
    forms: &mut Forms,
    form: Form,
    most: usize,
) -> Option<(String, bool)> {
    if let Some(text) = forms.text_within(form, most) {
        return Some((text, false));
    }
    let short = forms.with_values(form, &mut Effort::new(args.budget)).ok()?.ok()?;
    Some((forms.text_within(short, most)?, true))
}

fn too_long() -> Failure {
    let message = format!("the literal form has more than {LONGEST} characters and is not printed");
    Failure::Budget { message }
}

#[derive(Default, Serialize)]
struct JsonAnswer<'a> {
    form: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    abbreviated: bool,
    affine_impartial: Option<bool>,
    outcome: Option<String>,
    quiet: Option<bool>,
    conway_form: Option<bool>,
    immediate: Option<JsonNimberSet<'a>>,
    protected: Option<JsonNimberSet<'a>>,
    value: Option<JsonValue<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(flatten)]
    more: Option<More>,
}

/// What is told on request.
#[derive(Serialize)]
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

fn json(args: &AffineArgs, forms: &mut Forms, form: Form) -> Result<(), Failure> {
    let found = worth(args, forms, form);
    let text = text_of(args, forms, form, LONGEST);
    let told = found.as_ref().ok();
    let worth = told.and_then(|told| told.as_ref().ok());
    let value = worth.map(|worth| AnyValue::Entailing(worth.value));
    let (more, missing) = if args.more { more(args, forms, form) } else { (None, None) };
    print_json(&JsonAnswer {
        form: text.as_ref().map(|(text, _)| text.as_str()),
        abbreviated: text.as_ref().is_some_and(|&(_, abbreviated)| abbreviated),
        affine_impartial: told.map(Result::is_ok),
        outcome: Some(forms.outcome(form).to_string()),
        quiet: Some(forms.is_quiet(form)),
        conway_form: Some(forms.is_conway_form(form)),
        immediate: worth.map(|worth| JsonNimberSet(&worth.immediate)),
        protected: worth.map(|worth| JsonNimberSet(&worth.protected)),
        value: value.as_ref().map(JsonValue),
        reason: told.and_then(|told| told.as_ref().err()).map(String::as_str),
        more,
    })?;
    match found.err().or(missing) {
        Some(interrupted) => Err(over_budget(interrupted)),
        None if text.is_none() => Err(too_long()),
        None => Ok(()),
    }
}

fn more(args: &AffineArgs, forms: &mut Forms, form: Form) -> (Option<More>, Option<Interrupted>) {
    let mut effort = Effort::new(args.budget);
    let symmetric = forms.is_symmetric(form, &mut effort);
    let maneuverable = forms.is_maneuverable(form, &mut effort);
    let loony = forms.is_loony(form, &mut effort);
    let conway = conway_game(args, forms, form);
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
    args: &AffineArgs,
    forms: &mut Forms,
    form: Form,
) -> Result<Option<Form>, Interrupted> {
    // Affine impartial forms need no search: a nimber is one, and the moon equals none.
    match worth(args, forms, form)? {
        Ok(Impartial { value: EntailingValue::Nimber(n), .. }) => Ok(Some(forms.nimber(n))),
        Ok(_) => Ok(None),
        Err(_) => forms.conway_game(form, &mut Effort::new(args.budget)),
    }
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

fn table(args: &AffineArgs, forms: &mut Forms, form: Form) -> Result<(), Failure> {
    const UNKNOWN: &str = "not known";
    let mut missing: Option<Interrupted> = None;
    let mut rows: Vec<(&str, String)> = Vec::new();
    match text_of(args, forms, form, SHOWN) {
        Some((text, false)) => rows.push(("form", text)),
        Some((text, true)) => {
            rows.push(("form", forms.short_text(form)));
            rows.push(("equals", text));
        }
        None => rows.push(("form", forms.short_text(form))),
    }
    let mut known = |found: Result<String, Interrupted>| match found {
        Ok(text) => text,
        Err(interrupted) => {
            missing.get_or_insert(interrupted);
            UNKNOWN.to_owned()
        }
    };
    match worth(args, forms, form) {
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
            let maneuverable = forms.is_maneuverable(form, &mut Effort::new(args.budget));
            let maneuverable = maneuverable.map(|told| yes_or_no(told == Ok(true)).to_owned());
            rows.push(("maneuverable", known(maneuverable)));
        }
        other => {
            let reason = known(other.map(|told| told.err().unwrap_or_default()));
            rows.push(("value", "none, for the form is not affine impartial".to_owned()));
            rows.push(("outcome", outcome_in_words(forms.outcome(form))));
            rows.push(("impartial", format!("no: {reason}")));
        }
    }
    rows.push(("quiet", quiet_in_words(forms, form)));
    let conway = if forms.is_conway_form(form) {
        Ok("yes".to_owned())
    } else {
        conway_game(args, forms, form).map(|equal| match equal {
            Some(equal) => format!("no, but it equals {}", forms.short_text(equal)),
            None => "no, and it equals none".to_owned(),
        })
    };
    rows.push(("Conway form", known(conway)));
    let loony = forms.not_loony(form, &mut Effort::new(args.budget));
    let loony = loony.map(|beside| match beside {
        None => "yes".to_owned(),
        Some(beside) => {
            format!("no: beside {} the next player does not win", forms.short_text(beside))
        }
    });
    rows.push(("loony", known(loony)));
    let mut text = String::new();
    for (label, told) in rows {
        let _ = writeln!(text, "{}{told}", padded(label, 14));
    }
    print_text(&text)?;
    missing.map_or(Ok(()), |interrupted| Err(over_budget(interrupted)))
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

/// Prints a digraph with a node of the same value.
fn digraph(args: &AffineArgs, forms: &mut Forms, form: Form) -> Result<(), Failure> {
    let made = forms.digraph(form, &mut Effort::new(args.budget)).map_err(over_budget)?;
    let made = made.map_err(|reason| {
        let reason = forms.reason(&reason, form);
        Failure::input(format!("only affine impartial forms have a digraph, and {reason}"))
    })?;
    let names: Names = (0..made.digraph.len() as u32)
        .map(|node| match node {
            0 => "x".to_owned(),
            node if made.digraph.is_gray(node) => format!("g{node}"),
            node => format!("w{node}"),
        })
        .collect::<Vec<String>>()
        .iter()
        .collect();
    if args.format == AffineFormat::Digraph {
        return print_json(&JsonDigraph::new(&made.digraph, &names));
    }
    let text = game(&made.digraph, &names).map_err(|error| Failure::other(error.to_string()))?;
    print_text(&format!(
        "# {} has the value of {}\n{text}",
        names.name(made.start),
        forms.short_text(form)
    ))
}

#[derive(Serialize)]
struct JsonComparison<'a> {
    first: Option<String>,
    relation: &'a str,
    second: Option<String>,
    /// Null where the paper has no test.
    holds: Option<bool>,
    #[serde(flatten)]
    orders: Option<JsonOrders>,
    reason: String,
}

#[derive(Serialize)]
struct JsonOrders {
    ge: Option<bool>,
    le: Option<bool>,
}

fn compare(
    args: &AffineArgs,
    forms: &mut Forms,
    g: Form,
    relation: Relation,
    h: Form,
) -> Result<(), Failure> {
    if matches!(args.format, AffineFormat::Game | AffineFormat::Digraph) {
        return Err(Failure::input("a comparison has no digraph: use --format table or json"));
    }
    let mut effort = Effort::new(args.budget);
    let (holds, orders, reason) = if relation == Relation::EqualModuloImpartial {
        let told = forms.equal_modulo_impartial(g, h, &mut effort).map_err(over_budget)?;
        match told {
            Ok(equal) => {
                let values = [g, h].map(|form| {
                    worth(args, forms, form).ok().and_then(Result::ok).map(|worth| worth.value)
                });
                let [a, b] = values.map(|value| value.map_or("?".to_owned(), |v| v.to_string()));
                (Some(equal), None, format!("the values are {a} and {b}"))
            }
            Err((form, reason)) => {
                let told = forms.reason(&reason, form);
                let which = if form == g { "first" } else { "second" };
                let reason = format!("the {which} form is not affine impartial: {told}");
                (None, None, reason)
            }
        }
    } else {
        let told = forms.relation(g, h, &mut effort).map_err(over_budget)?;
        let holds = holds(told, relation);
        (holds, Some(told), ground(forms, told, relation))
    };
    let [first, second] =
        [g, h].map(|form| text_of(args, forms, form, LONGEST).map(|(text, _)| text));
    if args.format == AffineFormat::Json {
        return print_json(&JsonComparison {
            first,
            relation: relation.sign(),
            second,
            holds,
            orders: orders.map(|told| JsonOrders { ge: told.ge.holds(), le: told.le.holds() }),
            reason,
        });
    }
    let answer = match holds {
        Some(holds) => yes_or_no(holds),
        None => "not known",
    };
    let mut text = format!("{} {} {}\n", forms.short_text(g), relation.sign(), forms.short_text(h));
    let _ = writeln!(text, "{}{answer}", padded("answer", 14));
    if let Some(Comparison { ge, le }) = orders {
        for (label, decision) in [("first ≥", ge), ("first ≤", le)] {
            let told = decision.holds().map_or("not known", yes_or_no);
            let _ = writeln!(text, "{}{told}", padded(label, 14));
        }
    }
    let _ = writeln!(text, "{}{reason}", padded("because", 14));
    print_text(&text)
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

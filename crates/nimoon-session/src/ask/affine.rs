//! Forms over ∞ and −∞: `affine`.

use nimoon::affine::{Form, Forms, Question, ReadError};
use nimoon::solve::affine::PositionError;
use nimoon::solve::explore::ExploreError;
use nimoon::{Fault, Interrupted};
use nimoon_formats::write::JsonDigraph;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::affine::{FormDigraph, FormReport, FormsCompared, Lack};
use crate::answer::PLAIN;
use crate::expression::Expression;
use crate::library::Given;
use crate::{Answer, Error, ErrorKind, Session, Work};

/// Asks about a form, a comparison of two, or the form of positions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// A form, a sum of forms, or a comparison of two.
    form: Option<String>,
    /// Positions as `ruleset:position`, joined by `+`, whose literal form is meant.
    of: Option<String>,
    /// Whether to say also if the form is symmetric, loony, maneuverable and a Conway game, and
    /// when it is born.
    #[serde(default)]
    more: bool,
    /// The files and scripts that the expression names.
    #[serde(default)]
    given: Given,
    /// How to write the answer.
    #[serde(default)]
    output: Output,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "AffineOutput")]
enum Output {
    /// Data.
    #[default]
    Json,
    /// A digraph with a node of the same value, as text.
    Game,
    /// The same as JSON.
    Digraph,
}

/// What is known of forms.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum AffineReport {
    /// Of one form.
    Form(FormReport),
    /// How two forms compare.
    Comparison(FormsCompared),
    /// A digraph with a node of the same value.
    Digraph(JsonDigraph),
}

pub(crate) fn form(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<AffineReport>, Error> {
    let mut forms = Forms::new();
    let question = match (&asked.form, &asked.of) {
        (Some(text), None) => read(text, &mut forms, work),
        (None, Some(text)) => of_positions(asked, text, &mut forms, session, work),
        _ => Err(Error::new(ErrorKind::Request, "expected either `form` or `of`")),
    };
    let question = match question {
        Err(ended) if ended.interrupted.is_some() && asked.output == Output::Json => {
            let nothing = AffineReport::Form(FormReport::default());
            return Ok(Answer::data(nothing).short_of(Some(ended)));
        }
        question => question?,
    };
    match (question, asked.output) {
        (Question::Form(form), Output::Json) => {
            let (report, lack) = FormReport::new(&mut forms, form, work, asked.more);
            let lack = lack.map(|lack| match lack {
                Lack::Interrupted(interrupted) => Error::limit(interrupted),
                Lack::TooLong => Error::new(ErrorKind::Budget, lack.to_string()),
            });
            Ok(Answer::data(AffineReport::Form(report)).short_of(lack))
        }
        (Question::Form(form), output) => digraph(&mut forms, form, output, work),
        (Question::Compare(g, relation, h), Output::Json) => {
            let (compared, missing) = FormsCompared::new(&mut forms, [g, h], relation, work);
            let missing = missing.map(Error::limit);
            Ok(Answer::data(AffineReport::Comparison(compared)).short_of(missing))
        }
        (Question::Compare(..), _) => {
            Err(Error::input("a comparison has no digraph: set `output` to `json`"))
        }
    }
}

fn read(text: &str, forms: &mut Forms, work: &Work) -> Result<Question, Error> {
    forms.read_question(text, &mut work.child(work.limits())).map_err(|error| match error {
        ReadError::Notation(error) => Error::notation(text, error),
        ReadError::Interrupted(interrupted) => Error::limit(interrupted),
        error => Error::input(error.to_string()),
    })
}

fn of_positions(
    asked: &Request,
    text: &str,
    forms: &mut Forms,
    session: &Session,
    work: &Work,
) -> Result<Question, Error> {
    let mut library = asked.given.library(session, work)?;
    let Expression { fields, terms } =
        Expression::read(text, &mut library).map_err(|error| Error::expression(text, error))?;
    let found = forms.of_position(fields, &terms, &mut work.child(work.limits()));
    found.map(Question::Form).map_err(|error| match &error {
        PositionError::Interrupted(interrupted)
        | PositionError::Fault(Fault::Interrupted(interrupted))
        | PositionError::Explore(ExploreError::Interrupted { interrupted, .. }) => {
            Error::interrupted(*interrupted, &error)
        }
        PositionError::Fault(Fault::TooMany { .. }) => {
            Error::interrupted(Interrupted::positions(work.limits().positions), &error)
        }
        PositionError::Fault(Fault::Limit(_))
        | PositionError::Explore(ExploreError::Limit { .. }) => {
            Error::new(ErrorKind::Budget, error.to_string())
        }
        _ => Error::input(error.to_string()),
    })
}

/// A digraph with a node of the same value.
fn digraph(
    forms: &mut Forms,
    form: Form,
    output: Output,
    work: &Work,
) -> Result<Answer<AffineReport>, Error> {
    let made =
        FormDigraph::new(forms, form, &mut work.child(work.limits())).map_err(Error::limit)?;
    let made = made.map_err(Error::input)?;
    if output == Output::Digraph {
        return Ok(Answer::data(AffineReport::Digraph(made.json())));
    }
    let text = made.game().map_err(|error| Error::new(ErrorKind::Bug, error.to_string()))?;
    Ok(Answer::text(PLAIN, text))
}

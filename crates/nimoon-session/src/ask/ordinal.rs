//! Ordinals and transfinite games: `ordinal`.

use nimoon::transfinite::expression::{ExpressionError, ExpressionErrorKind, read};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::report::OrdinalReport;
use crate::{Answer, Error, ErrorKind, Session, Work};

/// Asks about an expression.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The expression, as in `w^2*3 + w + 5` or `nim(w, 3)`.
    expression: String,
}

pub(crate) fn expression(
    asked: &Request,
    _session: &Session,
    work: &Work,
) -> Result<Answer<OrdinalReport>, Error> {
    let text = asked.expression.as_str();
    match read(text, &mut work.child(work.limits())) {
        Ok(answer) => Ok(Answer::data(OrdinalReport::new(&answer))),
        Err(error) => match failure(text, &error) {
            wrong @ Error { kind: ErrorKind::Input, .. } => Err(wrong),
            ended => Ok(Answer::data(OrdinalReport::unknown()).short_of(Some(ended))),
        },
    }
}

fn failure(text: &str, error: &ExpressionError) -> Error {
    let here = Error::at(text, error.at, error.to_string());
    match &error.kind {
        ExpressionErrorKind::Interrupted(interrupted) => {
            Error { place: here.place, ..Error::interrupted(*interrupted, error) }
        }
        ExpressionErrorKind::Limit(_) => Error { kind: ErrorKind::Budget, ..here },
        _ => here,
    }
}

//! Every question by its name, as the program and the server answer it.

use std::borrow::Cow;

use nimoon_session::{Door, Error, ErrorKind, Question, Session, Work};
use pyo3::prelude::*;

use crate::failure::{Failure, Kind};
use crate::work::{Limits, allowed, run};

/// The names of all questions.
#[pyfunction]
pub(crate) fn questions() -> Vec<&'static str> {
    Question::NAMES.to_vec()
}

/// Answers the question with this name, whose fields are JSON: the media type of the answer, and
/// the answer.
#[pyfunction]
#[pyo3(signature = (question, fields, budget))]
pub(crate) fn ask(
    py: Python<'_>,
    question: String,
    fields: String,
    budget: Limits,
) -> PyResult<(&'static str, Cow<'static, [u8]>)> {
    let answered = run(py, None, move |watch| {
        let (question, _) = Question::read(&question, fields.as_bytes()).map_err(failure)?;
        let work = Work::new(allowed(budget)).until(watch.flag());
        let answer = Session::new(Door::Local).ask(&question, &work).map_err(failure)?;
        let body = answer.body().map_err(failure)?;
        let media_type = answer.media_type();
        match answer.missing {
            Some(error) => {
                let known = String::from_utf8_lossy(&body).into_owned();
                Err(failure(error).knowing(known.clone(), known))
            }
            None => Ok((media_type, body)),
        }
    });
    answered.map(|(media_type, body)| (media_type, Cow::Owned(body)))
}

/// The exception that the table of errors names.
fn failure(error: Error) -> Failure {
    let kind = match error.kind.python() {
        "InputError" => Kind::Input,
        "BudgetError" => Kind::Budget,
        "FileError" => Kind::File,
        _ => Kind::Other,
    };
    let Error { message, place, interrupted, kind: what, .. } = error;
    let failure = match (interrupted, place) {
        (Some(interrupted), _) => Failure::over(interrupted, message),
        (None, Some((line, column))) if what != ErrorKind::Request => {
            Failure::new(kind, format!("{line}:{column}: {message}"))
        }
        (None, _) => Failure::new(kind, message),
    };
    failure.placed(place)
}

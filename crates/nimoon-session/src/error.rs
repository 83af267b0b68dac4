//! Why a question has no answer, or not all of it: one table for every door.
//!
//! | kind | exit code | HTTP status | Python exception |
//! |---|---:|---:|---|
//! | `request`: the request has the wrong shape | 2 | 400 | `InputError` |
//! | `input`: what it asks about is wrong | 2 | 422 | `InputError` |
//! | `file`: a file cannot be read here | 1 | 422 | `FileError` |
//! | `budget`: a limit on positions or memory was hit | 3 | 422 | `BudgetError` |
//! | `time`: the time was over | 3 | 422 | `BudgetError` |
//! | `busy`: too many slow requests are waiting | 1 | 503 | `NimoonError` |
//! | `origin`: this page or host may not ask | 1 | 403 | `NimoonError` |
//! | `not-found`, `method`, `media-type`, `too-large` | 2 | 404, 405, 415, 413 | `InputError` |
//! | `bug`: anything else | 1 | 500 | `NimoonError` |

use nimoon::limits::{Interrupted, Limit};
use nimoon::ruleset::ImpartialError;
use nimoon::solve::solution::{AnswerError, SolutionError};
use nimoon::{Fault, NotationError};
use nimoon_formats::read::{ReadError, ReadErrorKind, line_and_column};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error as ThisError;

use crate::expression::ExpressionError;

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request has the wrong shape.
    Request,
    /// What it asks about is wrong.
    Input,
    /// A file cannot be read here.
    File,
    /// A limit on positions or memory was hit.
    Budget,
    /// The time was over.
    Time,
    /// Too many slow requests are waiting.
    Busy,
    /// This page or host may not ask.
    Origin,
    /// There is no such question.
    NotFound,
    /// The wrong HTTP method.
    Method,
    /// The wrong content type.
    MediaType,
    /// The request has too many bytes.
    TooLarge,
    /// Anything else.
    Bug,
}

/// A row of the table.
struct Row {
    name: &'static str,
    exit_code: u8,
    http_status: u16,
    python: &'static str,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Request,
        Self::Input,
        Self::File,
        Self::Budget,
        Self::Time,
        Self::Busy,
        Self::Origin,
        Self::NotFound,
        Self::Method,
        Self::MediaType,
        Self::TooLarge,
        Self::Bug,
    ];

    const fn row(self) -> Row {
        let (name, exit_code, http_status, python) = match self {
            Self::Request => ("request", 2, 400, "InputError"),
            Self::Input => ("input", 2, 422, "InputError"),
            Self::File => ("file", 1, 422, "FileError"),
            Self::Budget => ("budget", 3, 422, "BudgetError"),
            Self::Time => ("time", 3, 422, "BudgetError"),
            Self::Busy => ("busy", 1, 503, "NimoonError"),
            Self::Origin => ("origin", 1, 403, "NimoonError"),
            Self::NotFound => ("not-found", 2, 404, "InputError"),
            Self::Method => ("method", 2, 405, "InputError"),
            Self::MediaType => ("media-type", 2, 415, "InputError"),
            Self::TooLarge => ("too-large", 2, 413, "InputError"),
            Self::Bug => ("bug", 1, 500, "NimoonError"),
        };
        Row { name, exit_code, http_status, python }
    }

    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The exit code of the program.
    pub const fn exit_code(self) -> u8 {
        self.row().exit_code
    }

    /// The status of an HTTP response.
    pub const fn http_status(self) -> u16 {
        self.row().http_status
    }

    /// The name of the exception in Python.
    pub const fn python(self) -> &'static str {
        self.row().python
    }
}

/// Everything but an answer.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("{message}")]
pub struct Error {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What is wrong, in plain words.
    pub message: String,
    /// The line and the column in the text that was given, where there is a place.
    pub place: Option<(usize, usize)>,
    /// What ended the work, where a limit or a request to stop did.
    pub interrupted: Option<Interrupted>,
}

/// An error as JSON.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ErrorReport")]
pub struct ErrorReport<'a> {
    kind: ErrorKind,
    /// What is wrong, in plain words.
    message: &'a str,
    /// The line of the place that is wrong, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The column of that place.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl Error {
    /// An error of this kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), place: None, interrupted: None }
    }

    /// The error as JSON.
    pub fn report(&self) -> ErrorReport<'_> {
        let (line, column) = self.place.unzip();
        ErrorReport { kind: self.kind, message: &self.message, line, column }
    }

    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, message)
    }

    /// Wrong input at a byte of a text.
    pub(crate) fn at(text: &str, at: usize, message: impl Into<String>) -> Self {
        let place = line_and_column(text.as_bytes(), at.min(text.len()));
        Self { place: Some(place), ..Self::input(message) }
    }

    /// A place in the request itself.
    pub(crate) fn request(error: &serde_json::Error) -> Self {
        /// Kinds of numbers as the reader calls them, and as others do.
        const NUMBERS: [(&str, &str); 4] = [
            ("expected u64", "expected a whole number from 0 on"),
            ("expected usize", "expected a whole number from 0 on"),
            ("expected u32", "expected a whole number from 0 to 4294967295"),
            ("expected f64", "expected a number"),
        ];
        let place = (error.line() > 0).then(|| (error.line(), error.column().max(1)));
        let mut message = error.to_string();
        for (name, words) in NUMBERS {
            message = message.replace(name, words);
        }
        Self { place, ..Self::new(ErrorKind::Request, message) }
    }

    pub(crate) fn expression(text: &str, error: ExpressionError) -> Self {
        match error {
            ExpressionError::Text { at, message } | ExpressionError::Vacant { at, message } => {
                Self::at(text, at, message)
            }
            ExpressionError::Limit { at, message } => {
                Self { kind: ErrorKind::Budget, ..Self::at(text, at, message) }
            }
            ExpressionError::File { message } => Self::input(message),
            ExpressionError::Unreadable { message } => Self::new(ErrorKind::File, message),
            ExpressionError::Interrupted { interrupted, .. } => {
                Self::interrupted(interrupted, &error)
            }
        }
    }

    pub(crate) fn notation(text: &str, error: NotationError) -> Self {
        Self::at(text, error.at, error.message)
    }

    pub(crate) fn read(error: &ReadError) -> Self {
        let failure = match error.kind {
            ReadErrorKind::Interrupted(interrupted) => Self::interrupted(interrupted, error),
            _ => Self::input(error.to_string()),
        };
        Self { place: Some((error.line, error.column)), ..failure }
    }

    /// The same where places in what was read are not those in the request.
    pub(crate) fn without_place(self) -> Self {
        Self { place: None, ..self }
    }

    pub(crate) fn solution(error: &SolutionError) -> Self {
        match error.interrupted() {
            Some(interrupted) => Self::interrupted(interrupted, error),
            None if error.is_limit_of_rules() => Self::new(ErrorKind::Budget, error.to_string()),
            None => Self::input(error.to_string()),
        }
    }

    pub(crate) fn answer(error: &AnswerError) -> Self {
        match (error.interrupted(), error) {
            (Some(interrupted), error) => Self::interrupted(interrupted, error),
            (None, AnswerError::Fault(Fault::Rules(_))) => Self::input(error.to_string()),
            (None, _) => Self::new(ErrorKind::Budget, error.to_string()),
        }
    }

    /// A limit, or the token that is set when the time is over.
    pub(crate) fn interrupted(interrupted: Interrupted, error: &dyn std::fmt::Display) -> Self {
        let kind = match interrupted.limit() {
            Some(Limit::Positions | Limit::Bytes) => ErrorKind::Budget,
            Some(Limit::Time) | None => ErrorKind::Time,
        };
        Self { interrupted: Some(interrupted), ..Self::new(kind, error.to_string()) }
    }

    /// A limit that was hit, in its own words.
    pub(crate) fn limit(interrupted: Interrupted) -> Self {
        Self::interrupted(interrupted, &interrupted)
    }

    /// Why an impartial game cannot be added to a partizan one, at a byte of the expression.
    pub(crate) fn impartial(text: &str, at: usize, error: &ImpartialError) -> Self {
        match error {
            ImpartialError::Interrupted { interrupted, .. } => {
                Self::interrupted(*interrupted, error)
            }
            ImpartialError::Rules(message) => Self::input(message),
            ImpartialError::Limit(message) => Self::new(ErrorKind::Budget, message),
            _ => Self::at(text, at, error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_the_row_that_the_table_shows() {
        let source = include_str!("error.rs");
        for kind in ErrorKind::ALL {
            let Row { name, exit_code, http_status, python } = kind.row();
            let documented =
                source.lines().take_while(|line| line.starts_with("//!")).any(|line| {
                    line.contains(&format!("`{name}`"))
                        && line.contains(&format!("| {exit_code} |"))
                        && line.contains(&http_status.to_string())
                        && line.contains(&format!("`{python}`"))
                });
            assert!(documented, "{name}");
        }
    }
}

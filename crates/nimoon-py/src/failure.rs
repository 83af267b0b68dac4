//! What can go wrong, as the exceptions of `nimoon._errors`.
//!
//! Which exception an error is, is in the table of `nimoon_session::Error`.

use nimoon::Fault;
use nimoon::limits::Interrupted;
use nimoon::notation::NotationError;
use nimoon::solve::solution::{AnswerError, SolutionError};
use nimoon_formats::read::{ReadError, ReadErrorKind, line_and_column};
use nimoon_session::expression::ExpressionError;
use nimoon_store::StoreError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The exception for a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `InputError`: what was given is wrong.
    Input,
    /// `BudgetError`: a budget was hit.
    Budget,
    /// `FileError`: a file cannot be read.
    File,
    /// `NimoonError` itself: somebody asked to stop, or a bug.
    Other,
}

/// Everything but an answer.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    message: String,
    /// The line and column in the text that was given, where there is a place.
    place: Option<(usize, usize)>,
    /// What is known all the same, as the JSON and the text of a writer.
    known: Option<(String, String)>,
}

/// How the limits are called: of positions, bytes and time.
pub(crate) const LIMITS: [&str; 3] = ["`budget`", "`memory`", "`time`"];

impl Failure {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), place: None, known: None }
    }

    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Kind::Input, message)
    }

    /// A limit and how to raise it, or an interruption; `message` says which.
    pub(crate) fn over(interrupted: Interrupted, message: impl std::fmt::Display) -> Self {
        match interrupted {
            Interrupted::OverBudget { .. } => {
                Self::new(Kind::Budget, interrupted.advise(message, LIMITS))
            }
            _ => Self::bug(message),
        }
    }

    /// The same for a text at whose byte it happened.
    pub(crate) fn over_at(
        text: &str,
        at: usize,
        interrupted: Interrupted,
        message: impl std::fmt::Display,
    ) -> Self {
        let Self { kind, message, .. } = Self::over(interrupted, message);
        Self::at(text, at, message).of_kind(kind)
    }

    /// Something that only a bug can cause.
    pub(crate) fn bug(error: impl std::fmt::Display) -> Self {
        Self::new(Kind::Other, error.to_string())
    }

    /// Wrong input at a byte of a text.
    pub(crate) fn at(text: &str, at: usize, message: impl std::fmt::Display) -> Self {
        let (line, column) = line_and_column(text.as_bytes(), at.min(text.len()));
        let message = format!("{line}:{column}: {message}");
        Self { place: Some((line, column)), ..Self::input(message) }
    }

    /// The same at this line and column.
    pub(crate) fn placed(self, place: Option<(usize, usize)>) -> Self {
        Self { place, ..self }
    }

    /// The same as another kind of failure.
    pub(crate) fn of_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// The same with what is known.
    pub(crate) fn knowing(self, json: String, text: String) -> Self {
        Self { known: Some((json, text)), ..self }
    }

    pub(crate) fn is_budget(&self) -> bool {
        self.kind == Kind::Budget
    }

    pub(crate) fn expression(text: &str, error: ExpressionError) -> Self {
        match error {
            ExpressionError::Text { at, message } | ExpressionError::Vacant { at, message } => {
                Self::at(text, at, message)
            }
            ExpressionError::Limit { at, message } => {
                Self::at(text, at, message).of_kind(Kind::Budget)
            }
            ExpressionError::Unreadable { message } => Self::new(Kind::File, message),
            ExpressionError::Interrupted { interrupted, .. } => Self::over(interrupted, error),
            error => Self::input(error.to_string()),
        }
    }

    /// A store that cannot be used: a file of another kind is bad input.
    pub(crate) fn store(error: &StoreError) -> Self {
        let kind = if error.is_wrong_file() { Kind::Input } else { Kind::File };
        Self::new(kind, error.to_string())
    }

    pub(crate) fn notation(text: &str, error: &NotationError) -> Self {
        Self::at(text, error.at, &error.message)
    }

    pub(crate) fn read(name: Option<&str>, error: &ReadError) -> Self {
        let name = name.map_or(String::new(), |name| format!("{name}: "));
        let place = Some((error.line, error.column));
        let message = format!("{name}{error}");
        match error.kind {
            ReadErrorKind::Interrupted(interrupted) => Self::over(interrupted, message),
            _ => Self { place, ..Self::input(message) },
        }
    }

    pub(crate) fn solution(error: &SolutionError) -> Self {
        match error.interrupted() {
            Some(interrupted) => Self::over(interrupted, error),
            None if error.is_limit_of_rules() => Self::new(Kind::Budget, error.to_string()),
            None => Self::input(error.to_string()),
        }
    }

    pub(crate) fn answer(error: &AnswerError) -> Self {
        match error {
            AnswerError::Interrupted(interrupted)
            | AnswerError::Search(interrupted)
            | AnswerError::Explaining(interrupted)
            | AnswerError::Fault(Fault::Interrupted(interrupted)) => {
                Self::over(*interrupted, error)
            }
            AnswerError::Fault(Fault::TooMany { .. }) => {
                Self::new(Kind::Budget, format!("{error}; raise it with {}", LIMITS[0]))
            }
            AnswerError::Fault(Fault::Rules(message)) => Self::input(message.clone()),
            _ => Self::new(Kind::Budget, error.to_string()),
        }
    }

    pub(crate) fn interrupted(error: Interrupted) -> Self {
        Self::over(error, error)
    }

    fn raised(self, py: Python<'_>) -> PyResult<PyErr> {
        static INPUT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static BUDGET: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static FILE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static OTHER: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let (class, name) = match self.kind {
            Kind::Input => (&INPUT, "InputError"),
            Kind::Budget => (&BUDGET, "BudgetError"),
            Kind::File => (&FILE, "FileError"),
            Kind::Other => (&OTHER, "NimoonError"),
        };
        let class = class.import(py, "nimoon._errors", name)?;
        let exception = class.call1((self.message,))?;
        if let Some((line, column)) = self.place {
            exception.setattr("line", line)?;
            exception.setattr("column", column)?;
        }
        if let Some(known) = self.known {
            exception.setattr("_known", known)?;
        }
        Ok(PyErr::from_value(exception))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| failure.raised(py).unwrap_or_else(|error| error))
    }
}

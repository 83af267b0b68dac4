//! The errors of the API: one shape, and the status of each kind.
//!
//! | kind | status | exit code of the command line |
//! |---|---:|---:|
//! | `request`: the request is no JSON of the right shape | 400 | 2 |
//! | `input`: what it asks about is wrong | 422 | 2 |
//! | `file`: a file that did not come with the request | 422 | 1 |
//! | `budget`: the budget was hit before anything was known | 422 | 3 |
//! | `time`: the time was over before anything was known | 504 | 3 |
//! | `busy`: too many slow requests wait | 503 | |
//! | `origin`: a page or a host that may not ask | 403 | |
//! | `not-found`, `method`, `media-type`, `too-large` | 404, 405, 415, 413 | |
//! | `bug`: anything else | 500 | 1 |
//!
//! Where something is known although a budget was hit, that is the answer, with status 200; the header
//! `nimoon-budget` then says what is missing.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use nimoon::effort::{Interrupted, Limit};
use nimoon::solution::{AnswerError, SolutionError};
use nimoon::{Fault, NotationError};
use nimoon_formats::read::{ReadError, ReadErrorKind, line_and_column};
use nimoon_rulesets::expression::ExpressionError;
use serde::Serialize;

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Request,
    Input,
    File,
    Budget,
    Time,
    Busy,
    Origin,
    NotFound,
    Method,
    MediaType,
    TooLarge,
    Bug,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Input => "input",
            Self::File => "file",
            Self::Budget => "budget",
            Self::Time => "time",
            Self::Busy => "busy",
            Self::Origin => "origin",
            Self::NotFound => "not-found",
            Self::Method => "method",
            Self::MediaType => "media-type",
            Self::TooLarge => "too-large",
            Self::Bug => "bug",
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Self::Request => StatusCode::BAD_REQUEST,
            Self::Input | Self::File | Self::Budget => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Time => StatusCode::GATEWAY_TIMEOUT,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Origin => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Bug => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// Everything but an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    message: String,
    /// The line and column in the text that was given, where there is a place.
    place: Option<(usize, usize)>,
}

impl Failure {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), place: None }
    }

    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Kind::Input, message)
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
        Self { place, ..Self::new(Kind::Request, message) }
    }

    pub(crate) fn expression(text: &str, error: ExpressionError) -> Self {
        match error {
            ExpressionError::Text { at, message } | ExpressionError::Vacant { at, message } => {
                Self::at(text, at, message)
            }
            ExpressionError::File { message } => Self::input(message),
            ExpressionError::Unreadable { message } => Self::new(Kind::File, message),
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
            None => Self::input(error.to_string()),
        }
    }

    pub(crate) fn answer(error: &AnswerError) -> Self {
        match (error.interrupted(), error) {
            (Some(interrupted), error) => Self::interrupted(interrupted, error),
            (None, AnswerError::Fault(Fault::Rules(_))) => Self::input(error.to_string()),
            (None, _) => Self::new(Kind::Budget, error.to_string()),
        }
    }

    /// A limit, or the token that is set when the time is over.
    pub(crate) fn interrupted(interrupted: Interrupted, error: &dyn std::fmt::Display) -> Self {
        let kind = match interrupted.limit() {
            Some(Limit::Positions | Limit::Bytes) => Kind::Budget,
            Some(Limit::Time) | None => Kind::Time,
        };
        Self::new(kind, error.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response<Body> {
        #[derive(Serialize)]
        struct Json<'a> {
            kind: &'a str,
            message: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            line: Option<usize>,
            #[serde(skip_serializing_if = "Option::is_none")]
            column: Option<usize>,
        }
        #[derive(Serialize)]
        struct Shape<'a> {
            error: Json<'a>,
        }
        let (line, column) = self.place.unzip();
        let error = Json { kind: self.kind.name(), message: &self.message, line, column };
        let json = serde_json::to_vec(&Shape { error }).unwrap_or_default();
        let mut response = Response::new(Body::from(json));
        *response.status_mut() = self.kind.status();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.kind == Kind::Busy {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        response
    }
}

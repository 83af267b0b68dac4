//! Errors as HTTP responses. Which status an error has is in the table of
//! [`nimoon_session::Error`].
//!
//! Where something is known although a limit was hit, that is the answer, with status 200; the
//! header `nimoon-budget` then says what is missing.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use nimoon_session::{Answer, Error, ErrorKind, ErrorReport};
use serde::Serialize;

/// An error that is sent as a response.
#[derive(Clone, Debug)]
pub(crate) struct Failure(pub(crate) Error);

impl Failure {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Error::new(kind, message))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response<Body> {
        #[derive(Serialize)]
        struct Shape<'a> {
            error: ErrorReport<'a>,
        }
        let Self(error) = self;
        let json = serde_json::to_vec(&Shape { error: error.report() }).unwrap_or_default();
        let mut response = Response::new(Body::from(json));
        *response.status_mut() = StatusCode::from_u16(error.kind.http_status())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if error.kind == ErrorKind::Busy {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        response
    }
}

/// An answer that is sent as a response.
pub(crate) struct Answered(pub(crate) Answer);

impl IntoResponse for Answered {
    fn into_response(self) -> Response<Body> {
        let Self(answer) = self;
        let body = match answer.body() {
            Ok(body) => body,
            Err(error) => return Failure(error).into_response(),
        };
        let mut response = Response::new(Body::from(body));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(answer.media_type()));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(message) = answer.missing.map(|error| error.message).or(answer.note) {
            // A header holds visible ASCII alone; messages do, but names in them may not.
            let plain = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
            let message: String = message.chars().map(plain).collect();
            if let Ok(message) = HeaderValue::from_str(&message) {
                headers.insert(HeaderName::from_static("nimoon-budget"), message);
            }
        }
        response
    }
}

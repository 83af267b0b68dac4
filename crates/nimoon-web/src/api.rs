//! Everything below `/api`: each question by `POST /api/NAME` with its fields as JSON, and the
//! description of them all.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use nimoon_session::{Door, ErrorKind, Question, Session};

use crate::failure::{Answered, Failure};
use crate::lanes::Lanes;
use crate::openapi;

/// How long a body may take to come.
const PATIENCE: Duration = Duration::from_secs(10);

/// What all requests share.
#[derive(Clone)]
struct Desk {
    lanes: Lanes,
    session: Arc<Session>,
}

pub(crate) fn routes(lanes: Lanes) -> Router {
    let desk = Desk { lanes, session: Arc::new(Session::new(Door::Network)) };
    Router::new()
        .route("/openapi.json", get(document))
        .route("/rulesets", get(rulesets).post(rulesets))
        .route("/{question}", post(question))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown)
        .with_state(desk)
}

async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], openapi::DOCUMENT.as_str())
}

async fn wrong_method(request: Request) -> Failure {
    let name = request.uri().path().rsplit('/').next().unwrap_or_default();
    if Question::NAMES.contains(&name) || name == "openapi.json" {
        let message = "this path is asked by POST with a JSON body, or by GET for lists";
        return Failure::new(ErrorKind::Method, message);
    }
    unknown().await
}

async fn unknown() -> Failure {
    Failure::new(ErrorKind::NotFound, "there is no such path: /api/openapi.json lists them")
}

async fn rulesets(state: State<Desk>, request: Request) -> Result<Answered, Failure> {
    if request.method() == axum::http::Method::GET {
        return answer(state, "rulesets", b"{}").await;
    }
    let body = body(request).await?;
    answer(state, "rulesets", &body).await
}

async fn question(
    state: State<Desk>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Answered, Failure> {
    if !Question::NAMES.contains(&name.as_str()) {
        return Err(unknown().await);
    }
    let body = body(request).await?;
    answer(state, &name, &body).await
}

async fn answer(state: State<Desk>, name: &str, body: &[u8]) -> Result<Answered, Failure> {
    let State(Desk { lanes, session }) = state;
    let (question, wanted) = Question::read(name, body)?;
    let slow = question.is_slow();
    let answer = lanes.run(slow, wanted, move |work| session.ask(&question, work)).await;
    answer.map(Answered).map_err(Failure)
}

/// The JSON body of a request.
async fn body(request: Request) -> Result<Bytes, Failure> {
    // Another type could be sent by any page without asking first.
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        let message = "expected the content type application/json";
        return Err(Failure::new(ErrorKind::MediaType, message));
    }
    let read = tokio::time::timeout(PATIENCE, Bytes::from_request(request, &())).await;
    let Ok(read) = read else {
        let message = "the body of the request did not come in time";
        return Err(Failure::new(ErrorKind::Time, message));
    };
    read.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let message = "the request has more bytes than the limit allows";
            Failure::new(ErrorKind::TooLarge, message)
        }
        _ => Failure::new(ErrorKind::Request, rejection.body_text()),
    })
}

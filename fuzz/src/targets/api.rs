//! Requests to the server of the page, without a network.

use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use nimoon_web::{Limits, Settings, router};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt as _;

use crate::limits::POSITIONS;

/// The most bytes of an answer to a request as small as these.
const MOST: usize = 8 << 20;

fn server() -> &'static (Runtime, Router) {
    static SERVER: OnceLock<(Runtime, Router)> = OnceLock::new();
    SERVER.get_or_init(|| {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let limits =
            Limits { positions: POSITIONS, time: Duration::from_secs(8), ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        (runtime.expect("there are threads"), router(settings))
    })
}

pub(super) fn api(bytes: &[u8]) {
    let _ = answered(bytes);
}

/// The first line has the method, if it is not POST, and the path; the rest is the body. Checks the
/// answer and returns it; none if this is not a request.
fn answered(bytes: &[u8]) -> Option<(StatusCode, String)> {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (line, body) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let line = std::str::from_utf8(line).ok()?;
    let (method, path) = line.split_once(' ').unwrap_or(("POST", line));
    let method = method.parse::<Method>().ok()?;
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/api/{path}") };
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "127.0.0.1:6174")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_vec()))
        .ok()?;
    let (runtime, router) = server();
    let (status, is_json, answer) = runtime.block_on(async {
        let response = router.clone().oneshot(request).await.expect("there is an answer");
        let (parts, body) = response.into_parts();
        let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let is_json = kind.is_some_and(|kind| kind.starts_with("application/json"));
        (parts.status, is_json, to_bytes(body, MOST).await.expect("the answer is bounded"))
    });
    let shown = || String::from_utf8_lossy(&answer[..answer.len().min(400)]).into_owned();
    let json: Option<serde_json::Value> =
        is_json.then(|| serde_json::from_slice(&answer).expect("it is JSON"));
    // Running out of time is an answer; anything else above 500 is a fault of the server.
    let is_late = status == StatusCode::GATEWAY_TIMEOUT
        && json.as_ref().is_some_and(|json| json["error"]["kind"] == "time");
    assert!(is_late || !status.is_server_error(), "{status}: {}", shown());
    if let Some(json) = json {
        let has_message =
            json["error"]["message"].as_str().is_some_and(|message| !message.is_empty());
        let ok = matches!(status, StatusCode::OK | StatusCode::NO_CONTENT);
        assert!(ok || has_message, "{status}: {}", shown());
    }
    Some((status, shown()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_is_a_request_that_is_answered() {
        let seeds = crate::seeds("api");
        let refused = seeds.iter().filter_map(|seed| {
            let (status, answer) = answered(seed).expect("it is a request");
            let asked = String::from_utf8_lossy(seed);
            // A browser sends this for a page of another origin, which the server does not allow.
            let expected = if asked.starts_with("OPTIONS") {
                StatusCode::METHOD_NOT_ALLOWED
            } else {
                StatusCode::OK
            };
            (status != expected).then(|| format!("{asked}\n{status} {answer}"))
        });
        assert_eq!(refused.collect::<Vec<_>>(), Vec::<String>::new());
    }
}

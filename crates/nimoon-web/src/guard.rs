//! Who may ask, and the headers of every answer.
//!
//! A page of another origin can make a browser send requests here, and with a name that it lets
//! point to
//! 127.0.0.1 it can even read the answers (DNS rebinding). So the host that a request names must be an address,
//! `localhost`, or the name that the server listens on; and the origin of the page must be the same
//! host, or an allowed one.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use axum::middleware::Next;
use axum::response::IntoResponse;

use nimoon_session::ErrorKind;

use crate::failure::Failure;
use crate::settings::Settings;

/// Nothing but what the server itself sends; no inline scripts or styles, no frames, no forms.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

pub(crate) struct Guard {
    settings: Settings,
}

impl Guard {
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// The origin to answer to, if the request comes from a page that was allowed.
    fn judge<'a>(&self, headers: &'a HeaderMap) -> Result<Option<&'a HeaderValue>, Failure> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let refused = |message: String| Failure::new(ErrorKind::Origin, message);
        let host = text(header::HOST).unwrap_or_default();
        if !self.is_own(host) {
            return Err(refused(format!(
                "the host `{host}` is not served here: use the address that `nimoon serve` printed"
            )));
        }
        let Some(origin) = text(header::ORIGIN) else { return Ok(None) };
        if self.settings.origins.iter().any(|allowed| allowed.as_str() == origin) {
            return Ok(headers.get(header::ORIGIN));
        }
        let same = origin.split_once("://").is_some_and(|(_, from)| from == host);
        if same {
            return Ok(None);
        }
        Err(refused(format!(
            "pages of `{origin}` may not ask: start the server with --allow-origin to let them"
        )))
    }

    /// Whether a host is an address, which no page can make point elsewhere, or known.
    fn is_own(&self, host: &str) -> bool {
        let bracketed = host.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        if let Some((address, _)) = bracketed {
            return address.parse::<Ipv6Addr>().is_ok();
        }
        let name = host.split_once(':').map_or(host, |(name, _)| name);
        name.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || name.eq_ignore_ascii_case(&self.settings.host)
    }
}

/// Lets through who may ask, and adds the headers.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let judged = guard.judge(request.headers()).map(Option::<&_>::cloned);
    let mut response = match &judged {
        Err(refused) => refused.clone().into_response(),
        Ok(Some(_)) if request.method() == Method::OPTIONS => preflight(),
        Ok(_) => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if guard.settings.frames {
        headers.remove(header::X_FRAME_OPTIONS);
        let policy = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *");
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    let resources = match judged {
        Ok(Some(origin)) => {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            let exposed = HeaderValue::from_static("nimoon-budget");
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
            "cross-origin"
        }
        _ => "same-origin",
    };
    let name = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(name, HeaderValue::from_static(resources));
    response
}

/// The answer to a browser that asks whether an allowed page may ask.
fn preflight() -> Response<Body> {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    let (methods, names) = ("GET, POST", "content-type");
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(names));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

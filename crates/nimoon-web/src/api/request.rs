//! Requests: JSON in a body of limited size.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use nimoon::Theory;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::failure::{Failure, Kind};

/// A request that was read, and how much may be done for it.
pub(super) struct Asked<T>(pub(super) T, pub(super) Wanted);

/// The limits that a request sets itself: those of the server hold too.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct Wanted {
    /// The most positions to look at.
    pub(crate) budget: Option<u64>,
    /// The most bytes to hold.
    pub(crate) memory: Option<u64>,
    /// After how many seconds to answer with what is known.
    pub(crate) time: Option<Seconds>,
}

impl Wanted {
    const NAMES: [&str; 3] = ["budget", "memory", "time"];
}

/// A time to wait.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "f64")]
pub(crate) struct Seconds(pub(crate) Duration);

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Self, String> {
        Duration::try_from_secs_f64(seconds)
            .map(Self)
            .map_err(|_| format!("`time` is a number of seconds from 0 on, not {seconds}"))
    }
}

/// Reads a request. Limits may stand in every one, and all other fields are for the request to know.
fn asked<T: DeserializeOwned>(bytes: &[u8]) -> Result<Asked<T>, serde_json::Error> {
    let refused = match serde_json::from_slice(bytes) {
        Ok(request) => return Ok(Asked(request, Wanted::default())),
        Err(refused) => refused,
    };
    let Ok(mut object) = serde_json::from_slice::<Map<String, Value>>(bytes) else {
        return Err(refused);
    };
    let limits: Map<String, Value> =
        Wanted::NAMES.into_iter().filter_map(|name| object.remove_entry(name)).collect();
    if limits.is_empty() {
        // With its place, which is known no more where limits were taken out.
        return Err(refused);
    }
    let wanted = Wanted::deserialize(Value::Object(limits))?;
    Ok(Asked(T::deserialize(Value::Object(object))?, wanted))
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Asked<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        // Another type could be sent by any page without asking first.
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            let message = "expected the content type application/json";
            return Err(Failure::new(Kind::MediaType, message));
        }
        let read = tokio::time::timeout(PATIENCE, Bytes::from_request(request, state)).await;
        let Ok(read) = read else {
            return Err(Failure::new(Kind::Time, "the body of the request did not come in time"));
        };
        let bytes = read.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Failure::new(Kind::TooLarge, "the request has more bytes than the limit allows")
            }
            _ => Failure::new(Kind::Request, rejection.body_text()),
        })?;
        asked(&bytes).map_err(|error| Failure::request(&error))
    }
}

/// How long a body may take to come.
const PATIENCE: Duration = Duration::from_secs(10);

/// A theory by its name; none for `auto`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chosen(pub(super) Option<Theory>);

impl<'de> Deserialize<'de> for Chosen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name == "auto" {
            return Ok(Self(None));
        }
        name.parse().map(|theory| Self(Some(theory))).map_err(|_| {
            let names = Theory::ALL.map(Theory::name).join(", ");
            serde::de::Error::custom(format!("`{name}` is no theory: expected auto, {names}"))
        })
    }
}

/// How many turns are listed.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "usize")]
pub(super) struct TurnLimit(pub(super) usize);

impl Default for TurnLimit {
    fn default() -> Self {
        Self(100)
    }
}

impl TryFrom<usize> for TurnLimit {
    type Error = String;

    fn try_from(limit: usize) -> Result<Self, String> {
        const MOST: usize = 1000;
        if limit <= MOST {
            Ok(Self(limit))
        } else {
            Err(format!("at most {MOST} turns are listed"))
        }
    }
}

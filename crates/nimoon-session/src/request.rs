//! Requests as JSON: the fields of a question, and the limits that the one who asks sets.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use nimoon::Theory;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::{Error, Work};

/// The fields of a question, and the limits that came with them.
pub(crate) struct Asked<T>(pub(crate) T, pub(crate) Wanted);

/// The limits that a request sets itself. Those of the door that it comes through hold too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema)]
pub struct Wanted {
    /// The most positions to visit; a server may allow less.
    pub budget: Option<u64>,
    /// The most bytes to hold; a server may allow less.
    pub memory: Option<u64>,
    /// After how many seconds to answer with what is known; a server may allow less.
    #[schemars(with = "Option<f64>", range(min = 0.0))]
    pub time: Option<Duration>,
}

impl Wanted {
    const NAMES: [&str; 3] = ["budget", "memory", "time"];

    /// Takes a limit; null is none.
    fn set<E: serde::de::Error>(&mut self, name: &str, value: &Value) -> Result<(), E> {
        let wrong =
            |what: &str| E::custom(format_args!("`{name}` is {what} from 0 on, not {value}"));
        let whole = |what| match value {
            Value::Null => Ok(None),
            value => value.as_u64().map(Some).ok_or_else(|| wrong(what)),
        };
        match name {
            "budget" => self.budget = whole("a whole number of positions")?,
            "memory" => self.memory = whole("a whole number of bytes")?,
            _ if value.is_null() => self.time = None,
            _ => {
                let seconds = value.as_f64().map(Duration::try_from_secs_f64);
                let seconds = seconds.and_then(Result::ok);
                self.time = Some(seconds.ok_or_else(|| wrong("a number of seconds"))?);
            }
        }
        Ok(())
    }
}

/// Reads the fields of a question from JSON. Limits may stand beside those of every question.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<Asked<T>, Error> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let asked = reader.deserialize_map(Object(PhantomData));
    let asked = asked.and_then(|asked| reader.end().map(|()| asked));
    asked.map_err(|error| Error::request(&error))
}

/// The object that a request is.
struct Object<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for Object<T> {
    type Value = Asked<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the fields of this request")
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Asked<T>, A::Error> {
        let mut fields = Fields { access, wanted: Wanted::default(), taken: [false; 3] };
        let request = T::deserialize(MapAccessDeserializer::new(&mut fields));
        let request = request.map_err(|refused| match refused {
            Refused::Inner(error) => error,
            Refused::Here(message) => serde::de::Error::custom(message),
        })?;
        Ok(Asked(request, fields.wanted))
    }
}

/// The fields of a request, without the limits, which are taken out.
struct Fields<A> {
    access: A,
    wanted: Wanted,
    /// Which limits were there.
    taken: [bool; 3],
}

/// Why the fields are not a request: something in a field, or the fields themselves.
#[derive(Debug)]
enum Refused<E> {
    Inner(E),
    Here(String),
}

impl<E: fmt::Display> fmt::Display for Refused<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inner(error) => error.fmt(f),
            Self::Here(message) => f.write_str(message),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Refused<E> {}

impl<E: fmt::Debug + fmt::Display> serde::de::Error for Refused<E> {
    fn custom<M: fmt::Display>(message: M) -> Self {
        Self::Here(message.to_string())
    }

    /// The limits are fields too.
    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let known = expected.iter().copied().chain(Wanted::NAMES);
        let known: Vec<_> = known.map(|name| format!("`{name}`")).collect();
        Self::Here(format!("unknown field `{field}`, expected one of {}", known.join(", ")))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for &mut Fields<A> {
    type Error = Refused<A::Error>;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error> {
        while let Some(key) = self.access.next_key::<String>().map_err(Refused::Inner)? {
            let Some(limit) = Wanted::NAMES.iter().position(|&name| name == key) else {
                return seed.deserialize(key.into_deserializer()).map(Some);
            };
            if std::mem::replace(&mut self.taken[limit], true) {
                return Err(serde::de::Error::duplicate_field(Wanted::NAMES[limit]));
            }
            let value: Value = self.access.next_value().map_err(Refused::Inner)?;
            self.wanted.set(&key, &value)?;
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error> {
        self.access.next_value_seed(seed).map_err(Refused::Inner)
    }
}

/// A theory by its name; none for `auto`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chosen(pub(crate) Option<Theory>);

impl JsonSchema for Chosen {
    fn schema_name() -> Cow<'static, str> {
        "ChosenTheory".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = ["auto"].into_iter().chain(Theory::ALL.map(Theory::name)).collect();
        json_schema!({ "type": "string", "enum": names, "default": "auto" })
    }
}

impl<'de> Deserialize<'de> for Chosen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name == "auto" {
            return Ok(Self(None));
        }
        name.parse().map(|theory| Self(Some(theory))).map_err(|_| {
            let names = Theory::ALL.map(Theory::name).join(", ");
            serde::de::Error::custom(format!("unknown theory `{name}`: expected auto, {names}"))
        })
    }
}

/// How the turn to play is chosen, where the values say who wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChosenTurn {
    /// Any turn that comes to an end: by search if all positions of the sum are few, by a measure otherwise.
    #[default]
    Any,
    /// The turn that wins fastest or loses slowest, by search as far as the limit of positions allows.
    Quickest,
}

impl ChosenTurn {
    /// The same work, for this choice of a turn.
    pub(crate) fn within(self, work: &Work) -> Work {
        match self {
            Self::Any => work.clone(),
            Self::Quickest => work.child(work.limits().quickest()),
        }
    }
}

/// How many turns are listed.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "u64")]
#[schemars(inline, extend("maximum" = 1000))]
pub(crate) struct TurnLimit(pub(crate) usize);

impl Default for TurnLimit {
    fn default() -> Self {
        Self(100)
    }
}

impl TryFrom<u64> for TurnLimit {
    type Error = String;

    fn try_from(limit: u64) -> Result<Self, String> {
        const MOST: u64 = 1000;
        if limit <= MOST {
            Ok(Self(limit as usize))
        } else {
            Err(format!("at most {MOST} turns are listed"))
        }
    }
}

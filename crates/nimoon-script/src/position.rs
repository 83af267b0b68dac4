//! Positions of scripts: values of the language that can be compared and hashed.

use std::fmt;
use std::sync::Arc;

use rhai::{Array, Dynamic, INT, Map};

use crate::engine::{Choice, Reason};
use crate::error::Problem;
use crate::limits::Limits;

/// A position: an integer, a truth value, a character, a string, or an array or object map of
/// these.
///
/// Depth and size are bounded by [`Limits`], so that comparing, hashing and dropping one never
/// needs much stack. A copy costs nothing: the contents are shared.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position(pub(crate) Value);

/// What a position is.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Value {
    Integer(INT),
    Truth(bool),
    Character(char),
    Text(Arc<str>),
    Array(Arc<[Value]>),
    /// In the order of the names, each once.
    Map(Arc<[(Arc<str>, Value)]>),
    /// A sum of positions, made by `sum` and `splits`.
    Sum(Arc<[Value]>),
}

/// A sum of positions, as a value of the language.
#[derive(Clone)]
pub(crate) struct Sum(pub(crate) Arc<[Value]>);

/// What is left of the limits while a value is turned into a position.
pub(crate) struct Room<'a> {
    left: usize,
    limits: &'a Limits,
}

impl<'a> Room<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Self { left: limits.position, limits }
    }

    /// How deep arrays and maps may stand in each other.
    pub(crate) fn depth(&self) -> usize {
        self.limits.depth
    }

    /// How much was taken.
    pub(crate) fn taken(&self) -> usize {
        self.limits.position - self.left
    }

    pub(crate) fn take(&mut self, size: usize) -> Result<(), Reason> {
        let left = self.left.checked_sub(size);
        self.left = left.ok_or_else(|| self.limits.broken("position"))?;
        Ok(())
    }

    /// How deep the elements of an array or a map may be that may itself be so deep.
    pub(crate) fn deeper(&self, depth: usize) -> Result<usize, Reason> {
        depth.checked_sub(1).ok_or_else(|| self.limits.broken("depth"))
    }
}

impl Position {
    /// Turns a value of the language into a position.
    pub(crate) fn from_script(value: &Dynamic, room: &mut Room) -> Result<Self, Reason> {
        let depth = room.depth();
        Value::from_script(value, depth, room).map(Self)
    }

    /// The value of the language.
    pub(crate) fn to_script(&self) -> Dynamic {
        self.0.to_script()
    }
}

impl Value {
    fn from_script(value: &Dynamic, depth: usize, room: &mut Room) -> Result<Self, Reason> {
        room.take(1)?;
        if let Ok(integer) = value.as_int() {
            Ok(Self::Integer(integer))
        } else if let Ok(truth) = value.as_bool() {
            Ok(Self::Truth(truth))
        } else if let Ok(character) = value.as_char() {
            Ok(Self::Character(character))
        } else if let Ok(text) = value.as_immutable_string_ref() {
            room.take(text.len())?;
            Ok(Self::Text(text.as_str().into()))
        } else if let Ok(array) = value.as_array_ref() {
            let depth = room.deeper(depth)?;
            array
                .iter()
                .map(|value| Self::from_script(value, depth, room))
                .collect::<Result<_, _>>()
                .map(Self::Array)
        } else if let Ok(map) = value.as_map_ref() {
            let depth = room.deeper(depth)?;
            let properties = map.iter().map(|(name, value)| {
                room.take(name.len())?;
                Ok((Arc::from(name.as_str()), Self::from_script(value, depth, room)?))
            });
            properties.collect::<Result<_, Reason>>().map(Self::Map)
        } else if let Some(sum) = value.read_lock::<Sum>() {
            room.take(sum.0.iter().map(Self::size).sum())?;
            Ok(Self::Sum(Arc::clone(&sum.0)))
        } else {
            Err(not_a_position(value))
        }
    }

    /// How much of the limit of positions it takes.
    pub(crate) fn size(&self) -> usize {
        1 + match self {
            Self::Integer(_) | Self::Truth(_) | Self::Character(_) => 0,
            Self::Text(text) => text.len(),
            Self::Array(values) | Self::Sum(values) => values.iter().map(Self::size).sum(),
            Self::Map(map) => map.iter().map(|(name, value)| name.len() + value.size()).sum(),
        }
    }

    fn to_script(&self) -> Dynamic {
        match self {
            Self::Sum(parts) => Dynamic::from(Sum(Arc::clone(parts))),
            Self::Integer(integer) => (*integer).into(),
            Self::Truth(truth) => (*truth).into(),
            Self::Character(character) => (*character).into(),
            Self::Text(text) => (&**text).into(),
            Self::Array(array) => array.iter().map(Self::to_script).collect::<Array>().into(),
            Self::Map(map) => map
                .iter()
                .map(|(name, value)| ((&**name).into(), value.to_script()))
                .collect::<Map>()
                .into(),
        }
    }
}

/// Why a value is not a position.
fn not_a_position(value: &Dynamic) -> Reason {
    let message = format!(
        "a position is made of integers, booleans, characters, strings, arrays and object maps; \
         found {}",
        in_words(value)
    );
    (Problem::Rules, message)
}

/// What a value is, in words.
pub(crate) fn in_words(value: &Dynamic) -> String {
    match value.type_name() {
        _ if value.is::<Choice>() => "a move".to_owned(),
        _ if value.is::<Sum>() => "a sum".to_owned(),
        "()" => "nothing; does a function end without a value, as after a loop?".to_owned(),
        "Fn" => "a function".to_owned(),
        "string" => "a string".to_owned(),
        "array" => "an array".to_owned(),
        "map" => "an object map".to_owned(),
        "i64" => "an integer".to_owned(),
        name => format!("a value of the type `{}`", name.rsplit("::").next().unwrap_or(name)),
    }
}

impl From<INT> for Position {
    fn from(integer: INT) -> Self {
        Self(Value::Integer(integer))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// As it would stand in a script, but `{a:1}` for `#{a: 1}`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Character(character) => quote(f, '\'', character.encode_utf8(&mut [0; 4])),
            Self::Text(text) => quote(f, '"', text),
            Self::Array(array) | Self::Sum(array) => {
                f.write_str(if matches!(self, Self::Sum(_)) { "sum[" } else { "[" })?;
                for (number, value) in array.iter().enumerate() {
                    write!(f, "{}{value}", if number == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Self::Map(map) => {
                f.write_str("{")?;
                for (number, (name, value)) in map.iter().enumerate() {
                    f.write_str(if number == 0 { "" } else { "," })?;
                    if is_plain(name) {
                        f.write_str(name)?;
                    } else {
                        quote(f, '"', name)?;
                    }
                    write!(f, ":{value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Whether the name of a property is written without quotes.
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn quote(f: &mut fmt::Formatter<'_>, mark: char, text: &str) -> fmt::Result {
    write!(f, "{mark}")?;
    for c in text.chars() {
        match c {
            '\\' => f.write_str("\\\\")?,
            c if c == mark => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    write!(f, "{mark}")
}

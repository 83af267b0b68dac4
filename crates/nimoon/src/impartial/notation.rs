//! Values as text: in Unicode for people, in ASCII that is read back.
//!
//! | value | Unicode | ASCII |
//! |---|---|---|
//! | nimber | `3` | `3` |
//! | full moon | `○` | `full-moon` |
//! | moon | `☾₀,₁` | `moon{0,1}` |
//! | ninny | `∞*₂` | `ninny{2}` |
//! | cyclic | `∞₀,₂`, `∞` | `oo{0,2}`, `oo{}` |
//! | the moon of the entailing theory | `☾` | `moon` |
//! | [control](crate::impartial::control) | `[0/1, >0]` | `[0/1, >0]` |
//!
//! `Display` gives the Unicode form, `{:#}` the ASCII one; [`AnyValue`] and [`Value`] read both.
//! Sets are written `{0,2}`, `all but {1}` and `all`, outcomes beside nim-heaps as three of them:
//! `win all but {0}, loss {0}, draw {}`; these and covers are read back too.
//! `∞*₂` for ninny 2 follows the `∞_{*n}` of [ACLNSS, §4]. That paper calls a value of this kind a
//! nymphet, so `nymphet{2}` is read too.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::impartial::control::{Control, ReadError};
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::impartial::value::{AnyValue, Cover, EntailingValue, HeapOutcomes, Value};
use crate::limits::Work;

/// Numbers as subscripts, with commas between them.
struct Subscript<'a>(&'a [u64]);

impl fmt::Display for Subscript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, n) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            for digit in n.to_string().bytes() {
                let subscript = char::from_u32('₀' as u32 + u32::from(digit - b'0'));
                write!(f, "{}", subscript.unwrap_or('?'))?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return match self {
                Self::Nimber(n) => write!(f, "{n}"),
                Self::FullMoon => write!(f, "full-moon"),
                Self::Moon(forced) => write!(f, "moon{{{forced}}}"),
                Self::Ninny(forced) => write!(f, "ninny{{{forced}}}"),
                Self::Cyclic(exits) => write!(f, "oo{{{exits}}}"),
            };
        }
        match self {
            Self::Nimber(n) => write!(f, "{n}"),
            Self::FullMoon => write!(f, "○"),
            Self::Moon(forced) => write!(f, "☾{}", Subscript(forced.as_slice())),
            Self::Ninny(forced) => write!(f, "∞*{}", Subscript(&[*forced])),
            Self::Cyclic(exits) => write!(f, "∞{}", Subscript(exits.as_slice())),
        }
    }
}

impl fmt::Display for EntailingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nimber(n) => write!(f, "{n}"),
            Self::Moon if f.alternate() => write!(f, "moon"),
            Self::Moon => write!(f, "☾"),
        }
    }
}

impl fmt::Display for HeapOutcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "win {}, loss {}, draw {}", self.win, self.loss, self.draw)?;
        self.forced.as_ref().map_or(Ok(()), |forced| write!(f, ", forced {forced}"))
    }
}

impl fmt::Display for AnyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CarryOn(value) => value.fmt(f),
            Self::Entailing(value) => value.fmt(f),
            Self::Control(value) => value.fmt(f),
            Self::General(outcomes) => outcomes.fmt(f),
        }
    }
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewMoon if f.alternate() => write!(f, "new-moon"),
            Self::NewMoon => write!(f, "●"),
            Self::FullMoon if f.alternate() => write!(f, "full-moon"),
            Self::FullMoon => write!(f, "○"),
            Self::Heaps(set) => write!(f, "{set}"),
            Self::Mixed(outcomes) => outcomes.fmt(f),
        }
    }
}

/// Why a text is not a value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueError {
    /// The text begins like no value.
    #[error(
        "`{text}` is not a value: expected a number, full-moon, moon{{0,1}}, ninny{{2}}, oo{{0,2}} or [0/1, >0]"
    )]
    Unknown {
        /// The text.
        text: String,
    },
    /// A number is missing, or is not a number below 2⁶⁴.
    #[error("`{number}` in `{text}` is not a whole number below 2^64")]
    BadNumber {
        /// The text.
        text: String,
        /// The part that should be a number.
        number: String,
    },
    /// A moon that cannot force anything, or a ninny without exactly one number.
    #[error("`{text}` needs {needed} in its braces")]
    WrongCount {
        /// The text.
        text: String,
        /// What is needed.
        needed: &'static str,
    },
    /// A text in brackets, or equations, that make no value.
    #[error(transparent)]
    Control(#[from] ReadError),
}

/// Reads `{0,2}`, `₀,₂` or nothing.
fn numbers(text: &str, rest: &str) -> Result<Nimbers, ValueError> {
    let plain: String = rest
        .chars()
        .map(|c| match c {
            '₀'..='₉' => char::from(b'0' + (c as u32 - '₀' as u32) as u8),
            c => c,
        })
        .collect();
    let plain = plain.trim();
    let inner = plain.strip_prefix('{').and_then(|r| r.strip_suffix('}')).unwrap_or(plain).trim();
    if inner.is_empty() {
        return Ok(Nimbers::EMPTY);
    }
    inner
        .split(',')
        .map(|number| {
            let number = number.trim();
            let digits = number.bytes().all(|b| b.is_ascii_digit());
            number.parse().ok().filter(|_| digits).ok_or_else(|| ValueError::BadNumber {
                text: text.to_owned(),
                number: number.to_owned(),
            })
        })
        .collect()
}

impl FromStr for Value {
    type Err = ValueError;

    /// Reads both forms; `*3` is read as the nimber 3.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let text = text.trim();
        let after = |prefixes: &[&str]| prefixes.iter().find_map(|p| text.strip_prefix(p));
        let single = |rest: &str| {
            let set = numbers(text, rest)?;
            match set.as_slice() {
                [n] => Ok(*n),
                _ => Err(ValueError::WrongCount { text: text.into(), needed: "one number" }),
            }
        };
        if text == "full-moon" || text == "○" {
            Ok(Self::FullMoon)
        } else if let Some(rest) = after(&["moon", "☾"]) {
            let forced = numbers(text, rest)?;
            if forced.is_empty() {
                let needed = "at least one number";
                return Err(ValueError::WrongCount { text: text.into(), needed });
            }
            Ok(Self::Moon(forced))
        } else if let Some(rest) = after(&["ninny", "nymphet", "∞*"]) {
            single(rest).map(Self::Ninny)
        } else if let Some(rest) = after(&["oo", "∞"]) {
            numbers(text, rest).map(Self::Cyclic)
        } else if text.starts_with(|c: char| c.is_ascii_digit() || c == '*') {
            let rest = text.strip_prefix('*').unwrap_or(text);
            // A lone star is the nimber 1, as everywhere in the literature.
            if rest.is_empty() { Ok(Self::Nimber(1)) } else { single(rest).map(Self::Nimber) }
        } else {
            Err(ValueError::Unknown { text: text.to_owned() })
        }
    }
}

impl FromStr for AnyValue {
    type Err = ValueError;

    /// Reads a [`Value`], `moon` for the moon of the entailing theory, a [`Control`], or
    /// [`HeapOutcomes`].
    fn from_str(text: &str) -> Result<Self, ValueError> {
        match text.trim() {
            "moon" | "☾" => Ok(Self::Entailing(EntailingValue::Moon)),
            text if text.starts_with("win ") => text.parse().map(Self::General),
            text if text.starts_with(['[', '(', '{']) || text.contains('=') => {
                Ok(Control::read(text, &mut Work::default())?.into())
            }
            text => text.parse().map(Self::CarryOn),
        }
    }
}

impl FromStr for NimberSet {
    type Err = ValueError;

    /// Reads `{0,2}`, `all but {1}` and `all`.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let text = text.trim();
        let set = |braces: &str| match braces.trim() {
            braces if braces.starts_with('{') && braces.ends_with('}') => numbers(text, braces),
            _ => Err(ValueError::Unknown { text: text.to_owned() }),
        };
        match text.strip_prefix("all") {
            Some("") => Ok(Self::everything()),
            Some(rest) => {
                let without = rest.trim_start().strip_prefix("but").unwrap_or(rest);
                set(without).map(Self::AllExcept)
            }
            None => set(text).map(Self::Only),
        }
    }
}

impl FromStr for HeapOutcomes {
    type Err = ValueError;

    /// Reads `win all but {0}, loss {0}, draw {}`, and `, forced {1}` after it.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let unknown = || ValueError::Unknown { text: text.to_owned() };
        let (win, rest) = text.split_once(", loss").ok_or_else(unknown)?;
        let (loss, rest) = rest.split_once(", draw").ok_or_else(unknown)?;
        let (draw, forced) = match rest.split_once(", forced") {
            Some((draw, forced)) => (draw, Some(forced.parse()?)),
            None => (rest, None),
        };
        let win = win.trim().strip_prefix("win").ok_or_else(unknown)?;
        Ok(Self { win: win.parse()?, loss: loss.parse()?, draw: draw.parse()?, forced })
    }
}

impl FromStr for Cover {
    type Err = ValueError;

    /// Reads `new-moon`, `full-moon`, a set, or outcomes.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        match text.trim() {
            "new-moon" | "●" => Ok(Self::NewMoon),
            "full-moon" | "○" => Ok(Self::FullMoon),
            text if text.starts_with("win") => text.parse().map(Self::Mixed),
            text => text.parse().map(Self::Heaps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_back() {
        let values = [
            (Value::Nimber(12), "12", "12"),
            (Value::FullMoon, "○", "full-moon"),
            (Value::Moon(Nimbers::from([0, 10])), "☾₀,₁₀", "moon{0,10}"),
            (Value::Ninny(2), "∞*₂", "ninny{2}"),
            (Value::Cyclic(Nimbers::from([0, 2])), "∞₀,₂", "oo{0,2}"),
            (Value::Cyclic(Nimbers::EMPTY), "∞", "oo{}"),
        ];
        for (value, unicode, ascii) in values {
            assert_eq!(value.to_string(), unicode);
            assert_eq!(format!("{value:#}"), ascii);
            assert_eq!(unicode.parse(), Ok(value.clone()));
            assert_eq!(ascii.parse(), Ok(value));
        }
    }

    #[test]
    fn other_spellings() {
        assert_eq!("*".parse(), Ok(Value::Nimber(1)));
        assert_eq!("*3".parse(), Ok(Value::Nimber(3)));
        for text in ["ninny 2", "nymphet 2", "nymphet{2}"] {
            assert_eq!(text.parse(), Ok(Value::Ninny(2)));
        }
        assert_eq!("moon {0,1}".parse(), Ok(Value::Moon(Nimbers::from([0, 1]))));
        assert_eq!(" oo{ 2, 0 } ".parse(), Ok(Value::Cyclic(Nimbers::from([0, 2]))));
        assert_eq!("moon".parse(), Ok(AnyValue::Entailing(EntailingValue::Moon)));
    }

    #[test]
    fn sets_outcomes_and_covers_are_read_back() {
        let sets = [NimberSet::only([0, 2]), NimberSet::nothing(), NimberSet::all_except([1])];
        for set in sets.into_iter().chain([NimberSet::everything()]) {
            assert_eq!(set.to_string().parse(), Ok(set.clone()));
            let outcomes = HeapOutcomes {
                win: set.clone(),
                loss: set.clone().complement(),
                draw: NimberSet::nothing(),
                forced: set.contains(0).then(|| set.clone()),
            };
            let value = AnyValue::General(outcomes.clone());
            assert_eq!(value.to_string().parse(), Ok(value));
            let covers =
                [Cover::NewMoon, Cover::FullMoon, Cover::Heaps(set), Cover::Mixed(outcomes)];
            for cover in covers {
                assert_eq!(cover.to_string().parse(), Ok(cover.clone()));
                assert_eq!(format!("{cover:#}").parse(), Ok(cover));
            }
        }
        for text in ["", "all but", "all but 1", "{0", "0,1", "win {}, loss {}", "win, loss, draw"]
        {
            assert!(text.parse::<Cover>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_value_is_refused() {
        for text in ["", "x", "-1", "1.5", "moon{}", "ninny{1,2}", "oo{-1}", "oo{0", "3,4", "+3"] {
            assert!(text.parse::<Value>().is_err(), "{text}");
        }
        assert!("99999999999999999999".parse::<Value>().is_err());
    }
}

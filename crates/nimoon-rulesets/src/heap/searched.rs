//! The search for a period, of a ruleset as it is written.

use nimoon::Effort;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::period::{Period, PeriodReport, heap_period, watched_period};
use crate::expression::{ExpressionError, NoLibrary, unknown};
use crate::{Entry, Parameters, catalogue, find};

fn wrong(at: usize, message: impl Into<String>) -> ExpressionError {
    ExpressionError::Text { at, message: message.into() }
}

/// A ruleset of the catalogue whose values may be searched for a period, as it was written.
///
/// ```
/// use nimoon_rulesets::heap::Searched;
/// let kayles = Searched::read("kayles").unwrap();
/// let report = kayles.search(1000, &nimoon::Effort::default(), &mut |_| ()).unwrap();
/// assert_eq!(report.sentence("up_to"), "kayles: period 12 after 71, proved by the Guy–Smith bound");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    name: &'a str,
    at: usize,
    parameters: &'a str,
    parameters_at: usize,
}

impl<'a> Searched<'a> {
    /// Reads `name` or `name[parameters]`.
    ///
    /// # Errors
    /// When there is no such ruleset, or the brackets are wrong, with the place.
    pub fn read(text: &'a str) -> Result<Self, ExpressionError> {
        let at = text.len() - text.trim_start().len();
        let end = text.trim_end().len().max(at);
        let open = text.find('[');
        let name = text[at..open.unwrap_or(end).max(at)].trim_end();
        if let Some((name, _)) = name.split_once(':') {
            let message = "expected a ruleset alone, without a position";
            return Err(wrong(at + name.len(), message));
        }
        let entry = find(name).ok_or_else(|| match name {
            "" => wrong(at, "expected the name of a ruleset, as in `kayles`"),
            name => {
                let unknown = unknown(name, &NoLibrary);
                wrong(at, format!("{unknown} (the rules of scripts are not searched for periods)"))
            }
        })?;
        let Some(open) = open else {
            let named = Self { name, at, parameters: "", parameters_at: end };
            return match entry.parameters {
                Parameters::Text(what) if is_searched(&entry) => {
                    let ruleset = example(&entry).0;
                    let message = format!("`{name}` needs {what} in brackets, as in `{ruleset}`");
                    Err(wrong(end, message))
                }
                _ => Ok(named),
            };
        };
        let close = text[open..].find(']').map(|length| open + length);
        let close = close.ok_or_else(|| wrong(open, "this bracket is not closed"))?;
        let behind = close + 1;
        if behind < end {
            let rest = text[behind..].trim_start();
            let message = match rest.strip_prefix(':') {
                Some(_) => "expected a ruleset alone, without a position",
                None => "expected the end after the brackets",
            };
            return Err(wrong(text.len() - rest.len(), message));
        }
        let inside = &text[open + 1..close];
        let parameters_at = open + 1 + inside.len() - inside.trim_start().len();
        let named = Self { name, at, parameters: inside.trim(), parameters_at };
        if entry.parameters == Parameters::None && is_searched(&entry) {
            return Err(wrong(open, format!("`{name}` takes nothing in brackets")));
        }
        Ok(named)
    }

    /// The largest heap to look at, unless told otherwise. The time grows at most with the square of it; where three heaps may
    /// be left, with the cube.
    ///
    /// # Errors
    /// When that is too many, with the most that are allowed: they take minutes where values lie in a
    /// sparse space, hours at the worst, and some hundred megabytes.
    pub fn largest(&self, asked: Option<u64>) -> Result<usize, u64> {
        let (usual, most) = match self.name {
            "hexadecimal" => (2_000, 20_000),
            _ => (10_000, 10_000_000),
        };
        let heap = asked.unwrap_or(usual);
        usize::try_from(heap).ok().filter(|_| heap <= most).ok_or(most)
    }

    /// Searches the values of the heaps up to the largest one for a period, as far as positions,
    /// memory, clock and token allow.
    ///
    /// # Errors
    /// When the ruleset has no such search, or its parameters cannot be read, with the place.
    pub fn search(
        &self,
        largest: usize,
        effort: &Effort,
        watch: &mut dyn FnMut(usize),
    ) -> Result<PeriodReport, ExpressionError> {
        let searched = watched_period(self.name, self.parameters, largest, effort, watch);
        let report = searched.ok_or_else(|| self.not_searched())?;
        report.map_err(|error| wrong(self.parameters_at + error.at, error.message))
    }

    /// What to say of a ruleset whose values are not searched.
    fn not_searched(&self) -> ExpressionError {
        let searched = catalogue().into_iter().filter(is_searched);
        let names: Vec<_> = searched.map(|entry| example(&entry).0).collect();
        let name = self.name;
        let names = names.join(", ");
        wrong(self.at, format!("`{name}` has no search for a period; these have one: {names}"))
    }
}

/// The ruleset of the example, and what stands in its brackets.
fn example(entry: &Entry) -> (&'static str, &'static str) {
    let ruleset = match entry.example.find(']') {
        Some(close) => &entry.example[..=close],
        None => entry.example.split(':').next().unwrap_or(entry.name),
    };
    let parameters = ruleset.split_once('[').map_or("", |(_, rest)| rest.trim_end_matches(']'));
    (ruleset, parameters)
}

fn is_searched(entry: &Entry) -> bool {
    heap_period(entry.name, example(entry).1, 0).is_some()
}

impl PeriodReport {
    /// What was found, in words; `option` is how the largest heap is called where it can be raised.
    pub fn sentence(&self, option: &str) -> String {
        let PeriodReport { ruleset, period, checked_to, .. } = self;
        let name = ruleset.split('[').next().unwrap_or_default();
        let Some(Period { preperiod, period, saltus, proved, .. }) = *period else {
            let hope = match name {
                "subtraction" => format!("every subtraction game has one, so raise it by {option}"),
                _ => "none is claimed".to_owned(),
            };
            return format!("{ruleset}: no period found up to heap {checked_to}; {hope}");
        };
        let growth = if saltus > 0 { format!(" and saltus {saltus}") } else { String::new() };
        let after =
            if preperiod > 0 { format!("after {preperiod}") } else { "from heap 0 on".into() };
        let certainty = if proved {
            "proved by the Guy–Smith bound".to_owned()
        } else {
            format!("observed up to heap {checked_to}, not proved")
        };
        format!("{ruleset}: period {period}{growth} {after}, {certainty}")
    }
}

impl Serialize for PeriodReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.period.as_ref();
        let mut map = serializer.serialize_struct("period", 6)?;
        map.serialize_field("ruleset", &self.ruleset)?;
        map.serialize_field("period", &found.map(|found| found.period))?;
        map.serialize_field("preperiod", &found.map(|found| found.preperiod))?;
        map.serialize_field("saltus", &found.map(|found| found.saltus))?;
        map.serialize_field("proved", &found.is_some_and(|found| found.proved))?;
        map.serialize_field("checked_to", &self.checked_to)?;
        map.end()
    }
}

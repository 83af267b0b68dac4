//! The search for a period, of a ruleset as it is written.

mod found;

use nimoon::Work;

pub use found::{FoundPeriod, Repeats, repeats};
use nimoon_rulesets::heap::{PeriodReport, heap_period};
use nimoon_rulesets::{Entry, Parameters};

use crate::expression::{ExpressionError, Library, NoLibrary, unknown};
use crate::{catalogue, find};

/// The default last row where no period is known by a theorem.
pub const USUAL_ROWS: u64 = 500;

fn wrong(at: usize, message: impl Into<String>) -> ExpressionError {
    ExpressionError::Text { at, message: message.into() }
}

/// A ruleset of the catalogue whose values may be searched for a period, as it was written.
///
/// ```
/// use nimoon_session::period::Searched;
/// let kayles = Searched::read("kayles").unwrap();
/// let report = kayles.search(1000, &nimoon::Work::default()).unwrap();
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
            name => wrong(at, unknown(name, &NoLibrary)),
        })?;
        // An alias, or the name in upper case, is the same ruleset.
        let name = entry.name;
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

    /// The default for the largest heap. The time grows at most with its square, or with its cube
    /// if a move may leave three heaps.
    ///
    /// # Errors
    /// When that is too many, with the most that are allowed: they take minutes where values lie in
    /// a sparse space, hours at the worst, and some hundred megabytes.
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
    pub fn search(&self, largest: usize, work: &Work) -> Result<PeriodReport, ExpressionError> {
        let searched = heap_period(self.name, self.parameters, largest, work);
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

/// Whether a ruleset, as it is written, has no search of its own: then [`FoundPeriod`] looks at its values.
pub fn is_only_found(text: &str, library: &dyn Library) -> bool {
    let name = text.split(['[', ':']).next().unwrap_or_default().trim();
    let is_known = library.names().iter().any(|known| known == name);
    is_known || text.contains("{}") || find(name).is_some_and(|entry| !is_searched(&entry))
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
    heap_period(entry.name, example(entry).1, 0, &Work::default()).is_some()
}

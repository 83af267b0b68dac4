//! Expressions: positions of rulesets, joined by `+`.
//!
//! ```text
//!   expression = term { "+" term }
//!   term       = name [ "[" parameters "]" ] ":" position | value
//! ```
//!
//! Spaces are free, but not within names and numbers. A `+` joins only where the name of a ruleset
//! and a colon or bracket follow, or a value such as `*2`, `moon{0}` or `[0/1]`, so positions may
//! hold one.
//!
//! [`Expression`] takes impartial games alone; [`AnyExpression`] also takes partizan ones.

mod alone;
mod mixed;
#[cfg(test)]
mod tests;

use crate::rule_files::ContentsError;
use nimoon::ruleset::ordinal_sum::OrdinalSum;
use nimoon::solve::explore::Field;
use nimoon::{
    Interrupted, Positions, Work,
    notation::NotationError,
    ruleset::{Interned, Numbered, PartizanPositions, PositionId},
};
use nimoon_formats::read::nearest;
use nimoon_script::{Script, ScriptError, ScriptPositions};
use thiserror::Error;

use crate::{catalogue, find, value_game};
use nimoon_rulesets::catalogue::{Given, Make, MakeError, Parameters};

pub use alone::components_alone;
pub use mixed::{AnyExpression, AnyPositions, MixedExpression, MixedTerm};

/// A sum that was read: rulesets, and a position of one of them for each component.
#[derive(Default)]
pub struct Expression {
    /// The rulesets, each once.
    pub fields: Vec<Box<dyn Positions>>,
    /// For each component, its ruleset and position.
    pub terms: Vec<(Field, PositionId)>,
}

/// Why a text is not an expression.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpressionError {
    /// Something is wrong in the text.
    #[error("{message}")]
    Text {
        /// Where: bytes from the start of the expression.
        at: usize,
        /// What is wrong.
        message: String,
    },
    /// The text is well written, but the game has no such position.
    #[error("{message}")]
    Vacant {
        /// Where: bytes from the start of the expression.
        at: usize,
        /// Why nothing ever stands there.
        message: String,
    },
    /// The rules hit a limit of their own, as those of a script can, while they read a position.
    #[error("{message}")]
    Limit {
        /// Where: bytes from the start of the expression.
        at: usize,
        /// Which limit it is.
        message: String,
    },
    /// A file that the expression names cannot be opened.
    #[error("{message}")]
    Unreadable {
        /// What is wrong.
        message: String,
    },
    /// Something is wrong in a file that the expression names.
    #[error("{message}")]
    File {
        /// What is wrong.
        message: String,
    },
    /// The reading was interrupted.
    #[error("{message}")]
    Interrupted {
        /// What ended it.
        interrupted: Interrupted,
        /// What it says, and what was read by then.
        message: String,
    },
}

impl From<ContentsError> for ExpressionError {
    fn from(error: ContentsError) -> Self {
        let message = error.to_string();
        match error {
            ContentsError::Interrupted { interrupted, .. } => {
                Self::Interrupted { interrupted, message }
            }
            ContentsError::Unreadable { .. } => Self::Unreadable { message },
            ContentsError::Device { .. } | ContentsError::TooLong { .. } => Self::File { message },
        }
    }
}

impl ExpressionError {
    fn at(at: usize, message: impl Into<String>) -> Self {
        Self::Text { at, message: message.into() }
    }
}

/// Where rulesets and files come from, beside the catalogue.
pub trait Library {
    /// The contents of a file that stands in brackets, of at most `most` bytes.
    ///
    /// # Errors
    /// [`ExpressionError::Unreadable`] when it cannot be read, [`ExpressionError::File`] when it
    /// has more bytes, [`ExpressionError::Interrupted`] when a limit is hit.
    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ExpressionError>;

    /// A ruleset of a script, with what stands in brackets; none where no script has the name. The name is that of the
    /// ruleset alone.
    fn scripted(
        &mut self,
        _name: &str,
        _parameters: Option<&str>,
    ) -> Option<Result<AnyPositions, ScriptError>> {
        None
    }

    /// A ruleset that is not in the catalogue.
    fn ruleset(&mut self, _name: &str) -> Option<Box<dyn Positions>> {
        None
    }

    /// A partizan ruleset that is not in the catalogue.
    fn partizan(&mut self, _name: &str) -> Option<Box<dyn PartizanPositions>> {
        None
    }

    /// The names of the rulesets that are not in the catalogue.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Within what expressions are read; none for whatever it takes.
    fn work(&self) -> Option<&Work> {
        None
    }

    /// Takes a ruleset that was made for a term, from what this library was asked for since the
    /// last one, and may give it a memory.
    fn remembering(&mut self, made: Box<dyn Positions>) -> Box<dyn Positions> {
        made
    }
}

/// The positions of a script, with what stands in brackets behind its name.
///
/// # Errors
/// When the script has no use for that, or fails with it.
pub fn of_script(
    script: &Script,
    parameters: Option<&str>,
    work: &Work,
) -> Result<AnyPositions, ScriptError> {
    let script = script.with_parameters(parameters)?;
    Ok(if script.is_partizan() {
        AnyPositions::Partizan(Box::new(ScriptPositions::new(script, work)))
    } else {
        AnyPositions::Impartial(Box::new(Interned::new(script)))
    })
}

/// No files and no other rulesets.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn file(&mut self, name: &str, _most: u64) -> Result<Vec<u8>, ExpressionError> {
        let message = format!("`{name}`: files cannot be read here");
        Err(ExpressionError::Unreadable { message })
    }
}

impl Expression {
    /// Reads an expression.
    ///
    /// ```
    /// use nimoon_session::expression::{Expression, NoLibrary};
    /// let sum = Expression::read("nim:3 + nim:5", &mut NoLibrary).unwrap();
    /// assert_eq!((sum.fields.len(), sum.terms.len()), (1, 2));
    /// ```
    ///
    /// # Errors
    /// When the text is none, with the place; or when a file cannot be read.
    pub fn read(text: &str, library: &mut dyn Library) -> Result<Self, ExpressionError> {
        let mut sum = Self::default();
        sum.extend(text, library)?;
        Ok(sum)
    }

    /// Reads an expression and adds all of its terms, with places counted from the start of its own
    /// text.
    ///
    /// ```
    /// use nimoon_session::expression::{Expression, NoLibrary};
    /// let mut sum = Expression::read("nim:3", &mut NoLibrary).unwrap();
    /// sum.extend("nim:5 + kayles:7", &mut NoLibrary).unwrap();
    /// assert_eq!((sum.fields.len(), sum.terms.len()), (2, 3));
    /// ```
    ///
    /// # Errors
    /// When the text is not an expression, with the place; or when a file cannot be read.
    pub fn extend(&mut self, text: &str, library: &mut dyn Library) -> Result<(), ExpressionError> {
        for (start, end) in terms(text)? {
            go_on(library, self.terms.len())?;
            self.term(&text[start..end], start, library)?;
        }
        Ok(())
    }

    /// Reads one more term and adds it, with places counted from the start of its own text.
    ///
    /// # Errors
    /// When the text is not a single term, or a file cannot be read.
    pub fn add(&mut self, text: &str, library: &mut dyn Library) -> Result<(), ExpressionError> {
        match ends(text).next() {
            Some(end) if end < text.len() => {
                Err(ExpressionError::at(end, "expected one position, found a sum"))
            }
            _ => self.term(text, 0, library),
        }
    }

    /// Reads one term, which begins at `offset` of the expression.
    fn term(
        &mut self,
        text: &str,
        offset: usize,
        library: &mut dyn Library,
    ) -> Result<(), ExpressionError> {
        let term = read_term(&mut self.fields, text, offset, library)?;
        self.terms.push((term.field, term.position));
        Ok(())
    }
}

/// Looks whether one more component may be read.
fn go_on(library: &dyn Library, components: usize) -> Result<(), ExpressionError> {
    /// A component takes about as much from the text to the answer.
    const COMPONENT_BYTES: u64 = 512;
    let Some(work) = library.work() else { return Ok(()) };
    let bytes = (components as u64 + 1) * COMPONENT_BYTES;
    work.hold(bytes).and_then(|()| work.check()).map_err(|interrupted| {
        ExpressionError::Interrupted {
            interrupted,
            message: format!("{interrupted} when {components} components of the sum were read"),
        }
    })
}

/// Positions that terms are read into.
trait Reads: Sized {
    /// Takes positions of a ruleset, if they are of the right kind; `at` is where it is named.
    fn of(made: AnyPositions, at: usize) -> Result<Self, ExpressionError>;

    fn name(&self) -> &str;

    fn read(&mut self, text: &str) -> Result<PositionId, NotationError>;
}

impl Reads for Box<dyn Positions> {
    fn of(made: AnyPositions, at: usize) -> Result<Self, ExpressionError> {
        made.impartial(at, "only `nimoon value`, `play` and `repl` know such games so far")
    }

    fn name(&self) -> &str {
        Positions::name(&**self)
    }

    fn read(&mut self, text: &str) -> Result<PositionId, NotationError> {
        Positions::read(&mut **self, text)
    }
}

/// Reads one term, which begins at `offset` of the expression, and its ruleset where that is new.
fn read_term<F: Reads>(
    fields: &mut Vec<F>,
    text: &str,
    offset: usize,
    library: &mut dyn Library,
) -> Result<MixedTerm, ExpressionError> {
    let term = text.trim_start();
    let offset = offset + text.len() - term.len();
    let term = term.trim_end();
    if text.trim().is_empty() || term.starts_with('+') {
        // Only the first term can be missing: a `+` joins where a ruleset follows.
        let message = "expected a position before the `+`, as in `nim:3 + nim:5`";
        return Err(ExpressionError::at(offset, message));
    }
    // A value stands for itself.
    let is_value = value_game::begins(term);
    let (named, start) = if is_value {
        (Named { name: value_game::NAME, at: offset, parameters: None }, 0)
    } else {
        let head = head(term).map_err(|error| shifted(error, offset))?;
        (Named::new(&term[..head.colon], head.parameters, offset), head.colon + 1)
    };
    let full = match named.parameters {
        Some((text, _)) => format!("{}[{text}]", named.name),
        None => named.name.to_owned(),
    };
    let known = fields.iter().position(|field| field.name() == full);
    let field = if let Some(known) = known {
        known
    } else {
        // Parameters may be written in several ways.
        let made = match named.make(library)? {
            AnyPositions::Impartial(made) => AnyPositions::Impartial(library.remembering(made)),
            partizan @ AnyPositions::Partizan(_) => partizan,
        };
        let made = F::of(made, offset)?;
        let same = fields.iter().position(|field| field.name() == made.name());
        same.unwrap_or_else(|| {
            fields.push(made);
            fields.len() - 1
        })
    };
    let rest = &term[start..];
    let position = rest.trim_start();
    let at = offset + term.len() - position.len();
    let read = fields[field].read(position).map_err(|mut error| {
        // Some positions end with a `+`, so it is known only now that nothing follows it.
        let before = position.strip_suffix('+').map(str::trim_end);
        if before.is_some_and(|before| fields[field].read(before).is_ok()) {
            let message = "expected a position after the `+`, as in `nim:3 + nim:5`";
            error = NotationError::at(position.len(), message);
        } else if position[position.floor_char_boundary(error.at)..].trim_start().starts_with('+') {
            error
                .message
                .push_str("; after a `+` the ruleset is named again, as in `nim:3 + nim:5`");
        }
        shifted(error, at)
    })?;
    let field = Field::try_from(field)
        .map_err(|_| ExpressionError::at(offset, "too many different rulesets"))?;
    Ok(MixedTerm { field, position: read, at: offset })
}

/// Where the parts of a term are.
struct Head {
    /// The brackets, if there are any.
    parameters: Option<(usize, usize)>,
    colon: usize,
}

/// Whether a position stands in the text, and not only a ruleset.
pub(crate) fn has_position(term: &str) -> bool {
    value_game::begins(term.trim_start()) || head(term).is_ok()
}

/// Whether a text names an impartial position or value: a ruleset and a colon, or a value that is not a nimber. Games with bars are partizan.
pub(crate) fn names_impartial(text: &str) -> bool {
    let Ok(mut ends) = terms(text) else { return false };
    ends.any(|(start, end)| {
        let term = text[start..end].trim();
        let is_value = value_game::begins(term) && !term.starts_with('*') && !term.contains('|');
        is_value || starts_term(term) && !term.starts_with('*') && head(term).is_ok()
    })
}

fn head(term: &str) -> Result<Head, NotationError> {
    let colon = term.find(':');
    let open = term.find('[').filter(|&open| colon.is_none_or(|colon| open < colon));
    let Some(open) = open else {
        let colon = colon.ok_or_else(|| {
            let example = find(term.trim()).map_or("nim:5", |entry| entry.example);
            NotationError::at(term.len(), format!("expected `:` and a position, as in `{example}`"))
        })?;
        return Ok(Head { parameters: None, colon });
    };
    let close =
        closing(term, open).ok_or_else(|| NotationError::at(open, "this bracket is not closed"))?;
    let rest = &term[close + 1..];
    let spaces = rest.len() - rest.trim_start().len();
    if rest.trim_start().starts_with(':') {
        Ok(Head { parameters: Some((open, close)), colon: close + 1 + spaces })
    } else {
        Err(NotationError::at(close + 1, "expected `:` and a position after the brackets"))
    }
}

/// Where the bracket that opens here is closed.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    text[open..]
        .bytes()
        .position(|byte| {
            match byte {
                b'[' => depth += 1,
                b']' => depth -= 1,
                _ => {}
            }
            depth == 0
        })
        .map(|length| open + length)
}

fn shifted(error: NotationError, offset: usize) -> ExpressionError {
    let NotationError { at, message, vacant, limit } = error;
    let at = offset + at;
    match (vacant, limit) {
        (true, _) => ExpressionError::Vacant { at, message },
        (_, true) => ExpressionError::Limit { at, message },
        _ => ExpressionError::at(at, message),
    }
}

/// A ruleset as it is named, and where: its name, and what stands in brackets.
#[derive(Clone, Copy)]
struct Named<'a> {
    name: &'a str,
    at: usize,
    parameters: Option<(&'a str, usize)>,
}

impl<'a> Named<'a> {
    /// From a text that ends with the name or the closing bracket.
    fn new(text: &'a str, parameters: Option<(usize, usize)>, at: usize) -> Self {
        let name = &text[..parameters.map_or(text.len(), |(open, _)| open)];
        let parameters = parameters.map(|(open, close)| {
            let inside = &text[open + 1..close];
            let start = inside.len() - inside.trim_start().len();
            (inside.trim(), at + open + 1 + start)
        });
        Self { name: name.trim_end(), at, parameters }
    }

    /// Makes it.
    fn make(self, library: &mut dyn Library) -> Result<AnyPositions, ExpressionError> {
        let Self { name, at, parameters } = self;
        let nothing_in_brackets = |place: usize| {
            ExpressionError::at(place, format!("`{name}` takes nothing in brackets"))
        };
        let other = other_name(name, library);
        let other = other.as_deref().unwrap_or(name);
        if let Some(made) = library.scripted(other, parameters.map(|(text, _)| text)) {
            let place = parameters.map_or(at, |(_, place)| place);
            return made.map_err(|error| {
                let message = error.to_string();
                if error.is_limit() {
                    ExpressionError::Limit { at: place, message }
                } else {
                    ExpressionError::at(place, message)
                }
            });
        }
        let made = library.ruleset(other).map(AnyPositions::Impartial);
        if let Some(made) = made.or_else(|| library.partizan(other).map(AnyPositions::Partizan)) {
            return match parameters {
                Some((_, place)) => Err(nothing_in_brackets(place)),
                None => Ok(made),
            };
        }
        let Some(entry) = find(name) else {
            return Err(ExpressionError::at(at, unknown(name, library)));
        };
        let (text, place, file) = match (entry.parameters, parameters) {
            (Parameters::None, None) => ("", at, Vec::new()),
            (Parameters::None, Some((_, place))) => return Err(nothing_in_brackets(place)),
            (
                Parameters::Text(what)
                | Parameters::File { holds: what, .. }
                | Parameters::Rulesets(what),
                None,
            ) => {
                return Err(ExpressionError::at(
                    at + name.len(),
                    format!("`{name}` needs {what} in brackets, as in `{}`", entry.example),
                ));
            }
            (Parameters::Rulesets(_), Some((text, place))) => {
                return ordinal(text, place, library).map(AnyPositions::Impartial);
            }
            (Parameters::Text(_), Some((text, place))) => (text, place, Vec::new()),
            (Parameters::File { .. }, Some(("", place))) => {
                let message = format!("expected the name of a file, as in `{}`", entry.example);
                return Err(ExpressionError::at(place, message));
            }
            (Parameters::File { most, .. }, Some((file, place))) => {
                (file, place, library.file(file, most)?)
            }
        };
        let unlimited = Work::default();
        let given = Given { text, file: &file, work: library.work().unwrap_or(&unlimited) };
        let made = match entry.make {
            Make::Impartial(make) => make(given).map(AnyPositions::Impartial),
            Make::Partizan(make) => make(given).map(AnyPositions::Partizan),
        };
        made.map_err(|error| match (error, entry.parameters) {
            (MakeError::Interrupted(interrupted), _) => ExpressionError::Interrupted {
                interrupted,
                message: format!("{text}: {interrupted} while it was read"),
            },
            (MakeError::Notation(error), Parameters::File { .. }) => {
                ExpressionError::File { message: error.message }
            }
            (MakeError::Notation(error), _) => shifted(error, place),
            (error, _) => ExpressionError::File { message: error.to_string() },
        })
    }
}

/// The name of a ruleset of the library that differs from this one only in upper and lower case.
fn other_name(name: &str, library: &dyn Library) -> Option<String> {
    let names = library.names();
    if names.iter().any(|other| other == name) {
        return None;
    }
    names.into_iter().find(|other| other.eq_ignore_ascii_case(name))
}

/// The ordinal sum of two rulesets, `base | top`.
pub(crate) fn ordinal(
    text: &str,
    at: usize,
    library: &mut dyn Library,
) -> Result<Box<dyn Positions>, ExpressionError> {
    let mut depth = 0_usize;
    let bar = text.bytes().position(|byte| {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        byte == b'|' && depth == 0
    });
    let bar = bar.ok_or_else(|| {
        ExpressionError::at(at + text.len(), "expected `|` and the ruleset on top")
    })?;
    let mut side = |from: usize, to: usize| {
        let text = &text[from..to];
        let start = text.len() - text.trim_start().len();
        let at = at + from + start;
        let text = text.trim();
        let brackets = match text.find('[') {
            None => None,
            Some(open) => match closing(text, open) {
                Some(close) if close + 1 == text.len() => Some((open, close)),
                _ => return Err(ExpressionError::at(at + open, "this bracket is not closed")),
            },
        };
        let made = Named::new(text, brackets, at).make(library)?;
        made.impartial(at, "ordinal sums are made of impartial games").map(Numbered::new)
    };
    let base = side(0, bar)?;
    let top = side(bar + 1, text.len())?;
    Ok(Box::new(Interned::new(OrdinalSum { base, top })))
}

/// From where to where the terms go; there is at least one.
fn terms(text: &str) -> Result<impl Iterator<Item = (usize, usize)> + '_, ExpressionError> {
    if text.trim().is_empty() {
        return Err(ExpressionError::at(0, "expected `ruleset:position`, as in `nim:5`"));
    }
    let mut next = 0;
    Ok(ends(text).map(move |end| (std::mem::replace(&mut next, end + 1), end)))
}

/// Where the terms end: at each `+` that a ruleset follows, and at the end.
fn ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut depth = 0_usize;
    let joins = text.char_indices().filter(move |&(at, c)| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '+' && depth == 0 && starts_term(&text[at + 1..])
    });
    joins.map(|(at, _)| at).chain([text.len()])
}

/// Whether the text begins with a name and a colon or bracket, or with a value.
fn starts_term(text: &str) -> bool {
    let text = text.trim_start();
    if value_game::begins(text) {
        return true;
    }
    let name = text.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
    let begins = text.starts_with(char::is_alphabetic);
    begins && name.is_some_and(|end| text[end..].trim_start().starts_with([':', '[']))
}

/// What to say about a name that nobody has: the nearest one, or where to find them all.
///
/// ```
/// use nimoon_session::expression::{NoLibrary, unknown};
/// assert_eq!(unknown("nym", &NoLibrary), "unknown ruleset `nym`; did you mean `nim`?");
/// ```
pub fn unknown(name: &str, library: &dyn Library) -> String {
    let known = catalogue();
    let others = library.names();
    let aliases = known.iter().flat_map(|entry| entry.aliases().iter().copied());
    let names = known.iter().map(|entry| entry.name).chain(aliases);
    match nearest(names.chain(others.iter().map(String::as_str)), name) {
        _ if name.is_empty() => "expected the name of a ruleset before the colon".to_owned(),
        Some(near) => format!("unknown ruleset `{name}`; did you mean `{near}`?"),
        None => format!("unknown ruleset `{name}`; `nimoon rulesets` lists all of them"),
    }
}

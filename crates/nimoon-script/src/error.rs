//! What is wrong with a script, and where.

use std::fmt;

use nimoon::limits::Interrupted;
use nimoon::{notation::NotationError, ruleset::Fault};
use rhai::{AST, EvalAltResult, ParseError, ParseErrorType};

use crate::constants::refused_call;
use crate::engine::{Stop, broken, interrupted};
use crate::limits::Limits;

/// What is wrong with a script, in the text or in a call of one of its functions.
///
/// Displayed with the line and a caret under the place:
///
/// ```
/// use nimoon_script::{Limits, Script};
///
/// let error = Script::compile("my-game.rhai", "fn options(p) {\n    [p - ]\n}", Limits::default());
/// let shown = "my-game.rhai:2:10: Unexpected ']'
///   |
/// 2 |     [p - ]
///   |          ^";
/// assert_eq!(error.unwrap_err().to_string(), shown);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// What kind of fault it is.
    pub problem: Problem,
    /// What is wrong, in words.
    pub message: String,
    /// The name of the file.
    pub file: String,
    /// Where; none if it is about the whole script or what a function gave back.
    pub place: Option<Box<Place>>,
    /// The calls that were under way, the innermost first: `helper`, `options(5)`.
    pub calls: Vec<String>,
}

/// What kind of fault a script has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The text is not a script.
    Syntax,
    /// A function is missing, or has another number of parameters.
    Functions,
    /// A call used more than the field of [`Limits`] of this name allows.
    Limit(&'static str),
    /// The limits of the work were hit during the call.
    Interrupted(Interrupted),
    /// The script said `throw`.
    Thrown,
    /// The rules fail otherwise: a name that is not there, an index beyond the end, a value of the
    /// wrong type.
    Rules,
}

/// A place in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the line, from 1.
    pub line: usize,
    /// The number of the character in the line, from 1.
    pub column: usize,
    /// The line.
    pub text: String,
}

impl ScriptError {
    /// Whether it is one of the [`Limits`] that the script goes beyond, and not a mistake in it.
    pub fn is_limit(&self) -> bool {
        matches!(self.problem, Problem::Limit(_))
    }

    /// The same error, met in a call.
    pub(crate) fn inside(mut self, call: String) -> Self {
        self.calls.push(call);
        self
    }
}

impl From<ScriptError> for Fault {
    fn from(error: ScriptError) -> Self {
        match error.problem {
            Problem::Interrupted(interrupted) => Self::Interrupted(interrupted),
            Problem::Limit(_) => Self::Limit(error.to_string()),
            _ => Self::Rules(error.to_string()),
        }
    }
}

impl From<ScriptError> for NotationError {
    fn from(error: ScriptError) -> Self {
        let message = error.to_string();
        match error.problem {
            Problem::Limit(_) => Self::limit(0, message),
            _ => Self::at(0, message),
        }
    }
}

impl std::error::Error for ScriptError {}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, file, place, calls, .. } = self;
        match place {
            None => write!(f, "{file}: {message}")?,
            Some(place) => {
                let Place { line, column, .. } = &**place;
                let margin = " ".repeat(line.to_string().len());
                let (shown, under) = place.window();
                write!(f, "{file}:{line}:{column}: {message}\n{margin} |\n{line} | {shown}\n")?;
                write!(f, "{margin} | {under}^")?;
            }
        }
        if !calls.is_empty() {
            write!(f, "\nin {}", calls.join(", called by "))?;
        }
        Ok(())
    }
}

impl Place {
    /// What is shown of the line, and the white space that brings the caret under the place.
    fn window(&self) -> (String, String) {
        const BEFORE: usize = 60;
        const AFTER: usize = 30;
        let before = self.column - 1;
        let skipped = before.saturating_sub(BEFORE);
        let visible = |c: char| if c.is_control() && c != '\t' { ' ' } else { c };
        let shown = |from, to| self.text.chars().skip(from).take(to - from).map(visible);
        let mut line: String = shown(skipped, before + AFTER).collect();
        let space = |c| if c == '\t' { '\t' } else { ' ' };
        let mut under: String = shown(skipped, before).map(space).collect();
        // A place behind the end of the line.
        while under.chars().count() < before - skipped {
            under.push(' ');
        }
        if skipped > 0 {
            line.insert(0, '…');
            under.insert(0, ' ');
        }
        if self.text.chars().nth(before + AFTER).is_some() {
            line.push('…');
        }
        (line.trim_end().to_owned(), under)
    }
}

/// What is needed to make errors of those of the interpreter.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) file: String,
    pub(crate) source: String,
    pub(crate) limits: Limits,
}

impl Report {
    /// An error about the whole script.
    pub(crate) fn error(&self, problem: Problem, message: impl Into<String>) -> ScriptError {
        let file = self.file.clone();
        ScriptError { problem, message: message.into(), file, place: None, calls: Vec::new() }
    }

    /// The place of this line and column.
    pub(crate) fn place(&self, line: usize, column: usize) -> Option<Box<Place>> {
        let text = self.source.lines().nth(line.checked_sub(1)?).unwrap_or_default();
        Some(Place { line, column: column.max(1), text: text.to_owned() }.into())
    }

    pub(crate) fn place_of(&self, position: rhai::Position) -> Option<Box<Place>> {
        self.place(position.line()?, position.position().unwrap_or(1))
    }

    /// Where this function is defined.
    pub(crate) fn definition(&self, name: &str) -> Option<Box<Place>> {
        self.source.lines().zip(1..).find_map(|(text, line)| {
            let from = text.find("fn ")? + "fn ".len();
            let rest = text[from..].trim_start();
            let after = rest.strip_prefix(name)?.trim_start();
            let column = text[..text.len() - rest.len()].chars().count() + 1;
            after.starts_with('(').then(|| self.place(line, column))?
        })
    }

    /// The error for a text that is not a script.
    pub(crate) fn syntax(&self, error: &ParseError) -> ScriptError {
        let place = self.place_of(error.position());
        let (problem, message) = match error.err_type() {
            ParseErrorType::ExprTooDeep => self.limits.broken("nesting"),
            ParseErrorType::LiteralTooLarge(what, _) => self.limits.broken(which(what)),
            _ if place.as_deref().is_some_and(Place::is_in_a_fraction) => (
                Problem::Syntax,
                "numbers are whole: a fraction such as `2.5` cannot be written".to_owned(),
            ),
            kind => (Problem::Syntax, kind.to_string()),
        };
        ScriptError { place, ..self.error(problem, message) }
    }

    /// A call of this function failed.
    pub(crate) fn failed(&self, call: String, error: EvalAltResult, ast: &AST) -> ScriptError {
        let mut calls = vec![call];
        // The interpreter does not say where a limit was broken within one step.
        let mut place = self.definition(calls[0].split('(').next().unwrap_or_default());
        let mut error = error;
        let mut innermost = loop {
            place = self.place_of(error.position()).or(place);
            match error {
                EvalAltResult::ErrorInFunctionCall(name, _, inner, _) => {
                    // The interpreter invents names for functions without one.
                    let name = if name.starts_with("anon$") {
                        "a function without a name".into()
                    } else {
                        name
                    };
                    // A script that recurses for ever would fill the screen.
                    if calls.last() != Some(&name) {
                        calls.push(name);
                    }
                    error = *inner;
                }
                error => break error,
            }
        };
        calls.reverse();
        // The place is shown on its own; without it, it is not part of the message.
        let position = innermost.take_position();
        let (problem, message) = match &innermost {
            EvalAltResult::ErrorNonPureMethodCallOnConstant(function, _)
                if broken().is_none() && interrupted().is_none() =>
            {
                (Problem::Rules, refused_call(function, position, ast))
            }
            innermost => self.message(innermost),
        };
        ScriptError { place, calls, ..self.error(problem, shorten(message, 1000)) }
    }

    fn message(&self, error: &EvalAltResult) -> (Problem, String) {
        // Whatever the interpreter makes of it.
        if let Some(interrupted) = interrupted() {
            return (Problem::Interrupted(interrupted), interrupted.to_string());
        }
        if let Some(name) = broken() {
            return self.limits.broken(name);
        }
        match error {
            EvalAltResult::ErrorTooManyOperations(_) => self.limits.broken("operations"),
            EvalAltResult::ErrorStackOverflow(_) => self.limits.broken("calls"),
            EvalAltResult::ErrorTooManyVariables(_) => self.limits.broken("variables"),
            EvalAltResult::ErrorDataTooLarge(what, _) => self.limits.broken(which(what)),
            EvalAltResult::ErrorRuntime(thrown, _) => match thrown.read_lock::<Stop>() {
                Some(stop) => (stop.problem, stop.message.clone()),
                None if thrown.is_unit() => {
                    (Problem::Thrown, "the script says `throw` without a message".to_owned())
                }
                None => (Problem::Thrown, thrown.to_string()),
            },
            error => (Problem::Rules, error.to_string()),
        }
    }
}

/// Which limit a value broke. The interpreter knows it by words.
fn which(what: &str) -> &'static str {
    let what = what.to_lowercase();
    if what.contains("string") {
        "string"
    } else if what.contains("map") {
        "map"
    } else {
        "array"
    }
}

impl Place {
    /// Whether the place is at or just behind the point of `2.5`.
    fn is_in_a_fraction(&self) -> bool {
        let characters: Vec<_> = self.text.chars().take(self.column + 2).collect();
        let digit = |at: usize| characters.get(at).is_some_and(char::is_ascii_digit);
        let from = self.column.saturating_sub(3);
        (from..=self.column)
            .any(|at| at > 0 && characters.get(at) == Some(&'.') && digit(at - 1) && digit(at + 1))
    }
}

/// The text, cut after this many characters.
pub(crate) fn shorten(mut text: String, most: usize) -> String {
    if let Some((at, _)) = text.char_indices().nth(most) {
        text.truncate(at);
        text.push('…');
    }
    text
}

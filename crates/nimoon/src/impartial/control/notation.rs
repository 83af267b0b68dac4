//! Values as text: terms and equations, in ASCII, Unicode and LaTeX.
//!
//! | value | text |
//! |---|---|
//! | a number | `3` |
//! | the mover chooses between 1, and handing over at 0 | `[1, >0]` |
//! | the opponent chooses between 0 and 1 | `[0/1]` |
//! | nothing to choose: ∞ | `[]` |
//! | the full moon | `(win)`, `○` |
//! | equal to no term | `X = [>0, 1/Y], Y = [>1, 0/X]`, which means X |
//! | that of a literal form (reading only) | `{PASS, 0, ↻*2}`, `{pass, 0, again *2}` |
//!
//! Slash binds tighter than comma. `[0/1, >0]` reads: take control with 0 or 1, the opponent says
//! which; or hand over at 0. `Display` gives the Unicode form, `{:#}` the ASCII one. A term can be
//! exponentially longer than its states are many; a long one is written as equations, which can be
//! read back as well.

use std::fmt::{self, Write};

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::impartial::control::automaton::{Automaton, Place, State, in_order};
use crate::impartial::control::form;
use crate::impartial::control::value::{Control, Member};
use crate::impartial::nimbers::NimberSet;
use crate::impartial::value::Value;
use crate::limits::{Interrupted, Work};
use crate::notation::NotationError;

/// Why a text gives no value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// The text is not a value.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A limit was hit while the value was brought into its canonical form.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// Terms with more members, or deeper ones, are written as equations.
const MEMBERS: u64 = 500;
const DEPTH: u32 = 60;

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Ascii,
    Unicode,
    Latex,
}

/// A value being written.
struct Writer<'a> {
    value: &'a Control,
    style: Style,
    /// How many states have names of their own: these first ones, or all.
    named: usize,
}

impl<'a> Writer<'a> {
    fn new(value: &'a Control, style: Style) -> Self {
        let cyclic = value.cyclic_states() as usize;
        let named = if is_short(value) { cyclic } else { value.states().len() };
        Self { value, style, named }
    }

    fn value(&self, out: &mut impl Write) -> fmt::Result {
        let Place::State(start) = self.value.start() else {
            return self.place(self.value.start(), out);
        };
        if self.named == 0 {
            return self.state(start as usize, out);
        }
        let between = if self.style == Style::Latex { ",\\quad " } else { ", " };
        for (written, state) in self.equations().enumerate() {
            if written > 0 {
                out.write_str(between)?;
            }
            self.name(state, out)?;
            out.write_str(" = ")?;
            self.state(state, out)?;
        }
        Ok(())
    }

    /// The states that have equations. A single exit is written out wherever it occurs.
    fn equations(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.named).filter(|&state| state == 0 || self.exit(state).is_none())
    }

    fn exit(&self, state: usize) -> Option<u64> {
        match self.value.states()[state][..] {
            [Member::Hand(k)] => Some(k),
            _ => None,
        }
    }

    fn name(&self, state: usize, out: &mut impl Write) -> fmt::Result {
        match (state, self.style) {
            (0..=2, _) => write!(out, "{}", ['X', 'Y', 'Z'][state]),
            (_, Style::Latex) => write!(out, "X_{{{}}}", state - 2),
            _ => write!(out, "X{}", state - 2),
        }
    }

    fn state(&self, state: usize, out: &mut impl Write) -> fmt::Result {
        let members = &self.value.states()[state];
        if let [Member::Meet(results)] = &members[..]
            && results.is_empty()
        {
            return self.results(results, out);
        }
        out.write_char('[')?;
        for (written, member) in members.iter().enumerate() {
            if written > 0 {
                out.write_str(if self.style == Style::Latex { ",\\," } else { ", " })?;
            }
            match member {
                Member::Hand(k) => self.hand(*k, out)?,
                Member::Meet(results) => self.results(results, out)?,
            }
        }
        out.write_char(']')
    }

    fn hand(&self, k: u64, out: &mut impl Write) -> fmt::Result {
        if self.style == Style::Latex { write!(out, "{{>}}{k}") } else { write!(out, ">{k}") }
    }

    fn results(&self, results: &[Place], out: &mut impl Write) -> fmt::Result {
        if results.is_empty() {
            return out.write_str(match self.style {
                Style::Ascii => "(win)",
                Style::Unicode => "○",
                Style::Latex => "\\bigcirc",
            });
        }
        for (written, &place) in results.iter().enumerate() {
            if written > 0 {
                out.write_char('/')?;
            }
            self.place(place, out)?;
        }
        Ok(())
    }

    fn place(&self, place: Place, out: &mut impl Write) -> fmt::Result {
        match place {
            Place::Number(n) => write!(out, "{n}"),
            Place::State(state) => {
                let state = state as usize;
                match self.exit(state) {
                    Some(k) => self.hand(k, out),
                    None if state < self.named => self.name(state, out),
                    None => self.state(state, out),
                }
            }
        }
    }
}

/// Whether what is not essentially cyclic can be written out in place.
fn is_short(value: &Control) -> bool {
    let results = |members: &[Member]| -> Vec<Place> {
        let meets = members.iter().filter_map(|member| match member {
            Member::Meet(results) => Some(results.to_vec()),
            Member::Hand(_) => None,
        });
        meets.flatten().collect()
    };
    // Layer by layer from the first states on: how often each state would be written.
    let mut times: FxHashMap<u32, u64> = FxHashMap::default();
    let first = 0..value.cyclic_states().max(u32::from(!value.states().is_empty()));
    times.extend(first.map(|state| (state, 1)));
    let mut total = 0_u64;
    for _ in 0..DEPTH {
        let mut next: FxHashMap<u32, u64> = FxHashMap::default();
        for (&state, &count) in &times {
            let members = &value.states()[state as usize];
            let size = 1 + members.len() + results(members).len();
            total = total.saturating_add(count.saturating_mul(size as u64));
            for place in results(members) {
                if let Place::State(result) = place
                    && result >= value.cyclic_states()
                {
                    let sum = next.entry(result).or_insert(0);
                    *sum = sum.saturating_add(count);
                }
            }
        }
        if total > MEMBERS || next.is_empty() {
            return total <= MEMBERS;
        }
        times = next;
    }
    false
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = if f.alternate() { Style::Ascii } else { Style::Unicode };
        Writer::new(self, style).value(f)
    }
}

impl Control {
    /// The value in LaTeX.
    ///
    /// ```
    /// use nimoon::{Work, impartial::control::Control};
    /// let value = Control::read("[0/1, >0]", &mut Work::default()).unwrap();
    /// assert_eq!(value.latex(), "[0/1,\\,{>}0]");
    /// ```
    pub fn latex(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = Writer::new(self, Style::Latex).value(&mut text);
        text
    }

    /// A state in ASCII, as it is written within the value.
    pub fn state_text(&self, state: u32) -> String {
        let mut text = String::new();
        let _ = Writer::new(self, Style::Ascii).place(Place::State(state), &mut text);
        text
    }

    /// A member of a state in ASCII, as it is written within the value.
    pub fn member_text(&self, state: u32, member: usize) -> String {
        let mut text = String::new();
        let writer = Writer::new(self, Style::Ascii);
        let _ = match &self.states()[state as usize][member] {
            Member::Hand(k) => writer.hand(*k, &mut text),
            Member::Meet(results) => writer.results(results, &mut text),
        };
        text
    }

    /// Whether the value is written as one term, and not with equations.
    ///
    /// ```
    /// use nimoon::{Work, impartial::control::Control};
    /// let is_term = |text| Control::read(text, &mut Work::default()).unwrap().is_term();
    /// assert!(is_term("[0/1]") && !is_term("X = [>0, 1/Y], Y = [>1, 0/X]"));
    /// ```
    pub fn is_term(&self) -> bool {
        Writer::new(self, Style::Ascii).named == 0
    }

    /// Names and right sides of the equations of a value that is written with some, in ASCII; the
    /// first one is that of the value. None for a value that is written as one term.
    ///
    /// ```
    /// use nimoon::{Work, impartial::control::Control};
    /// let value = Control::read("X = [>0, 1/Y], Y = [>1, 0/X]", &mut Work::default()).unwrap();
    /// let equations = value.equations();
    /// assert_eq!(equations[0], ("X".to_owned(), "[>0, 1/Y]".to_owned()));
    /// assert_eq!(equations[1], ("Y".to_owned(), "[>1, 0/X]".to_owned()));
    /// ```
    pub fn equations(&self) -> Vec<(String, String)> {
        let writer = Writer::new(self, Style::Ascii);
        let equation = |state| {
            let (mut name, mut right) = (String::new(), String::new());
            let _ = writer.name(state, &mut name);
            let _ = writer.state(state, &mut right);
            (name, right)
        };
        writer.equations().map(equation).collect()
    }

    /// Reads a number, a term, equations, a value that the carry-on theory has, or a literal form
    /// such as `{PASS, 0, ↻*2}`, and brings it into its canonical form.
    ///
    /// ```
    /// use nimoon::{Work, impartial::control::{Control, ReadError}};
    /// let read = |text| Control::read(text, &mut Work::default());
    /// assert_eq!(read("[[>0, >0], 0/[1, 0]]").unwrap().to_string(), "[0, >0]");
    /// let Err(ReadError::Notation(error)) = read("[0/>]") else { unreachable!() };
    /// assert_eq!((error.at, error.message.as_str()), (4, "expected a number after `>`"));
    /// ```
    ///
    /// # Errors
    /// When the text is not a value, or a limit is hit.
    pub fn read(text: &str, work: &mut Work) -> Result<Self, ReadError> {
        let trimmed = text.trim();
        if trimmed.starts_with('{') {
            return form::read(text, work);
        }
        let old = ["moon", "ninny", "nymphet", "oo", "full-moon", "☾", "∞"];
        if old.iter().any(|word| trimmed.starts_with(word)) {
            let at = text.len() - text.trim_start().len();
            let value = trimmed.parse::<Value>();
            let value = value.map_err(|error| NotationError::at(at, error.to_string()))?;
            return Ok(Self::of_value(&value));
        }
        let mut reader =
            Reader { text, at: 0, states: Vec::new(), variables: FxHashMap::default() };
        let start = reader.read()?;
        let automaton = Automaton::new(reader.states, work)?;
        Ok(Self::of_place(&automaton, start, work)?)
    }
}

/// How deep brackets may be nested in a text.
const NESTED: usize = 200;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    states: Vec<State>,
    /// The state of each variable, where it was met first, and whether it has an equation.
    variables: FxHashMap<&'a str, (u32, usize, bool)>,
}

impl<'a> Reader<'a> {
    fn read(&mut self) -> Result<Place, NotationError> {
        self.skip();
        let start = if self.variable().is_some() {
            self.equations()?
        } else if self.take("*") {
            // A lone star is the nimber 1, as everywhere in the literature.
            Place::Number(if self.at_digit() { self.number()? } else { 1 })
        } else {
            self.place(0)?
        };
        self.skip();
        if self.at < self.text.len() {
            return Err(self.error("expected the end of the value"));
        }
        Ok(start)
    }

    fn equations(&mut self) -> Result<Place, NotationError> {
        let mut start = None;
        loop {
            let at = self.at;
            let Some(name) = self.variable() else {
                return Err(self.error("expected a variable, such as X"));
            };
            self.at += name.len();
            let state = self.state_of(name, at);
            if let Some((_, _, known @ false)) = self.variables.get_mut(name) {
                *known = true;
            } else {
                let message = format!("{name} has two equations");
                return Err(NotationError::at(at, message));
            }
            self.expect("=", "expected `=` after the variable")?;
            self.skip();
            let right = if self.rest().starts_with('[') {
                self.members(0)?
            } else if self.take_win() {
                State { exits: NimberSet::nothing(), actions: vec![Box::default()] }
            } else {
                return Err(self.error("expected `[` after `=`"));
            };
            self.states[state as usize] = right;
            start.get_or_insert(Place::State(state));
            self.skip();
            if self.at == self.text.len() {
                break;
            }
            if !self.take(",") && !self.take(";") {
                return Err(self.error("expected `,` or the end after the equation"));
            }
            self.skip();
        }
        let undefined = self.variables.iter().filter(|(_, (.., known))| !known);
        if let Some((name, &(_, at, _))) = undefined.min_by_key(|(_, (_, at, _))| *at) {
            return Err(NotationError::at(at, format!("{name} has no equation")));
        }
        start.ok_or_else(|| self.error("expected an equation"))
    }

    fn state_of(&mut self, name: &'a str, at: usize) -> u32 {
        let states = &mut self.states;
        let variable = self.variables.entry(name).or_insert_with(|| {
            states.push(State { exits: NimberSet::nothing(), actions: Vec::new() });
            (states.len() as u32 - 1, at, false)
        });
        variable.0
    }

    /// A number, an exit, a bracket, a full moon or a variable.
    fn place(&mut self, depth: usize) -> Result<Place, NotationError> {
        self.skip();
        if self.at_digit() {
            return self.number().map(Place::Number);
        }
        let state = if self.rest().starts_with('[') {
            self.members(depth)?
        } else if self.take_win() {
            State { exits: NimberSet::nothing(), actions: vec![Box::default()] }
        } else if depth > 0 && self.take(">") {
            let exit = self.exit()?;
            State { exits: NimberSet::only([exit]), actions: Vec::new() }
        } else if depth > 0
            && let Some(name) = self.variable()
        {
            let at = self.at;
            self.at += name.len();
            return Ok(Place::State(self.state_of(name, at)));
        } else if depth > 0 {
            return Err(self.error("expected a number, `>`, `[` or `(win)`"));
        } else {
            return Err(self.error("expected a number, `[` or `(win)`"));
        };
        self.states.push(state);
        Ok(Place::State(self.states.len() as u32 - 1))
    }

    /// What stands in brackets.
    fn members(&mut self, depth: usize) -> Result<State, NotationError> {
        if depth == NESTED {
            return Err(self.error(&format!("brackets are nested more than {NESTED} deep")));
        }
        self.expect("[", "expected `[`")?;
        let (mut exits, mut actions) = (Vec::new(), Vec::new());
        self.skip();
        if self.take("]") {
            return Ok(State { exits: NimberSet::nothing(), actions });
        }
        loop {
            self.skip();
            let mut results = vec![self.place(depth + 1)?];
            self.skip();
            while self.take("/") {
                results.push(self.place(depth + 1)?);
                self.skip();
            }
            match results[..] {
                [Place::State(state)] if self.is_exit(state) => {
                    exits.push(self.states[state as usize].exits.clone());
                }
                _ => actions.push(in_order(results)),
            }
            if self.take("]") {
                return Ok(State { exits: NimberSet::union_of(&exits), actions });
            }
            if !self.take(",") {
                return Err(self.error("expected `,`, `/` or `]`"));
            }
        }
    }

    /// Whether a state is nothing but exits, and not that of a variable.
    fn is_exit(&self, state: u32) -> bool {
        let variables = self.variables.values();
        self.states[state as usize].actions.is_empty()
            && !variables.into_iter().any(|&(variable, ..)| variable == state)
    }

    fn exit(&mut self) -> Result<u64, NotationError> {
        self.skip();
        if self.at_digit() { self.number() } else { Err(self.error("expected a number after `>`")) }
    }

    fn number(&mut self) -> Result<u64, NotationError> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..end].parse();
        let number = number.map_err(|_| self.error("expected a whole number below 2^64"))?;
        self.at += end;
        Ok(number)
    }

    /// The name that stands here: a capital letter, and letters and digits.
    fn variable(&self) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        rest.starts_with(|c: char| c.is_ascii_uppercase()).then_some(&rest[..end])
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn at_digit(&self) -> bool {
        self.rest().starts_with(|c: char| c.is_ascii_digit())
    }

    fn skip(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn take_win(&mut self) -> bool {
        self.take("(win)") || self.take("○")
    }

    fn expect(&mut self, word: &str, message: &str) -> Result<(), NotationError> {
        self.skip();
        if self.take(word) { Ok(()) } else { Err(self.error(message)) }
    }

    fn error(&self, message: &str) -> NotationError {
        NotationError::at(self.at, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn read(text: &str) -> Result<Control, ReadError> {
        Control::read(text, &mut Work::default())
    }

    #[test]
    fn canonical_terms_are_written_as_they_are_read() {
        let texts = [
            "0",
            "[]",
            "(win)",
            "[0]",
            "[0, >0]",
            "[0/1, >0, >1]",
            "[0/>0]",
            "[0/[>0, >1]]",
            "[0/1/[>0, >1], >1]",
            "[>0, >1/[>0, >2]]",
            "[0/1, 0/2]",
            "[0/[1, 2]]",
            "[12/[10, >10]]",
        ];
        for text in texts {
            let value = read(text).unwrap();
            assert_eq!(format!("{value:#}"), text);
            assert_eq!(read(&value.to_string()).unwrap(), value);
        }
    }

    #[test]
    fn other_terms_are_brought_into_their_canonical_form() {
        let same = [
            ("[1/0]", "[0/1]"),
            ("[[0]]", "[0]"),
            ("[0, 1, >5]", "[0, 1]"),
            ("[0, >1]", "[0]"),
            ("[0/[1, 0]]", "[0]"),
            ("[(win), >3]", "(win)"),
            ("[0/(win)]", "[0]"),
            ("[[]/0]", "[]"),
            ("[>0/>1, >0]", "[>0]"),
            ("X = [1/X, >0]", "[>0]"),
            ("X = [1/Y], Y = [>0]", "[>0]"),
            ("X = [Y], Y = [X]", "[]"),
            ("X=[Y/0]; Y=(win)", "[0]"),
            (" *2 ", "2"),
            ("*", "1"),
            ("moon{0,1}", "[0, 1]"),
        ];
        for (text, canonical) in same {
            assert_eq!(format!("{:#}", read(text).unwrap()), canonical, "{text}");
        }
    }

    #[test]
    fn errors_say_where_they_are() {
        let errors = [
            ("", 0, "expected a number, `[` or `(win)`"),
            ("[0/1", 4, "expected `,`, `/` or `]`"),
            ("[0/]", 3, "expected a number, `>`, `[` or `(win)`"),
            ("[0, > ]", 6, "expected a number after `>`"),
            (">0", 0, "expected a number, `[` or `(win)`"),
            ("[0] 1", 4, "expected the end of the value"),
            ("[0/99999999999999999999]", 3, "expected a whole number below 2^64"),
            ("X = [1/Y]", 7, "Y has no equation"),
            ("X = [1/X], X = [0]", 11, "X has two equations"),
            ("X = 3", 4, "expected `[` after `=`"),
            ("X = [0] Y", 8, "expected `,` or the end after the equation"),
            ("X [0]", 2, "expected `=` after the variable"),
            ("moon{}", 0, "`moon{}` needs at least one number in its braces"),
        ];
        for (text, at, message) in errors {
            let Err(ReadError::Notation(error)) = read(text) else {
                panic!("{text} is read");
            };
            assert_eq!((error.at, error.message.as_str()), (at, message), "{text}");
        }
        assert!(read(&"[".repeat(10_000)).is_err());
        let limited = Control::read("[0/1, 0/2]", &mut Work::new(Limits::new(2)));
        assert!(matches!(limited, Err(ReadError::Interrupted(_))));
    }

    /// `X_{d+1} = [>0, 1/Y_d, 2/Z_d]` and its rotations: as terms, each is twice as long as the one
    /// before.
    #[test]
    fn long_terms_are_written_as_equations() {
        let mut text = "X9 = [>0, 1/Y8, 2/Z8]".to_owned();
        for d in (0..9_usize).rev() {
            for (i, name) in ["X", "Y", "Z"].into_iter().enumerate() {
                let [j, k] = [(i + 1) % 3, (i + 2) % 3];
                let names = ["X", "Y", "Z"];
                let _ = write!(text, ", {name}{d} = [>{i}");
                if let Some(below) = d.checked_sub(1) {
                    let _ = write!(text, ", {j}/{}{below}, {k}/{}{below}", names[j], names[k]);
                }
                text.push(']');
            }
        }
        let value = read(&text).unwrap();
        assert!(!value.is_cyclic());
        let written = format!("{value:#}");
        assert!(written.starts_with("X = [") && written.len() < 2000, "{written}");
        assert_eq!(read(&written).unwrap(), value);
    }
}

//! Colours in a terminal: outcomes, boards and the beginnings of errors.
//!
//! `NO_COLOR` and `CLICOLOR_FORCE` have their usual meaning. Pipes and files get plain text.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::LazyLock;

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};

/// Whether standard output shows colours.
static OUTPUT: LazyLock<bool> =
    LazyLock::new(|| AutoStream::choice(&io::stdout()) != ColorChoice::Never);

/// Whether standard error shows colours.
static ERRORS: LazyLock<bool> =
    LazyLock::new(|| AutoStream::choice(&io::stderr()) != ColorChoice::Never);

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(clap::builder::styling::Color::Ansi(colour)))
}

/// The style of an outcome.
fn of_outcome(letter: u8) -> Option<Style> {
    match letter {
        b'N' => Some(colour(AnsiColor::Green).bold()),
        b'P' => Some(colour(AnsiColor::Red).bold()),
        b'D' => Some(colour(AnsiColor::Yellow).bold()),
        _ => None,
    }
}

/// The colours of the letters on the boards of a ruleset.
fn of_board(ruleset: &str) -> &'static [(char, AnsiColor)] {
    match ruleset {
        "green-lime" => &[('g', AnsiColor::Green), ('l', AnsiColor::BrightYellow)],
        "green-hackenbush" => &[('g', AnsiColor::Green)],
        "lights" => &[('b', AnsiColor::Yellow)],
        "backsliding" => &[('t', AnsiColor::Blue), ('f', AnsiColor::Red)],
        "fox-geese" => &[('g', AnsiColor::Blue), ('f', AnsiColor::Red)],
        _ => &[],
    }
}

/// A line of the board of a ruleset, in colours if standard output shows them.
pub(crate) fn board<'a>(ruleset: &str, line: &'a str) -> Cow<'a, str> {
    let colours = of_board(ruleset);
    if !*OUTPUT || colours.is_empty() { Cow::Borrowed(line) } else { painted(line, colours).into() }
}

fn painted(line: &str, colours: &[(char, AnsiColor)]) -> String {
    let mut text = String::new();
    for c in line.chars() {
        match colours.iter().find(|(letter, _)| *letter == c) {
            Some(&(_, shade)) => {
                let style = colour(shade);
                let _ = write!(text, "{style}{c}{style:#}");
            }
            None => text.push(c),
        }
    }
    text
}

/// The text without colours.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(anstream::adapter::strip_str(text).to_string())
}

/// A message with its first word in colour, if standard error shows colours.
pub(crate) fn message(line: &str) -> Cow<'_, str> {
    let words =
        [("error:", AnsiColor::Red), ("warning:", AnsiColor::Yellow), ("note:", AnsiColor::Cyan)];
    let found =
        words.iter().find_map(|(word, shade)| Some((word, shade, line.strip_prefix(word)?)));
    match found.filter(|_| *ERRORS) {
        Some((word, &shade, rest)) => {
            let style = colour(shade).bold();
            Cow::Owned(format!("{style}{word}{style:#}{rest}"))
        }
        None => Cow::Borrowed(line),
    }
}

/// The outcomes N, P and D in a line: cells of a table, or a letter with its explanation.
fn with_outcomes(line: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut done = 0;
    for at in 2..line.len() {
        let Some(style) = of_outcome(line[at]) else { continue };
        let (before, after) = (&line[at - 2..at], &line[at + 1..]);
        let ends = after.trim_ascii_end().is_empty() || after.starts_with(b"  ");
        let is_cell = before == b"  " && ends;
        if is_cell || (before == b"  " || before == b", ") && after.starts_with(b": ") {
            out.write_all(&line[done..at])?;
            write!(out, "{style}{}{style:#}", char::from(line[at]))?;
            done = at + 1;
        }
    }
    out.write_all(&line[done..])
}

/// A writer that colours outcomes, if standard output shows colours.
pub(crate) struct Outcomes<'a> {
    out: &'a mut dyn Write,
    /// The beginning of a line.
    line: Vec<u8>,
    is_on: bool,
}

impl<'a> Outcomes<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, line: Vec::new(), is_on: *OUTPUT }
    }

    /// Writes a last line without an end.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        with_outcomes(&line, self.out)
    }
}

impl Write for Outcomes<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_on {
            return self.out.write(bytes);
        }
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.finish()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(text: &str) -> String {
        let mut out = Vec::new();
        let mut painter = Outcomes { out: &mut out, line: Vec::new(), is_on: true };
        // In pieces, as writers do.
        for piece in text.as_bytes().chunks(5) {
            painter.write_all(piece).expect("it is written");
        }
        painter.finish().expect("it is written");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn outcomes_are_coloured_and_nothing_else() {
        let text = "   0  nim:3  N  3\n\n sum  0, P: the previous player wins\nP  white  1  D\n";
        let found = outcomes(text);
        assert_eq!(
            found,
            "   0  nim:3  \u{1b}[1m\u{1b}[32mN\u{1b}[0m  3\n\n sum  0, \u{1b}[1m\u{1b}[31mP\u{1b}[0m: \
             the previous player wins\nP  white  1  \u{1b}[1m\u{1b}[33mD\u{1b}[0m\n"
        );
        assert_eq!(plain(&found), text);
        for same in ["A name: N or P.\n", "N", "  Now", "  N x\n", "a, P b"] {
            assert_eq!(outcomes(same), same);
        }
    }

    #[test]
    fn the_letters_of_a_board_are_coloured() {
        let found = painted("0 -g- 1", of_board("green-lime"));
        assert_eq!(found, "0 -\u{1b}[32mg\u{1b}[0m- 1");
        assert_eq!(of_board("nim"), []);
    }
}

//! Literal forms of impartial games, as [ACLNSS, §4] writes them: `{PASS, 0, ↻*2}`.
//!
//! | in braces | the mover |
//! |---|---|
//! | `0`, `*2`, `2` | moves to a nim-heap |
//! | `{…}` | moves to another form |
//! | `↻*2`, `again *2` | makes the opponent move there, and moves again |
//! | `PASS` | moves to the innermost form itself |
//! | `●`, `win` | leaves the opponent stuck |
//!
//! A form becomes a white node with these options, of which carry-on moves lead through a gray node.

use crate::graph::digraph::Node;
use crate::impartial::control::drawing::Drawing;
use crate::impartial::control::layers::Layers;
use crate::impartial::control::notation::ReadError;
use crate::impartial::control::{Control, values};
use crate::limits::Work;
use crate::notation::NotationError;

/// How deep braces may be nested in a text.
const NESTED: usize = 100;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    drawing: Drawing,
}

/// Reads a form, and finds its value.
pub(crate) fn read(text: &str, work: &mut Work) -> Result<Control, ReadError> {
    let mut reader = Reader { text, at: 0, drawing: Drawing::default() };
    reader.skip();
    let start = reader.form(0, work)?;
    reader.skip();
    if reader.at < text.len() {
        return Err(reader.error("expected the end of the form").into());
    }
    let arcs = reader.drawing.arcs().to_vec();
    let part = reader.drawing.part(start, arcs);
    let layers = Layers::of(&part.digraph, work);
    Ok(values(&part.digraph, &layers, &[part.start], work)?.swap_remove(0))
}

impl Reader<'_> {
    fn form(&mut self, depth: usize, work: &mut Work) -> Result<Node, ReadError> {
        work.count()?;
        if depth == NESTED {
            let message = format!("braces are nested more than {NESTED} deep");
            return Err(self.error(&message).into());
        }
        if !self.take("{") {
            return Err(self.error("expected `{`").into());
        }
        let node = self.drawing.white("G");
        if self.take("}") {
            return Ok(node);
        }
        loop {
            let option = if self.take("PASS") || self.take("pass") {
                node
            } else if self.take("●") || self.take("win") {
                self.drawing.gray("g")
            } else if self.take("↻") || self.take("again") {
                let gray = self.drawing.gray("g");
                let to = self.position(depth, work)?;
                self.drawing.arc(gray, to);
                gray
            } else {
                self.position(depth, work)?
            };
            self.drawing.arc(node, option);
            if self.take("}") {
                return Ok(node);
            }
            if !self.take(",") {
                return Err(self.error("expected `,` or `}`").into());
            }
        }
    }

    /// A nim-heap or a form.
    fn position(&mut self, depth: usize, work: &mut Work) -> Result<Node, ReadError> {
        self.skip();
        if self.rest().starts_with('{') {
            return self.form(depth + 1, work);
        }
        let star = self.take("*");
        let rest = self.rest();
        let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
        let n = match (digits, star) {
            ("", true) => 1,
            ("", false) => {
                let message = "expected a nim-heap such as *2, a form in braces, PASS, ↻ or ●";
                return Err(self.error(message).into());
            }
            _ => digits.parse().map_err(|_| self.error("expected a whole number below 2^64"))?,
        };
        self.at += digits.len();
        Ok(self.drawing.heap(n, work)?)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Reads a word, if it comes next.
    fn take(&mut self, word: &str) -> bool {
        self.skip();
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn error(&self, message: &str) -> NotationError {
        NotationError::at(self.at, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> String {
        format!("{:#}", Control::read(text, &mut Work::default()).unwrap())
    }

    /// The examples of [ACLNSS, §4]: G, G′, G″, H and J′, and what equals a heap.
    #[test]
    fn the_forms_of_the_paper_have_their_values() {
        let known = [
            ("{●}", "(win)"),
            ("{0, ↻0}", "[0, >0]"),
            ("{again 0, again *}", "[0, 1]"),
            ("{PASS, 0, *2}", "[>0, >2]"),
            ("{PASS}", "[]"),
            ("{ pass , ↻ *3 }", "[3]"),
            ("{PASS, 0, ↻*2}", "[2]"),
            ("{↻*5}", "5"),
            ("{0, {0}, 2}", "3"),
            ("{}", "0"),
            ("{{PASS}}", "[]"),
            ("{PASS, ↻{PASS, ↻0, ↻1}}", "[0, 1]"),
        ];
        for (text, expected) in known {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn errors_say_where_they_are() {
        let errors = [
            ("{", 1, "expected a nim-heap such as *2, a form in braces, PASS, ↻ or ●"),
            ("{0 1}", 3, "expected `,` or `}`"),
            ("{↻}", 4, "expected a nim-heap such as *2, a form in braces, PASS, ↻ or ●"),
            ("{0} x", 4, "expected the end of the form"),
            ("{*99999999999999999999}", 2, "expected a whole number below 2^64"),
        ];
        for (text, at, message) in errors {
            let Err(ReadError::Notation(error)) = Control::read(text, &mut Work::default()) else {
                panic!("{text} is read");
            };
            assert_eq!((error.at, error.message.as_str()), (at, message), "{text}");
        }
        assert!(Control::read(&"{".repeat(10_000), &mut Work::default()).is_err());
        let large = Control::read("{*4000000000}", &mut Work::default());
        assert!(matches!(large, Err(ReadError::Interrupted(_))));
    }
}

//! Reading positions and parameters, with places for errors.
//!
//! White space before a token is free: a number, a name, or a single character. Within a token
//! there is none.

use nimoon::notation::NotationError;

/// A place in a text.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Reads the whole text by `read`; anything left over is an error.
    pub(crate) fn whole<T>(
        text: &'a str,
        read: impl FnOnce(&mut Self) -> Result<T, NotationError>,
    ) -> Result<T, NotationError> {
        let mut scanner = Self { text, at: 0 };
        let read = read(&mut scanner)?;
        match scanner.peek() {
            None => Ok(read),
            Some(_) => Err(scanner.expected("the end")),
        }
    }

    /// What is still to be read.
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// How many bytes stand before the next token.
    pub(crate) fn place(&self) -> usize {
        self.text.len() - self.rest().trim_start().len()
    }

    /// The first character of the next token.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().trim_start().chars().next()
    }

    /// Reads the first character of the next token.
    pub(crate) fn next(&mut self) -> Option<char> {
        self.at = self.place();
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Reads characters of this kind as one token, which may be empty.
    pub(crate) fn run(&mut self, kind: impl Fn(char) -> bool) -> &'a str {
        let start = self.place();
        let rest = &self.text[start..];
        let run = &rest[..rest.find(|c| !kind(c)).unwrap_or(rest.len())];
        if !run.is_empty() {
            self.at = start + run.len();
        }
        run
    }

    /// Reads this character if it comes next.
    pub(crate) fn take(&mut self, sign: char) -> bool {
        let there = self.peek() == Some(sign);
        if there {
            self.next();
        }
        there
    }

    /// Reads this character.
    pub(crate) fn need(&mut self, sign: char) -> Result<(), NotationError> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// Reads a number without a sign; `what` says which.
    pub(crate) fn number(&mut self, what: &str) -> Result<u64, NotationError> {
        let place = self.place();
        let digits = self.run(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.expected(what));
        }
        digits
            .parse()
            .map_err(|_| NotationError::at(place, format!("the number {digits} is too large")))
    }

    /// What was expected here, and what stands here.
    pub(crate) fn expected(&self, what: &str) -> NotationError {
        let rest = self.rest();
        let blanks = &rest[..rest.len() - rest.trim_start().len()];
        let (place, found) = match (blanks.find(['\n', '\r']), self.peek()) {
            (_, None) => (self.text.len(), "the end".to_owned()),
            (Some(end), Some(_)) => (self.at + end, "the end of the line".to_owned()),
            (None, Some(found)) if found.is_control() => {
                (self.place(), format!("U+{:04X}", u32::from(found)))
            }
            (None, Some(found)) => (self.place(), format!("`{found}`")),
        };
        NotationError::at(place, format!("expected {what}, found {found}"))
    }
}

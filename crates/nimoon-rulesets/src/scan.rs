//! Reading positions and parameters character by character, with places for errors.

use nimoon::ruleset::NotationError;

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

    /// How many bytes were read.
    pub(crate) fn place(&self) -> usize {
        self.at
    }

    /// The next character.
    pub(crate) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Reads the next character.
    pub(crate) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Reads this character if it comes next.
    pub(crate) fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.at += wanted.len_utf8();
        }
        there
    }

    /// Reads this character.
    pub(crate) fn need(&mut self, wanted: char) -> Result<(), NotationError> {
        if self.take(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }

    /// Reads a number without a sign; `what` says which.
    pub(crate) fn number(&mut self, what: &str) -> Result<u64, NotationError> {
        let rest = &self.text[self.at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(self.expected(what));
        }
        let number = rest[..digits].parse().map_err(|_| {
            NotationError::at(self.at, format!("the number {} is too large", &rest[..digits]))
        })?;
        self.at += digits;
        Ok(number)
    }

    /// What was expected here, and what stands here.
    pub(crate) fn expected(&self, what: &str) -> NotationError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |found| format!("`{found}`"));
        NotationError::at(self.at, format!("expected {what}, found {found}"))
    }
}

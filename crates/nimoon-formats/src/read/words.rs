//! Lines of words and numbers: what the readers have in common.

use super::ReadErrorKind;
use super::error::{Fault, excerpt};

/// The lines of a text, each with the place where it starts, without their line ends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let place = start;
        let line = if let Some(end) = memchr::memchr(b'\n', rest.as_bytes()) {
            start += end + 1;
            &rest[..end]
        } else {
            start = text.len();
            rest
        };
        Some((place, line))
    })
}

/// What precedes a comment.
pub(super) fn without_comment(line: &str) -> &str {
    memchr::memchr(b'#', line.as_bytes()).map_or(line, |end| &line[..end])
}

/// Whether a byte separates words.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The words of a line that starts at `place`, each with its place.
pub(super) fn words(mut place: usize, mut line: &str) -> impl Iterator<Item = (usize, &str)> {
    std::iter::from_fn(move || {
        let bytes = line.as_bytes();
        let start = bytes.iter().position(|&byte| !is_blank(byte))?;
        let end = bytes[start..].iter().position(|&byte| is_blank(byte));
        let end = end.map_or(bytes.len(), |length| start + length);
        let word = (place + start, &line[start..end]);
        place += end;
        line = &line[end..];
        Some(word)
    })
}

/// A place in a text, for formats where line ends are blanks like others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) place: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, place: 0 }
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.place).copied()
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.place..).unwrap_or_default()
    }

    /// Skips blanks and line ends.
    #[inline]
    pub(super) fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.place += 1;
        }
    }

    /// Takes one byte if it is the next.
    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.place += usize::from(found);
        found
    }

    /// Skips blanks and takes one byte, or says what was expected.
    #[inline]
    pub(super) fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Fault> {
        self.skip_space();
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Skips blanks, and says what was expected if this byte is the next.
    #[inline]
    pub(super) fn refuse(&mut self, byte: u8, expected: &'static str) -> Result<(), Fault> {
        self.skip_space();
        if self.peek() == Some(byte) { Err(self.unexpected(expected)) } else { Ok(()) }
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> Fault {
        Fault::unexpected(self.text, self.place, expected)
    }

    /// Takes a number in decimal notation.
    pub(super) fn number(&mut self, limit: u64, expected: &'static str) -> Result<u64, Fault> {
        let start = self.place;
        let mut number = Some(0_u64);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number
                .and_then(|n| n.checked_mul(10))
                .and_then(|n| n.checked_add(u64::from(digit - b'0')));
            self.place += 1;
        }
        if self.place == start {
            return Err(self.unexpected(expected));
        }
        number.filter(|&number| number <= limit).ok_or_else(|| {
            let found = excerpt(&self.text[start..self.place]);
            Fault::new(start, ReadErrorKind::NumberTooLarge { found, limit })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_words_know_their_places() {
        let found: Vec<_> =
            lines("a  bc\r\n\n\tdé\n").map(|(p, l)| words(p, l).collect::<Vec<_>>()).collect();
        let expected: [Vec<(usize, &str)>; 3] =
            [vec![(0, "a"), (3, "bc")], vec![], vec![(9, "dé")]];
        assert_eq!(found, expected);
        assert_eq!(lines("").count(), 0);
        assert_eq!(without_comment("a # b # c"), "a ");
    }

    #[test]
    fn a_number_that_does_not_fit_is_refused() {
        let number = |text| Cursor::new(text).number(u64::MAX, "a number").map_err(|f| f.kind);
        assert_eq!(number("18446744073709551615"), Ok(u64::MAX));
        assert!(matches!(
            number("18446744073709551616"),
            Err(ReadErrorKind::NumberTooLarge { limit: u64::MAX, .. })
        ));
        assert!(matches!(number("x"), Err(ReadErrorKind::Unexpected { .. })));
    }
}

//! The words of DOT.

use std::borrow::Cow;

use super::super::error::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Node,
    Edge,
    Graph,
    Digraph,
    Subgraph,
    Strict,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Keyword(Keyword),
    Id(Cow<'a, str>),
    /// `->`
    Arrow,
    /// `--`
    Undirected,
    /// One of `{ } [ ] ; , : =`.
    Symbol(char),
    End,
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    place: usize,
}

/// Whether each byte may be in a bare word.
static IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte == b'_' as usize || byte >= 0x80;
        byte += 1;
    }
    table
};

fn is_word(byte: u8) -> bool {
    IS_WORD[usize::from(byte)]
}

fn keyword(word: &str) -> Option<Keyword> {
    // No keyword has another length or begins with another letter.
    if !(4..=8).contains(&word.len()) || !b"negdsNEGDS".contains(&word.as_bytes()[0]) {
        return None;
    }
    [
        ("node", Keyword::Node),
        ("edge", Keyword::Edge),
        ("graph", Keyword::Graph),
        ("digraph", Keyword::Digraph),
        ("subgraph", Keyword::Subgraph),
        ("strict", Keyword::Strict),
    ]
    .into_iter()
    .find_map(|(known, keyword)| known.eq_ignore_ascii_case(word).then_some(keyword))
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, place: 0 }
    }

    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.place).copied()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.place..]
    }

    fn skip_to_line_end(&mut self) {
        let rest = self.rest();
        self.place += memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
    }

    fn skip_space_and_comments(&mut self) -> Result<(), Fault> {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.place += 1,
                b'#' => self.skip_to_line_end(),
                b'/' if self.rest().starts_with("//") => self.skip_to_line_end(),
                b'/' if self.rest().starts_with("/*") => {
                    let Some(end) = self.rest()[2..].find("*/") else {
                        let expected = "`*/` at its end";
                        return Err(Fault::found(self.place, "an open comment", expected));
                    };
                    self.place += end + 4;
                }
                _ => break,
            }
        }
        Ok(())
    }

    /// The next token and where it starts.
    pub(super) fn next(&mut self) -> Result<(usize, Token<'a>), Fault> {
        self.skip_space_and_comments()?;
        let place = self.place;
        let Some(byte) = self.peek() else {
            return Ok((place, Token::End));
        };
        let token = match byte {
            b'{' | b'}' | b'[' | b']' | b';' | b',' | b':' | b'=' => {
                self.place += 1;
                Token::Symbol(char::from(byte))
            }
            b'-' if self.rest().starts_with("->") => {
                self.place += 2;
                Token::Arrow
            }
            b'-' if self.rest().starts_with("--") => {
                self.place += 2;
                Token::Undirected
            }
            b'"' => Token::Id(self.quoted_pieces()?),
            b'<' => Token::Id(Cow::Borrowed(self.html()?)),
            b'-' | b'.' | b'0'..=b'9' => Token::Id(Cow::Borrowed(self.numeral()?)),
            _ if is_word(byte) => {
                let rest = self.rest();
                let end = rest.bytes().position(|byte| !is_word(byte)).unwrap_or(rest.len());
                self.place += end;
                let word = &rest[..end];
                keyword(word).map_or(Token::Id(Cow::Borrowed(word)), Token::Keyword)
            }
            _ => {
                let expected = "a name or one of { } [ ] ; , : = ->: \
                                put quotes around a name with other characters";
                return Err(Fault::unexpected(self.text, place, expected));
            }
        };
        Ok((place, token))
    }

    /// `-` or nothing, then digits with at most one point.
    fn numeral(&mut self) -> Result<&'a str, Fault> {
        let start = self.place;
        self.place += usize::from(self.peek() == Some(b'-'));
        let mut digits = 0;
        let mut points = 0;
        while let Some(byte @ (b'.' | b'0'..=b'9')) = self.peek() {
            digits += usize::from(byte != b'.');
            points += usize::from(byte == b'.');
            self.place += 1;
        }
        if digits == 0 || points > 1 || self.peek().is_some_and(is_word) {
            let expected = "a name or a number: \
                            put quotes around a name that begins like a number";
            return Err(Fault::unexpected(self.text, start, expected));
        }
        Ok(&self.text[start..self.place])
    }

    fn quoted_pieces(&mut self) -> Result<Cow<'a, str>, Fault> {
        let mut id = self.quoted()?;
        loop {
            let end = self.place;
            self.skip_space_and_comments()?;
            if self.peek() != Some(b'+') {
                self.place = end;
                return Ok(id);
            }
            self.place += 1;
            self.skip_space_and_comments()?;
            if self.peek() != Some(b'"') {
                let expected = "a quoted string after `+`";
                return Err(Fault::unexpected(self.text, self.place, expected));
            }
            let more = self.quoted()?;
            id.to_mut().push_str(&more);
        }
    }

    fn quoted(&mut self) -> Result<Cow<'a, str>, Fault> {
        let start = self.place;
        self.place += 1;
        let mut id = Cow::Borrowed("");
        loop {
            let rest = self.rest();
            let Some(end) = memchr::memchr2(b'"', b'\\', rest.as_bytes()) else {
                let expected = "another one at the end of the name";
                return Err(Fault::found(start, "a double quote", expected));
            };
            if id.is_empty() {
                id = Cow::Borrowed(&rest[..end]);
            } else {
                id.to_mut().push_str(&rest[..end]);
            }
            self.place += end + 1;
            if rest.as_bytes()[end] == b'"' {
                return Ok(id);
            }
            let escaped = &rest[end + 1..];
            let (length, meaning) = match escaped.as_bytes() {
                [b'"', ..] => (1, "\""),
                [b'\\', ..] => (1, "\\"),
                [b'\n', ..] => (1, ""),
                [b'\r', b'\n', ..] => (2, ""),
                _ => (0, "\\"),
            };
            id.to_mut().push_str(meaning);
            self.place += length;
        }
    }

    /// From `<` to the `>` that belongs to it.
    fn html(&mut self) -> Result<&'a str, Fault> {
        let start = self.place;
        let mut open = 0_usize;
        for place in memchr::memchr2_iter(b'<', b'>', self.rest().as_bytes()) {
            if self.text.as_bytes()[start + place] == b'<' {
                open += 1;
            } else {
                open -= 1;
            }
            if open == 0 {
                self.place = start + place + 1;
                return Ok(&self.text[start..self.place]);
            }
        }
        Err(Fault::found(start, "`<`", "`>` at the end of the HTML name"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<String> {
        let mut lexer = Lexer::new(text);
        let mut ids = Vec::new();
        loop {
            match lexer.next() {
                Ok((_, Token::End)) => return ids,
                Ok((_, Token::Id(id))) => ids.push(id.into_owned()),
                Ok((_, other)) => ids.push(format!("{other:?}")),
                Err(fault) => {
                    ids.push(format!("error at {}", fault.place));
                    return ids;
                }
            }
        }
    }

    #[test]
    fn identifiers_are_words_numerals_strings_and_html() {
        assert_eq!(ids("a_1 é -1.5 .5 7."), ["a_1", "é", "-1.5", ".5", "7."]);
        assert_eq!(ids(r#""a \"b\" \\ \n" + /* more */ "c" "" d"#), ["a \"b\" \\ \\nc", "", "d"]);
        assert_eq!(ids("\"a\\\nb\\\r\nc\nd\""), ["abc\nd"]);
        assert_eq!(ids("<a<b>c>d"), ["<a<b>c>", "d"]);
        assert_eq!(ids("-5->-3"), ["-5", "Arrow", "-3"]);
        assert_eq!(ids("a--b"), ["a", "Undirected", "b"]);
    }

    #[test]
    fn comments_are_skipped() {
        assert_eq!(ids("a // b\n# c\nd /* e\n f */ g # end"), ["a", "d", "g"]);
    }

    #[test]
    fn text_that_is_not_a_token_is_refused() {
        for text in ["1a", "1.2.3", "-", ".", "-.", "\"a", "<a<b>", "/", "/* a", "@", "\"a\" + b"] {
            assert!(ids(text).last().is_some_and(|last| last.starts_with("error")), "{text}");
        }
    }
}

//! How positions are written where the script does not say it.
//!
//! | text | position |
//! |---|---|
//! | `5`, `-5` | an integer |
//! | `3,5` and `3,` and `,` | an array of integers: of two, of one, of none |
//! | `=…` | any position, as it stands in a script: `=[[1,2],"x"]`, `=true`, `={a:1}`; `=sum[3,5]` is a sum |
//! | any other | the text itself |
//!
//! A string that would be read as something else is written `="5"`, so what is written is always
//! read as what it was.

use std::sync::Arc;

use nimoon::notation::NotationError;
use rhai::INT;

use crate::engine::Reason;
use crate::limits::Limits;
use crate::position::{Position, Room, Value};

/// Reads a position.
pub(crate) fn read(text: &str, limits: &Limits) -> Result<Position, NotationError> {
    let mut room = Room::new(limits);
    if let Some(literal) = text.strip_prefix('=') {
        let mut reader = Reader { text, at: text.len() - literal.len(), room };
        let depth = reader.room.depth();
        let value = reader.value(depth)?;
        return match reader.peek() {
            None => Ok(Position(value)),
            Some(_) => Err(reader.expected("the end")),
        };
    }
    let too_large = |(_, message): Reason| NotationError::limit(0, message);
    if let Some(integer) = integer(text, 0)? {
        return Ok(Position(Value::Integer(integer)));
    }
    if let Some(integers) = integers(text)? {
        room.take(1 + integers.len()).map_err(too_large)?;
        return Ok(Position(Value::Array(integers.into_iter().map(Value::Integer).collect())));
    }
    room.take(1 + text.len()).map_err(too_large)?;
    Ok(Position(Value::Text(text.into())))
}

/// Writes a position such that [`read`] reads it.
pub(crate) fn write(position: &Position, limits: &Limits) -> String {
    match &position.0 {
        Value::Integer(integer) => integer.to_string(),
        Value::Text(text) if read(text, limits).as_ref() == Ok(position) => text.to_string(),
        Value::Array(array) if array.iter().all(|value| matches!(value, Value::Integer(_))) => {
            let mut text = array.iter().map(Value::to_string).collect::<Vec<_>>().join(",");
            if array.len() < 2 {
                text.push(',');
            }
            text
        }
        value => format!("={value}"),
    }
}

/// The integer, if the text is one.
fn integer(text: &str, at: usize) -> Result<Option<INT>, NotationError> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    let too_large = |_| NotationError::at(at, "a number is between -2^63 and 2^63 - 1");
    text.parse().map(Some).map_err(too_large)
}

/// The integers, if the text is a list of them.
fn integers(text: &str) -> Result<Option<Vec<INT>>, NotationError> {
    if text == "," {
        return Ok(Some(Vec::new()));
    }
    let Some((first, rest)) = text.split_once(',') else { return Ok(None) };
    let Some(first) = integer(first, 0)? else { return Ok(None) };
    let mut integers = vec![first];
    if rest.is_empty() {
        return Ok(Some(integers));
    }
    let mut at = text.len() - rest.len();
    for item in rest.split(',') {
        let Some(integer) = integer(item, at)? else { return Ok(None) };
        integers.push(integer);
        at += item.len() + 1;
    }
    Ok(Some(integers))
}

/// Reads values as they stand in a script.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    room: Room<'a>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn take(&mut self, expected: &str) -> bool {
        let there = self.text[self.at..].starts_with(expected);
        if there {
            self.at += expected.len();
        }
        there
    }

    fn expected(&self, what: &str) -> NotationError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |found| format!("`{found}`"));
        NotationError::at(self.at, format!("expected {what}, found {found}"))
    }

    /// Counts what was read.
    fn count(&mut self, size: usize) -> Result<(), NotationError> {
        let at = self.at;
        self.room.take(size).map_err(|(_, message)| NotationError::limit(at, message))
    }

    fn value(&mut self, depth: usize) -> Result<Value, NotationError> {
        self.count(1)?;
        match self.peek() {
            Some('"') => Ok(Value::Text(self.quoted('"')?.into())),
            Some('\'') => {
                let at = self.at;
                let text = self.quoted('\'')?;
                let mut characters = text.chars();
                match (characters.next(), characters.next()) {
                    (Some(character), None) => Ok(Value::Character(character)),
                    _ => Err(NotationError::at(at, "expected one character between the marks")),
                }
            }
            Some('[') => {
                let mut values = Vec::new();
                self.list(depth, "]", |reader, depth| {
                    values.push(reader.value(depth)?);
                    Ok(())
                })?;
                Ok(Value::Array(values.into()))
            }
            Some('{') => {
                let mut properties = std::collections::BTreeMap::<Arc<str>, Value>::new();
                self.list(depth, "}", |reader, depth| {
                    let at = reader.at;
                    let name = reader.name()?;
                    if !reader.take(":") {
                        return Err(reader.expected("`:`"));
                    }
                    let value = reader.value(depth)?;
                    match properties.insert(name.into(), value) {
                        None => Ok(()),
                        Some(_) => Err(NotationError::at(at, "this property stands here twice")),
                    }
                })?;
                Ok(Value::Map(properties.into_iter().collect()))
            }
            _ if self.take("sum") => {
                let mut values = Vec::new();
                if self.peek() != Some('[') {
                    return Err(self.expected("`[` and the parts of the sum"));
                }
                self.list(depth, "]", |reader, depth| {
                    values.push(reader.value(depth)?);
                    Ok(())
                })?;
                Ok(Value::Sum(values.into()))
            }
            _ if self.take("true") => Ok(Value::Truth(true)),
            _ if self.take("false") => Ok(Value::Truth(false)),
            _ => {
                let rest = &self.text[self.at..];
                let length = rest.find([',', ']', '}']).unwrap_or(rest.len());
                let Some(integer) = integer(&rest[..length], self.at)? else {
                    return Err(self.expected("a number, `true`, `false`, `\"`, `'`, `[` or `{`"));
                };
                self.at += length;
                Ok(Value::Integer(integer))
            }
        }
    }

    /// Reads what stands between brackets, after the opening one comes next.
    fn list(
        &mut self,
        depth: usize,
        end: &str,
        mut item: impl FnMut(&mut Self, usize) -> Result<(), NotationError>,
    ) -> Result<(), NotationError> {
        let deeper = self.room.deeper(depth);
        let depth = deeper.map_err(|(_, message)| NotationError::limit(self.at, message))?;
        self.next();
        if self.take(end) {
            return Ok(());
        }
        loop {
            item(self, depth)?;
            if self.take(end) {
                return Ok(());
            }
            if !self.take(",") {
                return Err(self.expected(&format!("`,` or `{end}`")));
            }
        }
    }

    /// Reads the name of a property.
    fn name(&mut self) -> Result<String, NotationError> {
        if self.peek() == Some('"') {
            return self.quoted('"');
        }
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let name = rest[..length.unwrap_or(rest.len())].to_owned();
        if name.is_empty() {
            return Err(self.expected("the name of a property"));
        }
        self.at += name.len();
        self.count(name.len())?;
        Ok(name)
    }

    fn quoted(&mut self, mark: char) -> Result<String, NotationError> {
        self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(self.expected(&format!("`{mark}`"))),
                Some('\\') if self.take("u{") => {
                    let rest = &self.text[self.at..];
                    let code = rest.split_once('}').and_then(|(code, _)| {
                        Some((code.len(), char::from_u32(u32::from_str_radix(code, 16).ok()?)?))
                    });
                    let Some((length, character)) = code else {
                        return Err(self.expected("the number of a character, as in `\\u{a}`"));
                    };
                    self.at += length + 1;
                    text.push(character);
                }
                Some('\\') => match self.next() {
                    Some(c @ ('\\' | '"' | '\'')) => text.push(c),
                    _ => {
                        return Err(NotationError::at(
                            self.at,
                            "expected `\\`, `u{` or a mark after `\\`",
                        ));
                    }
                },
                Some(c) if c == mark => break,
                Some(c) => text.push(c),
            }
        }
        self.count(text.len())?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(values: impl IntoIterator<Item = Value>) -> Value {
        Value::Array(values.into_iter().collect())
    }

    #[test]
    fn numbers_lists_of_numbers_and_text_are_distinguished() {
        let read = |text: &str| read(text, &Limits::default()).unwrap().0;
        assert!(read("5") == Value::Integer(5));
        assert!(read("-5") == Value::Integer(-5));
        assert!(read("3,5") == array([Value::Integer(3), Value::Integer(5)]));
        assert!(read("3,") == array([Value::Integer(3)]));
        assert!(read(",") == array([]));
        assert!(read("bbs") == Value::Text("bbs".into()));
        assert!(read("3,5,") == Value::Text("3,5,".into()));
        assert!(read("=\"5\"") == Value::Text("5".into()));
        assert!(read("={b:1,a:[true,'x']}").to_string() == "{a:[true,'x'],b:1}");
    }

    #[test]
    fn what_is_written_is_read_as_what_it_was() {
        let limits = Limits::default();
        let texts =
            ["", "5", "+5", "x", "3,5", "3,", ",", "=", "=5", "\"", "\\\"'\n\u{7f}é", "-", "3,5,"];
        let mut values: Vec<_> = texts.iter().map(|&text| Value::Text(text.into())).collect();
        values.extend(['\'', '"', '\\', '\0', 'é'].map(Value::Character));
        values.extend([INT::MIN, -1, 0, INT::MAX].map(Value::Integer));
        values.extend([Value::Truth(true), Value::Truth(false)]);
        let leaves = values.clone();
        for leaf in &leaves {
            values.push(array([leaf.clone()]));
            values.push(array([array([leaf.clone(), leaf.clone()]), array([])]));
            for name in ["a", "1", "", "a b", "é\""] {
                let map = vec![(Arc::from(name), leaf.clone())];
                values.push(Value::Map(map.into()));
            }
        }
        for value in values {
            let position = Position(value);
            let text = write(&position, &limits);
            assert_eq!(read(&text, &limits).as_ref(), Ok(&position), "{text}");
        }
    }

    #[test]
    fn an_error_points_at_the_byte() {
        let cases = [
            ("99999999999999999999", 0, "a number is between -2^63 and 2^63 - 1"),
            ("3,99999999999999999999", 2, "a number is between -2^63 and 2^63 - 1"),
            ("=[1,2", 5, "expected `,` or `]`, found the end"),
            ("=[1,x]", 4, "expected a number, `true`, `false`, `\"`, `'`, `[` or `{`, found `x`"),
            ("=[1,2]x", 6, "expected the end, found `x`"),
            ("=\"abc", 5, "expected `\"`, found the end"),
            ("='ab'", 1, "expected one character between the marks"),
            ("={a=1}", 3, "expected `:`, found `=`"),
            ("={a:1,a:2}", 6, "this property stands here twice"),
        ];
        for (text, at, message) in cases {
            let error = read(text, &Limits::default()).unwrap_err();
            assert_eq!((error.at, error.message.as_str()), (at, message), "{text}");
        }
    }

    #[test]
    fn deep_and_large_text_is_refused() {
        let deep = format!("={}", "[".repeat(1_000_000));
        let error = read(&deep, &Limits::default()).unwrap_err();
        assert_eq!((error.at, error.limit), (33, true));
        assert_eq!(error.message, "arrays and maps are nested deeper than 32 (limit `depth`)");
        for large in
            ["x".repeat(20_000), "1,".repeat(20_000) + "1", format!("=\"{}\"", "x".repeat(20_000))]
        {
            let error = read(&large, &Limits::default()).unwrap_err();
            assert_eq!(
                error.message,
                "a position has a size of more than 10000 (limit `position`)"
            );
            assert!(error.limit);
        }
    }
}

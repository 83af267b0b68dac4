//! JSON as the readers take it: objects, lists and strings of a shape that is known, without a tree
//! of values, so that depth does no harm and every error is reported where the text goes wrong.

use std::borrow::Cow;

use super::ReadErrorKind;
use super::error::{Fault, excerpt};
use super::watch::LINES_PER_LOOK;
use super::words::Cursor;

/// A reader of JSON.
pub(super) trait JsonSyntax<'a>: Sized {
    /// Where it is.
    fn cursor(&mut self) -> &mut Cursor<'a>;

    /// Looks whether to go on. It is called now and then, within every list and object.
    fn look(&self) -> Result<(), Fault>;

    /// An object with these fields and no others, in any order, each at most once; they are given
    /// to `field` by their places in the list.
    fn fields<const N: usize>(
        &mut self,
        known: [&'static str; N],
        expected: &'static str,
        mut field: impl FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut seen = [false; N];
        self.object(expected, |reader, place, name| {
            let Some(index) = known.iter().position(|&known| known == name) else {
                let known = known.map(|known| format!("`{known}`")).join(", ");
                let kind = ReadErrorKind::UnknownField { field: excerpt(&name), known };
                return Err(Fault::new(place, kind));
            };
            if std::mem::replace(&mut seen[index], true) {
                let kind = ReadErrorKind::FieldTwice { field: excerpt(&name) };
                return Err(Fault::new(place, kind));
            }
            field(reader, index)
        })
    }

    /// Nothing but blanks up to the end.
    fn end(&mut self, expected: &'static str) -> Result<(), Fault> {
        let cursor = self.cursor();
        cursor.skip_space();
        if cursor.peek().is_some() { Err(cursor.unexpected(expected)) } else { Ok(()) }
    }

    /// An object, whose fields are given to `field` with their places.
    fn object(
        &mut self,
        expected: &'static str,
        mut field: impl FnMut(&mut Self, usize, Cow<'a, str>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.cursor().expect(b'{', expected)?;
        self.cursor().skip_space();
        if self.cursor().take(b'}') {
            return Ok(());
        }
        for number in 0_usize.. {
            if number.is_multiple_of(LINES_PER_LOOK) {
                self.look()?;
            }
            let (place, name) = if number == 0 {
                self.string("a name in double quotes, or `}`")?
            } else {
                self.string("a name in double quotes")?
            };
            self.cursor().expect(b':', "`:` after a name in an object")?;
            field(self, place, name)?;
            self.cursor().skip_space();
            if self.cursor().take(b'}') {
                return Ok(());
            }
            self.cursor().expect(b',', "`,` or `}`")?;
            self.cursor()
                .refuse(b'}', "another name after the `,`: leave out the `,` before `}`")?;
        }
        Ok(())
    }

    /// A list, whose items are read by `item`.
    fn list(
        &mut self,
        expected: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.cursor().expect(b'[', expected)?;
        self.cursor().skip_space();
        if self.cursor().take(b']') {
            return Ok(());
        }
        for number in 0_usize.. {
            if number.is_multiple_of(LINES_PER_LOOK) {
                self.look()?;
            }
            item(self)?;
            self.cursor().skip_space();
            if self.cursor().take(b']') {
                return Ok(());
            }
            self.cursor().expect(b',', "`,` or `]`")?;
            self.cursor().refuse(b']', "something after the `,`: leave out the `,` before `]`")?;
        }
        Ok(())
    }

    /// The name of a node and its place.
    #[inline]
    fn name(&mut self) -> Result<(usize, Cow<'a, str>), Fault> {
        self.string("the name of a node in double quotes")
    }

    /// A string and its place. It is copied only when it contains escapes.
    #[inline]
    fn string(&mut self, expected: &'static str) -> Result<(usize, Cow<'a, str>), Fault> {
        string(self.cursor(), expected)
    }
}

#[inline]
fn string<'a>(
    cursor: &mut Cursor<'a>,
    expected: &'static str,
) -> Result<(usize, Cow<'a, str>), Fault> {
    cursor.skip_space();
    let place = cursor.place;
    if !cursor.take(b'"') {
        return Err(cursor.unexpected(expected));
    }
    let text = cursor.text;
    let length = plain_length(cursor);
    let plain = &text[place + 1..place + 1 + length];
    cursor.place += length;
    if cursor.take(b'"') {
        return Ok((place, Cow::Borrowed(plain)));
    }
    let mut name = plain.to_owned();
    loop {
        match cursor.peek() {
            Some(b'"') => {
                cursor.place += 1;
                return Ok((place, Cow::Owned(name)));
            }
            Some(b'\\') => name.push(escape(cursor)?),
            Some(_) => {
                let expected = "`\"` at the end of a string, or an escape such as \\n";
                return Err(Fault::found(cursor.place, "a control character", expected));
            }
            None => {
                let expected = "`\"` at the end of the string that begins here";
                return Err(Fault::found(place, "the end of the file", expected));
            }
        }
        let length = plain_length(cursor);
        name.push_str(&text[cursor.place..cursor.place + length]);
        cursor.place += length;
    }
}

/// How many bytes from here on stand for themselves in a string.
#[inline]
fn plain_length(cursor: &Cursor<'_>) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let bytes = &cursor.text.as_bytes()[cursor.place..];
    let (eights, _) = bytes.as_chunks::<8>();
    let mut length = 0;
    for eight in eights {
        // A byte is marked if it is `"`, a backslash or below a blank. The lowest mark is always
        // right.
        let word = u64::from_le_bytes(*eight);
        let [quote, backslash] = [b'"', b'\\'].map(|byte| word ^ (ONES * u64::from(byte)));
        let is_zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let below = word.wrapping_sub(ONES * u64::from(b' ')) & !word;
        let marks = (is_zero(quote) | is_zero(backslash) | below) & HIGH;
        if marks != 0 {
            return length + marks.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let special = |&byte: &u8| byte == b'"' || byte == b'\\' || byte < b' ';
    bytes[length..].iter().position(special).map_or(bytes.len(), |more| length + more)
}

fn escape(cursor: &mut Cursor<'_>) -> Result<char, Fault> {
    const SURROGATE: &str = "two \\u escapes for this character, as in \\ud83c\\udf15";
    let place = cursor.place;
    let bad = |found, expected| Err(Fault::found(place, found, expected));
    cursor.place += 1;
    let byte = cursor.peek();
    cursor.place += usize::from(byte.is_some_and(|byte| byte.is_ascii()));
    Ok(match byte {
        Some(b'"' | b'\\' | b'/') => char::from(byte.unwrap_or_default()),
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => {
            let mut code = four_digits(cursor, place)?;
            if let 0xD800..=0xDBFF = code {
                if !cursor.rest().starts_with("\\u") {
                    return bad("half of a surrogate pair", SURROGATE);
                }
                cursor.place += 2;
                let low = four_digits(cursor, place)?;
                if !(0xDC00..=0xDFFF).contains(&low) {
                    return bad("half of a surrogate pair", SURROGATE);
                }
                code = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            }
            match char::from_u32(code) {
                Some(c) => c,
                None => return bad("half of a surrogate pair", SURROGATE),
            }
        }
        _ => {
            let expected =
                "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u: write \\\\ for a backslash";
            return bad("a backslash", expected);
        }
    })
}

fn four_digits(cursor: &mut Cursor<'_>, escape: usize) -> Result<u32, Fault> {
    let digits = cursor.rest().as_bytes().get(..4).unwrap_or_default();
    let value = digits
        .iter()
        .try_fold(0, |value, &byte| char::from(byte).to_digit(16).map(|digit| 16 * value + digit));
    cursor.place += digits.len();
    value
        .filter(|_| digits.len() == 4)
        .ok_or_else(|| Fault::found(escape, "the escape \\u", "four hexadecimal digits after it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_piece_ends_at_a_quote_a_backslash_or_a_control_character() {
        // Every ASCII character at every place of a long enough string.
        for end in 0..20 {
            for byte in 0..128_u8 {
                let mut text = vec![b'a'; 21];
                text[end] = byte;
                let text = String::from_utf8(text).expect("ASCII");
                let expected = if byte < b' ' || b"\"\\".contains(&byte) { end } else { 21 };
                assert_eq!(plain_length(&Cursor::new(&text)), expected, "{byte} at {end}");
            }
        }
        assert_eq!(plain_length(&Cursor::new("éÿ\u{80}\u{7f}🌕é\"")), 13);
    }
}

//! Finding the words of a chunk of an edge list.

use std::ops::Range;

use crate::names::hash_text;
use crate::read::words::is_blank;

/// What is in some lines.
///
/// A line of two plain numbers gives the numbers, another line of two words gives the words. A
/// chunk has only numbers, or none, or numbers first: where there are many other lines, numbers are
/// treated as words like others.
#[derive(Debug, Default)]
pub(super) struct Scanned<'a> {
    /// Arcs between numbers.
    pub(super) numbers: Vec<(u32, u32)>,
    /// The arcs after those.
    pub(super) words: Vec<(Hashed<'a>, Hashed<'a>)>,
    /// Where lines begin that are something else, each with the number of arcs before it.
    pub(super) others: Vec<(usize, usize)>,
}

/// A name with its hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hashed<'a> {
    pub(super) name: &'a str,
    pub(super) hash: u32,
}

impl<'a> Hashed<'a> {
    fn new(name: &'a str) -> Self {
        Self { name, hash: hash_text(name) }
    }
}

impl<'a> Scanned<'a> {
    /// Scans whole lines.
    pub(super) fn new(text: &'a str, chunk: Range<usize>) -> Self {
        /// Numbers count as words after this many lines that are not two numbers, and this many
        /// more for each that is.
        const FEW: usize = 16;
        const SHARE: usize = 8;
        let mut scanned = Self::default();
        let bytes = &text.as_bytes()[..chunk.end];
        let mut place = chunk.start;
        // Two numbers and what separates them.
        scanned.numbers.reserve(chunk.len() / 12);
        while place < chunk.end {
            if let Some((arc, next)) = line_of_numbers(bytes, place) {
                scanned.numbers.push(arc);
                place = next;
                continue;
            }
            if scanned.others.len() >= FEW + scanned.numbers.len() / SHARE {
                break;
            }
            scanned.others.push((scanned.numbers.len(), place));
            place = next_line(bytes, place);
        }
        if place < chunk.end {
            scanned.words.reserve((chunk.end - place) / 16);
        }
        while place < chunk.end {
            match line_of_words(text, bytes, place) {
                Ok((from, to, next)) => {
                    scanned.words.push((Hashed::new(from), Hashed::new(to)));
                    place = next;
                }
                Err(within) => {
                    scanned.others.push((scanned.numbers.len() + scanned.words.len(), place));
                    place = next_line(bytes, within);
                }
            }
        }
        scanned
    }
}

/// Where the line after a place begins.
fn next_line(bytes: &[u8], place: usize) -> usize {
    memchr::memchr(b'\n', &bytes[place..]).map_or(bytes.len(), |end| place + end + 1)
}

/// Where the blanks end that begin here.
#[inline]
fn skip_blanks(bytes: &[u8], mut place: usize) -> usize {
    while bytes.get(place).is_some_and(|&byte| is_blank(byte)) {
        place += 1;
    }
    place
}

/// The line end that may follow some blanks: where the next line begins.
#[inline]
fn line_end(bytes: &[u8], place: usize) -> Option<usize> {
    if bytes.get(place) == Some(&b'\n') {
        return Some(place + 1);
    }
    let place = skip_blanks(bytes, place);
    match bytes.get(place) {
        None => Some(place),
        Some(b'\n') => Some(place + 1),
        Some(_) => None,
    }
}

/// The two plain numbers of a line, and where the next line begins; none if it is another line.
#[inline]
fn line_of_numbers(bytes: &[u8], place: usize) -> Option<((u32, u32), usize)> {
    let (from, end) = plain_number(bytes, place)?;
    let mut second = end + 1;
    match bytes.get(end) {
        Some(b' ') => {}
        Some(b'\t') => second = skip_blanks(bytes, end),
        _ => return None,
    }
    if bytes.get(second) == Some(&b' ') {
        second = skip_blanks(bytes, second);
    }
    let (to, end) = plain_number(bytes, second)?;
    Some(((from, to), line_end(bytes, end)?))
}

/// The two words of a line that is an arc, and where the next line begins; otherwise some place
/// within the line.
#[inline]
fn line_of_words<'a>(
    text: &'a str,
    bytes: &[u8],
    place: usize,
) -> Result<(&'a str, &'a str, usize), usize> {
    let first = skip_blanks(bytes, place);
    let first_end = word_end(bytes, first);
    let second = skip_blanks(bytes, first_end);
    let second_end = word_end(bytes, second);
    if first == first_end || second == second_end {
        return Err(second_end);
    }
    let next = line_end(bytes, second_end).ok_or(second_end)?;
    let (from, to) = (&text[first..first_end], &text[second..second_end]);
    if from == "gray" { Err(second_end) } else { Ok((from, to, next)) }
}

/// Where the word ends that begins here: at a blank, a line end or a comment.
#[inline]
fn word_end(bytes: &[u8], mut place: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Eight bytes at a time, as long as none of them is `#` or below `!`, which all blanks are.
    // The lowest mark is always right; above it there may be marks too many.
    while let Some(eight) = bytes.get(place..place + 8) {
        let word = u64::from_le_bytes(eight.try_into().unwrap_or_default());
        let below = word.wrapping_sub(ONES * u64::from(b'!')) & !word;
        let other = word ^ (ONES * u64::from(b'#'));
        let marks = (below | (other.wrapping_sub(ONES) & !other)) & HIGH;
        if marks == 0 {
            place += 8;
            continue;
        }
        place += marks.trailing_zeros() as usize / 8;
        if ends_word(bytes[place]) {
            return place;
        }
        // A control character, which is part of a name.
        place += 1;
    }
    while bytes.get(place).is_some_and(|&byte| !ends_word(byte)) {
        place += 1;
    }
    place
}

const fn ends_word(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'\n' | b'#')
}

/// The number of at most nine digits, without a zero in front, that starts at `start`, and where
/// it ends. Longer numbers are words like others.
#[inline]
fn plain_number(bytes: &[u8], start: usize) -> Option<(u32, usize)> {
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    if let Some(eight) = bytes.get(start..start + 8) {
        let digits = u64::from_le_bytes(eight.try_into().unwrap_or_default()) ^ ZEROS;
        // A mark in each byte above nine; up to the lowest mark there are no others.
        let marks = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
        let length = marks.trailing_zeros() / 8;
        if length == 0 || (digits.trailing_zeros() >= 8 && length > 1) {
            return None;
        }
        if length < 8 {
            // Zeros in front make it eight digits, of which two, four and eight are joined.
            let eight = digits << (64 - 8 * length);
            let pairs = (eight.wrapping_mul(2561) >> 8) & 0x00FF_00FF_00FF_00FF;
            let fours = (pairs.wrapping_mul(6_553_601) >> 16) & 0x0000_FFFF_0000_FFFF;
            let number = fours.wrapping_mul(42_949_672_960_001) >> 32;
            return Some((number as u32, start + length as usize));
        }
    }
    plain_number_slowly(bytes, start)
}

fn plain_number_slowly(bytes: &[u8], start: usize) -> Option<(u32, usize)> {
    let rest = bytes.get(start..)?;
    let length = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    if length == 0 || length > 9 || (rest[0] == b'0' && length > 1) {
        return None;
    }
    let number =
        rest[..length].iter().fold(0, |number, digit| 10 * number + u32::from(digit - b'0'));
    Some((number, start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_have_no_zero_in_front_and_fit() {
        for behind in ["", " ", " 123456789", "x", "/:0"] {
            for good in ["0", "7", "10", "90817", "1234567", "12345678", "999999999"] {
                let text = format!("x{good}{behind}");
                let expected = Some((good.parse().unwrap(), 1 + good.len()));
                let digit_behind = behind.starts_with(|c: char| c.is_ascii_digit());
                assert!(!digit_behind);
                assert_eq!(plain_number(text.as_bytes(), 1), expected, "{text}");
            }
            for bad in ["x", "00", "01", "0123456789", "1000000000", "12345678901234", "-1", "é"] {
                let text = format!("{bad}{behind}");
                assert_eq!(plain_number(text.as_bytes(), 0), None, "{text}");
            }
        }
        assert_eq!(plain_number(b"", 0), None);
        assert_eq!(plain_number(b"1", 1), None);
    }

    #[test]
    fn all_short_numbers_are_read_as_they_are_written() {
        for number in (0..20_000).chain((20_000..99_999_999).step_by(99_991)) {
            let text = format!("{number} ........");
            let end = number.to_string().len();
            assert_eq!(plain_number(text.as_bytes(), 0), Some((number, end)));
            assert_eq!(plain_number_slowly(text.as_bytes(), 0), Some((number, end)));
        }
    }

    #[test]
    fn a_word_ends_where_its_first_blank_line_end_or_comment_is() {
        // Every byte at every place of a long enough word.
        for end in 0..20 {
            for byte in 0..=255_u8 {
                let mut bytes = vec![b'a'; 24];
                bytes[end] = byte;
                let expected = if b" \t\r\n#".contains(&byte) { end } else { 24 };
                assert_eq!(word_end(&bytes, 0), expected, "{byte} at {end}");
            }
        }
        assert_eq!(word_end("aé\u{1}\u{7f}ÿ\u{1f}b#c".as_bytes(), 0), 9);
    }
}

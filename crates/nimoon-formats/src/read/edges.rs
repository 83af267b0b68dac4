//! Edge lists: one arc a line.
//!
//! ```text
//! # A comment runs to the end of the line.
//! a b         # an arc from a to b
//! b b
//! lone        # a node, with or without arcs elsewhere
//! gray b c    # these nodes are gray
//! ```
//!
//! Words are separated by spaces and tabs; a name is any word without `#`. A line that begins with
//! the word `gray` and has at least one more word declares gray nodes: `gray u` is not an arc
//! from `gray` to `u`. A line with `gray` alone is a lone node of that name. A node may be
//! declared gray more than once. Any other line with three or more words is an error.
//!
//! Nodes are numbered by first appearance on any line.
//!
//! Lines of two numbers separated by one space are read without a detour, many times as fast as
//! lines of names.

use nimoon::Node;

use super::ReadErrorKind;
use super::error::Fault;
use super::words::{without_comment, words};
use crate::{Names, Source};

pub(super) fn read(text: &str) -> Result<Source, Fault> {
    let bytes = text.as_bytes();
    let mut reader =
        Reader { text, names: Names::for_text_of(text.len()), arcs: Vec::new(), gray: Vec::new() };
    // The shortest line with an arc takes four bytes.
    let lines = memchr::memchr_iter(b'\n', bytes).count() + 1;
    reader.arcs.reserve_exact(lines.min(text.len() / 4 + 1));
    let mut place = 0;
    while place < bytes.len() {
        if reader.names.are_numbers() {
            place = reader.lines_of_numbers(bytes, place)?;
        }
        // Whatever is not a line of two numbers.
        let end = memchr::memchr(b'\n', &bytes[place..]).map_or(bytes.len(), |end| place + end);
        reader.line(place, without_comment(&text[place..end]))?;
        place = end + 1;
    }
    let Reader { names, arcs, mut gray, .. } = reader;
    if !gray.is_empty() {
        let mut is_gray = vec![false; names.len()];
        gray.retain(|&node| !std::mem::replace(&mut is_gray[node as usize], true));
    }
    Ok(Source { names, gray, arcs, ..Source::default() })
}

struct Reader<'a> {
    text: &'a str,
    names: Names,
    arcs: Vec<(Node, Node)>,
    gray: Vec<Node>,
}

impl Reader<'_> {
    /// Reads lines from `place` on as long as they are two plain numbers; gives the start of the
    /// first line that is something else.
    fn lines_of_numbers(&mut self, bytes: &[u8], mut place: usize) -> Result<usize, Fault> {
        let full = |place| Fault::new(place, ReadErrorKind::TooManyNames);
        loop {
            let Some((from, end)) = plain_number(bytes, place) else {
                return Ok(place);
            };
            if bytes.get(end) != Some(&b' ') {
                return Ok(place);
            }
            let Some((to, end)) = plain_number(bytes, end + 1) else {
                return Ok(place);
            };
            if bytes.get(end) != Some(&b'\n') {
                return Ok(place);
            }
            let from = self.names.try_intern_number(from).ok_or_else(|| full(place))?;
            let to = self.names.try_intern_number(to).ok_or_else(|| full(place))?;
            self.arcs.push((from, to));
            place = end + 1;
        }
    }

    fn line(&mut self, place: usize, line: &str) -> Result<(), Fault> {
        let mut line_words = words(place, line);
        let Some((first_place, first)) = line_words.next() else {
            return Ok(());
        };
        let Some((second_place, second)) = line_words.next() else {
            self.node(first_place, first)?;
            return Ok(());
        };
        if first == "gray" {
            let node = self.node(second_place, second)?;
            self.gray.push(node);
            for (place, name) in line_words {
                let node = self.node(place, name)?;
                self.gray.push(node);
            }
            return Ok(());
        }
        if let Some((third, _)) = line_words.next() {
            let expected = "the end of the line: write one arc a line, as in `a b`, and gray \
                            nodes as in `gray a b c`";
            return Err(Fault::unexpected(self.text, third, expected));
        }
        let arc = (self.node(first_place, first)?, self.node(second_place, second)?);
        self.arcs.push(arc);
        Ok(())
    }

    fn node(&mut self, place: usize, name: &str) -> Result<Node, Fault> {
        self.names.try_intern(name).ok_or_else(|| Fault::new(place, ReadErrorKind::TooManyNames))
    }
}

/// The number of at most nine digits, without a zero in front, that starts at `start`, and where
/// it ends. Longer numbers are left to the slow path.
#[inline]
fn plain_number(bytes: &[u8], start: usize) -> Option<(u32, usize)> {
    let mut number = 0;
    let mut place = start;
    while let Some(&byte) = bytes.get(place) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        if place - start == 9 {
            return None;
        }
        number = 10 * number + u32::from(digit);
        place += 1;
    }
    let zero_in_front = bytes.get(start) == Some(&b'0') && place - start > 1;
    (place > start && !zero_in_front).then_some((number, place))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn names(source: &Source) -> Vec<String> {
        source.names.iter().map(std::borrow::Cow::into_owned).collect()
    }

    #[test]
    fn numbers_and_names_are_numbered_by_first_appearance() {
        let source = read("5 3\n3 5\n7\n03 3\r\na 5 # six\n\n# end\n4294967296 7").unwrap();
        assert_eq!(names(&source), ["5", "3", "7", "03", "a", "4294967296"]);
        assert_eq!(source.arcs, [(0, 1), (1, 0), (3, 1), (4, 0), (5, 2)]);
    }

    #[test]
    fn the_word_gray_declares_when_more_words_follow() {
        let source = read("gray b c b\na b\ngray a\ngray\n").unwrap();
        assert_eq!(names(&source), ["b", "c", "a", "gray"]);
        assert_eq!(source.gray, [0, 1, 2]);
        assert_eq!(source.arcs, [(2, 0)]);
    }

    #[test]
    fn both_paths_read_the_same() {
        let mut numbers = String::new();
        for i in 0..2000_u32 {
            let (from, to) = (i * 7919 % 1009, i * i % 100_003 * 40_009);
            writeln!(numbers, "{from} {to}").unwrap();
        }
        let slowly = numbers.replace(' ', "\t");
        assert_eq!(read(&numbers).unwrap(), read(&slowly).unwrap());
        let with_text = format!("{numbers}x y\n");
        let source = read(&with_text).unwrap();
        assert_eq!(source.arcs[..2000], read(&numbers).unwrap().arcs);
    }

    #[test]
    fn plain_numbers_have_no_zero_in_front_and_fit() {
        assert_eq!(plain_number(b"0 ", 0), Some((0, 1)));
        assert_eq!(plain_number(b"x999999999", 1), Some((999_999_999, 10)));
        for bad in ["", "x", "00", "01", "1000000000", "-1"] {
            assert_eq!(plain_number(bad.as_bytes(), 0), None, "{bad}");
        }
    }
}

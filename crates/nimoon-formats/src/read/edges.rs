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
//! Lines of two words are found in chunks, see [`super::chunks`], and only their names are looked up in
//! the order of the file; whatever else a line may hold is read then, one line after the other.

mod scan;

use nimoon::Node;

use super::ReadErrorKind;
use super::chunks::{Cut, in_order};
use super::error::Fault;
use super::words::{without_comment, words};
use crate::{Names, Source};
use scan::{Hashed, Scanned};

pub(super) fn read(text: &str) -> Result<Source, Fault> {
    read_cut(text, Cut::for_text_of(text.len()))
}

fn read_cut(text: &str, cut: Cut) -> Result<Source, Fault> {
    let mut reader =
        Reader { text, names: Names::for_text_of(text.len()), arcs: Vec::new(), gray: Vec::new() };
    // The shortest line with an arc takes four bytes.
    let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    reader.arcs.reserve_exact(lines.min(text.len() / 4 + 1));
    in_order(text, cut, |chunk| Scanned::new(text, chunk), |scanned| reader.take(&scanned))?;
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

impl<'a> Reader<'a> {
    /// Adds what was found in a chunk.
    fn take(&mut self, scanned: &Scanned<'a>) -> Result<(), Fault> {
        let Scanned { numbers, words, others } = scanned;
        let mut taken = 0;
        let mut arcs_up_to = |reader: &mut Self, end: usize| {
            let of_numbers = taken.min(numbers.len())..end.min(numbers.len());
            let of_words = taken.saturating_sub(numbers.len())..end.saturating_sub(numbers.len());
            taken = end;
            reader.arcs_of_numbers(&numbers[of_numbers])?;
            reader.arcs_of_words(&words[of_words])
        };
        for &(before, place) in others {
            arcs_up_to(self, before)?;
            let rest = &self.text[place..];
            let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            self.line(place, without_comment(&rest[..end]))?;
        }
        arcs_up_to(self, numbers.len() + words.len())
    }

    fn arcs_of_numbers(&mut self, numbers: &[(u32, u32)]) -> Result<(), Fault> {
        // Where there are so many nodes, the exact place does not matter.
        let full = || Fault::new(self.text.len(), ReadErrorKind::TooManyNames);
        self.names.try_intern_arcs(numbers, &mut self.arcs).then_some(()).ok_or_else(full)
    }

    fn arcs_of_words(&mut self, words: &[(Hashed<'a>, Hashed<'a>)]) -> Result<(), Fault> {
        let word = |i: usize| if i % 2 == 0 { &words[i / 2].0 } else { &words[i / 2].1 };
        let (mut from, mut full) = (0, None);
        let arcs = &mut self.arcs;
        self.names.try_intern_all(
            2 * words.len(),
            |i| word(i).name,
            |i| word(i).hash,
            |i, node| {
                match node {
                    Some(node) if i % 2 == 0 => from = node,
                    Some(node) => arcs.push((from, node)),
                    None => full = Some(word(i).name),
                }
                node.is_some()
            },
        );
        match full {
            None => Ok(()),
            Some(name) => {
                let place = name.as_ptr() as usize - self.text.as_ptr() as usize;
                Err(Fault::new(place, ReadErrorKind::TooManyNames))
            }
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
}

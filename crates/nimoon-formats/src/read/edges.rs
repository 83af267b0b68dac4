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
//! If all names are whole numbers below 2^32 without a zero in front, nodes come in the order of these
//! numbers: files often have neighbours close together, and then the digraph has them too. Otherwise
//! nodes are numbered by first appearance on any line.
//!
//! As long as a file has only arcs between numbers, no name is looked up.
//!
//! Lines of two words are found in chunks, see `chunks.rs`, and only their names are looked up in
//! the order of the file; whatever else a line may hold is read then, one line after the other.

mod scan;

use std::ops::Range;

use nimoon::Node;

use super::ReadErrorKind;
use super::chunks::{Cut, in_order};
use super::error::Fault;
use super::watch::{LINES_PER_LOOK, Watch};
use super::words::{without_comment, words};
use crate::{Names, Source};
use scan::{Hashed, Scanned};

pub(super) fn read(text: &str, watch: &Watch<'_>) -> Result<Source, Fault> {
    read_cut(text, Cut::for_text_of(text.len()), watch)
}

fn read_cut(text: &str, cut: Cut, watch: &Watch<'_>) -> Result<Source, Fault> {
    let mut reader = Reader {
        text,
        names: Names::for_text_of(text.len()),
        arcs: Vec::new(),
        are_raw: true,
        gray: Vec::new(),
        watch,
    };
    // The shortest line with an arc takes four bytes.
    let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    reader.arcs.reserve_exact(lines.min(text.len() / 4 + 1));
    let scan = |chunk: Range<usize>| (chunk.end, Scanned::new(text, chunk));
    in_order(text, cut, scan, |(end, scanned)| {
        reader.take(&scanned)?;
        watch.reached(end, &reader.names, reader.arcs.len())
    })?;
    reader.in_numeric_order();
    let Reader { names, arcs, mut gray, .. } = reader;
    if !gray.is_empty() {
        let mut is_gray = vec![false; names.len()];
        gray.retain(|&node| !std::mem::replace(&mut is_gray[node as usize], true));
    }
    Ok(Source { names, gray, arcs, ..Source::default() })
}

struct Reader<'a, 'w> {
    text: &'a str,
    names: Names,
    arcs: Vec<(Node, Node)>,
    /// Whether the ends of all arcs are still the numbers in the file, and there are no names.
    are_raw: bool,
    gray: Vec<Node>,
    watch: &'w Watch<'w>,
}

impl<'a> Reader<'a, '_> {
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
        if self.are_raw {
            self.arcs.extend_from_slice(numbers);
            return Ok(());
        }
        self.intern_arcs(numbers)
    }

    /// Looks up the ends of the arcs so far.
    fn look_up_raw(&mut self) -> Result<(), Fault> {
        if !std::mem::take(&mut self.are_raw) {
            return Ok(());
        }
        let raw = std::mem::take(&mut self.arcs);
        self.arcs.reserve_exact(raw.capacity());
        self.intern_arcs(&raw)
    }

    /// Brings the nodes into the order of their names, if all of them are numbers.
    fn in_numeric_order(&mut self) {
        if self.are_raw {
            self.names = Names::of_raw_arcs(&mut self.arcs, self.text.len());
        } else if let Some(places) = self.names.sort_numbers() {
            let place = |node: &mut Node| *node = places[*node as usize];
            for (from, to) in &mut self.arcs {
                [from, to].into_iter().for_each(place);
            }
            self.gray.iter_mut().for_each(place);
        }
    }

    fn intern_arcs(&mut self, numbers: &[(u32, u32)]) -> Result<(), Fault> {
        // No number is kept with its place: the last one of the file will do.
        let full = || Fault::new(self.text.len(), ReadErrorKind::TooManyNames);
        self.names.try_intern_arcs(numbers, &mut self.arcs).then_some(()).ok_or_else(full)
    }

    fn arcs_of_words(&mut self, words: &[(Hashed<'a>, Hashed<'a>)]) -> Result<(), Fault> {
        if !words.is_empty() {
            self.look_up_raw()?;
        }
        let word = |i: usize| if i.is_multiple_of(2) { &words[i / 2].0 } else { &words[i / 2].1 };
        let (mut from, mut full) = (0, None);
        let arcs = &mut self.arcs;
        self.names.try_intern_all(
            2 * words.len(),
            |i| word(i).name,
            |i| word(i).hash,
            |i, node| {
                match node {
                    Some(node) if i.is_multiple_of(2) => from = node,
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
                if self.gray.len().is_multiple_of(LINES_PER_LOOK) {
                    self.watch.go_on(place, &self.names, self.arcs.len())?;
                }
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
        self.look_up_raw()?;
        self.names.try_intern(name).ok_or_else(|| Fault::new(place, ReadErrorKind::TooManyNames))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn read(text: &str) -> Result<Source, Fault> {
        super::read(text, &crate::read::watch::NOBODY)
    }

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
    fn numbers_alone_keep_their_order() {
        for text in ["5 3\n3 9\n", "5 3 # a comment\n\n3 9", "9\n5 3\ngray 3\n3 9\n"] {
            let source = read(text).unwrap();
            assert_eq!(names(&source), ["3", "5", "9"]);
            assert_eq!(source.arcs, [(1, 0), (0, 2)]);
            assert_eq!(source.names.node("9"), Some(2));
            assert_eq!(source.names.node("4"), None);
        }
        let source = read("0 2\n1 0\n").unwrap();
        assert_eq!((source.names.len(), source.arcs), (3, vec![(0, 2), (1, 0)]));
        let sparse = read("4000000000 7\n900000000 4000000000\n").unwrap();
        assert_eq!(names(&sparse), ["7", "900000000", "4000000000"]);
        assert_eq!(sparse.arcs, [(2, 0), (1, 2)]);
    }

    #[test]
    fn the_word_gray_declares_when_more_words_follow() {
        let source = read("gray b c b\na b\ngray a\ngray\n").unwrap();
        assert_eq!(names(&source), ["b", "c", "a", "gray"]);
        assert_eq!(source.gray, [0, 1, 2]);
        assert_eq!(source.arcs, [(2, 0)]);
    }

    /// Names, arcs and gray nodes.
    type Plain = (Vec<String>, Vec<(u32, u32)>, Vec<u32>);

    /// The format as it is described above, line by line, with nothing else in common.
    fn plainly(text: &str) -> Result<Plain, usize> {
        let (mut all, mut arcs, mut gray) = (Vec::new(), Vec::new(), Vec::new());
        let mut known = std::collections::HashMap::new();
        let mut node = |name: &str| -> u32 {
            *known.entry(name.to_owned()).or_insert_with(|| {
                all.push(name.to_owned());
                all.len() as u32 - 1
            })
        };
        let mut place = 0;
        for line in text.split('\n') {
            let said = line.split('#').next().unwrap_or("");
            let words: Vec<&str> =
                said.split([' ', '\t', '\r']).filter(|word| !word.is_empty()).collect();
            match words.as_slice() {
                [] => {}
                [one] => {
                    node(one);
                }
                ["gray", names @ ..] => {
                    for name in names {
                        let name = node(name);
                        if !gray.contains(&name) {
                            gray.push(name);
                        }
                    }
                }
                [from, to] => arcs.push((node(from), node(to))),
                [_, _, third, ..] => {
                    return Err(place + (third.as_ptr() as usize - line.as_ptr() as usize));
                }
            }
            place += line.len() + 1;
        }
        let number = |name: &String| {
            let number = name.parse::<u32>().ok().filter(|number| number.to_string() == *name);
            number.filter(|_| !name.starts_with('+'))
        };
        let numbers: Option<Vec<u32>> = all.iter().map(number).collect();
        if let Some(mut numbers) = numbers {
            let before = numbers.clone();
            numbers.sort_unstable();
            let place = |node: &mut u32| {
                *node = numbers.iter().position(|&n| n == before[*node as usize]).unwrap() as u32;
            };
            for (from, to) in &mut arcs {
                [from, to].into_iter().for_each(place);
            }
            gray.iter_mut().for_each(place);
            all = numbers.iter().map(u32::to_string).collect();
        }
        Ok((all, arcs, gray))
    }

    /// Compares with [`plainly`], for chunks of every size and with several threads.
    fn check(text: &str) {
        let expected = plainly(text);
        for size in [1, 2, 3, 5, 8, 13, 40, 100, 1000, 1 << 20] {
            for threads in [1, 2, 3] {
                let found = read_cut(text, Cut { size, threads }, &crate::read::watch::NOBODY);
                let found = found
                    .map(|source| (names(&source), source.arcs, source.gray))
                    .map_err(|fault| fault.place);
                assert_eq!(found, expected, "chunks of {size}, {threads} threads: {text:?}");
            }
        }
    }

    #[test]
    fn chunks_and_threads_change_nothing() {
        check("");
        check("1 2");
        check("1 2\n\n\n3");
        check("0 00\n1234567 12345678\n123456789 1234567890\n4294967295 4294967296\n");
        check("a b\r\nb\tc\r\n  d   e  # f g h\n#\n é ü\n gray d e d\ngray\n");
        check("1 2\n2 3 4\n5 6 7\n");
        check("a_long_name_of_a_node another_long_name_of_a_node\na_long_name_of_a_nod x\n");
    }

    #[test]
    fn files_of_all_kinds_of_lines_are_read_as_they_are_described() {
        let state = std::cell::Cell::new(7_u64);
        let below = |n: u64| {
            let next = state.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.set(next);
            (next >> 33) % n
        };
        for round in 0..150 {
            let mut text = String::new();
            // Some files are nearly all numbers, others nearly all words.
            let (numbers, wrong) = (below(20), if round % 3 == 0 { 60 } else { 1_000_000 });
            for _ in 0..below(120) {
                let name = |text: &mut String| {
                    let number = below(40);
                    let _ = match below(20) {
                        kind if kind < numbers => write!(text, "{number}"),
                        0 => write!(text, "0{number}"),
                        1 => write!(text, "{}", number * 987_654_321),
                        2 => write!(text, "gray"),
                        3 => write!(text, "é{number}"),
                        _ => write!(text, "node_with_a_name_{number}"),
                    };
                };
                let words = match below(60) {
                    0 => 0,
                    1 => 1,
                    2 => {
                        text.push_str("gray ");
                        3
                    }
                    _ => 2,
                };
                let words = words + usize::from(below(wrong) == 0);
                for word in 0..words {
                    name(&mut text);
                    text.push_str(if word + 1 < words { " " } else { "" });
                }
                text.push_str(
                    ["\n", "\n", "\n", "\n", "\r\n", " # x\n", "\n\n"][below(7) as usize],
                );
            }
            check(&text);
        }
    }
}

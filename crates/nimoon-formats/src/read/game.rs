//! The text format `.game`: one node a line.
//!
//! ```text
//! # A comment runs to the end of the line.
//! gray g1 g2        # these nodes are gray
//! z:                # a node without options
//! c: c g1           # a node and its options
//! g1: z
//! ```
//!
//! Words are separated by spaces and tabs; a name is any word without `:` and `#`. A line is one of
//!
//! - `name: target target …`, the options of a node. A target that has no line of its own is a
//!   terminal node. A second line for the same node is an error; a target twice on one line is not.
//! - `gray name …`: these nodes are gray. A node declared gray twice is an error.
//! - `win name …`, `lose name …`, `draw name …`, `payoff name number`: how play ends on a terminal
//!   node, for the player who moved last (otherwise it is a win). The number is whole.
//! - `left name …`, `right name …`: who moves from a node.
//! - nothing, or only a comment.
//!
//! A first word with a `:` behind it makes the line the line of a node, so that a node may be
//! called `gray`. Declarations may stand anywhere, before or after the lines of their nodes. All
//! but `gray` name nodes that have a line, are a target or are gray.
//!
//! Nodes are numbered by first mention in node lines; nodes that are only declared gray come last.

use std::borrow::Cow;

use nimoon::Node;

use super::ReadErrorKind;
use super::error::{Fault, excerpt};
use super::marks::{self, Mark, Marks};
use super::watch::{LINES_PER_LOOK, Watch};
use super::words::{lines, without_comment, words};
use crate::names::{BATCH, hash_text};
use crate::source::{Player, Terminal};
use crate::{Names, Source};

pub(super) fn read(text: &str, watch: &Watch<'_>) -> Result<Source, Fault> {
    let mut reader = Reader {
        text,
        names: Names::for_text_of(text.len()),
        arcs: Vec::new(),
        first_lines: Vec::new(),
        marks: Marks::default(),
        words: Vec::with_capacity(BATCH),
        head: 0,
        watch,
    };
    for (number, (place, line)) in lines(text).enumerate() {
        if number.is_multiple_of(LINES_PER_LOOK) {
            watch.reached(place, &reader.names, reader.arcs.len())?;
        }
        if let Err(fault) = reader.line(number + 1, place, without_comment(line)) {
            // An error in the words before it comes first.
            reader.look_up()?;
            return Err(fault);
        }
    }
    reader.look_up()?;
    let Reader { mut names, arcs, marks, .. } = reader;
    let twice = |name| ReadErrorKind::DeclaredTwice { name, what: "gray" };
    let gray = marks::gray_nodes(marks.gray, &mut names, watch, twice)?;
    let terminals = marks::terminals(marks.terminals, &names, &arcs, watch)?;
    let players = marks::players(marks.players, &names, watch)?;
    Ok(Source { names, gray, arcs, terminals, players })
}

struct Reader<'a, 'w> {
    text: &'a str,
    names: Names,
    arcs: Vec<(Node, Node)>,
    /// The number of the line that each node has, 0 while it has none.
    first_lines: Vec<usize>,
    marks: Marks<'a>,
    /// The names of nodes that have been read since, which are looked up together.
    words: Vec<Word<'a>>,
    /// The node of the last line that was looked up.
    head: Node,
    watch: &'w Watch<'w>,
}

/// The name of a node.
struct Word<'a> {
    place: usize,
    name: &'a str,
    /// The number of the line that is this node's own; 0 for a target.
    line: usize,
}

impl<'a> Reader<'a, '_> {
    fn line(&mut self, number: usize, place: usize, line: &'a str) -> Result<(), Fault> {
        match memchr::memchr(b':', line.as_bytes()) {
            Some(colon) => {
                let (head, targets) = (&line[..colon], &line[colon + 1..]);
                self.node_line(number, place, head, targets)
            }
            None => self.declaration(place, line),
        }
    }

    fn node_line(
        &mut self,
        number: usize,
        place: usize,
        head: &'a str,
        targets: &'a str,
    ) -> Result<(), Fault> {
        let mut head_words = words(place, head);
        let (name_place, name) = head_words.next().ok_or_else(|| {
            Fault::found(place + head.len(), "`:`", "the name of a node before it")
        })?;
        if let Some((second, _)) = head_words.next() {
            let expected = "`:` after the first name: a name contains no blanks and no `:`";
            return Err(Fault::unexpected(self.text, second, expected));
        }
        self.node(Word { place: name_place, name, line: number })?;
        for (place, name) in words(place + head.len() + 1, targets) {
            if let Some(colon) = memchr::memchr(b':', name.as_bytes()) {
                return Err(Fault::found(
                    place + colon,
                    "a second `:`",
                    "only names after the first: a name contains no `:`",
                ));
            }
            self.node(Word { place, name, line: 0 })?;
        }
        Ok(())
    }

    #[inline]
    fn node(&mut self, word: Word<'a>) -> Result<(), Fault> {
        let place = word.place;
        self.words.push(word);
        if self.words.len() < BATCH {
            return Ok(());
        }
        // A line may be long.
        self.watch.go_on(place, &self.names, self.arcs.len())?;
        self.look_up()
    }

    fn look_up(&mut self) -> Result<(), Fault> {
        let Self { names, arcs, first_lines, words, head, .. } = self;
        let mut fault = None;
        names.try_intern_all(
            words.len(),
            |i| words[i].name,
            |i| hash_text(words[i].name),
            |i, node| {
                let Word { place, name, line } = words[i];
                let Some(node) = node else {
                    fault = Some(Fault::new(place, ReadErrorKind::TooManyNames));
                    return false;
                };
                if node as usize == first_lines.len() {
                    first_lines.push(0);
                }
                if line == 0 {
                    arcs.push((*head, node));
                    return true;
                }
                *head = node;
                let first = std::mem::replace(&mut first_lines[node as usize], line);
                if first != 0 {
                    let name = excerpt(name);
                    fault = Some(Fault::new(place, ReadErrorKind::LineTwice { name, first }));
                }
                first == 0
            },
        );
        words.clear();
        fault.map_or(Ok(()), Err)
    }

    fn declaration(&mut self, place: usize, line: &'a str) -> Result<(), Fault> {
        let mut line_words = words(place, line);
        let Some((keyword_place, keyword)) = line_words.next() else {
            return Ok(());
        };
        let (marks, names, watch) = (&mut self.marks, &self.names, self.watch);
        let look = |place| watch.go_on(place, names, 0);
        let count = match keyword {
            "gray" => extend(&mut marks.gray, line_words, (), look)?,
            "win" => extend(&mut marks.terminals, line_words, Terminal::Win, look)?,
            "lose" => extend(&mut marks.terminals, line_words, Terminal::Lose, look)?,
            "draw" => extend(&mut marks.terminals, line_words, Terminal::Draw, look)?,
            "left" => extend(&mut marks.players, line_words, Player::Left, look)?,
            "right" => extend(&mut marks.players, line_words, Player::Right, look)?,
            "payoff" => return self.payoff(place, line),
            _ => {
                let before_comment = &self.text[..place + line.len()];
                let expected = if self.text[before_comment.len()..].starts_with('#') {
                    "`name: options`, or a line that begins with gray, win, lose, draw, payoff, \
                     left or right: put a `:` after the name of a node, before the `#`, which begins a \
                     comment"
                } else {
                    "`name: options`, or a line that begins with gray, win, lose, draw, payoff, \
                     left or right: put a `:` after the name of a node"
                };
                return Err(Fault::unexpected(before_comment, keyword_place, expected));
            }
        };
        if count == 0 {
            let place = keyword_place + keyword.len();
            let expected = "the names of nodes after it, or `:` if this is the name of a node";
            return Err(Fault::found(place, "the end of the line", expected));
        }
        Ok(())
    }

    fn payoff(&mut self, place: usize, line: &'a str) -> Result<(), Fault> {
        const EXPECTED: &str = "the name of a terminal node and a whole number, as in `payoff z 3`";
        let before_comment = &self.text[..place + line.len()];
        let mut line_words = words(place, line);
        let mut end = place;
        let mut word = || {
            let missing = Fault::found(end, "the end of the line", EXPECTED);
            let (place, word) = line_words.next().ok_or(missing)?;
            end = place + word.len();
            Ok((place, word))
        };
        let (_payoff, (place, name), (number_place, number)) = (word()?, word()?, word()?);
        if let Some((third, _)) = line_words.next() {
            let expected = "the end of the line after a payoff";
            return Err(Fault::unexpected(before_comment, third, expected));
        }
        let value = whole_number(number)
            .map_err(|expected| Fault::unexpected(before_comment, number_place, expected))?;
        let value = Terminal::Payoff(value);
        self.marks.terminals.push(Mark { place, name: Cow::Borrowed(name), value });
        Ok(())
    }
}

/// A payoff, or what was expected in its place.
pub(super) fn whole_number(text: &str) -> Result<i64, &'static str> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("a whole number, as in `3` or `-3`");
    }
    text.parse().map_err(|_| "a number between -9223372036854775808 and 9223372036854775807")
}

fn extend<'a, T: Copy>(
    marks: &mut Vec<Mark<'a, T>>,
    names: impl Iterator<Item = (usize, &'a str)>,
    value: T,
    look: impl Fn(usize) -> Result<(), Fault>,
) -> Result<usize, Fault> {
    let before = marks.len();
    for (place, name) in names {
        if marks.len().is_multiple_of(LINES_PER_LOOK) {
            look(place)?;
        }
        marks.push(Mark { place, name: Cow::Borrowed(name), value });
    }
    Ok(marks.len() - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Source, Fault> {
        super::read(text, &crate::read::watch::NOBODY)
    }

    fn names(source: &Source) -> Vec<String> {
        source.names.iter().map(std::borrow::Cow::into_owned).collect()
    }

    #[test]
    fn gray_nodes_are_numbered_after_those_of_the_lines() {
        let source = read("gray h g\nz:\nc : c g g # loops\n").unwrap();
        assert_eq!(names(&source), ["z", "c", "g", "h"]);
        assert_eq!(source.gray, [3, 2]);
        assert_eq!(source.arcs, [(1, 1), (1, 2), (1, 2)]);
    }

    #[test]
    fn a_colon_makes_any_word_a_name() {
        let source = read("gray: win\nwin : gray\nleft:right").unwrap();
        assert_eq!(names(&source), ["gray", "win", "left", "right"]);
        assert!(source.gray.is_empty() && source.players.is_empty());
    }

    #[test]
    fn declarations_may_stand_anywhere() {
        let source = read(
            "win z\npayoff y -3\nleft a b\na: z y b\nb: x\ndraw x w\nlose v\nright z\n\
                  gray v w",
        )
        .unwrap();
        assert_eq!(names(&source), ["a", "z", "y", "b", "x", "v", "w"]);
        assert_eq!(
            source.terminals,
            [
                (1, Terminal::Win),
                (2, Terminal::Payoff(-3)),
                (4, Terminal::Draw),
                (6, Terminal::Draw),
                (5, Terminal::Lose),
            ]
        );
        assert_eq!(source.players, [(0, Player::Left), (3, Player::Left), (1, Player::Right)]);
    }

    #[test]
    fn a_payoff_is_a_whole_number() {
        assert_eq!(whole_number("-9223372036854775808"), Ok(i64::MIN));
        assert_eq!(whole_number("+3"), Ok(3));
        for bad in ["", "-", "3.5", "1e3", "9223372036854775808", "--3"] {
            assert!(whole_number(bad).is_err(), "{bad}");
        }
    }
}

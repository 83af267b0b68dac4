//! What can be wrong with a digraph file, and where.

use std::fmt;

use nimoon::Interrupted;
use nimoon::partizan::GraphError;
use thiserror::Error;

use super::place::{harmless, line_and_column, snippet};
use crate::source::Unfit;

/// A digraph file that cannot be read: what is wrong, and where.
///
/// ```
/// use nimoon_formats::read::{Format, read};
/// let text = b"a: b\nb: c:d\n";
/// let error = read(Format::Game, text).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 5: found a second `:`, expected only names after the first: \
///      a name contains no `:`",
/// );
/// assert_eq!(error.snippet(text).unwrap(), "b: c:d\n    ^");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}, column {column}: {kind}")]
pub struct ReadError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
    /// The place in bytes from the start of the file.
    pub offset: usize,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// What is wrong with a digraph file.
///
/// Pieces of the file in the messages are short and free of control characters.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The bytes are not text.
    #[error("found the byte 0x{byte:02X}, which is not UTF-8: save the file as UTF-8 text")]
    NotUtf8 {
        /// The first byte that does not fit.
        byte: u8,
    },
    /// The reading was interrupted.
    #[error("{0} while reading the file up to here")]
    Interrupted(#[from] Interrupted),
    /// There is nothing to play on.
    #[error("the file has no nodes: write {expected}")]
    NoNodes {
        /// What to write to get a node.
        expected: &'static str,
    },
    /// Something else was expected here.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// What was read.
        found: String,
        /// What was expected, and what to do.
        expected: &'static str,
    },
    /// A field of a JSON file that means nothing.
    #[error("found the field `{field}`, expected one of {known}: remove or rename it")]
    UnknownField {
        /// The field.
        field: String,
        /// Those that there may be.
        known: String,
    },
    /// A field of a JSON file that is there already.
    #[error("found the field `{field}` a second time: put everything into the first one")]
    FieldTwice {
        /// The field.
        field: String,
    },
    /// A node that occurs twice in a list of different nodes.
    #[error("found `{name}` a second time in `{list}`: list every node once")]
    ListedTwice {
        /// The node.
        name: String,
        /// The list.
        list: &'static str,
    },
    /// A node that is declared twice.
    #[error("found `{name}` declared {what}, but it is already declared: declare every node once")]
    DeclaredTwice {
        /// The node.
        name: String,
        /// As what it is declared.
        what: &'static str,
    },
    /// A node with two lines of its own.
    #[error(
        "found a second line for the node `{name}`, the first is line {first}: \
         put all of its options on one line"
    )]
    LineTwice {
        /// The node.
        name: String,
        /// The number of its first line.
        first: usize,
    },
    /// An arc end that the list of nodes lacks.
    #[error("found the arc end `{name}`, which is in neither `nodes` nor `gray`: add it to one")]
    NotListed {
        /// The name of the arc end.
        name: String,
    },
    /// A vertex of a partizan graph that the list of nodes lacks.
    #[error("found `{name}`, which is not in `nodes`: add it there, or leave `nodes` out")]
    NotAmongNodes {
        /// The vertex.
        name: String,
    },
    /// A partizan graph that does not say where play begins.
    #[error("the graph has no start: add the vertex where play begins, as in \"start\":\"a\"")]
    NoStart,
    /// A start with which no edge has to do.
    #[error(
        "found the start `{name}`, which is at no edge: correct the name, or list it in `nodes`"
    )]
    StartApart {
        /// The start.
        name: String,
    },
    /// More than a partizan graph can hold.
    #[error("{0}: split the graph")]
    TooLarge(GraphError),
    /// A declaration for a node that is not there.
    #[error("found `{name}` declared {what}, but there is no such node: correct the name")]
    NoSuchNode {
        /// The name.
        name: String,
        /// As what it is declared.
        what: &'static str,
    },
    /// The end of play declared for a node where play goes on.
    #[error(
        "found `{name}` declared {what}, but it has options: \
         only terminal nodes win, lose, draw or pay"
    )]
    NotTerminal {
        /// The node.
        name: String,
        /// As what it is declared.
        what: &'static str,
    },
    /// Something is declared that does not fit what was requested.
    #[error("{0}")]
    Unfit(Unfit),
    /// A number out of range.
    #[error("found the number {found}, which is too large: expected at most {limit}")]
    NumberTooLarge {
        /// The digits.
        found: String,
        /// The largest number that can be used here.
        limit: u64,
    },
    /// A state of an Aldebaran file that the header does not count.
    #[error(
        "found the state {state}, but the header counts {states} states from 0: \
         correct the state or the header"
    )]
    NoSuchState {
        /// The state.
        state: u64,
        /// The number of states.
        states: u64,
    },
    /// A header with more states than a file of this length has any use for.
    #[error(
        "found {states} states in a file of {bytes} bytes, expected at most {limit} \
         (a million and ten for each byte): correct the third number of the header"
    )]
    TooManyStates {
        /// The number of states.
        states: u64,
        /// The length of the file.
        bytes: usize,
        /// The largest number of states that is accepted.
        limit: u64,
    },
    /// A header that does not count the transitions right.
    #[error(
        "found {found} transitions, but the header counts {expected}: \
         correct the second number of the header, or complete the file"
    )]
    TransitionCount {
        /// The number of transitions in the file.
        found: u64,
        /// The number in the header.
        expected: u64,
    },
    /// A graph without directions.
    #[error("found {found}, expected a digraph: write `digraph` in place of `graph`, and `a -> b`")]
    Undirected {
        /// What shows that the graph is undirected.
        found: &'static str,
    },
    /// Braces in braces in braces.
    #[error("found subgraphs more than {limit} deep: remove some braces")]
    TooDeep {
        /// The deepest nesting that is read.
        limit: usize,
    },
    /// Subgraphs joined to subgraphs give more arcs than the limit.
    #[error(
        "found arcs between subgraphs that stand for more than {limit} arcs: \
         write the arcs out, as an edge list"
    )]
    TooManyArcs {
        /// The largest number of arcs.
        limit: usize,
    },
    /// More nodes or longer names than can be kept.
    #[error(
        "found more names than can be kept ({} nodes, 4 GiB of text): \
         use numbers for names, or split the digraph",
        u32::MAX
    )]
    TooManyNames,
}

impl ReadError {
    /// Looks up the line and the column of a place.
    pub(super) fn new(bytes: &[u8], offset: usize, kind: ReadErrorKind) -> Self {
        let (line, column) = line_and_column(bytes, offset);
        Self { line, column, offset, kind }
    }

    /// The line where the error is and, under it, a line with a caret, for the bytes that were
    /// read. Of a long line only the neighbourhood is shown. Characters that could upset a terminal
    /// are replaced. `None` when the line is blank.
    pub fn snippet(&self, bytes: &[u8]) -> Option<String> {
        snippet(bytes, self.offset)
    }
}

/// A piece of the file for a message: not long, and harmless.
pub fn excerpt(text: &str) -> String {
    const LENGTH: usize = 40;
    let mut short: String = text.chars().take(LENGTH).map(harmless).collect();
    if text.chars().nth(LENGTH).is_some() {
        short.push('…');
    }
    short
}

/// An error on its way out of a reader, before line and column are looked up.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: usize,
    pub(super) kind: ReadErrorKind,
}

impl Fault {
    pub(super) fn new(place: usize, kind: ReadErrorKind) -> Self {
        Self { place, kind }
    }

    /// What stands at `place` was not expected.
    pub(super) fn unexpected(text: &str, place: usize, expected: &'static str) -> Self {
        let found = Found(text.get(place..).unwrap_or_default());
        // At the end the caret is better off behind the last word than on an empty line.
        let place = if found.is_end() { text.trim_end().len().min(place) } else { place };
        Self::new(place, ReadErrorKind::Unexpected { found: found.to_string(), expected })
    }

    /// As [`Fault::unexpected`] when it is already known what was found.
    pub(super) fn found(place: usize, found: &str, expected: &'static str) -> Self {
        Self::new(place, ReadErrorKind::Unexpected { found: found.to_owned(), expected })
    }
}

pub(super) const END_OF_FILE: &str = "the end of the file";
pub(super) const END_OF_LINE: &str = "the end of the line";

/// The first word of a text, for a message.
struct Found<'a>(&'a str);

impl Found<'_> {
    fn is_end(&self) -> bool {
        self.0.trim_start().is_empty()
    }
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_end() {
            return f.write_str(END_OF_FILE);
        }
        let text = self.0.trim_start_matches([' ', '\t', '\r']);
        let separator = |c: char| c.is_whitespace() || ",;:[]{}()=\"".contains(c);
        let mut chars = text.chars();
        match chars.next() {
            Some('\n') => return f.write_str(END_OF_LINE),
            Some('"') => {
                let end = chars.as_str().find(['"', '\n']).unwrap_or(text.len() - 1);
                return write!(f, "`\"{}\"`", excerpt(&chars.as_str()[..end]));
            }
            Some(c) if separator(c) => return write!(f, "`{}`", harmless(c)),
            _ => {}
        }
        write!(f, "`{}`", excerpt(&text[..text.find(separator).unwrap_or(text.len())]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(bytes: &[u8], offset: usize) -> ReadError {
        ReadError::new(bytes, offset, ReadErrorKind::TooManyNames)
    }

    #[test]
    fn columns_count_characters_and_skip_the_byte_order_mark() {
        let error = at("\u{FEFF}é b".as_bytes(), 6);
        assert_eq!((error.line, error.column), (1, 3));
        let error = at("x\r\nné b".as_bytes(), 7);
        assert_eq!((error.line, error.column), (2, 4));
    }

    #[test]
    fn a_snippet_is_harmless() {
        let text = "a\t\u{1b}[31m\u{202E}: b".as_bytes();
        assert_eq!(at(text, 2).snippet(text).unwrap(), "a \u{FFFD}[31m\u{FFFD}: b\n  ^");
        assert_eq!(at(b"a\n\nb", 2).snippet(b"a\n\nb"), None);
        assert_eq!(at(b"a", 1).snippet(b"a").unwrap(), "a\n ^");
        assert_eq!(at(b"abc", 3).snippet(b"a"), None);
        assert_eq!(
            at(b"a \xFF\xFE b", 2).snippet(b"a \xFF\xFE b").unwrap(),
            "a \u{FFFD}\u{FFFD} b\n  ^"
        );
    }

    #[test]
    fn a_snippet_of_a_long_line_is_a_window() {
        for unit in ["0123456789", "äöü→𝟘"] {
            let text = unit.repeat(1000);
            for (offset, _) in text.char_indices().step_by(7) {
                let snippet = at(text.as_bytes(), offset).snippet(text.as_bytes()).unwrap();
                let (line, caret) = snippet.split_once('\n').unwrap();
                assert!(line.chars().count() <= 80, "{line}");
                let under = line.chars().nth(caret.len() - 1);
                assert_eq!(under, text[offset..].chars().next());
            }
        }
    }

    #[test]
    fn what_was_found_is_one_word() {
        for (text, found) in [
            ("abc: d", "`abc`"),
            (": d", "`:`"),
            ("\"a b\": d", "`\"a b\"`"),
            ("\"a b", "`\"a b\"`"),
            ("\"", "`\"\"`"),
            ("  \n x", "the end of the line"),
            ("  \n ", "the end of the file"),
            ("\u{7}x", "`\u{FFFD}x`"),
        ] {
            assert_eq!(Found(text).to_string(), found);
        }
    }
}

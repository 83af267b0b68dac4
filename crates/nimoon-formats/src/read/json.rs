//! Digraphs in JSON.
//!
//! ```json
//! {
//!   "nodes": ["a", "b", "z"],
//!   "gray": ["g"],
//!   "arcs": [["a", "b"], ["a", "g"], ["b", "z"]],
//!   "terminals": {"z": "lose"},
//!   "player": {"a": "left", "b": "right"}
//! }
//! ```
//!
//! One object with these fields, in any order, each at most once and none required:
//!
//! - `nodes`: a list of all nodes; it may include the gray ones or leave them out. Where it is
//!   given, an arc end that is neither here nor in `gray` is an error.
//! - `gray`: a list of the gray nodes.
//! - `arcs`: a list of arcs, each a list of two names.
//! - `terminals`: how play ends on terminal nodes, for the player who moved last: `"win"` (also
//!   where nothing is said), `"lose"`, `"draw"` or a whole number, the payoff.
//! - `player`: who moves from a node, `"left"` or `"right"`.
//!
//! A name is any string. A node twice in one list is an error; an arc twice is not.
//!
//! Nodes are numbered in the order of `nodes`, or without that field by first mention in `arcs`;
//! gray nodes that are not among these come last.
//!
//! The reader knows this shape only and never builds a tree of values, so that depth does no harm
//! and every error is reported at the place where the text goes wrong.

use std::borrow::Cow;

use nimoon::Node;

use super::ReadErrorKind;
use super::error::{Fault, excerpt};
use super::game::whole_number;
use super::json_syntax::JsonSyntax;
use super::marks::{self, Mark, Marks};
use super::watch::{NOBODY, Watch};
use super::words::Cursor;
use crate::names::{BATCH, hash_text};
use crate::source::{Player, Terminal};
use crate::{Names, Source};

pub(super) fn read(text: &str, watch: &Watch<'_>) -> Result<Source, Fault> {
    let mut reader = Reader::new(text, watch);
    reader.document()?;
    let Reader { mut names, mut arcs, marks, nodes, .. } = reader;
    let twice = |name| ReadErrorKind::ListedTwice { name, list: "gray" };
    let mut gray = marks::gray_nodes(marks.gray, &mut names, watch, twice)?;
    if let Some(nodes) = nodes {
        match order(names.len(), &nodes, &gray) {
            Ok(None) => {}
            Ok(Some(new_of_old)) => {
                let new = |old: Node| new_of_old[old as usize];
                names = renamed(&names, &new_of_old);
                for (from, to) in &mut arcs {
                    (*from, *to) = (new(*from), new(*to));
                }
                for node in &mut gray {
                    *node = new(*node);
                }
            }
            Err(unlisted) => return Err(place_of_arc_end(text, &names.name(unlisted), watch)),
        }
    }
    let terminals = marks::terminals(marks.terminals, &names, &arcs, watch)?;
    let players = marks::players(marks.players, &names, watch)?;
    Ok(Source { names, gray, arcs, terminals, players })
}

/// The new number of each node when those in `nodes` come first and those in `gray` next; `None`
/// when they do already. An error is a node that is in neither.
pub(super) fn order(len: usize, nodes: &[Node], gray: &[Node]) -> Result<Option<Vec<Node>>, Node> {
    let mut new_of_old = vec![Node::MAX; len];
    let mut next = 0;
    for &old in nodes.iter().chain(gray) {
        let new = &mut new_of_old[old as usize];
        if *new == Node::MAX {
            *new = next;
            next += 1;
        }
    }
    if let Some(unlisted) = new_of_old.iter().position(|&new| new == Node::MAX) {
        return Err(unlisted as Node);
    }
    let sorted = new_of_old.iter().enumerate().all(|(old, &new)| old as Node == new);
    Ok((!sorted).then_some(new_of_old))
}

pub(super) fn renamed(names: &Names, new_of_old: &[Node]) -> Names {
    let mut old_of_new = vec![0; new_of_old.len()];
    for (old, &new) in new_of_old.iter().enumerate() {
        old_of_new[new as usize] = old as Node;
    }
    old_of_new.into_iter().map(|old| names.name(old)).collect()
}

/// Reads once more, up to the first arc end with this name. Places of arc ends are not kept,
/// since only this error needs one.
fn place_of_arc_end(text: &str, name: &str, watch: &Watch<'_>) -> Fault {
    let watch = Watch { work: watch.work, ..NOBODY };
    let mut reader = Reader::new(text, &watch);
    reader.refused = Some(name);
    let not_listed = |place| Fault::new(place, ReadErrorKind::NotListed { name: excerpt(name) });
    reader.document().err().unwrap_or_else(|| not_listed(0))
}

struct Reader<'a, 'w> {
    cursor: Cursor<'a>,
    names: Names,
    /// The field `nodes`, when there is one.
    nodes: Option<Vec<Node>>,
    arcs: Vec<(Node, Node)>,
    /// The ends of the arcs that have been read since, which are looked up together.
    arc_ends: Vec<(usize, Cow<'a, str>)>,
    marks: Marks<'a>,
    /// An arc end that is refused, see [`place_of_arc_end`].
    refused: Option<&'w str>,
    /// Receives reports of how far the arcs are read.
    watch: &'w Watch<'w>,
}

impl<'a> JsonSyntax<'a> for Reader<'a, '_> {
    #[inline]
    fn cursor(&mut self) -> &mut Cursor<'a> {
        &mut self.cursor
    }

    fn look(&self) -> Result<(), Fault> {
        self.watch.go_on(self.cursor.place, &self.names, self.arcs.len())
    }
}

impl<'a, 'w> Reader<'a, 'w> {
    fn new(text: &'a str, watch: &'w Watch<'w>) -> Self {
        Self {
            cursor: Cursor::new(text),
            names: Names::for_text_of(text.len()),
            nodes: None,
            arcs: Vec::new(),
            arc_ends: Vec::with_capacity(BATCH),
            marks: Marks::default(),
            refused: None,
            watch,
        }
    }

    fn document(&mut self) -> Result<(), Fault> {
        const FIELDS: [&str; 5] = ["nodes", "gray", "arcs", "terminals", "player"];
        self.fields(
            FIELDS,
            "`{`, as in {\"arcs\":[[\"a\",\"b\"]]}",
            |reader, index| match index {
                0 => reader.node_list(),
                1 => reader.list("`[` and a list of gray nodes", |reader| {
                    let (place, name) = reader.name()?;
                    reader.marks.gray.push(Mark { place, name, value: () });
                    Ok(())
                }),
                2 => {
                    reader.list("`[` and a list of arcs, as in [[\"a\",\"b\"]]", Self::arc)?;
                    reader.look_up_arc_ends()
                }
                3 => {
                    let expected = "`{` and terminal nodes, as in {\"z\":\"lose\"}";
                    reader.object(expected, |reader, place, name| {
                        let value = reader.terminal()?;
                        reader.marks.terminals.push(Mark { place, name, value });
                        Ok(())
                    })
                }
                _ => {
                    let expected = "`{` and nodes with their players, as in {\"a\":\"left\"}";
                    reader.object(expected, |reader, place, name| {
                        let value = reader.player()?;
                        reader.marks.players.push(Mark { place, name, value });
                        Ok(())
                    })
                }
            },
        )?;
        self.end("the end of the file after the digraph: a file has one digraph")
    }

    fn node_list(&mut self) -> Result<(), Fault> {
        let mut nodes = Vec::new();
        let mut listed = Vec::new();
        self.list("`[` and a list of nodes", |reader| {
            let (place, name) = reader.name()?;
            let node = reader.node(place, &name)?;
            if node as usize >= listed.len() {
                listed.resize(node as usize + 1, false);
            }
            if std::mem::replace(&mut listed[node as usize], true) {
                let name = excerpt(&name);
                return Err(Fault::new(place, ReadErrorKind::ListedTwice { name, list: "nodes" }));
            }
            nodes.push(node);
            Ok(())
        })?;
        self.nodes = Some(nodes);
        Ok(())
    }

    #[inline]
    fn arc(&mut self) -> Result<(), Fault> {
        self.cursor.expect(b'[', "`[` and two names: an arc is written [\"a\",\"b\"]")?;
        self.arc_end()?;
        self.cursor.expect(b',', "`,` and a second name: an arc is a list of two names")?;
        self.arc_end()?;
        self.cursor.expect(b']', "`]`: an arc is a list of two names")?;
        if self.arc_ends.len() + 2 > BATCH { self.look_up_arc_ends() } else { Ok(()) }
    }

    #[inline]
    fn arc_end(&mut self) -> Result<(), Fault> {
        let (place, name) = self.name()?;
        if self.refused.is_some_and(|refused| refused == name) {
            return Err(Fault::new(place, ReadErrorKind::NotListed { name: excerpt(&name) }));
        }
        self.arc_ends.push((place, name));
        Ok(())
    }

    fn look_up_arc_ends(&mut self) -> Result<(), Fault> {
        self.watch.reached(self.cursor.place, &self.names, self.arcs.len())?;
        let Self { names, arcs, arc_ends, .. } = self;
        let (mut from, mut full) = (0, None);
        names.try_intern_all(
            arc_ends.len(),
            |i| &arc_ends[i].1,
            |i| hash_text(&arc_ends[i].1),
            |i, node| {
                match node {
                    Some(node) if i.is_multiple_of(2) => from = node,
                    Some(node) => arcs.push((from, node)),
                    None => full = Some(arc_ends[i].0),
                }
                node.is_some()
            },
        );
        arc_ends.clear();
        match full {
            None => Ok(()),
            Some(place) => Err(Fault::new(place, ReadErrorKind::TooManyNames)),
        }
    }

    #[inline]
    fn node(&mut self, place: usize, name: &str) -> Result<Node, Fault> {
        self.names.try_intern(name).ok_or_else(|| Fault::new(place, ReadErrorKind::TooManyNames))
    }

    fn terminal(&mut self) -> Result<Terminal, Fault> {
        const EXPECTED: &str = "\"win\", \"lose\", \"draw\" or a payoff, which is a whole number";
        self.cursor.skip_space();
        let place = self.cursor.place;
        if let Some(b'-' | b'0'..=b'9') = self.cursor.peek() {
            let rest = self.cursor.rest();
            let part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
            let number = &rest[..rest.find(|c| !part(c)).unwrap_or(rest.len())];
            let digits = number.strip_prefix('-').unwrap_or(number);
            let value = if digits.len() > 1 && digits.starts_with('0') {
                Err("a whole number without a zero in front")
            } else {
                whole_number(number)
            };
            let value = value.map_err(|expected| self.cursor.unexpected(expected))?;
            self.cursor.place += number.len();
            return Ok(Terminal::Payoff(value));
        }
        let (_, word) = self.string(EXPECTED)?;
        match &*word {
            "win" => Ok(Terminal::Win),
            "lose" => Ok(Terminal::Lose),
            "draw" => Ok(Terminal::Draw),
            _ => Err(Fault::unexpected(self.cursor.text, place, EXPECTED)),
        }
    }

    fn player(&mut self) -> Result<Player, Fault> {
        const EXPECTED: &str = "\"left\" or \"right\"";
        let (place, word) = self.string(EXPECTED)?;
        match &*word {
            "left" => Ok(Player::Left),
            "right" => Ok(Player::Right),
            _ => Err(Fault::unexpected(self.cursor.text, place, EXPECTED)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Source, Fault> {
        super::read(text, &crate::read::watch::NOBODY)
    }

    fn names(source: &Source) -> Vec<String> {
        source.names.iter().map(Cow::into_owned).collect()
    }

    #[test]
    fn nodes_keep_their_order_wherever_they_are_given() {
        for text in [
            r#"{"nodes":["a","b"],"gray":["h","g"],"arcs":[["b","g"],["a","h"]]}"#,
            r#"{"arcs":[["b","g"],["a","h"]],"gray":["h","g"],"nodes":["a","b"]}"#,
            r#"{"gray":["h","g"],"arcs":[["b","g"],["a","h"]],"nodes":["a","b"]}"#,
        ] {
            let source = read(text).unwrap();
            assert_eq!(names(&source), ["a", "b", "h", "g"], "{text}");
            assert_eq!(source.arcs, [(1, 3), (0, 2)], "{text}");
            assert_eq!(source.gray, [2, 3], "{text}");
        }
    }

    #[test]
    fn without_nodes_the_arcs_give_the_order() {
        let source = read(r#"{"gray":["g","b"],"arcs":[["c","b"],["b","a"]]}"#).unwrap();
        assert_eq!(names(&source), ["c", "b", "a", "g"]);
        assert_eq!(source.gray, [3, 1]);
    }

    #[test]
    fn escapes_are_resolved() {
        let text = r#" { "nodes" : [ "\u00e9\n\"\\\/\b\f\r\t" , "\ud83c\udf15x", "é" ] } "#;
        let source = read(text);
        // The first and the third differ only behind the first character.
        assert_eq!(names(&source.unwrap()), ["é\n\"\\/\u{8}\u{c}\r\t", "🌕x", "é"]);
        for bad in [
            r"\ud83c",
            r"\ud83cx",
            r"\ud83c\u0020",
            r"\udf15",
            r"\u12",
            r"\u+123",
            r"\x",
            r"\é",
            "\\",
        ] {
            assert!(read(&format!("{{\"nodes\":[\"{bad}\"]}}")).is_err(), "{bad}");
        }
    }

    #[test]
    fn terminals_and_players_are_read() {
        let text = r#"{"player":{"a":"left","y":"right"},"arcs":[["a","z"],["a","y"]],
            "terminals":{"z":-3,"y":"draw"}}"#;
        let source = read(text).unwrap();
        assert_eq!(source.players, [(0, Player::Left), (2, Player::Right)]);
        assert_eq!(source.terminals, [(1, Terminal::Payoff(-3)), (2, Terminal::Draw)]);
    }
}

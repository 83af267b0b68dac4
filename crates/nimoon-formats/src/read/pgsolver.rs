//! Parity games in the format of `PGSolver`, taken as digraphs.
//!
//! ```text
//! parity 2;
//! start 0;
//! 0 3 0 1,2 "a name";
//! 1 0 1 2;
//! 2 0 0 2;
//! ```
//!
//! The header `parity n;` and the line `start k;` may be left out. Then every node has its
//! identifier, priority, owner (0 or 1), successors separated by commas and, if it likes, a name in
//! double quotes, up to a semicolon. Blanks and line ends may stand between any of these. Unlike
//! `PGSolver` itself this reader takes a node without successors, which is terminal.
//!
//! Nodes are named by their identifiers, which are numbers below 2³² (`007` is `7`), and numbered
//! in the order of their lines. Priorities, owners and names are read and ignored: the digraph is
//! taken as an impartial game. The number in the header is ignored as well, since programs do not
//! agree on what it counts. A successor or a start without a line of its own is an error, and so is
//! a second line for the same node. There are no gray nodes.

use nimoon::Node;

use super::ReadErrorKind;
use super::error::Fault;
use super::watch::{LINES_PER_LOOK, NOBODY, Watch};
use super::words::Cursor;
use crate::{Names, Source};

pub(super) fn read(text: &str, watch: &Watch<'_>) -> Result<Source, Fault> {
    let game = parse(text, None, watch)?;
    let Game { names, mut arcs, start } = game;
    // Successors are identifiers until all nodes are known.
    for (_, to) in &mut arcs {
        match names.node_of_number(*to) {
            Some(node) => *to = node,
            // Reads once more to find the place: only this error needs one.
            None => return Err(parse(text, Some(*to), watch).err().unwrap_or_else(|| missing(0))),
        }
    }
    if let Some((place, start)) = start
        && names.node_of_number(start).is_none()
    {
        return Err(missing_at(text, place));
    }
    Ok(Source { names, arcs, ..Source::default() })
}

struct Game {
    names: Names,
    /// From a node to an identifier.
    arcs: Vec<(Node, u32)>,
    start: Option<(usize, u32)>,
}

const NO_LINE: &str =
    "an identifier that has a line of its own: add the line or correct the number";

fn missing(place: usize) -> Fault {
    Fault::found(place, "an identifier without a line", NO_LINE)
}

fn missing_at(text: &str, place: usize) -> Fault {
    Fault::unexpected(text, place, NO_LINE)
}

/// Reads all lines, or up to the first successor that is `refused`, which is then an error.
fn parse(text: &str, refused: Option<u32>, watch: &Watch<'_>) -> Result<Game, Fault> {
    let mut cursor = Cursor::new(text);
    let mut game = Game { names: Names::for_text_of(text.len()), arcs: Vec::new(), start: None };
    cursor.skip_space();
    if keyword(&mut cursor, "parity") {
        number(&mut cursor, u64::MAX, "the largest identifier, as in `parity 10;`")?;
        cursor.expect(b';', "`;` at the end of the header")?;
        cursor.skip_space();
    }
    if keyword(&mut cursor, "start") {
        cursor.skip_space();
        let place = cursor.place;
        game.start = Some((place, identifier(&mut cursor)?));
        cursor.expect(b';', "`;` after the start")?;
        cursor.skip_space();
    }
    while cursor.peek().is_some() {
        if game.names.len().is_multiple_of(LINES_PER_LOOK) {
            watch.go_on(cursor.place, &game.names, game.arcs.len())?;
        }
        line(&mut cursor, &mut game, refused, watch)?;
        cursor.skip_space();
    }
    Ok(game)
}

fn keyword(cursor: &mut Cursor<'_>, word: &str) -> bool {
    let found = cursor
        .rest()
        .strip_prefix(word)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    cursor.place += if found { word.len() } else { 0 };
    found
}

fn number(cursor: &mut Cursor<'_>, limit: u64, expected: &'static str) -> Result<u64, Fault> {
    cursor.skip_space();
    cursor.number(limit, expected)
}

fn identifier(cursor: &mut Cursor<'_>) -> Result<u32, Fault> {
    let expected = "the identifier of a node, a number: write a line as in `0 1 0 1,2;`";
    Ok(number(cursor, u64::from(u32::MAX), expected)? as u32)
}

/// `identifier priority owner successor,successor "name";`
fn line(
    cursor: &mut Cursor<'_>,
    game: &mut Game,
    refused: Option<u32>,
    watch: &Watch<'_>,
) -> Result<(), Fault> {
    let place = cursor.place;
    let id = identifier(cursor)?;
    let len = game.names.len();
    let node = game
        .names
        .try_intern_number(id)
        .ok_or_else(|| Fault::new(place, ReadErrorKind::TooManyNames))?;
    if (node as usize) < len {
        let first = first_line(cursor.text, id);
        return Err(Fault::new(place, ReadErrorKind::LineTwice { name: id.to_string(), first }));
    }
    separated(cursor)?;
    number(cursor, u64::MAX, "a priority, a number: write a line as in `0 1 0 1,2;`")?;
    separated(cursor)?;
    cursor.skip_space();
    let owner_place = cursor.place;
    if number(cursor, u64::MAX, "an owner, 0 or 1: write a line as in `0 1 0 1,2;`")? > 1 {
        return Err(Fault::unexpected(cursor.text, owner_place, "an owner, 0 or 1"));
    }
    separated(cursor)?;
    cursor.skip_space();
    if !matches!(cursor.peek(), Some(b';' | b'"')) {
        loop {
            cursor.skip_space();
            let place = cursor.place;
            let successor = number(
                cursor,
                u64::from(u32::MAX),
                "a successor, which is a number, or `;` at the end of the node",
            )? as u32;
            if refused == Some(successor) {
                return Err(missing_at(cursor.text, place));
            }
            game.arcs.push((node, successor));
            if game.arcs.len().is_multiple_of(LINES_PER_LOOK) {
                watch.go_on(place, &game.names, game.arcs.len())?;
            }
            cursor.skip_space();
            if !cursor.take(b',') {
                break;
            }
        }
    }
    if cursor.peek() == Some(b'"') {
        let name = cursor.rest();
        let Some(end) = memchr::memchr(b'"', &name.as_bytes()[1..]) else {
            let expected = "a second one at the end of the name";
            return Err(Fault::found(cursor.place, "a double quote", expected));
        };
        cursor.place += end + 2;
    }
    cursor.expect(b';', "`;` at the end of the node, or `,` between successors")
}

/// Numbers must not run into one another or into something else.
fn separated(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    match cursor.peek() {
        Some(b' ' | b'\t' | b'\r' | b'\n' | b';' | b'"') | None => Ok(()),
        Some(_) => Err(cursor.unexpected("a blank after the number")),
    }
}

/// The number of the line that begins the node `id`: looked up for an error message only.
fn first_line(text: &str, id: u32) -> usize {
    let mut cursor = Cursor::new(text);
    let mut game = Game { names: Names::default(), arcs: Vec::new(), start: None };
    if let Some(semicolon) = header_end(text) {
        cursor.place = semicolon;
    }
    loop {
        cursor.skip_space();
        let place = cursor.place;
        if line(&mut cursor, &mut game, None, &NOBODY).is_err()
            || game.names.node_of_number(id).is_some()
        {
            return memchr::memchr_iter(b'\n', &text.as_bytes()[..place]).count() + 1;
        }
    }
}

/// Where the first node begins.
fn header_end(text: &str) -> Option<usize> {
    let mut cursor = Cursor::new(text);
    for word in ["parity", "start"] {
        cursor.skip_space();
        if keyword(&mut cursor, word) {
            cursor.place += memchr::memchr(b';', cursor.rest().as_bytes())? + 1;
        }
    }
    Some(cursor.place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::watch::NOBODY;

    fn read(text: &str) -> Result<Source, Fault> {
        super::read(text, &NOBODY)
    }

    #[test]
    fn nodes_come_in_the_order_of_their_lines() {
        let text = "parity 9;\nstart 9;\n9 0 1 4, 007 \"x; y\"; 4 1 0;\r\n7 2 1 7\n,9;";
        let source = read(text).unwrap();
        assert_eq!(source.names, ["9", "4", "7"].into_iter().collect());
        assert_eq!(source.arcs, [(0, 1), (0, 2), (2, 2), (2, 0)]);
    }

    #[test]
    fn the_header_may_be_left_out() {
        let source = read("0 0 0 0;").unwrap();
        assert_eq!(source.arcs, [(0, 0)]);
        assert_eq!(read("start 0; 0 0 0 0 \"n\";").unwrap().arcs, [(0, 0)]);
    }

    #[test]
    fn the_first_line_of_a_node_is_reported() {
        let fault = read("parity 1;\n\n1 0 0;\n0 0 0 1;\n1 0 0;").unwrap_err();
        assert!(matches!(fault.kind, ReadErrorKind::LineTwice { first: 3, .. }), "{fault:?}");
    }
}

//! Labelled transition systems in the Aldebaran format, as CADP and mCRL2 write them.
//!
//! ```text
//! des (0, 3, 3)
//! (0, "a label", 1)
//! (0, another label, 2)
//! (1, i, 2)
//! ```
//!
//! The header has the first state, the number of transitions and the number of states. Then comes
//! one transition a line: from, label, to. The states `0`, `1`, … are the nodes, in this order, all
//! of them, with or without transitions; the transitions are the arcs. Labels and the first state
//! are read and ignored: every state is a position of its own. There are no gray nodes.
//!
//! A label may be quoted, and contain anything but the end of a line; what stands between the first
//! and the last comma is the label. Blank lines are skipped. The number of transitions has to be
//! right, and all states have to be below the number of states.
//!
//! A header is a few bytes and could ask for any amount of memory. So states are bounded by ten for
//! every byte of the file and a million beside, far above what a file has any use for, and by what
//! a node can count.

use nimoon::Node;

use super::ReadErrorKind;
use super::error::{END_OF_FILE, END_OF_LINE, Fault};
use super::watch::{LINES_PER_LOOK, Watch};
use super::words::{Cursor, is_blank, lines};
use crate::{Names, Source};

pub(super) fn read(text: &str, watch: &Watch<'_>) -> Result<Source, Fault> {
    let mut lines = lines(text).filter(|(_, line)| !line.bytes().all(is_blank));
    let Some((place, line)) = lines.next() else {
        return Err(Fault::unexpected(text, 0, HEADER));
    };
    let header = header(text, place, line).map_err(|fault| at_line_end(text, fault))?;
    // A transition takes at least seven bytes, so that no header reserves too much.
    let mut arcs = Vec::with_capacity((header.transitions as usize).min(text.len() / 7));
    let none = Names::default();
    for (place, line) in lines {
        if arcs.len() as u64 == header.transitions {
            return Err(Fault::found(
                place + line.bytes().take_while(|&byte| is_blank(byte)).count(),
                "more transitions than the header counts",
                "the end of the file: correct the second number of the header",
            ));
        }
        if arcs.len().is_multiple_of(LINES_PER_LOOK) {
            watch.go_on(place, &none, arcs.len())?;
        }
        let arc = transition(text, place, line, header.states);
        arcs.push(arc.map_err(|fault| at_line_end(text, fault))?);
    }
    if (arcs.len() as u64) < header.transitions {
        let found = arcs.len() as u64;
        let kind = ReadErrorKind::TransitionCount { found, expected: header.transitions };
        return Err(Fault::new(text.trim_ascii_end().len(), kind));
    }
    Ok(Source { names: Names::numbered(header.states as Node), arcs, ..Source::default() })
}

const HEADER: &str = "the header `des (first state, number of transitions, number of states)`";

struct Header {
    transitions: u64,
    states: u64,
}

/// The part of a text up to the end of a line, so that places stay those of the text.
fn up_to_line_end<'a>(text: &'a str, place: usize, line: &str) -> Cursor<'a> {
    let line = line.trim_end_matches([' ', '\t', '\r']);
    Cursor { text: &text[..place + line.len()], place }
}

/// Says that a line ends, and not the file, where more follows.
fn at_line_end(text: &str, mut fault: Fault) -> Fault {
    if fault.place < text.trim_end().len()
        && let ReadErrorKind::Unexpected { found, .. } = &mut fault.kind
        && found == END_OF_FILE
    {
        END_OF_LINE.clone_into(found);
    }
    fault
}

fn header(text: &str, place: usize, line: &str) -> Result<Header, Fault> {
    const NUMBER: &str = "a number";
    let mut cursor = up_to_line_end(text, place, line);
    cursor.skip_space();
    if !cursor.rest().starts_with("des") {
        return Err(Fault::unexpected(text, cursor.place, HEADER));
    }
    cursor.place += "des".len();
    cursor.expect(b'(', HEADER)?;
    cursor.skip_space();
    let first_place = cursor.place;
    let first = cursor.number(u64::MAX, NUMBER)?;
    cursor.expect(b',', "`,` and the number of transitions")?;
    cursor.skip_space();
    let transitions = cursor.number(u64::MAX, NUMBER)?;
    cursor.expect(b',', "`,` and the number of states")?;
    cursor.skip_space();
    let states_place = cursor.place;
    let states = cursor.number(u64::from(Node::MAX), NUMBER)?;
    cursor.expect(b')', "`)` at the end of the header")?;
    if !cursor.rest().is_empty() {
        cursor.skip_space();
        return Err(cursor.unexpected("the end of the line after the header"));
    }
    let bytes = text.len();
    let limit = (bytes as u64).saturating_mul(10).saturating_add(1_000_000);
    if states > limit {
        let kind = ReadErrorKind::TooManyStates { states, bytes, limit };
        return Err(Fault::new(states_place, kind));
    }
    if first >= states && states > 0 {
        let kind = ReadErrorKind::NoSuchState { state: first, states };
        return Err(Fault::new(first_place, kind));
    }
    Ok(Header { transitions, states })
}

fn transition(text: &str, place: usize, line: &str, states: u64) -> Result<(Node, Node), Fault> {
    const EXPECTED: &str = "a transition, as in `(0, \"label\", 1)`";
    const STATE: &str = "the number of a state";
    let mut cursor = up_to_line_end(text, place, line);
    let end = cursor.text.len();
    cursor.expect(b'(', EXPECTED)?;
    let from = state(&mut cursor, states, STATE)?;
    cursor.expect(b',', "`,` and a label: write a transition as in `(0, \"label\", 1)`")?;
    let label_start = cursor.place;
    let Some(comma) = memchr::memrchr(b',', cursor.rest().as_bytes()) else {
        let expected = "`,` and the state after the label: write a transition as in \
                        `(0, \"label\", 1)`";
        return Err(Fault::found(end, END_OF_LINE, expected));
    };
    let label = cursor.rest()[..comma].trim();
    if label.starts_with('"') && (label.len() < 2 || !label.ends_with('"')) {
        let skipped = cursor.rest().len() - cursor.rest().trim_start().len();
        let expected = "a second one at the end of the label";
        return Err(Fault::found(label_start + skipped, "a double quote", expected));
    }
    cursor.place += comma + 1;
    let to = state(&mut cursor, states, STATE)?;
    cursor.skip_space();
    if !cursor.take(b')') {
        let expected = "`)` at the end of the transition";
        return Err(if cursor.place == end {
            Fault::found(end, END_OF_LINE, expected)
        } else {
            cursor.unexpected(expected)
        });
    }
    if cursor.place < end {
        cursor.skip_space();
        return Err(cursor.unexpected("the end of the line after a transition"));
    }
    Ok((from, to))
}

fn state(cursor: &mut Cursor<'_>, states: u64, expected: &'static str) -> Result<Node, Fault> {
    cursor.skip_space();
    let place = cursor.place;
    let state = cursor.number(u64::MAX, expected)?;
    if state >= states {
        return Err(Fault::new(place, ReadErrorKind::NoSuchState { state, states }));
    }
    Ok(state as Node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::watch::NOBODY;

    fn read(text: &str) -> Result<Source, Fault> {
        super::read(text, &NOBODY)
    }

    #[test]
    fn labels_may_contain_anything() {
        let text = "des(1,5,3)\n(0,a,1)\n(0, \"x, (y)\\\" , z\", 2)\r\n\n (1 , , 1)\n(2,f(1,2),0)\n\
                    (2,\"\",2)";
        let source = read(text).unwrap();
        assert_eq!(source.arcs, [(0, 1), (0, 2), (1, 1), (2, 0), (2, 2)]);
        assert_eq!(source.names, Names::numbered(3));
    }

    #[test]
    fn states_without_transitions_exist() {
        assert_eq!(read("des (0, 0, 1000000)").unwrap().names.len(), 1_000_000);
        let refused = read("des (0, 0, 4000000000)").unwrap_err();
        assert!(matches!(refused.kind, ReadErrorKind::TooManyStates { .. }));
    }
}

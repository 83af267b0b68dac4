//! Nimstring: draw the edges of boxes; a player who completes a box moves again.
//!
//! A board has R rows of C boxes between dots. A move draws a missing edge. A player who completes
//! one or two boxes by it moves again, and loses if no edge is left: taking boxes is worth nothing,
//! the last move is.
//!
//! ```text
//!   +--+  +
//!   |     |        nimstring:1x2/1011/101
//!   +--+--+
//! ```
//!
//! Boxes are coins and missing edges are strings, those on the border tied to the ground: boxes
//! that no missing edges connect are independent. A part keeps nothing of the board but its boxes,
//! so it is moved to the corner of the smallest board that holds it and turned over; and the border
//! edges of one box can stand for each other. Boards that are too large to be explored are searched
//! as strings and coins, see `strings`.
//!
//! ## References
//! [LNS2021, §4]; E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning ways for your mathematical
//! plays (1982), chapter 16.

mod boxes;
mod picture;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use nimoon::limits::Interrupted;
use nimoon::ruleset::memory::Memory;
use nimoon::{
    Work,
    notation::NotationError,
    ruleset::{Found, Interned, Move, Notation, Ruleset, Shortcuts},
};

use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;
use crate::strings::Strings;
use boxes::{Boxes, Edge, count_edges};

/// Sets of edges are the bits of one number.
const MOST_EDGES: u64 = 128;

/// No side of a board with this many edges is longer.
const LONGEST_SIDE: usize = 42;

/// A board with its missing edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Drawing {
    rows: u8,
    columns: u8,
    /// The horizontal edges row by row from the lowest bit, then the vertical ones row by row.
    missing: u128,
}

/// Draw a missing edge; a player who completes a box moves again.
#[derive(Debug)]
pub struct Nimstring {
    /// What is known of boards of R rows and C columns, at R × (longest side + 1) + C.
    boxes: Vec<OnceLock<Box<Boxes>>>,
    strings: Strings,
}

impl Default for Nimstring {
    fn default() -> Self {
        let sizes = (LONGEST_SIDE + 1) * (LONGEST_SIDE + 1);
        let boxes = (0..sizes).map(|_| OnceLock::new()).collect();
        Self { boxes, strings: Strings::default() }
    }
}

/// The numbers of the bits of a set.
fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 128).then_some(bit)
    })
}

impl Nimstring {
    fn boxes(&self, rows: u8, columns: u8) -> &Boxes {
        let place = usize::from(rows) * (LONGEST_SIDE + 1) + usize::from(columns);
        self.boxes[place].get_or_init(|| Box::new(Boxes::new(rows.into(), columns.into())))
    }

    /// The missing edges as strings between the boxes at them, which are 1, 2, …; 0 is the ground.
    fn strings(&self, drawing: Drawing) -> impl Iterator<Item = [u32; 2]> {
        let boxes = self.boxes(drawing.rows, drawing.columns);
        bits(drawing.missing).map(|edge| boxes.at(edge))
    }

    /// The part on the smallest board that holds it, with its longer side across.
    fn trim(&self, part: Drawing) -> Drawing {
        let boxes = self.boxes(part.rows, part.columns);
        let span = |lines: &[u128]| {
            let meets = |line: &u128| line & part.missing != 0;
            let first = lines.iter().position(meets).unwrap_or(0);
            let last = lines.iter().rposition(meets).unwrap_or(0);
            (first as u8, (last - first) as u8 + 1)
        };
        let (top, rows) = span(&boxes.rows);
        let (left, columns) = span(&boxes.columns);
        let upright = rows > columns;
        if (rows, columns) == (part.rows, part.columns) && !upright {
            return part;
        }
        let (rows, columns) = if upright { (columns, rows) } else { (rows, columns) };
        let smaller = self.boxes(rows, columns);
        let mut missing = 0;
        for edge in bits(part.missing) {
            let Edge { vertical, row, column } = boxes.edges[edge];
            let (row, column) = (row - top, column - left);
            let moved = if upright {
                Edge { vertical: !vertical, row: column, column: row }
            } else {
                Edge { vertical, row, column }
            };
            missing |= 1 << smaller.number(moved);
        }
        Drawing { rows, columns, missing }
    }
}

impl Ruleset for Nimstring {
    type Position = Drawing;

    fn name(&self) -> String {
        "nimstring".into()
    }

    fn options(&self, drawing: &Drawing) -> impl Iterator<Item = Move<Drawing>> {
        let drawing = *drawing;
        let boxes = self.boxes(drawing.rows, drawing.columns);
        bits(drawing.missing).map(move |edge| {
            let missing = drawing.missing & !(1 << edge);
            let to = Drawing { missing, ..drawing };
            if boxes.completed(edge, missing) > 0 { Move::again(to) } else { Move::to(to) }
        })
    }

    fn read(&self, text: &str) -> Result<Drawing, NotationError> {
        if text.contains('\n') {
            let (rows, columns, missing) =
                picture::read(text, |rows, columns| self.boxes(rows, columns))?;
            return Ok(Drawing { rows, columns, missing });
        }
        Scanner::whole(text, |scanner| {
            let rows = scanner.number("the number of rows, as in `2x3`")?;
            scanner.need('x')?;
            let place = scanner.place();
            let columns = scanner.number("the number of columns")?;
            let (rows, columns) = check_size(rows, columns, [0, place])?;
            let boxes = self.boxes(rows, columns);
            let mut missing = boxes.all();
            if scanner.take('/') {
                let horizontal = boxes.horizontal();
                read_drawn(scanner, 0..horizontal, "horizontal", &mut missing)?;
                scanner.need('/')?;
                read_drawn(scanner, horizontal..boxes.edges.len(), "vertical", &mut missing)?;
            }
            Ok(Drawing { rows, columns, missing })
        })
    }

    fn write(&self, drawing: &Drawing) -> String {
        let boxes = self.boxes(drawing.rows, drawing.columns);
        let size = format!("{}x{}", drawing.rows, drawing.columns);
        if drawing.missing == boxes.all() {
            return size;
        }
        let bit = |edge: usize| if drawing.missing >> edge & 1 == 1 { '0' } else { '1' };
        let horizontal: String = (0..boxes.horizontal()).map(bit).collect();
        let vertical: String = (boxes.horizontal()..boxes.edges.len()).map(bit).collect();
        format!("{size}/{horizontal}/{vertical}")
    }

    fn components(&self, drawing: Drawing) -> Vec<Drawing> {
        let boxes = self.boxes(drawing.rows, drawing.columns);
        let mut parts = Vec::new();
        let mut left = drawing.missing;
        while left != 0 {
            let missing = boxes.part(left, left.trailing_zeros() as usize);
            left &= !missing;
            parts.push(Drawing { missing, ..drawing });
        }
        parts
    }

    fn canonical(&self, part: Drawing) -> Drawing {
        let part = self.trim(part);
        let boxes = self.boxes(part.rows, part.columns);
        Drawing { missing: boxes.smallest(part.missing), ..part }
    }
}

impl Notation for Nimstring {
    fn words(&self, drawing: &Drawing, number: usize, option: &Move<Drawing>) -> String {
        let boxes = self.boxes(drawing.rows, drawing.columns);
        let Some(edge) = bits(drawing.missing).nth(number) else { return String::new() };
        let completed = match boxes.completed(edge, option.to.missing) {
            0 => "",
            1 => "; that completes a box",
            _ => "; that completes two boxes",
        };
        let Edge { vertical, row, column } = boxes.edges[edge];
        let (side, row, column) = match (vertical, row, column) {
            (false, 0, _) => ("top", 1, column + 1),
            (false, ..) => ("bottom", row, column + 1),
            (true, _, 0) => ("left", row + 1, 1),
            (true, ..) => ("right", row + 1, column),
        };
        format!("draw the {side} edge of the box in row {row}, column {column}{completed}")
    }

    fn board(&self, drawing: &Drawing) -> String {
        picture::draw(self.boxes(drawing.rows, drawing.columns), drawing.missing)
    }
}

impl Shortcuts for Nimstring {
    fn can_search(&self, drawing: &Drawing) -> bool {
        Strings::fits(self.strings(*drawing))
    }

    fn search(
        &self,
        drawing: &Drawing,
        nimber: Option<u64>,
        work: &mut Work,
    ) -> Result<Option<Found>, Interrupted> {
        self.strings.search(self.strings(*drawing), nimber, work)
    }

    fn remember(&mut self, memory: Arc<dyn Memory>) {
        self.strings.remember(memory);
    }
}

/// The size of a board, unless it is too small or too large; `places` are those of the numbers.
fn check_size(rows: u64, columns: u64, places: [usize; 2]) -> Result<(u8, u8), NotationError> {
    for (number, place, what) in [(rows, places[0], "row"), (columns, places[1], "column")] {
        if number == 0 {
            let message = format!("expected a board with at least one {what}, found 0");
            return Err(NotationError::at(place, message));
        }
    }
    match count_edges(rows, columns) {
        Some(..=MOST_EDGES) => Ok((rows as u8, columns as u8)),
        count => {
            let count = count.map_or_else(|| "far more".to_owned(), |count| count.to_string());
            let message = format!(
                "expected a board with at most {MOST_EDGES} edges; one of {rows}x{columns} \
                 boxes has {count}"
            );
            Err(NotationError::at(0, message))
        }
    }
}

/// Reads one digit for each of these edges, 1 for those that are drawn.
fn read_drawn(
    scanner: &mut Scanner<'_>,
    edges: Range<usize>,
    direction: &str,
    missing: &mut u128,
) -> Result<(), NotationError> {
    let count = edges.len();
    for edge in edges {
        if scanner.take('1') {
            *missing &= !(1 << edge);
        } else if !scanner.take('0') {
            let what = format!("`0` or `1` for each of the {count} {direction} edges");
            return Err(scanner.expected(&what));
        }
    }
    Ok(())
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "nimstring",
        board: Board::Grid,
        rules: "Draw a missing edge between two neighbouring dots. A player who completes one or two \
                boxes moves again.",
        notation: "nimstring:RxC, a board of R rows of C boxes without edges; nimstring:RxC/H/V with \
                   digits, 1 for drawn edges: the horizontal ones row by row from the top, then the \
                   vertical ones row by row; or a picture, indented as you like, as for nimstring:1x2/1011/101\n\
                   \x20 nimstring:\n\
                   \x20 +--+  +\n\
                   \x20 |     |\n\
                   \x20 +--+--+",
        example: "nimstring:2x3",
        value: "1",
        parameters: Parameters::None,
        source: "LNS2021, section 4",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(Nimstring::default())))),
    }
}

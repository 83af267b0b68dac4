//! Boards in text, as they are drawn and as they are read.
//!
//! Lines of dots and lines of boxes follow each other; every third character of a line of dots is
//! a dot. A picture may be indented, as it is in `nimoon play`.
//!
//! ```text
//! +--+  +
//! |     |
//! +--+--+
//! ```

use nimoon::notation::NotationError;

use super::boxes::{Boxes, Edge};
use super::check_size;

/// Draws a board.
pub(super) fn draw(boxes: &Boxes, missing: u128) -> String {
    let (rows, columns) = (boxes.rows.len() as u8, boxes.columns.len() as u8);
    let drawn =
        |vertical, row, column| missing >> boxes.number(Edge { vertical, row, column }) & 1 == 0;
    let mut lines = Vec::new();
    for row in 0..=rows {
        let edge = |column| if drawn(false, row, column) { "--+" } else { "  +" };
        lines.push("+".to_owned() + &(0..columns).map(edge).collect::<String>());
        if row < rows {
            let edge = |column| if drawn(true, row, column) { "|  " } else { "   " };
            let line: String = (0..=columns).map(edge).collect();
            lines.push(line.trim_end().to_owned());
        }
    }
    lines.join("\n")
}

/// The lines of a picture.
struct Picture {
    /// Where each line ends, and its characters with their places.
    lines: Vec<(usize, Vec<(usize, char)>)>,
}

impl Picture {
    /// Blank lines around the picture are left out, and so are the blanks that all lines begin
    /// with. In an expression the first line has lost its own: what stands before a position is
    /// taken away.
    fn new(text: &str) -> Self {
        let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let first_is_bare = !text.starts_with([' ', '\t', '\r', '\n']);
        let others = text.split('\n').skip(usize::from(first_is_bare)).map(str::trim_end);
        let indentation = others.filter(|line| !line.is_empty()).map(blanks).min().unwrap_or(0);
        let mut lines = Vec::new();
        let mut place = 0;
        for line in text.split('\n') {
            let content = line.trim_end();
            if !lines.is_empty() || !content.is_empty() {
                let begin = if place == 0 && first_is_bare { 0 } else { indentation };
                let letters = content.get(begin..).unwrap_or("").char_indices();
                let letters: Vec<_> =
                    letters.map(|(at, letter)| (place + begin + at, letter)).collect();
                lines.push((place + content.len(), letters));
            }
            place += line.len() + 1;
        }
        while lines.last().is_some_and(|(_, letters)| letters.is_empty()) {
            lines.pop();
        }
        Self { lines }
    }

    /// The character at a line and column; a blank behind the end of the line.
    fn letter(&self, line: usize, column: usize) -> char {
        self.lines[line].1.get(column).map_or(' ', |&(_, letter)| letter)
    }

    fn expected(&self, line: usize, column: usize, what: &str) -> NotationError {
        let (end, letters) = &self.lines[line];
        match letters.get(column) {
            Some((place, found)) => {
                NotationError::at(*place, format!("expected {what}, found `{found}`"))
            }
            None => NotationError::at(*end, format!("expected {what}, found the end of the line")),
        }
    }
}

/// Reads a picture; `boxes` knows the boards of each size.
pub(super) fn read<'a>(
    text: &str,
    boxes: impl Fn(u8, u8) -> &'a Boxes,
) -> Result<(u8, u8, u128), NotationError> {
    let picture = Picture::new(text);
    let Some((end, first)) = picture.lines.first() else {
        return Err(NotationError::at(0, "expected a picture of a board, found blanks"));
    };
    if first.len() % 3 != 1 {
        let message = "expected a dot, `+`, at the end of the line and two characters between dots";
        return Err(NotationError::at(*end, message));
    }
    let count = picture.lines.len();
    if count.is_multiple_of(2) {
        return Err(NotationError::at(text.len(), "expected a line of dots below the last boxes"));
    }
    let (rows, columns) = check_size((count / 2) as u64, (first.len() / 3) as u64, [0, *end])?;
    let boxes = boxes(rows, columns);
    let mut missing = boxes.all();
    for line in 0..count {
        let vertical = line % 2 == 1;
        let width = picture.lines[line].1.len().max(first.len());
        for column in 0..width {
            let letter = picture.letter(line, column);
            let place = (vertical, column % 3, column < first.len());
            let expected = match place {
                (false, 0, true) if !matches!(letter, '+' | '·') => "a dot, `+`",
                (true, 0, true) if !matches!(letter, '|' | ' ') => "an edge, `|`, or a blank",
                (false, 1, true) if !matches!(letter, '-' | ' ') => "an edge, `--`, or two blanks",
                (false, 2, true) if letter != picture.letter(line, column - 1) => {
                    "the same character twice between dots"
                }
                (true, 1 | 2, _) | (_, _, false) if letter != ' ' => "a blank",
                _ => "",
            };
            if !expected.is_empty() {
                return Err(picture.expected(line, column, expected));
            }
            let begins_edge = if vertical { column % 3 == 0 } else { column % 3 == 1 };
            if begins_edge && letter != ' ' {
                let (row, column) = ((line / 2) as u8, (column / 3) as u8);
                missing &= !(1 << boxes.number(Edge { vertical, row, column }));
            }
        }
    }
    Ok((rows, columns, missing))
}

//! Fox and Geese: geese come down the board and want to shut the fox in.
//!
//! ```text
//!   3  G . G .       geese on 3.1 and 3.3, the fox on 2.2: row, then column, row 1 at the bottom.
//!   2  . F . .       Only squares with row + column even are used.
//!   1  . . . .
//!      1 2 3 4
//! ```
//!
//! Left steps with a goose diagonally down, Right with the fox diagonally in any direction; never
//! onto a taken square, off the sides or below row 1. A fox on or above the row of the highest
//! goose, or one row below it with a free square diagonally above, has escaped: from then on
//! Right can move for ever and Left not at all, which is off.
//!
//! Geese never come back, so play is endless only where the fox alone moves: every position is a
//! stopper.
//!
//! ## References
//! [Siegel2009, §1–5]; Winning Ways, chapter 20.

use nimoon::player::Player;
use nimoon::{
    notation::NotationError,
    ruleset::{InternedPartizan, PartizanRuleset},
};

use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// Geese come down the board and want to shut the fox in.
#[derive(Clone, Copy, Debug, Default)]
pub struct FoxGeese;

/// A row and a column, from 1 on.
type Square = (u8, u8);

/// Geese and the fox.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chase {
    width: u8,
    /// From the bottom up.
    geese: Box<[Square]>,
    fox: Square,
}

/// The widest and the highest board.
const MOST: u64 = 60;

impl Chase {
    fn is_free(&self, (row, column): Square) -> bool {
        let on_board = row >= 1 && (1..=self.width).contains(&column);
        on_board && self.fox != (row, column) && !self.geese.contains(&(row, column))
    }

    /// The free squares diagonally next to a square in the row above or below.
    fn next_to(&self, (_, column): Square, row: u8) -> impl Iterator<Item = Square> {
        let columns = [column.wrapping_sub(1), column + 1];
        columns.into_iter().map(move |column| (row, column)).filter(|&square| self.is_free(square))
    }

    fn has_escaped(&self) -> bool {
        let Some(&(top, _)) = self.geese.last() else { return true };
        let above = self.fox.0 + 1;
        above > top || (above == top && self.next_to(self.fox, above).next().is_some())
    }
}

/// What a player can do: the piece that moves, none for the fox, and where it goes.
fn moves(chase: &Chase, player: Player) -> Vec<(Option<usize>, Square)> {
    if chase.has_escaped() {
        return match player {
            Player::Left => Vec::new(),
            Player::Right => vec![(None, chase.fox)],
        };
    }
    match player {
        Player::Left => {
            let geese = chase.geese.iter().enumerate();
            let steps = geese.flat_map(|(i, &goose)| {
                chase.next_to(goose, goose.0 - 1).map(move |to| (Some(i), to))
            });
            steps.collect()
        }
        Player::Right => {
            let rows = [chase.fox.0 + 1, chase.fox.0 - 1];
            let steps = rows.into_iter().flat_map(|row| chase.next_to(chase.fox, row));
            steps.map(|to| (None, to)).collect()
        }
    }
}

impl PartizanRuleset for FoxGeese {
    type Position = Chase;

    fn name(&self) -> String {
        "fox-geese".into()
    }

    fn options(&self, chase: &Chase, player: Player) -> impl Iterator<Item = Chase> {
        moves(chase, player).into_iter().map(|(piece, to)| {
            let mut after = chase.clone();
            match piece {
                None => after.fox = to,
                Some(goose) => {
                    after.geese[goose] = to;
                    after.geese.sort_unstable();
                }
            }
            after
        })
    }

    fn read(&self, text: &str) -> Result<Chase, NotationError> {
        Scanner::whole(text, |scanner| {
            let width = number(scanner, "the number of columns")?;
            word(scanner, "/geese=")?;
            let mut geese = Vec::new();
            loop {
                let place = scanner.place();
                let goose = square(scanner, width)?;
                if geese.contains(&goose) {
                    return Err(NotationError::at(
                        place,
                        "there is a goose on this square already",
                    ));
                }
                geese.push(goose);
                if !scanner.take(',') {
                    break;
                }
            }
            word(scanner, "/fox=")?;
            let place = scanner.place();
            let fox = square(scanner, width)?;
            if geese.contains(&fox) {
                return Err(NotationError::at(place, "there is a goose on this square"));
            }
            geese.sort_unstable();
            Ok(Chase { width, geese: geese.into(), fox })
        })
    }

    fn write(&self, chase: &Chase) -> String {
        let square = |&(row, column): &Square| format!("{row}.{column}");
        let geese: Vec<String> = chase.geese.iter().map(square).collect();
        format!("{}/geese={}/fox={}", chase.width, geese.join(","), square(&chase.fox))
    }

    fn words(&self, chase: &Chase, player: Player, number: usize, option: &Chase) -> String {
        match moves(chase, player).get(number) {
            Some((None, _)) if chase.has_escaped() => "run on with the fox".into(),
            Some((None, (row, column))) => format!("move the fox to {row}.{column}"),
            Some((Some(goose), (row, column))) => {
                let (from_row, from_column) = chase.geese[*goose];
                format!("move the goose on {from_row}.{from_column} to {row}.{column}")
            }
            None => format!("move to {}", self.write(option)),
        }
    }

    fn board(&self, chase: &Chase) -> String {
        let top = chase.geese.last().map_or(0, |goose| goose.0).max(chase.fox.0 + 1);
        let mut lines: Vec<String> = Vec::new();
        for row in (1..=top).rev() {
            let squares = (1..=chase.width).map(|column| match (row, column) {
                square if square == chase.fox => " F",
                square if chase.geese.contains(&square) => " G",
                (row, column) if (row + column) % 2 == 0 => " .",
                _ => "  ",
            });
            lines.push(format!("{row:>2} {}", squares.collect::<String>()).trim_end().to_owned());
        }
        let columns = (1..=chase.width).map(|column| format!(" {}", column % 10));
        lines.push(format!("   {}", columns.collect::<String>()));
        if chase.has_escaped() {
            lines.push("the fox has escaped".into());
        }
        lines.join("\n")
    }

    fn canonical(&self, chase: Chase) -> Chase {
        if chase.has_escaped() {
            return Chase { width: chase.width, geese: Box::default(), fox: (1, 1) };
        }
        if chase.width.is_multiple_of(2) {
            return chase;
        }
        // On a board of odd width a mirror leaves the squares in use as they are.
        let mirrored = |&(row, column): &Square| (row, chase.width + 1 - column);
        let mut geese: Vec<Square> = chase.geese.iter().map(mirrored).collect();
        geese.sort_unstable();
        let mirror = Chase { width: chase.width, fox: mirrored(&chase.fox), geese: geese.into() };
        if (&mirror.geese, mirror.fox) < (&chase.geese, chase.fox) { mirror } else { chase }
    }
}

fn number(scanner: &mut Scanner<'_>, what: &str) -> Result<u8, NotationError> {
    let place = scanner.place();
    let number = scanner.number(what)?;
    u8::try_from(number).ok().filter(|&small| small > 0 && u64::from(small) <= MOST).ok_or_else(
        || NotationError::at(place, format!("expected {what}, from 1 to {MOST}, found {number}")),
    )
}

fn word(scanner: &mut Scanner<'_>, word: &str) -> Result<(), NotationError> {
    let place = scanner.place();
    for letter in word.chars() {
        if !scanner.take(letter) {
            return Err(NotationError::at(place, format!("expected `{word}`")));
        }
    }
    Ok(())
}

fn square(scanner: &mut Scanner<'_>, width: u8) -> Result<Square, NotationError> {
    let place = scanner.place();
    let row = number(scanner, "a row")?;
    scanner.need('.')?;
    let column = number(scanner, "a column")?;
    if column > width {
        return Err(NotationError::at(place, format!("the columns are 1 to {width}")));
    }
    if !(row + column).is_multiple_of(2) {
        let message =
            format!("{row}.{column} is not in use: row and column must add to an even number");
        return Err(NotationError::at(place, message));
    }
    Ok((row, column))
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "fox-geese",
        board: Board::Grid,
        rules: "Left steps with a goose diagonally down, Right with the fox diagonally in any \
                direction, onto free squares. The fox has escaped if no goose is above it, or if it can \
                step up to the row of the highest goose: then Right can move for ever, and Left \
                cannot move.",
        notation: "fox-geese:COLUMNS/geese=SQUARES/fox=SQUARE with ROW.COLUMN for a square, row 1 at \
                   the bottom; row + column is even",
        example: "fox-geese:4/geese=3.1,3.3/fox=2.4",
        value: "over",
        parameters: Parameters::None,
        source: "Siegel2009; Winning Ways, chapter 20",
        make: Make::Partizan(|_| Ok(Box::new(InternedPartizan::new(FoxGeese)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str, player: Player) -> Vec<String> {
        let chase = FoxGeese.read(text).unwrap();
        FoxGeese.options(&chase, player).map(|option| FoxGeese.write(&option)).collect()
    }

    #[test]
    fn geese_step_down_and_the_fox_in_any_direction() {
        let text = "4/geese=3.1,3.3/fox=2.2";
        assert_eq!(options(text, Player::Left), ["4/geese=2.4,3.1/fox=2.2"]);
        let right = ["4/geese=3.1,3.3/fox=1.1", "4/geese=3.1,3.3/fox=1.3"];
        assert_eq!(options(text, Player::Right), right);
    }

    #[test]
    fn a_fox_that_has_escaped_runs_on_for_ever() {
        for text in ["4/geese=3.1,3.3/fox=3.1", "4/geese=2.2/fox=2.4", "4/geese=3.1/fox=2.2"] {
            let Ok(chase) = FoxGeese.read(text) else { continue };
            assert!(chase.has_escaped(), "{text}");
            assert_eq!(FoxGeese.options(&chase, Player::Left).count(), 0);
            assert_eq!(options(text, Player::Right), [FoxGeese.write(&chase)]);
        }
        assert!(!FoxGeese.read("4/geese=3.1,3.3/fox=2.2").unwrap().has_escaped());
        assert!(FoxGeese.read("4/geese=3.1,2.4/fox=2.2").unwrap().has_escaped());
    }

    #[test]
    fn wrong_positions_are_pointed_at() {
        for (text, at) in [
            ("", 0),
            ("0/geese=1.1/fox=2.2", 0),
            ("4/goose=1.1", 1),
            ("4/geese=1.2/fox=2.2", 8),
            ("4/geese=1.5/fox=2.2", 8),
            ("4/geese=1.1,1.1/fox=2.2", 12),
            ("4/geese=1.1/fox=1.1", 16),
            ("4/geese=1.1/fox=2.2x", 19),
        ] {
            assert_eq!(FoxGeese.read(text).unwrap_err().at, at, "{text}");
        }
    }

    #[test]
    fn the_board_is_drawn() {
        let chase = FoxGeese.read("4/geese=3.1,3.3/fox=2.2").unwrap();
        assert_eq!(FoxGeese.board(&chase), " 3  G   G\n 2    F   .\n 1  .   .\n    1 2 3 4");
    }
}

//! Lamps: switch lamps of a row off or slide them; switching off two neighbours entails.
//!
//! ```text
//!   lamps:0111     ·  ■  ■  ■     switch off a lamp             0011  0101  0110
//!                                 slide one to a dark place     1011
//!                                 switch off two neighbours     0001  0100, which entails
//! ```
//!
//! In a dark row nothing can be moved, and lamps slide to and fro, so play may go on for ever. A
//! player who switches off the last two lamps, side by side, wins: the opponent must answer in a
//! dark row. No theorem is used: the engine labels the rows.
//!
//! Of the rows of up to four places, 0111 and 1011 have a value that is of no older kind: `[0/>0]`,
//! where the opponent chooses whether the mover keeps control or hands over.
//!
//! ## References
//! Our own; the values are those of [`nimoon::impartial::control`].

use nimoon::{
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Shortcuts},
};

use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// Switch lamps of a row off or slide them; switching off two neighbours entails.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lamps;

/// What is done to a row; places are counted from 0.
#[derive(Clone, Copy)]
enum Step {
    Off(usize),
    Slide(usize, usize),
    /// This lamp and the next one.
    OffTwo(usize),
}

/// All moves in a row, kind by kind and from the left.
fn steps(row: &[bool]) -> impl Iterator<Item = Step> + '_ {
    let lit = move || (0..row.len()).filter(|&place| row[place]);
    let dark = |place: usize| row.get(place) == Some(&false);
    let slides = lit().flat_map(move |from| {
        let left = from.checked_sub(1).filter(|&to| dark(to));
        let right = Some(from + 1).filter(|&to| dark(to));
        left.into_iter().chain(right).map(move |to| Step::Slide(from, to))
    });
    let two = lit().filter(|&place| row.get(place + 1) == Some(&true)).map(Step::OffTwo);
    lit().map(Step::Off).chain(slides).chain(two)
}

impl Ruleset for Lamps {
    type Position = Box<[bool]>;

    fn name(&self) -> String {
        "lamps".into()
    }

    fn options(&self, row: &Box<[bool]>) -> impl Iterator<Item = Move<Box<[bool]>>> {
        steps(row).map(|step| {
            let mut after = row.clone();
            match step {
                Step::Off(place) => after[place] = false,
                Step::Slide(from, to) => after.swap(from, to),
                Step::OffTwo(place) => {
                    after[place..=place + 1].fill(false);
                    return Move::entailing(after);
                }
            }
            Move::to(after)
        })
    }

    fn read(&self, text: &str) -> Result<Box<[bool]>, NotationError> {
        /// A longer row has too many positions.
        const LONGEST: usize = 64;
        Scanner::whole(text, |scanner| {
            let mut row = Vec::new();
            while let Some(found) = scanner.peek() {
                if row.len() == LONGEST {
                    return Err(scanner.expected(&format!("at most {LONGEST} lamps")));
                }
                row.push(match found {
                    '0' => false,
                    '1' => true,
                    _ => return Err(scanner.expected("`0` or `1`")),
                });
                scanner.next();
            }
            if row.is_empty() {
                return Err(scanner.expected("a row of lamps, as in `0111`"));
            }
            Ok(row.into())
        })
    }

    fn write(&self, row: &Box<[bool]>) -> String {
        row.iter().map(|&lit| if lit { '1' } else { '0' }).collect()
    }

    fn canonical(&self, row: Box<[bool]>) -> Box<[bool]> {
        let mirrored: Box<[bool]> = row.iter().rev().copied().collect();
        row.min(mirrored)
    }
}

impl Notation for Lamps {
    fn words(&self, row: &Box<[bool]>, number: usize, option: &Move<Box<[bool]>>) -> String {
        match steps(row).nth(number) {
            Some(Step::Off(place)) => format!("switch off lamp {}", place + 1),
            Some(Step::Slide(from, to)) => format!("slide lamp {} to place {}", from + 1, to + 1),
            Some(Step::OffTwo(place)) => {
                format!("switch off lamps {} and {}, which entails", place + 1, place + 2)
            }
            None => format!("move to {}", self.write(&option.to)),
        }
    }

    fn board(&self, row: &Box<[bool]>) -> String {
        let cell = |text: &str| format!("{text:<2}");
        let numbers: String = (1..=row.len()).map(|place| cell(&place.to_string()) + " ").collect();
        let lamps: String =
            row.iter().map(|&lit| cell(if lit { "■" } else { "·" }) + " ").collect();
        format!("{}\n{}", numbers.trim_end(), lamps.trim_end())
    }
}

impl Shortcuts for Lamps {}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "lamps",
        board: Board::Strip,
        rules: "Switch a lamp off; or slide a lit lamp to a dark place beside it; or switch off two \
                lit lamps side by side: then the opponent must answer in the same row, and loses if \
                it is dark.",
        notation: "lamps:ROW, with 1 for a lit lamp and 0 for a dark place, as in lamps:0111",
        example: "lamps:0111",
        value: "[0/>0]",
        parameters: Parameters::None,
        source: "our own",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(Lamps)))),
    }
}

#[cfg(test)]
mod tests {
    use nimoon::Work;
    use nimoon::impartial::control::Control;
    use nimoon_oracle::Product;

    use super::*;
    use crate::play::{board, digraph, values_of};

    fn rows(len: usize) -> Vec<Box<[bool]>> {
        (0..1_u32 << len)
            .map(|bits| (0..len).map(|place| bits >> place & 1 == 1).collect())
            .collect()
    }

    fn options(text: &str) -> Vec<String> {
        let options = Lamps.read(text).unwrap();
        let options = Lamps.options(&options);
        options.map(|option| format!("{:?} {}", option.kind, Lamps.write(&option.to))).collect()
    }

    #[test]
    fn lamps_are_switched_off_and_slide() {
        let expected = ["Ordinary 001", "Ordinary 010", "Ordinary 101", "Entailing 000"];
        assert_eq!(options("011"), expected);
        assert_eq!(options("010"), ["Ordinary 000", "Ordinary 100", "Ordinary 001"]);
        assert_eq!(options("000"), Vec::<String>::new());
    }

    #[test]
    fn short_rows_have_their_values() {
        let known = [
            ("1", "1"),
            ("01", "[>0]"),
            ("11", "(win)"),
            ("001 010 111", "[>0]"),
            ("101", "0"),
            ("011", "(win)"),
            ("0001 0010", "[>0]"),
            ("0011 0110", "(win)"),
            ("0111 1011", "[0/>0]"),
            ("0101 1001 1111", "[]"),
            ("0 00 000 0000", "0"),
        ];
        let mut seen = 0;
        for len in 1..=4 {
            let rows = rows(len);
            for (row, value) in rows.iter().zip(values_of(&Lamps, &rows)) {
                let text = Lamps.write(&Lamps.canonical(row.clone()));
                let (_, name) =
                    known.iter().find(|(rows, _)| rows.split(' ').any(|r| r == text)).unwrap();
                assert_eq!(value, Control::read(name, &mut Work::default()).unwrap(), "{text}");
                seen += 1;
            }
        }
        assert_eq!(seen, 2 + 4 + 8 + 16);
    }

    #[test]
    fn sums_of_rows_are_those_of_play() {
        let rows = rows(4);
        let board = board(&digraph(&Lamps, &rows));
        let values = values_of(&Lamps, &rows);
        let play = Product::new(&[&board, &board, &board]).unwrap();
        let mut work = Work::default();
        let mut sums = 0;
        for a in 0..rows.len() {
            for b in a..rows.len() {
                for c in b..rows.len() {
                    let parts = [a, b, c].map(|row| values[row].clone());
                    let total = Control::sum(&parts, &mut work).unwrap();
                    let played = play.outcome(&[a, b, c]).unwrap();
                    assert_eq!(total.outcome().to_string(), played.to_string(), "{a} {b} {c}");
                    sums += 1;
                }
            }
        }
        assert_eq!(sums, 816);
    }

    #[test]
    fn a_row_and_its_mirror_image_are_one() {
        for row in rows(6) {
            let mirrored: Box<[bool]> = row.iter().rev().copied().collect();
            assert_eq!(Lamps.canonical(row), Lamps.canonical(mirrored));
        }
    }

    #[test]
    fn moves_have_words_and_rows_are_drawn() {
        let row = Lamps.read("011").unwrap();
        let words: Vec<_> = (0..)
            .zip(Lamps.options(&row))
            .map(|(number, option)| Lamps.words(&row, number, &option))
            .collect();
        let expected = [
            "switch off lamp 2",
            "switch off lamp 3",
            "slide lamp 2 to place 1",
            "switch off lamps 2 and 3, which entails",
        ];
        assert_eq!(words, expected);
        assert_eq!(Lamps.board(&row), "1  2  3\n·  ■  ■");
        assert_eq!(Lamps.read("01x").unwrap_err().at, 2);
        assert_eq!(Lamps.read("").unwrap_err().at, 0);
        assert_eq!(Lamps.read(&"1".repeat(65)).unwrap_err().at, 64);
    }
}

//! Wythoff's game: two heaps; take any number of tokens from one, or the same number from both.
//!
//! ```text
//!    3  ooo          3,5 is one of the positions that the player to move loses:
//!    5  ooooo        0,0  1,2  3,5  4,7  6,10  …
//! ```
//!
//! The n-th of those, from 0, is ⌊nφ⌋, ⌊nφ⌋ + n with the golden ratio φ. The other values follow
//! no rule that is known, so there is no theorem here, and a position does not split: the last
//! kind of move ties the heaps together.
//!
//! ## References
//! W. A. Wythoff, A modification of the game of Nim (1907).

use nimoon::{
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Shortcuts},
};

use super::heaps::draw;
use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// Two heaps; take any number of tokens from one, or the same number from both.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wythoff;

/// From which heap tokens are taken.
#[derive(Clone, Copy)]
enum From {
    First,
    Second,
    Both,
}

/// All moves in order: from the first heap, from the second, from both; few tokens first.
fn moves((a, b): (u64, u64)) -> impl Iterator<Item = (From, u64)> {
    let first = (1..=a).map(|taken| (From::First, taken));
    let second = (1..=b).map(|taken| (From::Second, taken));
    let both = (1..=a.min(b)).map(|taken| (From::Both, taken));
    first.chain(second).chain(both)
}

impl Ruleset for Wythoff {
    type Position = (u64, u64);

    fn name(&self) -> String {
        "wythoff".into()
    }

    fn options(&self, &(a, b): &(u64, u64)) -> impl Iterator<Item = Move<(u64, u64)>> {
        moves((a, b)).map(move |(from, taken)| {
            Move::to(match from {
                From::First => (a - taken, b),
                From::Second => (a, b - taken),
                From::Both => (a - taken, b - taken),
            })
        })
    }

    fn read(&self, text: &str) -> Result<(u64, u64), NotationError> {
        Scanner::whole(text, |scanner| {
            let first = scanner.number("the size of the first heap")?;
            scanner.need(',')?;
            Ok((first, scanner.number("the size of the second heap")?))
        })
    }

    fn write(&self, (a, b): &(u64, u64)) -> String {
        format!("{a},{b}")
    }

    fn canonical(&self, (a, b): (u64, u64)) -> (u64, u64) {
        (a.min(b), a.max(b))
    }
}

impl Notation for Wythoff {
    fn words(&self, position: &(u64, u64), number: usize, option: &Move<(u64, u64)>) -> String {
        let (a, b) = position;
        match moves(*position).nth(number) {
            Some((From::First, taken)) => format!("take {taken} of {a} from the first heap"),
            Some((From::Second, taken)) => format!("take {taken} of {b} from the second heap"),
            Some((From::Both, taken)) => format!("take {taken} from both heaps"),
            None => format!("move to {}", self.write(&option.to)),
        }
    }

    fn board(&self, &(a, b): &(u64, u64)) -> String {
        format!("{}\n{}", draw(a), draw(b))
    }
}

impl Shortcuts for Wythoff {
    fn splits(&self) -> bool {
        false
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "wythoff",
        board: Board::Heap,
        rules: "Take any number of tokens from one of two heaps, or the same number from both.",
        notation: "wythoff:A,B, heaps of A and of B tokens",
        example: "wythoff:3,5",
        value: "0",
        parameters: Parameters::None,
        source: "Wythoff 1907",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(Wythoff)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::definition::Definition;
    use nimoon::impartial::value::EntailingValue::Nimber;

    #[test]
    fn the_positions_that_lose_are_those_of_the_golden_ratio() {
        let mut definition = Definition::new(&Wythoff);
        let mut lost = Vec::new();
        for a in 0..=12 {
            for b in a..=12 {
                if definition.value(&(a, b)) == Nimber(0) {
                    lost.push((a, b));
                }
            }
        }
        assert_eq!(lost, [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10)]);
    }

    #[test]
    fn the_order_of_the_heaps_does_not_matter() {
        let mut definition = Definition::new(&Wythoff);
        for (a, b) in [(0, 3), (2, 5), (6, 4)] {
            assert_eq!(definition.value(&(a, b)), definition.value(&(b, a)));
            assert_eq!(Wythoff.canonical((a, b)), Wythoff.canonical((b, a)));
        }
    }

    #[test]
    fn words_say_which_heap_the_tokens_come_from() {
        let options = (0..).zip(Wythoff.options(&(1, 2)));
        let words: Vec<_> =
            options.map(|(number, option)| Wythoff.words(&(1, 2), number, &option)).collect();
        assert_eq!(
            words,
            [
                "take 1 of 1 from the first heap",
                "take 1 of 2 from the second heap",
                "take 2 of 2 from the second heap",
                "take 1 from both heaps",
            ]
        );
    }

    #[test]
    fn a_pair_is_read_and_written() {
        assert_eq!(Wythoff.read("3,5"), Ok((3, 5)));
        assert_eq!(Wythoff.write(&(5, 3)), "5,3");
        assert_eq!(Wythoff.read("3").unwrap_err().at, 1);
        assert_eq!(Wythoff.read("3,5,7").unwrap_err().at, 3);
        assert_eq!(Wythoff.board(&(3, 0)), "   3  ooo\n   0  (empty)");
    }
}

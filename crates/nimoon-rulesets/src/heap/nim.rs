//! Nim: take any number of tokens from a heap.
//!
//! ## References
//! C. L. Bouton, Nim, a game with a complete mathematical theory (1901).

use nimoon::impartial::value::EntailingValue;
use nimoon::{
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Shortcuts},
};

use super::heaps::{draw, single};
use crate::catalogue::{Board, Entry, Make, Parameters};

/// Take any number of tokens. A heap of n tokens has the value n.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nim;

impl Ruleset for Nim {
    type Position = u64;

    fn name(&self) -> String {
        "nim".into()
    }

    fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> {
        (0..*heap).map(Move::to)
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        single(text)
    }

    fn write(&self, heap: &u64) -> String {
        heap.to_string()
    }
}

impl Notation for Nim {
    fn words(&self, heap: &u64, _number: usize, option: &Move<u64>) -> String {
        format!("take {} of {heap}", heap - option.to)
    }

    fn board(&self, heap: &u64) -> String {
        draw(*heap)
    }
}

impl Shortcuts for Nim {
    fn splits(&self) -> bool {
        false
    }

    fn theorem(&self, heap: &u64) -> Option<EntailingValue> {
        Some(EntailingValue::Nimber(*heap))
    }

    fn winning_option(&self, heap: &u64, beside: EntailingValue) -> Option<(usize, Move<u64>)> {
        let EntailingValue::Nimber(rest) = beside else { return None };
        (rest < *heap).then_some((usize::try_from(rest).ok()?, Move::to(rest)))
    }

    fn is_short(&self, _heap: &u64) -> bool {
        true
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "nim",
        board: Board::Heap,
        rules: "Take any number of tokens from the heap, at least one.",
        notation: "nim:N, a heap of N tokens",
        example: "nim:5",
        value: "5",
        parameters: Parameters::None,
        source: "Bouton 1901",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(Nim)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_has_its_size_as_value_and_its_smaller_heaps_as_options() {
        let options: Vec<_> = Nim.options(&3).map(|option| option.to).collect();
        assert_eq!(options, [0, 1, 2]);
        assert_eq!(Nim.theorem(&3), Some(EntailingValue::Nimber(3)));
    }

    #[test]
    fn a_win_is_found_without_a_list() {
        let win = Nim.winning_option(&5_000_000_000, EntailingValue::Nimber(7)).unwrap();
        assert_eq!((win.0, win.1.to), (7, 7));
        assert_eq!(Nim.winning_option(&7, EntailingValue::Nimber(7)), None);
        assert_eq!(Nim.winning_option(&7, EntailingValue::Moon), None);
    }

    #[test]
    fn a_wrong_character_is_pointed_at() {
        let error = Nim.read("12x").unwrap_err();
        assert_eq!(error.at, 2);
        assert_eq!(Nim.read("").unwrap_err().at, 0);
        let error = Nim.read("3,5").unwrap_err();
        assert_eq!(error.at, 1);
        assert!(error.message.ends_with("as in `nim:3 + nim:5`"), "{}", error.message);
    }
}

//! Subtraction games: take a number of tokens that is in a given set.
//!
//! ```text
//! subtraction[1,3,4]:10      take 1, 3 or 4 of 10 tokens
//! values of 0, 1, 2, …       0 1 0 1 2 3 2 | 0 1 0 1 2 3 2 | 0 …
//! ```
//!
//! The value of a heap depends on as many heaps before it as the largest number of the set, and
//! they can be found one after the other. [`heap_period`](super::heap_period) finds the period.
//!
//! ## References
//! S. W. Golomb, A mathematical investigation of games of "take-away" (1966).

use nimoon::impartial::value::EntailingValue;
use nimoon::{
    Work,
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Sequence, Shortcuts},
};

use super::heaps::{draw, single};
use super::period::Moves;
use super::sequence::{BySubtraction, HeapValues, Kept};
use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// Take a number of tokens that is in the set.
#[derive(Debug)]
pub struct Subtraction {
    /// In order, each once.
    set: Vec<u64>,
    values: Kept<BySubtraction>,
}

impl Subtraction {
    /// Heaps above this one are left to other means than the sequence.
    const LARGEST: u64 = 20_000;

    /// The game with this set; 0 and repeated numbers are left out.
    pub fn new(set: impl IntoIterator<Item = u64>) -> Self {
        let mut set: Vec<_> = set.into_iter().filter(|&taken| taken > 0).collect();
        set.sort_unstable();
        set.dedup();
        let values = Kept::new(BySubtraction(set.clone()));
        Self { set, values }
    }

    /// The most tokens and heaps of a move, for the theorem on periods.
    pub(super) fn most(&self) -> Moves {
        let most_taken = self.set.last().copied().unwrap_or(0);
        Moves { most_taken, most_heaps: 1, by_code: true }
    }

    /// Reads the numbers of the set, in any order: `1,3,4`.
    ///
    /// # Errors
    /// When the text is not a list of positive numbers; the error has the position.
    pub fn from_parameters(text: &str) -> Result<Self, NotationError> {
        const WHAT: &str = "a number of tokens that may be taken";
        let set = Scanner::whole(text, |scanner| {
            let mut set = Vec::new();
            loop {
                let place = scanner.place();
                match scanner.number(WHAT)? {
                    0 => {
                        let message = format!("expected {WHAT}, at least 1, found 0");
                        return Err(NotationError::at(place, message));
                    }
                    taken => set.push(taken),
                }
                if !scanner.take(',') {
                    return Ok(set);
                }
            }
        })?;
        Ok(Self::new(set))
    }

    /// The numbers of tokens that may be taken, in order.
    pub fn set(&self) -> &[u64] {
        &self.set
    }
}

impl Ruleset for Subtraction {
    type Position = u64;

    fn name(&self) -> String {
        let set: Vec<_> = self.set.iter().map(u64::to_string).collect();
        format!("subtraction[{}]", set.join(","))
    }

    fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> {
        let taken = self.set.iter().take_while(move |&taken| taken <= heap);
        taken.map(move |taken| Move::to(heap - taken))
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        single(text)
    }

    fn write(&self, heap: &u64) -> String {
        heap.to_string()
    }
}

impl Notation for Subtraction {
    fn words(&self, heap: &u64, _number: usize, option: &Move<u64>) -> String {
        format!("take {} of {heap}", heap - option.to)
    }

    fn board(&self, heap: &u64) -> String {
        draw(*heap)
    }
}

impl Shortcuts for Subtraction {
    fn splits(&self) -> bool {
        false
    }

    fn work_within(&mut self, work: &Work) {
        self.values.work_within(work);
    }

    fn is_short(&self, _position: &u64) -> bool {
        true
    }

    fn theorem(&self, heap: &u64) -> Option<EntailingValue> {
        self.values.value_by_period(*heap, Self::LARGEST, self.most())
    }

    fn sequence(&self) -> Option<Box<dyn Sequence>> {
        Some(Box::new(HeapValues::new(BySubtraction(self.set.clone()))))
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "subtraction",
        board: Board::Heap,
        rules: "Take a number of tokens from the heap; it must be one of the numbers in brackets.",
        notation: "subtraction[1,3,4]:N, a heap of N tokens; a player takes 1, 3 or 4",
        example: "subtraction[1,3,4]:10",
        value: "1",
        parameters: Parameters::Text("the numbers of tokens that may be taken, such as 1,3,4"),
        source: "Golomb 1966",
        make: Make::Impartial(|given| {
            Ok(Box::new(Interned::new(Subtraction::from_parameters(given.text)?)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::definition::Definition;

    #[test]
    fn values_by_the_sequence_are_those_of_the_definition() {
        for set in 1u64..64 {
            let game = Subtraction::new((1..=6).filter(|taken| set >> (taken - 1) & 1 == 1));
            let mut definition = Definition::new(&game);
            for heap in 0..40 {
                let value = Some(definition.value(&heap));
                assert_eq!(game.theorem(&heap), value, "{}:{heap}", game.name());
            }
        }
    }

    #[test]
    fn the_set_may_be_given_in_any_order() {
        let game = Subtraction::from_parameters("4,1,3,1").unwrap();
        assert_eq!(game.name(), "subtraction[1,3,4]");
        let options: Vec<_> = game.options(&3).collect();
        assert_eq!(options, [Move::to(2), Move::to(0)]);
        assert_eq!(game.words(&3, 1, &options[1]), "take 3 of 3");
    }

    #[test]
    fn a_set_that_is_none_is_pointed_at() {
        let at = |text| Subtraction::from_parameters(text).unwrap_err().at;
        assert_eq!(at(""), 0);
        assert_eq!(at("1,0"), 2);
        assert_eq!(at("1,3;4"), 3);
        assert_eq!(at("1,99999999999999999999"), 2);
    }

    #[test]
    fn heaps_and_numbers_may_be_huge_without_cost() {
        let game = Subtraction::from_parameters("1,18446744073709551615").unwrap();
        let heap = game.read("18446744073709551615").unwrap();
        assert_eq!(game.options(&heap).count(), 2);
        assert_eq!(game.theorem(&heap), None);
        assert!(game.theorem(&20_000).is_some());
    }
}

//! Grundy's game: split a heap into two unequal ones.
//!
//! ```text
//!    7  ooooooo   →   1  o        2  oo       3  ooo
//!                     6  oooooo   5  ooooo    4  oooo
//! ```
//!
//! Heaps of 1 and 2 cannot be split. It is not known whether the values of heaps become periodic,
//! and nothing is claimed here: values come from the recursion, heap by heap.
//!
//! ## References
//! P. M. Grundy, Mathematics and games (1939).

use nimoon::impartial::value::EntailingValue;
use nimoon::{
    Work,
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Sequence, Shortcuts},
};

use super::code_values::ByUnequalParts;
use super::heaps::{HeapMove, Heaps};
use super::sequence::{HeapValues, Kept};
use crate::catalogue::{Board, Entry, Make, Parameters};

/// Split a heap into two unequal ones.
#[derive(Debug)]
pub struct GrundysGame {
    values: Kept<ByUnequalParts>,
}

impl GrundysGame {
    /// Heaps above this one are left to other means than the sequence.
    const LARGEST: u64 = 200_000;

    /// The game.
    pub fn new() -> Self {
        Self { values: Kept::new(ByUnequalParts::alone()) }
    }
}

impl Default for GrundysGame {
    fn default() -> Self {
        Self::new()
    }
}

/// All moves, heap by heap; small parts first.
fn moves(position: &Heaps) -> impl Iterator<Item = HeapMove> + '_ {
    position.sizes().flat_map(|heap| {
        let unequal = |step: &HeapMove| step.leaves[0] != step.leaves[1];
        HeapMove::into_two(heap, heap).filter(unequal)
    })
}

impl Ruleset for GrundysGame {
    type Position = Heaps;

    fn name(&self) -> String {
        "grundys-game".into()
    }

    fn options(&self, position: &Heaps) -> impl Iterator<Item = Move<Heaps>> {
        moves(position).map(|step| Move::to(position.after(&step)))
    }

    fn read(&self, text: &str) -> Result<Heaps, NotationError> {
        Heaps::read(text)
    }

    fn write(&self, position: &Heaps) -> String {
        position.write()
    }

    fn components(&self, position: Heaps) -> Vec<Heaps> {
        position.split()
    }
}

impl Notation for GrundysGame {
    fn words(&self, position: &Heaps, number: usize, option: &Move<Heaps>) -> String {
        let step = moves(position).nth(number);
        step.map_or_else(|| format!("move to {}", self.write(&option.to)), |step| step.words())
    }

    fn board(&self, position: &Heaps) -> String {
        position.board()
    }
}

impl Shortcuts for GrundysGame {
    fn work_within(&mut self, work: &Work) {
        self.values.work_within(work);
    }

    fn is_short(&self, _position: &Heaps) -> bool {
        true
    }

    fn theorem(&self, position: &Heaps) -> Option<EntailingValue> {
        self.values.value(position.single()?, Self::LARGEST)
    }

    fn sequence(&self) -> Option<Box<dyn Sequence>> {
        Some(Box::new(HeapValues::new(ByUnequalParts::default())))
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "grundys-game",
        board: Board::Heap,
        rules: "Split a heap into two heaps of different sizes.",
        notation: "grundys-game:N, a heap of N tokens; several heaps as 3,4",
        example: "grundys-game:20",
        value: "0",
        parameters: Parameters::None,
        source: "Grundy 1939",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(GrundysGame::new())))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::definition::Definition;

    #[test]
    fn values_by_the_sequence_are_those_of_the_definition() {
        let game = GrundysGame::new();
        let mut definition = Definition::new(&game);
        for heap in 0..60 {
            let position = Heaps::new([heap]);
            assert_eq!(game.theorem(&position), Some(definition.value(&position)), "{heap}");
        }
    }

    #[test]
    fn heaps_side_by_side_have_the_value_of_their_sum() {
        let game = GrundysGame::new();
        let mut definition = Definition::new(&game);
        for heaps in [[3, 4, 0], [5, 5, 0], [3, 6, 8], [2, 7, 9]] {
            let position = Heaps::new(heaps);
            assert_eq!(definition.whole(&position), definition.value(&position), "{heaps:?}");
        }
    }

    #[test]
    fn small_heaps_cannot_be_split_and_large_ones_only_unequally() {
        let game = GrundysGame::new();
        let options = |text| {
            let position = game.read(text).unwrap();
            let options: Vec<_> = game.options(&position).collect();
            options.iter().map(|option| game.write(&option.to)).collect::<Vec<_>>()
        };
        assert!(options("0").is_empty() && options("1").is_empty() && options("2").is_empty());
        assert_eq!(options("6"), ["1,5", "2,4"]);
        assert_eq!(options("3,3"), ["1,2,3"]);
    }

    #[test]
    fn moves_have_words_and_huge_heaps_cost_nothing() {
        let game = GrundysGame::new();
        let position = game.read("2,18446744073709551615").unwrap();
        let option = game.options(&position).nth(1).unwrap();
        assert_eq!(
            game.words(&position, 1, &option),
            "split the heap of 18446744073709551615 into 2 and 18446744073709551613"
        );
        assert_eq!(game.theorem(&option.to), None);
    }
}

//! Take-and-break games by their codes: `octal[0.77]:20`, `hexadecimal[0.3F]:9`, and those with a
//! name, such as `kayles:20`.
//!
//! ```text
//! octal[0.77]:5      Kayles: knock down one pin, or two that stand together
//!
//!    5  ooooo   →   4   1,3   2,2      take 1, leave one heap or two
//!                   3   1,2            take 2, leave one heap or two
//! ```
//!
//! [`Code`] says how a code is read. The value of a heap follows from those of the smaller ones;
//! [`heap_period`](super::heap_period) finds out where they repeat.
//!
//! ## References
//! R. K. Guy, C. A. B. Smith, The G-values of various games (1956); E. R. Berlekamp, J. H. Conway,
//! R. K. Guy, Winning Ways, chapter 4.

use nimoon::impartial::value::EntailingValue;
use nimoon::{
    Work,
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Positions, Ruleset, Sequence, Shortcuts},
};

use super::code::{Base, Code};
use super::code_values::ByCode;
use super::heaps::{HeapMove, Heaps};
use super::period::Moves;
use super::sequence::{HeapValues, Kept};
use crate::catalogue::{Board, Entry, Given, Make, MakeError, Parameters};

/// Take tokens from a heap and break what is left, as a code allows.
#[derive(Debug)]
pub struct TakeAndBreak {
    /// `kayles`, or `octal[0.77]`.
    name: String,
    code: Code,
    values: Kept<ByCode>,
}

impl TakeAndBreak {
    /// The game with this code.
    pub fn new(code: Code) -> Self {
        let name = format!("{}[{code}]", code.base().name());
        Self { name, values: Kept::new(ByCode::alone(code.clone())), code }
    }

    /// The game with a name of its own, such as `kayles`.
    pub fn named(name: &str) -> Option<Self> {
        let (_, code) = NAMED.into_iter().find(|&(known, _)| known == name)?;
        let code = Code::read(code, Base::Octal).ok()?;
        Some(Self { name: name.to_owned(), ..Self::new(code) })
    }

    /// The code.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The most tokens and heaps of a move, for the theorem on periods.
    pub(super) fn most(&self) -> Moves {
        Moves::of(&self.code)
    }

    /// Heaps above this one are left to other means than the sequence: three heaps make it slow.
    fn largest(&self) -> u64 {
        if self.code.most_heaps() > 2 { 3_000 } else { 200_000 }
    }

    /// The moves in one heap, few tokens first.
    fn breaks(&self, heap: u64) -> impl Iterator<Item = HeapMove> + '_ {
        let digits = (0..=heap).zip(self.code.digits());
        digits.flat_map(move |(taken, &digit)| {
            let left = heap - taken;
            let allowed = |part: u8, tokens: u64| if digit & part == 0 { 0 } else { tokens };
            let none = (digit & 1 != 0 && left == 0).then(|| HeapMove { heap, leaves: vec![] });
            let one = allowed(2, left);
            let one = (one > 0).then(|| HeapMove { heap, leaves: vec![one] });
            let two = HeapMove::into_two(heap, allowed(4, left));
            let three = HeapMove::into_three(heap, allowed(8, left));
            none.into_iter().chain(one).chain(two).chain(three)
        })
    }

    /// All moves, heap by heap.
    fn moves(&self, position: &Heaps) -> impl Iterator<Item = HeapMove> {
        position.sizes().flat_map(|heap| self.breaks(heap))
    }
}

impl Ruleset for TakeAndBreak {
    type Position = Heaps;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn options(&self, position: &Heaps) -> impl Iterator<Item = Move<Heaps>> {
        self.moves(position).map(|step| Move::to(position.after(&step)))
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

impl Notation for TakeAndBreak {
    fn words(&self, position: &Heaps, number: usize, option: &Move<Heaps>) -> String {
        let step = self.moves(position).nth(number);
        step.map_or_else(|| format!("move to {}", self.write(&option.to)), |step| step.words())
    }

    fn board(&self, position: &Heaps) -> String {
        position.board()
    }
}

impl Shortcuts for TakeAndBreak {
    fn work_within(&mut self, work: &Work) {
        self.values.work_within(work);
    }

    fn is_short(&self, _position: &Heaps) -> bool {
        true
    }

    fn theorem(&self, position: &Heaps) -> Option<EntailingValue> {
        self.values.value_by_period(position.single()?, self.largest(), self.most())
    }

    fn sequence(&self) -> Option<Box<dyn Sequence>> {
        Some(Box::new(HeapValues::new(ByCode::new(self.code.clone()))))
    }
}

/// The games with names of their own, and their octal codes.
const NAMED: [(&str, &str); 6] = [
    ("kayles", "0.77"),
    ("dawsons-kayles", "0.07"),
    ("dawsons-chess", "0.137"),
    ("treblecross", "0.007"),
    ("guiles", "0.15"),
    ("officers", "0.6"),
];

fn make(given: Given<'_>, base: Base) -> Result<Box<dyn Positions>, MakeError> {
    Ok(Box::new(Interned::new(TakeAndBreak::new(Code::read(given.text, base)?))))
}

fn make_named(name: &str) -> Result<Box<dyn Positions>, MakeError> {
    let game = TakeAndBreak::named(name);
    let game = game.ok_or_else(|| NotationError::at(0, format!("unknown game {name}")))?;
    Ok(Box::new(Interned::new(game)))
}

pub(crate) fn entries() -> Vec<Entry> {
    let octal = Entry {
        name: "octal",
        board: Board::Heap,
        rules: "Take k tokens from a heap, if the k-th digit of the code after the point allows \
                what is left: the digit is the sum of 1 (nothing may be left), 2 (one heap) and 4 \
                (two heaps). The digit before the point is for k = 0.",
        notation: "octal[0.77]:N, a heap of N tokens with the code 0.77; several heaps as 3,4",
        example: "octal[0.77]:20",
        value: "1",
        parameters: Parameters::Text("an octal code, such as 0.77"),
        source: "Guy and Smith 1956",
        make: Make::Impartial(|given| make(given, Base::Octal)),
    };
    let hexadecimal = Entry {
        name: "hexadecimal",
        rules: "Take k tokens from a heap, if the k-th digit of the code after the point allows \
                what is left: the digit is the sum of 1 (nothing may be left), 2 (one heap), 4 (two \
                heaps) and 8 (three heaps). The digit before the point is for k = 0.",
        notation: "hexadecimal[0.3F]:N, a heap of N tokens with the code 0.3F; several heaps as 3,4",
        example: "hexadecimal[0.3F]:9",
        value: "3",
        parameters: Parameters::Text("a hexadecimal code, such as 0.3F"),
        make: Make::Impartial(|given| make(given, Base::Hexadecimal)),
        ..octal
    };
    let named = Entry { parameters: Parameters::None, source: "Winning Ways, chapter 4", ..octal };
    vec![
        octal,
        hexadecimal,
        Entry {
            name: "kayles",
            rules: "Take one or two tokens that stand side by side in a row, which may leave two \
                    rows: the code 0.77.",
            notation: "kayles:N, a row of N tokens; several rows as 3,4",
            example: "kayles:20",
            value: "1",
            source: "Dudeney; Winning Ways, chapter 4",
            make: Make::Impartial(|_| make_named("kayles")),
            ..named
        },
        Entry {
            name: "dawsons-kayles",
            rules: "Take two tokens that stand side by side in a row, which may leave two rows: the \
                    code 0.07.",
            notation: "dawsons-kayles:N, a row of N tokens; several rows as 3,4",
            example: "dawsons-kayles:20",
            value: "3",
            make: Make::Impartial(|_| make_named("dawsons-kayles")),
            ..named
        },
        Entry {
            name: "dawsons-chess",
            rules: "Two rows of N pawns face each other with one empty row between; pawns move and \
                    must capture as in chess, and the last player to move wins. As heaps: take one \
                    token that is alone, two or three; two may leave one heap and three may leave \
                    two. The code 0.137.",
            notation: "dawsons-chess:N, rows of N pawns; several boards as 3,4",
            example: "dawsons-chess:20",
            value: "0",
            source: "Dawson 1935",
            make: Make::Impartial(|_| make_named("dawsons-chess")),
            ..named
        },
        Entry {
            name: "treblecross",
            rules: "Take three tokens that stand side by side in a row, which may leave two rows: \
                    the code 0.007. A row of N + 2 tokens stands for a strip of N squares on which \
                    both players write crosses until three stand side by side.",
            notation: "treblecross:N, a row of N tokens; several rows as 3,4",
            example: "treblecross:20",
            value: "2",
            make: Make::Impartial(|_| make_named("treblecross")),
            ..named
        },
        Entry {
            name: "guiles",
            rules: "Take a heap of one or two tokens, or take two tokens from a larger heap and \
                    leave two heaps: the code 0.15.",
            notation: "guiles:N, a heap of N tokens; several heaps as 3,4",
            example: "guiles:20",
            value: "2",
            make: Make::Impartial(|_| make_named("guiles")),
            ..named
        },
        Entry {
            name: "officers",
            rules: "Take one token from a heap of at least two, leaving one heap or two: the code \
                    0.6.",
            notation: "officers:N, a heap of N tokens; several heaps as 3,4",
            example: "officers:20",
            value: "0",
            make: Make::Impartial(|_| make_named("officers")),
            ..named
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::definition::Definition;

    fn game(code: &str) -> TakeAndBreak {
        TakeAndBreak::new(Code::read(code, Base::Hexadecimal).unwrap())
    }

    #[test]
    fn values_by_the_sequence_are_those_of_the_definition() {
        let codes = ["0.77", "0.07", "0.137", "4.7", "0.3F", "0.8", "C.31", "8.002", "0.0"];
        for code in codes {
            let game = game(code);
            let mut definition = Definition::new(&game);
            for heap in 0..22 {
                let position = Heaps::new([heap]);
                let value = Some(definition.value(&position));
                assert_eq!(game.theorem(&position), value, "{code}:{heap}");
            }
        }
    }

    #[test]
    fn heaps_side_by_side_have_the_value_of_their_sum() {
        let game = game("0.3F");
        let mut definition = Definition::new(&game);
        for heaps in [[0, 3, 4], [0, 5, 5], [2, 3, 6]] {
            let position = Heaps::new(heaps);
            assert_eq!(definition.whole(&position), definition.value(&position), "{heaps:?}");
        }
    }

    #[test]
    fn a_code_allows_what_its_digits_say() {
        let options = |code, text| {
            let game = game(code);
            let position = game.read(text).unwrap();
            let options: Vec<_> = game.options(&position).collect();
            options.iter().map(|option| game.write(&option.to)).collect::<Vec<_>>()
        };
        assert_eq!(options("0.77", "5"), ["4", "1,3", "2,2", "3", "1,2"]);
        assert_eq!(options("0.77", "2,2"), ["1,2", "2"]);
        assert_eq!(options("0.1", "1"), ["0"]);
        assert!(options("0.1", "2").is_empty());
        assert_eq!(options("0.08", "7"), ["1,1,3", "1,2,2"]);
        assert_eq!(options("4.0", "4"), ["1,3", "2,2"]);
    }

    #[test]
    fn named_games_have_their_codes() {
        for (name, code) in NAMED {
            let game = TakeAndBreak::named(name).unwrap();
            assert_eq!((game.name(), game.code().to_string()), (name.to_owned(), code.to_owned()));
            let entry = entries().into_iter().find(|entry| entry.name == name).unwrap();
            assert!(entry.rules.contains(code), "{name}");
        }
        assert_eq!(game("0.3f").name(), "hexadecimal[0.3F]");
    }

    #[test]
    fn moves_have_words_and_huge_heaps_cost_nothing() {
        let game = game("4.8");
        let position = game.read("18446744073709551615").unwrap();
        let option = game.options(&position).next().unwrap();
        assert_eq!(
            game.words(&position, 0, &option),
            "split the heap of 18446744073709551615 into 1 and 18446744073709551614"
        );
        // Its period is 2, which is proved, and 3,000 is the largest heap of the sequence.
        assert_eq!(game.theorem(&position), game.theorem(&Heaps::new([2_999])));
        assert_ne!(game.theorem(&position), game.theorem(&Heaps::new([3_000])));
    }
}

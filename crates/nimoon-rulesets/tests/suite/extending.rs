//! The ruleset of `docs/extending.md`, which shows this file piece by piece.

use nimoon::solve::solution::Solution;
use nimoon::{
    AnyValue, Work,
    notation::NotationError,
    ruleset::{Interned, Kind, Move, Notation, Positions, Ruleset, Shortcuts},
};
use nimoon_oracle::{Board, Outcome, Product};
use nimoon_script::{Limits, Script};

/// Take a square number of tokens from a heap; who leaves a square moves again.
#[derive(Clone, Copy, Debug)]
struct Squares;

fn is_square(number: u64) -> bool {
    number.isqrt().pow(2) == number
}

impl Ruleset for Squares {
    type Position = u64;

    fn name(&self) -> String {
        "squares".into()
    }

    fn options(&self, &heap: &u64) -> impl Iterator<Item = Move<u64>> {
        (1..=heap.isqrt()).map(move |root| {
            let left = heap - root * root;
            if is_square(left) { Move::again(left) } else { Move::to(left) }
        })
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits < text.len() {
            return Err(NotationError::at(digits, "expected the size of a heap, as in `13`"));
        }
        text.parse().map_err(|_| NotationError::at(0, "a heap has less than 2⁶⁴ tokens"))
    }

    fn write(&self, heap: &u64) -> String {
        heap.to_string()
    }
}

impl Notation for Squares {
    fn words(&self, heap: &u64, _number: usize, option: &Move<u64>) -> String {
        format!("take {} of {heap}", heap - option.to)
    }
}

impl Shortcuts for Squares {}

#[test]
fn the_options_of_thirteen_are_those_written_down_by_hand() {
    let options: Vec<Move<u64>> = Squares.options(&13).collect();
    assert_eq!(options, [Move::to(12), Move::again(9), Move::again(4)]);
    assert_eq!(Squares.options(&0).count(), 0);
}

#[test]
fn texts_are_read_back_and_errors_have_their_position() {
    for heap in [0, 13, 144, u64::MAX] {
        assert_eq!(Squares.read(&Squares.write(&heap)), Ok(heap));
    }
    let place = |text: &str| Squares.read(text).unwrap_err().at;
    assert_eq!([place(""), place("x"), place("12x"), place("99999999999999999999")], [0, 0, 2, 0]);
}

#[test]
fn a_move_has_words() {
    assert_eq!(Squares.words(&13, 1, &Move::again(9)), "take 4 of 13");
}

/// The value of one position of a ruleset, by the engine.
fn value(mut ruleset: Box<dyn Positions>, position: &str) -> AnyValue {
    let position = ruleset.read(position).unwrap();
    let solution = Solution::new(vec![ruleset], &[(0, position)], None, &Work::default());
    let solution = solution.unwrap();
    solution.value(&solution.start().clone()).unwrap()
}

#[test]
fn every_square_from_9_on_is_a_moon_but_for_those_of_12_and_48() {
    let value = |root: u64| value(Box::new(Interned::new(Squares)), &(root * root).to_string());
    let exceptions = (3..50).filter(|&root| value(root).to_string() != "☾");
    assert_eq!(exceptions.collect::<Vec<u64>>(), [12, 48]);
}

#[test]
fn values_are_those_of_the_script() {
    let source = include_str!("../../../../examples/rules/squares.rhai");
    for heap in 0..150_u64 {
        let script = Script::compile("squares.rhai", source, Limits::default()).unwrap();
        let heap = heap.to_string();
        let ours = value(Box::new(Interned::new(Squares)), &heap);
        assert_eq!(ours, value(Box::new(Interned::new(script)), &heap), "{heap}");
    }
}

#[test]
fn values_are_those_of_play() {
    const MOST: usize = 40;
    // A white node for each heap, and behind them a gray one on the way to each heap.
    let mut board = Board::white(vec![Vec::new(); 2 * (MOST + 1)]);
    for heap in 0..=MOST {
        board.gray[MOST + 1 + heap] = true;
        board.options[MOST + 1 + heap].push(heap);
        for option in Squares.options(&(heap as u64)) {
            let gray = if option.kind == Kind::Again { MOST + 1 } else { 0 };
            board.options[heap].push(gray + option.to as usize);
        }
    }
    let brute = Product::new(&[&board, &Board::heap(8)]).unwrap();
    for heap in 0..=MOST {
        let value = value(Box::new(Interned::new(Squares)), &heap.to_string());
        for k in 0..=8 {
            let lost = value.nimber() == Some(k as u64);
            let outcome = if lost { Outcome::P } else { Outcome::N };
            assert_eq!(brute.outcome(&[heap, k]), Some(outcome), "{heap} beside *{k}");
        }
    }
}

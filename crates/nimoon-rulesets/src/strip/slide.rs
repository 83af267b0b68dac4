//! ADDITIONAL SUBTRACTION GAMES: slide a token along a row of squares, also back.
//!
//! A token stands on one of the squares 0 … n. A move slides it by one of the listed steps, down
//! (as a subtraction game does) or up, and the token stays on the board. With steps in both
//! directions play can go round in circles.
//!
//! ```text
//! slide[-2,-3,+1;9]:5
//!
//! 0  1  2  3  4  5  6  7  8  9
//! ·  ·  ↑  ↑  ·  ■  ↑  ·  ·  ·     to 3, 2 or 6
//! ```
//!
//! No theorem is used: the engine labels the squares.
//!
//! ## References
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, chapter 12 (additional subtraction
//! games); C. A. B. Smith, *Graphs and composite games* (1966), for values in the presence of cycles.

use std::collections::HashSet;

use nimoon::{
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Shortcuts},
};

use super::row;
use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// Slide a token by one of the listed steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The steps in the order given; none is zero, none occurs twice.
    steps: Vec<i64>,
    /// The last square.
    last: u64,
}

impl Slide {
    /// Reads the steps and the last square, as in `-2,-3,+1;20`.
    ///
    /// # Errors
    /// When the text is something else, a step is zero or given twice, or the board is too large.
    pub fn new(parameters: &str) -> Result<Self, NotationError> {
        Scanner::whole(parameters, |scanner| {
            let mut steps = Vec::new();
            let mut seen = HashSet::new();
            loop {
                let place = scanner.place();
                let back = scanner.take('-');
                if !back {
                    scanner.take('+');
                }
                let size = scanner.number("a step, as in `-2` or `+1`")?;
                let too_large =
                    || NotationError::at(place, format!("the step {size} is too large"));
                let size = i64::try_from(size).map_err(|_| too_large())?;
                let step = if back { -size } else { size };
                if step == 0 {
                    return Err(NotationError::at(place, "a step of 0 does not move the token"));
                }
                if !seen.insert(step) {
                    let message = format!("the step {step:+} is there already");
                    return Err(NotationError::at(place, message));
                }
                steps.push(step);
                if !scanner.take(',') {
                    break;
                }
            }
            scanner.need(';')?;
            let place = scanner.place();
            let last = scanner.number("the last square of the board")?;
            row::check_size(last).map_err(|message| NotationError::at(place, message))?;
            Ok(Self { steps, last })
        })
    }

    fn to(&self, square: u64, step: i64) -> Option<u64> {
        square.checked_add_signed(step).filter(|&to| to <= self.last)
    }
}

impl Ruleset for Slide {
    type Position = u64;

    fn name(&self) -> String {
        let steps: Vec<_> = self.steps.iter().map(|step| format!("{step:+}")).collect();
        format!("slide[{};{}]", steps.join(","), self.last)
    }

    fn options(&self, square: &u64) -> impl Iterator<Item = Move<u64>> {
        self.steps.iter().filter_map(|&step| self.to(*square, step)).map(Move::to)
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        Scanner::whole(text, |scanner| {
            let square = scanner.number("the square of the token")?;
            row::check_square(square, self.last).map(|()| square)
        })
    }

    fn write(&self, square: &u64) -> String {
        square.to_string()
    }
}

impl Notation for Slide {
    fn words(&self, square: &u64, _number: usize, option: &Move<u64>) -> String {
        let (to, direction) = (option.to, if option.to < *square { "down" } else { "up" });
        format!("slide the token {direction} by {}, to {to}", square.abs_diff(to))
    }

    fn board(&self, square: &u64) -> String {
        let options: Vec<_> = self.options(square).map(|option| option.to).collect();
        row::draw(*square, self.last, |other| {
            if options.contains(&other) { "↑" } else { "·" }.to_owned()
        })
    }
}

impl Shortcuts for Slide {
    fn splits(&self) -> bool {
        false
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "slide",
        board: Board::Strip,
        rules: "Slide the token by one of the listed steps, down or up; it stays on the squares \
                0 to the last.",
        notation: "slide[STEPS;LAST]:SQUARE, as in slide[-2,-3,+1;20]:7",
        example: "slide[-5,-6,+12;14]:13",
        value: "∞₂",
        parameters: Parameters::Text("the steps, as in -2,-3,+1, then ; and the last square"),
        source: "Winning Ways, chapter 12",
        make: Make::Impartial(|given| Ok(Box::new(Interned::new(Slide::new(given.text)?)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strip::row::tests::{labelled, retrograde};

    #[test]
    fn values_agree_with_retrograde_analysis_beside_every_small_heap() {
        // Where steps lead back from every square, all values are ∞; long ones leave ends.
        let twice = (1..7).flat_map(|a| (a + 1..8).map(move |b| (a, b)));
        let games = twice.flat_map(|(a, b)| (1..=14).map(move |c| format!("-{a},-{b},+{c};14")));
        for game in games.chain(["-1,-2;12".into(), "-2,-3,+1;20".into(), "+2,-7,+3;9".into()]) {
            let slide = Slide::new(&game).unwrap();
            let squares: Vec<_> = (0..=slide.last).collect();
            let labelling = labelled(&slide, &squares);
            let outcomes = retrograde(&squares, 5, |from| {
                let step = |to: u64| to.cast_signed() - from.cast_signed();
                (0..=slide.last).filter(|&to| slide.steps.contains(&step(to))).collect()
            });
            for (square, outcomes) in (0..).zip(outcomes) {
                let value = labelling.value(square).unwrap();
                for (heap, outcome) in (0..).zip(outcomes) {
                    let heap = nimoon::AnyValue::CarryOn(nimoon::Value::Nimber(heap));
                    let sum = value.try_add(&heap).unwrap();
                    assert_eq!(sum.outcome(), Some(outcome), "{game}:{square} + {heap}");
                }
            }
        }
    }

    #[test]
    fn the_example_of_the_catalogue_has_the_value_it_says() {
        let slide = Slide::new("-5,-6,+12;14").unwrap();
        let squares: Vec<_> = (0..=14).collect();
        let value = labelled(&slide, &squares).value(13).unwrap();
        assert_eq!(value.to_string(), entry().value);
    }

    #[test]
    fn the_token_stays_on_the_board_and_the_name_keeps_the_order_of_the_steps() {
        let slide = Slide::new("-2,-3,1;5").unwrap();
        assert_eq!(slide.name(), "slide[-2,-3,+1;5]");
        let options = |square| slide.options(&square).map(|option| option.to).collect::<Vec<_>>();
        assert_eq!(options(5), [3, 2]);
        assert_eq!(options(2), [0, 3]);
        assert_eq!(options(4), [2, 1, 5]);
        assert_eq!(options(0), [1]);
        let option = Move::to(2);
        assert_eq!(slide.words(&5, 1, &option), "slide the token down by 3, to 2");
        assert_eq!(slide.board(&2), "0  1  2  3  4  5\n↑  ·  ■  ↑  ·  ·");
    }

    #[test]
    fn steps_and_squares_that_make_no_sense_are_refused_with_their_place() {
        let wrong = [
            ("", 0),
            ("-2", 2),
            ("-2,;5", 3),
            ("0;5", 0),
            ("-2,1,+1;5", 5),
            ("1;", 2),
            ("1;10000001", 2),
            ("1;5;", 3),
            ("9223372036854775808;5", 0),
            ("--1;5", 1),
        ];
        for (text, at) in wrong {
            assert_eq!(Slide::new(text).unwrap_err().at, at, "{text}");
        }
        let slide = Slide::new("-9223372036854775807,+9223372036854775807;5").unwrap();
        assert_eq!(slide.options(&5).count(), 0);
        let error = slide.read("6").unwrap_err();
        assert_eq!((error.at, error.message.as_str()), (0, "the squares are 0 to 5, found 6"));
        assert_eq!(slide.read("5x").unwrap_err().at, 1);
    }
}

//! Backsliding Toads and Frogs: toads go right and frogs left, and either may step back.
//!
//! ```text
//!   t t . f f      Left moves a toad t: one square to the right or back onto an empty square,
//!                  or to the right over one frog; Right moves a frog f the other way round.
//! ```
//!
//! Since both may step back, play may go on for ever.
//!
//! ## References
//! [Siegel2009, §1–5]; Winning Ways, chapter 11.

use nimoon::player::Player;
use nimoon::{
    notation::NotationError,
    ruleset::{InternedPartizan, PartizanRuleset},
};

use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// Toads go right and frogs left, and either may step back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backsliding;

/// What is on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Square {
    /// Nothing.
    Empty,
    /// A toad, of Left.
    Toad,
    /// A frog, of Right.
    Frog,
}

/// A move: from one square to another.
fn moves(strip: &[Square], player: Player) -> impl Iterator<Item = (usize, usize)> + '_ {
    let (own, other, forward) = match player {
        Player::Left => (Square::Toad, Square::Frog, 1),
        Player::Right => (Square::Frog, Square::Toad, -1),
    };
    let at = move |from: usize, steps: isize| {
        let to = from.checked_add_signed(steps)?;
        Some((to, *strip.get(to)?))
    };
    let own = (0..strip.len()).filter(move |&from| strip[from] == own);
    own.flat_map(move |from| {
        let step = at(from, forward).filter(|next| next.1 == Square::Empty);
        let over = at(from, forward).is_some_and(|next| next.1 == other);
        let jump = at(from, 2 * forward).filter(|next| over && next.1 == Square::Empty);
        let back = at(from, -forward).filter(|next| next.1 == Square::Empty);
        [step, jump, back].into_iter().flatten().map(move |(to, _)| (from, to))
    })
}

impl PartizanRuleset for Backsliding {
    type Position = Box<[Square]>;

    fn name(&self) -> String {
        "backsliding".into()
    }

    fn options(
        &self,
        strip: &Box<[Square]>,
        player: Player,
    ) -> impl Iterator<Item = Box<[Square]>> {
        moves(strip, player).map(|(from, to)| {
            let mut after = strip.clone();
            after.swap(from, to);
            after
        })
    }

    fn read(&self, text: &str) -> Result<Box<[Square]>, NotationError> {
        /// A longer strip has too many positions.
        const LONGEST: usize = 64;
        Scanner::whole(text, |scanner| {
            let mut strip = Vec::new();
            while let Some(found) = scanner.peek() {
                if strip.len() == LONGEST {
                    return Err(scanner.expected(&format!("at most {LONGEST} squares")));
                }
                strip.push(match found {
                    't' | 'T' => Square::Toad,
                    'f' | 'F' => Square::Frog,
                    '.' => Square::Empty,
                    _ => return Err(scanner.expected("`t`, `f` or `.`")),
                });
                scanner.next();
            }
            if strip.is_empty() {
                return Err(scanner.expected("squares, as in `tt..ff`"));
            }
            Ok(strip.into())
        })
    }

    fn write(&self, strip: &Box<[Square]>) -> String {
        let letters = strip.iter().map(|square| match square {
            Square::Empty => '.',
            Square::Toad => 't',
            Square::Frog => 'f',
        });
        letters.collect()
    }

    fn words(
        &self,
        strip: &Box<[Square]>,
        player: Player,
        number: usize,
        option: &Box<[Square]>,
    ) -> String {
        let piece = match player {
            Player::Left => "toad",
            Player::Right => "frog",
        };
        let Some((from, to)) = moves(strip, player).nth(number) else {
            return format!("move to {}", self.write(option));
        };
        let forward = (to > from) == (player == Player::Left);
        let how = match (from.abs_diff(to), forward) {
            (2, _) => "jump with",
            (_, true) => "step with",
            (_, false) => "step back with",
        };
        format!("{how} the {piece} on square {} to {}", from + 1, to + 1)
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "backsliding",
        board: Board::Strip,
        rules: "Left moves a toad t one square to the right, or over one frog onto an empty square; \
                Right moves a frog f to the left in the same way. Either may also step back by one \
                square.",
        notation: "backsliding:SQUARES, with t, f and . for an empty square, as in backsliding:tt..ff",
        example: "backsliding:t..f",
        value: "*",
        parameters: Parameters::None,
        source: "Siegel2009; Winning Ways, chapter 11",
        make: Make::Partizan(|_| Ok(Box::new(InternedPartizan::new(Backsliding)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str, player: Player) -> Vec<String> {
        let strip = Backsliding.read(text).unwrap();
        Backsliding.options(&strip, player).map(|option| Backsliding.write(&option)).collect()
    }

    #[test]
    fn pieces_step_jump_and_step_back() {
        assert_eq!(options("t.f", Player::Left), [".tf"]);
        assert_eq!(options("t.f", Player::Right), ["tf."]);
        assert_eq!(options(".tf.", Player::Left), ["..ft", "t.f."]);
        assert_eq!(options(".tf.", Player::Right), ["ft..", ".t.f"]);
        assert_eq!(options("t.", Player::Right), Vec::<String>::new());
    }

    #[test]
    fn wrong_letters_are_pointed_at() {
        assert_eq!(Backsliding.read("tt.x").unwrap_err().at, 3);
        assert_eq!(Backsliding.read("").unwrap_err().at, 0);
    }

    #[test]
    fn moves_have_words() {
        let strip = Backsliding.read(".tf.").unwrap();
        let words: Vec<_> = (0..)
            .zip(Backsliding.options(&strip, Player::Left))
            .map(|(number, to)| Backsliding.words(&strip, Player::Left, number, &to))
            .collect();
        assert_eq!(
            words,
            ["jump with the toad on square 2 to 4", "step back with the toad on square 2 to 1"]
        );
    }
}

//! Cyclic words over L and R.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::player::Player;

/// A cyclic word over L and R, with a place where it begins.
///
/// Patterns are equal if they are equal as words; rotations of each other have the same
/// [necklace](Self::necklace).
///
/// ```
/// use nimoon::partizan::unicycle::Pattern;
/// let pattern: Pattern = "RLLR".parse().unwrap();
/// assert_eq!(pattern.necklace().to_string(), "LLRR");
/// assert_eq!(pattern.admissible(), Ok(()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern(Box<[Player]>);

/// Why a text is not a pattern.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// There is no letter.
    #[error("1:1: the pattern is empty; expected letters L and R, as in LLRR")]
    Empty,
    /// Something else than L or R.
    #[error("1:{column}: expected L or R, found {found:?}")]
    Letter {
        /// Where, counted in characters from 1.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// More letters than a pattern may have.
    #[error("1:{column}: a pattern has at most {most} letters", column = most + 1)]
    TooLong {
        /// How many it may have.
        most: usize,
    },
}

/// Why a pattern has no unicycle.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inadmissible {
    /// Fewer than two edges of one player [Siegel2009, Lemmas 11 and 12].
    #[error("{}", few(*.player, *.one))]
    TooFew {
        /// Whose edges they are.
        player: Player,
        /// Whether there is one; else there is none.
        one: bool,
    },
    /// A strictly alternating cycle is an alternating cycle, so that the game is not a stopper.
    #[error(
        "L and R strictly alternate: play could go round for ever, and the game is not a stopper"
    )]
    Alternating,
}

fn few(player: Player, one: bool) -> String {
    let count = if one { "only one" } else { "no" };
    let letter = letter(player);
    format!(
        "it has {count} {letter}: a long cycle in graph-canonical form has at least two of each"
    )
}

const fn letter(player: Player) -> char {
    match player {
        Player::Left => 'L',
        Player::Right => 'R',
    }
}

impl Pattern {
    /// The most letters.
    pub const MOST: usize = 128;

    /// The pattern of these letters.
    ///
    /// # Errors
    /// When there is none, or there are too many.
    pub fn new(letters: impl Into<Box<[Player]>>) -> Result<Self, PatternError> {
        let letters = letters.into();
        match letters.len() {
            0 => Err(PatternError::Empty),
            len if len > Self::MOST => Err(PatternError::TooLong { most: Self::MOST }),
            _ => Ok(Self(letters)),
        }
    }

    /// The players who go on, vertex by vertex.
    pub fn letters(&self) -> &[Player] {
        &self.0
    }

    /// The number of letters.
    #[expect(clippy::len_without_is_empty, reason = "a pattern is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The letter at a place, counted round the cycle.
    pub(super) fn at(&self, place: usize) -> Player {
        self.0[place % self.0.len()]
    }

    /// The word that begins at another place.
    ///
    /// ```
    /// use nimoon::partizan::unicycle::Pattern;
    /// let pattern: Pattern = "LLRR".parse().unwrap();
    /// assert_eq!(pattern.rotated(1).to_string(), "LRRL");
    /// ```
    #[must_use]
    pub fn rotated(&self, by: usize) -> Self {
        let mut letters = self.0.clone();
        letters.rotate_left(by % self.len());
        Self(letters)
    }

    /// The words that begin at the other places and are different, this one first.
    ///
    /// ```
    /// use nimoon::partizan::unicycle::Pattern;
    /// let pattern: Pattern = "LLRLLR".parse().unwrap();
    /// let words: Vec<String> = pattern.rotations().map(|word| word.to_string()).collect();
    /// assert_eq!(words, ["LLRLLR", "LRLLRL", "RLLRLL"]);
    /// ```
    pub fn rotations(&self) -> impl Iterator<Item = Self> {
        (0..self.period()).map(|by| self.rotated(by))
    }

    /// The least rotation, by at least one place, that leaves the word as it is.
    pub fn period(&self) -> usize {
        let len = self.len();
        let same = |by: usize| (0..len).all(|i| self.at(i + by) == self.at(i));
        (1..len).find(|&by| len.is_multiple_of(by) && same(by)).unwrap_or(len)
    }

    /// The rotation that comes first in the alphabet: the same for all rotations.
    #[must_use]
    pub fn necklace(&self) -> Self {
        self.rotations().min().unwrap_or_else(|| self.clone())
    }

    /// The word with L and R exchanged: the pattern of the negative.
    ///
    /// ```
    /// use nimoon::partizan::unicycle::Pattern;
    /// let pattern: Pattern = "LLR".parse().unwrap();
    /// assert_eq!(pattern.negative().to_string(), "RRL");
    /// ```
    #[must_use]
    pub fn negative(&self) -> Self {
        Self(self.0.iter().map(|player| player.opponent()).collect())
    }

    /// Whether there is a unicycle with this pattern, in graph-canonical form.
    ///
    /// # Errors
    /// The reason why there is none.
    ///
    /// ```
    /// use nimoon::partizan::unicycle::{Inadmissible, Pattern};
    /// let pattern: Pattern = "LRLR".parse().unwrap();
    /// assert_eq!(pattern.admissible(), Err(Inadmissible::Alternating));
    /// assert_eq!("L".parse::<Pattern>().unwrap().admissible(), Ok(())); // under = {under|0}
    /// ```
    pub fn admissible(&self) -> Result<(), Inadmissible> {
        if self.len() == 1 {
            return Ok(());
        }
        for player in Player::BOTH {
            let count = self.0.iter().filter(|&&letter| letter == player).count();
            if count < 2 {
                return Err(Inadmissible::TooFew { player, one: count == 1 });
            }
        }
        self.double().map(|_| ()).ok_or(Inadmissible::Alternating)
    }

    /// A place whose letter is also the next one, if L and R do not strictly alternate.
    pub(super) fn double(&self) -> Option<usize> {
        (0..self.len()).find(|&i| self.at(i) == self.at(i + 1))
    }

    /// Whether a letter stands at two places in a row.
    pub(super) fn doubles(&self, player: Player) -> bool {
        (0..self.len()).any(|i| self.at(i) == player && self.at(i + 1) == player)
    }

    /// All patterns of a length up to rotation, as necklaces in alphabetical order; none if the
    /// length is 0 or more than [`MOST`](Self::MOST).
    ///
    /// Their number is sequence A000031 of the OEIS [Siegel2009, §4].
    ///
    /// ```
    /// use nimoon::partizan::unicycle::Pattern;
    /// let words: Vec<String> = Pattern::necklaces(3).map(|word| word.to_string()).collect();
    /// assert_eq!(words, ["LLL", "LLR", "LRR", "RRR"]);
    /// ```
    pub fn necklaces(length: usize) -> impl Iterator<Item = Self> {
        let possible = (1..=Self::MOST).contains(&length);
        let mut next = possible.then(|| vec![Player::Left; length]);
        std::iter::from_fn(move || {
            let found = Self(next.as_deref()?.into());
            // A prefix that ends in its last L, turned to R, and repeated, is the next candidate;
            // it is a necklace if it fits a whole number of times.
            loop {
                let word = next.as_mut()?;
                let Some(last) = word.iter().rposition(|&letter| letter == Player::Left) else {
                    next = None;
                    break;
                };
                word[last] = Player::Right;
                for i in last + 1..length {
                    word[i] = word[i - last - 1];
                }
                if length.is_multiple_of(last + 1) {
                    break;
                }
            }
            Some(found)
        })
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let mut letters = Vec::new();
        for (column, found) in (1..).zip(text.chars()) {
            letters.push(match found {
                'L' => Player::Left,
                'R' => Player::Right,
                _ => return Err(PatternError::Letter { column, found }),
            });
        }
        Self::new(letters)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.0.iter().map(|&player| letter(player)).collect();
        f.pad(&text)
    }
}

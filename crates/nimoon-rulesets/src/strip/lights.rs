//! CHRISTMAS LIGHTS' FIXTURE: repair a string of lights.
//!
//! A fixture is a row of pieces on a cord, the plug at the left: broken but replaceable *bulbs*
//! `b`, broken *sockets* `s`, and working bulbs `w`.
//!
//! - Take a bulb: it and all to its right, up to the next working bulb, are repaired, and so go.
//! - Remove a socket: it goes, and the two ends are joined; if both its neighbours were bulbs,
//!   there is a mild shock and the same player moves *again*, anywhere.
//!
//! Working bulbs take no part: they are never taken, they do not shock, and no repair reaches
//! beyond one. They separate the damaged parts, whose sum the fixture is.
//!
//! ```text
//! ⊏─o─o─·─·─·─o      2b3s1b
//! take bulb 2:       ⊏─o
//! remove a socket:   ⊏─o─o─·─·─o
//! ```
//!
//! ## The value of a damaged part
//! Read from the right. Let i be the value of what was read so far, which begins with a bulb. By
//! [LNS-CLF, Thm 10] only i counts, not the shape, so that it is as good as i bulbs; and if it is a
//! moon, so is the whole (Thm 9). Then k bulbs and m sockets before it give, for k > 0,
//!
//! | i | m = 1 | m odd, m > 1 | m even | |
//! |---|---|---|---|---|
//! | 0 | k + 1 | k + 1 | k | Thm 1, nothing stands to the right |
//! | 1 | ☾ | k | k + 1 | Thm 3 |
//! | > 1 | k + i | k + i | k + i ± 1, with + for even i | Thm 5 |
//!
//! and m sockets at the left end leave i if m is even, and exchange i = 2j and 2j + 1 if m is odd
//! (Thm 1). One step for each run of equal pieces, however long the runs. [`Pass`] does the same
//! from the left, for texts that are too long to keep; and with both, from the left for what stays
//! and from the right for what follows, each option takes one step as well, so that a winning one
//! is found without a list of all.
//!
//! ## References
//! [LNS-CLF] U. Larsson, R. J. Nowakowski, C. P. Santos, *A complete solution for a nontrivial
//! ruleset with entailing moves*.

mod option;
mod pass;
mod turn;

use std::fmt::Write;

pub use pass::Pass;
pub use turn::Ply;

use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};
use nimoon::{
    notation::NotationError,
    ruleset::{Fault, Interned, Move, Notation, Ruleset, Shortcuts},
};

use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// The most pieces of a fixture; far from where their number would not fit 64 bits.
const MOST_PIECES: u64 = 1 << 60;

/// The most runs that all options of a position together may have, when they are listed.
const MOST_LISTED: usize = 1 << 26;

/// What stands in a text.
const EXPECTED: &str = "`b` for a bulb, `s` for a socket or `w` for a working bulb";

/// What hangs on the cord.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// A broken bulb that can be replaced.
    Bulb,
    /// A broken socket, to be removed.
    Socket,
    /// A working bulb, which separates damaged parts.
    Working,
}

impl Piece {
    fn of(letter: char) -> Option<Self> {
        match letter {
            'b' => Some(Self::Bulb),
            's' => Some(Self::Socket),
            'w' => Some(Self::Working),
            _ => None,
        }
    }

    fn letter(self) -> char {
        match self {
            Self::Bulb => 'b',
            Self::Socket => 's',
            Self::Working => 'w',
        }
    }

    fn drawn(self) -> char {
        match self {
            Self::Bulb => 'o',
            Self::Socket => '·',
            Self::Working => '●',
        }
    }
}

/// A fixture: runs of equal pieces, none of them empty, no two alike side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fixture(Vec<(Piece, u64)>);

impl Fixture {
    /// The runs of equal pieces from the plug on, none empty, no two alike side by side.
    pub fn runs(&self) -> &[(Piece, u64)] {
        &self.0
    }

    /// Adds pieces at the right end.
    fn push(&mut self, piece: Piece, count: u64) {
        match self.0.last_mut() {
            _ if count == 0 => {}
            Some((last, already)) if *last == piece => *already += count,
            _ => self.0.push((piece, count)),
        }
    }

    fn piece(&self, run: usize) -> Option<Piece> {
        self.0.get(run).map(|&(piece, _)| piece)
    }

    /// Whether a socket of this run has bulbs on both sides.
    fn shocks(&self, run: usize) -> bool {
        let left = run.checked_sub(1).and_then(|left| self.piece(left));
        self.0[run].1 == 1 && left == Some(Piece::Bulb) && self.piece(run + 1) == Some(Piece::Bulb)
    }

    /// The damaged parts, as slices of the runs; some may be empty.
    fn parts(&self) -> impl Iterator<Item = &[(Piece, u64)]> {
        self.0.split(|&(piece, _)| piece == Piece::Working)
    }

    /// What can be done, from the plug on. The sockets of one run are all alike, so that they count
    /// as one.
    fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        let places = self.places().enumerate();
        places.flat_map(|(run, places)| (0..places).map(move |before| Action { run, before }))
    }

    /// How many actions each run has.
    fn places(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().map(|&(piece, count)| match piece {
            Piece::Bulb => count,
            Piece::Socket => 1,
            Piece::Working => 0,
        })
    }

    /// The action with this number, without a walk to it: a run may have too many bulbs for that.
    fn action(&self, number: usize) -> Option<Action> {
        let mut before = number as u64;
        for (run, places) in self.places().enumerate() {
            if before < places {
                return Some(Action { run, before });
            }
            before -= places;
        }
        None
    }

    fn after(&self, Action { run, before }: Action) -> Move<Self> {
        let mut to = Self(self.0[..run].to_vec());
        let (piece, count) = self.0[run];
        let mut rest = &self.0[run + 1..];
        let again = piece == Piece::Socket && self.shocks(run);
        if piece == Piece::Bulb {
            to.push(piece, before);
            let end = rest.iter().position(|&(piece, _)| piece == Piece::Working);
            rest = &rest[end.unwrap_or(rest.len())..];
        } else {
            to.push(piece, count - 1);
        }
        for &(piece, count) in rest {
            to.push(piece, count);
        }
        if again { Move::again(to) } else { Move::to(to) }
    }

    /// How many pieces of one sort are before a run.
    fn count_before(&self, run: usize, sort: Piece) -> u64 {
        self.0[..run].iter().filter(|(piece, _)| *piece == sort).map(|&(_, count)| count).sum()
    }
}

/// Something to do: in this run, at the piece with this many of the run before it.
#[derive(Clone, Copy)]
struct Action {
    run: usize,
    before: u64,
}

/// The value of a part that begins with k > 0 bulbs and m > 0 sockets, before bulbs worth i > 0.
fn joined(k: u64, m: u64, i: u64) -> EntailingValue {
    let even = m.is_multiple_of(2);
    match i {
        // Theorem 3.
        1 if m == 1 => Moon,
        1 => Nimber(if even { k + 1 } else { k }),
        // Theorem 5; ± 1 exchanges 2j and 2j + 1.
        _ => Nimber(k + if even { i ^ 1 } else { i }),
    }
}

/// The value of a damaged part, from the right.
fn value(part: &[(Piece, u64)]) -> EntailingValue {
    let mut runs = part.iter().rev().copied();
    // What was read so far begins with a bulb, or is nothing.
    let mut read = 0;
    while let Some((piece, count)) = runs.next() {
        if piece == Piece::Bulb {
            // Only at the right end: else the bulbs go with the sockets after them.
            read = count;
            continue;
        }
        match runs.next() {
            // Theorem 1 for sockets at the left end.
            None => return Nimber(read ^ (count & 1)),
            // Theorem 1 for sockets at the right end.
            Some((_, bulbs)) if read == 0 => read = bulbs + (count & 1),
            Some((_, bulbs)) => match joined(bulbs, count, read) {
                Nimber(value) => read = value,
                // Theorem 9.
                Moon => return Moon,
            },
        }
    }
    Nimber(read)
}

/// CHRISTMAS LIGHTS' FIXTURE.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lights;

impl Ruleset for Lights {
    type Position = Fixture;

    fn name(&self) -> String {
        "lights".into()
    }

    fn options(&self, fixture: &Fixture) -> impl Iterator<Item = Move<Fixture>> {
        fixture.actions().map(|action| fixture.after(action))
    }

    fn read(&self, text: &str) -> Result<Fixture, NotationError> {
        if text == "0" {
            return Ok(Fixture::default());
        }
        Scanner::whole(text, |scanner| {
            let mut fixture = Fixture::default();
            let mut pieces: u64 = 0;
            loop {
                let place = scanner.place();
                let counted = scanner.peek().is_some_and(|next| next.is_ascii_digit());
                let count = if counted { scanner.number("how many")? } else { 1 };
                let Some(piece) = scanner.peek().and_then(Piece::of) else {
                    return Err(scanner.expected(EXPECTED));
                };
                scanner.next();
                pieces = pieces.saturating_add(count);
                if pieces > MOST_PIECES {
                    let message = format!("a fixture has at most {MOST_PIECES} pieces");
                    return Err(NotationError::at(place, message));
                }
                fixture.push(piece, count);
                if scanner.peek().is_none() {
                    return Ok(fixture);
                }
            }
        })
    }

    fn write(&self, fixture: &Fixture) -> String {
        if fixture.0.is_empty() {
            return "0".into();
        }
        fixture.0.iter().fold(String::new(), |mut text, &(piece, count)| {
            let _ = match piece {
                Piece::Working if count == 1 => write!(text, "w"),
                _ => write!(text, "{count}{}", piece.letter()),
            };
            text
        })
    }

    fn components(&self, fixture: Fixture) -> Vec<Fixture> {
        let damaged = fixture.parts().filter(|part| !part.is_empty());
        damaged.map(|part| Fixture(part.to_vec())).collect()
    }

    fn canonical(&self, fixture: Fixture) -> Fixture {
        // With nothing left to repair, working bulbs do not matter.
        if fixture.parts().all(<[_]>::is_empty) { Fixture::default() } else { fixture }
    }
}

impl Notation for Lights {
    fn words(&self, fixture: &Fixture, number: usize, _option: &Move<Fixture>) -> String {
        let Some(action) = fixture.action(number) else { return String::new() };
        let Action { run, before } = action;
        let (piece, count) = fixture.0[run];
        let first = fixture.count_before(run, piece) + 1;
        let ply = match piece {
            Piece::Bulb => Ply::Bulb(first + before),
            _ => Ply::Socket { first, last: first + count - 1, shocks: fixture.shocks(run) },
        };
        ply.words()
    }

    fn board(&self, fixture: &Fixture) -> String {
        /// Longer runs are drawn as one piece with a number.
        const LONGEST: u64 = 24;
        let mut picture = String::from("⊏");
        for &(piece, count) in &fixture.0 {
            if count > LONGEST {
                let _ = write!(picture, "─{}×{count}", piece.drawn());
            } else {
                (0..count).for_each(|_| picture.extend(['─', piece.drawn()]));
            }
        }
        picture
    }
}

impl Shortcuts for Lights {
    /// Only sockets between bulbs can give a shock, now or when the others of their run are gone.
    fn is_short(&self, fixture: &Fixture) -> bool {
        !fixture.parts().any(|runs| {
            let between = runs.iter().skip(1).rev().skip(1);
            between.into_iter().any(|&(piece, _)| piece == Piece::Socket)
        })
    }

    fn size(&self, fixture: &Fixture) -> usize {
        size_of_val(fixture.0.as_slice())
    }

    fn theorem(&self, fixture: &Fixture) -> Option<EntailingValue> {
        Some(fixture.parts().map(value).fold(Nimber(0), |sum, part| sum + part))
    }

    fn winning_option(
        &self,
        fixture: &Fixture,
        beside: EntailingValue,
    ) -> Option<(usize, Move<Fixture>)> {
        let (number, action) = option::winning(fixture, beside)?;
        Some((number, fixture.after(action)))
    }

    fn try_options(&self, fixture: &Fixture, limit: usize) -> Result<Vec<Move<Fixture>>, Fault> {
        let count = fixture.actions().take(limit.saturating_add(1)).count();
        if count > limit {
            return Err(Fault::TooMany { limit });
        }
        if count.saturating_mul(fixture.0.len()) > MOST_LISTED {
            return Err(Fault::TooMany { limit: MOST_LISTED / fixture.0.len() });
        }
        Ok(self.options(fixture).collect())
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "lights",
        board: Board::Strip,
        rules: "Take a bulb: this removes it and everything to its right, up to the next working \
                bulb. Or remove a socket, and the ends join; if both its neighbours were bulbs, \
                move again.",
        notation: "lights:2b3s5b or lights:bbsssbbbbb, bulbs and sockets from the plug on; w is a \
                   working bulb, 0 an empty fixture. Bulbs are counted from the left, and so are \
                   sockets",
        example: "lights:2b3s5b1s4b2s2b",
        value: "14",
        parameters: Parameters::None,
        source: "Larsson, Nowakowski, Santos: A complete solution for a nontrivial ruleset with \
                 entailing moves",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(Lights)))),
    }
}

#[cfg(test)]
mod tests;

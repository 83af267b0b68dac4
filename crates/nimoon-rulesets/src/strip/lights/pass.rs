//! The value of a fixture in one pass from the plug on, however long it is.
//!
//! The theorems read a damaged part from the right, but what they do from there on can be described
//! before the right is known. Of what follows only its value i counts, and it begins with a bulb,
//! so that i > 0. For k bulbs and m sockets before it the table in [`super`] has
//!
//! - k + i for i > 1 and odd m; for even m it is k + i + 1 if i is even, and k + i − 1 if it is
//!   odd;
//! - the moon, k or k + 1 for i = 1.
//!
//! In the first line the result is greater than 1 again, and its parity depends on that of i alone.
//! So all that was read up to the last sockets is a function of i that three things determine: what
//! it makes of 1, what it adds to even numbers and what it adds to odd ones from 3 on. Some sockets
//! and bulbs more are one function after the other, which is of the same kind.

use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};
use nimoon::notation::NotationError;

use super::turn::{Found, Ply};
use super::{EXPECTED, MOST_PIECES, Piece};

/// What the beginning of a damaged part makes of the value of the rest, which begins with a bulb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beginning {
    /// Of 1.
    one: EntailingValue,
    /// What it adds to even numbers.
    even: u64,
    /// What it adds to odd numbers from 3 on.
    odd: u64,
}

impl Beginning {
    const NOTHING: Self = Self { one: Nimber(1), even: 0, odd: 0 };

    /// The value of all, if the rest has this one.
    #[inline]
    pub(super) fn before(self, rest: EntailingValue) -> EntailingValue {
        match rest {
            // Theorem 9.
            Moon => Moon,
            Nimber(1) => self.one,
            Nimber(i) if i.is_multiple_of(2) => Nimber(i + self.even),
            Nimber(i) => Nimber(i + self.odd),
        }
    }

    /// This, and then k > 0 bulbs and m > 0 sockets.
    #[inline]
    fn and(self, k: u64, m: u64) -> Self {
        let even = m.is_multiple_of(2);
        let one = match (m, even) {
            (1, _) => Moon,
            (_, true) => self.before(Nimber(k + 1)),
            (_, false) => self.before(Nimber(k)),
        };
        // What is added to i by these pieces, and then by those before them.
        let (to_even, to_odd) = if even { (k + 1, k - 1) } else { (k, k) };
        let to_even = to_even + if to_even.is_multiple_of(2) { self.even } else { self.odd };
        let to_odd = to_odd + if to_odd.is_multiple_of(2) { self.odd } else { self.even };
        Self { one, even: to_even, odd: to_odd }
    }

    /// How many bulbs make it this value: the fewest of more than `least` and fewer than `most`.
    fn bulbs_for(self, value: u64, least: u64, most: u64) -> Option<u64> {
        let by = |added: u64| value.checked_sub(added).filter(|&bulbs| bulbs > 1);
        let even = by(self.even).filter(|bulbs| bulbs.is_multiple_of(2));
        let odd = by(self.odd).filter(|bulbs| !bulbs.is_multiple_of(2));
        let one = (self.one == Nimber(value)).then_some(1);
        let bulbs = [one, even, odd].into_iter().flatten();
        bulbs.filter(|&bulbs| bulbs > least && bulbs < most).min()
    }
}

/// A damaged part of which some was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The sockets at the left end.
    left: u64,
    /// What comes before the last bulbs.
    pub(super) beginning: Beginning,
    /// The last bulbs, and the sockets after them.
    bulbs: u64,
    sockets: u64,
}

impl Part {
    pub(super) const EMPTY: Self =
        Self { left: 0, beginning: Beginning::NOTHING, bulbs: 0, sockets: 0 };

    /// Reads some bulbs.
    #[inline]
    pub(super) fn bulbs(&mut self, count: u64) {
        if self.sockets > 0 {
            self.beginning = self.beginning.and(self.bulbs, self.sockets);
            (self.bulbs, self.sockets) = (0, 0);
        }
        self.bulbs += count;
    }

    /// Reads some sockets.
    #[inline]
    pub(super) fn sockets(&mut self, count: u64) {
        if self.bulbs == 0 {
            self.left += count;
        } else {
            self.sockets += count;
        }
    }

    /// Theorem 1 for the sockets at the left end.
    pub(super) fn behind_sockets(&self, value: EntailingValue) -> EntailingValue {
        match value {
            Nimber(value) => Nimber(value ^ (self.left & 1)),
            Moon => Moon,
        }
    }

    /// The value of what was read.
    pub(super) fn value(&self) -> EntailingValue {
        let value = match self.bulbs {
            0 => Nimber(0),
            // Theorem 1 for sockets at the right end.
            bulbs => self.beginning.before(Nimber(bulbs + (self.sockets & 1))),
        };
        self.behind_sockets(value)
    }

    /// The value when this many sockets are taken away from, and this rest follows, the last ones.
    pub(super) fn with_fewer_sockets(&self, rest: Option<EntailingValue>) -> EntailingValue {
        if self.bulbs == 0 {
            let rest = rest.unwrap_or(Nimber(0));
            let fewer = Self { left: self.left.saturating_sub(1), ..*self };
            return fewer.behind_sockets(rest);
        }
        let sockets = self.sockets.saturating_sub(1);
        let value = match rest {
            None => self.beginning.before(Nimber(self.bulbs + (sockets & 1))),
            Some(rest) if sockets > 0 => self.beginning.and(self.bulbs, sockets).before(rest),
            // The bulbs on both sides are neighbours then.
            Some(Nimber(rest)) => self.beginning.before(Nimber(self.bulbs + rest)),
            Some(Moon) => Moon,
        };
        self.behind_sockets(value)
    }

    /// The sockets at the left end; all of them if there are no bulbs.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// The sockets at the right end; none if there are no bulbs.
    pub(super) fn right(&self) -> u64 {
        self.sockets
    }

    /// Whether the last socket shocks if a bulb follows, and what is then left when that bulb is
    /// taken has this value.
    #[inline]
    pub(super) fn is_left_by_a_shock(&self, value: u64) -> bool {
        let joined = || self.behind_sockets(self.beginning.before(Nimber(self.bulbs)));
        self.bulbs > 0 && self.sockets == 1 && joined() == Nimber(value)
    }

    /// How many of the next `count` bulbs may stay, such that what is left when the bulb after them
    /// is taken has this value.
    #[inline]
    pub(super) fn staying(&self, count: u64, value: u64) -> Option<u64> {
        if self.value() == Nimber(value) {
            return Some(0);
        }
        let mut with = *self;
        with.bulbs(0);
        let there = with.bulbs;
        let bulbs = with.beginning.bulbs_for(value ^ (self.left & 1), there, there + count)?;
        Some(bulbs - there)
    }
}

/// The value of a fixture that is read from the plug on, in constant memory.
///
/// ```
/// use nimoon::impartial::value::EntailingValue::Nimber;
/// use nimoon_rulesets::strip::LightsPass;
/// let mut pass = LightsPass::default();
/// pass.push(b"2b3s5").unwrap();
/// pass.push(b"b s bbbb 2s2b").unwrap();
/// assert_eq!(pass.finish(), Ok(Nimber(14)));
/// ```
#[derive(Clone, Debug)]
pub struct Pass {
    part: Part,
    /// The value of the parts before it.
    before: EntailingValue,
    /// The number that was read last, if a piece must follow, and whether it may go on.
    count: Option<u64>,
    goes_on: bool,
    pieces: u64,
    bytes: usize,
    /// What there is to do in the first part.
    found: Found,
    parts: u64,
}

impl Default for Pass {
    fn default() -> Self {
        Self {
            part: Part::EMPTY,
            before: Nimber(0),
            count: None,
            goes_on: false,
            pieces: 0,
            bytes: 0,
            found: Found::default(),
            parts: 1,
        }
    }
}

impl Pass {
    /// Reads on; a text may be cut anywhere.
    ///
    /// # Errors
    /// When it is not a fixture; the position counts from the start of the first text.
    pub fn push(&mut self, text: &[u8]) -> Result<(), NotationError> {
        let mut rest = text;
        while let Some(&first) = rest.first() {
            if self.count.is_none()
                && let Some((sockets, more)) = word_of_sockets(rest)
            {
                self.push_word(sockets)?;
                rest = more;
                continue;
            }
            self.push_byte(first)?;
            rest = &rest[1..];
            self.bytes += 1;
        }
        Ok(())
    }

    /// The value of what was read.
    ///
    /// # Errors
    /// When the text ends with a number.
    pub fn finish(&self) -> Result<EntailingValue, NotationError> {
        if self.count.is_some() || self.pieces == 0 {
            return Err(self.expected("the end"));
        }
        Ok(self.before + self.part.value())
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    /// A turn in what was read: one that wins if the next player wins, and else one that lasts;
    /// empty if there are no pieces. None if there are working bulbs, since what to do in one part
    /// depends on those that come after it.
    ///
    /// ```
    /// use nimoon_rulesets::strip::LightsPass;
    /// let mut pass = LightsPass::default();
    /// pass.push(b"sbsbsbb").unwrap();
    /// let words: Vec<_> = pass.turn().unwrap().iter().map(|ply| ply.words()).collect();
    /// assert_eq!(words, ["remove socket 2", "take bulb 2"]);
    /// ```
    pub fn turn(&self) -> Option<Vec<Ply>> {
        (self.parts == 1).then(|| self.found.turn(&self.part))
    }

    fn expected(&self, found: &str) -> NotationError {
        NotationError::at(self.bytes, format!("expected {EXPECTED}, found {found}"))
    }

    fn push_byte(&mut self, byte: u8) -> Result<(), NotationError> {
        if byte.is_ascii_whitespace() {
            self.goes_on = false;
            return Ok(());
        }
        if byte.is_ascii_digit() && (self.goes_on || self.count.is_none()) {
            let digit = u64::from(byte - b'0');
            let count = self.count.unwrap_or(0).checked_mul(10).and_then(|n| n.checked_add(digit));
            let too_large =
                || NotationError::at(self.bytes, "the number that ends here is too large");
            self.count = Some(count.ok_or_else(too_large)?);
            self.goes_on = true;
            return Ok(());
        }
        let Some(piece) = Piece::of(char::from(byte)) else {
            let found = if byte.is_ascii_graphic() {
                format!("`{}`", char::from(byte))
            } else {
                format!("the byte 0x{byte:02X}")
            };
            return Err(self.expected(&found));
        };
        let count = self.count.take().unwrap_or(1);
        self.goes_on = false;
        self.add(count)?;
        self.push_run(piece, count);
        Ok(())
    }

    fn add(&mut self, count: u64) -> Result<(), NotationError> {
        self.pieces = self.pieces.saturating_add(count);
        if self.pieces > MOST_PIECES {
            let message = format!("a fixture has at most {MOST_PIECES} pieces");
            return Err(NotationError::at(self.bytes, message));
        }
        Ok(())
    }

    #[inline]
    fn push_run(&mut self, piece: Piece, count: u64) {
        match piece {
            _ if count == 0 => {}
            Piece::Bulb => {
                self.found.bulbs(&self.part, count);
                self.part.bulbs(count);
            }
            Piece::Socket => {
                self.found.sockets(count);
                self.part.sockets(count);
            }
            Piece::Working => {
                self.before = self.before + self.part.value();
                self.part = Part::EMPTY;
                self.parts += 1;
            }
        }
    }

    /// Reads 64 bulbs and sockets, a bit for each, the first one lowest.
    #[inline]
    fn push_word(&mut self, sockets: u64) -> Result<(), NotationError> {
        self.add(64)?;
        self.bytes += 64;
        self.goes_on = false;
        let (mut bits, mut left) = (sockets, 64);
        while left > 0 {
            let bulbs = bits.trailing_zeros().min(left);
            if bulbs > 0 {
                self.push_run(Piece::Bulb, u64::from(bulbs));
                bits = bits.checked_shr(bulbs).unwrap_or(0);
                left -= bulbs;
            }
            let sockets = bits.trailing_ones().min(left);
            if sockets > 0 {
                self.push_run(Piece::Socket, u64::from(sockets));
                bits = bits.checked_shr(sockets).unwrap_or(0);
                left -= sockets;
            }
        }
        Ok(())
    }
}

/// A bit for each of the next 64 bytes, whether it is a socket, and what comes after them; none
/// unless all of them are single bulbs and sockets.
#[inline]
fn word_of_sockets(text: &[u8]) -> Option<(u64, &[u8])> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (word, rest) = text.split_first_chunk::<64>()?;
    let (eights, _) = word.as_chunks::<8>();
    let (mut sockets, mut other) = (0, 0);
    for (i, &eight) in eights.iter().enumerate() {
        // `b` is 0x62 and `s` is 0x73, so that each byte is 0x00 or 0x11 now.
        let bytes = u64::from_le_bytes(eight) ^ (ONES * u64::from(b'b'));
        let bits = bytes & ONES;
        other |= bytes ^ (bits * 0x11);
        // Gathers the lowest bits of the bytes in the highest byte.
        sockets |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    (other == 0).then_some((sockets, rest))
}

//! Games that are written as one word: numbers, nimbers, ups, names and `pass`. A number may turn
//! out to begin a multiple, and a word to name the braces after it or to call `Tiny(` and `Miny(`.

use std::borrow::Cow;

use super::super::{Dyadic, Node, Up, Word};
use super::{Frame, Known, MOST_NIMBER, MOST_UPS, Operator, Reader};
use crate::notation::NotationError;

const MOST_UPTIMAL: u64 = 1_000;
const MOST_DENOMINATOR: u64 = 1 << Dyadic::MOST_EXPONENT;

impl Reader<'_> {
    /// A number, `1*`, or the beginning of a multiple.
    pub(super) fn number(&mut self, at: usize) -> Result<bool, NotationError> {
        let whole = self.digits(Dyadic::MOST as u64 * MOST_DENOMINATOR)?;
        let mut number = Dyadic { numerator: whole.cast_signed(), exponent: 0 };
        let mut fraction = false;
        if self.take(b'/') {
            fraction = true;
            self.peek();
            let place = self.at;
            let below = self.digits(MOST_DENOMINATOR)?;
            if !below.is_power_of_two() {
                let message = format!("{below} is not a power of 2; expected 2, 4, 8, …");
                return Err(NotationError::at(place, message));
            }
            number = Dyadic::new(whole.cast_signed(), below.trailing_zeros());
        }
        if !number.fits() {
            let message = format!("the number is larger than {}", Dyadic::MOST);
            return Err(NotationError::at(at, message));
        }
        let mut star = false;
        if self.take(b'*') {
            if self.begins_game() {
                if fraction {
                    let message = "a multiple must be whole, as in `3*^`";
                    return Err(NotationError::at(at, message));
                }
                let times = Operator::Multiple(whole as u32);
                self.stack.push(Frame::Operator(times, at));
                return Ok(false);
            }
            star = true;
        }
        self.atom(Node::Number { number, star }, at);
        Ok(true)
    }

    /// Whether something follows that begins a game, other than a minus.
    fn begins_game(&mut self) -> bool {
        match self.peek() {
            Some(b'+') => self.text.as_bytes().get(self.at + 1) == Some(&b'-'),
            Some(byte) => byte.is_ascii_alphanumeric() || b"_*^{(".contains(&byte),
            None => false,
        }
    }

    /// A whole number up to `most`.
    fn digits(&mut self, most: u64) -> Result<u64, NotationError> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.expected("a whole number"));
        }
        let start = self.at;
        let digits = self.span(start, |byte| byte.is_ascii_digit());
        match digits.parse().ok().filter(|&number| number <= most) {
            Some(number) => Ok(number),
            None => Err(NotationError::at(start, format!("the number is larger than {most}"))),
        }
    }

    /// `*` and the number after it; 0 without a star.
    pub(super) fn nimber(&mut self) -> Result<u32, NotationError> {
        if !self.take(b'*') {
            return Ok(0);
        }
        if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Ok(self.digits(MOST_NIMBER)? as u32);
        }
        Ok(1)
    }

    /// What comes after so many of `^` or `v`: a number or an uptimal only after one, a nimber
    /// after any.
    pub(super) fn ups(&mut self, ups: usize, at: usize, down: bool) -> Result<(), NotationError> {
        if ups == 1 {
            return self.up(at, down);
        }
        let times = u32::try_from(ups).ok().filter(|&ups| u64::from(ups) <= MOST_UPS);
        let Some(times) = times else {
            let message = format!("there are more than {MOST_UPS} of them");
            return Err(NotationError::at(at, message));
        };
        let nimber = self.nimber()?;
        self.atom(Node::Up { up: Up::Times(times), nimber, down }, at);
        Ok(())
    }

    /// What comes after one `^` or `v`.
    fn up(&mut self, at: usize, down: bool) -> Result<(), NotationError> {
        let up = match self.peek() {
            Some(b'0'..=b'9') => Up::Times(self.digits(MOST_UPS)? as u32),
            Some(b'[') => Up::Bracket(self.uptimal(b']')?),
            Some(b'<') => {
                let place = self.at;
                let up = self.uptimal(b'>')?;
                if up == Some(0) {
                    return Err(NotationError::at(
                        place + 1,
                        "expected a number from 1 on, or `on`",
                    ));
                }
                Up::Angle(up)
            }
            _ => Up::Times(1),
        };
        let nimber = self.nimber()?;
        self.atom(Node::Up { up, nimber, down }, at);
        Ok(())
    }

    fn uptimal(&mut self, close: u8) -> Result<Option<u32>, NotationError> {
        self.at += 1;
        let up = if self.peek() == Some(b'o') {
            let start = self.at;
            if self.span(start, |byte| byte.is_ascii_alphanumeric()) != "on" {
                self.at = start;
                return Err(self.expected("a whole number, or `on`"));
            }
            None
        } else {
            Some(self.digits(MOST_UPTIMAL)? as u32)
        };
        if self.take(close) {
            return Ok(up);
        }
        Err(self.expected(&format!("`{}`", char::from(close))))
    }

    /// A word, a name, or `v` and what comes after it.
    pub(super) fn word(&mut self, at: usize) -> Result<bool, NotationError> {
        let word = self.span(at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if let Some(rest) = word.strip_prefix('v')
            && rest.bytes().all(|byte| byte.is_ascii_digit())
        {
            self.at = at + 1;
            self.ups(1, at, true)?;
            return self.not_a_name(word, at);
        }
        let known = match word {
            "on" => Some(Word::On),
            "off" => Some(Word::Off),
            "over" => Some(Word::Over),
            "under" => Some(Word::Under),
            "upon" => Some(Word::Upon),
            "dud" => Some(Word::Dud),
            _ => None,
        };
        if let Some(known) = known {
            self.atom(Node::Word(known), at);
            return self.not_a_name(word, at);
        }
        if word == "Tiny" || word == "Miny" {
            if !self.take(b'(') {
                return Err(self.expected(&format!("`(`, as in `{word}(1)`")));
            }
            self.stack.push(Frame::Call { tiny: word == "Tiny", at });
            return Ok(false);
        }
        if word == "pass" {
            let Some(depth) = self.open.len().checked_sub(1) else {
                let message = "`pass` stands for the braces around it, and there are none";
                return Err(NotationError::at(at, message));
            };
            self.reference(Node::Pass, depth, at);
            return self.not_a_name(word, at);
        }
        let bound = self.names.get(word).copied();
        if self.peek() == Some(b'{') {
            if bound.is_some() {
                let word = shown(word);
                let message = format!("`{word}` is the name of braces around this already");
                return Err(NotationError::at(at, message));
            }
            let place = self.at;
            self.open_braces(Some(word), place);
            return Ok(false);
        }
        if bound.is_none() && word.bytes().all(|byte| byte == b'v') {
            self.ups(word.len(), at, true)?;
            return Ok(true);
        }
        let Some(depth) = bound else {
            let word = shown(word);
            let message = format!(
                "`{word}` is not the name of braces around it, as in `{word}{{0|{word}}}`, nor one of \
                 on, off, over, under, upon, dud, pass, Tiny(…), Miny(…) and v"
            );
            return Err(NotationError::at(at, message));
        };
        let depth = depth as usize;
        self.reference(Node::Reference { scope: self.open[depth] }, depth, at);
        Ok(true)
    }

    /// A game that is complete when the open braces of this depth are, at the latest.
    fn reference(&mut self, node: Node, depth: usize, at: usize) {
        let known = Known { outermost: depth as u32, reference: at as u32, graph: true };
        let node = self.push(node, at, known);
        self.values.push(node);
    }

    /// Words with a meaning name no braces.
    fn not_a_name(&mut self, word: &str, at: usize) -> Result<bool, NotationError> {
        if self.peek() == Some(b'{') {
            let message = format!("`{word}` has a meaning of its own, so it cannot name braces");
            return Err(NotationError::at(at, message));
        }
        Ok(true)
    }
}

/// A name as errors show it: not a whole page of it. Names are ASCII.
fn shown(name: &str) -> Cow<'_, str> {
    const MOST: usize = 40;
    if name.len() <= MOST { name.into() } else { format!("{}…", &name[..MOST]).into() }
}

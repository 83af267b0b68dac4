//! Codes of take-and-break games, such as 0.77 and 0.3F.
//!
//! The digit at place k behind the point says what may be left of a heap from which k tokens are
//! taken. It is the sum of
//!
//! ```text
//! 1  nothing        (the heap had k tokens)
//! 2  one heap
//! 4  two heaps
//! 8  three heaps    (hexadecimal codes)
//! ```
//!
//! The digit before the point has k = 0: the heap may be broken without taking anything. There
//! the parts 1 and 2 would leave everything as it was, so they are refused.
//!
//! ## References
//! R. K. Guy, C. A. B. Smith, The G-values of various games (1956).

use std::fmt;

use nimoon::notation::NotationError;

use crate::scan::Scanner;

/// Which digits a code has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// 0 to 7: at most two heaps are left.
    Octal,
    /// 0 to F: at most three heaps are left.
    Hexadecimal,
}

impl Base {
    /// The name of the ruleset with such codes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Octal => "octal",
            Self::Hexadecimal => "hexadecimal",
        }
    }

    fn radix(self) -> u32 {
        match self {
            Self::Octal => 8,
            Self::Hexadecimal => 16,
        }
    }
}

/// The code of a take-and-break game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    base: Base,
    /// At least the digit before the point; the last one after the point is not 0.
    digits: Vec<u8>,
}

impl Code {
    /// The most digits behind the point. All codes in the literature have fewer than ten; a heap
    /// costs time in proportion to them.
    pub const LONGEST: usize = 256;

    /// Reads a code; the digit before the point may be missing, letters may be small.
    ///
    /// ```
    /// use nimoon_rulesets::heap::{Base, Code};
    /// assert_eq!(Code::read(".3f0", Base::Hexadecimal).unwrap().to_string(), "0.3F");
    /// assert_eq!(Code::read("0.78", Base::Octal).unwrap_err().at, 3);
    /// ```
    ///
    /// # Errors
    /// When the text is not such a code; the error has the position.
    pub fn read(text: &str, base: Base) -> Result<Self, NotationError> {
        let what = match base {
            Base::Octal => "a digit from 0 to 7",
            Base::Hexadecimal => "a digit from 0 to F",
        };
        Scanner::whole(text, |scanner| {
            let mut digits = vec![0];
            if scanner.peek() != Some('.') {
                let digit = next_digit(scanner, base)
                    .ok_or_else(|| scanner.expected(&format!("{what} and a point, as in 0.77")))?;
                if digit & 3 != 0 {
                    let message = "the digit before the point must allow nothing but breaking a \
                                   heap (0 or 4; in hexadecimal codes also 8 or C): a move that \
                                   takes nothing may not leave the heap as it was";
                    return Err(NotationError::at(0, message));
                }
                digits[0] = digit;
            }
            scanner.need('.')?;
            let place = scanner.place();
            let behind = scanner.run(|c| c.is_digit(base.radix()));
            if behind.len() > Self::LONGEST {
                let message = format!(
                    "expected at most {} digits behind the point, found more",
                    Self::LONGEST
                );
                return Err(NotationError::at(place + Self::LONGEST, message));
            }
            digits.extend(behind.chars().filter_map(|c| c.to_digit(base.radix()).map(|d| d as u8)));
            if digits.len() == 1 || scanner.peek().is_some() {
                return Err(scanner.expected(what));
            }
            while digits.len() > 1 && digits.last() == Some(&0) {
                digits.pop();
            }
            Ok(Self { base, digits })
        })
    }

    /// Which digits it has.
    pub fn base(&self) -> Base {
        self.base
    }

    /// The digits, from the one before the point.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// The place of the last digit that is not 0: the most tokens that a move takes.
    pub fn most_taken(&self) -> usize {
        self.digits.len() - 1
    }

    /// The most heaps that a move leaves, at least 1.
    pub fn most_heaps(&self) -> usize {
        match self.digits.iter().fold(0, |all, digit| all | digit) {
            8.. => 3,
            4.. => 2,
            _ => 1,
        }
    }
}

/// Reads a digit if one comes next.
fn next_digit(scanner: &mut Scanner<'_>, base: Base) -> Option<u8> {
    let digit = scanner.peek()?.to_digit(base.radix())?;
    scanner.next();
    Some(digit as u8)
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:X}.", self.digits[0])?;
        if self.digits.len() == 1 {
            return write!(formatter, "0");
        }
        self.digits[1..].iter().try_for_each(|digit| write!(formatter, "{digit:X}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_forgivingly_and_written_in_one_way() {
        let octal = |text| Code::read(text, Base::Octal).map(|code| code.to_string());
        assert_eq!(octal("0.77").unwrap(), "0.77");
        assert_eq!(octal(".770").unwrap(), "0.77");
        assert_eq!(octal("4.0").unwrap(), "4.0");
        assert_eq!(octal("0.000").unwrap(), "0.0");
        let long = format!("0.{}", "7".repeat(Code::LONGEST));
        assert_eq!(octal(&long).unwrap(), long);
    }

    #[test]
    fn a_code_that_is_none_is_pointed_at() {
        let at = |text: &str, base| Code::read(text, base).unwrap_err().at;
        assert_eq!(at("", Base::Octal), 0);
        assert_eq!(at("0", Base::Octal), 1);
        assert_eq!(at("0.", Base::Octal), 2);
        assert_eq!(at("0.7 7", Base::Octal), 4);
        assert_eq!(at("0.7F", Base::Octal), 3);
        assert_eq!(at("0.7G", Base::Hexadecimal), 3);
        assert_eq!(at("0.0.", Base::Octal), 3);
        let long = format!("0.{}", "7".repeat(Code::LONGEST + 1));
        assert_eq!(at(&long, Base::Octal), Code::LONGEST + 2);
    }

    #[test]
    fn a_move_may_not_leave_a_heap_as_it_was() {
        for text in ["1.7", "2.7", "6.7"] {
            assert_eq!(Code::read(text, Base::Octal).unwrap_err().at, 0, "{text}");
        }
        assert!(Code::read("C.7", Base::Hexadecimal).is_ok());
    }

    #[test]
    fn a_code_bounds_what_a_move_takes_and_leaves() {
        let bounds = |text| {
            let code = Code::read(text, Base::Hexadecimal).unwrap();
            (code.most_taken(), code.most_heaps())
        };
        assert_eq!(bounds("0.0"), (0, 1));
        assert_eq!(bounds("0.123"), (3, 1));
        assert_eq!(bounds("4.0"), (0, 2));
        assert_eq!(bounds("0.08"), (2, 3));
    }
}

//! Cantor normal form: the type, its order, parity and text.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::expression::{self, Answer};
use crate::notation::NotationError;

/// An ordinal below ε₀.
///
/// ```
/// use nimoon::transfinite::Ordinal;
/// let ordinal: Ordinal = "5 + w + w^2*3 + w + 5".parse().unwrap();
/// assert_eq!(ordinal.to_string(), "w^2*3 + w + 5");
/// assert!(!ordinal.is_even());
/// assert!(ordinal < "w^w".parse().unwrap());
/// ```
// Terms stand in falling order of their exponents. The derived order is that of ordinals: at the
// first difference the larger exponent decides, then the larger coefficient; a beginning of a form
// is smaller.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ordinal {
    pub(super) terms: Vec<Term>,
}

/// ω to an exponent, times a coefficient above 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Term {
    pub(super) exponent: Ordinal,
    pub(super) coefficient: u128,
}

/// Why an ordinal is not given.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrdinalError {
    /// A coefficient is too large.
    #[error("a coefficient of the result is 2^128 or more, which is beyond the limit")]
    Coefficient,
    /// Powers are nested too deeply.
    #[error("the result is a tower of more than {} powers of w", Ordinal::MOST_DEPTH)]
    Depth,
    /// There are too many terms.
    #[error("the result is longer than the limit of {} terms", Ordinal::MOST_TERMS)]
    Terms,
}

impl Ordinal {
    /// How many powers of ω may stand on top of each other.
    pub const MOST_DEPTH: usize = 256;
    /// The most terms of an ordinal, those of its exponents included.
    pub const MOST_TERMS: usize = 1 << 20;
    /// The ordinal 0.
    pub const ZERO: Self = Self { terms: Vec::new() };

    /// A finite ordinal.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert_eq!(Ordinal::finite(7).to_string(), "7");
    /// assert_eq!(Ordinal::finite(0), Ordinal::ZERO);
    /// ```
    pub fn finite(n: u128) -> Self {
        Self::term(Self::ZERO, n)
    }

    /// The smallest transfinite ordinal.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert!(Ordinal::omega() > Ordinal::finite(1_000_000));
    /// ```
    pub fn omega() -> Self {
        Self::term(Self::finite(1), 1)
    }

    /// ω to the power of an exponent.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// let power = Ordinal::try_power_of_omega(Ordinal::omega()).unwrap();
    /// assert_eq!(power.to_string(), "w^w");
    /// ```
    ///
    /// # Errors
    /// If the tower is too high.
    pub fn try_power_of_omega(exponent: Self) -> Result<Self, OrdinalError> {
        if exponent.depth() >= Self::MOST_DEPTH {
            return Err(OrdinalError::Depth);
        }
        Ok(Self::term(exponent, 1))
    }

    /// One term; the caller has checked the depth.
    pub(super) fn term(exponent: Self, coefficient: u128) -> Self {
        let term = Term { exponent, coefficient };
        Self { terms: if coefficient == 0 { Vec::new() } else { vec![term] } }
    }

    /// The terms of the normal form, as exponents and coefficients; the largest first.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// let ordinal: Ordinal = "w*3 + 5".parse().unwrap();
    /// let terms: Vec<_> = ordinal.terms().map(|(e, c)| (e.as_finite(), c)).collect();
    /// assert_eq!(terms, [(Some(1), 3), (Some(0), 5)]);
    /// ```
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (&Self, u128)> {
        self.terms.iter().map(|term| (&term.exponent, term.coefficient))
    }

    /// How many powers of ω stand on top of each other.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// let depth = |text: &str| text.parse::<Ordinal>().unwrap().depth();
    /// assert_eq!([depth("0"), depth("5"), depth("w^3*2 + 1"), depth("w^w")], [0, 1, 2, 3]);
    /// ```
    // The first exponent is the largest, and the depth does not fall as ordinals grow: those of
    // depth n are the ones from a tower of n − 1 ω's (1 if there are none) up to one of n.
    pub fn depth(&self) -> usize {
        let mut depth = 0;
        let mut ordinal = self;
        while let Some(first) = ordinal.terms.first() {
            depth += 1;
            ordinal = &first.exponent;
        }
        depth
    }

    /// How many terms there are to write, those of exponents included.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert_eq!("w^(w + 1)*3 + 5".parse::<Ordinal>().unwrap().size(), 5);
    /// ```
    // The terms are w^(…)*3, 5, and in the exponent w, its exponent 1, and 1.
    pub fn size(&self) -> usize {
        self.terms.iter().map(|term| 1 + term.exponent.size()).sum()
    }

    /// Whether it is 0.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert!(Ordinal::ZERO.is_zero() && !Ordinal::omega().is_zero());
    /// ```
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether it is even: the digit of 2⁰ in the scale of 2 is 0 [Smith1966, (38)].
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert!(Ordinal::omega().is_even());
    /// assert!(!Ordinal::omega().successor().unwrap().is_even());
    /// ```
    pub fn is_even(&self) -> bool {
        self.finite_part().is_multiple_of(2)
    }

    /// The last term, if it is finite, or 0.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert_eq!("w^w + 7".parse::<Ordinal>().unwrap().finite_part(), 7);
    /// ```
    pub fn finite_part(&self) -> u128 {
        match self.terms.last() {
            Some(last) if last.exponent.is_zero() => last.coefficient,
            _ => 0,
        }
    }

    /// All but the finite part: 0 or a limit.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert_eq!("w*2 + 7".parse::<Ordinal>().unwrap().limit_part().to_string(), "w*2");
    /// ```
    #[must_use]
    pub fn limit_part(&self) -> Self {
        let count = self.terms.len() - usize::from(self.finite_part() > 0);
        Self { terms: self.terms[..count].to_vec() }
    }

    /// The number that it is, if it is finite.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert_eq!(Ordinal::finite(3).as_finite(), Some(3));
    /// assert_eq!(Ordinal::omega().as_finite(), None);
    /// ```
    pub fn as_finite(&self) -> Option<u128> {
        match self.terms.as_slice() {
            [] => Some(0),
            [term] if term.exponent.is_zero() => Some(term.coefficient),
            _ => None,
        }
    }

    /// Whether it is neither 0 nor a successor.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert!(Ordinal::omega().is_limit());
    /// assert!(!Ordinal::ZERO.is_limit());
    /// ```
    pub fn is_limit(&self) -> bool {
        !self.is_zero() && self.finite_part() == 0
    }

    /// The next ordinal.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert_eq!(Ordinal::omega().successor().unwrap().to_string(), "w + 1");
    /// ```
    ///
    /// # Errors
    /// If the finite part is too large.
    pub fn successor(&self) -> Result<Self, OrdinalError> {
        self.try_add(&Self::finite(1))
    }

    /// The ordinal whose successor it is; 0 and limits have none.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// assert_eq!("w + 1".parse::<Ordinal>().unwrap().predecessor(), Some(Ordinal::omega()));
    /// assert_eq!(Ordinal::omega().predecessor(), None);
    /// ```
    pub fn predecessor(&self) -> Option<Self> {
        let finite = self.finite_part().checked_sub(1)?;
        let mut terms = self.limit_part().terms;
        terms.extend(Self::finite(finite).terms);
        Some(Self { terms })
    }
}

impl From<u128> for Ordinal {
    fn from(n: u128) -> Self {
        Self::finite(n)
    }
}

/// Reads an [expression](super::expression) whose answer is an ordinal.
impl FromStr for Ordinal {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let answer = expression::read(text, &mut crate::limits::Work::default());
        match answer.map_err(|error| NotationError::at(error.at, error.to_string()))? {
            Answer::Truth(_) => Err(NotationError::at(0, "expected an ordinal, no comparison")),
            answer => Ok(answer.value().unwrap_or_default()),
        }
    }
}

impl fmt::Display for Ordinal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (i, Term { exponent, coefficient }) in self.terms.iter().enumerate() {
            if i > 0 {
                f.write_str(" + ")?;
            }
            match exponent.terms.as_slice() {
                [] => {
                    write!(f, "{coefficient}")?;
                    continue;
                }
                [only] if only.exponent.is_zero() && only.coefficient == 1 => f.write_str("w")?,
                // A number, or a power without a coefficient: w^2, w^w^2.
                [only] if only.exponent.is_zero() || only.coefficient == 1 => {
                    write!(f, "w^{exponent}")?;
                }
                _ => write!(f, "w^({exponent})")?,
            }
            if *coefficient > 1 {
                write!(f, "*{coefficient}")?;
            }
        }
        Ok(())
    }
}

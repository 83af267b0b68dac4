//! Transfinite Nim.

use super::ordinal::{Ordinal, OrdinalError};
use super::pools::IllegalMove;
use crate::outcome::Outcome;

/// Heaps that are ordinals: a player makes one of them smaller, and a player without a move loses.
///
/// Rado's game [Smith1966, §11]. Every play ends, for [`Nim::try_distance`] falls with each move.
///
/// ```
/// use nimoon::Outcome;
/// use nimoon::transfinite::Nim;
/// let nim = Nim::new(["w^w", "w*2 + 1", "w^w + w"].map(|heap| heap.parse().unwrap()).to_vec());
/// assert_eq!(nim.value().to_string(), "w*3 + 1");
/// assert_eq!(nim.outcome(), Outcome::N);
/// let step = nim.winning_move().unwrap();
/// assert_eq!((step.heap, step.to.to_string()), (1, "w".to_owned()));
/// assert_eq!(nim.after(&step).unwrap().outcome(), Outcome::P);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nim {
    heaps: Vec<Ordinal>,
}

/// A move of transfinite Nim: which heap, counted from 0, and what is left of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NimMove {
    /// The heap, counted from 0.
    pub heap: usize,
    /// What is left.
    pub to: Ordinal,
}

impl Nim {
    /// These heaps.
    ///
    /// ```
    /// use nimoon::transfinite::{Nim, Ordinal};
    /// assert_eq!(Nim::new(vec![Ordinal::omega()]).heaps(), [Ordinal::omega()]);
    /// ```
    pub fn new(heaps: Vec<Ordinal>) -> Self {
        Self { heaps }
    }

    /// The heaps.
    ///
    /// ```
    /// use nimoon::transfinite::Nim;
    /// assert!(Nim::new(vec![]).heaps().is_empty());
    /// ```
    pub fn heaps(&self) -> &[Ordinal] {
        &self.heaps
    }

    /// The heaps, taken out.
    pub(super) fn into_heaps(self) -> Vec<Ordinal> {
        self.heaps
    }

    /// G, the nim-sum of the heaps [Smith1966, §11].
    ///
    /// ```
    /// use nimoon::transfinite::{Nim, Ordinal};
    /// assert_eq!(Nim::new(vec![Ordinal::omega(); 2]).value(), Ordinal::ZERO);
    /// ```
    pub fn value(&self) -> Ordinal {
        Ordinal::nim_sum(&self.heaps)
    }

    /// Who wins.
    ///
    /// ```
    /// use nimoon::{Outcome, transfinite::{Nim, Ordinal}};
    /// assert_eq!(Nim::new(vec![Ordinal::omega()]).outcome(), Outcome::N);
    /// ```
    pub fn outcome(&self) -> Outcome {
        if self.value().is_zero() { Outcome::P } else { Outcome::N }
    }

    /// D, the natural sum of the heaps [Smith1966, (15), §11].
    ///
    /// ```
    /// use nimoon::transfinite::{Nim, Ordinal};
    /// let nim = Nim::new(vec![Ordinal::finite(2), Ordinal::omega()]);
    /// assert_eq!(nim.try_distance().unwrap().to_string(), "w + 2");
    /// ```
    ///
    /// # Errors
    /// If a coefficient is too large, or there are too many terms.
    pub fn try_distance(&self) -> Result<Ordinal, OrdinalError> {
        Ordinal::try_natural_sum(&self.heaps)
    }

    /// The winning move in the first heap that has one, if the next player wins.
    ///
    /// ```
    /// use nimoon::transfinite::{Nim, Ordinal};
    /// assert_eq!(Nim::new(vec![Ordinal::omega(); 2]).winning_move(), None);
    /// ```
    pub fn winning_move(&self) -> Option<NimMove> {
        self.winning_moves().into_iter().next()
    }

    /// All winning moves, at most one in each heap: to the nim-sum of the other heaps.
    ///
    /// ```
    /// use nimoon::transfinite::{Nim, Ordinal};
    /// assert_eq!(Nim::new(vec![Ordinal::omega(); 3]).winning_moves().len(), 3);
    /// ```
    pub fn winning_moves(&self) -> Vec<NimMove> {
        let value = self.value();
        let Some(first) = value.terms.first() else { return Vec::new() };
        // A heap gets smaller if it has the first binary digit of the value. To look for that digit
        // is cheap, so the sums are made only where they are needed.
        let digit = 1_u128 << first.coefficient.ilog2();
        let has_digit = |heap: &Ordinal| {
            heap.terms
                .binary_search_by(|term| first.exponent.cmp(&term.exponent))
                .is_ok_and(|place| heap.terms[place].coefficient & digit != 0)
        };
        let heaps = self.heaps.iter().enumerate().filter(|(_, heap)| has_digit(heap));
        let pair = |heap: &Ordinal| Ordinal::nim_sum(&[heap.clone(), value.clone()]);
        heaps.map(|(heap, size)| NimMove { heap, to: pair(size) }).collect()
    }

    /// The heaps after a move.
    ///
    /// ```
    /// use nimoon::transfinite::{Nim, NimMove, Ordinal};
    /// let nim = Nim::new(vec![Ordinal::omega()]);
    /// assert!(nim.after(&NimMove { heap: 0, to: Ordinal::finite(9) }).is_ok());
    /// assert!(nim.after(&NimMove { heap: 0, to: Ordinal::omega() }).is_err());
    /// ```
    ///
    /// # Errors
    /// If there is no such heap, or it does not get smaller.
    pub fn after(&self, step: &NimMove) -> Result<Self, IllegalMove> {
        let mut heaps = self.heaps.clone();
        match heaps.get_mut(step.heap) {
            Some(heap) if step.to < *heap => *heap = step.to.clone(),
            _ => return Err(IllegalMove { component: step.heap }),
        }
        Ok(Self { heaps })
    }
}

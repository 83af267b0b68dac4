//! Sums, products and powers in the usual sense, which depend on the order of their operands.

use super::ordinal::{Ordinal, OrdinalError, Term};

impl Ordinal {
    /// The sum: first this, then the other.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// let [one, omega] = [Ordinal::finite(1), Ordinal::omega()];
    /// assert_eq!(one.try_add(&omega).unwrap(), omega);
    /// assert!(omega.try_add(&one).unwrap() > omega);
    /// ```
    ///
    /// # Errors
    /// If a coefficient is too large, or there are too many terms.
    pub fn try_add(&self, other: &Self) -> Result<Self, OrdinalError> {
        let mut sum = self.clone();
        sum.try_add_assign(other.clone())?;
        sum.within_limits()
    }

    /// Adds on the right. Terms below the first one of `other` vanish: ω^a + ω^b = ω^b where a < b.
    pub(super) fn try_add_assign(&mut self, other: Self) -> Result<(), OrdinalError> {
        let mut added = other.terms.into_iter();
        let Some(first) = added.next() else { return Ok(()) };
        while self.terms.pop_if(|last| last.exponent < first.exponent).is_some() {}
        match self.terms.last_mut() {
            Some(last) if last.exponent == first.exponent => {
                last.coefficient = last
                    .coefficient
                    .checked_add(first.coefficient)
                    .ok_or(OrdinalError::Coefficient)?;
            }
            _ => self.terms.push(first),
        }
        self.terms.extend(added);
        Ok(())
    }

    /// The ordinal that makes `less` up to this one when it is added on the right; none if `less`
    /// is larger than this.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// let ordinal = |text: &str| text.parse::<Ordinal>().unwrap();
    /// assert_eq!(ordinal("w*3 + 5").remainder_after(&ordinal("w + 2")), Some(ordinal("w*2 + 5")));
    /// assert_eq!(ordinal("w").remainder_after(&ordinal("9")), Some(ordinal("w")));
    /// ```
    pub fn remainder_after(&self, less: &Self) -> Option<Self> {
        let same = self.terms.iter().zip(&less.terms).take_while(|(a, b)| a == b).count();
        let mut terms = self.terms[same..].to_vec();
        match (terms.first_mut(), less.terms.get(same)) {
            (_, None) => {}
            (Some(mine), Some(other)) if mine.exponent == other.exponent => {
                mine.coefficient = mine.coefficient.checked_sub(other.coefficient)?;
            }
            (Some(mine), Some(other)) if mine.exponent > other.exponent => {}
            _ => return None,
        }
        Some(Self { terms })
    }

    /// The product: this, as many times as the other says.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// let ordinal = |text: &str| text.parse::<Ordinal>().unwrap();
    /// assert_eq!(ordinal("2").try_mul(&ordinal("w")).unwrap(), ordinal("w"));
    /// assert_eq!(ordinal("w + 1").try_mul(&ordinal("w + 2")).unwrap(), ordinal("w^2 + w*2 + 1"));
    /// ```
    ///
    /// # Errors
    /// If a coefficient is too large, or there are too many terms.
    // α = ω^a·c + ρ. For f > 0, α·ω^f = ω^(a + f), since ω^a ≤ α < ω^a·(c + 1) and (c + 1)·ω^f =
    // ω^f. And α·d = ω^a·(c·d) + ρ for finite d > 0, since each ρ but the last vanishes before the
    // ω^a·c behind it. Products distribute over sums on the right.
    pub fn try_mul(&self, other: &Self) -> Result<Self, OrdinalError> {
        let Some(first) = self.terms.first() else { return Ok(Self::ZERO) };
        let copies = first.exponent.size().saturating_mul(other.terms.len());
        if copies.saturating_add(self.size()).saturating_add(other.size()) > Self::MOST_TERMS {
            return Err(OrdinalError::Terms);
        }
        let mut product = Self::ZERO;
        for term in &other.terms {
            if term.exponent.is_zero() {
                let coefficient = first.coefficient.checked_mul(term.coefficient);
                let coefficient = coefficient.ok_or(OrdinalError::Coefficient)?;
                product.terms.push(Term { exponent: first.exponent.clone(), coefficient });
                product.terms.extend_from_slice(&self.terms[1..]);
            } else {
                let exponent = first.exponent.try_add(&term.exponent)?;
                product.terms.push(Term { exponent, coefficient: term.coefficient });
            }
        }
        product.within_limits()
    }

    /// The power: this, times itself as many times as the other says.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// let ordinal = |text: &str| text.parse::<Ordinal>().unwrap();
    /// assert_eq!(ordinal("2").try_pow(&ordinal("w*3 + 2")).unwrap(), ordinal("w^3*4"));
    /// assert_eq!(ordinal("w + 1").try_pow(&ordinal("2")).unwrap(), ordinal("w^2 + w + 1"));
    /// assert_eq!(ordinal("w + 1").try_pow(&ordinal("w")).unwrap(), ordinal("w^w"));
    /// ```
    ///
    /// # Errors
    /// If a coefficient is too large, there are too many terms, or the tower is too high.
    pub fn try_pow(&self, exponent: &Self) -> Result<Self, OrdinalError> {
        if exponent.is_zero() || self.as_finite() == Some(1) {
            return Ok(Self::finite(1));
        }
        let Some(first) = self.terms.first() else { return Ok(Self::ZERO) };
        // Nearly all powers that are written are these.
        if *self == Self::omega() {
            return Self::try_power_of_omega(exponent.clone());
        }
        let (limit, finite) = (exponent.limit_part(), exponent.finite_part());
        if limit.is_zero() {
            return self.try_pow_finite(finite);
        }
        // For a limit λ: n^λ = ω^μ with λ = ω·μ if the base is a number, since n^ω = ω; otherwise
        // ω^(a·λ), with the first exponent a, since (ω^a)^λ ≤ α^λ ≤ (ω^(a·k))^λ for some finite k,
        // and k·λ = λ.
        let power = match self.as_finite() {
            Some(_) => limit.divided_by_omega(),
            None => first.exponent.try_mul(&limit)?,
        };
        Self::try_power_of_omega(power)?.try_mul(&self.try_pow_finite(finite)?)
    }

    /// The power of a number, by squares.
    fn try_pow_finite(&self, mut exponent: u128) -> Result<Self, OrdinalError> {
        let mut power = Self::finite(1);
        let mut square = self.clone();
        while exponent > 0 {
            if exponent % 2 == 1 {
                power = square.try_mul(&power)?;
            }
            exponent /= 2;
            if exponent > 0 {
                square = square.try_mul(&square)?;
            }
        }
        Ok(power)
    }

    /// The μ with ω·μ = λ, for a limit λ: ω·ω^e = ω^(1 + e), and 1 + e = e where e is transfinite.
    fn divided_by_omega(mut self) -> Self {
        for term in &mut self.terms {
            if let Some(e) = term.exponent.as_finite() {
                term.exponent = Self::finite(e.saturating_sub(1));
            }
        }
        self
    }

    pub(super) fn within_limits(self) -> Result<Self, OrdinalError> {
        if self.size() > Self::MOST_TERMS { Err(OrdinalError::Terms) } else { Ok(self) }
    }
}

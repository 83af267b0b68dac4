//! Natural sums, nim-sums and nim-products: what is found from coefficients alone.

use std::collections::BTreeMap;

use super::ordinal::{Ordinal, OrdinalError, Term};

impl Ordinal {
    /// Hessenberg's natural sum [Smith1966, (39)]: forms are added like polynomials.
    ///
    /// It is the least ordinal above all that come from making one operand smaller, which is why it
    /// is the terminal distance of disjunctive and selective compounds.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// let ordinal = |text: &str| text.parse::<Ordinal>().unwrap();
    /// let sum = Ordinal::try_natural_sum(&[ordinal("1"), ordinal("w^2 + w"), ordinal("w*2")]);
    /// assert_eq!(sum.unwrap(), ordinal("w^2 + w*3 + 1"));
    /// ```
    ///
    /// # Errors
    /// If a coefficient is too large, or there are too many terms.
    // In (39) the digit 2 at 2^λ is a carry to 2^(λ + 1), which is in the block of the same power
    // of ω: see `nim_sum`. So coefficients are added as numbers.
    pub fn try_natural_sum(operands: &[Self]) -> Result<Self, OrdinalError> {
        by_exponent(operands, |a, b| a.checked_add(b).ok_or(OrdinalError::Coefficient))?
            .within_limits()
    }

    /// The nim-sum [Smith1966, (40)]: forms are added like polynomials, coefficients by
    /// nim-addition.
    ///
    /// *Proof that this is (40).* Every ordinal λ is ω·a + k, with k finite, in one way, and
    /// 2^(ω·a + k) = (2^ω)^a·2^k = ω^a·2^k. So if n has the binary digits n = Σ 2^k·nₖ, then
    /// ω^a·n = Σ 2^(ω·a + k)·nₖ: Cantor's normal form with the coefficients in binary is the
    /// expansion in the scale of 2, which is unique. Adding digits without carry at each 2^λ is
    /// therefore to add the coefficients of each ω^a without carry.
    ///
    /// *Proof that it is the value of transfinite Nim.* Let u be below the nim-sum s of some heaps.
    /// At the largest λ where they differ, s has the digit 1, so some heap x has it too, and x ⊕ s
    /// ⊕ u has there the digit 0 and the digits of x above: it is smaller than x, and moving to it
    /// leaves u. And no move leaves s itself, since nim-sums with what stays can be cancelled. So s
    /// is the least ordinal that no move leaves. The induction goes over the natural sum of the
    /// heaps, which falls with each move.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// let ordinal = |text: &str| text.parse::<Ordinal>().unwrap();
    /// let sum = Ordinal::nim_sum(&[ordinal("w*3 + 5"), ordinal("w + 3")]);
    /// assert_eq!(sum, ordinal("w*2 + 6"));
    /// ```
    pub fn nim_sum(operands: &[Self]) -> Self {
        match by_exponent(operands, |a, b| Ok::<_, std::convert::Infallible>(a ^ b)) {
            Ok(sum) => sum,
            Err(never) => match never {},
        }
    }

    /// The least r such that the natural sum of `other` and r is not below this.
    pub(super) fn least_complement(&self, other: &Self) -> Self {
        let (mut mine, mut others) = (self.terms.iter(), other.terms.iter().peekable());
        let mut terms = Vec::new();
        // From the largest exponents on, r makes `other` up to this, until `other` is larger by
        // itself.
        for Term { exponent, coefficient } in &mut mine {
            let have = match others.peek() {
                Some(term) if term.exponent > *exponent => break,
                Some(term) if term.exponent == *exponent => {
                    others.next().map_or(0, |t| t.coefficient)
                }
                _ => 0,
            };
            if have > *coefficient {
                break;
            }
            if have < *coefficient {
                terms.push(Term { exponent: exponent.clone(), coefficient: coefficient - have });
            }
        }
        Self { terms }
    }

    /// The nim-product, where it is known: of finite ordinals, and of anything with 0 or 1.
    ///
    /// Numbers below 2¹²⁸ are a field under nim-addition and nim-multiplication. Transfinite
    /// products need roots of finite nimbers, such as ω, the cube root of 2 [Conway1976, ch. 6],
    /// and are not computed.
    ///
    /// ```
    /// use nimoon::transfinite::Ordinal;
    /// let product = |a, b| Ordinal::nim_product(&Ordinal::finite(a), &Ordinal::finite(b));
    /// assert_eq!(product(4, 4), Some(Ordinal::finite(6)));
    /// assert_eq!(product(2, 3), Some(Ordinal::finite(1)));
    /// assert_eq!(Ordinal::nim_product(&Ordinal::omega(), &Ordinal::omega()), None);
    /// ```
    pub fn nim_product(a: &Self, b: &Self) -> Option<Self> {
        match (a.as_finite(), b.as_finite()) {
            (Some(0), _) | (_, Some(0)) => Some(Self::ZERO),
            (Some(1), _) => Some(b.clone()),
            (_, Some(1)) => Some(a.clone()),
            (Some(a), Some(b)) => Some(Self::finite(finite_nim_product(a, b, 128))),
            _ => None,
        }
    }
}

/// Collects the terms of all operands by their exponents, and adds the coefficients of each.
fn by_exponent<E>(
    operands: &[Ordinal],
    add: impl Fn(u128, u128) -> Result<u128, E>,
) -> Result<Ordinal, E> {
    let mut sums: BTreeMap<&Ordinal, u128> = BTreeMap::new();
    for term in operands.iter().flat_map(|operand| &operand.terms) {
        let sum = sums.entry(&term.exponent).or_default();
        *sum = add(*sum, term.coefficient)?;
    }
    let terms = sums.into_iter().rev().filter(|&(_, coefficient)| coefficient > 0);
    let terms =
        terms.map(|(exponent, coefficient)| Term { exponent: exponent.clone(), coefficient });
    Ok(Ordinal { terms: terms.collect() })
}

/// The nim-product of numbers of this many bits, a power of 2.
///
/// With F = 2^half, a Fermat 2-power, F ⊗ F = F ⊕ F/2, and F ⊗ x = F·x for x < F [Conway1976, ch.
/// 6].
fn finite_nim_product(a: u128, b: u128, bits: u32) -> u128 {
    if bits == 1 || a < 2 || b < 2 {
        return if a == 1 || b == 1 { a * b } else { 0 };
    }
    let half = bits / 2;
    let low = (1_u128 << half) - 1;
    let ([a1, a0], [b1, b0]) = ([a >> half, a & low], [b >> half, b & low]);
    let [high, small] = [finite_nim_product(a1, b1, half), finite_nim_product(a0, b0, half)];
    let crossed = finite_nim_product(a1 ^ a0, b1 ^ b0, half);
    ((crossed ^ small) << half) ^ small ^ finite_nim_product(high, 1 << (half - 1), half)
}

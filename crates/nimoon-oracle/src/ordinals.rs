//! Ordinals and games with ordinals, written out.
//!
//! An ordinal below ε₀ is a [`Forest`]: the exponents of its powers of ω, one for each power,
//! largest first, each again a forest. ω·2 + 1 is three trees. There are no coefficients, so 1000
//! is a thousand trees; that is slow and needs no algebra.
//!
//! Games are made finite and solved from the definitions: [`nim_table`] by mex on a list of heaps,
//! [`remoteness`] of pools with bounded numbers of cents for a dollar by (4a) to (4c).
//!
//! ## References
//! [Smith1966, §§4, 6, 7, 9, 11].

use std::collections::{BTreeMap, BTreeSet};

/// An ordinal below ε₀ as the exponents of its powers of ω, in falling order.
///
/// ```
/// use nimoon_oracle::ordinals::Forest;
/// let one = Forest::number(1);
/// let omega = Forest::power(one.clone());
/// assert_eq!(one.plus(&omega), omega);
/// assert!(omega.plus(&one) > omega);
/// ```
// At the first difference the larger exponent decides, and a prefix is smaller. This is the derived
// order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Forest(pub Vec<Forest>);

impl Forest {
    /// A number.
    ///
    /// ```
    /// use nimoon_oracle::ordinals::Forest;
    /// assert_eq!(Forest::number(2).0.len(), 2);
    /// ```
    pub fn number(n: usize) -> Self {
        Self(vec![Self::default(); n])
    }

    /// A power of ω.
    ///
    /// ```
    /// use nimoon_oracle::ordinals::Forest;
    /// assert_eq!(Forest::power(Forest::default()), Forest::number(1));
    /// ```
    #[must_use]
    pub fn power(exponent: Self) -> Self {
        Self(vec![exponent])
    }

    /// The sum: powers smaller than a power on their right vanish.
    ///
    /// ```
    /// use nimoon_oracle::ordinals::Forest;
    /// assert_eq!(Forest::number(2).plus(&Forest::number(3)), Forest::number(5));
    /// ```
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut powers: Vec<Self> = Vec::new();
        for power in self.0.iter().chain(&other.0) {
            powers.retain(|before| before >= power);
            powers.push(power.clone());
        }
        Self(powers)
    }

    /// The product, power by power of the right operand: α·1 = α, and α·ω^f is ω^(a + f), a the
    /// first exponent of α.
    ///
    /// ```
    /// use nimoon_oracle::ordinals::Forest;
    /// assert_eq!(Forest::number(2).times(&Forest::number(3)), Forest::number(6));
    /// ```
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let Some(first) = self.0.first() else { return Self::default() };
        other.0.iter().fold(Self::default(), |product, power| {
            let zero = power.0.is_empty();
            let added = if zero { self.clone() } else { Self::power(first.plus(power)) };
            product.plus(&added)
        })
    }

    /// The natural sum: all powers of both.
    ///
    /// ```
    /// use nimoon_oracle::ordinals::Forest;
    /// let omega = Forest::power(Forest::number(1));
    /// assert_eq!(Forest::number(1).natural(&omega), omega.natural(&Forest::number(1)));
    /// ```
    #[must_use]
    pub fn natural(&self, other: &Self) -> Self {
        let mut powers: Vec<Self> = self.0.iter().chain(&other.0).cloned().collect();
        powers.sort_by(|a, b| b.cmp(a));
        Self(powers)
    }

    /// The nim-sum, by the scale of 2: each power is split into its multiples by powers of 2, and
    /// pairs vanish.
    ///
    /// ```
    /// use nimoon_oracle::ordinals::Forest;
    /// assert_eq!(Forest::number(3).nim(&Forest::number(5)), Forest::number(6));
    /// ```
    #[must_use]
    pub fn nim(&self, other: &Self) -> Self {
        let mut digits: BTreeSet<(Self, u32)> = BTreeSet::new();
        for operand in [self, other] {
            for power in operand.0.iter().collect::<BTreeSet<_>>() {
                let count = operand.0.iter().filter(|other| *other == power).count();
                for digit in (0..usize::BITS).filter(|digit| count >> digit & 1 == 1) {
                    let digit = (power.clone(), digit);
                    if !digits.remove(&digit) {
                        digits.insert(digit);
                    }
                }
            }
        }
        let powers = digits.into_iter().rev();
        Self(powers.flat_map(|(power, digit)| vec![power; 1 << digit]).collect())
    }

    /// Whether the number of powers ω⁰ is even.
    ///
    /// ```
    /// use nimoon_oracle::ordinals::Forest;
    /// assert!(Forest::power(Forest::number(1)).is_even());
    /// ```
    pub fn is_even(&self) -> bool {
        self.0.iter().filter(|power| power.0.is_empty()).count() % 2 == 0
    }
}

/// The Grundy values of Nim with two heaps out of a list in rising order, as places in the list; a
/// move leads to a smaller heap of the list. The mex is taken in the list as well.
///
/// ```
/// use nimoon_oracle::ordinals::nim_table;
/// assert_eq!(nim_table(4)[3], [3, 2, 1, 0]);
/// ```
pub fn nim_table(heaps: usize) -> Vec<Vec<usize>> {
    let mut table = vec![vec![0; heaps]; heaps];
    for i in 0..heaps {
        for j in 0..heaps {
            let options: BTreeSet<usize> =
                (0..i).map(|k| table[k][j]).chain((0..j).map(|k| table[i][k])).collect();
            table[i][j] = mex(&options);
        }
    }
    table
}

/// The least number that is not in the set: one of 0, …, n if that has n elements.
fn mex(set: &BTreeSet<usize>) -> usize {
    (0..=set.len()).find(|value| !set.contains(value)).unwrap_or(0)
}

/// The nim-products of all numbers below `size`, by their definition: the mex of all a′b ⊕ ab′ ⊕
/// a′b′.
///
/// ```
/// use nimoon_oracle::ordinals::nim_products;
/// assert_eq!(nim_products(4)[2], [0, 2, 3, 1]);
/// ```
pub fn nim_products(size: usize) -> Vec<Vec<usize>> {
    let mut table = vec![vec![0; size]; size];
    for a in 0..size {
        for b in 0..size {
            let pairs = (0..a).flat_map(|x| (0..b).map(move |y| (x, y)));
            let options: BTreeSet<usize> =
                pairs.map(|(x, y)| table[x][b] ^ table[a][y] ^ table[x][y]).collect();
            table[a][b] = mex(&options);
        }
    }
    table
}

/// A pool of dollars and cents; a dollar is exchanged for one of these numbers of cents.
///
/// ```
/// use nimoon_oracle::ordinals::Pool;
/// let pool = Pool { dollars: 1, cents: 0, rates: vec![2, 4] };
/// assert_eq!(pool.followers().iter().map(|pool| pool.cents).collect::<Vec<_>>(), [1, 3]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pool {
    /// Dollars.
    pub dollars: usize,
    /// Cents.
    pub cents: usize,
    /// The numbers of cents for a dollar.
    pub rates: Vec<usize>,
}

impl Pool {
    /// The options.
    ///
    /// ```
    /// use nimoon_oracle::ordinals::Pool;
    /// assert!(Pool { dollars: 0, cents: 0, rates: vec![2] }.followers().is_empty());
    /// ```
    pub fn followers(&self) -> Vec<Self> {
        let pool = |dollars, cents| Self { dollars, cents, rates: self.rates.clone() };
        match (self.dollars, self.cents) {
            (0, 0) => Vec::new(),
            (d, 0) => self.rates.iter().map(|rate| pool(d - 1, rate - 1)).collect(),
            (d, c) => vec![pool(d, c - 1)],
        }
    }
}

/// The remoteness of a compound of pools, by playing it out; `selective`, or else conjunctive.
///
/// ```
/// use nimoon_oracle::ordinals::{Pool, remoteness};
/// let cents = |cents| Pool { dollars: 0, cents, rates: vec![] };
/// assert_eq!(remoteness(&[cents(2), cents(3)], false, &mut Default::default()), 2);
/// ```
pub fn remoteness(
    pools: &[Pool],
    selective: bool,
    known: &mut BTreeMap<(Vec<Pool>, bool), usize>,
) -> usize {
    let key = (pools.to_vec(), selective);
    if let Some(&found) = known.get(&key) {
        return found;
    }
    let mut moves: Vec<Vec<Pool>> = vec![Vec::new()];
    for pool in pools {
        let mut choices = pool.followers();
        if selective {
            choices.push(pool.clone());
        }
        moves = moves
            .iter()
            .flat_map(|begun| {
                choices.iter().map(|next| [begun.as_slice(), std::slice::from_ref(next)].concat())
            })
            .collect();
    }
    moves.retain(|next| next != pools);
    let after: Vec<usize> = moves.iter().map(|next| remoteness(next, selective, known)).collect();
    let even = after.iter().filter(|r| *r % 2 == 0).min();
    let found = even.or_else(|| after.iter().max()).map_or(0, |r| r + 1);
    known.insert(key, found);
    found
}

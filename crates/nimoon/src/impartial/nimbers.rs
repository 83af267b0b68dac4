//! Sets of nimbers: finite ones, and those that are finite or cofinite.
//!
//! Everything that the theories say about a position and the nim-heaps beside it is said with
//! such sets: which heaps the mover beats, which ones a gray node covers, which exits a cyclic
//! zone has. [`Nimbers`] is a finite set, [`NimberSet`] a finite or cofinite one.

use std::collections::BTreeSet;
use std::fmt;

/// A finite set of nimbers, kept in order.
///
/// ```
/// use nimoon::Nimbers;
/// let set: Nimbers = [2, 0, 2].into_iter().collect();
/// assert_eq!(set.as_slice(), [0, 2]);
/// assert_eq!(set.nim_sum(&Nimbers::from([1])).to_string(), "1,3");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Nimbers(Vec<u64>);

impl Nimbers {
    /// The empty set.
    pub const EMPTY: Self = Self(Vec::new());

    /// The elements in increasing order.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// Whether `n` is an element.
    pub fn contains(&self, n: u64) -> bool {
        self.0.binary_search(&n).is_ok()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The elements in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }

    /// The least number that is not an element.
    ///
    /// ```
    /// # use nimoon::Nimbers;
    /// assert_eq!(Nimbers::from([0, 1, 3]).mex(), 2);
    /// ```
    pub fn mex(&self) -> u64 {
        // Elements that are their own places come first, so half of the rest is left out each time:
        // this runs for each option of a node, and the set may be as large as there are options.
        let (mut mex, mut end) = (0, self.0.len());
        while mex < end {
            let middle = mex.midpoint(end);
            if self.0[middle] == middle as u64 { mex = middle + 1 } else { end = middle }
        }
        mex as u64
    }

    /// Every nim-sum of an element of `self` and one of `other`.
    #[must_use]
    pub fn nim_sum(&self, other: &Self) -> Self {
        // Among the numbers of so many bits, two sets that together have more elements than there
        // are numbers reach all of them: c ⊕ A and B cannot be disjoint.
        let largest = self.0.last().max(other.0.last()).copied().unwrap_or(0);
        let numbers = largest.checked_add(1).and_then(u64::checked_next_power_of_two);
        let together = (self.len() + other.len()) as u64;
        match numbers {
            Some(numbers) if together > numbers && !self.is_empty() && !other.is_empty() => {
                Self((0..numbers).collect())
            }
            _ => self.iter().flat_map(|a| other.iter().map(move |b| a ^ b)).collect(),
        }
    }

    /// The nim-sum of each element with `n`.
    #[must_use]
    pub fn nim_add(&self, n: u64) -> Self {
        self.iter().map(|a| a ^ n).collect()
    }

    fn union(&self, other: &Self) -> Self {
        self.iter().chain(other.iter()).collect()
    }

    fn intersection(&self, other: &Self) -> Self {
        Self(self.iter().filter(|&n| other.contains(n)).collect())
    }

    fn difference(&self, other: &Self) -> Self {
        Self(self.iter().filter(|&n| !other.contains(n)).collect())
    }
}

impl FromIterator<u64> for Nimbers {
    fn from_iter<I: IntoIterator<Item = u64>>(iter: I) -> Self {
        let mut elements: Vec<u64> = iter.into_iter().collect();
        elements.sort_unstable();
        elements.dedup();
        Self(elements)
    }
}

impl<const N: usize> From<[u64; N]> for Nimbers {
    fn from(elements: [u64; N]) -> Self {
        elements.into_iter().collect()
    }
}

impl From<BTreeSet<u64>> for Nimbers {
    fn from(elements: BTreeSet<u64>) -> Self {
        Self(elements.into_iter().collect())
    }
}

/// The elements with commas between them, as in `0,2`.
impl fmt::Display for Nimbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, n) in self.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{n}")?;
        }
        Ok(())
    }
}

/// A set of nimbers that is finite or has a finite complement.
///
/// ```
/// use nimoon::NimberSet;
/// let covered = NimberSet::all_except([1]);
/// assert!(covered.contains(7) && !covered.contains(1));
/// assert_eq!(covered.mex(), Some(1));
/// assert_eq!(covered.union(&NimberSet::only([1])).mex(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NimberSet {
    /// Just these.
    Only(Nimbers),
    /// All but these.
    AllExcept(Nimbers),
}

impl NimberSet {
    /// The set of just these nimbers.
    pub fn only(elements: impl IntoIterator<Item = u64>) -> Self {
        Self::Only(elements.into_iter().collect())
    }

    /// The set of all nimbers but these.
    pub fn all_except(elements: impl IntoIterator<Item = u64>) -> Self {
        Self::AllExcept(elements.into_iter().collect())
    }

    /// The empty set.
    pub const fn nothing() -> Self {
        Self::Only(Nimbers::EMPTY)
    }

    /// The set of all nimbers.
    pub const fn everything() -> Self {
        Self::AllExcept(Nimbers::EMPTY)
    }

    /// Whether every nimber is an element.
    pub fn is_everything(&self) -> bool {
        matches!(self, Self::AllExcept(without) if without.is_empty())
    }

    /// Whether no nimber is an element.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Only(elements) if elements.is_empty())
    }

    /// Whether all but finitely many nimbers are elements.
    pub fn is_cofinite(&self) -> bool {
        matches!(self, Self::AllExcept(_))
    }

    /// Whether `n` is an element.
    pub fn contains(&self, n: u64) -> bool {
        match self {
            Self::Only(elements) => elements.contains(n),
            Self::AllExcept(without) => !without.contains(n),
        }
    }

    /// The least nimber that is not an element, if there is one.
    pub fn mex(&self) -> Option<u64> {
        match self {
            Self::Only(elements) => Some(elements.mex()),
            Self::AllExcept(without) => without.as_slice().first().copied(),
        }
    }

    /// The nimbers that are not elements.
    #[must_use]
    pub fn complement(self) -> Self {
        match self {
            Self::Only(elements) => Self::AllExcept(elements),
            Self::AllExcept(without) => Self::Only(without),
        }
    }

    /// The nim-sum of each element with `n`.
    #[must_use]
    pub fn nim_add(&self, n: u64) -> Self {
        match self {
            Self::Only(elements) => Self::Only(elements.nim_add(n)),
            Self::AllExcept(without) => Self::AllExcept(without.nim_add(n)),
        }
    }

    /// The nimbers in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Only(a), Self::Only(b)) => Self::Only(a.union(b)),
            (Self::Only(a), Self::AllExcept(b)) | (Self::AllExcept(b), Self::Only(a)) => {
                Self::AllExcept(b.difference(a))
            }
            (Self::AllExcept(a), Self::AllExcept(b)) => Self::AllExcept(a.intersection(b)),
        }
    }

    /// The nimbers in any of these sets, in about as much time as it takes to read them: a union of
    /// each with those before would take the square of it.
    ///
    /// ```
    /// # use nimoon::NimberSet;
    /// let sets = [NimberSet::only([0]), NimberSet::only([2]), NimberSet::all_except([2, 5])];
    /// assert_eq!(NimberSet::union_of(&sets[..2]), NimberSet::only([0, 2]));
    /// assert_eq!(NimberSet::union_of(&sets), NimberSet::all_except([5]));
    /// ```
    #[must_use]
    pub fn union_of<'a>(sets: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut elements = Vec::new();
        let mut without: Option<Nimbers> = None;
        for set in sets {
            match set {
                Self::Only(some) => elements.extend(some.iter()),
                // What is left is at most as large as the smallest of them.
                Self::AllExcept(others) => {
                    let left = without.as_ref().map(|without| without.intersection(others));
                    without = Some(left.unwrap_or_else(|| others.clone()));
                }
            }
        }
        let only = Self::only(elements);
        match without {
            Some(without) => only.union(&Self::AllExcept(without)),
            None => only,
        }
    }
}

/// As in `{0,2}` and `all but {1}`; the empty set is `{}`, its complement `all`.
impl fmt::Display for NimberSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Only(elements) => write!(f, "{{{elements}}}"),
            Self::AllExcept(without) if without.is_empty() => write!(f, "all"),
            Self::AllExcept(without) => write!(f, "all but {{{without}}}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sets over {0,1,2} and their complements.
    fn small_sets() -> Vec<NimberSet> {
        (0..8_u64)
            .flat_map(|bits| {
                let elements = move || (0..3).filter(move |i| bits >> i & 1 == 1);
                [NimberSet::only(elements()), NimberSet::all_except(elements())]
            })
            .collect()
    }

    #[test]
    fn union_complement_and_mex_agree_with_membership() {
        for a in small_sets() {
            for n in 0..5 {
                assert_ne!(a.contains(n), a.clone().complement().contains(n));
            }
            assert_eq!(a.mex(), (0..5).find(|&n| !a.contains(n)));
            for (n, m) in (0..4).flat_map(|n| (0..8).map(move |m| (n, m))) {
                assert_eq!(a.nim_add(n).contains(m), a.contains(m ^ n));
            }
            for b in small_sets() {
                let union = a.union(&b);
                for c in small_sets() {
                    let all = NimberSet::union_of([&a, &b, &c]);
                    assert_eq!(all, union.union(&c));
                }
                for n in 0..5 {
                    assert_eq!(union.contains(n), a.contains(n) || b.contains(n));
                }
            }
        }
    }

    #[test]
    fn nim_sums_of_sets_are_elementwise() {
        for (a, b) in (0..64_u64).flat_map(|a| (0..64_u64).map(move |b| (a, b))) {
            let set = |bits: u64| -> Nimbers { (0..6).filter(|i| bits >> i & 1 == 1).collect() };
            let mut sums = BTreeSet::new();
            for x in set(a).iter() {
                sums.extend(set(b).iter().map(|y| x ^ y));
            }
            assert_eq!(set(a).nim_sum(&set(b)), Nimbers::from(sums));
        }
    }
}

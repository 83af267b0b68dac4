//! The search for numbers among the nim-sums of many pairs.

use std::ops::Range;

use crate::portable;
#[cfg(target_arch = "x86_64")]
use crate::values::BothWays;
use crate::values::{Form, Values};

/// Groups of wanted numbers that a table distinguishes: one for each bit of a byte.
const EIGHT: usize = 8;
/// The largest number of sets of tables.
const SETS: usize = 8;
/// 14 bits are four digits of 4 bits.
#[cfg(target_arch = "x86_64")]
const PLANES: usize = 4;

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "the groups are read at every step, and there are few searches at a time"
)]
enum Wanted {
    /// All numbers.
    All,
    /// Those with a flag.
    Flags(Box<portable::Flags>),
    /// Those with such digits.
    Digits(Groups),
}

/// Groups of wanted numbers, with their digits.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    /// Eight for each set of tables.
    pub(crate) sets: [EightGroups; SETS],
    /// How many groups there are.
    count: usize,
    /// How many bits a digit has.
    bits: u32,
}

/// Numbers of a group differ in their lowest digit only.
#[derive(Clone, Debug)]
pub(crate) struct EightGroups {
    /// What the numbers of each group have above their lowest digit.
    pub(crate) upper: [u32; EIGHT],
    /// Which lowest digits are wanted, as bits.
    pub(crate) wanted: [u64; EIGHT],
}

/// A search for numbers among the nim-sums of two heaps with a number of tokens together.
///
/// It knows which numbers were found, and searches for the lowest that were not. You choose how
/// many: see [`choose`](Self::choose).
#[derive(Clone, Debug)]
pub struct Search<'a> {
    values: &'a Values,
    /// The tokens of both heaps.
    total: usize,
    /// Numbers that were found, as bits.
    seen: Vec<u64>,
    wanted: Wanted,
}

impl<'a> Search<'a> {
    pub(crate) fn new(values: &'a Values, total: usize, seen: Vec<u64>) -> Self {
        let wanted = match &values.form {
            Form::Plain => Wanted::All,
            Form::Halves => Wanted::Flags(portable::no_flags()),
            Form::Digits { bits, .. } => Wanted::Digits(Groups::none(*bits)),
        };
        let mut search = Self { values, total, seen: Vec::new(), wanted };
        search.restart(total, seen);
        search
    }

    /// Restarts with the tokens of both heaps and all numbers that are known to occur. This is the
    /// same as a new search, but reuses its memory. Nothing is wanted before
    /// [`choose`](Self::choose) is called.
    pub fn restart(&mut self, total: usize, seen: Vec<u64>) {
        self.total = total;
        self.seen = seen;
        let room = (self.values.width() as usize).div_ceil(64);
        self.seen.resize(room.max(self.seen.len()), 0);
        self.choose(0..0, 0);
    }

    /// The tokens of both heaps.
    pub fn total(&self) -> usize {
        self.total
    }

    /// The numbers that were found, and those that were known before: bit k % 64 of word k / 64
    /// stands for the number k. It has room for all numbers below the width of the values.
    pub fn seen(&self) -> &[u64] {
        &self.seen
    }

    /// The same, at the end of the search.
    pub fn take_seen(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.seen)
    }

    /// Chooses the wanted numbers: the lowest in `range` that were not found, about `most` of them,
    /// or fewer if there is no room. Returns their end: all numbers of the range below it that were
    /// not found are wanted. Numbers at or above the width of the values cannot be nim-sums and are
    /// never wanted.
    ///
    /// ```
    /// use nimoon_kernels::{Path, Values};
    /// let mut values = Values::new(Path::best());
    /// for value in 0..8 {
    ///     values.push(Some(value));
    /// }
    /// let mut search = values.search(9, vec![0b10_0101]);
    /// assert!(search.choose(0..100, 1) > 1);
    /// assert_eq!(search.choose(0..100, 9), 100);
    /// ```
    pub fn choose(&mut self, range: Range<u32>, most: usize) -> u32 {
        let last = range.end.min(self.values.width());
        match &mut self.wanted {
            Wanted::All => range.end,
            Wanted::Flags(flags) => {
                flags[..(self.values.width() as usize).next_multiple_of(64)].fill(0);
                let mut left = most.max(1);
                for (first, mut word) in unseen(&self.seen, range.start, last, 64) {
                    if left == 0 {
                        return first;
                    }
                    left = left.saturating_sub(word.count_ones() as usize);
                    while word != 0 {
                        flags[(first + word.trailing_zeros()) as usize] = 1;
                        word &= word - 1;
                    }
                }
                range.end
            }
            Wanted::Digits(groups) => {
                groups.clear();
                let mut left = most.max(1);
                let size = 1 << groups.bits;
                for (first, word) in unseen(&self.seen, range.start, last, size) {
                    if left == 0 || !groups.add(first / size, word) {
                        return first;
                    }
                    left = left.saturating_sub(word.count_ones() as usize);
                }
                range.end
            }
        }
    }

    /// Reads all pairs of a heap in `parts` with the rest of the total, and records all wanted
    /// nim-sums. It records only nim-sums.
    ///
    /// # Panics
    /// If one of the heaps is not known.
    pub fn sweep(&mut self, parts: Range<usize>) {
        Self::sweep_each(std::array::from_mut(self), parts);
    }

    /// The same for several searches. Neighbours with consecutive totals are done together where
    /// that is faster, since their pairs are nearly the same bytes.
    ///
    /// # Panics
    /// If one of the heaps is not known.
    pub fn sweep_all(searches: &mut [Self], parts: &Range<usize>) {
        // As many as there are registers for.
        match searches.iter().map(Self::sets).max() {
            Some(1) => Self::sweep_by::<4>(searches, parts),
            Some(2) => Self::sweep_by::<2>(searches, parts),
            _ => Self::sweep_by::<1>(searches, parts),
        }
    }

    /// How many sets of tables are needed.
    fn sets(&self) -> usize {
        match &self.wanted {
            Wanted::Digits(groups) => groups.needed(),
            _ => SETS,
        }
    }

    fn sweep_by<const HEAPS: usize>(searches: &mut [Self], parts: &Range<usize>) {
        let (together, rest) = searches.as_chunks_mut::<HEAPS>();
        for some in together {
            if (some[0].total..).zip(&*some).all(|(total, one)| one.total == total) {
                Self::sweep_each(some, parts.clone());
            } else {
                for one in some {
                    one.sweep(parts.clone());
                }
            }
        }
        for one in rest {
            one.sweep(parts.clone());
        }
    }

    /// Searches for consecutive totals.
    fn sweep_each<const HEAPS: usize>(searches: &mut [Self; HEAPS], parts: Range<usize>) {
        if parts.is_empty() {
            return;
        }
        for one in &*searches {
            one.values.check(one.total, &parts);
        }
        match &searches[0].values.form {
            #[cfg(target_arch = "x86_64")]
            Form::Digits { bits: 6, planes } => {
                let sets = searches.iter().map(Self::sets).max();
                let lists = Lists { planes, total: searches[0].total, parts };
                let jobs = searches.each_mut().map(|one| match &mut one.wanted {
                    Wanted::Digits(groups) => Job { groups, seen: &mut one.seen },
                    _ => unreachable!("a search by digits has groups of digits"),
                });
                match (planes.len(), sets) {
                    (2, Some(1)) => crate::avx512::sweep::<2, 1, HEAPS>(&lists, jobs),
                    (2, Some(2)) => crate::avx512::sweep::<2, 2, HEAPS>(&lists, jobs),
                    (2, Some(4)) => crate::avx512::sweep::<2, 4, HEAPS>(&lists, jobs),
                    (2, _) => crate::avx512::sweep::<2, 8, HEAPS>(&lists, jobs),
                    (_, Some(1)) => crate::avx512::sweep::<3, 1, HEAPS>(&lists, jobs),
                    (_, Some(2)) => crate::avx512::sweep::<3, 2, HEAPS>(&lists, jobs),
                    (_, Some(4)) => crate::avx512::sweep::<3, 4, HEAPS>(&lists, jobs),
                    (_, _) => crate::avx512::sweep::<3, 8, HEAPS>(&lists, jobs),
                }
            }
            _ => {
                for one in searches {
                    one.sweep_alone(parts.clone());
                }
            }
        }
    }

    fn sweep_alone(&mut self, parts: Range<usize>) {
        let total = self.total;
        match (&mut self.wanted, &self.values.form) {
            (Wanted::Flags(flags), Form::Halves) => {
                let (forward, backward) = self.values.halves.pairs(total, &parts);
                portable::sweep(forward, backward, flags, &mut self.seen);
            }
            #[cfg(target_arch = "x86_64")]
            (Wanted::Digits(groups), Form::Digits { planes, .. }) => {
                let pairs = |place: usize| planes[place].pairs(total, &parts);
                if planes.len() == 3 {
                    let planes = [pairs(0), pairs(1), pairs(2)];
                    match groups.needed() {
                        1 => crate::avx2::sweep::<3, 1>(planes, groups, &mut self.seen),
                        2 => crate::avx2::sweep::<3, 2>(planes, groups, &mut self.seen),
                        4 => crate::avx2::sweep::<3, 4>(planes, groups, &mut self.seen),
                        _ => crate::avx2::sweep::<3, 8>(planes, groups, &mut self.seen),
                    }
                } else {
                    let planes = [pairs(0), pairs(1), pairs(2), pairs(3)];
                    crate::avx2::sweep::<4, 8>(planes, groups, &mut self.seen);
                }
            }
            _ => self.values.mark(total, parts, &mut self.seen),
        }
    }
}

/// The data of one of several searches that sweep together.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Job<'a> {
    pub(crate) groups: &'a mut Groups,
    pub(crate) seen: &'a mut [u64],
}

/// The pairs that several searches read.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Lists<'a> {
    pub(crate) planes: &'a [BothWays<u8>],
    /// The tokens of both heaps for the first search; each other one has a token more than the one
    /// before.
    pub(crate) total: usize,
    pub(crate) parts: Range<usize>,
}

impl Groups {
    fn none(bits: u32) -> Self {
        let sets = [const { EightGroups { upper: [0; EIGHT], wanted: [0; EIGHT] } }; SETS];
        Self { sets, count: 0, bits }
    }

    fn clear(&mut self) {
        for set in &mut self.sets {
            set.wanted = [0; EIGHT];
        }
        self.count = 0;
    }

    /// How many sets of tables are needed: a power of two.
    fn needed(&self) -> usize {
        self.count.div_ceil(EIGHT).max(1).next_power_of_two()
    }

    /// Adds a group of wanted numbers, unless there is no room.
    fn add(&mut self, upper: u32, wanted: u64) -> bool {
        let Some(set) = self.sets.get_mut(self.count / EIGHT) else { return false };
        set.upper[self.count % EIGHT] = upper;
        set.wanted[self.count % EIGHT] = wanted;
        self.count += 1;
        true
    }

    /// Removes the numbers that were found.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn remove_found(&mut self, seen: &[u64]) {
        for group in 0..self.count {
            let set = &mut self.sets[group / EIGHT];
            let first = set.upper[group % EIGHT] << self.bits;
            let met = seen[(first / 64) as usize] >> (first % 64);
            set.wanted[group % EIGHT] &= !met;
        }
    }
}

/// For each digit of a number, which groups of a set it may belong to, the lowest digit first.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Debug)]
pub(crate) struct Tables(pub(crate) [[u8; 16]; PLANES]);

#[cfg(target_arch = "x86_64")]
impl Tables {
    /// The tables of groups of numbers with digits of 4 bits.
    pub(crate) fn new(groups: &EightGroups) -> Self {
        let mut tables = [[0; 16]; PLANES];
        for group in 0..EIGHT {
            let mut wanted = groups.wanted[group];
            while wanted != 0 {
                tables[0][wanted.trailing_zeros() as usize] |= 1 << group;
                wanted &= wanted - 1;
            }
            let mut rest = groups.upper[group];
            for table in &mut tables[1..] {
                table[(rest % 16) as usize] |= 1 << group;
                rest /= 16;
            }
        }
        Self(tables)
    }

    /// Removes a number if it is wanted, and returns whether it was. The lowest digit comes first;
    /// a digit that is too large belongs to no number.
    #[inline]
    pub(crate) fn take<const PLANES: usize>(&mut self, digits: [u8; PLANES]) -> bool {
        let mut groups = 0xff;
        for (table, digit) in self.0.iter().zip(digits) {
            groups &= table.get(usize::from(digit)).copied().unwrap_or(0);
        }
        self.0[0][usize::from(digits[0] % 16)] &= !groups;
        groups != 0
    }
}

/// The numbers from `from` on and below `below` that are not in `seen`, in groups of `size`, a
/// power of two up to 64: the first number of each group that has some, which are bits from there.
#[inline]
fn unseen(seen: &[u64], from: u32, below: u32, size: u32) -> impl Iterator<Item = (u32, u64)> + '_ {
    (from / size..below.div_ceil(size)).filter_map(move |group| {
        let first = group * size;
        let word = seen.get((first / 64) as usize).copied().unwrap_or(0) >> (first % 64);
        let mut left = !word & (u64::MAX >> (64 - size));
        if first < from {
            left &= u64::MAX << (from - first);
        }
        if below - first < size {
            left &= (1 << (below - first)) - 1;
        }
        (left != 0).then_some((first, left))
    })
}

//! The nim-sums of the two heaps that a heap is split into, as far as values need them.
//!
//! Let Sₘ be the nim-sums of two non-empty heaps with m tokens together. The value of a heap n is
//! the least number that is in no Sₘ for some totals m ≤ n, nor among a few other numbers. So not
//! all of Sₘ matters: the numbers below the value must be met once, and of the value it must be
//! certain that no pair has it.
//!
//! # Sparse spaces
//!
//! For a code whose moves leave at most two heaps the options of a heap of n have the values G(n −
//! k) of single heaps, which are few, and the nim-sums in Sₘ for some totals m ≤ n. In Grundy's
//! game m is n, and two equal parts are left out.
//!
//! Take any mask, a number. Call a number *common* if it has an odd number of bits of the mask, and
//! *rare* otherwise. The parity of the bits within a mask is additive: x ⊕ y is common exactly if
//! one of x and y is common and the other one is rare. So
//!
//! > a common number is in Sₘ exactly if it is G(a) ⊕ G(m − a) for some a with G(a) rare and G(m − a) common.
//!
//! Going through the heaps with rare values therefore decides all common numbers. Let c be the
//! least common number that is neither in one of the Sₘ nor the value of a single heap that a move
//! leaves. It is a number that no option has, so G(n) ≤ c, and G(n) < c only if G(n) is rare. Pairs
//! are visited until all rare numbers below c are met. If they are, all numbers below c have been
//! met, and G(n) = c. If the pairs come to an end before, the least rare number that was not met is
//! in no Sₘ, all below it are met, and it is G(n).
//!
//! *The mask is a guess.* Nothing above supposes anything about it. If nearly all heaps have common
//! values the way is short: few rare heaps, and nearly every pair meets some rare number, so that
//! few pairs meet all of those below c. Then the values lie in a *sparse space*, in the words of
//! Winning Ways. With a bad mask half of the heaps are rare, and the answer takes longer, but is
//! the same. With the mask 0 all numbers are rare, c does not exist, and what is left is the search
//! through all pairs; this is done where no mask is good. Tests force wrong masks, early and late.
//!
//! *How it is found.* Among the heaps so far, let d(M) be the number of those that are rare by the
//! mask M, less the number of those that are common. The vector of all d(M) is the Walsh–Hadamard
//! transform of the vector that says how many heaps have each value, so the best mask of all takes
//! w·log w additions for values below w. It is chosen again when there are a quarter more
//! heaps, or an eighth more rare ones. A mask is used if less than a twelfth of the heaps are rare.
//! All of this follows from the values alone, so a table continues from a checkpoint.
//!
//! # How the work is cut
//!
//! For each total that may still be needed there are two sets: numbers that are in Sₘ, and
//! numbers that are not, as far as they are known. Totals are examined in groups, before the last
//! heaps that they need are known. Let N be the number of known heaps; pairs with a part of at most
//! m − N are *late*, since the other part is not below N. All other pairs need known heaps only, so
//! threads can share a group, and for neighbouring totals one rare heap belongs to neighbouring
//! other heaps. When the turn of the total comes, the sums of late pairs are added to the first
//! set, which has the last word. Numbers from the least power of two on that was above all values
//! are in the second set from the beginning, for the same reason. All sets say what is true of the
//! values, so these do not depend on groups or threads.
//!
//! ## References
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 4, on sparse spaces.
//! A. Gangolli, T. Plambeck, A note on periodicity in some octal games (1989).

use std::collections::VecDeque;
use std::ops::Range;

use nimoon::limits::threads;
use nimoon_kernels::{Path, Values};
use rayon::prelude::*;

/// How rare numbers are recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mask {
    /// By the mask that fits the values best, if few of them are rare then.
    Best,
    /// By this mask, good or bad, from a heap on.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests show that a bad mask does no harm"))]
    From(usize, u32),
}

/// How the work is cut. The values do not depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// The instructions to search with.
    pub(super) path: Path,
    /// How rare numbers are recognized.
    pub(super) mask: Mask,
    /// Totals in a group for each thread.
    pub(super) group: usize,
    /// Totals that are examined together, pairs with rare heaps.
    pub(super) batch: usize,
    /// Pairs of a total that are marked one by one before a search, times the width.
    pub(super) sample: usize,
    /// Pairs of a search before the first check whether all was met.
    pub(super) tile: usize,
    /// Numbers that are searched for together.
    pub(super) searched: usize,
    /// Values above this are searched pair by pair.
    pub(super) cap: u32,
    /// Whether the threads of the rayon pool share the work.
    pub(super) threads: bool,
}

impl Cut {
    /// The fastest, as measured.
    pub(super) fn best(path: Path) -> Self {
        Self {
            path,
            mask: Mask::Best,
            group: 64,
            batch: 16,
            // The slower a search is, the more is left to the sample.
            sample: if path == Path::Avx512 { 4 } else { 16 },
            tile: 1024,
            searched: 64,
            cap: u32::MAX,
            threads: true,
        }
    }
}

/// What is known of the nim-sums of two heaps with some tokens together.
#[derive(Clone, Debug, Default)]
struct Split {
    /// Numbers that are such sums, as bits.
    seen: Vec<u64>,
    /// Numbers that are not, unless they are by a late pair and seen, as bits.
    absent: Vec<u64>,
    /// Pairs with a part below this are late.
    late: usize,
    /// The parts of which not all pairs were marked.
    rest: Range<usize>,
    /// Whether pairs with rare heaps have given the common numbers.
    sparse: bool,
}

impl Split {
    fn decides(&self, number: u32) -> bool {
        contains(&self.seen, number) || contains(&self.absent, number)
    }
}

fn contains(words: &[u64], number: u32) -> bool {
    words.get((number / 64) as usize).is_some_and(|word| word >> (number % 64) & 1 == 1)
}

/// The least number from `number` on that is not in the set.
fn next_outside(words: &[u64], mut number: u32) -> u32 {
    while let Some(word) = words.get((number / 64) as usize) {
        let left = !word >> (number % 64);
        if left != 0 {
            return number + left.trailing_zeros();
        }
        number = (number | 63) + 1;
    }
    number
}

/// Adds all numbers from `number` on.
fn fill_from(words: &mut [u64], number: u32) {
    let place = (number / 64) as usize;
    if let Some(word) = words.get_mut(place) {
        *word |= u64::MAX << (number % 64);
        words[place + 1..].fill(u64::MAX);
    }
}

/// A number below which so many are not in the set, or a few more.
fn after_some(words: &[u64], count: usize) -> u32 {
    let mut outside = 0;
    let place = words.iter().position(|word| {
        outside += word.count_zeros() as usize;
        outside >= count
    });
    place.map_or(u32::MAX, |place| place as u32 * 64 + 64)
}

fn unite(words: &mut [u64], more: &[u64]) {
    for (word, more) in words.iter_mut().zip(more) {
        *word |= more;
    }
}

fn is_rare(number: u32, mask: u32) -> bool {
    (number & mask).count_ones().is_multiple_of(2)
}

/// The nim-sums of two heaps, for the totals that the last heaps of a game need.
#[derive(Clone, Debug)]
pub(super) struct Splits {
    cut: Cut,
    /// Whether the two heaps may be equal.
    equal: bool,
    /// How many totals before the last one may be needed again.
    kept: usize,
    values: Values,
    /// How many heaps have each value.
    counts: Vec<u32>,
    mask: u32,
    /// The common numbers by this mask and all from the width on, as bits; and this width.
    common: (Vec<u64>, u32),
    /// The heaps with rare values and these values, if there is a mask.
    rare: Vec<(u32, u32)>,
    /// The numbers of heaps and of rare heaps at which the mask is chosen again.
    review: (usize, usize),
    recent: VecDeque<Split>,
    /// The total that the first of them belongs to.
    first_recent: usize,
}

impl Splits {
    pub(super) fn new(cut: Cut, kept: usize, equal: bool) -> Self {
        Self {
            cut,
            equal,
            kept,
            values: Values::with_cap(cut.path, cut.cap),
            counts: Vec::new(),
            mask: 0,
            common: (Vec::new(), 0),
            rare: Vec::new(),
            review: (0, 0),
            recent: VecDeque::new(),
            first_recent: 0,
        }
    }

    /// Adds the value of the next heap.
    pub(super) fn push(&mut self, value: u32) {
        let heap = self.values.len() as u32;
        self.values.push(Some(value));
        let place = value as usize;
        if self.counts.len() <= place {
            self.counts.resize((place + 1).next_power_of_two(), 0);
        }
        self.counts[place] += 1;
        if self.mask != 0 && is_rare(value, self.mask) {
            self.rare.push((heap, value));
        }
    }

    /// The least number that is neither in `reached` nor a nim-sum of two heaps with one of these
    /// totals. The nimbers are those of all heaps so far.
    pub(super) fn mex(&mut self, nimbers: &[u32], totals: &[usize], reached: &[u64]) -> u32 {
        let width = self.values.width();
        let words = (width as usize).div_ceil(64).max(reached.len());
        let mut union = vec![0; words];
        unite(&mut union, reached);
        self.make_ready(nimbers, totals);
        for &total in totals {
            let split = &mut self.recent[total - self.first_recent];
            if split.late > 1 || split.seen.len() < words {
                finish(&self.values, total, words, split);
            }
            unite(&mut union, &split.seen);
        }
        loop {
            let number = next_outside(&union, 0);
            if number >= width {
                return number;
            }
            let first = self.first_recent;
            let place = totals.iter().map(|total| total - first);
            let Some(open) = place.clone().find(|&place| !self.recent[place].decides(number))
            else {
                return number;
            };
            // A number outside that all totals decide is not below the value.
            let undecided = |word: usize| {
                let decided =
                    |place: usize| self.recent[place].seen[word] | self.recent[place].absent[word];
                union[word] | !place.clone().fold(u64::MAX, |all, place| all & decided(place))
            };
            let undecided: Vec<u64> = (0..words).map(undecided).collect();
            let ceiling = next_outside(&undecided, 0);
            let split = &mut self.recent[open];
            // A search that finds everything helps with the next heaps as well.
            let met = if split.sparse { &union } else { &split.seen };
            let met = met.clone();
            search(&self.cut, &self.values, first + open, split, met, ceiling);
            unite(&mut union, &split.seen);
        }
    }

    /// Examines what was not examined of these totals.
    fn make_ready(&mut self, nimbers: &[u32], totals: &[usize]) {
        let (Some(&least), Some(&most)) = (totals.iter().min(), totals.iter().max()) else {
            return;
        };
        let known = self.first_recent..=self.first_recent + self.recent.len();
        if !known.contains(&least) {
            self.recent.clear();
            self.first_recent = least;
        }
        while self.first_recent + self.recent.len() <= most {
            self.begin_group(nimbers);
        }
    }

    /// The parts of a total, the smaller one of each pair.
    fn parts(&self, total: usize) -> Range<usize> {
        let most = if self.equal { total } else { total.saturating_sub(1) };
        1..most / 2 + 1
    }

    /// Examines the next totals, as far as known heaps determine them.
    fn begin_group(&mut self, nimbers: &[u32]) {
        /// Less work is done before other threads have begun.
        const SMALL: usize = 100_000;
        self.review(nimbers);
        let first = self.first_recent + self.recent.len();
        let width = self.values.width() as usize;
        // Values read from a file may be far too large; what is kept stays small all the same.
        let room = (1 << 28) / width;
        // A third of a total stays below the group.
        let most = room.min(first / 3).max(1);
        let pairs = if self.mask == 0 { first / 16 } else { self.rare.len() + width };
        let threads = if self.cut.threads { threads::count() } else { 1 };
        let group = (self.cut.group * threads).min(most);
        let threads = if pairs * group < SMALL { 1 } else { threads.clamp(1, group) };
        let group = if threads == 1 { self.cut.batch.min(group) } else { group };
        let mut splits = vec![Split::default(); group];
        if threads == 1 {
            self.examine(nimbers, first, &mut splits);
        } else {
            let this = &*self;
            let part = group.div_ceil(threads);
            splits.par_chunks_mut(part).enumerate().for_each(|(place, splits)| {
                this.examine(nimbers, first + place * part, splits);
            });
        }
        let old = self.recent.len().saturating_sub(self.kept);
        self.recent.drain(..old);
        self.first_recent += old;
        self.recent.extend(splits);
    }

    /// Chooses the mask again where it may have become bad, or a better one may exist.
    fn review(&mut self, nimbers: &[u32]) {
        let heaps = nimbers.len();
        let width = self.values.width();
        if heaps >= self.review.0 || self.rare.len() > self.review.1 {
            let mask = match self.cut.mask {
                Mask::Best => best_mask(&self.counts),
                Mask::From(heap, mask) => {
                    if heaps < heap {
                        0
                    } else {
                        mask
                    }
                }
            };
            if mask != self.mask {
                self.mask = mask;
                self.common.1 = 0;
                let heaps = (0..).zip(nimbers).map(|(heap, &value)| (heap, value));
                self.rare = heaps.filter(|&(_, value)| mask != 0 && is_rare(value, mask)).collect();
            }
            self.review = (heaps + heaps / 4 + 16, self.rare.len() + self.rare.len() / 8 + 16);
        }
        if self.common.1 != width {
            let mask = self.mask;
            let word = |word: u32| {
                let bit = |bit: u32| u64::from(!is_rare(word * 64 + bit, mask)) << bit;
                (0..64).map(bit).fold(0, |word, bit| word | bit)
            };
            let mut common: Vec<u64> = (0..width.div_ceil(64)).map(word).collect();
            // What is not below the width is not a nim-sum.
            fill_from(&mut common, width);
            self.common = (common, width);
        }
    }

    /// Finds out about some totals in a row, late pairs left out.
    fn examine(&self, nimbers: &[u32], first: usize, splits: &mut [Split]) {
        /// Flags of a batch should stay in the nearest cache.
        const FLAGS: usize = 1 << 15;
        let width = self.values.width() as usize;
        let batch = (FLAGS / width).clamp(1, self.cut.batch.max(1));
        let mut flags = vec![0; width * batch];
        let mut first = first;
        for splits in splits.chunks_mut(batch) {
            // The largest total has the most late pairs; for simplicity all have as many.
            let late = (first + splits.len()).saturating_sub(nimbers.len()).max(1);
            let sampled = late + (self.cut.sample * width).max(2 * batch);
            for ((total, split), flags) in (first..).zip(&mut *splits).zip(flags.chunks_mut(width))
            {
                let end = self.parts(total).end;
                split.late = late.min(end);
                split.rest = sampled.min(end)..end;
                self.values.flag(total, split.late..split.rest.start, flags);
            }
            self.flag_rare(nimbers, first, splits, &mut flags);
            for ((total, split), flags) in (first..).zip(&mut *splits).zip(flags.chunks_mut(width))
            {
                self.conclude(total, split, flags);
            }
            flags.fill(0);
            first += splits.len();
        }
    }

    /// Flags all nim-sums with a rare heap for some totals in a row, if there is a mask; pairs
    /// that were marked or are late may be left out.
    fn flag_rare(&self, nimbers: &[u32], first: usize, splits: &mut [Split], flags: &mut [u8]) {
        let Some(split) = splits.first().filter(|split| self.mask != 0 && !split.rest.is_empty())
        else {
            return;
        };
        let width = self.values.width() as usize;
        // The pairs with a part below the rest were marked, so both parts are at least so large.
        let least = split.rest.start;
        let most = first + splits.len() - least;
        let low = self.rare.partition_point(|&(heap, _)| (heap as usize) < least);
        let high = self.rare.partition_point(|&(heap, _)| (heap as usize) < most);
        // Where equal heaps are not allowed, halves of these totals are flagged one by one.
        let halves = first / 2..if self.equal { 0 } else { (first + splits.len()).div_ceil(2) };
        for &(heap, value) in &self.rare[low..high.max(low)] {
            let heap = heap as usize;
            let row = &nimbers[first - heap..][..splits.len()];
            let flags = flags.chunks_exact_mut(width);
            if halves.contains(&heap) {
                for ((total, nimber), flags) in (first..).zip(row).zip(flags) {
                    if total != 2 * heap {
                        flags[(nimber ^ value) as usize] = 1;
                    }
                }
            } else {
                for (nimber, flags) in row.iter().zip(flags) {
                    flags[(nimber ^ value) as usize] = 1;
                }
            }
        }
        for split in splits {
            split.sparse = true;
        }
    }

    /// Gathers what the flags say of a total, and looks for what they do not.
    fn conclude(&self, total: usize, split: &mut Split, flags: &[u8]) {
        split.seen = flags.chunks(64).map(word).collect();
        split.absent = match (split.rest.is_empty(), split.sparse) {
            (true, _) => vec![u64::MAX; split.seen.len()],
            (false, true) => self.common.0.clone(),
            (false, false) => vec![0; split.seen.len()],
        };
        fill_from(&mut split.absent, self.values.width());
        for (absent, seen) in split.absent.iter_mut().zip(&split.seen) {
            *absent &= !seen;
        }
        loop {
            let number = next_outside(&split.seen, 0);
            if number >= self.values.width() || split.decides(number) {
                return;
            }
            let undecided: Vec<u64> = split.absent.iter().map(|word| !word).collect();
            let ceiling = next_outside(&undecided, 0);
            let met = split.seen.clone();
            search(&self.cut, &self.values, total, split, met, ceiling);
        }
    }
}

/// Adds the late pairs of a total, and makes room for larger numbers.
fn finish(values: &Values, total: usize, words: usize, split: &mut Split) {
    split.seen.resize(words, 0);
    // No pair but a late one can have them.
    split.absent.resize(words, u64::MAX);
    values.mark(total, 1..split.late.max(1), &mut split.seen);
    split.late = 1;
}

/// Searches for the lowest numbers below `ceiling` that were not met and that the total does not
/// decide, until they are met or all pairs were examined.
fn search(
    cut: &Cut,
    values: &Values,
    total: usize,
    split: &mut Split,
    mut met: Vec<u64>,
    ceiling: u32,
) {
    unite(&mut met, &split.absent);
    unite(&mut met, &split.seen);
    fill_from(&mut met, ceiling);
    let below = after_some(&met, cut.searched);
    fill_from(&mut met, below);
    let before = met.clone();
    let mut search = values.search(total, met);
    let below = search.choose(0..values.width(), cut.searched);
    let (mut place, mut tile) = (split.rest.start, cut.tile);
    while place < split.rest.end && next_outside(search.seen(), 0) < below {
        let end = (place + tile).min(split.rest.end);
        search.sweep(place..end);
        place = end;
        tile += tile / 2;
    }
    let met = search.take_seen();
    for ((seen, met), before) in split.seen.iter_mut().zip(&met).zip(before) {
        *seen |= met & !before;
    }
    if place >= split.rest.end {
        let mut number = next_outside(&met, 0);
        while number < below {
            split.absent[(number / 64) as usize] |= 1 << (number % 64);
            number = next_outside(&met, number + 1);
        }
    }
}

/// The mask by which the fewest of the counted values are rare; 0 if they are many all the same.
///
/// For all masks at once, the difference of how many values are rare and how many are common is a
/// Walsh–Hadamard transform of the counts.
fn best_mask(counts: &[u32]) -> u32 {
    /// A search for a number examines this many pairs while one pair with a rare heap is marked.
    const WORTH: i64 = 12;
    /// More values than these leave no hope, and take long.
    const MOST: usize = 1 << 14;
    if counts.len() > MOST {
        return 0;
    }
    let mut differences: Vec<i64> = counts.iter().map(|&count| i64::from(count)).collect();
    let mut half = 1;
    while half < differences.len() {
        for block in differences.chunks_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (low, high) in low.iter_mut().zip(high) {
                (*low, *high) = (*low + *high, *low - *high);
            }
        }
        half *= 2;
    }
    let all = differences.first().copied().unwrap_or(0);
    let best = (0..).zip(differences).min_by_key(|&(_, difference)| difference);
    best.filter(|(_, difference)| (all + difference) / 2 * WORTH < all).map_or(0, |(mask, _)| mask)
}

/// 64 flags, or fewer, as bits.
fn word(flags: &[u8]) -> u64 {
    flags.iter().rev().fold(0, |word, &flag| word << 1 | u64::from(flag))
}

//! The values of Top Entails for large heaps.
//!
//! Let G(n) be the value of a heap of n, a number or a moon, and Sₙ the set of all G(l) ⊕ G(n − l)
//! for 0 < l < n with two numbers. By [LNS2021, Thm 21] the mover wins a heap of n beside the
//! numbers in Sₙ ∪ Pₙ, where Pₙ is the complement of Sₙ₋₁ ∪ Pₙ₋₁: the player who removes the top
//! token wins beside what the answer in n − 1 does not win beside. G(n) is the least number outside
//! Sₙ ∪ Pₙ, or a moon if there is none.
//!
//! ## One finite set
//! Let Tₙ be the set of all k for which the last m ≤ n with k ∈ Sₘ is even; a k that is in no Sₘ is
//! not in Tₙ. Then
//!
//! > Sₙ ∪ Pₙ is Tₙ for even n, and the complement of Tₙ for odd n.
//!
//! *Proof* by induction. For n = 0 all three sets are empty. Let n be even. Pₙ is the complement of
//! Sₙ₋₁ ∪ Pₙ₋₁, which is the complement of Tₙ₋₁, so Pₙ = Tₙ₋₁, and Sₙ ∪ Tₙ₋₁ = Tₙ: a number of Sₙ
//! has n as its last m, which is even, and for the others nothing changes. Let n be odd. Pₙ is the
//! complement of Tₙ₋₁, and Sₙ ∪ Pₙ is the complement of Tₙ₋₁ without Sₙ, which is Tₙ: a number of
//! Sₙ has n as its last m, which is odd. ∎
//!
//! So G(n) is the least number not in Tₙ for even n, and the least number in Tₙ for odd n, or a
//! moon if Tₙ is empty. A number of Sₙ is in Tₙ if n is even and is not if n is odd. In neither
//! case is it the value. So
//!
//! > G(n) is the least k ∉ Sₙ for which k ∈ Tₙ₋₁ if n is odd, k ∉ Tₙ₋₁ if n is even.
//!
//! For even n such a k exists, not above the least power of two that is greater than all values so
//! far, since no nim-sum reaches it. If for odd n there is none below that power, Tₙ is empty.
//!
//! ## T needs no memory
//! Whether k is in Tₘ follows from the values alone, going back from m. If G(m) is a moon then Tₘ
//! is empty. If k < G(m) then k is in Tₘ exactly if m is even, and k = G(m) is in Tₘ exactly if m
//! is odd, both by the choice of G(m). If k > G(m) then k ∈ Sₘ decides, by the parity of m, and
//! otherwise it is the same as for m − 1. So a table continues from its values alone, which is what
//! a checkpoint has.
//!
//! ## The least numbers that are not in Sₙ
//! Nearly all the work is to find them. Most numbers are in Sₙ many times over; a sample of the
//! pairs finds them. The others must be searched for in all n/2 pairs
//! ([`Search`](nimoon_kernels::Search)), and for those that are not there no pair can be left out.
//! No linear mask separates the values that occur from those that do not, as it does for Grundy's
//! game ([`splits`](super::splits)): of the first 200,000 heaps the largest bias of a parity, but
//! for that of the highest bit, is 0.3.
//!
//! *Fewer and fewer numbers.* Nearly always the value is the one number up to it that is not in Sₙ;
//! the other numbers below are met sooner or later. A search begins with all numbers that the
//! sample did not meet, as far as there is room in the tables, and goes through the pairs in tiles
//! that lie far apart. The more pairs it has gone through, the fewer numbers it looks for: the
//! lowest of those that were not met yet. So there is at every moment a limit such that all numbers
//! below it either were met or were searched for in all pairs so far. The limit only falls. When
//! all pairs are done, a number below the limit that was not met is not in Sₙ, for certain,
//! whatever the guess was that chose the limit. If there is no such number, a second round begins
//! at the limit. T needs little else than what is below the limit, and that is searched for
//! separately.
//!
//! *Groups of heaps.* 128 heaps are searched together in those pairs whose heaps are all below the
//! group, and threads share the heaps of the group. Neighbouring heaps have the same one heap in
//! each pair, and the other heaps stand one place further on for each, so that they read the same
//! lines of the cache. The pairs with a heap of the group are added one heap after the other, when
//! its value is found. Each heap is settled by sets that do not depend on who found them, so the
//! values are the same for any number of threads.
//!
//! `docs/findings/top-entails.md` has the moons that were found, `docs/performance.md` the
//! measurements.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::slice::from_mut;

use nimoon::limits::threads;
use nimoon_kernels::{Path, Sample, Search, Values};
use rayon::prelude::*;

/// This many heaps are kept with what is known of their S. Nearly always a few would do.
const KEPT: usize = 512;

/// Neighbouring pairs in a sample.
const CHUNK: usize = 64;

/// How the work is cut. The values do not depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// The instructions to search with.
    pub(super) path: Path,
    /// Heaps in a group.
    pub(super) group: usize,
    /// Heaps that are searched together.
    pub(super) batch: usize,
    /// Pairs of a batch before the numbers to search for are chosen again.
    pub(super) tile: usize,
    /// One of so many pairs is in the sample.
    pub(super) sample: usize,
    /// Pairs in the sample at least.
    pub(super) least_sample: usize,
    /// How many numbers are searched for when nearly all pairs were gone through.
    pub(super) hopes: usize,
    /// The least number of values to search for.
    pub(super) least: usize,
    /// Values above this are searched pair by pair.
    pub(super) cap: u32,
    /// Whether threads share the work.
    pub(super) threads: bool,
}

impl Cut {
    /// The best cut for a path, as far as it was measured.
    pub(super) fn best(path: Path) -> Self {
        // Measured at heap 600,000.
        let (batch, sample) = match path {
            Path::Portable => (8, 20),
            Path::Avx2 => (8, 32),
            Path::Avx512 => (4, 128),
        };
        Self {
            path,
            group: 128,
            batch,
            tile: 8192,
            sample,
            least_sample: 2048,
            hopes: 8,
            least: 8,
            cap: u32::MAX,
            threads: true,
        }
    }
}

/// What is known of S of one heap.
#[derive(Clone, Debug, Default)]
struct Split {
    /// Numbers in S, as bits.
    seen: Vec<u64>,
    /// Numbers below this are in S only if they are among those.
    limit: u32,
    /// Pairs with a heap below this are still to be added.
    start: usize,
}

impl Split {
    fn contains(&self, number: u32) -> bool {
        self.seen.get((number / 64) as usize).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}

/// The values of the heaps 0, 1, 2, … of Top Entails.
#[derive(Clone, Debug)]
pub(super) struct TopEntailsValues {
    cut: Cut,
    values: Values,
    /// What is known of the last heaps that have values, and of the rest of the group.
    recent: VecDeque<Split>,
    /// The heap that the first of them belongs to.
    first_recent: usize,
    /// The first heap of the group, and the first after it.
    group: (usize, usize),
    /// For each power of two the first heap with a value not below it.
    first_with: Vec<usize>,
    /// For numbers that took long: of some heap, whether they are in T.
    settled: HashMap<u32, (usize, bool)>,
}

impl TopEntailsValues {
    pub(super) fn new(cut: Cut) -> Self {
        Self {
            cut,
            values: Values::with_cap(cut.path, cut.cap),
            recent: VecDeque::new(),
            first_recent: 0,
            group: (0, 0),
            first_with: Vec::new(),
            settled: HashMap::new(),
        }
    }

    /// Adds the value of the next heap, as it was found before.
    pub(super) fn push(&mut self, value: Option<u32>) {
        if let Some(value) = value {
            while value >> self.first_with.len().min(31) != 0 {
                self.first_with.push(self.values.len());
            }
        }
        self.values.push(value);
    }

    /// Finds the value of the next heap: a number, or none for a moon.
    pub(super) fn next(&mut self) -> Option<u32> {
        let heap = self.values.len();
        let value = if heap == 0 {
            Some(0)
        } else {
            if !(self.group.0..self.group.1).contains(&heap) {
                self.begin_group(heap);
            }
            self.finish(heap)
        };
        self.push(value);
        value
    }

    /// Examines the pairs of the heaps from `first` on whose heaps are all below `first`.
    fn begin_group(&mut self, first: usize) {
        /// Smaller heaps are done before other threads have begun.
        const SMALL: usize = 5000;
        // Values read from a file may be far too large; what is kept stays small all the same.
        let room = (1 << 29) / self.values.width() as usize;
        // Half of a heap of the group is below the group.
        let size = self.cut.group.min(room).clamp(1, first);
        let mut splits = vec![Split::default(); size];
        let heaps: Vec<usize> = (first..first + size).collect();
        let alone = !self.cut.threads || first < SMALL;
        let threads = if alone { 1 } else { threads::count().clamp(1, size) };
        let (cut, values) = (&self.cut, &self.values);
        if threads == 1 {
            examine(cut, values, first, &heaps, &mut splits);
        } else {
            let part = size.div_ceil(threads);
            splits
                .par_chunks_mut(part)
                .zip(heaps.par_chunks(part))
                .for_each(|(splits, heaps)| examine(cut, values, first, heaps, splits));
        }
        // A group that was left early is of no use any more.
        self.recent.truncate(first.saturating_sub(self.first_recent));
        if self.first_recent + self.recent.len() != first {
            self.recent.clear();
            self.first_recent = first;
        }
        let old = self.recent.len().saturating_sub(KEPT.min(room));
        self.recent.drain(..old);
        self.first_recent += old;
        self.recent.extend(splits);
        self.group = (first, first + size);
    }

    /// The value of a heap of the group, the values of all smaller ones being known.
    fn finish(&mut self, heap: usize) -> Option<u32> {
        let width = self.values.width();
        let place = heap - self.first_recent;
        let mut split = std::mem::take(&mut self.recent[place]);
        split.seen.resize((width as usize).div_ceil(64), 0);
        let end = split.start.min(heap / 2 + 1);
        self.values.mark(heap, 1..end, &mut split.seen);
        let mut number = 0;
        let value = loop {
            number = next_unseen(&split.seen, number);
            // What is not below the width was in no S.
            if number >= width {
                break heap.is_multiple_of(2).then_some(width);
            }
            if number >= split.limit {
                self.search_on(heap, &mut split);
                continue;
            }
            if self.is_in_t(heap - 1, number) != heap.is_multiple_of(2) {
                break Some(number);
            }
            number += 1;
        };
        self.recent[place] = split;
        value
    }

    /// Finds out about some numbers more.
    fn search_on(&self, heap: usize, split: &mut Split) {
        /// Numbers that are searched for beyond those that were enough.
        const MORE: usize = 64;
        let mut search = self.values.search(heap, std::mem::take(&mut split.seen));
        split.limit = search.choose(split.limit..u32::MAX, MORE);
        search.sweep(1..heap / 2 + 1);
        split.seen = search.take_seen();
    }

    /// Whether a number is in T of a heap.
    fn is_in_t(&mut self, last: usize, number: u32) -> bool {
        /// Numbers that took more steps are remembered.
        const QUICK: usize = 4;
        // Before the first value with its highest bit a number was in no S.
        let first = match number.checked_ilog2() {
            None => 0,
            Some(bit) => self.first_with.get(bit as usize).copied().unwrap_or(usize::MAX),
        };
        let mut heap = last;
        let is_in_t = loop {
            if heap == 0 || heap < first {
                break false;
            }
            let Some(Some(value)) = self.values.get(heap) else { break false };
            let is_even = heap.is_multiple_of(2);
            if number <= value {
                break (number < value) == is_even;
            }
            match self.settled.get(&number) {
                Some(&(at, is_in_t)) if at == heap => break is_in_t,
                _ => {}
            }
            if self.is_in_s(heap, number) {
                break is_even;
            }
            heap -= 1;
        };
        if last - heap > QUICK {
            self.settled.insert(number, (last, is_in_t));
        }
        is_in_t
    }

    /// Whether a number below the width is in S of a heap that has a value.
    fn is_in_s(&mut self, heap: usize, number: u32) -> bool {
        let split = heap.checked_sub(self.first_recent).and_then(|place| self.recent.get(place));
        if let Some(split) = split {
            if split.contains(number) {
                return true;
            }
            if number < split.limit {
                return false;
            }
        }
        self.values.meets(heap, 1..heap / 2 + 1, number)
    }
}

/// Finds out about S of some heaps of the group that begins with `first`, as far as pairs below
/// the group determine it.
fn examine(cut: &Cut, values: &Values, first: usize, heaps: &[usize], splits: &mut [Split]) {
    let mut sample = Sample::new(values);
    let mut searches: Vec<_> =
        heaps.iter().take(cut.batch).map(|&heap| values.search(heap, Vec::new())).collect();
    for (heaps, splits) in heaps.chunks(cut.batch).zip(splits.chunks_mut(cut.batch)) {
        let last = heaps[heaps.len() - 1];
        // The same pairs for all. Beyond its half a heap meets the same pairs again.
        let start = last - first + 1;
        let pairs = start..start.max(last / 2 + 1);
        // Chunks from all over: neighbouring heaps have values of the same size.
        let chunks = (pairs.len() / cut.sample).max(cut.least_sample) / CHUNK;
        let is_all = chunks * CHUNK >= pairs.len();
        for (&heap, split) in heaps.iter().zip(&mut *splits) {
            split.start = start;
            if is_all {
                values.sample(heap, pairs.clone(), &mut sample);
                split.limit = u32::MAX;
            } else {
                for start in pairs.clone().step_by(pairs.len() / chunks).take(chunks) {
                    values.sample(heap, start..(start + CHUNK).min(pairs.end), &mut sample);
                }
            }
            split.seen = sample.take();
        }
        if !is_all {
            let rounds = Rounds { cut, values, pairs: &pairs, sampled: chunks * CHUNK };
            rounds.run(heaps, splits, &mut searches[..heaps.len()]);
        }
    }
}

/// The search for the least numbers that are not in S, as far as some pairs determine them.
struct Rounds<'a> {
    cut: &'a Cut,
    values: &'a Values,
    pairs: &'a Range<usize>,
    /// How many of the pairs were in the sample.
    sampled: usize,
}

impl Rounds<'_> {
    fn run(&self, heaps: &[usize], splits: &mut [Split], searches: &mut [Search<'_>]) {
        for (search, (&heap, split)) in searches.iter_mut().zip(heaps.iter().zip(&mut *splits)) {
            search.restart(heap, std::mem::take(&mut split.seen));
        }
        let mut limits = vec![0; heaps.len()];
        self.round(searches, &mut limits);
        // Most heaps are done then. The others go on alone.
        for ((search, mut limit), split) in searches.iter_mut().zip(limits).zip(splits) {
            while next_unseen(search.seen(), 0) >= limit && limit < self.values.width() {
                self.round(from_mut(search), from_mut(&mut limit));
            }
            *split = Split { seen: search.take_seen(), limit, start: split.start };
        }
    }

    /// How many numbers to look for after some of the pairs: so many that the value is nearly
    /// always among them. With fewer, more heaps need a second round; with more, there are more
    /// numbers to note and more tables to look up. The power was found by trial, at heaps of
    /// 300,000 and 600,000.
    fn most(&self, done: usize) -> usize {
        // Pairs for each that is done, in sixteenths.
        let left = 16 * self.pairs.len() as u64 / done as u64;
        let power = left.saturating_pow(3).isqrt() as usize;
        (self.cut.hopes * power / 64).max(self.cut.least)
    }

    /// Looks for the lowest numbers from the limits on in all pairs; below the new limits
    /// everything is known then.
    ///
    /// The numbers to search for become fewer: what is left are the lowest of them, and nothing
    /// below the limit is ever left out.
    fn round(&self, searches: &mut [Search<'_>], limits: &mut [u32]) {
        let mut ends = vec![u32::MAX; limits.len()];
        // Pairs with those of the sample: so far, and when numbers were last chosen.
        let (mut done, mut chosen) = (self.sampled, 0);
        for tile in tiles(self.pairs, self.cut.tile) {
            let mut start = tile.start;
            while start < tile.end {
                if 2 * done >= 3 * chosen {
                    let most = self.most(done);
                    for (search, (limit, end)) in
                        searches.iter_mut().zip(limits.iter().zip(&mut ends))
                    {
                        *end = search.choose(*limit..*end, most);
                    }
                    chosen = done;
                }
                // Small steps at first, while each of them meets many numbers.
                let end = tile.end.min(start + chosen.next_multiple_of(CHUNK));
                Search::sweep_all(searches, &(start..end));
                done += end - start;
                start = end;
            }
        }
        limits.copy_from_slice(&ends);
    }
}

/// Cuts pairs into tiles, in an order that soon comes to all parts of them: pairs that are far
/// apart have less in common.
fn tiles(pairs: &Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let count = pairs.end.div_ceil(size);
    let gcd = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    // The golden ratio spreads them evenly.
    let stride = (count * 618 / 1000..=count).find(|&stride| gcd(stride, count) == 1).unwrap_or(1);
    (0..count).map(move |number| {
        let start = number * stride % count * size;
        start.max(pairs.start)..(start + size).min(pairs.end)
    })
}

/// The least number from `number` on that is not in a set.
fn next_unseen(seen: &[u64], mut number: u32) -> u32 {
    while let Some(word) = seen.get((number / 64) as usize) {
        let left = !word >> (number % 64);
        if left != 0 {
            return number + left.trailing_zeros();
        }
        number = (number | 63) + 1;
    }
    number
}

#[cfg(test)]
#[path = "top_entails_values/tests.rs"]
mod tests;

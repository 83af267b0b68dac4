//! The values of Top Entails for large heaps.
//!
//! Let Sₙ be the nim-sums of two non-empty heaps with n tokens together, and Tₙ the numbers k for
//! which the last m ≤ n with k ∈ Sₘ is even. For even n the value is the least number not in Tₙ,
//! for odd n the least number in it, or a moon if there is none; docs/design.md has the proof. Since
//! k ∈ Sₙ tells whether k is in Tₙ, the value is the least k ∉ Sₙ with k ∈ Tₙ₋₁ for odd n, or
//! k ∉ Tₙ₋₁ for even n. So nearly all the work is to find the least numbers that are not in Sₙ:
//!
//! 1. The heaps are taken in groups. For all heaps of a group together, those pairs are gone
//!    through whose heaps are below the group. Each heap's pairs are independent of the others', so
//!    threads share the group.
//! 2. A sample of the pairs tells most numbers that are in Sₙ. What it did not meet is looked for
//!    in all pairs ([`Search`](nimoon_kernels::Search)), the lowest numbers first.
//! 3. Then the heaps get their values, one by one. Pairs with a heap of the same group are added
//!    then: they are few. For numbers that are not in Sₙ, Tₙ₋₁ is asked.
//!
//! Whether k is in Tₘ follows from the values alone, going back from m: if k is below the value of
//! m, all smaller numbers are in Tₘ for even m and none for odd m; if it is the value, the reverse;
//! a moon says that Tₘ is empty; if k is in Sₘ, m decides; otherwise m − 1 does. So the values of
//! all heaps below are all that is needed to go on.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use nimoon_kernels::{Path, Search, Values};
use rayon::prelude::*;

/// So many heaps are kept with what is known of their S. Nearly always a few would do.
const KEPT: usize = 512;

/// How the work is cut. The values do not depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// The instructions to search with.
    pub(super) path: Path,
    /// Heaps in a group.
    pub(super) group: usize,
    /// Pairs of each heap before it is the next heap's turn: what they need stays in the nearest
    /// cache.
    pub(super) tile: usize,
    /// Pairs of a sample.
    pub(super) sample: usize,
    /// Sweeps over a few pairs before the tiles.
    pub(super) warm: usize,
    /// Values above this are searched pair by pair.
    pub(super) cap: u32,
    /// Whether threads share the work.
    pub(super) threads: bool,
}

impl Cut {
    /// The best cut for a path, as far as it was measured.
    pub(super) fn best(path: Path) -> Self {
        // At heap 600,000; half or twice of each cost up to a fifth more. With fewer numbers in a
        // group it pays to know more of them before the search begins.
        let (tile, sample) = match path {
            Path::Portable => (8192, 8192),
            Path::Avx2 => (16_384, 8192),
            Path::Avx512 => (8192, 2048),
        };
        Self { path, group: 128, tile, sample, warm: 8, cap: u32::MAX, threads: true }
    }
}

/// What is known of S of one heap.
#[derive(Clone, Debug, Default)]
struct Split {
    /// Numbers in S, as bits.
    seen: Vec<u64>,
    /// Numbers below this are in S only if they are among those.
    limit: u32,
}

impl Split {
    fn contains(&self, number: u32) -> bool {
        self.seen.get((number / 64) as usize).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The least number from `number` on that is not known to be in S.
    fn next_unseen(&self, number: u32) -> u32 {
        let mut number = number;
        while let Some(word) = self.seen.get((number / 64) as usize) {
            let left = !word >> (number % 64);
            if left != 0 {
                return number + left.trailing_zeros();
            }
            number = (number | 63) + 1;
        }
        number
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

    /// Looks at the pairs of the heaps from `first` on whose heaps are all below `first`.
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
        let threads = if alone { 1 } else { rayon::current_num_threads().clamp(1, size) };
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
        let within = (heap - self.group.0).min(heap / 2);
        self.values.mark(heap, 1..within + 1, &mut split.seen);
        let mut number = 0;
        let value = loop {
            number = split.next_unseen(number);
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

    /// Finds all numbers of S up to the next that is not in it.
    fn search_on(&self, heap: usize, split: &mut Split) {
        let mut search = self.values.search();
        while search.refill(&split.seen) != 0 {
            search.sweep(heap, 1..heap / 2 + 1, &mut split.seen);
        }
        split.limit = search.next();
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
        let mut seen = vec![0; (self.values.width() as usize).div_ceil(64)];
        let mut search = self.values.search_for(number);
        search.sweep(heap, 1..heap / 2 + 1, &mut seen);
        seen[(number / 64) as usize] >> (number % 64) & 1 == 1
    }
}

/// Finds out about S of some heaps of the group that begins with `first`, as far as pairs below
/// the group tell.
fn examine(cut: &Cut, values: &Values, first: usize, heaps: &[usize], splits: &mut [Split]) {
    let width = values.width();
    let mut flags = vec![0; (width as usize).next_multiple_of(64)];
    let pairs = |heap: usize| {
        let start = heap - first + 1;
        start..start.max(heap / 2 + 1)
    };
    for (&heap, split) in heaps.iter().zip(&mut *splits) {
        let pairs = pairs(heap);
        if pairs.len() <= cut.sample {
            values.flag(heap, pairs, &mut flags);
            split.limit = u32::MAX;
        } else {
            // Chunks from all over: neighbouring heaps have values of the same size.
            const CHUNK: usize = 64;
            let chunks = (cut.sample / CHUNK).max(1);
            let step = pairs.len() / chunks;
            for start in pairs.clone().step_by(step.max(1)).take(chunks) {
                values.flag(heap, start..(start + CHUNK).min(pairs.end), &mut flags);
            }
        }
        split.seen = flags.chunks(64).map(word).collect();
        flags.fill(0);
    }
    let mut open: Vec<Examination<'_>> = heaps
        .iter()
        .zip(splits)
        .filter(|(_, split)| split.limit == 0)
        .map(|(&heap, split)| Examination {
            pairs: pairs(heap),
            heap,
            split,
            search: values.search(),
            left: [0; Search::SLOTS],
            is_done: false,
        })
        .collect();
    let last = open.iter().map(|one| one.pairs.end).max().unwrap_or(0);
    let tiles = last.div_ceil(cut.tile);
    for one in &mut open {
        one.warm_up(cut, tiles);
    }
    let mut count = open.len();
    for tile in (0..tiles).cycle() {
        if count == 0 {
            return;
        }
        for one in open.iter_mut().filter(|one| !one.is_done) {
            one.go_through(tile * cut.tile..(tile + 1) * cut.tile, tiles);
            count -= usize::from(one.is_done);
        }
    }
}

/// The search for the least numbers that are not in S of a heap.
struct Examination<'a> {
    heap: usize,
    pairs: Range<usize>,
    split: &'a mut Split,
    search: Search<'a>,
    /// For each group of numbers that is looked for, how many tiles were not gone through yet.
    left: [usize; Search::SLOTS],
    /// Whether all is known that is needed.
    is_done: bool,
}

impl Examination<'_> {
    /// Goes through a few pairs from all over, so that the first groups are those that matter.
    fn warm_up(&mut self, cut: &Cut, tiles: usize) {
        self.search.refill(&self.split.seen);
        let step = self.pairs.len() / cut.warm.max(1);
        let starts = self.pairs.clone().step_by(step.max(1)).take(cut.warm);
        for start in starts {
            let start = start.next_multiple_of(64).min(self.pairs.end);
            let end = (start + 1024).min(self.pairs.end);
            self.search.sweep(self.heap, start..end, &mut self.split.seen);
            self.search.refill(&self.split.seen);
        }
        self.left = [tiles; Search::SLOTS];
    }

    /// Goes through the pairs of one tile.
    fn go_through(&mut self, tile: Range<usize>, tiles: usize) {
        let (start, end) = (self.pairs.start.max(tile.start), self.pairs.end.min(tile.end));
        self.search.sweep(self.heap, start..end.max(start), &mut self.split.seen);
        let new = self.search.refill(&self.split.seen);
        let mut limit = self.search.next();
        let mut nearly = false;
        for (slot, left) in self.left.iter_mut().enumerate() {
            *left = if new >> slot & 1 == 1 { tiles } else { left.saturating_sub(1) };
            if let Some(first) = self.search.first(slot).filter(|_| *left > 0) {
                limit = limit.min(first);
                nearly |= *left <= tiles / 16;
            }
        }
        self.split.limit = limit;
        // What is nearly known is finished, since T of later heaps often asks for it.
        self.is_done = !nearly && self.split.next_unseen(0) < limit;
    }
}

/// 64 flags as bits.
fn word(flags: &[u8]) -> u64 {
    flags.iter().rev().fold(0, |word, &flag| word << 1 | u64::from(flag))
}

#[cfg(test)]
#[path = "top_entails_values/tests.rs"]
mod tests;

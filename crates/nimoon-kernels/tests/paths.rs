//! All paths against each other and against a plain loop, on numbers that are random, few, equal, or
//! at the ends of their ranges.

use std::ops::Range;

use nimoon_kernels::{Path, Search, Values};

/// A small generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 11) % end
    }
}

fn paths() -> impl Iterator<Item = Path> {
    Path::ALL.into_iter().filter(|path| path.available())
}

fn values(path: Path, cap: u32, list: &[Option<u32>]) -> Values {
    let mut values = Values::with_cap(path, cap);
    for &value in list {
        values.push(value);
    }
    values
}

fn has(set: &[u64], number: u32) -> bool {
    set[(number / 64) as usize] >> (number % 64) & 1 == 1
}

/// The nim-sums of all pairs, by the definition.
fn sums(list: &[Option<u32>], total: usize, parts: Range<usize>, width: u32) -> Vec<u64> {
    let mut sums = vec![0; width.div_ceil(64) as usize];
    for part in parts {
        if let (Some(one), Some(other)) = (list[part], list[total - part]) {
            let sum = one ^ other;
            sums[(sum / 64) as usize] |= 1 << (sum % 64);
        }
    }
    sums
}

/// Checks that a search on each path finds what is there, and nothing else: each group in one sweep or
/// in several, for as many groups as there are.
fn check(list: &[Option<u32>], total: usize, parts: &Range<usize>, known: &[u64], cap: u32) {
    for path in paths() {
        let values = values(path, cap, list);
        let width = values.width();
        let there = sums(list, total, parts.clone(), width);
        let mut seen = known.to_vec();
        seen.resize(there.len(), 0);
        let before = seen.clone();
        let mut search = values.search();
        loop {
            let new = search.refill(&seen);
            let mut place = parts.start;
            let mut step = parts.len();
            while place < parts.end {
                let end = (place + step).min(parts.end);
                search.sweep(total, place..end, &mut seen);
                place = end;
                step = 100;
            }
            // What has a slot now was looked for in all pairs.
            let limit = search.next();
            for number in 0..width {
                let was = has(&before, number);
                let (is, should) = (has(&seen, number), was || has(&there, number));
                let right = if number < limit { is == should } else { !is || should };
                assert!(right, "{path:?} {number} of {total}, {parts:?}, below {limit}: {is}");
            }
            if limit == u32::MAX {
                break;
            }
            if new == 0 {
                // All slots have a number that is not there; go on behind them.
                let slots = (0..Search::SLOTS).filter_map(|slot| search.first(slot));
                assert_eq!(slots.count(), Search::SLOTS, "{path:?}");
                break;
            }
        }
        let mut marked = before.clone();
        values.mark(total, parts.clone(), &mut marked);
        let mut flags = vec![0; width as usize];
        values.flag(total, parts.clone(), &mut flags);
        for number in 0..width {
            let is_there = has(&there, number);
            assert_eq!(has(&marked, number), has(&before, number) || is_there);
            assert_eq!(flags[number as usize] != 0, is_there, "{path:?} {number}");
            // Each number alone; all of them would take long.
            if number % 61 == 7 || number + 1 == width {
                let mut found = vec![0; there.len()];
                values.search_for(number).sweep(total, parts.clone(), &mut found);
                assert_eq!(has(&found, number), is_there, "{path:?} {number} alone");
            }
        }
    }
}

#[test]
fn every_path_finds_what_a_plain_loop_finds() {
    let mut random = Random(88_172_645_463_325_252);
    for width in [1, 2, 16, 17, 63, 64, 65, 500, 2048, 4096, 4097, 16_384] {
        for moons in [0, 3, 200] {
            let length = 1200;
            let mut value = || {
                let moon = moons > 0 && random.below(1000) < moons;
                (!moon).then(|| random.below(width) as u32)
            };
            let list: Vec<_> = (0..length).map(|_| value()).collect();
            let total = length + random.below(300) as usize;
            let start = (total - length + 1).max(1) + random.below(80) as usize;
            let end = start + random.below((total / 2 + 1 - start) as u64) as usize;
            let none = vec![0];
            let mut some = vec![0; 256];
            for word in &mut some {
                *word = random.next() | random.next();
            }
            some.truncate((width.next_power_of_two() as usize).div_ceil(64));
            for known in [none, some] {
                check(&list, total, &(start..end), &known, u32::MAX);
            }
        }
    }
}

#[test]
fn every_length_and_every_place_is_looked_at_to_its_end() {
    // One pair has the number 37 ^ 100, all others have 0: it must be found wherever it is.
    for length in (0..140).step_by(3).chain([64, 65, 128, 129, 255, 256, 257, 511, 513]) {
        for place in (0..length).step_by(1 + length / 20).chain(length.checked_sub(1)) {
            let mut list = vec![Some(37); 1400];
            list[1 + place] = Some(100);
            check(&list, 1300, &(1..1 + length), &[0], u32::MAX);
        }
    }
}

#[test]
fn moons_have_no_sums_with_anything_not_even_with_each_other() {
    for number in [0, 1, 63, 64, 4095, 4096, 16_383] {
        let mut list = vec![None; 600];
        check(&list, 400, &(1..201), &[0], u32::MAX);
        list[17] = Some(number);
        check(&list, 400, &(1..201), &[0], u32::MAX);
        list[400 - 17] = Some(number);
        check(&list, 400, &(1..201), &[0], u32::MAX);
    }
}

#[test]
fn values_that_grow_in_the_middle_keep_what_was_before() {
    let mut list: Vec<Option<u32>> = (0..700).map(|heap| Some(heap % 50)).collect();
    list[3] = None;
    for late in [60, 4095, 4096, 16_383, 16_384, 1 << 17] {
        list[650] = Some(late);
        check(&list, 699, &(1..350), &[0], u32::MAX);
        check(&list, 699, &(100..300), &[0], u32::MAX);
    }
}

#[test]
fn a_lower_cap_changes_nothing() {
    let list: Vec<Option<u32>> = (0..900).map(|heap| Some(heap * heap % 331)).collect();
    for cap in [0, 7, 330, 331] {
        check(&list, 890, &(1..446), &[0], cap);
    }
}

#[test]
fn a_slot_is_free_when_all_its_numbers_were_met() {
    // Heaps of all values below 1024 beside a heap of value 0: every number is met.
    let list: Vec<Option<u32>> = (0..1024).map(Some).chain([Some(0); 1025]).collect();
    for path in paths() {
        let values = values(path, u32::MAX, &list);
        let mut seen = vec![0; 16];
        let mut search = values.search();
        assert_eq!(search.refill(&seen), 0xff, "{path:?}");
        let size = search.next() / 8;
        assert_eq!((search.first(0), search.first(7)), (Some(0), Some(7 * size)));
        assert_eq!(search.refill(&seen), 0);
        // The numbers of the first two groups, but for one of the second.
        let second = size as usize;
        search.sweep(2047, 1..2 * second - 1, &mut seen);
        assert_eq!(search.refill(&seen), 0);
        search.sweep(2047, 0..1, &mut seen);
        assert_eq!(search.refill(&seen), 1, "{path:?}");
        assert_eq!((search.first(0), search.first(1)), (Some(8 * size), Some(size)));
    }
}

#[test]
fn pairs_of_unknown_heaps_are_refused() {
    for path in paths() {
        let values = values(path, u32::MAX, &[Some(1); 10]);
        for (total, parts) in [(20, 1..11), (12, 1..3), (5, 2..7), (9, 3..12)] {
            let refused = std::panic::catch_unwind(|| {
                values.search_for(0).sweep(total, parts.clone(), &mut [0]);
            });
            assert!(refused.is_err(), "{path:?} {total} {parts:?}");
        }
    }
}

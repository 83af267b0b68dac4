//! All paths agree with each other and with a plain loop, on numbers that are random, few, equal,
//! or at the ends of their ranges.

use std::ops::Range;

use nimoon_kernels::{Path, Sample, Search, Values};

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

/// The same for a set that may be too short.
fn has_in(set: &[u64], number: u32) -> bool {
    set.get((number / 64) as usize).is_some_and(|word| word >> (number % 64) & 1 == 1)
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

/// Checks that searches on each path find what is there, and nothing else: a few numbers and many,
/// in one sweep or in several, alone or beside searches for the next totals.
fn check(list: &[Option<u32>], total: usize, parts: &Range<usize>, known: &[u64], cap: u32) {
    for path in paths() {
        let values = values(path, cap, list);
        let width = values.width();
        let there = sums(list, total, parts.clone(), width);
        for most in [1, 20, 150, 300, 700, 100_000] {
            check_rounds(&values, list, total, parts, known, most);
        }
        let mut marked = known.to_vec();
        marked.resize(there.len().max(known.len()), 0);
        values.mark(total, parts.clone(), &mut marked);
        let mut sample = Sample::new(&values);
        values.sample(total, parts.clone(), &mut sample);
        assert_eq!(sample.take(), there, "{path:?}");
        assert!(sample.take().iter().all(|&word| word == 0));
        for number in 0..width {
            let (is_there, was) = (has(&there, number), has_in(known, number));
            assert_eq!(has(&marked, number), was || is_there);
            // Each number alone; all of them would take long.
            if number % 61 == 7 || number + 1 == width {
                let meets = values.meets(total, parts.clone(), number);
                assert_eq!(meets, is_there, "{path:?} {number} alone");
            }
        }
        assert!(!values.meets(total, parts.clone(), width));
    }
}

/// Searches for about `most` numbers at once until all are known, for as many neighbouring totals
/// as there are heaps for.
fn check_rounds(
    values: &Values,
    list: &[Option<u32>],
    total: usize,
    parts: &Range<usize>,
    known: &[u64],
    most: usize,
) {
    let width = values.width();
    let last = (list.len() - 1 + parts.start).min(total + 4).max(total);
    let totals: Vec<_> = (total..=last).collect();
    let mut searches: Vec<_> =
        totals.iter().map(|&total| values.search(total, known.to_vec())).collect();
    let mut begin = 0;
    // With few numbers in each round, some rounds are enough.
    for _ in 0..3 {
        // The first search decides how many there are; the others search at least for those.
        let end = searches[0].choose(begin..u32::MAX, most);
        assert!(end > begin);
        let ends: Vec<_> =
            searches.iter_mut().map(|one| one.choose(begin..end, usize::MAX)).collect();
        let mut place = parts.start;
        let mut step = parts.len() / 2;
        while place < parts.end {
            let end = (place + step).min(parts.end);
            Search::sweep_all(&mut searches, &(place..end));
            place = end;
            step = 100;
        }
        for (search, (&total, &end)) in searches.iter().zip(totals.iter().zip(&ends)) {
            assert_eq!(search.total(), total);
            let there = sums(list, total, parts.clone(), width);
            for number in 0..width {
                let (is, was) = (has(search.seen(), number), has_in(known, number));
                let should = was || has(&there, number);
                let is_known = number < end && number >= begin;
                let right = if is_known { is == should } else { !is || should };
                assert!(right, "{number} of {total}, {parts:?}, {begin}..{end}, {most}: {is}");
            }
        }
        begin = ends.into_iter().min().unwrap_or(u32::MAX);
        if begin == u32::MAX {
            break;
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
fn every_length_and_every_place_is_searched_to_its_end() {
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
fn numbers_that_were_found_are_not_chosen_again() {
    // Heaps of all values below 1024 beside a heap of value 0: every number occurs.
    let list: Vec<Option<u32>> = (0..1024).map(Some).chain([Some(0); 1025]).collect();
    for path in paths() {
        let values = values(path, u32::MAX, &list);
        let mut search = values.search(2047, Vec::new());
        let end = search.choose(0..u32::MAX, 100);
        assert!((100..400).contains(&end), "{path:?} {end}");
        search.sweep(0..1000);
        let (begun, rest) = search.seen().split_at(1000 / 64);
        // At least the wanted numbers, and only nim-sums.
        assert!((0..end.min(1000)).all(|number| has(search.seen(), number)), "{path:?}");
        assert!(begun.len() == 15 && rest[0] >> (1000 % 64) == 0 || end > 1000, "{path:?}");
        // All numbers up to 1000 are wanted, unless there is no room for so many.
        while search.choose(0..1000, usize::MAX) < 1000 {
            search.sweep(0..1000);
        }
        search.sweep(0..1000);
        assert_eq!(search.choose(0..1000, 1), 1000, "{path:?}");
        assert!(search.choose(0..u32::MAX, 1) > 1000, "{path:?}");
    }
}

#[test]
fn a_restarted_search_wants_nothing() {
    let list: Vec<Option<u32>> = (0..600).map(|heap| Some(heap * 7 % 256)).collect();
    for path in paths() {
        let values = values(path, u32::MAX, &list);
        let mut search = values.search(500, Vec::new());
        search.choose(0..u32::MAX, usize::MAX);
        search.restart(501, vec![1 << 5]);
        search.sweep(1..250);
        assert_eq!(search.total(), 501);
        assert_eq!(search.take_seen(), [1 << 5, 0, 0, 0], "{path:?}");
    }
}

#[test]
fn values_of_any_size_are_searched() {
    // Beyond two planes of 6 bits, three planes of 4 bits, half words and whole ones.
    let mut random = Random(362_436_069);
    for top in [4095, 4096, 5000, 16_383, 16_384, 65_535, 65_536, 70_000, 1 << 20] {
        let list: Vec<Option<u32>> = (0..700)
            .map(|heap| (heap % 97 != 5).then(|| random.below(u64::from(top) + 1) as u32))
            .chain([Some(top)])
            .collect();
        check(&list, 700, &(1..351), &[0], u32::MAX);
    }
}

#[test]
fn pairs_of_unknown_heaps_are_refused() {
    for path in paths() {
        let values = values(path, u32::MAX, &[Some(1); 10]);
        for (total, parts) in [(20, 1..11), (12, 1..3), (5, 2..7), (9, 3..12)] {
            let refused = std::panic::catch_unwind(|| values.meets(total, parts.clone(), 0));
            assert!(refused.is_err(), "{path:?} {total} {parts:?}");
        }
    }
}

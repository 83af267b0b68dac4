use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};
use nimoon::ruleset::Sequence;

use super::*;
use crate::heap::sequence::{ByGroups, ByTopEntails, HeapValues};

/// The values of the heaps 0 to `last`, by the plain recursion.
fn plain(last: usize) -> Vec<Option<u32>> {
    let mut sequence = HeapValues::new(ByTopEntails::default());
    (0..=last).map(|_| number(sequence.advance())).collect()
}

fn number(value: EntailingValue) -> Option<u32> {
    match value {
        Nimber(number) => u32::try_from(number).ok(),
        Moon => None,
    }
}

fn paths() -> impl Iterator<Item = Path> {
    Path::ALL.into_iter().filter(|path| path.available())
}

/// Checks the values, however the work is cut.
#[track_caller]
fn check(cut: Cut, values: &[Option<u32>]) {
    let mut found = TopEntailsValues::new(cut);
    for (heap, &value) in values.iter().enumerate() {
        assert_eq!(found.next(), value, "heap {heap}, {cut:?}");
    }
}

#[test]
fn every_path_has_the_values_of_the_plain_recursion() {
    let values = plain(16_000);
    for path in paths() {
        check(Cut::best(path), &values);
    }
}

#[test]
fn values_do_not_depend_on_how_the_work_is_cut() {
    let values = plain(3000);
    let moons: Vec<_> = (0..=3000).filter(|&heap| values[heap].is_none()).collect();
    assert_eq!(moons, [1, 3, 2403, 2505]);
    for path in paths() {
        for (group, batch, tile, least_sample, hopes, least) in [
            (1, 1, 64, 64, 0, 1),
            (2, 3, 100, 64, 1, 0),
            (7, 4, 1, 128, 3, 8),
            (64, 5, 300, 64, 100, 1000),
            (1000, 8, 64, 192, 0, 1),
        ] {
            // Tiles of one pair are for a few heaps.
            let values = if tile == 1 { &values[..700] } else { &values };
            let sample = usize::MAX;
            let best = Cut::best(path);
            check(Cut { group, batch, tile, sample, least_sample, hopes, least, ..best }, values);
        }
    }
}

#[test]
fn values_above_the_cap_are_found_too() {
    let values = plain(3000);
    for path in paths() {
        for cap in [0, 1, 30, 63, 64, 100] {
            let cut = Cut { cap, group: 50, least_sample: 64, ..Cut::best(path) };
            check(cut, &values);
        }
    }
}

#[test]
fn values_continue_from_any_heap() {
    let values = plain(9000);
    let mut place = 1;
    // Somewhere, and around the moons.
    let cuts = std::iter::from_fn(|| {
        place = place * 7 % 8191;
        Some(place)
    });
    for cut_at in cuts.take(12).chain([0, 1, 2, 3, 4, 2402, 2403, 2404, 2506, 5000, 5001]) {
        for path in paths() {
            let mut found = TopEntailsValues::new(Cut::best(path));
            values[..cut_at].iter().for_each(|&value| found.push(value));
            for (heap, &value) in values.iter().enumerate().skip(cut_at).take(400) {
                assert_eq!(found.next(), value, "heap {heap}, from {cut_at}, {path:?}");
            }
        }
    }
}

#[test]
fn values_found_elsewhere_may_come_in_the_middle_of_a_group() {
    let values = plain(4000);
    let mut found = TopEntailsValues::new(Cut::best(Path::best()));
    for (heap, &value) in values.iter().enumerate() {
        if heap % 100 < 30 || heap % 700 > 500 {
            found.push(value);
        } else {
            assert_eq!(found.next(), value, "heap {heap}");
        }
    }
}

#[test]
fn values_do_not_depend_on_the_number_of_threads() {
    let values = plain(7000);
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| check(Cut::best(Path::best()), &values));
    }
}

/// FNV-1a of the lines `n value`, with `inf` for a moon.
fn checksum(values: impl Iterator<Item = Option<u32>>) -> u64 {
    let lines = values.enumerate().map(|(heap, value)| match value {
        Some(value) => format!("{heap} {value}\n"),
        None => format!("{heap} inf\n"),
    });
    lines.fold(0xcbf2_9ce4_8422_2325, |sum, line| {
        line.bytes().fold(sum, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
    })
}

#[test]
fn a_hundred_thousand_values_are_those_of_the_record_on_every_path() {
    for path in paths() {
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let values: Vec<_> = pool.install(|| {
                let mut found = TopEntailsValues::new(Cut::best(path));
                (0..=100_000).map(|_| found.next()).collect()
            });
            // The SHA-256 of the same lines is
            // 809fbbb865675cb818c8ead8786838ebe0cae0b895733ccbd80bbcf6dbfe237a.
            let sum = checksum(values.iter().copied());
            assert_eq!(sum, 0x65a8_a010_3385_9fab, "{path:?}, {threads} threads");
            let moons: Vec<_> = (0..values.len()).filter(|&heap| values[heap].is_none()).collect();
            assert_eq!(moons, [1, 3, 2403, 2505, 33_243]);
        }
    }
}

#[test]
fn facts_about_a_heap_are_true_for_values_of_any_size() {
    // The game has no such values in reach, so they are made up.
    let values = plain(1500);
    for high in [1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 16, 1 << 20] {
        let mut list = values.clone();
        // Every nim-sum of a heap from here on with one below has the high bit.
        for value in &mut list[1300..] {
            *value = value.map(|value| value | high);
        }
        for path in paths() {
            let cut = Cut { least_sample: 64, ..Cut::best(path) };
            let mut found = TopEntailsValues::new(cut);
            for &value in &list {
                found.push(value);
            }
            let heap = list.len();
            let mut splits = vec![Split::default(); 8];
            let heaps: Vec<_> = (heap..heap + 8).collect();
            examine(&cut, &found.values, heap, &heaps, &mut splits);
            for (heap, split) in heaps.into_iter().zip(splits) {
                let mut sums = std::collections::BTreeSet::new();
                for one in split.start..=heap / 2 {
                    if let (Some(one), Some(other)) = (list[one], list[heap - one]) {
                        sums.insert(one ^ other);
                    }
                }
                let least = (0..u32::MAX).find(|number| !sums.contains(number)).unwrap();
                assert!(least < split.limit, "{path:?} {high} {heap}");
                for number in 0..split.limit.min(2 * high) {
                    assert_eq!(split.contains(number), sums.contains(&number), "{path:?} {number}");
                }
            }
        }
    }
}

#[test]
fn values_from_a_file_that_cannot_be_right_do_no_harm() {
    let mut sequence = HeapValues::new(ByGroups::default());
    let values = (0..6000).map(|heap| if heap % 7 == 3 { Moon } else { Nimber(2 * heap) });
    sequence.resume(values.collect());
    (0..20).for_each(|_| _ = sequence.advance());
    assert_eq!(sequence.values().len(), 6020);
}

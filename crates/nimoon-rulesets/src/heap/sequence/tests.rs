use super::*;
use crate::heap::code_values::ByUnequalParts;

/// The values of the heaps 0 to `last`.
pub(in crate::heap) fn values(recursion: impl Recursion, last: usize) -> Vec<EntailingValue> {
    let mut sequence = HeapValues::new(recursion);
    (0..=last).for_each(|_| _ = sequence.advance());
    sequence.values
}

/// Top Entails straight from the rules: the mover must move in heap n, beside the nim-heap k, and
/// wins or does not. A heap has the value k if that is the least nim-heap beside which no move in
/// it wins.
fn top_entails_by_the_rules(last: usize) -> Vec<EntailingValue> {
    /// Larger nim-heaps are never reached by splitting, so they all go like the last one.
    const HEAPS: usize = 1024;
    let mut values: Vec<EntailingValue> = Vec::new();
    let mut answers: Vec<bool> = Vec::new();
    for heap in 0..=last {
        let mut wins = vec![false; HEAPS];
        if heap > 0 {
            for (k, win) in wins.iter_mut().enumerate() {
                *win = !answers[k];
            }
        }
        for part in 1..heap {
            if let Nimber(sum) = values[part] + values[heap - part] {
                wins[sum as usize] = true;
            }
        }
        values.push(wins.iter().position(|&win| !win).map_or(Moon, |k| Nimber(k as u64)));
        answers = wins;
    }
    values
}

#[test]
fn top_entails_starts_as_printed() {
    let printed = "0 ☾ 0 ☾ 1 0 2 1 3 0 1 3 4 0 3 4 2 5 1 6 2 0 3 2 7";
    let printed: Vec<_> =
        printed.split(' ').map(|value| value.parse().map_or(Moon, Nimber)).collect();
    assert_eq!(values(ByTopEntails::default(), 24), printed);
}

#[test]
fn top_entails_follows_the_rules_and_has_four_moons_up_to_3000() {
    let values = values(ByTopEntails::default(), 3000);
    assert!(values == top_entails_by_the_rules(3000));
    let moons: Vec<_> = (0..=3000).filter(|&heap| values[heap] == Moon).collect();
    assert_eq!(moons, [1, 3, 2403, 2505]);
}

#[test]
fn the_next_moon_of_top_entails_is_33243() {
    let values = values(ByTopEntails::default(), 33_243);
    let last = (2506..values.len()).filter(|&heap| values[heap] == Moon);
    assert_eq!(last.collect::<Vec<_>>(), [33_243]);
}

#[test]
fn the_sets_of_top_entails_are_those_of_the_table() {
    let only = |numbers: &[u64]| NimberSet::only(numbers.iter().copied());
    let but = |numbers: &[u64]| NimberSet::all_except(numbers.iter().copied());
    // [LNS2021, table after Thm 21].
    let table = [
        (only(&[]), only(&[])),
        (only(&[]), but(&[])),
        (only(&[]), only(&[])),
        (only(&[]), but(&[])),
        (only(&[0]), only(&[])),
        (only(&[]), but(&[0])),
        (only(&[1]), only(&[0])),
        (only(&[0]), but(&[0, 1])),
        (only(&[0, 2]), only(&[1])),
        (only(&[1]), but(&[0, 1, 2])),
        (only(&[0, 3]), only(&[0, 2])),
        (only(&[0, 2]), but(&[0, 2, 3])),
        (only(&[0, 1, 2]), only(&[3])),
    ];
    let sets: Vec<_> =
        top_entails_sets().take(13).map(|sets| (sets.split, sets.entailed)).collect();
    assert_eq!(sets, table);
}

/// A sequence continues in the same way from values that were found before, wherever it is cut.
pub(in crate::heap) fn resumes(recursion: &(impl Recursion + Clone), last: usize) {
    let whole = values(recursion.clone(), last);
    for cut in 0..=last {
        let mut sequence = HeapValues::new(recursion.clone());
        sequence.resume(whole[..cut].to_vec());
        assert_eq!(sequence.values(), &whole[..cut]);
        (cut..=last).for_each(|_| _ = sequence.advance());
        assert_eq!(sequence.values(), whole, "cut at {cut}");
    }
}

#[test]
fn sequences_resume_anywhere() {
    resumes(&BySubtraction(vec![1, 3, 4]), 30);
    resumes(&ByTopEntails::default(), 150);
}

#[test]
fn values_that_cannot_be_are_found_again() {
    let whole = values(ByUnequalParts::default(), 30);
    for wrong in [Moon, Nimber(u64::MAX), Nimber(41)] {
        let mut sequence = HeapValues::new(ByUnequalParts::default());
        let mut given = whole.clone();
        given[20] = wrong;
        sequence.resume(given);
        assert_eq!(sequence.values(), &whole[..20]);
    }
}

#[test]
fn values_are_kept_between_questions_up_to_a_limit() {
    let kept = Kept::new(ByUnequalParts::alone());
    assert_eq!(kept.value(3, 5), Some(Nimber(1)));
    assert_eq!(kept.value(0, 5), Some(Nimber(0)));
    assert_eq!(kept.value(6, 5), None);
}

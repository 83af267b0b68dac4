//! Top Entails [LNS2021, §5].

use nimoon::{Kind, NimberSet, Outcome};
use nimoon_rulesets::heap::top_entails_sets;

use crate::papers::engine;

/// S, P and the value of the heaps 0 to 12, as the paper prints them; `nim` is everything.
const TABLE: [(&str, &str, &str); 13] = [
    ("{}", "{}", "0"),
    ("{}", "all", "moon"),
    ("{}", "{}", "0"),
    ("{}", "all", "moon"),
    ("{0}", "{}", "1"),
    ("{}", "all but {0}", "0"),
    ("{1}", "{0}", "2"),
    ("{0}", "all but {0,1}", "1"),
    ("{0,2}", "{1}", "3"),
    ("{1}", "all but {0,1,2}", "0"),
    ("{0,3}", "{0,2}", "1"),
    ("{0,2}", "all but {0,2,3}", "3"),
    ("{0,1,2}", "{3}", "4"),
];

/// Nim-heaps beside which the sets are compared.
const HEAPS: u64 = 12;

#[test]
fn the_table_of_the_paper_holds_for_the_sets_that_are_kept() {
    for (heap, (sets, (split, entailed, value))) in top_entails_sets().zip(TABLE).enumerate() {
        assert_eq!(sets.split, split.parse().unwrap(), "S of {heap}");
        assert_eq!(sets.entailed, entailed.parse().unwrap(), "P of {heap}");
        assert_eq!(engine::value(&format!("top-entails:{heap}")), value, "{heap}");
    }
}

#[test]
fn the_sets_of_the_paper_are_what_play_says_they_are() {
    for (heap, (split, entailed, _)) in TABLE.into_iter().enumerate() {
        let [split, entailed]: [NimberSet; 2] = [split, entailed].map(|set| set.parse().unwrap());
        for beside in 0..=HEAPS {
            let sum = format!("top-entails:{heap} + nim:{beside}");
            let mut solution = engine::solution(&sum);
            let start = solution.start().clone();
            let moves = solution.moves(&start).unwrap();
            let mut wins = |kind: Kind| {
                let made = moves.iter().filter(|made| made.component == 0 && made.kind == kind);
                made.into_iter().any(|made| {
                    let after = solution.after(&start, made);
                    solution.outcome(&after).unwrap() == Outcome::P
                })
            };
            assert_eq!(wins(Kind::Ordinary), split.contains(beside), "S: {sum}");
            assert_eq!(wins(Kind::Entailing), entailed.contains(beside), "P: {sum}");
        }
    }
}

/// The recursion of [LNS2021, Thm 21], number by number: the values of the heaps up to `last`.
fn by_recursion(last: usize) -> Vec<String> {
    /// No number that occurs is larger.
    const NUMBERS: usize = 4096;
    let mut values: Vec<Option<usize>> = Vec::new();
    // Whether each number is in S ∪ P of the heap before; everything is for the heap before 0, so
    // that P of it is empty.
    let mut reached = vec![true; NUMBERS];
    for heap in 0..=last {
        for inside in &mut reached {
            *inside = !*inside;
        }
        for one in 1..heap {
            if let (Some(a), Some(b)) = (values[one], values[heap - one]) {
                reached[a ^ b] = true;
            }
        }
        let value = reached.iter().position(|inside| !inside);
        assert!(value.is_none_or(|value| value < NUMBERS / 2));
        values.push(value);
    }
    let text = |value: Option<usize>| value.map_or("moon".to_owned(), |value| value.to_string());
    values.into_iter().map(text).collect()
}

fn moons(values: &[String]) -> Vec<usize> {
    (0..values.len()).filter(|&heap| values[heap] == "moon").collect()
}

#[test]
fn the_heaps_up_to_3000_have_the_values_of_the_recursion() {
    let expected = by_recursion(3000);
    assert_eq!(moons(&expected), [1, 3, 2403, 2505]);
    assert_eq!(engine::table("top-entails", 0, 3000), expected);
}

#[test]
fn the_explorer_finds_the_values_of_the_recursion_without_the_theorem() {
    // Heaps up to here are few enough to be explored split by split.
    let expected = by_recursion(300);
    let texts: Vec<String> = (0..=300).map(|heap| format!("top-entails:{heap}")).collect();
    let mut solution = engine::solution(&texts.join(" + "));
    assert!(solution.size().0 > 300);
    assert_eq!(engine::values_of_components(&mut solution), expected);
}

#[test]
fn a_table_of_several_heaps_has_the_values_of_their_sums() {
    // The pattern is not a single heap, so its rows are explored.
    let single = by_recursion(60);
    for (heap, value) in engine::table("top-entails:{},5,8", 0, 60).into_iter().enumerate() {
        let expected = single[heap].parse().map(|nimber: u64| (nimber ^ 3).to_string());
        assert_eq!(value, expected.unwrap_or_else(|_| "moon".to_owned()), "{heap}");
    }
}

#[test]
fn the_last_moon_in_print_is_33243() {
    let values = engine::table("top-entails", 0, 33_300);
    assert_eq!(moons(&values), [1, 3, 2403, 2505, 33_243]);
}

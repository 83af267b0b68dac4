//! Christmas Lights' Fixture [LNS-CLF].

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use nimoon::Kind::{self, Again, Ordinary};
use nimoon::Outcome;

use crate::papers::engine::{self, Dice};
use crate::papers::rules::lights_options;

/// A fixture of bulbs, sockets and bulbs, in the notation of the ruleset.
fn fixture(k: usize, m: usize, n: usize) -> String {
    let mut text = String::from("lights:");
    for (count, letter) in [(k, 'b'), (m, 's'), (n, 'b')] {
        if count > 0 {
            write!(text, "{count}{letter}").expect("a string takes everything");
        }
    }
    if text.ends_with(':') { text + "0" } else { text }
}

/// The options of a position with one component: what kind, and the value of what is left.
fn options(text: &str) -> BTreeSet<(Kind, String)> {
    let mut solution = engine::solution(text);
    let start = solution.start().clone();
    let moves = solution.moves(&start).unwrap();
    let option = |made: &nimoon::solve::solution::PlacedMove| {
        let after = solution.after(&start, made);
        (made.kind, engine::ascii(solution.value(&after).as_ref()))
    };
    moves.iter().map(option).collect()
}

#[test]
fn the_eight_fixtures_of_three_pieces_have_the_options_and_values_of_the_paper() {
    // A star marks a carry-on move. Equal options are listed once.
    let table = [
        ("bbb", "0 1 2", "3"),
        ("bbs", "0 1 2", "3"),
        ("bsb", "0 2* 2", "moon"),
        ("sbb", "2 1 0", "3"),
        ("ssb", "0", "1"),
        ("sbs", "2 1 0", "3"),
        ("bss", "0 2", "1"),
        ("sss", "0", "1"),
    ];
    for (pieces, listed, value) in table {
        let text = format!("lights:{pieces}");
        let read = |option: &str| match option.strip_suffix('*') {
            Some(value) => (Again, value.to_owned()),
            None => (Ordinary, option.to_owned()),
        };
        let expected: BTreeSet<_> = listed.split(' ').map(read).collect();
        assert_eq!(options(&text), expected, "{pieces}");
        assert_eq!(engine::value(&text), value, "{pieces}");
    }
}

/// The number next to n in its pair 0 1, 2 3, 4 5, …
fn partner(n: usize) -> usize {
    if n.is_multiple_of(2) { n + 1 } else { n - 1 }
}

/// Checks values that are found together.
fn check(expected: Vec<(String, String)>) {
    let (texts, expected): (Vec<_>, Vec<_>) = expected.into_iter().unzip();
    let found = engine::values(&texts);
    for ((text, found), expected) in texts.iter().zip(found).zip(expected) {
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn theorem_1_holds_up_to_12_sockets_and_bulbs() {
    let mut expected = Vec::new();
    for m in 1..=12_usize {
        for n in 0..=12 {
            let even = m.is_multiple_of(2);
            let before = if even { n } else { partner(n) };
            let behind = if even { n } else { n + 1 };
            expected.push((fixture(0, m, n), before.to_string()));
            expected.push((fixture(n, m, 0), behind.to_string()));
        }
    }
    assert_eq!(expected.len(), 2 * 12 * 13);
    check(expected);
}

#[test]
fn theorem_3_holds_up_to_12_bulbs_and_sockets() {
    let mut expected = Vec::new();
    for k in 1..=12_usize {
        expected.push((fixture(k, 1, 1), "moon".to_owned()));
        for m in 2..=12_usize {
            let value = if m.is_multiple_of(2) { k + 1 } else { k };
            expected.push((fixture(k, m, 1), value.to_string()));
        }
    }
    assert_eq!(expected.len(), 12 * 12);
    check(expected);
}

#[test]
fn theorem_5_holds_up_to_12_bulbs_sockets_and_bulbs() {
    let mut expected = Vec::new();
    for k in 1..=12_usize {
        for m in 1..=12_usize {
            for n in 2..=12_usize {
                let value = if m.is_multiple_of(2) { k + partner(n) } else { k + n };
                expected.push((fixture(k, m, n), value.to_string()));
            }
        }
    }
    assert_eq!(expected.len(), 12 * 12 * 11);
    check(expected);
}

/// A string of edges from the ground, and single edges on the vertices of these heights.
fn string_with_edges(length: usize, heights: &[usize]) -> String {
    let string = (0..length).map(|height| format!("{height}-{}", height + 1));
    let single = heights.iter().enumerate();
    let single = single.map(|(i, height)| format!("{height}-{}", length + 1 + i));
    let edges: Vec<String> = string.chain(single).collect();
    let edges = if edges.is_empty() { "0".to_owned() } else { edges.join(",") };
    format!("green-hackenbush:{edges}")
}

/// Fixtures are worth what drawings are.
fn check_twins(twins: &[(String, String)]) {
    let values =
        |texts: Vec<&String>| engine::values(&texts.into_iter().cloned().collect::<Vec<_>>());
    let fixtures = values(twins.iter().map(|twin| &twin.0).collect());
    let drawings = values(twins.iter().map(|twin| &twin.1).collect());
    for ((twin, fixture), drawing) in twins.iter().zip(fixtures).zip(drawings) {
        assert_eq!(fixture, drawing, "{twin:?}");
    }
}

#[test]
fn observation_2_sockets_at_an_end_are_single_edges_of_green_hackenbush() {
    let mut twins = Vec::new();
    for m in 1..=12 {
        for n in 0..=12 {
            twins.push((fixture(0, m, n), string_with_edges(n, &vec![0; m])));
            twins.push((fixture(n, m, 0), string_with_edges(n, &vec![n; m])));
        }
    }
    check_twins(&twins);
    // Isomorphic, the paper says: a move in one is a move in the other.
    let drawing = string_with_edges(2, &[0, 0, 0]);
    assert_eq!(drawing, "green-hackenbush:0-1,1-2,0-3,0-4,0-5");
    assert_eq!(options("lights:3s2b"), options(&drawing));
    assert_eq!(options("lights:2b3s"), options(&string_with_edges(2, &[2, 2, 2])));
    for (fixture, drawing) in twins.iter().filter(|(fixture, _)| fixture.len() < 13).step_by(7) {
        assert_eq!(options(fixture), options(drawing), "{fixture}, {drawing}");
    }
}

#[test]
fn observation_4_sockets_before_a_last_bulb_are_ignored_and_with_an_odd_number_the_bulb_too() {
    let mut twins = Vec::new();
    for k in 1..=12 {
        for m in 2..=12_usize {
            let bulbs = if m.is_multiple_of(2) { k + 1 } else { k };
            twins.push((fixture(k, m, 1), string_with_edges(bulbs, &[])));
        }
    }
    check_twins(&twins);
    // The simplest moon: beside *2 the quiet move wins, beside any other heap the carry-on move.
    for heap in 0..8 {
        let mut solution = engine::solution(&format!("lights:1b1s1b + nim:{heap}"));
        let start = solution.start().clone();
        for made in solution.moves(&start).unwrap() {
            let after = solution.after(&start, &made);
            let outcome = solution.outcome(&after).unwrap();
            if made.kind == Again {
                assert_eq!(outcome == Outcome::N, heap != 2, "{heap}");
            } else if made.component == 0 && solution.text(&after, 0) == "lights:1b1s" {
                assert_eq!(outcome == Outcome::P, heap == 2, "{heap}");
            }
        }
    }
}

#[test]
fn observation_6_one_socket_is_a_ghost_edge_and_more_make_a_double_jump() {
    let mut twins = Vec::new();
    for k in 1..=12 {
        for n in 2..=12 {
            // The ghost edge does not exist.
            twins.push((fixture(k, 1, n), string_with_edges(k + n, &[])));
            for m in 2..=12 {
                // The second edge is two vertices further on, the others where one expects them.
                let mut heights = vec![k; m - 2];
                heights.push(k + 2);
                twins.push((fixture(k, m, n), string_with_edges(k + n, &heights)));
            }
        }
    }
    check_twins(&twins);
    let drawing = string_with_edges(7, &[2, 4]);
    let edges = "0-1,1-2,2-3,3-4,4-5,5-6,6-7,2-8,4-9";
    assert_eq!(drawing, format!("green-hackenbush:{edges}"));
    assert_eq!(engine::value(&drawing), engine::value("lights:2b3s5b"));
}

/// All strings of bulbs and sockets up to this length, with their values by the engine.
struct All(HashMap<String, String>);

const LONGEST: usize = 11;

impl All {
    fn new() -> Self {
        let mut strings = vec![String::new()];
        let mut from = 0;
        for _ in 0..LONGEST {
            let end = strings.len();
            for i in from..end {
                strings.push(format!("{}b", strings[i]));
                strings.push(format!("{}s", strings[i]));
            }
            from = end;
        }
        let text = |string: &String| {
            format!("lights:{}", if string.is_empty() { "0" } else { string.as_str() })
        };
        let texts: Vec<String> = strings.iter().map(text).collect();
        let values = engine::values(&texts);
        Self(strings.into_iter().zip(values).collect())
    }

    fn value(&self, string: &str) -> &str {
        &self.0[string]
    }

    fn number(&self, string: &str) -> Option<usize> {
        self.value(string).parse().ok()
    }
}

#[test]
fn all_fixtures_of_up_to_11_pieces_have_their_values_by_the_definition() {
    let all = All::new();
    assert_eq!(all.0.len(), (1 << (LONGEST + 1)) - 1);
    for (string, value) in &all.0 {
        // Beside which heaps the next player wins by a move here.
        let mut wins = [false; 64];
        for (kind, left) in lights_options(string) {
            match (kind, all.number(&left)) {
                (Ordinary, Some(number)) => wins[number] = true,
                (Ordinary, None) => {}
                (_, number) => {
                    for (heap, wins) in wins.iter_mut().enumerate() {
                        *wins |= number != Some(heap);
                    }
                }
            }
        }
        let expected = wins.iter().position(|wins| !wins);
        assert_eq!(*value, expected.map_or("moon".to_owned(), |n| n.to_string()), "{string}");
    }
}

#[test]
fn lemma_7_carry_on_moves_keep_a_number_and_then_quiet_moves_reach_all_smaller_ones() {
    let all = All::new();
    for string in all.0.keys() {
        let Some(number) = all.number(string) else { continue };
        let mut last = string.clone();
        while let Some((_, left)) =
            lights_options(&last).into_iter().find(|option| option.0 == Again)
        {
            last = left;
        }
        for (kind, left) in lights_options(string) {
            assert!(kind != Again || all.number(&left) == Some(number), "{string} to {left}");
        }
        assert_eq!(all.number(&last), Some(number), "{string}");
        let quiet: BTreeSet<_> =
            lights_options(&last).iter().filter_map(|(_, to)| all.number(to)).collect();
        assert!((0..number).all(|smaller| quiet.contains(&smaller)), "{string}");
    }
}

#[test]
fn lemma_7_the_first_player_wins_two_fixtures_by_carrying_on_in_the_greater_one() {
    let all = All::new();
    let seed = 7;
    let mut dice = Dice(seed);
    let strings: Vec<&String> = all.0.keys().filter(|string| string.starts_with('b')).collect();
    let mut numbers: Vec<_> =
        strings.into_iter().filter(|string| all.number(string).is_some()).collect();
    numbers.sort();
    for case in 0..60 {
        let pair = [0, 1].map(|_| numbers[dice.below(numbers.len())].clone());
        let [i, s] = [&pair[0], &pair[1]].map(|string| all.number(string));
        if i >= s {
            continue;
        }
        let sum = format!("lights:{} + lights:{}", pair[0], pair[1]);
        let mut solution = engine::solution(&sum);
        let mut placement = solution.start().clone();
        loop {
            let moves = solution.moves(&placement).unwrap();
            let again = moves.iter().find(|made| made.component == 1 && made.kind == Again);
            let Some(again) = again else { break };
            placement = solution.after(&placement, again);
        }
        let moves = solution.moves(&placement).unwrap();
        let wins = moves.iter().filter(|made| made.component == 1).any(|made| {
            let after = solution.after(&placement, made);
            solution.outcome(&after).unwrap() == Outcome::P
        });
        assert!(wins, "seed {seed}, case {case}: {sum}");
    }
}

#[test]
fn theorems_9_and_10_only_the_value_of_the_right_part_counts_and_moonlight_is_everywhere() {
    let all = All::new();
    let mut by_value: HashMap<(usize, usize, &str), (&str, &str)> = HashMap::new();
    let mut checked = 0;
    for (right, value) in &all.0 {
        if right.starts_with('s') {
            continue;
        }
        // Only nothing at all is worth 0 among these.
        assert_eq!(value == "0", right.is_empty(), "{right}");
        for k in 0..=LONGEST - right.len() {
            for m in 0..=LONGEST - right.len() - k {
                let whole = format!("{}{}{right}", "b".repeat(k), "s".repeat(m));
                let found = all.value(&whole);
                if value == "moon" {
                    assert_eq!(found, "moon", "{whole}");
                }
                let (first, same) = by_value.entry((k, m, value)).or_insert((right, found));
                assert_eq!(found, *same, "{k} bulbs and {m} sockets before {first} and {right}");
                checked += 1;
            }
        }
    }
    // For each of the 2^(l-1) right parts of length l, and the empty one, all k and m that fit.
    let ways = |room: usize| (room + 1) * (room + 2) / 2;
    let expected: usize = (1..=LONGEST).map(|l| (1 << (l - 1)) * ways(LONGEST - l)).sum();
    assert_eq!(checked, expected + ways(LONGEST));
}

#[test]
fn theorems_9_and_10_hold_for_random_right_parts_before_bulbs_and_sockets() {
    let all = All::new();
    let seed = 10;
    let mut dice = Dice(seed);
    let mut strings: Vec<&String> = all.0.keys().filter(|string| string.starts_with('b')).collect();
    strings.sort();
    let mut moons = 0;
    for case in 0..300 {
        let right = strings[dice.below(strings.len())];
        let (k, m) = (dice.below(13), dice.below(13));
        // A moon is as good as the smallest one, a number as good as so many bulbs.
        let plain = match all.number(right) {
            Some(number) => fixture(k, m, number),
            None if k + m == 0 => "lights:1b1s1b".to_owned(),
            None => format!("{}1b1s1b", fixture(k, m, 0)),
        };
        let whole = format!("lights:{}{}{right}", "b".repeat(k), "s".repeat(m));
        let found = engine::value(&whole);
        assert_eq!(found, engine::value(&plain), "seed {seed}, case {case}: {whole} and {plain}");
        if all.number(right).is_none() {
            assert_eq!(found, "moon", "seed {seed}, case {case}: {whole}");
            moons += 1;
        }
    }
    assert!(moons > 20);
}

#[test]
fn the_turn_that_the_paper_describes_is_among_the_winning_turns_of_its_example() {
    let sum = "lights:2b3s5b1s4b2s2b + lights:2b1s3b1s1b3s1b";
    for rely_on_values in [false, true] {
        let mut solution = engine::solution(sum);
        if rely_on_values {
            solution.rely_on_values();
        }
        assert_eq!(engine::values_of_components(&mut solution), ["14", "moon"]);
        // "two carry-on moves on the right component […]. After that, she can carry on […] on the
        // left component […]. Finally, she can play the quiet winning move on the left component."
        let described = [
            (1, "lights:5b1s1b3s1b", Again),
            (1, "lights:6b3s1b", Again),
            (0, "lights:2b3s9b2s2b", Again),
            (0, "lights:2b3s4b", Ordinary),
        ];
        let turns = engine::best_turns(&mut solution);
        assert!(turns.iter().any(|turn| engine::plain_turn(turn) == described), "{turns:?}");
        // All the others carry on to a number on the right too, and end with the same quiet move.
        for turn in turns.iter().map(|turn| engine::plain_turn(turn)) {
            assert_eq!(turn.last(), described.last());
            assert!(turn.iter().any(|&(component, _, kind)| component == 1 && kind == Again));
        }
    }
    assert_eq!(engine::value("lights:2b3s5b1s4b2s2b + lights:6b3s1b"), "8");
    assert_eq!(engine::value("lights:2b3s9b2s2b + lights:6b3s1b"), "8");
    assert_eq!(engine::value("lights:2b3s4b + lights:6b3s1b"), "0");
}

use std::collections::HashMap;

use nimoon::NimberSet;
use nimoon::ruleset::Kind;
use proptest::prelude::*;

use super::*;

/// Values by the rules alone.
#[derive(Default)]
struct Definition(HashMap<Fixture, EntailingValue>);

impl Definition {
    fn value(&mut self, fixture: &Fixture) -> EntailingValue {
        let parts = Lights.components(fixture.clone());
        parts.iter().fold(Nimber(0), |sum, part| sum + self.part(part))
    }

    fn part(&mut self, part: &Fixture) -> EntailingValue {
        if let Some(&value) = self.0.get(part) {
            return value;
        }
        let mut won = NimberSet::nothing();
        for option in Lights.options(part) {
            let after = self.value(&option.to);
            won = won.union(&match (option.kind, after) {
                (Kind::Again, Moon) => NimberSet::everything(),
                (Kind::Again, Nimber(n)) => NimberSet::all_except([n]),
                (_, Moon) => NimberSet::nothing(),
                (_, Nimber(n)) => NimberSet::only([n]),
            });
        }
        let value = won.mex().map_or(Moon, Nimber);
        self.0.insert(part.clone(), value);
        value
    }
}

fn read(text: &str) -> Fixture {
    Lights.read(text).unwrap()
}

fn theorem(fixture: &Fixture) -> EntailingValue {
    Lights.theorem(fixture).unwrap()
}

/// k bulbs, m sockets, n bulbs.
fn three(k: u64, m: u64, n: u64) -> Fixture {
    let mut fixture = Fixture::default();
    for (piece, count) in [(Piece::Bulb, k), (Piece::Socket, m), (Piece::Bulb, n)] {
        fixture.push(piece, count);
    }
    fixture
}

fn strings(length: u32) -> impl Iterator<Item = String> {
    (0..1_u32 << length)
        .map(move |bits| (0..length).map(|i| if bits >> i & 1 == 1 { 'b' } else { 's' }).collect())
}

#[test]
fn the_theorem_is_right_for_all_fixtures_of_up_to_14_pieces() {
    let mut definition = Definition::default();
    for text in (1..=14).flat_map(strings) {
        let fixture = read(&text);
        assert_eq!(theorem(&fixture), definition.value(&fixture), "{text}");
    }
}

#[test]
fn theorems_1_3_and_5_hold_as_printed() {
    let mut definition = Definition::default();
    let mut check = |fixture: Fixture, printed: EntailingValue| {
        assert_eq!(definition.value(&fixture), printed, "by the definition: {fixture:?}");
        assert_eq!(theorem(&fixture), printed, "by the closed form: {fixture:?}");
    };
    let alternating = |n: u64| if n.is_multiple_of(2) { 1_i64 } else { -1 };
    let plus = |n: u64, sign: i64| Nimber(n.checked_add_signed(sign).unwrap());
    for (m, n) in (1..=12).flat_map(|m| (0..=12).map(move |n| (m, n))) {
        let odd = m % 2 == 1;
        check(three(0, m, n), if odd { plus(n, alternating(n)) } else { Nimber(n) });
        check(three(n, m, 0), Nimber(if odd { n + 1 } else { n }));
        for k in 1..=12 {
            let printed = match n {
                0 => continue,
                1 if m == 1 => Moon,
                1 => Nimber(if odd { k } else { k + 1 }),
                _ if odd => Nimber(k + n),
                _ => plus(k + n, alternating(n)),
            };
            check(three(k, m, n), printed);
        }
    }
}

#[test]
fn the_table_of_the_eight_fixtures_of_three_pieces_is_right() {
    let table = ["3b 3", "2b1s 3", "1b1s1b ☾", "1s2b 3", "2s1b 1", "1s1b1s 3", "1b2s 1", "3s 1"];
    let mut definition = Definition::default();
    for line in table {
        let (text, value) = line.split_once(' ').unwrap();
        let printed = value.parse().map_or(Moon, Nimber);
        assert_eq!(definition.value(&read(text)), printed, "{text}");
        assert_eq!(theorem(&read(text)), printed, "{text}");
    }
}

/// The value of GREEN HACKENBUSH by its rules: remove an edge, and what then hangs in the air.
fn hackenbush(edges: &[(u64, u64)]) -> EntailingValue {
    fn grounded(edges: &[(u64, u64)], kept: u32) -> u32 {
        let mut closed = 0_u32;
        let mut vertices = vec![0];
        while let Some(vertex) = vertices.pop() {
            for (i, &(a, b)) in edges.iter().enumerate() {
                if (kept & !closed) >> i & 1 == 1 && (a == vertex || b == vertex) {
                    closed |= 1 << i;
                    vertices.push(a + b - vertex);
                }
            }
        }
        closed
    }
    fn value(edges: &[(u64, u64)], kept: u32, known: &mut HashMap<u32, u64>) -> u64 {
        if let Some(&value) = known.get(&kept) {
            return value;
        }
        let removed = (0..edges.len()).filter(|i| kept >> i & 1 == 1).map(|i| kept & !(1 << i));
        let options = removed.map(|kept| value(edges, grounded(edges, kept), known));
        let value = NimberSet::only(options.collect::<Vec<_>>()).mex().unwrap();
        known.insert(kept, value);
        value
    }
    Nimber(value(edges, grounded(edges, (1 << edges.len()) - 1), &mut HashMap::new()))
}

/// A stalk of `height` edges, with single edges at vertices of it (0 is the ground).
fn stalk(height: u64, single: impl IntoIterator<Item = u64>) -> EntailingValue {
    let mut edges: Vec<_> = (0..height).map(|vertex| (vertex, vertex + 1)).collect();
    edges.extend((100..).zip(single).map(|(end, vertex)| (vertex, end)));
    hackenbush(&edges)
}

#[test]
fn observation_2_sockets_at_an_end_are_single_edges_there() {
    for (m, n) in (1..=5).flat_map(|m| (0..=6).map(move |n| (m, n))) {
        let edges = |vertex| std::iter::repeat_n(vertex, m as usize);
        assert_eq!(theorem(&three(0, m, n)), stalk(n, edges(0)), "{m}s{n}b");
        assert_eq!(theorem(&three(n, m, 0)), stalk(n, edges(n)), "{n}b{m}s");
    }
}

#[test]
fn observation_4_before_a_single_bulb_an_even_number_of_sockets_does_not_matter() {
    assert_eq!(theorem(&read("2b4s1b")), stalk(3, []));
    assert_eq!(theorem(&read("2b3s1b")), stalk(2, []));
    for (k, m) in (1..=6).flat_map(|k| (2..=6).map(move |m| (k, m))) {
        // An odd number of sockets makes the single bulb not matter.
        let height = if m % 2 == 0 { k + 1 } else { k };
        assert_eq!(theorem(&three(k, m, 1)), stalk(height, []), "{k}b{m}s1b");
    }
}

#[test]
fn observation_6_the_first_socket_is_a_ghost_and_the_second_jumps_two_vertices() {
    for (k, n) in (1..=4).flat_map(|k| (2..=5).map(move |n| (k, n))) {
        for m in 1..=5_usize {
            // The ghost does not exist; the second edge is two vertices further than expected, and
            // the others are where they are expected.
            let edges = [k + 2].into_iter().chain([k; 3]).take(m - 1);
            assert_eq!(theorem(&three(k, m as u64, n)), stalk(k + n, edges), "{k}b{m}s{n}b");
        }
    }
}

/// Fixtures without working bulbs, whose first piece is a bulb.
fn bulb_first(most: usize) -> impl Strategy<Value = Fixture> {
    prop::collection::vec(prop::bool::weighted(0.6), 0..most).prop_map(|bulbs| {
        let mut fixture = three(1, 0, 0);
        for bulb in bulbs {
            fixture.push(if bulb { Piece::Bulb } else { Piece::Socket }, 1);
        }
        fixture
    })
}

/// k bulbs and m sockets before a fixture.
fn before(k: u64, m: u64, fixture: &Fixture) -> Fixture {
    let mut whole = three(k, m, 0);
    fixture.runs().iter().for_each(|&(piece, count)| whole.push(piece, count));
    whole
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn lemma_7_a_carry_on_move_does_not_change_a_finite_value(fixture in bulb_first(14)) {
        let mut definition = Definition::default();
        let value = definition.value(&fixture);
        for option in Lights.options(&fixture).filter(|option| option.kind == Kind::Again) {
            prop_assert!(value == Moon || definition.value(&option.to) == value);
        }
        // All carry-on moves, then an ordinary one, reach every smaller value.
        if let Nimber(s) = value {
            let mut quiet = fixture;
            let carry_on = |fixture: &Fixture| {
                Lights.options(fixture).find(|option| option.kind == Kind::Again)
            };
            while let Some(option) = carry_on(&quiet) {
                quiet = option.to;
            }
            let reached: Vec<_> =
                Lights.options(&quiet).map(|option| definition.value(&option.to)).collect();
            prop_assert!((0..s).all(|i| reached.contains(&Nimber(i))));
        }
    }

    #[test]
    fn theorems_9_and_10_only_the_value_of_the_right_end_counts(
        fixture in bulb_first(11),
        k in 0..4_u64,
        m in 0..4_u64,
    ) {
        let mut definition = Definition::default();
        let whole = definition.value(&before(k, m, &fixture));
        match definition.value(&fixture) {
            Moon => prop_assert_eq!(whole, Moon),
            Nimber(i) => prop_assert_eq!(whole, definition.value(&before(k, m, &three(i, 0, 0)))),
        }
    }

    #[test]
    fn what_is_written_is_read_again(text in "([1-9]?[bsw]){1,30}") {
        let fixture = read(&text);
        prop_assert_eq!(&Lights.read(&Lights.write(&fixture)).unwrap(), &fixture);
        for option in Lights.options(&fixture) {
            prop_assert_eq!(&Lights.read(&Lights.write(&option.to)).unwrap(), &option.to);
        }
    }
}

#[test]
fn the_turn_of_the_paper_is_legal_and_leaves_a_lost_position() {
    let turn = [
        "2b3s5b1s4b2s2bw2b1s3b1s1b3s1b",
        "2b3s5b1s4b2s2bw5b1s1b3s1b",
        "2b3s5b1s4b2s2bw6b3s1b",
        "2b3s9b2s2bw6b3s1b",
        "2b3s4bw6b3s1b",
    ];
    let kinds = [Kind::Again, Kind::Again, Kind::Again, Kind::Ordinary];
    for (plies, kind) in turn.windows(2).zip(kinds) {
        let winning = Move { to: read(plies[1]), kind };
        assert!(Lights.options(&read(plies[0])).any(|option| option == winning), "{plies:?}");
    }
    let values: Vec<_> = turn.iter().map(|text| theorem(&read(text))).collect();
    assert_eq!(values, [Moon, Moon, Nimber(14) + Nimber(6), Nimber(14) + Nimber(6), Nimber(0)]);
    let example = entry().example.strip_prefix("lights:").unwrap();
    assert_eq!((example, entry().value), ("2b3s5b1s4b2s2b", "14"));
    assert_eq!(theorem(&read(example)), Nimber(14));
    assert_eq!(theorem(&read("2b1s3b1s1b3s1b")), Moon);
    assert_eq!(Definition::default().value(&read(turn[0])), Moon);
    assert_eq!(Definition::default().value(&read(turn[4])), Nimber(0));
}

#[test]
fn a_working_bulb_separates_parts_and_no_repair_reaches_beyond_it() {
    let fixture = read("2b3sw5bw1s");
    let parts = Lights.components(fixture.clone());
    assert_eq!(parts, [read("2b3s"), read("5b"), read("1s")]);
    let options: Vec<_> = Lights.options(&fixture).map(|option| Lights.write(&option.to)).collect();
    assert_eq!(options[0], "w5bw1s");
    assert_eq!(options[2], "2b2sw5bw1s");
    assert_eq!(options.last().unwrap(), "2b3sw5bw");
    // No shock beside a working bulb.
    assert!(Lights.options(&read("bswb")).all(|option| option.kind == Kind::Ordinary));
    assert!(Lights.components(read("wwww")).is_empty());
    assert_eq!(Lights.canonical(read("3w")), Fixture::default());
    assert_eq!(Lights.canonical(read("bw")), read("bw"));
}

#[test]
fn long_runs_cost_nothing_and_too_many_options_are_refused() {
    assert_eq!(theorem(&read("1000000b3s")), Nimber(1_000_001));
    assert_eq!(theorem(&read("1000000b1000000000000s7b")), Nimber(1_000_006));
    assert_eq!(Lights.options(&read("1000000000000s")).count(), 1);
    let limit = 10;
    let refused = Lights.try_options(&read("1000000000000000b"), limit).unwrap_err();
    assert_eq!(refused, Fault::TooMany { limit });
    let long = read(&"bs".repeat(50_000));
    assert!(matches!(Lights.try_options(&long, usize::MAX), Err(Fault::TooMany { .. })));
    assert_eq!(theorem(&read(&"bbs".repeat(300_000))), Nimber(600_001));
}

#[test]
fn errors_point_at_the_piece_that_is_wrong() {
    for (text, at) in [("", 0), ("2b3x", 3), ("2b3", 3), ("b 2", 3), ("00", 2), ("-1b", 0)] {
        assert_eq!(Lights.read(text).unwrap_err().at, at, "{text}");
    }
    let error = Lights.read("2b3x").unwrap_err();
    let expected = "expected `b` for a bulb, `s` for a socket or `w` for a working bulb, found `x`";
    assert_eq!(error.message, expected);
    assert_eq!(Lights.read("b1152921504606846976b").unwrap_err().at, 1);
    assert_eq!(Lights.read("99999999999999999999b").unwrap_err().at, 0);
    assert_eq!(read("0b"), Fixture::default());
    assert_eq!(read("bbsssbbbbb"), read("2b3s5b"));
}

#[test]
fn moves_are_said_in_words_and_fixtures_drawn_on_a_cord() {
    let fixture = read("1b1s1b3swb");
    let words: Vec<_> = (0..)
        .zip(Lights.options(&fixture))
        .map(|(number, option)| Lights.words(&fixture, number, &option))
        .collect();
    let expected = [
        "take bulb 1",
        "remove socket 1",
        "take bulb 2",
        "remove one of the sockets 2 to 4",
        "take bulb 3",
    ];
    assert_eq!(words, expected);
    assert_eq!(Lights.board(&fixture), "⊏─o─·─o─·─·─·─●─o");
    assert_eq!(Lights.board(&read("1000000b1s")), "⊏─o×1000000─·");
    assert_eq!(Lights.board(&read("0")), "⊏");
}

/// What a pass says of a text that is given in pieces of this length.
fn passed(text: &str, length: usize) -> Result<EntailingValue, NotationError> {
    let mut pass = Pass::default();
    for chunk in text.as_bytes().chunks(length) {
        pass.push(chunk)?;
    }
    pass.finish()
}

#[test]
fn a_pass_from_the_left_agrees_with_the_theorems_on_all_short_strings() {
    for length in 1..=14 {
        for text in strings(length) {
            assert_eq!(passed(&text, 64), Ok(theorem(&read(&text))), "{text}");
        }
    }
}

proptest! {
    #[test]
    fn a_pass_agrees_with_the_theorems_however_the_text_is_written_and_cut(
        runs in prop::collection::vec((0..9_u8, 1..200_u64), 1..60),
        length in 1..200_usize,
        counted in any::<bool>(),
    ) {
        let mut text = String::new();
        for (letter, count) in runs {
            let letter = ["b", "s", "b", "s", "b", "s", "b", "s", "w"][usize::from(letter)];
            let count = if count > 150 { count } else { count % 4 + 1 };
            if counted {
                text.extend([&count.to_string(), " ", letter]);
            } else {
                text.push_str(&letter.repeat(count as usize));
            }
        }
        prop_assert_eq!(passed(&text, length), Ok(theorem(&read(&text))));
    }
}

#[test]
fn a_pass_rejects_other_text_with_its_place() {
    for (text, at) in [
        ("bsx", 2),
        ("b2", 2),
        ("2 3b", 2),
        ("", 0),
        ("bs+", 2),
        ("é", 0),
        ("b99999999999999999999b", 20),
        ("2000000000000000000b", 19),
    ] {
        for length in [1, 2, 100] {
            assert_eq!(passed(text, length).map_err(|error| error.at), Err(at), "{text}");
        }
        let long = format!("{}{text}", "bs".repeat(100));
        if !text.is_empty() {
            assert_eq!(passed(&long, 77).map_err(|error| error.at), Err(200 + at), "{long}");
        }
    }
}

/// Every option that is said to win does, and where one wins, one is found.
#[test]
fn a_winning_option_is_found_without_a_list_wherever_there_is_one() {
    let mut definition = Definition::default();
    for text in (1..=10).flat_map(strings) {
        let fixture = read(&text);
        let options: Vec<_> = Lights.options(&fixture).collect();
        for beside in (0..16).map(Nimber).chain([Moon]) {
            let wins = |option: &Move<Fixture>, value: EntailingValue| {
                let zero = value + beside == Nimber(0);
                if option.kind == Kind::Again { !zero } else { zero }
            };
            let found = Lights.winning_option(&fixture, beside);
            if let Some((number, option)) = found {
                assert_eq!(options[number], option, "{text}");
                assert!(wins(&option, definition.value(&option.to)), "{text} {beside:?}");
            } else {
                let none = options.iter().all(|o| !wins(o, definition.value(&o.to)));
                assert!(none, "{text} {beside:?}");
            }
        }
    }
}

/// What a ply leaves, as an option by the rules.
fn played(fixture: &Fixture, ply: Ply) -> Move<Fixture> {
    let words = |&(number, ref option): &(usize, Move<Fixture>)| {
        Lights.words(fixture, number, option) == ply.words()
    };
    let (_, option) = (0..).zip(Lights.options(fixture)).find(words).expect("no such option");
    assert_eq!(option.kind, ply.kind(), "{} of {fixture:?}", ply.words());
    option
}

#[test]
fn a_pass_finds_a_turn_that_wins_wherever_there_is_one() {
    let mut lengths = [0; 3];
    for text in (1..=14).flat_map(strings) {
        for length in [1, 64] {
            // Long enough for whole words of pieces.
            let text = format!("{}{text}", "s".repeat(if length == 64 { 61 } else { 0 }));
            let mut pass = Pass::default();
            text.as_bytes().chunks(length).for_each(|chunk| pass.push(chunk).unwrap());
            let plies = pass.turn().unwrap();
            let mut left = Move::again(read(&text));
            for &ply in &plies {
                assert_eq!(left.kind, Kind::Again, "{text}");
                left = played(&left.to, ply);
            }
            assert_eq!(left.kind, Kind::Ordinary, "the turn continues: {text}");
            let wins = theorem(&left.to) == Nimber(0);
            assert_eq!(wins, theorem(&read(&text)) != Nimber(0), "{text}: {plies:?}");
            lengths[plies.len()] += 1;
        }
    }
    assert!(lengths[0] == 0 && lengths[2] > 100, "{lengths:?}");
    let turn = |text: &[u8]| {
        let mut pass = Pass::default();
        pass.push(text).map(|()| pass.turn())
    };
    assert_eq!(turn(b"0b"), Ok(Some(Vec::new())));
    assert_eq!(turn(b"bwb"), Ok(None));
}

#[test]
fn an_action_is_found_by_its_number_however_large() {
    for text in (1..=8).flat_map(strings) {
        let fixture = read(&text);
        let walked: Vec<_> = fixture.actions().map(|action| (action.run, action.before)).collect();
        let found = (0..).map_while(|number| fixture.action(number));
        let found: Vec<_> = found.map(|action| (action.run, action.before)).collect();
        assert_eq!(found, walked, "{text}");
    }
    let fixture = read("299999999999999999b2s2b");
    let option = Move::to(read("b"));
    let words = Lights.words(&fixture, 299_999_999_999_999_998, &option);
    assert_eq!(words, "take bulb 299999999999999999");
}
